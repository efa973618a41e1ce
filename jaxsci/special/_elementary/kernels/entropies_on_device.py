"""Entropies and robust losses in JAX operations.

Of numbers x and y that are not far from one another, log(x/y) is 2 atanh(s) of s = (x-y)/(x+y),
and what is left of divergences are series in s without a cancellation.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import elementary_tables as tables
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.vectorised import log

_NEAR = 0.3
_RANGE = (1e-290, 1e290), (1e-30, 1e30)
"""Where quotients are precise, in double precision and in single."""


@device_kernel(ulps=4, conditioned=True, single=4)
def xlog1py(x: jax.Array, y: jax.Array) -> jax.Array:
    """X log(1 + y)."""
    return jnp.where((x == 0) & ~jnp.isnan(y), 0.0, x * log1p(y))


def _parts(x: jax.Array, y: jax.Array) -> tuple[Any, Any, Any, Any]:
    """log(x/y) for x, y > 0, s, atanh(s)/s - 1, and where s is small."""
    s = (x - y) / (x + y)
    close = jnp.abs(s) < _NEAR
    s = jnp.where(close, s, 0.0)
    v = s * s
    rest = 0.5 * v * tables.ATANH(v)
    ratio = x / y
    least, most = by_precision(ratio, *_RANGE)
    safe = (ratio > least) & (ratio < most)
    apart = jnp.where(safe, log(jnp.where(safe, ratio, 1.0)), log(x) - log(y))
    return jnp.where(close, 2 * (s + s * rest), apart), s, rest, close


@device_kernel(ulps=8, conditioned=True, single=4)
def rel_entr(x: jax.Array, y: jax.Array) -> jax.Array:
    """X log(x/y)."""
    inside = (x > 0) & (y > 0)
    logarithm, *_ = _parts(jnp.where(inside, x, 1.0), jnp.where(inside, y, 1.0))
    value = jnp.where(inside, x * logarithm, jnp.where((x == 0) & (y >= 0), 0.0, jnp.inf))
    return jnp.where(jnp.isnan(x) | jnp.isnan(y), jnp.nan, value)


@device_kernel(ulps=8, conditioned=True, single=4)
def kl_div(x: jax.Array, y: jax.Array) -> jax.Array:
    """X log(x/y) - x + y."""
    inside = (x > 0) & (y > 0)
    p, q = jnp.where(inside, x, 1.0), jnp.where(inside, y, 1.0)
    logarithm, s, rest, close = _parts(p, q)
    near = (p + q) * (s * (s + (1 + s) * rest))
    value = jnp.where(close, near, p * logarithm - p + q)
    value = jnp.where(inside, value, jnp.where((x == 0) & (y >= 0), y, jnp.inf))
    return jnp.where(jnp.isnan(x) | jnp.isnan(y), jnp.nan, value)


@device_kernel(ulps=8, conditioned=True, single=4)
def pseudo_huber(delta: jax.Array, r: jax.Array) -> jax.Array:
    """delta^2 (sqrt(1 + (r/delta)^2) - 1), without the difference."""
    size = jnp.abs(r)
    small = size < delta
    ratio = jnp.where(small, size, delta) / jnp.where(small, delta, size)
    root = jnp.sqrt(1 + ratio * ratio)
    value = jnp.where(small, size * (size / (1 + root)), size * (delta / (ratio + root)))
    value = jnp.where((delta == 0) | (r == 0), 0.0, value)
    return jnp.where(delta < 0, jnp.inf, value)
