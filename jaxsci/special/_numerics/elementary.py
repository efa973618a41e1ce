"""Elementary functions that keep the last digits where XLA's own lose them."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import elementary_tables as tables
from jaxsci.special._numerics.by_precision import by_precision, format_of, is_single
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.vectorised import log

_LOG_TWO = (0.6931471803691238, 1.9082149292705877e-10)
_LOG_TWO_SINGLE = (0.693359375, -2.1219444005469057e-4)
"""In two parts, of which the first has 32 bits, or 10."""


def upper_half(x: jax.Array) -> jax.Array:
    """The number rounded to half of its bits, so that its square is exact, as is the rest of x."""
    form = format_of(x)
    return jax.lax.reduce_precision(x, form.exponent_bits, (form.mantissa_bits - 1) // 2)


def exp_of_square(x: jax.Array, factor: float, shift: Any = 0.0) -> jax.Array:
    """exp(factor x^2 + shift), where the factor is a power of two or its negative.

    The rounding of x^2 would cost x^2 units in the last place: x is taken in two parts. The shift
    is a small integer that makes the exponent smaller.
    """
    high = upper_half(x)
    # Less than 2^-16 where the exponential is a number, and 2^-4 of single precision.
    low = factor * (x - high) * (x + high)
    main = jnp.exp(factor * high * high + shift)
    third = low * (1 / 6 + low / 24) if is_single(x) else low / 6
    whole = main + main * (low * (1 + low * (0.5 + third)))
    # Beyond the range of numbers the correction is none.
    return jnp.where((main > 0) & (main < jnp.inf), whole, main)


def plus_two_parts(x: jax.Array, high: float, low: float) -> jax.Array:
    """X + high + low, where x is about -high: older compilers would add the constants first."""
    return jax.lax.optimization_barrier(x + high) + low


def two_thirds(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """2/3 of x, rounded, and what its rounding leaves.

    Older compilers would take the multiples of x together before they are rounded.
    """
    whole = jax.lax.optimization_barrier(x * (2 / 3))
    return whole, ((2 * x - 2 * whole) - whole) / 3


def power_parts(x: jax.Array, exponent: jax.Array) -> tuple[Any, Any]:
    """x^exponent for x > 0, as a number's logarithm that is not large and a power of two.

    The logarithm of x times a large exponent would have no digits left for what exp makes of it.
    """
    form = format_of(x)
    bits = jax.lax.bitcast_convert_type(x, form.int_type)
    power = (bits >> form.mantissa_bits) - form.bias
    mantissa = jax.lax.bitcast_convert_type(
        (bits & ((1 << form.mantissa_bits) - 1)) | (form.bias << form.mantissa_bits),
        form.float_type,
    )
    up = mantissa > math.sqrt(2)
    mantissa = jnp.where(up, 0.5 * mantissa, mantissa)
    doublings = (power + up).astype(form.float_type)
    high = upper_half(exponent)
    first, second = high * doublings, (exponent - high) * doublings  # exact
    whole = jnp.round(first + second)
    rest = (first - whole) + second
    return exponent * log(mantissa) + math.log(2) * rest, whole


def exp_of_parts(logarithm: jax.Array, power: jax.Array, factor: Any = 1.0) -> jax.Array:
    """A factor times exp(logarithm) times 2^power of an integer: the latter may be out of range."""
    form = format_of(logarithm)
    log_two_high, log_two_low = by_precision(logarithm, _LOG_TWO, _LOG_TWO_SINGLE)
    most = by_precision(logarithm, 1800.0, 240.0)
    more = jnp.round(logarithm / math.log(2))
    # Of numbers so large that they have no fraction, any will do.
    rest = jnp.clip((logarithm - more * log_two_high) - more * log_two_low, -1.0, 1.0)
    whole = jnp.clip(power + more, -most, most).astype(form.int_type)
    half = whole >> 1
    value = factor * jnp.exp(rest)
    for part in (half, whole - half):
        value = value * jax.lax.bitcast_convert_type(
            (part + form.bias) << form.mantissa_bits, form.float_type
        )
    return value


def less_log1p_near(x: jax.Array) -> jax.Array:
    """The difference x - log(1 + x) for -1/2 < x < 1, with all its digits.

    By s = x/(2 + x) the logarithm is 2 atanh(s); 2s in turn is x - x^2/2 + s x^2/2.
    """
    s = shared(x / (2 + x))
    v = s * s
    half = 0.5 * x * x
    return half - s * (half + v * tables.ATANH(v))


def log1p(x: jax.Array) -> jax.Array:
    """log(1 + x).

    What is lost in 1 + x, for x near 0, cannot be added to its logarithm: compilers may make
    another function of that.
    """
    near = (x > -0.5) & (x < 1)
    f = jnp.where(near, x, 0.0)
    small = f - less_log1p_near(f)
    return jnp.where(x == 0, x, jnp.where(near, small, log(1 + jnp.where(near, 1.0, x))))


def expm1_near(x: jax.Array) -> jax.Array:
    """exp(x) - 1 for |x| <= 3/4."""
    return x + x * x * tables.EXPM1(x)


def expm1(x: jax.Array) -> jax.Array:
    """exp(x) - 1."""
    near = jnp.abs(x) < 0.75
    small = expm1_near(jnp.where(near, x, 0.0))
    return jnp.where(x == 0, x, jnp.where(near, small, jnp.exp(x) - 1))


def sine_of_half_turns(r: jax.Array) -> jax.Array:
    """sin(pi r) for |r| <= 1/2: 1 and -1 at the ends."""
    return r * tables.SINE_OF_PI(r * r)
