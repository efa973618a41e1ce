"""Factors of gamma functions, for JAX to differentiate in their arguments."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.half_turns import sine_of_pi
from jaxsci.special._numerics.integers import distance_to_integer, is_integer
from jaxsci.special._numerics.stirling import stirling

_SHIFT = 16


def is_pole(x: jax.Array) -> jax.Array:
    """Whether x is 0, -1, -2, ..., a pole of the gamma function."""
    return (x <= 0) & is_integer(x)


def distance_to_pole(x: jax.Array) -> jax.Array:
    """How far x is from the nearest pole of Gamma; 1 where it is to the right of all."""
    return jnp.where(x < 0.5, distance_to_integer(x), 1.0)


def sign_and_log_gamma(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The sign of Gamma(x), and the logarithm of its size, by XLA's function."""
    odd = (x < 0) & (jnp.floor(x) % 2 != 0)
    return jnp.where(odd, -1.0, 1.0), jax.lax.lgamma(x)


def log_gamma(x: jax.Array, shift: int = 0) -> jax.Array:
    """Log Gamma(x + shift), for x + shift >= 10."""
    z = x + shift
    return (z - 0.5) * jnp.log(z) - z + math.log(2 * math.pi) / 2 + stirling(z)


def log_gamma_quotient(z: jax.Array, d: jax.Array, shift: int) -> jax.Array:
    """Log Gamma(z + d + shift)/Gamma(z + shift), both of numbers >= 10; for d = 0 exactly 0."""
    x, end = z + shift, z + d + shift
    return (x - 0.5) * jnp.log1p(d / x) + d * jnp.log(end) - d + (stirling(end) - stirling(x))


def rising(x: jax.Array, n: int) -> jax.Array:
    """The product x (x + 1) ... (x + n - 1)."""
    return math.prod((x + j for j in range(n)), start=jnp.ones_like(x))


def reciprocal_gamma(x: jax.Array) -> tuple[Any, Any]:
    """1/Gamma(x) for real x, as a factor and the logarithm of another."""
    left = x < 0.5
    positive = jnp.where(left, 1 - x, x)
    factor, logarithm = rising(positive, _SHIFT), log_gamma(positive, _SHIFT)
    return (
        jnp.where(left, sine_of_pi(x) / (math.pi * factor), factor),
        jnp.where(left, logarithm, -logarithm),
    )


def gamma_quotient(z: jax.Array, d: jax.Array) -> Any:
    """Gamma(z + d)/Gamma(z) for z and z + d above -5: for d = 0 exactly 1, whatever z is.

    In a loop, which compiles in a fraction of the time: for derivatives, which take longer anyway.
    """
    logarithm, product = _of_quotient(z, d, in_loop=True)
    return jnp.exp(logarithm) * product


def quotient_of_gamma_quotients(
    z: jax.Array, w: jax.Array, d: jax.Array, *, in_loop: bool = False
) -> Any:
    """That of z and d over that of w and d, where each of them may overflow.

    For a kernel's value not in a loop, so that it is part of what surrounds it.
    """
    (logarithm, product), (other, divisor) = (_of_quotient(x, d, in_loop) for x in (z, w))
    return jnp.exp(logarithm - other) * (product / divisor)


def _of_quotient(z: jax.Array, d: jax.Array, in_loop: bool) -> tuple[Any, Any]:
    """Gamma(z + d)/Gamma(z), as the logarithm of a factor and another factor."""

    def times(j: Any, product: jax.Array) -> jax.Array:
        after = z + d + j
        near = jnp.abs(z + j) < jnp.abs(d) / 2
        return product * jnp.where(near, (z + j) / after, 1 - d / after)

    logarithm = log_gamma_quotient(z, d, _SHIFT)
    one = jnp.ones_like(logarithm)
    if in_loop:
        return logarithm, jax.lax.fori_loop(0, _SHIFT, times, one)
    return logarithm, functools.reduce(lambda product, j: times(j, product), range(_SHIFT), one)
