"""Faddeeva's function and its relatives of complex arguments, by a rule with a step of 1/2.

w(z) is (i/pi) times the integral of exp(-t^2)/(z - t) over the real line, for Im z > 0. The
trapezoidal rule gives it to double precision once the residue of the pole z is added; nodes at
multiples of 1/2, or halfway between them, whichever are further from Re z (M. Al Azah and
S. N. Chandler-Wilde, SIAM J. Numer. Anal. 59, 2021, 2346-2367). With h the step,

    w(z) = i S + exp(-z^2) (1 + i T),  D(z) = (sqrt(pi)/2) (S + exp(-z^2) T),

where T = tan(pi z/h) or -cot(pi z/h), and S is z times a sum over the nodes. Real and imaginary
parts are computed apart, so that small ones keep their digits.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import expm1, upper_half
from jaxsci.special._numerics.plane import Part
from jaxsci.special._numerics.shared import shared

_STEP = 0.5
_NODES = 13
_HIGH = 5.0
"""From here on the pole is so far from the real line that it adds nothing."""
_FAR = 1e8
"""From here on S is 1/(sqrt(pi) z)."""
_LARGE = (1e150, 1e18)
_WEIGHT = 2 * _STEP / math.pi


class Rule(NamedTuple):
    """What the functions are made of."""

    s: Part
    residue: Part
    """1 + i T; 0 where Im z is large."""
    rest: Any
    """The real part of -i T, which is 1 less that of the residue."""


def _nodes(shift: float) -> list[tuple[float, float]]:
    """Nodes and weights on the half line."""
    return [
        (t, (0.5 if t == 0 else 1.0) * math.exp(-t * t))
        for t in (_STEP * (k + shift) for k in range(_NODES))
    ]


def _sum(x: jax.Array, y: jax.Array, halfway: jax.Array) -> Part:
    """S for y >= 0."""
    even: Any = 0.0
    odd: Any = 0.0
    for (a, first), (b, second) in zip(_nodes(0.5), _nodes(0.0), strict=True):
        t = jnp.where(halfway, a, b)
        weight = jnp.where(halfway, first, second)
        below, above = x - t, x + t
        r = shared(weight / ((below * below + y * y) * (above * above + y * y)))
        even = even + r
        odd = odd + t * t * r
    size = x * x + y * y
    return Part(_WEIGHT * x * (size * even - odd), -_WEIGHT * y * (size * even + odd))


def rule(x: jax.Array, y: jax.Array) -> Rule:
    """S and the residue at x + iy, for y >= 0."""
    far = ~(jnp.maximum(jnp.abs(x), y) < _FAR)
    x_, y_ = jnp.where(far, 1.0, x), jnp.where(far, 1.0, y)
    r = 2 * x_ - jnp.round(2 * x_)
    halfway = jnp.abs(r) <= 0.25
    near = _sum(x_, y_, halfway)
    # 1/(sqrt(pi) z), whose square may be too large a number.
    size = jnp.where(far, jnp.maximum(jnp.abs(x), y), 1.0)
    a, b = shared(x / size), shared(y / size)
    scale = shared(1 / (math.sqrt(math.pi) * size * (a * a + b * b)))
    infinite = size == jnp.inf
    s = Part(
        jnp.where(far, jnp.where(infinite, 0.0, a * scale), near.re),
        jnp.where(far, jnp.where(infinite, 0.0, -b * scale), near.im),
    )
    low = jnp.minimum(y_, _HIGH)
    sign = jnp.where(halfway, 1.0, -1.0)
    c, d = sign * jnp.cos(2 * math.pi * r), sign * jnp.sin(2 * math.pi * r)
    below_one = expm1(-4 * math.pi * low)
    q = shared(jnp.exp(-4 * math.pi * low))
    over = shared(1 / (1 + q * (q + 2 * c)))
    reached = ~far & (y_ < _HIGH)
    residue = Part(
        jnp.where(reached, 2 * q * (c + q) * over, 0.0), jnp.where(reached, 2 * q * d * over, 0.0)
    )
    return Rule(s, residue, jnp.where(reached, -below_one * (1 + q) * over, 1.0))


def product(a: jax.Array, b: jax.Array) -> tuple[Any, Any]:
    """The product and its error, of numbers of moderate size."""
    a_high, b_high = upper_half(a), upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    high, first, second = a_high * b_high, a_high * b_low, a_low * b_high
    p = high + (first + second)
    return p, (((high - p) + first) + second) + a_low * b_low


def turn(x: jax.Array, y: jax.Array, factor: float = 1.0) -> Part:
    """exp(-2i factor xy), where the factor is a power of two: the product is taken in two parts."""
    angle, rest = product(x, 2 * factor * y)
    c, s = shared(jnp.cos(angle)), shared(jnp.sin(angle))
    return Part(c - rest * s, -s - rest * c)


def gaussian(x: jax.Array, y: jax.Array, factor: float = 1.0) -> Part:
    """exp(-factor (x + iy)^2), where the factor is a power of two.

    The squares are taken in two parts, for their roundings would count as often as they are large.
    """
    large = by_precision(x, *_LARGE)
    x, y = (jnp.clip(t, -large, large) for t in (x, y))
    x_high, y_high = upper_half(x), upper_half(y)
    a, b = y_high * y_high, x_high * x_high
    exponent = a - b
    back = exponent - a
    error = (a - (exponent - back)) - (b + back)
    low = (y - y_high) * (y + y_high) - (x - x_high) * (x + x_high) + error
    low = jnp.clip(factor * low, -0.5, 0.5)
    size = shared(jnp.exp(factor * exponent))
    size = jnp.where((size > 0) & (size < jnp.inf), size + size * (low + 0.5 * low * low), size)
    unit = turn(x, y, factor)
    # An infinite size times a sine that is 0, or nothing times what is no number.
    re, im = size * unit.re, jnp.where(unit.im == 0, unit.im, size * unit.im)
    return Part(jnp.where(size == 0, 0.0, re), jnp.where(size == 0, 0.0, im))


def _upper(x: jax.Array, y: jax.Array) -> tuple[Any, Any, Any]:
    """The argument or its opposite, with an imaginary part that is not negative; which it is."""
    below = y < 0
    return jnp.where(below, -x, x), jnp.abs(y), below


def w(x: jax.Array, y: jax.Array) -> Part:
    """Faddeeva's function of x + iy."""
    u, v, below = _upper(x, y)
    at = rule(u, v)
    g = gaussian(x, y)
    near = v < _HIGH
    beside = Part(jnp.where(near, g.re, 0.0), jnp.where(near, g.im, 0.0)).times(at.residue)
    re, im = beside.re - at.s.im, beside.im + at.s.re
    # w(z) = 2 exp(-z^2) - w(-z) (DLMF 7.4.3).
    return Part(jnp.where(below, 2 * g.re - re, re), jnp.where(below, 2 * g.im - im, im))


def dawson(x: jax.Array, y: jax.Array) -> Part:
    """Dawson's integral of x + iy."""
    u, v, below = _upper(x, y)
    at = rule(u, v)
    beside = gaussian(x, y).times(Part(at.residue.im, at.rest))
    sign = jnp.where(below, -0.5, 0.5) * math.sqrt(math.pi)
    return Part(sign * (at.s.re + beside.re), sign * (at.s.im + beside.im))


def _beside(x: jax.Array, y: jax.Array, g: Part) -> tuple[Rule, Part]:
    """The rule at iz, and i exp(-z^2) S(iz), for x >= 0."""
    at = rule(-y, x)
    product = g.times(at.s)
    return at, Part(-product.im, product.re)


def erf(x: jax.Array, y: jax.Array, g: Part) -> Part:
    """The error function of x + iy, where g is exp(-z^2)."""
    left = x < 0
    at, beside = _beside(jnp.abs(x), jnp.where(left, -y, y), g)
    re, im = at.rest - beside.re, -at.residue.im - beside.im
    return Part(jnp.where(left, -re, re), jnp.where(left, -im, im))


def erfc(x: jax.Array, y: jax.Array, g: Part) -> Part:
    """The complementary error function of x + iy, where g is exp(-z^2)."""
    left = x < 0
    at, beside = _beside(jnp.abs(x), jnp.where(left, -y, y), g)
    re, im = at.residue.re + beside.re, at.residue.im + beside.im
    return Part(jnp.where(left, 2 - re, re), jnp.where(left, -im, im))
