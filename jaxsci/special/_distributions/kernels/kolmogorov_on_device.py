"""Kolmogorov's limiting distribution and its inverse in JAX operations (DLMF 20.7(viii)).

Both of its theta series are an exponential and little besides, so that the inverse is a smooth
function of the logarithm of that exponential.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._distributions.kernels import kolmogorov_tables as tables
from jaxsci.special._numerics.by_precision import is_single
from jaxsci.special._numerics.elementary import exp_of_square
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log

_CROSSING = 0.8
_NO_MORE = 0.04
_AT_CROSSING = 0.5441424115741981


@device_kernel(ulps=3, single=4)
def kolmogorov(y: jax.Array) -> jax.Array:
    """The probability that the limiting distribution exceeds y."""
    q = exp_of_square(jnp.maximum(y, _CROSSING), -2)
    q3, q5 = q**3, q**5
    right = 2 * q * (1 - q3 * (1 - q5 * (1 - q5 * q * q * (1 - q5 * q3 * q))))
    near = jnp.clip(y, _NO_MORE, _CROSSING)
    w = jnp.exp(-(math.pi**2) / 8 / (near * near))
    w8 = w**8
    left = 1 - math.sqrt(2 * math.pi) / near * w * (1 + w8 * (1 + w8 * w8))
    value = jnp.where(y > _CROSSING, right, jnp.where(y < _NO_MORE, 1.0, left))
    return jnp.where(jnp.isnan(y), y, value)


def _upper_quantile(p: jax.Array) -> jax.Array:
    """For p up to that at 0.8: 2y^2 = -log(p/2), less a power series in p that begins with p^3."""
    h = 0.5 * p
    # Half of a small number may be none in single precision.
    logarithm = math.log(2) - log(p) if is_single(p) else -log(h)
    return jnp.sqrt(0.5 * (logarithm - h * h * h * tables.TAIL(h)))


def _lower_quantile(r: jax.Array) -> jax.Array:
    """Where 1 - p = r is smaller: r is about 4 exp(-c) sqrt(c/pi) of c = pi^2/(8y^2)."""
    root = jnp.sqrt(math.log(4 / math.sqrt(math.pi)) - log(r))
    return piecewise(tables.OF_ROOT, root)


@device_kernel(ulps=2, single=3)
def kolmogi(p: jax.Array) -> jax.Array:
    """The y that the limiting distribution exceeds with probability p."""
    upper = _upper_quantile(jnp.where((p > 0) & (p < _AT_CROSSING), p, _AT_CROSSING))
    lower = _lower_quantile(jnp.where((p < 1) & (p > _AT_CROSSING), 1 - p, 1 - _AT_CROSSING))
    value = jnp.where(p < _AT_CROSSING, upper, lower)
    value = jnp.where(p == 1, 0.0, jnp.where(p == 0, jnp.inf, value))
    return jnp.where((p >= 0) & (p <= 1), value, jnp.nan)
