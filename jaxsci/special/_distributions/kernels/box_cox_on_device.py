"""The Box-Cox transformations and their inverses in JAX operations."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import expm1, log1p
from jaxsci.special._numerics.vectorised import log

_TINY = 2.0**-60
_LARGE = (600.0, 70.0)
_LARGEST = (1e290, 1e36)


@device_kernel(ulps=8, conditioned=True, single=4)
def boxcox(x: jax.Array, lmbda: jax.Array) -> jax.Array:
    """(x^lmbda - 1)/lmbda."""
    return _of_logarithm(log(x), lmbda)


@device_kernel(ulps=8, conditioned=True, single=4)
def boxcox1p(x: jax.Array, lmbda: jax.Array) -> jax.Array:
    """((1 + x)^lmbda - 1)/lmbda."""
    return _of_logarithm(log1p(x), lmbda)


def _of_logarithm(u: jax.Array, lmbda: jax.Array) -> jax.Array:
    """(exp(lmbda u) - 1)/lmbda."""
    t = lmbda * u
    tiny = (jnp.abs(t) < _TINY) | (lmbda == 0)
    some = jnp.where(lmbda == 0, 1.0, lmbda)
    # The exponential may overflow alone.
    half = jnp.exp(0.5 * t)
    large = by_precision(t, *_LARGE)
    value = jnp.where(t > large, half / some * half, expm1(jnp.minimum(t, large)) / some)
    return jnp.where(tiny, jnp.where(jnp.isnan(lmbda), lmbda, u), value)


def _logarithm(y: jax.Array, lmbda: jax.Array) -> jax.Array:
    """log(1 + lmbda y)/lmbda."""
    p = lmbda * y
    tiny, large = jnp.abs(p) < _TINY, p > by_precision(p, *_LARGEST)
    some = jnp.where(lmbda == 0, 1.0, lmbda)
    apart = log(jnp.abs(some)) + log(jnp.abs(y))
    value = jnp.where(large, apart, log1p(jnp.where(large, 1.0, p))) / some
    return jnp.where(tiny | (lmbda == 0), y, value)


@device_kernel(ulps=8, conditioned=True, single=4)
def inv_boxcox(y: jax.Array, lmbda: jax.Array) -> jax.Array:
    """(1 + lmbda y)^(1/lmbda)."""
    return jnp.exp(_logarithm(y, lmbda))


@device_kernel(ulps=8, conditioned=True, single=4)
def inv_boxcox1p(y: jax.Array, lmbda: jax.Array) -> jax.Array:
    """(1 + lmbda y)^(1/lmbda) - 1."""
    return expm1(_logarithm(y, lmbda))
