"""What a matrix function costs: jaxsci.linalg beside SciPy itself, JAX's own recipe and JAX's own.

    python benchmarks/matrices.py [--functions expm logm] [--sizes 8 64 256 1024] [--promises]

Every figure is a ratio to SciPy called on NumPy arrays, in the same run: machines differ, and so
does one machine from minute to minute. "recipe" is jax.pure_callback as JAX's guide has it, mapped
sequentially over a batch. With --promises only what this package promises is measured, as ratios
with their bounds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from calls import of
from timing import best_times

from jaxsci import linalg

Call = Callable[..., Any]
_BATCH = (100, 8)
_AT_ONCE = 10
_LARGE = 1024
_PROMISED = ("expm", "eig", "logm", "solve_sylvester")
_NATIVE: dict[str, Call] = {
    "expm": jax.scipy.linalg.expm,
    "sqrtm": jax.scipy.linalg.sqrtm,
    "eig": jnp.linalg.eig,
    "solve_sylvester": jax.scipy.linalg.solve_sylvester,
    "cholesky": jax.scipy.linalg.cholesky,
}
_FUNCTIONS = (
    "expm", "logm", "sqrtm", "signm", "eig", "schur", "solve_sylvester",
    "solve_continuous_lyapunov", "solve_continuous_are",
)  # fmt: skip
_ARITY = {"solve_sylvester": 3, "solve_continuous_lyapunov": 2, "solve_continuous_are": 4}


def arguments(name: str, n: int, batch: tuple[int, ...] = ()) -> list[np.ndarray]:
    """Matrices whose eigenvalues are apart from each other, and have positive real parts."""
    rng = np.random.default_rng(5)
    matrices = [
        rng.normal(size=(*batch, n, n)) / (2 * np.sqrt(n)) + 1.5 * np.eye(n)
        for _ in range(_ARITY.get(name, 1))
    ]
    if name == "solve_continuous_are":
        matrices[2:] = [x @ np.swapaxes(x, -1, -2) + np.eye(n) for x in matrices[2:]]
    return matrices


def recipe(name: str, like: Any) -> Call:
    """The pure_callback of JAX's guide."""
    function = getattr(scipy.linalg, name)

    def call(*xs: Any) -> Any:
        return jax.pure_callback(
            lambda *ys: jax.tree.map(
                lambda y, t: np.asarray(y, t.dtype), function(*map(np.asarray, ys)), like
            ),
            like,
            *xs,
            vmap_method="sequential",
        )

    return call


def compare(names: list[str], sizes: list[int]) -> None:
    """One line a function and shape."""
    print(f"{'function':28}{'shape':>12}{'SciPy':>11}{'jaxsci':>9}{'recipe':>9}{'JAX':>9}")
    for name in names:
        for n, batch in [*((n, ()) for n in sizes), (_BATCH[1], _BATCH[:1])]:
            host = arguments(name, n, batch)
            device = [jnp.asarray(x) for x in host]
            contenders = [jax.jit(getattr(linalg, name)), mapped_recipe(name, device, batch)]
            if name in _NATIVE:
                native = jax.jit(_NATIVE[name])
                if batch and name == "solve_sylvester":
                    native = jax.jit(jax.vmap(_NATIVE[name]))
                contenders.append(native)
            base, *spent = best_times(
                of(getattr(scipy.linalg, name), host),
                *(of(f, device) for f in contenders),
                rounds=3,
            )
            shape = "x".join(map(str, (*batch, n, n)))
            print(
                f"{name:28}{shape:>12}{base * 1e6:8.0f} us"
                + "".join(f"{time / base:9.2f}" for time in spent),
                flush=True,
            )


def mapped_recipe(name: str, device: list[Any], batch: tuple[int, ...]) -> Call:
    """The recipe, mapped over the batch."""
    one = [x[0] for x in device] if batch else device
    like = jax.eval_shape(getattr(linalg, name), *one)
    plain = recipe(name, like)
    return jax.jit(jax.vmap(plain) if batch else plain)


def promises(names: list[str]) -> bool:
    """Measure what is promised; whether all of it holds."""
    kept = True

    def report(what: str, ratio: float, good: bool, bound: str) -> None:
        nonlocal kept
        kept &= good
        print(f"{what:66} {ratio:7.2f} {bound}{'' if good else '   MISSED'}", flush=True)

    for name in names:
        device = [jnp.asarray(x) for x in arguments(name, _BATCH[1], _BATCH[:1])]
        ours, plain = best_times(
            of(jax.jit(getattr(linalg, name)), device),
            of(mapped_recipe(name, device, _BATCH[:1]), device),
        )
        report(
            f"{name}: 100 of 8x8, the sequential callback's time to ours",
            plain / ours, plain / ours >= _AT_ONCE, f">= {_AT_ONCE}",
        )  # fmt: skip
        host = arguments(name, _LARGE)
        device = [jnp.asarray(x) for x in host]
        base, ours = best_times(
            of(getattr(scipy.linalg, name), host),
            of(jax.jit(getattr(linalg, name)), device),
            rounds=3,
        )
        report(f"{name}: 1024x1024, to SciPy's call", ours / base, ours / base <= 1.1, "<= 1.1")
    return kept


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--functions", nargs="*", default=None, metavar="NAME")
    parser.add_argument("--sizes", nargs="*", type=int, default=[8, 64, 256])
    parser.add_argument("--promises", action="store_true", help="only what is promised")
    options = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    if options.promises:
        raise SystemExit(0 if promises(options.functions or list(_PROMISED)) else 1)
    compare(options.functions or list(_FUNCTIONS), options.sizes)


if __name__ == "__main__":
    main()
