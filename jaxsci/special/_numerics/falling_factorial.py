"""Falling factorials z (z-1) ... (z-n+1), and their derivatives."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp


def falling(z: jax.Array, n: int) -> Any:
    """Falling factorial z (z-1) ... (z-n+1)."""
    product: Any = 1.0
    for j in range(n):
        product = product * (z - j)
    return product


def falling_derivatives(z: jax.Array, i: int, m: int) -> list[Any]:
    """Falling factorial z (z-1) ... (z-i+1) and its derivatives up to the m-th."""
    taylor: list[Any] = [jnp.ones_like(z)] + [jnp.zeros_like(z)] * m
    for k in range(i):
        shifted = [jnp.zeros_like(z), *taylor[:-1]]
        taylor = [(z - k) * t + s for t, s in zip(taylor, shifted, strict=True)]
    return [math.factorial(k) * t for k, t in enumerate(taylor)]
