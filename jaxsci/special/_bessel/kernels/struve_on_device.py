"""Struve functions of real order and real argument, by JAX operations.

Near 0 their power series (DLMF 11.2.1, 11.2.2), summed from the end: nothing cancels in that of L
but for orders below -3/2. Farther out H_v - Y_v is a positive integral (`struve_in_order.py`), and
L_v is I_(-v) but for what is less than a rounding (DLMF 11.6.2).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.real_order_on_device import iv, yv
from jaxsci.special._bessel.kernels.struve_in_order import integral_of_difference
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels.on_device import rgamma
from jaxsci.special._numerics.elementary import exp_of_parts, power_parts
from jaxsci.special._numerics.integers import is_integer

_LOWEST, _HIGHEST = -50.0, 100.0
"""For other orders there is no value."""
_POLES = 50
"""How many orders below there may be at which the gamma function has poles."""


def _series(v: jax.Array, x: jax.Array, sign: int, terms: int) -> Any:
    """H (sign -1) or L (sign 1) for x > 0."""
    square = sign * x * x / 4
    b = v + 1.5
    # From here on neighbouring terms have quotients.
    regular = jnp.maximum(jnp.ceil(1 - b), 0.0)

    def by_quotient(j: Any, total: jax.Array) -> jax.Array:
        k = terms - j
        quotient = square / ((k + 0.5) * jnp.where(k > regular, k - 1 + b, 1.0))
        return jnp.where(k > regular, (1 + total) * quotient, total)

    def by_factors(j: Any, sums: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        total, reciprocal = sums
        k = _POLES - j
        total = jnp.where(k <= regular, (total + reciprocal) * square / (k + 0.5), total)
        return total, jnp.where(k <= regular, reciprocal * (b + k - 1), reciprocal)

    zero = jnp.zeros_like(b * x)
    total = jax.lax.fori_loop(0, terms, by_quotient, zero)
    first = rgamma(b + regular) + zero
    total, first = jax.lax.fori_loop(0, _POLES, by_factors, (total * first, first))
    # The sum v + 1 would be rounded, of which a large logarithm makes more.
    # Its root does not overflow where the value does not.
    root = exp_of_parts(*power_parts(x / 2, v / 2))
    return root * ((total + first) * (2 / math.sqrt(math.pi)) * (x / 2)) * root


def _struve(v: jax.Array, x: jax.Array) -> jax.Array:
    """H_v(x) for x > 0."""
    near = x < 3 + 0.75 * jnp.maximum(v, 0.0)
    inside = _series(v, jnp.where(near, x, 1.0), -1, 60)
    far = jnp.where(near, 300.0, x)
    total, scale = integral_of_difference(v, far)
    root = exp_of_parts(*power_parts(far / 2, v / 2))
    difference = (2 / math.sqrt(math.pi)) * total * (jnp.exp(scale) * root * rgamma(v + 0.5)) * root
    return jnp.where(near, inside, yv(v, far) + difference)


def _modstruve(v: jax.Array, x: jax.Array) -> jax.Array:
    """L_v(x) for x > 0."""
    size = jnp.abs(v)
    near = x < 40 + 2 * size
    inside = _series(v, jnp.where(near, x, 1.0), 1, 170)
    return jnp.where(near, inside, iv(size, jnp.where(near, 300.0, x)))


def _of_line(function: Any, v: jax.Array, x: jax.Array) -> jax.Array:
    """The function of any real number, from that of positive ones."""
    v, x = jnp.broadcast_arrays(v, x)
    size = jnp.abs(x)
    known = (v >= _LOWEST) & (v <= _HIGHEST)
    order = jnp.where(known, v, 0.0)
    value = function(order, jnp.where((size > 0) & (size < jnp.inf), size, 1.0))
    # 2/(sqrt(pi) Gamma(v + 3/2)) (x/2)^(v+1) decides.
    pole = jnp.where(rgamma(order + 1.5) < 0, -jnp.inf, jnp.inf)
    at_zero = jnp.where(v > -1, 0.0, jnp.where(v == -1, 2 / math.pi, pole))
    value = jnp.where(size == 0, at_zero, value)
    value = jnp.where(size == jnp.inf, jnp.where(v < 1, jnp.nan, jnp.inf), value)
    integer = is_integer(v)
    turned = jnp.where(integer, jnp.where(v % 2 == 0, -value, value), jnp.nan)
    value = jnp.where(known, jnp.where(x < 0, turned, value), jnp.nan)
    return jnp.where(jnp.isnan(x), x, value)


@device_kernel(ulps=30, conditioned=True)
def struve(v: jax.Array, x: jax.Array) -> jax.Array:
    """H_v(x)."""
    return _of_line(_struve, v, x)


@device_kernel(ulps=30, conditioned=True)
def modstruve(v: jax.Array, x: jax.Array) -> jax.Array:
    """L_v(x)."""
    return _of_line(_modstruve, v, x)
