"""Hermite polynomials of real numbers in JAX operations, by their recurrence (DLMF 18.9.1)."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.recurrences import by_pairs
from jaxsci.special._orthogonal.kernels.three_terms import MOST_STEPS

_ENVELOPE = "hypot(hermite(n, x*{0}), sqrt(2*n)*hermite(max(n - 1, 0), x*{0}))*{1} if n > 0 else 0"
"""What the polynomial oscillates up to: at its zeros its derivative counts."""


def _by_three_terms(n: jax.Array, x: jax.Array, factor: float) -> jax.Array:
    """Degree n, where P_(k+1) = factor (x P_k - k P_(k-1))."""
    n = n.astype(x.dtype)
    known = (n >= 0) & (n <= MOST_STEPS) & ~jnp.isnan(x)

    def step(k: jax.Array, value: jax.Array, below: jax.Array) -> tuple[jax.Array, jax.Array]:
        return factor * (x * value - k * below), value

    one = jnp.ones_like(x * n)
    value = by_pairs(jnp.where(known, n, 0.0), step, (one, jnp.zeros_like(one)))
    return jnp.where(known, value, jnp.nan)


@device_kernel(ulps=20, envelope=_ENVELOPE.format("1", "1"))
def eval_hermite(n: jax.Array, x: jax.Array) -> jax.Array:
    """H_n(x)."""
    return _by_three_terms(n, x, 2.0)


@device_kernel(ulps=20, envelope=_ENVELOPE.format("sqrt(0.5)", "mpf(2)**(-mpf(n)/2)"))
def eval_hermitenorm(n: jax.Array, x: jax.Array) -> jax.Array:
    """He_n(x)."""
    return _by_three_terms(n, x, 1.0)
