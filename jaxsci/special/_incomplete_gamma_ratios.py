"""Incomplete gamma functions over w = x^a exp(-x)/Gamma(a+1), and all their derivatives.

P/w is the sum of x^k/(a+1)_k (DLMF 8.7.1). In the logarithm v of t/x the integrals of DLMF 8.2.1
and 8.2.2 are, with s = a + 1 and a,

    P/w = 1 + x M(s, x), Q/w = a M(s, x), M(s, x) = integral of exp(s v - x (e^v - 1)) dv,

over v < 0 for P, and over v > 0 for Q. Derivatives bring down factors v and 1 - e^v, which have one
sign there, so nothing cancels; nor does it in the series, whose derivatives in a alternate. The
integrand is an entire function, and falls like an exponential function, a Gaussian one, or faster:
Gauss's rule converges quickly up to where it is negligible.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._composed import NativeFunction, native
from jaxsci._derive import Closed, closed
from jaxsci.special._gauss_legendre import gauss_legendre

_NODES = 48
_FALL = 40.0
"""exp(-_FALL) is negligible; with a factor more in the integrand, that of one more each."""
_FALL_PER_FACTOR = 3.0
_LARGE = 10.0
"""Below this shape the series has few terms; above it Gauss's rule is right for P as for Q."""
_TERMS = 60
_NEWTON_STEPS = 3
_SERIES_OF_EXPONENTIAL = 16


def _one_more(index: str, ratio: NativeFunction) -> Closed:
    def derivative(y: Any, a: Any, x: Any, **static: int) -> Any:
        return ratio(a, x, **(static | {index: static.get(index, 0) + 1}))

    return closed("one factor more under the integral", derivative)


@native()
def lower_ratio(a: Any, x: Any, *, i: int = 0, m: int = 0) -> Any:
    """(d/da)^i (d/dx)^m of P(a, x)/w, for a >= 0 and 0 <= x with log x <= psi(a+1)."""
    return lower_ratio_slopes(a, x, [i], m)[0]


@native()
def upper_ratio(a: Any, x: Any, *, i: int = 0, m: int = 0) -> Any:
    """(d/da)^i (d/dx)^m of Q(a, x)/w, for a >= 0 and log x >= psi(a+1)."""
    return upper_ratio_slopes(a, x, [i], m)[0]


lower_ratio.partials(a=_one_more("i", lower_ratio), x=_one_more("m", lower_ratio))
upper_ratio.partials(a=_one_more("i", upper_ratio), x=_one_more("m", upper_ratio))


def lower_ratio_slopes(a: Any, x: Any, orders: Sequence[int], m: int = 0) -> list[Any]:
    """`lower_ratio` for several orders i."""
    a, x = jnp.broadcast_arrays(a, x)
    large = a >= _LARGE
    sums = _series(jnp.where(large, 0.0, a), jnp.where(large, 0.0, x), orders, m)
    s, t = jnp.where(large, a, _LARGE) + 1, jnp.where(large, x, 1.0)
    of = _moments(s, t, {(i, k) for i in orders for k in {m, max(m - 1, 0)}}, -1)
    out = []
    for i, series in zip(orders, sums, strict=True):
        integral = t * of[i, m] + (m * of[i, m - 1] if m else 0.0) + (1.0 if i == m == 0 else 0.0)
        out.append(jnp.where(large, integral, series))
    return out


def upper_ratio_slopes(a: Any, x: Any, orders: Sequence[int], m: int = 0) -> list[Any]:
    """`upper_ratio` for several orders i."""
    a, x = jnp.broadcast_arrays(a, x)
    of = _moments(a, x, {(j, m) for i in orders for j in {i, max(i - 1, 0)}}, 1)
    return [a * of[i, m] + (i * of[i - 1, m] if i else 0.0) for i in orders]


def _series(a: Any, x: Any, orders: Sequence[int], m: int) -> list[Any]:
    """Of the sum of x^k/(a+1)_k: each term as a Taylor polynomial in a, of alternating signs."""

    def over(term: list[Any], z: Any) -> list[Any]:
        """Divided by z + (the change of a)."""
        out = [term[0] / z]
        for c in term[1:]:
            out.append((c - out[-1]) / z)
        return out

    term = [jnp.full_like(a, float(math.factorial(m)))] + [jnp.zeros_like(a)] * max(orders)
    for k in range(m):
        term = over(term, a + k + 1)

    def following(k: Any, state: Any) -> Any:
        term, totals = state
        growth = x * ((k + 1 + m) / (k + 1.0))
        term = over([c * growth for c in term], a + m + k + 1)
        return term, [total + term[i] for total, i in zip(totals, orders, strict=True)]

    totals = jax.lax.fori_loop(0, _TERMS, following, (term, [term[i] for i in orders]))[1]
    return [math.factorial(i) * total for total, i in zip(totals, orders, strict=True)]


def _moments(
    s: Any, x: Any, orders: Collection[tuple[int, int]], sign: int
) -> dict[tuple[int, int], Any]:
    """M(s, x) with v^i (1 - e^v)^m in the integrand for each (i, m); v has that sign."""
    factors = max(i + m for i, m in orders)
    end = _end_above(s, x, factors) if sign > 0 else _end_below(s, x, factors)
    nodes, weights = map(jnp.asarray, gauss_legendre(_NODES))

    def add(k: Any, totals: Any) -> Any:
        v = sign * end * nodes[k]
        excess = _excess(v)
        part = weights[k] * jnp.exp((s - x) * v - x * excess)
        return {
            (i, m): total + part * v**i * (-(v + excess)) ** m for (i, m), total in totals.items()
        }

    sums = jax.lax.fori_loop(0, _NODES, add, dict.fromkeys(sorted(orders), jnp.zeros_like(end)))
    return {order: end * total for order, total in sums.items()}


def _excess(v: Any) -> Any:
    """e^v - 1 - v."""
    near = jnp.abs(v) < 0.7
    u = jnp.where(near, v, 0.0)
    total: Any = 0.0
    for j in range(_SERIES_OF_EXPONENTIAL, 1, -1):
        total = total * u + 1 / math.factorial(j)
    return jnp.where(near, total * u * u, jnp.expm1(v) - v)


def _end_below(s: Any, x: Any, factors: int) -> Any:
    """-v at which the exponent has fallen enough, or beyond: e^v - 1 - v >= v^2/(2 - v)."""
    fall = (_FALL + _FALL_PER_FACTOR * factors) / s
    linear = 2 * ((s - x) / s) - fall
    return 4 * fall / (linear + jnp.sqrt(linear * linear + 8 * fall))


def _end_above(s: Any, x: Any, factors: int) -> Any:
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
