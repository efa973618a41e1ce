"""Errors at many points, in a few numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxsci._verification.accuracy import Comparison

MOST = 0.99
_NOTHING = 1e-20


@dataclass(frozen=True)
class Errors:
    """One quantity's errors at many points: its results and directions, one after another."""

    relative: np.ndarray
    ulp: np.ndarray
    """In units of the last place of the truth."""
    conditioned: np.ndarray
    """Relative to the truth, or to what it changes by when an argument does by its own size."""
    point: np.ndarray
    """The number of the point."""


def errors(comparison: Comparison, dtype: Any) -> Errors:
    """The errors where the truth is a number. What is missing is infinitely wrong.

    A result is missing where it is NaN; or infinite, and the truth within the type's range; or
    finite, or of the wrong sign, and the truth beyond it. What is smaller than the type's smallest
    normal number is no error: XLA flushes such numbers to 0.
    """
    kind = np.finfo(dtype)
    c = comparison
    known = ~np.isnan(c.truth)
    truth, found = c.truth[known], c.found[known]
    with np.errstate(all="ignore"):
        size = np.abs(truth)
        beyond = size > float(kind.max)
        off = np.abs(found - truth)
        off = np.where(off <= float(kind.tiny), 0.0, off)
        right = np.isinf(found) & (np.iscomplexobj(truth) | (np.sign(found) == np.sign(truth)))
        # Just beyond the range a number may round to its last one.
        right = right | np.isfinite(size) & (off <= size * 2 * float(kind.eps))
        off = np.where(beyond, np.where(right, 0.0, np.inf), off)
        off = np.where(np.isnan(off), np.inf, off)
        scale = np.fmax(size, c.scale[known])
        spacing = np.spacing(np.maximum(np.minimum(size, kind.max), kind.tiny).astype(kind.dtype))
        relative, ulp, conditioned = (
            np.where(off == 0, 0.0, np.where(np.isnan(off / whole), np.inf, off / whole))
            for whole in (np.where(beyond, 1.0, size), spacing.astype(np.float64), scale)
        )
    point = np.broadcast_to(np.arange(len(c.truth))[:, None], c.truth.shape)[known]
    return Errors(relative, ulp, conditioned, point)


def together(parts: Sequence[Errors]) -> Errors:
    """Errors of several quantities as one."""
    names = ("relative", "ulp", "conditioned", "point")
    return Errors(*(np.concatenate([getattr(p, name) for p in parts]) for name in names))


def statistics(found: Errors, points: Sequence[Any]) -> list[Any] | None:
    """The numbers that the atlas stores of a quantity; None where there is nothing to compare.

    Returns:
        How many results were compared, and how many of them are missing; median, 99 % and largest
        error, relative and then in units of the last place; the largest conditioned error; and the
        point of the largest relative error. Infinite errors are None.
    """
    n = found.relative.size
    if n == 0:
        return None
    worst = points[int(found.point[np.argmax(found.relative)])]
    return [
        n,
        int(np.isinf(found.ulp).sum()),
        *_three(found.relative),
        *_three(found.ulp),
        _short(float(np.max(found.conditioned))),
        [_plain(x) for x in worst],
    ]


def _three(x: np.ndarray) -> list[float | None]:
    ordered = np.sort(x)
    return [_short(float(ordered[math.ceil(q * x.size) - 1])) for q in (0.5, MOST, 1.0)]


def _short(x: float) -> float | None:
    if x < _NOTHING:
        return 0.0
    return float(f"{x:.1e}") if math.isfinite(x) else None


def _plain(x: Any) -> Any:
    return [x.real, x.imag] if isinstance(x, complex) else x
