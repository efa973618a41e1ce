"""What a call costs: jaxsci beside SciPy itself, JAX's own recipe and other packages.

    python benchmarks/calls.py [--sizes 1 1000 1000000] [--functions jv kv] [--promises]

Every figure is a ratio to SciPy called on NumPy arrays of that size, in the same run: machines
differ, and so does one machine from minute to minute. Other packages are shown where they can be
imported and have the function. With --promises only what this package promises is measured, as
ratios with their bounds.
"""

from __future__ import annotations

import argparse
import functools
import importlib
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from timing import best_times

import jaxsci.special
from jaxsci._core.dispatch import BACKENDS
from jaxsci._core.elementwise_rules import Missing
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow
from jaxsci.special._catalog.types import Kind

Call = Callable[..., Any]
_ORDERS = ("value", "gradient", "value and gradient", "second derivative")
_HEAVY = ("jv", "kv", "gammainc", "hyp2f1", "ellipkinc", "wofz")
_BESSEL = ("jv", "kv")
_ELSEWHERE = {
    "jax.scipy": ("jax.scipy.special", {}),
    "TensorFlow Probability": (
        "tensorflow_probability.substrates.jax.math",
        {"ive": "bessel_ive", "kve": "bessel_kve", "gammainccinv": "igammacinv",
         "gammaincinv": "igammainv"},
    ),
    "logbesselk": ("logbesselk.jax", {"kve": "bessel_ke"}),
    "jaxbessel": ("jaxbessel", {}),
    "jaxellip": ("jaxellip", {}),
}  # fmt: skip
_OF_SCALARS = ("logbesselk",)


def arguments(row: ElementwiseRow, size: int) -> list[np.ndarray]:
    """Points of the row's domain, on the real line."""
    rng = np.random.default_rng(0)
    out = []
    for spec, domain in zip(row.arrays, row.samples.domain, strict=True):
        line = domain.real() if hasattr(domain, "real") else domain  # type: ignore[attr-defined]
        x = line.sample(rng, size)
        out.append(x if spec.kind is Kind.INT else x.astype(np.float64))
    return out


def guide(scipy_function: Call) -> Call:
    """The recipe of JAX's guide to external callbacks."""

    def call(*args: Any) -> Any:
        result = jax.ShapeDtypeStruct(args[-1].shape, args[-1].dtype)
        return jax.pure_callback(scipy_function, result, *args, vmap_method="broadcast_all")

    return call


def differentiated(function: Call, position: int) -> dict[str, Call]:
    """The function and its derivatives in one argument, elementwise."""

    def along(order: int, together: bool) -> Call:
        def derivative(*args: Any) -> Any:
            def line(x: Any) -> Any:
                return function(*args[:position], x, *args[position + 1 :])

            f = line
            for _ in range(order - 1):
                f = _slope(f)
            x = args[position]
            both = jax.jvp(f, (x,), (jnp.ones_like(x),))
            return both if together else both[1]

        return jax.jit(derivative)

    forms = (jax.jit(function), along(1, False), along(1, True), along(2, False))
    return dict(zip(_ORDERS, forms, strict=True))


def _slope(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


def ruled(row: ElementwiseRow) -> int:
    """The last argument that has a derivative."""
    return max(
        i
        for i, a in enumerate(row.arrays)
        if a.kind is not Kind.INT and not isinstance(row.rules[a.name], Missing)
    )


def on_backend(backend: str, call: Call) -> Call:
    """The call, traced with a backend chosen."""

    @functools.wraps(call)
    def function(*args: Any) -> Any:
        with jaxsci.use_backend(backend):
            return call(*args)

    return function


@functools.cache
def elsewhere(package: str, name: str) -> Any:
    """A module of another package; None where that cannot be imported, for whatever reason."""
    try:
        return importlib.import_module(name)
    except Exception as error:  # among them those of packages that do not fit this version of JAX
        print(f"{package} is left out: {type(error).__name__}: {error}")
        return None


def contenders(row: ElementwiseRow) -> Iterator[tuple[str, Call]]:
    """Label and function: this package's backends, the recipe, and other packages'."""
    position = ruled(row)
    yield "jaxsci, not jitted", row.function
    for backend in reversed(BACKENDS):
        for order, call in differentiated(row.function, position).items():
            yield f"jaxsci {backend}, {order}", on_backend(backend, call)
    yield "guide's pure_callback, value", jax.jit(guide(row.scipy))
    for package, (module, names) in _ELSEWHERE.items():
        found = getattr(elsewhere(package, module), names.get(row.name, row.name), None)
        if found is not None:
            if package in _OF_SCALARS:
                found = jnp.vectorize(found)
            for order, call in differentiated(found, position).items():
                yield f"{package}, {order}", call


def compare(names: list[str], sizes: list[int]) -> None:
    """Print the table."""
    sin = jax.jit(jnp.sin)
    for name in names:
        row = CATALOG[name]
        for size in sizes:
            host = arguments(row, size)
            device = [jnp.asarray(x) for x in host]
            base, native = best_times(of(row.scipy, host), of(sin, device[-1:]))
            print(f"{name}, {size} elements: SciPy {base * 1e6:.1f} us")
            print(f"    {'jnp.sin, jitted':44} {native / base:8.2f}")
            for label, f in contenders(row):
                try:
                    (spent,) = best_times(of(f, device))
                except (NotImplementedError, TypeError, ValueError) as error:
                    print(f"    {label:44} {type(error).__name__}")
                    continue
                print(f"    {label:44} {spent / base:8.2f}", flush=True)


def promises(names: list[str]) -> bool:
    """Measure what is promised; whether all of it holds."""
    kept = True

    def report(what: str, ratio: float, bound: float | None = None, at_least: bool = False) -> None:
        nonlocal kept
        line = f"{what:66} {ratio:7.2f}"
        if bound is not None:
            good = ratio >= bound if at_least else ratio <= bound
            kept &= good
            line += f" {'>=' if at_least else '<='} {bound}{'' if good else '   MISSED'}"
        print(line, flush=True)

    sin = jax.jit(jnp.sin)
    for name in names:
        row = CATALOG[name]
        jitted = jax.jit(row.function)
        one = [jnp.asarray(x[0]) for x in arguments(row, 1)]
        operation = jax.jit(_native_operation)
        ours, native, plain, eager, eager_native = best_times(
            of(jitted, one), of(sin, one[-1:]), of(operation, one),
            of(row.function, one), of(jnp.sin, one[-1:]),
        )  # fmt: skip
        report(f"{name}: scalar call, jitted, to jnp.sin's", ours / native, 1.3)
        alike = f"JAX operations of {len(one)} arguments"
        if len(one) > 1:
            report(f"    {alike}, to jnp.sin's", plain / native)
        (loop,) = best_times(of(row.scipy, [np.repeat(x, 1000) for x in one]))
        report("    of which SciPy's own loop, for this number", loop / 1000 / native)
        report(f"{name}: scalar call, not jitted, to jnp.sin's not jitted",
               eager / eager_native, 2)  # fmt: skip
        for size in (10, 100, 1000, 10_000, 100_000):
            host = arguments(row, size)
            device = [jnp.asarray(x) for x in host]
            base, ours, native, plain = best_times(
                of(row.scipy, host), of(jitted, device), of(sin, device[-1:]),
                of(operation, device),
            )  # fmt: skip
            if base > 50e-6:
                report(f"{name}: {size} elements, to SciPy's call", ours / base, 1)
            else:
                report(f"{name}: {size} elements, to SciPy's call and jnp.sin's",
                       ours / (base + native), 1)  # fmt: skip
                if len(one) > 1:
                    report(f"    to SciPy's call and {alike}", ours / (base + plain))
        host = arguments(row, 10**6)
        device = [jnp.asarray(x) for x in host]
        forms = differentiated(row.function, main_argument(row))
        base, *spent = best_times(
            of(row.scipy, host), *(of(forms[order], device) for order in _ORDERS)
        )
        value, gradient, both, second = spent
        report(f"{name}: 10^6 elements, SciPy's call to ours", base / value, 1.9, at_least=True)
        report(f"{name}: 10^6 elements, gradient to value", gradient / value, 2.1)
        report(f"{name}: 10^6 elements, value and gradient to value", both / value,
               2.3 if name in _BESSEL else None)  # fmt: skip
        report(f"{name}: 10^6 elements, second derivative to value", second / value)
    return kept


def main_argument(row: ElementwiseRow) -> int:
    """Which argument is called the argument; what comes before it or after it is a parameter."""
    return next(i for i, a in enumerate(row.arrays) if a.name in ("x", "z", "phi"))


def _native_operation(*args: Any) -> Any:
    return functools.reduce(jnp.arctan2, args)


def of(function: Call, arrays: list[Any]) -> Call:
    """A call without arguments."""
    return functools.partial(function, *arrays)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 1000, 100_000])
    parser.add_argument("--functions", nargs="+", default=[n for n in _HEAVY if n in CATALOG])
    parser.add_argument("--promises", action="store_true", help="only what is promised")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    if options.promises:
        raise SystemExit(0 if promises(options.functions) else 1)
    compare(options.functions, options.sizes)


if __name__ == "__main__":
    main()
