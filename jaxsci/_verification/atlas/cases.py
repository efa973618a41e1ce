"""What the atlas says of one row."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from mpmath import mp

from jaxsci._verification import accuracy, reference
from jaxsci._verification.atlas import libraries, points, summary
from jaxsci._verification.atlas.time_limit import OutOfTime, time_limit
from jaxsci.special._catalog.decorators import ElementwiseRow

FEWEST = 4
"""Points of a case, where a row has many."""
FIRST = 4
"""So many times as long may a case's first point take: mpmath makes its tables then."""
HIGHEST_SINGLE = 1
"""Up to which order derivatives are looked at in single precision; to compile them takes long."""


@dataclass(frozen=True)
class Effort:
    """How much is looked at."""

    points: int = 16
    """Points spread over a row's domain, shared by its combinations of static arguments, of real
    and complex ones; more come from the references that the tests have stored."""
    seconds: float = 5.0
    """What mpmath may spend on a point, of the processor's time."""
    case_seconds: float = 60.0
    """What it may spend on a case."""
    order: int = 2
    """The highest order of derivatives; only the first in single precision."""


@dataclass
class Case:
    """A row's errors, with one combination of static arguments, real or complex."""

    static: str
    variant: str
    points: int
    """Points with a truth, in double precision; of single precision some of them are."""
    single: int
    unfinished: list[int]
    """The numbers of those spread points at which mpmath did not finish in time,"""
    failed: list[int]
    """and of those at which it came to no result."""
    entries: list[list[Any]] = field(default_factory=list)
    """Library, type, argument, order, and the statistics."""


def count(row: ElementwiseRow, effort: Effort) -> int:
    """How many points are spread in each case of a row."""
    cases = len(row.samples.statics) * len(reference.variants(row))
    return max(FEWEST, effort.points // cases)


def measured(row: ElementwiseRow, effort: Effort) -> list[Case]:
    """All of a row's cases."""
    return [
        case_of(row, static, variant, effort)
        for static in row.samples.statics
        for variant in reference.variants(row)
    ]


def case_of(
    row: ElementwiseRow,
    static: dict[str, Any],
    variant: str,
    effort: Effort,
    leave_out: Sequence[int] = (),
    only_ours: bool = False,
) -> Case:
    """One case.

    Args:
        row: the row.
        static: its static arguments.
        variant: which of its arguments are complex.
        effort: how much is looked at.
        leave_out: the numbers of spread points that are not looked at.
        only_ours: whether other libraries are left out.
    """
    spread = points.spread(row, static, variant, count(row, effort))
    entries = list(points.stored(row, static, variant))
    at_hand = [tuple(accuracy.number(x) for x in e["at"]) for e in entries]
    more = [(None, p) for p in points.awkward(row, variant) if p not in at_hand]
    more += [(i, p) for i, p in enumerate(spread) if i not in leave_out]
    unfinished, failed = [], []
    start = time.process_time()
    for place, (i, point) in enumerate(more):
        patience = effort.seconds * (1 if place else FIRST)
        left = effort.case_seconds - (time.process_time() - start)
        try:
            if left <= 0:
                raise OutOfTime
            with time_limit(min(patience, left)):
                entries.append(reference.stored_form(reference.entry(row, static, variant, point)))
        except OutOfTime:
            mp.dps = 15  # whatever it was interrupted at
            unfinished.append(i)
        except Exception:
            failed.append(i)
    single = [e for e in entries if points.is_single([accuracy.number(x) for x in e["at"]])]
    case = Case(
        reference.static_key(static), variant, len(entries), len(single),
        [-1 if i is None else i for i in unfinished],
        [-1 if i is None else i for i in failed],
    )  # fmt: skip
    single_order = min(effort.order, HIGHEST_SINGLE)
    for dtype, chosen, order in (
        (np.float64, entries, effort.order),
        (np.float32, single, single_order),
    ):
        if chosen:
            of = _Measurement(row, static, variant, chosen, dtype)
            case.entries += of.ours(order)
            if not only_ours:
                case.entries += of.scipys()
                case.entries += of.others(order)
    case.entries.sort(key=_place)
    return case


def _place(entry: list[Any]) -> tuple[Any, ...]:
    library, dtype, argument, order, *_ = entry
    return order, argument, dtype != "float64", libraries.LIBRARIES.index(library)


_SINGLE = {"i": np.int32, "f": np.float32, "c": np.complex64}


@dataclass(frozen=True)
class _Measurement:
    """One case in one precision."""

    row: ElementwiseRow
    static: dict[str, Any]
    variant: str
    entries: Sequence[reference.Entry]
    dtype: Any

    def ours(self, highest: int) -> list[list[Any]]:
        return self._in_jax(libraries.JAXSCI, None, highest)

    def scipys(self) -> list[list[Any]]:
        values = libraries.by_scipy(self.row, self.static, self._points(), self.dtype is np.float32)
        return self._summarised(libraries.SCIPY, values, {})

    def others(self, highest: int) -> list[list[Any]]:
        """Other libraries' errors, where they take these arguments, and differentiate in them."""
        out: list[list[Any]] = []
        for library, function in libraries.in_jax(self.row):
            try:
                out += self._in_jax(library, function, 0)
            except Exception:
                continue
            for argument in self.row.arrays:
                for order in range(highest, 0, -1):
                    try:
                        found = self._in_jax(library, function, order, argument.name)
                    except Exception:
                        continue
                    out += [e for e in found if e[3]]
                    break
        return out

    def _in_jax(
        self, library: str, function: Any, highest: int, only: str | None = None
    ) -> list[list[Any]]:
        at = [self._cast(x) for x in accuracy.points_of(self.row, self.variant, self.entries)]
        named = accuracy.directions_of(self.row, self.variant, at) if highest else {}
        along = {name: d for name, d in named.items() if only in (None, name)}
        of_arrays = accuracy.derivatives(self.row, self.static, highest, function)
        value, slopes = jax.tree.map(np.asarray, jax.jit(of_arrays)(at, along))
        jax.clear_caches()  # programs that are not called again
        return self._summarised(library, value, slopes)

    def _cast(self, x: np.ndarray) -> jax.Array:
        if self.dtype is np.float64:
            return jnp.asarray(x)
        return jnp.asarray(x.astype(_SINGLE[x.dtype.kind]))

    def _points(self) -> list[Any]:
        return [[accuracy.number(x) for x in e["at"]] for e in self.entries]

    def _summarised(self, library: str, value: Any, slopes: Any) -> list[list[Any]]:
        parts: dict[tuple[str, int], list[summary.Errors]] = {}
        for c in self._compared(value, slopes):
            parts.setdefault((c.argument, c.order), []).append(summary.errors(c, self.dtype))
        out = []
        for (argument, order), each in parts.items():
            numbers = summary.statistics(summary.together(each), self._points())
            if numbers is not None:
                out.append([library, np.dtype(self.dtype).name, argument, order, *numbers])
        return out

    def _compared(self, value: Any, slopes: Any) -> Iterator[accuracy.Comparison]:
        return accuracy.compared(self.row, self.static, self.variant, self.entries, value, slopes)
