"""The gamma function, its kin and its logarithmic derivative of complex numbers, in JAX operations.

Stirling's series far out, to which a few steps to the right lead (DLMF 5.11.1, 5.11.2, 5.5.1), and
the reflection of numbers left of 1/2 (DLMF 5.5.3, 5.5.4).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import scipy.special

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.bernoulli import BERNOULLI
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.plane import log_of_size, nan_like
from jaxsci.special._numerics.sine_in_plane import turned
from jaxsci.special._numerics.stirling import LARGE, stirling

_STEPS = 10
_HUGE = (1e100, 1e15)
"""From here on, in double precision and in single, the leading terms are all there is."""
_MOST = 700.0
_HALF_LOG = 0.5 * math.log(2 * math.pi)
_NEAR = 0.25
_EULER = 0.5772156649015329
_TERMS = 28
_ABOUT_ONE = [(-1) ** k * float(scipy.special.zeta(k)) / k for k in range(2, _TERMS)]  # DLMF 5.7.3


class _Right(NamedTuple):
    """A number to the right of 1/2, and a far one."""

    far: jax.Array
    product: jax.Array
    """Of the steps between them."""
    angle: jax.Array
    """The sum of the steps' angles."""
    sum: jax.Array
    """That of their inverses."""


def _steps(w: jax.Array) -> _Right:
    def step(_: Any, state: _Right) -> _Right:
        far, product, angle, total = state
        near = jnp.maximum(jnp.abs(far.real), jnp.abs(far.imag)) < LARGE
        by = jnp.where(near, far, 1.0)
        return _Right(
            jnp.where(near, far + 1, far),
            product * by,
            angle + jnp.arctan2(by.imag, by.real),
            jnp.where(near, total + 1 / by, total),
        )

    one = jnp.ones_like(w)
    start = _Right(w, one, jnp.zeros_like(w.real), jnp.zeros_like(w))
    return jax.lax.fori_loop(0, _STEPS, step, start)


def _log(z: jax.Array) -> jax.Array:
    """The principal logarithm of what is neither 0 nor infinite."""
    return jax.lax.complex(log_of_size(z.real, z.imag), jnp.arctan2(z.imag, z.real))


def _far_logarithm(w: jax.Array) -> jax.Array:
    """Log Gamma(w) where |w| is large."""
    huge = jnp.abs(w.real) + jnp.abs(w.imag) > by_precision(w, *_HUGE)
    rest = jnp.where(huge, 0.0, stirling(jnp.where(huge, 1.0, w)))
    logarithm = _log(w)
    # (w - 1/2) log w - w, of which parts of large numbers may cancel.
    return (w - 0.5) * (logarithm - 1) + (rest + (_HALF_LOG - 0.5))


class _Known(NamedTuple):
    """Where functions are computed, and a harmless number elsewhere."""

    z: jax.Array
    right: jax.Array
    """The number, or its reflection."""
    left: jax.Array
    """Whether it is that."""
    pole: jax.Array
    none: jax.Array


def _reduced(z: jax.Array) -> _Known:
    x, y = z.real, z.imag
    pole = (y == 0) & (x <= 0) & is_integer(x)
    none = ~(jnp.isfinite(x) & jnp.isfinite(y))
    z = jnp.where(pole | none, 1.0, z)
    left = z.real < 0.5
    return _Known(z, jnp.where(left, 1 - z, z), left, pole, none)


def _to_power(logarithm: jax.Array, less: jax.Array) -> tuple[jax.Array, jax.Array]:
    """exp(logarithm - less), in halves, because it may be multiplied by what is small."""
    # A number even where the result overflows, of which one part may be 0.
    size = jnp.exp(jnp.minimum(0.5 * (logarithm.real - less), _MOST))
    return size, jax.lax.complex(size * jnp.cos(logarithm.imag), size * jnp.sin(logarithm.imag))


class _Power(NamedTuple):
    """Gamma(z) or its reciprocal, as size times power times a product and a sine."""

    known: _Known
    product: jax.Array
    sine: jax.Array
    size: jax.Array
    power: jax.Array


def _power(z: jax.Array, sign: float) -> _Power:
    """The exponential in Gamma(z), or with sign -1 in its reciprocal."""
    known = _reduced(z)
    steps, circle = _steps(known.right), turned(known.z)
    logarithm = sign * _far_logarithm(steps.far)
    size, power = _to_power(
        jnp.where(known.left, -logarithm, logarithm),
        jnp.where(known.left, sign * circle.size, 0.0),
    )
    return _Power(known, steps.product, circle.sine, size, power)


_ULPS = 60


@device_kernel(_ULPS, conditioned=True)
def gamma(z: jax.Array) -> jax.Array:
    """Gamma(z)."""
    known, product, sine, size, power = _power(z, 1.0)
    factor = jnp.where(known.left, math.pi * product / sine, 1 / product)
    return jnp.where(known.pole | known.none, nan_like(z), (power * factor) * size)


@device_kernel(_ULPS, conditioned=True)
def rgamma(z: jax.Array) -> jax.Array:
    """1/Gamma(z)."""
    known, product, sine, size, power = _power(z, -1.0)
    factor = jnp.where(known.left, sine / (math.pi * product), product)
    value = jnp.where(known.pole, 0.0, (power * factor) * size)
    return jnp.where(known.none, nan_like(z), value)


def _about_one(w: jax.Array) -> jax.Array:
    """Log Gamma(1 + w) for small w."""
    total: Any = 0.0
    for c in reversed(_ABOUT_ONE):
        total = (total + c) * w
    return w * (total - _EULER)


@device_kernel(_ULPS, conditioned=True)
def loggamma(z: jax.Array) -> jax.Array:
    """The principal branch, whose cut is the negative real axis."""
    known = _reduced(z)
    steps, circle = _steps(known.right), turned(known.z)
    of_product = _log(steps.product)
    of_product = jax.lax.complex(of_product.real, steps.angle)
    right = _far_logarithm(steps.far) - of_product
    one, two = known.right - 1, known.right - 2
    near_one, near_two = (jnp.abs(w.real) + jnp.abs(w.imag) < _NEAR for w in (one, two))
    right = jnp.where(near_one, _about_one(jnp.where(near_one, one, 0.0)), right)
    above = jnp.where(near_two, two, 0.0)
    right = jnp.where(near_two, _about_one(above) + _log_above(above), right)
    turns = jnp.floor(0.5 * known.z.real + 0.25)
    turns = jnp.where(jnp.signbit(known.z.imag), -turns, turns)
    of_sine = _log(circle.sine)
    rest = jax.lax.complex(
        math.log(math.pi) - (of_sine.real + circle.size), 2 * math.pi * turns - of_sine.imag
    )
    value = jnp.where(known.left, rest - right, right)
    return jnp.where(known.pole | known.none, nan_like(z), value)


def _log_above(w: jax.Array) -> jax.Array:
    """log(1 + w) for small w, relative to the number."""
    x, y = w.real, w.imag
    return jax.lax.complex(0.5 * jnp.log1p(x * (2 + x) + y * y), jnp.arctan2(y, 1 + x))


@device_kernel(20, conditioned=True, single=6)
def psi(z: jax.Array) -> jax.Array:
    """The logarithmic derivative of the gamma function."""
    known = _reduced(z)
    steps, circle = _steps(known.right), turned(known.z)
    far = steps.far
    huge = jnp.abs(far.real) + jnp.abs(far.imag) > by_precision(far, *_HUGE)
    inverse = 1 / jnp.where(huge, 1.0, far)
    square = inverse * inverse
    total: Any = 0.0
    for k, b in reversed(list(enumerate(BERNOULLI[:9], 1))):
        total = (total + b / (2 * k)) * square
    right = _log(far) - jnp.where(huge, 0.0, 0.5 * inverse + total) - steps.sum
    value = jnp.where(known.left, right - math.pi * circle.cosine / circle.sine, right)
    value = jnp.where(known.pole | known.none, nan_like(z), value)
    x, y = z.real, z.imag
    infinite = (x == jnp.inf) | (jnp.abs(y) == jnp.inf) & (x > -jnp.inf)
    there = jax.lax.complex(jnp.full_like(x, jnp.inf), jnp.arctan2(y, x))
    return jnp.where(infinite & ~jnp.isnan(y), there, value)
