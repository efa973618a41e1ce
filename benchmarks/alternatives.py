"""jaxsci beside what a user would take in its place: time, compile time and error, in one run.

    python benchmarks/alternatives.py [--functions jv expm] [--sizes 1 1000 1000000] [--write]

Values, derivatives and second derivatives, of SciPy called on NumPy arrays, of JAX's recipe
(jax.pure_callback, with no rule for a derivative), of jax.scipy, TensorFlow Probability, PyTorch,
logbesselk and spexial, where they can be imported, have the function, and differentiate it in this
argument. With
--write tables go into docs/alternatives.md and the README, and plots beside the former (with the
extra `bench`); functions that are not named keep their figures, if the machine and all versions are
the same.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import contenders
import jax
import jax.numpy as jnp
import numpy as np
from calls import arguments
from contenders import QUANTITIES
from reports import into_page, machine
from timing import best_times
from truths import truth_of

from jaxsci.special._catalog.decorators import CATALOG

FUNCTIONS = {
    "j0": 0, "jv": 1, "kve": 1, "k0e": 0, "gammainc": 1, "betainc": 2, "hyp2f1": 3,
    "erfcx": 0, "ndtri": 0, "ellipk": 0, "spence": 0, "expm": 0,
}  # fmt: skip
"""The argument in which each is differentiated. Of a matrix the size is its number of entries."""
SIZES = (1, 1000, 1_000_000, 10_000_000)
LARGEST_OF_EXPM = 300**2
COMPILED_AT = 1000
"""The size at which programs are compiled to see how long that takes."""
LONGEST = 4.0
"""Seconds: what would take longer is not measured."""
DOCS = Path(__file__).resolve().parents[1] / "docs"
README = DOCS.parent / "README.md"
README_SIZE = 1_000_000
DATA = DOCS / "assets" / "alternatives.json"


@dataclass
class Result:
    """One contender's figures for one quantity."""

    function: str
    library: str
    quantity: str
    errors: tuple[float | None, ...]
    """The median and the largest at the points of the tests; None is infinite."""
    compile: float | None = None
    """Seconds."""
    seconds: dict[str, float] | None = None
    """A call, by size."""


def inputs(name: str, size: int) -> list[np.ndarray]:
    """What a function is called with."""
    if name != "expm":
        row = CATALOG[name]
        return arguments(row, size)  # type: ignore[arg-type]
    n = max(1, round(math.sqrt(min(size, LARGEST_OF_EXPM))))
    return [np.random.default_rng(0).standard_normal((n, n))]


def ways(name: str, order: int) -> Iterator[tuple[str, Callable[..., Any], Callable[..., Any]]]:
    """Who computes a quantity: the label, the function, and what makes its arrays."""
    position = FUNCTIONS[name]
    for label, function in contenders.in_jax(name).items():
        call = jax.jit(contenders.derivative(function, position, order))
        yield label, call, lambda xs: [jnp.asarray(x) for x in xs]
    if not order:
        yield "SciPy", contenders.by_scipy(name), list
    function = contenders.by_torch(name)
    if function is not None:
        call = contenders.derivative_in_torch(function, position, order)
        yield "PyTorch", call, contenders.to_torch


def measured(name: str, sizes: list[int]) -> list[Result]:
    """All contenders' figures for one function."""
    truth = truth_of(name, FUNCTIONS[name])
    out = []
    for order, quantity in enumerate(QUANTITIES):
        there: dict[str, tuple[Any, Any, Result]] = {}
        for label, call, made in ways(name, order):
            try:
                values = call(*made(truth.at))
            except Exception as refused:  # of many kinds: it has no such derivative
                print(f"    {label} has no {quantity}: {type(refused).__name__}")
                continue
            errors = truth.errors(order, values)
            result = Result(name, label, quantity, tuple(map(_stored, errors)))
            if hasattr(call, "lower"):
                result.compile = compile_time(call, made(inputs(name, COMPILED_AT)))
            result.seconds = {}
            there[label] = call, made, result
        for size in sizes:
            xs = inputs(name, size)
            quick = {
                label: (call, made(xs)) for label, (call, made, result) in there.items()
                if _expected(result, size) < LONGEST
            }  # fmt: skip
            spent = best_times(*(_call(*one) for one in quick.values()), rounds=3)
            for label, seconds in zip(quick, spent, strict=True):
                found = there[label][2].seconds
                assert found is not None
                found[str(size)] = float(f"{seconds:.3g}")
        for *_, result in there.values():
            print(f"    {result.library:14} {quantity:18} {result.errors} {result.seconds}")
            out.append(result)
    return out


def _stored(error: float) -> float | None:
    return float(f"{error:.1e}") if math.isfinite(error) else None


def kept(data: dict[str, Any], but: list[str]) -> list[dict[str, Any]]:
    """Other functions' figures, from the file, if all was as it is now."""
    if not DATA.is_file():
        return []
    before = json.loads(DATA.read_text(encoding="utf-8"))
    alike = all(before[what] == data[what] for what in data)
    return [r for r in before["results"] if alike and r["function"] not in but]


def _call(function: Callable[..., Any], xs: list[Any]) -> Callable[[], Any]:
    return lambda: function(*xs)


def _expected(result: Result, size: int) -> float:
    """Seconds, if time grows like the size."""
    limit = LARGEST_OF_EXPM if result.function == "expm" else size
    known = {int(n): t for n, t in (result.seconds or {}).items()}
    return max(
        (t * min(size, limit) / n for n, t in known.items() if n >= COMPILED_AT), default=0.0
    )


def compile_time(call: Any, xs: list[Any]) -> float:
    """Seconds to trace and compile."""
    jax.clear_caches()
    start = time.perf_counter()
    call.lower(*xs).compile()
    return float(f"{time.perf_counter() - start:.2g}")


# -- what is shown ---------------------------------------------------------------------------------


def markdown(data: dict[str, Any]) -> str:
    """The table."""
    sizes = data["sizes"]
    head = ["function", "", "", "median error", "largest", "compile", *(f"{n:,}" for n in sizes)]
    lines = [_line(head), "|" + "---|" * len(head)]
    before: tuple[str, str] | None = None
    for r in data["results"]:
        key = r["function"], r["quantity"]
        names = [f"`{r['function']}`", r["quantity"]] if key != before else ["", ""]
        before = key
        errors = ["inf" if e is None else f"{e:.0e}" for e in r["errors"]]
        compiled = "" if r["compile"] is None else time_text(r["compile"])
        spent = [time_text(r["seconds"].get(str(n))) for n in sizes]
        lines.append(_line([*names, r["library"], *errors, compiled, *spent]))
    made = ", ".join(f"{name} {version}" for name, version in data["versions"].items())
    return "\n".join([*lines, "", f"Measured on {data['machine']}; {made}."])


LIBRARIES = ("jaxsci", "SciPy", "jax.scipy", "TFP", "PyTorch")


def summary(data: dict[str, Any]) -> str:
    """The README's table: the largest error, and the time of a million elements."""
    size = str(README_SIZE)
    found = {(r["function"], r["quantity"], r["library"]): r for r in data["results"]}
    lines = [_line(["", "", *LIBRARIES]), "|" + "---|" * (2 + len(LIBRARIES))]
    for name in dict.fromkeys(r["function"] for r in data["results"]):
        for quantity in ("value", "gradient"):
            cells = []
            for library in LIBRARIES:
                r = found.get((name, quantity, library))
                if r is None:
                    cells.append("none")
                    continue
                error = r["errors"][1]
                text = "missing values" if error is None else f"{error:.0e}"
                cells.append(f"{text}, {time_text(r['seconds'].get(size))}")
            lines.append(_line([f"`{name}`" if quantity == "value" else "", quantity, *cells]))
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def time_text(seconds: float | None) -> str:
    """A time in its own unit."""
    if seconds is None:
        return "too long"
    unit, size = next((u for u in _UNITS if seconds >= u[1]), _UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


_UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--functions", nargs="+", default=list(FUNCTIONS), choices=FUNCTIONS)
    parser.add_argument("--write", action="store_true", help="table and plots into docs")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    results: list[Result] = []
    for name in options.functions:
        print(name, flush=True)
        results += measured(name, options.sizes)
    data = {"machine": machine(), "versions": contenders.versions(), "sizes": options.sizes}
    data["results"] = kept(data, options.functions) + [asdict(r) for r in results]
    data["results"].sort(key=lambda r: list(FUNCTIONS).index(r["function"]))
    if not options.write:
        print(markdown(data))
        return
    DATA.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")
    page = DOCS / "alternatives.md"
    text = into_page(page.read_text(encoding="utf-8"), markdown(data))
    page.write_text(text, encoding="utf-8")
    text = into_page(README.read_text(encoding="utf-8"), summary(data))
    README.write_text(text, encoding="utf-8")
    import drawn

    drawn.draw(data, DOCS / "assets")


if __name__ == "__main__":
    main()
