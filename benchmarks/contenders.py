"""Who computes a function, and how each is called and differentiated."""

from __future__ import annotations

import functools
import importlib
import operator
from collections.abc import Callable
from importlib import metadata
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg
import jax.scipy.special
import numpy as np
import scipy.linalg
from calls import guide

import jaxsci.linalg
from jaxsci._verification.atlas import libraries
from jaxsci.special._catalog.decorators import CATALOG

Call = Callable[..., Any]
QUANTITIES = ("value", "gradient", "second derivative")
LABELS = (
    "jaxsci", "SciPy", "pure_callback", "jax.scipy", "TFP", "PyTorch", "logbesselk", "spexial",
)  # fmt: skip
_OF_TORCH = {
    "j0": "special.bessel_j0",
    "gammainc": "special.gammainc",
    "erfcx": "special.erfcx",
    "ndtri": "special.ndtri",
    "k0e": "special.scaled_modified_bessel_k0",
    "expm": "linalg.matrix_exp",
}
_OF_LOGBESSELK = {"kve": "bessel_ke"}
"""Functions of numbers, which JAX maps over arrays."""
_OF_SPEXIAL = {"k0e": "k0e", "spence": "spence"}


@functools.cache
def imported(module: str) -> Any:
    """A module, or None where it is absent or does not fit."""
    try:
        return importlib.import_module(module)
    except Exception:
        return None


def torch() -> Any:
    """PyTorch, where it can be imported."""
    return imported("torch")


def versions() -> dict[str, str]:
    """Of all that take part."""
    found = {"jaxsci": jaxsci.__version__}  # which may be the sources
    found |= {p: metadata.version(p) for p in ("jax", "numpy", "scipy")}
    if libraries.tfp() is not None:
        probability = importlib.import_module("tensorflow_probability")
        found["tensorflow-probability"] = probability.__version__
    if torch() is not None:
        found["torch"] = torch().__version__
    for package, module in (("logbesselk", "logbesselk.jax"), ("spexial", "spexial")):
        if imported(module) is not None:
            found[package] = metadata.version(package)
    return found


def in_jax(name: str) -> dict[str, Call]:
    """Functions of JAX arrays, by who made them."""
    if name == "expm":
        return {
            "jaxsci": jaxsci.linalg.expm,
            "pure_callback": guide(scipy.linalg.expm),
            "jax.scipy": jax.scipy.linalg.expm,
        }
    row = CATALOG[name]
    found = {"jaxsci": row.function, "pure_callback": guide(row.scipy)}
    found |= dict(libraries.in_jax(row))  # type: ignore[arg-type]
    if name in _OF_LOGBESSELK and imported("logbesselk.jax") is not None:
        of_numbers = getattr(imported("logbesselk.jax"), _OF_LOGBESSELK[name])
        found["logbesselk"] = jnp.vectorize(of_numbers)
    if name in _OF_SPEXIAL and imported("spexial") is not None:
        found["spexial"] = getattr(imported("spexial"), _OF_SPEXIAL[name])
    return found


def by_scipy(name: str) -> Call:
    """SciPy's function of NumPy arrays."""
    return scipy.linalg.expm if name == "expm" else CATALOG[name].scipy


def by_torch(name: str) -> Call | None:
    """PyTorch's function of tensors, if it has one."""
    if torch() is None or name not in _OF_TORCH:
        return None
    return operator.attrgetter(_OF_TORCH[name])(torch())


def derivative(function: Call, position: int, order: int) -> Call:
    """A function of JAX arrays, or a derivative of it: along ones, in one argument."""

    def of(*args: Any) -> Any:
        f = lambda x: function(*args[:position], x, *args[position + 1 :])  # noqa: E731
        for _ in range(order):
            f = _slope(f)
        return f(args[position])

    return of


def _slope(f: Call) -> Call:
    return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


def derivative_in_torch(function: Call, position: int, order: int) -> Call:
    """The same of tensors: by reverse differentiation, as PyTorch has for its special functions.

    Those are elementwise, so that the gradient of the sum has each one's derivative.
    """
    if function is torch().linalg.matrix_exp:
        return functools.reduce(lambda f, _: _slope_in_torch(f), range(order), function)

    def of(*args: Any) -> Any:
        if not order:
            return function(*args)
        x = args[position].clone().requires_grad_()
        y = function(*args[:position], x, *args[position + 1 :])
        for left in range(order, 0, -1):
            (y,) = torch().autograd.grad(y.sum(), x, create_graph=left > 1)
        return y

    return of


def _slope_in_torch(f: Call) -> Call:
    return lambda x: torch().func.jvp(f, (x,), (torch().ones_like(x),))[1]


def to_torch(arrays: list[np.ndarray]) -> list[Any]:
    """Arrays as tensors."""
    return [torch().from_numpy(np.ascontiguousarray(x)) for x in arrays]
