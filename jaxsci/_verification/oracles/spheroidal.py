"""Spheroidal wave functions, from their expansions (Flammer 1957; DLMF 30.8, 30.11).

Flammer's d_r multiply associated Legendre functions in the angular function, and spherical Bessel
functions in the radial ones. c^2 stands with its sign: negative for oblate functions.
"""

from __future__ import annotations

import functools

from mpmath import besselj, bessely, factorial, mp, mpf, pi, sqrt

from jaxsci._verification.oracles._tridiagonal import eigenpair
from jaxsci._verification.oracles._types import Number

__all__ = ["spheroidal_angular", "spheroidal_eigenvalue", "spheroidal_radial"]


def _above(m: int, r: int, square: Number) -> Number:
    """The factor of d_{r+2} in the r-th equation."""
    s = 2 * m + 2 * r
    return mpf((2 * m + r + 2) * (2 * m + r + 1)) / ((s + 3) * (s + 5)) * square


def _below(m: int, r: int, square: Number) -> Number:
    """The factor of d_{r-2}."""
    s = 2 * m + 2 * r
    return mpf(r * (r - 1)) / ((s - 3) * (s - 1)) * square


def _within(m: int, r: int, square: Number) -> Number:
    k, s = (m + r) * (m + r + 1), 2 * m + 2 * r
    return k + mpf(2 * k - 2 * m * m - 1) / ((s - 1) * (s + 3)) * square


@functools.lru_cache(maxsize=256)
def _expansion(m: int, n: int, square: Number, dps: int) -> tuple[Number, list]:
    """The eigenvalue, and (r, d_r) with Flammer's norm: S(0) or S'(0) that of P_n^m."""
    parity = (n - m) % 2
    small, size, rest = mpf(10) ** (-mp.dps - 40), (n - m) // 2 + 2, mpf(1)
    while rest > small:
        size += 1
        between = (2 * size) ** 2 - (n - m) ** 2 - 2 * abs(square)
        if between > abs(square):
            rest *= abs(square) / between

    def row(k: int) -> tuple[Number, Number]:
        r = 2 * k + parity
        beside = sqrt(_above(m, r, mpf(1)) * _below(m, r + 2, mpf(1))) * square
        return _within(m, r, square), beside

    with mp.workdps(mp.dps + 25):
        value, v = eigenpair(row, size, (n - m) // 2)
        # Back from the symmetric matrix to the recurrence's own unknowns.
        d, scale = [], mpf(1)
        for k, x in enumerate(v):
            r = 2 * k + parity
            d.append((r, x * scale))
            scale *= sqrt(_below(m, r + 2, mpf(1)) / _above(m, r, mpf(1)))
        at_zero = _legendre(m, m + d[-1][0], mpf(0))
        norm = mp.fsum(x * at_zero[r][parity] for r, x in d) / at_zero[n - m][parity]
        return value, [(r, x / norm) for r, x in d]


def _legendre(m: int, n: int, x: Number) -> list:
    """(P_{m+r}^m(x), its derivative) for r = 0 ... n - m, without (-1)^m, for |x| < 1."""
    inside = 1 - x * x
    first = factorial(2 * m) / (mpf(2) ** m * factorial(m)) * mp.sqrt(inside) ** m
    p = [first, x * (2 * m + 1) * first]
    for l in range(m + 1, n):
        p.append(((2 * l + 1) * x * p[-1] - (l + m) * p[-2]) / (l - m + 1))
    out = []
    for r in range(n - m + 1):
        l = m + r
        before = (l + m) * p[r - 1] if r else mpf(0)
        out.append((p[r], (before - l * x * p[r]) / inside))
    return out


def _square(oblate: bool, c: Number) -> Number:
    return -(mpf(c) ** 2) if oblate else mpf(c) ** 2


def spheroidal_eigenvalue(oblate: bool, m: Number, n: Number, c: Number) -> Number:
    """The characteristic value, which is n(n + 1) at c = 0."""
    return _expansion(int(m), int(n), _square(oblate, c), mp.dps)[0]


def spheroidal_angular(
    oblate: bool, m: Number, n: Number, c: Number, x: Number, derivative: int
) -> Number:
    """The angular function of the first kind, or its derivative, for |x| < 1."""
    m, n, x = int(m), int(n), mpf(x)
    with mp.workdps(mp.dps + 25):
        _, d = _expansion(m, n, _square(oblate, c), mp.dps)
        p = _legendre(m, m + d[-1][0], x)
        return mp.fsum(a * p[r][derivative] for r, a in d)


def spheroidal_radial(
    oblate: bool, kind: int, m: Number, n: Number, c: Number, x: Number, derivative: int
) -> Number:
    """The radial function of the first or second kind, or its derivative.

    The expansion in spherical Bessel functions of the second kind diverges near the singular
    points: there the differential equation leads in from 3, by Taylor series.
    """
    return _both(oblate, kind, int(m), int(n), mpf(c), mpf(x), mp.dps)[derivative]


@functools.lru_cache(maxsize=64)
def _both(
    oblate: bool, kind: int, m: int, n: int, c: Number, x: Number, dps: int
) -> tuple[Number, Number]:
    with mp.workdps(dps + 60):
        if x < 0 and kind == 1 and oblate:
            f = _both(oblate, kind, m, n, c, -x, dps)
            return (f[0], -f[1]) if (n - m) % 2 == 0 else (-f[0], f[1])
        if x == 0 and kind == 1:
            # Even or odd in x, and regular: nothing is lost at a tiny distance.
            f = _radial(oblate, kind, m, n, c, mpf(10) ** (-mp.dps))
            return (f[0], mpf(0)) if (n - m) % 2 == 0 else (mpf(0), f[1])
        if kind == 1 or x >= 3:
            return _radial(oblate, kind, m, n, c, x)
        value = _expansion(m, n, _square(oblate, c), mp.dps)[0]
        at, f = mpf(3), _radial(oblate, kind, m, n, c, mpf(3))
        while at != x:
            # Half of the way to the nearest singularity, where a digit costs 3.3 terms.
            step = -(mp.sqrt(at * at + 1) if oblate else at - 1) / 2
            to = x if x - at >= step else at + step
            f = _carried(oblate, m, c, value, at, to, f)
            at = to
        return f


def _radial(oblate: bool, kind: int, m: int, n: int, c: Number, x: Number) -> tuple[Number, Number]:
    sign = -1 if oblate else 1
    _, d = _expansion(m, n, _square(oblate, c), mp.dps)
    if x == 0:
        raise ValueError("the expansion's factors are singular at 0")
    z = c * x
    bessel = _spherical(kind, m + d[-1][0] + 1, z)
    total = slope = norm = mpf(0)
    for r, a in d:
        weight = a * factorial(2 * m + r) / factorial(r)
        turn = (-1) ** ((r + m - n) // 2)
        k = m + r
        total += turn * weight * bessel[k]
        slope += turn * weight * (k / z * bessel[k] - bessel[k + 1])
        norm += weight
    ratio = 1 - sign / (x * x)
    front = mp.sqrt(ratio) ** m / norm
    return front * total, front * (c * slope + m * sign / (x**3 * ratio) * total)


def _spherical(kind: int, n: int, z: Number) -> list:
    front = sqrt(pi / (2 * z))
    half = mpf(1) / 2
    if kind == 2:
        out = [front * bessely(half, z), front * bessely(half + 1, z)]
        for k in range(1, n):
            out.append((2 * k + 1) / z * out[k] - out[k - 1])
        return out
    out = [mpf(0)] * (n + 1)
    if z > n:
        out[0], out[1] = front * besselj(half, z), front * besselj(half + 1, z)
        for k in range(1, n):
            out[k + 1] = (2 * k + 1) / z * out[k] - out[k - 1]
        return out
    out[n], out[n - 1] = front * besselj(half + n, z), front * besselj(half + n - 1, z)
    for k in range(n - 1, 0, -1):
        out[k - 1] = (2 * k + 1) / z * out[k] - out[k + 1]
    return out


def _carried(
    oblate: bool, m: int, c: Number, value: Number, at: Number, to: Number, f: tuple[Number, Number]
) -> tuple[Number, Number]:
    """The solution (f, f') of the radial equation, from one point to another.

    With w = x^2 - 1 (oblate: x^2 + 1) it is w (w f')' = (w (value - c^2 x^2) + s m^2) f, where s
    is 1 (oblate: -1). Its Taylor coefficients obey a recurrence of five terms.
    """
    s = -1 if oblate else 1
    w = [at * at - s, 2 * at, mpf(1)]
    w2 = _times(w, w)
    right = _times(w, [value - c * c * at * at, -2 * c * c * at, -c * c])
    right[0] += s * m * m
    wd = _times(w, [2 * at, mpf(2)])
    a = [f[0], f[1]]
    h = to - at
    small = mpf(10) ** (-mp.dps - 5)
    k, quiet = 0, 0
    while quiet < 6:
        # Coefficient of t^k in w^2 f'' + w w' f' - right f.
        total = mpf(0)
        for j in range(1, 5):
            if k - j >= 0:
                total += w2[j] * a[k - j + 2] * (k - j + 2) * (k - j + 1)
        for j in range(4):
            if k - j >= 0:
                total += wd[j] * a[k - j + 1] * (k - j + 1)
        for j in range(5):
            if k - j >= 0:
                total -= right[j] * a[k - j]
        a.append(-total / (w2[0] * (k + 2) * (k + 1)))
        tiny = abs(a[-1] * h ** (k + 2)) * (k + 2) < small * abs(a[0])
        quiet = quiet + 1 if tiny else 0
        k += 1
    value_at = slope = mpf(0)
    for k in range(len(a) - 1, 0, -1):
        value_at = value_at * h + a[k]
        slope = slope * h + k * a[k]
    return value_at * h + a[0], slope


def _times(p: list, q: list) -> list:
    out = [mpf(0)] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            out[i + j] += x * y
    return out
