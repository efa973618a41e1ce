"""Incomplete gamma functions over w = x^a exp(-x)/Gamma(a+1), and all their derivatives.

Below x = exp(psi(a+1)), near the median, it is P, above it -Q, so that P_a = (w R)_a for this ratio
R everywhere. P/w is the sum of x^k/(a+1)_k (DLMF 8.7.1). In the logarithm v of t/x the integrals of
DLMF 8.2.1 and 8.2.2 are

    P/w = 1 - x J(a+1, x), -Q/w = -a J(a, x), J(s, x) = integral of exp(-f) dv,

from 0 to -inf for P, and to inf for Q, where f = x (e^v - 1) - s v. Derivatives bring down factors
v and 1 - e^v, which have one sign there, so nothing cancels; nor does it in the series, whose
derivatives in a alternate. The integrand is an entire function, and falls like an exponential
function, a Gaussian one, or faster: Gauss's rule converges quickly up to where it is negligible.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._incomplete.kernels.gamma_score import gamma_score
from jaxsci.special._numerics.expm1_minus_x import expm1_minus_x
from jaxsci.special._numerics.gauss_legendre import gauss_legendre

LARGE = 10.0
"""Below this shape the series has few terms; above it Gauss's rule is right for P as for Q."""
_TERMS = 60
_NODES = 48
_FALL = 40.0
"""exp(-_FALL) is negligible; with a factor more in the integrand, that of one more each."""
_FALL_PER_FACTOR = 3.0
_NEWTON_STEPS = 3


def is_below(a: jax.Array, x: jax.Array) -> jax.Array:
    """Whether P is to be taken, rather than Q."""
    return gamma_score(a, x) < 0


def gamma_ratios(a: jax.Array, x: jax.Array, orders: Collection[tuple[int, int]]) -> dict[Any, Any]:
    """(d/da)^i (d/dx)^m of P/w below, -Q/w above exp(psi(a+1)), for each (i, m); a >= 0, x > 0."""
    a, x = jnp.broadcast_arrays(a, x)
    below = is_below(a, x)
    by_series = below & (a < LARGE)
    z, y = jnp.where(by_series, a, 0.0), jnp.where(by_series, x, 0.0)
    highest = max(i for i, m in orders)
    series = {m: _series(z, y, highest, m) for m in {m for i, m in orders}}
    s = jnp.where(by_series, 1.0, jnp.where(below, a + 1, a))
    t = jnp.where(by_series, 2.0, x)
    needed = {(j, k, 0) for i, m in orders for j, k in ((i, m), (i, m - 1), (i - 1, m))}
    of = moments(s, t, below & ~by_series, [n for n in needed if min(n) >= 0])
    out = {}
    for i, m in orders:
        # By Leibniz's rule, as the factors are linear.
        lower, upper = -t * of[i, m, 0], -s * of[i, m, 0]
        if m:
            lower = lower - m * of[i, m - 1, 0]
        if i:
            upper = upper - i * of[i - 1, m, 0]
        if i == m == 0:
            lower = 1 + lower
        out[i, m] = jnp.where(by_series, series[m][i], jnp.where(below, lower, upper))
    return out


def _series(a: jax.Array, x: jax.Array, highest: int, m: int) -> list[Any]:
    """(d/da)^i (d/dx)^m of the sum of x^k/(a+1)_k, for i up to the highest.

    Each term is a Taylor polynomial in the change of a, of alternating signs.
    """

    def over(term: list[jax.Array], z: jax.Array) -> list[jax.Array]:
        """Divided by z + (the change of a)."""
        out = [term[0] / z]
        for c in term[1:]:
            out.append((c - out[-1]) / z)
        return out

    term = [jnp.full_like(a, float(math.factorial(m)))] + [jnp.zeros_like(a)] * highest
    for k in range(m):
        term = over(term, a + k + 1)

    def following(k: jax.Array, state: PyTree) -> Any:
        term, totals = state
        growth = x * ((k + 1 + m) / (k + 1.0))
        term = over([c * growth for c in term], a + m + k + 1)
        return term, [total + c for total, c in zip(totals, term, strict=True)]

    totals = jax.lax.fori_loop(0, _TERMS, following, (term, term))[1]
    return [math.factorial(i) * total for i, total in enumerate(totals)]


def moments(
    s: jax.Array, x: jax.Array, below: jax.Array, orders: Collection[tuple[int, int, int]]
) -> dict[tuple[int, int, int], Any]:
    """J(s, x) with v^i (1 - e^v)^m f^k in the integrand, for each (i, m, k).

    Args:
        s: the shape.
        x: at most about s where `below`, and s is not small there; at least s elsewhere.
        below: where the integral goes to -inf.
        orders: the powers.
    """
    factors = max(map(sum, orders))
    end = jnp.where(below, -_end_below(s, x, factors), _end_above(s, x, factors))
    nodes, weights = map(jnp.asarray, gauss_legendre(_NODES))

    def add(n: jax.Array, totals: Any) -> Any:
        v = end * nodes[n]
        above_line = expm1_minus_x(v)
        fall = (x - s) * v + x * above_line
        part = weights[n] * jnp.exp(-fall)
        return {
            (i, m, k): total + part * v**i * (-(v + above_line)) ** m * fall**k
            for (i, m, k), total in totals.items()
        }

    sums = jax.lax.fori_loop(0, _NODES, add, dict.fromkeys(sorted(orders), jnp.zeros_like(end)))
    return {order: end * total for order, total in sums.items()}


def _end_below(s: jax.Array, x: jax.Array, factors: int) -> jax.Array:
    """-v at which the exponent has fallen enough, or beyond: e^v - 1 - v >= v^2/(2 - v)."""
    fall = (_FALL + _FALL_PER_FACTOR * factors) / s
    linear = 2 * ((s - x) / s) - fall
    return 4 * fall / (linear + jnp.sqrt(linear * linear + 8 * fall))


def _end_above(s: jax.Array, x: jax.Array, factors: int) -> jax.Array:
    """The v at which the exponent has fallen enough, or beyond."""
    fall, linear = (_FALL + _FALL_PER_FACTOR * factors) / x, (x - s) / x
    # e^v - 1 - v >= v^2/2. From above neither the fixed-point iteration nor Newton's method goes
    # below the zero, as the function is convex.
    v = 2 * fall / (linear + jnp.sqrt(linear * linear + 2 * fall))
    for _ in range(2):
        v = jnp.minimum(v, jnp.log1p(fall + s * v / x))
    for _ in range(_NEWTON_STEPS):
        e = jnp.expm1(v)
        v = v - (e - s / x * v - fall) / (e + linear)
    return v
