"""Owen's T function in JAX operations, by Gauss's quadrature of the integral that defines it.

For |a| <= 1 the integrand has its poles no nearer than a, and for |a| > 1 the function is one of
1/a (Patefield and Tandy 2000, J. Stat. Softw. 5(5), eq. 2).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import exp_of_square
from jaxsci.special._numerics.error_function import erfcx_right
from jaxsci.special._numerics.gauss_legendre import gauss_legendre
from jaxsci.special._numerics.shared import shared

_NODES = 24
_REACH = 8.75
"""What lies beyond this many standard deviations is nothing beside the rest."""


def _tail(x: jax.Array) -> jax.Array:
    """The probability above x, for x >= 0."""
    return exp_of_square(x, -0.5) * (0.5 * erfcx_right(x / math.sqrt(2)))


def _inside(h: jax.Array, a: jax.Array) -> Any:
    """The integral for h >= 0 and 0 <= a <= 1."""
    nodes, weights = gauss_legendre(2 * _NODES)
    end = jnp.where(h * a > _REACH, shared(_REACH / jnp.where(h > 1, h, 1.0)), a)
    reach, square = 0.5 * (h * end) ** 2, end * end
    total: Any = 0.0
    for node, weight in zip(nodes[_NODES:], weights[_NODES:], strict=True):
        s = (2 * float(node) - 1) ** 2
        total = total + 2 * float(weight) * jnp.exp(-s * reach) / (1 + s * square)
    return exp_of_square(h, -0.5) * (0.5 / math.pi) * end * total


@device_kernel(ulps=12, single=5)
def owens_t(h: jax.Array, a: jax.Array) -> jax.Array:
    """The integral of exp(-h^2(1+s^2)/2)/(1+s^2)/(2 pi) over s from 0 to a."""
    h_, a_ = jnp.abs(h), jnp.abs(a)
    outside = a_ > 1
    product = jnp.where(h_ == 0, 0.0, h_ * a_)
    value = _inside(
        jnp.minimum(jnp.where(outside, product, h_), by_precision(h_, 1e150, 1e18)),
        jnp.where(outside, 1 / jnp.where(outside, a_, 1.0), a_),
    )
    one, two = _tail(h_), _tail(product)
    value = jnp.where(outside, one * (0.5 - two) + (0.5 * two - value), value)
    value = jnp.where(jnp.isnan(h) | jnp.isnan(a), jnp.nan, value)
    return jnp.where(a < 0, -value, value)
