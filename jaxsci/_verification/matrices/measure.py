"""Errors of one function: of its value, and of its derivative along random directions."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import jax
import numpy as np

from jaxsci._verification.matrices import ensembles
from jaxsci._verification.matrices.digits import mp
from jaxsci._verification.matrices.problems import PROBLEMS, Problem

DIGITS = 90
STEP = 30
"""Differences are taken over ten to the minus this: they have some 50 digits, and need 15."""
DRAWS = 3
EPSILON = 2.0**-52


@dataclass(frozen=True)
class Errors:
    """The largest of some draws, in units of double precision's epsilon.

    Relative to the result's norm; and to that or, where it is more, to what the result changes by
    along a random direction as large as the arguments: that is what rounding the arguments makes.
    """

    value: float | None
    """None: infinite, as the result is NaN."""
    value_conditioned: float | None
    derivative: float | None
    derivative_conditioned: float | None


def measured(name: str) -> dict[str, dict[str, float | None]]:
    """A function's errors for well- and for ill-conditioned matrices."""
    return {quality: asdict(_errors(name, quality)) for quality in ensembles.CONDITION}


def _errors(name: str, quality: str) -> Errors:
    problem = PROBLEMS[name]
    both = jax.jit(lambda xs, es: jax.jvp(problem.ours, xs, es))
    each = []
    for draw in range(DRAWS):
        rng = np.random.default_rng(zlib.crc32(f"{name} {quality} {draw}".encode()))
        xs = tuple(ensembles.drawn(kind, quality, rng) for kind in problem.kinds)
        along = [_direction(problem, xs, rng) for _ in range(2)]
        with mp.workdps(DIGITS):
            each.append(_compared(problem, xs, along, *both(xs, tuple(along[0]))))
    most = (max(column) for column in zip(*each, strict=True))
    return Errors(*(x if np.isfinite(x) else None for x in most))


def _direction(problem: Problem, xs: tuple[np.ndarray, ...], rng: Any) -> list[np.ndarray]:
    """Random matrices of the arguments' norms."""
    out = []
    for kind, x in zip(problem.kinds, xs, strict=True):
        e = rng.standard_normal(x.shape)
        e = (e + e.T) / 2 if kind in ensembles.SYMMETRIC else e
        out.append(e * (np.linalg.norm(x) / np.linalg.norm(e)))
    return out


def _compared(
    problem: Problem, xs: tuple[np.ndarray, ...], along: list[list[np.ndarray]], y: Any, slope: Any
) -> tuple[float, float, float, float]:
    f = _function(problem, xs, along)
    h = mp.mpf(10) ** -STEP
    value = f(0, 0)
    first = (f(h, 0) - f(-h, 0)) / (2 * h)
    second = (f(0, h) - f(0, -h)) / (2 * h)
    mixed = (f(h, h) - f(h, -h) - f(-h, h) + f(-h, -h)) / (4 * h * h)
    of_value = max(mp.norm(first), mp.norm(second))
    off, off_slope = mp.norm(_flat(y) - value), mp.norm(_flat(slope) - first)
    return (
        _in_epsilons(off, mp.norm(value)),
        _in_epsilons(off, max(mp.norm(value), of_value)),
        _in_epsilons(off_slope, mp.norm(first)),
        _in_epsilons(off_slope, max(mp.norm(first), mp.norm(mixed))),
    )


def _function(
    problem: Problem, xs: tuple[np.ndarray, ...], along: list[list[np.ndarray]]
) -> Callable[[Any, Any], Any]:
    """The truth at the arguments, moved so far along both directions."""
    start = () if problem.start is None else (problem.start(*xs),)

    def at(s: Any, t: Any) -> Any:
        moved = [
            _exact(x) + s * _exact(e) + t * _exact(g) for x, e, g in zip(xs, *along, strict=True)
        ]
        given = [list(x) if a.ndim == 1 else x for x, a in zip(moved, xs, strict=True)]
        return _flat(problem.truth(*given, *start))

    return at


def _exact(x: np.ndarray) -> Any:
    return mp.matrix(x.tolist())


def _flat(y: Any) -> Any:
    """All numbers of one result or several, as a vector."""
    numbers: list[Any] = []
    for part in y if isinstance(y, tuple | list) else [y]:
        if isinstance(part, mp.matrix):
            numbers += list(part)
        elif isinstance(part, mp.mpf):
            numbers.append(part)
        else:
            numbers += [mp.mpf(float(x)) for x in np.ravel(part)]
    return mp.matrix(numbers)


def _in_epsilons(off: Any, size: Any) -> float:
    ratio = off / size if size else (mp.inf if off else mp.mpf(0))
    number = float(ratio) / EPSILON
    return float("inf") if np.isnan(number) else float(f"{number:.2g}")
