"""What kernels of complex arguments have in common."""

from __future__ import annotations

import jax
import jax.numpy as jnp


def log_of_size(x: jax.Array, y: jax.Array) -> jax.Array:
    """log|x + iy|, of numbers whose squares over- or underflow too."""
    most = jnp.maximum(jnp.abs(x), jnp.abs(y))
    usual = (most > 0) & (most < jnp.inf)
    scale = jnp.where(usual, most, 1.0)
    s, t = x / scale, y / scale
    return jnp.log(most) + jnp.where(usual, 0.5 * jnp.log(s * s + t * t), 0.0)


def nan_like(z: jax.Array) -> jax.Array:
    """Numbers of which neither part is one."""
    return jax.lax.complex(jnp.full_like(z.real, jnp.nan), jnp.full_like(z.real, jnp.nan))
