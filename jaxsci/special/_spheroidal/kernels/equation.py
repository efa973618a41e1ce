"""The differential equation of spheroidal functions, followed in Taylor polynomials.

With the front factor |1 - x^2|^(m/2) taken out, angular and radial functions solve

    (1 - x^2) g'' - 2 (m + 1) x g' + (lambda - m (m + 1) - s x^2) g = 0

(DLMF 30.2.1), where s is c^2, negative of oblate angular functions. Whatever a solution depends on
besides x is a Taylor polynomial in one parameter, and so are lambda and s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.taylor import Taylor

_TERMS = 42
_LONGEST = 0.4
"""A step, over the distance to the nearest singular point."""
_TURN = 3.0
"""What a solution may turn or grow by in a step, as an exponent."""
_STEPS = 6000

Pair = tuple[Taylor, Taylor]
"""A solution and its slope."""


class Equation(NamedTuple):
    m: Any
    n: Any
    excess: Taylor
    """lambda - n (n + 1), which vanishes with s."""
    s: Taylor


def less_square(equation: Equation, x: Any, passed: Any = 0.0) -> Taylor:
    """The factor of g, lambda - m (m + 1) - s x^2.

    Or less by what derivatives of that order bring with them: k (k + 2m + 1), for k = `passed`.
    """
    m, n, k = equation.m, equation.n, passed
    excess, *higher = [e - s * x * x for e, s in zip(equation.excess, equation.s, strict=True)]
    return [(n - m - k) * (n + m + 1 + k) + excess, *higher]


def coefficients(equation: Equation, x: jax.Array, h: jax.Array, start: Pair) -> Sequence[Any]:
    """The terms of a solution's power series about x, times powers of h, in a new first axis."""
    m, s = equation.m, equation.s
    potential = less_square(equation, x)

    def following(carry: Any, k: Any) -> Any:
        two_before, one_before, now, after = carry
        bend = 2 * (k + 1) * (k + m + 1) * x
        own = taylor.product(potential, now)
        farther = taylor.product(
            s, [2 * x * p * h + q * h * h for p, q in zip(one_before, two_before, strict=True)]
        )
        next_one = [
            (h * (bend * f + h * (k * (k + 2 * m + 1) * g - v)) + h * h * w)
            / ((1 - x) * (1 + x) * (k + 1) * (k + 2))
            for f, g, v, w in zip(after, now, own, farther, strict=True)
        ]
        return (one_before, now, after, next_one), now

    zero = [jnp.zeros_like(y) for y in start[0]]
    first = (zero, zero, list(start[0]), [h * y for y in start[1]])
    return jax.lax.scan(following, first, jnp.arange(float(_TERMS)))[1]


def rate(equation: Equation, x: jax.Array) -> Any:
    """How fast solutions turn or grow, about; not less where they begin to (DLMF 9.2.1, 12.2.1)."""
    w, size = jnp.abs(1 - x) * (1 + x), jnp.abs(equation.s[0])
    begin = jnp.cbrt(2 * size * x / jnp.maximum(w, 1.0))
    begin += 2 * jnp.sqrt(jnp.sqrt(size) / jnp.maximum(x, 1.0))
    return jnp.sqrt(jnp.abs(less_square(equation, x)[0]) / w) + (equation.m + 1) * x / w + begin


def led(
    equation: Equation, start: jax.Array, pair: Pair, via: jax.Array, end: jax.Array
) -> tuple[Pair, Pair]:
    """A solution and its slope at two other places, one after the other, by steps."""

    def more(carry: Any) -> Any:
        count, x, passed, *_ = carry
        return jnp.any(~passed | (x != end)) & (count < _STEPS)

    def step(carry: Any) -> Any:
        count, x, passed, pair, pair_via = carry
        target = jnp.where(passed, end, via)
        longest = jnp.minimum(_LONGEST * jnp.abs(1 - x), _TURN / rate(equation, x))
        h = jnp.clip(target - x, -longest, longest)
        width = jnp.where(h == 0, 1.0, h)
        terms = coefficients(equation, x, width, pair)
        k = jnp.arange(float(_TERMS)).reshape(-1, *[1] * jnp.ndim(x))
        value = [jnp.sum(t, axis=0) for t in terms]
        slope = [jnp.sum(k * t, axis=0) / width for t in terms]
        pair = where_pair(h != 0, (value, slope), pair)
        arrives = ~passed & (jnp.abs(target - x) <= longest)
        pair_via = where_pair(arrives, pair, pair_via)
        x = jnp.where(jnp.abs(target - x) <= longest, target, x + h)
        return count + 1, x, passed | arrives, pair, pair_via

    begin = (0, start, start == via, pair, pair)
    _, x, passed, pair_end, pair_via = jax.lax.while_loop(more, step, begin)
    nothing = [jnp.full_like(y, jnp.nan) for y in pair[0]]
    unknown = nothing, nothing
    return where_pair(passed, pair_via, unknown), where_pair(passed & (x == end), pair_end, unknown)


def where_pair(condition: jax.Array, first: Pair, second: Pair) -> Pair:
    return taylor.where(condition, first[0], second[0]), taylor.where(
        condition, first[1], second[1]
    )


def at_one(equation: Equation) -> Sequence[Any]:
    """Coefficients of the regular solution in powers of t = 1 - x, in a new first axis."""
    m, s = equation.m, equation.s

    def following(carry: Any, k: Any) -> Any:
        two_before, one_before, now = carry
        own = taylor.product(less_square(equation, 1.0, k), now)
        farther = taylor.product(
            s, [q - 2 * p for p, q in zip(one_before, two_before, strict=True)]
        )
        next_one = [
            (w - v) / (2 * (k + 1) * (k + m + 1)) for v, w in zip(own, farther, strict=True)
        ]
        return (one_before, now, next_one), now

    zero = [jnp.zeros_like(y) for y in s]
    one = [jnp.ones_like(s[0]), *zero[1:]]
    return jax.lax.scan(following, (zero, zero, one), jnp.arange(float(_TERMS)))[1]


def reach_of_series(equation: Equation) -> jax.Array:
    """How far from 1 the powers of t = 1 - x do not cancel."""
    size = jnp.abs(less_square(equation, 1.0)[0]) / (equation.m + 1)
    return jnp.minimum(0.25, 4 / (1 + size + jnp.sqrt(jnp.abs(equation.s[0]))))


def power_series(coefficients: Sequence[Any], t: jax.Array, order: int) -> Taylor:
    """The derivative of some order, in x, of a series in t = 1 - x."""
    k = jnp.arange(float(_TERMS)).reshape(-1, *[1] * jnp.ndim(t))
    factor = math.prod([jnp.maximum(k - j, 0.0) for j in range(order)], start=jnp.ones_like(k))
    powers = jnp.where(k >= order, t ** jnp.maximum(k - order, 0.0), 0.0)
    return [(-1) ** order * jnp.sum(factor * powers * c, axis=0) for c in coefficients]


def derivative_of(equation: Equation, x: jax.Array, pair: Pair, order: int) -> Taylor:
    """The derivative of some order in x of a solution, from its value and slope."""
    if order < 2:
        return pair[order]
    terms = coefficients(equation, x, jnp.ones_like(x), pair)
    return [math.factorial(order) * t[order] for t in terms]


def with_front(m: Any, x: jax.Array, g: Sequence[Any]) -> list[Any]:
    """Derivatives of |1 - x^2|^(m/2) g, from order 0 on, of g and as many of its own, at most 3."""
    w = (1 - x) * (1 + x)
    front = jnp.abs(w) ** (m / 2)
    # Those of the front factor, over itself.
    one = -m * x / w
    two = m / w * ((m - 2) * x * x / w - 1)
    return times_front((front, one, two), g)


def times_front(front: tuple[Any, Any, Any], g: Sequence[Any]) -> list[Any]:
    """Derivatives of a product: of a front factor, and its first and second over it, and of g."""
    factor, one, two = front
    products = [g[0]]
    if len(g) > 1:
        products.append(g[1] + one * g[0])
    if len(g) > 2:
        products.append(g[2] + 2 * one * g[1] + two * g[0])
    return [factor * product for product in products]
