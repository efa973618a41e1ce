"""J_0, J_1, J_2, ... and Y_0, Y_1, Y_2, ... of a positive argument, for series over the orders.

Up to the argument, both come from orders 0 and 1 by recurrence (DLMF 10.6.1), and Y beyond it too.
There J decreases, and its ratios are continued fractions (DLMF 10.10.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.cylinder_on_device import j0, j1, y0, y1

_START = 80
"""How many orders beyond the last one the fractions start. J decreases within them by 1e-16, as
long as the argument is below 250, or the last order is below the argument."""


def j_of_orders(z: jax.Array, count: int) -> jax.Array:
    """J_n(z) for n from 0 on, along a new first axis; z > 0, and at most 250 orders."""

    def ratio(above: jax.Array, n: jax.Array) -> tuple[jax.Array, jax.Array]:
        found = jnp.where(n > z, z / (2 * n - z * above), 0.0)
        return found, found

    orders = jnp.arange(1.0, count + _START)
    ratios = jax.lax.scan(ratio, jnp.zeros_like(z), orders, reverse=True)[1][: count - 1]

    def step(before: Sequence[jax.Array], at: Sequence[jax.Array]) -> tuple[Any, jax.Array]:
        lower, value = before
        n, shrinks = at
        forward = jnp.where(n == 1, first, 2 * (n - 1) / z * value - lower)
        found = jnp.where(n > z, shrinks * value, forward)
        return (value, found), found

    zeroth, first = j0(z), j1(z)
    rest = jax.lax.scan(step, (jnp.zeros_like(z), zeroth), (orders[: count - 1], ratios))[1]
    return jnp.concatenate([zeroth[None], rest])


def y_of_orders(z: jax.Array, count: int) -> jax.Array:
    """Y_n(z) for n from 0 on, along a new first axis; z > 0."""

    def step(before: Sequence[jax.Array], n: jax.Array) -> tuple[Any, jax.Array]:
        lower, value = before
        above = jnp.where(jnp.isinf(value), value, 2 * n / z * value - lower)
        return (value, above), above

    zeroth, first = y0(z), y1(z)
    rest = jax.lax.scan(step, (zeroth, first), jnp.arange(1.0, count - 1.0))[1]
    return jnp.concatenate([zeroth[None], first[None], rest])
