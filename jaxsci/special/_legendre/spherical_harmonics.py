"""Spherical harmonics and their Legendre functions of an angle (DLMF 14.30)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Layout,
    OnHost,
    Samples,
    elementwise,
    leading,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._catalog.types import Array, Int, Real, StaticInt
from jaxsci.special._legendre.kernels.on_device import (
    RAISED,
    legendre_functions,
    of_angle,
    orders_to,
)
from jaxsci.special._numerics.integer_orders import of_integers
from jaxsci.special._numerics.static_checks import derivatives_to_two, not_negative

_POLAR = Reals(0, np.pi)
_AZIMUTH = Reals(-np.pi, 2 * np.pi)
_TO_TWO = ({"diff_n": 0}, {"diff_n": 2})

_PARTIALS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (1, 1), (0, 2))
"""The derivatives in theta and phi of the value, the gradient and the Hessian, in order."""
_COUNT = (1, 3, 7)
"""How many of them there are up to each order."""

_BEYOND = (
    "Outside 0 <= theta <= pi it is continued with |sin theta|, so for odd m it has kinks at "
    "multiples of pi; derivatives there are those of the side where sin theta > 0."
)


def _check_all(n: int, m: int, diff_n: int) -> None:
    not_negative(n=n)
    derivatives_to_two(diff_n)


# -- Legendre functions of an angle ----------------------------------------------------------------


def _sph_legendre_p(n: np.ndarray, m: np.ndarray, theta: np.ndarray, *, diff_n: int) -> np.ndarray:
    def values(n: np.ndarray, m: np.ndarray) -> np.ndarray:
        return np.moveaxis(scipy.special.sph_legendre_p(n, m, theta, diff_n=diff_n), 0, -1)

    return of_integers(values, 1, n, m)


@elementwise(
    source="14.30.1",
    samples=Samples(
        "[spherical_legendre(n, m, theta, k) for k in range(diff_n + 1)]",
        (Ints(0, 25), Ints(-9, 9), _POLAR),
        awkward=(
            (3, 0, 0.0),
            (3, 1, 0.0),
            (4, -2, 0.0),
            (7, 3, 0.0),
            (5, 1, np.pi),
            (6, -2, 1e-8),
            (40, 3, 3.1),
            (12, 12, 0.01),
            (5, 6, 0.5),
            (4, 2, np.pi / 2),
        ),
        statics=_TO_TWO,
    ),
    host=OnHost(
        _sph_legendre_p,
        results="real",
        core="(d)",
        sizes=lambda diff_n: {"d": diff_n + 1},
        layout=leading(1),
    ),
    check=derivatives_to_two,
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda n, m, theta, *, diff_n: jnp.stack(_polar(n, m, theta, diff_n), -1) / RAISED
    ),
    note=f"{_BEYOND} Zero where |m| > n, and where n < 0. NaN for n and m beyond 10^8.",
)
def sph_legendre_p(n: Int, m: Int, theta: Real, *, diff_n: StaticInt = 0) -> Array:
    """Legendre function of an angle, the spherical harmonic Y_n^m(theta, 0), and derivatives.

    Derivatives in theta are those up to the order diff_n (at most 2). The result has a first
    dimension of size diff_n + 1, before those of n, m and theta.

    Args:
        n: degree, not negative
        m: order, of either sign; odd positive ones bring a factor -1 (Condon's and Shortley's
            phase)
        theta: polar angle (colatitude) in radians, from 0 to pi
        diff_n: the highest order of a derivative in theta that the result has: 0, 1 or 2

    Example:
        >>> sph_legendre_p(2, 1, jnp.array([0.5, 1.0]))[0]
        Array([-0.32503853, -0.35123814], dtype=float64)
        >>> print(f"{jax.grad(lambda theta: sph_legendre_p(2, 1, theta)[0])(0.5):.6f}")
        -0.417410
    """
    ...


rule(
    sph_legendre_p,
    theta=closed(
        "DLMF 14.10.1, 14.10.2",
        lambda y, n, m, theta, *, diff_n: jnp.stack(
            [_of_one(n, m, theta, k + 1) for k in range(diff_n + 1)], -1
        ),
    ),
)


def _sph_legendre_p_all(n: int, m: int, theta: np.ndarray, *, diff_n: int) -> np.ndarray:
    found = scipy.special.sph_legendre_p_all(n, m, theta, diff_n=diff_n)
    return np.moveaxis(found, (0, 1, 2), (-3, -2, -1))


@elementwise(
    source="14.30.1",
    samples=Samples(
        "[spherical_legendre(j, i, theta, k) for k in range(diff_n + 1) for j in range(n + 1) "
        "for i in [*range(abs(m) + 1), *range(-abs(m), 0)]]",
        (_POLAR,),
        awkward=((0.0,), (np.pi,), (1e-8,), (np.pi / 2,)),
        statics=({"n": 2, "m": 3, "diff_n": 0}, {"n": 3, "m": -1, "diff_n": 2}),
    ),
    host=OnHost(
        _sph_legendre_p_all,
        results="real",
        core="(d,n,m)",
        sizes=lambda n, m, diff_n: {"d": diff_n + 1, "n": n + 1, "m": 2 * abs(m) + 1},
        layout=leading(3),
    ),
    check=_check_all,
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda theta, *, n, m, diff_n: jnp.stack(_all_polar(n, m, theta, diff_n), -3) / RAISED
    ),
    note=_BEYOND,
)
def sph_legendre_p_all(n: StaticInt, m: StaticInt, theta: Real, *, diff_n: StaticInt = 0) -> Array:
    """Legendre functions of an angle, of all degrees up to n and orders up to |m| of both signs.

    And their derivatives up to the order diff_n (at most 2). The result has three first dimensions,
    of sizes diff_n + 1, n + 1 and 2|m| + 1, before those of theta; the last of these runs over the
    orders 0, 1, ... |m|, -|m|, ... -1.

    Args:
        n: the highest degree, not negative
        m: the highest order; the sign does not matter
        theta: polar angle (colatitude) in radians, from 0 to pi
        diff_n: the highest order of a derivative in theta that the result has: 0, 1 or 2
    """
    ...


rule(
    sph_legendre_p_all,
    theta=closed(
        "DLMF 14.10.1, 14.10.2",
        lambda y, theta, *, n, m, diff_n: jnp.stack(
            [_of_all(n, m, theta, k + 1) for k in range(diff_n + 1)], -3
        ),
    ),
)


def _derivative(
    of_order: Callable[[int], Any],
    n: jax.Array | np.ndarray,
    m: jax.Array | np.ndarray,
    theta: jax.Array,
    k: int,
    shift: int = 0,
) -> jax.Array:
    """The k-th derivative in theta of the function of degree n and order m + shift.

    Each is half the difference of the neighbours in order, times roots: no sine is divided by, and
    at the poles only one term is left.
    """
    if k == 0:
        return of_order(shift)
    order = m + shift
    above = jnp.sqrt(jnp.maximum((n - order) * (n + order + 1.0), 0.0))
    below = jnp.sqrt(jnp.maximum((n + order) * (n - order + 1.0), 0.0))
    sign = jnp.where(jnp.sin(theta) < 0, -0.5, 0.5)
    return sign * (
        above * _derivative(of_order, n, m, theta, k - 1, shift + 1)
        - below * _derivative(of_order, n, m, theta, k - 1, shift - 1)
    )


def _polar(
    n: jax.Array | np.ndarray, m: jax.Array | np.ndarray, theta: jax.Array, diff_n: int
) -> list[jax.Array]:
    """The function and its derivatives in theta up to an order, times RAISED."""
    known: dict[int, Any] = {}

    def of_order(shift: int) -> jax.Array:
        if shift not in known:
            known[shift] = of_angle(n, m + shift, theta)
        return known[shift]

    return [_derivative(of_order, n, m, theta, k) for k in range(diff_n + 1)]


def _all_polar(n: int, m: int, theta: jax.Array, diff_n: int) -> list[jax.Array]:
    """The same of all degrees and orders, on two last dimensions."""
    every = of_angle(n, abs(m) + diff_n, theta, legendre_functions)
    return [_from_every(every, n, m, theta, k) for k in range(diff_n + 1)]


def _from_every(every: jax.Array, n: int, m: int, theta: jax.Array, k: int) -> jax.Array:
    """The k-th derivatives of all degrees and orders, from the functions of k more orders."""
    orders, degrees = orders_to(m), np.arange(n + 1)[:, None]
    theta = jnp.expand_dims(theta, (-2, -1))
    return _derivative(lambda shift: every[..., orders + shift], degrees, orders, theta, k)


def _of_one(n: jax.Array, m: jax.Array, theta: jax.Array, k: int) -> jax.Array:
    """The k-th derivative of sph_legendre_p."""
    known: dict[int, Any] = {}

    def of_order(shift: int) -> jax.Array:
        if shift not in known:
            known[shift] = sph_legendre_p(n, m + shift, theta)[0]
        return known[shift]

    return _derivative(of_order, n, m, theta, k)


def _of_all(n: int, m: int, theta: jax.Array, k: int) -> jax.Array:
    """The k-th derivatives of sph_legendre_p_all, with degree and order as last dimensions."""
    every = jnp.moveaxis(sph_legendre_p_all(n, abs(m) + k, theta)[0], (0, 1), (-2, -1))
    return _from_every(every, n, m, theta, k)


# -- spherical harmonics ---------------------------------------------------------------------------


def _arrays(x: jax.Array | np.ndarray) -> Any:
    return np if isinstance(x, np.ndarray | np.generic) else jnp


def _harmonics_layout(n: int) -> Layout:
    """The value alone, or a tuple with the gradient and the Hessian, n core dimensions in front."""

    def arranged(results: tuple[jax.Array, ...], static: dict[str, Any]) -> Any:
        (y,) = results
        core = tuple(range(y.ndim - 1 - n, y.ndim - 1))
        y = jnp.moveaxis(y, core, tuple(range(n)))
        value, gradient, hessian = y[..., 0], y[..., 1:3], y[..., 3:]
        hessian = hessian.reshape(*hessian.shape[:-1], 2, -1)
        diff_n = static["diff_n"]
        return value if diff_n == 0 else (value, gradient, hessian)[: diff_n + 1]

    def trailing(values: jax.Array, static: dict[str, Any]) -> tuple[jax.Array | np.ndarray, ...]:
        parts = values if isinstance(values, tuple) else (values,)
        lines = [y.reshape((*y.shape[: y.ndim - k], 2**k)) for k, y in enumerate(parts)]
        y = _arrays(lines[0]).concatenate(lines, -1)
        return (_arrays(y).moveaxis(y, tuple(range(n)), tuple(range(-1 - n, -1))),)

    return Layout(arranged, trailing)


_ONE, _ALL = _harmonics_layout(0), _harmonics_layout(2)


def _sph_harm_y(
    n: np.ndarray, m: np.ndarray, theta: np.ndarray, phi: np.ndarray, *, diff_n: int
) -> np.ndarray:
    def values(n: np.ndarray, m: np.ndarray) -> np.ndarray:
        found = scipy.special.sph_harm_y(n, m, theta, phi, diff_n=diff_n)
        return _ONE.trailing(found, {})[0]

    return of_integers(values, 1, n, m)


_GRADIENT = (
    "With diff_n = 1 or 2 the result is a tuple: the value, the gradient in (theta, phi) with a "
    "last dimension of size 2, and the Hessian with two."
)


def _harmonics(
    polar: Callable[[int], Any],
    m: jax.Array | np.ndarray,
    phi: jax.Array,
    diff_n: int,
    more: tuple[int, int],
) -> jax.Array:
    """The value and derivatives that the row lists, differentiated further, on a last dimension."""
    wave = jnp.exp(1j * m * phi)
    known: dict[int, Any] = {}

    def part(i: int, j: int) -> jax.Array:
        if i not in known:
            known[i] = polar(i)
        return known[i] * (1j * m) ** j * wave

    listed = _PARTIALS[: _COUNT[diff_n]]
    return jnp.stack([part(i + more[0], j + more[1]) for i, j in listed], -1)


def _of_sph_harm_y(more: tuple[int, int]) -> Any:
    return closed(
        "DLMF 14.30.1, 14.10.1, 14.10.2",
        lambda y, n, m, theta, phi, *, diff_n: _harmonics(
            lambda k: _of_one(n, m, theta, k), m, phi, diff_n, more
        ),
    )


@elementwise(
    source="14.30.1",
    samples=Samples(
        "[spherical_harmonic(n, m, theta, phi, i, j) for i, j in "
        "[(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (1, 1), (0, 2)][:(1, 3, 7)[diff_n]]]",
        (Ints(0, 20), Ints(-9, 9), _POLAR, _AZIMUTH),
        awkward=(
            (3, 0, 0.0, 0.3),
            (3, 1, 0.0, 0.3),
            (4, -2, 0.0, 0.0),
            (5, 1, np.pi, 0.5),
            (6, -2, 1e-8, 0.3),
            (5, 6, 0.5, 1.0),
            (4, 2, np.pi / 2, 6.0),
            (9, 9, 1.0, 1e-8),
        ),
        statics=({"diff_n": 0}, {"diff_n": 1}, {"diff_n": 2}),
    ),
    host=OnHost(
        _sph_harm_y,
        results="complex",
        core="(d)",
        sizes=lambda diff_n: {"d": _COUNT[diff_n]},
        layout=_ONE,
    ),
    check=derivatives_to_two,
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda n, m, theta, phi, *, diff_n: (
            _harmonics(_polar(n, m, theta, diff_n).__getitem__, m, phi, diff_n, (0, 0)) / RAISED
        )
    ),
    note=f"{_GRADIENT} {_BEYOND} Zero where |m| > n, and where n < 0. NaN for n and m beyond 10^8.",
)
def sph_harm_y(n: Int, m: Int, theta: Real, phi: Real, *, diff_n: StaticInt = 0) -> Array:
    """Spherical harmonic Y_n^m(theta, phi) of the polar angle theta and the azimuth phi.

    With its derivatives up to the order diff_n (at most 2).

    Args:
        n: degree, not negative
        m: order, of either sign; odd positive ones bring a factor -1 (Condon's and Shortley's
            phase)
        theta: polar angle (colatitude) in radians, from 0 to pi
        phi: azimuth (longitude) in radians, any real number
        diff_n: the highest order of a derivative in theta and phi that the result has: 0, 1 or 2

    Example:
        >>> sph_harm_y(2, 1, jnp.array([0.5, 1.0]), 0.3)
        Array([-0.31052117-0.09605545j, -0.33555061-0.10379797j], dtype=complex128)
        >>> print(f"{jax.grad(lambda theta: sph_harm_y(2, 1, theta, 0.3).real)(0.5):.6f}")
        -0.398767
    """
    ...


rule(sph_harm_y, theta=_of_sph_harm_y((1, 0)), phi=_of_sph_harm_y((0, 1)))


def _sph_harm_y_all(
    n: int, m: int, theta: np.ndarray, phi: np.ndarray, *, diff_n: int
) -> np.ndarray:
    return _ALL.trailing(scipy.special.sph_harm_y_all(n, m, theta, phi, diff_n=diff_n), {})[0]


def _of_sph_harm_y_all(more: tuple[int, int]) -> Any:
    return closed(
        "DLMF 14.30.1, 14.10.1, 14.10.2",
        lambda y, theta, phi, *, n, m, diff_n: _harmonics(
            lambda k: _of_all(n, m, theta, k),
            orders_to(m),
            jnp.expand_dims(phi, (-2, -1)),
            diff_n,
            more,
        ),
    )


@elementwise(
    source="14.30.1",
    samples=Samples(
        "[spherical_harmonic(k, l, theta, phi, i, j) for k in range(n + 1) "
        "for l in [*range(abs(m) + 1), *range(-abs(m), 0)] for i, j in "
        "[(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (1, 1), (0, 2)][:(1, 3, 7)[diff_n]]]",
        (_POLAR, _AZIMUTH),
        awkward=((0.0, 0.5), (np.pi, -0.5), (1e-8, 0.0)),
        statics=({"n": 1, "m": 2, "diff_n": 0}, {"n": 2, "m": -1, "diff_n": 2}),
    ),
    host=OnHost(
        _sph_harm_y_all,
        results="complex",
        core="(n,m,d)",
        sizes=lambda n, m, diff_n: {"n": n + 1, "m": 2 * abs(m) + 1, "d": _COUNT[diff_n]},
        layout=_ALL,
    ),
    check=_check_all,
    kernel=device_kernel(ulps=90, conditioned=True)(
        lambda theta, phi, *, n, m, diff_n: (
            _harmonics(
                _all_polar(n, m, theta, diff_n).__getitem__,
                orders_to(m),
                jnp.expand_dims(phi, (-2, -1)),
                diff_n,
                (0, 0),
            )
            / RAISED
        )
    ),
    note=f"{_GRADIENT} {_BEYOND}",
)
def sph_harm_y_all(
    n: StaticInt, m: StaticInt, theta: Real, phi: Real, *, diff_n: StaticInt = 0
) -> Array:
    """Spherical harmonics of all degrees up to n and orders up to |m| of both signs.

    With their derivatives up to the order diff_n (at most 2). Each result has two first dimensions,
    of sizes n + 1 and 2|m| + 1, before those of theta and phi; the second runs over the orders
    0, 1, ... |m|, -|m|, ... -1.

    Args:
        n: the highest degree, not negative
        m: the highest order; the sign does not matter
        theta: polar angle (colatitude) in radians, from 0 to pi
        phi: azimuth (longitude) in radians, any real number
        diff_n: the highest order of a derivative in theta and phi that the result has: 0, 1 or 2
    """
    ...


rule(sph_harm_y_all, theta=_of_sph_harm_y_all((1, 0)), phi=_of_sph_harm_y_all((0, 1)))
