"""Eigenpairs of symmetric tridiagonal matrices in multi-precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from mpmath import mp, mpf

from jaxsci._verification.oracles._types import Number

__all__: list[str] = []  # nothing that expressions could name

_SPARE_DIGITS = 25


def eigenpair(
    entries: Callable[[int], tuple[Number, Number]], size: int, index: int
) -> tuple[Number, list]:
    """The eigenvalue of this index (from below), and its eigenvector of Euclidean norm 1.

    The index is found among NumPy's eigenvalues; Rayleigh quotients, which converge cubically,
    give the digits.

    Args:
        entries: of a row k, its diagonal entry and the one to the right of it.
        size: how many rows.
        index: which eigenvalue.
    """
    with mp.workdps(mp.dps + _SPARE_DIGITS):
        rows = [entries(k) for k in range(size)]
        diagonal, beside = [r[0] for r in rows], [r[1] for r in rows[:-1]]
        # Rows far out only add large eigenvalues.
        few = min(size, max(2 * index + 60, 160))
        dense = np.diag([float(d) for d in diagonal[:few]])
        dense += np.diag([float(b) for b in beside[: few - 1]], 1)
        values, vectors = np.linalg.eigh(dense, UPLO="U")
        value = mpf(float(values[index]))
        vector = [mpf(float(v)) for v in vectors[:, index]] + [mpf(0)] * (size - few)
        for _ in range(30):
            # A shift that is exact would make pivots vanish.
            shift = value + mpf(10) ** (8 - mp.dps) * (1 + abs(value))
            before, vector = value, _solved(diagonal, beside, shift, vector)
            norm = mp.sqrt(mp.fsum(v * v for v in vector))
            vector = [v / norm for v in vector]
            value = mp.fsum(d * v * v for d, v in zip(diagonal, vector, strict=True))
            value += 2 * mp.fsum(
                b * v * w for b, v, w in zip(beside, vector[:-1], vector[1:], strict=True)
            )
            if abs(value - before) <= mpf(10) ** (6 - mp.dps) * (1 + abs(value)):
                return value, vector
        raise ArithmeticError("Rayleigh's iteration has not converged")


def _solved(
    diagonal: Sequence[Number], beside: Sequence[Number], shift: Number, right: Sequence[Number]
) -> list:
    """Solve (T - shift) x = right by elimination; a vanishing pivot is replaced by a tiny one."""
    tiny = mpf(10) ** (-2 * mp.dps)
    pivots, sides = [diagonal[0] - shift or tiny], [right[0]]
    for d, b, r in zip(diagonal[1:], beside, right[1:], strict=True):
        factor = b / pivots[-1]
        pivots.append(d - shift - factor * b or tiny)
        sides.append(r - factor * sides[-1])
    x = [sides[-1] / pivots[-1]]
    for b, p, s in zip(beside[::-1], pivots[-2::-1], sides[-2::-1], strict=True):
        x.append((s - b * x[-1]) / p)
    return x[::-1]
