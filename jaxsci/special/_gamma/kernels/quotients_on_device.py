"""Quotients of gamma functions in JAX operations: Pochhammer's symbol and binomial coefficients.

Gamma functions of negative numbers are reflected (DLMF 5.5.3), so that quotients of positive ones
are left, whose powers are taken together, and quotients of sines, with what rounding takes from a
sum of two arguments. Where all numbers are small integers the result is rounded to one.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables as tables
from jaxsci.special._gamma.kernels.beta_on_device import positive_beta, sine_of_sum
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.double_double import lost_in_sum
from jaxsci.special._numerics.elementary import exp_of_parts, log1p, power_parts
from jaxsci.special._numerics.half_turns import sine_of_pi
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.vectorised import log, remainder, root_as_divisor

_SCALED = 2.0
_EXACT = (2.0**46, 2.0**18)
"""Integer results are right when they are rounded up to here."""


def _is_pole(x: jax.Array) -> jax.Array:
    return (x <= 0) & (x > -jnp.inf) & is_integer(x)


def _rounded(value: jax.Array, integer: jax.Array) -> jax.Array:
    return jnp.where(
        integer & (jnp.abs(value) < by_precision(value, *_EXACT)), jnp.round(value), value
    )


def _times_exp(factor: jax.Array, logarithm: jax.Array) -> jax.Array:
    """Their product, of which the exponential may be out of range alone."""
    half = jnp.exp(0.5 * logarithm)
    return (factor * half) * half


def _rise(z: jax.Array, m: jax.Array, end: jax.Array) -> tuple[Any, Any, Any]:
    """Gamma(end)/Gamma(z) for z > 0 and end = z + m > 0: a factor, a logarithm, a power of two."""
    low, high = z < _SCALED, end < _SCALED
    shift = jnp.where(high, 2.0, 0.0) - jnp.where(low, 2.0, 0.0)
    below, top = jnp.where(low, z + 2, z), jnp.where(high, end + 2, end)
    step = m + shift
    ratio = step / below
    tiny, far = jnp.abs(ratio) < 2.0**-60, ratio < -0.5
    grown = jnp.where(far, log(top / below), log1p(jnp.where(tiny | far, 1.0, ratio)))
    growth = jnp.where(tiny, step - 0.5 * ratio, (below - 0.5) * grown)
    factor = tables.GAMMA_SCALED(1 / top) / tables.GAMMA_SCALED(1 / below)
    factor = factor * jnp.where(low, z * (z + 1), 1.0) / jnp.where(high, end * (end + 1), 1.0)
    logarithm, doublings = power_parts(top, step)
    return factor, growth + (logarithm - step), doublings


def _gamma_parts(x: jax.Array) -> tuple[Any, Any, Any]:
    """Gamma(x) for x > 0: a factor, a logarithm, and a power of two."""
    y = jnp.where(x < 1, x, x - 1)
    near = tables.GAMMA_NEAR(jnp.clip(y, 0.0, 1.0)) / jnp.where(x < 1, x, 1.0)
    outside = jnp.maximum(x, _SCALED)
    scaled = tables.GAMMA_SCALED(1 / outside) / root_as_divisor(outside)
    logarithm, doublings = power_parts(outside, outside)
    far = x > _SCALED
    return (
        jnp.where(far, scaled, near),
        jnp.where(far, logarithm - outside, 0.0),
        jnp.where(far, doublings, 0.0),
    )


@device_kernel(ulps=40, conditioned=True)
def poch(z: jax.Array, m: jax.Array) -> jax.Array:
    """Gamma(z + m)/Gamma(z)."""
    return rising(z, m)


def rising(z: jax.Array, m: jax.Array) -> jax.Array:
    """Gamma(z + m)/Gamma(z)."""
    end = z + m
    lost = lost_in_sum(z, m)
    pole, end_pole = _is_pole(z), _is_pole(end) & (lost == 0)
    finite = (jnp.abs(z) < jnp.inf) & (jnp.abs(m) < jnp.inf) & (jnp.abs(end) < jnp.inf)
    left, end_left = z <= 0, end <= 0
    # Of one side, and of both sides of 0.
    same = finite & (left == end_left)
    a, b = jnp.where(same, z, 1.0), jnp.where(same, end, 1.0)
    turned = same & left
    start = jnp.where(turned, 1 - b, a)
    factor, logarithm, up = _rise(start, jnp.where(same, m, 0.0), jnp.where(turned, 1 - a, b))
    apart = finite & (left != end_left)
    a, b = jnp.where(apart, z, 0.5), jnp.where(apart, end, 0.5)
    one, log_one, up_one = _gamma_parts(jnp.where(a <= 0, 1 - a, a))
    other, log_other, up_other = _gamma_parts(jnp.where(b <= 0, 1 - b, b))
    sine = sine_of_pi(jnp.where(finite & ~pole, z, 0.5))
    end_sine = sine_of_sum(*(jnp.where(finite & ~end_pole, x, 0.25) for x in (z, m)))
    mirrored = (one * jnp.where(left, sine, end_sine) / math.pi) * other
    factor = jnp.where(same, factor, mirrored)
    logarithm = jnp.where(same, logarithm, log_one + log_other)
    value = exp_of_parts(logarithm, jnp.where(same, up, up_one + up_other), factor)
    value = jnp.where(same | left, value, 1 / value)
    sign = 1 - 2 * remainder(m, 2)
    quotient = jnp.where(pole & end_pole, sign, sine / end_sine)
    value = jnp.where(turned, quotient * value, value)
    value = _rounded(value, finite & is_integer(z) & is_integer(m) & (m > 0))
    gone = jnp.where(pole & ~end_pole, 0.0, jnp.inf)
    value = jnp.where(pole != end_pole, gone, value)
    value = jnp.where(finite, value, _rise_to_infinity(z, m))
    return jnp.where(m == 0, 1.0, value)


def _sign_of_gamma(x: jax.Array) -> jax.Array:
    return jnp.where((x < 0) & (remainder(jnp.floor(x), 2) != 0), -1.0, 1.0)


def _rise_to_infinity(z: jax.Array, m: jax.Array) -> jax.Array:
    """The limits where z, m or their sum is infinite."""
    upward = _sign_of_gamma(z) * jnp.inf
    far = jnp.where(m > 0, jnp.inf, 0.0)
    value = jnp.where(
        z == jnp.inf,
        jnp.where(m > -jnp.inf, far, jnp.nan),
        jnp.where((z > -jnp.inf) & (m > 0), jnp.where(_is_pole(z), 0.0, upward), jnp.nan),
    )
    return jnp.where(jnp.isnan(z) | jnp.isnan(m), jnp.nan, value)


def _choose(
    x: jax.Array, y: jax.Array, rest: jax.Array, above: jax.Array, sines: tuple[Any, Any, Any]
) -> jax.Array:
    """Gamma(x + 1)/(Gamma(y + 1) Gamma(rest + 1)) of x = y + rest, of finite numbers.

    NaN where x = -1, -2, .... `above` is rest + 1, and the sines are those of pi times each number.
    """
    sine, sine_y, sine_rest = sines
    less, more = jnp.minimum(y, rest), jnp.maximum(y, rest)
    above_less = jnp.where(y < rest, y + 1, above)
    above_more = jnp.where(y < rest, above, y + 1)
    sine_less = jnp.where(y < rest, sine_y, sine_rest)
    both, one = more <= -1, (less <= -1) & (more > -1)
    turned = one & (x <= -1)
    # Above -1 all of them, one reflected, two, or all three.
    p = jnp.where(both | one, -less, above_less)
    q = jnp.where(both, -more, jnp.where(turned, -x, jnp.where(one, x + 1, above_more)))
    # Of one and x below -1: B(-x, more + 1).
    p = jnp.where(turned, above_more, p)
    p_less_one = jnp.where(turned, more, jnp.where(both | one, -less - 1, less))
    q_less_one = jnp.where(one, x, more)
    q_less_one = jnp.where(both, -more - 1, jnp.where(turned, -x - 1, q_less_one))
    factor, logarithm = positive_beta(p, q, p_less_one, q_less_one)
    half = jnp.exp(-0.5 * logarithm)
    plain = ((half / factor) / (x + 1)) * half  # for the largest x its inverse is subnormal
    reflected = _times_exp(-sine_less / math.pi * factor, logarithm)
    of_two = _times_exp(sine_less / sine / (-less * factor), -logarithm)
    of_three = _times_exp(-(sine_y * sine_rest) / (math.pi * sine) * factor, logarithm)
    value = jnp.where(both, of_three, jnp.where(turned, of_two, jnp.where(one, reflected, plain)))
    value = _rounded(value, is_integer(x) & is_integer(y) & (less >= 0))
    value = jnp.where(value == 0, 0.0, value)
    # A sum that was rounded to a pole is none.
    return jnp.where((x < 0) & (sine == 0), jnp.nan, value)


@device_kernel(ulps=40, conditioned=True, single=8)
def binom(x: jax.Array, y: jax.Array) -> jax.Array:
    """Gamma(x + 1)/(Gamma(y + 1) Gamma(x - y + 1))."""
    return choices(x, y)


def choices(x: jax.Array, y: jax.Array) -> jax.Array:
    """Gamma(x + 1)/(Gamma(y + 1) Gamma(x - y + 1))."""
    x, y = jnp.broadcast_arrays(x, y)
    finite = (jnp.abs(x) < jnp.inf) & (jnp.abs(y) < jnp.inf) & (jnp.abs(x - y) < jnp.inf)
    a, b = jnp.where(finite, x, 1.0), jnp.where(finite, y, 0.0)
    value = _choose(a, b, a - b, a - b + 1, (sine_of_pi(a), sine_of_pi(b), sine_of_sum(a, -b)))
    at_end = _choices_of_infinity(x, y)
    return jnp.where(finite, value, at_end)


def _choices_of_infinity(x: jax.Array, y: jax.Array) -> jax.Array:
    """The limits for infinite x or y, where there are any."""
    up = jnp.where(y > 0, jnp.inf, jnp.where(y == 0, 1.0, 0.0))
    out = jnp.where((jnp.abs(y) == jnp.inf) & (x > -1) & (x < jnp.inf), 0.0, jnp.nan)
    return jnp.where((x == jnp.inf) & (jnp.abs(y) < jnp.inf), up, out)


@device_kernel(ulps=40, conditioned=True, single=8)
def comb(N: jax.Array, k: jax.Array, *, exact: bool, repetition: bool) -> jax.Array:
    """The binomial coefficient of N and k, or with repetition of N + k - 1 and k."""
    N, k = jnp.broadcast_arrays(N, k)
    if not repetition:
        inside = (k <= N) & (N >= 0) & (k >= 0)
        value = choices(jnp.where(inside, N, 1.0), jnp.where(inside, k, 0.0))
        return jnp.where(inside, value, jnp.where(jnp.isnan(N + k), jnp.nan, 0.0))
    finite = (jnp.abs(N) < jnp.inf) & (jnp.abs(k) < jnp.inf)
    a, b = jnp.where(finite, N, 1.0), jnp.where(finite, k, 0.0)
    total, sines = a + b, (sine_of_sum(a, b), sine_of_pi(b), sine_of_pi(a))
    # Near 0 a sum less 1 has lost its digits: from N + k things, of which it is N/(N + k).
    near = (jnp.abs(total) < 0.5) & (total != 0)
    fewer, sign = jnp.where(near, 0.0, 1.0), jnp.where(near, 1.0, -1.0)
    rest = a - fewer
    top = jnp.where(near, total, rest + b)
    value = _choose(top, b, rest, a + (1 - fewer), (sign * sines[0], sines[1], sign * sines[2]))
    value = value * jnp.where(near, a / jnp.where(near, total, 1.0), 1.0)
    value = jnp.where(finite, value, _choices_of_infinity(N + k, k))
    return jnp.where((k == 0) & (N >= 0), 1.0, value)


@device_kernel(ulps=40, conditioned=True, single=5)
def perm(N: jax.Array, k: jax.Array, *, exact: bool) -> jax.Array:
    """Gamma(N + 1)/Gamma(N - k + 1)."""
    N, k = jnp.broadcast_arrays(N, k)
    inside = (k <= N) & (N >= 0) & (k >= 0)
    n, m = jnp.where(inside, N, 1.0), jnp.where(inside, k, 0.0)
    value = rising((n - m) + 1, m)
    return jnp.where(inside, value, jnp.where(jnp.isnan(N + k), jnp.nan, 0.0))
