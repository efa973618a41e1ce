"""Carlson's elliptic integrals of complex arguments in JAX operations.

Duplications (DLMF 19.26) as of real ones, in a fixed number: they also halve the angles between the
arguments, which lie in the plane cut along its negative real axis.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel

_STEPS = 16
_RANGE = 1e-80, 1e80
"""Sizes whose powers are numbers; others are scaled, for the functions are homogeneous."""


def _roots(*args: jax.Array) -> list[jax.Array]:
    return [jnp.sqrt(x) for x in args]


def _shifted(*args: jax.Array) -> tuple[list[jax.Array], list[jax.Array]]:
    """The arguments after a duplication, and their roots before it."""
    rx, ry, rz = _roots(*args)
    shift = 0.25 * (rx * (ry + rz) + ry * rz)
    return [0.25 * x + shift for x in args], [rx, ry, rz]


def _loop(first: tuple[Any, ...], step: Any) -> tuple[Any, ...]:
    return jax.lax.fori_loop(0, _STEPS, lambda _, state: step(*state), first)


def rf(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F(x, y, z)."""
    x, y, z = _loop((x, y, z), lambda *args: tuple(_shifted(*args)[0]))
    mean = (x + y + z) / 3
    a, b = (mean - x) / mean, (mean - y) / mean
    c = -a - b
    e2 = a * b - c * c
    e3 = a * b * c
    # DLMF 19.36.1
    series = 1 + e2 * (e2 / 24 - 1 / 10 - 3 * e3 / 44) + e3 / 14
    return series / jnp.sqrt(mean)


def rd(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_D(x, y, z)."""

    def step(x: Any, y: Any, z: Any, total: Any, weight: Any) -> tuple[Any, ...]:
        after, (_, _, root) = _shifted(x, y, z)
        return *after, total + weight / (root * after[2]), 0.25 * weight

    weight = jnp.full_like(x.real, 0.75)
    x, y, z, total, weight = _loop((x, y, z, jnp.zeros_like(x), weight), step)
    mean = (x + y + 3 * z) / 5
    a, b = (mean - x) / mean, (mean - y) / mean
    c = -(a + b) / 3
    e2 = a * b - 6 * c * c
    e3 = (3 * a * b - 8 * c * c) * c
    e4 = 3 * (a * b - c * c) * c * c
    # DLMF 19.36.2
    series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22
    return total + 4 / 3 * weight * series / (mean * jnp.sqrt(mean))


def _on_cut(*args: jax.Array) -> jax.Array:
    """Whether an argument is a negative number, or none."""
    found = jnp.zeros((), bool)
    for x in args:
        found = found | (x.imag == 0) & (x.real < 0) | jnp.isnan(x.real) | jnp.isnan(x.imag)
    return found


def _size(x: jax.Array) -> jax.Array:
    return jnp.maximum(jnp.abs(x.real), jnp.abs(x.imag))


def _scaled(function: Any, power: float, inside: Any, *args: jax.Array) -> jax.Array:
    """A homogeneous function of numbers of such a size that their powers are numbers.

    Args:
        function: of the arguments.
        power: its degree, a half of an odd number below 0.
        inside: where it is to be called.
        args: its arguments.
    """
    args = tuple(jnp.where(inside, x, 1.0) for x in jnp.broadcast_arrays(*args))
    most = jnp.maximum(_size(args[0]), _size(args[1]))
    for x in args[2:]:
        most = jnp.maximum(most, _size(x))
    least, largest = _RANGE
    up, down = 2.0**400, 2.0**-400
    by = jnp.where(most < least, up, jnp.where(most > largest, down, 1.0))
    value = function(*(jax.lax.complex(x.real * by, x.imag * by) for x in args))
    # The power of a power of 2, in two parts that are numbers.
    raised = jnp.where(most < least, 2.0 ** (-200 * power), 1.0)
    raised = jnp.where(most > largest, 2.0 ** (200 * power), raised)
    for _ in range(2):
        value = jax.lax.complex(value.real * raised, value.imag * raised)
    return value


@device_kernel(ulps=12)
def elliprf(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F(x, y, z)."""
    x, y, z = jnp.broadcast_arrays(x, y, z)
    zeros = sum((t == 0).astype(int) for t in (x, y, z))
    infinite = jnp.maximum(jnp.maximum(_size(x), _size(y)), _size(z)) == jnp.inf
    cut = _on_cut(x, y, z)
    value = _scaled(rf, -0.5, ~(cut | infinite | (zeros > 1)), x, y, z)
    value = jnp.where(infinite, 0.0, jnp.where(zeros > 1, jnp.inf, value))
    return jnp.where(cut, jnp.nan, value)


@device_kernel(ulps=12)
def elliprd(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_D(x, y, z)."""
    x, y, z = jnp.broadcast_arrays(x, y, z)
    infinite = jnp.maximum(jnp.maximum(_size(x), _size(y)), _size(z)) == jnp.inf
    cut = _on_cut(x, y, z)
    pole = (z == 0) | (x == 0) & (y == 0)
    value = _scaled(rd, -1.5, ~(cut | infinite | pole), x, y, z)
    value = jnp.where(infinite & (z != 0), 0.0, jnp.where(pole, jnp.inf, value))
    return jnp.where(cut, jnp.nan, value)


@device_kernel(ulps=12)
def elliprc(x: jax.Array, y: jax.Array) -> jax.Array:
    """R_C(x, y) = R_F(x, y, y), Cauchy's principal value for y < 0 (DLMF 19.2.20)."""
    x, y = jnp.broadcast_arrays(x, y)
    turned = (y.imag == 0) & (y.real < 0)
    first, second = jnp.where(turned, x - y, x), jnp.where(turned, -y, y)
    infinite = jnp.maximum(_size(x), _size(y)) == jnp.inf
    none = _on_cut(x) | jnp.isnan(y.real) | jnp.isnan(y.imag) | (y == 0)
    value = _scaled(lambda x, y: rf(x, y, y), -0.5, ~(none | infinite), first, second)
    value = jnp.where(infinite, 0.0, value)
    return jnp.where(none, jnp.nan, jnp.where(turned, _quotient(x, first) * value, value))


def _quotient(x: jax.Array, y: jax.Array) -> jax.Array:
    """sqrt(x/y), where y is x and a positive number."""
    return jnp.sqrt(x) / jnp.sqrt(jnp.where(y == 0, 1.0, y))
