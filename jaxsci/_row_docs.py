"""Docstrings: the stub's text, and what the row knows."""

from __future__ import annotations

import inspect
import textwrap

from jaxsci import _derive
from jaxsci._row import ACCEPTED, Row
from jaxsci._types import Kind


def docstring(row: Row) -> str:
    """The stub's text, and what the row knows."""
    lines = [row.summary, "", "Args:"]
    for spec in row.arguments:
        if spec.kind is Kind.STATIC:
            default = "" if spec.default is inspect.Parameter.empty else f", default {spec.default}"
            text = f"Python {spec.annotation.__name__}, static{default}."
        else:
            text = f"{ACCEPTED[spec.kind]}, array of any shape (they broadcast)."
        lines.append(f"    {spec.name}: {text}")
    lines += ["", "Returns:", *_returns(row)]
    if row.arrays:
        lines += ["", "Derivatives:"]
        for spec in row.arrays:
            lines += textwrap.wrap(
                f"{spec.name}: {row.state(spec)}.",
                96,
                initial_indent="    ",
                subsequent_indent="        ",
            )
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


def dlmf_page(source: str) -> str | None:
    """Where to read a section or an equation of the DLMF; None if the source is another one."""
    return f"https://dlmf.nist.gov/{source}" if source[:1].isdigit() else None


def references(source: str, name: str) -> list[str]:
    page = dlmf_page(source)
    where = f"{f'DLMF {source}, {page}' if page else source}; scipy.special.{name}."
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
    missing = [s.name for s in row.arrays if isinstance(row.rules.get(s.name), _derive.Missing)]
    missing += [s.name for s in row.arrays if s.kind is Kind.INT]
    if missing:
        out.append(f"    NotImplementedError: differentiated with respect to {', '.join(missing)}.")
    return out
