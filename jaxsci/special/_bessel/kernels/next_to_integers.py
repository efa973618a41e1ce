"""J_v and I_v of negative orders next to integers -n, where rounding an order or a sine shows.

There they are nearly linear in the order, and soon larger than at the integer: what the distance
from it is rounded by, the difference from J_(-n) is too. A few digits of the difference correct it.

SciPy's I_v takes the sine of a rounded product.

By DLMF 10.27.2, I_v = I_(-v) + (2/pi) sin(-pi v) K_(-v) for v < 0, and next to an integer the
second term has the relative error of the sine. That of the rounded product is known, and with it
the second term is corrected: with s the sine and s' the one that was taken,

    I_v = y s/s' + (1 - s/s') I_(-v),

where y is SciPy's value. Of I_(-v) a few digits are enough.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci.special._bessel.kernels.scaled_in_plane import LARGE_ORDER
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.double_double import lost_in_sum, product
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi
from jaxsci.special._numerics.vectorised import is_odd

_REST_OF_PI = 1.2246467991473532e-16
"""What pi is more than a double."""
_LEAST_CHANGE = 1e-13
_LARGEST_ORDER = 300.0
_BEYOND = 2.0
"""From this much above the order on, I_(-v) outweighs K_(-v) times a small sine."""
_TERMS, _SQUARE = 40, 40.0
_NO_SQUARE, _NO_FACTOR = 354.0, 700.0
"""Where exp(-2 z) underflows, and before exp(-z) does."""
_AGREES = 1e-13

WORDS = "v < 0 is no integer, but so near to one that the sine of a rounded product is off"


@functools.cache
def _scipy_rounds() -> bool:
    """Whether this SciPy takes the sine of a rounded product: it may not do so for ever."""
    v, z = -12 + 2.0**-31, 2.0**-15
    # The first terms of DLMF 10.25.2, of which 1/Gamma(v + 1) is 11! times the distance.
    distance = v + 12
    harmonic = sum(1 / k for k in range(1, 12))
    leading = -math.factorial(11) * distance * (1 + distance * (np.euler_gamma - harmonic))
    exact = leading * (z / 2) ** v * (1 + (z / 2) ** 2 / (v + 1))
    return bool(abs(scipy.special.ive(v, z) * math.exp(z) / exact - 1) > 1e-9)


def _change(v: jax.Array) -> jax.Array:
    """1 - s/s'."""
    order = -v
    c, s = cosine_and_sine_of_pi(order)
    exact = product(order, jnp.full_like(order, math.pi))
    high, low = exact.hi[0], exact.lo[0]
    # The sum is the rounded product, which a compiler might not round if it were written as one.
    rest = (low - ((high + low) - high)) + _REST_OF_PI * order
    return -c * rest / (s - c * rest)


def _is_off(v: jax.Array, z: jax.Array) -> jax.Array:
    if not _scipy_rounds():
        return jnp.zeros(jnp.broadcast_shapes(v.shape, z.shape), bool)
    small = (jnp.abs(z) < _BEYOND - v) & (z != 0)
    some = (v < 0) & (v > -_LARGEST_ORDER) & (v != jnp.round(v)) & small
    if not jnp.iscomplexobj(z):
        some = some & _is_known(-v, z)
    return some & (jnp.abs(_change(jnp.where(some, v, -0.5))) > _LEAST_CHANGE)


def _is_sum(order: jax.Array, z: jax.Array) -> jax.Array:
    """Whether so many terms of the power series are enough, and none is much above their sum."""
    return jnp.abs(z) ** 2 <= _SQUARE * (1 + order)


def _is_known(order: jax.Array, z: jax.Array) -> jax.Array:
    """Whether J or I of an order above 0 is a short sum, or nothing beside Y or K times a sine."""
    return _is_sum(order, z) | (jnp.abs(z) < 0.5 * order)


def _about(order: jax.Array, z: jax.Array, sign: int) -> jax.Array:
    """J (sign -1) or I (sign 1) of an order above 0 (DLMF 10.2.2, 10.25.2), where known."""
    half = z / 2
    square = sign * half * half

    def inwards(j: jax.Array, total: jax.Array) -> jax.Array:
        k = _TERMS - j
        return 1 + total * square / (k * (k + order))

    total = jax.lax.fori_loop(0, _TERMS, inwards, jnp.ones_like(square * order))
    value = jnp.exp(order * jnp.log(half) - jax.lax.lgamma(order + 1)) * total
    return jnp.where(_is_sum(order, z), value, 0.0)


def _by_j(j: Callable[..., jax.Array], order: jax.Array, z: jax.Array) -> jax.Array:
    """I of complex z, or I times exp(-|Re z|), by J, or J times exp(-|Im z|): DLMF 10.27.6."""
    turn = jnp.where(z.imag < 0, -1j, 1j)
    return jnp.exp(turn * (math.pi / 2) * order) * j(order, -turn * z)


def of_i(
    j: Callable[..., jax.Array],
    other: Repair | None = None,
    far: Callable[..., jax.Array] | None = None,
) -> Repair:
    """Of I, or of I times exp(-|Re z|).

    Args:
        j: J, or J times exp(-|Im z|).
        other: what stands for real arguments in place of this.
        far: I times that factor by I, for real arguments from 354 to 700, where in SciPy's terms
            exp(-2 z) underflows, and for complex ones and large orders, where its K_(-v) does.
    """

    def is_far(v: jax.Array, z: jax.Array) -> jax.Array:
        if far is None:
            return jnp.zeros(jnp.broadcast_shapes(v.shape, z.shape), bool)
        if jnp.iscomplexobj(z):
            where = (v < -LARGE_ORDER) & (jnp.abs(z.real) < _NO_FACTOR)
        else:
            where = (z > _NO_SQUARE) & (z < _NO_FACTOR)
        return where & (v < 0) & (v != jnp.round(v))

    def where(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array) -> jax.Array:
        if other is not None and not jnp.iscomplexobj(z):
            return other.where(ys, v, z)
        return _is_off(v, z) | is_far(v, z)

    def formula(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array) -> jax.Array:
        if other is not None and not jnp.iscomplexobj(z):
            return other.formula(ys, v, z)
        off = _is_off(v, z)
        order, argument = jnp.where(off, v, -0.5), jnp.where(off, z, 1.0)
        if jnp.iscomplexobj(z):
            at = _by_j(j, -order, argument)
        else:  # scaled; below 0 the value is NaN
            at = jnp.exp(-jnp.abs(argument)) * _about(-order, jnp.abs(argument), 1)
        value = ys[0] - _change(order) * (ys[0] - at)
        if far is None:
            return value
        beyond = is_far(v, z)
        outwards = far(jnp.where(beyond, v, -0.5), jnp.where(beyond, z, 400.0))
        # They agree but for roundings where nothing is lost.
        same = jnp.abs(outwards - ys[0]) <= _AGREES * jnp.abs(outwards)
        if jnp.iscomplexobj(z):  # what underflows there is so small in SciPy's too
            same = same | jnp.isnan(outwards)
        return jnp.where(beyond, jnp.where(same, ys[0], outwards), value)

    words = WORDS if other is None else f"{other.words}; and of complex z where {WORDS}"
    if far is not None:
        words += "; and of real z from 354 to 700 for v < 0, NaN there where I_v overflows; and of "
        words += f"complex z for v < -{LARGE_ORDER:g}"
    return Repair(words, where, formula, of="all", costly=True)


def of_neighbour(
    function: Callable[[Any, Any], Any],
    v: jax.Array,
    k: int,
    z: jax.Array,
    sign: int,
    scale: Callable[[Any], Any] | None = None,
) -> jax.Array:
    """J (sign -1) or I (sign 1) of order v + k, where that is rounded.

    Args:
        function: it, of order and argument.
        v: order.
        k: how many orders above.
        z: argument.
        sign: of the terms of its power series.
        scale: what the function is multiplied by, of z.
    """
    order = v + k
    y = function(order, z)
    if k >= 0:
        return y  # towards 0 nothing is rounded that matters
    lost = lost_in_sum(v, jnp.full_like(v, k))
    nearest = jnp.round(order)
    distance = order - nearest
    small = (jnp.abs(z) < _BEYOND - order) & (z != 0) & _is_known(-order, z)
    wrong = (order < 0) & (order > -_LARGEST_ORDER) & (distance != 0) & small
    change = lost / jnp.where(wrong, distance, 1.0)
    wrong = wrong & (jnp.abs(change) > _LEAST_CHANGE)

    def corrected() -> jax.Array:
        size = z if jnp.iscomplexobj(z) else jnp.abs(z)
        at = _about(jnp.where(wrong, -nearest, 1.0), jnp.where(wrong, size, 1.0), sign)
        at = at * (1.0 if scale is None else scale(z))
        if sign < 0:
            at = jnp.where(is_odd(nearest), -at, at)
        return jnp.where(wrong, y + change * (y - at), y)

    return jax.lax.cond(jnp.any(wrong), corrected, lambda: y)
