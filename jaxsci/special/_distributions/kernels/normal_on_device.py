"""The normal distribution, its logarithm and its quantiles, of real numbers, in JAX operations."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import exp_of_square, expm1_near, log1p
from jaxsci.special._numerics.error_function import (
    CENTRE,
    erf_near,
    erfcinv_of_either,
    erfcinv_of_root,
    erfcx_right,
    erfinv_near,
)
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.vectorised import log

_ROOT_TWO = math.sqrt(2)
_LOG_TWO = (0.6931471805599453, 2.3190468138462996e-17), (0.6931471824645996, -1.90465429999577e-09)
"""In two parts, for double precision and for single."""
_LAST_ROOT = 28.0
_LOGARITHM = tuple(1 / (k + 1) for k in range(6))
"""Of -log(1 - d)/d."""
_LESS_LOGARITHM_OF_SERIES = 1.0, -5 / 2, 37 / 3, -353 / 4, 4081 / 5
"""Of -log(1 - v + 3 v^2 - 15 v^3 + ...)/v."""
_NEAR_END = -0.3
"""The logarithm of a probability just below 3/4."""


def _tail(x: jax.Array) -> jax.Array:
    """The probability below -x, for x >= 0."""
    return exp_of_square(x, -0.5) * (0.5 * erfcx_right(x / _ROOT_TWO))


@device_kernel(ulps=3, single=4)
def ndtr(x: jax.Array) -> jax.Array:
    """The probability below x."""
    size = jnp.abs(x)
    t = x / _ROOT_TWO
    centre = jnp.abs(t) < CENTRE
    near = 0.5 + 0.5 * erf_near(jnp.where(centre, t, 0.0))
    tail = _tail(size)
    return jnp.where(centre, near, jnp.where(x < 0, tail, 1 - tail))


@device_kernel(ulps=4, single=6)
def log_ndtr(x: jax.Array) -> jax.Array:
    """The logarithm of the probability below x."""
    size = jnp.abs(x)
    left = log(0.5 * erfcx_right(size / _ROOT_TWO)) - 0.5 * size * size
    right = log1p(-_tail(jnp.where(x > 0, x, 1.0)))
    value = jnp.where(x > 0, right, jnp.where(x == -jnp.inf, x, left))
    return jnp.where(jnp.isnan(x), x, value)


@device_kernel(ulps=3, single=4)
def ndtri(y: jax.Array) -> jax.Array:
    """The x with a probability y below it."""
    value = -_ROOT_TWO * erfcinv_of_either(2 * y, 1 - 2 * y)
    return jnp.where(y == 0.5, 0.0, value)


def _far_root(s: jax.Array, log_pi_s: jax.Array) -> jax.Array:
    """The x > 25 with erfc(x) = exp(-s): x^2 = s + log(erfcx(x)), by DLMF 7.12.1.

    With x^2 = s (1 - d), d is the root of d = log(pi s)/(2 s) + (log(1 - d)/2 - log(f))/s, where f
    is sqrt(pi) x erfcx(x). It is small, and the right side hardly depends on it: one of Newton's
    steps leads to it from where the right side has its leading terms.
    """
    inverse = shared(1 / s)
    first = 0.5 * log_pi_s * inverse
    d = (first + inverse * (0.5 * inverse - 0.25 * first * first)) * (1 - 0.5 * inverse)
    v = shared(0.5 * inverse / (1 - d))  # 1/(2 x^2)
    series = v * horner(_LESS_LOGARITHM_OF_SERIES, v)
    logarithm = -d * horner(_LOGARITHM, d)
    change = first + inverse * (0.5 * logarithm + series) - d
    # To the digits that it has: the right side has the slope -slope.
    slope = inverse * (0.5 * (1 + d) - v)
    d = d + change * (1 - slope * (1 - slope))
    return jnp.sqrt(s) * jnp.sqrt(1 - d)


@device_kernel(ulps=3, single=4)
def ndtri_exp(y: jax.Array) -> jax.Array:
    """The x with a probability exp(y) below it."""
    # From the median, 1 - 2 exp(y) = 1 - exp(d), or from the end, 1 - exp(y).
    log_two, log_two_rest = by_precision(y, *_LOG_TWO)
    d = y + log_two
    near_end = y > _NEAR_END
    off = expm1_near(jnp.clip(jnp.where(near_end, y, d), -log_two, 0.41))
    from_median = jnp.where(near_end, 1 + 2 * off, off + log_two_rest * (1 + off))
    centre = erfinv_near(-from_median)
    # The tail that is the smaller one is exp(-s)/2, and erfc(x) twice that.
    below = d < -log_two
    above = jnp.where(near_end, -2 * off, 0.5)
    tail = jnp.clip(above, by_precision(y, 1e-307, 1.2e-38), 0.5)
    logarithm = shared(log(jnp.where(below, -math.pi * d, tail)))
    s = jnp.where(below, -d, -logarithm)
    r = shared(jnp.sqrt(s))
    far = _far_root(jnp.maximum(s, 700.0), logarithm)
    tail = jnp.where(r < _LAST_ROOT, erfcinv_of_root(r), far)
    tail = jnp.where(s < jnp.inf, tail, jnp.inf)
    value = jnp.where(below, -tail, jnp.where(above < 0.5, tail, -centre))
    value = jnp.where(y == 0, jnp.inf, _ROOT_TWO * value)
    return jnp.where(y <= 0, value, jnp.nan)


# -- parameters from a probability -----------------------------------------------------------------


@device_kernel(ulps=8, conditioned=True, single=6)
def nrdtrimn(p: jax.Array, std: jax.Array, x: jax.Array) -> jax.Array:
    """The mean, from a standard deviation and a quantile."""
    return jnp.where((p > 0) & (p < 1) & (std > 0), x - std * ndtri(p), jnp.nan)


@device_kernel(ulps=8, conditioned=True, single=6)
def nrdtrisd(mn: jax.Array, p: jax.Array, x: jax.Array) -> jax.Array:
    """The standard deviation, from a mean and a quantile."""
    return jnp.where((p > 0) & (p < 1), (x - mn) / ndtri(p), jnp.nan)
