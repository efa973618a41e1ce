"""Mathieu functions, from the Fourier coefficients (DLMF 28.2 to 28.4, 28.22, 28.24)."""

from __future__ import annotations

import functools

from mpmath import besselj, bessely, exp, mp, mpf, sqrt

from jaxsci._verification.oracles._tridiagonal import eigenpair
from jaxsci._verification.oracles._types import Number

__all__ = [
    "mathieu_even",
    "mathieu_even_coefficients",
    "mathieu_even_value",
    "mathieu_modified",
    "mathieu_odd",
    "mathieu_odd_coefficients",
    "mathieu_odd_value",
]


def _size(m: int, q: Number) -> int:
    """So many rows that the eigenvector's last entries are below the precision."""
    small, k = mpf(10) ** (-mp.dps - 40), m // 2 + 2
    rest, size = mpf(1), abs(q)
    while rest > small:
        k += 1
        between = (2 * k) ** 2 - m**2 - 2 * size
        if between > size:
            rest *= size / between
    return k + 2


@functools.lru_cache(maxsize=256)
def _even(m: int, q: Number, dps: int) -> tuple[Number, list]:
    odd = m % 2

    def row(k: int) -> tuple[Number, Number]:
        d = mpf((2 * k + odd) ** 2) + (q if odd and k == 0 else 0)
        return d, q * sqrt(mpf(2)) if k == 0 and not odd else q

    value, v = eigenpair(row, _size(m, q), m // 2)
    if not odd:
        v = [v[0] / sqrt(mpf(2)), *v[1:]]
    return value, _signed(v, m // 2, q)


@functools.lru_cache(maxsize=256)
def _odd(m: int, q: Number, dps: int) -> tuple[Number, list]:
    odd = m % 2

    def row(k: int) -> tuple[Number, Number]:
        d = mpf((2 * k + 2 - odd) ** 2) - (q if odd and k == 0 else 0)
        return d, q

    value, v = eigenpair(row, _size(m, q), (m - 1) // 2)
    return value, _signed(v, (m - 1) // 2, q)


def _signed(v: list, index: int, q: Number) -> list:
    """With the sign that is continuous from q = 0, where the index-th coefficient is 1.

    For q > 0 all ce_m(0, q) and se_m'(0, q) are positive: sums with weights that have the sign of
    the coefficients' own sum; with the signs (-1)^k these are the functions at -q.
    """
    with mp.workdps(mp.dps + 25):
        turn = 1 if q >= 0 else -1
        total: Number = mp.fsum(x * turn**k for k, x in enumerate(v))
        return v if (total > 0) == (turn**index > 0) else [-x for x in v]


def mathieu_even(m: Number, q: Number) -> Number:
    """The characteristic value a_m(q)."""
    return _even(int(m), mpf(q), mp.dps)[0]


def mathieu_odd(m: Number, q: Number) -> Number:
    """The characteristic value b_m(q)."""
    return _odd(int(m), mpf(q), mp.dps)[0]


def mathieu_even_coefficients(m: Number, q: Number, n: int) -> list:
    """The first n of the coefficients A of ce_m(x, q)."""
    return _padded(_even(int(m), mpf(q), mp.dps)[1], n)


def mathieu_odd_coefficients(m: Number, q: Number, n: int) -> list:
    """The first n of the coefficients B of se_m(x, q)."""
    return _padded(_odd(int(m), mpf(q), mp.dps)[1], n)


def _padded(f: list, n: int) -> list:
    return [*f, *[mpf(0)] * n][:n]


def mathieu_even_value(m: Number, q: Number, x: Number, derivative: int) -> Number:
    """ce_m(x, q) or its derivative in radians, at x degrees."""
    m, q, x = int(m), mpf(q), mpf(x)
    with mp.workdps(mp.dps + 15):
        terms = enumerate(_even(m, q, mp.dps)[1])
        f = [(2 * k + m % 2, a) for k, a in terms]
        if derivative:
            return -mp.fsum(r * a * mp.sinpi(r * x / 180) for r, a in f)
        return mp.fsum(a * mp.cospi(r * x / 180) for r, a in f)


def mathieu_odd_value(m: Number, q: Number, x: Number, derivative: int) -> Number:
    """se_m(x, q) or its derivative in radians, at x degrees."""
    m, q, x = int(m), mpf(q), mpf(x)
    if m == 0:
        return mpf(0)
    with mp.workdps(mp.dps + 15):
        terms = enumerate(_odd(m, q, mp.dps)[1])
        f = [(2 * k + 2 - m % 2, b) for k, b in terms]
        if derivative:
            return mp.fsum(r * b * mp.cospi(r * x / 180) for r, b in f)
        return mp.fsum(b * mp.sinpi(r * x / 180) for r, b in f)


def mathieu_modified(
    even: bool, m: Number, q: Number, x: Number, kind: int, derivative: int
) -> Number:
    """Mc_m or Ms_m of the first or second kind, or its derivative, by DLMF 28.24.2 to 28.24.5."""
    m, q, x = int(m), mpf(q), mpf(x)
    with mp.workdps(mp.dps + 40):
        _, f = _even(m, q, mp.dps) if even else _odd(m, q, mp.dps)
        s = max(range(len(f)), key=lambda k: abs(f[k]))
        h = sqrt(q)
        near, far = h * exp(-x), h * exp(x)
        gap = m % 2 if even else 2 - m % 2
        sign = 1 if even else -1
        n = 2 * len(f) + 4
        j = _first_kind(n, near)
        c = _first_kind(n, far) if kind == 1 else _second_kind(n, far)
        jj, cc = _of_all_orders(j), _of_all_orders(c)

        def slope(g: Number) -> Number:
            return lambda k: (g(k - 1) - g(k + 1)) / 2

        dj, dc = slope(jj), slope(cc)

        def product(k: int, l: int) -> Number:
            if not derivative:
                return jj(k) * cc(l)
            return far * jj(k) * dc(l) - near * dj(k) * cc(l)

        total = mp.fsum(
            (-1) ** k * a * (product(k - s, k + s + gap) + sign * product(k + s + gap, k - s))
            for k, a in enumerate(f)
        )
        half = m // 2 if even or m % 2 else m // 2 - 1
        scale = 2 if even and m % 2 == 0 and s == 0 else 1
        return (-1) ** half * total / (scale * f[s])


def _of_all_orders(f: list) -> Number:
    return lambda k: f[k] if k >= 0 else (-1) ** k * f[-k]


def _first_kind(n: int, x: Number) -> list:
    """J_0 ... J_n by backward recurrence."""
    out = [mpf(0)] * (n + 1)
    # For x far above n it is the other direction that is stable; J_0 is found either way.
    if x > n:
        out[0], out[1] = besselj(0, x), besselj(1, x)
        for k in range(1, n):
            out[k + 1] = 2 * k / x * out[k] - out[k - 1]
        return out
    out[n], out[n - 1] = besselj(n, x), besselj(n - 1, x)
    for k in range(n - 1, 0, -1):
        out[k - 1] = 2 * k / x * out[k] - out[k + 1]
    return out


def _second_kind(n: int, x: Number) -> list:
    out = [bessely(0, x), bessely(1, x)]
    for k in range(1, n):
        out.append(2 * k / x * out[k] - out[k - 1])
    return out
