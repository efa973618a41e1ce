"""The normal distribution, its logarithm and its quantiles, of real numbers, in JAX operations."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.elementary import exp_of_square, expm1_near, log1p
from jaxsci.special._numerics.error_function import (
    CENTRE,
    erf_near,
    erfcinv_of_either,
    erfcinv_of_root,
    erfcinv_tail,
    erfcx_right,
    erfinv_near,
)

_ROOT_TWO = math.sqrt(2)
_LOG_TWO, _LOG_TWO_REST = 0.6931471805599453, 2.3190468138462996e-17
_LAST_ROOT = 28.0
_STEPS = 3


def _tail(x: jax.Array) -> Any:
    """The probability below -x, for x >= 0."""
    return exp_of_square(x, -0.5) * (0.5 * erfcx_right(x / _ROOT_TWO))


@device_kernel(ulps=3)
def ndtr(x: jax.Array) -> Any:
    """The probability below x."""
    size = jnp.abs(x)
    t = x / _ROOT_TWO
    centre = jnp.abs(t) < CENTRE
    near = 0.5 + 0.5 * erf_near(jnp.where(centre, t, 0.0))
    tail = _tail(size)
    return jnp.where(centre, near, jnp.where(x < 0, tail, 1 - tail))


@device_kernel(ulps=4)
def log_ndtr(x: jax.Array) -> Any:
    """The logarithm of the probability below x."""
    size = jnp.abs(x)
    left = jnp.log(0.5 * erfcx_right(size / _ROOT_TWO)) - 0.5 * size * size
    right = log1p(-_tail(jnp.where(x > 0, x, 1.0)))
    value = jnp.where(x > 0, right, jnp.where(x == -jnp.inf, x, left))
    return jnp.where(jnp.isnan(x), x, value)


@device_kernel(ulps=3)
def ndtri(y: jax.Array) -> Any:
    """The x with a probability y below it."""
    value = -_ROOT_TWO * erfcinv_of_either(2 * y, 1 - 2 * y)
    return jnp.where(y == 0.5, 0.0, value)


def _far_root(s: jax.Array) -> Any:
    """The x > 25 with erfc(x) = exp(-s): x^2 = s + log(erfcx(x)), by DLMF 7.12.1."""
    x = jnp.sqrt(s - 0.5 * jnp.log(math.pi * s))
    for _ in range(_STEPS):
        v = 0.5 / (x * x)
        series = 1 - v * (1 - 3 * v * (1 - 5 * v * (1 - 7 * v)))
        x = jnp.sqrt(s - jnp.log(math.sqrt(math.pi) * x / series))
    return x


@device_kernel(ulps=4)
def ndtri_exp(y: jax.Array) -> Any:
    """The x with a probability exp(y) below it."""
    # From the median: 1 - 2 exp(y) = 1 - exp(d).
    d = y + _LOG_TWO
    above = expm1_near(jnp.clip(d, -_LOG_TWO, 0.41))
    centre = erfinv_near(-(above + _LOG_TWO_REST * (1 + above)))
    s = jnp.maximum(-d, _LOG_TWO)
    r = jnp.sqrt(s)
    low = jnp.where(r < _LAST_ROOT, erfcinv_of_root(r), _far_root(jnp.maximum(s, 700.0)))
    low = jnp.where(s < jnp.inf, low, jnp.inf)
    above = -2 * expm1_near(jnp.clip(y, -0.3, 0.0))
    high = erfcinv_tail(jnp.clip(above, 1e-307, 0.5))
    value = jnp.where(d < -_LOG_TWO, -low, jnp.where(d > 0.405, high, -centre))
    value = jnp.where(y == 0, jnp.inf, _ROOT_TWO * value)
    return jnp.where(y <= 0, value, jnp.nan)
