"""Distribution functions by their defining sums, and their inverses as roots, in mpmath."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
from mpmath import mp

from jaxsci._verification.oracles._types import Number

__all__ = [
    "lower_beta",
    "lower_gamma",
    "noncentral_chi_square",
    "noncentral_f",
    "positive_root",
    "root_in_unit_interval",
    "upper_gamma",
]

_GUARD = 15
_COARSE = 25


def lower_gamma(a: Number, x: Number) -> Number:
    """P(a, x): below a + 1 by its series of positive terms (DLMF 8.7.1), then from Q(a, x)."""
    if x > a + 1:
        return 1 - mpmath.gammainc(a, x, regularized=True)
    return x**a * mpmath.exp(-x) * mpmath.rgamma(a + 1) * mpmath.hyp1f1(1, a + 1, x)


def upper_gamma(a: Number, x: Number) -> Number:
    """Q(a, x)."""
    return mpmath.gammainc(a, x, regularized=True) if x > a + 1 else 1 - lower_gamma(a, x)


def lower_beta(a: Number, b: Number, x: Number) -> Number:
    """I_x(a, b), by its series of positive terms (DLMF 8.17.8), or 1 less that of I_{1-x}(b, a)."""
    with mp.extradps(_GUARD):
        a, b, x = mpmath.mpmathify(a), mpmath.mpmathify(b), mpmath.mpmathify(x)
        # Near 1 the series would need many terms, and beyond the mean a tail would be lost.
        if x > 0.95 or (x > 0.05 and x * (a + b) > a):
            value = 1 - _beta_series(b, a, 1 - x, x)
        else:
            value = _beta_series(a, b, x, 1 - x)
    return +value


def _beta_series(a: Number, b: Number, x: Number, q: Number) -> Number:
    if x == 0:
        return x
    term = total = mpmath.mpf(1)
    m = 0
    while abs(term) > abs(total) * mp.eps:
        m += 1
        term *= x * (a + b + m - 1) / (a + m)
        total += term
    log_beta = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)
    return x**a * q**b / a * mpmath.exp(-log_beta) * total


def noncentral_chi_square(x: Number, df: Number, nc: Number) -> Number:
    """The Poisson mixture of central distribution functions.

    P(a + j, t) is the sum over m >= j of t^(a+m) exp(-t)/Gamma(a+m+1); exchanged with the mixture's
    sum, each of these terms comes with the Poisson distribution function at m.
    """
    if x == 0:
        return mpmath.mpf(0)
    with mp.extradps(_GUARD):
        a, t, mu = mpmath.mpf(df) / 2, x / mpmath.mpf(2), nc / mpmath.mpf(2)
        weight = t**a * mpmath.exp(-t) / mpmath.gamma(a + 1)
        poisson = mpmath.exp(-mu)
        below = poisson
        total, m = weight * below, 0
        while True:
            m += 1
            weight *= t / (a + m)
            poisson *= mu / m
            below += poisson
            total += weight * below
            if m > t and abs(weight) <= abs(total) * mp.eps:
                break
    return +total


def noncentral_f(dfn: Number, dfd: Number, nc: Number, f: Number) -> Number:
    """The Poisson mixture of central distribution functions, which are incomplete beta functions.

    With D_m = x^(a+m) (1-x)^b Gamma(a+b+m)/(Gamma(a+m+1) Gamma(b)), I_x(a+j, b) is the sum of D_m
    over m >= j, and I_x(a, b) less the first j of them.
    """
    if f == 0:
        return mpmath.mpf(0)
    with mp.extradps(2 * mp.dps + _GUARD if f > dfd / mpmath.mpf(dfn) else _GUARD):
        a, b, mu = dfn / mpmath.mpf(2), dfd / mpmath.mpf(2), nc / mpmath.mpf(2)
        x = a * f / (b + a * f)
        term = x**a * (1 - x) ** b * mpmath.gamma(a + b) / (mpmath.gamma(a + 1) * mpmath.gamma(b))
        poisson = mpmath.exp(-mu)
        below, m = poisson, 0
        if x <= 0.5:
            total = term * below
            while m <= (x * (a + b) - a) / (1 - x) + mu or abs(term) > abs(total) * mp.eps:
                m += 1
                term *= x * (a + b + m - 1) / (a + m)
                poisson *= mu / m
                below += poisson
                total += term * below
        else:
            above = 1 - below
            total = lower_beta(a, b, x) - term * above
            while m <= abs(mu) or abs(above) > mp.eps * 10**_GUARD:
                m += 1
                term *= x * (a + b + m - 1) / (a + m)
                poisson *= mu / m
                above -= poisson
                total -= term * above
    return +total


def positive_root(f: Callable[[Number], Number]) -> Number:
    """The zero x > 0 of a function that is monotone there."""
    return mpmath.exp(_root(lambda u: f(mpmath.exp(u))))


def root_in_unit_interval(f: Callable[[Number], Number]) -> Number:
    """The zero 0 < x < 1 of a function that is monotone there."""
    return 1 / (1 + mpmath.exp(-_root(lambda u: f(1 / (1 + mpmath.exp(-u))))))


def _root(f: Callable[[Number], Number]) -> Number:
    """The zero of a monotone function: enclosed, unless it is near the last one, and halved."""
    with mp.workdps(_COARSE):
        low, high = _last[0] - _NEAR, _last[0] + _NEAR
        if (f(low) > 0) == (f(high) > 0):
            low, high = _enclosed(f)
        rising = f(high) > 0
        while high - low > 0.05:
            middle = (low + high) / 2
            if (f(middle) > 0) == rising:
                high = middle
            else:
                low = middle
    with mp.extradps(_GUARD):
        u, v = +low, +high
        at_u, at_v = f(u), f(v)
        tolerance = mpmath.mpf(10) ** (_GUARD // 2 - mp.dps)
        for _ in range(200):
            if at_u == at_v:
                break
            u, at_u, v = v, at_v, v - at_v * (v - u) / (at_v - at_u)
            if abs(v - u) <= tolerance * (1 + abs(v)):
                break
            at_v = f(v)
        else:
            raise ArithmeticError("no root")
    _last[0] = v
    return +v


# Differences are taken at neighbouring points, whose roots are neighbours too.
_last = [mpmath.mpf(0)]
_NEAR = mpmath.mpf(10) ** -6


def _enclosed(f: Callable[[Number], Number]) -> tuple[Number, Number]:
    start, step = mpmath.mpf(0), mpmath.mpf(1)
    positive = f(start) > 0
    low = high = start
    while step < 2000:
        if (f(start + step) > 0) != positive:
            return high, start + step
        if (f(start - step) > 0) != positive:
            return start - step, low
        low, high = start - step, start + step
        step *= 2
    raise ArithmeticError("no change of sign")
