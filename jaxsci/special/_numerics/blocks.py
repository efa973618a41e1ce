"""Loops of many steps over large arrays, a block of elements at a time.

The numbers that such a loop carries along stay in the processor's cache then, and each block's
loop is as long as its own elements ask for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

_BLOCK = 2048


def by_blocks(function: Callable[..., Any], *arguments: jax.Array) -> jax.Array:
    """An elementwise function's result.

    Args:
        function: of arrays of one shape.
        arguments: its arguments, which are broadcast.
    """
    alike = jnp.broadcast_arrays(*arguments)
    shape, n = alike[0].shape, alike[0].size
    if n <= _BLOCK:
        return function(*alike)
    count = -(-n // _BLOCK)

    def blocks(x: jax.Array) -> jax.Array:
        return jnp.pad(x.reshape(-1), (0, count * _BLOCK - n), mode="edge").reshape(count, _BLOCK)

    result = jax.lax.map(lambda block: function(*block), tuple(map(blocks, alike)))
    return result.reshape(-1)[:n].reshape(shape)
