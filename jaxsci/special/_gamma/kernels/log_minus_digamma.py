"""lambda(z) = ln z - psi(z) for z > 0, its derivatives, and their differences.

Ln z is nearly psi(z) where z is large, and lambda(z) nearly lambda(z + h). By DLMF 5.11.2 and
5.15.8 lambda is about 1/(2z) + 1/(12 z^2) - ..., of which each term's difference keeps its digits;
a smaller z is moved up by DLMF 5.5.2.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._gamma.kernels.polygamma import shift, steps, tail_coefficients
from jaxsci.special._gamma.kernels.polygamma_difference import differences_of_powers
from jaxsci.special._numerics import folded


@tower("DLMF 5.15.1", z="k")
def log_less_psi_difference(z: jax.Array, h: jax.Array, *, k: int = 0) -> Any:
    """The k-th derivative of lambda at z, less that at z + h, for 0 < h <= inf."""
    near = z < shift(k)
    w = jnp.where(near, z + shift(k), z)
    # The first power of k > 0 belongs to the logarithm.
    terms = [(power, c) for power, c in tail_coefficients(k) if power > k]
    powers = differences_of_powers(w, h, terms[-1][0])
    total: PyTree = 0.0
    for power, c in reversed(terms):
        total = total + c * powers[power]
    return jnp.where(near, _moved(jnp.where(near, z, 1.0), h, k), 0.0) - (-1) ** k * total


def _moved(z: jax.Array, h: jax.Array, k: int) -> Any:
    """The same of lambda(z) - lambda(z + shift)."""
    up = shift(k)
    parts = differences_of_powers(z + steps(k, jnp.ndim(z)), h, k + 1)[k + 1]
    # psi's part, and then the logarithm's.
    moved = -((-1) ** k) * math.factorial(k) * folded.total(parts)
    if k == 0:
        return moved - jnp.log1p(up / z / (1 + (z + up) / h))
    grown = differences_of_powers(z + up, h, k)[k] - differences_of_powers(z, h, k)[k]
    return moved - (-1) ** k * math.factorial(k - 1) * grown


def log_less_psi(z: jax.Array, k: int) -> Any:
    """The k-th derivative of lambda."""
    return log_less_psi_difference(z, jnp.inf, k=k)


log_less_psi_difference.partials(
    h=closed("DLMF 5.15.1", lambda y, z, h, *, k=0: -log_less_psi(z + h, k + 1))
)
