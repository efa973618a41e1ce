"""Spheroidal radial functions (DLMF 30.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Guard,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._spheroidal.angular import (
    CV_NOTE,
    MODES,
    OWN_VALUE,
    PARAMETERS,
    WITH_VALUE,
    fixed_modes,
    with_value,
)
from jaxsci.special._spheroidal.kernels.mended import (
    oblate_first_kind,
    prolate_first_kind,
    second_kind,
)
from jaxsci.special._spheroidal.kernels.radial import (
    prolate,
    prolate_second,
    radial,
    radial_in_x,
)

_OUTSIDE = Reals(1.01, 6)
_HALF_LINE = Reals(0.05, 6)


def _allows(
    m: jax.Array | np.ndarray,
    n: jax.Array | np.ndarray,
    c: jax.Array | np.ndarray,
    *rest: jax.Array | np.ndarray,
) -> jax.Array | np.ndarray:
    x = rest[-1]
    modes = (m >= 0) & (m <= n) & (n + 2 * c <= 200) & ((n + m) / 2 + c <= 174)
    # Beyond, the loop of SciPy's recurrence of Bessel functions does not end in time.
    return modes & (c > -1e-30) & (c * x <= 1e6)


# SciPy writes beyond its arrays of coefficients and of Bessel functions.
_WORDS = "0 <= m <= n, c >= 0, n + 2c <= 200, (n + m)/2 + c <= 174 and c x <= 1e6"
_GUARD = Guard(_WORDS, _allows, (0, 0, 1.0, 2.0))
_CV_GUARD = Guard(_WORDS, _allows, (0, 0, 1.0, 1.0, 2.0))


def _allows_oblate(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
    # For m = 0 SciPy's expansion for small x reads what lies before an array.
    return _allows(m, n, c, *rest) & ((m > 0) | (rest[-1] > 2.3))


# There the values are this package's own.
_OBLATE_GUARD = Guard(_WORDS, _allows_oblate, (1, 1, 1.0, 2.0))
_OBLATE_CV_GUARD = Guard(_WORDS, _allows_oblate, (1, 1, 1.0, 1.6, 2.0))


_PROLATE_1_MENDED = prolate_first_kind()
_OBLATE_1_MENDED = oblate_first_kind()
_PROLATE_MENDED = second_kind(
    "x < 2.6 or c > 8",
    lambda m, n, c, x: (x > 1) & ((x < 2.6) | (c > 8)) & _allows(m, n, c, x),
    oblate=False,
)
_OBLATE_MENDED = second_kind(
    "x < 3.2 or n > 10",
    lambda m, n, c, x: (x >= 0) & ((x < 3.2) | (n > 10)) & _allows(m, n, c, x),
    oblate=True,
)

_PROLATE_AT = (
    (0, 0, 1.0, 1.5),
    (0, 1, 1.0, 1.001),
    (1, 1, 2.0, 1.0001),
    (2, 5, 4.0, 20.0),
    (0, 4, 0.1, 2.5),
    (1, 3, 5.0, 100.0),
)
_OBLATE_AT = (
    (0, 0, 1.0, 0.5),
    (0, 1, 1.0, 1e-3),
    (1, 1, 2.0, 1e-6),
    (2, 5, 4.0, 20.0),
    (0, 4, 0.1, 2.5),
    (1, 3, 5.0, 100.0),
)
_AT_ZERO = ((0, 0, 1.0, 0.0), (1, 2, 2.0, 0.0), (2, 2, 3.0, 0.0))
_NEAR_ZERO = ((3, 5, 9.0, 2.5e-8), (0, 4, 7.0, 1e-4))
_OF_PROLATE = "NaN unless x > 1."
_EXTREME = "Derivatives are NaN where c > 8 and m log(n (n + 1)/(5 c x)) > 600."
_OF_OBLATE = "NaN for x < 0."
_SECOND = "Derivatives do not rest on SciPy's values: the differential equation is solved instead."

_PROLATE_1 = (Flaw("1e-11", "c > 4 or n > 7"),)
_OBLATE_1 = (
    Flaw("1e-10", "c > 5 or n > 12"),
    Flaw("1e-10", "0 < x < 0.2", "rp"),
)
# SciPy 1.17 truncates a sum to an integer, and reads before the start of an array.
_PROLATE_2 = (
    Flaw("1e-11", "x < 2.6 or c > 8"),
    Flaw("1e-11*1.9**c", "c <= 8 and (c > 5 or n > 7)"),
)
_OBLATE_2 = (Flaw("1e-11", "x < 3.2 or n > 10"), Flaw("1e-9", "c > 8"))


def _reference(oblate: bool, kind: int) -> str:
    call = f"spheroidal_radial({oblate}, {kind}, m, n, c, x, "
    return f"{call}0); {call}1)"


def _rules(oblate: bool, kind: int) -> dict[str, Any]:
    """Those of a function and its slope."""

    def in_x(y: Sequence[jax.Array], *at: jax.Array) -> tuple[jax.Array, ...]:
        m, n, c, *given, x = at  # functions of a given eigenvalue have it in between
        if not oblate:
            return (prolate if kind == 1 else prolate_second)(m, n, c, x, in_c=0)[1:]
        # To solve for the eigenvalue takes forty times as long as the values of a given one.
        ours = y if given and kind == 1 else radial(m, n, c, x, oblate=oblate, kind=kind, in_c=0)
        return radial_in_x((ours[0], ours[1]), m, n, c, x, *given, oblate=oblate, kind=kind)

    def in_c(y: Sequence[jax.Array], *at: jax.Array) -> tuple[jax.Array, ...]:
        m, n, c, x = at
        if not oblate:
            return (prolate if kind == 1 else prolate_second)(m, n, c, x, in_c=1)[:2]
        return radial(m, n, c, x, oblate=oblate, kind=kind, in_c=1)

    return {
        "c": closed("DLMF 30.11.3, perturbation theory", in_c),
        "x": closed("DLMF 30.2.1, 30.11.3", in_x),
    }


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(False, 1), (*MODES, PARAMETERS, _OUTSIDE), awkward=_PROLATE_AT, flaws=_PROLATE_1
    ),
    outputs=("r", "rp"),
    note=_OF_PROLATE,
    guard=_GUARD,
    repair=_PROLATE_1_MENDED,
)
def pro_rad1(m: Int, n: Int, c: Real, x: Real) -> tuple[Array, Array]:
    """Prolate radial function of the first kind, R1_mn(c, x), and its derivative in x.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        x: radial coordinate xi, x > 1

    Example:
        >>> r, rp = pro_rad1(1, 2, 4.0, jnp.array([3.0, 4.0, 5.0]))
        >>> r
        Array([ 0.05918993,  0.01044073, -0.04409929], dtype=float64)
    """
    ...


rule(pro_rad1, **_rules(oblate=False, kind=1))


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(False, 1),
        (*fixed_modes(scipy.special.pro_cv), _OUTSIDE),
        awkward=with_value(_PROLATE_AT, scipy.special.pro_cv),
        flaws=_PROLATE_1,
    ),
    outputs=("r", "rp"),
    note=f"{_OF_PROLATE} {CV_NOTE}",
    guard=_CV_GUARD,
    repair=_PROLATE_1_MENDED,
)
def pro_rad1_cv(m: Int, n: Int, c: Real, cv: Real, x: Real) -> tuple[Array, Array]:
    """Prolate radial function of the first kind and its derivative, from a computed pro_cv.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        cv: characteristic value, pro_cv(m, n, c)
        x: radial coordinate xi, x > 1
    """
    ...


rule(pro_rad1_cv, c=WITH_VALUE, cv=OWN_VALUE, x=_rules(oblate=False, kind=1)["x"])


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(False, 2), (*MODES, PARAMETERS, _OUTSIDE), awkward=_PROLATE_AT, flaws=_PROLATE_2
    ),
    outputs=("r", "rp"),
    note=f"{_OF_PROLATE} {_SECOND} {_EXTREME}",
    guard=_GUARD,
    repair=_PROLATE_MENDED,
)
def pro_rad2(m: Int, n: Int, c: Real, x: Real) -> tuple[Array, Array]:
    """Prolate radial function of the second kind, R2_mn(c, x), and its derivative in x.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0; the second kind is
            infinite for c = 0, where SciPy has numbers like -1e300
        x: radial coordinate xi, x > 1

    Example:
        >>> r, rp = pro_rad2(1, 2, 4.0, jnp.array([3.0, 4.0, 5.0]))
        >>> r
        Array([ 0.06472818, -0.06342831,  0.02541346], dtype=float64)
    """
    ...


rule(pro_rad2, **_rules(oblate=False, kind=2))


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(False, 2),
        (*fixed_modes(scipy.special.pro_cv), _OUTSIDE),
        awkward=with_value(_PROLATE_AT, scipy.special.pro_cv),
        flaws=_PROLATE_2,
    ),
    outputs=("r", "rp"),
    note=f"{_OF_PROLATE} {_SECOND} {_EXTREME} {CV_NOTE}",
    guard=_CV_GUARD,
    repair=_PROLATE_MENDED,
)
def pro_rad2_cv(m: Int, n: Int, c: Real, cv: Real, x: Real) -> tuple[Array, Array]:
    """Prolate radial function of the second kind and its derivative, from a computed pro_cv.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0; the second kind is
            infinite for c = 0, where SciPy has numbers like -1e300
        cv: characteristic value, pro_cv(m, n, c)
        x: radial coordinate xi, x > 1
    """
    ...


rule(pro_rad2_cv, c=WITH_VALUE, cv=OWN_VALUE, x=_rules(oblate=False, kind=2)["x"])


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(True, 1),
        (*MODES, PARAMETERS, _HALF_LINE),
        awkward=(*_OBLATE_AT, *_AT_ZERO, *_NEAR_ZERO),
        flaws=_OBLATE_1,
    ),
    outputs=("r", "rp"),
    note=_OF_OBLATE,
    guard=_GUARD,
    repair=_OBLATE_1_MENDED,
)
def obl_rad1(m: Int, n: Int, c: Real, x: Real) -> tuple[Array, Array]:
    """Oblate radial function of the first kind, R1_mn(-ic, ix), and its derivative in x.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        x: radial coordinate xi, x >= 0

    Example:
        >>> r, rp = obl_rad1(1, 2, 4.0, jnp.array([3.0, 4.0, 5.0]))
        >>> r
        Array([-0.00035899,  0.04078385, -0.04932785], dtype=float64)
    """
    ...


rule(obl_rad1, **_rules(oblate=True, kind=1))


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(True, 1),
        (*fixed_modes(scipy.special.obl_cv), _HALF_LINE),
        awkward=with_value((*_OBLATE_AT, *_AT_ZERO, *_NEAR_ZERO), scipy.special.obl_cv),
        flaws=_OBLATE_1,
    ),
    outputs=("r", "rp"),
    note=f"{_OF_OBLATE} {CV_NOTE}",
    guard=_CV_GUARD,
    repair=_OBLATE_1_MENDED,
)
def obl_rad1_cv(m: Int, n: Int, c: Real, cv: Real, x: Real) -> tuple[Array, Array]:
    """Oblate radial function of the first kind and its derivative, from a computed obl_cv.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0
        cv: characteristic value, obl_cv(m, n, c)
        x: radial coordinate xi, x >= 0
    """
    ...


rule(obl_rad1_cv, c=WITH_VALUE, cv=OWN_VALUE, x=_rules(oblate=True, kind=1)["x"])


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(True, 2), (*MODES, PARAMETERS, _HALF_LINE), awkward=_OBLATE_AT, flaws=_OBLATE_2
    ),
    outputs=("r", "rp"),
    note=f"{_OF_OBLATE} {_SECOND}",
    guard=_OBLATE_GUARD,
    repair=_OBLATE_MENDED,
)
def obl_rad2(m: Int, n: Int, c: Real, x: Real) -> tuple[Array, Array]:
    """Oblate radial function of the second kind, R2_mn(-ic, ix), and its derivative in x.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0; the second kind is
            infinite for c = 0, where SciPy has numbers like -1e300
        x: radial coordinate xi, x >= 0

    Example:
        >>> r, rp = obl_rad2(1, 2, 4.0, jnp.array([3.0, 4.0, 5.0]))
        >>> r
        Array([ 0.08088652, -0.0459561 ,  0.00351422], dtype=float64)
    """
    ...


rule(obl_rad2, **_rules(oblate=True, kind=2))


@elementwise(
    source="30.11.3",
    samples=Samples(
        _reference(True, 2),
        (*fixed_modes(scipy.special.obl_cv), _HALF_LINE),
        awkward=with_value(_OBLATE_AT, scipy.special.obl_cv),
        flaws=_OBLATE_2,
    ),
    outputs=("r", "rp"),
    note=f"{_OF_OBLATE} {_SECOND} {CV_NOTE}",
    guard=_OBLATE_CV_GUARD,
    repair=_OBLATE_MENDED,
)
def obl_rad2_cv(m: Int, n: Int, c: Real, cv: Real, x: Real) -> tuple[Array, Array]:
    """Oblate radial function of the second kind and its derivative, from a computed obl_cv.

    Args:
        m: order, m >= 0
        n: degree, n >= m
        c: half the distance of the foci times the wave number, c >= 0; the second kind is
            infinite for c = 0, where SciPy has numbers like -1e300
        cv: characteristic value, obl_cv(m, n, c)
        x: radial coordinate xi, x >= 0
    """
    ...


rule(obl_rad2_cv, c=WITH_VALUE, cv=OWN_VALUE, x=_rules(oblate=True, kind=2)["x"])
