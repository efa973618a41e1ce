"""Bessel functions of integer order and real argument (DLMF 10.2 to 10.6, 10.25 to 10.29)."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from jaxsci._catalog import elementwise, rule
from jaxsci._derive import closed
from jaxsci._domains import Ints, Reals
from jaxsci._types import Array, Int, Real
from jaxsci.special._bessel import iv, jv
from jaxsci.special._bessel_scaled import ive_derivative, kve_derivative

_LINE = Reals(-60, 60)
_HALF_LINE = Reals(0.05, 60)
_ORDERS = Ints(-10, 20)
_ENTIRE = ((0.0,), (1e-8,), (-1e-3,), (1e3,), (-25.0,))
_POSITIVE = ((1e-8,), (1e-3,), (300.0,))
_SCALED = ((1e-8,), (1e-3,), (20.0,), (1e3,), (1e6,), (1e10,))


@elementwise(dlmf="10.2.2", reference="besselj(0, x)", domain=(_LINE,), awkward=_ENTIRE)
def j0(x: Real) -> Array:
    """Bessel function of the first kind of order 0, J_0(x)."""
    ...


@elementwise(dlmf="10.2.2", reference="besselj(1, x)", domain=(_LINE,), awkward=_ENTIRE)
def j1(x: Real) -> Array:
    """Bessel function of the first kind of order 1, J_1(x)."""
    ...


@elementwise(dlmf="10.2.3", reference="bessely(0, x)", domain=(_HALF_LINE,), awkward=_POSITIVE)
def y0(x: Real) -> Array:
    """Bessel function of the second kind of order 0, Y_0(x)."""
    ...


@elementwise(dlmf="10.2.3", reference="bessely(1, x)", domain=(_HALF_LINE,), awkward=_POSITIVE)
def y1(x: Real) -> Array:
    """Bessel function of the second kind of order 1, Y_1(x)."""
    ...


@elementwise(
    dlmf="10.2.3",
    reference="bessely(n, x)",
    domain=(_ORDERS, _HALF_LINE),
    awkward=((0, 1e-3), (-3, 2.0), (1, 300.0)),
)
def yn(n: Int, x: Real) -> Array:
    """Bessel function of the second kind of integer order, Y_n(x)."""
    ...


@elementwise(
    dlmf="10.25.2",
    reference="besseli(0, x)",
    domain=(_LINE,),
    awkward=((0.0,), (1e-8,), (-1e-3,), (-25.0,)),
)
def i0(x: Real) -> Array:
    """Modified Bessel function of the first kind of order 0, I_0(x)."""
    ...


@elementwise(
    dlmf="10.25.2",
    reference="besseli(1, x)",
    domain=(_LINE,),
    awkward=((0.0,), (1e-8,), (-1e-3,), (-25.0,)),
)
def i1(x: Real) -> Array:
    """Modified Bessel function of the first kind of order 1, I_1(x)."""
    ...


@elementwise(dlmf="10.25.3", reference="besselk(0, x)", domain=(_HALF_LINE,), awkward=_POSITIVE)
def k0(x: Real) -> Array:
    """Modified Bessel function of the second kind of order 0, K_0(x)."""
    ...


@elementwise(dlmf="10.25.3", reference="besselk(1, x)", domain=(_HALF_LINE,), awkward=_POSITIVE)
def k1(x: Real) -> Array:
    """Modified Bessel function of the second kind of order 1, K_1(x)."""
    ...


@elementwise(
    dlmf="10.25.3",
    reference="besselk(n, x)",
    domain=(_ORDERS, _HALF_LINE),
    awkward=((0, 1e-3), (-3, 2.0), (1, 300.0)),
)
def kn(n: Int, x: Real) -> Array:
    """Modified Bessel function of the second kind of integer order, K_n(x)."""
    ...


_SIGN = "At x = 0 the derivative is that of the unscaled function (sign(0) = 0)."


@elementwise(
    dlmf="10.25.2",
    reference="exp(-abs(x)) * besseli(0, x)",
    domain=(_LINE,),
    awkward=((0.0,), *_SCALED, (-1e4,)),
    note=_SIGN,
)
def i0e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 0, I_0(x) exp(-|x|)."""
    ...


@elementwise(
    dlmf="10.25.2",
    reference="exp(-abs(x)) * besseli(1, x)",
    domain=(_LINE,),
    awkward=((0.0,), *_SCALED, (-1e4,)),
    note=_SIGN,
)
def i1e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 1, I_1(x) exp(-|x|)."""
    ...


@elementwise(
    dlmf="10.25.3", reference="exp(x) * besselk(0, x)", domain=(_HALF_LINE,), awkward=_SCALED
)
def k0e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 0, K_0(x) exp(x)."""
    ...


@elementwise(
    dlmf="10.25.3", reference="exp(x) * besselk(1, x)", domain=(_HALF_LINE,), awkward=_SCALED
)
def k1e(x: Real) -> Array:
    """Exponentially scaled modified Bessel function of order 1, K_1(x) exp(x)."""
    ...


def _half_difference(below: Any, above: Any) -> Any:
    """(below - above)/2, where both are the same infinity at x = 0."""
    return jnp.where(jnp.isinf(below) & (below == above), -above, (below - above) / 2)


def _yn_derivative(n: Any, x: Any) -> Any:
    # Y_{-n} = (-1)^n Y_n, and at x = 0 the order of larger modulus outweighs the other.
    turned = jnp.where((n < 0) & (n % 2 != 0), -1, 1)
    m = jnp.abs(n)
    return turned * _half_difference(jnp.where(m == 0, -1, 1) * yn(jnp.abs(m - 1), x), yn(m + 1, x))


rule(j0, x=closed("DLMF 10.6.3", lambda y, x: -j1(x)))
rule(j1, x=closed("DLMF 10.6.1", lambda y, x: (j0(x) - jv(2.0, x)) / 2))
rule(y0, x=closed("DLMF 10.6.3", lambda y, x: -y1(x)))
rule(y1, x=closed("DLMF 10.6.1", lambda y, x: _half_difference(y0(x), yn(2, x))))
rule(yn, x=closed("DLMF 10.6.1", lambda y, n, x: _yn_derivative(n, x)))
rule(i0, x=closed("DLMF 10.29.3", lambda y, x: i1(x)))
rule(i1, x=closed("DLMF 10.29.1", lambda y, x: (i0(x) + iv(2.0, x)) / 2))
rule(k0, x=closed("DLMF 10.29.3", lambda y, x: -k1(x)))
rule(k1, x=closed("DLMF 10.29.1", lambda y, x: -(k0(x) + kn(2, x)) / 2))
rule(kn, x=closed("DLMF 10.29.1", lambda y, n, x: -(kn(n - 1, x) + kn(n + 1, x)) / 2))
rule(i0e, x=closed("DLMF 10.29.5, 10.40.1", lambda y, x: ive_derivative(0.0, x, a=1, b=0)))
rule(i1e, x=closed("DLMF 10.29.5, 10.40.1", lambda y, x: ive_derivative(1.0, x, a=1, b=0)))
rule(k0e, x=closed("DLMF 10.29.5, 10.40.2", lambda y, x: kve_derivative(0.0, x, n=1)))
rule(k1e, x=closed("DLMF 10.29.5, 10.40.2", lambda y, x: kve_derivative(1.0, x, n=1)))
