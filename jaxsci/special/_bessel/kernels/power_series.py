"""J and I of v >= 0 next to x = 0, by their power series."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._gamma.kernels.on_device import rgamma


def power_series(v: jax.Array, x: jax.Array, sign: int, terms: int) -> jax.Array:
    """J (sign -1, DLMF 10.2.2) or I (sign 1, DLMF 10.25.2), which is (x/2)^v/Gamma(v + 1) at 0."""
    square = sign * x * x / 4
    total: Any = 1.0
    for k in range(terms, 0, -1):
        total = 1 + total * square / (k * (k + v))
    return jnp.exp(v * jnp.log(x / 2)) * rgamma(v + 1) * total
