"""J, Y, I and K of real order and real argument, by JAX operations.

Those of positive order and argument are in `_bessel/kernels/cylinders_of_real_order.py` and
`modified_of_real_order.py`. What is added here are negative orders (DLMF 10.4.7, 10.27.2), and
SciPy's values at the ends: at 0, for negative arguments of integer orders, and where the order is
so large that they are 0 or infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import modified_of_real_order as modified
from jaxsci.special._bessel.kernels.cylinders_of_real_order import cylinders
from jaxsci.special._bessel.kernels.modified import MOST_STEPS
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi, sine_of_pi
from jaxsci.special._numerics.integers import is_half_integer, is_integer

Function = Callable[[jax.Array, jax.Array], jax.Array]


def _is_odd(v: jax.Array) -> jax.Array:
    return is_integer(v) & (v % 2 != 0)


def _vanishes(v: jax.Array, size: jax.Array) -> jax.Array:
    """Whether the order is too large for the kernels, and the value for any exponent."""
    return (jnp.abs(v) >= MOST_STEPS) & (size <= jnp.abs(v) / 2)


def _regular(
    function: Function, v: jax.Array, x: jax.Array, sign: jax.Array | float = 1.0
) -> jax.Array:
    """J or I, from a function of x > 0.

    Args:
        function: of orders that may be negative, but for integers.
        v: order.
        x: argument.
        sign: what turns the function of an integer order v into that of -v.
    """
    v, x = jnp.broadcast_arrays(v, x)
    size = jnp.abs(x)
    below = is_integer(v) & (v < 0)
    v = jnp.where(below, -v, v)
    value = function(v, jnp.where(size > 0, size, 1.0))
    # (x/2)^v/Gamma(v + 1) decides.
    infinite = jnp.where(jnp.floor(v) % 2 == 0, -jnp.inf, jnp.inf)
    limit = jnp.where(v == 0, 1.0, jnp.where(v > 0, 0.0, infinite))
    value = jnp.where((size == 0) | _vanishes(v, size), limit, value)
    value = jnp.where(below, sign * value, value)
    turned = jnp.where(_is_odd(v) & (x < 0), -value, value)
    value = jnp.where((x < 0) & ~is_integer(v), jnp.nan, turned)
    return jnp.where(jnp.isnan(v) | jnp.isnan(x), jnp.nan, value)


def _singular(function: Function, v: jax.Array, x: jax.Array, pole: jax.Array | float) -> jax.Array:
    """Y or K, from a function of x > 0."""
    v, x = jnp.broadcast_arrays(v, x)
    value = function(v, jnp.where(x > 0, x, 1.0))
    value = jnp.where((x == 0) | _vanishes(v, x), pole, value)
    return jnp.where(x >= 0, value, jnp.nan)


@device_kernel(ulps=6, conditioned=True, single=8)
def jv(v: jax.Array, x: jax.Array) -> jax.Array:
    """J_v(x)."""
    return _regular(_jv_right, v, x, jnp.where(_is_odd(v), -1.0, 1.0))


def _jv_right(v: jax.Array, x: jax.Array) -> jax.Array:
    cosine, sine = cosine_and_sine_of_pi(v)
    first, second = cylinders(jnp.abs(v), x, sine)
    return jnp.where(v < 0, cosine * first + second, first)


@device_kernel(ulps=6, conditioned=True, single=8)
def yv(v: jax.Array, x: jax.Array) -> jax.Array:
    """Y_v(x)."""
    # The sign of -cos(pi v) Gamma(-v) or -Gamma(v); the cosine is 0 at -1/2, -3/2, ...
    nearest = jnp.round(v)
    below = jnp.where(is_half_integer(v), 0.0, jnp.where(nearest % 2 == 0, -jnp.inf, jnp.inf))
    pole = jnp.where(jnp.isnan(v), v, jnp.where(v >= 0, -jnp.inf, below))
    return _singular(_yv_right, v, x, pole)


def _yv_right(v: jax.Array, x: jax.Array) -> jax.Array:
    negative = v < 0
    cosine, sine = cosine_and_sine_of_pi(v)
    first, second = cylinders(jnp.abs(v), x, jnp.where(negative, cosine, 1.0))
    return jnp.where(negative, second - sine * first, second)


@device_kernel(ulps=12, conditioned=True, single=8)
def iv(v: jax.Array, x: jax.Array) -> jax.Array:
    """I_v(x)."""
    return _regular(lambda v, x: _iv_right(v, x, 0), v, x)


@device_kernel(ulps=12, conditioned=True, single=8)
def ive(v: jax.Array, x: jax.Array) -> jax.Array:
    """exp(-|x|) I_v(x)."""
    return _regular(lambda v, x: _iv_right(v, x, -1), v, x)


def _iv_right(v: jax.Array, x: jax.Array, power: int) -> jax.Array:
    """exp(power x) I_v(x), by DLMF 10.27.2 where v is negative."""
    negative = v < 0
    size = jnp.abs(v)

    def beside() -> jax.Array:
        sine = jnp.where(negative, 2 / math.pi * sine_of_pi(size), 0.0)
        k = modified.second(jnp.where(negative, size, 0.0), x, power, sine)
        return jnp.where(negative, k, 0.0)

    # An array without negative orders does without K.
    rest = jax.lax.cond(jnp.any(negative), beside, lambda: jnp.zeros_like(x))
    return modified.first(size, x, power) + rest


@device_kernel(ulps=6, conditioned=True, single=8)
def kv(v: jax.Array, x: jax.Array) -> jax.Array:
    """K_v(x)."""
    return _singular(lambda v, x: modified.second(jnp.abs(v), x), v, x, jnp.inf)


@device_kernel(ulps=6, conditioned=True, single=8)
def kve(v: jax.Array, x: jax.Array) -> jax.Array:
    """exp(x) K_v(x)."""
    return _singular(lambda v, x: modified.second(jnp.abs(v), x, 1), v, x, jnp.inf)
