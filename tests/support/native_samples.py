"""Arguments for every ufunc of scipy.special, and the oracle: the ufunc called by NumPy."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci import host_function
from jaxsci._core import precision

UFUNCS: dict[str, np.ufunc] = {
    name: ufunc
    for name in dir(scipy.special)
    if isinstance(ufunc := getattr(scipy.special, name), np.ufunc)
}

AWKWARD = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 5e-324, -5e-324, 1e-310, -1e-310, 2.3e-308]
AWKWARD += [np.inf, -np.inf, np.nan, 1e-20, 1 - 1e-16, 1 + 3e-16, 8.0, -8.0, 17.5]


def loops(ufunc: np.ufunc) -> list[str]:
    """The loops over doubles, complex doubles and integers, as NumPy writes them."""
    return [t for t in ufunc.types if set(t) <= set("dDl->") and set(t) & set("dD")]


def sample(code: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Arguments of one type: random ones of several sizes, and awkward ones."""
    if code == "l":
        return rng.choice(np.r_[-3:8, 12, 40], n)
    real = np.concatenate(
        [
            AWKWARD,
            rng.normal(0, 3, n),
            rng.uniform(0, 1, n),
            rng.integers(-6, 12, n // 2) / 2,
            rng.uniform(0, 40, n),
            10.0 ** rng.uniform(-300, 1, n // 4),
        ]
    )
    x = rng.choice(real, n)
    x[: len(AWKWARD)] = rng.permutation(AWKWARD)[:n]
    if code == "d":
        return x
    z = np.empty(n, complex)
    z.real, z.imag = x, rng.permutation(x)  # a product with 1j makes nan of inf
    return z


# SciPy's own code crashes or does not return for arguments far from where these make sense.
_FRAGILE = ("mathieu_", "pro_", "obl_", "hyp1f1")


def arguments(name: str, loop: str, n: int) -> list[np.ndarray]:
    """Arguments for one loop of the function, the same in every process."""
    rng = np.random.default_rng(zlib.crc32(f"{name} {loop}".encode()))
    if name.startswith(_FRAGILE):
        xs = [rng.uniform(0.25, 0.75, n) for _ in loop.split("->")[0]]
        if name == "hyp1f1":
            return [x if c == "d" else x + 1j * x for x, c in zip(xs, loop, strict=False)]
        for x in xs[: 1 if name.startswith("mathieu") else 2]:
            x[:] = 2  # the order and the degree
        if "_rad" in name and name.startswith("pro_"):
            xs[-1] += 1  # the radial coordinate of a prolate spheroid
        return xs
    return [sample(code, n, rng) for code in loop.split("->")[0]]


def by_numpy(
    ufunc: np.ufunc, arrays: Sequence[np.ndarray], dtypes: Sequence[Any]
) -> list[np.ndarray]:
    """The ufunc's values for arguments widened to double, each rounded once."""
    with (
        np.errstate(all="ignore"),
        scipy.special.errstate(all="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # fractions where integers are expected
        values = ufunc(*(precision.widen_on_host(np.asarray(x)) for x in arrays))
        values = values if isinstance(values, tuple) else (values,)
        return [
            precision.round_to(np.asarray(y), np.dtype(t))
            for y, t in zip(values, dtypes, strict=True)
        ]


def as_tuple(ufunc: np.ufunc, dtypes: Sequence[Any]) -> Any:
    """The ufunc as a function of JAX arrays, its results always in a tuple."""
    f = host_function(ufunc, dtype=tuple(np.dtype(t) for t in dtypes))

    def evaluate(*xs: Any) -> tuple[Any, ...]:
        ys = f(*xs)
        return ys if isinstance(ys, tuple) else (ys,)

    return evaluate


def narrowed(x: np.ndarray, real: str) -> np.ndarray:
    """An argument in a narrower type: complex64 where it is complex, integers in 32 bits."""
    name = {"i": "int32", "c": "complex64"}.get(x.dtype.kind, real)
    with np.errstate(all="ignore"):
        return x.astype(np.dtype(getattr(jnp, name)))
