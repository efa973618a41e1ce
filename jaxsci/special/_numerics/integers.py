"""Which numbers are integers, or halfway between."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp


def is_integer(x: jax.Array) -> jax.Array:
    """Whether a real number is an integer, as all large ones are, the infinite ones included."""
    return x == jnp.floor(x)


def is_of_integer_type(x: jax.Array) -> bool:
    """Whether nothing but integers can be in an array."""
    return not jnp.issubdtype(x.dtype, jnp.inexact)


def is_half_integer(x: jax.Array) -> jax.Array:
    """Whether a real number lies halfway between two integers, as no large one does."""
    return distance_to_integer(x) == 0.5


def distance_to_integer(x: Any) -> jax.Array:
    """How far a real number is from the nearest integer."""
    return jnp.abs(x - jnp.round(x))
