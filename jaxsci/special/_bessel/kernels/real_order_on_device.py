"""J, Y, I and K of real order and real argument, by JAX operations.

Values are the zeroth derivatives in the order (`_bessel/kernels/cylinder_in_order.py`,
`modified_in_order.py`): an integral for K of orders below 2, recurrences in the order, Hankel's
expansions. What is added here are the power series of J and I near 0, and SciPy's values at the
ends: at 0, for negative arguments of integer orders, and where the order is so large that they are
0 or infinite.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import cylinder_in_order as cylinder
from jaxsci.special._bessel.kernels import modified_in_order as modified
from jaxsci.special._bessel.kernels.modified import MOST_STEPS
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels.on_device import rgamma
from jaxsci.special._numerics.integers import is_half_integer, is_integer

_SERIES_END, _SERIES_ORDERS = 1.0, 100.0
_TERMS = 10
_OVERFLOW = 725.0

Function = Callable[[jax.Array, jax.Array], jax.Array]


def _is_odd(v: jax.Array) -> jax.Array:
    return is_integer(v) & (v % 2 != 0)


def _vanishes(v: jax.Array, size: jax.Array) -> jax.Array:
    """Whether the order is too large for the kernels, and the value for any exponent."""
    return (jnp.abs(v) >= MOST_STEPS) & (size <= jnp.abs(v) / 2)


def _series(v: jax.Array, x: jax.Array, sign: int) -> jax.Array:
    """J (sign -1) or I (sign 1) near 0 (DLMF 10.2.2, 10.25.2), x > 0."""
    square = sign * x * x / 4
    term, total = rgamma(v + _TERMS + 1), jnp.zeros_like(v)
    for k in range(_TERMS, 0, -1):
        total = (total + term) * square / k
        term = term * (v + k)
    return (x / 2) ** v * (total + term)


def _regular(
    function: Function, v: jax.Array, x: jax.Array, near: Function, sign: jax.Array | float = 1.0
) -> jax.Array:
    """J or I, from functions of x > 0, far and near.

    Args:
        function: far.
        v: order.
        x: argument.
        near: the other one.
        sign: what turns the function of an integer order v into that of -v.
    """
    v, x = jnp.broadcast_arrays(v, x)
    size = jnp.abs(x)
    below = is_integer(v) & (v < 0)
    v = jnp.where(below, -v, v)
    small = (size <= _SERIES_END) & (jnp.abs(v) <= _SERIES_ORDERS)
    value = function(v, jnp.where((size > 0) & ~small, size, 1.0))
    inside = near(jnp.where(small, v, 0.0), jnp.where(small & (size > 0), size, 1.0))
    value = jnp.where(small, inside, value)
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


@device_kernel(ulps=20, conditioned=True)
def jv(v: jax.Array, x: jax.Array) -> jax.Array:
    """J_v(x)."""
    sign = jnp.where(_is_odd(v), -1.0, 1.0)
    near = lambda v, x: _series(v, x, -1)  # noqa: E731
    return _regular(lambda v, x: cylinder.j_in_order(v, x, 0, 0), v, x, near, sign)


@device_kernel(ulps=16, conditioned=True)
def yv(v: jax.Array, x: jax.Array) -> jax.Array:
    """Y_v(x)."""
    # The sign of -cos(pi v) Gamma(-v) or -Gamma(v); the cosine is 0 at -1/2, -3/2, ...
    nearest = jnp.round(v)
    below = jnp.where(is_half_integer(v), 0.0, jnp.where(nearest % 2 == 0, -jnp.inf, jnp.inf))
    pole = jnp.where(jnp.isnan(v), v, jnp.where(v >= 0, -jnp.inf, below))
    return _singular(lambda v, x: cylinder.y_in_order(v, x, 0, 0), v, x, pole)


@device_kernel(ulps=20, conditioned=True)
def iv(v: jax.Array, x: jax.Array) -> jax.Array:
    """I_v(x)."""
    near = lambda v, x: _series(v, x, 1)  # noqa: E731
    return _regular(_iv_far, v, x, near)


def _iv_far(v: jax.Array, x: jax.Array) -> jax.Array:
    """I_v(x) for x > 0, where exp(-x) I_v(x) may be 0 of a function that has overflowed."""
    value = modified.i_in_order(v, x, 0, 0)
    # The exponent of I, and of 1/K, for large orders (DLMF 10.41.3).
    size = jnp.abs(v)
    exponent = jnp.hypot(size, x) - size * jnp.arcsinh(size / x)
    large = (x > _OVERFLOW) & jnp.isfinite(x) & (size < MOST_STEPS) & (exponent > _OVERFLOW)
    return jnp.where((value == 0) & large, jnp.inf, value)


@device_kernel(ulps=20, conditioned=True)
def ive(v: jax.Array, x: jax.Array) -> jax.Array:
    """exp(-|x|) I_v(x)."""
    near = lambda v, x: jnp.exp(-x) * _series(v, x, 1)  # noqa: E731
    return _regular(lambda v, x: modified.ive_in_order(v, x, [[1.0]], 0)[0], v, x, near)


@device_kernel(ulps=12, conditioned=True)
def kv(v: jax.Array, x: jax.Array) -> jax.Array:
    """K_v(x)."""
    return _singular(lambda v, x: modified.k_in_order(v, x, 0, 0), v, x, jnp.inf)


@device_kernel(ulps=12, conditioned=True)
def kve(v: jax.Array, x: jax.Array) -> jax.Array:
    """exp(x) K_v(x)."""
    return _singular(lambda v, x: modified.kve_in_order(v, x, [[1.0]], 0)[0], v, x, jnp.inf)
