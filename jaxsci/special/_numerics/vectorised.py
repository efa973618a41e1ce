"""Logarithm, roots, sine, cosine and remainders in arithmetic that compilers vectorise.

XLA's compiler for CPUs calls the C library for these, one element after the other, and a loop that
has such a call in it is not vectorised as a whole: here they take a tenth of the time. Numbers of
single precision are left to XLA.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.by_precision import format_of, is_single
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.shared import shared

# -- remainders ------------------------------------------------------------------------------------


def remainder(x: jax.Array, power: int) -> jax.Array:
    """That of a division by a power of two, from 0 up to it: exact, and NaN of infinity."""
    return x - power * jnp.floor(x * (1 / power))


def is_odd(x: jax.Array) -> jax.Array:
    """Whether an integer of a floating type is odd."""
    return remainder(x, 2) == 1


# -- logarithm -------------------------------------------------------------------------------------

_LOG_TWO = 0.6931471803691238, 1.9082149292705877e-10
"""In two parts, of which the first has 32 bits."""
_OF_LOG = [2 / (2 * k + 1) for k in range(1, 12)]
_ROOT_HALF_BITS = 0x3FE6A09E_667F3BCD
_INTEGERS = 0x43300000_00000000
"""The bits of 2^52: those of an integer below that, put in, give their sum."""


@jax.custom_jvp
def log(x: jax.Array) -> jax.Array:
    """The logarithm of a real number, within one unit of the last place."""
    if is_single(x):
        return jnp.log(x)
    form = format_of(x)
    bits = jax.lax.bitcast_convert_type(x, form.int_type)
    # Of a subnormal number, which arithmetic takes for 0, the bits are an integer times 2^-1074.
    # Whether that is 0 is asked of the integer: of bits, compilers would make a comparison of x.
    size = bits & jnp.iinfo(form.int_type).max
    tiny = size < 1 << form.mantissa_bits
    whole = jax.lax.bitcast_convert_type(size | _INTEGERS, form.float_type) - 2.0**52
    subnormal, zero = tiny & (whole > 0), tiny & (whole == 0)
    raised = jax.lax.bitcast_convert_type(jnp.where(subnormal, whole, 1.0), form.int_type)
    negative, bits = bits < 0, jnp.where(subnormal, raised, bits)
    # By the power of two that leaves a number from the root of 1/2 to that of 2.
    power = (bits - _ROOT_HALF_BITS) >> form.mantissa_bits
    rest = jax.lax.bitcast_convert_type(bits - (power << form.mantissa_bits), form.float_type)
    shifted = (power + (1 << 20)) | _INTEGERS
    k = jax.lax.bitcast_convert_type(shifted, form.float_type) - (2.0**52 + 2.0**20)
    k = jnp.where(subnormal, k - 1074.0, k)
    f = rest - 1
    s = shared(f / (2 + f))
    square = s * s
    half = 0.5 * f * f
    # 2 artanh(s) is f less what follows (DLMF 4.6.4 with s = f/(2 + f)).
    small = half - (s * (half + square * horner(_OF_LOG, square)) + k * _LOG_TWO[1])
    value = k * _LOG_TWO[0] - (small - f)
    value = jnp.where(((x > 0) | subnormal) & ~negative, value, jnp.nan)
    value = jnp.where(zero, -jnp.inf, value)
    return jnp.where(x == jnp.inf, jnp.inf, value)


@log.defjvp
def _slope_of_log(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> Any:
    (x,), (t,) = primals, tangents
    return log(x), t / x


def root_as_divisor(x: jax.Array) -> jax.Array:
    """The square root of a real number, for quotients by it.

    XLA makes of such a quotient one operation of its own, which breaks vectorised loops: they take
    two to four times as long.
    """
    return shared(jnp.sqrt(x))


def cube_root(x: jax.Array) -> jax.Array:
    """Of a number that is 0 or positive and normal, within one unit of the last place."""
    inside = x > 0
    safe = jnp.where(inside, x, 1.0)
    y = shared(jnp.exp(log(safe) * (1 / 3)))
    return jnp.where(inside, y - (y - safe / (y * y)) / 3, x)


# -- sine and cosine -------------------------------------------------------------------------------

_QUARTER = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
"""Pi/2 in three parts, of which two have 33 bits."""
_LARGEST = 2.0**20
"""Up to there the products of those with a number of quarters are exact."""
_OF_SINE = [(-1) ** k / math.factorial(2 * k + 1) for k in range(1, 9)]
_OF_COSINE = [(-1) ** k / math.factorial(2 * k) for k in range(2, 10)]


def sine_and_cosine(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Of a real angle, within one unit of the last place."""
    if is_single(x):
        return jnp.sin(x), jnp.cos(x)
    large = jnp.abs(x) > _LARGEST
    turned = jax.lax.cond(jnp.any(large), lambda: jnp.where(large, _reduced(x), x), lambda: x)
    return sine_and_cosine_of_small(turned)


def _reduced(x: jax.Array) -> jax.Array:
    """An angle from -pi to pi with the same sine and cosine."""
    return jnp.arctan2(jnp.sin(x), jnp.cos(x))


@jax.custom_jvp
def sine_and_cosine_of_small(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Of an angle of at most a million."""
    if is_single(x):
        return jnp.sin(x), jnp.cos(x)
    quarters = shared(jnp.round(x * (2 / math.pi)))
    parts = [quarters * part for part in _QUARTER]
    first = x - parts[0]  # exact
    second = first - parts[1]
    r = second - parts[2]
    rest = ((first - second) - parts[1]) + ((second - r) - parts[2])
    square = r * r
    sine = jnp.where(x == 0, x, r + (rest + r * square * horner(_OF_SINE, square)))
    half = 0.5 * square
    main = 1 - half
    small = square * square * horner(_OF_COSINE, square) - r * rest
    cosine = main + (((1 - main) - half) + small)
    turn = remainder(quarters, 4)
    odd = (turn == 1) | (turn == 3)
    sine, cosine = jnp.where(odd, cosine, sine), jnp.where(odd, sine, cosine)
    return (
        jnp.where(turn >= 2, -sine, sine),
        jnp.where((turn == 1) | (turn == 2), -cosine, cosine),
    )


@sine_and_cosine_of_small.defjvp
def _slopes_of_both(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> Any:
    (x,), (t,) = primals, tangents
    sine, cosine = sine_and_cosine_of_small(x)
    return (sine, cosine), (cosine * t, -sine * t)
