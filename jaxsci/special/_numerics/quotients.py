"""Quotients by small numbers: derivatives that need not square them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp


def quotient(x: Any, y: jax.Array) -> Any:
    """X/y, whose derivatives are right where y^2 under- or overflows.

    The rule of JAX's division has y^-2. Here both are multiplied by a power of two that stays as it
    is, so that the derivatives are those of a quotient by a number near 1.
    """
    size = jnp.abs(jax.lax.stop_gradient(y))
    least = jnp.finfo(y.dtype).tiny
    usual = (size >= least) & (size <= 1 / (4 * least))  # it has a reciprocal
    # XLA would undo a division of both.
    scale = jax.lax.reduce_precision(1 / jnp.where(usual, size, 1.0), _EXPONENT_BITS, 0)
    return (x * scale) / (y * scale)


def implied(slope: jax.Array, density: jax.Array, probability: jax.Array) -> jax.Array:
    """Slope/density, which minus a root's derivative in a parameter is.

    Of the probabilities 0 and 1 a root may be an end of the range whatever the parameters are:
    there the slope is 0 as they change, and the density 0 or infinite.
    """
    certain = ((probability == 0) | (probability == 1)) & (slope == 0)
    gone = certain & ((density == 0) | jnp.isinf(density))
    return quotient(slope, jnp.where(gone, 1.0, density))


_EXPONENT_BITS = 11  # of double precision
