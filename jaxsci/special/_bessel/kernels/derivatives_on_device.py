"""Derivatives in the argument of Bessel functions of real order, by JAX operations.

They are sums over neighbouring orders (DLMF 10.6.7, 10.29.5), which are evaluated at once. Of J and
I near 0 they are their power series, differentiated term by term: an order of which n is taken
loses the digits that the terms of the sum leave there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import real_order_in_plane, real_order_on_device, slopes
from jaxsci.special._catalog.kernel import Kernel, device_kernel
from jaxsci.special._gamma.kernels.on_device import rgamma

_SERIES_END, _SERIES_ORDERS = 1.0, 100.0
_TERMS = 10

Signs = Callable[[int, int], int]


def _neighbours(function: Kernel, signs: Signs, v: jax.Array, z: jax.Array, n: int) -> jax.Array:
    """The n-th derivative as a sum over the orders v - n, v - n + 2, ..., v + n."""
    v, z = jnp.broadcast_arrays(v, z)
    values = function(jnp.stack([v - n + 2 * j for j in range(n + 1)]), z[None])
    weights = [signs(n, j) * float(math.comb(n, j)) for j in range(n + 1)]
    return _weighted_sum(weights, values) * 2.0**-n


def _weighted_sum(weights: Sequence[float], values: jax.Array) -> jax.Array:
    """Of numbers along the first axis.

    XLA's compiler for CPUs makes of slices a loop that calls what computes them element by element.
    """
    return jnp.sum(jnp.reshape(jnp.array(weights), (-1,) + (1,) * (values.ndim - 1)) * values, 0)


def power_series(v: jax.Array, z: jax.Array, sign: int, n: int) -> Any:
    """The n-th derivative of J (sign -1) or I (sign 1) near 0, not at 0 (DLMF 10.2.2, 10.25.2)."""
    square = sign * z * z / 4
    term: Any = rgamma(v + _TERMS + 1)
    total: Any = jnp.zeros_like(z)
    for k in range(_TERMS, -1, -1):
        factors: Any = 1.0
        for i in range(n):
            factors = factors * (v + (2 * k - i))
        total = total * square / (k + 1) + factors * term
        term = term * (v + k)
    # The power by itself might overflow where the product does not.
    large = v > n
    total = (z / 2) ** jnp.where(large, v - n, v) * total
    for _ in range(n):
        total = total / jnp.where(large, 2.0, z)
    return total


def _regular(function: Kernel, signs: Signs, sign: int, ulps: float) -> Kernel:
    """Of J or I."""

    def evaluate(v: jax.Array, z: jax.Array, *, n: int) -> jax.Array:
        v, z = jnp.broadcast_arrays(v, z)
        value = _neighbours(function, signs, v, z, n)
        size = jnp.abs(z)
        near = (size > 0) & (size <= _SERIES_END) & (jnp.abs(v) <= _SERIES_ORDERS)
        # Of integer orders no neighbour loses digits.
        near = near & (v != jnp.floor(v))
        if jnp.iscomplexobj(z):
            z = jax.lax.complex(z.real, jnp.where(z.imag == 0, 0.0, z.imag))
        else:
            near = near & (z > 0)
        inside = power_series(jnp.where(near, v, 0.5), jnp.where(near, z, 1.0), sign, n)
        return jnp.where(near, inside, value)

    return device_kernel(ulps, conditioned=True)(evaluate)


def _singular(function: Kernel, kind: str, ulps: float) -> Kernel:
    """Of K (kind "K"), Y and the Hankel functions.

    The outermost order outweighs near 0, where it may overflow when the sum does not. It comes by
    recurrence (DLMF 10.6.1, 10.29.1).
    """
    even = kind == "K"

    def evaluate(v: jax.Array, z: jax.Array, *, n: int) -> jax.Array:
        v, z = jnp.broadcast_arrays(v, z)
        if n == 0:
            return function(v, z)
        v = jnp.abs(v) if even else v
        side = jnp.where(v < 0, -1.0, 1.0)
        shifts = [*range(-n, n, 2), n - 1]
        shifted = [_shifted(v, side * k) for k in shifts]
        orders, lost = (jnp.stack(parts) for parts in zip(*shifted, strict=True))
        values = function(orders, z[None]) * _correction(orders, lost, z[None])
        sign = 1.0 if even else -1.0
        # The last one is a factor of the outermost order's value.
        w = orders[-1] + lost[-1]
        outermost = jnp.reshape(jnp.arange(n + 1) == n, (-1,) + (1,) * v.ndim)
        values = values * jnp.where(outermost, w / z, 1.0)
        weights = [sign ** (n - k) * math.comb(n, k) for k in range(n)]
        weights[-1] += sign
        total = _weighted_sum([*weights, 2.0], values) * 2.0**-n
        # The sign that the outermost order has in the sum.
        total = ((-1.0) ** n if even else jnp.where(side > 0, (-1.0) ** n, 1.0)) * total
        if jnp.iscomplexobj(z):
            return total
        return jnp.where(z == 0, _at_zero(function, v, z, n), total)

    return device_kernel(ulps, conditioned=True)(evaluate)


def _at_zero(function: Kernel, v: jax.Array, z: jax.Array, n: int) -> jax.Array:
    """At the pole; Y of v = -1/2, -3/2, ... is J of -v up to a sign, and has none."""
    pole = (-1.0) ** n * function(v, jnp.zeros_like(z))
    factors: Any = jnp.where(jnp.floor(v) % 2 == 0, -1.0, 1.0)
    for i in range(n):
        factors = factors * (-v - i)
    return jnp.where(pole == 0, jnp.where(-v > n, 0.0, jnp.inf * factors), pole)


def _shifted(v: jax.Array, shift: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The sum, rounded, and what rounding has left of it."""
    w = v + shift
    part = w - v
    return w, (v - (w - part)) + (shift - part)


def _correction(w: jax.Array, lost: jax.Array, z: jax.Array) -> jax.Array:
    """What a change of the order makes near 0, where the function is nearly (2/z)^|w|."""
    size = jnp.abs(z)
    small = (size < 1) & (size > 0)
    return 1 + jnp.sign(w) * lost * jnp.log(2 / jnp.where(small, size, 2.0))


_REAL, _PLANE = 60, 80

jvp = _regular(real_order_on_device.jv, slopes.alternating, -1, _REAL)
yvp = _singular(real_order_on_device.yv, "cylinder", _REAL)
ivp = _regular(real_order_on_device.iv, slopes.positive, 1, _REAL)
kvp = _singular(real_order_on_device.kv, "K", _REAL)

jvp_in_plane = _regular(real_order_in_plane.jv, slopes.alternating, -1, _PLANE)
yvp_in_plane = _singular(real_order_in_plane.yv, "cylinder", _PLANE)
ivp_in_plane = _regular(real_order_in_plane.iv, slopes.positive, 1, _PLANE)
kvp_in_plane = _singular(real_order_in_plane.kv, "K", _PLANE)
h1vp_in_plane = _singular(real_order_in_plane.hankel1, "cylinder", _PLANE)
h2vp_in_plane = _singular(real_order_in_plane.hankel2, "cylinder", _PLANE)
