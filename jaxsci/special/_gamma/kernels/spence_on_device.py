"""The dilogarithm Li_2(1 - z) of real z >= 0 in JAX operations (DLMF 25.12.3, 25.12.4)."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import spence_tables as tables
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log

_SMALL = 0.25
_LARGE = 1.5


@device_kernel(ulps=2, single=3)
def spence(z: jax.Array) -> jax.Array:
    """Li_2(1 - z)."""
    # Inversion takes z > 3/2 to 1/z, reflection 1/4 and less to 1 - that.
    large = z > _LARGE
    safe = jnp.where(z > 0, z, 1.0)
    low = jnp.where(large, 1 / safe, safe)
    log_low = jnp.where(large, -1.0, 1.0) * log(safe)
    far = low < _SMALL
    w = jnp.where(far, low, jnp.where(large, (safe - 1) / safe, 1 - safe))
    li = w * piecewise(tables.DILOGARITHM, w)
    reflected = (math.pi**2 / 6 - li) - log_low * log1p(-jnp.where(far, low, 0.0))
    value = jnp.where(far, reflected, li)
    value = jnp.where(large, -0.5 * log_low * log_low - value, value)
    value = jnp.where(z == 0, math.pi**2 / 6, value)
    return jnp.where((z >= 0) & (z < jnp.inf), value, jnp.nan)
