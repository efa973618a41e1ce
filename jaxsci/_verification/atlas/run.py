"""``jaxsci check --atlas``: measure every row that the data does not know yet, and store it."""

from __future__ import annotations

import multiprocessing
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from jaxsci._progress import progress_bar
from jaxsci._verification import reference
from jaxsci._verification.atlas import cases, libraries, store
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.types import Kind

_ROWS_A_PROCESS = 12
"""After so many a process is replaced: compiled programs take memory."""

Job = tuple[str, cases.Effort]


def run(
    names: Sequence[str], folder: Path, effort: cases.Effort, processes: int | None = None
) -> int:
    """Bring the data up to date; the exit status is 1 if a row could not be measured."""
    versions, known = libraries.versions(), store.load(folder)
    rows = sorted((reference.ROWS[name] for name in names), key=_cost)
    wanted = [
        row for row in rows if not store.is_current(row, known.get(row.name), versions, effort)
    ]
    if len(wanted) < len(rows):
        print(f"{len(rows) - len(wanted)} of {len(rows)} rows are up to date", file=sys.stderr)
    failed = []
    count = max(1, min(processes or os.cpu_count() or 1, len(wanted)))
    with (
        multiprocessing.get_context("spawn").Pool(count, maxtasksperchild=_ROWS_A_PROCESS) as pool,
        progress_bar("atlas", len(wanted)) as advance,
    ):
        jobs = [(row.name, effort) for row in wanted]
        for done, (name, found) in enumerate(pool.imap_unordered(_measured, jobs), 1):
            if isinstance(found, str):
                failed.append(name)
                print(f"\n{name}: {found}", file=sys.stderr)
            else:
                row = reference.ROWS[name]
                store.put(folder, row, store.record(row, found, versions, effort))
            advance(done, name)
    if failed:
        print(f"not measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _measured(job: Job) -> tuple[str, list[cases.Case] | str]:
    import jax

    jax.config.update("jax_enable_x64", True)
    name, effort = job
    try:
        return name, cases.measured(reference.ROWS[name], effort)
    except Exception:
        return name, traceback.format_exc()


def _cost(row: ElementwiseRow) -> tuple[int, str]:
    """Cheap rows first, so that a short run has most: each program is compiled."""
    arguments = sum(3 if a.kind is Kind.COMPLEX else a.kind is Kind.REAL for a in row.arrays)
    programs = len(row.samples.statics) * len(reference.variants(row))
    return programs * max(1, arguments) ** 2, row.name
