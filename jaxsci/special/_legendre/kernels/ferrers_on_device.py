"""Associated Legendre functions of real degree on the interval, in JAX operations (DLMF 14.3.1).

Between integer degrees P_v^-m is ((1 - x)/(1 + x))^(m/2)/m! times F(-v, v + 1; m + 1; (1 - x)/2),
by the differential equation of F, and P_v^m is (-1)^m (v - m + 1)_(2m) P_v^-m (DLMF 14.9.3).
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._legendre.kernels.on_device import MOST_STEPS, legendre_function
from jaxsci.special._numerics.half_turns import sine_of_pi
from jaxsci.special._numerics.hypergeometric_equations import gauss
from jaxsci.special._numerics.integers import is_integer, is_of_integer_type
from jaxsci.special._numerics.recurrences import by_recurrence
from jaxsci.special._numerics.vectorised import root_as_divisor

_LARGEST_DEGREE = 1e4
"""Of those that are no integers, and of their orders: NaN beyond."""
_NEXT_TO_END = 2.0**-100
_LARGE, _MOST_SCALES = 2.0**200, 12
"""Products are carried along as multiples of powers of this, of so many at most."""


@device_kernel(ulps=90, conditioned=True)
def lpmv(m: jax.Array, v: jax.Array, x: jax.Array) -> jax.Array:
    """P_v^m(x)."""
    of_integer_type = is_of_integer_type(v)
    m, v, x = jnp.broadcast_arrays(m.astype(x.dtype), v.astype(x.dtype), x)
    degree = jnp.where(v < -0.5, -1 - v, v)
    integer = is_integer(degree)
    inside = (jnp.abs(x) <= 1) | (m == 0) & ~jnp.isnan(x)
    undefined = jnp.isnan(v) | jnp.isnan(m) | ~inside | integer & (m < -degree)
    countable = ~undefined & integer & (degree <= MOST_STEPS)
    between = ~undefined & ~integer & (degree <= _LARGEST_DEGREE)
    between = between & (jnp.abs(m) <= _LARGEST_DEGREE)
    nothing = jnp.full_like(x, jnp.nan)

    def polynomials() -> jax.Array:
        n, order = jnp.where(countable, degree, 0.0), jnp.where(countable, m, 0.0)
        ends = (1 - x) / 2, (1 + x) / 2
        root = jnp.sqrt(jnp.where(jnp.abs(x) <= 1, (1 - x) * (1 + x), 0.0))
        return legendre_function(n, order, x, ends, root, norm=False)

    def functions() -> jax.Array:
        return _between_degrees(
            jnp.where(between, m, 0.0), jnp.where(between, degree, 0.5), jnp.where(between, x, 0.5)
        )

    first = jax.lax.cond(jnp.any(countable), polynomials, lambda: nothing)
    if of_integer_type:
        return jnp.where(countable, first, jnp.nan)
    second = jax.lax.cond(jnp.any(between), functions, lambda: nothing)
    return jnp.where(countable, first, jnp.where(between, second, jnp.nan))


def _between_degrees(m: jax.Array, v: jax.Array, x: jax.Array) -> jax.Array:
    size = jnp.abs(m)
    inside = (x > -1) & (x < jnp.inf)
    low, high = jnp.where(inside, (1 - x) / 2, 1.0), jnp.where(inside, (1 + x) / 2, _NEXT_TO_END)
    function = gauss(-v, v + 1, size + 1, low, high)
    root = jnp.sqrt(jnp.maximum(low, 0.0)) / root_as_divisor(high)
    up = m > 0

    def step(k: jax.Array, factor: jax.Array, scale: jax.Array) -> tuple[jax.Array, jax.Array]:
        # The product alone may be beyond the numbers.
        i = k + 1
        factor = factor * root * jnp.where(up, (v + i) * (i - 1 - v), 1.0) / i
        there = jnp.abs(factor)
        by = jnp.where(there > _LARGE, 1 / _LARGE, jnp.where(there < 1 / _LARGE, _LARGE, 1.0))
        return factor * by, scale + jnp.where(by < 1, 1.0, jnp.where(by > 1, -1.0, 0.0))

    factor, scale = by_recurrence(size, step, (jnp.ones_like(v), jnp.zeros_like(v)))
    value = function * factor
    for i in range(_MOST_SCALES):
        value = jnp.where(scale > i, value * _LARGE, jnp.where(scale < -i, value / _LARGE, value))
    value = jnp.where(
        jnp.abs(scale) > _MOST_SCALES, value * jnp.where(scale > 0, jnp.inf, 0.0), value
    )
    beyond = jnp.where(size == 0, -jnp.sign(sine_of_pi(v)), jnp.sign(value)) * jnp.inf
    # Of order 0 the function goes on beyond the interval, and grows there for positive degrees.
    beyond = jnp.where(x > 1, jnp.where(v > 0, jnp.inf, 0.0), beyond)
    return jnp.where(inside, value, jnp.where((x == -1) | (x > 1), beyond, jnp.nan))
