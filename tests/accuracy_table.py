"""Print the table of docs/accuracy.md: the largest errors at the stored points.

Those are random points of each function's domain and its awkward ones. ``jaxsci check``
does the same at fresh points, where mpmath has to compute the references first.
"""

from __future__ import annotations

import jax
import references

from jaxsci import _accuracy, _check, _reference


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    store = references.load()
    reports: dict[str, _check.Report] = {}
    for row, static, variant in _reference.cases():
        entries = store[row.name]["entries"][references.entry_key(static, variant)]
        report = reports.setdefault(row.name, _check.Report(row.name, 0, {}, (), ()))
        worst = dict(report.worst)
        for c in _accuracy.comparisons(row, static, variant, entries):
            worst[c.order] = max(worst.get(c.order, 0.0), c.worst())
        total = report.points + len(entries)
        reports[row.name] = _check.Report(row.name, total, worst, (), ())
    _check.print_table([reports[name] for name in sorted(reports)], markdown=True)


if __name__ == "__main__":
    main()
