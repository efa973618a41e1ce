"""Fourier coefficients of Mathieu functions (DLMF 28.4): those that SciPy finds, or so many."""

from __future__ import annotations

import operator
import re
import typing
from collections.abc import Callable
from typing import Any, TypeVar

import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci._core import promotion
from jaxsci._core.jax_compat import Tracer
from jaxsci.special._catalog.call import public_function
from jaxsci.special._catalog.decorators import CATALOG, Samples, table
from jaxsci.special._catalog.types import Array, StaticInt, StaticReal
from jaxsci.special._mathieu.kernels.series import ROWS, coefficients

F = TypeVar("F", bound=Callable[..., Any])

_SIZED = (
    "With size, which SciPy does not have, they are the first so many (a Python integer from 1 to "
    "256), along a last dimension. Then q may be an array of any shape, of either sign, and may be "
    "traced. NaN where q is so large that 256 coefficients do not describe the function."
)
_SIZE = "size: how many coefficients; None for as many as SciPy takes"
_IN_Q = {"q": "with size: closed form (perturbation theory, to every order)"}


def _of_arrays(even: bool, row: Callable[[Any], Any]) -> Callable[[F], F]:
    """Makes a row of tables, whose function has the argument ``size``, with which q is an array."""

    def decorate(stub: F) -> F:
        name = stub.__name__

        def of_numbers(m: StaticInt, q: StaticReal) -> Array: ...

        for attribute in ("__module__", "__name__", "__qualname__"):
            setattr(of_numbers, attribute, getattr(stub, attribute))
        text = stub.__doc__ or ""
        of_numbers.__doc__ = re.sub(rf"\n *{_SIZE}", "", text)
        by_scipy = row(of_numbers)

        def public(m: int, q: ArrayLike, size: int | None) -> Array:
            if size is None:
                if isinstance(q, Tracer):
                    raise TypeError(
                        f"{name}: argument 'q' is traced, and decides how many coefficients there "
                        "are: give their number as size"
                    )
                return by_scipy(m, q)
            order, count = _integer(name, "m", m), _integer(name, "size", size)
            if order < (0 if even else 1):
                raise ValueError(f"{name}: argument 'm' must be {0 if even else 1} or more: {m}")
            if not 1 <= count <= ROWS:
                raise ValueError(f"{name}: argument 'size' must be from 1 to {ROWS}: {size}")
            promotion.check_size(name, "q", q)
            if not promotion.is_array(q) or jnp.iscomplexobj(q):
                kind = type(q).__name__
                raise TypeError(f"{name}: argument 'q' must be real numbers, got {kind}")
            array = jnp.asarray(q)
            dtype, _ = promotion.to_floating([array])
            found = coefficients(count, even)(float(order), array.astype(dtype), in_q=0)
            return jnp.stack(found, axis=-1)

        sized = promotion.of_users_arguments(public)
        function = public_function(stub, (), lambda given, _: sized(*given), None)
        function.__module__ = by_scipy.__module__
        known = by_scipy.__doc__ or ""
        function.__doc__ = known.replace("\n\nReturns:", f"\n    {_SIZE}.\n\nReturns:")
        CATALOG[name].function = function
        return typing.cast(F, function)

    return decorate


def _integer(function: str, name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except Exception:
        kind = type(value).__name__
        raise TypeError(f"{function}: argument {name!r} must be a Python int, got {kind}") from None


def _few(m: int, q: float) -> None:
    # How many coefficients SciPy takes: with more than its arrays hold it writes elsewhere.
    if q >= 0 and m >= 0:
        root = min(q, 1e6) ** 0.5
        if q <= 1:
            half = 7.5 + 56.1 * root - 134.7 * q + 90.7 * root * q
        else:
            half = 17.0 + 3.1 * root - 0.126 * root**2 + 0.0037 * root**3
        if not half + 0.5 * m < 251:
            raise ValueError(f"more than 251 coefficients are needed for m = {m} and q = {q}")


_COEFFICIENTS = ({"m": 1, "q": 0.5}, {"m": 4, "q": 30.0}, {"m": 7, "q": 2.0})


@_of_arrays(
    even=True,
    row=table(
        source="28.4(i)",
        samples=Samples(
            "mathieu_even_coefficients(m, q, size)",
            statics=({"m": 0, "q": 0.0}, *_COEFFICIENTS),
            listed=True,
        ),
        check=_few,
        note=_SIZED,
        derivatives=_IN_Q,
    ),
)
def mathieu_even_coef(m: int, q: ArrayLike, *, size: int | None = None) -> Array:
    """Fourier coefficients of ce_m(x, q), those of cos (m mod 2)x, cos (2 + m mod 2)x, ...

    How many they are depends on m and q, so these are Python numbers, unless a size is given.

    Args:
        m: order of ce_m, 0 or more; ValueError if negative
        q: parameter, 0 or more; ValueError if negative
        size: how many coefficients; None for as many as SciPy takes

    Example:
        >>> mathieu_even_coef(2, 5.0)[:4]
        Array([ 0.43873717,  0.65364026, -0.42657894,  0.07588567], dtype=float64)
        >>> jax.jacfwd(lambda q: mathieu_even_coef(2, q, size=3))(5.0)
        Array([ 0.0082456 , -0.07249234, -0.08821792], dtype=float64)
    """
    ...


@_of_arrays(
    even=False,
    row=table(
        source="28.4(i)",
        samples=Samples(
            "mathieu_odd_coefficients(m, q, size)",
            statics=({"m": 2, "q": 0.0}, *_COEFFICIENTS),
            listed=True,
        ),
        check=_few,
        note=_SIZED,
        derivatives=_IN_Q,
    ),
)
def mathieu_odd_coef(m: int, q: ArrayLike, *, size: int | None = None) -> Array:
    """Fourier coefficients of se_m(x, q), those of sin x, sin 3x, ... or sin 2x, sin 4x, ...

    How many they are depends on m and q, so these are Python numbers, unless a size is given.

    Args:
        m: order of se_m, 1 or more; ValueError otherwise
        q: parameter, 0 or more; ValueError if negative
        size: how many coefficients; None for as many as SciPy takes

    Example:
        >>> mathieu_odd_coef(2, 5.0)[:4]
        Array([ 0.93342944, -0.35480391,  0.05296373, -0.00429589], dtype=float64)
    """
    ...
