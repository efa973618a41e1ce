"""Factorials and multifactorials (DLMF 5.4, 5.5)."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes
from jaxsci.special._catalog.types import Array, Complex, Kind, StaticBool, StaticComplex, StaticStr
from jaxsci.special._combinatorics.combinatorial import EXACT
from jaxsci.special._gamma.kernels import on_device
from jaxsci.special._gamma.psi import psi

_PLANE = Complexes(0.05, 30, negative=True)
_POINTS = ((0.0,), (1.0,), (5.0,), (-0.5,), (-7.25,), (1e-8,), (0.46163214496836,), (3 + 20j,))
_COMPLEX = {"exact": False, "extend": "complex"}


def _check_extension(exact: bool, extend: str) -> None:
    if extend not in ("zero", "complex"):
        raise ValueError(f"argument 'extend' must be 'zero' or 'complex', got {extend!r}")
    if exact and extend == "complex":
        raise ValueError("exact=True and extend='complex' exclude each other")


def _real_unless_extended(exact: bool, extend: str) -> Mapping[str, Kind]:
    _check_extension(exact, extend)
    return {"n": Kind.REAL} if extend == "zero" else {}


def _integer_unless_extended(exact: bool, extend: str) -> Mapping[str, Kind]:
    _check_extension(exact, extend)
    return {"n": Kind.INT} if extend == "zero" else {}


def _has_complex_powers(k: complex) -> bool:
    return isinstance(k, complex) or k < 0


def _of_step(k: complex, exact: bool, extend: str) -> Mapping[str, Kind]:
    narrowed = _integer_unless_extended(exact, extend)
    if extend == "zero" and not (isinstance(k, float) and k >= 1 and k % 1 == 0):
        raise ValueError(f"argument 'k' must be a positive integer for extend='zero', got {k}")
    if k == 0:
        raise ValueError("argument 'k' must not be 0")
    return {"n": Kind.COMPLEX} if _has_complex_powers(k) else narrowed


def _factorial_on_host(n: np.ndarray, **static: Any) -> np.ndarray:
    # In double: n + 1 may be beyond the integers' range.
    n = np.asarray(n) + 0.0
    return np.asarray(scipy.special.factorial(n, **static))


def _factorial2_on_host(n: Any, *, exact: bool, extend: str) -> Any:
    return _factorialk_on_host(n, 2, exact=exact, extend=extend)


def _factorialk_on_host(n: Any, k: complex, *, exact: bool, extend: str) -> Any:
    """SciPy's function refuses floating-point numbers for extend="zero", also integers."""
    n = np.asarray(n) + 0.0
    if extend == "complex":
        continued = partial(scipy.special.factorialk, k=k, extend=extend)
        if _has_complex_powers(k):  # n has been made complex, as the results are
            return np.where(n.imag == 0, continued(n.real), continued(n))
        return np.asarray(continued(n))
    integer = np.isfinite(n) & (n == np.floor(n))
    counted = np.where(integer, np.clip(n, -1, 10**9), 0).astype(int)
    return np.where(integer, scipy.special.factorialk(counted, int(k.real)), np.nan)


_ZERO = "With extend='zero' it is 0 for n < 0"


def _of_factorial(y: jax.Array, n: jax.Array, *, exact: bool, extend: str) -> jax.Array:
    if extend == "complex":
        return y * psi(n + 1)
    counted = n >= 0
    return jnp.where(counted, y * psi(jnp.where(counted, n, 0.0) + 1), 0.0 * n)


@elementwise(
    source="5.4.1",
    samples=Samples("gamma(n + 1)", (_PLANE,), awkward=_POINTS, statics=(_COMPLEX,)),
    host=OnHost(_factorial_on_host, results="follow"),
    kernel=on_device.factorial,
    check=_real_unless_extended,
    note=f"{_ZERO}, and n is real. {EXACT}",
)
def factorial(n: Complex, exact: StaticBool = False, extend: StaticStr = "zero") -> Array:
    """The factorial, n! = Gamma(n + 1).

    Args:
        n: any number; with extend='complex' NaN at the poles -1, -2, ...
        exact: whether to count with integers, not in double precision
        extend: 'zero' or 'complex': how the function goes on at n < 0, and which n it takes

    Example:
        >>> factorial(jnp.array([5.0, 2.5]))
        Array([120.        ,   3.32335097], dtype=float64)
        >>> print(f"{factorial(1j, extend='complex'):.6f}")
        0.498016-0.154950j
        >>> print(f"{jax.grad(factorial)(5.0):.6f}")
        204.734120
    """
    ...


rule(factorial, n=closed("DLMF 5.2.2", _of_factorial))


@elementwise(
    source="5.4.2",
    samples=Samples(
        "2**((n - 1)/2) * gamma(n/2 + 1) / gamma(mpf(3)/2)",
        (_PLANE,),
        awkward=_POINTS,
        statics=(_COMPLEX,),
    ),
    host=OnHost(_factorial2_on_host, results="follow"),
    check=_integer_unless_extended,
    note=f"{_ZERO}, and n is an integer without a derivative; extend='complex' continues the "
    f"values at odd n, from which those at even n differ by a factor. {EXACT}",
)
def factorial2(n: Complex, exact: StaticBool = False, extend: StaticStr = "zero") -> Array:
    """The double factorial, n!! = n (n - 2) (n - 4) ... .

    Args:
        n: an integer for extend='zero'; with 'complex' any number, NaN at the poles -2, -4, ...
        exact: whether to count with integers, not in double precision
        extend: 'zero' or 'complex': how the function goes on at n < 0, and which n it takes

    Example:
        >>> factorial2(jnp.array([5, 6]))  # 5 * 3 * 1 and 6 * 4 * 2
        Array([15., 48.], dtype=float64)
        >>> print(f"{jax.grad(lambda n: factorial2(n, extend='complex'))(5.0):.6f}")
        13.472279
    """
    ...


rule(
    factorial2,
    n=closed("DLMF 5.2.2, 5.4.2", lambda y, n, **static: _of_factorialk(y, n, k=2, **static)),
)


def _of_factorialk(
    y: jax.Array, n: jax.Array, *, k: complex, exact: bool, extend: str
) -> jax.Array:
    if extend == "zero":
        raise NotImplementedError(
            "factorial2 and factorialk with extend='zero' are functions of integers and have no "
            "derivative: pass extend='complex', or jax.lax.stop_gradient(n)"
        )
    logarithm = cmath.log(k) if _has_complex_powers(k) else math.log(k.real)
    return y * (logarithm + psi(n / k + 1)) / k


@elementwise(
    source="multifactorials as SciPy defines them, by DLMF 5.4.2 for k = 2",
    samples=Samples(
        "mpf(k)**((n - 1)/k) * gamma(n/k + 1) / gamma(1/mpf(k) + 1)",
        (_PLANE,),
        awkward=_POINTS,
        statics=({"k": 3.0, **_COMPLEX}, {"k": 2.5, **_COMPLEX}),
    ),
    host=OnHost(_factorialk_on_host, results="follow"),
    check=_of_step,
    note=f"{_ZERO}, n is an integer without a derivative, and k is an integer; extend='complex' "
    f"continues the values at n = 1, 1 + k, ...; it is complex if k is, or negative. {EXACT}",
)
def factorialk(
    n: Complex, k: StaticComplex, exact: StaticBool = False, extend: StaticStr = "zero"
) -> Array:
    """The multifactorial of step k, n (n - k) (n - 2k) ... .

    Args:
        n: an integer for extend='zero'; with 'complex' any number, NaN at the poles -k, -2k, ...
        k: step from factor to factor; with extend='complex' any number but 0
        exact: whether to count with integers, not in double precision
        extend: 'zero' or 'complex': how the function goes on at n < 0, and which n it takes

    Example:
        >>> factorialk(jnp.array([7, 9]), 3)  # 7 * 4 * 1 and 9 * 6 * 3
        Array([ 28., 162.], dtype=float64)
    """
    ...


rule(factorialk, n=closed("DLMF 5.2.2", _of_factorialk))
