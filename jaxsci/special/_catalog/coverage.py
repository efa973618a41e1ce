"""How much of scipy.special the catalog covers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from jaxsci._core import elementwise_rules
from jaxsci.special._catalog.decorators import (
    CATALOG,
    ArgumentSpec,
    ArrayRow,
    ElementwiseRow,
    Row,
    TableRow,
    named_rows,
)
from jaxsci.special._catalog.docs import dlmf_pages
from jaxsci.special._catalog.excluded import EXCLUDED, NOT_FUNCTIONS, scipy_names
from jaxsci.special._catalog.kernel import CONDITIONED, Kernel
from jaxsci.special._catalog.types import Kind


def count() -> str:
    """The number of names, beside that of SciPy's."""
    total = len(scipy_names() - set(NOT_FUNCTIONS))
    return f"{len(named_rows())} of {total} public functions of scipy.special"


def entries() -> dict[str, Row]:
    """What the command line prints, by name."""
    return named_rows()


def lacking() -> set[str]:
    """SciPy's functions that have neither a row nor a reason."""
    return scipy_names() - named_rows().keys() - NOT_FUNCTIONS.keys()


def problems() -> list[str]:
    """What keeps the catalog from being complete, one line each."""
    return gaps(scipy_names(), named_rows().keys(), EXCLUDED.keys())


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
    return table(
        ("function", "what it is", "derivatives", "source"),
        (_cells(name, row) for name, row in sorted(named_rows().items())),
    )


def _computed_by_devices() -> list[ElementwiseRow]:
    rows = (row for _, row in sorted(CATALOG.items()) if isinstance(row, ElementwiseRow))
    return [row for row in rows if _kernel(row) is not None or row.on_device]


def _kernel(row: ElementwiseRow) -> Kernel | None:
    return row.kernel or row.complex_kernel


def _of_real_arguments(row: ElementwiseRow) -> Kernel | None:
    return row.kernel if row.on_device else _kernel(row)


def _of_complex_arguments(row: ElementwiseRow) -> str:
    if not any(a.kind is Kind.COMPLEX for a in row.arrays):
        return ""
    kernel = row.complex_kernel
    if kernel is None:
        return "host"
    return _error(kernel) + ("" if kernel.single is None else f"; {kernel.single:g} in single")


def _error(kernel: Kernel) -> str:
    size = f" of {_relative_to(kernel)}" if kernel.envelope or kernel.conditioned else ""
    return f"{kernel.ulps:g} ulp{size}"


def kernel_count() -> str:
    """How many functions devices compute themselves, in words."""
    rows = _computed_by_devices()
    n = sum(_kernel(row) is not None for row in rows)
    single = sum(row.single is not None for row in rows)
    return (
        f"kernels of {n} functions, besides {len(rows) - n} in JAX operations everywhere; "
        f"{single} of them in single precision too"
    )


def kernels() -> str:
    """A table of the functions that devices compute themselves."""
    return table(
        ("function", "error", "in single precision", "relative to", "complex arguments"),
        (
            (
                f"`{row.name}`",
                f"{kernel.ulps:g} ulp" if kernel else "4 ulp, of SciPy's value",
                _in_single(row),
                _relative_to(kernel),
                _of_complex_arguments(row),
            )
            for row in _computed_by_devices()
            for kernel in (_of_real_arguments(row),)
        ),
    )


def _in_single(row: ElementwiseRow) -> str:
    """The errors of the value and of first derivatives in single precision."""
    if row.single is None:
        return "in double"
    slopes = [f"d/d{name} {ulps:g}" for name, ulps in row.single_slopes.items()]
    return ", ".join([f"{row.single:g} ulp", *slopes])


def _relative_to(kernel: Kernel | None) -> str:
    """What a kernel's error is relative to."""
    if kernel is None:
        return "the value"
    size = f"the value or {kernel.envelope}" if kernel.envelope else "the value"
    return f"{size}, {CONDITIONED}" if kernel.conditioned else size


def _cells(name: str, row: Row) -> tuple[str, str, str, str]:
    arguments = ", ".join(a.name for a in row.arguments)
    what = _what(row) if name == row.name else f"SciPy's other name of `{row.name}`"
    return f"`{name}({arguments})`", what, _derivatives(row), _source(row)


def _what(row: Row) -> str:
    return row.summary.splitlines()[0].rstrip(".")


def _derivatives(row: Row) -> str:
    if isinstance(row, ArrayRow):
        return "all, in closed form"
    if not isinstance(row, ElementwiseRow):
        moved = row.derivatives if isinstance(row, TableRow) else ()
        return "; ".join(["a table of numbers", *(f"{x}: closed, with a size" for x in moved)])
    return ", ".join(f"{a.name}: {_word(row, a)}" for a in row.arrays)


def _word(row: ElementwiseRow, argument: ArgumentSpec) -> str:
    if argument.kind is Kind.INT:
        return "integer"
    return (
        "missing" if isinstance(row.rules[argument.name], elementwise_rules.Missing) else "closed"
    )


def _source(row: Row) -> str:
    pages = dlmf_pages(row.source)
    return ", ".join([f"[DLMF {place}]({page})" for place, page in pages.items()] or [row.source])
