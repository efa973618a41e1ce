"""Polygamma functions of every order in JAX operations, by Hurwitz's zeta function (DLMF 25.11.12).

Gamma(n + 1) and the first power of the sum are taken together: of large orders either is infinite.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables as tables
from jaxsci.special._gamma.kernels import on_device
from jaxsci.special._gamma.kernels.zeta_on_device import left_of_zero, over_first_power
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.vectorised import root_as_divisor


@device_kernel(ulps=40, conditioned=True, single=6)
def polygamma(n: jax.Array, x: jax.Array) -> jax.Array:
    """(-1)^(n+1) n! zeta(n + 1, x), and psi(x) for n = 0."""
    n, x = jnp.broadcast_arrays(n.astype(x.dtype), x)
    return jnp.where(n == 0, on_device.psi(x), _of_zeta(n, x))


def of_positive(n: jax.Array, x: jax.Array) -> jax.Array:
    """The same of n >= 1 and x > 0, and NaN elsewhere."""
    n, x = jnp.broadcast_arrays(n.astype(x.dtype), x)
    inside = (n >= 1) & (x > 0) & (x < jnp.inf)
    s = jnp.where(inside, n, 1.0) + 1
    positive = jnp.where(inside, x, 1.0)
    total, large = over_first_power(s, positive)
    value = _signed(n, _times_factorial(s, positive, total, large))
    return jnp.where(inside, value, jnp.nan)


def _of_zeta(n: jax.Array, x: jax.Array) -> jax.Array:
    """The same of n >= 1."""
    pole = (x <= 0) & is_integer(x)
    right = (n >= 1) & (x > 0) & (x < jnp.inf)
    left = (n >= 1) & (x < 0) & ~pole
    s = jnp.where(right | left, n, 1.0) + 1
    positive = jnp.where(right, x, 1.0)
    total, large = over_first_power(s, positive)
    beside, size = left_of_zero(s, x, left)
    total = jnp.where(left, beside, total)
    positive = jnp.where(left, size, positive)
    value = _times_factorial(s, positive, total, large & ~left)
    value = jnp.where(right | left, value, jnp.where(x == jnp.inf, 0.0, jnp.nan))
    value = _signed(n, jnp.where(pole, jnp.inf, value))
    return jnp.where((n >= 1) & ~jnp.isnan(x), value, jnp.nan)


def _times_factorial(
    s: jax.Array, positive: jax.Array, total: jax.Array, large: jax.Array
) -> jax.Array:
    """Gamma(s) times what is left of zeta(s, x) without the first power."""
    # n! = sqrt(s) (s/e)^s scaled/s, and the power of x of which that is a factor.
    ratio = s / (math.e * positive)
    half = jnp.power(ratio, jnp.where(large, 0.5 * (s - 1), 0.5 * s))
    front = tables.GAMMA_SCALED(1 / s) / root_as_divisor(s) * jnp.where(large, s / math.e, 1.0)
    return (front * total * half) * half


def _signed(n: jax.Array, value: jax.Array) -> jax.Array:
    return jnp.where(jnp.mod(n, 2.0) == 1, value, -value)
