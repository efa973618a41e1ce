"""Sine and cosine of pi v for real v: exact where they are 0 or 1, and differentiable.

V is reduced before it is multiplied, and loses nothing. The sine is a polynomial: with a call of
the C library's the loop around it would not be vectorised.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.elementary import sine_of_half_turns
from jaxsci.special._numerics.vectorised import is_odd


def reduced(v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """V less the nearest integer n, and (-1)^n."""
    nearest = jnp.round(v)
    return v - nearest, jnp.where(is_odd(nearest), -1.0, 1.0)


@jax.custom_jvp
def sine_of_pi(v: jax.Array) -> jax.Array:
    """sin(pi v)."""
    rest, sign = reduced(v)
    return sign * sine_of_half_turns(rest)


@sine_of_pi.defjvp
def _slope_of_sine(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> Any:
    (v,), (t,) = primals, tangents
    return sine_of_pi(v), math.pi * cosine_of_pi(v) * t


@jax.custom_jvp
def cosine_of_pi(v: jax.Array) -> jax.Array:
    """cos(pi v)."""
    rest, sign = reduced(v)
    return sign * sine_of_half_turns(0.5 - jnp.abs(rest))


@cosine_of_pi.defjvp
def _slope_of_cosine(primals: tuple[jax.Array], tangents: tuple[jax.Array]) -> Any:
    (v,), (t,) = primals, tangents
    return cosine_of_pi(v), -math.pi * sine_of_pi(v) * t


def cosine_and_sine_of_pi(v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """cos(pi v) and sin(pi v)."""
    return cosine_of_pi(v), sine_of_pi(v)
