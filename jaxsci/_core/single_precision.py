"""Functions written in JAX operations that are evaluated in single precision.

For devices on which double precision is slow or absent: their programs have no 64-bit number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax

from jaxsci._core import precision
from jaxsci._core.choice import SINGLE
from jaxsci._core.function import Call
from jaxsci._core.lowering import own_shards
from jaxsci._core.types import IrValue, LoweringContext


def is_wanted(call: Call) -> bool:
    """Whether a call's results are to be computed in single precision, where that can be."""
    return call.choice.precision == SINGLE and not any(
        precision.is_wide(result.dtype) for result in call.results
    )


def lower_in_single(
    ctx: LoweringContext,
    operands: Sequence[IrValue],
    call: Call,
    evaluate: Callable[..., Sequence[Any]],
    integers: frozenset[int],
) -> Sequence[Any]:
    """Lower JAX operations on the operands in single precision."""
    return own_shards.lower(ctx, operands, call, in_single(call, evaluate, integers))


def in_single(
    call: Call, evaluate: Callable[..., Sequence[Any]], integers: frozenset[int]
) -> Callable[..., list[Any]]:
    """`evaluate` in single precision, as a function of the call's operands and for its results."""

    def narrow(*xs: jax.Array) -> list[Any]:
        narrowed = precision.in_single(xs, integers)
        with jax.enable_x64(False):
            return call.rounded(evaluate(*narrowed, **dict(call.static)), xs)

    return narrow
