"""Values that XLA would compute in a loop of their own."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp


def shared(x: Any) -> Any:
    """x, a root, quotient, exponential or the like that has several uses.

    XLA's compiler for CPUs does not fuse a costly operation into a loop where its result is used
    more than once, and then breaks the loop into many, each over all elements of the arrays. It
    fuses a costly operation that has one use with a cheap one, as this maximum, that has several.
    """
    return jnp.maximum(x, float(jnp.finfo(x.dtype).min))
