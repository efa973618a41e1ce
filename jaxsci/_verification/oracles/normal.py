"""Normal distribution, its quantiles, Owen's T function."""

from __future__ import annotations

import mpmath

from jaxsci._verification.oracles._types import Number

mp: Number = mpmath.mp

__all__ = ["log_normal_cdf", "log_normal_quantile", "normal_cdf", "normal_quantile", "owen"]


def normal_cdf(x: Number) -> Number:
    """The distribution function, of a complex argument too."""
    return mp.erfc(-x / mp.sqrt(2)) / 2


def log_normal_cdf(x: Number) -> Number:
    """The principal logarithm of the distribution function."""
    if mp.re(x) > 0:
        return mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2)
    return mp.log(normal_cdf(x))


def log_normal_quantile(y: Number) -> Number:
    """Where the distribution function is exp(y): by Newton's method on the smaller tail."""
    if y > -mp.ln2:
        return -_lower_quantile(mp.log(-mp.expm1(y)))
    return _lower_quantile(y)


def normal_quantile(p: Number) -> Number:
    """Where the distribution function is p."""
    if not 0 < p < 1:
        return mp.nan
    if 2 * p > 1:
        return -_lower_quantile(mp.log1p(-p))
    return _lower_quantile(mp.log(p))


def _lower_quantile(y: Number) -> Number:
    # The logarithm is concave: from the left of the root, Newton's method cannot leave it.
    x = -mp.sqrt(max(-2 * y, mp.mpf(1)))
    with mp.extradps(10):
        for _ in range(200):
            cdf = normal_cdf(x)
            step = (mp.log(cdf) - y) * cdf / mp.npdf(x)
            x -= step
            if abs(step) < mp.mpf(10) ** (-mp.dps // 2 - 3) * max(abs(x), mp.mpf(10) ** -5):
                cdf = normal_cdf(x)
                return x - (mp.log(cdf) - y) * cdf / mp.npdf(x)
    raise ArithmeticError(f"no quantile at {y}")


def owen(h: Number, a: Number) -> Number:
    """Owen's T function, by the integral that defines it."""
    h = abs(h)
    if abs(a) > 1:
        # Patefield and Tandy (2000), eq. 2: integrate over the short interval.
        sign, a = mp.sign(a), abs(a)
        one, two = normal_cdf(-h), normal_cdf(-h * a)
        return sign * ((one + two) / 2 - one * two - owen(h * a, 1 / a))

    def integrand(x: Number) -> Number:
        return mp.exp(-h * h * x * x / 2) / (1 + x * x)

    # Pieces over which the Gaussian falls by a moderate factor.
    pieces = min(int(abs(h * a) / 4) + 1, 12)
    # exp(-x^2/2) is 10^-dps there.
    reach = mp.sqrt(5 * mp.dps) + 3
    width = abs(a) if abs(h * a) < reach else reach / h
    ends = [mp.sign(a) * width * k / pieces for k in range(pieces + 1)]
    if width < abs(a):
        ends.append(a)
    with mp.extradps(10):
        total = mp.quad(integrand, ends, method="gauss-legendre")
    return mp.exp(-h * h / 2) * total / (2 * mp.pi)
