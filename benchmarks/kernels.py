"""What kernels cost: JAX operations, beside SciPy's loops called from compiled code, on a CPU.

    python benchmarks/kernels.py [--size 1000000] [--functions erf j0]

Both are measured in turns, under jit, at points of each function's domain; the compile times are
those of the kernel's program and of its gradient's, without JAX's cache on disk. The last column is
the time of the kernel in single precision over that of the one in double, for float32 arguments.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from calls import arguments, on_backend
from timing import best_times

import jaxsci
from jaxsci._core.dispatch import DEFAULT_BACKEND
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow
from jaxsci.special._catalog.types import Kind


def compile_time(f: Any, xs: list[Any]) -> float:
    """Seconds to trace and compile a program, on the backend of kernels."""
    start = time.perf_counter()
    with jaxsci.use_backend("device"):
        jax.jit(f).lower(*xs).compile()
    return time.perf_counter() - start


def gradient(row: ElementwiseRow) -> Any:
    """The derivative in the last argument, at every point."""

    def slope(*xs: Any) -> Any:
        return jax.jvp(lambda x: row.function(*xs[:-1], x), xs[-1:], (jnp.ones_like(xs[-1]),))[1]

    return slope


def in_single(row: ElementwiseRow, xs: list[Any]) -> float:
    """What single precision takes, over what double precision does, of arguments in float32."""
    if row.single is None:
        return float("nan")
    narrow = [x.astype(np.float32) if x.dtype == np.float64 else x.astype(np.int32) for x in xs]
    double = on_backend("device", row.function)

    def single(*xs: Any) -> Any:
        with jaxsci.use_backend("device", precision="single"):
            return row.function(*xs)

    of_single, of_double = best_times(
        lambda: jax.block_until_ready(single(*narrow)),
        lambda: jax.block_until_ready(double(*narrow)),
    )
    return of_single / of_double


def measure(row: ElementwiseRow, size: int) -> None:
    """Print a line of the table."""
    xs = [jnp.asarray(x) for x in arguments(row, size)]
    value = compile_time(row.function, xs)
    slope = compile_time(gradient(row), xs) if row.arrays[-1].kind is not Kind.INT else 0.0
    kernel, host = (on_backend(b, row.function) for b in ("device", DEFAULT_BACKEND))
    of_kernel, of_host = best_times(
        lambda: jax.block_until_ready(kernel(*xs)), lambda: jax.block_until_ready(host(*xs))
    )
    print(
        f"{row.name:12} {of_kernel / size * 1e9:8.1f} {of_host / size * 1e9:8.1f} "
        f"{of_kernel / of_host:7.2f} {value:9.2f} {slope:9.2f} {in_single(row, xs):7.2f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--functions", nargs="+")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    rows = [r for r in CATALOG.values() if isinstance(r, ElementwiseRow) and r.kernel is not None]
    print("             kernel     host   ratio    compile  gradient  single")
    print("             ns      ns an element       s         s    /double")
    for row in rows:
        if not options.functions or row.name in options.functions:
            measure(row, options.size)


if __name__ == "__main__":
    main()
