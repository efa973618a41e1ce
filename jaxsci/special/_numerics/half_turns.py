"""Sine and cosine of pi v: v is reduced before it is multiplied, and loses nothing."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.vectorised import is_odd


def reduced(v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """V less the nearest integer n, and (-1)^n."""
    nearest = jnp.round(v)
    return v - nearest, jnp.where(is_odd(nearest), -1.0, 1.0)


def sine_of_pi(v: jax.Array) -> jax.Array:
    """sin(pi v), for real v."""
    rest, sign = reduced(v)
    return sign * jnp.sin(math.pi * rest)


def cosine_and_sine_of_pi(v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """cos(pi v) and sin(pi v), for real v: exact where they are 0 or 1, and differentiable."""
    rest, sign = reduced(v)
    size = jnp.abs(rest)
    near_zero = jnp.sin(math.pi * (0.5 - size))
    cosine = jnp.where(size > 0.25, near_zero, jnp.cos(math.pi * rest))
    return sign * cosine, sign * jnp.sin(math.pi * rest)
