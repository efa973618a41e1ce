"""What kernels cost: JAX operations, beside SciPy's loops called from compiled code, on a CPU.

    python benchmarks/kernels.py [--size 1000000] [--functions erf j0] [--write]

Both are measured in turns, under jit, at points of each function's domain; the compile times are
those of the kernel's program and of its gradient's, without JAX's cache on disk. All times are the
processor's, of all cores added up. Operations are those that XLA counts in the compiled program, by
element; what a loop repeats counts once. The last column is the time of the kernel in single
precision over that of the one in double, for float32 arguments. With --write the table goes into
docs/devices.md; functions that are not named keep their figures.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy
from calls import arguments, on_backend
from derivatives import slope
from reports import into_page, machine
from timing import best_times

import jaxsci
from jaxsci._core.dispatch import DEFAULT_BACKEND
from jaxsci._verification import accuracy
from jaxsci.special._catalog.coverage import table
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow
from jaxsci.special._catalog.types import Kind

DOCS = Path(__file__).resolve().parents[1] / "docs"
DATA = DOCS / "assets" / "kernels.json"


@dataclass(frozen=True)
class Cost:
    """One kernel's figures: seconds to compile, and nanoseconds an element, of processor time."""

    function: str
    operations: float
    kernel: float
    host: float
    compile: float
    gradient: float | None
    single: float | None
    """The time in single precision over that in double; None: there is no such kernel."""
    where: str
    """The machine and the versions."""

    def cells(self) -> list[str]:
        """A line of the table."""
        return [
            f"`{self.function}`",
            f"{self.operations:,.0f}",
            f"{float(f'{self.kernel:.3g}'):,g}",
            f"{self.kernel / self.host:.2f}",
            f"{self.compile:.2f} s",
            "" if self.gradient is None else f"{self.gradient:.2f} s",
            "" if self.single is None else f"{self.single:.2f}",
        ]


HEADS = (
    "function", "operations", "ns an element", "of SciPy's time", "value compiles in",
    "gradient compiles in", "single, of double",
)  # fmt: skip


def compiled(f: Any, xs: list[Any]) -> tuple[Any, float]:
    """A program on the backend of kernels, and the seconds to trace and compile it."""
    start = time.process_time()
    with jaxsci.use_backend("device"):
        program = jax.jit(f).lower(*xs).compile()
    return program, time.process_time() - start


def operations(program: Any) -> float:
    """Additions, multiplications and the like, and elementary functions, in a run of a program."""
    found = program.cost_analysis()
    return found.get("flops", 0.0) + found.get("transcendentals", 0.0)


def gradient(f: Any) -> Any:
    """The derivative in the last argument, at every point."""
    return lambda *xs: slope(f, len(xs) - 1)(*xs)


def in_single(row: ElementwiseRow, f: Any, xs: list[Any]) -> float | None:
    """What single precision takes, over what double precision does, of arguments in float32."""
    if row.single is None:
        return None
    narrow = [x.astype(np.float32) if x.dtype == np.float64 else x.astype(np.int32) for x in xs]
    double = on_backend("device", f)

    def single(*xs: Any) -> Any:
        with jaxsci.use_backend("device", precision="single"):
            return f(*xs)

    of_single, of_double = best_times(
        lambda: jax.block_until_ready(single(*narrow)),
        lambda: jax.block_until_ready(double(*narrow)),
        clock=time.process_time,
    )
    return of_single / of_double


def measured(row: ElementwiseRow, size: int) -> Cost:
    """The figures of a row that has a kernel."""
    xs = [jnp.asarray(x) for x in arguments(row, size)]
    f = accuracy.bound(row, row.samples.statics[0])
    program, seconds = compiled(f, xs)
    has_slope = row.arrays[-1].kind is not Kind.INT
    slope = compiled(gradient(f), xs)[1] if has_slope else None
    kernel, host = (on_backend(b, f) for b in ("device", DEFAULT_BACKEND))
    of_kernel, of_host = best_times(
        lambda: jax.block_until_ready(kernel(*xs)),
        lambda: jax.block_until_ready(host(*xs)),
        clock=time.process_time,
    )
    each = 1e9 / size
    return Cost(
        row.name, operations(program) / size, of_kernel * each, of_host * each, seconds, slope,
        in_single(row, f, xs), f"{machine()}; jax {jax.__version__}, scipy {scipy.__version__}",
    )  # fmt: skip


def kept(functions: set[str]) -> list[dict[str, Any]]:
    """The figures of functions that are not measured anew."""
    found = json.loads(DATA.read_text(encoding="utf-8")) if DATA.is_file() else {"results": []}
    return [r for r in found["results"] if r["function"] not in functions]


def places(costs: list[Cost]) -> str:
    """Where they were measured: only what one machine tells of a function is to be compared."""
    (usual, _), *others = Counter(c.where for c in costs).most_common()
    lines = [f"Measured on {usual}"]
    for place in (place for place, _ in others):
        names = ", ".join(f"`{c.function}`" for c in costs if c.where == place)
        lines.append(f"on {place}: {names}")
    return "; ".join(lines) + "."


def markdown(data: dict[str, Any]) -> str:
    """The table, and how the figures spread."""
    costs = [Cost(**r) for r in data["results"]]
    ratios = np.array([c.kernel / c.host for c in costs])
    middle, high = np.quantile(ratios, [0.5, 0.9])
    note = (
        f"Measured with {data['size']:,} elements. The median of SciPy's time is {middle:.2f}, "
        f"nine tenths are below {high:.2f}; kernels take less than SciPy for "
        f"{np.sum(ratios < 1)} of {len(costs)} functions. {places(costs)}"
    )
    return f"{table(HEADS, (c.cells() for c in costs))}\n\n{note}"


def main() -> None:
    """Measure; print or write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--functions", nargs="+")
    parser.add_argument("--write", action="store_true", help="the table into docs/devices.md")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    rows = [
        r
        for r in CATALOG.values()
        if isinstance(r, ElementwiseRow)
        and r.kernel is not None
        and (not options.functions or r.name in options.functions)
    ]
    print(" | ".join(HEADS))
    costs = []
    for row in rows:
        costs.append(measured(row, options.size))
        print(" | ".join(costs[-1].cells()), flush=True)
        jax.clear_caches()  # programs that are not called again
    if options.write:
        results = kept({c.function for c in costs}) + [asdict(c) for c in costs]
        data = {
            "size": options.size,
            "results": sorted(results, key=lambda r: r["function"]),
        }
        DATA.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")
        page = DOCS / "devices.md"
        text = into_page(page.read_text(encoding="utf-8"), markdown(data))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
