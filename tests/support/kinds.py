"""Rows of one kind: what transforms see of a function, and so what they are tested on once."""

from __future__ import annotations

from typing import Any

import numpy as np
import references
from calling import takes_arrays
from rotation import drawn

from jaxsci._core.elementwise_rules import Missing
from jaxsci._verification import reference
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.types import Kind

Case = tuple[ElementwiseRow, dict[str, Any], str]


def kind_of(row: ElementwiseRow, variant: str) -> tuple[Any, ...]:
    """Kinds and rules of the arguments, of the results, and whether static arguments shape them."""
    assert row.host.signature is not None
    arguments = frozenset((a.kind, type(row.rules.get(a.name))) for a in row.arguments)
    cores = row.host.signature.outputs
    results = frozenset(row.host.result_kinds), {len(c) for c in cores} == {0}, len(cores) > 1
    ways = row.on_device, takes_arrays(row), row.layout is None, row.guard is None
    return arguments, results, ways, variant


def one_of_each_kind(extra: int, purpose: str) -> list[Case]:
    """Today's row of every kind, and a few more; of each one the last of its static arguments."""
    kinds: dict[Any, list[Case]] = {}
    for row, static, variant in reference.cases():
        if static == row.samples.statics[-1]:
            kinds.setdefault(kind_of(row, variant), []).append((row, static, variant))
    chosen = [case for cases in kinds.values() for case in drawn(cases, 1, purpose)]
    others = [case for cases in kinds.values() for case in cases if case not in chosen]
    return chosen + drawn(others, extra, purpose)


def for_devices() -> list[Case]:
    """The rows that are tested on several devices: today's draw of the kinds.

    Some always: their rules have loops that start from constants, which vary over no device.
    """
    today = drawn(one_of_each_kind(0, "devices"), 20, "devices")
    names = {row.name for row, _, _ in today}
    loops = {"eval_laguerre", "mathieu_a", "pro_cv"} - names
    return today + [case for case in reference.cases() if case[0].name in loops]


def name_of(case: Case) -> str:
    """A case's name in a test's id."""
    row, static, variant = case
    return f"{row.name}-{references.entry_key(static, variant)}"


def points(case: Case, n: int) -> list[np.ndarray]:
    """A few points of the domain, the same every time."""
    row, static, variant = case
    rng = reference.generator("points", name_of(case), reference.static_key(static))
    return reference.sample(row, variant, rng, n)


def ruled(row: ElementwiseRow) -> list[int]:
    """Positions, among the array arguments, of those with a derivative."""
    return [
        i
        for i, a in enumerate(row.arrays)
        if a.kind is not Kind.INT and not isinstance(row.rules[a.name], Missing)
    ]
