"""Other libraries' functions of a row's name and arguments."""

from __future__ import annotations

import functools
import importlib
import operator
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from typing import Any

import jax.scipy.special
import numpy as np

import jaxsci
from jaxsci._verification.accuracy import bound
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.types import Kind

JAXSCI, SCIPY, JAX_SCIPY, TFP = "jaxsci", "SciPy", "jax.scipy", "TFP"
LIBRARIES = (JAXSCI, SCIPY, JAX_SCIPY, TFP)

_OF_TFP = {
    "betainc": "betainc",
    "betaincinv": "betaincinv",
    "betaln": "lbeta",
    "dawsn": "dawsn",
    "erfcinv": "erfcinv",
    "erfcx": "erfcx",
    "gammainccinv": "igammacinv",
    "gammaincinv": "igammainv",
    "hyp2f1": "hypergeometric.hyp2f1_small_argument",
    "ive": "bessel_ive",
    "kve": "bessel_kve",
    "lambertw": "lambertw",
    "owens_t": "owens_t",
}
"""TensorFlow Probability's names in its module of mathematics."""


@functools.cache
def tfp() -> Any:
    """TensorFlow Probability's functions; None where it is absent, or does not fit this JAX."""
    try:
        return importlib.import_module("tensorflow_probability.substrates.jax.math")
    except Exception:
        return None


def versions() -> str:
    """What the atlas' figures depend on."""
    named = [("jaxsci", jaxsci.__version__)]  # which may be the sources
    named += [(p, metadata.version(p)) for p in ("jax", "numpy", "scipy", "mpmath")]
    if tfp() is not None:
        named.append(("tfp", importlib.import_module("tensorflow_probability").__version__))
    return ", ".join(f"{name} {version}" for name, version in named)


def in_jax(row: ElementwiseRow) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions that JAX differentiates, of the row's signature but for its static arguments."""
    found = getattr(jax.scipy.special, row.name, None)
    if found is not None:
        yield JAX_SCIPY, found
    if tfp() is not None and row.name in _OF_TFP:
        yield TFP, operator.attrgetter(_OF_TFP[row.name])(tfp())


# These find the characteristic value by bisection, down to a step that single precision does not
# reach.
ENDLESS_IN_SINGLE_PRECISION = frozenset(
    f"{shape}_{name}" for shape in ("pro", "obl") for name in ("cv", "ang1", "rad1", "rad2")
)


def by_scipy(
    row: ElementwiseRow, static: dict[str, Any], points: list[Any], single: bool
) -> list[np.ndarray]:
    """SciPy's results, an array of points by components each; NaN where it refuses a point."""
    call = bound(row, static, row.scipy)
    n = row.results(static)

    def at(point: Any) -> list[Any] | None:
        arrays = [
            x if spec.kind is Kind.INT else _number(x, single)
            for spec, x in zip(row.arrays, point, strict=True)
        ]
        if not _may_be_called(row, static, arrays):
            return None
        if single and row.name in ENDLESS_IN_SINGLE_PRECISION:
            return None
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                return [np.ravel(y) for y in call(*arrays)[:n]]
        except (ArithmeticError, ValueError, TypeError):
            return None

    each = [at(point) for point in points]
    like = next((ys for ys in each if ys is not None), [np.array([np.nan])] * n)
    nothing = [np.full_like(y, np.nan, dtype=np.result_type(y, np.float32)) for y in like]
    return [np.stack(ys) for ys in zip(*(nothing if y is None else y for y in each), strict=True)]


def _number(x: Any, single: bool) -> Any:
    if isinstance(x, complex):
        return np.complex64(x) if single else np.complex128(x)
    return np.float32(x) if single else np.float64(x)


def _may_be_called(row: ElementwiseRow, static: dict[str, Any], arrays: list[Any]) -> bool:
    """Elsewhere SciPy's functions crash, or return memory they never wrote."""
    if row.undefined is not None and np.any(row.undefined(*arrays)):
        return False
    if row.guard is None:
        return True
    kinds = [np.complex128 if np.iscomplexobj(x) else np.float64 for x in arrays]
    if row.guard.complex_only and np.complex128 not in kinds:
        return True
    numbers = [np.asarray(x, k) for x, k in zip(arrays, kinds, strict=True)]
    return bool(np.all(row.guard.allows(*numbers, **static)))
