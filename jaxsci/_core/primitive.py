"""The JAX primitive behind every function, host-run or composed, and how it transforms.

An equation is ``jaxsci[call=jv]``: its operands are the function's arguments with their *loop*
dimensions aligned (every operand has as many, each 1 or the common size) followed by their core
dimensions. Batching adds a loop dimension in front of all of them, so it is right for any subset
of arguments whatever their ranks. The derivative rules travel with the call, and so survive where
before JAX 0.12 those of `jax.custom_jvp` around a callback did not: inside scan, differentiated
twice.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax

from jaxsci._core import choice, jet, promotion
from jaxsci._core.function import Call
from jaxsci._core.jax_compat import (
    Primitive,
    ad,
    batching,
    mlir,
    set_dead_code_rule,
    set_nan_check,
    shaped,
)
from jaxsci._core.lowering import sharding
from jaxsci._core.types import Arrays, Equation, IrValue, LoweringContext, Tangent


def bind(call: Call, operands: Sequence[Any]) -> list[jax.Array]:
    """Apply the primitive to operands whose loop dimensions are aligned."""
    return call_p.bind(*sharding.as_varying_together(operands), call=call)


call_p = Primitive("jaxsci")
call_p.multiple_results = True


@functools.lru_cache(maxsize=4096)
def compiled(primitive: Primitive, **params: Any) -> Callable[..., Any]:
    """The primitive by itself, compiled."""
    return jax.jit(functools.partial(primitive.bind, **params))


@call_p.def_impl
def _run(*operands: jax.Array, call: Call) -> list[jax.Array]:
    # Reached where jit does not trace, and then under jax.disable_jit() too: a host function
    # needs a program to be called from.
    with jax.disable_jit(False):
        return compiled(call_p, call=call)(*operands)


@call_p.def_abstract_eval
def result_types(*avals: Any, call: Call) -> list[Any]:
    """The results' abstract values."""
    name = call.function.name
    sharding.check_varying_alike(name, avals)
    n = call.loop_ndim(avals)
    return [
        sharding.result_type(
            name, avals, n, shape, result.dtype, call.weak_type and not result.strong
        )
        for shape, result in zip(call.result_shapes(avals), call.results, strict=True)
    ]


@promotion.by_our_rules
def _lower(ctx: LoweringContext, *operands: IrValue, call: Call) -> Sequence[Any]:
    if sharding.explicit_mesh(shaped(ctx.avals_in)) is None:
        with choice.in_force(call.choice):
            return call.function.lower(ctx, operands, call)
    per_shard = sharding.over_explicit_shards(
        lambda *xs: tuple(call_p.bind(*xs, call=call)),
        call.function.name,
        shaped(ctx.avals_in),
        call.loop_ndim(shaped(ctx.avals_in)),
        [a.ndim for a in shaped(ctx.avals_out)],
    )
    return mlir.lower_fun(per_shard, multiple_results=True)(ctx, *operands)


mlir.register_lowering(call_p, _lower)
# On a TPU every call has a channel of its own.
mlir.register_lowering(call_p, _lower, platform="tpu", cacheable=False)


def lead_with_batch(operands: Sequence[jax.Array], axes: Sequence[int | None]) -> list[jax.Array]:
    """The operands with the batch axis first; of size 1 where an operand has none."""
    return [
        jax.numpy.expand_dims(x, 0) if axis is None else jax.numpy.moveaxis(x, axis, 0)
        for x, axis in zip(operands, axes, strict=True)
    ]


def batched_alike(operands: Sequence[Any], axes: Sequence[int | None]) -> list[Any]:
    """The operands with the batch axis first, all of its size, varying over the same mesh axes."""
    size = next(x.shape[a] for x, a in zip(operands, axes, strict=True) if a is not None)
    led = lead_with_batch(operands, axes)
    return sharding.as_varying_together(
        [jax.numpy.broadcast_to(x, (size, *x.shape[1:])) for x in led]
    )


@promotion.by_our_rules
def _batch(operands: Sequence[jax.Array], axes: Sequence[int | None], *, call: Call) -> Any:
    call.function.check_vmap()
    results = bind(call, lead_with_batch(operands, axes))
    return results, [0] * len(results)


batching.primitive_batchers[call_p] = _batch


def is_zero(tangent: Tangent) -> bool:
    """Whether a tangent is symbolically zero; an explicit 0.0 is not."""
    return type(tangent) is ad.Zero or jax.typeof(tangent).dtype == jax.dtypes.float0


@promotion.by_our_rules
def _jvp(primals: Arrays, tangents: Sequence[Tangent], *, call: Call) -> Any:
    with choice.in_force(call.choice):
        by_one_call = call.function.evaluate_with_tangents(call, primals, tangents)
        if by_one_call is not None:
            results, tangents_out = by_one_call
        else:
            results = bind(call, primals)
            tangents_out = call.function.differentiate(call, primals, tangents, results)
    return results, [
        ad.Zero(jax.typeof(y).to_tangent_aval()) if t is None or is_zero(t) else t
        for y, t in zip(results, tangents_out, strict=True)
    ]


ad.primitive_jvps[call_p] = _jvp


def _drop_unused(used: Sequence[bool], equation: Equation) -> tuple[list[bool], Any]:
    """Dead-code elimination: of functions that can leave results out, result by result."""
    if not any(used):
        return [False] * len(equation.invars), None
    keep = [True] * len(equation.invars)
    call: Call = equation.params["call"]
    narrow = None if all(used) else call.function.with_results(call, tuple(used))
    if narrow is None:
        return keep, equation
    kept = [v for v, yes in zip(equation.outvars, used, strict=True) if yes]
    return keep, equation.replace(outvars=kept, params={"call": narrow})


set_dead_code_rule(call_p, _drop_unused)


@promotion.by_our_rules
def _transpose(
    cotangents: Sequence[Tangent], *operands: jax.Array, call: Call
) -> Sequence[jax.Array | None]:
    return call.function.transpose(call, cotangents, operands)


ad.primitive_transposes[call_p] = _transpose
jet.differentiate_one_argument(call_p, lambda call: call.function.name)
set_nan_check(call_p, lambda call: call.function.name)
