"""Derivatives in x of the solutions of an ultraspherical differential equation.

With s = 0, 1/2, 1 for T, P and U, and m the degree plus s, each of these functions has, from the
differential equation (DLMF 18.8.1) differentiated k times,

    (1 - x^2) y_(k+2) = (2k + 2s + 1) x y_(k+1) + ((k + s)^2 - m^2) y_k,

carried out in Taylor polynomials in m. Next to x = 1, where m t is small for x = cos t, this
cancels for those that are regular there, and the hypergeometric series in (1 - x)/2 does not.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import taylor

_NEAR = 0.25
_SMALL = 1.0
_TERMS = 30


class Ultraspherical:
    """The functions at x = 1 - 2 low = 2 high - 1, to a degree of the expansion in m."""

    def __init__(self, m: Any, low: jax.Array, high: jax.Array, degree: int, s: float) -> None:
        self._m, self._low, self._degree, self._s = m, low, degree, s
        self._x = high - low
        self._square = 4 * low * high

    def is_near_one(self) -> jax.Array:
        """Whether the series is for this x."""
        return (jnp.abs(self._low) < _NEAR) & (jnp.abs(self._m**2 * self._low) < _SMALL)

    def _less_square(self, j: float) -> list[Any]:
        """The expansion of j^2 - (m + e)^2."""
        zero = 0 * self._low
        jet = [(j - self._m) * (j + self._m) + zero, -2 * self._m + zero, zero - 1]
        return [*jet, *[zero] * self._degree][: self._degree + 1]

    def derivatives(self, rows: list[list[Any]], k: int) -> list[Any]:
        """The k-th derivative in x, from the function and its first one."""
        while len(rows) <= k:
            j = len(rows) - 2
            along = taylor.times(rows[-1], (2 * j + 2 * self._s + 1) * self._x)
            back = taylor.product(self._less_square(j + self._s), rows[-2])
            rows = [*rows, taylor.times(taylor.plus(along, back), 1 / self._square)]
        return rows[k]

    def series(self, near: jax.Array, k: int) -> list[Any]:
        """The k-th derivative in x of the regular solution that is 1 at x = 1 (DLMF 15.5.2)."""
        s = self._s
        low = jnp.where(near, self._low, 0.0)
        term = taylor.line(jnp.ones_like(low), 0 * low, self._degree)
        for j in range(k):
            term = taylor.product(term, self._scaled(j, -0.5 / (s + 0.5 + j)))
        total = term
        for j in range(_TERMS):
            up = self._scaled(j + k, low / ((k + s + 0.5 + j) * (j + 1)))
            term = taylor.product(term, up)
            total = taylor.plus(total, term)
        return total

    def _scaled(self, j: int, factor: Any) -> list[Any]:
        return taylor.times(self._less_square(j + self._s), factor)
