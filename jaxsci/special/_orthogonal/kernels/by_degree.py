"""Functions of a degree in JAX operations: polynomials at integers, and what lies between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.integers import is_integer, is_of_integer_type
from jaxsci.special._orthogonal.kernels.three_terms import MOST_STEPS


def by_degree(
    polynomial: Callable[..., Any],
    function: Callable[..., Any],
    between: jax.Array,
    n: jax.Array,
    *at: jax.Array,
) -> jax.Array:
    """The value by the degree; what nobody needs is not computed. Zeros have no sign.

    Args:
        polynomial: of n and the other arguments, where n is an integer.
        function: of the same arguments, where it is not.
        between: where `function` is to be called, of degrees that are no integers. It has a
            harmless value at degree 1/2, parameters 1/2 and argument 1/4.
        n: the degree; NaN beyond `MOST_STEPS`. Of an integer type it is never between integers.
        at: parameters, and the argument last.
    """
    *parameters, x = at
    of_integer_type = is_of_integer_type(n)
    n = n.astype(x.real.dtype)
    shape = jnp.broadcast_shapes(n.shape, *(t.shape for t in at))
    nothing = jnp.full(shape, jnp.nan, x.dtype)
    countable = is_integer(n) & (jnp.abs(n) <= MOST_STEPS)

    def integers() -> jax.Array:
        return jnp.broadcast_to(polynomial(jnp.where(countable, n, 0.0), *at), shape)

    value = jax.lax.cond(jnp.any(countable), integers, lambda: nothing)
    value = jnp.where(countable, value, jnp.nan)
    if not of_integer_type:
        between = jnp.broadcast_to(between, shape) & ~is_integer(n)

        def others() -> jax.Array:
            harmless = (jnp.where(between, p, 0.5) for p in (n, *parameters))
            return jnp.broadcast_to(function(*harmless, jnp.where(between, x, 0.25)), shape)

        other = jax.lax.cond(jnp.any(between), others, lambda: nothing)
        value = jnp.where(between, other, value)
    for t in (n, *at):
        value = jnp.where(jnp.isnan(t), jnp.nan, value)
    return jnp.where(value == 0, 0.0, value)
