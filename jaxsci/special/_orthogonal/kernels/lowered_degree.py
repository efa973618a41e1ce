"""Functions of a degree less an integer, for derivatives in x."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.integers import is_integer

_LEAST = 2.0**-44
"""Below, functions over their degrees keep their digits; and this less an integer is exact."""


def of_lowered_degree(
    function: Callable[[jax.Array], jax.Array], n: jax.Array, k: int
) -> jax.Array:
    """function(n - k) of one that vanishes at n = 0, whose digits a difference takes from small n.

    What is left of n in n - k is the factor of its value, which is exchanged. It is not to be
    differentiated in n.
    """
    small = (jnp.abs(n) < 0.5) & ~is_integer(n)
    lower = jnp.where(small & (jnp.abs(n) < _LEAST), _LEAST, n) - k
    value = function(lower)
    return jnp.where(small, value * (n / jnp.where(small, lower + k, 1.0)), value)
