"""Spheroidal functions where SciPy's expansions fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.row import Repair
from jaxsci.special._spheroidal.kernels import angular, first_kind, outgoing
from jaxsci.special._spheroidal.kernels.radial import both_at, oblate_about_zero

_ORDERS = 400
"""SciPy serves orders m to 174, and its sums end 200 orders beyond."""


def _second_bessel(order: jax.Array, z: jax.Array, kind: int) -> jax.Array:
    """The spherical Bessel function y, by recurrence from order 0 on (DLMF 10.51.1)."""

    def step(before: tuple[jax.Array, jax.Array], k: jax.Array) -> Any:
        lower, value = before
        above = jnp.where(jnp.isinf(value), value, (2 * k + 1) / z * value - lower)
        return (value, above), value

    # Of orders -1 and 0.
    start = jnp.sin(z) / z, -jnp.cos(z) / z
    every = jax.lax.scan(step, start, jnp.arange(float(_ORDERS)))[1]
    return jnp.take_along_axis(every, order.reshape(-1, *z.shape), 0).reshape(order.shape)


def second_kind(words: str, doubtful: Callable[..., Any], oblate: bool) -> Repair:
    """Of a function of m, n, c, perhaps their characteristic value, and x, and its slope in x."""

    def where(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        return doubtful(m, n, c, rest[-1]) & (c > 0)

    def own(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        if oblate:
            return both_at(m, n, c, rest[-1], oblate, 2, _second_bessel)
        large = c > outgoing.LEAST
        inner = both_at(m, n, jnp.where(large, 1.0, c), rest[-1], oblate, 2, _second_bessel)
        outer = outgoing.value_and_slope(m, n, c, jnp.where(large, rest[-1], 1.5), kind=2)
        return tuple(jnp.where(large, a, b) for a, b in zip(outer, inner, strict=True))

    return by_own(words, where, own, few=True, results=(0, 1))


def of_angles(oblate: bool) -> Repair:
    """Of a function of m, n, c, perhaps their characteristic value, and x, and its slope in x."""

    def where(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> jax.Array:
        return (n + c > 8) & (jnp.abs(rest[-1]) < 1)

    def own(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        return angular.value_and_slope(m, n, -c * c if oblate else c * c, rest[-1])

    return by_own("n + c > 8", where, own, few=True, results=(0, 1))


def prolate_first_kind() -> Repair:
    """Of a function of m, n, c, perhaps their characteristic value, and x, and its slope in x."""

    def where(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> jax.Array:
        x = rest[-1]
        doubtful = jnp.where(c * x > first_kind.FARTHEST, c > outgoing.LEAST, (c > 4) | (n > 7))
        return doubtful & (c > 0) & (x > 1)

    def own(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        x = rest[-1]
        far = c * x > first_kind.FARTHEST
        inner = first_kind.value_and_slope(m, n, c, jnp.where(far, 1.5, x))
        outer = outgoing.value_and_slope(m, n, c, jnp.where(far, x, 1e3), kind=1)
        return tuple(jnp.where(far, a, b) for a, b in zip(outer, inner, strict=True))

    words = "c > 4 or n > 7, and c > 8 where c x > 400"
    return by_own(words, where, own, few=True, results=(0, 1))


def oblate_first_kind() -> Repair:
    """Of the slope in x of a function of m, n, c, perhaps their characteristic value, and x."""

    def where(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> jax.Array:
        x = rest[-1]
        return (c > 0) & (x > 0) & (x < 0.2)

    def own(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        return oblate_about_zero(m, n, c, rest[-1])

    return by_own("x < 0.2", where, own, few=True, results=(1,))
