"""exp(y) - 1 - y, which is phi(r) = r - 1 - ln r of r = exp(y): 0 at r = 1, else positive."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed

_TERMS = 16


@native()
def expm1_minus_x(y: jax.Array) -> jax.Array:
    """exp(y) - 1 - y, without cancellation near 0."""
    small = jnp.abs(y) < 0.5
    z = jnp.where(small, y, 0.0)
    series: Any = 1.0
    for k in range(_TERMS, 2, -1):
        series = 1 + series * z / k
    return jnp.where(small, z * z / 2 * series, jnp.expm1(y) - y)


expm1_minus_x.partials(y=closed("DLMF 4.2.19", lambda _, y: jnp.expm1(y)))
