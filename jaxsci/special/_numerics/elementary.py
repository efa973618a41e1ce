"""Elementary functions that keep the last digits where XLA's own lose them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import elementary_tables as tables
from jaxsci.special._numerics.shared import shared


def upper_half(x: jax.Array) -> jax.Array:
    """The number rounded to 26 bits, so that its square is exact, as is what it leaves of x."""
    return jax.lax.reduce_precision(x, exponent_bits=11, mantissa_bits=25)


def exp_of_square(x: jax.Array, factor: float, shift: Any = 0.0) -> jax.Array:
    """exp(factor x^2 + shift), where the factor is a power of two or its negative.

    The rounding of x^2 would cost x^2 units in the last place: x is taken in two parts. The shift
    is a small integer that makes the exponent smaller.
    """
    high = upper_half(x)
    low = factor * (x - high) * (x + high)  # less than 2^-16 where the exponential is a number
    main = jnp.exp(factor * high * high + shift)
    whole = main + main * (low * (1 + low * (0.5 + low / 6)))
    # Beyond the range of numbers the correction is none.
    return jnp.where((main > 0) & (main < jnp.inf), whole, main)


def log1p(x: jax.Array) -> Any:
    """log(1 + x).

    Near 0 by s = x/(2 + x), of which it is 2 atanh(s); 2s in turn is x - x^2/2 + s x^2/2. What is
    lost in 1 + x cannot be added to its logarithm: compilers may make another function of that.
    """
    near = (x > -0.5) & (x < 1)
    f = jnp.where(near, x, 0.0)
    s = shared(f / (2 + f))
    v = s * s
    half = 0.5 * f * f
    small = f - (half - s * (half + v * tables.ATANH(v)))
    return jnp.where(x == 0, x, jnp.where(near, small, jnp.log(1 + jnp.where(near, 1.0, x))))


def expm1_near(x: jax.Array) -> Any:
    """exp(x) - 1 for |x| <= 3/4."""
    return x + x * x * tables.EXPM1(x)


def expm1(x: jax.Array) -> Any:
    """exp(x) - 1."""
    near = jnp.abs(x) < 0.75
    small = expm1_near(jnp.where(near, x, 0.0))
    return jnp.where(x == 0, x, jnp.where(near, small, jnp.exp(x) - 1))
