"""Tricomi's U(a, b, x) of real numbers by JAX operations.

By Taylor steps of Kummer's equation from far out inwards. Where U is a polynomial, or one times a
power of x, steps would lose it: then by the recurrence in the degree, in 32 digits.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._hypergeometric.kernels.integer_parameters import is_degree
from jaxsci.special._hypergeometric.kernels.tricomi import MOST_DEGREE, polynomial
from jaxsci.special._numerics.gamma_factors import reciprocal_gamma
from jaxsci.special._numerics.hypergeometric_equations import tricomi

_LARGEST = 100.0
"""Of parameters, beyond which there are no values."""
_LOST = 1e-14


@device_kernel(ulps=60, conditioned=True)
def hyperu(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    """U(a, b, x)."""
    a, b, x = jnp.broadcast_arrays(a, b, x)
    moderate = (jnp.abs(a) <= _LARGEST) & (jnp.abs(b) <= _LARGEST)
    known = moderate & (x > 0) & (x < jnp.inf)
    other = a - b + 1
    plain = (known | moderate & (x == 0)) & is_degree(a, MOST_DEGREE)
    turned = known & ~plain & is_degree(other, MOST_DEGREE)
    short = plain | turned
    steps = known & ~short
    value = tricomi(jnp.where(steps, a, 1.0), jnp.where(steps, b, 1.0), jnp.where(steps, x, 1e3))
    degree = jnp.where(plain, -a, jnp.where(turned, -other, 0.0))
    parameter = jnp.where(turned, 2 - b, b)
    of_degree, error = polynomial(
        degree, jnp.where(short, parameter, 1.0), jnp.where(short, x, 1.0)
    )
    # DLMF 13.2.40.
    front = jnp.where(turned, jnp.power(jnp.where(short, x, 1.0), jnp.where(turned, 1 - b, 0.0)), 1)
    of_degree = jnp.where((error <= _LOST) | (of_degree == 0), front * of_degree, jnp.nan)
    value = jnp.where(short, of_degree, jnp.where(known, value, jnp.nan))
    return jnp.where(moderate & (x == 0) & ~plain, _at_zero(b, other), value)


def _at_zero(b: jax.Array, other: jax.Array) -> Any:
    """U(a, b, 0) where it is no polynomial (DLMF 13.2.18 to 13.2.22)."""
    finite = b < 1
    factors, logarithms = reciprocal_gamma(jnp.where(finite, jnp.stack([other, 1 - b]), 1.0))
    value = jnp.exp(logarithms[0] - logarithms[1]) * (factors[0] / factors[1])
    return jnp.where(finite, value, jnp.inf)
