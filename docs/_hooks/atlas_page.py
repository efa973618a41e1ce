"""The atlas of errors as HTML: heat maps and a table, from the data in docs/atlas."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pages

from jaxsci.special._catalog.row import ElementwiseRow

DATA = pages.DOCS / "atlas"
OURS, LIBRARIES = "jaxsci", ("jaxsci", "SciPy", "jax.scipy", "TFP")
EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23}
LEVELS = (4, 32, 1e3, 1e5, 1e8)
"""Upper ends of the colours, in units of the type's precision."""


@dataclass(frozen=True)
class Entry:
    """One line of the data."""

    function: str
    case: str
    library: str
    type: str
    argument: str
    order: int
    results: int
    missing: int
    relative: tuple[float | None, ...]
    """Median, 99 % and largest; None is infinite."""
    ulp: tuple[float | None, ...]
    conditioned: float | None
    at: list[Any]

    @property
    def quantity(self) -> str:
        """What it is the error of."""
        if not self.order:
            return "value"
        power = "" if self.order == 1 else str(self.order)
        return f"d{power}/d{self.argument}{power}"


def load(folder: Path = DATA) -> dict[str, Any]:
    """The records of all rows."""
    found: dict[str, Any] = {}
    for file in sorted(folder.glob("*.json")):
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found


def entries(records: Mapping[str, Any]) -> list[Entry]:
    """The lines of all rows."""
    out = []
    for name, record in records.items():
        for case in record["cases"]:
            words = [case["static"] if case["static"] != "-" else "", case["variant"]]
            for library, kind, argument, order, n, missing, *rest in case["entries"]:
                relative, ulp, (conditioned, at) = rest[:3], rest[3:6], rest[6:]
                out.append(
                    Entry(
                        name, ", ".join(filter(None, words)), library, kind, argument, order,
                        n, missing, tuple(relative), tuple(ulp), conditioned, at,
                    )
                )  # fmt: skip
    return out


# -- in words --------------------------------------------------------------------------------------


def extent(records: Mapping[str, Any]) -> str:
    """How much of the whole there is."""
    total = sum(isinstance(row, ElementwiseRow) for row in pages.SPECIAL.values())
    second = sum(record["order"] > 1 for record in records.values())
    cases = [case for record in records.values() for case in record["cases"]]
    points = sum(case["points"] for case in cases)
    unfinished = {name: n for name, r in records.items() if (n := _count(r, "unfinished"))}
    failed = {name: n for name, r in records.items() if (n := _count(r, "failed"))}
    text = (
        f"Of {total} functions of numbers, **{len(records)}** are measured so far, {second} of "
        f"them with their second derivatives; at {points} points, "
        f"{sum(c['single'] for c in cases)} of which are numbers of single precision too. "
    )
    named = []
    for what, where in (
        ("mpmath did not finish in time", unfinished),
        ("mpmath came to no result", failed),
    ):
        text += f"At {sum(where.values())} more {what}. "
        if where:
            each = ", ".join(f"{name} ({n})" for name, n in sorted(where.items()))
            named.append(f"<p>{what}: {each}.</p>")
    made = sorted({record["versions"] for record in records.values()})
    text += "Made with " + "; and with ".join(made) + "."
    if named:
        text += (
            f"\n\n<details><summary>Points that are left out</summary>{''.join(named)}</details>"
        )
    return text


def _count(record: Mapping[str, Any], what: str) -> int:
    return sum(len(case[what]) for case in record["cases"])


# -- heat maps -------------------------------------------------------------------------------------


def level(entry: Entry) -> int:
    """The colour: 0 for the best, the number of levels for the worst, one more for missing."""
    if entry.conditioned is None:
        return len(LEVELS) + 1
    lost = entry.conditioned / EPSILON[entry.type]
    return sum(lost > end for end in LEVELS)


def digits(entry: Entry) -> str:
    """How many digits are right, of all that a number of the type has."""
    if entry.conditioned is None:
        return "×"
    most = -math.log10(EPSILON[entry.type])
    return str(max(0, int(min(most, -math.log10(entry.conditioned or 1e-99)))))


def _worst(found: Iterable[Entry]) -> Entry | None:
    """Of several cases."""
    return max(
        found,
        key=lambda e: math.inf if e.conditioned is None else e.conditioned,
        default=None,
    )


def _cell(found: Iterable[Entry]) -> str:
    entry = _worst(found)
    if entry is None:
        return "<td></td>"
    title = (
        f"{entry.function} ({entry.case}), {entry.quantity}, {entry.type}, {entry.library}: "
        f"median {_number(entry.ulp[0])}, largest {_number(entry.ulp[2])} ulp; largest relative "
        f"error {_number(entry.relative[2])} at {_point(entry.at)}"
    )
    if entry.missing:
        title += f"; {entry.missing} of {entry.results} missing"
    return f'<td class="e{level(entry)}" title="{html.escape(title)}">{digits(entry)}</td>'


def derivative_maps(every: list[Entry]) -> str:
    """One map for each family: rows are functions, columns quantities."""
    ours = [e for e in every if e.library == OURS]
    places = {
        name: [a.name for a in row.arrays]
        for name, row in pages.SPECIAL.items()
        if isinstance(row, ElementwiseRow)
    }
    out = []
    for family, names in pages.special_families().items():
        there = {name: [e for e in ours if e.function == name] for name in names}
        there = {name: found for name, found in there.items() if found}
        if not there:
            continue
        derived = [e for found in there.values() for e in found if e.order]
        width = 1 + max((places[e.function].index(e.argument) for e in derived), default=-1)
        columns: list[tuple[str, int, int]] = []
        for kind, highest in (("float64", 2), ("float32", 1)):
            columns.append((kind, 0, 0))
            columns += [(kind, order, i) for order in range(1, highest + 1) for i in range(width)]
        head = "".join(
            f"<th>{'value' if not order else f'{_ORDINAL[order]}, {i + 1}'}</th>"
            for _, order, i in columns
        )
        spans = "".join(
            f'<th colspan="{sum(k == kind for k, *_ in columns)}">{kind}</th>' for kind in EPSILON
        )
        body = "".join(
            f"<tr><th>{_link(name)}</th>"
            + "".join(
                _cell(
                    e for e in found
                    if (e.type, e.order) == (kind, order)
                    and (not order or places[name].index(e.argument) == i)
                )
                for kind, order, i in columns
            )
            + "</tr>"
            for name, found in there.items()
        )  # fmt: skip
        out.append(
            f'<h3>{html.escape(family)}</h3><div class="atlas"><table class="heat"><thead><tr>'
            f"<th></th>{spans}</tr><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )
    return "\n".join(out)


_ORDINAL = {1: "1st", 2: "2nd"}


def library_map(every: list[Entry]) -> str:
    """Values and first derivatives beside other libraries' for JAX, of functions they have."""
    shared = {e.function for e in every if e.library in LIBRARIES[2:]}
    columns = [(kind, order, library) for kind in EPSILON for order in (0, 1)
               for library in LIBRARIES if order == 0 or library != "SciPy"]  # fmt: skip
    spans = "".join(
        f'<th colspan="{len(LIBRARIES) - order}">{"first derivatives" if order else "values"}, '
        f"{kind}</th>"
        for kind in EPSILON
        for order in (0, 1)
    )
    head = "".join(f"<th>{library}</th>" for *_, library in columns)
    body = []
    for name in sorted(shared):
        found = [e for e in every if e.function == name]
        cells = []
        for kind, order, library in columns:
            alike = [e for e in found if (e.type, e.order) == (kind, order)]
            others = {(e.case, e.argument) for e in alike if e.library in LIBRARIES[2:]}
            # All in the same cases and arguments, those that another library takes.
            cells.append(
                _cell(e for e in alike if e.library == library and (e.case, e.argument) in others)
            )
        body.append(f"<tr><th>{_link(name)}</th>{''.join(cells)}</tr>")
    return (
        f'<div class="atlas"><table class="heat"><thead><tr><th></th>{spans}</tr>'
        f"<tr><th></th>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def legend() -> str:
    """What the colours mean."""
    bounds = [f"to {_number(end)} ε" for end in LEVELS] + [f"above {_number(LEVELS[-1])} ε"]
    keys = [f'<span class="e{i}">{text}</span>' for i, text in enumerate([*bounds, "× missing"])]
    return f'<p class="atlas-legend">{" ".join(keys)}</p>'


# -- the table -------------------------------------------------------------------------------------

COLUMNS = (
    "function", "arguments", "quantity", "type", "results", "missing", "median, ulp", "99 %, ulp",
    "largest, ulp", "median", "99 %", "largest", "conditioned", "SciPy's largest", "jax.scipy's",
    "TFP's", "worst at",
)  # fmt: skip


def table(every: list[Entry]) -> str:
    """All of it: a line for each quantity, other libraries' largest relative errors beside ours."""
    beside = {
        (e.function, e.case, e.type, e.argument, e.order, e.library): e.relative[2] for e in every
    }
    lines = []
    for e in every:
        if e.library != OURS:
            continue
        key = (e.function, e.case, e.type, e.argument, e.order)
        numbers = [e.results, e.missing, *e.ulp, *e.relative, e.conditioned]
        cells = [_td(x) for x in numbers]
        cells += [_td(beside[*key, x]) if (*key, x) in beside else "<td>" for x in LIBRARIES[1:]]
        lines.append(
            f"<tr><td>{_link(e.function)}<td>{html.escape(e.case)}<td>{e.quantity}<td>{e.type}"
            f"{''.join(cells)}<td>{_point(e.at)}"
        )
    head = "".join(f'<th><button type="button">{c}</button></th>' for c in COLUMNS)
    script = (pages.DOCS / "_hooks" / "atlas.js").read_text(encoding="utf-8")
    return (
        '<p><input id="atlas-filter" type="search" placeholder="function, argument, type ..." '
        'aria-label="Show only lines with these words"></p><div class="atlas"><table id="atlas">'
        f"<thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"
        f"<script>{script}</script>"
    )


def _td(x: float | None) -> str:
    return f"<td>{_number(x)}"


def _number(x: float | None) -> str:
    return "inf" if x is None else f"{x:.2g}"


def _point(at: Iterable[Any]) -> str:
    def one(x: Any) -> str:
        return f"{x[0]:.6g}{x[1]:+.6g}i" if isinstance(x, list) else f"{x:.6g}"

    return ", ".join(map(one, at))


def _link(name: str) -> str:
    return f'<a href="../special/{name}/">{name}</a>'


# -- the page --------------------------------------------------------------------------------------


def with_extent(markdown: str) -> str:
    """The page's text, with how much there is."""
    return markdown.replace("<!-- atlas: extent -->", extent(load()))


def with_data(content: str) -> str:
    """The page's HTML, with the maps and the table in their places."""
    every = entries(load())
    parts = {
        "legend": legend,
        "libraries": lambda: library_map(every),
        "derivatives": lambda: derivative_maps(every),
        "table": lambda: table(every),
    }
    for name, part in parts.items():
        mark = f"<!-- atlas: {name} -->"
        if mark not in content:
            raise ValueError(f"docs/atlas.md has no place for {name}: {mark}")
        content = content.replace(mark, part())
    return content
