"""Bessel functions of integer order and real argument (DLMF 10.2 to 10.6, 10.25 to 10.29)."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._bessel.kernels import slopes
from jaxsci.special._bessel.real_order import (
    WHOLE_STEPS,
    i_higher,
    ive_derivative,
    j_higher,
    k_higher,
    kve_derivative,
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
)
def j0(x: Real) -> Array:
    """Bessel function of the first kind of order 0, J_0(x)."""
    ...


rule(j0, x=closed("DLMF 10.6.3", lambda y, x: -j1(x)))


@elementwise(
    source="10.2.2",
    samples=Samples("besselj(1, x)", (_LINE,), awkward=_ENTIRE),
)
def j1(x: Real) -> Array:
    """Bessel function of the first kind of order 1, J_1(x)."""
    ...


rule(j1, x=closed("DLMF 10.6.2", lambda y, x: _of_order_one(_j1_slope, y, x)))


@elementwise(
    source="10.2.3",
    samples=Samples("bessely(0, x)", (_HALF_LINE,), awkward=_POSITIVE),
)
def y0(x: Real) -> Array:
    """Bessel function of the second kind of order 0, Y_0(x)."""
    ...


rule(y0, x=closed("DLMF 10.6.3", lambda y, x: -y1(x)))


@elementwise(
    source="10.2.3",
    samples=Samples("bessely(1, x)", (_HALF_LINE,), awkward=_POSITIVE),
)
def y1(x: Real) -> Array:
    """Bessel function of the second kind of order 1, Y_1(x)."""
    ...


rule(y1, x=closed("DLMF 10.6.2", lambda y, x: _of_order_one(_y1_slope, y, x)))


def _yn_slope(y: Any, n: Any, x: Any) -> Any:
    # Y_{-n} = (-1)^n Y_n
    turned = jnp.where((n < 0) & (n % 2 != 0), -1, 1)
    return turned * _of_positive_order(turned * y, jnp.abs(n), x)


@elementwise(
    source="10.2.3",
    samples=Samples(
        "bessely(n, x)", (_ORDERS, _HALF_LINE), awkward=((0, 1e-3), (-3, 2.0), (1, 300.0))
    ),
    guard=WHOLE_STEPS,
)
def yn(n: Int, x: Real) -> Array:
    """Bessel function of the second kind of integer order, Y_n(x)."""
    ...


_of_positive_order = slopes.first_derivative(
    slopes.singular(lambda m, x: jnp.where(m < 0, -1, 1) * yn(jnp.abs(m), x)), y_higher
)

rule(yn, x=closed("DLMF 10.6.2", _yn_slope))


@elementwise(
    source="10.25.2",
    samples=Samples("besseli(0, x)", (_LINE,), awkward=((0.0,), (1e-8,), (-1e-3,), (-25.0,))),
)
def i0(x: Real) -> Array:
    """Modified Bessel function of the first kind of order 0, I_0(x)."""
    ...


rule(i0, x=closed("DLMF 10.29.3", lambda y, x: i1(x)))


@elementwise(
    source="10.25.2",
    samples=Samples("besseli(1, x)", (_LINE,), awkward=((0.0,), (1e-8,), (-1e-3,), (-25.0,))),
)
def i1(x: Real) -> Array:
    """Modified Bessel function of the first kind of order 1, I_1(x)."""
    ...


rule(i1, x=closed("DLMF 10.29.2", lambda y, x: _of_order_one(_i1_slope, y, x)))


@elementwise(
    source="10.25.3",
    samples=Samples("besselk(0, x)", (_HALF_LINE,), awkward=_POSITIVE),
)
def k0(x: Real) -> Array:
    """Modified Bessel function of the second kind of order 0, K_0(x)."""
    ...


rule(k0, x=closed("DLMF 10.29.3", lambda y, x: -k1(x)))


@elementwise(
    source="10.25.3",
    samples=Samples("besselk(1, x)", (_HALF_LINE,), awkward=_POSITIVE),
)
def k1(x: Real) -> Array:
    """Modified Bessel function of the second kind of order 1, K_1(x)."""
    ...


rule(k1, x=closed("DLMF 10.29.2", lambda y, x: _of_order_one(_k1_slope, y, x)))


@elementwise(
    source="10.25.3",
    samples=Samples(
        "besselk(n, x)", (_ORDERS, _HALF_LINE), awkward=((0, 1e-3), (-3, 2.0), (1, 300.0))
    ),
)
def kn(n: Int, x: Real) -> Array:
    """Modified Bessel function of the second kind of integer order, K_n(x)."""
    ...


rule(kn, x=closed("DLMF 10.29.2", lambda y, n, x: _kn_slope(y, n * 1.0, x)))

_SIGN = "At x = 0 the derivative is that of the unscaled function (sign(0) = 0)."


@elementwise(
    source="10.25.2",
    samples=Samples("exp(-abs(x)) * besseli(0, x)", (_LINE,), awkward=((0.0,), *_SCALED, (-1e4,))),
    note=_SIGN,
)
def i0e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 0, I_0(x) exp(-|x|)."""
    ...


rule(i0e, x=closed("DLMF 10.29.5, 10.40.1", lambda y, x: ive_derivative(0.0, x, a=1, b=0)))


@elementwise(
    source="10.25.2",
    samples=Samples("exp(-abs(x)) * besseli(1, x)", (_LINE,), awkward=((0.0,), *_SCALED, (-1e4,))),
    note=_SIGN,
)
def i1e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 1, I_1(x) exp(-|x|)."""
    ...


rule(i1e, x=closed("DLMF 10.29.5, 10.40.1", lambda y, x: ive_derivative(1.0, x, a=1, b=0)))


@elementwise(
    source="10.25.3",
    samples=Samples("exp(x) * besselk(0, x)", (_HALF_LINE,), awkward=_SCALED),
)
def k0e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 0, K_0(x) exp(x)."""
    ...


rule(k0e, x=closed("DLMF 10.29.5, 10.40.2", lambda y, x: kve_derivative(0.0, x, n=1)))


@elementwise(
    source="10.25.3",
    samples=Samples("exp(x) * besselk(1, x)", (_HALF_LINE,), awkward=_SCALED),
)
def k1e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 1, K_1(x) exp(x)."""
    ...


rule(k1e, x=closed("DLMF 10.29.5, 10.40.2", lambda y, x: kve_derivative(1.0, x, n=1)))


def _of_order_one(slope: Any, y: Any, x: Any) -> Any:
    return slope(y, jnp.ones_like(x), x)


# The neighbour of order 0 is the cheapest: C_1' = C_0 - C_1/x.
_j1_slope = slopes.first_derivative(slopes.order_one(j0, 1, -1), j_higher)
_y1_slope = slopes.first_derivative(slopes.order_one(y0, 1, -1), y_higher)
_i1_slope = slopes.first_derivative(slopes.order_one(i0, 1, -1), i_higher)
_k1_slope = slopes.first_derivative(slopes.order_one(k0, -1, -1), k_higher)
_kn_slope = slopes.first_derivative(slopes.decaying(kn), k_higher)
