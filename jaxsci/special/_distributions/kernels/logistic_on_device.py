"""The logistic function, its logarithm and its inverse in JAX operations."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.vectorised import log


@device_kernel(ulps=2, single=3)
def expit(x: jax.Array) -> jax.Array:
    """1/(1 + exp(-x))."""
    small = jnp.exp(-jnp.abs(x))
    return jnp.where(x < 0, small, 1.0) / (1 + small)


@device_kernel(ulps=2, single=3)
def log_expit(x: jax.Array) -> jax.Array:
    """-log(1 + exp(-x))."""
    small = log1p(jnp.exp(-jnp.abs(x)))
    return jnp.where(x < 0, x - small, -small)


@device_kernel(ulps=2, single=3)
def logit(x: jax.Array) -> jax.Array:
    """log(x/(1 - x)); in the middle by the distance of the odds from 1."""
    middle = jnp.abs(x - 0.5) <= 0.25
    near = log1p(jnp.where(middle, 2 * x - 1, 0.0) / jnp.where(middle, 1 - x, 1.0))
    far = log(x / (1 - x))
    value = jnp.where(middle, near, jnp.where(x == 1, jnp.inf, far))
    return jnp.where((x >= 0) & (x <= 1), value, jnp.nan)
