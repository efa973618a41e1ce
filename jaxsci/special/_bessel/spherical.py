"""Spherical Bessel functions and Riccati's (DLMF 10.47 to 10.51)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._bessel.kernels import spherical_on_device, vanishing
from jaxsci.special._catalog.decorators import (
    Guard,
    OnHost,
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Ints, Reals
from jaxsci.special._catalog.types import Array, Complex, Int, Real, StaticBool, StaticInt
from jaxsci.special._numerics.static_checks import not_negative

_ORDERS = Ints(0, 20)
_DISC = Complexes(0.05, 40)
_BOTH = ({"derivative": False}, {"derivative": True})
_AT_ZERO = ((0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0))
_SMALL = ((0, 1e-3), (1, 1e-3), (2, 0.5), (0, 30.0))


def _reference(bessel: str) -> str:
    function = f"sqrt(pi/2) / sqrt(t) * {bessel}(n + mpf(1)/2, t)"
    return f"diff(lambda t: {function}, z, 1 if derivative else 0)"


# SciPy's recurrence takes n steps, unless it overflows soon after |z| of them; near 0 it starts
# from an infinity, and does not stop. Of n = -2^63 the derivative's n - 1 would wrap around.
_STEPS = Guard(
    "|n| <= 1e8, or n > 0 and 1e-300 <= |z| <= 1e8",
    lambda n, z, derivative: (
        (abs(n) <= 1e8) | (n > 0) & (n < 2.0**62) & ~(abs(z) > 1e8) & ~(abs(z) < 1e-300)
    ),
    (0, 1.0),
)


def _slope(function: Callable[[Any, Any], Any], sign: int) -> Callable[[Any, Any], Any]:
    """d/dz of f_n by its neighbours, (n f_{n-1} - sign (n+1) f_{n+1})/(2n+1) (DLMF 10.51.1, 4)."""

    def slope(n: jax.Array, z: jax.Array) -> jax.Array:
        below = jnp.where(n > 0, n * function(jnp.maximum(n - 1, 0), z), 0)
        above = (n + 1) * function(n + 1, z)
        difference = below - sign * above
        # Near a pole both overflow; the higher order outweighs.
        return jnp.where(jnp.isnan(difference), -sign * above, difference) / (2 * n + 1)

    return slope


def _derivatives(function: Callable[..., Any], sign: int, flip: int = 1) -> Any:
    """The first derivative, or the second of the function where it is its derivative already."""

    def first(n: jax.Array, z: jax.Array) -> jax.Array:
        return flip * _slope(function, sign)(n, z)

    def second(n: jax.Array, z: jax.Array) -> jax.Array:
        return flip * _slope(first, sign)(n, z)

    return closed(
        "DLMF 10.51.1" if sign > 0 else "DLMF 10.51.4",
        lambda y, n, z, *, derivative: second(n, z) if derivative else first(n, z),
    )


@elementwise(
    source="10.47.3",
    samples=Samples(
        _reference("besselj"), (_ORDERS, _DISC), awkward=(*_AT_ZERO, *_SMALL), statics=_BOTH
    ),
    guard=_STEPS,
    kernel=spherical_on_device.spherical_jn,
    complex_kernel=spherical_on_device.spherical_jn_in_plane,
)
def spherical_jn(n: Int, z: Complex, derivative: StaticBool = False) -> Array:
    """Spherical Bessel function of the first kind, j_n(z), or its derivative in z.

    Args:
        n: order, n >= 0; NaN for n < 0, but for a derivative at z = 0, where SciPy has 0
        z: argument; the function is entire
        derivative: True for the derivative in z, False for the function itself

    Example:
        >>> spherical_jn(2, jnp.array([0.5, 1.5, 2.5]))
        Array([0.01637111, 0.12734928, 0.26006673], dtype=float64)
        >>> print(f"{jax.grad(spherical_jn, argnums=1)(2, 1.5):.6f}")
        0.141474
        >>> print(f"{spherical_jn(2, 1.5, derivative=True):.6f}")
        0.141474
    """
    ...


rule(spherical_jn, z=_derivatives(spherical_jn, 1))


@elementwise(
    source="10.47.4",
    samples=Samples(_reference("bessely"), (_ORDERS, _DISC), awkward=_SMALL, statics=_BOTH),
    guard=_STEPS,
    kernel=spherical_on_device.spherical_yn,
    complex_kernel=spherical_on_device.spherical_yn_in_plane,
)
def spherical_yn(n: Int, z: Complex, derivative: StaticBool = False) -> Array:
    """Spherical Bessel function of the second kind, y_n(z), or its derivative in z.

    Args:
        n: order, n >= 0; NaN for n < 0
        z: argument, not 0; no cut: a real z < 0 has its value by parity
        derivative: True for the derivative in z, False for the function itself

    Example:
        >>> spherical_yn(2, jnp.array([0.5, 1.5, 2.5]))
        Array([-25.05992282,  -1.34571269,  -0.4539045 ], dtype=float64)
        >>> print(f"{jax.grad(spherical_yn, argnums=1)(2, 1.5):.6f}")
        1.994990
    """
    ...


rule(spherical_yn, z=_derivatives(spherical_yn, 1))


@elementwise(
    source="10.47.7",
    samples=Samples(
        _reference("besseli"), (_ORDERS, _DISC), awkward=(*_AT_ZERO, *_SMALL), statics=_BOTH
    ),
    kernel=spherical_on_device.spherical_in,
    complex_kernel=spherical_on_device.spherical_in_in_plane,
)
def spherical_in(n: Int, z: Complex, derivative: StaticBool = False) -> Array:
    """Modified spherical Bessel function of the first kind, i_n(z), or its derivative in z.

    Args:
        n: order, n >= 0; NaN for n < 0, but for a derivative at z = 0, where SciPy has 0
        z: argument; the function is entire
        derivative: True for the derivative in z, False for the function itself

    Example:
        >>> spherical_in(2, jnp.array([0.5, 1.5, 2.5]))
        Array([0.01696636, 0.17566633, 0.6382221 ], dtype=float64)
        >>> print(f"{jax.grad(spherical_in, argnums=1)(2, 1.5):.6f}")
        0.270594
    """
    ...


rule(spherical_in, z=_derivatives(spherical_in, -1))


@elementwise(
    source="10.47.9",
    samples=Samples(_reference("besselk"), (_ORDERS, _DISC), awkward=_SMALL, statics=_BOTH),
    repair=vanishing.repair(vanishing.spherical),
    kernel=spherical_on_device.spherical_kn,
    complex_kernel=spherical_on_device.spherical_kn_in_plane,
)
def spherical_kn(n: Int, z: Complex, derivative: StaticBool = False) -> Array:
    """Modified spherical Bessel function of the second kind, k_n(z), or its derivative in z.

    Args:
        n: order, n >= 0; NaN for n < 0
        z: argument, not 0; no cut: k_0 is (pi/2) exp(-z)/z for a real z < 0 too; NaN for z <
            -698, short of its overflow
        derivative: True for the derivative in z, False for the function itself

    Example:
        >>> spherical_kn(2, jnp.array([0.5, 1.5, 2.5]))
        Array([36.20397303,  1.01253255,  0.13822241], dtype=float64)
        >>> print(f"{jax.grad(spherical_kn, argnums=1)(2, 1.5):.6f}")
        -2.414501
    """
    ...


rule(spherical_kn, z=_derivatives(spherical_kn, -1, flip=-1))


# -- Riccati-Bessel functions ----------------------------------------------------------------------


# Beyond, an integer wraps around and SciPy returns memory that it never wrote.
_WRITTEN = Guard("|x| <= 1e9", lambda x, n: abs(x) <= 1e9, (1.0,))


def _riccati_reference(bessel: str) -> str:
    function = f"sqrt(pi*t/2) * {bessel}(k + mpf(1)/2, t)"
    return "; ".join(
        f"[diff(lambda t: {function}, x, {order}) for k in range(n + 1)]" for order in (0, 1)
    )


def _riccati_derivatives(function: Callable[..., Any]) -> Any:
    """(x f)' = f + x f' and (x f)'' = 2 f' + x f'', regular where f is."""

    def both(y: Sequence[jax.Array], x: jax.Array, *, n: int) -> tuple[jax.Array, ...]:
        orders, x = jnp.arange(n + 1), jnp.expand_dims(x, -1)
        slope = _slope(function, 1)
        second = _slope(slope, 1)(orders, x)
        return (
            function(orders, x) + x * slope(orders, x),
            2 * slope(orders, x) + x * second,
        )

    return closed("DLMF 10.51.1", both)


_NEAR = 0.1
_TERMS = 5


def _riccati_by_series(
    ys: Sequence[jax.Array], x: jax.Array, *, n: int
) -> tuple[jax.Array, jax.Array]:
    """Of small x, x j_k(x) and its derivative for k = 0 ... n (DLMF 10.53.1)."""
    k, x = jnp.arange(n + 1.0), jnp.expand_dims(x, -1)
    power = jnp.cumprod(jnp.where(k == 0, 1.0, x / (2 * k + 1)), axis=-1)  # x^k/(2k + 1)!!
    term = value = slope = jnp.ones_like(power)
    for m in range(1, _TERMS + 1):
        term = term * (-x * x / 2) / (m * (2 * k + 2 * m + 1))
        value, slope = value + term, slope + term * (k + 1 + 2 * m) / (k + 1)
    return power * x * value, power * (k + 1) * slope


@elementwise(
    source="Abramowitz & Stegun (1964) 10.3.1",
    samples=Samples(
        _riccati_reference("besselj"),
        (Reals(0.1, 30),),
        awkward=((0.0,), (1e-3,)),
        statics=({"n": 0}, {"n": 1}, {"n": 5}),
    ),
    outputs=("S", "S'"),
    host=OnHost(core="(k),(k)", sizes=lambda n: {"k": n + 1}, batched=False),
    check=not_negative,
    guard=_WRITTEN,
    repair=Repair(
        f"0 < |x| < {_NEAR:g}",
        lambda ys, x, *, n: (x != 0) & (jnp.abs(x) < _NEAR),
        _riccati_by_series,
        results=(0, 1),
    ),
)
def riccati_jn(n: StaticInt, x: Real) -> tuple[Array, Array]:
    """Riccati-Bessel functions of the first kind, x j_k(x) for k = 0 ... n, and derivatives.

    Both results have a last dimension of size n + 1, after x's own.

    Args:
        n: largest order, 0 or more; ValueError if negative
        x: argument, any real number

    Example:
        >>> x = jnp.array([1.5, 2.5])
        >>> S, dS = riccati_jn(2, x)
        >>> S
        Array([[0.99749499, 0.59425946, 0.19102393],
               [0.59847214, 1.04053247, 0.65016682]], dtype=float64)
        >>> jax.jvp(lambda x: riccati_jn(2, x)[0], (x,), (jnp.ones(2),))[1]  # dS
        Array([[ 0.0707372 ,  0.60132202,  0.33956089],
               [-0.80114362,  0.18225915,  0.52039901]], dtype=float64)
    """
    ...


rule(riccati_jn, x=_riccati_derivatives(spherical_jn))


def _of_riccati_yn(y: Sequence[jax.Array], x: jax.Array, *, n: int) -> tuple[jax.Array, ...]:
    """C_k' = x y_{k-1} - k y_k, and C_k'' by the differential equation: near the pole none cancels.

    C_0 is -cos x, also at 0.
    """
    k, x = jnp.arange(n + 1), jnp.expand_dims(x, -1)
    value = spherical_yn(k, x)
    slope = x * spherical_yn(jnp.maximum(k - 1, 0), x) - k * value
    second = k * (k + 1) / x * value - x * value
    return jnp.where(k == 0, jnp.sin(x), slope), jnp.where(k == 0, jnp.cos(x), second)


@elementwise(
    source="Abramowitz & Stegun (1964) 10.3.1",
    samples=Samples(
        _riccati_reference("bessely"),
        (Reals(0.1, 30),),
        awkward=((1e-2,),),
        statics=({"n": 0}, {"n": 1}, {"n": 5}),
    ),
    outputs=("C", "C'"),
    host=OnHost(core="(k),(k)", sizes=lambda n: {"k": n + 1}, batched=False),
    check=not_negative,
    guard=_WRITTEN,
)
def riccati_yn(n: StaticInt, x: Real) -> tuple[Array, Array]:
    """Riccati-Bessel functions of the second kind, x y_k(x) for k = 0 ... n, and derivatives.

    Both results have a last dimension of size n + 1, after x's own.

    Args:
        n: largest order, 0 or more; ValueError if negative
        x: argument, x > 0; below 1e-60, and so for every x < 0, SciPy has -1e300 for C and
            1e300 for C', but -1 and 0 of order 0

    Example:
        >>> C, dC = riccati_yn(2, jnp.array([1.5, 2.5]))
        >>> C
        Array([[-0.0707372 , -1.04465312, -2.01856904],
               [ 0.80114362, -0.2780147 , -1.13476125]], dtype=float64)
    """
    ...


rule(riccati_yn, x=closed("DLMF 10.51.2, 10.47.1", _of_riccati_yn))
