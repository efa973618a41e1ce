"""Sums and products over a function's own terms, in an order that depends on their number alone.

XLA's CPU compiler chooses the order of `jnp.sum` by the sizes of all axes: an element's bits would
depend on how many others stand beside it, and so on the number of devices that share an array.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import jax


def total(terms: jax.Array) -> jax.Array:
    """The sum over the first axis."""
    return _folded(terms, operator.add)


def product(factors: jax.Array) -> jax.Array:
    """The product over the first axis."""
    return _folded(factors, operator.mul)


def _folded(x: jax.Array, combine: Callable[[jax.Array, jax.Array], jax.Array]) -> jax.Array:
    """The first half with the second, and so on: as few operations as the number has bits."""
    left_over = None
    while (n := x.shape[0]) > 1:
        if n % 2:
            left_over = x[-1] if left_over is None else combine(left_over, x[-1])
        x = combine(x[: n // 2], x[n // 2 : n // 2 * 2])
    return x[0] if left_over is None else combine(x[0], left_over)
