"""Laguerre polynomials in JAX operations, and the functions between integer degrees.

Of integer degree by recurrence (DLMF 18.9.1) for L_k/L_k(0) and its differences, which
keep their digits next to x = 0; others are confluent hypergeometric (`real_degree.py`).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.recurrences import by_pairs
from jaxsci.special._numerics.vectorised import is_odd
from jaxsci.special._orthogonal.kernels import real_degree
from jaxsci.special._orthogonal.kernels.by_degree import by_degree

_LARGEST_PARAMETER = 100.0
"""Of functions between integer degrees: NaN beyond."""


def _polynomial(n: jax.Array, a: Any, x: jax.Array) -> jax.Array:
    def step(k: jax.Array, more: jax.Array, second: jax.Array) -> tuple[jax.Array, jax.Array]:
        # The ratio less 1, which next to x = 0 would not keep what is added to 1.
        new = (k * second - x * (1 + more)) / (k + a + 1)
        return more + new, new

    zero = jnp.zeros_like(x * a + 0 * n)
    value = 1 + by_pairs(n, step, (zero, zero))
    if isinstance(a, jax.Array):
        value = value * real_degree.binomial(jnp.maximum(n, 0.0), a)
    # What has overflowed is subtracted from what has: beyond all zeros, or nowhere.
    infinite = jnp.where((x > 0) & is_odd(n), -jnp.inf, jnp.inf)
    value = jnp.where(jnp.isnan(value), infinite, value)
    return jnp.where(n < 0, 0.0, value)


def _laguerre(n: jax.Array, a: jax.Array, x: jax.Array, has_parameter: bool = True) -> jax.Array:
    # NaN at and below a = -1, as SciPy's functions have it.
    a = jnp.where(a > -1, a, jnp.nan)
    between = (n > real_degree.LEAST_DEGREE) & (n <= real_degree.LARGEST_DEGREE)
    between = between & (jnp.abs(x) <= real_degree.LARGEST_ARGUMENT)
    between = between & (jnp.abs(a) <= _LARGEST_PARAMETER)
    if not has_parameter:

        def polynomial(n: jax.Array, a: jax.Array, x: jax.Array) -> jax.Array:
            return _polynomial(n, 0.0, x)

        return by_degree(polynomial, real_degree.laguerre, between, n, a, x)
    return by_degree(_polynomial, real_degree.laguerre, between, n, a, x)


def _without_parameter(n: jax.Array, x: jax.Array) -> jax.Array:
    return _laguerre(n, jnp.zeros(()), x, has_parameter=False)


def _turned_round(x: jax.Array, n: jax.Array, k: jax.Array) -> jax.Array:
    return _laguerre(n, k, x)


_kernel = device_kernel(ulps=80, conditioned=True)
eval_genlaguerre = _kernel(_laguerre)
eval_laguerre = _kernel(_without_parameter)
assoc_laguerre = _kernel(_turned_round)
