"""The stored mpmath values of every row, which `python tests/support/make_references.py` writes.

One file for each module of `jaxsci.special`; the values are slow to compute.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from jaxsci._verification import reference
from jaxsci._verification.reference import NAMES, Entry, exact, static_key
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow, Row, TableRow

STORE = Path(__file__).parents[1] / "data" / "references"

Rows = dict[str, Any]

RANDOM_POINTS = 10


def points(row: ElementwiseRow, static: dict[str, Any], variant: str) -> list[reference.Point]:
    """Where the row's values are stored."""
    rng = reference.generator(row.name, static_key(static), variant)
    random = [_short(column) for column in reference.sample(row, variant, rng, RANDOM_POINTS)]
    columns = [
        np.concatenate(pair) for pair in zip(random, reference.awkward(row, variant), strict=True)
    ]
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _short(x: np.ndarray) -> np.ndarray:
    """Numbers of few decimal digits, for the store's sake; as doubles they are like any others."""
    if x.dtype.kind == "i" or np.all(x == x[0]):
        return x  # a constant may belong to the other arguments, digit by digit
    if x.dtype.kind == "c":
        return _short(np.real(x)) + 1j * _short(np.imag(x))
    return np.array([float(f"{value:.6g}") for value in x])


def file_of(row: Row) -> str:
    """The file that holds a row's entries: family and module, as ``bessel/airy.json``."""
    family, module = row.home.removeprefix("jaxsci.special._").split(".")
    return f"{family}/{module}.json"


def load() -> Rows:
    """All stored entries: by row, static arguments and variant."""
    store: Rows = {}
    for file in sorted(STORE.rglob("*.json")):
        store |= json.loads(file.read_text(encoding="utf-8"))
    return store


def save(store: Rows) -> None:
    """Write entries, one a line; what belongs to no row is left out."""
    files: dict[str, list[str]] = {}
    for name in sorted(store.keys() & CATALOG.keys()):
        body = []
        for key, entries in store[name]["entries"].items():
            text = ",\n".join(json.dumps(e, separators=(",", ":"), default=_pair) for e in entries)
            body.append(f"{json.dumps(key)}:[\n{text}\n]")
        head = json.dumps(store[name]["expression"])
        line = f'{json.dumps(name)}:{{"expression":{head},"entries":{{{",".join(body)}}}}}'
        files.setdefault(file_of(CATALOG[name]), []).append(line)
    stored = {f.relative_to(STORE).as_posix() for f in STORE.rglob("*.json")}
    for gone in stored - files.keys():
        (STORE / gone).unlink()
    for file, lines in files.items():
        (STORE / file).parent.mkdir(parents=True, exist_ok=True)
        (STORE / file).write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def _pair(z: complex) -> list[float]:
    return [z.real, z.imag]


def entry_key(static: dict[str, Any], variant: str) -> str:
    """Where a case's entries lie in the store."""
    return f"{static_key(static)} {variant}"


def as_stored(e: Entry) -> Entry:
    """An entry as it comes back from the store."""
    return json.loads(json.dumps(e, default=_pair))


def residuals(row: TableRow, static: dict[str, Any]) -> list[Callable[..., Any]]:
    """A table's equations: functions, of a result and of all results by name, that are zero.

    They may name the place ``i`` of the result in its table.
    """

    def equation(code: Any) -> Callable[..., Any]:
        def residual(x: Any, results: dict[str, Any]) -> Any:
            named = {k: exact(y) for k, y in results.items() if k not in NAMES}
            return eval(code, NAMES | static | named | {"x": x})

        return residual

    return [equation(compile(e, row.name, "eval")) for e in row.samples.reference.split("; ")]


def listed(row: TableRow, static: dict[str, Any], size: int) -> list[np.ndarray]:
    """A table's numbers, of a row whose reference is their list."""
    with mp.workdps(40):
        values = [
            eval(e, NAMES | static | {"size": size}) for e in row.samples.reference.split("; ")
        ]
        return [np.array([float(x) for x in column]) for column in values]


def newton_step(residual: Callable[..., Any], x: Any, results: dict[str, Any]) -> float:
    """How far x is from solving its equation."""
    with mp.workdps(30):
        at = exact(x)
        slope = mpmath.diff(lambda t: residual(t, results), at)
        return float(abs(residual(at, results) / slope))
