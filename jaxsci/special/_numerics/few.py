"""Costly functions of a few elements of an array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._numerics.blocks import at_once, by_length

_OF_ACCELERATORS = 2**16


def where_wanted(
    wanted: jax.Array,
    function: Callable[..., Any],
    arguments: Sequence[jax.Array],
    otherwise: Sequence[jax.Array],
    chunk: int = 64,
    steps: jax.Array | None = None,
) -> Any:
    """A function's results where they are wanted, which alone are computed, some at a time.

    Args:
        wanted: a mask, of the shape of all arguments.
        function: of vectors; gives a tuple of vectors.
        arguments: its arguments.
        otherwise: a tuple of arrays, for the other elements.
        chunk: how many at a time on CPUs: as few as make the function worth its call, for those
            that are done wait for the last one of them.
        steps: how many the function takes of an element, about: those that take as many are done
            together.
    """
    shape, n = wanted.shape, wanted.size
    if n == 0:
        return otherwise
    chunk = at_once(chunk, max(chunk, _OF_ACCELERATORS))
    chunk = min(chunk, n) if isinstance(n, int) else chunk  # not known of a symbolic shape
    flat = [x.reshape(-1) for x in arguments]
    last = tuple(x.reshape(-1) for x in otherwise)
    # The places of the wanted ones, which also stand in for what the last chunk has too many.
    wanted = wanted.reshape(-1)
    count = jnp.sum(wanted)
    order = _places(wanted) if steps is None else by_length(steps.reshape(-1), wanted)

    def more(carry: PyTree) -> jax.Array:
        return carry[0] < count

    def some(carry: PyTree) -> Any:
        done, results = carry
        places = order[jnp.minimum(done + jnp.arange(chunk), count - 1)]
        found = function(*(x[places] for x in flat))
        return done + chunk, tuple(y.at[places].set(f) for y, f in zip(results, found, strict=True))

    _, results = jax.lax.while_loop(more, some, (0 * count, last))
    return tuple(y.reshape(shape) for y in results)


def _places(wanted: jax.Array) -> jax.Array:
    """The indices of true elements, and zeros after them."""
    n, place = wanted.size, jnp.cumsum(wanted)
    at = jnp.where(wanted, place - 1, n)
    return jnp.zeros(n, place.dtype).at[at].set(jnp.arange(n, dtype=place.dtype), mode="drop")


def formula_of_few(
    where: Callable[..., Any], function: Callable[..., Any], results: int = 1
) -> Callable[..., tuple[jax.Array, ...]]:
    """A `Repair`'s formula: a costly function where it is wanted, and zeros elsewhere.

    Args:
        where: the condition of the `Repair`, of its results and arguments.
        function: of the arguments, which are vectors of one shape; gives a tuple of vectors.
        results: how many.
    """

    def formula(ys: Sequence[jax.Array], *xs: jax.Array) -> tuple[jax.Array, ...]:
        alike = jnp.broadcast_arrays(*xs)
        shape = alike[0].shape
        wanted = jnp.broadcast_to(where(ys, *xs), shape)
        nothing = jnp.zeros(shape, jnp.result_type(*xs))
        return where_wanted(wanted, function, alike, (nothing,) * results)

    return formula
