"""The atlas as files: one for each family of functions, a line for each quantity."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jaxsci._verification import reference
from jaxsci._verification.atlas import points
from jaxsci._verification.atlas.cases import Case, Effort
from jaxsci.special._catalog.decorators import ElementwiseRow

COLUMNS = (
    "library", "type", "argument", "order", "results", "missing",
    "median", "most", "largest", "median_ulp", "most_ulp", "largest_ulp", "conditioned", "at",
)  # fmt: skip
"""What an entry's numbers are: see `summary.statistics`."""


_SOURCES = points.sources()
DEFAULT = (Path() if _SOURCES is None else _SOURCES / "docs") / "atlas"
"""Beside the documentation that shows it: it is no part of what is installed."""

Record = dict[str, Any]


def samples(row: ElementwiseRow) -> int:
    """A number that is another one when the row's definition or domain is."""
    s = row.samples
    return zlib.crc32(repr((s.reference, s.domain, s.awkward, s.statics)).encode())


def record(row: ElementwiseRow, cases: Sequence[Case], versions: str, effort: Effort) -> Record:
    """What is stored of a row."""
    return {
        "versions": versions,
        "samples": samples(row),
        "points": effort.points,
        "order": effort.order,
        "cases": [asdict(case) for case in cases],
    }


def is_current(row: ElementwiseRow, found: Record | None, versions: str, effort: Effort) -> bool:
    """Whether a row need not be looked at again."""
    return (
        found is not None
        and (found["versions"], found["samples"]) == (versions, samples(row))
        and found["points"] == effort.points
        and found["order"] >= effort.order
        and has_every_derivative(row, found)
    )


def has_every_derivative(row: ElementwiseRow, found: Record) -> bool:
    """Whether derivatives, if any, were measured in just the arguments that have rules today."""
    for case in found["cases"] if found["order"] else ():
        measured = {e[2] for e in case["entries"] if e[0] == "jaxsci" and e[3]}
        ruled = {a.name for a in row.arrays if reference.directions(row, a, case["variant"])}
        if case["points"] and measured != ruled:
            return False
    return True


def family(row: ElementwiseRow) -> str:
    """The file of a row, without its ending."""
    return row.home.removeprefix("jaxsci.special._").split(".")[0]


def load(folder: Path) -> dict[str, Record]:
    """All records, by row."""
    found: dict[str, Record] = {}
    for file in sorted(folder.glob("*.json")):
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found


def put(folder: Path, row: ElementwiseRow, new: Record) -> None:
    """Write a row's record; its file is replaced as a whole, or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{family(row)}.json"
    records = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    records[row.name] = new
    there = {name for name, r in reference.ROWS.items() if family(r) == family(row)}
    lines = [_text(name, records[name]) for name in sorted(records.keys() & there)]
    fresh = file.with_suffix(".new")
    fresh.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")
    os.replace(fresh, file)


def _text(name: str, stored: Record) -> str:
    cases = []
    for case in stored["cases"]:
        head = _json({k: v for k, v in case.items() if k != "entries"})
        lines = ",\n".join(_json(e) for e in case["entries"])
        cases.append(f'{head[:-1]},"entries":[\n{lines}]}}')
    head = _json({k: v for k, v in stored.items() if k != "cases"})
    body = ",\n".join(cases)
    return f'{_json(name)}:{head[:-1]},"cases":[\n{body}]}}'


def _json(x: Any) -> str:
    return json.dumps(x, separators=(",", ":"), allow_nan=False)
