"""Roots of a function of numbers that the host evaluates, elementwise, in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Off = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""What is zero at the root, of numbers x and of the places of their elements."""

Walk = tuple[np.ndarray, np.ndarray, np.ndarray]

LEAST, MOST = 1e-6, 1e9
_START = 8.0
_EPS = np.finfo(float).eps
_MOST_STEPS = 100


def flat(*args: np.ndarray) -> list[Any]:
    """The common shape, and the arguments in it, all along one axis."""
    arrays = np.broadcast_arrays(*(np.asarray(x, float) for x in args))
    return [arrays[0].shape, *(x.ravel() for x in arrays)]


def walk(
    off: Off,
    x: np.ndarray,
    places: np.ndarray,
    factor: float,
    to_high: bool,
    most: float,
) -> Walk:
    """Multiply x until the function is not negative, or until it is where not `to_high`.

    Returns:
        The x before, the x after, and whether there was one.
    """
    before, after = x.copy(), x.copy()
    found = np.zeros(x.shape, bool)
    left = np.arange(x.size)
    while left.size:
        before[left] = after[left]
        after[left] *= factor
        value = off(after[left], places[left])
        found[left] = value >= 0 if to_high else value < 0
        going = ~found[left] & (after[left] < most) & (after[left] > LEAST)
        left = left[going]
    return before, after, found


def root(off: Off, low: np.ndarray, high: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The root in between (T. R. Chandrupatla, 1997, Advances in Engineering Software 28:145)."""
    a, b = high.copy(), low.copy()
    f_a, f_b = off(a, places), off(b, places)
    c, f_c = a.copy(), f_a.copy()
    t = np.full(a.shape, 0.5)
    left = np.arange(a.size)
    for _ in range(_MOST_STEPS):
        if not left.size:
            break
        x = a[left] + t[left] * (b[left] - a[left])
        f_x = off(x, places[left])
        same = np.sign(f_x) == np.sign(f_a[left])
        c[left] = np.where(same, a[left], b[left])
        f_c[left] = np.where(same, f_a[left], f_b[left])
        b[left] = np.where(same, b[left], a[left])
        f_b[left] = np.where(same, f_b[left], f_a[left])
        a[left], f_a[left] = x, f_x
        best = np.where(np.abs(f_a[left]) < np.abs(f_b[left]), a[left], b[left])
        with np.errstate(all="ignore"):
            width = 2 * _EPS * np.abs(best) / np.abs(b[left] - c[left])
            xi = (a[left] - b[left]) / (c[left] - b[left])
            phi = (f_a[left] - f_b[left]) / (f_c[left] - f_b[left])
            alpha = (c[left] - a[left]) / (b[left] - a[left])
            quadratic = f_a[left] / (f_b[left] - f_a[left]) * f_c[left] / (f_b[left] - f_c[left])
            quadratic += (
                alpha * f_a[left] / (f_c[left] - f_a[left]) * f_b[left] / (f_c[left] - f_b[left])
            )
            curved = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            step = np.where(curved & np.isfinite(quadratic), quadratic, 0.5)
            step = np.minimum(1 - width, np.maximum(width, step))
        t[left] = step
        left = left[(width < 0.5) & (f_a[left] != 0) & (f_b[left] != 0)]
    return np.where(np.abs(f_a) < np.abs(f_b), a, b)


def root_from_8(off: Off, inside: np.ndarray) -> np.ndarray:
    """The root from 1e-6 to 1e9, such as of degrees of freedom, NaN where there is none.

    The function may have one maximum or minimum. So the search goes from a start to where it is on
    the other side of the goal, first in the direction in which it would grow in between.
    """
    out = np.full(inside.shape, np.nan)

    def settle(places: np.ndarray, ends: Walk) -> None:
        before, after, found = ends
        here = places[found]
        low, high = np.minimum(before, after)[found], np.maximum(before, after)[found]
        out[here] = root(off, low, high, here)

    everywhere = np.flatnonzero(inside)
    low = off(np.full(everywhere.shape, _START), everywhere) < 0
    for is_low in (True, False):
        places, factor = everywhere[low == is_low], 2.0 if is_low else 0.5
        ends = walk(off, np.full(places.shape, _START), places, factor, is_low, MOST)
        settle(places, ends)
        # Where there is no such place the root, or the two, are on the other side.
        places = places[~ends[2]]
        start = np.full(places.shape, _START)
        before, after, found = walk(off, start, places, 1 / factor, is_low, MOST)
        places, before, after = places[found], before[found], after[found]
        farther = walk(off, after, places, 1 / factor, not is_low, MOST)
        settle(places, farther)
        settle(places, (before, after, ~farther[2]))
    return out
