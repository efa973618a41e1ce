"""Docstrings: the stub's text, and what the row knows."""

from __future__ import annotations

import inspect
import re
import textwrap

from jaxsci._core import elementwise_rules
from jaxsci.special._catalog.row import ACCEPTED, Row
from jaxsci.special._catalog.types import Kind


def _item(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"{name}: {text}", 96, initial_indent="    ", subsequent_indent="        ")


def docstring(row: Row) -> str:
    """The stub's text, and what the row knows."""
    lines = [row.summary, "", "Args:"]
    for spec in row.arguments:
        if spec.kind is Kind.STATIC:
            default = "" if spec.default is inspect.Parameter.empty else f", default {spec.default}"
            text = f"Python {spec.annotation.__name__}, static{default}."
        else:
            text = f"{ACCEPTED[spec.kind]}, array of any shape (they broadcast)."
            if spec.kind is Kind.INT:
                text += " Floats too: NaN where one is not whole."
        lines += _item(spec.name, text)
    lines += ["", "Returns:", *_returns(row)]
    if row.arrays:
        lines += ["", "Derivatives:"]
        for spec in row.arrays:
            lines += _item(spec.name, f"{row.state(spec)}.")
    lines += ["", "Raises:", *_raises(row)]
    notes = [row.note, *map(str, row.flaws), str(row.guard or "")]
    if any(notes):
        note = " ".join(filter(None, notes))
        lines += [
            "",
            "Note:",
            *textwrap.wrap(note, 96, initial_indent="    ", subsequent_indent="    "),
        ]
    lines += ["", *references(row.dlmf, row.name)]
    return "\n".join(lines)


_PLACE = re.compile(r"(\d+\.\d+)(?:\.(\d+)|\(([ivx]+)\))?")
_NUMERALS = (
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
)


def dlmf_pages(source: str) -> dict[str, str]:
    """Where to read sections and equations of the DLMF, by number; none if the source is another.

    The addresses are the DLMF's permanent ones: 10.2, 10.2.E2 of an equation, 10.21.SS9 of a
    subsection (https://dlmf.nist.gov/help/cite).
    """
    if not source[:1].isdigit():
        return {}
    return {place: _page(place) for place in source.split(", ")}


def _page(place: str) -> str:
    found = _PLACE.fullmatch(place)
    if found is None:
        raise ValueError(f"{place!r} is no section, subsection or equation of the DLMF")
    section, equation, subsection = found.groups()
    within = f".E{equation}" if equation else ""
    if subsection:
        within = f".SS{_NUMERALS.index(subsection) + 1}"
    return f"https://dlmf.nist.gov/{section}{within}"


def references(source: str, name: str) -> list[str]:
    pages = dlmf_pages(source)
    cited = ", ".join([f"DLMF {place}, {page}" for place, page in pages.items()] or [source])
    where = f"{cited}; scipy.special.{name}."
    indented = textwrap.wrap(where, 96, initial_indent="    ", subsequent_indent="        ")
    return ["References:", *indented]


def _returns(row: Row) -> list[str]:
    if row.host is None:
        what = f"A tuple ({', '.join(row.outputs)})" if row.outputs else "An array"
        return textwrap.wrap(
            f"{what}. {_whose(row)} values, as JAX arrays of the default dtypes.",
            96,
            initial_indent="    ",
            subsequent_indent="    ",
        )
    dtype = "the dtype is JAX's promotion of the arguments to a floating one"
    if row.native:
        precision = f"As accurate as SciPy's value, by JAX operations in double precision; {dtype}"
    else:
        whose = _whose(row)
        precision = f"{whose} value, computed in double precision and rounded once; {dtype}"
    kinds = set(row.host.result_kinds)
    if kinds == {"complex"}:
        precision += ", made complex"
    names = f"A tuple ({', '.join(row.outputs)}). " if row.outputs else ""
    return textwrap.wrap(
        f"{names}{precision}.", 96, initial_indent="    ", subsequent_indent="    "
    )


def _whose(row: Row) -> str:
    return "SciPy's" if row.oracle is row.scipy else "The package's own"


def _raises(row: Row) -> list[str]:
    if row.host is None:
        return ["    TypeError, ValueError: an argument that is not a fitting Python number."]
    out = ["    TypeError: an argument of a dtype that the function does not take."]
    out.append("    ValueError: shapes that do not broadcast.")
    missing = [
        s.name for s in row.arrays if isinstance(row.rules.get(s.name), elementwise_rules.Missing)
    ]
    missing += [s.name for s in row.arrays if s.kind is Kind.INT]
    if missing:
        out.append(f"    NotImplementedError: differentiated with respect to {', '.join(missing)}.")
    return out
