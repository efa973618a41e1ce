"""Integrals of Bessel functions (DLMF 10.22, 10.43), and the Lambda functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._bessel.integer_order import i0, j0, k0, y0
from jaxsci.special._bessel.kernels import long_integrals, macdonald_integral
from jaxsci.special._bessel.kernels.weighted_integral import (
    CANCELLING,
    LARGEST,
    weighted_integral,
)
from jaxsci.special._bessel.real_order import jv
from jaxsci.special._catalog.decorators import (
    Flaw,
    Guard,
    OnHost,
    Repair,
    Samples,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real, StaticReal
from jaxsci.special._numerics.static_checks import not_negative

_HALF_LINE = Reals(0.05, 25)
_SMALL = ((1e-3,), (1.0,), (4.0,))


@elementwise(
    source="10.22.8",
    samples=Samples(
        "x*hyp1f2(mpf(1)/2, 1, mpf(3)/2, -x**2/4); "
        "pi*x/2 * (bessely(0, x)*struveh(-1, x) + bessely(1, x)*struveh(0, x))",
        (_HALF_LINE,),
        awkward=_SMALL,
    ),
    outputs=("ij0", "iy0"),
    repair=long_integrals.J0Y0,
)
def itj0y0(x: Real) -> tuple[Array, Array]:
    """Integrals of J_0(t) and Y_0(t) from 0 to x.

    Args:
        x: upper limit, x >= 0; for x < 0 iy0 is NaN and ij0 is odd

    Example:
        >>> ij0, iy0 = itj0y0(jnp.array([0.0, 1.0, 2.0]))
        >>> ij0
        Array([0.        , 0.91973041, 1.42577029], dtype=float64)
    """
    ...


rule(itj0y0, x=closed("fundamental theorem of calculus", lambda y, x: (j0(x), y0(x))))


@elementwise(
    source="10.22",
    samples=Samples(
        "x**2/8 * hyp2f3(1, 1, 2, 2, 2, -x**2/4); "
        "meijerg([[], [-mpf(1)/2, 1]], [[0, 0, 0], [-mpf(1)/2]], x**2/4) / 2",
        (_HALF_LINE,),
        awkward=_SMALL,
    ),
    outputs=("ij0", "iy0"),
    repair=long_integrals.J0Y0_OVER_T,
)
def it2j0y0(x: Real) -> tuple[Array, Array]:
    """Integrals of (1 - J_0(t))/t from 0 to x, and of Y_0(t)/t from x to infinity.

    Args:
        x: the limit between both, x > 0; at 0 iy0 is SciPy's -1e300, for x < 0 it is NaN and
            ij0 is even
    """
    ...


rule(
    it2j0y0,
    x=closed(
        "fundamental theorem of calculus", lambda y, x: (_one_minus_over(x, j0, -1), -y0(x) / x)
    ),
)


@elementwise(
    source="10.43",
    samples=Samples(
        "x*hyp1f2(mpf(1)/2, 1, mpf(3)/2, x**2/4); "
        "pi*x/2 * (besselk(0, x)*struvel(-1, x) + besselk(1, x)*struvel(0, x))",
        (_HALF_LINE,),
        awkward=_SMALL,
        flaws=(Flaw("5e-11", "9 < x < 14", "ik0"),),
    ),
    outputs=("ii0", "ik0"),
    repair=long_integrals.I0,
)
def iti0k0(x: Real) -> tuple[Array, Array]:
    """Integrals of I_0(t) and K_0(t) from 0 to x.

    Args:
        x: upper limit, x >= 0; for x < 0 ik0 is NaN and ii0 is odd
    """
    ...


rule(iti0k0, x=closed("fundamental theorem of calculus", lambda y, x: (i0(x), k0(x))))


def _is_far(x: jax.Array) -> jax.Array:
    """Where SciPy's expansion of the integral of (I_0(t) - 1)/t has four to seven digits."""
    return (jnp.abs(x) >= 40) & (jnp.abs(x) <= 700)


def _far_out(x: jax.Array) -> jax.Array:
    size = jnp.where(_is_far(x), jnp.abs(x), 40.0)
    return long_integrals.growing(size, 1) - jnp.log(size / 2) - jnp.euler_gamma


@elementwise(
    source="10.43",
    samples=Samples(
        "x**2/8 * hyp2f3(1, 1, 2, 2, 2, x**2/4); meijerg([[], [1]], [[0, 0, 0], []], x**2/4) / 4",
        (_HALF_LINE,),
        awkward=_SMALL,
    ),
    outputs=("ii0", "ik0"),
    repair=Repair(
        "x > 3, for ik0, and 40 <= |x| <= 700, for ii0",
        lambda ys, x: ((x > 3) | _is_far(x)) & (x < jnp.inf),
        lambda ys, x: (
            jnp.where(_is_far(x), _far_out(x), ys[0]),
            # Not of infinity, where there would be a NaN on the way, which debug_nans refuses.
            jnp.where(
                x > 3, macdonald_integral.tail(jnp.where((x > 3) & (x < jnp.inf), x, 4.0)), ys[1]
            ),
        ),
        results=(0, 1),
        costly=True,
    ),
)
def it2i0k0(x: Real) -> tuple[Array, Array]:
    """Integrals of (I_0(t) - 1)/t from 0 to x, and of K_0(t)/t from x to infinity.

    Args:
        x: the limit between both, x > 0; at 0 ik0 is SciPy's 1e300, for x < 0 it is NaN and ii0
            is even
    """
    ...


rule(
    it2i0k0,
    x=closed(
        "fundamental theorem of calculus", lambda y, x: (_one_minus_over(x, i0, 1), -k0(x) / x)
    ),
)

_SERIES_END = 2.0
_SERIES_TERMS = 16


def _one_minus_over(x: jax.Array, function: Callable[..., Any], sign: int) -> jax.Array:
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


@elementwise(
    source="10.22",
    samples=Samples(
        "a**nu / (gamma(nu + 1) * (lmb + nu + 1)) "
        "* hyp1f2((lmb + nu + 1)/2, (lmb + nu + 3)/2, nu + 1, -a**2)",
        (Reals(0.05, 4), Reals(0.5, 5), Reals(0, 5)),
        awkward=((0.0, 1.0, 0.0), (1.0, 2.0, 1.0), (0.5, 1.0, 0.0)),
    ),
    note="SciPy 1.17 loses all digits at some points with a > 5; they are mended up to a = 2000.",
    guard=bounded("a lmb nu", (1.0, 1.0, 1.0), a=LARGEST),
    repair=CANCELLING,
)
def besselpoly(a: Real, lmb: Real, nu: Real) -> Array:
    """Weighted integral of a Bessel function, of t^lmb J_nu(2 a t) over t from 0 to 1.

    Args:
        a: half of the factor of t in J_nu(2 a t), 0 <= a <= 2000, else NaN; at a = 0
            SciPy has 0 for every nu but 0
        lmb: exponent of the weight; the integral exists for lmb + nu > -1, which is not checked
        nu: order of the Bessel function, any real number; NaN for a > 5 and nu < -10 that is no
            integer; derivatives in lmb and nu are NaN for nu < -10

    Example:
        >>> besselpoly(jnp.array([0.5, 1.0]), 1.0, 0.0)
        Array([0.44005059, 0.2883624 ], dtype=float64)
        >>> print(f"{jax.grad(besselpoly)(1.0, 1.0, 0.0):.6f}")  # in a
        -0.352834
        >>> print(f"{jax.grad(besselpoly, 2)(1.0, 1.0, 0.0):.6f}")  # in nu
        0.165937
    """
    ...


rule(
    besselpoly,
    a=closed(
        "differentiated under the integral, DLMF 10.6.1",
        lambda y, a, lmb, nu: besselpoly(a, lmb + 1, nu - 1) - besselpoly(a, lmb + 1, nu + 1),
    ),
    lmb=closed("DLMF 10.22.10", lambda y, *at: weighted_integral(*at, i=1, j=0)),
    nu=closed("DLMF 10.22.10", lambda y, *at: weighted_integral(*at, i=0, j=1)),
)
_LAMBDA = "gamma(u + 1) * (t/2)**(-u) * besselj(u, t)"


# Beyond, SciPy's recurrence for integer v has about |x| steps, and otherwise wraps an integer
# around and leaves its array. NaN it takes for a number.
_LAMBDA_GUARD = Guard(
    "|x| <= 1e8 for integer v, |x| <= 1.9e9 else",
    lambda x, v: abs(x) <= (1e8 if v == int(v) else 1.9e9),
    (1.0,),
)


def _next(x: jax.Array, u: float) -> jax.Array:
    return lambda_function(x, u=u + 1)


def _of_lambda(y: Sequence[jax.Array], x: jax.Array, *, v: float) -> tuple[jax.Array, ...]:
    orders = [v - int(v) + k for k in range(int(v) + 1)]
    first = [-x / (2 * (u + 1)) * _next(x, u) for u in orders]
    second = [
        x * x / (4 * (u + 1) * (u + 2)) * _next(x, u + 1) - _next(x, u) / (2 * (u + 1))
        for u in orders
    ]
    return jnp.stack(first, -1), jnp.stack(second, -1)


@elementwise(
    source="10.16.9",
    samples=Samples(
        "; ".join(
            f"[diff(lambda t: {_LAMBDA}, x, {order}) "
            "for u in [v - int(v) + k for k in range(int(v) + 1)]]"
            for order in (0, 1)
        ),
        (Reals(0.1, 20),),
        awkward=((0.0,), (1e-3,)),
        statics=({"v": 0.5}, {"v": 1.0}, {"v": 4.25}),
        flaws=(Flaw("1e-11", "8 < x < 15"),),
    ),
    outputs=("vl", "dl"),
    host=OnHost(core="(k),(k)", sizes=lambda v: {"k": int(v) + 1}, batched=False),
    check=not_negative,
    guard=_LAMBDA_GUARD,
    # The derivative of an even function is odd.
    repair=Repair(
        "x = 0, or x < 0 and v is not an integer",
        lambda ys, x, v: (x == 0) | (x < 0) & (v != int(v)),
        lambda ys, x, v: (
            jnp.where(x[..., None] == 0, 1.0, ys[0]),
            jnp.where(x[..., None] == 0, 0.0, -ys[1]),
        ),
        results=(0, 1),
    ),
)
def lmbda(v: StaticReal, x: Real) -> tuple[Array, Array]:
    """Lambda functions Gamma(u+1) (2/x)^u J_u(x) for u = v0, v0 + 1, ... v, and derivatives.

    v0 is the fractional part of v. Both results have a last dimension, after x's own, that runs
    over the orders: int(v) + 1 of them.

    Args:
        v: largest order, 0 or more; ValueError if negative
        x: argument, any real number

    Example:
        >>> vl, dl = lmbda(2.0, jnp.array([1.5, 2.5]))
        >>> vl
        Array([[ 0.51182767,  0.74391534,  0.82520061],
               [-0.04838378,  0.39767528,  0.57095559]], dtype=float64)
    """
    ...


rule(lmbda, x=closed("DLMF 10.16.9, 16.3.1", _of_lambda))

_GAMMA_OVERFLOWS = 150.0


@native()
def lambda_function(x: jax.Array, *, u: float) -> jax.Array:
    """Gamma(u+1) (2/x)^u J_u(x)."""
    x = jnp.abs(x)
    # The terms of the series in q decrease from the first where |q| < u + 1.
    near = x * x < 4 * (u + 1)
    q = jnp.where(near, -x * x / 4, 0.0)
    total: PyTree = 1.0
    for k in range(_SERIES_TERMS + 4, 0, -1):
        total = 1.0 + total * q / (k * (u + k))
    far = jnp.where(near, 1.0, x)
    if u < _GAMMA_OVERFLOWS:
        scale = math.gamma(u + 1) * (2 / far) ** u
    else:
        scale = jnp.exp(math.lgamma(u + 1) - u * jnp.log(far / 2))
    return jnp.where(near, total, scale * jv(u, far))


# No rule divides by x or subtracts: each derivative is a sum of functions of higher order.
lambda_function.partials(
    x=closed("DLMF 10.16.9, 16.3.1", lambda y, x, *, u: -x / (2 * (u + 1)) * _next(x, u))
)
