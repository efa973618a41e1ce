"""Coefficients of orthogonal polynomials in rational arithmetic, rounded once.

SciPy multiplies them out from the polynomials' zeros and leaves rounding errors where coefficients
vanish. The functions here have SciPy's signatures, and give the highest power first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from jaxsci.special._numerics.static_checks import not_negative

Coefficients = list[Fraction]


def _rounded(coefficients: Sequence[Fraction], monic: bool) -> np.ndarray:
    top = coefficients[0] if monic else Fraction(1)
    return np.array([_as_float(c / top) for c in coefficients])


def _exactly(x: float) -> Fraction:
    """A parameter, of any type: fractions of NumPy's integers would overflow as those do."""
    return Fraction(x.item() if isinstance(x, np.generic) else x)


def _as_float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _by_recurrence(
    n: int, first: Sequence[int], step: Callable[[int], tuple[Fraction, Fraction, Fraction]]
) -> Coefficients:
    """p_0 = 1, p_1 as given, p_{k+1} = (a x + b) p_k - c p_{k-1} with step(k) = a, b, c."""
    before: Coefficients = []
    p = [Fraction(1)]
    for k in range(n):
        if k == 0:
            before, p = p, [Fraction(c) for c in first]
            continue
        a, b, c = step(k)
        following = [a * x for x in p] + [Fraction(0)]
        for i, x in enumerate(p):
            following[i + 1] += b * x
        for i, x in enumerate(before):
            following[i + 2] -= c * x
        before, p = p, following
    return p


def _shifted(p: Coefficients) -> Coefficients:
    """The coefficients of p(2x - 1), by Horner's rule."""
    out = [p[0]]
    for c in p[1:]:
        twice = [2 * x for x in out] + [Fraction(0)]
        for i, x in enumerate(out):
            twice[i + 1] -= x
        twice[-1] += c
        out = twice
    return out


def _legendre(n: int) -> Coefficients:
    return _by_recurrence(
        n, (1, 0), lambda k: (Fraction(2 * k + 1, k + 1), Fraction(0), Fraction(k, k + 1))
    )


def _chebyshev(n: int, first: int, scale: int) -> Coefficients:
    """T_n (first 1, scale 2), U_n (2, 2), S_n (1, 1)."""
    return _by_recurrence(n, (first, 0), lambda k: (Fraction(scale), Fraction(0), Fraction(1)))


def legendre(n: int, monic: bool = False) -> np.ndarray:
    """Of P_n."""
    not_negative(n=n)
    return _rounded(_legendre(n), monic)


def chebyt(n: int, monic: bool = False) -> np.ndarray:
    """Of T_n."""
    not_negative(n=n)
    return _rounded(_chebyshev(n, 1, 2), monic)


def chebyu(n: int, monic: bool = False) -> np.ndarray:
    """Of U_n."""
    not_negative(n=n)
    return _rounded(_chebyshev(n, 2, 2), monic)


def chebyc(n: int, monic: bool = False) -> np.ndarray:
    """Of C_n(x) = 2 T_n(x/2)."""
    not_negative(n=n)
    t = _chebyshev(n, 1, 2)
    return _rounded([2 * c / 2 ** (n - i) for i, c in enumerate(t)], monic)


def chebys(n: int, monic: bool = False) -> np.ndarray:
    """Of S_n(x) = U_n(x/2)."""
    not_negative(n=n)
    return _rounded(_chebyshev(n, 1, 1), monic)


def sh_legendre(n: int, monic: bool = False) -> np.ndarray:
    """Of P_n(2x - 1)."""
    not_negative(n=n)
    return _rounded(_shifted(_legendre(n)), monic)


def sh_chebyt(n: int, monic: bool = False) -> np.ndarray:
    """Of T_n(2x - 1)."""
    not_negative(n=n)
    return _rounded(_shifted(_chebyshev(n, 1, 2)), monic)


def sh_chebyu(n: int, monic: bool = False) -> np.ndarray:
    """Of U_n(2x - 1)."""
    not_negative(n=n)
    return _rounded(_shifted(_chebyshev(n, 2, 2)), monic)


def hermite(n: int, monic: bool = False) -> np.ndarray:
    """Of H_n."""
    not_negative(n=n)
    p = _by_recurrence(n, (2, 0), lambda k: (Fraction(2), Fraction(0), Fraction(2 * k)))
    return _rounded(p, monic)


def hermitenorm(n: int, monic: bool = False) -> np.ndarray:
    """Of He_n."""
    not_negative(n=n)
    p = _by_recurrence(n, (1, 0), lambda k: (Fraction(1), Fraction(0), Fraction(k)))
    return _rounded(p, monic)


def laguerre(n: int, monic: bool = False) -> np.ndarray:
    """Of L_n."""
    not_negative(n=n)
    return genlaguerre(n, 0.0, monic)


# -- with parameters: NaN where the polynomials are not orthogonal ---------------------------------


def jacobi(n: int, alpha: float, beta: float, monic: bool = False) -> np.ndarray:
    """Of P_n^(alpha, beta)."""
    if not (-1 < alpha < math.inf and -1 < beta < math.inf):
        return np.full(n + 1, np.nan)
    a, b = _exactly(alpha), _exactly(beta)
    top = Fraction(1)
    for j in range(1, n + 1):
        top *= (n + a + b + j) / (2 * j)
    return _rounded(jacobi_downwards(n, a, b, top), monic)


def jacobi_downwards(n, a, b, top):
    """From the top coefficient, by the differential equation (DLMF 18.8.1): any arithmetic."""
    above, coefficients = 0 * top, [top]
    for k in range(n - 1, -1, -1):
        c = (k + 1) * ((k + 2) * above + (b - a) * coefficients[-1])
        above = coefficients[-1]
        coefficients.append(-c / ((n - k) * (n + k + a + b + 1)))
    return coefficients


def sh_jacobi(n: int, p: float, q: float, monic: bool = False) -> np.ndarray:
    """Of G_n(p, q), which is monic."""
    if not (-1 < p - q < math.inf and 0 < q < math.inf):
        return np.full(n + 1, np.nan)
    coefficients = [Fraction(1)]
    for m in range(1, n + 1):
        ratio = (_exactly(q) + n - m) / (_exactly(p) + 2 * n - m)
        coefficients.append(-coefficients[-1] * ratio * Fraction(n - m + 1, m))
    return _rounded(coefficients, monic)


def gegenbauer(n: int, alpha: float, monic: bool = False) -> np.ndarray:
    """Of C_n^(alpha)."""
    if not -0.5 < alpha < math.inf:
        return np.full(n + 1, np.nan)
    c = _exactly(alpha)
    if monic and c == 0:  # the limit: C_n^(alpha)/alpha goes to 2 T_n/n
        return chebyt(n, monic=True)
    top = Fraction(1)
    for j in range(n):
        top *= 2 * (c + j) / (j + 1)
    coefficients = [Fraction(0)] * (n + 1)
    for k in range(n // 2 + 1):
        coefficients[2 * k] = top
        top *= -Fraction((n - 2 * k) * (n - 2 * k - 1), 4 * (k + 1))
        if top:
            top /= c + n - k - 1
    return _rounded(coefficients, monic)


def genlaguerre(n: int, alpha: float, monic: bool = False) -> np.ndarray:
    """Of L_n^(alpha)."""
    if not -1 < alpha < math.inf:
        return np.full(n + 1, np.nan)
    coefficients = [Fraction((-1) ** n, math.factorial(n))]
    for k in range(n, 0, -1):
        coefficients.append(-coefficients[-1] * (_exactly(alpha) + k) * k / (n - k + 1))
    return _rounded(coefficients, monic)
