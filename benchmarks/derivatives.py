"""What first derivatives cost: how many values of the same function, on large arrays.

    python benchmarks/derivatives.py [--functions jv kv] [--size 100000] [--above 10]

A line for each row, kind of argument (real or complex) and argument that has a derivative: the
processor's time of the value and of the derivative, both compiled, in turns in one process, at
points of the row's domain, and their ratio. Of costly functions fewer points are taken, so many
that a value takes no longer than some seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from timing import best_times

from jaxsci._verification import accuracy, reference
from jaxsci.special._catalog.decorators import ElementwiseRow

_LONGEST = 2.0
"""Seconds of a value."""
_FEW = 1000


class Line(NamedTuple):
    """What one derivative costs."""

    name: str
    points: int
    value: float
    """Nanoseconds an element."""
    ratio: float
    """The derivative's time over the value's."""


def lines(rows: list[ElementwiseRow], size: int) -> Iterator[Line]:
    """What there is to measure, measured."""
    for row in rows:
        static = row.samples.statics[-1]
        for variant in reference.variants(row):
            rng = reference.generator("derivatives", row.name)
            points = [jnp.asarray(x) for x in reference.sample(row, variant, rng, size)]
            value = jax.jit(accuracy.bound(row, static))
            few = [x[:_FEW] for x in points]
            (seconds,) = best_times(
                lambda f=value, xs=few: f(*xs), rounds=2, clock=time.process_time
            )
            n = int(min(size, max(_FEW, _LONGEST / seconds * _FEW)))
            xs = [x[:n] for x in points]
            for i, argument in enumerate(row.arrays):
                if not reference.directions(row, argument, variant):
                    continue
                derivative = jax.jit(slope(value, i))
                calls = (lambda: value(*xs), lambda f=derivative: f(*xs))  # noqa: B023
                times = best_times(*calls, rounds=3, clock=time.process_time)
                name = f"{row.name} {variant} {argument.name}"
                yield Line(name, n, times[0] / n * 1e9, times[1] / times[0])
            jax.clear_caches()


def slope(f: Any, i: int) -> Any:
    """The derivative in argument i, real or along the real axis, without the value."""

    def of(*xs: Any) -> Any:
        along = lambda x: f(*xs[:i], x, *xs[i + 1 :])  # noqa: E731
        return jax.jvp(along, (xs[i],), (jnp.ones_like(xs[i]),))[1]

    return of


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--functions", nargs="*", help="names of rows; all by default")
    parser.add_argument("--size", type=int, default=10**5, help="points of an array")
    parser.add_argument("--above", type=float, default=0, help="print ratios from this one on")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    rows = [r for name, r in reference.ROWS.items() if name in (options.functions or [name])]
    print(f"{'':40}{'points':>10}{'value, ns':>12}{'values':>8}")
    ratios = []
    for line in lines(rows, options.size):
        ratios.append(line.ratio)
        if line.ratio >= options.above:
            print(f"{line.name:40}{line.points:10}{line.value:12.0f}{line.ratio:8.2f}", flush=True)
    for name, part in (("median", 0.5), ("nine tenths", 0.9), ("most", 1)):
        print(f"{name:40}{np.quantile(ratios, part):30.2f}")


if __name__ == "__main__":
    main()
