"""J_v(x) and Y_v(x) of v >= 0 and x > 0, by as many operations wherever they are.

With L = v arccosh(v/x) - (v^2 - x^2)^(1/2) for x < v, and (x^2 - v^2)^(1/2) - v arccos(v/x) beyond:

- Orders v >= 25 have Debye's expansions far from the turning point x = v, where L is 22 at least,
  and Olver's in Airy functions next to it.
- Of smaller ones there is the Hankel function of an order of at most 1/2 in size, and its
  derivative, by polynomials in 1/x and the order's square, or for x < 2 by Temme's series. Forward
  recurrence leads to v. J for x < v, the minimal solution of it, is what the Wronskian leaves
  beside Y once backward recurrence has the ratio of neighbours; for x < 2 it is its power series.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import hankel_tables, olver_tables
from jaxsci.special._bessel.kernels.airy_on_device import airy
from jaxsci.special._bessel.kernels.debye import OnAxis, in_powers, on_axis, polynomials
from jaxsci.special._bessel.kernels.large_orders import MOST
from jaxsci.special._bessel.kernels.power_series import power_series
from jaxsci.special._bessel.kernels.temme import temme
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.taylor import once

_LARGE = 25, 9
"""From here on orders are large, in double precision and in single."""
_CLEAR = 22.0, 9.0
"""L where Debye's expansions begin."""
_DEBYE = polynomials(19), polynomials(8)
_SMALL = 2.0
"""Below, J is its power series and Y Temme's."""
_STEPS = 26, 14
"""Of backward recurrence, after which nothing of Y is left."""
_TERMS = 16, 9


class Cylinders(NamedTuple):
    """Solutions of Bessel's equation."""

    first: Any
    second: Any


def cylinders(v: jax.Array, x: jax.Array, factor: jax.Array | float = 1.0) -> Cylinders:
    """J_v(x), and the product of Y_v(x) and a factor of 1 at most."""
    large = v >= by_precision(x, *_LARGE)
    order = jnp.where(large, v, 1.0)
    at = on_axis(order, jnp.where(large, x, 1.0))
    far = at.value >= by_precision(x, *_CLEAR)
    pairs = zip(_apart(order, at, factor), _turning(order, at, factor), strict=True)
    values = [jnp.where(far, a, b) for a, b in pairs]
    small = _of_small_order(jnp.where(large, 0.0, v), x, factor)
    values = [jnp.where(large, a, b) for a, b in zip(values, small, strict=True)]
    known, at_infinity = v <= MOST, jnp.isinf(x)
    return Cylinders(*(jnp.where(known, jnp.where(at_infinity, 0.0, y), jnp.nan) for y in values))


# -- of large orders -------------------------------------------------------------------------------


def _apart(v: jax.Array, at: OnAxis, factor: jax.Array | float) -> Cylinders:
    """Debye's expansions (DLMF 10.19.3, 10.19.6)."""
    inverse = 1 / jnp.where(at.root == 0, 1.0, at.root)
    sign = jnp.where(at.below, 1.0, -1.0)
    rows = by_precision(inverse, *_DEBYE)
    line, square = sign * (v * inverse) * (v * inverse), sign * inverse * inverse
    even, odd = once(*(in_powers(rows[k::2], line, square) for k in (0, 1)))
    odd = odd * inverse
    amplitude = jnp.sqrt(2 / math.pi * inverse)
    # Products of two halves, as the exponential may overflow where they do not.
    half = jnp.exp(jnp.where(at.below, at.value / 2, 0.0))
    decayed = (amplitude / half * (even + odd) / 2) / half
    grown = (factor * amplitude * half * (odd - even)) * half
    c, s = once(jnp.cos(at.value), jnp.sin(at.value))
    amplitude = amplitude * math.sqrt(0.5)
    c, s = amplitude * (c + s), amplitude * (s - c)
    return Cylinders(
        jnp.where(at.below, decayed, c * even + s * odd),
        jnp.where(at.below, grown, factor * (s * even - c * odd)),
    )


def _turning(v: jax.Array, at: OnAxis, factor: jax.Array | float) -> Cylinders:
    """Olver's expansions (DLMF 10.20.4, 10.20.5)."""
    near = jnp.minimum(at.value, by_precision(at.value, *_CLEAR))
    root, third = once(jnp.cbrt(1.5 * near), jnp.cbrt(v))
    size = root * root
    variable = jnp.where(at.below, size, -size)
    zeta = variable / (third * third)
    inverse = 1 / (v * v)
    a, b = once(
        *(
            horner([row(zeta) for row in rows], inverse)
            for rows in (
                (olver_tables.A1, olver_tables.A2, olver_tables.A3, olver_tables.A4),
                (olver_tables.B0, olver_tables.B1, olver_tables.B2, olver_tables.B3),
            )
        )
    )
    a, b = 1 + a * inverse, b / (third * v)
    ai, slope_ai, bi, slope_bi = once(*airy.evaluate(variable))
    front = olver_tables.PHI(zeta) / third
    return Cylinders(front * (ai * a + slope_ai * b), -(factor * front) * (bi * a + slope_bi * b))


# -- of small orders -------------------------------------------------------------------------------


def _of_small_order(v: jax.Array, x: jax.Array, factor: jax.Array | float) -> Cylinders:
    """By recurrence in the order, from one of at most 1/2 in size."""
    steps = jnp.round(v)
    order = v - steps
    near = x < _SMALL
    far = jnp.where(near, _SMALL, x)
    first, second = _lowest(order, far)
    beside = temme(order, jnp.where(near, x, 0.5), -1)
    second = once(*(jnp.where(near, factor * a, b) for a, b in zip(beside, second, strict=True)))
    ahead = _forward(order, x, steps, *first)[0]
    here, above = _forward(order, x, steps, *second)
    minimal = 2 / (math.pi * x) / (_ratio(v, far) * here - above)  # DLMF 10.5.2
    value = jnp.where(v < x, ahead, minimal)
    value = jnp.where(
        near, power_series(v, jnp.minimum(x, _SMALL), -1, by_precision(x, *_TERMS)), value
    )
    return Cylinders(value, jnp.where(near, here, factor * here))


def _lowest(order: jax.Array, x: jax.Array) -> tuple[list[Any], list[Any]]:
    """J and Y of an order of at most 1/2 in size and of the one above, for x >= 2."""
    u, square = 1 / x, order * order
    tables = (hankel_tables.P, hankel_tables.Q, hankel_tables.R, hankel_tables.S)
    p, q, r, s = once(*(table(u, square) for table in tables))
    # Of a large x itself cosine and sine have all digits, of the phase they have not.
    x = jnp.where(jnp.isinf(x), 0.0, x)
    angle = math.pi * (order / 2 + 0.25)
    c_x, s_x, c, s_angle = once(*(f(y) for y in (x, angle) for f in (jnp.cos, jnp.sin)))
    amplitude = jnp.sqrt(2 / math.pi * u)
    cosine, sine = amplitude * (c_x * c + s_x * s_angle), amplitude * (s_x * c - c_x * s_angle)
    j, y = p * cosine - q * sine, p * sine + q * cosine
    j_slope, y_slope = -(r * sine + s * cosine), r * cosine - s * sine
    over = order * u
    j, above_j, y, above_y = once(j, over * j - j_slope, y, over * y - y_slope)  # DLMF 10.6.2
    return [j, above_j], [y, above_y]


def _forward(
    order: jax.Array, x: jax.Array, steps: jax.Array, here: Any, above: Any
) -> tuple[Any, Any]:
    """So many steps further (DLMF 10.6.1)."""
    twice = 2 / x
    value, beside = here, above
    for k in range(1, by_precision(x, *_LARGE) + 1):
        following = (order + k) * twice * above - here
        here, above = above, jnp.where(jnp.isinf(above), above, following)
        reached = steps == k
        value, beside = jnp.where(reached, here, value), jnp.where(reached, above, beside)
    return value, beside


def _ratio(v: jax.Array, x: jax.Array) -> jax.Array:
    """J_{v+1}(x)/J_v(x) for x < v, by backward recurrence (DLMF 3.6(iii))."""
    twice = 2 / x
    here, above = jnp.ones_like(v), jnp.zeros_like(v)
    for k in range(by_precision(x, *_STEPS), 0, -1):
        here, above = (v + k) * twice * here - above, here
    return above / here
