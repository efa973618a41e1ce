"""For which platforms a program is being lowered: loops over parts of arrays are laid out by that.

A processor's core takes a few thousand numbers at a time, which its cache holds. An accelerator
takes hundreds of thousands, and each step of a loop costs it as much as that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from jaxsci._core import jax_compat
from jaxsci._core.types import IrValue, LoweringContext

CPU = "cpu"

_platforms: ContextVar[tuple[str, ...]] = ContextVar("platforms", default=(CPU,))


def lower_operations(
    ctx: LoweringContext, operands: Sequence[IrValue], operations: Callable[..., Sequence[Any]]
) -> Sequence[Any]:
    """Lower JAX operations, which are traced for the platforms of the program."""
    token = _platforms.set(tuple(ctx.module_context.platforms))
    try:
        return jax_compat.mlir.lower_fun(operations, multiple_results=True)(ctx, *operands)
    finally:
        _platforms.reset(token)


def on_accelerator() -> bool:
    """Whether what is traced here is for accelerators alone; not, as long as nothing is lowered."""
    return CPU not in _platforms.get()
