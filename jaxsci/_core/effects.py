"""Host functions with effects, and functions that only watch.

They carry JAX's own effects, those of `jax.experimental.io_callback` and `jax.debug.callback`: what
is ordered keeps its order with JAX's callbacks too, and control flow, checkpoint and
`jax.effects_barrier` treat them alike. The calls themselves are made as those of pure functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.experimental import io_callback

from jaxsci._core import jet, promotion
from jaxsci._core.function import Call
from jaxsci._core.jax_compat import (
    Primitive,
    ad,
    automatic_axes,
    batching,
    mlir,
    set_checkpoint_rule,
)
from jaxsci._core.lowering import callback as callback_lowering
from jaxsci._core.lowering import sharding
from jaxsci._core.primitive import compiled, is_zero, lead_with_batch
from jaxsci._core.types import Arrays, Equation, IrValue, LoweringContext, Tangent


def _nothing() -> None:
    pass


_EXAMPLES: dict[str, Callable[[], Any]] = {
    "unordered": lambda: io_callback(_nothing, None),
    "ordered": lambda: io_callback(_nothing, None, ordered=True),
    "debug": lambda: jax.debug.callback(_nothing),
}


@functools.cache
def _effect(kind: str) -> Any:
    """JAX's effect of this kind, as it stands in the program of an example."""
    (effect,) = jax.make_jaxpr(_EXAMPLES[kind])().effects
    return effect


def bind(call: Call, operands: Sequence[jax.Array], kind: str) -> list[jax.Array]:
    """Make a call that is neither dropped nor repeated (nor waited for, if it only watches)."""
    together = sharding.as_varying_together(operands)
    if kind == "debug":
        return watch_p.bind(*together, call=call, on_one_device=False)
    return effect_p.bind(*together, call=call, kind=kind)


# -- lowering, common to both ----------------------------------------------------------------------


@promotion.by_our_rules
def _lower(ctx: LoweringContext, *operands: IrValue, call: Call, kind: str) -> Any:
    if automatic_axes(ctx):
        raise NotImplementedError(
            f"{call.function.name}: inside a shard_map that leaves axes to the compiler "
            f"({', '.join(map(str, automatic_axes(ctx)))}), a host function with effects would "
            "run more often than it says; make all axes manual"
        )
    return _emitted(ctx, operands, call, kind)


def _emitted(ctx: LoweringContext, operands: Sequence[IrValue], call: Call, kind: str) -> Any:
    function: Any = call.function
    effect, ordered = _effect(kind), kind == "ordered"
    results, token = callback_lowering.emit_effect(
        ctx,
        operands,
        function.host_call(call),
        function.name,
        function.sharding,
        ctx.tokens_in.get(effect) if ordered else None,
    )
    if ordered:
        ctx.set_tokens_out(ctx.tokens_in.update_tokens(mlir.TokenSet({effect: token})))
    return results


# -- functions with effects ------------------------------------------------------------------------

effect_p = Primitive("jaxsci_effect")
effect_p.multiple_results = True


@effect_p.def_impl
def _run(*operands: jax.Array, call: Call, kind: str) -> list[jax.Array]:
    with jax.disable_jit(False):
        return compiled(effect_p, call=call, kind=kind)(*operands)


@effect_p.def_effectful_abstract_eval
def _result_types(*avals: Any, call: Call, kind: str) -> Any:
    types = [
        sharding.result_type(call.function.name, avals, None, shape, result.dtype, call.weak_type)
        for shape, result in zip(call.result_shapes(avals), call.results, strict=True)
    ]
    return types, {_effect(kind)}


# Not cached, as JAX's callbacks: on a TPU every call has a channel of its own.
mlir.register_lowering(effect_p, _lower, cacheable=False)


def _jvp(primals: Arrays, tangents: Sequence[Tangent], *, call: Call, kind: str) -> Any:
    if not all(is_zero(t) for t in tangents):
        raise NotImplementedError(
            f"{call.function.name}: a host function with effects={kind!r} has no derivative; "
            "jax.lax.stop_gradient of its arguments says that none is wanted"
        )
    results = effect_p.bind(*primals, call=call, kind=kind)
    return results, [ad.Zero(jax.typeof(y).to_tangent_aval()) for y in results]


ad.primitive_jvps[effect_p] = _jvp


@promotion.by_our_rules
def _batch(operands: Sequence[jax.Array], axes: Sequence[int], *, call: Call, kind: str) -> Any:
    if kind == "ordered":
        raise ValueError(
            f"{call.function.name}: a host function with ordered effects cannot be vmapped; its "
            "calls would have no order. Use effects='unordered', or jax.lax.map"
        )
    results = effect_p.bind(*lead_with_batch(operands, axes), call=call, kind=kind)
    return results, [0] * len(results)


batching.primitive_batchers[effect_p] = _batch
jet.refuse(effect_p, lambda call, kind: call.function.name)


# -- functions that only watch ---------------------------------------------------------------------

watch_p = Primitive("jaxsci_watch")
watch_p.multiple_results = True


@watch_p.def_impl
def _watch(*operands: jax.Array, **params: Any) -> Any:
    with jax.disable_jit(False):
        return compiled(watch_p, **params)(*operands)


@watch_p.def_effectful_abstract_eval
def _no_results(*avals: Any, **params: Any) -> Any:
    return [], {_effect("debug")}


@promotion.by_our_rules
def _lower_watch(ctx: LoweringContext, *operands: IrValue, call: Call, on_one_device: bool) -> Any:
    automatic = automatic_axes(ctx)
    if on_one_device or not automatic:
        return _emitted(ctx, operands, call, "debug")

    if not operands:
        raise NotImplementedError(
            f"{call.function.name}: without arguments, inside a shard_map that leaves axes to the "
            f"compiler ({', '.join(map(str, automatic))}), a call has no place among the devices; "
            "give it an array that the shard_map was given, or make all axes manual"
        )

    def by_the_first(*xs: Any) -> Any:
        def watch() -> Any:
            return watch_p.bind(*xs, call=call, on_one_device=True)

        def on_each() -> Any:
            position = sum(jax.lax.axis_index(axis) for axis in automatic)
            return jax.lax.cond(position == 0, watch, list)

        return jax.shard_map(on_each, in_specs=(), out_specs=[], axis_names=set(automatic))()

    return mlir.lower_fun(by_the_first, multiple_results=True)(ctx, *operands)


mlir.register_lowering(watch_p, _lower_watch, cacheable=False)


def _jvp_watch(primals: Arrays, tangents: Sequence[Tangent], **params: Any) -> Any:
    return watch_p.bind(*primals, **params), []


ad.primitive_jvps[watch_p] = _jvp_watch


def _transpose_watch(cotangents: Sequence[Tangent], *operands: jax.Array, **params: Any) -> Any:
    return [None] * len(operands)


ad.primitive_transposes[watch_p] = _transpose_watch


def _batch_watch(operands: Sequence[jax.Array], axes: Sequence[int], **params: Any) -> Any:
    return watch_p.bind(*lead_with_batch(operands, axes), **params), []


batching.primitive_batchers[watch_p] = _batch_watch
jet.refuse(watch_p, lambda call, on_one_device: call.function.name)


def _checkpoint_watch(
    saveable: Callable[..., Any], unknown: Sequence[bool], kept: Sequence[bool], equation: Equation
) -> Any:
    """Under checkpoint: watch the recomputation too, except where the policy saves values."""
    if any(unknown):
        return (
            None,
            equation,
            [],
            [],
            [v for v, k in zip(equation.invars, kept, strict=True) if not k],
        )
    saved = saveable(watch_p, *(v.aval for v in equation.invars), **equation.params)
    again = equation if not saved or all(kept) else None
    return equation, again, [], [], []


set_checkpoint_rule(watch_p, _checkpoint_watch)
