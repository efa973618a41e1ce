"""Recurrences in an index that differs from element to element."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

Numbers = tuple[jax.Array, ...]


def by_recurrence(
    n: jax.Array, step: Callable[..., Numbers], start: Numbers, begin: int = 0
) -> Numbers:
    """The numbers of index n; where n is not above `begin`, those to start with.

    Args:
        n: the index.
        step: ``step(k, *numbers)`` gives the numbers of index k + 1 from those of k. It is also
            called for elements that have arrived, and what it gives there is not used.
        start: the numbers of index `begin`.
        begin: the index to start from.
    """

    def advance(carry: tuple[jax.Array, Numbers]) -> tuple[jax.Array, Numbers]:
        k, numbers = carry
        pairs = zip(step(k, *numbers), numbers, strict=True)
        return k + 1, tuple(jnp.where(k < n, new, old) for new, old in pairs)

    def more(carry: tuple[jax.Array, Numbers]) -> jax.Array:
        return jnp.any(carry[0] < n)

    return jax.lax.while_loop(more, advance, (begin + jnp.zeros(()), tuple(start)))[1]
