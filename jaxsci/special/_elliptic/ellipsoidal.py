"""Ellipsoidal harmonics: Lame functions as polynomials (DLMF 29.12) and of the second kind."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
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
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._elliptic.kernels.ellipsoidal_integrals import constant, second_kind
from jaxsci.special._elliptic.kernels.lame import lame
from jaxsci.special._numerics.integer_orders import of_integers
from jaxsci.special._numerics.nth_derivative import mixed_derivative

_AXES = (Reals(0.5, 6), Reals(6.5, 12))
_LARGEST_DEGREE = 1000
_RANGE = "NaN unless 1 <= p <= 2n + 1, for n beyond 1000, and as a rule unless 0 < h2 < k2."


def _slope(function: Callable[..., jax.Array], i: int) -> Callable[..., jax.Array]:
    """The rule that differentiates a formula for the value in its i-th argument."""

    def partial(y: jax.Array, *arguments: jax.Array) -> jax.Array:
        return mixed_derivative(function, arguments, (*[0] * i, 1))

    return partial


def _ellip_harm(
    h2: jax.Array,
    k2: jax.Array,
    n: Any,
    p: jax.Array,
    s: jax.Array,
    signm: jax.Array,
    signn: jax.Array,
) -> np.ndarray:
    def values(n: np.ndarray, p: np.ndarray, signm: np.ndarray, signn: np.ndarray) -> np.ndarray:
        small = np.where(n <= _LARGEST_DEGREE, n, -1)
        harmonic: Any = scipy.special.ellip_harm  # its stubs take integers, not arrays of them
        return harmonic(h2, k2, small, p, s, signm, signn)

    return of_integers(values, 0, n, p, signm, signn)


@elementwise(
    source="29.12",
    samples=Samples(
        "ellipsoidal(h2, k2, n, p, s) * ellipsoidal_sign(n, p, signm, signn)",
        (*_AXES, Ints(3, 8), Ints(1, 7), Reals(-6, 6), Ints(1, 1), Ints(1, 1)),
        awkward=(
            (5.0, 8.0, 0, 1, 2.5, 1, 1),
            (5.0, 8.0, 1, 1, 0.0, 1, 1),
            (5.0, 8.0, 1, 2, 2.5, -1, 1),
            (5.0, 8.0, 1, 3, 2.5, 1, -1),
            (5.0, 8.0, 2, 5, 2.5, -1, -1),
            (5.0, 8.0, 2, 2, 1e-8, 1, 1),
            (1.0, 2.0, 6, 13, 30.0, 1, 1),
            (4.0, 9.0, 4, 1, 2.0, 1, 1),
            (4.0, 9.0, 4, 3, 3.0, 1, 1),
        ),
    ),
    host=OnHost(_ellip_harm, results="real"),
    note=f"{_RANGE} Its square roots are those of |s^2 - h^2| and |s^2 - k^2|.",
)
def ellip_harm(
    h2: Real, k2: Real, n: Int, p: Int, s: Real, signm: Int = 1, signn: Int = 1
) -> Array:
    """Ellipsoidal harmonic E_n^p(s), a Lame function, for the semifocal distances h < k.

    signm and signn are the signs, 1 or -1, of the roots of |s^2 - h^2| and |s^2 - k^2| in it.

    Args:
        h2: h^2 = a^2 - b^2, of an ellipsoid with semi-axes a > b > c
        k2: k^2 = a^2 - c^2, larger than h^2
        n: degree
        p: which of the harmonics of that degree, from 1 to 2n + 1
        s: ellipsoidal coordinate, any real number
        signm: sign of the root of |s^2 - h^2|; NaN unless 1 or -1
        signn: sign of the root of |s^2 - k^2|; NaN unless 1 or -1
    """
    ...


rule(
    ellip_harm,
    h2=closed("perturbation theory of DLMF 31.3.2", _slope(lame, 0)),
    k2=closed("perturbation theory of DLMF 31.3.2", _slope(lame, 1)),
    s=closed("DLMF 29.12.1, 31.2.1", _slope(lame, 4)),
)


def _no_axes(h2: jax.Array, k2: jax.Array, *_: jax.Array) -> np.ndarray:
    """Where SciPy's quadratures divide by zero, which Python reports on stderr."""
    return np.logical_not((h2 > 0) & (h2 < k2) & (k2 < np.inf))


_filters = threading.Lock()


def _each(function: Callable[..., Any], *arguments: Any) -> float:
    """SciPy's value at one point, NaN where it has none; its complaints go unheard."""
    h2, k2, n, p = arguments[:4]
    if _no_axes(h2, k2):
        return np.nan
    if not (0 <= n <= _LARGEST_DEGREE and 1 <= p <= 2 * n + 1 and n == int(n) and p == int(p)):
        return np.nan
    # The filters are the process's own, and callbacks run on several threads.
    with _filters, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(function(h2, k2, int(n), int(p), *arguments[4:]))
        except ZeroDivisionError:
            return np.nan


def _ellip_harm_2(h2: float, k2: float, n: int, p: int, s: float) -> float:
    return _each(scipy.special.ellip_harm_2, h2, k2, n, p, s)


def _slope_of_second(
    y: jax.Array, h2: jax.Array, k2: jax.Array, n: jax.Array, p: jax.Array, s: jax.Array
) -> jax.Array:
    """By the Wronskian of the two kinds."""
    first = ellip_harm(h2, k2, n, p, s)
    wronskian = (2 * n + 1) / (jnp.sqrt(s * s - k2) * jnp.sqrt(s * s - h2))
    slope = _slope(lame, 4)(first, h2, k2, n, p, s, 1, 1)
    return (slope * y - wronskian) / first


@elementwise(
    source="29.17",
    samples=Samples(
        "ellipsoidal_second(h2, k2, n, p, s)",
        (*_AXES, Ints(3, 6), Ints(1, 7), Reals(3.5, 12)),
        awkward=(
            (5.0, 8.0, 0, 1, 4.0),
            (5.0, 8.0, 1, 2, 10.0),
            (5.0, 8.0, 2, 5, 3.0),
            (1.0, 2.0, 4, 9, 100.0),
        ),
    ),
    host=OnHost(_ellip_harm_2, results="real", batched=False, undefined=_no_axes),
    note=f"{_RANGE} For s > k; NaN where SciPy's quadrature does not converge. Derivatives in h2 "
    "and k2 are NaN for n > 30 and for s within 2e-7 k of k.",
)
def ellip_harm_2(h2: Real, k2: Real, n: Int, p: Int, s: Real) -> Array:
    """Ellipsoidal harmonic of the second kind F_n^p(s), for the semifocal distances h < k.

    Args:
        h2: h^2 = a^2 - b^2, of an ellipsoid with semi-axes a > b > c
        k2: k^2 = a^2 - c^2, larger than h^2
        n: degree
        p: which of the harmonics of that degree, from 1 to 2n + 1
        s: ellipsoidal coordinate; NaN for |s| < k
    """
    ...


rule(
    ellip_harm_2,
    h2=closed("DLMF 29.17.1", _slope(second_kind, 0)),
    k2=closed("DLMF 29.17.1", _slope(second_kind, 1)),
    s=closed("Wronskian, DLMF 1.13.5", _slope_of_second),
)


def _ellip_normal(h2: float, k2: float, n: int, p: int) -> float:
    return _each(scipy.special.ellip_normal, h2, k2, n, p)


@elementwise(
    source="Dassios (2012), Ellipsoidal Harmonics, 5.3",
    samples=Samples(
        "ellipsoidal_normal(h2, k2, n, p)",
        (*_AXES, Ints(3, 6), Ints(1, 7)),
        awkward=((1.0, 2.0, 4, 9),),
    ),
    host=OnHost(_ellip_normal, results="real", batched=False, undefined=_no_axes),
    note=f"{_RANGE} NaN where SciPy's quadrature does not converge. Derivatives are NaN for n > 30 "
    "and unless 0.015 < h2/k2 < 0.985.",
)
def ellip_normal(h2: Real, k2: Real, n: Int, p: Int) -> Array:
    """Normalisation constant gamma_n^p of ellipsoidal harmonics, for the semifocal distances h < k.

    Args:
        h2: h^2 = a^2 - b^2, of an ellipsoid with semi-axes a > b > c
        k2: k^2 = a^2 - c^2, larger than h^2
        n: degree
        p: which of the harmonics of that degree, from 1 to 2n + 1
    """
    ...


rule(
    ellip_normal,
    h2=closed("its integrals", _slope(constant, 0)),
    k2=closed("its integrals", _slope(constant, 1)),
)
