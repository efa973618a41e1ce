"""Airy functions of real arguments, by JAX operations.

Polynomials between -5.25 and 1/2, and of the functions times exponentials up to 5.25. Beyond are
DLMF 9.7.5 to 9.7.12, with polynomials for the series, and

    zeta = 2/3 |x|^(3/2)

in two parts, for the exponentials and the phase lose no digits of it then.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import airy_tables as tables
from jaxsci.special._catalog.kernel import Kernel
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import two_thirds, upper_half
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.taylor import once
from jaxsci.special._numerics.vectorised import sine_and_cosine, sine_and_cosine_of_small

_NEAR, _FAR = 0.5, 5.25
_SHIFT, _LARGE = 16.0, (100.0, 80.0)
_OVERFLOW = 200.0
"""From here on Ai is 0 and Bi infinite."""


class Parts(NamedTuple):
    """A number in two parts."""

    whole: Any
    rest: Any


def zeta_of(x: jax.Array, root: jax.Array) -> Parts:
    """2/3 x^(3/2) of x > 0 and its square root."""
    high, root_high = upper_half(x), upper_half(root)
    low, root_low = x - high, root - root_high
    # What rounding has left of the root, and of its product with x: products of halves are exact.
    left = ((x - root_high * root_high) - 2 * root_high * root_low) - root_low * root_low
    product = x * root
    rest = ((high * root_high - product) + high * root_low + low * root_high) + low * root_low
    rest = rest + x * left / (2 * root)
    whole, left = two_thirds(product)
    return Parts(*once(whole, left + rest * (2 / 3)))


def decaying(zeta: Parts) -> Any:
    """exp(-zeta)."""
    return jnp.exp(-zeta.whole) * (1 - zeta.rest)


def grown(zeta: Parts, value: jax.Array) -> Any:
    """The product with exp(zeta), which overflows before it does."""
    large = zeta.whole > by_precision(zeta.whole, *_LARGE)
    exponential = jnp.exp(jnp.where(large, zeta.whole - _SHIFT, zeta.whole)) * (1 + zeta.rest)
    return jnp.where(large, math.exp(_SHIFT) * value, value) * exponential


def _cosine_and_sine(zeta: Parts) -> tuple[Any, Any]:
    """Of zeta - pi/4, times the square root of 2."""
    s, c = sine_and_cosine(zeta.whole)
    rest_s, rest_c = sine_and_cosine_of_small(zeta.rest)
    c, s = c * rest_c - s * rest_s, s * rest_c + c * rest_s
    return once(c + s, s - c)


def _scaled(x: jax.Array, root: jax.Array) -> list[Any]:
    """Ai, Ai', Bi and Bi' times exp(zeta) and exp(-zeta), for x > 1/2."""
    quarter = jnp.sqrt(root)
    far = x > _FAR
    s = 1 / (jnp.where(far, x, _FAR) * jnp.where(far, root, math.sqrt(_FAR)))
    parts = (
        (tables.AI_SCALED, tables.AI_FAR),
        (tables.AIP_SCALED, tables.AIP_FAR),
        (tables.BI_SCALED, tables.BI_FAR),
        (tables.BIP_SCALED, tables.BIP_FAR),
    )
    values = [jnp.where(far, beyond(s), piecewise(middle, x)) for middle, beyond in parts]
    return [value / quarter if k % 2 == 0 else value * quarter for k, value in enumerate(values)]


def _near(x: jax.Array) -> list[Any]:
    """Between -5.25 and 1/2."""
    return [piecewise(pieces, x) for pieces in (tables.AI, tables.AIP, tables.BI, tables.BIP)]


def _oscillating(size: jax.Array, root: jax.Array) -> list[Any]:
    """At x = -size < -5.25."""
    quarter = jnp.sqrt(root)
    zeta = zeta_of(size, root)
    c, s = _cosine_and_sine(zeta)
    r = 1 / zeta.whole
    p, q = once(tables.EVEN(r * r), tables.ODD(r * r) * r)
    t, u = once(tables.EVEN_SLOPE(r * r), tables.ODD_SLOPE(r * r) * r)
    front, slope = math.sqrt(0.5) / quarter, math.sqrt(0.5) * quarter
    return [
        front * (p * c + q * s),
        slope * (t * s - u * c),
        front * (q * c - p * s),
        slope * (t * c + u * s),
    ]


def _left(x: jax.Array) -> list[Any]:
    """For x <= 1/2."""
    far = x < -_FAR
    size = jnp.where(far & jnp.isfinite(x), -x, 2 * _FAR)
    beyond = _oscillating(size, jnp.sqrt(size))
    near = _near(jnp.clip(x, -_FAR, _NEAR))
    return [jnp.where(far, a, b) for a, b in zip(beyond, near, strict=True)]


def _right(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Where x > 1/2, and something of that kind elsewhere; with its root."""
    size = jnp.where(x > _NEAR, x, 1.0)
    return size, jnp.sqrt(size)


def with_limits(x: jax.Array, values: list[Any], scaled: bool) -> tuple[Any, ...]:
    """With those at infinity: functions that oscillate more and more have none."""
    below = (0.0, jnp.nan, 0.0, jnp.nan)
    at_infinity = (0.0, -jnp.inf, 0.0, jnp.inf) if scaled else (0.0, 0.0, jnp.inf, jnp.inf)
    values = [
        jnp.where(jnp.isneginf(x), low, jnp.where(jnp.isposinf(x), high, value))
        for value, low, high in zip(values, below, at_infinity, strict=True)
    ]
    return tuple(jnp.where(jnp.isnan(x), x, value) for value in values)


def _airy(x: jax.Array) -> tuple[Any, ...]:
    size, root = _right(jnp.minimum(x, _OVERFLOW))
    zeta = zeta_of(size, root)
    ai, aip, bi, bip = _scaled(size, root)
    decay = decaying(zeta)
    slope = jnp.where(decay == 0, 0.0, aip * decay)
    right = [ai * decay, slope, grown(zeta, bi), grown(zeta, bip)]
    values = [jnp.where(x > _NEAR, a, b) for a, b in zip(right, _left(x), strict=True)]
    return with_limits(x, values, False)


def _airye(x: jax.Array) -> tuple[Any, ...]:
    size, root = _right(jnp.where(jnp.isinf(x), 1.0, x))
    ahead = jnp.clip(x, 0.0, _NEAR)
    zeta = ahead * jnp.sqrt(ahead) * (2 / 3)
    growth = jnp.exp(zeta)
    near = [value * growth if k < 2 else value / growth for k, value in enumerate(_left(x))]
    values = [jnp.where(x > _NEAR, a, b) for a, b in zip(_scaled(size, root), near, strict=True)]
    values[:2] = [jnp.where(x < 0, jnp.nan, value) for value in values[:2]]
    return with_limits(x, values, True)


_MODULUS = "1/sqrt(pi*sqrt(max(-z, 1))) if z < 0 else 0"
_SLOPES = "sqrt(sqrt(max(-z, 1))/pi) if z < 0 else 0"
_ENVELOPES = "; ".join([_MODULUS, _SLOPES] * 2)

airy = Kernel(_airy, ulps=4, envelope=_ENVELOPES, single=4)
airye = Kernel(_airye, ulps=4, envelope=_ENVELOPES, single=4)
