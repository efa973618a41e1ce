"""Docstrings: the stub's text, and what the row knows."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jaxsci._core import elementwise_rules
from jaxsci.special._catalog.kernel import CONDITIONED, Kernel
from jaxsci.special._catalog.row import ArgumentSpec, ElementwiseRow, TableRow
from jaxsci.special._catalog.types import Kind


def _item(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"{name}: {text}", 96, initial_indent="    ", subsequent_indent="        ")


@dataclass(frozen=True)
class StubText:
    """What the docstring of a stub says."""

    summary: str
    arguments: dict[str, str]
    example: str


def stub_text(stub: Callable[..., Any]) -> StubText:
    """The parts of a stub's docstring: a summary, then ``Args:`` and ``Example:``, or neither."""
    summary, arguments, example = re.fullmatch(
        r"(.*?)(?:\n\nArgs:\n(.*?))?(?:\n\nExample:\n(.*))?",
        inspect.cleandoc(stub.__doc__ or ""),
        re.DOTALL,
    ).groups("")  # type: ignore[union-attr]  (the first group takes everything)
    items = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", arguments, re.MULTILINE)
    meanings = {name: " ".join(text.split()) for name, text in items}
    return StubText(summary, meanings, textwrap.dedent(example))


_KINDS = {
    Kind.INT: "integer array, or a float one with NaN wherever a number is not an integer",
    Kind.REAL: "real array",
    Kind.COMPLEX: "real or complex array",
}


def _argument(spec: ArgumentSpec) -> str:
    """What an argument is, and which type it has."""
    if spec.kind is Kind.STATIC:
        default = "" if spec.default is inspect.Parameter.empty else f", default {spec.default}"
        kind = f"Python {spec.annotation.__name__}, static{default}"
    else:
        kind = _KINDS[spec.kind]
    return f"{spec.meaning} ({kind})." if spec.meaning else f"{kind}."


def docstring(row: ElementwiseRow | TableRow) -> str:
    """The stub's text, and what the row knows."""
    lines = [row.summary, "", "Args:"]
    for spec in row.arguments:
        lines += _item(spec.name, _argument(spec))
    lines += ["", "Returns:", *_paragraph(_returns(row))]
    moved = _moved(row)
    if moved:
        lines += ["", "Derivatives:"]
        for spec in moved:
            lines += _item(spec.name, f"{row.state(spec)}.")
    lines += ["", "Raises:", *_raises(row)]
    samples = row.samples
    notes = [row.note, *map(str, (*samples.flaws, *samples.unknown))]
    if isinstance(row, ElementwiseRow):
        notes += [str(row.repair or ""), str(row.guard or "")]
    if any(notes):
        lines += ["", "Note:", *_paragraph(" ".join(filter(None, notes)))]
    if row.example:
        lines += ["", "Example:", *textwrap.indent(row.example, "    ").splitlines()]
    lines += ["", *references(row.source, row.name)]
    return "\n".join(lines)


def _moved(row: ElementwiseRow | TableRow) -> list[ArgumentSpec]:
    """The arguments that may be arrays."""
    if isinstance(row, TableRow):
        return [spec for spec in row.arguments if spec.name in row.derivatives]
    return list(row.arrays)


def _paragraph(text: str) -> list[str]:
    return textwrap.wrap(text, 96, initial_indent="    ", subsequent_indent="    ")


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


def _returns(row: ElementwiseRow | TableRow) -> str:
    names = f"A tuple ({', '.join(row.outputs)})" if row.outputs else "An array"
    if isinstance(row, TableRow):
        return f"{names}. {_whose(row)} values, as JAX arrays of the default dtypes."
    dtype = "the dtype is JAX's promotion of the arguments to a floating one"
    if set(row.host.result_kinds) == {"complex"}:
        dtype += ", made complex"
    scalar = row.host.signature is not None and row.host.signature.elementwise
    shape = " of the arguments' common shape" if scalar and len(row.arrays) > 1 else ""
    if row.on_device:
        precision = f"as accurate as SciPy's value, by JAX operations in double precision; {dtype}"
    else:
        precision = f"{_whose(row)} value, computed in double precision and rounded once; {dtype}"
    return f"{names}{shape}: {precision}.{_kernel(row)}"


def _kernel(row: ElementwiseRow) -> str:
    """What stands in the value's place on accelerators."""
    where = "On accelerators, and on the backend 'device',"
    if row.kernel is None:
        other = row.complex_kernel
        which = " for complex arguments," if row.on_device else ""
        return "" if other is None else f" {where}{which} a kernel's, within {_units(other)}."
    if not any(a.kind is Kind.COMPLEX for a in row.arrays):
        return f" {where} a kernel's, within {_units(row.kernel)}.{_single(row)}"
    real = f" {where} for real arguments, a kernel's, within {_units(row.kernel)}"
    other = row.complex_kernel
    real = f"{real}." if other is None else f"{real}, and for complex ones {_units(other)}."
    return real + _single(row)


def _single(row: ElementwiseRow) -> str:
    """What `precision="single"` makes of that."""
    if row.single is None:
        return ""
    return f" With precision 'single': within {row.single:g} units of the last place of float32."


def _units(kernel: Kernel) -> str:
    near_zeros = f" (near zeros of {kernel.envelope})" if kernel.envelope else ""
    conditioned = f", {CONDITIONED}" if kernel.conditioned else ""
    unit = "unit" if kernel.ulps == 1 else "units"
    return f"{kernel.ulps:g} {unit} of the last place{near_zeros}{conditioned}"


def _whose(row: ElementwiseRow | TableRow) -> str:
    return "SciPy's" if row.oracle is row.scipy else "The package's own"


def _raises(row: ElementwiseRow | TableRow) -> list[str]:
    if isinstance(row, TableRow):
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
