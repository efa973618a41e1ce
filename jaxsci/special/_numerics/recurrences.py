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


_AT_ONCE = 8


def by_pairs(
    n: jax.Array,
    step: Callable[[jax.Array, jax.Array, jax.Array], tuple[jax.Array, jax.Array]],
    start: tuple[jax.Array, jax.Array],
) -> jax.Array:
    """The first of two numbers of index n, some steps at a time, as devices like it.

    Args:
        n: the index; that of the start is 0.
        step: ``step(k, first, second)`` gives the numbers of index k + 1 from those of k.
        start: the numbers of index 0, of the result's shape.
    """
    # Two real numbers in one, so that a loop has little to carry along.
    packs = not jnp.iscomplexobj(start[0])

    def more(carry: tuple[jax.Array, tuple[jax.Array, ...]]) -> jax.Array:
        return jnp.any(carry[0] < n)

    def advance(
        carry: tuple[jax.Array, tuple[jax.Array, ...]],
    ) -> tuple[jax.Array, tuple[jax.Array, ...]]:
        k, numbers = carry
        first, second = (numbers[0].real, numbers[0].imag) if packs else numbers
        for _ in range(_AT_ONCE):
            after = step(k, first, second)
            going = k < n
            first = jnp.where(going, after[0], first)
            second = jnp.where(going, after[1], second)
            k = k + 1
        return k, (jax.lax.complex(first, second),) if packs else (first, second)

    numbers = (jax.lax.complex(*start),) if packs else start
    _, last = jax.lax.while_loop(more, advance, (jnp.zeros(()), numbers))
    return last[0].real if packs else last[0]
