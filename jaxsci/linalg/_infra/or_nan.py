"""NaN in place of what does not exist."""

from __future__ import annotations

import jax
import jax.numpy as jnp


def or_nan(exists: jax.Array, y: jax.Array) -> jax.Array:
    """The result, NaN (in both parts) where there is none; its derivatives are NaN there too."""
    factor = jnp.where(exists, 1.0, jnp.nan).astype(y.real.dtype)
    if not jnp.iscomplexobj(y):
        return y * factor
    return jax.lax.complex(y.real * factor, y.imag * factor)
