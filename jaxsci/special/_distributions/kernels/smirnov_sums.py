"""Derivatives of Smirnov's distribution function, of every order, by its finite sums.

The function is the sum of T_m(d) = C(n, m) d (d + j/n)^(j-1) q^m over m = n - j, as long as
q = m/n - d is positive. All terms together add up to 1, so that the few terms with q < 0 give the
complement. T_m without its last two powers is a binomial probability, which the saddle-point form
of Loader (2000) keeps to full precision.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed, missing
from jaxsci._core.make_host_function import host_function
from jaxsci.special._numerics.bell_polynomials import complete_bell
from jaxsci.special._numerics.stirling import stirling

_LARGEST = 10**6
"""Above it the leading terms in 1/n are used, as SciPy does for the function itself."""
_FEW = 40.0


def _derivative(n: Any, d: Any, *, k: int) -> float:
    """The k-th derivative in d (k > 0) of the probability that D_n+ is at least d."""
    n, d = float(n), float(d)
    if not (n >= 1 and n == math.floor(n) and 0 <= d <= 1):
        return math.nan
    with np.errstate(all="ignore"):
        if n > _LARGEST:
            return _asymptotic(n, d, k)
        if d == 0:
            return -float(k * math.prod(n - 1 - i for i in range(k - 1)))
        shift = n * d
        if shift <= _FEW and shift * d < 0.5:
            return -_singles(n, d, range(min(math.floor(shift) + 2, int(n) + 1)), k, above=False)
        first = math.floor(shift)
        # Past these, T_m and its first k derivatives are all negligible where q is tiny.
        few = range(first, min(k + 3, int(n)) + 1)
        others = np.arange(max(first, few.stop), n + 1)
        return _singles(n, d, few, k, above=True) + _many(n, d, others[others > shift], k)


_EXACT = decimal.Context(
    prec=100, traps=[], Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, rounding=decimal.ROUND_DOWN
)


def _singles(n: float, d: float, which: Iterable[int], k: int, *, above: bool) -> float:
    """The sum of the k-th derivatives of those T_m with q >= 0 (or q <= 0, unless `above`).

    In many digits: their signs alternate. At a zero of q, where a term begins, it counts half: the
    derivative that jumps there is the mean of both sides.
    """
    with decimal.localcontext(_EXACT):
        whole, at = int(n), decimal.Decimal(d)
        total = decimal.Decimal(0)
        for m in which:
            q = m / decimal.Decimal(whole) - at
            if q == 0 or (q > 0) == above:
                term = _single(whole, at, m, q, k)
                total += term / 2 if q == 0 and m > 0 else term
        return float(total)


def _single(n: int, d: decimal.Decimal, m: int, q: decimal.Decimal, k: int) -> decimal.Decimal:
    """The k-th derivative of T_m, factor by factor."""
    j, base = n - m, 1 - q
    total = decimal.Decimal(0)
    for i in range(min(m, k) + 1):
        r = k - i
        power = math.perm(m, i) * (-1) ** i * (q ** (m - i) if m > i else 1)
        if j == 0:
            # d and the power of d + j/n are one.
            rest = decimal.Decimal(1 if r == 0 else 0)
        else:
            rest = d * _falling_power(base, j - 1, r)
            if r:
                rest += r * _falling_power(base, j - 1, r - 1)
        total += math.comb(k, i) * rest * power
    return total * math.comb(n, m)


def _falling_power(x: decimal.Decimal, n: int, r: int) -> decimal.Decimal:
    """The r-th derivative of x^n."""
    if r > n:
        return decimal.Decimal(0)
    return math.perm(n, r) * (x ** (n - r) if n > r else decimal.Decimal(1))


def _many(n: float, d: float, m: np.ndarray, k: int) -> float:
    """The sum of the k-th derivatives of T_m, where q is not near 0 or m > k + 3."""
    if m.size == 0:
        return 0.0
    j = n - m
    x, q = j / n, m / n - d
    probability = np.empty_like(m)
    inner = j > 0
    i, o = j[inner], m[inner]
    log = 0.5 * np.log(n / (2 * np.pi * i * o)) + _remainder(np.array([n]))
    log -= _remainder(i) + _remainder(o)
    log -= i * _excess(n * d / i) + o * _excess(-n * d / o)
    probability[inner] = np.exp(log)
    probability[~inner] = np.exp(n * np.log1p(-d))
    term = d / (d + x) * probability
    slopes = [x / (d * (d + x)) - n * d / ((d + x) * q)]
    for order in range(1, k):
        sign, size = (-1) ** order, math.factorial(order)
        power = order + 1
        slopes.append(
            sign * size * (d**-power - (d + x) ** -power)
            + n * size * (sign * x * (d + x) ** -power - (1 - x) * q**-power)
        )
    contributions = (term * complete_bell(slopes)[-1])[probability > 0]
    size = np.abs(contributions)
    return math.fsum(contributions[size > 1e-25 * np.max(size, initial=0.0)])


def _remainder(x: np.ndarray) -> np.ndarray:
    """log(x!) without its leading terms (DLMF 5.11.1)."""
    far = stirling(x, terms=5)
    near = scipy.special.gammaln(np.minimum(x, 20) + 1)
    near -= (x + 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi)
    return np.where(x < 16, near, far)


def _excess(e: np.ndarray) -> np.ndarray:
    """The difference e - log(1 + e), also for small e."""
    r = np.where(np.abs(e) < 0.2, e / (2 + e), 0.0)
    v = r * r
    series: Any = 0.0
    for power in range(19, 1, -2):
        series = (series + 1 / power) * v
    return np.where(np.abs(e) < 0.2, r * (e - 2 * series), e - np.log1p(e))


def _asymptotic(n: float, d: float, k: int) -> float:
    """Derivatives of exp(-(6nd + 1)^2/(18n))."""
    slopes = [-2 * (6 * n * d + 1) / 3, -4 * n][:k] + [0.0] * (k - 2)
    return math.exp(-((6 * n * d + 1) ** 2) / (18 * n)) * complete_bell(slopes)[-1]


derivative = host_function(
    _derivative,
    "(),()->()",
    static_argnames="k",
    double=True,
    name="smirnov_derivative",
)
derivative.partials(
    n=missing("it is a number of observations"),
    d=closed("differentiated term by term", lambda y, n, d, *, k: derivative(n, d, k=k + 1)),
)
