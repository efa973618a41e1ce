"""Fresnel's integrals of real numbers in JAX operations (DLMF 7.5.3, 7.5.4).

Far out by the auxiliary functions, whose oscillating factors need z^2 modulo 4: the square of z
rounded to 26 bits is exact.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._error.kernels import fresnel_tables as tables
from jaxsci.special._numerics.by_precision import is_single
from jaxsci.special._numerics.elementary import upper_half
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import remainder, sine_and_cosine_of_small

_NEAR = 8.0**0.25
_HALVES = 1e17
"""From here on both are 1/2 to the last bit."""


@device_kernel(ulps=4, single=4)
def fresnel(z: jax.Array) -> tuple[jax.Array, ...]:
    """S(z) and C(z)."""
    size = jnp.abs(z)
    near = jnp.minimum(size, _NEAR)
    u = near**4
    s_near = near**3 * tables.S_NEAR(u)
    c_near = near + near * (u * tables.C_NEAR(u))
    far = jnp.clip(size, _NEAR, _HALVES)
    r = 1 / far
    v = r**4
    f = r / math.pi * piecewise(tables.F, v)
    g = r**3 / math.pi**2 * piecewise(tables.G, v)
    high = upper_half(far)
    low = far - high
    if is_single(z):  # of which all these products are exact
        beside = remainder(2 * high * low, 4) + remainder(low * low, 4)
    else:
        beside = remainder(low * (far + high), 4)
    rest = remainder(high * high, 4) + beside
    sine, cosine = sine_and_cosine_of_small(math.pi / 2 * rest)
    s_far = 0.5 - (f * cosine + g * sine)
    c_far = 0.5 + (f * sine - g * cosine)
    inside = size < _NEAR
    values = jnp.where(inside, s_near, s_far), jnp.where(inside, c_near, c_far)
    return tuple(jnp.where(jnp.isnan(z), z, jnp.where(z < 0, -y, y)) for y in values)
