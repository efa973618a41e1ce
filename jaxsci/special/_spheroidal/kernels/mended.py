"""Spheroidal functions where SciPy's expansions fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.row import Repair
from jaxsci.special._spheroidal.kernels import angular, first_kind, outgoing
from jaxsci.special._spheroidal.kernels.radial import both_at, oblate_at_ends, where_each

_ORDERS = 400
"""SciPy serves orders m to 174, and its sums end 200 orders beyond."""
_SCIPYS_FARTHEST = 4e3
"""SciPy's functions of the first kind are NaN for c x > 4472."""


def _upwards(order: jax.Array, z: jax.Array, kind: int) -> jax.Array:
    """The spherical Bessel function j or y, by recurrence from order 0 on (DLMF 10.51.1).

    That of j keeps its digits up to the order z.
    """

    def step(before: tuple[jax.Array, jax.Array], k: jax.Array) -> Any:
        lower, value = before
        above = jnp.where(jnp.isinf(value), value, (2 * k + 1) / z * value - lower)
        return (value, above), value

    sine, cosine = jnp.sin(z) / z, jnp.cos(z) / z
    start = (cosine, sine) if kind == 1 else (sine, -cosine)  # of orders -1 and 0
    every = jax.lax.scan(step, start, jnp.arange(float(_ORDERS)))[1]
    return jnp.take_along_axis(every, order.reshape(-1, *z.shape), 0).reshape(order.shape)


def second_kind(words: str, doubtful: Callable[..., Any], oblate: bool) -> Repair:
    """Of a function of m, n, c, perhaps their characteristic value, and x, and its slope in x."""

    def where(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        return doubtful(m, n, c, rest[-1]) & (c > 0)

    def own(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        if oblate:
            return both_at(m, n, c, rest[-1], oblate, 2, _upwards)
        large = c > outgoing.LEAST
        inner = both_at(m, n, jnp.where(large, 1.0, c), rest[-1], oblate, 2, _upwards)
        outer = outgoing.value_and_slope(m, n, c, jnp.where(large, rest[-1], 1.5), kind=2)
        return where_each(large, outer, inner)

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
        far_out = (n > 40) | (c * x > _SCIPYS_FARTHEST)
        beyond = jnp.where(c * x > first_kind.FARTHEST, far_out, n > 7)
        return ((c > 4) | beyond) & (c > 0) & (x > 1)

    def own(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        x = rest[-1]
        far = c * x > first_kind.FARTHEST
        inner = first_kind.value_and_slope(m, n, c, jnp.where(far, 1.5, x))
        outer = outgoing.value_and_slope(m, n, c, jnp.where(far, x, 1e3), kind=1)
        return where_each(far, outer, inner)

    words = "c > 4 or n > 7; where c x > 400, c > 4, n > 40 or c x > 4000"
    return by_own(words, where, own, few=True, results=(0, 1))


def oblate_first_kind() -> Repair:
    """Of a function of m, n, c, perhaps their characteristic value, and x, and its slope in x."""

    def where(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> jax.Array:
        x = rest[-1]
        return (c > 0) & (x > 0) & ((x < 0.2) | (c * x > _SCIPYS_FARTHEST))

    def own(m: jax.Array, n: jax.Array, c: jax.Array, *rest: jax.Array) -> Any:
        x = rest[-1]
        return oblate_at_ends(m, n, c, x, c * x > _SCIPYS_FARTHEST, _upwards)

    return by_own("x < 0.2 or c x > 4000", where, own, few=True, results=(0, 1))
