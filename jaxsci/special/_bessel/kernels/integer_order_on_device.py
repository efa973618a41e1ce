"""Y and K of integer order and real argument, by JAX operations.

By recurrence from orders 0 and 1 (DLMF 10.6.1, 10.29.1), of which both are dominant solutions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import cylinder_on_device, modified_on_device
from jaxsci.special._bessel.kernels.modified import MOST_STEPS
from jaxsci.special._catalog.kernel import Kernel, device_kernel


def _of_order(
    zeroth: Callable[[Any], Any], first: Callable[[Any], Any], sign: int, m: jax.Array, x: jax.Array
) -> jax.Array:
    """The function of order m >= 0 for x > 0; sign -1 for Y, and 1 for K."""

    def unfinished(state: tuple[Any, ...]) -> jax.Array:
        k, _, value = state
        return jnp.any((k < m) & jnp.isfinite(value))

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        k, below, value = state
        above = jnp.where(jnp.isinf(value), value, 2 * k / x * value + sign * below)
        active = k < m
        return k + 1, jnp.where(active, value, below), jnp.where(active, above, value)

    start, one = zeroth(x), first(x)
    value = jax.lax.while_loop(unfinished, step, (jnp.ones(()), start, one))[2]
    return jnp.where(m == 0, start, value)


def _kernel(zeroth: Kernel, first: Kernel, sign: int) -> Kernel:
    def evaluate(n: jax.Array, x: jax.Array) -> jax.Array:
        n, x = jnp.broadcast_arrays(n.astype(x.dtype), x)
        m = jnp.abs(n)
        many = m >= MOST_STEPS
        inside = (x > 0) & (x < jnp.inf) & ~many
        value = _of_order(zeroth, first, sign, jnp.where(inside, m, 0.0), jnp.where(inside, x, 1.0))
        # Of so large an order it has overflowed, or there is none.
        beyond = jnp.where(many & (x <= m / 2), sign * jnp.inf, jnp.nan)
        beyond = jnp.where(x == 0, sign * jnp.inf, jnp.where(jnp.isposinf(x), 0.0, beyond))
        value = jnp.where(inside, value, jnp.where(x >= 0, beyond, jnp.nan))
        return jnp.where((n < 0) & (n % 2 != 0), sign * value, value)

    return device_kernel(ulps=10, conditioned=True, single=4)(evaluate)


yn = _kernel(cylinder_on_device.y0, cylinder_on_device.y1, -1)
kn = _kernel(modified_on_device.k0, modified_on_device.k1, 1)
