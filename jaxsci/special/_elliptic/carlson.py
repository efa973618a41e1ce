"""Carlson's symmetric elliptic integrals (DLMF 19.15 to 19.29)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import Closed, closed
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex
from jaxsci.special._elliptic.kernels import carlson_in_plane, carlson_on_device, duplication
from jaxsci.special._numerics.nth_derivative import derivative

_POSITIVE = Reals(1e-4, 1e4, log=True)
_PLANE = Complexes(0.01, 20)
_ALIKE = ((1.0, 1.0, 1.0), (2.0, 2.0, 5.0), (0.5, 3.0, 0.5), (4.0, 0.25, 0.25))
_NEARLY = ((1.0, 1.0 + 1e-9, 1.0 - 1e-9), (3.0, 3.0, 3.0 + 1e-14))
_SPREAD = ((1e-12, 1.0, 1e12), (1e8, 1e-8, 1e-8), (1e-8, 1e8, 1e8))
_COMPLEX = ((1 + 2j, 1 - 2j, 3 + 0j), (-1 + 0.5j, 2 + 0j, 1j), (1j, 1j, 1j))


def _is_negative(x: jax.Array) -> jax.Array:
    return (x.real < 0) & (x.imag == 0)


def _rc_in_x(y_: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    cut = _is_negative(y)
    plain = -elliprd(*_some(cut, y, y, x)) / 6
    # Nothing cancels here: x and y have different signs.
    across = (elliprc(x, y) - 1 / jnp.sqrt(x)) / (2 * jnp.where(cut, y - x, 1.0))
    return jnp.where(cut, across, plain)


def _rc_in_y(y_: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    cut = _is_negative(y)
    plain = -elliprd(*_some(cut, x, y, y)) / 3
    below = jnp.where(cut, y, 1.0)
    across = (elliprc(x, y) - jnp.sqrt(x) / below) / (2 * jnp.where(cut, x - y, 1.0))
    return jnp.where(cut, across, plain)


def _some(skipped: jax.Array, *args: jax.Array) -> list[jax.Array]:
    """The arguments, or ones where the result is not wanted."""
    return [jnp.where(skipped, 1.0, x) for x in args]


@elementwise(
    source="19.2.17",
    samples=Samples(
        "principal_rc(x, y)",
        (_PLANE, Complexes(0.01, 20, negative=True)),
        awkward=(
            (1.0, 1.0),
            (1.0, 1.0 + 1e-9),
            (1e-12, 3.0),
            (1e9, 1e-9),
            (1j, 1j),
            (2 + 1j, 2 + 1.000001j),
        ),
    ),
    note="For negative y this is Cauchy's principal value.",
    kernel=carlson_on_device.elliprc,
    complex_kernel=carlson_in_plane.elliprc,
)
def elliprc(x: Complex, y: Complex) -> Array:
    """Carlson's degenerate elliptic integral R_C(x, y) = R_F(x, y, y).

    Args:
        x: any number, 0 included; NaN on the negative real axis, which is the cut
        y: any number but 0, where SciPy has NaN; the cut is the negative real axis

    Example:
        >>> elliprc(jnp.array([0.0, 1.0, 2.25]), jnp.array([0.25, 2.0, 2.0]))  # pi, pi/4 and log(2)
        Array([3.14159265, 0.78539816, 0.69314718], dtype=float64)
        >>> print(f"{jax.grad(elliprc)(1.0, 2.0):.6f}")
        -0.107301
    """
    ...


rule(
    elliprc,
    x=closed("DLMF 19.18, 19.2.20", _rc_in_x),
    y=closed("DLMF 19.18, 19.2.20", _rc_in_y),
)


def _slope(
    function: Callable[..., Any],
    args: Sequence[jax.Array],
    i: int,
    power: Callable[..., jax.Array],
) -> jax.Array:
    """The derivative of a function of `duplication` in its argument i, infinite where that is 0.

    Args:
        function: the function.
        args: its arguments.
        i: the argument's number.
        power: of the other arguments, what multiplies -x^(-1/2) next to x = 0, up to a positive
            number: further derivatives there are infinite too, and their signs are those of its.
    """
    x = args[i]
    zero = x == 0
    off = duplication.slope(function, [*args[:i], jnp.where(zero, 1.0, x), *args[i + 1 :]], i)
    if any(jnp.iscomplexobj(t) for t in args):
        return jnp.where(zero, -jnp.inf, off)
    others = (jnp.where(zero & (t != 0), t, 1.0) for k, t in enumerate(args) if k != i)
    at_zero = -power(*others) * jax.lax.rsqrt(jnp.where(zero, x, 1.0))
    return jnp.where(zero, at_zero, off)


def _rd_in(i: int) -> Closed:
    """A derivative by duplication, which is exact at each step."""

    def power(one: jax.Array, last: jax.Array) -> jax.Array:
        return jax.lax.rsqrt(one * last) / (1.0 if i == 2 else last)

    return closed("DLMF 19.26", lambda y, *args: _slope(duplication.rd, args, i, power))


@elementwise(
    source="19.16.5",
    samples=Samples(
        "elliprd(x, y, z)",
        (_POSITIVE, _POSITIVE, _PLANE),
        awkward=(*_ALIKE, *_NEARLY, *_SPREAD, *_COMPLEX),
    ),
    kernel=carlson_on_device.elliprd,
    complex_kernel=carlson_in_plane.elliprd,
)
def elliprd(x: Complex, y: Complex, z: Complex) -> Array:
    """Carlson's elliptic integral of the second kind, R_D(x, y, z) = R_J(x, y, z, z).

    Args:
        x: any number; NaN on the negative real axis, which is the cut. One of x and y may be 0, and
            with both the value is infinite
        y: as x, with which it may be exchanged
        z: as x, but not 0, where the value is infinite

    Example:
        >>> a, b, c = 3.0, 2.0, 1.0  # an ellipsoid, and its demagnetizing factor along c
        >>> print(f"{a * b * c / 3 * elliprd(a**2, b**2, c**2):.6f}")
        0.576545
        >>> print(f"{jax.grad(elliprd, 2)(9.0, 4.0, 1.0):.6f}")
        -0.211085
    """
    ...


rule(elliprd, x=_rd_in(0), y=_rd_in(1), z=_rd_in(2))


@elementwise(
    source="19.16.1",
    samples=Samples(
        "elliprf(x, y, z)",
        (_POSITIVE, _POSITIVE, _PLANE),
        awkward=(*_ALIKE, *_NEARLY, *_SPREAD, *_COMPLEX),
    ),
    kernel=carlson_on_device.elliprf,
    complex_kernel=carlson_in_plane.elliprf,
)
def elliprf(x: Complex, y: Complex, z: Complex) -> Array:
    """Carlson's completely symmetric elliptic integral of the first kind, R_F(x, y, z).

    It is half the integral of 1/sqrt((t + x)(t + y)(t + z)) over t from 0 to infinity.

    Args:
        x: any number; NaN on the negative real axis, which is the cut. One of the three may be 0,
            and with two of them the value is infinite
        y: as x, with which it may be exchanged
        z: as x, with which it may be exchanged

    Example:
        >>> elliprf(0.0, 1 - jnp.array([0.0, 0.5]), 1.0)  # K(m), as ellipk has it
        Array([1.57079633, 1.85407468], dtype=float64)
        >>> print(f"{1 / elliprf(9.0, 4.0, 1.0):.6f}")  # capacitance of an ellipsoid / 4 pi eps_0
        1.966009
        >>> print(f"{jax.grad(elliprf)(9.0, 4.0, 1.0):.6f}")
        -0.013025
    """
    ...


rule(
    elliprf,
    x=closed("DLMF 19.18.1", lambda v, x, y, z: -elliprd(y, z, x) / 6),
    y=closed("DLMF 19.18.1", lambda v, x, y, z: -elliprd(z, x, y) / 6),
    z=closed("DLMF 19.18.1", lambda v, x, y, z: -elliprd(x, y, z) / 6),
)


@elementwise(
    source="19.16.3",
    samples=Samples(
        "elliprg(x, y, z)",
        (_POSITIVE, _POSITIVE, _PLANE),
        awkward=(*_ALIKE, *_NEARLY, *_SPREAD, *_COMPLEX),
    ),
    kernel=carlson_on_device.elliprg,
    complex_kernel=carlson_in_plane.elliprg,
)
def elliprg(x: Complex, y: Complex, z: Complex) -> Array:
    """Carlson's completely symmetric elliptic integral of the second kind, R_G(x, y, z).

    Args:
        x: any number, 0 included; NaN on the negative real axis, which is the cut
        y: as x, with which it may be exchanged
        z: as x, with which it may be exchanged

    Example:
        >>> print(f"{8 * elliprg(0.0, 9.0, 4.0):.6f}")  # perimeter of an ellipse
        15.865440
        >>> def area(a, b, c):  # of an ellipsoid
        ...     return 4 * jnp.pi * elliprg((a * b) ** 2, (a * c) ** 2, (b * c) ** 2)
        >>> print(f"{area(3.0, 2.0, 1.0):.6f} {jax.grad(area)(3.0, 2.0, 1.0):.6f}")
        48.882146 14.443508
    """
    ...


rule(
    elliprg,
    x=closed("DLMF 19.18", lambda v, x, y, z: _slope_of_rg(x, y, z)),
    y=closed("DLMF 19.18", lambda v, x, y, z: _slope_of_rg(y, z, x)),
    z=closed("DLMF 19.18", lambda v, x, y, z: _slope_of_rg(z, x, y)),
)


def _rj_in(i: int) -> Closed:
    def power(one: jax.Array, other: jax.Array, p: jax.Array) -> jax.Array:
        return jax.lax.rsqrt(one * other) / p

    def in_argument(function: Any, args: Sequence[jax.Array]) -> jax.Array:
        if i == 3:
            return duplication.slope(function, args, i)
        return _slope(function, args, i, power)

    def slope(y: jax.Array, *args: jax.Array) -> jax.Array:
        if not any(jnp.iscomplexobj(x) for x in args):
            return in_argument(duplication.rj_of_either_sign, args)
        # On its cut the value is a mean of both sides, which is no holomorphic function.
        cut = _is_negative(args[3])
        off = in_argument(duplication.rj, [*args[:3], jnp.where(cut, 1.0, args[3])])
        return jnp.where(cut, jnp.nan, off)

    return closed("DLMF 19.26, 19.20.14", slope)


@elementwise(
    source="19.16.2",
    samples=Samples(
        "principal_rj(x, y, z, p)",
        (_POSITIVE, _POSITIVE, _POSITIVE, Complexes(0.01, 20, negative=True)),
        awkward=(
            *((*point, 2.0) for point in _ALIKE),
            *((*point, 1.0) for point in _NEARLY),
            (1.0, 2.0, 3.0, 2.0 + 1e-9),
            (1.0, 2.0, 3.0, 1e-9),
            (1.0, 2.0, 3.0, 1e9),
            (1e-8, 1e8, 1.0, 1.0),
            (1 + 2j, 1 - 2j, 3 + 0j, 1 + 1j),
        ),
    ),
    note="For negative p this is Cauchy's principal value, whose derivatives are NaN where an "
    "argument is of complex type. SciPy gives NaN for complex arguments "
    "for which its algorithm is not known to converge.",
    kernel=carlson_on_device.elliprj,
    complex_kernel=carlson_in_plane.elliprj,
)
def elliprj(x: Complex, y: Complex, z: Complex, p: Complex) -> Array:
    """Carlson's symmetric elliptic integral of the third kind, R_J(x, y, z, p).

    Args:
        x: any number; NaN on the negative real axis, which is the cut. One of x, y, z may be 0, and
            with two of them the value is infinite
        y: as x, with which it may be exchanged
        z: as x, with which it may be exchanged
        p: any number but 0, where SciPy has NaN

    Example:
        >>> m, n = 0.5, 0.25  # complete elliptic integral of the third kind, Pi(n, m)
        >>> print(f"{elliprf(0.0, 1 - m, 1.0) + n / 3 * elliprj(0.0, 1 - m, 1.0, 1 - n):.6f}")
        2.167619
        >>> print(f"{jax.grad(elliprj, 3)(1.0, 2.0, 3.0, 4.0):.6f}")
        -0.040745
    """
    ...


rule(elliprj, x=_rj_in(0), y=_rj_in(1), z=_rj_in(2), p=_rj_in(3))


# -- derivatives -----------------------------------------------------------------------------------


def _of_rg(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """d/dx R_G(x, y, z)."""
    zero = x == 0
    with_x = jnp.where(zero, 0.0, x * elliprd(y, z, jnp.where(zero, 1.0, x)) / 3)
    return (elliprf(x, y, z) - with_x) / 4


@native()
def _slope_of_rg(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """The same, with derivatives that keep their digits for arguments of different sizes."""
    return _of_rg(x, y, z)


def _rg_in_two(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """d^2/dx dy R_G(x, y, z).

    Of the two terms of d/dx R_G the derivatives in a small y are large, and cancel. The equation of
    Euler and Poisson has a difference of first derivatives, which cancels where x and y are close.
    """
    apart = jnp.abs(x - y) > jnp.maximum(jnp.abs(x), jnp.abs(y)) / 2
    difference = _slope_of_rg(x, y, z) - _slope_of_rg(y, x, z)
    euler_poisson = difference / (2 * jnp.where(apart, x - y, 1.0))
    return jnp.where(apart, euler_poisson, derivative(lambda y: _of_rg(x, y, z), 1)(y))


_slope_of_rg.partials(
    x=closed("DLMF 19.18.1", lambda v, x, y, z: derivative(lambda x: _of_rg(x, y, z), 1)(x)),
    y=closed("DLMF 19.18.13", lambda v, x, y, z: _rg_in_two(x, y, z)),
    z=closed("DLMF 19.18.13", lambda v, x, y, z: _rg_in_two(x, z, y)),
)
