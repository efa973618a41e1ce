"""Kolmogorov's limiting distribution in JAX operations, by its theta series (DLMF 20.7(viii))."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.elementary import exp_of_square

_CROSSING = 0.8
_NO_MORE = 0.04


@device_kernel(ulps=3)
def kolmogorov(y: jax.Array) -> Any:
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
