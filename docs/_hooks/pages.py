"""The pages that are made from the catalogs: one for each function, and their indexes."""

from __future__ import annotations

import functools
import inspect
import itertools
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import field_order
import formulas
from prose import Docstring, dlmf_link, items, parsed, prose

import jaxsci.linalg
import jaxsci.special
from jaxsci._core.elementwise_rules import Missing
from jaxsci._verification.matrices.errors import error_text
from jaxsci.linalg._infra.catalog import CATALOG as LINALG
from jaxsci.linalg._infra.catalog import Entry
from jaxsci.linalg._infra.coverage import summary
from jaxsci.special._catalog.docs import dlmf_pages
from jaxsci.special._catalog.row import ALIASES, ElementwiseRow, Row, TableRow
from jaxsci.special._catalog.row import CATALOG as SPECIAL
from jaxsci.special._catalog.types import Kind

DOCS = Path(__file__).resolve().parents[1]
WIDE = 72
"""Longer signatures have a line for each argument."""

Drawing = Callable[[ElementwiseRow], str]
Session = Callable[[Row], str]


def special_families() -> dict[str, list[str]]:
    """The functions of `jaxsci.special` by family; second names are not among them."""
    homes = {name: row.home.removeprefix("jaxsci.special.") for name, row in SPECIAL.items()}
    return field_order.members(field_order.SPECIAL, homes)


def linalg_tasks() -> dict[str, list[str]]:
    """The functions of `jaxsci.linalg` by task."""
    homes = {name: entry.home.removeprefix("jaxsci.linalg.") for name, entry in LINALG.items()}
    return field_order.members(field_order.LINALG, homes)


def paths() -> dict[str, str]:
    """The page of each public function, by its full name."""
    special = {f"jaxsci.special.{name}": f"special/{name}.md" for name in (*SPECIAL, *ALIASES)}
    linalg = {f"jaxsci.linalg.{name}": f"linalg/{name}.md" for name in LINALG}
    return special | linalg


def public_names() -> set[str]:
    """What the packages offer, whatever the catalogs say."""
    return {
        f"{package.__name__}.{name}"
        for package in (jaxsci.special, jaxsci.linalg)
        for name in package.__all__
    }


def gaps() -> list[str]:
    """Functions without a page, and pages without a function."""
    named, paged = public_names(), set(paths())
    lines = [f"{name}: no page" for name in named - paged]
    return sorted(lines + [f"{name}: a page, but no such function" for name in paged - named])


def generated(
    drawing: Drawing = lambda row: "", session: Session = lambda row: ""
) -> dict[str, str]:
    """The text of all pages that are made from the catalogs, by path.

    Args:
        drawing: what is drawn of a row.
        session: a Python session with a row's function, where its docstring has no example.
    """
    out = {"special/index.md": special_index(), "linalg/tasks.md": linalg_index()}
    for names in special_families().values():
        for name in names:
            row = SPECIAL[name]
            picture = drawing(row) if isinstance(row, ElementwiseRow) else ""
            example = row.example or session(row)
            out[f"special/{name}.md"] = special_page(row, names, picture, example)
    for second, first in ALIASES.items():
        out[f"special/{second}.md"] = alias_page(second, first)
    for names in linalg_tasks().values():
        for name in names:
            out[f"linalg/{name}.md"] = linalg_page(LINALG[name], names)
    return out


# -- one function ----------------------------------------------------------------------------------


def _special_link(name: str) -> str | None:
    if name in SPECIAL or name in ALIASES:
        return f"{name}.md"
    return f"../linalg/{name}.md" if name in LINALG else None


def _linalg_link(name: str) -> str | None:
    return f"{name}.md" if name in LINALG else _special_link_from_linalg(name)


def _special_link_from_linalg(name: str) -> str | None:
    return f"../special/{name}.md" if name in SPECIAL or name in ALIASES else None


def special_page(row: Row, family: list[str], picture: str, example: str) -> str:
    """The page of a special function."""

    def link(name: str) -> str | None:
        return None if name == row.name else _special_link(name)

    text = parsed(inspect.getdoc(row.function) or "")
    parts = _opening(f"jaxsci.special.{row.name}", row.function, text, link)
    second = [name for name, first in ALIASES.items() if first == row.name]
    if second:
        parts.append(f"Also called {', '.join(f'[`{n}`]({n}.md)' for n in second)}.")
    shown = formulas.Page(row.name, _argument_names())
    parts.append(f"## Definition\n\n{_displayed(shown.definition())}")
    if picture:
        parts.append(picture)
    parts += _arguments_and_results(text, link)
    parts += _derivatives(row, text, link, shown)
    parts += _notes(text, link)
    parts += _example(text.sections.get("Example") or example)
    parts += _measured(row.name)
    parts += _cost(row.name)
    parts.append(f"## Where it runs\n\n{_where_it_runs(row)}")
    parts += _raises(text, link)
    parts.append(f"## Source\n\n{_source(row)}; SciPy's function is `scipy.special.{row.name}`.")
    parts += _see_also(row.name, family)
    return "\n\n".join(parts) + "\n"


def alias_page(second: str, first: str) -> str:
    """The page of a function's second name."""
    summary = prose(SPECIAL[first].summary.splitlines()[0], lambda name: None)
    return (
        f"{_front(second)}# {second}\n\nSciPy's other name of [`{first}`]({first}.md): {summary}\n"
    )


def linalg_page(entry: Entry, task: list[str]) -> str:
    """The page of a function of matrices."""

    def link(name: str) -> str | None:
        return None if name == entry.name else _linalg_link(name)

    text = parsed(inspect.getdoc(entry.function) or "")
    parts = _opening(f"jaxsci.linalg.{entry.name}", entry.function, text, link)
    told = formulas.LINALG[entry.name]
    parts.append(f"## Definition\n\n{_displayed([told.written])}")
    parts += _arguments_and_results(text, link)
    what = prose(entry.differentiable.rstrip("."), link)
    parts.append(f"## Derivatives\n\nDifferentiable: {what}.")
    if "d" in told.derivatives:
        parts.append(_displayed([told.derivatives["d"].written]))
    parts += _notes(text, link)
    parts += _example(text.sections.get("Example"))
    parts += _measured_matrices(entry.name)
    parts.append(f"## Where it runs\n\n{prose(text.entries['Computed by'], link)}")
    parts += _raises(text, link)
    parts.append(
        f"## Source\n\n{prose(entry.source.rstrip('.'), link)}. "
        f"SciPy's function is `scipy.linalg.{entry.name}`."
    )
    parts += _see_also(entry.name, task)
    return "\n\n".join(parts) + "\n"


def _front(title: str) -> str:
    return f"---\ntitle: {title}\n---\n\n"


def _opening(
    full: str, function: Callable[..., Any], text: Docstring, link: Callable[[str], str | None]
) -> list[str]:
    module, _, name = full.rpartition(".")
    parts = [
        f"{_front(name)}# {name}",
        f"```python\n{module}.{signature(name, function)}\n```",
        prose(text.summary, link),
    ]
    if text.description:
        parts.append(prose(text.description, link))
    return parts


def signature(name: str, function: Callable[..., Any]) -> str:
    """The call, without annotations, on several lines if it is long."""
    found = inspect.signature(function)
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values()]
    line = str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    if len(name) + len(line) <= WIDE:
        return name + line
    inner = re.sub(r", (?=(?:[^()\[\]']|\([^()]*\)|'[^']*')*$)", ",\n    ", line[1:-1])
    return f"{name}(\n    {inner},\n)"


def _definitions(section: str, link: Callable[[str], str | None]) -> str:
    return "\n\n".join(
        f"`{name}`\n:   {prose(_sentence(text), link)}" for name, text in items(section)
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if text[1:2] != "_" else text


def _arguments_and_results(text: Docstring, link: Callable[[str], str | None]) -> list[str]:
    parts = []
    if "Args" in text.sections:
        parts.append(f"## Arguments\n\n{_definitions(text.sections['Args'], link)}")
    if "Returns" in text.sections:
        parts.append(f"## Returns\n\n{prose(text.sections['Returns'], link)}")
    return parts


def _raises(text: Docstring, link: Callable[[str], str | None]) -> list[str]:
    section = text.sections.get("Raises")
    return [f"## Raises\n\n{_definitions(section, link)}"] if section else []


USUAL = {"n": 2, "nt": 3, "m": 1}
"""Static arguments of tables, in examples."""


def session_of(row: Row) -> str:
    """A call of a special function, and what it prints, where the formulas know a point."""
    needed = [a.name for a in row.arguments if a.default is inspect.Parameter.empty]
    at = formulas.KNOWN[row.name].at or tuple(USUAL[name] for name in needed if name in USUAL)
    if len(at) < len(needed):
        return ""
    given = [
        f"{a.name}={value!r}" if a.keyword_only else repr(value)
        for a, value in zip(row.arguments, at, strict=False)
    ]
    keywords = {a.name: v for a, v in zip(row.arguments, at, strict=False) if a.keyword_only}
    found = row.function(*at[: len(at) - len(keywords)], **keywords)
    call = f"{row.name}({', '.join(given)})"
    if isinstance(found, tuple):
        lines = "\n".join(str(y) for y in found)
        return f">>> for result in {call}:\n...     print(result)\n{lines}"
    return f">>> print({call})\n{found}"


@functools.cache
def _argument_names() -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(a.name for a in row.arguments) for name, row in SPECIAL.items()}


def derivatives_of(name: str) -> list[str]:
    """The arguments of a special function in which it has derivatives."""
    row = SPECIAL[name]
    if isinstance(row, TableRow):
        return list(row.derivatives)
    if not isinstance(row, ElementwiseRow):
        return list(formulas.KNOWN[name].derivatives)  # it documents itself
    return [
        a.name
        for a in row.arrays
        if a.kind is not Kind.INT and not isinstance(row.rules.get(a.name), Missing)
    ]


def _displayed(latex: list[str], indent: str = "") -> str:
    """Formulas, each on lines of its own."""
    return "\n\n".join(f"{indent}\\[{formula}\\]" for formula in latex)


def _derivatives(
    row: Row, text: Docstring, link: Callable[[str], str | None], shown: formulas.Page
) -> list[str]:
    if isinstance(row, TableRow) and not row.derivatives:
        return ["## Derivatives\n\nNone: all arguments are static numbers."]
    told = dict(items(text.sections.get("Derivatives", "")))
    parts = []
    names = [name for names in told for name in names.split(", ")]
    alone = {name: "JAX's own rules." for name in derivatives_of(row.name) if name not in names}
    for title, what in (told | alone).items():
        latex = [line for name in title.split(", ") for line in shown.derivative(name)]
        parts.append(f"`{title}`\n:   {prose(_sentence(what), link)}")
        parts += [_displayed(latex, "    ")] if latex else []
    return ["## Derivatives\n\n" + "\n\n".join(parts)] if parts else []


def _notes(text: Docstring, link: Callable[[str], str | None]) -> list[str]:
    note = text.sections.get("Note")
    return [f"## Notes\n\n{prose(note, link)}"] if note else []


def _example(example: str | None) -> list[str]:
    return [f"## Example\n\n```pycon\n{example}\n```"] if example else []


def _where_it_runs(row: Row) -> str:
    if isinstance(row, TableRow):
        return "Computed when the caller is traced, and a constant of the compiled program."
    if not isinstance(row, ElementwiseRow) or row.on_device:
        return "JAX operations, on the device."
    numbers = [
        kind
        for kind, kernel in (("real", row.kernel), ("complex", row.complex_kernel))
        if kernel is not None
    ]
    kernel = (
        f"On a GPU or TPU {' and '.join(numbers)} numbers are computed there, by JAX operations: "
        "the backend `device` ([Kernels](../devices.md)). "
    )
    others = "Otherwise" if numbers else "From a GPU or TPU"
    if not _runs_natively(row):
        through = f"{others} by the backend `callback`" if numbers else "By the backend `callback`"
        return f"{kernel if numbers else ''}{through}: through Python, on the host."
    return (
        f"On a CPU by the backend `ffi`: compiled code calls SciPy's own loop. "
        f"{kernel if numbers else ''}{others}, and without the extension, by the backend "
        "`callback`, through Python on the host."
    )


def _runs_natively(row: ElementwiseRow) -> bool:
    host = row.host
    import numpy as np

    return isinstance(host.fn, np.ufunc) and (
        host.signature is not None and host.signature.elementwise
    )


@functools.cache
def measured() -> Mapping[str, tuple[str, ...]]:
    """The lines of accuracy.md's first table: points, and the largest errors of each order."""
    lines = iter((DOCS / "accuracy.md").read_text(encoding="utf-8").splitlines())
    table = itertools.takewhile(len, itertools.dropwhile(lambda line: line[:2] != "| ", lines))
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in table if line[:2] == "| "]
    return {name: tuple(rest) for name, *rest in cells[1:]}


def _measured(name: str) -> list[str]:
    if name not in measured():
        return []
    points, *errors = measured()[name]
    orders = ("value", "first derivatives", "second derivatives")
    known = [(order, error) for order, error in zip(orders, errors, strict=True) if error]
    head = " | ".join(order for order, _ in known)
    body = " | ".join(error for _, error in known)
    rule = "---|" * len(known)
    return [
        f"## Accuracy\n\nThe largest relative errors at {points} points, against mpmath "
        f"([how they are measured](../accuracy.md)):\n\n| {head} |\n|{rule}\n| {body} |"
    ]


@functools.cache
def _errors_of_matrices() -> Mapping[str, Any]:
    """What `jaxsci check --linalg --atlas` measured."""
    return json.loads((DOCS / "assets" / "matrices.json").read_text(encoding="utf-8"))


def _measured_matrices(name: str) -> list[str]:
    measured = _errors_of_matrices()
    found = measured["of"].get(name)
    if found is None:
        return []
    what = measured["what"].get(name)
    subject = (
        f"Errors of {what} and of its derivative" if what else "Errors of value and derivative"
    )
    lines = [
        f"| {quality} | "
        + " | ".join(
            f"{error_text(errors[part])} ({error_text(errors[f'{part}_conditioned'])})"
            for part in ("value", "derivative")
        )
        + " |"
        for quality, errors in found.items()
    ]
    return [
        f"## Accuracy\n\n{subject} along a random direction, relative, in units of ε = 2.2e-16; "
        "in parentheses relative to what a change of the arguments by their own size makes, if "
        "that is more ([how they are measured](../accuracy.md#functions-of-matrices)):\n\n"
        "| matrices | value | derivative |\n|---|---|---|\n" + "\n".join(lines)
    ]


@functools.cache
def costs() -> Mapping[str, Any]:
    """What `benchmarks/kernels.py` measured: its heads, and each function's figures by name."""
    data = json.loads((DOCS / "assets" / "kernels.json").read_text(encoding="utf-8"))
    return data | {"of": {r["function"]: r for r in data["results"]}}


def _cost(name: str) -> list[str]:
    found = costs()["of"].get(name)
    if found is None:
        return []
    cells = [f"{found['host']:.3g} ns", f"{found['kernel']:.3g} ns", f"{found['compile']:.2g} s"]
    heads = ["SciPy's loop, on a CPU", "the kernel, on a CPU", "the kernel's compilation"]
    if found["gradient"] is not None:
        heads.append("its gradient's")
        cells.append(f"{found['gradient']:.2g} s")
    return [
        f"## Cost\n\nProcessor time of an element, in arrays of {costs()['size']:,}, and of "
        f"compiling it, at points of the domain ({found['where']}; "
        f"[more such figures](../devices.md#what-kernels-cost)):\n\n"
        f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n| {' | '.join(cells)} |"
    ]


def _source(row: Row) -> str:
    places = dlmf_pages(row.source)
    if not places:
        return prose(row.source.rstrip("."), lambda name: None)
    return "DLMF " + ", ".join(map(dlmf_link, places))


def _see_also(name: str, family: list[str]) -> list[str]:
    others = [other for other in family if other != name]
    if not others:
        return []
    return ["## See also\n\n" + ", ".join(f"[`{other}`]({other}.md)" for other in others) + "."]


# -- indexes ---------------------------------------------------------------------------------------


def special_index() -> str:
    """All special functions, by family."""
    parts = [
        f"{_front('Special functions')}# Special functions",
        "All functions of `jaxsci.special`, by family: the chapters of the "
        "[DLMF](https://dlmf.nist.gov) in its order, then the functions of statistics. "
        "[By name](../functions.md), with the derivatives there are, they stand in one table.",
        "The examples of their pages run after\n\n```python\nimport jax\nimport jax.numpy as jnp\n"
        'from jaxsci.special import *\n\njax.config.update("jax_enable_x64", True)\n```',
    ]
    for family, names in special_families().items():
        parts.append(f"## {family}")
        parts.append("\n".join(_line(n, SPECIAL[n].summary.splitlines()[0]) for n in names))
        second = [name for name, first in ALIASES.items() if first in names]
        if second:
            links = (f"[`{n}`]({n}.md) for [`{ALIASES[n]}`]({ALIASES[n]}.md)" for n in second)
            parts.append(f"SciPy's other names: {', '.join(links)}.")
    return "\n\n".join(parts) + "\n"


def linalg_index() -> str:
    """All functions of matrices, by task."""
    parts = [
        f"{_front('By task')}# Linear algebra by task",
        "All functions of `jaxsci.linalg`. What holds for all of them, and a table by name, is "
        "told in [Linear algebra](../linalg.md). The examples of their pages run after",
        "```python\nimport jax\nimport jax.numpy as jnp\nfrom jaxsci import linalg\n"
        'from jaxsci.linalg import *\n\njax.config.update("jax_enable_x64", True)\n```',
    ]
    for task, names in linalg_tasks().items():
        parts.append(f"## {task}")
        parts.append("\n".join(_line(n, summary(LINALG[n])) for n in names))
    return "\n\n".join(parts) + "\n"


def _line(name: str, what: str) -> str:
    return f"- [`{name}`]({name}.md): {prose(what.rstrip('.'), lambda _: None)}"


# -- links in written pages ------------------------------------------------------------------------


def linked_table(markdown: str, folder: str) -> str:
    """A table of functions, with a link from each name to its page."""
    return re.sub(
        r"^\| `((\w+)\([^`]*\))` \|", rf"| [`\1`]({folder}/\2.md) |", markdown, flags=re.M
    )


def linked_accuracy(markdown: str) -> str:
    """The table of accuracies, with links."""
    known = {**SPECIAL, **ALIASES}
    return re.sub(
        r"^\| (\w+) \|(?= \d)",
        lambda m: f"| [{m[1]}](special/{m[1]}.md) |" if m[1] in known else m[0],
        markdown,
        flags=re.M,
    )
