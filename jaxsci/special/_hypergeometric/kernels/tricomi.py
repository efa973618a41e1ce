"""Tricomi's U(a, b, x) from its integral, for the derivatives of `hyperu`.

In t = e^u the integrand of DLMF 13.4.4 is positive, has one maximum and falls off on both sides,
so the trapezoidal rule converges geometrically and nothing cancels. For a <= 0, where the integral
diverges, Kummer's transformation or the recurrence in a serves, which is stable downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.double_double import exactly, unpacked

_NODES = 500
_FALL = 42.0  # e^-42 is below rounding
_DOUBLINGS = 22
_HALVINGS = 40


def tricomi(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """U(a, b, x) for real arguments, x > 0."""
    a, b, x = jnp.broadcast_arrays(*(jnp.asarray(t, jnp.float64) for t in (a, b, x)))
    # DLMF 13.2.40, where it makes a larger.
    other = 1 + a - b
    turned = (a < _LEAST) & (other > a)
    value = _by_recurrence(jnp.where(turned, other, a), jnp.where(turned, 2 - b, b), x)
    return jnp.where(turned, x ** (1 - b) * value, value)


_LEAST = 0.5


def _by_recurrence(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """Downwards in a (DLMF 13.3.7) from where the integral converges fast."""
    steps = jnp.where(a < _LEAST, jnp.ceil(_LEAST - a), 0.0)
    top = a + steps
    here, above = integral(top, b, x), integral(top + 1, b, x)

    def body(carry: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        n, here, above = carry
        c = a + n
        below = (x + 2 * c - b) * here - c * (c - b + 1) * above
        active = n > 0
        moved = jnp.where(active, below, here), jnp.where(active, here, above)
        return (jnp.where(active, n - 1, n), *moved)

    return jax.lax.while_loop(lambda c: jnp.any(c[0] > 0), body, (steps, here, above))[1]


def polynomial(n: jax.Array, b: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """U(-n, b, x) for n = 0, 1, ..., 300 and its relative error, about.

    The same recurrence, from n = 0, where U is 1: in 32 digits, and in 16 to see what it loses.
    """
    db, dx = exactly(b), exactly(x)

    def add(carry: Sequence[Any]) -> Any:
        k, here, before, rough, rough_before = carry
        shift = exactly(k + 0 * b)
        first = dx - db - shift.by(k * 0 + 2)
        second = (db + exactly(k - 1 + 0 * b)).by(k)
        following = (first * unpacked(here) - second * unpacked(before)).packed()
        rough_following = (x - b - 2 * k) * rough - k * (k + b - 1) * rough_before
        active = k < n
        return (
            k + 1,
            jnp.where(active, following, here),
            jnp.where(active, here, before),
            jnp.where(active, rough_following, rough),
            jnp.where(active, rough, rough_before),
        )

    one = exactly(jnp.ones_like(b + x)).packed()
    start = (0.0, one, 0 * one, one[0].real, 0 * one[0].real)
    most = jnp.max(n, initial=0.0)
    _, here, _, rough, _ = jax.lax.while_loop(lambda carry: carry[0] < most, add, start)
    value = unpacked(here).rounded()
    return value, 1e-16 * (1e-16 + jnp.abs(rough - value) / jnp.abs(value))


MOST_DEGREE = 300


def integral(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """DLMF 13.4.4 for a > 0, x > 0."""

    def exponent(u: jax.Array) -> jax.Array:
        t = jnp.exp(u)
        return a * u - x * t + (b - a - 1) * jnp.log1p(t)

    # The maximum solves a quadratic equation, written so that it does not cancel.
    half = (x + 1 - b) / 2
    root = jnp.sqrt(half * half + a * x)
    peak = jnp.log(jnp.where(half > 0, a / (half + root), (root - half) / x))
    height = exponent(peak)

    def end(sign: float) -> jax.Array:
        def outside(width: jax.Array) -> jax.Array:
            return exponent(peak + sign * width) < height - _FALL

        def widen(_: jax.Array, width: jax.Array) -> jax.Array:
            return jnp.where(outside(width), width, 2 * width)

        def halve(_: jax.Array, ends: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
            low, high = ends
            middle = (low + high) / 2
            beyond = outside(middle)
            return jnp.where(beyond, low, middle), jnp.where(beyond, middle, high)

        widest = jax.lax.fori_loop(0, _DOUBLINGS, widen, jnp.full_like(x, 1e-3))
        return jax.lax.fori_loop(0, _HALVINGS, halve, (jnp.zeros_like(x), widest))[1]

    left, right = end(-1.0), end(1.0)
    step = (left + right) / _NODES

    def add(total: jax.Array, k: jax.Array) -> tuple[jax.Array, None]:
        return total + jnp.exp(exponent(peak - left + k * step) - height), None

    total = jax.lax.scan(add, jnp.zeros_like(x), jnp.arange(_NODES + 1.0))[0]
    return step * total * jnp.exp(height - jax.lax.lgamma(a))
