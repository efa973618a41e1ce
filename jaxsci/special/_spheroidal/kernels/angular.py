"""Spheroidal angular functions of the first kind, by their differential equation.

They are even or odd, and regular at 1. The solution is followed where it does not decay, so nothing
is lost where the function is small: from 1, where only one is regular, inwards as far as it
oscillates or grows, and from 0 outwards through the region about 0 in which oblate functions grow.
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
    Pair,
    at_one,
    derivative_of,
    led,
    power_series,
    rate,
    reach_of_series,
    with_front,
)
from jaxsci.special._spheroidal.kernels.series import INTEGER, family_of, in_reach, index_of


def _both(first: Any, second: Any) -> Any:
    """Two arrays, or two solutions, as one, along a new first axis."""
    return jax.tree.map(lambda *ys: jnp.stack(ys), first, second)


def _one_of(both: Pair, k: int) -> Pair:
    return [y[k] for y in both[0]], [y[k] for y in both[1]]


def _meeting_place(equation: Equation, eigenvalue: jax.Array) -> jax.Array:
    """Where solutions begin to oscillate, or near 0: what is even or odd keeps its digits there."""
    square, low = -equation.s[0], equation.m**2 - eigenvalue
    half = (square - eigenvalue) / 2
    root = jnp.sqrt(jnp.maximum(half * half - square * low, 0.0))
    # The smaller root of (eigenvalue + square y) (1 - y) = m^2.
    y = low / jnp.where((low > 0) & (square > 0), half + root, jnp.inf)
    small = 1 / (2 + rate(equation, jnp.zeros_like(y)))
    return jnp.maximum(jnp.sqrt(jnp.clip(y, 0.0, 0.98)), small)


def _orders(
    m: Any, n: Any, square: jax.Array, x: jax.Array, in_s: int, orders: Sequence[int]
) -> list[jax.Array]:
    """Derivatives in c^2 and, of each of these orders, in x: one way along x serves them all."""
    m, n, square, x = jnp.broadcast_arrays(m, n, square, x)
    excess, _, _ = tridiagonal.expansion(family_of(m, n), square, index_of(m, n), in_s)
    eigenvalue = n * (n + 1) + excess[0]
    equation = Equation(m, n, excess, taylor.line(square, jnp.ones_like(square), in_s))
    odd, place = (n - m) % 2, jnp.abs(x)
    meeting = _meeting_place(equation, eigenvalue)

    zero = [jnp.zeros_like(square)] * len(excess)
    one = [jnp.ones_like(square), *zero[1:]]
    at_start = taylor.where(odd == 0, one, zero), taylor.where(odd == 0, zero, one)
    regular = at_one(equation)
    near = jnp.minimum(reach_of_series(equation), 1 - meeting)
    begin = power_series(regular, near, 0), power_series(regular, near, 1)
    via, end = led(
        equation,
        _both(jnp.zeros_like(x), 1 - near),
        _both(at_start, begin),
        _both(jnp.minimum(place, meeting), jnp.clip(place, meeting, 1 - near)),
        _both(meeting, meeting),
    )
    outwards, inwards = _one_of(via, 0), _one_of(via, 1)
    growing, meets = _one_of(end, 0), _one_of(end, 1)
    # Both are one function there: whichever of value and slope is large tells their ratio.
    weight = 1 / (1 + rate(equation, meeting) ** 2)
    ratio = taylor.quotient(_paired(growing, meets, weight), _paired(meets, meets, weight))

    found = []
    for in_x in orders:
        by_series = power_series(regular, 1 - place, in_x)
        by_steps = derivative_of(equation, place, inwards, in_x)
        # Of a polynomial of degree n - m, which g is for s = 0, nothing is left: steps have that
        # nothing as the difference of values, the series as terms that are small themselves.
        vanishes = (in_x > n - m) & (jnp.abs(square) < 1)
        served = vanishes | (1 - place <= near)
        right = taylor.product(ratio, taylor.where(served, by_series, by_steps))
        left = derivative_of(equation, place, outwards, in_x)
        # Next to a zero at 0 the terms are not small enough: steps from there have the factor x.
        crosses = (odd + in_x) % 2 != 0
        comes_outwards = (place < meeting) & (~vanishes | crosses & (place < jnp.abs(square)))
        size = taylor.derivative(taylor.where(comes_outwards, left, right)) * _at_zero(m, n)
        total = jnp.where((x < 0) & crosses, -size, size)
        found.append(jnp.where(in_reach(square, m, n, eigenvalue), total, jnp.nan))
    return found


def _at_zero(m: Any, n: Any) -> jax.Array:
    """P_n^m(0) where n - m is even, and P_n^m'(0) where it is odd, without (-1)^m."""
    j = jnp.arange(1.0, 2.0 * ROWS).reshape(-1, *[1] * m.ndim)
    odd = (n - m) % 2
    half = (n - m - odd) / 2
    ratio = folded.product(jnp.where(j <= half, -(m + odd - 0.5 + j) / j, 1.0))
    return ratio * folded.product(jnp.where(j <= m + odd, 2 * j - 1, 1.0))


def _paired(first: Pair, second: Pair, weight: jax.Array) -> Taylor:
    """The product of values, and of slopes with a weight."""
    slopes = taylor.times(taylor.product(first[1], second[1]), weight)
    return taylor.plus(taylor.product(first[0], second[0]), slopes)


@native(results=3)
def regular_part(
    m: Any, n: Any, square: jax.Array, x: jax.Array, *, in_s: int, in_x: int
) -> tuple[jax.Array, ...]:
    """S(x) / (1 - x^2)^(m/2), or its derivatives of some orders, and two more derivatives in x.

    Normalised as Flammer does: S or S' is at 0 what it is for c = 0.
    """
    return tuple(_orders(m, n, square, x, in_s, (in_x, in_x + 1, in_x + 2)))


regular_part.partials(
    m=INTEGER,
    n=INTEGER,
    square=closed(
        "DLMF 30.2.1, in Taylor polynomials",
        lambda y, *at, in_s, in_x: regular_part(*at, in_s=in_s + 1, in_x=in_x),
    ),
    x=closed(
        "DLMF 30.2.1",
        lambda y, *at, in_s, in_x: (*y[1:], regular_part(*at, in_s=in_s, in_x=in_x + 1)[2]),
    ),
)


def value_and_slope(m: Any, n: Any, square: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """S(x) and S'(x)."""
    value, slope = with_front(m, x, _orders(m, n, square, x, 0, (0, 1)))
    return value, slope
