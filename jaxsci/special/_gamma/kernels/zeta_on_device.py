"""Zeta functions in JAX operations.

Hurwitz's function of q > 0 by the sum of Euler and Maclaurin (DLMF 25.11.7), over its first term:
what is left is a sum of powers below 1, of which no digits are lost. At q < 0, where the exponent
is an integer, the sum over all integers has that over the negative ones taken away.

Riemann's function by polynomials beside its pole and beside 2^-x, and by the functional equation
(DLMF 25.4.1) for negative numbers.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables
from jaxsci.special._gamma.kernels import zeta_tables as tables
from jaxsci.special._numerics.bernoulli import BERNOULLI
from jaxsci.special._numerics.by_precision import by_precision, is_single
from jaxsci.special._numerics.elementary import (
    exp_of_parts,
    power_parts,
    upper_half,
)
from jaxsci.special._numerics.half_turns import sine_of_pi
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log, remainder

# -- Hurwitz ---------------------------------------------------------------------------------------

_TERMS = (8, 5)
_BERNOULLI_TERMS = (10, 4)
_OVERFLOWS = 1e4
"""An exponent with which powers of 1/2 do."""
_NO_TAIL = 40.0
"""Where the exponent is so many times where the sum ends, what follows is nothing."""


def over_first_power(s: jax.Array, q: jax.Array) -> tuple[Any, jax.Array]:
    """zeta(s, q) q^s/max(q, 1) for s > 1 and q > 0, and whether q > 1."""
    large = q > 1
    inverse = jnp.where(large, 1 / jnp.maximum(q, 1.0), 1.0)
    total: Any = inverse
    terms = by_precision(q, *_TERMS)
    for k in range(1, terms):
        total = total + inverse * jnp.exp(-s * log((q + k) / q))
    w = q + terms
    near = jnp.minimum(s, _NO_TAIL * w)
    inverse_square = (1 / w) * (1 / w)
    tail: Any = 0.0
    for j in range(by_precision(q, *_BERNOULLI_TERMS), 0, -1):
        tail = tail + BERNOULLI[j - 1] / math.factorial(2 * j)
        if j > 1:
            tail = tail * ((near + (2 * j - 3)) / w) * ((near + (2 * j - 2)) / w)
    tail = near * tail * inverse_square + 0.5 / w + 1 / (s - 1)
    return total + tail * (w * inverse) * jnp.exp(-s * log(w / q)), large


def over_nearest_power(s: jax.Array, q: jax.Array) -> tuple[Any, jax.Array]:
    """zeta(s, q) |d|^s for integer s > 1 and q < 0, and |d|: how far the nearest integer is.

    That is the sum over all integers of (k + d)^-s |d|^s, less that over those below q.
    """
    d = q - jnp.round(q)
    size = jnp.abs(d)
    one, other, below = 1 + d, 1 - d, 1 - q

    def part(x: jax.Array) -> Any:
        total, _ = over_first_power(s, x)
        return total * jnp.maximum(x, 1.0) * jnp.exp(s * log(size / x))

    even = remainder(s, 2) == 0
    mirrored = part(other) - part(below)
    nearest = jnp.where(even | (d > 0), 1.0, -1.0)
    return nearest + part(one) + jnp.where(even, mirrored, -mirrored), size


def left_of_zero(s: jax.Array, q: jax.Array, left: jax.Array) -> tuple[Any, Any]:
    """`over_nearest_power` where it is wanted; none of it is computed where nothing is."""
    inside = left & (q > -jnp.inf)

    def some() -> tuple[Any, Any]:
        return over_nearest_power(jnp.where(inside, s, 2.0), jnp.where(inside, q, -0.5))

    like = jax.eval_shape(some)
    return jax.lax.cond(
        jnp.any(left), some, lambda: tuple(jnp.ones(x.shape, x.dtype) for x in like)
    )


@device_kernel(ulps=30, conditioned=True, single=4)
def zeta(x: jax.Array, q: jax.Array) -> jax.Array:
    """The sum over k >= 0 of (k + q)^-x."""
    x, q = jnp.broadcast_arrays(x, q)
    pole = (q <= 0) & is_integer(q)
    right = (x > 1) & (q > 0) & (q < jnp.inf)
    left = (x > 1) & (q < 0) & ~pole & is_integer(x)
    s = jnp.where((right | left) & (x < jnp.inf), x, 2.0)
    positive = jnp.where(right, q, 1.0)
    total, large = over_first_power(s, positive)
    exponent = jnp.where(large, s - 1, s)
    # Of two halves neither is a subnormal number.
    half = jnp.exp(-0.5 * exponent * log(positive))
    value = total * half * half
    beside, size = left_of_zero(s, q, left)
    # Half way between integers the value hardly changes with q, and size is nearly a power of 2.
    power = exp_of_parts(*power_parts(size, -jnp.minimum(s, _OVERFLOWS)))
    value = jnp.where(left, beside * power, value)
    at_end = jnp.where(q == 1, 1.0, jnp.where(jnp.abs(q) < 1, jnp.inf, 0.0))
    value = jnp.where(right & (x == jnp.inf), at_end, value)
    value = jnp.where(q == jnp.inf, 0.0, value)
    known = right | left & (x < jnp.inf) | (q == jnp.inf)
    value = jnp.where(known, value, jnp.where(pole, jnp.inf, jnp.nan))
    value = jnp.where(x > 1, value, jnp.where(x == 1, jnp.inf, jnp.nan))
    return jnp.where(jnp.isnan(q), jnp.nan, value)


# -- Riemann ---------------------------------------------------------------------------------------

_LAST = 32.0
_MORE_TERMS = (3, 4, 5, 6)
_OVERFLOW = (300.0, 72.0)
_INVERSE = 0.05854983152431916
"""1/(2 pi e) = _INVERSE (1 + _INVERSE_REST)"""
_INVERSE_REST = -7.038844490236517e-18
_UPPER = (0.05854983069002628, 0.0585479736328125)
_LEAST = 1e-30


def _less_one(x: jax.Array, from_pole: jax.Array) -> jax.Array:
    """zeta(x) - 1 for x >= 0, of x and x - 1."""
    near = tables.BESIDE_POLE(jnp.minimum(x, 2.0)) / jnp.where(x < 2, from_pole, 1.0)
    middle = piecewise(tables.BY_POWERS, jnp.clip(x, 2.0, _LAST))
    far: Any = 1.0
    for k in _MORE_TERMS:
        far = far + jnp.exp(math.log(2 / k) * jnp.maximum(x, _LAST))
    nearest = jnp.round(x)
    power = exp_of_parts(math.log(2) * (nearest - x), -nearest)
    return jnp.where(x < 2, near, jnp.where(x > _LAST, far, middle) * power)


def _reflected(y: jax.Array) -> jax.Array:
    """zeta(-y) for y > 0: -2 sin(pi y/2) (2 pi)^(-1-y) Gamma(1 + y) zeta(1 + y)."""
    overflow, upper = by_precision(y, *_OVERFLOW), by_precision(y, *_UPPER)
    if is_single(y):  # of which half may be none
        y = jnp.maximum(y, _LEAST)
    sine = sine_of_pi(0.5 * y)
    inside = jnp.minimum(y, overflow)
    small = inside < 2
    # sqrt(y) (y/(2 pi e))^y times a polynomial, of which y/(2 pi e) has its rounding mended.
    high = upper_half(inside)
    first = high * upper
    rest = high * (_INVERSE - upper) + (inside - high) * _INVERSE
    base = jnp.where(small, 1.0, first + rest)
    off = jnp.where(small, 0.0, (first - base) + rest) / base + _INVERSE_REST
    outside = jnp.maximum(inside, 2.0)
    scaled = gamma_tables.GAMMA_SCALED(1 / outside) * jnp.sqrt(outside) * (1 + inside * off)
    below_one = inside < 1
    gamma = gamma_tables.GAMMA_NEAR(jnp.where(below_one, inside, jnp.minimum(inside, 2.0) - 1))
    gamma = jnp.where(below_one, 1.0, inside) * gamma
    half = jnp.power(jnp.where(small, 2 * math.pi, base), jnp.where(small, -0.5, 0.5) * inside)
    factor = jnp.where(small, gamma, scaled) * (1 + _less_one(1 + inside, inside))
    value = -sine * half * factor / math.pi * half
    return jnp.where(sine == 0, 0.0, jnp.where(y > overflow, -sine * jnp.inf, value))


def _right(x: jax.Array) -> jax.Array:
    inside = jnp.where(x >= 0, x, 2.0)
    return jnp.where(inside == 1, jnp.inf, _less_one(inside, inside - 1))


@device_kernel(ulps=4, envelope="1 if x < 0 else 0", single=8)
def zetac(x: jax.Array) -> jax.Array:
    """zeta(x) - 1."""
    left = (x < 0) & (x > -jnp.inf)
    value = jnp.where(left, _reflected(jnp.where(left, -x, 1.0)) - 1, _right(x))
    return jnp.where(jnp.isnan(x) | (x == -jnp.inf), jnp.nan, value)


@device_kernel(ulps=4)
def riemann(x: jax.Array) -> jax.Array:
    """zeta(x)."""
    left = (x < 0) & (x > -jnp.inf)
    value = jnp.where(left, _reflected(jnp.where(left, -x, 1.0)), 1 + _right(x))
    return jnp.where(jnp.isnan(x) | (x == -jnp.inf), jnp.nan, value)
