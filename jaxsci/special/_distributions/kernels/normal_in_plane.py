"""The normal distribution and its logarithm, of complex numbers, in JAX operations."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import faddeeva_function
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.faddeeva_function import gaussian, turn
from jaxsci.special._numerics.plane import Part
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.taylor import once

_ROOT_TWO = math.sqrt(2)
_LARGE = 50.0


def _upper_tail(x: jax.Array, y: jax.Array) -> Part:
    """erfc(z/sqrt(2))/2, with exp(-z^2/2) of z itself."""
    found = faddeeva_function.erfc(x / _ROOT_TWO, y / _ROOT_TWO, gaussian(x, y, 0.5))
    return Part(0.5 * found.re, 0.5 * found.im)


def _log_of_lower_tail(x: jax.Array, y: jax.Array) -> Part:
    """The logarithm of erfc(-z/sqrt(2))/2, for x <= 0: log(w/2) - z^2/2."""
    (both,) = once(faddeeva_function.w(y / _ROOT_TWO, -x / _ROOT_TWO).as_complex())
    w = Part(both.real, both.imag)
    size = jnp.maximum(jnp.abs(w.re), jnp.abs(w.im))
    a, b = shared(w.re / size), shared(w.im / size)
    modulus = jnp.log(0.5 * size) + 0.5 * jnp.log(a * a + b * b)
    angle = Part(a, b).times(turn(x, y, 0.5))
    return Part(modulus + 0.5 * (y - x) * (y + x), jnp.arctan2(angle.im, angle.re))


@device_kernel(ulps=10, envelope="1 if re(x) > 0 else 0")
def ndtr(x: jax.Array) -> jax.Array:
    """erfc(-x/sqrt(2))/2."""
    return _upper_tail(-x.real, -x.imag).as_complex()


@device_kernel(ulps=30)
def log_ndtr(x: jax.Array) -> jax.Array:
    """The principal logarithm of that."""
    re, im = x.real, x.imag
    right = re > 0
    # To the right it is log(1 - e) of the other tail, e.
    log_of_tail = _log_of_lower_tail(-jnp.abs(re), jnp.where(right, -im, im))
    small = log_of_tail.re < _LARGE
    (tail,) = once(_upper_tail(jnp.abs(re), jnp.where(right & small, im, 0.0)).as_complex())
    a, b = -tail.real, -tail.imag
    beyond = log_of_tail.im - jnp.copysign(math.pi, log_of_tail.im)
    near = Part(_log_of_modulus(a, b), jnp.arctan2(b, 1 + a))
    value = Part(
        jnp.where(right & small, near.re, log_of_tail.re),
        jnp.where(right, jnp.where(small, near.im, beyond), log_of_tail.im),
    )
    return value.as_complex()


def _log_of_modulus(a: jax.Array, b: jax.Array) -> jax.Array:
    """log|1 + a + ib|."""
    near = (jnp.abs(a) < 0.5) & (jnp.abs(b) < 0.5)
    small = 0.5 * log1p(jnp.where(near, 2 * a + a * a + b * b, 0.0))
    return jnp.where(near, small, 0.5 * jnp.log((1 + a) ** 2 + b * b))
