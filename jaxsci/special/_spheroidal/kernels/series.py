"""Spheroidal eigenvalues, with all derivatives, and their equations, for rules to use.

Prolate and oblate functions differ in the sign of the parameter c^2, which is `square` here.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import missing
from jaxsci.special._numerics import tridiagonal
from jaxsci.special._numerics.tridiagonal import ROWS

INTEGER = missing("it is an integer")


def rows(m: jax.Array, n: jax.Array) -> jax.Array:
    """The index r of each row's coefficient d_r, which multiplies P_{m+r}^m."""
    k = jnp.arange(ROWS).reshape(-1, *[1] * jnp.ndim(m))
    return 2 * k + (n - m) % 2


def above(m: jax.Array, r: jax.Array) -> jax.Array:
    """The factor of c^2 d_{r+2} in the r-th equation (Flammer 1957, 3.1.3)."""
    s = 2 * m + 2 * r
    return (2 * m + r + 2) * (2 * m + r + 1) / ((s + 3) * (s + 5))


def below(m: jax.Array, r: jax.Array) -> jax.Array:
    """The factor of c^2 d_{r-2}."""
    s = 2 * m + 2 * r
    return r * (r - 1) / ((s - 3) * (s - 1))


def family_of(m: jax.Array, n: jax.Array) -> tridiagonal.Family:
    """The equations of the coefficients d_r, made symmetric.

    Eigenvalues are counted from n (n + 1): small ones keep their digits.
    """
    r = rows(m, n)
    k, s = (m + r) * (m + r + 1), 2 * m + 2 * r
    slope = (2 * k - 2 * m * m - 1) / ((s - 1) * (s + 3))
    beside = jnp.sqrt(above(m, r) * below(m, r + 2))
    return tridiagonal.Family((m + r - n) * (m + r + n + 1), slope, beside)


def index_of(m: jax.Array, n: jax.Array) -> jax.Array:
    """Which of the eigenvalues."""
    return jnp.floor((n - m) / 2)


def weights(m: Any, n: Any) -> jax.Array:
    """What takes the symmetric matrix's eigenvector to the coefficients d_r."""
    r = rows(m, n)
    ratio = jnp.sqrt(below(m, r + 2) / above(m, r))
    return jnp.cumprod(jnp.concatenate([jnp.ones_like(ratio[:1]), ratio[:-1]]), axis=0)


def in_reach(square: jax.Array, m: jax.Array, n: jax.Array, value: jax.Array) -> jax.Array:
    """Whether the rows that are left out do not matter."""
    last = (m + rows(m, n))[-40]
    return (last**2 - value > 2 * jnp.abs(square)) & (n >= m) & (m >= 0)


@tower("Hellmann and Feynman", square="order")
def eigenvalue(m: jax.Array, n: jax.Array, square: jax.Array, *, order: int) -> jax.Array:
    """The characteristic value, or a derivative in c^2."""
    m, n, square = jnp.broadcast_arrays(m, n, square)
    excess, _, _ = tridiagonal.expansion(family_of(m, n), square, index_of(m, n), order)
    values = [n * (n + 1) + excess[0], *excess[1:]]
    inside = in_reach(square, m, n, values[0])
    return jnp.where(inside, math.factorial(order) * values[order], jnp.nan)


eigenvalue.partials(m=INTEGER, n=INTEGER)
