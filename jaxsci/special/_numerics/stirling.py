"""Stirling's series for the logarithm of the gamma function (DLMF 5.11.1)."""

from __future__ import annotations

from typing import Any

import jax

from jaxsci._core.types import PyTree

LARGE = 10.0
"""From here on all its terms give double precision."""

# B_2k / (2k (2k - 1))
_COEFFICIENTS = (
    1 / 12,
    -1 / 360,
    1 / 1260,
    -1 / 1680,
    1 / 1188,
    -691 / 360360,
    1 / 156,
    -3617 / 122400,
)


def stirling(z: Any, terms: int = len(_COEFFICIENTS)) -> jax.Array:
    """Log Gamma(z) - (z - 1/2) log z + z - log(2 pi)/2 for |z| >= LARGE.

    Args:
        z: NumPy or JAX numbers, real or complex.
        terms: how many; fewer serve for larger numbers.
    """
    square = 1 / (z * z)
    total: PyTree = 0.0
    for c in reversed(_COEFFICIENTS[:terms]):
        total = total * square + c
    return total / z
