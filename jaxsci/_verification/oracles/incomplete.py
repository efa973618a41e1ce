"""Inverses of the incomplete gamma and beta functions, as roots of these."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import scipy.special
from mpmath import mp

from jaxsci._verification.oracles._types import Number

__all__ = ["beta_quantile", "gamma_quantile"]


def gamma_quantile(a: Number, y: Number, upper: bool = False) -> Number:
    """The x at which the lower (or upper) regularised incomplete gamma function is y."""
    first = scipy.special.gammainccinv if upper else scipy.special.gammaincinv

    def function(x: Number) -> Number:
        bounds = (x, mp.inf) if upper else (0, x)
        return mpmath.gammainc(a, *bounds, regularized=True) - y

    return _root(function, first(float(a), float(y)))


def beta_quantile(a: Number, b: Number, y: Number, upper: bool = False) -> Number:
    """The x at which the regularised incomplete beta function (or its complement) is y."""
    first = scipy.special.betainccinv if upper else scipy.special.betaincinv
    start = first(float(a), float(b), float(y))
    if start > 0.5:  # by the distance from 1, which may be tiny
        return 1 - beta_quantile(b, a, y, not upper)

    def function(x: Number) -> Number:
        if upper:
            return mpmath.betainc(b, a, 0, 1 - x, regularized=True) - y
        return mpmath.betainc(a, b, 0, x, regularized=True) - y

    return _root(function, start)


def _root(function: Callable[[Number], Number], start: float) -> Number:
    """The root by the secant method in log x, from a double that is near it."""
    goal = mp.dps

    def of_logarithm(t: Number) -> Number:
        return function(mpmath.exp(t))

    with mp.workdps(goal + 15):
        old = mpmath.log(mpmath.mpf(start))
        new = old + mpmath.mpf(10) ** -9
        f_old, f_new = of_logarithm(old), of_logarithm(new)
        for _ in range(100):
            if f_new == f_old:
                break
            old, new, f_old = new, new - f_new * (new - old) / (f_new - f_old), f_new
            if abs(new - old) <= mpmath.mpf(10) ** -(goal + 5) * max(1, abs(new)):
                return mpmath.exp(new)
            f_new = of_logarithm(new)
        if f_new == 0:
            return mpmath.exp(new)
    raise ArithmeticError("the root was not found")
