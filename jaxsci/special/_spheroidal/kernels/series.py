"""Spheroidal eigenvalues and angular functions, with all derivatives, for rules to use.

Prolate and oblate functions differ in the sign of the parameter c^2, which is `square` here.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._numerics import folded, tridiagonal
from jaxsci.special._numerics.tridiagonal import ROWS

_INTEGER = missing("it is an integer")


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
    """The equations of the coefficients d_r, made symmetric."""
    r = rows(m, n)
    k, s = (m + r) * (m + r + 1), 2 * m + 2 * r
    slope = (2 * k - 2 * m * m - 1) / ((s - 1) * (s + 3))
    return tridiagonal.Family(k, slope, jnp.sqrt(above(m, r) * below(m, r + 2)))


def index_of(m: jax.Array, n: jax.Array) -> jax.Array:
    """Which of the eigenvalues."""
    return jnp.floor((n - m) / 2)


def weights(m: Any, n: Any) -> Any:
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
    values, _, _ = tridiagonal.expansion(family_of(m, n), square, index_of(m, n), order)
    inside = in_reach(square, m, n, values[0])
    return jnp.where(inside, math.factorial(order) * values[order], jnp.nan)


eigenvalue.partials(m=_INTEGER, n=_INTEGER)


def _gegenbauer(degree: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """C_r of this degree, for r = 0 ... 2 ROWS - 1 (DLMF 18.9.1), and without its lowest power."""

    def step(carry: jax.Array, r: jax.Array) -> tuple[Any, Any]:
        before, now, rest_before, rest = carry
        up, down = 2 * (r + degree) * x / (r + 1), (r + 2 * degree - 1) / (r + 1)
        after = up * now - down * before
        rest_after = up * jnp.where(r % 2 == 0, rest, now) - down * rest_before
        return (now, after, rest, jnp.where(r == 0, 0.0, rest_after)), (now, rest)

    zero, one = jnp.zeros_like(x), jnp.ones_like(x)
    return jax.lax.scan(step, (zero, one, zero, zero), jnp.arange(2.0 * ROWS))[1]


def _slopes(m: Any, n: Any, x: Any, k: int, cut: Any = False) -> Any:
    """The k-th derivative of C_r^(m + 1/2), for r of each row (DLMF 18.9.19).

    Where `cut` says so, without the lowest power of x.
    """
    whole, rest = _gegenbauer(m + k + 0.5, x)
    c = jnp.where(cut, rest, whole)
    c = jnp.concatenate([jnp.zeros_like(c[:k]), c[: 2 * ROWS - k]])
    c = jnp.where((n - m) % 2 == 0, c[0::2], c[1::2])
    return c * math.prod(2 * m + 1 + 2 * j for j in range(k)) if k else c


def _at_zero(m: Any, n: Any) -> Any:
    """P_n^m(0) where n - m is even, and P_n^m'(0) where it is odd, without (-1)^m."""
    j = jnp.arange(1.0, 2 * ROWS).reshape(-1, *[1] * m.ndim)
    odd = (n - m) % 2
    half = (n - m - odd) / 2
    ratio = folded.product(jnp.where(j <= half, -(m + odd - 0.5 + j) / j, 1.0))
    return ratio * folded.product(jnp.where(j <= m + odd, 2 * j - 1, 1.0))


@tower("perturbation theory", square="in_s")
def angular_sum(m: Any, n: Any, square: jax.Array, x: jax.Array, *, in_s: int, in_x: int) -> Any:
    """S(x) / (1 - x^2)^(m/2), or its derivatives in c^2 and x: sums of Gegenbauer's polynomials.

    Normalised as Flammer does: S or S' is at 0 what it is for c = 0.
    """
    m, n, square, x = jnp.broadcast_arrays(m, n, square, x)
    values, u, _ = tridiagonal.expansion(family_of(m, n), square, index_of(m, n), in_s)
    odd = (n - m) % 2
    weight, zero = weights(m, n), jnp.zeros_like(x)
    start = jnp.where(odd == 0, _slopes(m, n, zero, 0), _slopes(m, n, zero, 1))
    norms = [_total(weight * one, start) for one in u]
    inverse = tridiagonal.power([one / norms[0] for one in norms], -1.0)
    d = tridiagonal.product(u, inverse, in_s) * weight * (math.factorial(in_s) / norms[0])
    # What the norm fixes does not depend on c: the derivatives in c^2 do not have that power of x.
    cut = in_s > 0 and (in_x == 0 or (in_x == 1) & (odd != 0))
    total = _total(d, _slopes(m, n, x, in_x, cut)) * _at_zero(m, n)
    return jnp.where(in_reach(square, m, n, values[0]), total, jnp.nan)


def _total(d: jax.Array, values: jax.Array) -> Any:
    return folded.total(jnp.where(d == 0, 0.0, d * values))


angular_sum.partials(
    m=_INTEGER,
    n=_INTEGER,
    x=closed(
        "DLMF 18.9.19",
        lambda y, m, n, square, x, *, in_s, in_x: angular_sum(
            m, n, square, x, in_s=in_s, in_x=in_x + 1
        ),
    ),
)
