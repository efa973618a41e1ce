"""Voigt's profile in JAX operations: the real part of Faddeeva's function (DLMF 7.19.1)."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import faddeeva_function
from jaxsci.special._numerics.shared import shared

_FAR = 1e8
"""From here on nothing is left of the normal part."""


@device_kernel(ulps=10, envelope="npdf(x, 0, sigma)*(x/sigma)**2 if sigma != 0 else 0", single=8)
def voigt_profile(x: jax.Array, sigma: jax.Array, gamma: jax.Array) -> jax.Array:
    """Re w((x + i gamma)/(sigma sqrt(2)))/(sigma sqrt(2 pi)).

    It is the normal density for gamma = 0, and Cauchy's for sigma = 0.
    """
    scale = math.sqrt(2) * jnp.abs(sigma)
    size = jnp.maximum(jnp.abs(x), jnp.abs(gamma))
    far = ~(size < _FAR * scale)
    unit = jnp.where(far, 1.0, scale)
    r = shared(1 / unit)
    near = faddeeva_function.w(jnp.where(far, 0.0, x) * r, jnp.where(far, 0.0, gamma) * r).re
    near = near * r / math.sqrt(math.pi)
    over = shared(1 / size)
    a, b = x * over, gamma * over
    cauchy = b * over / (math.pi * (a * a + b * b))
    cauchy = jnp.where(size == 0, jnp.inf, jnp.where((size == jnp.inf) | (gamma == 0), 0.0, cauchy))
    value = jnp.where(far, cauchy, near)
    return jnp.where(jnp.isnan(x) | jnp.isnan(sigma) | jnp.isnan(gamma), jnp.nan, value)
