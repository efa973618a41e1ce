"""Loops of many steps over large arrays, a block of elements at a time.

The numbers that such a loop carries along stay in the processor's cache then, and each block's
loop is as long as its own elements ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

_BLOCK = 2048


def by_blocks(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """An elementwise function's result.

    Args:
        function: of vectors.
        arguments: arrays of one shape.
    """
    shape, n = arguments[0].shape, arguments[0].size
    if n <= _BLOCK:
        return function(*arguments)
    count = -(-n // _BLOCK)

    def blocks(x: Any) -> Any:
        return jnp.pad(x.reshape(-1), (0, count * _BLOCK - n), mode="edge").reshape(count, _BLOCK)

    result = jax.lax.map(lambda block: function(*block), tuple(map(blocks, arguments)))
    return result.reshape(-1)[:n].reshape(shape)
