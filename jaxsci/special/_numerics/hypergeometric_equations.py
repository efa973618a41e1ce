"""Gauss's and Kummer's functions F and M by their differential equations, differentiable by JAX.

From the power series about the origin, Taylor steps lead along a line to z. Nothing in them
divides by a difference of parameters, so JAX's derivatives in the parameters, of any order, have
the digits of the steps themselves. Towards a singular point errors grow as the other solution does,
which the derivatives contain.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.plane import over
from jaxsci.special._numerics.power_series import value_and_slope

_TERMS = 50
_MIDDLE, _FALL = 25.0, 0.45
_REACH = 0.4
_ASIDE = 0.8
_CORNER = complex(-0.5, math.sqrt(0.75))
_SMALL, _SMALLEST = 2.0**-300, 4
_FAR = 40.0
_FAR_TERMS = 60
_LARGE, _LARGEST_SLOPE = 1e100, 1e200
_SHORTEST = 1e-300
_SHORTER = 0.77
_TURN = 2.5
"""The longest step, over the length in which solutions turn by one radian."""


def gauss(
    a: Any, b: Any, c: Any, z: Any, rest: Any, pace: Any = 1.0, scale: Any = 1.0
) -> jax.Array:
    """F(a, b; c; z) times a factor for real parameters (DLMF 15.10.1), not differentiable in z.

    Args:
        a: parameter.
        b: parameter.
        c: parameter, not 0, -1, ...
        z: argument: real and below 1, or complex and not 1. On the cut from there on the sign of
            its imaginary part, 0 or -0, says from which side.
        rest: 1 - z, which may have more digits than that has.
        pace: what the longest steps are multiplied by, at most 1.
        scale: the factor, which the function may be too large without.
    """
    at = a, b, c, z, rest
    return by_blocks(_gauss, *at, pace, scale, steps=steps_of_gauss(*at))


def paces(x: jax.Array, shorter: float = _SHORTER) -> jax.Array:
    """What steps are multiplied by, to solve an equation twice along a first dimension."""
    return jnp.array([1.0, shorter]).reshape(-1, *[1] * x.ndim)


def steps_of_gauss(a: Any, b: Any, c: Any, z: Any, rest: Any) -> jax.Array:
    """What the number of Taylor steps of `gauss` grows with."""
    a, b, c, z, rest = map(jax.lax.stop_gradient, (a, b, c, z, rest))
    far, beyond = jnp.abs(z), jnp.maximum(_SHORTEST, jnp.abs(rest))
    log = jnp.log1p(far)
    waves = jnp.sqrt(jnp.abs(a * b)) * (jnp.arcsin(jnp.sqrt(jnp.minimum(far, 1.0))) + log)
    towards_one = (1 + jnp.abs(c - a - b)) * (log - jnp.log(beyond))
    return waves + (1 + jnp.abs(c)) * log + jnp.maximum(towards_one, 0.0)


def _gauss(a: Any, b: Any, c: Any, z: Any, rest: Any, pace: Any, scale: Any) -> jax.Array:
    p, q, r = (jax.lax.stop_gradient(jnp.abs(t)) for t in (a, b, c))
    at_zero = _steepness(r)
    at_one = _steepness(jax.lax.stop_gradient(jnp.abs(c - a - b)))
    turns = 1 + jnp.sqrt(p * q)

    def longest(at: jax.Array, beyond: jax.Array) -> Any:
        there, beyond = jnp.abs(at), jnp.abs(beyond)
        wave = _TURN * jnp.sqrt(there * beyond) / turns
        return pace * jnp.minimum(jnp.minimum(there / at_zero, beyond / at_one), wave)

    def equation(at: jax.Array, beyond: jax.Array, h: jax.Array) -> Callable[..., Any]:
        inner, outer = over(h, at), over(h, beyond)
        both, constant = inner * outer, (over(c, at) - (a + b + 1)) * outer

        def following(k: jax.Array, f: jax.Array, d: jax.Array) -> jax.Array:
            from_f = ((k + a) * (k + b) / ((k + 1) * (k + 2))) * both
            return from_f * f - ((inner - outer) * k + constant) * (1 / (k + 2)) * d

        return following

    # Terms fall off within those that are summed: by the quotient of the middle ones.
    falling = _FALL * (_MIDDLE + r) * (_MIDDLE + 1) / ((_MIDDLE + p) * (_MIDDLE + q))
    reach = jnp.minimum(jnp.minimum(_REACH, falling), 2 * (r + 1) / ((p + 1) * (q + 1)))
    return _along_line(
        z,
        rest,
        pace * reach,
        lambda k: (a + k) * (b + k) / ((c + k) * (k + 1)),
        equation,
        longest,
        around_one=True,
        scale=scale,
    )


def kummer(a: jax.Array, b: jax.Array, z: jax.Array) -> jax.Array:
    """M(a, b, z) for real parameters, real or complex z (DLMF 13.2.1); not differentiable in z."""
    return by_blocks(_kummer, a, b, z, steps=steps_of_kummer(a, b, z))


def steps_of_kummer(a: Any, b: Any, z: Any) -> jax.Array:
    """What the number of Taylor steps of `kummer` grows with."""
    p, r, far = (jnp.abs(jax.lax.stop_gradient(t)) for t in (a, b, z))
    return far + jnp.sqrt(p * far) + (1 + r) * jnp.log1p(far)


def _kummer(a: jax.Array, b: jax.Array, z: jax.Array) -> jax.Array:
    p, r = (jax.lax.stop_gradient(jnp.abs(t)) for t in (a, b))
    at_zero = _steepness(r)

    def longest(at: jax.Array, beyond: jax.Array) -> jax.Array:
        there = jnp.abs(at)
        return jnp.minimum(there / at_zero, _TURN / (1 + jnp.sqrt(p / there)))

    return _along_line(
        z,
        1 - z,
        jnp.minimum(1.5, 2 * (r + 1) / (p + 1)),
        lambda k: (a + k) / ((b + k) * (k + 1)),
        _kummers(a, b),
        longest,
    )


def _kummers(a: jax.Array, b: jax.Array) -> Callable[[Any, Any, Any], Any]:
    """Kummer's equation, for `_along_line`."""

    def equation(at: jax.Array, beyond: jax.Array, h: jax.Array) -> Callable[..., Any]:
        inner = over(h, at)
        square, constant = inner * h, b * inner - h

        def following(k: jax.Array, f: jax.Array, d: jax.Array) -> jax.Array:
            from_f = ((k + a) / ((k + 1) * (k + 2))) * square
            return from_f * f - (k * inner + constant) * (1 / (k + 2)) * d

        return following

    return equation


def tricomi(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """U(a, b, x) for x > 0; not differentiable in x. NaN below 1e-300.

    Far out it is the sum of DLMF 13.7.3, and from there steps lead inwards: the other solutions
    fall off that way, or do not grow more than U itself.
    """
    # Where steps underflow none of them would be the last.
    value = by_blocks(_tricomi, a, b, jnp.maximum(x, _SHORTEST), steps=steps_of_tricomi(a, b, x))
    # A factor, for derivatives are none either.
    return value * jnp.where(x < _SHORTEST, jnp.nan, 1.0)


def _start_of_tricomi(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    p, q = jnp.abs(a), jnp.abs(a - b + 1)
    return jnp.maximum(x, _FAR + 2 * (p + q) + p * q)


def steps_of_tricomi(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """What the number of Taylor steps of `tricomi` grows with."""
    a, b, x = map(jax.lax.stop_gradient, (a, b, x))
    start, p = _start_of_tricomi(a, b, x), jnp.abs(a) + jnp.abs(b)
    way = jnp.log(start / jnp.maximum(x, _SHORTEST))
    return (1 + jnp.abs(b)) * way + jnp.sqrt(p) * (jnp.sqrt(start) - jnp.sqrt(jnp.abs(x)))


def _tricomi(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    p, r = (jax.lax.stop_gradient(jnp.abs(t)) for t in (a, b))
    start = _start_of_tricomi(*map(jax.lax.stop_gradient, (a, b, x)))
    at_zero = _steepness(r)
    equation = _kummers(a, b)

    def add(k: Any, carry: Sequence[jax.Array]) -> Any:
        term, value, slope = carry
        # The derivative of start^(a + k) in start, but for the power.
        following = term * (a + k) * (a - b + 1 + k) / (-start * (k + 1))
        return following, value + term, slope - (a + k) * term

    zero = jnp.zeros_like(x)
    _, value, slope = jax.lax.fori_loop(0, _FAR_TERMS, add, (jnp.ones_like(x), zero, zero))

    def step(carry: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        at, value, slope, scale = carry
        active = at > x
        most = jnp.minimum(at / at_zero, _TURN / (1 + jnp.sqrt((p + r / 2) / at)))
        last = at - x <= most
        width = jnp.where(last, at - x, most)
        h = -jnp.where(active, width, 1e-3 * at)
        moved, turned = _taylor(equation(at, at, h), h, value, slope)
        # Next to 0 slopes overflow long before values do.
        size = jax.lax.stop_gradient(jnp.abs(moved) + at * jnp.abs(turned))
        large = active & ((size > _LARGE) | (jnp.abs(turned) > _LARGEST_SLOPE))
        by = jnp.where(large, 1 / _LARGE, 1.0)
        return (
            jnp.where(last, x, at - width),
            jnp.where(active, by * moved, value),
            jnp.where(active, by * turned, slope),
            jnp.where(large, scale + math.log(_LARGE), scale),
        )

    carry = (start, value, slope / start, zero)
    _, value, _, scale = jax.lax.while_loop(lambda carry: jnp.any(carry[0] > x), step, carry)
    # The product may be a number where one factor is none.
    half = jnp.exp((scale - a * jnp.log(start)) / 2)
    return half * value * half


def limit(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z) for real v, real or complex z (DLMF 16.8.3); not differentiable in z."""
    return by_blocks(_limit, v, z, steps=steps_of_limit(v, z))


def steps_of_limit(v: jax.Array, z: jax.Array) -> jax.Array:
    """What the number of Taylor steps of `limit` grows with."""
    r, far = (jnp.abs(jax.lax.stop_gradient(t)) for t in (v, z))
    return jnp.sqrt(far) + (1 + r) * jnp.log1p(far)


def _limit(v: jax.Array, z: jax.Array) -> jax.Array:
    r = jax.lax.stop_gradient(jnp.abs(v))
    at_zero = _steepness(r)

    def longest(at: jax.Array, beyond: jax.Array) -> jax.Array:
        there = jnp.abs(at)
        return jnp.minimum(there / at_zero, _TURN * jnp.sqrt(there))

    def equation(at: jax.Array, beyond: jax.Array, h: jax.Array) -> Any:
        inner = over(h, at)
        square, constant = inner * h, v * inner

        def following(k: Any, f: Any, d: jax.Array) -> Any:
            return (1 / ((k + 1) * (k + 2))) * square * f - over(k * inner + constant, k + 2) * d

        return following

    # For v < 0 the series also has the other solution, which grows and is small at first.
    reach = jnp.maximum(2 * (r + 1), jnp.where(v < 0, r * r / 6, 0.0))
    return _along_line(z, 1 - z, reach, lambda k: 1 / ((v + k) * (k + 1)), equation, longest)


def _steepness(exponent: jax.Array) -> jax.Array:
    """How many steps the way to a singularity takes: the other solution has this exponent there."""
    return 2.5 + exponent / 4


def _along_line(
    z: jax.Array,
    rest: Any,
    reach: jax.Array,
    ratio: Callable[[Any], Any],
    equation: Callable[[Any, Any, Any], Callable[[Any, Any, Any], Any]],
    longest: Callable[[Any, Any], Any],
    around_one: bool = False,
    scale: Any = 1.0,
) -> jax.Array:
    """A solution's value at z; NaN at 1 if that is singular, for steps grow ever shorter there.

    Where that is very small, it is carried along as a multiple, for its terms would underflow.

    Args:
        z: where to.
        rest: 1 - z.
        reach: how far from the origin the power series serves.
        ratio: of its coefficients k + 1 and k.
        equation: of a point, 1 minus the point and a step: the term k + 2 of the Taylor series,
            from k and the terms k and k + 1.
        longest: the longest step from a point, and 1 minus the point.
        around_one: whether 1 is a singular point. `reach` is less than 1 then.
        scale: what the solution is multiplied by.
    """
    endless = (rest == 0) & around_one
    z, rest = jnp.where(endless, 0.0, z), jnp.where(endless, 1.0, rest)
    length = jnp.abs(z)
    ray = jnp.where(length == 0, 1.0, over(z, jnp.where(length == 0, 1.0, length)))
    lines = [(length, ray, rest)]
    if around_one and jnp.iscomplexobj(z):
        lines = _around_one(z, rest, lines[0])
    way, ray, _ = lines[0]
    first = jnp.minimum(way, reach) * ray
    way = jnp.maximum(way - reach, 0.0)
    value, slope = (scale * y for y in value_and_slope(ratio, first, _TERMS))

    def step(
        carry: Sequence[jax.Array],
    ) -> tuple[jax.Array, ...]:
        at, left, line, value, slope, small = carry  # left: of the line
        (_, along, end), (following, _, _) = _line(lines, line), _line(lines, line + 1)
        active = left > 0
        point = jnp.where(active, at, 0.5 * along)
        # Far from the end what is left has lost the digits of the point.
        beyond = jnp.where(active & (left <= 1), end + left * along, 1 - point)
        most = longest(point, beyond)
        # A step that is too short to move the point would be taken for ever.
        last = ~(left > most) | (left - most == left)
        width = jnp.where(last, left, most)
        h = jnp.where(active, width, 1e-3) * along
        moved, turned = _taylor(equation(point, beyond, h), h, value, slope)
        vanishing = active & (jnp.abs(moved) + jnp.abs(at * turned) < _SMALL)
        by = jnp.where(vanishing, 1 / _SMALL, 1.0)
        return (
            jnp.where(active, at + width * along, at),
            jnp.where(active, jnp.where(last, following, left - width), left),
            jnp.where(active & last, line + 1, line),
            jnp.where(active, by * moved, value),
            jnp.where(active, by * turned, slope),
            jnp.where(vanishing, small + 1, small),
        )

    zero = jnp.zeros_like(length)
    start = (first, way, zero, value, slope, zero)
    going = jax.lax.while_loop(lambda carry: jnp.any(carry[1] > 0), step, start)
    _, _, _, value, _, small = going
    # Numbers that are too small for such a power are zero.
    for count in range(_SMALLEST):
        value = jnp.where(small > count, _SMALL * value, value)
    return jnp.where(endless, jnp.nan, value)


Line = tuple[jax.Array, jax.Array, Any]
"""Its length, its direction, and 1 less its end."""


def _around_one(z: jax.Array, rest: jax.Array, straight: Line) -> list[Line]:
    """Around 1, if that is on the way; lines that are not needed have no length.

    By a point as far from 1 as z is, or as 0 is if z is far: on no ellipse with foci 0 and 1 larger
    than that of z, for functions of large parameters grow from one to the next. And by another half
    way round: next to 1 the smaller solution may lose as many digits as the lines come nearer.
    """
    length = straight[0]
    distance = jnp.minimum(jnp.abs(rest), 1.0)
    detour = (rest.real < 0) & (jnp.abs(z.imag) < _ASIDE * distance * length)
    turn = jnp.where(jnp.signbit(z.imag), jnp.conj(_CORNER), _CORNER)
    # The bisector of the two, as 1 sees them.
    half = turn - over(rest, jnp.where(detour, jnp.abs(rest), 1.0))
    half = over(half, jnp.where(detour, jnp.abs(half), 1.0))
    corners = [jnp.full_like(z, -1.0), distance * turn, distance * half, -rest]
    lines = []
    for begin, end in itertools.pairwise(corners):
        way = jnp.where(detour, end - begin, 1.0)
        lines.append((jnp.where(detour, jnp.abs(way), 0.0), over(way, jnp.abs(way)), -end))
    lines[0] = jax.tree.map(functools.partial(jnp.where, detour), lines[0], straight)
    return lines


def _line(lines: Sequence[Line], i: jax.Array) -> Line:
    """The i-th, or a line without length after the last."""
    found = (jnp.zeros_like(lines[-1][0]), *lines[-1][1:])
    for k, line in enumerate(lines):
        found = jax.tree.map(functools.partial(jnp.where, i == k), line, found)
    return found


def _taylor(
    following: Callable[[Any, Any, Any], Any], h: jax.Array, value: jax.Array, slope: jax.Array
) -> tuple[jax.Array, ...]:
    """One step: the function and its derivative at at + h."""

    def add(carry: Sequence[jax.Array], k: jax.Array) -> Any:
        f, d, value, slope = carry  # terms k and k + 1
        return (d, following(k, f, d), value + f, slope + (k + 1) * d), None

    zero = jnp.zeros_like(h)
    start = value, h * slope, zero, zero
    (_, _, moved, turned), _ = jax.lax.scan(add, start, jnp.arange(float(_TERMS)))
    return moved, over(turned, h)
