"""Errors of the contenders, at points whose truth is known."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from jaxsci._verification import accuracy, reference
from jaxsci._verification.atlas import points, summary
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow


class Truth:
    """What a function and its derivatives in one argument are, at the points of the tests."""

    def __init__(self, name: str, position: int) -> None:
        row = CATALOG[name]
        assert isinstance(row, ElementwiseRow)
        self._row, self._argument = row, row.arrays[position].name
        self._entries = points.stored(row, {}, reference.REAL)
        self.at = accuracy.points_of(row, reference.REAL, self._entries)

    def errors(self, order: int, found: Any) -> tuple[float, float]:
        """The median and the largest error there, conditioned as in the atlas.

        It is infinite where a result is missing.
        """
        y = np.asarray(found, np.float64).reshape(len(self._entries), 1)
        slopes = {self._argument: [[y]] * order} if order else {}
        comparisons = accuracy.compared(self._row, {}, reference.REAL, self._entries, [y], slopes)
        (one,) = (c for c in comparisons if c.order == order)
        found_there = summary.errors(one, np.float64).conditioned
        return float(np.median(found_there)), float(np.max(found_there))


class TruthOfExpm:
    """The exponential of a matrix and its derivatives along a matrix of ones."""

    def __init__(self, size: int = 8) -> None:
        self.at = [np.random.default_rng(0).standard_normal((size, size))]
        with mp.workdps(40):
            a, ones = mpmath.matrix(self.at[0].tolist()), mpmath.ones(size)
            blocks = mpmath.zeros(3 * size)
            for i in range(3):
                blocks[i * size : (i + 1) * size, i * size : (i + 1) * size] = a
            for i in range(2):
                blocks[i * size : (i + 1) * size, (i + 1) * size : (i + 2) * size] = ones
            whole = np.array(mpmath.expm(blocks).tolist(), dtype=np.float64)
        # The exponential of a block matrix has the derivatives in its upper blocks.
        self._truth = [whole[:size, i * size : (i + 1) * size] * (1, 1, 2)[i] for i in range(3)]

    def errors(self, order: int, found: Any) -> tuple[float, float]:
        """Of the entries, relative to the largest one."""
        truth = self._truth[order]
        off = np.abs(np.asarray(found) - truth) / np.max(np.abs(truth))
        return float(np.median(off)), float(np.max(off))


def truth_of(name: str, position: int) -> Any:
    """What knows the truth of a function."""
    return TruthOfExpm() if name == "expm" else Truth(name, position)
