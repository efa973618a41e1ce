"""Hermite polynomials of real numbers in JAX operations, by their recurrence (DLMF 18.9.1)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel

_MOST_STEPS = 1e5
"""NaN for degrees above: no program should take for ever."""
_AT_ONCE = 8
_ENVELOPE = "hypot(hermite(n, x*{0}), sqrt(2*n)*hermite(max(n - 1, 0), x*{0}))*{1} if n > 0 else 0"
"""What the polynomial oscillates up to: at its zeros its derivative counts."""


def _by_three_terms(n: jax.Array, x: jax.Array, factor: float) -> Any:
    """Degree n, where P_(k+1) = factor (x P_k - k P_(k-1))."""
    n = n.astype(x.dtype)
    known = (n >= 0) & (n <= _MOST_STEPS) & ~jnp.isnan(x)

    degree = jnp.where(known, n, 0.0)

    def more(carry: tuple[jax.Array, jax.Array]) -> jax.Array:
        return jnp.any(carry[0] < degree)

    def advance(carry: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        # Some steps at once, and both numbers in one, so that a loop has little to carry along.
        k, both = carry
        value, below = both.real, both.imag
        for _ in range(_AT_ONCE):
            above = factor * (x * value - k * below)
            value, below = jnp.where(k < degree, above, value), jnp.where(k < degree, value, below)
            k = k + 1
        return k, jax.lax.complex(value, below)

    one = jnp.ones_like(x * n)
    start = jnp.zeros(()), jax.lax.complex(one, jnp.zeros_like(one))
    value = jax.lax.while_loop(more, advance, start)[1].real
    return jnp.where(known, value, jnp.nan)


@device_kernel(ulps=20, envelope=_ENVELOPE.format("1", "1"))
def eval_hermite(n: jax.Array, x: jax.Array) -> Any:
    """H_n(x)."""
    return _by_three_terms(n, x, 2.0)


@device_kernel(ulps=20, envelope=_ENVELOPE.format("sqrt(0.5)", "mpf(2)**(-mpf(n)/2)"))
def eval_hermitenorm(n: jax.Array, x: jax.Array) -> Any:
    """He_n(x)."""
    return _by_three_terms(n, x, 1.0)
