"""The Bessel functions J and Y of orders 0 and 1, of real arguments, in JAX operations.

Up to 8 polynomials in x, beside the logarithm of Y near 0. From there on amplitude and phase are in
P and Q (DLMF 10.18.15), polynomials in 1/x^2, beside sin x and cos x: with these no digits of the
phase x - pi/4 are lost, however large x is.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import cylinder_tables as tables
from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log, root_as_divisor, sine_and_cosine

_NEAR = 2.0
_FAR = 8.0
_ENVELOPE = "sqrt(2/(pi*max(abs(x), 2/pi)))"
_ENVELOPE_OF_J1 = "min(abs(x)/2, sqrt(2/(pi*max(abs(x), 2/pi))))"


def _far(even: Any, odd: Any, x: jax.Array) -> tuple[Any, Any]:
    """P and Q over sqrt(pi x), for x > 8."""
    r = 1 / x
    # The product of pi and x may overflow, where its root does not.
    scale = math.sqrt(1 / math.pi) / root_as_divisor(x)
    return even(r * r) * scale, odd(r * r) * r * scale


def _zeroth(x: jax.Array, odd: bool) -> Any:
    """J_0(x) or Y_0(x) for x > 8: P and Q times cosine and sine of x - pi/4."""
    p, q = _far(tables.P0, tables.Q0, x)
    s, c = sine_and_cosine(x)
    return p * (s - c) + q * (s + c) if odd else p * (c + s) - q * (s - c)


def _first(x: jax.Array, odd: bool) -> Any:
    """J_1(x) or Y_1(x) for x > 8: P and Q times cosine and sine of x - 3 pi/4."""
    p, q = _far(tables.P1, tables.Q1, x)
    s, c = sine_and_cosine(x)
    return q * (s - c) - p * (s + c) if odd else p * (s - c) + q * (s + c)


def _far_or_not(x: Any, far: Any, otherwise: jax.Array, odd: bool) -> jax.Array:
    """The function beyond 8, which is 0 at infinity."""
    inside = jnp.where((x > _FAR) & (x < jnp.inf), x, _FAR)
    value = jnp.where(x < jnp.inf, far(inside, odd), 0.0)
    return jnp.where(x > _FAR, value, otherwise)


def _j0_near(x: jax.Array) -> jax.Array:
    u = x * x
    return 1 + u * tables.J0_NEAR(u)


def _j1_near(x: jax.Array) -> jax.Array:
    u = x * x
    return x * (0.5 + u * (0.5 * tables.J1_NEAR(u)))


@device_kernel(ulps=3, envelope=_ENVELOPE, single=4)
def j0(x: jax.Array) -> jax.Array:
    """J_0(x)."""
    size = jnp.abs(x)
    near = _j0_near(jnp.minimum(size, _NEAR))
    value = jnp.where(size > _NEAR, piecewise(tables.J0, size), near)
    return jnp.where(jnp.isnan(x), x, _far_or_not(size, _zeroth, value, odd=False))


@device_kernel(ulps=3, envelope=_ENVELOPE_OF_J1, single=4)
def j1(x: jax.Array) -> jax.Array:
    """J_1(x)."""
    size = jnp.abs(x)
    near = _j1_near(jnp.minimum(size, _NEAR))
    value = jnp.where(size > _NEAR, piecewise(tables.J1, size), near)
    value = _far_or_not(size, _first, value, odd=False)
    return jnp.where(jnp.isnan(x), x, jnp.where(jnp.signbit(x), -value, value))


def _of_half_line(x: jax.Array, value: jax.Array) -> jax.Array:
    """Negative infinity at the origin, and no value to the left of it."""
    value = jnp.where(x == 0, -jnp.inf, value)
    return jnp.where(x >= 0, value, jnp.nan)


@device_kernel(ulps=3, envelope=_ENVELOPE, single=4)
def y0(x: jax.Array) -> jax.Array:
    """Y_0(x)."""
    inside = jnp.where((x > 0) & (x <= _NEAR), x, 1.0)
    near = (2 / math.pi) * log(inside) * _j0_near(inside) + tables.Y0_NEAR(inside * inside)
    value = jnp.where(x > _NEAR, piecewise(tables.Y0, x), near)
    return _of_half_line(x, _far_or_not(x, _zeroth, value, odd=True))


@device_kernel(ulps=3, envelope=_ENVELOPE, single=4)
def y1(x: jax.Array) -> jax.Array:
    """Y_1(x)."""
    inside = jnp.where((x > 0) & (x <= _NEAR), x, 1.0)
    logarithm = (2 / math.pi) * log(inside) * _j1_near(inside)
    pole = (2 / math.pi) / inside
    near = (logarithm + inside * tables.Y1_NEAR(inside * inside)) - pole
    value = jnp.where(x > _NEAR, piecewise(tables.Y1, x), near)
    return _of_half_line(x, _far_or_not(x, _first, value, odd=True))
