"""Loops of many steps over large arrays, a block of elements at a time.

The numbers that such a loop carries along stay in the processor's cache then, and each block's
loop is as long as its own elements ask for. Where it is known how many steps an element takes,
about, those that take as many come to lie in one block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.lowering import platforms
from jaxsci.special._numerics.taylor import once

_BLOCK, _OF_ACCELERATORS = 2**11, 2**18
_SHARES, _MOST = 8.0, 1e4
"""Into how many shares each factor of 2 is parted, of the steps that elements take; of them all."""


def by_blocks(
    function: Callable[..., Any],
    *arguments: jax.Array,
    steps: jax.Array | None = None,
    kinds: jax.Array | int = 0,
) -> Any:
    """An elementwise function's result, or a tuple of them.

    Args:
        function: of arrays of one shape.
        arguments: its arguments, which are broadcast.
        steps: how many steps its loop takes, about, of an element.
        kinds: small integers; elements of one kind come to lie together, for what `where_any`
            computes of some kinds alone.
    """
    alike = jnp.broadcast_arrays(*arguments)
    shape, n = alike[0].shape, alike[0].size
    size = at_once(_BLOCK, _OF_ACCELERATORS)
    if not isinstance(n, int) or n <= 2 * size:  # it may be symbolic
        return function(*alike)
    flat = [x.reshape(-1) for x in alike]
    if steps is None:
        results = _in_order(function, flat, size)
    else:
        lengths, kinds = (
            jnp.broadcast_to(jax.lax.stop_gradient(x), shape).reshape(-1) for x in (steps, kinds)
        )
        order = by_length(lengths, kinds=kinds)
        results = _in_order(function, [x[order] for x in flat], size)
        results = jax.tree.map(
            lambda y: jnp.zeros_like(y).at[order].set(y, unique_indices=True), results
        )
    return jax.tree.map(lambda y: y.reshape(shape), results)


def at_once(on_cpu: int, on_accelerator: int) -> int:
    """How many elements are computed together."""
    return on_accelerator if platforms.on_accelerator() else on_cpu


def where_any(mask: jax.Array, function: Callable[[], Any], otherwise: Any) -> Any:
    """The function's results in the places of a mask; it is not called where there are none.

    Args:
        mask: where they are taken.
        function: has no arguments, and results at all places.
        otherwise: what is taken elsewhere, arrays in the same structure.
    """
    otherwise = jax.tree.map(lambda y: jnp.broadcast_to(y, mask.shape), otherwise)

    def compute() -> Any:
        return jax.tree.map(
            lambda a, b: jnp.where(mask, a, b).astype(b.dtype), function(), otherwise
        )

    return jax.lax.cond(jnp.any(mask), compute, lambda: otherwise)


def by_length(
    steps: jax.Array, wanted: jax.Array | None = None, kinds: jax.Array | int = 0
) -> jax.Array:
    """The order of elements by kind and by the steps they take, those that are not wanted last."""
    # Of whole numbers, which sort faster.
    shares = _SHARES * jnp.log2(1 + jnp.maximum(steps, 0.0))
    shares = jnp.where(shares < _MOST, shares, _MOST).astype(jnp.int32)
    shares = shares + jnp.asarray(kinds, jnp.int32) * int(_MOST)
    if wanted is not None:
        shares = jnp.where(wanted, shares, np.iinfo(np.int32).max)
    # The compiler would sort numbers that it knows, which takes it seconds.
    (shares,) = once(shares)
    return jax.lax.sort((shares, jnp.arange(steps.size)), num_keys=1, is_stable=False)[1]


def _in_order(function: Callable[..., Any], arguments: list[jax.Array], size: int) -> Any:
    n = arguments[0].size
    count = -(-n // size)

    def blocks(x: jax.Array) -> jax.Array:
        return jnp.pad(x, (0, count * size - n), mode="edge").reshape(count, size)

    results = jax.lax.map(lambda block: function(*block), tuple(map(blocks, arguments)))
    return jax.tree.map(lambda y: y.reshape(-1)[:n], results)
