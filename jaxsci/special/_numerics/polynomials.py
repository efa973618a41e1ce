"""Polynomials on intervals, by tables of coefficients (tests/support/make_kernel_tables.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Piece(NamedTuple):
    """A polynomial in t, which goes from -1 to 1 as the variable goes from one end to the other."""

    start: float
    end: float
    coefficients: tuple[float, ...]
    """The lowest power first."""

    def __call__(self, u: jax.Array) -> jax.Array:
        """The polynomial at u, which lies in the interval."""
        middle, half = (self.start + self.end) / 2, (self.end - self.start) / 2
        return horner(self.coefficients, (u - middle) / half)


def horner(coefficients: Sequence[float], t: jax.Array) -> Any:
    """The polynomial with these coefficients, the lowest power first, at t."""
    value: Any = coefficients[-1]
    for c in coefficients[-2::-1]:
        value = value * t + c
    return value


def piecewise(pieces: Sequence[Piece], u: jax.Array) -> Any:
    """The piece in whose interval u lies; the intervals follow one another.

    All pieces are evaluated, each no further out than its ends, and one is taken: on vectors of
    numbers that is faster than to look coefficients up.
    """
    value = pieces[0](jnp.minimum(u, pieces[0].end))
    for piece in pieces[1:]:
        value = jnp.where(u > piece.start, piece(jnp.clip(u, piece.start, piece.end)), value)
    return value
