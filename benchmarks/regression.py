"""Whether calls have become slower: to be compared between commits, on the same quiet machine.

    pytest -n 0 benchmarks/regression.py --benchmark-autosave
    pytest -n 0 benchmarks/regression.py --benchmark-compare --benchmark-compare-fail=min:20%

The first keeps the figures in .benchmarks, the second fails where the best time has grown by a
fifth since the last that were kept. It needs pytest-benchmark (the extra `bench`). A function
stands for each way in which values and derivatives come about: SciPy's loops of real and complex
numbers, mended values, closed forms, contour integrals, roots, JAX operations, LAPACK.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from calls import arguments
from contenders import derivative

from jaxsci import linalg
from jaxsci.special._catalog.decorators import CATALOG

FUNCTIONS = {
    "j0": 0, "jv": 1, "kv": 0, "gammainc": 0, "betaincinv": 2, "hyp2f1": 3, "wofz": 0, "xlogy": 0,
    "stdtrit": 0, "ellipj": 1, "sph_harm_y": 2, "eval_jacobi": 3,
}  # fmt: skip
"""The argument in which each is differentiated."""
MATRICES = ("expm", "logm", "solve", "eigh")


@pytest.fixture(autouse=True)
def _in_double_precision() -> Any:
    with jax.enable_x64(True):
        yield


def _timed(benchmark: Any, function: Callable[..., Any], xs: list[Any]) -> None:
    call = jax.jit(function)
    jax.block_until_ready(call(*xs))  # compiled before the clock starts
    benchmark(lambda: jax.block_until_ready(call(*xs)))


@pytest.mark.parametrize("size", [1, 10_000])
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_special(benchmark: Any, name: str, order: int, size: int) -> None:
    xs = [jnp.asarray(x) for x in arguments(CATALOG[name], size)]  # type: ignore[arg-type]
    _timed(benchmark, derivative(CATALOG[name].function, FUNCTIONS[name], order), xs)


@pytest.mark.parametrize("shape", [(4, 4), (1000, 4, 4), (100, 100)], ids=str)
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("name", MATRICES)
def test_linalg(benchmark: Any, name: str, order: int, shape: tuple[int, ...]) -> None:
    a = np.random.default_rng(0).standard_normal(shape)
    a = jnp.asarray(a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1]))
    xs = [a, a] if name == "solve" else [a]
    _timed(benchmark, derivative(getattr(linalg, name), 0, order), xs)
