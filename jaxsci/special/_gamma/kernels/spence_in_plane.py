"""The dilogarithm Li_2(1 - z) of complex z in JAX operations.

Inversion and reflection (DLMF 25.12.3, 25.12.4) take 1 - z to a w inside of the unit circle and
left of 1/2. There Li_2(w) is a power series in u = -log(1 - w), the integral of u/(exp(u) - 1)
from 0 (DLMF 24.2.1), of which |u| is at most pi/3.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.bernoulli import BERNOULLI
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.plane import Part, log_of_size, nan_like

_TERMS = 11
_BASEL = math.pi**2 / 6


def _log(z: Part) -> Part:
    return Part(log_of_size(z.re, z.im), jnp.arctan2(z.im, z.re))


def _log_above(w: Part) -> Part:
    """log(1 + w) for |w| <= 1, relative to the number."""
    near = jnp.maximum(jnp.abs(w.re), jnp.abs(w.im)) < 0.5
    s, t = jnp.where(near, w.re, 0.0), jnp.where(near, w.im, 0.0)
    size = jnp.where(near, 0.5 * log1p(s * (2 + s) + t * t), log_of_size(1 + w.re, w.im))
    return Part(size, jnp.arctan2(w.im, 1 + w.re))


def _series(u: Part) -> Part:
    """Of w by u = -log(1 - w)."""
    square = u.times(u)
    total = Part(jnp.zeros_like(u.re), jnp.zeros_like(u.re))
    for k in range(_TERMS, 0, -1):
        c = BERNOULLI[k - 1] / math.factorial(2 * k + 1)
        total = Part(total.re + c, total.im).times(square)
    return u.times(Part(1 - 0.25 * u.re + total.re, total.im - 0.25 * u.im))


@device_kernel(ulps=4, single=5)
def spence(z: jax.Array) -> jax.Array:
    """Li_2(1 - z)."""
    usual = jnp.isfinite(z.real) & jnp.isfinite(z.imag)
    safe = jnp.where(usual & (z != 0), z, 1.0)
    at = Part(safe.real, safe.imag)
    less = Part(at.re - 1, at.im)
    outside = log_of_size(less.re, less.im) > 0
    # W = 1 - z or its inverse, and what is 1 less that.
    one = Part(jnp.ones_like(at.re), jnp.zeros_like(at.re))
    away = less.where(outside, one)
    minus = away.inverse().where(outside, less)
    other = at.times(minus).where(outside, at)
    right = -minus.re > 0.5
    # The logarithm of 1 - w, and where w is reflected that of w too.
    log_other = _log(other.where(right, one))
    log_w = _log_above(Part(-other.re, -other.im).where(right, minus))
    u = Part(-log_w.re, -log_w.im)
    series = _series(u)
    product = log_other.times(log_w)
    reflected = Part(_BASEL - product.re - series.re, -product.im - series.im)
    value = reflected.where(right, series)
    far = _log(away)
    square = far.times(far)
    inverted = Part(-_BASEL - 0.5 * square.re - value.re, -0.5 * square.im - value.im)
    value = inverted.where(outside, value)
    found = jnp.where(z == 0, _BASEL, value.as_complex())
    return jnp.where(usual, found, nan_like(z))
