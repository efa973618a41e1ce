"""The exponential integrals E_1, E_n and Ei, of real numbers, in JAX operations.

Near 0 the logarithm stands beside a polynomial; near the root of Ei it is that of the quotient of x
and the root. Further out they are an exponential over x times polynomials.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._error.kernels import exponential_tables as tables
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.vectorised import log

_EULER = 0.5772156649015329
_AT_ROOT = (0.3725074107813666, -5.1196989365556847e-17), (0.3725074231624603, 4.8239411545e-08)
"""The double next to the root of Ei, and what Ei is there; that of single precision."""
_NEAR = 0.5
_NEAR_ROOT = 0.1875
_FAR_OF_E1 = 4.0
_FAR_OF_EI = 25.0
_LARGE = (100.0, 80.0)
_CROSSING = (2.0, 1.0)
"""Up to here E_n is a power series."""
_TERMS = (30, 14)
_FRACTIONS = (44, 24)
_SHIFT = 16.0


def e1_right(x: jax.Array) -> jax.Array:
    """E_1(x) for x > 0."""
    inside = jnp.minimum(x, _NEAR)
    near = (inside * tables.ENTIRE(-inside) - _EULER) - log(inside)
    outside = jnp.maximum(x, _NEAR)
    far = tables.E1_FAR(1 / jnp.maximum(outside, _FAR_OF_E1))
    scaled = jnp.where(outside > _FAR_OF_E1, far, piecewise(tables.E1, outside))
    return jnp.where(x > _NEAR, jnp.exp(-outside) * scaled / outside, near)


def ei_right(x: jax.Array) -> jax.Array:
    """Ei(x) for x > 0."""
    inside = jnp.minimum(x, _NEAR_ROOT)
    near = (_EULER + log(inside)) + inside * tables.ENTIRE(inside)
    beside = jnp.clip(x, _NEAR_ROOT, 1.0)
    zero, at_zero = by_precision(x, *_AT_ROOT)
    distance = beside - zero
    root = log1p(distance / zero) + (distance * tables.EI_NEAR_ROOT(beside) + at_zero)
    # The exponential overflows before its quotient with x does, which has by then at 1000.
    outside = jnp.clip(x, 1.0, 1000.0)
    far = tables.EI_FAR(1 / jnp.maximum(outside, _FAR_OF_EI))
    scaled = jnp.where(outside > _FAR_OF_EI, far, piecewise(tables.EI, outside)) / outside
    large = outside > by_precision(x, *_LARGE)
    exponential = jnp.exp(jnp.where(large, outside - _SHIFT, outside))
    grown = exponential * jnp.where(large, math.exp(_SHIFT) * scaled, scaled)
    return jnp.where(x > 1, grown, jnp.where(x > _NEAR_ROOT, root, near))


@device_kernel(ulps=3, single=4)
def exp1(z: jax.Array) -> jax.Array:
    """The integral of exp(-t)/t from z to infinity."""
    value = jnp.where(z < jnp.inf, e1_right(jnp.where((z > 0) & (z < jnp.inf), z, 1.0)), 0.0)
    return jnp.where(z >= 0, jnp.where(z == 0, jnp.inf, value), jnp.nan)


@device_kernel(ulps=3, single=4)
def expi(x: jax.Array) -> jax.Array:
    """The principal value of the integral of exp(t)/t from -infinity to x."""
    size = jnp.where((x == 0) | jnp.isnan(x), 1.0, jnp.abs(x))
    left = jnp.where(size < jnp.inf, -e1_right(jnp.minimum(size, 1000.0)), -0.0)
    value = jnp.where(x < 0, left, ei_right(size))
    return jnp.where(jnp.isnan(x), x, jnp.where(x == 0, -jnp.inf, value))


def _near_of_order(n: jax.Array, x: jax.Array) -> Any:
    """E_n(x) for n >= 1 and 0 < x <= 2 (DLMF 8.19.8)."""
    logarithm = shared(log(x))
    term = jnp.ones_like(x)
    total: Any = 0.0
    psi = -_EULER
    for k in range(by_precision(x, *_TERMS)):
        here = n == k + 1
        plain = -1 / jnp.where(here, 1.0, k + 1 - n)
        total = total + term * jnp.where(here, psi - logarithm, plain)
        term = term * (-1 / (k + 1)) * x
        psi += 1 / (k + 1)
    return total


def _far_of_order(n: jax.Array, x: jax.Array) -> jax.Array:
    """exp(x) E_n(x) for x >= 2 (DLMF 8.19.17, contracted)."""
    # The rest is about what it would be if the coefficients changed no more.
    levels = by_precision(x, *_FRACTIONS)
    b, c = x + n + 2 * levels + 2, (levels + 1) * (n + levels)
    tail = shared(2 * c / (b + jnp.sqrt(b * b - 4 * c)))
    for k in range(levels, 0, -1):
        tail = shared(k * (n + (k - 1)) / (x + n + 2 * k - tail))
    return 1 / (x + n - tail)


@device_kernel(ulps=60, single=5)
def expn(n: jax.Array, x: jax.Array) -> jax.Array:
    """The integral of exp(-x t)/t^n from 1 to infinity."""
    n = n.astype(x.dtype)
    inside = (x > 0) & (x < jnp.inf) & (n >= 1)
    x_, n_ = jnp.where(inside, x, 1.0), jnp.where(inside, n, 1.0)
    crossing = by_precision(x, *_CROSSING)
    near = _near_of_order(n_, jnp.minimum(x_, crossing))
    far = jnp.exp(-x_) * _far_of_order(n_, jnp.maximum(x_, crossing))
    value = jnp.where(x_ > crossing, far, near)
    # At 0, and at infinity.
    edge = jnp.where(n > 1, 1 / jnp.where(n > 1, n - 1, 1.0), jnp.inf)
    value = jnp.where(inside, value, jnp.where(x == 0, edge, 0.0))
    value = jnp.where(n == 0, jnp.exp(-x) / jnp.abs(x), value)
    return jnp.where((x >= 0) & (n >= 0), value, jnp.nan)
