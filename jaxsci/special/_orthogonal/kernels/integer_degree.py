"""Orthogonal polynomials with all their derivatives in degree, parameters and x.

Of integer degree, in parameters and x, by recurrence in the degree, for P_k(x) and
d_k = P_(k+1)(x) - P_k(x) P_(k+1)(1)/P_k(1), which is small next to x = 1: both keep their digits
there, and so do their derivatives, which JAX takes of the recurrence (DLMF 18.9.1, with this
difference in place of the third term).
Next to x = -1 the polynomial is that of -x, with its parameters exchanged (DLMF 18.6.1).
Derivatives in x are those of DLMF 18.9.15, 18.9.19 and 18.9.23, differentiated in the parameters by
the product rule.

In the degree, and between integer degrees, by differential equations (`real_degree.py`); NaN for
real x at and below the lower end of the interval, where such functions are infinite or not real.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native, one_order_more
from jaxsci._core.elementwise_rules import Closed, closed
from jaxsci._core.types import PyTree
from jaxsci.special._numerics.falling_factorial import falling_derivatives
from jaxsci.special._numerics.integers import is_integer, is_of_integer_type
from jaxsci.special._numerics.nth_derivative import mixed_derivative
from jaxsci.special._numerics.plane import over
from jaxsci.special._numerics.recurrences import by_recurrence
from jaxsci.special._orthogonal.kernels import real_degree
from jaxsci.special._orthogonal.kernels.interval import ends, has_value_between
from jaxsci.special._orthogonal.kernels.three_terms import MOST_STEPS, gegenbauer_polynomial

_LARGE_PARAMETER = 6.0
_MIDDLE = 0.3
_Function = tuple[Callable[..., Any], Callable[..., Any]]
"""Where a function of real degree is known, and the function."""


def _polynomial(
    n: Any, first: jax.Array, at_end: Callable[[Any], Any], step: Callable[[Any, Any, Any], Any]
) -> jax.Array:
    """The polynomial of degree n.

    Args:
        n: the degree, an integer; the result is 0 for negative ones.
        first: d_0.
        at_end: ``at_end(k)`` is P_k(1)/P_(k-1)(1).
        step: ``step(k, P_k, d_(k-1))`` is d_k.
    """

    def advance(k: Any, p: jax.Array, d: jax.Array) -> tuple[Any, Any]:
        following = jnp.where(k == 0, first, step(jnp.maximum(k, 1.0), p, d))
        return p * at_end(k + 1) + following, following

    one = jnp.ones_like(first * at_end(1.0) + 0 * n)
    p, _ = by_recurrence(n, advance, (one, jnp.zeros_like(one)))
    return jnp.where(n < 0, 0.0, p)


def _jacobi(n: Any, a: jax.Array, b: jax.Array, low: jax.Array, high: jax.Array) -> jax.Array:
    """P_n^(a,b)(x) at x = 1 - 2 low = 2 high - 1."""
    turned = low.real > high.real
    half = jnp.where(turned, high, low)
    a, b = jnp.where(turned, b, a), jnp.where(turned, a, b)
    s = a + b

    def step(k: Any, p: jax.Array, d: jax.Array) -> Any:
        t = 2 * k + s
        along = k * (k + b) * (t + 2) * d - half * t * (t + 1) * (t + 2) * p
        return along / ((k + 1) * (k + s + 1) * t)

    value = _polynomial(n, -half * (s + 2), lambda k: (k + a) / k, step)
    return jnp.where(turned & (n % 2 == 1), -value, value)


def _jacobi_of(n: Any, a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    return _jacobi(n, a, b, *ends(x))


def _shifted_jacobi_of(n: Any, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
    """DLMF 18.1.2; the factor n!/(n + p)_n tends to zero where the polynomial overflows."""

    def shrink(k: Any, factor: jax.Array) -> tuple[Any]:
        return (factor * (k + 1) / (n + p + k),)

    (factor,) = by_recurrence(n, shrink, (jnp.ones_like(n + p),))
    return factor * _jacobi(n, p - q, q - 1, *ends(x, shifted=True))


def _gegenbauer_of(n: Any, c: jax.Array, x: jax.Array) -> jax.Array:
    left = x.real < 0
    half = jnp.where(left, 1 + x, 1 - x) / 2

    def step(k: Any, p: jax.Array, d: jax.Array) -> Any:
        return over(k * d - 4 * (k + c) * half * p, k + 1)

    value = _polynomial(n, -4 * c * half, lambda k: (2 * c + k - 1) / k, step)
    value = jnp.where(left & (n % 2 == 1), -value, value)
    # At x = 0 some derivatives are zero, for the polynomials are even or odd.
    return jnp.where(jnp.abs(x) < _MIDDLE, gegenbauer_polynomial(n, c, x), value)


def _laguerre_of(n: Any, a: jax.Array, x: jax.Array) -> jax.Array:
    def step(k: Any, p: jax.Array, d: jax.Array) -> Any:
        return over(k * d - x * p, k + 1)

    return _polynomial(n, -x, lambda k: (k + a) / k, step)


def _in_interval(function: Callable[..., Any], shifted: bool = False) -> _Function:
    """The function of real degree, by steps of different lengths along a first dimension."""

    def known(n: Any, x: jax.Array) -> jax.Array:
        return has_value_between(*ends(x, shifted))

    def of_real_degree(*at: jax.Array, good: jax.Array) -> Any:
        *numbers, x = at
        low, high = ends(x, shifted)
        inside = jnp.where(good, low, 0.25), jnp.where(good, high, 0.75)
        return function(*numbers, *inside, real_degree.paces(x))

    return known, of_real_degree


def _on_half_line(function: Callable[..., Any]) -> _Function:
    def known(n: Any, x: jax.Array) -> jax.Array:
        return jnp.abs(x) <= real_degree.LARGEST_ARGUMENT

    def of_real_degree(*at: jax.Array, good: jax.Array) -> Any:
        *numbers, x = at
        return function(*numbers, jnp.where(good, x, 1.0))[None]

    return known, of_real_degree


def _with_orders(
    of_integer: Callable[..., Any],
    of_real: _Function,
    at: Any,
    orders: tuple[int, ...],
    negative: bool = False,
    counts: bool = False,
) -> jax.Array:
    """A derivative in the degree and parameters, which are all arguments but the last.

    Functions of negative integer degree are zero; with `negative` what those near tend to. With
    `counts` there are no other degrees than integers, nor an order in them.
    """
    degree, *parameters, x = at

    def polynomial(countable: jax.Array) -> jax.Array:
        harmless = jnp.where(countable, degree, -1.0)
        return mixed_derivative(of_integer, (harmless, *parameters, x), orders)

    if counts:
        countable = degree <= MOST_STEPS
        return jnp.where(countable, polynomial(countable), jnp.nan)
    known, function = of_real
    integer = is_integer(degree)
    if negative:
        integer = integer & (degree >= 0)
    good = known(degree, x)
    for number in (degree, *parameters):
        good = good & (jnp.abs(number) <= real_degree.LARGEST_DEGREE)
    if orders[0] == 0:
        good = good & ~integer

    def between(*numbers: jax.Array) -> Any:
        return function(*numbers, x, good=good)

    harmless = (jnp.where(good, degree, 0.5), *(jnp.where(good, p, 0.5) for p in parameters))
    solutions = mixed_derivative(between, harmless, orders)
    large = functools.reduce(jnp.maximum, map(jnp.abs, parameters), 0.0) > _LARGE_PARAMETER
    good = good & (~large | real_degree.agree(solutions))
    value = jnp.where(good, solutions[0], jnp.nan)
    if orders[0]:
        return value
    # Not within the function: NaN is a constant, whose derivatives would be zero.
    countable = integer & (degree <= MOST_STEPS)
    return jnp.where(countable, polynomial(countable), value)


def _less(orders: tuple[int, ...], i: int) -> tuple[int, ...]:
    return (*orders[:i], orders[i] - 1, *orders[i + 1 :])


Orders = tuple[int, ...]
"""Of the degree first."""
_JACOBI = _in_interval(real_degree.jacobi)
_GEGENBAUER = _in_interval(real_degree.gegenbauer)
_SHIFTED_JACOBI = _in_interval(real_degree.shifted_jacobi, shifted=True)
_LAGUERRE = _on_half_line(real_degree.laguerre)


@native()
def jacobi_in_parameters(
    n: Any, a: jax.Array, b: jax.Array, x: jax.Array, *, orders: Orders, counts: bool = False
) -> jax.Array:
    """A derivative of P_n^(a,b)(x) in n, a and b, of these orders."""
    at = jnp.broadcast_arrays(n, a, b, x)
    return _with_orders(_jacobi_of, _JACOBI, at, orders, counts=counts)


def _slope_of_jacobi(
    y: jax.Array, n: Any, a: jax.Array, b: jax.Array, x: jax.Array, *, orders: Orders, counts: bool
) -> Any:
    def of(orders: tuple[int, ...]) -> jax.Array:
        return jacobi_in_parameters(n - 1, a + 1, b + 1, x, orders=orders, counts=counts)

    total = (n + a + b + 1) * of(orders)
    for i in (0, 1, 2):
        if orders[i]:
            total = total + orders[i] * of(_less(orders, i))
    return total / 2


@native()
def shifted_jacobi_in_parameters(
    n: Any,
    p: jax.Array,
    q: jax.Array,
    x: jax.Array,
    *,
    m: int = 0,
    orders: Orders,
    counts: bool = False,
) -> Any:
    """A derivative in n, p and q, of these orders, of the m-th of G_n(p, q; x) in x.

    That is n (n - 1) ... (n - m + 1) G_(n-m)(p + 2m, q + m; x), by DLMF 18.9.15. The factor is zero
    at integer degrees below m, its derivative in n is not; neither is G of negative integer degree,
    which is monic like the polynomials.
    """
    n, p, q, x = jnp.broadcast_arrays(n, p, q, x)
    at = [n - m, p + 2 * m, q + m, x]
    total: PyTree = 0.0
    for j, derivative in enumerate(falling_derivatives(n, m, min(m, orders[0]))):
        factor = math.comb(orders[0], j) * derivative
        rest = (orders[0] - j, *orders[1:])
        monic = _with_orders(_shifted_jacobi_of, _SHIFTED_JACOBI, at, rest, j > 0, counts)
        total = total + jnp.where(factor == 0, 0.0, factor * monic)
    return total


@native()
def gegenbauer_in_parameter(
    n: Any, c: jax.Array, x: jax.Array, *, orders: Orders, counts: bool = False
) -> jax.Array:
    """A derivative of C_n^(c)(x) in n and c, of these orders."""
    at = jnp.broadcast_arrays(n, c, x)
    return _with_orders(_gegenbauer_of, _GEGENBAUER, at, orders, counts=counts)


def _slope_of_gegenbauer(
    y: jax.Array, n: Any, c: jax.Array, x: jax.Array, *, orders: Orders, counts: bool
) -> jax.Array:
    slope = 2 * c * gegenbauer_in_parameter(n - 1, c + 1, x, orders=orders, counts=counts)
    if orders[1]:
        less = gegenbauer_in_parameter(n - 1, c + 1, x, orders=_less(orders, 1), counts=counts)
        slope = slope + 2 * orders[1] * less
    return slope


@native()
def laguerre_in_parameter(
    n: Any, a: jax.Array, x: jax.Array, *, orders: Orders, counts: bool = False
) -> jax.Array:
    """A derivative of L_n^(a)(x) in n and a, of these orders."""
    at = jnp.broadcast_arrays(n, a, x)
    return _with_orders(_laguerre_of, _LAGUERRE, at, orders, counts=counts)


_IN_DEGREE = "DLMF 18.5.7, 15.10.1"
DEGREE_OF_LAGUERRE = "DLMF 18.5.12, 13.2.1"
_TOWER = "DLMF 18.9.1"

jacobi_in_parameters.partials(
    n=one_order_more(jacobi_in_parameters, _IN_DEGREE, 0),
    a=one_order_more(jacobi_in_parameters, _TOWER, 1),
    b=one_order_more(jacobi_in_parameters, _TOWER, 2),
    x=closed("DLMF 18.9.15", _slope_of_jacobi),
)


def _slope_of_shifted_jacobi(y: jax.Array, *at: jax.Array, m: int, **static: Any) -> Any:
    return shifted_jacobi_in_parameters(*at, m=m + 1, **static)


shifted_jacobi_in_parameters.partials(
    n=one_order_more(shifted_jacobi_in_parameters, _IN_DEGREE, 0),
    p=one_order_more(shifted_jacobi_in_parameters, _TOWER, 1),
    q=one_order_more(shifted_jacobi_in_parameters, _TOWER, 2),
    x=closed("DLMF 18.9.15", _slope_of_shifted_jacobi),
)
gegenbauer_in_parameter.partials(
    n=one_order_more(gegenbauer_in_parameter, _IN_DEGREE, 0),
    c=one_order_more(gegenbauer_in_parameter, _TOWER, 1),
    x=closed("DLMF 18.9.19", _slope_of_gegenbauer),
)
laguerre_in_parameter.partials(
    n=one_order_more(laguerre_in_parameter, DEGREE_OF_LAGUERRE, 0),
    a=one_order_more(laguerre_in_parameter, _TOWER, 1),
    x=closed(
        "DLMF 18.9.23",
        lambda y, n, a, x, **static: -laguerre_in_parameter(n - 1, a + 1, x, **static),
    ),
)


def _first(function: NativeFunction, source: str, *orders: int) -> Closed:
    """The rule of a function of these parameters: its first derivative in one of them."""

    def derivative(y: jax.Array, *at: Any, counts: bool = False, **static: Any) -> Any:
        counts = counts or is_of_integer_type(at[0])
        return function(*at, orders=orders, counts=counts, **static)

    return closed(source, derivative)


# Rules of functions of (n, parameters, x); shifted Jacobi's serve their derivatives in x too.
JACOBI_IN_DEGREE = _first(jacobi_in_parameters, _IN_DEGREE, 1, 0, 0)
JACOBI_IN_ALPHA = _first(jacobi_in_parameters, _TOWER, 0, 1, 0)
JACOBI_IN_BETA = _first(jacobi_in_parameters, _TOWER, 0, 0, 1)
SHIFTED_JACOBI_IN_DEGREE = _first(shifted_jacobi_in_parameters, _IN_DEGREE, 1, 0, 0)
SHIFTED_JACOBI_IN_P = _first(shifted_jacobi_in_parameters, _TOWER, 0, 1, 0)
SHIFTED_JACOBI_IN_Q = _first(shifted_jacobi_in_parameters, _TOWER, 0, 0, 1)
GEGENBAUER_IN_DEGREE = _first(gegenbauer_in_parameter, _IN_DEGREE, 1, 0)
GEGENBAUER_IN_ALPHA = _first(gegenbauer_in_parameter, _TOWER, 0, 1)
LAGUERRE_IN_DEGREE = _first(laguerre_in_parameter, DEGREE_OF_LAGUERRE, 1, 0)
LAGUERRE_IN_ALPHA = _first(laguerre_in_parameter, _TOWER, 0, 1)
