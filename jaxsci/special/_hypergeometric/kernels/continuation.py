"""Kummer's and Gauss's functions of complex z by their differential equations.

For the derivatives of `hyp1f1` and `hyp2f1`: power series cancel where |z| is much larger than
Re z, or diverge. Taylor steps along the ray from the origin do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.power_series import value_and_slope

_STEP = 1.5
_TERMS = 75


def kummer(a: jax.Array, b: jax.Array, z: jax.Array) -> jax.Array:
    """M(a, b, z) for complex z, real a and b (DLMF 13.2.1)."""
    a, b, z = _alike(a, b, z)
    # To the right, by DLMF 13.2.39, M is a dominant solution.
    left = z.real < 0
    a, w = jnp.where(left, b - a, a), jnp.where(left, -z, z)
    size = jnp.abs(b)

    def following(k: jax.Array, at: jax.Array, c: jax.Array, d: jax.Array) -> jax.Array:
        return ((k + a) * c - (k + 1) * (k + b - at) * d) / (at * (k + 1) * (k + 2))

    value = _along_ray(
        w,
        # A large b makes the series converge farther out.
        1.5 + jnp.minimum(size, 60.0) / 16,
        lambda k: (a + k) / ((b + k) * (k + 1)),
        following,
        lambda at: jnp.minimum(jnp.abs(at) / _steepness(size), _STEP),
    )
    return jnp.where(left, jnp.exp(z) * value, value)


def gauss(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> jax.Array:
    """F(a, b; c; z) for complex z off the cut, real a, b and c (DLMF 15.10.1)."""
    a, b, c, z = _alike(a, b, c, z)
    # By Pfaff's transformation (DLMF 15.8.1) the left half-plane goes into the unit circle.
    left = z.real < 0
    factor = jnp.where(left, jnp.exp(-a * jnp.log(1 - z)), 1.0)
    b, z = jnp.where(left, c - b, b), jnp.where(left, z / (z - 1), z)
    at_zero, at_one = _steepness(jnp.abs(c)), _steepness(jnp.abs(c - a - b))

    def following(k: Any, at: jax.Array, f: Any, d: jax.Array) -> Any:
        slope = (k + 1) * ((1 - 2 * at) * k + c - (a + b + 1) * at)
        return ((k + a) * (k + b) * f - slope * d) / (at * (1 - at) * (k + 1) * (k + 2))

    return factor * _along_ray(
        z,
        jnp.full_like(z.real, 0.4),
        lambda k: (a + k) * (b + k) / ((c + k) * (k + 1)),
        following,
        lambda at: jnp.minimum(jnp.abs(at) / at_zero, jnp.abs(1 - at) / at_one),
    )


def _alike(*args: jax.Array) -> list[jax.Array]:
    return list(jnp.broadcast_arrays(*(jnp.asarray(t, jnp.complex128) for t in args)))


def _steepness(exponent: jax.Array) -> jax.Array:
    """How many steps the way to a singularity takes: the other solution has this exponent there."""
    return 2 + exponent / 4


def _along_ray(
    z: jax.Array,
    reach: jax.Array,
    ratio: Callable[[Any], Any],
    following: Callable[[Any, Any, Any, Any], Any],
    longest: Callable[[Any], Any],
) -> jax.Array:
    """A solution's value at z.

    Args:
        z: where to.
        reach: how far from the origin the power series serves.
        ratio: of its coefficients k + 1 and k.
        following: coefficient k + 2 of the Taylor series about a point, from k + 1 and k.
        longest: the longest step from a point.
    """
    length = jnp.abs(z)
    ray = jnp.where(length == 0, 1.0, z / jnp.where(length == 0, 1.0, length))
    first = jnp.minimum(length, reach)
    value, slope = value_and_slope(ratio, first * ray, _TERMS)

    def step(carry: Sequence[jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
        at, value, slope = carry
        point = jnp.where(at == 0, 1.0, at) * ray
        most = longest(point)
        last = length - at <= most
        width = jnp.where(last, length - at, most)
        moved, turned = _taylor(following, point, width * ray, value, slope)
        active = at < length
        return (
            jnp.where(active, jnp.where(last, length, at + width), at),
            jnp.where(active, moved, value),
            jnp.where(active, turned, slope),
        )

    start = (first, value, slope)
    return jax.lax.while_loop(lambda carry: jnp.any(carry[0] < length), step, start)[1]


def _taylor(
    following: Callable[..., Any], at: jax.Array, h: jax.Array, value: jax.Array, slope: jax.Array
) -> tuple[jax.Array, ...]:
    """One step: the function and its derivative at at + h."""

    def add(carry: Sequence[jax.Array], k: jax.Array) -> Any:
        c, d, power, value, slope = carry  # coefficients k and k + 1; power is h^k
        moved = value + c * power
        turned = slope + (k + 1) * d * power
        return (d, following(k, at, c, d), power * h, moved, turned), None

    zero = jnp.zeros_like(h)
    start = value, slope, jnp.ones_like(h), zero, zero
    (_, _, _, moved, turned), _ = jax.lax.scan(add, start, jnp.arange(float(_TERMS)))
    return moved, turned
