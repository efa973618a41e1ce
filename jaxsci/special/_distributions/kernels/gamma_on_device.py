"""Distribution functions that are incomplete gamma functions, and their quantiles, on devices."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._incomplete.kernels.gamma_inverse_on_device import ULPS as ULPS_OF_QUANTILES
from jaxsci.special._incomplete.kernels.gamma_inverse_on_device import (
    quantile_or_end,
    quantile_over,
)
from jaxsci.special._incomplete.kernels.gamma_on_device import ULPS, regularised


@device_kernel(ULPS, conditioned=True, single=6)
def gdtr(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """P(b, a x)."""
    return jnp.where(x >= 0, regularised(b, a * x)[0], jnp.nan)


@device_kernel(ULPS, conditioned=True, single=6)
def gdtrc(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """Q(b, a x)."""
    return jnp.where(x >= 0, regularised(b, a * x)[1], jnp.nan)


@device_kernel(ULPS, conditioned=True, single=6)
def chdtr(v: jax.Array, x: jax.Array) -> Any:
    """P(v/2, x/2)."""
    return regularised(v / 2, x / 2)[0]


@device_kernel(ULPS, conditioned=True, single=6)
def chdtrc(v: jax.Array, x: jax.Array) -> Any:
    """Q(v/2, x/2)."""
    return regularised(v / 2, x / 2)[1]


@device_kernel(20, conditioned=True, single=6)
def pdtr(k: jax.Array, m: jax.Array) -> jax.Array:
    """Q(k + 1, m)."""
    return _poisson(k, m, 1)


@device_kernel(20, conditioned=True, single=6)
def pdtrc(k: jax.Array, m: jax.Array) -> jax.Array:
    """P(k + 1, m)."""
    return _poisson(k, m, 0)


def _poisson(k: jax.Array, m: jax.Array, tail: int) -> jax.Array:
    shape = jnp.floor(k.astype(m.dtype)) + 1
    return jnp.where(shape >= 1, regularised(shape, m)[tail], jnp.nan)


# -- quantiles -------------------------------------------------------------------------------------


@device_kernel(ULPS_OF_QUANTILES, conditioned=True)
def gdtria(p: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """The rate: a x is the quantile."""
    return jnp.where(x == 0, jnp.nan, quantile_over(b, p, 1 - p, x))


@device_kernel(ULPS_OF_QUANTILES, conditioned=True)
def gdtrix(a: jax.Array, b: jax.Array, p: jax.Array) -> jax.Array:
    """The x for which a x is the quantile."""
    undefined = (a == jnp.inf) | ((b == jnp.inf) & (a >= 0))
    return jnp.where(undefined, jnp.nan, quantile_over(b, p, 1 - p, a))


@device_kernel(ULPS_OF_QUANTILES, conditioned=True, single=8)
def chdtri(v: jax.Array, p: jax.Array) -> jax.Array:
    """Twice the quantile of v/2."""
    undefined = (v == 0) & (p > 0) & (p < 1)
    return jnp.where(undefined, jnp.nan, 2 * quantile_or_end(v / 2, 1 - p, p))


@device_kernel(ULPS_OF_QUANTILES, conditioned=True, single=6)
def pdtri(k: jax.Array, y: jax.Array) -> jax.Array:
    """The quantile of k + 1."""
    shape = jnp.floor(k.astype(y.dtype)) + 1
    return jnp.where(shape >= 1, quantile_or_end(jnp.maximum(shape, 1.0), 1 - y, y), jnp.nan)
