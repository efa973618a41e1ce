"""Differences psi^(n)(z + h) - psi^(n)(z) of real numbers, to full relative precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import NativeFunction, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._gamma.kernels.polygamma import (
    cotangent,
    cotangent_polynomial,
    polygamma_function,
    shift,
    steps,
    tail_coefficients,
)
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.shared import at_once


def difference_of_positive(z: jax.Array, h: jax.Array, n: int) -> jax.Array:
    """psi^(n)(z + h) - psi^(n)(z) for z > 0 and z + h > 0."""
    total = folded.total(differences_of_powers(z + steps(n, jnp.ndim(z)), h, n + 1)[n + 1])
    w = z + shift(n)
    powers = differences_of_powers(w, h, n + 2 * 10)
    tail: Any = 0.0
    for power, c in reversed(tail_coefficients(n)):
        tail = tail + c * powers[power]
    out = (-1) ** (n + 1) * (math.factorial(n) * total + tail)
    if n == 0:
        near = abs(h) < w / 2
        out = out + jnp.where(
            near, jnp.log1p(jnp.where(near, h, 0.0) / w), jnp.log(jnp.where(near, w, w + h) / w)
        )
    return out


def differences_of_powers(w: jax.Array, h: Any, n: int) -> list[jax.Array]:
    """The differences (w + h)^-s - w^-s for s = 0 ... n, of positive terms; h may be infinite."""
    u, v = 1 / (w + h), 1 / w
    out, power = [jnp.zeros_like(u), -v / (1 + w / h)], v
    for _ in range(n - 1):
        out.append(u * out[-1] + power * out[1])
        power = power * v
    return out


def _of_cotangent(z: jax.Array, h: jax.Array, wanted: jax.Array, n: int) -> jax.Array:
    """The difference pi (d/dz)^n (cot(pi (z + h)) - cot(pi z))."""
    sine_z, at_z = cotangent(z, wanted)
    sine_end, at_end = cotangent(z + h, wanted)
    h = jnp.where(wanted, h, 0.0)
    turns = jnp.round(z) + jnp.round(z + h) + jnp.round(h)
    sine_h = jnp.where(turns % 2 == 0, 1, -1) * jnp.sin(jnp.pi * (h - jnp.round(h)))
    # Whole h: the cotangents are the same, even where they are infinite.
    same = h == jnp.round(h)
    denominator = jnp.where(same, 1.0, sine_z * sine_end)
    difference = jnp.where(same, 0.0, -sine_h / denominator)
    polynomial = np.array([0.0, np.pi])
    if n:
        polynomial = np.polynomial.polynomial.polymul([1, 0, 1], cotangent_polynomial(n))
    at_z, at_end = jnp.where(same, 0.0, at_z), jnp.where(same, 0.0, at_end)
    total: PyTree = 0.0
    slope: Any = 0.0
    for c in polynomial[::-1]:
        slope = slope * at_end + total
        total = total * at_z + c
    return difference * slope


_BESIDE_ZERO = 0.5


def polygamma_difference_by(psi: Callable[..., Any]) -> NativeFunction:
    """The difference of any two real numbers, from the digamma function."""

    def polygamma(z: jax.Array, n: int) -> jax.Array:
        return polygamma_function(z, n=n) if n else psi(z)

    @tower("DLMF 5.15.1", z="n")
    def polygamma_difference(z: jax.Array, h: jax.Array, *, n: int) -> jax.Array:
        """psi^(n)(z + h) - psi^(n)(z): where h is small beside z, the difference would cancel."""
        end = z + h
        z_left, end_left = z <= 0, end <= 0
        right = ~z_left & ~end_left
        # Beside the pole at 0 the reflection serves for positive numbers too: with a number beside
        # another pole the cotangents would cancel.
        left = ~right & (z < _BESIDE_ZERO) & (end < _BESIDE_ZERO)
        mixed = ~right & ~left
        turned = difference_of_positive(jnp.where(left, 1 - z, 1.0), jnp.where(left, -h, 0.0), n)
        filled = (jnp.where(mixed, t, 1.0) for t in (end, z))
        at_end, at_start = at_once(lambda t: polygamma(t, n), *filled)
        apart = at_end - at_start
        straight = difference_of_positive(jnp.where(right, z, 1.0), jnp.where(right, h, 0.0), n)
        # One term, with all its digits (DLMF 5.15.5): some derivatives of products are zero there.
        term = (-1) ** n * math.factorial(n) / jnp.where(right, z, 1.0) ** (n + 1)
        straight = jnp.where(h == 1, term, straight)
        # psi^(n)(z) = (-1)^n psi^(n)(1 - z) - pi d^n/dz^n cot(pi z) (DLMF 5.15.6).
        reflected = (-1) ** n * turned - _of_cotangent(z, h, left, n)
        return jnp.where(right, straight, jnp.where(left, reflected, apart))

    polygamma_difference.partials(
        h=closed("DLMF 5.15.1", lambda y, z, h, *, n: polygamma_function(z + h, n=n + 1))
    )
    return polygamma_difference
