"""Compute the coefficients of the kernels, the functions in JAX operations.

    python tests/support/make_kernel_tables.py [NAME ...]

Each table of tests/support/kernel_tables.py becomes a file of the package: polynomials that
interpolate a function at Chebyshev's points, computed by mpmath, cut where what follows is
negligible.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
from kernel_tables import DIGITS, TABLES, Area, Block, Interval, Table

PACKAGE = Path(__file__).resolve().parents[2] / "jaxsci" / "special"
NEGLIGIBLE = 2.0**-58
"""What is cut off, relative to the smallest value of the function."""


def chebyshev(f, a, b, n):
    """The coefficients of Chebyshev polynomials, and the smallest value met."""
    values = [f(x) for x in chebyshev_nodes(a, b, n)]
    return _transformed(values), min(map(abs, values))


def in_powers(coefficients):
    """The polynomial by powers in place of Chebyshev polynomials."""
    powers = [mpmath.mpf(0)] * len(coefficients)
    before, now = [mpmath.mpf(0)], [mpmath.mpf(1)]
    for k, c in enumerate(coefficients):
        for i, t in enumerate(now):
            powers[i] += c * t
        doubled = [mpmath.mpf(0), *((1 if k == 0 else 2) * t for t in now)]
        after = [t - (before[i] if k and i < len(before) else 0) for i, t in enumerate(doubled)]
        before, now = now, after
    return powers


def polynomial(interval: Interval) -> tuple[float, ...]:
    """The coefficients of an interval, the lowest power first."""
    with mpmath.workdps(DIGITS):
        n = 2 * interval.points
        found, smallest = chebyshev(interval.function, interval.start, interval.end, n)
        size = interval.size or smallest
        left = mpmath.mpf(0)
        while abs(found[-1]) + left < NEGLIGIBLE * size:
            left += abs(found.pop())
        if len(found) > interval.points:
            raise ArithmeticError(f"{interval}: {len(found)} coefficients are too many")
        return tuple(float(c) for c in in_powers(found))


def surface(area: Area) -> tuple[tuple[float, ...], ...]:
    """The coefficients of an area: for each power of the first variable those of the second.

    The smallest Chebyshev coefficients are dropped, where they stand at the end of a row.
    """
    with mpmath.workdps(DIGITS):
        n, m = (2 * p for p in area.points)
        nodes = chebyshev_nodes(area.low, area.high, m)
        columns = [
            chebyshev(lambda s, t=t: area.function(s, t), area.start, area.end, n) for t in nodes
        ]
        least = area.size or min(smallest for _, smallest in columns)
        rows = [_transformed([c[j] for c, _ in columns]) for j in range(n)]
        left = mpmath.mpf(0)
        kept = set()
        for size, i, j in sorted(
            (abs(c), i, j) for i, row in enumerate(rows) for j, c in enumerate(row)
        ):
            left += size
            if left > NEGLIGIBLE * least:
                kept.add((i, j))
        rows = [
            row[: max((j + 1 for k, j in kept if k == i), default=0)] for i, row in enumerate(rows)
        ]
        for i in range(n - 2, -1, -1):  # no row is shorter than what follows it
            rows[i] += [mpmath.mpf(0)] * (len(rows[i + 1]) - len(rows[i]))
        rows = [in_powers(row) for row in rows if row]
        if len(rows) > area.points[0] or len(rows[0]) > area.points[1]:
            raise ArithmeticError(f"{area}: {len(rows)} x {len(rows[0])} are too many")
        columns_of_powers = [
            in_powers([row[j] if j < len(row) else mpmath.mpf(0) for row in rows])
            for j in range(len(rows[0]))
        ]
        return tuple(
            tuple(float(columns_of_powers[j][i]) for j in range(len(row)))
            for i, row in enumerate(rows)
        )


def block(stored: Block) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """The coefficients of a block: by powers of the first variable, the second, the third."""
    with mpmath.workdps(DIGITS):
        nodes = [
            chebyshev_nodes(*ends, n)
            for ends, n in zip(stored.intervals, stored.points, strict=True)
        ]
        values = np.array(
            [[[stored.function(u, v, w) for w in nodes[2]] for v in nodes[1]] for u in nodes[0]]
        )
        for axis in range(3):
            values = np.apply_along_axis(_transformed, axis, values)
        left = mpmath.mpf(0)
        for place in sorted(np.ndindex(values.shape), key=lambda place: abs(values[place])):
            left += abs(values[place])
            if left > NEGLIGIBLE * stored.size:
                break
            values[place] = mpmath.mpf(0)
        if any(np.any(values.take(-2, axis) != 0) for axis in range(3)):
            raise ArithmeticError(f"{stored}: more points are needed")
        for axis in range(3):
            values = np.apply_along_axis(in_powers, axis, values)
        rows = [[_trimmed([float(c) for c in row]) for row in plane] for plane in values]
        return _trimmed([_trimmed(plane) for plane in rows])


def _trimmed(items):
    """Without zeros and empty tuples at the end."""
    end = max((i + 1 for i, item in enumerate(items) if item), default=0)
    return tuple(items[:end])


def chebyshev_nodes(a, b, n):
    """Chebyshev's points of an interval."""
    a, b = mpmath.mpf(a), mpmath.mpf(b)
    return [
        (a + b) / 2 + (b - a) / 2 * mpmath.cos(mpmath.pi * (2 * k + 1) / (2 * n)) for k in range(n)
    ]


def _transformed(values):
    """The coefficients of Chebyshev polynomials from values at Chebyshev's points."""
    n = len(values)
    cosines = [mpmath.cos(mpmath.pi * k / (2 * n)) for k in range(4 * n)]
    sums = [
        2 * mpmath.fsum(v * cosines[j * (2 * k + 1) % (4 * n)] for k, v in enumerate(values)) / n
        for j in range(n)
    ]
    return [sums[0] / 2, *sums[1:]]


def text(name: str, table: Table) -> str:
    """The source of a table's file."""
    lines = [
        f'"""{table.about}',
        "",
        "Written by tests/support/make_kernel_tables.py.",
        '"""',
        "",
        f"from jaxsci.special._numerics.polynomials import {', '.join(_classes(table))}",
    ]
    for constant, intervals in table.polynomials.items():
        found = [polynomial(i) for i in intervals]
        print(f"{name}: {constant} of degrees {[len(c) - 1 for c in found]}", flush=True)
        pieces = [
            f"Piece({i.start!r}, {i.end!r}, {c!r})" for i, c in zip(intervals, found, strict=True)
        ]
        source = pieces[0] if len(pieces) == 1 else f"({', '.join(pieces)})"
        lines += ["", f"{constant} = {source}"]
    for constant, area in table.surfaces.items():
        rows = surface(area)
        print(f"{name}: {constant} of degrees {[len(row) - 1 for row in rows]}", flush=True)
        ends = f"{area.start!r}, {area.end!r}, {area.low!r}, {area.high!r}"
        lines += ["", f"{constant} = Surface({ends}, {rows!r})"]
    for constant, of_three in table.blocks.items():
        planes = block(of_three)
        print(
            f"{name}: {constant}, {[[len(row) for row in plane] for plane in planes]}", flush=True
        )
        lines += ["", f"{constant} = Block({of_three.intervals!r}, {planes!r})"]
    return "\n".join(lines) + "\n"


def _classes(table: Table) -> list[str]:
    kinds = {"Block": table.blocks, "Piece": table.polynomials, "Surface": table.surfaces}
    return [name for name, found in kinds.items() if found]


def main() -> None:
    for name in sys.argv[1:] or TABLES:
        path = PACKAGE / f"{name}.py"
        path.write_text(text(name, TABLES[name]), encoding="utf-8")
        subprocess.run(["ruff", "format", "-q", path], check=True)


if __name__ == "__main__":
    main()
