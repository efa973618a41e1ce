"""The gamma function, its logarithms and its logarithmic derivative in JAX operations.

Of positive numbers: polynomials, over the distance to a zero where there is one, and beside
Stirling's formula in 1/x. Negative numbers follow by reflection (DLMF 5.5.3, 5.5.4).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables as tables
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import sine_of_half_turns
from jaxsci.special._numerics.half_turns import reduced, sine_of_pi
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log, remainder

_STIRLING, _STIRLING_OF_PSI = 3.0, 2.0
"""From here on Stirling's formula serves, with a polynomial for its remainder."""
_SCALED = 2.0
_AT_ROOT = (
    (0.46163214496836236, 1.5020545501373212e-17),
    (0.4616321325302124, -1.20360525491066e-08),
)
"""The double next to the root of psi(1 + x), and what that is there; that of single precision."""
_HALF_LOG_TWO_PI_LESS_HALF = 0.4189385332046727
_LARGE = (100.0, 25.0)
"""From here on powers are taken in two halves, in double precision and in single."""
_OVERFLOW = (172.0, 36.0)
_UNDERFLOW = (185.0, 45.0)
"""Gamma is beyond the numbers from the one on, and from minus the other on."""


def _cotangent(x: jax.Array) -> jax.Array:
    """cot(pi x), NaN at its poles."""
    rest, _ = reduced(x)
    value = sine_of_half_turns(0.5 - jnp.abs(rest)) / sine_of_half_turns(rest)
    return jnp.where(rest == 0, jnp.nan, value)


def _gamma_right(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Factors of Gamma(x) for x > 0, neither of which overflows for x < _OVERFLOW."""
    large = by_precision(x, *_LARGE)
    y = jnp.where(x < 1, x, x - 1)
    near = tables.GAMMA_NEAR(jnp.clip(y, 0.0, 1.0))
    near = jnp.where(x < 1, near / jnp.where(x < 1, x, 1.0), near)
    outside = jnp.maximum(x, _SCALED)
    # Powers of large numbers in two halves.
    exponent = jnp.where(outside > large, 0.5 * outside - 0.25, outside - 0.5)
    power = jnp.power(outside, exponent)
    scaled = power * jnp.exp(-outside) * tables.GAMMA_SCALED(1 / outside)
    far = x > _SCALED
    return jnp.where(far, scaled, near), jnp.where(far & (outside > large), power, 1.0)


@device_kernel(ulps=4, single=4)
def gamma(z: jax.Array) -> jax.Array:
    """Gamma(z)."""
    size = jnp.abs(z)
    left = z < -0.5
    one, other = _gamma_right(jnp.where(left, size, jnp.where(z < 0, 1 + z, z)))
    # Gamma(z) Gamma(-z) = -pi/(z sin(pi z)), for small numbers Gamma(1 + z)/z.
    value = jnp.where(z > by_precision(z, *_OVERFLOW), jnp.inf, one * other)
    inside = jnp.where(left, z, -0.75)
    rest, sign = reduced(inside)
    sine = sine_of_half_turns(rest)
    reflected = math.pi * sign / one / (sine * jnp.abs(inside)) / other
    reflected = jnp.where(size > by_precision(z, *_UNDERFLOW), 0.0, reflected)
    reflected = jnp.where(sine == 0, jnp.nan, reflected)
    value = jnp.where(left, reflected, jnp.where(z < 0, value / jnp.where(z < 0, z, 1.0), value))
    value = jnp.where(z == 0, jnp.copysign(jnp.inf, z), value)
    return jnp.where(jnp.isnan(z) | (z == -jnp.inf), jnp.nan, value)


@device_kernel(ulps=4, single=4)
def factorial(n: jax.Array, *, exact: bool, extend: str) -> jax.Array:
    """Gamma(n + 1), of which 1 + n may be rounded."""
    far = jnp.abs(n) >= 1
    value = gamma(jnp.where(far, n, 1 + n)) * jnp.where(far, n, 1.0)
    if extend == "complex":
        return value
    return jnp.where(n < 0, 0.0, value)


@device_kernel(ulps=1, single=1)
def gammasgn(x: jax.Array) -> jax.Array:
    """The sign of Gamma(x)."""
    whole = jnp.floor(x)
    value = jnp.where((x < 0) & (remainder(whole, 2) != 0), -1.0, 1.0)
    value = jnp.where(x == 0, jnp.copysign(1.0, x), value)
    none = jnp.isnan(x) | (x < 0) & (x == whole)
    return jnp.where(none, jnp.nan, value)


@device_kernel(ulps=4, single=4)
def rgamma(z: jax.Array) -> jax.Array:
    """1/Gamma(z)."""
    size = jnp.abs(z)
    left = z < -0.5
    one, other = _gamma_right(jnp.where(left, size, jnp.where(size <= 0.5, 1 + z, z)))
    value = jnp.where(z > by_precision(z, *_UNDERFLOW), 0.0, 1 / one / other)
    inside = jnp.where(left, jnp.maximum(z, -1e6), -0.75)
    rest, sign = reduced(inside)
    sine = sine_of_half_turns(rest)
    reflected = sign * (sine * jnp.abs(inside)) * one / math.pi * other
    reflected = jnp.where(sine == 0, 0.0, reflected)
    value = jnp.where(left, reflected, jnp.where(size <= 0.5, z * value, value))
    return jnp.where(jnp.isnan(z), z, jnp.where(z == -jnp.inf, 0.0, value))


def _gammaln_right(x: jax.Array) -> jax.Array:
    """The logarithm of Gamma(x) for x > 0."""
    inside = jnp.where(x < 0.5, 1 + x, x)
    # Where 1 + x is rounded, x is what is left of the difference.
    roots = jnp.where(x < 0.5, x * (x - 1), (inside - 1) * (inside - 2))
    near = roots * piecewise(tables.LOG_GAMMA_NEAR, inside)
    outside = jnp.maximum(x, _STIRLING)
    logarithm = log(jnp.where(x < 0.5, x, outside))
    near = jnp.where(x < 0.5, near - logarithm, near)
    r = 1 / outside
    rest = _HALF_LOG_TWO_PI_LESS_HALF + r * tables.LOG_GAMMA_FAR(r * r)
    far = (outside - 0.5) * (logarithm - 1) + rest
    value = jnp.where(x > _STIRLING, far, near)
    return jnp.where(x == 1, 0.0, value)  # without the sign of its factors


@device_kernel(ulps=3, envelope="max(1, loggamma(1 - x)) if x < 0 else 0", single=4)
def gammaln(x: jax.Array) -> jax.Array:
    """The logarithm of |Gamma(x)|."""
    left = x < 0
    right = _gammaln_right(jnp.where(left, 1 - x, jnp.where(x > 0, x, 1.0)))
    inside = jnp.where(left & (x > -jnp.inf), x, -0.5)
    sine = sine_of_pi(inside)
    reflected = log(math.pi / jnp.abs(sine)) - right
    value = jnp.where(left, jnp.where(sine == 0, jnp.inf, reflected), right)
    value = jnp.where(x == 0, jnp.inf, jnp.where(x == -jnp.inf, x, value))
    return jnp.where(jnp.isnan(x), x, value)


@device_kernel(ulps=2, single=3)
def loggamma(z: jax.Array) -> jax.Array:
    """The logarithm of Gamma(z) for z > 0."""
    value = _gammaln_right(jnp.where(z > 0, z, 1.0))
    return jnp.where(z >= 0, jnp.where(z == 0, jnp.inf, value), jnp.nan)


def _psi_right(x: jax.Array) -> jax.Array:
    """psi(x) for x > 0."""
    y = jnp.where(x < 1, x, x - 1)
    inside = jnp.clip(y, 0.0, 1.0)
    root, at_root = by_precision(x, *_AT_ROOT)
    near = (inside - root) * tables.DIGAMMA_NEAR(inside) + at_root
    near = jnp.where(x < 1, near - 1 / jnp.where(x < 1, x, 1.0), near)
    outside = jnp.maximum(x, _STIRLING_OF_PSI)
    r = 1 / outside
    v = r * r
    far = log(outside) + (v * tables.DIGAMMA_FAR(v) - 0.5 * r)
    return jnp.where(x > _STIRLING_OF_PSI, far, near)


@device_kernel(ulps=3, envelope="max(1, digamma(1 - z)) if z < 0 else 0", single=6)
def psi(z: jax.Array) -> jax.Array:
    """Gamma'(z)/Gamma(z)."""
    left = z < 0
    right = _psi_right(jnp.where(left, 1 - z, jnp.where(z > 0, z, 1.0)))
    inside = jnp.where(left & (z > -jnp.inf), z, -0.25)
    value = jnp.where(left, right - math.pi * _cotangent(inside), right)
    value = jnp.where(z == 0, -jnp.copysign(jnp.inf, z), value)
    return jnp.where(jnp.isnan(z) | (z == -jnp.inf), jnp.nan, value)


@device_kernel(ulps=4, conditioned=True, single=4)
def multigammaln(a: jax.Array, *, d: int) -> jax.Array:
    """The sum of log Gamma(a - j/2) over j < d, and that of the logarithms of sqrt(pi)."""
    inside = a > 0.5 * (d - 1)
    safe = jnp.where(inside, a, float(d))
    total: Any = 0.25 * d * (d - 1) * math.log(math.pi)
    for j in range(d):
        total = total + _gammaln_right(safe - 0.5 * j)
    return jnp.where(inside, total, jnp.nan)
