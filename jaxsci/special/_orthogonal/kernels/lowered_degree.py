"""Functions of a degree less an integer, for derivatives in x."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.integers import is_integer, is_of_integer_type

_LEAST = 2.0**-44
"""Below, functions over their degrees keep their digits; and this less an integer is exact."""


def of_lowered_degree(
    function: Callable[[jax.Array], jax.Array], n: jax.Array, k: int
) -> jax.Array:
    """function(n - k) of one that vanishes at n = 0, whose digits a difference takes from small n.

    So n is exchanged for a number near it, n + c with a constant c, from which k is taken exactly,
    and which is a factor of the value: c is nothing beside anything else.
    """
    if is_of_integer_type(n):
        return function(n.astype(float) - k)
    small = (jnp.abs(n) < 0.5) & ~is_integer(n)
    # What is added and taken away again to round a number, older compilers leave out.
    unit = 2.0 ** (k.bit_length() - 52)
    near = jnp.where(jnp.abs(n) < _LEAST, _LEAST, jnp.round(n / unit) * unit)
    near = jax.lax.stop_gradient(jnp.where(small, near, n)) + (n - jax.lax.stop_gradient(n))
    value = function(near - k)
    return jnp.where(small, value * (n / jnp.where(small, near, 1.0)), value)
