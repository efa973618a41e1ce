"""Compare functions and their derivatives with mpmath at fresh random points of their domains.

Errors are relative. Where an error is no more than what a rounding of the argument would do, it is
scaled down to what must hold: 1e-12 for values and first derivatives, 1e-10 for second ones.

With --linalg these are functions of matrices, of order 4, well-conditioned and ill-conditioned, and
their first derivatives along random directions.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jaxsci._terminal import bad, good, offer_similar_names

_DEFAULT_POINTS = 20
_DEFAULT_PROCESSES = 2
_SHOWN = 5


@dataclass(frozen=True)
class Report:
    """What came of one function's check, real and complex arguments apart."""

    name: str
    points: int
    worst: dict[int, float]
    """The largest error of the values (0), first (1) and second (2) derivatives."""
    misses: tuple[str, ...]
    unknown: tuple[str, ...]
    """Points at which mpmath came to no result."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these functions")
    parser.add_argument("--points", type=int, help=f"points each, by default {_DEFAULT_POINTS}")
    parser.add_argument("--seed", type=int, help="repeats an earlier check's points")
    parser.add_argument("--processes", type=int, help="by default 2; the atlas takes all CPUs")
    parser.add_argument("--awkward", action="store_true", help="the awkward points too")
    parser.add_argument("--markdown", action="store_true", help="print a table for the docs")
    parser.add_argument(
        "--linalg",
        action="store_true",
        help="functions of matrices instead, against values at 90 digits; with --atlas the errors "
        "are stored for the documentation",
    )
    atlas = parser.add_argument_group(
        "atlas",
        "Errors over whole domains, in double and single precision, beside those of other "
        "libraries: data for the documentation. What was made by the same versions is kept, so "
        "that a run may be stopped and started again.",
    )
    atlas.add_argument("--atlas", action="store_true", help="make the data, or complete it")
    atlas.add_argument("--store", type=Path, metavar="FOLDER", help="where the data is")
    atlas.add_argument(
        "--order", type=int, choices=(0, 1, 2), help="the highest derivatives, by default 2"
    )
    atlas.add_argument(
        "--limit", type=float, metavar="SECONDS", help="what mpmath may spend on a point"
    )


def main(arguments: argparse.Namespace) -> int:
    """Run the check, print its table; the exit status is 1 if anything was off."""
    try:
        from jaxsci._verification import reference
        from jaxsci.special._catalog.row import ALIASES
    except ModuleNotFoundError as error:
        if error.name != "mpmath":
            raise
        print("the check needs mpmath: pip install 'jaxsci[test]'", file=sys.stderr)
        return 2
    asked: list[str] = arguments.names
    if arguments.linalg:
        return _matrices(sorted(set(asked)), arguments)
    chosen = [ALIASES.get(name, name) for name in asked]
    unknown = sorted(set(chosen) - set(reference.ROWS))
    if unknown:
        _complain(unknown, [*reference.ROWS, *ALIASES])
        return 2
    names = chosen or sorted(reference.ROWS)
    if arguments.atlas:
        return _atlas(names, arguments)
    seed = arguments.seed
    if seed is None:
        seed = int(np.random.default_rng().integers(10**6))
    points = arguments.points or _DEFAULT_POINTS
    processes = arguments.processes or _DEFAULT_PROCESSES
    reports = list(_reports(names, points, seed, processes, arguments.awkward))
    print_table(reports, arguments.markdown)
    print(f"seed {seed}", file=sys.stderr)
    return 1 if any(r.misses for r in reports) else 0


def _complain(unknown: Sequence[str], known: Sequence[str]) -> None:
    """Say which names cannot be checked: those of tables and of matrices, and those of nothing."""
    from jaxsci import linalg, special

    nothing = [n for n in unknown if n not in special.__all__ and n not in linalg.__all__]
    for name in unknown:
        if name in linalg.__all__:
            print(f"{name} is a function of matrices: see --linalg", file=sys.stderr)
        elif name in special.__all__:
            print(f"{name} is no function of numbers: it is not checked", file=sys.stderr)
    if nothing:
        print(f"no such function to check: {', '.join(nothing)}", file=sys.stderr)
    offer_similar_names(nothing, known)


def _matrices(names: Sequence[str], arguments: argparse.Namespace) -> int:
    from jaxsci import linalg
    from jaxsci._verification.matrices import problems, run

    unknown = [name for name in names if name not in problems.PROBLEMS]
    for name in unknown:
        what = "is not measured" if name in linalg.__all__ else "is no function of matrices"
        print(f"{name} {what}", file=sys.stderr)
    offer_similar_names([n for n in unknown if n not in linalg.__all__], problems.PROBLEMS)
    if unknown:
        return 2
    processes = arguments.processes or _DEFAULT_PROCESSES
    chosen = names or sorted(problems.PROBLEMS)
    return run.run(chosen, processes, arguments.markdown, write=arguments.atlas)


def _atlas(names: Sequence[str], arguments: argparse.Namespace) -> int:
    from jaxsci._verification.atlas import cases, run, store

    asked = {
        "points": arguments.points,
        "order": arguments.order,
        "seconds": arguments.limit,
    }
    effort = cases.Effort(**{name: x for name, x in asked.items() if x is not None})
    return run.run(names, arguments.store or store.DEFAULT, effort, arguments.processes)


def _reports(
    names: Sequence[str], points: int, seed: int, processes: int, awkward: bool
) -> Iterator[Report]:
    """One report for each name, in order, while the next ones are computed."""
    from jaxsci._progress import progress_bar

    jobs = [(name, points, seed, awkward) for name in names]
    with (
        multiprocessing.get_context("spawn").Pool(processes) as pool,
        progress_bar("check", len(names)) as advance,
    ):
        for done, report in enumerate(pool.imap(_checked, jobs), 1):
            advance(done, report.name)
            yield report


def _checked(job: tuple[str, int, int, bool]) -> Report:
    import jax

    jax.config.update("jax_enable_x64", True)

    from jaxsci._verification import accuracy, reference

    name, n, seed, awkward = job
    row = reference.ROWS[name]
    worst: dict[int, float] = {}
    misses, unknown, total = [], [], 0
    for static in row.samples.statics:
        for variant in reference.variants(row):
            rng = reference.generator(name, reference.static_key(static), variant, str(seed))
            columns = reference.sample(row, variant, rng, n)
            if awkward:
                more = reference.awkward(row, variant)
                columns = [np.concatenate(pair) for pair in zip(columns, more, strict=True)]
            where = f"{reference.static_key(static)} {variant}"
            entries = []
            for point in zip(*(c.tolist() for c in columns), strict=True):
                try:
                    entries.append(
                        reference.stored_form(reference.entry(row, static, variant, point))
                    )
                except Exception as error:
                    unknown.append(f"{where} at {point}: {error!r}")
            total += len(entries)
            if not entries:
                continue
            for c in accuracy.comparisons(row, static, variant, entries):
                worst[c.order] = max(worst.get(c.order, 0.0), c.worst())
                misses += [
                    f"{where} {c.what} at {entries[i]['at']}: {c.found[i, k]!r}, not "
                    f"{c.truth[i, k]!r}"
                    for i, k in np.argwhere(~c.good)
                ]
    return Report(name, total, worst, tuple(misses), tuple(unknown))


def print_table(reports: Sequence[Report], markdown: bool) -> None:
    columns = ("function", "points", "value", "first", "second", "misses")
    if markdown:
        print("| " + " | ".join(columns) + " |")
        print("|---" * len(columns) + "|")
    else:
        print(f"{columns[0]:20}" + "".join(f"{c:>10}" for c in columns[1:]))
    for r in reports:
        errors = [f"{r.worst[k]:.1e}" if k in r.worst else "" for k in range(3)]
        cells = [r.name, str(r.points), *errors, str(len(r.misses))]
        if markdown:
            print("| " + " | ".join(cells) + " |")
        else:
            shown = bad if r.misses else good
            numbers = "".join(f"{c:>10}" for c in cells[1:])
            print(f"{cells[0]:20}{shown(numbers)}")
    for r in reports:
        for kind, texts in (("off", r.misses), ("no reference", r.unknown)):
            for text in texts[:_SHOWN]:
                print(f"{r.name}: {kind}: {text}", file=sys.stderr)
            if len(texts) > _SHOWN:
                print(f"{r.name}: {kind}: {len(texts) - _SHOWN} more", file=sys.stderr)
