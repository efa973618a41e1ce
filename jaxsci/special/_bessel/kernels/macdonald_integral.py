"""The integral of K_0(t)/t from x to infinity, for x > 3."""

from __future__ import annotations

import jax
import jax.numpy as jnp

_NODES = 40
_FALL = 40.0  # e^-40 is below rounding
_FRACTIONS = 40


def tail(x: jax.Array) -> jax.Array:
    """By DLMF 10.32.9 it is the integral of E_1(x cosh u) over u from 0 on.

    The trapezoidal rule converges geometrically there.
    """
    end = jnp.arccosh(1 + _FALL / x)
    step = end / _NODES

    def add(total: jax.Array, k: jax.Array) -> tuple[jax.Array, None]:
        y = x * jnp.cosh(k * step)
        weight = jnp.where(k == 0, 0.5, 1.0)
        return total + weight * jnp.exp(x - y) * _fraction(y), None

    total = jax.lax.scan(add, jnp.zeros_like(x), jnp.arange(_NODES + 1.0))[0]
    return jnp.exp(-x) * step * total


def _fraction(y: jax.Array) -> jax.Array:
    """E_1(y) exp(y) by its continued fraction (DLMF 6.9.1, contracted)."""
    t = y + 2 * _FRACTIONS + 1
    for k in range(_FRACTIONS, 0, -1):
        t = y + 2 * k - 1 - k * k / t
    return 1 / t
