"""M(a, b, z) of large |z|, by its asymptotic expansion (DLMF 13.7.2)."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.integers import is_integer

FROM = 300.0
_TERMS = 60
_EPS = 2.0**-50
"""What is lost by roundings, of the largest term."""


def kummer(a: jax.Array, b: jax.Array, z: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The value of complex z, and its relative error, infinite up to |z| = 300."""
    far = jnp.abs(z) > FROM
    z = jnp.where(far, z, 2 * FROM)
    logarithm = jnp.log(z)
    turn = jnp.where(z.imag < 0, -1j, 1j) * math.pi
    growing, of_growing = _sum(1 - a, b - a, 1 / z)
    falling, of_falling = _sum(a, a - b + 1, -1 / z)
    first = _quotient(b, a, z + (a - b) * logarithm)
    second = _quotient(b, b - a, (turn - logarithm) * a)
    value = first * growing + second * falling
    lost = jnp.abs(first) * of_growing + jnp.abs(second) * of_falling
    # An exponent has lost what it is rounded by.
    error = lost / jnp.abs(value) + _EPS * jnp.abs(z) / 4
    return value, jnp.where(far & jnp.isfinite(error), error, jnp.inf)


def _sum(p: jax.Array, q: jax.Array, w: jax.Array) -> tuple[Any, Any]:
    """The sum of (p)_s (q)_s w^s/s! up to its smallest term, and what it is off by."""

    def step(s: jax.Array, state: tuple[Any, ...]) -> tuple[Any, ...]:
        term, total, largest, left = state
        after = term * ((p + s) * (q + s) / (s + 1) * w)
        falls = (jnp.abs(after) < jnp.abs(term)) | (s < jnp.abs(p)) | (s < jnp.abs(q))
        term = jnp.where(falls, after, 0.0)
        size = jnp.abs(term)
        return term, total + term, jnp.maximum(largest, size), jnp.where(falls, size, left)

    one = jnp.ones_like(p * q * w)
    size = jnp.abs(one)
    _, total, largest, left = jax.lax.fori_loop(0, _TERMS, step, (one, one, size, size))
    return total, left + _EPS * largest


def _quotient(b: jax.Array, a: jax.Array, exponent: jax.Array) -> jax.Array:
    """Gamma(b)/Gamma(a) times an exponential: 0 where a is a pole."""
    pole = (a <= 0) & is_integer(a)
    size = jax.lax.lgamma(b) - jax.lax.lgamma(jnp.where(pole, 1.0, a))
    value = jnp.exp(exponent + size) * (_sign(b) * _sign(a))
    return jnp.where(pole, 0.0, value)


def _sign(a: jax.Array) -> jax.Array:
    """Of Gamma(a)."""
    return jnp.where((a < 0) & (jnp.mod(jnp.floor(a), 2) == 1), -1.0, 1.0)
