"""Compute the stored mpmath values: ``python tests/support/make_references.py [NAME ...]``.

With names, only those rows; the others keep what they have. Rows that are no longer there go.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from typing import Any

import references

from jaxsci._verification import reference


def _job(job: tuple[str, int, str, int]) -> tuple[tuple[str, int, str, int], Any, float]:
    name, s, variant, i = job
    row = reference.ROWS[name]
    static = row.samples.statics[s]
    start = time.perf_counter()
    point = references.points(row, static, variant)[i]
    try:
        found: Any = reference.entry(row, static, variant, point)
    except Exception as error:
        found = f"{name}({references.entry_key(static, variant)}) at {point}: {error!r}"
    return job, found, time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these rows")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    names = arguments.names or list(reference.ROWS)
    jobs = [
        (row.name, row.samples.statics.index(static), variant, i)
        for row, static, variant in reference.cases()
        if row.name in names
        for i in range(len(references.points(row, static, variant)))
    ]
    found, failed, seconds = {}, [], dict.fromkeys(names, 0.0)
    with multiprocessing.get_context("spawn").Pool(arguments.processes) as pool:
        for n, (job, result, took) in enumerate(pool.imap_unordered(_job, jobs, chunksize=4), 1):
            seconds[job[0]] += took
            if isinstance(result, str):
                failed.append(result)
                print(f"\r{result}", file=sys.stderr)
            found[job] = result
            print(f"\r{n}/{len(jobs)} {job[0]:24}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name, took in sorted(seconds.items(), key=lambda item: -item[1])[:10]:
        print(f"{name:24} {took:8.1f} s", file=sys.stderr)
    store = {k: v for k, v in references.load().items() if k in reference.ROWS}
    for name in names:
        row = reference.ROWS[name]
        entries = {}
        for s, static in enumerate(row.samples.statics):
            for variant in reference.variants(row):
                n = len(references.points(row, static, variant))
                computed = [found[name, s, variant, i] for i in range(n)]
                entries[references.entry_key(static, variant)] = [
                    e for e in computed if not isinstance(e, str)
                ]
        store[name] = {"expression": row.samples.reference, "entries": entries}
    references.save(store)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
