"""The modified Bessel functions of orders 0 and 1, of real arguments, in JAX operations.

All are scaled ones times an exponential: polynomials in x, and in 1/x far out, beside the logarithm
of K near 0.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import modified_tables as tables
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log, root_as_divisor

_NEAR = 1.0
_FAR = 8.0
_LOGARITHM = 0.5
_FAR_OF_K = 3.0
_LARGE = (100.0, 80.0)
"""In double precision, and in single."""
_SHIFT = 16.0


def _scaled_i(near: jax.Array, middle: Any, far: Any, x: jax.Array) -> jax.Array:
    """exp(-x) I_n(x) for x >= 0, from its value near 0."""
    outside = jnp.maximum(x, _FAR)
    tail = far(1 / outside) / root_as_divisor(outside)
    return jnp.where(x < _NEAR, near, jnp.where(x > _FAR, tail, piecewise(middle, x)))


def _i0e(x: Any) -> jax.Array:
    inside = jnp.minimum(x, _NEAR)
    return _scaled_i(1 + inside * tables.I0_NEAR(inside), tables.I0, tables.I0_FAR, x)


def _i1e(x: jax.Array) -> jax.Array:
    inside = jnp.minimum(x, _NEAR)
    near = inside * (0.5 + inside * (0.5 * tables.I1_NEAR(inside)))
    return _scaled_i(near, tables.I1, tables.I1_FAR, x)


def _grown(x: jax.Array, scaled: jax.Array) -> jax.Array:
    """exp(x) times what is smaller than 1: the exponential overflows before the product does."""
    large = x > by_precision(x, *_LARGE)
    exponential = jnp.exp(jnp.where(large, x - _SHIFT, x))
    return jnp.where(large, math.exp(_SHIFT) * scaled, scaled) * exponential


def _bounded(x: jax.Array) -> jax.Array:
    """|x| up to where the functions have overflowed: infinity times zero would be no number."""
    return jnp.minimum(jnp.abs(x), 1000.0)


@device_kernel(ulps=3, single=4)
def i0(x: jax.Array) -> jax.Array:
    """I_0(x)."""
    size = _bounded(x)
    return jnp.where(jnp.isnan(x), x, _grown(size, _i0e(size)))


@device_kernel(ulps=2, single=3)
def i0e(x: jax.Array) -> jax.Array:
    """exp(-|x|) I_0(x)."""
    return _i0e(jnp.abs(x))


@device_kernel(ulps=3, single=4)
def i1(x: jax.Array) -> jax.Array:
    """I_1(x)."""
    size = _bounded(x)
    value = _grown(size, _i1e(size))
    return jnp.where(jnp.isnan(x), x, jnp.where(x < 0, -value, value))


@device_kernel(ulps=2, single=3)
def i1e(x: jax.Array) -> jax.Array:
    """exp(-|x|) I_1(x)."""
    value = _i1e(jnp.abs(x))
    return jnp.where(x < 0, -value, value)


def _k0_near(x: jax.Array) -> jax.Array:
    u = x * x
    return tables.K0_NEAR(u) - log(x) * tables.SERIES_0(u)


def _k1_near(x: jax.Array) -> jax.Array:
    u = x * x
    return x * (tables.K1_NEAR(u) + log(x) * (0.5 * tables.SERIES_1(u))) + 1 / x


def _scaled_k(middle: Any, far: Any, x: Any) -> jax.Array:
    """exp(x) K_n(x) for x >= 1/2."""
    r = 1 / jnp.maximum(x, _FAR_OF_K)
    return jnp.where(x > _FAR_OF_K, far(r), piecewise(middle, x)) / root_as_divisor(x)


def _of_half_line(near: Any, middle: Any, far: Any, x: Any, scaled: bool) -> jax.Array:
    inside = jnp.where((x > 0) & (x < _LOGARITHM), x, _LOGARITHM)
    outside = jnp.where(x > _LOGARITHM, x, _LOGARITHM)
    left, right = near(inside), _scaled_k(middle, far, outside)
    if scaled:
        left = left * jnp.exp(inside)
    else:
        right = right * jnp.exp(-outside)
    value = jnp.where(x > _LOGARITHM, right, left)
    return jnp.where(x >= 0, jnp.where(x == 0, jnp.inf, value), jnp.nan)


@device_kernel(ulps=3, single=4)
def k0(x: jax.Array) -> jax.Array:
    """K_0(x)."""
    return _of_half_line(_k0_near, tables.K0, tables.K0_FAR, x, scaled=False)


@device_kernel(ulps=3, single=3)
def k0e(x: jax.Array) -> jax.Array:
    """exp(x) K_0(x)."""
    return _of_half_line(_k0_near, tables.K0, tables.K0_FAR, x, scaled=True)


@device_kernel(ulps=3, single=4)
def k1(x: jax.Array) -> jax.Array:
    """K_1(x)."""
    return _of_half_line(_k1_near, tables.K1, tables.K1_FAR, x, scaled=False)


@device_kernel(ulps=3, single=3)
def k1e(x: jax.Array) -> jax.Array:
    """exp(x) K_1(x)."""
    return _of_half_line(_k1_near, tables.K1, tables.K1_FAR, x, scaled=True)
