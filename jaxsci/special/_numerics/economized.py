"""Polynomials of lower degrees that are as good in single precision.

Tables of coefficients are those of double precision. Written in Chebyshev polynomials, whose terms
are of size 1 over the interval, the smallest terms can be left out: the rest is as near to the
function as any polynomial of its degree, nearly (economization).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from numpy.polynomial import chebyshev

NEGLIGIBLE = 2.0**-28
"""What is left out, relative to the smallest value; to the largest where there is a zero."""

_POINTS = np.cos(np.pi * (np.arange(64) + 0.5) / 64)

Coefficients = tuple[float, ...]


@functools.lru_cache(maxsize=4096)
def economized(coefficients: Coefficients) -> Coefficients:
    """A polynomial on [-1, 1], the lowest power first."""
    return tuple(map(float, _economized(np.array(coefficients))))


@functools.lru_cache(maxsize=1024)
def economized_rows(rows: tuple[Coefficients, ...]) -> tuple[Coefficients, ...]:
    """One in two variables: for each power of the first, a polynomial in the second."""
    kept = _economized(_padded(rows))
    return tuple(map(_trimmed, kept.tolist()))


@functools.lru_cache(maxsize=64)
def economized_planes(
    planes: tuple[tuple[Coefficients, ...], ...],
) -> tuple[tuple[Coefficients, ...], ...]:
    """One in three variables."""
    padded = [_padded(plane) for plane in planes]
    shape = np.max([p.shape for p in padded], axis=0)
    alike = [np.pad(p, [(0, n - m) for n, m in zip(shape, p.shape, strict=True)]) for p in padded]
    kept = _economized(np.array(alike))
    return tuple(tuple(map(_trimmed, plane.tolist())) for plane in kept)


def _padded(rows: Sequence[Coefficients]) -> np.ndarray:
    n = max(map(len, rows), default=0)
    return np.array([[*row, *[0.0] * (n - len(row))] for row in rows]).reshape(len(rows), n)


def _trimmed(row: Sequence[float]) -> Coefficients:
    """Without zeros at the end, but for one number."""
    end = max((i + 1 for i, c in enumerate(row) if c), default=1)
    return tuple(row[:end])


def _economized(powers: np.ndarray) -> np.ndarray:
    """Without the smallest terms, as far as they stand at the end of an axis."""
    terms = powers
    for axis in range(powers.ndim):
        terms = np.apply_along_axis(_in_chebyshev, axis, terms)
    values = terms
    for _ in range(powers.ndim):
        # Each time the first axis is evaluated, and the points come last.
        values = chebyshev.chebval(_POINTS if powers.ndim < 3 else _POINTS[::4], values)
    size = np.abs(values)
    has_zero = np.min(values) <= 0 <= np.max(values)
    most = NEGLIGIBLE * (np.max(size) if has_zero else np.min(size))
    order = np.argsort(np.abs(terms), axis=None)
    dropped = order[: np.searchsorted(np.cumsum(np.abs(terms.ravel()[order])), most)]
    kept = np.ones(terms.size, bool)
    kept[dropped] = False
    # What is followed by a term that is kept, is kept, for terms of higher powers have lower ones.
    kept = kept.reshape(terms.shape)
    for axis in range(kept.ndim):
        kept = np.flip(np.logical_or.accumulate(np.flip(kept, axis), axis), axis)
    terms = np.where(kept, terms, 0.0)
    for axis in range(terms.ndim):
        terms = np.apply_along_axis(_in_powers, axis, terms)
        used = np.any(kept, axis=tuple(i for i in range(kept.ndim) if i != axis))
        terms = terms.take(range(max(1, int(np.sum(used)))), axis)
    return terms


def _in_chebyshev(powers: np.ndarray) -> np.ndarray:
    return _to_length(chebyshev.poly2cheb(powers), len(powers))


def _in_powers(terms: np.ndarray) -> np.ndarray:
    return _to_length(chebyshev.cheb2poly(terms), len(terms))


def _to_length(c: np.ndarray, n: int) -> np.ndarray:
    return np.concatenate([c, np.zeros(n - len(c))])
