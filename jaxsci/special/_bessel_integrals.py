"""Integrals of Bessel functions (DLMF 10.22, 10.43), and the Lambda functions."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from jaxsci._catalog import elementwise, rule
from jaxsci._derive import closed, missing
from jaxsci._domains import Reals
from jaxsci._types import Array, Real, StaticReal
from jaxsci.special._bessel import ORDER
from jaxsci.special._bessel_integer import i0, j0, k0, y0

_HALF_LINE = Reals(0.05, 25)
_SMALL = ((1e-3,), (1.0,), (4.0,))


@elementwise(
    dlmf="10.22.8",
    reference="quad(lambda t: besselj(0, t), linspace(0, x, 9)); "
    "quad(lambda t: bessely(0, t), linspace(0, x, 9))",
    domain=(_HALF_LINE,),
    awkward=_SMALL,
    outputs=("ij0", "iy0"),
    note="SciPy 1.17's second value is off by up to 8e-9 (relative) at some arguments.",
)
def itj0y0(x: Real) -> tuple[Array, Array]:
    """Integrals of J_0(t) and Y_0(t) from 0 to x."""
    ...


@elementwise(
    dlmf="10.22",
    reference="quad(lambda t: (1 - besselj(0, t))/t, linspace(0, x, 9)); -bessely_tail(x)",
    domain=(_HALF_LINE,),
    awkward=_SMALL,
    outputs=("ij0", "iy0"),
)
def it2j0y0(x: Real) -> tuple[Array, Array]:
    """Integrals of (1 - J_0(t))/t from 0 to x, and of Y_0(t)/t from x to infinity."""
    ...


@elementwise(
    dlmf="10.43.1",
    reference="quad(lambda t: besseli(0, t), linspace(0, x, 5)); "
    "quad(lambda t: besselk(0, t), linspace(0, x, 9))",
    domain=(_HALF_LINE,),
    awkward=_SMALL,
    outputs=("ii0", "ik0"),
)
def iti0k0(x: Real) -> tuple[Array, Array]:
    """Integrals of I_0(t) and K_0(t) from 0 to x."""
    ...


@elementwise(
    dlmf="10.43",
    reference="quad(lambda t: (besseli(0, t) - 1)/t, linspace(0, x, 5)); "
    "quad(lambda t: besselk(0, t)/t, [x, 2*x + 1, 2*x + 10, inf])",
    domain=(_HALF_LINE,),
    awkward=_SMALL,
    outputs=("ii0", "ik0"),
    note="SciPy 1.17's second value is off by up to 1.5e-7 (relative) at some arguments.",
)
def it2i0k0(x: Real) -> tuple[Array, Array]:
    """Integrals of (I_0(t) - 1)/t from 0 to x, and of K_0(t)/t from x to infinity."""
    ...


_SERIES_END = 2.0
_SERIES_TERMS = 16


def _one_minus_over(x: Any, function: Any, sign: int) -> Any:
    """(1 - J_0(x))/x (sign -1) or (I_0(x) - 1)/x (sign +1), without their cancellation at 0.

    The power series (DLMF 10.2.2, 10.25.2) is x/4 sum_k (sign x^2/4)^k / ((k+1)!)^2.
    """
    inside = jnp.abs(x) < _SERIES_END
    small = jnp.where(inside, x, 0.0)
    q = sign * small * small / 4
    total = 1.0
    for k in range(_SERIES_TERMS, 0, -1):
        total = 1.0 + total * q / (k + 1) ** 2
    large = jnp.where(inside, _SERIES_END, x)
    return jnp.where(inside, small / 4 * total, sign * (function(large) - 1) / large)


rule(itj0y0, x=closed("fundamental theorem of calculus", lambda y, x: (j0(x), y0(x))))
rule(
    it2j0y0,
    x=closed(
        "fundamental theorem of calculus", lambda y, x: (_one_minus_over(x, j0, -1), -y0(x) / x)
    ),
)
rule(iti0k0, x=closed("fundamental theorem of calculus", lambda y, x: (i0(x), k0(x))))
rule(
    it2i0k0,
    x=closed(
        "fundamental theorem of calculus", lambda y, x: (_one_minus_over(x, i0, 1), -k0(x) / x)
    ),
)


@elementwise(
    dlmf="10.22",
    reference="quad(lambda t: t**lmb * besselj(nu, 2*a*t), linspace(0, 1, 4))",
    domain=(Reals(0.05, 4), Reals(0.5, 5), Reals(0, 5)),
    awkward=((0.0, 1.0, 0.0), (1.0, 2.0, 1.0), (0.5, 1.0, 0.0)),
    note="SciPy 1.17 loses all digits at some points with a > 5.",
)
def besselpoly(a: Real, lmb: Real, nu: Real) -> Array:
    """Weighted integral of a Bessel function, of t^lmb J_nu(2 a t) over t from 0 to 1."""
    ...


rule(
    besselpoly,
    a=closed(
        "differentiated under the integral, DLMF 10.6.1",
        lambda y, a, lmb, nu: besselpoly(a, lmb + 1, nu - 1) - besselpoly(a, lmb + 1, nu + 1),
    ),
    lmb=missing("the derivative in the exponent is not implemented yet"),
    nu=ORDER,
)


def _not_negative_order(v: float) -> None:
    if not v >= 0:
        raise ValueError(f"argument 'v' must not be negative, got {v}")


_LAMBDA = "gamma(u + 1) * (2/t)**u * besselj(u, t)"


@elementwise(
    dlmf="10.16.9",
    reference="; ".join(
        f"[diff(lambda t: {_LAMBDA}, x, {order}) "
        "for u in [v - int(v) + k for k in range(max(int(v), 1) + 1)]]"
        for order in (0, 1)
    ),
    domain=(Reals(0.1, 20),),
    awkward=((0.0,), (1e-3,)),
    statics=({"v": 0.5}, {"v": 1.0}, {"v": 4.25}),
    outputs=("vl", "dl"),
    core="(k),(k)",
    sizes=lambda v: {"k": max(int(v), 1) + 1},
    batched=False,
    check=_not_negative_order,
)
def lmbda(v: StaticReal, x: Real) -> tuple[Array, Array]:
    """Lambda functions Gamma(u+1) (2/x)^u J_u(x) for u = v0, v0 + 1, ... v, and derivatives.

    v0 is the fractional part of v. Both results have a last dimension, after x's own, that runs
    over the orders: int(v) + 1 of them, and never fewer than two.
    """
    ...


def _of_lambda(y: Any, x: Any, *, v: float) -> Any:
    """Lambda_u' = -x/(2(u+1)) Lambda_{u+1}, for 0F1 (DLMF 16.3.1)."""
    n = max(int(v), 1) + 1
    u = (v - int(v)) + jnp.arange(n)
    one = lmbda(n + v - int(v), x)[0]
    two = lmbda(n + 1 + v - int(v), x)[0]
    up, upper = one[..., 1 : n + 1], two[..., 2 : n + 2]
    x = jnp.expand_dims(x, -1)
    slope = -x / (2 * (u + 1)) * up
    slope_up = -x / (2 * (u + 2)) * upper
    return slope, -(up + x * slope_up) / (2 * (u + 1))


rule(lmbda, x=closed("DLMF 10.16.9, 16.3.1", _of_lambda))
