"""The error functions, Dawson's integral and the inverses of real numbers, in JAX operations."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._error.kernels import dawson_tables
from jaxsci.special._numerics import error_function
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import exp_of_square
from jaxsci.special._numerics.error_function import (
    erf_near,
    erfcinv_of_either,
    erfcx_right,
)
from jaxsci.special._numerics.polynomials import piecewise

_ERF_IS_ONE = 6.0
_FAR = 6.0
"""From here on Dawson's integral is a polynomial in 1/x^2."""
_LARGE = (20.0, 8.0)
_SHIFT = 16.0


@device_kernel(ulps=1, single=3)
def erf(z: jax.Array) -> jax.Array:
    """The integral of 2/sqrt(pi) exp(-t^2) from 0 to z."""
    size = jnp.abs(z)
    tail = 1 - exp_of_square(size, -1) * erfcx_right(jnp.minimum(size, _ERF_IS_ONE))
    outside = jnp.where(size < _ERF_IS_ONE, tail, jnp.where(jnp.isnan(z), z, 1.0))
    inside = erf_near(jnp.where(size < 1, z, 0.0))
    return jnp.where(size < 1, inside, jnp.sign(z) * outside)


erfc = device_kernel(ulps=3, single=4)(error_function.erfc)
erfcx = device_kernel(ulps=3, single=4)(error_function.erfcx)


def dawsn_right(x: jax.Array) -> jax.Array:
    """Dawson's integral for x >= 0."""
    near = jnp.where(x < 1, x, 0.0)
    near = near + near * dawson_tables.NEAR(near * near)
    far = jnp.where(x > _FAR, x, _FAR)
    r = 1 / far
    far = 0.5 * r * dawson_tables.FAR(r * r)
    return jnp.where(x < 1, near, jnp.where(x > _FAR, far, piecewise(dawson_tables.MIDDLE, x)))


@device_kernel(ulps=2, single=3)
def dawsn(x: jax.Array) -> jax.Array:
    """exp(-x^2) times the integral of exp(t^2) from 0 to x."""
    value = jnp.copysign(dawsn_right(jnp.abs(x)), x)
    return jnp.where(jnp.isnan(x), x, value)


@device_kernel(ulps=3, single=4)
def erfi(z: jax.Array) -> jax.Array:
    """-i erf(iz)."""
    slope = 2 / math.sqrt(math.pi)
    size = jnp.minimum(jnp.abs(z), 27.0)
    # exp(z^2) overflows before the product with D, which is small, does.
    large = size > by_precision(z, *_LARGE)
    part = dawsn_right(size) * slope * jnp.where(large, math.exp(_SHIFT), 1.0)
    value = exp_of_square(size, 1, jnp.where(large, -_SHIFT, 0.0)) * part
    value = jnp.where(jnp.abs(z) < 2.0**-30, jnp.abs(z) * slope, value)
    return jnp.where(jnp.isnan(z), z, jnp.copysign(value, z))


@device_kernel(ulps=2, single=3)
def erfinv(y: jax.Array) -> jax.Array:
    """The x with erf x = y."""
    tail = 1 - jnp.abs(y)
    value = jnp.abs(erfcinv_of_either(tail, jnp.abs(y)))
    return jnp.where(y < 0, -value, value)


@device_kernel(ulps=3, single=3)
def erfcinv(y: jax.Array) -> jax.Array:
    """The x with erfc x = y."""
    return jnp.where(y == 1, -0.0, erfcinv_of_either(y, 1 - y))
