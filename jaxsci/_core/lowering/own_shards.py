"""JAX operations on a mesh with automatic axes, where each device is to compute its own elements.

XLA takes elementwise operations apart by itself. Where a loop goes on until every element is done,
though, the devices would wait for each other at each step; and where some elements are picked out
of all, the whole array would be gathered. Such programs are run on each device's shard instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import jax

from jaxsci._core import jax_compat
from jaxsci._core.function import Call
from jaxsci._core.lowering import platforms, sharding
from jaxsci._core.primitive import bind, call_p
from jaxsci._core.types import Equation, IrValue, LoweringContext

Operations = Callable[..., Sequence[Any]]

_TALKING = {"while", "cond", "sort", "gather", "scatter", "dynamic_slice", "dynamic_update_slice"}
"""Operations for which XLA has the devices talk to each other."""


def lower(
    ctx: LoweringContext, operands: Sequence[IrValue], call: Call, operations: Operations
) -> Sequence[Any]:
    """Lower elementwise operations on the call's operands.

    If they would look at other devices' elements, the call is made on each device's own shard. What
    calls Python is left to the compiler: only the program as a whole can hold callbacks.
    """
    avals = jax_compat.shaped(ctx.avals_in)
    if _needs_own_shards(ctx, call, operations):
        operations = sharding.over_automatic_shards(
            lambda *xs: tuple(bind(call, xs)), avals, [a.ndim for a in ctx.avals_out]
        )
    else:
        ctx = replace(ctx, avals_in=sharding.unvarying(avals))
    return platforms.lower_operations(ctx, operands, operations)


def _needs_own_shards(ctx: LoweringContext, call: Call, operations: Operations) -> bool:
    if not _is_spread(ctx, call):
        return False
    equations = list(_equations(operations, ctx.avals_in))
    return any(e.primitive.name in _TALKING for e in equations) and all(
        _is_compiled(ctx, e) for e in equations if e.primitive is call_p
    )


def _is_spread(ctx: LoweringContext, call: Call) -> bool:
    return (
        jax_compat.devices_of_program(ctx) > 1
        and jax_compat.device_assignment(ctx) is not None
        and jax_compat.partitioned_by_shardy()
        and not any(call.core_ndims)
        and not any(result.core_shape for result in call.results)
        and any(n > 1 for n in call.loop_shape(ctx.avals_in))
        and 0 not in call.loop_shape(ctx.avals_in)
    )


def _equations(operations: Operations, avals: Sequence[Any]) -> Iterator[Equation]:
    """All equations, those of nested programs and of calls of other such functions too."""
    types = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in avals]
    program = jax.make_jaxpr(lambda *xs: list(operations(*xs)))(*types)
    yield from _nested(program.jaxpr)


def _nested(jaxpr: Any) -> Iterator[Equation]:
    for equation in jaxpr.eqns:
        yield equation
        if equation.primitive is call_p:
            call, avals = equation.params["call"], [v.aval for v in equation.invars]
            operations = call.function.as_operations(call, avals)
            if operations is not None:
                yield from _equations(operations, avals)
            continue
        for value in equation.params.values():
            for inside in value if isinstance(value, tuple | list) else (value,):
                inside = getattr(inside, "jaxpr", inside)
                if hasattr(inside, "eqns"):
                    yield from _nested(inside)


def _is_compiled(ctx: LoweringContext, equation: Equation) -> bool:
    """Whether a call is one of JAX operations, or of a loop that compiled code calls by itself."""
    call = equation.params["call"]
    avals = [v.aval for v in equation.invars]
    if call.function.as_operations(call, avals) is not None:
        return True
    its = replace(ctx, avals_in=avals, avals_out=[v.aval for v in equation.outvars])
    return call.function.is_native(its, call)
