"""Lame functions in multi-precision, from Lame's equation in x = s^2 about the origin."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from mpmath import cos, findroot, mp, mpf, pi, quad, sin, sqrt

from jaxsci._verification.oracles._types import Number

__all__ = ["ellipsoidal", "ellipsoidal_normal", "ellipsoidal_second", "ellipsoidal_sign"]


def _exponents(n: int, p: int) -> tuple[int, int, int, int]:
    """Of s, |s^2 - h^2|^(1/2) and |s^2 - k^2|^(1/2), and the number within this species, from 0."""
    r = n // 2
    sizes = [(r + 1, 0, 0), (n - r, 1, 0), (n - r, 0, 1), (r, 1, 1)]
    i = p - 1
    for size, a, b in sizes:
        if i < size:
            return (n - a - b) % 2, a, b, i
        i -= size
    raise ValueError(f"no harmonic {p} of degree {n}")


def _row(h2: Number, k2: Number, n: int, e: int, a: int, b: int, j: int) -> tuple[Number, Any, Any]:
    """Factors of c_{j+1}, c_j and c_{j-1} where the polynomial sum c_j x^j solves the equation."""
    one = h2 * 0 + 1
    u, v, w = one * (2 * e + 1) / 2, one * (2 * a + 1) / 2, one * (2 * b + 1) / 2
    total = e + a + b
    product = one * (total - n) * (total + n + 1) / 4
    above = h2 * k2 * (j + 1) * (j + u)
    here = -(j * (j - 1) * (h2 + k2) + j * (u * (h2 + k2) + v * k2 + w * h2))
    below = (j - 1) * (j - 2) + (j - 1) * (u + v + w) + product
    return above, here, below


@functools.lru_cache(maxsize=512)
def _polynomial(h2: Number, k2: Number, n: int, p: int, _: int) -> list[Number]:
    """Coefficients of the monic polynomial in s^2, by the root of the secular equation."""
    e, a, b, i = _exponents(n, p)
    top = (n - e - a - b) // 2

    def downward(q: Number) -> list[Number]:
        c = [mpf(0)] * (top + 2)
        c[top] = mpf(1)
        for j in range(top, -1, -1):
            above, here, below = _row(h2, k2, n, e, a, b, j)
            rest = above * c[j + 1] + (here - q) * c[j]
            if j == 0:
                return [*c[: top + 1], rest]
            c[j - 1] = -rest / below
        raise AssertionError

    rows = [[float(x) for x in _row(h2, k2, n, e, a, b, j)] for j in range(top + 1)]
    matrix = np.zeros((top + 1, top + 1))
    for j, (above, here, below) in enumerate(rows):
        matrix[j, j] = here
        if j < top:
            matrix[j, j + 1] = above
        if j > 0:
            matrix[j, j - 1] = below
    start = float(np.sort(np.linalg.eigvals(matrix).real)[::-1][i])
    if top == 0:
        return [mpf(1)]
    with mp.workdps(mp.dps + 20):
        near = mpf(start)
        q = findroot(
            lambda t: downward(t)[-1],
            (near, near * (1 + mpf(10) ** -12) + mpf(10) ** -12),
            tol=mpf(10) ** (20 - 2 * mp.dps),
            verify=False,
            maxsteps=60,
        )
        return downward(q)[:-1]


def ellipsoidal(h2: Number, k2: Number, n: int, p: int, s: Number) -> Number:
    """E_n^p(s) with positive signs, which is s^n at infinity."""
    e, a, b, _ = _exponents(n, p)
    total = mpf(0)
    for c in reversed(_polynomial(h2, k2, n, p, mp.prec)):
        total = total * s * s + c
    return s**e * _root(s * s - h2) ** a * _root(s * s - k2) ** b * total


def _root(x: Number) -> Number:
    return sqrt(x if x.real > 0 else -x)


def ellipsoidal_sign(n: int, p: int, signm: int, signn: int) -> int:
    """The sign of E_n^p for signs of its roots."""
    _, a, b, _ = _exponents(n, p)
    return signm**a * signn**b


def ellipsoidal_second(h2: Number, k2: Number, n: int, p: int, s: Number) -> Number:
    """F_n^p(s), by its integral."""
    with mp.workdps(mp.dps + 10):

        def integrand(v: Number) -> Number:
            # u^n E(1/u), which is 1 at u = 0; of a size that quad's absolute error suits
            u = v / s
            _, a, b, _ = _exponents(n, p)
            total = mpf(0)
            for c in _polynomial(h2, k2, n, p, mp.prec):
                total = total * u * u + c
            slow, fast = 1 - u * u * h2, 1 - u * u * k2
            return v ** (2 * n) / (total**2 * slow**a * fast**b * sqrt(slow * fast))

        whole = quad(integrand, [0, 1]) / s ** (2 * n + 1)
        return (2 * n + 1) * ellipsoidal(h2, k2, n, p, s) * whole


def _quarter(f: Number, power: int) -> Number:
    return quad(lambda t: f(t, power), [0, pi / 2])


def ellipsoidal_normal(h2: Number, k2: Number, n: int, p: int) -> Number:
    """The constant gamma_n^p: x = h sin t, y^2 = h^2 cos^2 t + k^2 sin^2 t."""
    with mp.workdps(mp.dps + 10):

        def inner(t: Number, power: int) -> Number:
            x = sqrt(h2) * sin(t)
            return x**power * ellipsoidal(h2, k2, n, p, x) ** 2 / sqrt(k2 - x * x)

        def outer(t: Number, power: int) -> Number:
            y = sqrt(h2 * cos(t) ** 2 + k2 * sin(t) ** 2)
            return y ** (power - 1) * ellipsoidal(h2, k2, n, p, y) ** 2

        x0, x2 = (_quarter(inner, m) for m in (0, 2))
        y0, y2 = (_quarter(outer, m) for m in (0, 2))
        return 8 * (x0 * y2 - x2 * y0)
