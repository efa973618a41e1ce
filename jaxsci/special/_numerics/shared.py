"""What to tell XLA of values that several others need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp


def shared(x: Any) -> Any:
    """x, a root, quotient, exponential or the like that has several uses.

    XLA's compiler for CPUs does not fuse a costly operation into a loop where its result is used
    more than once, and then breaks the loop into many, each over all elements of the arrays. It
    fuses a costly operation that has one use with a cheap one, as this maximum, that has several.
    """
    return jnp.maximum(x, float(jnp.finfo(x.dtype).min))


def at_once(function: Callable[[Any], Any], *arguments: jax.Array) -> list[jax.Array]:
    """A function's values at several arguments, by one program for all.

    Without the barrier XLA's compiler for CPUs would put what computes them where they are used,
    and call it there for each element: no such loop is vectorised.
    """
    together = jnp.stack(jnp.broadcast_arrays(*arguments))
    return list(jax.lax.optimization_barrier(function(together)))
