"""What the first call costs: seconds until a value, a gradient, a second derivative is there.

    python benchmarks/compiling.py [--functions jv kv] [--orders 0 1] [--slowest 40] [--processor]

A line for each row, kind of argument (real or complex) and argument that has a derivative: the
value's own time is tracing and compiling a call of the host; what a derivative adds is the program
of its rule. Beside them stands jax.scipy.special, where it has the function and the derivative.
Nothing is taken from JAX's compilation cache. Quartiles are printed last. Processor time, which
is what to compare by on a busy machine, counts all cores that compile together.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import derivatives
import jax
import jax.numpy as jnp
import jax.scipy.special
import numpy as np

from jaxsci._verification import accuracy, reference
from jaxsci.special._catalog.decorators import ElementwiseRow

_ORDERS = ("value", "gradient", "second derivative")


@dataclass
class Line:
    """The seconds of one argument's derivatives, by order, and those of jax.scipy.special."""

    name: str
    ours: dict[int, float] = field(default_factory=dict)
    jaxs: dict[int, float] = field(default_factory=dict)


def derivative(f: Callable[..., Any], order: int, i: int) -> Callable[..., Any]:
    """The order-th derivative of the sum of a function's results in argument i, real or complex."""

    def total(*xs: Any) -> Any:
        return sum(jnp.sum(y) for y in jax.tree.leaves(f(*xs)))

    for _ in range(order):
        total = _slope(total, i)
    return total


def _slope(f: Callable[..., Any], i: int) -> Callable[..., Any]:
    def slope(*xs: Any) -> Any:
        if jnp.iscomplexobj(xs[i]) or jnp.iscomplexobj(jax.eval_shape(f, *xs)):
            return derivatives.slope(f, i)(*xs)
        return jax.grad(f, i)(*xs)

    return slope


def first_call(clock: Callable[[], float], f: Callable[..., Any], *xs: Any) -> float:
    """Seconds until the result of a function that was never called before."""
    jax.clear_caches()
    start = clock()
    jax.block_until_ready(jax.jit(f)(*xs))
    return clock() - start


def lines(
    rows: list[ElementwiseRow], orders: list[int], clock: Callable[[], float]
) -> Iterator[Line]:
    """What there is to measure, measured."""
    for row in rows:
        static = row.samples.statics[-1]
        theirs = getattr(jax.scipy.special, row.name, None)
        for variant in reference.variants(row):
            rng = reference.generator("compiling", row.name)
            at = [jnp.asarray(x[0]) for x in reference.sample(row, variant, rng, 1)]
            f = accuracy.bound(row, static)
            for i, argument in enumerate(row.arrays):
                if not reference.directions(row, argument, variant):
                    continue
                line = Line(f"{row.name} {variant} {argument.name}")
                for order in orders:
                    line.ours[order] = first_call(clock, derivative(f, order, i), *at)
                    if theirs is not None and variant == reference.REAL and not static:
                        try:
                            slope = derivative(theirs, order, i)
                            line.jaxs[order] = first_call(clock, slope, *at)
                        except Exception:  # JAX has no such derivative, or asks for other dtypes
                            continue
                yield line


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--functions", nargs="*", help="names of rows; all by default")
    parser.add_argument("--orders", nargs="*", type=int, default=[0, 1, 2], help="0, 1, 2")
    parser.add_argument("--slowest", type=int, help="print so many lines only")
    parser.add_argument("--processor", action="store_true", help="processor time, not the clock's")
    options = parser.parse_args()
    clock = time.process_time if options.processor else time.perf_counter
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_enable_compilation_cache", False)
    rows = [r for name, r in reference.ROWS.items() if name in (options.functions or [name])]

    print(f"{'seconds':36}" + "".join(f"{_ORDERS[k]:>20}" for k in options.orders))
    found = []
    for line in lines(rows, options.orders, clock):
        found.append(line)
        if options.slowest is None:
            show(line, options.orders)
    if options.slowest is not None:
        found.sort(key=lambda line: -line.ours[options.orders[-1]])
        for line in found[: options.slowest]:
            show(line, options.orders)
    for name, part in (("least", 0), ("quarter", 0.25), ("median", 0.5), ("nine tenths", 0.9),
                       ("most", 1)):  # fmt: skip
        ours = (np.quantile([x.ours[k] for x in found], part) for k in options.orders)
        print(f"{name:36}" + "".join(f"{x:20.2f}" for x in ours))


def show(line: Line, orders: list[int]) -> None:
    """Print a line: our seconds, and JAX's in brackets."""
    cells = []
    for k in orders:
        beside = f" ({line.jaxs[k]:.2f})" if k in line.jaxs else ""
        cells.append(f"{line.ours[k]:.2f}{beside}")
    print(f"{line.name:36}" + "".join(f"{c:>20}" for c in cells), flush=True)


if __name__ == "__main__":
    main()
