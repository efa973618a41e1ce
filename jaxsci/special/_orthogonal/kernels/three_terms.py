"""Recurrences in the degree of orthogonal polynomials (DLMF 18.9.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.plane import over
from jaxsci.special._numerics.recurrences import by_recurrence

MOST_STEPS = 1e5
"""Higher degrees are not asked for: no program should take for ever."""

Step = Callable[[jax.Array, jax.Array, jax.Array], jax.Array]
"""``step(k, f_k, f_(k-1))`` is f_(k+1)."""


def by_three_terms(n: jax.Array, first: jax.Array, zeroth: jax.Array, step: Step) -> jax.Array:
    """f_n, for n >= 1, from f_1 and f_0."""

    def both(k: jax.Array, f: jax.Array, previous: jax.Array) -> tuple[jax.Array, jax.Array]:
        return step(k, f, previous), f

    return by_recurrence(n, both, (first, zeroth), begin=1)[0]


def polynomial(n: Any, first: jax.Array, step: Step) -> jax.Array:
    """The polynomial of integer degree, from the one of degree 1; those of negative ones are 0."""
    value = by_three_terms(n, first, jnp.ones_like(first), step)
    return jnp.where(n < 1, jnp.where(n == 0, 1.0, 0.0), value)


def gegenbauer_step(c: jax.Array | float, x: jax.Array) -> Step:
    """C_(k+1) from C_k and C_(k-1)."""

    def step(k: jax.Array, f: jax.Array, previous: jax.Array) -> jax.Array:
        return over(2 * (k + c) * x * f - (k + 2 * c - 1) * previous, k + 1)

    return step


def gegenbauer_polynomial(n: Any, c: jax.Array | float, x: jax.Array) -> jax.Array:
    """C_n^(c)(x) of integer degree; those of negative ones are 0."""
    return polynomial(n, 2 * c * x + 0 * n, gegenbauer_step(c, x))


def jacobi_step(a: jax.Array, b: jax.Array, x: jax.Array) -> Step:
    """P_(k+1) from P_k and P_(k-1)."""
    s = a + b

    def step(k: jax.Array, f: jax.Array, previous: jax.Array) -> jax.Array:
        m = 2 * k + s
        up = (m + 1) * (m * (m + 2) * x + (a - b) * s) * f
        down = 2 * (k + a) * (k + b) * (m + 2) * previous
        return over(up - down, 2 * (k + 1) * (k + s + 1) * m)

    return step


def shifted_jacobi_step(p: jax.Array, q: jax.Array, x: jax.Array) -> Step:
    """G_(k+1) from G_k and G_(k-1)."""

    def step(k: jax.Array, f: jax.Array, previous: jax.Array) -> jax.Array:
        m = 2 * k + p
        centre = (2 * k * (k + p) + q * (p - 1)) / ((m + 1) * (m - 1))
        squared = k * (k + q - 1) * (k + p - 1) * (k + p - q) / (m * (m - 2) * (m - 1) ** 2)
        return (x - centre) * f - squared * previous

    return step


def laguerre_polynomial(n: Any, a: jax.Array, x: jax.Array, result: Any) -> jax.Array:
    """L_n^(a)(x) by differences of successive L_k/L_k(0), which keep their digits near x = 0.

    NaN for degrees above `MOST_STEPS`; `result` has the value's shape and dtype.
    """

    def step(
        k: Any, ratio: jax.Array, difference: jax.Array, at_zero: jax.Array
    ) -> tuple[Any, Any, Any]:
        following = over(k * difference - x * ratio, k + a + 1)
        return ratio + following, following, at_zero * (k + a + 1) / (k + 1)

    one, zero = jnp.ones(result.shape, result.dtype), jnp.zeros(result.shape, result.dtype)
    steps = jnp.where(n <= MOST_STEPS, n, 0.0)
    ratio, _, at_zero = by_recurrence(steps, step, (one, zero, jnp.ones(result.shape)))
    known = at_zero * ratio
    return jnp.where(n < 0, 0.0, jnp.where(n <= MOST_STEPS, known, jnp.nan))
