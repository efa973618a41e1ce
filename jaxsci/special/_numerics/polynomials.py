"""Polynomials on intervals, by tables of coefficients (tests/support/make_kernel_tables.py).

In single precision they are of lower degrees, made of the same tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from jaxsci.special._numerics.by_precision import is_single
from jaxsci.special._numerics.economized import (
    economized,
    economized_planes,
    economized_rows,
)

_SPLIT = 12
"""Coefficients from which on two chains are faster than one."""


class Piece(NamedTuple):
    """A polynomial in t, which goes from -1 to 1 as the variable goes from one end to the other."""

    start: float
    end: float
    coefficients: tuple[float, ...]
    """The lowest power first."""

    def __call__(self, u: jax.Array) -> jax.Array:
        """The polynomial at u, which lies in the interval."""
        middle, half = (self.start + self.end) / 2, (self.end - self.start) / 2
        coefficients = economized(self.coefficients) if is_single(u) else self.coefficients
        return horner(coefficients, (u - middle) / half)


class Surface(NamedTuple):
    """A polynomial in two variables, each of which goes from -1 to 1 over its interval."""

    start: float
    end: float
    low: float
    high: float
    """The first variable goes from start to end, the second one from low to high."""
    rows: tuple[tuple[float, ...], ...]
    """For each power of the first, the lowest first, a polynomial in the second."""

    def __call__(self, u: jax.Array, v: jax.Array) -> Any:
        """The polynomial at a point, which lies in both intervals."""
        s = (u - (self.start + self.end) / 2) * (2 / (self.end - self.start))
        t = (v - (self.low + self.high) / 2) * (2 / (self.high - self.low))
        rows = economized_rows(self.rows) if is_single(t) else self.rows
        value: Any = horner(rows[-1], t)
        for row in rows[-2::-1]:
            value = value * s + horner(row, t)
        return value


class Block(NamedTuple):
    """A polynomial in three variables, each of which goes from -1 to 1 over its interval."""

    intervals: tuple[tuple[float, float], ...]
    planes: tuple[tuple[tuple[float, ...], ...], ...]
    """For each power of the first and of the second, the lowest first, one in the third."""

    def __call__(self, u: jax.Array, v: jax.Array, w: jax.Array) -> Any:
        """The polynomial at a point, which lies in all intervals."""
        r, s, t = (
            (x - (low + high) / 2) * (2 / (high - low))
            for x, (low, high) in zip((u, v, w), self.intervals, strict=True)
        )
        planes = economized_planes(self.planes) if is_single(t) else self.planes
        value: Any = 0.0
        for plane in planes[::-1]:
            of_plane: Any = 0.0
            for row in plane[::-1]:
                of_plane = of_plane * s + horner(row or (0.0,), t)
            value = value * r + of_plane
        return value


def horner(coefficients: Sequence[Any], t: jax.Array) -> Any:
    """The polynomial with these coefficients, numbers or arrays, the lowest power first, at t."""
    if len(coefficients) < _SPLIT or not all(type(c) is float for c in coefficients):
        return _in_one_chain(coefficients, t)
    # Odd and even powers beside each other: a chain of operations takes their latencies. The last
    # step is Horner's, so that what is rounded before counts for as little as it does there.
    square = t * t
    even = _in_one_chain(coefficients[1::2], square)
    odd = _in_one_chain(coefficients[2::2], square)
    return coefficients[0] + t * (even + t * odd)


def _in_one_chain(coefficients: Sequence[Any], t: jax.Array) -> Any:
    """By Horner's scheme."""
    value: Any = coefficients[-1]
    if len(coefficients) > 1 and _needs_no_promotion(coefficients, t):
        value = lax.add(lax.mul(t, value), coefficients[-2])
        for c in coefficients[-3::-1]:
            value = lax.add(lax.mul(value, t), c)
        return value
    for c in coefficients[-2::-1]:
        value = value * t + c
    return value


def _needs_no_promotion(coefficients: Sequence[Any], t: jax.Array) -> bool:
    """Whether the operations of `lax`, which are traced in half the time, are the same ones."""
    # What lax makes of Python's numbers.
    same = isinstance(t, jax.Array) and t.dtype == jnp.result_type(float)
    return same and all(type(c) is float for c in coefficients)


def piecewise(pieces: Sequence[Piece], u: jax.Array) -> jax.Array:
    """The piece in whose interval u lies; the intervals follow one another.

    All pieces are evaluated, each no further out than its ends, and one is taken: on vectors of
    numbers that is faster than to look coefficients up.
    """
    value = pieces[0](jnp.minimum(u, pieces[0].end))
    for piece in pieces[1:]:
        value = jnp.where(u > piece.start, piece(jnp.clip(u, piece.start, piece.end)), value)
    return value
