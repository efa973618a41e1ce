"""Which numbers are integers."""

from __future__ import annotations

import jax
import jax.numpy as jnp


def is_integer(x: jax.Array) -> jax.Array:
    """Whether a real number is an integer, as all large ones are, the infinite ones included."""
    return x == jnp.floor(x)
