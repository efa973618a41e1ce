"""I_v(x) and K_v(x) of v >= 0 and x > 0, by as many operations wherever they are.

Debye's expansions hold uniformly in v/x, and have all digits once hypot(v, x) is 25. Nearer to the
origin neither function takes many terms:

- I is its power series, of positive terms (DLMF 10.25.2).
- K is the integral of DLMF 10.32.9 by the trapezoidal rule, whose nodes are the same for all x, and
  next to x = 0 Temme's series for orders of at most 1/2 in size and forward recurrence (N. M.
  Temme, 1975, J. Comput. Phys. 19, 324).

Each function may be multiplied by an exponential of x, so that the product is a number where the
function is not.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.debye import in_powers, polynomials
from jaxsci.special._bessel.kernels.large_orders import MOST
from jaxsci.special._bessel.kernels.power_series import power_series
from jaxsci.special._bessel.kernels.temme import temme
from jaxsci.special._numerics.by_precision import by_precision

_EDGE = 25, 9
"""What hypot(v, x) is where Debye's expansions begin, in double precision and in single."""
_DEBYE = polynomials(18), polynomials(8)
_TERMS = 40, 16
"""Of I's series."""
_STEP = 0.12, 0.24
_NODES = 46, 18
_TEMME = 1.0
"""Where Temme's series end."""
_FLAT = 1e8
"""What v/x is where v/x and hypot(1, v/x) are one."""


def first(v: jax.Array, x: jax.Array, power: int = 0) -> jax.Array:
    """exp(power x) I_v(x)."""
    far = _is_far(v, x)
    edge = by_precision(x, *_EDGE)
    outside = _uniform(jnp.where(far, v, edge), jnp.where(far, x, edge), power, 1)
    v_near, x_near = jnp.where(far, 1.0, v), jnp.where(far, 1.0, x)
    inside = power_series(v_near, x_near, 1, by_precision(x, *_TERMS))
    inside = _times_exponential(inside, x_near, power)
    return _known(v, jnp.where(far, outside, inside))


def second(
    v: jax.Array, x: jax.Array, power: int = 0, factor: jax.Array | float = 1.0
) -> jax.Array:
    """The product of a factor, which is not large, and exp(power x) K_v(x)."""
    far = _is_far(v, x)
    edge = by_precision(x, *_EDGE)
    outside = _uniform(jnp.where(far, v, edge), jnp.where(far, x, edge), power, -1, factor)
    v_near, x_near = jnp.where(far, 1.0, v), jnp.where(far, 1.0, x)
    right = factor * _integral(v_near, jnp.maximum(x_near, _TEMME), power)
    left = _next_to_zero(v_near, jnp.minimum(x_near, _TEMME), power, factor)
    return _known(v, jnp.where(far, outside, jnp.where(x_near < _TEMME, left, right)))


def _is_far(v: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.hypot(v, x) >= by_precision(x, *_EDGE)


def _known(v: jax.Array, value: jax.Array) -> jax.Array:
    return jnp.where(v <= MOST, value, jnp.nan)


def _uniform(
    v: jax.Array, x: jax.Array, power: int, sign: int, factor: jax.Array | float = 1.0
) -> jax.Array:
    """Debye's expansion (DLMF 10.41.3, 10.41.4) of I (sign 1) or K (sign -1)."""
    r = jnp.hypot(v, x)
    inverse = 1 / r
    square, line = inverse * inverse, v * inverse
    even, odd = (in_powers(by_precision(x, *_DEBYE)[k::2], line * line, square) for k in (0, 1))
    total = even + sign * inverse * odd
    ratio = v / x
    flat = ratio > _FLAT
    slope = jnp.where(flat, jnp.log(2 * v) - jnp.log(x), jnp.arcsinh(jnp.where(flat, 1.0, ratio)))
    # L = v slope - r, of which I has exp(-L) and K exp(L), and what x adds does not cancel.
    cancels = power == -sign
    less = v * (v / (r + x)) if cancels else r + sign * power * x
    exponent = v * slope - less
    total = total * factor * math.sqrt(1 / (2 * math.pi) if sign > 0 else math.pi / 2)
    # The exponential may overflow, or be subnormal, where the product is not.
    half = jnp.exp(-sign * exponent / 2)
    value = (jnp.sqrt(inverse) * total * half) * half
    # At infinity
    return jnp.where(jnp.isinf(x), jnp.inf if sign > 0 and power == 0 else 0.0, value)


def _integral(v: jax.Array, x: jax.Array, power: int) -> jax.Array:
    """K, as the integral of exp(-x cosh t) cosh(v t) over t from 0 on."""
    step, n = by_precision(x, *_STEP), by_precision(x, *_NODES)
    growth = _powers(jnp.exp(step * v), n)
    decay = _powers(jnp.exp(-step * v), n)
    total: Any = 0.0
    for k in range(n, 0, -1):
        total = total + (growth[k] + decay[k]) * jnp.exp(-x * (math.cosh(k * step) - 1))
    return _times_exponential(step / 2 * (1 + total), x, power - 1)


def _powers(base: jax.Array, n: int) -> list[Any]:
    """To the n-th, by products of few factors."""
    powers: list[Any] = [1.0, base]
    for k in range(2, n + 1):
        powers.append(powers[k // 2] * powers[k - k // 2])
    return powers


def _next_to_zero(v: jax.Array, x: jax.Array, power: int, factor: jax.Array | float) -> jax.Array:
    """K for x <= 1, by recurrence in the order. What overflows may not, times the factor."""
    steps = jnp.round(v)
    order = v - steps
    here, above = (factor * k for k in temme(order, x, 1))
    twice = 2 / x
    value = jnp.where(steps == 0, here, above)
    for k in range(1, by_precision(x, *_EDGE)):
        here, above = above, here + (order + k) * twice * above  # DLMF 10.29.1
        value = jnp.where(steps == k + 1, above, value)
    return _times_exponential(value, x, power)


def _times_exponential(value: jax.Array, x: jax.Array, power: int) -> jax.Array:
    return value * jnp.exp(power * x) if power else value
