"""Power series about the origin, from the ratio of their coefficients."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

_Sums = tuple[jax.Array, jax.Array, jax.Array]


def value_and_slope(
    ratio: Callable[[jax.Array], jax.Array], z: jax.Array, terms: int
) -> tuple[jax.Array, jax.Array]:
    """A power series that begins with 1, and its derivative.

    Args:
        ratio: ``ratio(k)`` is that of the coefficients k + 1 and k.
        z: where.
        terms: how many.
    """

    def add(carry: _Sums, k: jax.Array) -> tuple[_Sums, None]:
        term, value, slope = carry  # term is the k-th
        factor = term * ratio(k)
        return (factor * z, value + term, slope + factor * (k + 1)), None

    start = jnp.ones_like(z), jnp.zeros_like(z), jnp.zeros_like(z)
    (_, value, slope), _ = jax.lax.scan(add, start, jnp.arange(float(terms)))
    return value, slope
