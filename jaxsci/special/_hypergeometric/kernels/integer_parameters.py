"""Parameters of hypergeometric functions that are 0, -1, -2, ..."""

from __future__ import annotations

import jax
import jax.numpy as jnp


def is_degree(a: jax.Array, most: float) -> jax.Array:
    """Whether a is 0, -1, -2, ..., -most: with it as upper parameter the series ends."""
    return (a <= 0) & (a >= -most) & (a == jnp.floor(a))
