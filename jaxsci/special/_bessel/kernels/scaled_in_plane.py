"""Scaled Bessel functions of large orders and complex arguments, by those that are not scaled.

From order 86 on SciPy's scaled Hankel functions and K are 0 where the functions without the factor
would underflow or overflow at one of the steps, and so are the terms of J, Y and I that are made of
them: one value in thirty is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.row import Repair

LARGE_ORDER = 85.0
_WITHIN = 1e-11


def times_factor(
    plain: Callable[..., jax.Array], exponent: Callable[[jax.Array], jax.Array]
) -> Callable[[jax.Array, jax.Array], jax.Array]:
    """The scaled function; NaN where the other one is 0 or infinite.

    Args:
        plain: it without the factor.
        exponent: the logarithm of the factor.
    """

    def function(v: jax.Array, z: jax.Array) -> jax.Array:
        value = plain(v, z)
        scaled = value * jnp.exp(exponent(z))
        return jnp.where((value != 0) & jnp.isfinite(scaled), scaled, jnp.nan)

    return function


def of_scaled(
    plain: Callable[..., jax.Array],
    exponent: Callable[[jax.Array], jax.Array],
    *,
    negative: bool = False,
) -> Repair:
    """A row's repair, for complex arguments; of negative orders alone, where others are right."""
    words = f"v < -{LARGE_ORDER:g}" if negative else f"|v| > {LARGE_ORDER:g}"

    def doubtful(v: jax.Array, z: jax.Array) -> jax.Array:
        return ((v < 0) | (not negative)) & (jnp.abs(v) > LARGE_ORDER) & jnp.isfinite(z)

    return by_own(words, doubtful, times_factor(plain, exponent), within=_WITHIN, of="complex")
