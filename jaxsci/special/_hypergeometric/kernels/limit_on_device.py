"""The confluent hypergeometric limit function 0F1(; v; z) of real numbers, by JAX operations.

Its series, summed from the end; for z < 0, from where its terms cancel on, a Bessel function of
order v - 1 at 2 sqrt(-z) (DLMF 10.16.9).
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.real_order_on_device import jv
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels.on_device import rgamma
from jaxsci.special._numerics.elementary import exp_of_parts, power_parts
from jaxsci.special._numerics.integers import is_integer

_LEAST, _MOST = -20.0, 150.0
"""Below and, but for the series, above there is no value."""
_TERMS, _MORE = 60.0, 2.8
_INFINITE = 1e6
"""An argument with so many terms that the function overflows, or its terms fall at once."""
_FARTHEST = 1e12


def _series(v: jax.Array, z: jax.Array) -> jax.Array:
    # Of each element by itself: its bits do not depend on those beside it.
    terms = jnp.ceil(_TERMS + _MORE * jnp.sqrt(jnp.clip(z, 0.0, _INFINITE)))

    def add(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        k, total = state
        return k - 1, jnp.where(k <= terms, (1 + total) * (z / (k * (v + (k - 1)))), total)

    start = jnp.max(terms, initial=0.0), jnp.zeros_like(v * z)
    return 1 + jax.lax.while_loop(lambda state: state[0] > 0, add, start)[1]


@device_kernel(ulps=50, conditioned=True)
def hyp0f1(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z)."""
    v, z = jnp.broadcast_arrays(v, z)
    pole = (v <= 0) & is_integer(v)
    known = (v >= _LEAST) & ~pole & (jnp.abs(z) < jnp.inf)
    near = z >= -4 - jnp.maximum(v, 0.0)
    value = _series(jnp.where(known, v, 1.0), jnp.where(known & near, z, 0.0))
    far = ~near & (v <= _MOST) & (z >= -_FARTHEST)
    order = jnp.where(known & far, v, 1.0)
    root = jnp.sqrt(jnp.where(known & far, -z, 100.0))
    # Root^(1 - v), in which the difference would be rounded.
    power = exp_of_parts(*power_parts(root, -order)) * root
    beyond = power * (jv(order - 1, 2 * root) / rgamma(order))
    value = jnp.where(near, value, jnp.where(far, beyond, jnp.nan))
    return jnp.where(known, value, jnp.nan)
