"""J_v(x) and Y_v(x) near x = v for large v, as Taylor polynomials in the order.

Olver's expansions in Airy functions (DLMF 10.20.4, 10.20.5),

    J_v(x) = phi v^(-1/3) (Ai(X) (1 + A_1/v^2) + Ai'(X) v^(-4/3) B_0),   X = v^(2/3) zeta,

and -Y_v with Bi, whose functions of x/v are power series in d = x/v - 1 (DLMF 10.20.2, 10.20.12).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import jax

from jaxsci.special._bessel.kernels.airy_by_loops import airy
from jaxsci.special._numerics import taylor

_TERMS = 14
_A_1 = -1 / 225
"""At d = 0; its other values change less than the fourteenth digit for v >= 1e5."""

Series = Sequence[Fraction]


def _power(a: Series, exponent: Fraction) -> list[Fraction]:
    """The power of a series that begins with 1."""
    out = [Fraction(1)]
    for k in range(1, len(a)):
        out.append(
            sum((exponent * i - (k - i)) * a[i] * out[k - i] for i in range(1, k + 1)) / Fraction(k)
        )
    return out


def _product(a: Series, b: Series) -> list[Fraction]:
    return [sum((a[i] * b[k - i] for i in range(k + 1)), Fraction(0)) for k in range(len(a))]


def _series() -> tuple[list[float], list[float], list[float]]:
    """Of -2^(-1/3) zeta/d, 2^(-1/3) phi and B_0."""
    zeros = [Fraction(0)] * (_TERMS - 2)
    half = [Fraction(1), Fraction(1, 2), *zeros]  # (1 + x/v)/2
    ratio = [Fraction(1), Fraction(1), *zeros]  # x/v
    # 2/3 (-zeta)^(3/2) is the integral of sqrt((x/v)^2 - 1) v/x.
    slope = _product(_power(half, Fraction(1, 2)), _power(ratio, Fraction(-1)))
    zeta = _power([Fraction(3) * c / (2 * k + 3) for k, c in enumerate(slope)], Fraction(2, 3))
    front = _power(_product(zeta, _power(half, Fraction(-1))), Fraction(1, 4))
    root = _power(zeta, Fraction(-1, 2))
    poles = [
        Fraction(5, 48) * (a - b)
        for a, b in zip(
            _product(root, _power(half, Fraction(-3, 2))), _power(zeta, Fraction(-2)), strict=True
        )
    ]
    beside = _product(root, _power(half, Fraction(-1, 2)))
    inner = [poles[k] + beside[k - 1] / 8 for k in range(2, _TERMS)]
    return (
        [float(c) for c in zeta[:-2]],
        [float(c) for c in front[:-2]],
        [2 ** (-2 / 3) * float(c) for c in inner[:8]],
    )


_ZETA, _FRONT, _B_0 = _series()


def turning_point(v: jax.Array, x: jax.Array, m: int) -> tuple[list[Any], list[Any]]:
    """Expansions of J_v(x) and Y_v(x) to degree m, for x within 0.03 v of v >= 1e5."""
    d = [(x - v) / v]
    for _ in range(m):
        d.append(-(d[-1] + (1.0 if len(d) == 1 else 0.0)) / v)
    relative = taylor.line(1 + 0 * v, 1 / v, m)
    grown = taylor.times(taylor.power(relative, 2 / 3), v ** (2 / 3))
    over_d, rest, b_0 = taylor.polynomials((_ZETA, _FRONT, _B_0), d)
    at = taylor.times(taylor.product(d, over_d), -(2 ** (1 / 3)))
    at = taylor.product(grown, at)
    front = taylor.times(taylor.power(relative, -1 / 3), (2 / v) ** (1 / 3))
    front = taylor.product(front, rest)
    beside = taylor.times(taylor.power(relative, -4 / 3), v ** (-4 / 3))
    beside = taylor.product(beside, b_0)
    at = list(taylor.once(*at))
    ai, aip, bi, bip = taylor.once(*airy(at[0]))
    front, beside = (list(taylor.once(*row)) for row in (front, beside))
    first, second = (
        taylor.product(
            front,
            taylor.plus(taylor.times(value, 1 + _A_1 / (v * v)), taylor.product(slope, beside)),
        )
        for value, slope in (_along(at, ai, aip), _along(at, bi, bip))
    )
    return first, taylor.times(second, -1.0)


def _along(at: list[Any], value: jax.Array, slope: jax.Array) -> tuple[list[Any], list[Any]]:
    """A solution of Airy's equation and its derivative, from their values where `at` begins."""
    values, slopes = [value], [slope]
    for k in range(len(at) - 1):
        along = [(i + 1) / (k + 1) * at[i + 1] for i in range(k + 1)]
        second = taylor.product(at[: k + 1], values)
        values.append(taylor.product(along, slopes)[k])
        slopes.append(taylor.product(along, second)[k])
    return values, slopes
