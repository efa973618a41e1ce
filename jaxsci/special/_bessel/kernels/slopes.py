"""Derivatives of Bessel functions by the value itself and one neighbour (DLMF 10.6.2, 10.29.2).

The first derivative takes the value y along, and so costs one evaluation more. To differentiate
it again would subtract terms that nearly cancel, (v/z) y' - (v/z^2) y: the second derivative
and the higher ones are sums over neighbouring orders instead (DLMF 10.6.7, 10.29.5), and so are
those with derivatives in the order beside them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.plane import over

Bessel = Callable[[Any, Any], Any]
Neighbour = Callable[[Bessel, Any, int, Any], Any]
_TINY_ARGUMENT = 1e-8
_LEAST_ORDER = 0.125
_NEAR = 2.0**-26
_UNDERFLOW = -650.0
_FRACTIONS = 24


def plain_neighbour(function: Bessel, v: jax.Array, k: int, z: jax.Array) -> Any:
    """The function of the rounded sum."""
    return function(v + k, z)


def higher_derivatives(
    function: Bessel,
    in_order: Callable[[Any, Any, int, int], Any],
    sign: Callable[[int, int], int],
    complex_result: bool = False,
    neighbour: Neighbour = plain_neighbour,
) -> NativeFunction:
    """d^n/dz^n d^m/dv^m of a Bessel function, as a function of (v, z, n=, m=).

    Args:
        function: of order and argument.
        in_order: the same derivative where m >= 1, of (v, z, n, m).
        sign: of term j of the n-th derivative, ``sign(n, j)``.
        complex_result: whether results are complex where z is real.
        neighbour: gives the function of order v + k, of (function, v, k, z).
    """

    @tower("DLMF 10.6.7, 10.29.5", complex_result=complex_result, v="m", z="n")
    def derivative(v: jax.Array, z: jax.Array, *, n: int, m: int = 0) -> Any:
        if m:
            return in_order(v, z, n, m)
        terms = [
            sign(n, j) * float(math.comb(n, j)) * neighbour(function, v, 2 * j - n, z)
            for j in range(n + 1)
        ]
        return sum(terms[1:], terms[0]) * 2.0**-n

    return derivative


def first_derivative(
    combine: Callable[[Any, Any, Any], Any], higher: Callable[..., Any]
) -> NativeFunction:
    """The first derivative in z, ``combine(y, v, z)``, as a function that can be differentiated.

    Its tangents in v and z are whole second derivatives: y is taken to be the Bessel function of v
    and z, so its own tangent does not count.
    """

    @native()
    def slope(y: jax.Array, v: jax.Array, z: jax.Array) -> jax.Array:
        return combine(y, v, z)

    slope.partials(
        y=closed("counted with z", lambda s, y, v, z: None),
        v=closed("DLMF 10.6.7, 10.29.5", lambda s, y, v, z: higher(v, z, n=1, m=1)),
        z=closed("DLMF 10.6.7, 10.29.5", lambda s, y, v, z: higher(v, z, n=2)),
    )
    return slope


def regular(function: Bessel, sign: int) -> Callable[[Any, Any, Any], Any]:
    """(v/z) y + sign C_{v+1}: sign -1 for J, and 1 for I.

    Near z = 0, where y loses its digits or vanishes, the leading neighbour is all there is: the
    other one is smaller by z^2 / (4 v (v + 1)). It is left to y where the order is small, for v - 1
    loses digits of v. Where y underflows, the larger neighbour alone gives the derivative
    too. The choice does not look at y itself, so that value and neighbour can be
    computed in one call.
    """

    def combine(y: jax.Array, v: jax.Array, z: jax.Array) -> jax.Array:
        zero, reflected = v == 0, (v < 0) & is_integer(v)
        w = jnp.where(reflected, -v, v)
        tiny = (z == 0) | ((jnp.abs(z) < _NEAR * w) & (w >= _LEAST_ORDER))
        lost = (w >= _LEAST_ORDER) & _underflows(w, jnp.abs(z))
        below = (tiny | lost) & ~zero & ~reflected
        neighbour = function(jnp.where(below, v - 1, v + 1), z)
        share = jnp.where(zero, 1.0, jnp.where(lost, _share(sign, w, z, lost), 0.5))
        leading = jnp.where(below, neighbour, sign * neighbour) * share
        value = over(v, jnp.where(tiny, 1, z)) * y + sign * neighbour
        if not jnp.iscomplexobj(z):
            # Both terms are infinite where y is: of I with z > |v| one sign outweighs.
            outer = jnp.where((sign > 0) & (jnp.abs(z) > jnp.abs(v)), 1.0, jnp.sign(v))
            value = jnp.where(jnp.isinf(y) & jnp.isnan(value), outer * jnp.sign(z) * y, value)
        return jnp.where(tiny | lost, leading, value)

    return combine


def _underflows(w: jax.Array, size: jax.Array) -> jax.Array:
    """Where C_w may be too small for its digits: C_w is about (e z/(2w))^w (DLMF 10.19.1)."""
    inside = (size > 0) & (size < w)
    ratio = jnp.where(inside, size / (2 * jnp.where(inside, w, 1.0)), 1.0)
    return inside & (w * (jnp.log(ratio) + 1) < _UNDERFLOW)


def _share(sign: int, w: jax.Array, z: jax.Array, where: jax.Array) -> jax.Array:
    """C_w'/C_{w-1} = 1 - (w/z) C_w/C_{w-1} by the continued fraction DLMF 10.10.1, 10.33.1."""
    w, z = jnp.where(where, w, 1.0), jnp.where(where, z, 0.0)
    square = sign * z * z

    def inwards(j: jax.Array, rest: jax.Array) -> jax.Array:
        return over(square, 2 * (w + _FRACTIONS - j) + rest)

    rest = jax.lax.fori_loop(0, _FRACTIONS, inwards, jnp.zeros_like(square * w))
    return over(w + rest, 2 * w + rest)


def singular(function: Bessel) -> Callable[[Any, Any, Any], Any]:
    """Of Y and the Hankel functions: by the neighbour that is smaller near z = 0."""

    def combine(y: jax.Array, v: jax.Array, z: jax.Array) -> jax.Array:
        up = v < 0
        neighbour = function(jnp.where(up, v + 1, v - 1), z)
        ratio = over(v, jnp.where(z == 0, 1, z)) * y
        value = jnp.where(up, ratio - neighbour, neighbour - ratio)
        # Both terms are infinite where y is.
        return jnp.where(jnp.isinf(y), -y, value)

    return combine


def decaying(function: Bessel) -> Callable[[Any, Any, Any], Any]:
    """Of K: both terms have one sign."""

    def combine(y: jax.Array, v: jax.Array, z: jax.Array) -> jax.Array:
        v = jnp.abs(v)
        value = -(over(v, jnp.where(z == 0, 1, z)) * y + function(jnp.abs(v - 1), z))
        return jnp.where(jnp.isinf(y), -y, value)

    return combine


def order_one(zeroth: Callable[[Any], Any], sign: int, own: int) -> Callable[[Any, Any, Any], Any]:
    """Of order 1, by the function of order 0: sign C_0 + own C_1/z."""

    def combine(y: jax.Array, v: jax.Array, z: jax.Array) -> jax.Array:
        neighbour = sign * zeroth(z)
        # Near 0, J_1 and I_1 may have lost their digits: they are half of z C_0.
        tiny = (jnp.abs(z) < _TINY_ARGUMENT) & (jnp.abs(y) < 1)
        value = neighbour + over(own * y, jnp.where(tiny | (z == 0), 1, z))
        value = jnp.where(tiny, neighbour / 2, value)
        # Infinite at the pole, or where it overflows.
        return jnp.where(jnp.isinf(y), jnp.where(jnp.abs(z) < 1, -y, jnp.abs(y)), value)

    return combine


def alternating(n: int, j: int) -> int:
    """The signs of J, Y and the Hankel functions."""
    return (-1) ** j


def positive(n: int, j: int) -> int:
    """The signs of I."""
    return 1


def of_order(n: int, j: int) -> int:
    """The signs of K."""
    return (-1) ** n
