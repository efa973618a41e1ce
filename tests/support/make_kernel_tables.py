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
from kernel_tables import TABLES, Interval, Table

PACKAGE = Path(__file__).resolve().parents[2] / "jaxsci" / "special"
DIGITS = 50
NEGLIGIBLE = 2.0**-58
"""What is cut off, relative to the smallest value of the function."""


def chebyshev(f, a, b, n):
    """The coefficients of Chebyshev polynomials, and the smallest value met."""
    a, b = mpmath.mpf(a), mpmath.mpf(b)
    angles = [mpmath.pi * (2 * k + 1) / (2 * n) for k in range(n)]
    values = [f((a + b) / 2 + (b - a) / 2 * mpmath.cos(t)) for t in angles]
    sums = [
        2 * mpmath.fsum(v * mpmath.cos(j * t) for v, t in zip(values, angles, strict=True)) / n
        for j in range(n)
    ]
    return [sums[0] / 2, *sums[1:]], min(map(abs, values))


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


def text(name: str, table: Table) -> str:
    """The source of a table's file."""
    lines = [
        f'"""{table.about}',
        "",
        "Written by tests/support/make_kernel_tables.py.",
        '"""',
        "",
        "from jaxsci.special._numerics.polynomials import Piece",
    ]
    for constant, intervals in table.polynomials.items():
        found = [polynomial(i) for i in intervals]
        print(f"{name}: {constant} of degrees {[len(c) - 1 for c in found]}", flush=True)
        pieces = [
            f"Piece({i.start!r}, {i.end!r}, {c!r})" for i, c in zip(intervals, found, strict=True)
        ]
        source = pieces[0] if len(pieces) == 1 else f"({', '.join(pieces)})"
        lines += ["", f"{constant} = {source}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    for name in sys.argv[1:] or TABLES:
        path = PACKAGE / f"{name}.py"
        path.write_text(text(name, TABLES[name]), encoding="utf-8")
        subprocess.run(["ruff", "format", "-q", path], check=True)


if __name__ == "__main__":
    main()
