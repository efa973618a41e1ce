"""How much of scipy.special the catalog covers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from jaxsci import _derive
from jaxsci._catalog import CATALOG, ArgumentSpec, Row
from jaxsci._excluded import EXCLUDED, NOT_FUNCTIONS, scipy_names
from jaxsci._row_docs import dlmf_pages
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
    return gaps(scipy_names(), CATALOG.keys(), EXCLUDED.keys())


def gaps(names: Set[str], wrapped: Set[str], excluded: Set[str]) -> list[str]:
    """Where SciPy's names, those that are wrapped and those excluded do not fit together."""
    lines = [f"{name}: neither wrapped nor excluded" for name in names - wrapped - excluded]
    lines += [f"{name}: excluded, but SciPy has it no more" for name in excluded - names]
    lines += [f"{name}: excluded, but wrapped" for name in excluded & wrapped]
    lines += [f"{name}: wrapped, but SciPy has it no more" for name in wrapped - names]
    return sorted(lines)


def table(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for cells in rows:
        escaped = (cell.replace("|", r"\|") for cell in cells)
        lines.append(f"| {' | '.join(escaped)} |")
    return "\n".join(lines)


def markdown() -> str:
    """A table of all functions: arguments, and the derivatives in them."""
    rows = (row for _, row in sorted(CATALOG.items()))
    return table(
        ("function", "what it is", "derivatives", "source"),
        ((f"`{_call(row)}`", _what(row), _derivatives(row), _source(row)) for row in rows),
    )


def _what(row: Row) -> str:
    return row.summary.splitlines()[0].rstrip(".")


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
    pages = dlmf_pages(row.dlmf)
    return ", ".join([f"[DLMF {place}]({page})" for place, page in pages.items()] or [row.dlmf])
