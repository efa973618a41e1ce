"""Student's t distribution, central and noncentral, and the inverses of its function."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import scipy.special

from jaxsci._verification.oracles._types import Number

mp: Number = mpmath.mp

__all__ = [
    "noncentral_t_cdf",
    "noncentral_t_degrees",
    "noncentral_t_noncentrality",
    "noncentral_t_quantile",
    "root_near",
    "student_cdf",
    "student_degrees",
    "student_quantile",
]


def student_cdf(df: Number, t: Number) -> Number:
    """By the incomplete beta function in the lower tail, elsewhere by Gauss's series."""
    half = mp.mpf(1) / 2
    if t < -1 and df < 10**4:
        return mp.betainc(df / 2, half, 0, df / (df + t * t), regularized=True) / 2
    with mp.extradps(20 + int(max(-t, 0) ** 2 / 4)):
        density = mp.gammaprod([(df + 1) / 2], [df / 2]) / mp.sqrt(mp.pi * df)
        return half + t * density * mp.hyp2f1(half, (df + 1) / 2, 3 * half, -t * t / df)


def noncentral_t_cdf(df: Number, nc: Number, t: Number) -> Number:
    """The mean of Phi(t u/sqrt(df) - nc) over the chi distribution of u.

    By the trapezoidal rule in v, where u = exp(v - exp(-v)): the integrand falls doubly
    exponentially, and halving the step doubles the digits.
    """
    if t == 0:
        return mp.erfc(nc / mp.sqrt(2)) / 2
    with mp.extradps(10):
        scale, end = t / mp.sqrt(df), mp.dps * 2.4 + 10
        low, high = _window(float(df), float(nc), float(scale), end)
        norm = mp.ln(2) * (1 - df / 2) - mp.loggamma(df / 2)

        def weight(v: Number) -> Number:
            e = mp.exp(-v)
            u = mp.exp(v - e)
            return (1 + e) * mp.exp(norm + df * (v - e) - u * u / 2), u

        def part(v: Number) -> Number:
            w, u = weight(v)
            return w * mp.erfc((nc - scale * u) / mp.sqrt(2)) / 2

        n = 32
        step = (mp.mpf(high) - low) / n
        total = mp.fsum(part(low + step * k) for k in range(n + 1)) * step
        for _ in range(8):
            more = mp.fsum(part(low + step * (k + mp.mpf(1) / 2)) for k in range(n)) * step
            n, step, before, total = 2 * n, step / 2, total, (total + more) / 2
            # The error is squared by each halving.
            if abs(total - before) < mp.mpf(10) ** (-0.6 * mp.dps) * abs(total):
                return total
    raise ArithmeticError("noncentral t")


def _window(df: float, nc: float, scale: float, end: float) -> tuple[float, float]:
    v = np.linspace(-np.log(end / df + 3) - 2, 8, 40001)
    with np.errstate(all="ignore"):
        u = np.exp(v - np.exp(-v))
        height = df * (v - np.exp(-v)) + np.log1p(np.exp(-v)) - u * u / 2
        height += scipy.special.log_ndtr(scale * u - nc)
    inside = np.flatnonzero(height > np.nanmax(height) - end)
    return float(v[inside[0] - 1]), float(v[inside[-1] + 1])


# -- inverses --------------------------------------------------------------------------------------


def root_near(f: Callable[[Number], Number], start: Number) -> Number:
    """A root by the secant method, from a start that is nearly one; NaN where that is NaN."""
    if not mp.isfinite(start):
        return mp.nan
    with mp.extradps(10):
        one = mp.mpf(start)
        two = one * (1 + mp.mpf(10) ** -10) if one else mp.mpf(10) ** -10
        f_one, f_two = f(one), f(two)
        for _ in range(60):
            if f_two == f_one or f_two == 0:
                return two
            step = f_two * (two - one) / (f_two - f_one)
            one, f_one = two, f_two
            two = two - step
            if abs(step) < mp.mpf(10) ** (-0.7 * mp.dps) * abs(two):
                return two
            f_two = f(two)
    raise ArithmeticError("secant method")


def student_quantile(df: Number, p: Number) -> Number:
    """Where `student_cdf` is p."""
    if 1 / 2 < p < 1:
        return -student_quantile(df, 1 - p)
    start = scipy.special.stdtrit(float(df), float(p))
    return root_near(lambda t: mp.log(student_cdf(df, t) / p), start)


def student_degrees(p: Number, t: Number) -> Number:
    """The degrees of freedom for which `student_cdf` is p at t."""
    start = scipy.special.stdtridf(float(p), float(t))
    return root_near(lambda df: student_cdf(df, t) / p - 1, start)


def noncentral_t_quantile(df: Number, nc: Number, p: Number) -> Number:
    """Where `noncentral_t_cdf` is p."""
    start = scipy.special.nctdtrit(float(df), float(nc), float(p))
    return root_near(lambda t: noncentral_t_cdf(df, nc, t) / p - 1, start)


def noncentral_t_noncentrality(df: Number, p: Number, t: Number) -> Number:
    """The noncentrality for which `noncentral_t_cdf` is p at t."""
    start = scipy.special.nctdtrinc(float(df), float(p), float(t))
    return root_near(lambda nc: noncentral_t_cdf(df, nc, t) / p - 1, start)


def noncentral_t_degrees(p: Number, nc: Number, t: Number) -> Number:
    """The degrees of freedom for which `noncentral_t_cdf` is p at t."""
    start = scipy.special.nctdtridf(float(p), float(nc), float(t))
    return root_near(lambda df: noncentral_t_cdf(df, nc, t) / p - 1, start)
