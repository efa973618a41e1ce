"""Mathieu functions and modified Mathieu functions (DLMF 28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Guard,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._mathieu.kernels import mended
from jaxsci.special._mathieu.kernels.modified import radial, radial_in_x
from jaxsci.special._mathieu.kernels.series import RADIAN, angular, characteristic_value

_PARAMETERS = Reals(-30, 30)
_POSITIVE = Reals(0.5, 30)
_DEGREES = Reals(-180, 180)

# Loops over the order, which must end.
_ORDER = Guard("0 <= m <= 100000", lambda m, q: (m >= 0) & (m <= 100000), (1, 0.0))
# Beyond, SciPy's functions have no value anyway, or write to where a wrapped-around integer points.
_SMALL = Guard(
    "0 <= m <= 500 and |q| <= 1e6",
    lambda m, q, x: (m >= 0) & (m <= 500) & (abs(q) <= 1e6),
    (1, 1.0, 0.5),
)
# Beyond, SciPy's values are 0 before they are NaN.
_OF_ANGLES = Guard(
    "0 <= m <= 200 and |q| <= 1400",
    lambda m, q, x: (m >= 0) & (m <= 200) & (abs(q) <= 1400),
    (1, 1.0, 0.5),
)
_EVEN_AT = (
    (0, 0.0),
    (0, 1e-6),
    (1, 0.0),
    (1, -5.0),
    (2, 5.0),
    (7, -1e-3),
    (10, 500.0),
    (3, -2000.0),
    (0, 25.0),
    (40, 25.0),
)
_ODD_AT = tuple((m + 1, q) for m, q in _EVEN_AT)


def _of_eigenvalue(even: bool) -> Any:
    return closed(
        "Hellmann and Feynman, DLMF 28.4",
        lambda y, m, q: characteristic_value(m, q, even=even, order=1),
    )


@elementwise(
    source="28.2(v)",
    samples=Samples("mathieu_even(m, q)", (Ints(0, 20), _PARAMETERS), awkward=_EVEN_AT),
    guard=_ORDER,
    repair=mended.eigenvalue(True, _ORDER),
)
def mathieu_a(m: Int, q: Real) -> Array:
    """Characteristic value a_m(q) of the even solution ce_m of Mathieu's equation.

    Args:
        m: order, m >= 0
        q: parameter q of Mathieu's equation y'' + (a - 2q cos 2x) y = 0, any real number

    Example:
        >>> mathieu_a(0, jnp.array([0.0, 5.0, 25.0]))
        Array([ -0.        ,  -5.80004602, -40.25677955], dtype=float64)
        >>> print(f"{jax.grad(mathieu_a, argnums=1)(0, 5.0):.6f}")  # in q
        -1.546967
    """
    ...


rule(mathieu_a, q=_of_eigenvalue(True))


@elementwise(
    source="28.2(v)",
    samples=Samples("mathieu_odd(m, q)", (Ints(1, 20), _PARAMETERS), awkward=_ODD_AT),
    note="NaN for m = 0.",
    guard=_ORDER,
    repair=mended.eigenvalue(False, _ORDER),
)
def mathieu_b(m: Int, q: Real) -> Array:
    """Characteristic value b_m(q) of the odd solution se_m of Mathieu's equation.

    Args:
        m: order, m >= 1
        q: parameter q of Mathieu's equation y'' + (b - 2q cos 2x) y = 0, any real number

    Example:
        >>> mathieu_b(1, jnp.array([0.0, 5.0, 25.0]))
        Array([  1.        ,  -5.7900806 , -40.25677898], dtype=float64)
        >>> q = 0.908  # a Paul trap holds its ions as long as b_1(q) > 0
        >>> print(f"{q - mathieu_b(1, q) / jax.grad(mathieu_b, argnums=1)(1, q):.6f}")  # b_1 = 0
        0.908046
    """
    ...


rule(mathieu_b, q=_of_eigenvalue(False))

# Where the function is exponentially small, its Fourier series cancels.
_CANCELS = Flaw("1e-15*7.4**abs(q)**0.5", "m**2 < 4*abs(q)", derivatives=True)
# For q < 0 SciPy takes the function of 90 degrees - x.
_TURNED = Flaw("2e-13/abs(x) if x else inf", "q < 0 and abs(x) < 1")
_DEGREES_NOTE = (
    "x is in degrees, and the second result is the derivative in radians: the derivative of the "
    "first result in x is pi/180 times the second."
)


def _angular_points(low: int) -> tuple[tuple[float, ...], ...]:
    return (
        (low, 0.0, 30.0),
        (low, 1.0, 0.0),
        (low, -1.0, 90.0),
        (1, 5.0, 90.0),
        (2, -5.0, 0.0),
        (3, 1e-4, 45.0),
        (4, 10.0, 1e-6),
        (12, 0.5, 720.0),
        (5, -25.0, 60.0),
    )


def _in_q(even: bool) -> Any:
    def slopes(
        y: Sequence[jax.Array], m: jax.Array, q: jax.Array, x: jax.Array
    ) -> tuple[jax.Array, ...]:
        return tuple(angular(m, q, x, even=even, in_q=1, in_x=k) for k in (0, 1))

    return closed("Fourier coefficients by perturbation theory, DLMF 28.4", slopes)


def _in_degrees(even: bool) -> Any:
    def slopes(
        y: Sequence[jax.Array], m: jax.Array, q: jax.Array, x: jax.Array
    ) -> tuple[jax.Array, ...]:
        return tuple(RADIAN * angular(m, q, x, even=even, in_q=0, in_x=k) for k in (1, 2))

    return closed("DLMF 28.4.1 to 28.4.4", slopes)


@elementwise(
    source="28.2(vi)",
    samples=Samples(
        "mathieu_even_value(m, q, x, 0); mathieu_even_value(m, q, x, 1)",
        (Ints(0, 15), _PARAMETERS, _DEGREES),
        awkward=_angular_points(0),
        flaws=(_CANCELS, replace(_TURNED, results="yp")),
    ),
    outputs=("y", "yp"),
    note=_DEGREES_NOTE,
    guard=_OF_ANGLES,
    repair=mended.solution(True, _OF_ANGLES),
)
def mathieu_cem(m: Int, q: Real, x: Real) -> tuple[Array, Array]:
    """Even Mathieu function ce_m(x, q) of x in degrees, and its derivative in radians.

    Args:
        m: order, m >= 0
        q: parameter of Mathieu's equation; for |q| of 1770 to 2100 or so SciPy has 0, and NaN
            beyond
        x: angle in degrees, any real number

    Example:
        >>> y, yp = mathieu_cem(2, 5.0, jnp.array([0.0, 30.0, 90.0]))
        >>> y
        Array([ 0.73529431,  0.90650125, -0.72448815], dtype=float64)
        >>> print(f"{jax.grad(lambda q: mathieu_cem(2, q, 30.0)[0])(5.0):.6f}")  # in q
        -0.014360
    """
    ...


rule(mathieu_cem, q=_in_q(True), x=_in_degrees(True))


@elementwise(
    source="28.2(vi)",
    samples=Samples(
        "mathieu_odd_value(m, q, x, 0); mathieu_odd_value(m, q, x, 1)",
        (Ints(1, 15), _PARAMETERS, _DEGREES),
        awkward=((0, 3.0, 20.0), *_angular_points(1)),
        flaws=(_CANCELS, replace(_TURNED, results="y")),
    ),
    outputs=("y", "yp"),
    note=_DEGREES_NOTE,
    guard=_OF_ANGLES,
    repair=mended.solution(False, _OF_ANGLES),
)
def mathieu_sem(m: Int, q: Real, x: Real) -> tuple[Array, Array]:
    """Odd Mathieu function se_m(x, q) of x in degrees, and its derivative in radians.

    Args:
        m: order, m >= 1; for m = 0 both results are 0
        q: parameter of Mathieu's equation; for |q| of 1770 to 2100 or so SciPy has 0, and NaN
            beyond
        x: angle in degrees, any real number

    Example:
        >>> y, yp = mathieu_sem(2, 5.0, jnp.array([0.0, 30.0, 90.0]))
        >>> yp
        Array([ 0.7331662 ,  1.34344583, -3.64051785], dtype=float64)
        >>> print(f"{jax.grad(lambda q: mathieu_sem(2, q, 30.0)[0])(5.0):.6f}")  # in q
        -0.061116
    """
    ...


rule(mathieu_sem, q=_in_q(False), x=_in_degrees(False))


# -- modified Mathieu functions --------------------------------------------------------------------


def _modified(even: bool, kind: int) -> str:
    call = f"mathieu_modified({even}, m, q, x, {kind}, "
    return f"{call}0); {call}1)"


def _modified_points(low: int) -> tuple[tuple[float, ...], ...]:
    return (
        (low, 1.0, 0.5),
        (1, 5.0, 1.0),
        (2, 5.0, 1e-6),
        (3, 25.0, 2.5),
        (4, 1.0, 0.1),
        (5, 100.0, 0.3),
        (1, 1e-3, 1.0),
    )


_MODIFIED = (Reals(0.02, 3),)
_MODIFIED_NOTE = "NaN for q < 0. x is not in degrees, unlike SciPy's documentation says."
# SciPy divides by the first Fourier coefficient, and loses what that one is smaller than others.
_SMALL_DIVISOR = Flaw("1e-9", "m >= 5 and q < m**2")
_ODD = Flaw("2e-15/x", "0 < x < 0.01")


def _modified_rules(even: bool, kind: int) -> dict[str, Any]:
    """Those of a function and its slope."""

    def in_q(y: Sequence[jax.Array], *at: jax.Array) -> tuple[jax.Array, ...]:
        return radial(*at, even=even, kind=kind, in_q=1)

    def in_x(y: Sequence[jax.Array], *at: jax.Array) -> tuple[jax.Array, ...]:
        return radial_in_x(*at, even=even, kind=kind)

    return {
        "q": closed("DLMF 28.24, perturbation theory", in_q),
        "x": closed("DLMF 28.24, 28.20.1", in_x),
    }


@elementwise(
    source="28.20.15",
    samples=Samples(
        _modified(True, 1),
        (Ints(0, 12), _POSITIVE, *_MODIFIED),
        awkward=(*_modified_points(0), (0, 4.0, 0.0), (3, 4.0, 0.0)),
        flaws=(_SMALL_DIVISOR, replace(_ODD, results="yp")),
    ),
    outputs=("y", "yp"),
    note=_MODIFIED_NOTE,
    guard=_SMALL,
    repair=mended.modified(True, 1, _SMALL),
)
def mathieu_modcem1(m: Int, q: Real, x: Real) -> tuple[Array, Array]:
    """Even modified Mathieu function of the first kind, Mc1_m(x, q), and its derivative.

    Args:
        m: order, m >= 0
        q: parameter, 0 < q <= 1e6
        x: argument, any real number; y is even in it

    Example:
        >>> y, yp = mathieu_modcem1(2, 5.0, jnp.array([0.0, 0.5, 1.0]))
        >>> y
        Array([ 0.60558225,  0.36809396, -0.31020497], dtype=float64)
    """
    ...


rule(mathieu_modcem1, **_modified_rules(even=True, kind=1))


@elementwise(
    source="28.20.16",
    samples=Samples(
        _modified(True, 2),
        (Ints(0, 12), _POSITIVE, *_MODIFIED),
        awkward=_modified_points(0),
        flaws=(_SMALL_DIVISOR,),
    ),
    outputs=("y", "yp"),
    note=_MODIFIED_NOTE,
    guard=_SMALL,
    repair=mended.modified(True, 2, _SMALL),
)
def mathieu_modcem2(m: Int, q: Real, x: Real) -> tuple[Array, Array]:
    """Even modified Mathieu function of the second kind, Mc2_m(x, q), and its derivative.

    Args:
        m: order, m >= 0
        q: parameter, 0 < q <= 1e6; SciPy's -1e300 at 0
        x: argument, x >= 0; for x < 0 SciPy loses digits, all of them by x = -3

    Example:
        >>> y, yp = mathieu_modcem2(2, 5.0, jnp.array([0.0, 0.5, 1.0]))
        >>> y
        Array([-0.25535252,  0.28490793,  0.13682703], dtype=float64)
    """
    ...


rule(mathieu_modcem2, **_modified_rules(even=True, kind=2))


@elementwise(
    source="28.20.15",
    samples=Samples(
        _modified(False, 1),
        (Ints(1, 12), _POSITIVE, *_MODIFIED),
        awkward=(*_modified_points(1), (1, 4.0, 0.0), (2, 4.0, 0.0)),
        flaws=(_SMALL_DIVISOR, replace(_ODD, results="y")),
    ),
    outputs=("y", "yp"),
    note=_MODIFIED_NOTE,
    guard=_SMALL,
    repair=mended.modified(False, 1, _SMALL),
)
def mathieu_modsem1(m: Int, q: Real, x: Real) -> tuple[Array, Array]:
    """Odd modified Mathieu function of the first kind, Ms1_m(x, q), and its derivative.

    Args:
        m: order, m >= 1; NaN for m = 0
        q: parameter, 0 < q <= 1e6
        x: argument, any real number; y is odd in it

    Example:
        >>> y, yp = mathieu_modsem1(2, 5.0, jnp.array([0.0, 0.5, 1.0]))
        >>> y
        Array([ 0.        ,  0.41676178, -0.2136053 ], dtype=float64)
    """
    ...


rule(mathieu_modsem1, **_modified_rules(even=False, kind=1))


@elementwise(
    source="28.20.16",
    samples=Samples(
        _modified(False, 2),
        (Ints(1, 12), _POSITIVE, *_MODIFIED),
        awkward=_modified_points(1),
        flaws=(_SMALL_DIVISOR,),
    ),
    outputs=("y", "yp"),
    note=_MODIFIED_NOTE,
    guard=_SMALL,
    repair=mended.modified(False, 2, _SMALL),
)
def mathieu_modsem2(m: Int, q: Real, x: Real) -> tuple[Array, Array]:
    """Odd modified Mathieu function of the second kind, Ms2_m(x, q), and its derivative.

    Args:
        m: order, m >= 1; NaN for m = 0
        q: parameter, 0 < q <= 1e6; SciPy's -1e300 at 0
        x: argument, x >= 0; for x < 0 SciPy loses digits, all of them by x = -3

    Example:
        >>> y, yp = mathieu_modsem2(2, 5.0, jnp.array([0.0, 0.5, 1.0]))
        >>> y
        Array([-0.49658293, -0.02792459,  0.24662057], dtype=float64)
    """
    ...


rule(mathieu_modsem2, **_modified_rules(even=False, kind=2))
