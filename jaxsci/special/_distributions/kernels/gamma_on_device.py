"""Distribution functions that are incomplete gamma functions, in JAX operations."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._incomplete.kernels.gamma_on_device import ULPS, regularised


@device_kernel(ULPS, conditioned=True)
def gdtr(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    """P(b, a x)."""
    return jnp.where(x >= 0, regularised(b, a * x)[0], jnp.nan)


@device_kernel(ULPS, conditioned=True)
def gdtrc(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    """Q(b, a x)."""
    return jnp.where(x >= 0, regularised(b, a * x)[1], jnp.nan)


@device_kernel(ULPS, conditioned=True)
def chdtr(v: jax.Array, x: jax.Array) -> Any:
    """P(v/2, x/2)."""
    return regularised(v / 2, x / 2)[0]


@device_kernel(ULPS, conditioned=True)
def chdtrc(v: jax.Array, x: jax.Array) -> Any:
    """Q(v/2, x/2)."""
    return regularised(v / 2, x / 2)[1]


@device_kernel(20, conditioned=True)
def pdtr(k: jax.Array, m: jax.Array) -> Any:
    """Q(k + 1, m)."""
    return _poisson(k, m, 1)


@device_kernel(20, conditioned=True)
def pdtrc(k: jax.Array, m: jax.Array) -> Any:
    """P(k + 1, m)."""
    return _poisson(k, m, 0)


def _poisson(k: jax.Array, m: jax.Array, tail: int) -> Any:
    shape = jnp.floor(jnp.asarray(k, jnp.float64)) + 1
    return jnp.where(shape >= 1, regularised(shape, m)[tail], jnp.nan)
