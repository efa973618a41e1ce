"""Trigonometric functions of degrees in JAX operations: angles are reduced without a rounding."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.by_precision import is_single
from jaxsci.special._numerics.elementary import sine_of_half_turns

_SMALL = 1e-2
"""Up to here the sine is the angle, in single precision."""
_LARGEST = 1e14
"""SciPy has zeros for larger angles."""


def _sine_and_cosine(x: jax.Array) -> tuple[Any, Any, jax.Array]:
    """Those of the angle to the nearest multiple n of 180 degrees, and (-1)^n."""
    inside = jnp.where(jnp.abs(x) <= _LARGEST, x, 0.0)
    if is_single(x):  # of which the quotient would be rounded
        inside = jax.lax.rem(inside, jnp.full_like(inside, 360))
    turns = jnp.round(inside / 180)
    rest = inside - 180 * turns  # exact
    sine = sine_of_half_turns(rest / 180)
    if is_single(x):  # of which the quotient may be subnormal
        sine = jnp.where(jnp.abs(rest) < _SMALL, rest * (math.pi / 180), sine)
    cosine = sine_of_half_turns((90 - jnp.abs(rest)) / 180)
    return sine, cosine, jnp.where(jnp.mod(turns, 2.0) == 0, 1.0, -1.0)


def _inside(value: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.where(jnp.isnan(x), x, jnp.where(jnp.abs(x) <= _LARGEST, value, 0.0))


@device_kernel(ulps=3, single=4)
def sindg(x: jax.Array) -> jax.Array:
    """Sine."""
    sine, _, sign = _sine_and_cosine(x)
    return _inside(jnp.where(x == 0, x, sign * sine), x)


@device_kernel(ulps=3, single=4)
def cosdg(x: jax.Array) -> jax.Array:
    """Cosine."""
    _, cosine, sign = _sine_and_cosine(x)
    return _inside(sign * cosine, x)


@device_kernel(ulps=4, single=5)
def tandg(x: jax.Array) -> jax.Array:
    """Tangent."""
    sine, cosine, _ = _sine_and_cosine(x)
    value = jnp.where(cosine == 0, jnp.inf, sine / cosine)
    return _inside(jnp.where(x == 0, x, value), x)


@device_kernel(ulps=4, single=5)
def cotdg(x: jax.Array) -> jax.Array:
    """Cotangent."""
    sine, cosine, _ = _sine_and_cosine(x)
    return _inside(jnp.where(sine == 0, jnp.inf, cosine / sine), x)


@device_kernel(ulps=4, conditioned=True, single=4)
def radian(d: jax.Array, m: jax.Array, s: jax.Array) -> jax.Array:
    """Degrees, minutes and seconds of arc in radians."""
    if is_single(d):  # of which products may overflow
        return ((s / 60 + m) / 60 + d) * (math.pi / 180)
    return ((d * 60 + m) * 60 + s) * (math.pi / 648000)
