"""Debye's expansions of Bessel functions of large order, as Taylor polynomials in the order.

With r = sqrt(v^2 + z^2) for I and K, r = sqrt(v^2 - z^2) for J and Y, and p = v/r (DLMF 10.41.3,
10.41.4, 10.19.3),

    I_v(z), J_v(z) = exp(-L)/sqrt(2 pi r) sum over k of U_k(p)/v^k,
    K_v(z), -pi/2 Y_v(z) = sqrt(pi/(2 r)) exp(L) sum over k of (-1)^k U_k(p)/v^k,

where L = v log((v + r)/z) - r has the derivatives log((v + r)/z) and 1/r in v. The k-th term is a
polynomial in p^2 over r^k: no division by v.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.plane import over, square_root
from jaxsci.special._numerics.polynomials import horner

FLAT = 0.3
"""Where root/v is less, L is a series in it."""
INVERSE_TANGENT = tuple(1 / (2 * k + 3) for k in range(16))
"""Of (arctanh(t) - t)/t^3 in t^2."""
_LARGE = 1e8
"""Where log(1 + t) is log(t)."""


def polynomials(n: int) -> tuple[tuple[float, ...], ...]:
    """U_0 to U_{n-1}: U_k(p) is p^k times a polynomial in p^2, whose coefficients are given.

    By DLMF 10.41.9, in fractions.
    """
    rows = [[Fraction(1)]]
    for k in range(n - 1):
        row = [Fraction(0)] * (k + 2)
        for j, c in enumerate(rows[k]):
            e = k + 2 * j
            row[j] += c * (Fraction(e, 2) + Fraction(1, 8 * (e + 1)))
            row[j + 1] -= c * (Fraction(e, 2) + Fraction(5, 8 * (e + 3)))
        rows.append(row)
    return tuple(tuple(map(float, row)) for row in rows)


def in_powers(rows: Sequence[Sequence[float]], line: jax.Array, square: jax.Array) -> Any:
    """The sum over k of the k-th polynomial in one variable times the k-th power of another."""
    return horner([horner(row, line) for row in rows], square)


class OnAxis(NamedTuple):
    """L of J and Y at x > 0, or the phase beyond x = v, and what goes with it."""

    below: jax.Array
    """Whether x < v."""
    root: jax.Array
    """The square root of what v^2 and x^2 differ by."""
    flat: jax.Array
    """Whether x is next to v, where both are series."""
    slope: jax.Array
    """The derivative of the value in v."""
    value: jax.Array


def on_axis(v: jax.Array, x: jax.Array) -> OnAxis:
    """For v > 0: v arccosh(v/x) - root for x < v, beyond it root - v arccos(v/x)."""
    below = x < v
    root = jnp.sqrt(jnp.abs(v - x)) * jnp.sqrt(v + x)
    sign = jnp.where(below, 1.0, -1.0)
    t = root / v
    flat = t < FLAT
    t = jnp.where(flat, t, 0.0)
    square = sign * t * t
    series = horner(INVERSE_TANGENT, square)
    grown = ((v - x) + root) / x
    huge = grown >= _LARGE
    logarithm = jnp.log1p(jnp.where(below & ~huge, grown, 0.0))
    logarithm = jnp.where(huge, jnp.log(v + root) - jnp.log(x), logarithm)
    steep = jnp.where(below, logarithm, -jnp.arctan2(root, v))
    slope = jnp.where(flat, sign * t * (1 + square * series), steep)
    value = jnp.where(flat, v * (t * t * t) * series, v * slope - sign * root)
    slope, value = taylor.once(slope, value)
    return OnAxis(below, root, flat, slope, value)


U = polynomials(5)
"""As many as serve where recurrences would take too many steps."""


class Debye:
    """The parts of the expansion at one order; r is complex for complex arguments."""

    def __init__(self, v: jax.Array, r: jax.Array, m: int, sign: jax.Array | float = 1.0) -> None:
        """From r^2 = sign ((v + e)^2 +- z^2): of order m, with r for e = 0.

        With sign -1 it is r/i that is given, which is real for J and Y beyond the turning point.
        """
        inverse = over(1.0, r)
        square = [1 + 0 * r, 2 * sign * (v * inverse) * inverse, sign * (inverse * inverse)]
        square = [*square, *[0 * r] * (m - 2)][: m + 1]
        roots = taylor.times(taylor.power(square, -0.5), inverse)
        self.inverse = list(taylor.once(*roots))
        """1/r."""
        self.amplitude = taylor.times(taylor.power(square, -0.25), square_root(inverse))
        """1/sqrt(r)."""
        inverse_square = taylor.times(taylor.product(self.inverse, self.inverse), sign)
        line = taylor.product(taylor.line(v, 1.0, m), self.inverse)
        line = list(taylor.once(*taylor.times(taylor.product(line, line), sign)))
        u = [taylor.polynomial(c, line) for c in U]

        def inwards(terms: list[list[Any]]) -> list[Any]:
            total = terms[-1]
            for term in terms[-2::-1]:
                total = taylor.plus(term, taylor.product(total, inverse_square))
            return total

        self.even = list(taylor.once(*inwards(u[0::2])))
        """The terms of even k."""
        self.odd = list(taylor.once(*taylor.product(inwards(u[1::2]), self.inverse)))
        """Those of odd k, over i if the sign is -1 (where 1/r is i times what is inverted here)."""

    def exponent(self, value: jax.Array, slope: jax.Array) -> list[Any]:
        """L of that value and slope, or another function of second derivative 1/r."""
        second = (c / ((k + 1) * (k + 2)) for k, c in enumerate(self.inverse))
        return [value, slope, *second][: len(self.inverse)]
