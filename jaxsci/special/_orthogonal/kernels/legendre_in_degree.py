"""Legendre functions P_n(x) of real degree, with all their derivatives in the degree and in x > -1.

By the integral of Mehler and Dirichlet (DLMF 14.12.1), with w = n + 1/2 and x = cos t,

    P_n(x) = sqrt(2)/pi integral of cos(w s) (cos s - cos t)^(-1/2) ds over s from 0 to t.

For sin(s/2) = sin(t/2)/sqrt(1 + u sinh(v)^2), u = (1 + x)/2, that is

    P_n(x) = 2/pi integral of cos(w s) (1 + u sinh(v)^2)^(-1/2) dv over v from 0 to infinity,

analytic for |Im v| < pi/2 whatever u is, so that the trapezoidal rule has all digits by steps of
1/4; for x > 1 it is the same with sinh(v)^2/(u + sinh(v)^2) under the root, and hyperbolic
functions. Only 0 <= w < 3/2 is computed so, in Taylor polynomials in the degree. The recurrence in
the degree (DLMF 14.10.3) leads from there to all others, written for differences of neighbours,
which keep their digits next to x = 1; the first one is such an integral with -2 sin(s/2) sin((w +
1/2) s) for the cosine. Derivatives in x are those of ultraspherical functions.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, one_order_more
from jaxsci._core.types import PyTree
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.hypergeometric_equations import gauss
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._orthogonal.kernels import real_degree
from jaxsci.special._orthogonal.kernels.interval import ends, has_value_between, on_long_interval
from jaxsci.special._orthogonal.kernels.three_terms import MOST_STEPS, gegenbauer_polynomial
from jaxsci.special._orthogonal.kernels.ultraspherical import Ultraspherical

_STEP = 0.25
_NEGLIGIBLE = 39.0


@native()
def legendre(n: Any, x: jax.Array, *, shifted: bool, orders: tuple[int, int]) -> jax.Array:
    """A derivative of P_n(x), of orders given for n and for x, not both 0.

    Args:
        n: the degree.
        x: the argument; with an order in n, and between integer degrees, NaN for real x up to -1,
            where functions are infinite or complex. Complex x have them on the cut, from below.
        shifted: whether the functions are those of 2x - 1.
        orders: those of the derivatives.
    """
    n, x = jnp.broadcast_arrays(n, x)
    i, k = orders
    low, high = ends(x, shifted)
    scale = 2**k if shifted else 1
    if i == 0:
        return scale * _in_x_alone(n, on_long_interval(x, shifted), low, high, k)
    along = _by_equation if jnp.iscomplexobj(x) else _in_degree
    return scale * along(n, low, high, i, k)


_SOURCE = "DLMF 14.12.1, 14.10.3"
legendre.partials(
    n=one_order_more(legendre, _SOURCE, 0),
    x=one_order_more(legendre, _SOURCE, 1),
)


def _in_x_alone(n: Any, x: jax.Array, low: jax.Array, high: jax.Array, k: int) -> jax.Array:
    """Polynomials of integer degree by DLMF 18.9.19, for every x = high - low."""
    # P_{-n-1} = P_n
    n = jnp.where(n < -0.5, -n - 1, n)
    integer = is_integer(n)
    known = n <= MOST_STEPS
    degree = jnp.where(integer & known, n - k, 0.0)
    polynomial = math.prod(range(1, 2 * k, 2)) * gegenbauer_polynomial(degree, k + 0.5, x)
    polynomial = jnp.where(known, polynomial, jnp.nan)

    def between() -> jax.Array:
        # Of an integer there is nothing to compute.
        function = _by_equation(jnp.where(integer, 0.5, n), low, high, 0, k)
        return jnp.where(integer, polynomial, function)

    return jax.lax.cond(jnp.all(integer), lambda: polynomial, between)


def _by_equation(n: Any, low: jax.Array, high: jax.Array, i: int, k: int) -> jax.Array:
    """At x = 1 - 2 low = 2 high - 1, by the differential equation (DLMF 15.10.1).

    The k-th derivative in x is F(k - n, k + n + 1; k + 1; low) but for a factor (DLMF 15.5.2).
    """
    turned = n < -0.5
    n = jnp.where(turned, -1 - n, n)
    known = has_value_between(low, high) & (n <= real_degree.LARGEST_DEGREE)
    n, low, high = jnp.broadcast_arrays(jnp.where(known, n, 0.5), low, high)
    low, high = jnp.where(known, low, 0.25), jnp.where(known, high, 0.75)

    def function(n: jax.Array) -> jax.Array:
        # The factor n by itself, for its digits.
        factor = math.prod((n + j for j in range(1 - k, k + 1)), start=jnp.ones_like(n))
        factor = factor / (2**k * math.factorial(k))
        return factor * gauss(k - n, k + n + 1, k + 1.0, low, high)

    value = derivative(function, i)(n)
    return jnp.where(known, jnp.where(turned, (-1) ** i * value, value), jnp.nan)


def _in_degree(n: Any, low: jax.Array, high: jax.Array, i: int, k: int) -> jax.Array:
    """At x = 1 - 2 low = 2 high - 1."""
    turned = n < -0.5
    n = jnp.where(turned, -1 - n, n)
    known = (high > 0) & (high < jnp.inf) & (n <= MOST_STEPS)
    n, low, high = jnp.broadcast_arrays(jnp.where(known, n, 0.0), low, high)
    low, high = jnp.where(known, low, 0.5), jnp.where(known, high, 0.5)
    functions = Ultraspherical(n + 0.5, low, high, i, 0.5)
    near = functions.is_near_one()
    here, step = _at_degree(n, low, high, near, i)
    rows = [here]
    if k:
        # (1 - x^2) P_n' = (n + 1) ((x - 1) P_n - (P_{n+1} - P_n)), DLMF 14.10.5
        along = taylor.plus(taylor.times(here, -2 * low), taylor.times(step, -1.0))
        by = taylor.line(n + 1, jnp.ones_like(n), i)
        rows.append(taylor.times(taylor.product(along, by), 1 / (4 * low * high)))
    series = functions.series(near, k)
    value = taylor.derivative(taylor.where(near, series, functions.derivatives(rows, k)))
    return jnp.where(known, jnp.where(turned, (-1) ** i * value, value), jnp.nan)


def _at_degree(
    n: Any, low: jax.Array, high: jax.Array, near: jax.Array, degree: int
) -> tuple[list[Any], list[Any]]:
    """P_n and P_{n+1} - P_n for n >= -1/2."""
    steps = jnp.where(near, 0.0, jnp.maximum(jnp.floor(n), 0.0))
    first = jnp.where(near, 0.0, n) - steps
    here, step = _integrals(first + 0.5, low, high, degree)
    one = jnp.ones_like(n)

    def advance(state: PyTree) -> Any:
        j, here, step = state
        moved = taylor.plus(here, step)
        m = first + j
        along = taylor.product(taylor.line(2 * m + 1, 2 * one, degree), moved)
        back = taylor.product(taylor.line(m, one, degree), step)
        total = taylor.plus(taylor.times(along, -2 * low), back)
        following = taylor.quotient(total, taylor.line(m + 1, one, degree))
        going = j <= steps
        return j + 1, taylor.where(going, moved, here), taylor.where(going, following, step)

    last = jnp.max(steps, initial=0.0)
    state = (jnp.ones(()), here, step)
    _, here, step = jax.lax.while_loop(lambda state: state[0] <= last, advance, state)
    return here, step


def _integrals(
    w: jax.Array, low: jax.Array, high: jax.Array, degree: int
) -> tuple[list[Any], list[Any]]:
    """P_n and P_{n+1} - P_n for w = n + 1/2 between 0 and 3/2."""
    beyond = low < 0
    root = jnp.sqrt(jnp.abs(low))
    end = _NEGLIGIBLE + jnp.abs(jnp.log(high)) / 2
    count = jnp.ceil(end / _STEP)

    def add(k: Any, sums: PyTree) -> Any:
        here, step = sums
        square = jnp.sinh(_STEP * k) ** 2
        size = jnp.sqrt(jnp.where(beyond, high + square, 1 + high * square))
        half = root / size
        inside = 2 * jnp.arcsin(jnp.where(beyond, 0.0, half))
        outside = 2 * jnp.arcsinh(jnp.where(beyond, half * jnp.sinh(_STEP * k), 0.0))
        weight = jnp.where(k == 0, 0.5, 1.0) / size
        weight = jnp.where(k <= count, weight, 0.0)
        cosines, _ = _even_odd(w, inside, outside, beyond, degree)
        _, sines = _even_odd(w + 0.5, inside, outside, beyond, degree)
        factor = jnp.where(beyond, 2 * half * jnp.sinh(_STEP * k), -2 * half)
        return (
            taylor.plus(here, taylor.times(cosines, weight)),
            taylor.plus(step, taylor.times(sines, factor * weight)),
        )

    zero = [jnp.zeros_like(w)] * (degree + 1)
    last = jnp.max(count, initial=0.0).astype(int)
    here, step = jax.lax.fori_loop(0, last + 1, add, (zero, zero))
    scale = 2 / math.pi * _STEP
    return taylor.times(here, scale), taylor.times(step, scale)


def _even_odd(
    w: jax.Array, inside: jax.Array, outside: jax.Array, beyond: jax.Array, degree: int
) -> tuple[list[Any], list[Any]]:
    """cos((w + e) s) and sin((w + e) s), or cosh and sinh."""
    angle = jnp.where(beyond, outside, inside)
    even = jnp.where(beyond, jnp.cosh(w * angle), jnp.cos(w * angle))
    odd = jnp.where(beyond, jnp.sinh(w * angle), jnp.sin(w * angle))
    back = jnp.where(beyond, 1.0, -1.0)
    evens, odds, power = [], [], jnp.ones_like(angle)
    for k in range(degree + 1):
        sign = back ** (k // 2)
        evens.append(power * sign * (odd * back if k % 2 else even))
        odds.append(power * sign * (even if k % 2 else odd))
        power = power * angle / (k + 1)
    return evens, odds
