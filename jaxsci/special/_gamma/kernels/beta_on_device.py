"""The beta function and its logarithm in JAX operations.

Of positive numbers: Gamma(x) x^(1/2-x) e^x is a polynomial in 1/x from 2 on, and the powers that
are left of a quotient of gamma functions are taken together: large logarithms cancel beforehand.
Negative numbers follow by reflection of the gamma functions that have them (DLMF 5.5.3, 5.12.1).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables as tables
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import log1p, sine_of_half_turns
from jaxsci.special._numerics.half_turns import sine_of_pi
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.vectorised import log, remainder, root_as_divisor

_SCALED = 2.0
_LARGE = 2.0**31
"""From here on SciPy takes no negative number for an integer."""


def positive_beta(
    a: jax.Array,
    b: jax.Array,
    a_less_one: jax.Array | None = None,
    b_less_one: jax.Array | None = None,
) -> tuple[Any, Any]:
    """B(a, b) for a, b > 0, as a factor and the logarithm of another.

    Next to 1 a power of a huge number shows what a and b have lost by rounding: who has a - 1 and
    b - 1 without it gives them too.
    """
    less, more = jnp.minimum(a, b), jnp.maximum(a, b)
    less_one = jnp.where(
        a <= b,
        a - 1 if a_less_one is None else a_less_one,
        b - 1 if b_less_one is None else b_less_one,
    )
    small = less < _SCALED
    # B(a, b) = B(a, b + 2) (a + b) (a + b + 1)/(b (b + 1))
    near = more < _SCALED
    sum_near = jnp.where(near, less + more, 1.0)
    product = jnp.where(near, more * (1 + more), 2.0)
    up = sum_near * ((1 + sum_near) / product)
    large = jnp.where(near, more + 2, more)
    total = large + less
    ratio = less / large
    growth = jnp.where(ratio < 2.0**-60, less - 0.5 * ratio, (large - 0.5) * log1p(ratio))
    quotient = tables.GAMMA_SCALED(1 / large) / tables.GAMMA_SCALED(1 / total)
    s = jnp.maximum(less, _SCALED)
    logarithm = log(jnp.where(small, total, ratio / (1 + ratio)))
    below_one = less < 1
    of_less = tables.GAMMA_NEAR(jnp.where(below_one, less, jnp.minimum(less, _SCALED) - 1))
    of_less = of_less / jnp.where(below_one, less, 1.0)
    factor = jnp.where(small, of_less * up, tables.GAMMA_SCALED(1 / s) / root_as_divisor(s))
    # One power of the sum goes into the factor, where its inverse is a number of the type.
    moderate = (jnp.abs(less_one) <= 0.5) & (total < by_precision(total, 2.0**1020, 2.0**120))
    factor = factor * jnp.where(moderate, math.e / total, 1.0)
    power = jnp.where(moderate, less_one, less)
    exponent = jnp.where(small, power * (1 - logarithm), less * logarithm)
    # B(1, b) = 1/b, without a rounding: its logarithm is zero at b = 1.
    one = (less == 1) | (more == 1)
    return (
        jnp.where(one, 1 / jnp.where(less == 1, more, less), factor * quotient),
        jnp.where(one, 0.0, exponent - growth),
    )


def _parts(a: jax.Array, b: jax.Array) -> tuple[Any, Any, Any]:
    """B(a, b) as a factor of either sign, the logarithm of another, and where it is a pole."""
    less, more, total = jnp.minimum(a, b), jnp.maximum(a, b), a + b
    both = more < 0
    one, out = (less < 0) & ~both & (total > 0), (less < 0) & ~both & (total <= 0)
    p = jnp.where(both | one, 1 - less, jnp.where(out, 1 - total, less))
    p_less_one = jnp.where(both | one, -less, jnp.where(out, -total, less - 1))
    q = jnp.where(both, 1 - more, jnp.where(one, total, more))
    q_less_one = jnp.where(both, -more, jnp.where(one, total, more) - 1)
    regular = (p > 0) & (q > 0) & (p < jnp.inf) & (q < jnp.inf)
    factor, logarithm = positive_beta(
        *(jnp.where(regular, x, 1.0) for x in (p, q)),
        *(jnp.where(regular, x, 0.0) for x in (p_less_one, q_less_one)),
    )
    pole_less, pole_more = _is_pole(less), _is_pole(more)
    pole = _is_pole(a) | _is_pole(b)
    finite = jnp.where(regular & ~pole_less & ~pole_more, less, -0.5)
    turned_less = sine_of_pi(finite)
    turned_more = sine_of_pi(jnp.where(both & regular & ~pole_more, more, 0.5))
    turned_total = sine_of_sum(*(jnp.where((both | out) & regular, x, 0.25) for x in (less, more)))
    # For integers both sines vanish, and their quotient is a sign.
    integer = out & pole_less & is_integer(more) & (more > 0) & (less > -_LARGE)
    quotient = jnp.where(integer, 1 - 2 * remainder(more, 2), turned_total / turned_less)
    inverse = math.pi / (factor * jnp.where(both, 1 - total, more))
    factor = jnp.where(
        both,
        quotient / turned_more * inverse,
        jnp.where(one, inverse / turned_less, jnp.where(out, quotient * factor, factor)),
    )
    return factor, jnp.where(both | one, -logarithm, logarithm), pole & ~integer


def sine_of_sum(x: jax.Array, y: jax.Array) -> jax.Array:
    """sin(pi (x + y)) with what rounding the sum takes away."""
    total = x + y
    other = total - x
    lost = (x - (total - other)) + (y - other)
    nearest = jnp.round(total)
    sign = jnp.where(remainder(nearest, 2) == 0, 1.0, -1.0)
    rest = total - nearest
    cosine = sine_of_half_turns(0.5 - jnp.abs(rest))
    return sign * (sine_of_half_turns(rest) + math.pi * lost * cosine)


def _sign_of_gamma(x: jax.Array) -> jax.Array:
    return jnp.where((x < 0) & (jnp.floor(x) % 2 != 0), -1.0, 1.0)


def _is_pole(x: jax.Array) -> jax.Array:
    return (x <= 0) & is_integer(x)


def _at_infinity(a: jax.Array, b: jax.Array) -> tuple[Any, Any]:
    """Where the larger number is inf and the other is finite: which way B goes, and that other."""
    other = jnp.minimum(a, b)
    return (jnp.maximum(a, b) == jnp.inf) & (other > -jnp.inf) & (other < jnp.inf), other


@device_kernel(ulps=8, conditioned=True, single=8)
def beta(a: jax.Array, b: jax.Array) -> jax.Array:
    """Gamma(a) Gamma(b)/Gamma(a + b)."""
    factor, logarithm, pole = _parts(a, b)
    # Either factor may overflow alone.
    half = jnp.exp(0.5 * logarithm)
    value = factor * half * half
    far, other = _at_infinity(a, b)
    value = jnp.where(far, jnp.where(other > 0, 0.0, _sign_of_gamma(other) * jnp.inf), value)
    value = jnp.where((a == jnp.inf) & (b == jnp.inf), jnp.nan, value)
    value = jnp.where(value == 0, _sign_of_gamma(a) * _sign_of_gamma(b) * 0.0, value)
    return jnp.where(pole, jnp.inf, jnp.where(jnp.isnan(a + b), jnp.nan, value))


@device_kernel(ulps=4, conditioned=True, single=4)
def betaln(a: jax.Array, b: jax.Array) -> jax.Array:
    """The logarithm of |B(a, b)|."""
    factor, logarithm, pole = _parts(a, b)
    value = log(jnp.abs(factor)) + logarithm
    far, other = _at_infinity(a, b)
    value = jnp.where(far, jnp.where(other > 0, -jnp.inf, jnp.inf), value)
    value = jnp.where((a == jnp.inf) & (b == jnp.inf), jnp.nan, value)
    return jnp.where(pole, jnp.inf, jnp.where(jnp.isnan(a + b), jnp.nan, value))
