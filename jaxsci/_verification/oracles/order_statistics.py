"""Distributions of Kolmogorov and Smirnov, Tukey's lambda distribution, and their inverses."""

from __future__ import annotations

import mpmath
import scipy.special

from jaxsci._verification.oracles._types import Number
from jaxsci._verification.oracles.student import root_near

mp: Number = mpmath.mp

__all__ = [
    "kolmogorov_quantile",
    "kolmogorov_sf",
    "smirnov_quantile",
    "smirnov_sf",
    "tukey_cdf",
]


def kolmogorov_sf(y: Number) -> Number:
    """1 - theta_4(0, exp(-2 y^2)), by its series or, where they are few, the terms of its image."""
    if y <= 0:
        return mp.mpf(1)
    direct = y > 1
    c = 2 * y * y if direct else mp.pi**2 / (8 * y * y)
    total, k, sign = mp.mpf(0), 1, 1
    while True:
        term = mp.exp(-c * k * k)
        total += sign * term
        if term < mp.eps * abs(total) / 1024:
            break
        k += 1 if direct else 2
        sign = -sign if direct else sign
    return 2 * total if direct else 1 - mp.sqrt(2 * mp.pi) / y * total


def kolmogorov_quantile(p: Number) -> Number:
    """Where `kolmogorov_sf` is p."""
    return root_near(lambda y: kolmogorov_sf(y) / p - 1, scipy.special.kolmogi(float(p)))


def smirnov_sf(n: int, d: Number) -> Number:
    """The probability that D_n+ is at least d, by the sum of Birnbaum and Tingey."""
    last = int(mp.floor(n * (1 - d)))
    return d * mp.fsum(
        mp.binomial(n, j) * (d + mp.mpf(j) / n) ** (j - 1) * (1 - d - mp.mpf(j) / n) ** (n - j)
        for j in range(last + 1)
    )


def smirnov_quantile(n: int, p: Number) -> Number:
    """Where `smirnov_sf` is p."""
    # In 1 - d the root has all its digits where d is near 1, and it starts from the last piece.
    if 0 < p < mp.mpf(n) ** -n:
        return 1 - mp.exp(mp.log(p) / n)
    return root_near(lambda d: smirnov_sf(n, d) / p - 1, scipy.special.smirnovi(n, float(p)))


def tukey_cdf(x: Number, power: Number) -> Number:
    """The p for which (p^power - (1-p)^power)/power is x."""
    if x > 0:
        return 1 - tukey_cdf(-x, power)

    def quantile(w: Number) -> Number:
        other = mp.log1p(-mp.exp(w))
        if power == 0:
            return w - other
        return (mp.expm1(power * w) - mp.expm1(power * other)) / power

    def slope(w: Number) -> Number:
        p = mp.exp(w)
        return p**power + p * (1 - p) ** (power - 1)

    with mp.extradps(15):
        low, high = mp.mpf(-2000), -mp.ln2 / 2
        while high - low > mp.mpf(10) ** -10:
            middle = (low + high) / 2
            if quantile(middle) < x:
                low = middle
            else:
                high = middle
        w = (low + high) / 2
        for _ in range(20):
            step = (quantile(w) - x) / slope(w)
            w -= step
            if abs(step) < mp.mpf(10) ** (-0.6 * mp.dps):
                return mp.exp(w - (quantile(w) - x) / slope(w))
    raise ArithmeticError("Tukey's lambda distribution")
