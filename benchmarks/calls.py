"""What a call costs: jaxsci beside SciPy itself, JAX's own recipe and a native JAX operation.

Run it with ``python benchmarks/calls.py [--sizes 1 1000 100000] [--functions jv kv]``. Every figure
is a ratio to SciPy called on a NumPy array of that size, in the same run: machines differ, and
so does one machine from minute to minute.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxsci.special
from jaxsci._catalog import CATALOG, Row
from jaxsci._derive import Missing
from jaxsci._types import Kind

_ROUNDS = 5


def _seconds(call: Callable[[], Any]) -> float:
    """The best of a few rounds, each long enough for the clock."""
    jax.block_until_ready(call())
    start = time.perf_counter()
    jax.block_until_ready(call())
    repeats = max(1, int(0.05 / max(time.perf_counter() - start, 1e-6)))
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        for _ in range(repeats):
            result = call()
        jax.block_until_ready(result)
        best = min(best, (time.perf_counter() - start) / repeats)
    return best


def _arguments(row: Row, size: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    out = []
    for spec, domain in zip(row.arrays, row.domain, strict=True):
        line = domain.real() if spec.kind is Kind.COMPLEX else domain  # type: ignore[attr-defined]
        out.append(line.sample(rng, size))
    return out


def _guide(scipy_function: Callable[..., Any]) -> Callable[..., Any]:
    """The recipe of JAX's guide to external callbacks."""

    def call(*args: Any) -> Any:
        result = jax.ShapeDtypeStruct(args[-1].shape, args[-1].dtype)
        return jax.pure_callback(scipy_function, result, *args, vmap_method="broadcast_all")

    return jax.jit(call)


def _contenders(row: Row) -> dict[str, Callable[..., Any]]:
    function = row.function
    position = max(
        i
        for i, a in enumerate(row.arrays)
        if a.kind is not Kind.INT and not isinstance(row.rules[a.name], Missing)
    )

    def directional(order: int) -> Callable[..., Any]:
        def derivative(*args: Any) -> Any:
            def along(x: Any) -> Any:
                return function(*args[:position], x, *args[position + 1 :])

            for _ in range(order):
                along = _slope(along)
            return along(args[position])

        return jax.jit(derivative)

    return {
        "jit": jax.jit(function),
        "eager": function,
        "guide's recipe": _guide(row.scipy),
        "1st derivative": directional(1),
        "2nd derivative": directional(2),
    }


def _slope(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 1000, 100_000])
    parser.add_argument("--functions", nargs="+", default=["jv", "kv", "iv", "j0", "kve", "ber"])
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    sin = jax.jit(jnp.sin)
    assert jaxsci.special.jv is CATALOG["jv"].function
    for name in options.functions:
        row = CATALOG[name]
        for size in options.sizes:
            host = _arguments(row, size)
            device = [jnp.asarray(x) for x in host]
            base = _seconds(lambda f=row.scipy, xs=host: f(*xs))
            print(f"{name}, {size} elements: SciPy {base * 1e6:.1f} us")
            native = _seconds(lambda x=device[-1]: sin(x))
            print(f"    {'jnp.sin, jitted':18} {native / base:8.2f}  ({native * 1e6:.1f} us)")
            for label, f in _contenders(row).items():
                spent = _seconds(lambda f=f, xs=device: f(*xs))
                print(f"    {label:18} {spent / base:8.2f}  ({spent * 1e6:.1f} us)", flush=True)


if __name__ == "__main__":
    main()
