"""Coefficients of the orthogonal polynomials without parameters (DLMF 18.3): tables."""

from __future__ import annotations

from collections.abc import Callable

from jaxsci.special._catalog.decorators import (
    F,
    Samples,
    table,
)
from jaxsci.special._catalog.types import Array, StaticBool, StaticInt
from jaxsci.special._orthogonal.kernels import exact_coefficients as exact

NOTE = (
    "SciPy returns an object, numpy.poly1d with more to it, and multiplies the coefficients out "
    "from the zeros; these are computed in rational arithmetic. The value at x is "
    "jnp.polyval(coefficients, x), accurate for low degrees only: eval_* is better. Nodes and "
    "weights are those of roots_*."
)

_STATICS = (
    {"n": 0, "monic": False},
    {"n": 1, "monic": True},
    {"n": 6, "monic": True},
    {"n": 13, "monic": False},
)


def _coefficients(polynomial: str, better: Callable[..., object]) -> Callable[[F], F]:
    return table(
        source="18.3",
        samples=Samples(
            f"x - power_coefficients(lambda t: {polynomial}, n, monic)[i]", statics=_STATICS
        ),
        better=better,
        note=NOTE,
    )


@_coefficients("legendre(n, t)", exact.legendre)
def legendre(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the Legendre polynomial P_n.

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient

    Example:
        >>> legendre(3)
        Array([ 2.5,  0. , -1.5,  0. ], dtype=float64)
    """
    ...


@_coefficients("chebyt(n, t)", exact.chebyt)
def chebyt(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the Chebyshev polynomial of the first kind, T_n.

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("chebyu(n, t)", exact.chebyu)
def chebyu(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the Chebyshev polynomial of the second kind, U_n.

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("2*chebyt(n, t/2)", exact.chebyc)
def chebyc(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the Chebyshev polynomial of the first kind on [-2, 2], C_n(x) = 2 T_n(x/2).

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("chebyu(n, t/2)", exact.chebys)
def chebys(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the Chebyshev polynomial of the second kind on [-2, 2], S_n(x) = U_n(x/2).

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("legendre(n, 2*t - 1)", exact.sh_legendre)
def sh_legendre(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the shifted Legendre polynomial, P_n(2x - 1).

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("chebyt(n, 2*t - 1)", exact.sh_chebyt)
def sh_chebyt(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the shifted Chebyshev polynomial of the first kind, T_n(2x - 1).

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("chebyu(n, 2*t - 1)", exact.sh_chebyu)
def sh_chebyu(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the shifted Chebyshev polynomial of the second kind, U_n(2x - 1).

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("laguerre(n, 0, t, zeroprec=400)", exact.laguerre)
def laguerre(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the Laguerre polynomial L_n.

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


@_coefficients("hermite(n, t)", exact.hermite)
def hermite(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the Hermite polynomial H_n.

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient

    Example:
        >>> hermite(3)
        Array([  8.,   0., -12.,   0.], dtype=float64)
    """
    ...


@_coefficients("2**(-mpf(n)/2) * hermite(n, t/sqrt(mpf(2)))", exact.hermitenorm)
def hermitenorm(n: StaticInt, monic: StaticBool = False) -> Array:
    """Coefficients of the probabilists' Hermite polynomial He_n.

    The highest power comes first; with monic, its coefficient is made 1.

    Args:
        n: degree, not negative
        monic: whether the polynomial is divided by its first coefficient
    """
    ...
