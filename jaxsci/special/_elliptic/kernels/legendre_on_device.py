"""Legendre's elliptic integrals, Jacobi's functions and the mean of real numbers in JAX operations.

The complete integrals are polynomials in m, and near m = 1 a logarithm beside polynomials in 1 - m;
negative parameters have their images between 0 and 1 (DLMF 19.7.2). The incomplete ones are
Carlson's.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._elliptic.kernels import elliptic_tables as tables
from jaxsci.special._elliptic.kernels.carlson_on_device import rf, rf_and_rd
from jaxsci.special._numerics.by_precision import by_precision, is_single
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.taylor import once
from jaxsci.special._numerics.vectorised import (
    log,
    root_as_divisor,
    sine_and_cosine,
    sine_and_cosine_of_small,
)

_HALF = 0.5
_STEPS = (7, 6)
"""As many means are equal even for the largest parameter below 1."""
_SMALL = (1e-9, 1e-4)
_NO_QUOTIENT = (1e-300, 1e-36)
_DOUBLINGS = (600, 80)
"""Of the one, and halvings of the other of two numbers whose quotient is below that."""
_PI = (3.141592653589793, 1.2246467991473532e-16), (3.1415927410125732, -8.742278012618954e-08)
"""In two parts, for double precision and for single."""


def _between(m: jax.Array, p: jax.Array, log_p: jax.Array) -> jax.Array:
    """K for 0 <= m <= 1 and p = 1 - m > 0."""
    small = jnp.minimum(m, p)
    polynomial = tables.K_NEAR(jnp.clip(small, 0.0, _HALF))
    tail = tables.K_BESIDE_LOG(jnp.minimum(p, _HALF)) - log_p / math.pi * polynomial
    return jnp.where(p > _HALF, polynomial, tail)


def _log_of(r: jax.Array, inverted: jax.Array, p: jax.Array) -> jax.Array:
    """Log r, of r = 1/p where that is said, which may be subnormal in single precision."""
    if not is_single(r):
        return log(r)
    return jnp.where(inverted, -log(p), log(jnp.where(inverted, 1.0, r)))


def first_kind(m: jax.Array, p: jax.Array) -> jax.Array:
    """K(m), where p = 1 - m is positive and finite."""
    left = m < 0
    r = jnp.where(left, shared(1 / p), p)
    value = _between(jnp.where(left, -m / p, m), r, _log_of(r, left, p))
    return jnp.where(left, value / root_as_divisor(p), value)


def second_kind(m: jax.Array, p: jax.Array) -> jax.Array:
    """E(m), where p = 1 - m is positive and finite."""
    left = m < 0
    r = jnp.where(left, shared(1 / p), p)
    q = jnp.minimum(r, _HALF)
    logarithm = _log_of(q, left & (r < _HALF), p)
    tail = tables.E_BESIDE_LOG(q) - q * logarithm * tables.E_OVER_LOG(q)
    near = tables.E_NEAR(jnp.clip(jnp.where(left, -m / p, m), 0.0, _HALF))
    value = jnp.where(r > _HALF, near, tail)
    return jnp.where(left, jnp.sqrt(p) * value, value)


def _within(p: jax.Array) -> jax.Array:
    return (p > 0) & (p < jnp.inf)


@device_kernel(ulps=3, single=4)
def ellipk(m: jax.Array) -> jax.Array:
    """K(m)."""
    inside = _within(1 - m)
    m_ = jnp.where(inside, m, 0.0)
    value = jnp.where(inside, first_kind(m_, 1 - m_), jnp.where(m == 1, jnp.inf, 0.0))
    return jnp.where(m <= 1, value, jnp.nan)


@device_kernel(ulps=3, single=4)
def ellipkm1(p: jax.Array) -> jax.Array:
    """K(1 - p)."""
    inside = _within(p)
    p_ = jnp.where(inside, p, 1.0)
    value = jnp.where(inside, first_kind(1 - p_, p_), jnp.where(p == 0, jnp.inf, 0.0))
    return jnp.where(p >= 0, value, jnp.nan)


@device_kernel(ulps=3, single=4)
def ellipe(m: jax.Array) -> jax.Array:
    """E(m)."""
    inside = _within(1 - m)
    m_ = jnp.where(inside, m, 0.0)
    value = jnp.where(inside, second_kind(m_, 1 - m_), jnp.where(m == 1, 1.0, jnp.inf))
    return jnp.where(m <= 1, value, jnp.nan)


@device_kernel(ulps=5, single=4)
def agm(a: jax.Array, b: jax.Array) -> jax.Array:
    """The common limit of the arithmetic and the geometric mean (DLMF 19.8.6)."""
    high, low = jnp.maximum(jnp.abs(a), jnp.abs(b)), jnp.minimum(jnp.abs(a), jnp.abs(b))
    inside = (low > 0) & (high < jnp.inf)
    # The quotient's logarithm would be lost where that is too small a number.
    tiny = low < by_precision(low, *_NO_QUOTIENT) * high
    doublings = by_precision(low, *_DOUBLINGS)
    scale = jnp.where(tiny, 2.0**doublings, 1.0)
    scaled = shared(jnp.where(inside, low * scale, 1.0) / jnp.where(inside, high / scale, 1.0))
    log_r = log(scaled) - jnp.where(tiny, 2 * doublings * math.log(2), 0.0)
    r = jnp.where(tiny, 0.0, scaled)
    value = 0.5 * math.pi * high / _between((1 - r) * (1 + r), r * r, 2 * log_r)
    value = jnp.where(inside, jnp.where(a < 0, -value, value), jnp.where(low > 0, a + b, 0.0))
    undefined = (a * jnp.sign(b) < 0) | ((low == 0) & (high == jnp.inf))
    return jnp.where(undefined | jnp.isnan(a) | jnp.isnan(b), jnp.nan, value)


# -- incomplete integrals --------------------------------------------------------------------------


class _Amplitude(NamedTuple):
    """An amplitude within a quarter turn, and the half turns beside it."""

    sine: Any
    square_of_cosine: Any
    square_of_delta: Any
    """1 - m sin^2."""
    turns: Any


def _reduced(phi: jax.Array, p: jax.Array) -> _Amplitude:
    turns = jnp.round(phi / math.pi)
    s, c = sine_and_cosine(phi)
    s = jnp.where(turns == 2 * jnp.floor(0.5 * turns), s, -s)
    # The root of 1 - m goes first, because squares of sines may be too small.
    return _Amplitude(s, c * c, c * c + (jnp.sqrt(p) * s) ** 2, turns)


def _inside(phi: jax.Array, m: jax.Array) -> jax.Array:
    return (jnp.abs(phi) < jnp.inf) & (m <= 1) & (m > -jnp.inf)


@device_kernel(ulps=5, single=5)
def ellipkinc(phi: jax.Array, m: jax.Array) -> jax.Array:
    """F(phi, m) = sin(phi) R_F(cos^2, 1 - m sin^2, 1) (DLMF 19.25.5)."""
    inside = _inside(phi, m) & ~((m == 1) & (jnp.abs(phi) >= math.pi / 2))
    phi_, m_ = jnp.where(inside, phi, 0.0), jnp.where(inside, m, 0.0)
    p = 1 - m_
    at = _reduced(phi_, p)
    part = at.sine * rf(at.square_of_cosine, at.square_of_delta, jnp.ones_like(p))
    complete = first_kind(jnp.where(m_ == 1, 0.0, m_), jnp.where(m_ == 1, 1.0, p))
    value = part + 2 * at.turns * complete
    value = jnp.where(phi == 0, phi, value)
    far = jnp.where(m == -jnp.inf, 0.0, jnp.where(m == 1, jnp.inf, phi))
    undefined = jnp.isnan(phi) | ~(m <= 1) | ((m == -jnp.inf) & (jnp.abs(phi) == jnp.inf))
    return jnp.where(undefined, jnp.nan, jnp.where(inside, value, far))


@device_kernel(ulps=6, single=5)
def ellipeinc(phi: jax.Array, m: jax.Array) -> jax.Array:
    """E(phi, m), by that one of DLMF 19.25.9 and 19.25.10 whose terms have one sign."""
    inside = _inside(phi, m)
    phi_, m_ = jnp.where(inside, phi, 0.0), jnp.where(inside, m, 0.0)
    p = 1 - m_
    at = _reduced(phi_, p)
    one = jnp.ones_like(p)
    right = m_ > 0
    delta = at.square_of_delta
    parts = rf_and_rd(
        at.square_of_cosine, jnp.where(right, one, delta), jnp.where(right, delta, one)
    )
    # sqrt(|m|) sin, twice, because squares of sines may be too small.
    root = jnp.sqrt(jnp.abs(m_)) * at.sine
    scale = jnp.where(right, p, 1.0)
    last = m_ * at.sine * jnp.sqrt(at.square_of_cosine / jnp.where(right, delta, 1.0))
    part = scale * at.sine * (parts.rf + root * root * parts.rd / 3) + jnp.where(right, last, 0.0)
    complete = jnp.where(p > 0, second_kind(m_, jnp.where(p > 0, p, 1.0)), 1.0)
    value = part + 2 * at.turns * complete
    value = jnp.where(phi == 0, phi, value)
    far = jnp.where(m == -jnp.inf, jnp.inf, phi)
    return jnp.where(jnp.isnan(phi) | ~(m <= 1), jnp.nan, jnp.where(inside, value, far))


# -- Jacobi's functions ----------------------------------------------------------------------------


def _jacobi(u: jax.Array, m: jax.Array) -> tuple[Any, Any, Any, Any]:
    """The functions for 0 <= m < 1, by Bulirsch's form of Landen's transformation (DLMF 22.7(i)).

    It multiplies and divides positive numbers, so cn and dn keep their digits where they are small.
    """
    a, b = jnp.ones_like(m), shared(jnp.sqrt(1 - m))
    means = []
    for _ in range(by_precision(m, *_STEPS)):
        means.append((a, b))
        a, b = 0.5 * (a + b), shared(jnp.sqrt(a * b))
    (a,) = once(a)
    angle = a * u
    turns = jnp.round(angle / math.pi)
    pi_high, pi_low = by_precision(u, *_PI)
    angle = (angle - turns * pi_high) - turns * pi_low
    small = jnp.abs(angle) < by_precision(u, *_SMALL)
    sine, cosine = sine_and_cosine_of_small(angle)
    cotangent = shared(cosine / jnp.where(small, 1.0, sine))
    c, dn = a * cotangent, jnp.ones_like(m)
    ratio = cotangent
    for first, second in reversed(means):
        ratio = ratio * c
        c = c * dn
        dn = shared((second + ratio) / (first + ratio))
        ratio = c / first
    # Both in one complex number, and so in one loop.
    both = once(jax.lax.complex(jnp.where(small, 1.0, c), jnp.where(small, 1.0, dn)))[0]
    c, dn = both.real, both.imag
    sn = shared(jnp.where(small, angle / a, jnp.copysign(1 / root_as_divisor(c * c + 1), angle)))
    sn = jnp.where(u == 0, u, sn)
    cn = jnp.where(small, 1.0, c * sn)
    ph = jnp.where(small, sn, jnp.arctan2(sn, cn))
    ph = jnp.where(turns == 0, ph, ph + turns * math.pi)
    odd = turns != 2 * jnp.floor(0.5 * turns)
    return jnp.where(odd, -sn, sn), jnp.where(odd, -cn, cn), dn, ph


@device_kernel(
    ulps=5,
    envelope="abs(u*re(ellipfun('cn', u, m=m)*ellipfun('dn', u, m=m))); "
    "abs(u*re(ellipfun('sn', u, m=m)*ellipfun('dn', u, m=m))); "
    "abs(u*m*re(ellipfun('sn', u, m=m)*ellipfun('cn', u, m=m))); 0",
    single=6,
)
def ellipj(u: jax.Array, m: jax.Array) -> tuple[jax.Array, ...]:
    """sn, cn, dn and the amplitude."""
    inside = (jnp.abs(u) < jnp.inf) & (m >= 0) & (m < 1)
    found = _jacobi(jnp.where(inside, u, 1.0), jnp.where(inside, m, 0.0))
    e = shared(jnp.exp(-jnp.abs(u)))
    sech = shared(2 * e / (1 + e * e))
    limits = (
        jnp.tanh(u),
        sech,
        sech,
        jnp.copysign(2 * jnp.arctan(jnp.tanh(0.5 * jnp.abs(u))), u),
    )
    defined = (m >= 0) & (m <= 1) & (jnp.abs(u) < jnp.inf)
    return tuple(
        jnp.where(defined, jnp.where(m == 1, limit, y), jnp.nan)
        for y, limit in zip(found, limits, strict=True)
    )
