"""Prolate radial functions of the first kind of larger c, by their differential equation.

Sums over spherical Bessel functions cancel as exp(-c). The radial function is the solution that is
regular at 1, times a factor (Flammer 1957, 4.2; DLMF 30.11.10) that does not cancel,

    R(x) = (-1)^floor((n - m)/2) d_p c^(m + p) / (2m + 1 + 2p)!! (x^2 - 1)^(m/2) g(x),  g(1) = 1,

with p the parity of n - m, and d normalised by sum_j d_{2j+p} (-1)^j (m + p + 1/2)_j/j! = 1. From 1
outwards g grows or oscillates, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics import folded, taylor, tridiagonal
from jaxsci.special._numerics.taylor import Taylor
from jaxsci.special._numerics.tridiagonal import ROWS
from jaxsci.special._spheroidal.kernels.equation import (
    Equation,
    at_one,
    derivative_of,
    led,
    power_series,
    reach_of_series,
    with_front,
)
from jaxsci.special._spheroidal.kernels.series import (
    INTEGER,
    family_of,
    in_reach,
    index_of,
    weights,
)

_LARGEST_ORDER = 200
FARTHEST = 400.0
"""Of c x: farther out there are too many steps."""


def square_in_c(c: jax.Array, m: int) -> Taylor:
    """C^2 as a Taylor polynomial in c, of degree m."""
    line = taylor.line(c, jnp.ones_like(c), m)
    return taylor.product(line, line)


def in_parameter(series: Sequence[Any], c: jax.Array) -> Taylor:
    """The Taylor polynomial in c of one that is given in c^2."""
    _, *higher = square_in_c(c, len(series) - 1)
    return taylor.polynomial(series, [jnp.zeros_like(c), *higher])


def _factor(m: Any, n: Any, c: jax.Array, vectors: Sequence[Any]) -> Taylor:
    """What g is multiplied with, but for the front factor in x."""
    parity = (n - m) % 2
    j = jnp.arange(1.0, ROWS).reshape(-1, *[1] * m.ndim)
    ratio = -(m + parity - 0.5 + j) / j
    at_zero = jnp.cumprod(jnp.concatenate([jnp.ones_like(ratio[:1]), ratio]), axis=0)
    scaled = [weights(m, n) * u for u in vectors]
    sums = [folded.total(jnp.where(d == 0, 0.0, d * at_zero)) for d in scaled]
    first = taylor.quotient([d[0] for d in scaled], sums)
    i = jnp.arange(1.0, _LARGEST_ORDER + 1).reshape(-1, *[1] * m.ndim)
    power = folded.product(jnp.where(i <= m + parity, c / (2 * i + 1), 1.0))
    sign = jnp.where(jnp.floor((n - m) / 2) % 2 == 0, 1.0, -1.0)
    powers = [sign * power]
    for k in range(1, len(vectors)):
        powers.append(powers[-1] * (m + parity + 1 - k) / (k * c))
    return taylor.product(in_parameter(first, c), powers)


def _orders(
    m: Any, n: Any, c: jax.Array, x: jax.Array, in_c: int, orders: Sequence[int]
) -> list[jax.Array]:
    """R(x) / (x^2 - 1)^(m/2): derivatives in c and, of each of these orders, in x."""
    m, n, c, x = jnp.broadcast_arrays(m, n, c, x)
    square = c * c
    excess, vectors, _ = tridiagonal.expansion(family_of(m, n), square, index_of(m, n), in_c)
    within = in_reach(square, m, n, n * (n + 1) + excess[0])
    served = within & (c * x <= FARTHEST) & (x > 1)
    x = jnp.where(served, x, 1.5)
    equation = Equation(m, n, in_parameter(excess, c), square_in_c(c, in_c))
    regular = at_one(equation)
    near = reach_of_series(equation)
    begin = power_series(regular, -near, 0), power_series(regular, -near, 1)
    end = jnp.maximum(x, 1 + near)
    _, pair = led(equation, 1 + near, begin, end, end)
    factor = _factor(m, n, c, vectors)
    found = []
    for in_x in orders:
        by_series = power_series(regular, 1 - x, in_x)
        g = taylor.where(x - 1 <= near, by_series, derivative_of(equation, x, pair, in_x))
        total = taylor.derivative(taylor.product(factor, g))
        found.append(jnp.where(served, total, jnp.nan))
    return found


@native(results=3)
def regular_part(
    m: Any, n: Any, c: jax.Array, x: jax.Array, *, in_x: int, in_c: int
) -> tuple[jax.Array, ...]:
    """R(x) / (x^2 - 1)^(m/2), or its derivatives of some orders, and two more derivatives in x."""
    return tuple(_orders(m, n, c, x, in_c, (in_x, in_x + 1, in_x + 2)))


regular_part.partials(
    m=INTEGER,
    n=INTEGER,
    c=closed(
        "DLMF 30.11.10, perturbation theory",
        lambda y, *at, in_x, in_c: regular_part(*at, in_x=in_x, in_c=in_c + 1),
    ),
    x=closed(
        "DLMF 30.2.1",
        lambda y, *at, in_x, in_c: (*y[1:], regular_part(*at, in_x=in_x + 1, in_c=in_c)[2]),
    ),
)


def value_and_slope(m: Any, n: Any, c: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """R(x) and R'(x)."""
    value, slope = with_front(m, x, _orders(m, n, c, x, 0, (0, 1)))
    return value, slope
