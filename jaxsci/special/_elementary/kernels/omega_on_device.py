"""Wright's omega function of real numbers in JAX operations, by Halley's method.

Up to z = 0 it is the root of w exp(w) = exp(z), and further out of w + log(w) = z: each where the
roundings of its two sides do not count for more than those of the result.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.elementary import expm1_near, log1p
from jaxsci.special._numerics.vectorised import log

_STEPS = 3
_OUT_OF_REACH = 1e20
"""From here on log(w) is nothing beside w."""


def _left(z: jax.Array) -> jax.Array:
    """For z <= 0."""
    e = jnp.exp(z)
    w = log1p(e) * (1 - log1p(log1p(e)) / (2 + log1p(e)))
    for _ in range(_STEPS):
        # Of f = w - e exp(-w): f' = 1 + e exp(-w), f'' = -e exp(-w).
        # As a product of exponentials compilers would add the exponents, and round them.
        image = e + e * expm1_near(-w)
        slope = 1 + image
        step = (w - image) / slope
        w = w - step / (1 + 0.5 * step * image / slope)
    return w


def _right(z: jax.Array) -> jax.Array:
    """For z >= 0."""
    w = jnp.where(z < 3, 0.5 + 0.5 * z, z - log(z))
    for _ in range(_STEPS):
        # Of f = w + log(w) - z: f' = 1 + 1/w, f'' = -1/w^2.
        step = ((w - z) + log(w)) * w / (1 + w)
        w = w - step / (1 + 0.5 * step / (w * (1 + w)))
    return w


@device_kernel(ulps=3, single=4)
def wrightomega(z: jax.Array) -> jax.Array:
    """The w with w + log(w) = z."""
    left = _left(jnp.minimum(z, 0.0))
    right = _right(jnp.clip(z, 0.0, _OUT_OF_REACH))
    value = jnp.where(z < 0, left, jnp.where(z < _OUT_OF_REACH, right, z))
    return jnp.where(jnp.isnan(z), z, value)
