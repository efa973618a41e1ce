"""Temme's series of Bessel functions of the second kind next to x = 0.

N. M. Temme, 1975, J. Comput. Phys. 19, 324 (of K); 1976, J. Comput. Phys. 21, 343 (of Y).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import temme_tables
from jaxsci.special._numerics.by_precision import by_precision

_TERMS = 11, 6
"""In double precision and in single."""


def temme(order: jax.Array, x: jax.Array, sign: int) -> tuple[Any, Any]:
    """K (sign 1) or Y (sign -1) of an order of at most 1/2 in size, and of the one above.

    Args:
        order: of the lower one.
        x: argument, 0 < x <= 1.
        sign: which function.
    """
    square = order * order
    gamma_1, gamma_2 = temme_tables.GAMMA_1(square), temme_tables.GAMMA_2(square)
    right, left = gamma_2 - order * gamma_1, gamma_2 + order * gamma_1  # 1/Gamma(1 +- order)
    logarithm = math.log(2) - jnp.log(x)
    grown = jnp.exp(order * logarithm)
    f = (jnp.cosh(order * logarithm) * gamma_1 + _sinh(order, logarithm) * gamma_2) / (right * left)
    p, q = grown / (2 * right), 1 / (2 * grown * left)
    beside = 0.0 if sign > 0 else _sine_squared(order)
    here, above, c = f + beside * q, p, 1.0
    for k in range(1, by_precision(x, *_TERMS) + 1):
        below, beyond = 1 / (k - order), 1 / (k + order)
        f, p, q = (k * f + p + q) * (below * beyond), p * below, q * beyond
        c = c * (sign * x * x / 4) / k
        g = f + beside * q
        here, above = here + c * g, above + c * (p - k * g)
    factor = 1.0 if sign > 0 else -2 / math.pi
    return factor * here, factor * above * (2 / x)


def _sinh(order: jax.Array, logarithm: jax.Array) -> jax.Array:
    """sinh(order logarithm)/order."""
    zero = order == 0
    quotient = jnp.sinh(order * logarithm) / jnp.where(zero, 1.0, order)
    return jnp.where(zero, logarithm, quotient)


def _sine_squared(order: jax.Array) -> jax.Array:
    """2 sin(pi order/2)^2/order."""
    sine = jnp.sin(math.pi / 2 * order)
    zero = order == 0
    return jnp.where(zero, 0.0, 2 * sine * sine / jnp.where(zero, 1.0, order))
