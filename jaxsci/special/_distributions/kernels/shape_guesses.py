"""About what shape a distribution has that has a probability at a point, by normal scores.

The cube root of a gamma or F variable is nearly of the normal distribution (E. Wilson and M.
Hilferty, 1931, Proc. Nat. Acad. Sci. 17, 684; E. Paulson, 1942, Ann. Math. Stat. 13, 233), and a
function of Student's t even more nearly (D. Wallace, 1959, Ann. Math. Stat. 30, 1121). Roots are
bracketed from here: what is a bad guess takes longer, and nothing else.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.error_function import erfcinv_tail
from jaxsci.special._numerics.vectorised import cube_root, log

_EULER = 0.5772156649015329
_SMALL = 0.3
_STEPS = 6
_STEPS_OF_STUDENT = 4
_LEAST_SCORE = 0.5 - 2.0**-40
"""The tail beyond which a score is as good as 0."""
_FARTHEST = 4.0
"""How far a step goes, and the guess from the median: a factor of cube roots."""
_MOST_OFF = 7.0
_LEAST_OFF = 1e-6


class Guess(NamedTuple):
    """A shape, and a factor which it is off by at most, as a rule."""

    shape: jax.Array
    factor: jax.Array


def _normal_score(p: jax.Array, q: jax.Array) -> jax.Array:
    """The quantile of the normal distribution at p = 1 - q."""
    size = math.sqrt(2) * erfcinv_tail(2 * jnp.minimum(jnp.minimum(p, q), _LEAST_SCORE))
    return jnp.where(p < q, -size, size)


def _factor(off: jax.Array) -> jax.Array:
    return 1 + jnp.clip(off, _LEAST_OFF, _MOST_OFF)


def of_gamma(p: jax.Array, q: jax.Array, x: jax.Array) -> Guess:
    """The a with P(a, x) = p = 1 - q."""
    z = _normal_score(p, q)
    a = _by_cube_roots(z, x, 0.0)
    return _or_small(p, q, _exp1(x), Guess(a, _factor(_error(z) * _to_three_halves(a))))


def of_beta(p: jax.Array, q: jax.Array, b: jax.Array, x: jax.Array, rest: jax.Array) -> Guess:
    """The a with I_x(a, b) = p = 1 - q, of rest = 1 - x."""
    z = _normal_score(p, q)
    a = _by_cube_roots(z, b * (x / rest), 1 / (9 * b))
    off = _error(z) * (_to_three_halves(a) + _to_three_halves(b))
    # With 1 - exp(-t) for t: three terms at t = 0.
    u = -log(rest)
    v = b * u
    integral = _exp1(v) + jnp.exp(-v) * (0.5 + (1 + v) / (12 * b)) / b
    return _or_small(p, q, integral, Guess(a, _factor(off)))


def _or_small(p: jax.Array, q: jax.Array, integral: jax.Array, other: Guess) -> Guess:
    """The shape if it is small: p is about exp(-a E), of the integral E of exp(-t)/t from x on."""
    a = -jnp.where(q < 0.1, log1p(-jnp.minimum(q, 0.1)), log(p)) / integral
    found = Guess(a, _factor(3 * a))
    return Guess(*(jnp.where(a < _SMALL, f, o) for f, o in zip(found, other, strict=True)))


def _exp1(x: jax.Array) -> jax.Array:
    """About the integral of exp(-t)/t from x on, by two digits (DLMF 6.6.2, 6.9.1)."""
    y = jnp.minimum(x, 1.0)
    near = y * (1 - y * (1 / 4 - y * (1 / 18 - y / 96))) - _EULER - log(y)
    far = jnp.exp(-x) / (x + 1 / (1 + 1 / (x + 2 / (1 + 2 / (x + 3)))))
    return jnp.where(x < 1, near, far)


def _error(z: jax.Array) -> jax.Array:
    """Of shapes to the power 3/2, as found by trial."""
    square = 1 + z * z
    return 0.012 * square * jnp.sqrt(square)


def _to_three_halves(a: jax.Array) -> jax.Array:
    return 1 / (a * jnp.sqrt(a))


def _by_cube_roots(z: jax.Array, middle: jax.Array, part: jax.Array | float) -> jax.Array:
    """The a of which z is the score, by Newton's method in 1/cbrt(a).

    Args:
        z: the score.
        middle: the shape of which the median is about here.
        part: 1/9 of the inverse of the other shape.
    """
    root = cube_root(middle)
    median = 1 / root

    def step(_: Any, s: jax.Array) -> jax.Array:
        square = s * s
        cube = square * s / 9
        grown = part * root * root * square
        spread = jnp.sqrt(grown + cube)
        value = (1 - part) * root * s - 1 + cube - z * spread
        slope = (1 - part) * root + square / 3 - z * (2 * grown / s + square / 3) / (2 * spread)
        return jnp.clip(s - value / slope, s / _FARTHEST, s * _FARTHEST)

    s = jax.lax.fori_loop(0, _STEPS, step, median + 0 * z)
    s = jnp.where(s > 0, s, median)
    s = jnp.clip(s, median / _FARTHEST, median * _FARTHEST)
    return 1 / (s * s * s)


def of_binomial(y: jax.Array, q: jax.Array, n: jax.Array, p: jax.Array) -> Guess:
    """The k for which as many successes of n, or fewer, have the probability y = 1 - q.

    By the first terms of Cornish and Fisher's expansion (Abramowitz and Stegun 26.2.49).
    """
    z = _normal_score(y, q)
    deviation = jnp.sqrt(n * p * (1 - p))
    k = n * p - 0.5 + z * deviation + (1 - 2 * p) * (z * z - 1) / 6
    k = jnp.where((k > 0) & (k < n), k, n * p)
    return Guess(k, _factor(4 * _error(z) / (deviation * k)))


def of_student(tail: jax.Array, t: jax.Array) -> Guess:
    """The degrees of freedom for which that tail below 1/2 lies beyond t > 0."""
    z = _normal_score(1 - tail, tail)
    goal = 2 * log(z)
    square = t * t
    df = t * (square + 1) / (4 * jnp.maximum(t - z, 1e-12 * t))

    def step(_: Any, df: jax.Array) -> jax.Array:
        ratio = square / df
        logarithm = log(1 + ratio)
        over, under = 8 * df + 1, 8 * df + 3
        correction = over / under
        off = log(df * logarithm * correction * correction) - goal
        slope = 1 - ratio / ((1 + ratio) * logarithm) + 16 * df * (1 / over - 1 / under)
        return df * jnp.exp(jnp.clip(-off / slope, -1.5, 1.5))

    df = jax.lax.fori_loop(0, _STEPS_OF_STUDENT, step, df)
    return Guess(df, _factor(0.5 / (1 + df)))


def of_second_of_f(p: jax.Array, q: jax.Array, dfn: jax.Array, x: jax.Array) -> Guess:
    """The dfd with which F has the probability p = 1 - q at x: the root of a quadratic equation."""
    z = _normal_score(p, q)
    part, root = 2 / (9 * dfn), cube_root(x)
    gap = root - (1 - part)
    square, spread = root * root, z * z
    half = root * gap + 0.5 * spread * square
    both = jnp.sqrt(jnp.maximum(half * half - square * (gap * gap - spread * part), 0.0))

    def off(u: jax.Array) -> jax.Array:
        found = jnp.abs(gap - root * u - z * jnp.sqrt(jnp.maximum(u, 0.0) * square + part))
        return jnp.where(u > 0, found, jnp.inf)

    first, second = (half + both) / square, (half - both) / square
    u = jnp.where(off(first) < off(second), first, second)
    return Guess(jnp.where(u > 0, 2 / (9 * u), 1.0), jnp.full_like(x, 1.25))
