"""Bessel functions of integer order and real argument (DLMF 10.2 to 10.6, 10.25 to 10.29)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction
from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._bessel.kernels import (
    cylinder_on_device,
    ends_of_range,
    integer_order_on_device,
    integer_orders,
    modified_on_device,
    slopes,
    vanishing,
)
from jaxsci.special._bessel.real_order import (
    INTEGER_STEPS,
    k_higher,
    y_higher,
)
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.types import Array, Int, Real

_LINE = Reals(-60, 60)
_HALF_LINE = Reals(0.05, 60)
_ORDERS = Ints(-10, 20)
_ENTIRE = ((0.0,), (1e-8,), (-1e-3,), (1e3,), (-25.0,))
_POSITIVE = ((1e-8,), (1e-3,), (300.0,))
_SCALED = ((1e-8,), (1e-3,), (20.0,), (1e3,), (1e6,), (1e10,))


@elementwise(
    source="10.2.2",
    samples=Samples("besselj(0, x)", (_LINE,), awkward=_ENTIRE),
    kernel=cylinder_on_device.j0,
)
def j0(x: Real) -> Array:
    """Bessel function of the first kind of order 0, J_0(x).

    Args:
        x: argument, any real number

    Example:
        >>> j0(jnp.array([0.0, 1.0, 2.0]))
        Array([1.        , 0.76519769, 0.22389078], dtype=float64)
        >>> print(f"{jax.grad(j0)(1.0):.6f}")  # -J_1
        -0.440051
    """
    ...


rule(j0, x=in_single(4, closed("DLMF 10.6.3", lambda y, x: -j1(x))))


@elementwise(
    source="10.2.2",
    samples=Samples("besselj(1, x)", (_LINE,), awkward=_ENTIRE),
    kernel=cylinder_on_device.j1,
)
def j1(x: Real) -> Array:
    """Bessel function of the first kind of order 1, J_1(x).

    Args:
        x: argument, any real number

    Example:
        >>> j1(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.44005059, 0.57672481], dtype=float64)
        >>> airy_disk = lambda x: (2 * j1(x) / x) ** 2
        >>> print(f"{airy_disk(1.616340):.6f}")  # half of the intensity in its middle
        0.500000
        >>> print(f"{jax.grad(airy_disk)(1.616340):.6f}")
        -0.456775
    """
    ...


rule(j1, x=closed("DLMF 10.6.2", lambda y, x: _of_order_one(_j1_slope, y, x)))


@elementwise(
    source="10.2.3",
    samples=Samples("bessely(0, x)", (_HALF_LINE,), awkward=_POSITIVE),
    kernel=cylinder_on_device.y0,
)
def y0(x: Real) -> Array:
    """Bessel function of the second kind of order 0, Y_0(x).

    Args:
        x: argument, x > 0; -inf at 0, and NaN for x < 0

    Example:
        >>> y0(jnp.array([0.0, 1.0, 2.0]))
        Array([      -inf, 0.08825696, 0.51037567], dtype=float64)
        >>> print(f"{jax.grad(y0)(1.0):.6f}")  # -Y_1
        0.781213
    """
    ...


rule(y0, x=in_single(4, closed("DLMF 10.6.3", lambda y, x: -y1(x))))


@elementwise(
    source="10.2.3",
    samples=Samples("bessely(1, x)", (_HALF_LINE,), awkward=_POSITIVE),
    kernel=cylinder_on_device.y1,
)
def y1(x: Real) -> Array:
    """Bessel function of the second kind of order 1, Y_1(x).

    Args:
        x: argument, x > 0; -inf at 0, and NaN for x < 0

    Example:
        >>> y1(jnp.array([0.0, 1.0, 2.0]))
        Array([       -inf, -0.78121282, -0.10703243], dtype=float64)
        >>> print(f"{jax.grad(y1)(1.0):.6f}")  # Y_0(x) - Y_1(x)/x
        0.869470
    """
    ...


rule(y1, x=closed("DLMF 10.6.2", lambda y, x: _of_order_one(_y1_slope, y, x)))


def _yn_slope(y: jax.Array, n: jax.Array, x: jax.Array) -> jax.Array:
    # Y_{-n} = (-1)^n Y_n
    turned = jnp.where((n < 0) & (n % 2 != 0), -1, 1)
    return turned * _of_positive_order(turned * y, jnp.abs(n), x)


@elementwise(
    source="10.2.3",
    samples=Samples(
        "bessely(n, x)", (_ORDERS, _HALF_LINE), awkward=((0, 1e-3), (-3, 2.0), (1, 300.0))
    ),
    guard=INTEGER_STEPS,
    repair=ends_of_range.of_y(),
    kernel=integer_order_on_device.yn,
)
def yn(n: Int, x: Real) -> Array:
    """Bessel function of the second kind of integer order, Y_n(x).

    Args:
        n: order, any integer
        x: argument, x > 0; infinite at 0, and NaN for x < 0

    Example:
        >>> yn(3, jnp.array([1.0, 2.0]))
        Array([-5.82151761, -1.12778378], dtype=float64)
        >>> print(f"{jax.grad(yn, argnums=1)(3, 2.0):.6f}")
        1.074268
    """
    ...


_of_positive_order = slopes.first_derivative(
    slopes.singular(lambda m, x: jnp.where(m < 0, -1, 1) * yn(jnp.abs(m), x)), y_higher
)

rule(yn, x=closed("DLMF 10.6.2", _yn_slope))


@elementwise(
    source="10.25.2",
    samples=Samples("besseli(0, x)", (_LINE,), awkward=((0.0,), (1e-8,), (-1e-3,), (-25.0,))),
    kernel=modified_on_device.i0,
)
def i0(x: Real) -> Array:
    """Modified Bessel function of the first kind of order 0, I_0(x).

    Args:
        x: argument, any real number; overflows to inf for |x| > 709.7, where `i0e` goes on

    Example:
        >>> i0(jnp.array([0.0, 1.0, 2.0]))
        Array([1.        , 1.26606588, 2.2795853 ], dtype=float64)
        >>> log_norm = lambda kappa: jnp.log(i0(kappa))  # of the von Mises distribution
        >>> print(f"{jax.grad(log_norm)(2.0):.6f}")  # its mean resultant length
        0.697775
    """
    ...


rule(i0, x=in_single(4, closed("DLMF 10.29.3", lambda y, x: i1(x))))


@elementwise(
    source="10.25.2",
    samples=Samples("besseli(1, x)", (_LINE,), awkward=((0.0,), (1e-8,), (-1e-3,), (-25.0,))),
    kernel=modified_on_device.i1,
)
def i1(x: Real) -> Array:
    """Modified Bessel function of the first kind of order 1, I_1(x).

    Args:
        x: argument, any real number; overflows for |x| > 709.7, where `i1e` goes on

    Example:
        >>> i1(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.5651591 , 1.59063685], dtype=float64)
        >>> print(f"{jax.grad(i1)(1.0):.6f}")  # I_0(x) - I_1(x)/x
        0.700907
    """
    ...


rule(i1, x=closed("DLMF 10.29.2", lambda y, x: _of_order_one(_i1_slope, y, x)))


@elementwise(
    source="10.25.3",
    samples=Samples("besselk(0, x)", (_HALF_LINE,), awkward=_POSITIVE),
    kernel=modified_on_device.k0,
)
def k0(x: Real) -> Array:
    """Modified Bessel function of the second kind of order 0, K_0(x).

    Args:
        x: argument, x > 0; inf at 0, and NaN for x < 0

    Example:
        >>> k0(jnp.array([0.0, 1.0, 2.0]))
        Array([       inf, 0.42102444, 0.11389387], dtype=float64)
        >>> print(f"{jax.grad(k0)(1.0):.6f}")  # -K_1
        -0.601907
    """
    ...


rule(k0, x=in_single(4, closed("DLMF 10.29.3", lambda y, x: -k1(x))))


@elementwise(
    source="10.25.3",
    samples=Samples("besselk(1, x)", (_HALF_LINE,), awkward=_POSITIVE),
    kernel=modified_on_device.k1,
)
def k1(x: Real) -> Array:
    """Modified Bessel function of the second kind of order 1, K_1(x).

    Args:
        x: argument, x > 0; inf at 0, and NaN for x < 0

    Example:
        >>> k1(jnp.array([0.0, 1.0, 2.0]))
        Array([       inf, 0.60190723, 0.13986588], dtype=float64)
        >>> print(f"{jax.grad(k1)(1.0):.6f}")  # -K_0(x) - K_1(x)/x
        -1.022932
    """
    ...


rule(k1, x=closed("DLMF 10.29.2", lambda y, x: _of_order_one(_k1_slope, y, x)))


@elementwise(
    source="10.25.3",
    samples=Samples(
        "besselk(n, x)", (_ORDERS, _HALF_LINE), awkward=((0, 1e-3), (-3, 2.0), (1, 300.0))
    ),
    repair=ends_of_range.of_k(vanishing.repair(vanishing.macdonald)),
    kernel=integer_order_on_device.kn,
)
def kn(n: Int, x: Real) -> Array:
    """Modified Bessel function of the second kind of integer order, K_n(x).

    Args:
        n: order, any integer; K_{-n} = K_n
        x: argument, x > 0; inf at 0, and NaN for x < 0

    Example:
        >>> kn(3, jnp.array([1.0, 2.0]))
        Array([7.10126282, 0.64738539], dtype=float64)
        >>> print(f"{jax.grad(kn, argnums=1)(3, 2.0):.6f}")
        -1.224838
    """
    ...


rule(kn, x=closed("DLMF 10.29.2", lambda y, n, x: _kn_slope(y, n * 1.0, x)))

_SIGN = "At x = 0 the derivative is that of the unscaled function (sign(0) = 0)."


@elementwise(
    source="10.25.2",
    samples=Samples("exp(-abs(x)) * besseli(0, x)", (_LINE,), awkward=((0.0,), *_SCALED, (-1e4,))),
    note=_SIGN,
    kernel=modified_on_device.i0e,
)
def i0e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 0, I_0(x) exp(-|x|).

    Args:
        x: argument, any real number

    Example:
        >>> i0e(jnp.array([1.0, 1000.0, 1e10]))
        Array([4.65759608e-01, 1.26172405e-02, 3.98942280e-06], dtype=float64)
        >>> log_i0 = lambda x: jnp.log(i0e(x)) + x
        >>> print(f"{jax.grad(log_i0)(1000.0):.6f}")  # I_0 itself has overflowed there
        0.999500
    """
    ...


rule(i0e, x=closed("DLMF 10.29.5, 10.40.1", lambda y, x: _i0e_derivative(x, n=1)))


@elementwise(
    source="10.25.2",
    samples=Samples("exp(-abs(x)) * besseli(1, x)", (_LINE,), awkward=((0.0,), *_SCALED, (-1e4,))),
    note=_SIGN,
    kernel=modified_on_device.i1e,
)
def i1e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 1, I_1(x) exp(-|x|).

    Args:
        x: argument, any real number

    Example:
        >>> i1e(jnp.array([1.0, 1000.0, 1e10]))
        Array([2.07910415e-01, 1.26109303e-02, 3.98942280e-06], dtype=float64)
        >>> print(f"{jax.grad(lambda x: i1e(x) / i0e(x))(1000.0):.6e}")
        5.002504e-07
    """
    ...


rule(i1e, x=closed("DLMF 10.29.5, 10.40.1", lambda y, x: _i1e_derivative(x, n=1)))


@elementwise(
    source="10.25.3",
    samples=Samples("exp(x) * besselk(0, x)", (_HALF_LINE,), awkward=_SCALED),
    kernel=modified_on_device.k0e,
)
def k0e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 0, K_0(x) exp(x).

    Args:
        x: argument, x > 0; inf at 0, and NaN for x < 0

    Example:
        >>> k0e(jnp.array([1.0, 1000.0, 1e10]))
        Array([1.14446308e+00, 3.96283216e-02, 1.25331414e-05], dtype=float64)
        >>> print(f"{jax.grad(k0e)(1.0):.6f}")  # K_0e - K_1e
        -0.491690
    """
    ...


rule(k0e, x=closed("DLMF 10.29.5, 10.40.2", lambda y, x: _k0e_derivative(x, n=1)))


@elementwise(
    source="10.25.3",
    samples=Samples("exp(x) * besselk(1, x)", (_HALF_LINE,), awkward=_SCALED),
    kernel=modified_on_device.k1e,
)
def k1e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 1, K_1(x) exp(x).

    Args:
        x: argument, x > 0; inf at 0, and NaN for x < 0

    Example:
        >>> k1e(jnp.array([1.0, 1000.0, 1e10]))
        Array([1.63615349e+00, 3.96481308e-02, 1.25331414e-05], dtype=float64)
        >>> print(f"{jax.grad(k1e)(1.0):.6f}")
        -1.144463
    """
    ...


rule(k1e, x=closed("DLMF 10.29.5, 10.40.2", lambda y, x: _k1e_derivative(x, n=1)))


def _of_order_one(slope: Any, y: jax.Array, x: jax.Array) -> jax.Array:
    return slope(y, jnp.ones_like(x), x)


def _with_order(function: NativeFunction) -> Callable[..., Any]:
    """The derivatives of a function of order 1 as those of order and argument."""
    return lambda v, z, *, n, m=0: function(z, n=n)


_jn_of_integer = integer_orders.vanishing(j0, j1, -1)
_yn_of_integer = integer_orders.growing(y0, y1, -1)
_in_of_integer = integer_orders.vanishing(i0, i1, 1)
_kn_of_integer = integer_orders.growing(k0, k1, 1)
_j1_higher = integer_orders.derivatives(1, _jn_of_integer, slopes.alternating)
_y1_higher = integer_orders.derivatives(1, _yn_of_integer, slopes.alternating)
_i1_higher = integer_orders.derivatives(1, _in_of_integer, slopes.positive)
_k1_higher = integer_orders.derivatives(1, _kn_of_integer, slopes.of_order)
_ine_of_integer = integer_orders.vanishing(i0e, i1e, 1, lambda z: jnp.exp(-jnp.abs(z)))
_kne_of_integer = integer_orders.growing(k0e, k1e, 1)
_i0e_derivative = integer_orders.of_scaled_i(0, _ine_of_integer)
_i1e_derivative = integer_orders.of_scaled_i(1, _ine_of_integer)
_k0e_derivative = integer_orders.of_scaled_k(0, _kne_of_integer)
_k1e_derivative = integer_orders.of_scaled_k(1, _kne_of_integer)

# The neighbour of order 0 is the cheapest: C_1' = C_0 - C_1/x.
_j1_slope = slopes.first_derivative(slopes.order_one(j0, 1, -1), _with_order(_j1_higher))
_y1_slope = slopes.first_derivative(slopes.order_one(y0, 1, -1), _with_order(_y1_higher))
_i1_slope = slopes.first_derivative(slopes.order_one(i0, 1, -1), _with_order(_i1_higher))
_k1_slope = slopes.first_derivative(slopes.order_one(k0, -1, -1), _with_order(_k1_higher))
_kn_slope = slopes.first_derivative(slopes.decaying(kn), k_higher)
