"""Elementary functions of complex numbers in JAX operations, where XLA's own lose digits (DLMF 4).

Parts may cancel that are small beside the number's other part; where the whole number is small,
nothing does.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import elementary
from jaxsci.special._numerics.plane import log_of_size, nan_like
from jaxsci.special._numerics.sine_in_plane import turned

_NEAR = 0.5
_LARGE = 700.0
_TINY = 1e-100
_SHORT = 26
_PI = (3.141592502593994, 1.5099579909783765e-07)
"""In two parts, of which the first one has 24 bits."""


@device_kernel(ulps=6, single=4)
def log1p(z: jax.Array) -> jax.Array:
    """log(1 + z)."""
    x, y = z.real, z.imag
    near = jnp.maximum(jnp.abs(x), jnp.abs(y)) < _NEAR
    s, t = jnp.where(near, x, 0.0), jnp.where(near, y, 0.0)
    small = 0.5 * elementary.log1p(s * (2 + s) + t * t)
    size = jnp.where(near, small, log_of_size(1 + x, y))
    return _or_nan(z, jax.lax.complex(size, jnp.arctan2(y, 1 + x)))


def _or_nan(z: jax.Array, value: jax.Array) -> jax.Array:
    return jnp.where(jnp.isnan(z.real) | jnp.isnan(z.imag), nan_like(z), value)


@device_kernel(ulps=6, single=4)
def expm1(z: jax.Array) -> jax.Array:
    """exp(z) - 1."""
    x, y = z.real, z.imag
    half_sine, sine, cosine = jnp.sin(0.5 * y), jnp.sin(y), jnp.cos(y)
    # An exponential may overflow where its products do not.
    far = x > _LARGE
    half = jnp.exp(0.5 * jnp.where(far, x, 0.0))
    near = jnp.where(far, 0.0, x)
    real = jnp.where(
        far,
        half * cosine * half,
        elementary.expm1(near) * cosine - 2 * half_sine * half_sine,
    )
    imaginary = jnp.where(far, half * sine * half, jnp.exp(near) * sine)
    # Without an angle nothing turns, however large the number is.
    real = jnp.where(x == -jnp.inf, -1.0, jnp.where(y == 0, elementary.expm1(x), real))
    imaginary = jnp.where(y == 0, y, jnp.where(x == -jnp.inf, 0.0, imaginary))
    return _or_nan(z, jax.lax.complex(real, imaginary))


def _times(a: jax.Array, b: jax.Array) -> jax.Array:
    """The product, which is not a number only where one of its parts is none."""
    return jax.lax.complex(a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real)


@device_kernel(ulps=8, single=4)
def xlog1py(x: jax.Array, y: jax.Array) -> jax.Array:
    """X log(1 + y)."""
    return _unless_zero(x, y, log1p(y))


@device_kernel(ulps=8, single=4)
def xlogy(x: jax.Array, y: jax.Array) -> jax.Array:
    """X log(y)."""
    about = jnp.abs(y.real - 1) < _NEAR
    near = about & (jnp.abs(y.imag) < _NEAR)
    far = jax.lax.complex(log_of_size(y.real, y.imag), jnp.arctan2(y.imag, y.real))
    logarithm = jnp.where(near, log1p(jnp.where(near, y - 1, 0.0)), far)
    return _unless_zero(x, y, logarithm)


def _unless_zero(x: jax.Array, y: jax.Array, logarithm: jax.Array) -> jax.Array:
    none = jnp.isnan(y.real) | jnp.isnan(y.imag)
    value = jnp.where((x == 0) & ~none, 0.0, _times(x, logarithm))
    return jnp.where(none, jnp.nan * jnp.ones_like(value), value)


@device_kernel(ulps=8)
def sinc(z: jax.Array) -> jax.Array:
    """sin(pi z)/(pi z), by the number's distance from an integer."""
    x, y = z.real, z.imag
    sine, _, size = turned(z)
    # Divided by exp(|pi y|/2) twice, or they might overflow.
    height = jnp.abs(y)
    # Of few bits, so that a product with the first part of pi is exact.
    short = jax.lax.reduce_precision(height, 11, _SHORT)
    growing = jnp.exp(0.5 * short * _PI[0])
    growing = growing * jnp.exp(0.5 * (short * _PI[1] + (height - short) * math.pi))
    by = jnp.where(size == 0, 1.0, growing)
    most = jnp.maximum(jnp.abs(x), jnp.abs(y))
    usual = (most > _TINY) & (most < jnp.inf)
    scale = jnp.where(usual, most, 1.0)
    s, t = jnp.where(usual, x, 1.0) / scale, jnp.where(usual, y, 0.0) / scale
    square = (s * s + t * t) * math.pi
    # Times the conjugate number, over the square of its size.
    up, across = sine.real, sine.imag
    real, imaginary = (up * s + across * t) / square, (across * s - up * t) / square
    real, imaginary = (((part * by) / scale) * by for part in (real, imaginary))
    value = jax.lax.complex(real, imaginary)
    return _or_nan(z, jnp.where(most <= _TINY, 1.0, value))
