"""The Dirichlet kernel in JAX operations."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.vectorised import remainder, sine_and_cosine

# Pi in two parts: integer multiples of the first are exact.
_PI_HIGH = float.fromhex("0x1.921fb54p+1")
_PI_LOW = 1.984187159361081e-09


def half_angle(x: jax.Array, n: jax.Array) -> tuple[jax.Array, jax.Array]:
    """x/2 less the nearest multiple k of pi, and the sign (-1)^(k (n-1)) of the kernel."""
    turns = jax.lax.stop_gradient(jnp.round(x / (2 * math.pi)))
    half = (x / 2 - turns * _PI_HIGH) - turns * _PI_LOW
    # Only whether both are odd is asked for: their product may be too large for a number.
    odd = (remainder(turns, 2) != 0) & (remainder(n - 1, 2) != 0)
    return half, jnp.where(odd, -1.0, 1.0)


@device_kernel(ulps=8, conditioned=True, single=4)
def diric(x: jax.Array, n: jax.Array) -> jax.Array:
    """sin(n x/2)/(n sin(x/2))."""
    half, sign = half_angle(x, n)
    count = n.astype(x.dtype)
    zero = half == 0
    h = jnp.where(zero, 1.0, half)
    above, below = (sine_and_cosine(angle)[0] for angle in (count * h, h))
    value = sign * jnp.where(zero, 1.0, above / (count * below))
    return jnp.where(count >= 1, value, jnp.nan)
