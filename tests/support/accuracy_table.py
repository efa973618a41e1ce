"""Print the table of docs/accuracy.md: the largest errors at the stored points.

Those are random points of each function's domain and its awkward ones. ``jaxsci check``
does the same at fresh points, where mpmath has to compute the references first.
"""

from __future__ import annotations

import jax
import references

from jaxsci._verification import accuracy, check, reference


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    store = references.load()
    reports: dict[str, check.Report] = {}
    for row, static, variant in reference.cases():
        entries = store[row.name]["entries"][references.entry_key(static, variant)]
        report = reports.setdefault(row.name, check.Report(row.name, 0, {}, (), ()))
        worst = dict(report.worst)
        for c in accuracy.comparisons(row, static, variant, entries):
            worst[c.order] = max(worst.get(c.order, 0.0), c.worst())
        total = report.points + len(entries)
        reports[row.name] = check.Report(row.name, total, worst, (), ())
    check.print_table([reports[name] for name in sorted(reports)], markdown=True)


if __name__ == "__main__":
    main()
