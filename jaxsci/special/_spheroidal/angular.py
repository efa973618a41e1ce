"""Spheroidal wave functions: characteristic values and angular functions (DLMF 30)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import scipy.special

from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._catalog.decorators import (
    Flaw,
    Guard,
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.types import Array, Int, Real, StaticInt
from jaxsci.special._spheroidal.kernels import mended
from jaxsci.special._spheroidal.kernels.angular import regular_part
from jaxsci.special._spheroidal.kernels.equation import with_front
from jaxsci.special._spheroidal.kernels.series import eigenvalue

MODES = (Ints(0, 3), Ints(3, 10))
PARAMETERS = Reals(0.1, 10)
_ANGLES = Reals(-0.99, 0.99)
FLAMMER = "Flammer, Spheroidal Wave Functions (1957)"
OWN_VALUE = missing("it is a function of m, n and c: elsewhere the function means nothing")
WITH_VALUE = missing("cv has to change with it: differentiate the function without cv")

# SciPy writes beyond its arrays of coefficients.
# For c < 0 SciPy has the value for c = 0. (A limit that single precision tells from 0.)
_NO_LESS_THAN_ZERO = -1e-30
_EIGENVALUE_GUARD = Guard(
    "0 <= m <= n <= 10000, n - m <= 198, c >= 0 and (n - m)/2 + c < 285",
    lambda m, n, c: (
        (m >= 0)
        & (m <= n)
        & (n <= 10000)
        & (n - m <= 198)
        & (c > _NO_LESS_THAN_ZERO)
        & ((n - m) / 2 + c < 285)
    ),
    (0, 0, 1.0),
)


def _allows_angle(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> jax.Array:
    modes = (m >= 0) & (m <= n) & (n <= 10000) & (n - m <= 198)
    return modes & (c > -1e-30) & ((n - m) / 2 + c < 174) & (rest[-1] == rest[-1])


_ANGLE_WORDS = "0 <= m <= n <= 10000, n - m <= 198, c >= 0 and (n - m)/2 + c < 174"
_ANGLE_GUARD = Guard(_ANGLE_WORDS, _allows_angle, (0, 0, 1.0, 0.5))
_ANGLE_CV_GUARD = Guard(_ANGLE_WORDS, _allows_angle, (0, 0, 1.0, 1.0, 0.5))

_SECOND_IN_C = (
    "The second derivative in c tends to 0 as c grows, and is the sum of two terms near 1: it has "
    "an absolute error of 1e-16 or so, above 1e-10 of itself for c > 30 or so."
)
_EIGENVALUE_AT = (
    (0, 0, 1e-3),
    (0, 1, 0.5),
    (1, 1, 2.0),
    (2, 7, 20.0),
    (3, 3, 60.0),
    (5, 25, 4.0),
    (0, 4, 5.0),
)


@elementwise(
    source="30.3(i)",
    samples=Samples(
        "spheroidal_eigenvalue(False, m, n, c)", (*MODES, PARAMETERS), awkward=_EIGENVALUE_AT
    ),
    note=_SECOND_IN_C,
    guard=_EIGENVALUE_GUARD,
)
def pro_cv(m: Int, n: Int, c: Real) -> Array:
    """Characteristic value of prolate spheroidal wave functions, n(n + 1) for c = 0.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0

    Example:
        >>> pro_cv(0, 1, jnp.array([0.0, 4.0, 8.0]))
        Array([ 2.        ,  9.80594384, 22.0921542 ], dtype=float64)
        >>> print(f"{jax.grad(pro_cv, argnums=2)(0, 1, 4.0):.6f}")  # in c
        3.084893
    """
    ...


_HELLMANN = "Hellmann and Feynman, DLMF 30.3.5"

rule(pro_cv, c=closed(_HELLMANN, lambda y, m, n, c: _slope_of_value(False, m, n, c)))


@elementwise(
    source="30.3(i)",
    samples=Samples(
        "spheroidal_eigenvalue(True, m, n, c)", (*MODES, PARAMETERS), awkward=_EIGENVALUE_AT
    ),
    guard=_EIGENVALUE_GUARD,
)
def obl_cv(m: Int, n: Int, c: Real) -> Array:
    """Characteristic value of oblate spheroidal wave functions, n(n + 1) for c = 0.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0

    Example:
        >>> obl_cv(0, 1, jnp.array([0.0, 4.0, 8.0]))
        Array([  2.        ,  -9.02571067, -49.0359727 ], dtype=float64)
        >>> print(f"{jax.grad(obl_cv, argnums=2)(0, 1, 4.0):.6f}")  # in c
        -6.056346
    """
    ...


rule(obl_cv, c=closed(_HELLMANN, lambda y, m, n, c: _slope_of_value(True, m, n, c)))


def _slope_of_value(oblate: bool, m: jax.Array | float, n: jax.Array, c: jax.Array) -> jax.Array:
    sign = -1 if oblate else 1
    return 2 * sign * c * eigenvalue(m, n, sign * c * c, order=1)


# -- characteristic values of all n at once --------------------------------------------------------


def _modes(m: int, n: int) -> None:
    if not 0 <= m <= n <= 10000:
        raise ValueError(f"arguments must have 0 <= m <= n <= 10000, got {m} and {n}")
    if n - m > 199:
        raise ValueError(f"argument 'n' is more than 199 above 'm': {n} and {m}")


_SEQUENCE_GUARD = Guard(
    "c >= 0 and (n - m)/2 + c < 285",
    lambda c, m, n: (c > _NO_LESS_THAN_ZERO) & ((n - m) / 2 + c < 285),
    (1.0,),
)
_SEQUENCES = ({"m": 0, "n": 0}, {"m": 1, "n": 4})


def _slope_of_values(oblate: bool) -> Any:
    def slopes(y: jax.Array, c: jax.Array, *, m: int, n: int) -> jax.Array:
        return _slope_of_value(oblate, m, jnp.arange(m, n + 1), jnp.expand_dims(c, -1))

    return closed(_HELLMANN, slopes)


@elementwise(
    source="30.3(i)",
    samples=Samples(
        "[spheroidal_eigenvalue(False, m, k, c) for k in range(m, n + 1)]",
        (PARAMETERS,),
        awkward=((1e-3,), (30.0,)),
        statics=_SEQUENCES,
    ),
    host=OnHost(core="(k)", sizes=lambda m, n: {"k": n - m + 1}, batched=False),
    check=_modes,
    note=_SECOND_IN_C,
    guard=_SEQUENCE_GUARD,
)
def pro_cv_seq(m: StaticInt, n: StaticInt, c: Real) -> Array:
    """Characteristic values of prolate functions, of modes m, m + 1, ... n.

    They run along a last dimension of size n - m + 1, after c's own.

    Args:
        m: order, 0 or more; ValueError if negative
        n: largest degree, from m to m + 199, and 10000 at most; ValueError otherwise
        c: half the distance of the foci times the wave number, c >= 0

    Example:
        >>> pro_cv_seq(0, 2, jnp.array([0.0, 4.0]))
        Array([[ 0.        ,  2.        ,  6.        ],
               [ 3.17206742,  9.80594384, 15.3063    ]], dtype=float64)
    """
    ...


rule(pro_cv_seq, c=_slope_of_values(False))


@elementwise(
    source="30.3(i)",
    samples=Samples(
        "[spheroidal_eigenvalue(True, m, k, c) for k in range(m, n + 1)]",
        (PARAMETERS,),
        awkward=((1e-3,), (40.0,)),
        statics=_SEQUENCES,
    ),
    host=OnHost(core="(k)", sizes=lambda m, n: {"k": n - m + 1}, batched=False),
    check=_modes,
    guard=_SEQUENCE_GUARD,
)
def obl_cv_seq(m: StaticInt, n: StaticInt, c: Real) -> Array:
    """Characteristic values of oblate functions, of modes m, m + 1, ... n.

    They run along a last dimension of size n - m + 1, after c's own.

    Args:
        m: order, 0 or more; ValueError if negative
        n: largest degree, from m to m + 199, and 10000 at most; ValueError otherwise
        c: half the distance of the foci times the wave number, c >= 0

    Example:
        >>> obl_cv_seq(0, 2, jnp.array([0.0, 4.0]))
        Array([[ 0.        ,  2.        ,  6.        ],
               [-9.15079338, -9.02571067,  0.22140791]], dtype=float64)
    """
    ...


rule(obl_cv_seq, c=_slope_of_values(True))


# -- angular functions -----------------------------------------------------------------------------


_ANGULAR_FLAWS = (
    Flaw("1e-12*1.8**n*1.4**c", "4 < n + c <= 8"),
    Flaw("1e-11", "n + c > 8"),
)
_ANGULAR_NOTE = (
    "Without the factor (-1)^m. NaN unless |x| < 1. SciPy's series in 1 - x^2 cancels more and "
    "more with growing n and c, until nothing is left."
)
CV_NOTE = "cv has to be the characteristic value of m, n and c, for derivatives and for all else."
_ANGULAR_AT = (
    (0, 0, 1.0, 0.0),
    (0, 1, 1.0, 0.0),
    (1, 2, 2.0, 0.9999),
    (1, 1, 2.0, -0.9999),
    (2, 4, 3.0, 1e-6),
    (0, 2, 1e-3, 0.5),
    (0, 3, 4.0, 0.999999),
    (2, 2, 4.0, 0.9999),
)


def with_value(points: tuple[tuple[float, ...], ...], value: Any) -> tuple[tuple[float, ...], ...]:
    """The points with the characteristic value before x."""
    return tuple((m, n, c, float(value(m, n, c)), x) for m, n, c, x in points)


def fixed_modes(value: Any) -> tuple[Any, ...]:
    """Domains of m, n, c and cv: a cv that goes with the others leaves them no choice."""
    cv = float(value(1, 4, 3.5))
    return Ints(1, 1), Ints(4, 4), Reals(3.5, 3.5), Reals(cv, cv)


def _angular_slopes(oblate: bool) -> Any:
    def in_x(
        y: Sequence[jax.Array], m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array
    ) -> tuple[jax.Array, ...]:
        x, square = rest[-1], -c * c if oblate else c * c
        g = regular_part(m, n, square, x, in_s=0, in_x=0)
        _, slope, second = with_front(m, x, g)
        return slope, second

    return closed("DLMF 30.2.1", in_x)


def _angular_in_c(oblate: bool) -> Any:
    def in_c(
        y: Sequence[jax.Array], m: jax.Array, n: jax.Array, c: jax.Array, x: jax.Array
    ) -> tuple[jax.Array, ...]:
        sign = -1 if oblate else 1
        g = regular_part(m, n, sign * c * c, x, in_s=1, in_x=0)
        value, slope = with_front(m, x, g[:2])
        return 2 * sign * c * value, 2 * sign * c * slope

    return closed("DLMF 30.2.1, in Taylor polynomials in c^2", in_c)


@elementwise(
    source=FLAMMER,
    samples=Samples(
        "spheroidal_angular(False, m, n, c, x, 0); spheroidal_angular(False, m, n, c, x, 1)",
        (*MODES, PARAMETERS, _ANGLES),
        awkward=_ANGULAR_AT,
        flaws=_ANGULAR_FLAWS,
    ),
    outputs=("s", "sp"),
    note=_ANGULAR_NOTE,
    guard=_ANGLE_GUARD,
    repair=mended.of_angles(oblate=False),
)
def pro_ang1(m: Int, n: Int, c: Real, x: Real) -> tuple[Array, Array]:
    """Prolate angular function of the first kind, S_mn(c, x), and its derivative in x.

    It has Flammer's normalisation: the function (n - m even) or its derivative (odd) is at x = 0
    what it is for P_n^m.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        x: angular coordinate eta = cos(theta), |x| < 1

    Example:
        >>> s, sp = pro_ang1(0, 2, 4.0, jnp.array([0.0, 0.4, 0.8]))
        >>> s
        Array([-0.5       ,  0.02502947,  0.79487773], dtype=float64)
        >>> print(f"{jax.grad(lambda c: pro_ang1(0, 2, c, 0.4)[0])(4.0):.6f}")  # in c
        0.121152
    """
    ...


rule(pro_ang1, c=_angular_in_c(False), x=_angular_slopes(False))


@elementwise(
    source=FLAMMER,
    samples=Samples(
        "spheroidal_angular(False, m, n, c, x, 0); spheroidal_angular(False, m, n, c, x, 1)",
        (*fixed_modes(scipy.special.pro_cv), _ANGLES),
        awkward=with_value(_ANGULAR_AT, scipy.special.pro_cv),
        flaws=_ANGULAR_FLAWS,
    ),
    outputs=("s", "sp"),
    note=f"{_ANGULAR_NOTE} {CV_NOTE}",
    guard=_ANGLE_CV_GUARD,
    repair=mended.of_angles(oblate=False),
)
def pro_ang1_cv(m: Int, n: Int, c: Real, cv: Real, x: Real) -> tuple[Array, Array]:
    """Prolate angular function of the first kind and its derivative, from a computed pro_cv.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        cv: characteristic value, pro_cv(m, n, c)
        x: angular coordinate eta = cos(theta), |x| < 1
    """
    ...


rule(pro_ang1_cv, c=WITH_VALUE, cv=OWN_VALUE, x=_angular_slopes(False))


@elementwise(
    source=FLAMMER,
    samples=Samples(
        "spheroidal_angular(True, m, n, c, x, 0); spheroidal_angular(True, m, n, c, x, 1)",
        (*MODES, PARAMETERS, _ANGLES),
        awkward=_ANGULAR_AT,
        flaws=_ANGULAR_FLAWS,
    ),
    outputs=("s", "sp"),
    note=_ANGULAR_NOTE,
    guard=_ANGLE_GUARD,
    repair=mended.of_angles(oblate=True),
)
def obl_ang1(m: Int, n: Int, c: Real, x: Real) -> tuple[Array, Array]:
    """Oblate angular function of the first kind, S_mn(-ic, x), and its derivative in x.

    It has Flammer's normalisation: the function (n - m even) or its derivative (odd) is at x = 0
    what it is for P_n^m.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        x: angular coordinate eta = cos(theta), |x| < 1

    Example:
        >>> s, sp = obl_ang1(0, 2, 4.0, jnp.array([0.0, 0.4, 0.8]))
        >>> s
        Array([-0.5       , -0.47156189, -0.04586065], dtype=float64)
        >>> print(f"{jax.grad(lambda c: obl_ang1(0, 2, c, 0.4)[0])(4.0):.6f}")  # in c
        -0.085407
    """
    ...


rule(obl_ang1, c=_angular_in_c(True), x=_angular_slopes(True))


@elementwise(
    source=FLAMMER,
    samples=Samples(
        "spheroidal_angular(True, m, n, c, x, 0); spheroidal_angular(True, m, n, c, x, 1)",
        (*fixed_modes(scipy.special.obl_cv), _ANGLES),
        awkward=with_value(_ANGULAR_AT, scipy.special.obl_cv),
        flaws=_ANGULAR_FLAWS,
    ),
    outputs=("s", "sp"),
    note=f"{_ANGULAR_NOTE} {CV_NOTE}",
    guard=_ANGLE_CV_GUARD,
    repair=mended.of_angles(oblate=True),
)
def obl_ang1_cv(m: Int, n: Int, c: Real, cv: Real, x: Real) -> tuple[Array, Array]:
    """Oblate angular function of the first kind and its derivative, from a computed obl_cv.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        cv: characteristic value, obl_cv(m, n, c)
        x: angular coordinate eta = cos(theta), |x| < 1
    """
    ...


rule(obl_ang1_cv, c=WITH_VALUE, cv=OWN_VALUE, x=_angular_slopes(True))
