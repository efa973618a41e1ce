"""``jaxsci check --linalg``: measure functions of matrices, print the errors, and store them."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from jaxsci._progress import progress_bar
from jaxsci._verification.atlas import points
from jaxsci._verification.matrices.ensembles import ILL, WELL
from jaxsci._verification.matrices.errors import error_text
from jaxsci._verification.matrices.problems import PROBLEMS

_SOURCES = points.sources()
STORE = (Path() if _SOURCES is None else _SOURCES / "docs" / "assets") / "matrices.json"
MOST = 1000.0
"""Scaled errors above so many epsilons make the check fail."""

Found = Mapping[str, Mapping[str, float | None]]

HEADS = (
    "function", "value", "derivative",
    "value, ill-conditioned", "scaled", "derivative, ill-conditioned", "scaled",
)  # fmt: skip


def cells(found: Found) -> list[str]:
    """The numbers of one line: relative errors, and those of ill-conditioned matrices scaled."""
    well, ill = found[WELL], found[ILL]
    return [
        error_text(x)
        for x in (
            well["value"], well["derivative"], ill["value"], ill["value_conditioned"],
            ill["derivative"], ill["derivative_conditioned"],
        )
    ]  # fmt: skip


def markdown(of: Mapping[str, Found]) -> str:
    """The table for the documentation."""
    lines = [f"| {' | '.join(HEADS)} |", "|" + "---|" * len(HEADS)]
    return "\n".join(
        [*lines, *(f"| `{name}` | {' | '.join(cells(found))} |" for name, found in of.items())]
    )


def stored(file: Path = STORE) -> dict[str, Any]:
    """The errors that the documentation shows."""
    return json.loads(file.read_text(encoding="utf-8"))


LOST = {"funm": ILL, "solve_discrete_are": ILL, "solve_discrete_lyapunov": ILL}
"""Where more is lost, and known to be: circles around clusters reach the poles of funm's function,
and SciPy's solutions of discrete equations are off by more than what rounding makes."""


def is_off(name: str, found: Found) -> bool:
    """Whether a scaled error is far more than what rounding makes."""
    known = [e for quality, e in found.items() if LOST.get(name) != quality]
    scaled = [e[part] for e in known for part in e if part.endswith("conditioned")]
    return any(x is None or x > MOST for x in scaled)


def run(names: Sequence[str], processes: int, as_markdown: bool, write: bool) -> int:
    """Measure and print; the exit status is 1 if an error is far more than what rounding makes."""
    found: dict[str, Found] = {}
    if not as_markdown:
        print(f"{'function':26}{'value':>9}{'derivative':>12}   ill-conditioned, and scaled")
    for name, errors in _each(names, processes):
        found[name] = errors
        if not as_markdown:
            value, slope, *ill = cells(errors)
            print(f"{name:26}{value:>9}{slope:>12}   {''.join(f'{x:>9}' for x in ill)}")
    if as_markdown:
        print(markdown(found))
    else:
        print("in units of double precision's epsilon, 2.2e-16")
    if write:
        _write(found)
    bad = [name for name in found if is_off(name, found[name])]
    if bad:
        print(f"off: {', '.join(bad)}", file=sys.stderr)
    return 1 if bad else 0


def _write(found: Mapping[str, Found]) -> None:
    known = stored()["of"] if STORE.is_file() else {}
    of = {name: known[name] for name in known if name in PROBLEMS} | dict(found)
    versions = ", ".join(f"{p} {metadata.version(p)}" for p in ("jax", "numpy", "scipy", "mpmath"))
    lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(of[n])}" for n in sorted(of))
    what = json.dumps({name: PROBLEMS[name].what for name in sorted(of) if PROBLEMS[name].what})
    heads = f'"versions": {json.dumps(versions)}, "what": {what}'
    fresh = STORE.with_suffix(".new")
    fresh.write_text(f'{{{heads}, "of": {{\n{lines}\n}}}}\n', encoding="utf-8")
    os.replace(fresh, STORE)


def _each(names: Sequence[str], processes: int) -> Iterator[tuple[str, Found]]:
    with (
        multiprocessing.get_context("spawn").Pool(min(processes, len(names))) as pool,
        progress_bar("check", len(names)) as advance,
    ):
        for done, (name, found) in enumerate(pool.imap(_measured, names), 1):
            advance(done, name)
            yield name, found


def _measured(name: str) -> tuple[str, Found]:
    import jax

    jax.config.update("jax_enable_x64", True)
    from jaxsci._verification.matrices.measure import measured

    return name, measured(name)
