"""Derivatives of every order of the Bessel functions of orders 0 and 1, of real arguments.

They are sums over neighbouring orders (DLMF 10.6.7, 10.29.5), and these come from orders 0 and 1
by recurrence: away from them for Y and K, and for J and I where the argument is larger than the
order. Nearer to 0 those are power series. So derivatives are computed where orders 0 and 1 are.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, tower
from jaxsci.special._bessel.kernels import hankel_expansion as cylinder
from jaxsci.special._numerics.polynomials import horner

OfInteger = Callable[[int, Any], Any]
"""A Bessel function of a Python integer as its order, and of an array."""
_TERMS = 20


def growing(zeroth: Callable[[Any], Any], first: Callable[[Any], Any], sign: int) -> OfInteger:
    """Y (sign -1) or K (sign 1) of any order."""

    def function(k: int, z: jax.Array) -> jax.Array:
        if k < 0:
            return (sign if k % 2 else 1) * function(-k, z)
        below, value = zeroth(z), first(z)
        if k == 0:
            return below
        for j in range(1, k):
            above = 2 * j / z * value
            # At the pole, the term of higher order outweighs.
            below, value = value, jnp.where(jnp.isinf(above), above, above + sign * below)
        return value

    return function


def vanishing(
    zeroth: Callable[[Any], Any],
    first: Callable[[Any], Any],
    sign: int,
    scale: Callable[[Any], Any] = jnp.ones_like,
) -> OfInteger:
    """J (sign -1) or I (sign 1) of any order; with a scale, the functions times that."""

    def function(k: int, z: jax.Array) -> jax.Array:
        if k < 0:
            return (sign if k % 2 else 1) * function(-k, z)
        if k < 2:
            return (zeroth, first)[k](z)
        near = jnp.abs(z) < k + 1
        far = jnp.where(near, k + 1.0, z)
        below, value = zeroth(far), first(far)
        for j in range(1, k):
            above = sign * (below - 2 * j / far * value)
            # Where both overflow, they have the sign of their parity.
            above = jnp.where(jnp.isinf(below), below * (jnp.sign(far) if j % 2 == 0 else 1), above)
            below, value = value, above
        inside = jnp.where(near, z, 0.0)
        return jnp.where(near, _series(k, inside, sign) * scale(inside), value)

    return function


def _series(k: int, z: jax.Array, sign: int) -> Any:
    """J_k or I_k for |z| < k + 1 (DLMF 10.2.2, 10.25.2)."""
    coefficients = [1 / math.factorial(k)]
    for j in range(1, _TERMS + k):
        coefficients.append(coefficients[-1] * sign / (j * (j + k)))
    half = z / 2
    return functools.reduce(lambda a, b: a * b, [half] * k) * horner(coefficients, half * half)


def derivatives(order: int, function: OfInteger, sign: Callable[[int, int], int]) -> NativeFunction:
    """The derivatives of one order's function.

    Args:
        order: 0 or 1.
        function: of all orders.
        sign: of term j of the n-th derivative, ``sign(n, j)``.
    """

    @tower("DLMF 10.6.7, 10.29.5", z="n")
    def derivative(z: jax.Array, *, n: int) -> Any:
        terms = (
            sign(n, j) * float(math.comb(n, j)) * function(order - n + 2 * j, z)
            for j in range(n + 1)
        )
        return functools.reduce(lambda a, b: a + b, terms) * 2.0**-n

    return derivative


def of_scaled_k(order: int, function: OfInteger) -> NativeFunction:
    """The derivatives of exp(z) K of one order."""

    @tower("DLMF 10.29.5, 10.40.2", z="n")
    def derivative(z: jax.Array, *, n: int) -> jax.Array:
        operator = [c * (-1) ** k for k, c in enumerate(cylinder.power([1, 1], n))]
        orders: Any = order
        near = cylinder.shifted_orders(function, 1, orders, z, [operator])[0]
        outermost = function(order + n, z)
        near = jnp.where(jnp.isposinf(outermost), (-1) ** n * jnp.inf, near)
        v = jnp.full((), float(order))
        far = cylinder.far_k(v, jnp.where(z > cylinder.FAR, z, cylinder.FAR), n)
        return jnp.where(z >= cylinder.FAR, far, near)

    return derivative


def of_scaled_i(order: int, function: OfInteger) -> NativeFunction:
    """The derivatives of exp(-|z|) I of one order; sign(0) = 0 at z = 0."""

    @tower("DLMF 10.29.5, 10.40.1", z="n")
    def derivative(z: jax.Array, *, n: int) -> jax.Array:
        orders: Any = order
        right, middle, left = cylinder.shifted_orders(
            function, 1, orders, z, [cylinder.power([-s, 1], n) for s in (1, 0, -1)]
        )
        near = jnp.where(z > 0, right, jnp.where(z < 0, left, middle))
        size, v = jnp.abs(z), jnp.full((), float(order))
        far = cylinder.far_i(v, jnp.where(size > cylinder.FAR, size, cylinder.FAR), n)
        far = jnp.where((z < 0) & ((n + order) % 2 == 1), -far, far)
        return jnp.where(size >= cylinder.FAR, far, jnp.where(jnp.isnan(z), z, near))

    return derivative
