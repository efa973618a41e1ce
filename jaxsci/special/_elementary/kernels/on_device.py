"""Elementary functions of real numbers in JAX operations, where XLA's own lose digits."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import elementary
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.vectorised import cube_root, log, remainder, sine_and_cosine

_TINY = 2.0**-60
_OVERFLOW = 800.0
_LARGE = (100.0, 80.0)
_SMALLEST = (2.0**-1022, 2.0**-126)
_SHIFT = 16.0
_LOG10_TWO = (
    (0.30102999566224753, 1.7336659603752853e-12),
    (0.30103302001953125, -3.02435555005e-06),
)
"""log10(2) in two parts, the first of which is a multiple of 2^-39, or of 2^-17."""

expm1 = device_kernel(ulps=2, single=3)(elementary.expm1)
log1p = device_kernel(ulps=2, single=3)(elementary.log1p)


@device_kernel(ulps=2, single=3)
def cbrt(x: jax.Array) -> jax.Array:
    """The real cube root."""
    size = jnp.abs(x)
    inside = (size >= by_precision(x, *_SMALLEST)) & (size < jnp.inf)
    y = cube_root(jnp.where(inside, size, 1.0))
    return jnp.where(inside, jnp.where(x < 0, -y, y), x)


def _times_power_of_two(y: jax.Array, n: Any) -> jax.Array:
    """Y times 2^n; n is an integer of which NaN is none."""
    safe = jnp.clip(jnp.where(jnp.isnan(n), 0.0, n), -1200.0, 1200.0)
    return jnp.ldexp(y, safe.astype(jnp.int32))


@device_kernel(ulps=2, single=3)
def exp2(x: jax.Array) -> jax.Array:
    """2^x."""
    x = jnp.clip(x, -1200.0, 1200.0)
    n = jnp.round(x)
    return _times_power_of_two(jnp.exp((x - n) * math.log(2)), n)


@device_kernel(ulps=2, single=3)
def exp10(x: jax.Array) -> jax.Array:
    """10^x."""
    x = jnp.clip(x, -400.0, 400.0)
    high, low = by_precision(x, *_LOG10_TWO)
    n = jnp.round(x / (high + low))
    rest = (x - n * high) - n * low
    return _times_power_of_two(jnp.exp(rest * math.log(10)), n)


@device_kernel(ulps=2, single=3)
def exprel(x: jax.Array) -> jax.Array:
    """(exp(x) - 1)/x."""
    tiny = jnp.abs(x) < _TINY
    safe = jnp.where(tiny, 1.0, x)
    # The exponential overflows before the quotient does.
    far = jnp.exp(jnp.minimum(x, _OVERFLOW) - _SHIFT) * (math.exp(_SHIFT) / safe)
    far = jnp.where(x > _OVERFLOW, jnp.inf, far)
    large = by_precision(x, *_LARGE)
    value = jnp.where(x > large, far, elementary.expm1(jnp.minimum(safe, large)) / safe)
    return jnp.where(tiny, 1.0, jnp.where(jnp.isnan(x), x, value))


@device_kernel(ulps=2, single=3)
def cosm1(x: jax.Array) -> jax.Array:
    """-2 sin(x/2)^2, which is cos x - 1."""
    sine, _ = sine_and_cosine(0.5 * x)
    return jnp.where(sine == 0, 0.0, -2 * sine * sine)


@device_kernel(ulps=4, conditioned=True, single=4)
def powm1(x: jax.Array, y: jax.Array) -> jax.Array:
    """x^y - 1."""
    size = jnp.abs(x)
    integer = is_integer(y)
    odd = (x < 0) & (remainder(y, 2) != 0)
    t = y * log(size)
    near = jnp.abs(t) < 0.7
    power = jnp.power(size, y)
    value = jnp.where(near, elementary.expm1(jnp.where(near, t, 0.0)), power - 1)
    value = jnp.where(odd, -power - 1, value)
    value = jnp.where((x < 0) & ~(integer & (jnp.abs(y) < jnp.inf)), jnp.nan, value)
    return jnp.where((y == 0) | (x == 1), 0.0, value)
