"""Parameters of hypergeometric functions that are 0, -1, -2, ..."""

from __future__ import annotations

import jax

from jaxsci.special._numerics.integers import is_integer


def is_degree(a: jax.Array, most: float) -> jax.Array:
    """Whether a is 0, -1, -2, ..., -most: with it as upper parameter the series ends."""
    return (a <= 0) & (a >= -most) & is_integer(a)
