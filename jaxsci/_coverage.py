"""How much of scipy.special the catalog covers."""

from __future__ import annotations

from jaxsci import _derive
from jaxsci._catalog import CATALOG, ArgumentSpec, Row
from jaxsci._excluded import EXCLUDED, NOT_FUNCTIONS, scipy_names
from jaxsci._types import Kind


def count() -> str:
    """The number of rows, beside the number of SciPy's functions."""
    total = len(scipy_names() - set(NOT_FUNCTIONS))
    return f"{len(CATALOG)} of {total} public functions of scipy.special"


def lacking() -> set[str]:
    """SciPy's functions that have neither a row nor a reason."""
    return scipy_names() - CATALOG.keys() - NOT_FUNCTIONS.keys()


def problems() -> list[str]:
    """What keeps the catalog from being complete, one line each."""
    names = scipy_names()
    lines = [
        f"{name}: neither wrapped nor excluded" for name in names - CATALOG.keys() - set(EXCLUDED)
    ]
    lines += [f"{name}: excluded, but SciPy has it no more" for name in set(EXCLUDED) - names]
    lines += [f"{name}: excluded, but wrapped" for name in EXCLUDED.keys() & CATALOG.keys()]
    lines += [f"{name}: wrapped, but SciPy has it no more" for name in CATALOG.keys() - names]
    return sorted(lines)


def markdown() -> str:
    """A table of all functions: arguments, and the derivatives in them."""
    lines = ["| function | what it is | derivatives | source |", "|---|---|---|---|"]
    for name in sorted(CATALOG):
        row = CATALOG[name]
        what = row.summary.splitlines()[0].rstrip(".")
        cells = (f"`{_call(row)}`", what, _derivatives(row), _source(row))
        lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(lines)


def _call(row: Row) -> str:
    return f"{row.name}({', '.join(a.name for a in row.arguments)})"


def _derivatives(row: Row) -> str:
    if row.whole:
        return "all, in closed form"
    if row.host is None:
        return "a table of numbers"
    return ", ".join(f"{a.name}: {_word(row, a)}" for a in row.arrays)


def _word(row: Row, argument: ArgumentSpec) -> str:
    if argument.kind is Kind.INT:
        return "integer"
    return "missing" if isinstance(row.rules[argument.name], _derive.Missing) else "closed"


def _source(row: Row) -> str:
    return (
        f"[DLMF {row.dlmf}](https://dlmf.nist.gov/{row.dlmf})"
        if row.dlmf[:1].isdigit()
        else row.dlmf
    )
