"""Legendre functions in multi-precision, by Rodrigues' formula written out."""

from __future__ import annotations

import functools
import math

from mpmath import (
    binomial,
    cos,
    diff,
    expj,
    factorial,
    ff,
    harmonic,
    hyp2f1,
    log,
    mp,
    mpc,
    mpf,
    pi,
    rf,
    sin,
    sqrt,
)

from jaxsci._verification.oracles._types import Number

__all__ = [
    "associated_legendre",
    "ferrers",
    "legendre_polynomial",
    "second_kind",
    "spherical_harmonic",
    "spherical_legendre",
]


def legendre_polynomial(n: int, z: Number, k: int) -> Number:
    """The k-th derivative of P_n, the polynomial of DLMF 18.5.8."""
    with mp.workdps(mp.dps + n + 10):
        total, square = mpf(0), z * z
        for coefficient in _coefficients(n, k):
            total = total * square + coefficient
        return total * (z if (n - k) % 2 else 1) / mpf(2) ** n


@functools.cache
def _coefficients(n: int, k: int) -> list[int]:
    """Those of the k-th derivative of 2^n P_n, every second power from the highest down."""
    return [
        (-1) ** i * math.comb(n, i) * math.comb(2 * n - 2 * i, n) * math.perm(n - 2 * i, k)
        for i in range((n - k) // 2 + 1)
    ]


def associated_legendre(n: int, m: int, z: Number, branch_cut: int, norm: bool, k: int) -> Number:
    """The k-th derivative of P_n^m (DLMF 14.3.1 with 14.6.1, or 14.3.6 with 14.6.3)."""
    size = abs(m)
    if size > n:
        return mpf(0)

    def function(t: Number) -> Number:
        squared = 1 - t * t if branch_cut == 2 else t * t - 1
        power = squared ** (size // 2)
        if size % 2:
            power *= sqrt(squared) if branch_cut == 2 else sqrt(t - 1) * sqrt(t + 1)
        return power * legendre_polynomial(n, t, size)

    scale = mpf(1)
    if branch_cut == 2 and m > 0:
        scale = mpf((-1) ** m)
    ratio = factorial(n - size) / factorial(n + size)
    if norm:
        scale *= sqrt((2 * n + 1) * ratio / 2)
    elif m < 0:
        scale *= ratio
    return scale * (diff(function, z, k) if k else function(z))


def spherical_legendre(n: int, m: int, theta: Number, k: int) -> Number:
    """The k-th derivative of Y_n^m(theta, 0), continued smoothly beyond the poles."""
    return _spherical_legendre(n, m, theta, k, mp.prec)


@functools.lru_cache(maxsize=4096)
def _spherical_legendre(n: int, m: int, theta: Number, k: int, _: int) -> Number:
    size = abs(m)
    if size > n:
        return mpf(0)

    def function(t: Number) -> Number:
        return sin(t) ** size * legendre_polynomial(n, cos(t), size)

    ratio = factorial(n - size) / factorial(n + size)
    scale = (-1) ** max(m, 0) * sqrt((2 * n + 1) * ratio / (4 * pi))
    return scale * (diff(function, theta, k) if k else function(theta))


def spherical_harmonic(n: int, m: int, theta: Number, phi: Number, i: int, j: int) -> Number:
    """Y_n^m(theta, phi) (DLMF 14.30.1), differentiated i times in theta and j times in phi."""
    return spherical_legendre(n, m, theta, i) * mpc(0, m) ** j * expj(m * phi)


def ferrers(m: int, v: Number, x: Number) -> Number:
    """P_v^m(x) for |x| < 1, continued analytically to x > 1 where m is even (DLMF 14.3.6)."""
    if v == int(v) and abs(m) > max(v, -1 - v):
        return mpf(0)
    # The hypergeometric function regularised by Gamma(1 - m), with the order made negative.
    size = abs(m)
    half = (1 - x) / 2
    series = hyp2f1(-v, v + 1, 1 + size, half) / factorial(size)
    power = (half / (1 - half)) ** (size // 2)
    if size % 2:
        power *= sqrt(half / (1 - half))
    value = power * series
    return value if m <= 0 else (-1) ** m * value * rf(v - size + 1, 2 * size)


def second_kind(n: int, m: int, z: Number, k: int) -> Number:
    """Q_n^m, of the interval for |z| < 1 and of the cut plane beyond, or its derivative.

    The m-th derivative of Q_n = P_n Q_0 - W_{n-1} (DLMF 14.7.2, 14.7.7) in full, with the digits
    that its terms lose.
    """
    inside = abs(z) < 1

    def function(t: Number) -> Number:
        squared = 1 - t * t if inside else t * t - 1
        power = squared ** (m // 2) * (sqrt(squared) if m % 2 else 1)
        return (-1 if inside and m % 2 else 1) * power * derivative(t)

    def derivative(t: Number) -> Number:
        with mp.workdps(mp.dps + 20 + int((2 * n + m + 3) * log(abs(t) + 3, 10))):
            total = mpf(0)
            for j in range(m + 1):
                total += binomial(m, j) * legendre_polynomial(n, t, m - j) * logarithm(t, j)
            for s in range(m, n):
                digamma = harmonic(n) - harmonic(s)
                scale = factorial(n + s) / (mpf(2) ** s * factorial(n - s) * factorial(s) ** 2)
                total -= scale * digamma * ff(s, m) * (t - 1) ** (s - m)
            return total

    def logarithm(t: Number, j: int) -> Number:
        if j == 0:
            return (log((1 + t) / (1 - t)) if inside else log((t + 1) / (t - 1))) / 2
        return factorial(j - 1) * ((1 - t) ** -j - (-1) ** j * (1 + t) ** -j) / 2

    return diff(function, z, k) if k else function(z)
