"""The sine and cosine of pi z in the complex plane, without their growth."""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import elementary
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi

_NEAR = 0.5


class Turned(NamedTuple):
    """sin(pi z) and cos(pi z), divided by exp(size): that is pi |y|, or 0 where it is small."""

    sine: jax.Array
    cosine: jax.Array
    size: jax.Array


def turned(z: jax.Array) -> Turned:
    """Both, by the distance from an integer, with the digits of small sines."""
    x, y = z.real, z.imag
    finite = jnp.abs(x) < jnp.inf
    both = cosine_and_sine_of_pi(jnp.where(finite, x, 0.0))
    cosine, sine = (jnp.where(finite, part, jnp.nan) for part in both)
    size = math.pi * jnp.abs(y)
    falling = jnp.exp(-2 * size)
    small = size < _NEAR
    growth = elementary.expm1(jnp.where(small, size, 0.0))
    sinh = jnp.where(small, 0.5 * (growth + growth / (1 + growth)), 0.5 * (1 - falling))
    cosh = jnp.where(small, 1 + 0.5 * growth * growth / (1 + growth), 0.5 * (1 + falling))
    sinh = jnp.where((y < 0) | (y == 0) & jnp.signbit(y), -sinh, sinh)
    return Turned(
        jax.lax.complex(sine * cosh, cosine * sinh),
        jax.lax.complex(cosine * cosh, -sine * sinh),
        jnp.where(small, 0.0, size),
    )
