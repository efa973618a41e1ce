"""What a round trip to the host costs on an accelerator (or on whichever device JAX starts with).

    python benchmarks/devices.py [--sizes 1 1000 1000000] [--functions jv kv]

A figure is a ratio to SciPy called on NumPy arrays of that size, in the same run. "by hand" is what
one would write without callbacks: arrays are copied to the host, SciPy's function is called, and
its result is copied back. Nothing that runs SciPy on the host can be much below it.
"""

from __future__ import annotations

import argparse
from typing import Any

import jax
import jax.numpy as jnp
from calls import arguments, differentiated, guide, of, on_backend, ruled
from timing import best_times

from jaxsci._core.dispatch import BACKENDS
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow


def by_hand(row: ElementwiseRow) -> Any:
    return lambda *xs: jax.device_put(row.scipy(*jax.device_get(xs)))


def compare(names: list[str], sizes: list[int]) -> None:
    """Print the table."""
    for name in names:
        row = CATALOG[name]
        forms = differentiated(row.function, ruled(row))
        contenders = {"jnp.sin": jax.jit(lambda *xs: jnp.sin(xs[-1])), "by hand": by_hand(row)}
        for backend in reversed(BACKENDS):
            for form in ("value", "value and gradient"):
                contenders[f"jaxsci {backend}, {form}"] = on_backend(backend, forms[form])
        contenders["guide's pure_callback, value"] = jax.jit(guide(row.scipy))
        for size in sizes:
            host = arguments(row, size)
            device = [jnp.asarray(x) for x in host]
            (base,) = best_times(of(row.scipy, host))
            print(f"{name}, {size} elements: SciPy {base * 1e6:.1f} us")
            for label, f in contenders.items():
                (spent,) = best_times(lambda f=f, xs=device: jax.block_until_ready(f(*xs)))
                print(f"    {label:36} {spent / base:9.2f}  {spent * 1e6:11.1f} us", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 1000, 1_000_000])
    parser.add_argument("--functions", nargs="+", default=["j0", "jv", "gammainc"])
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    print(jax.devices()[0].device_kind)
    compare(options.functions, options.sizes)


if __name__ == "__main__":
    main()
