"""JAX operations with a derivative rule of their own, kept through every transform.

Before JAX 0.12 a `jax.custom_jvp` loses its rule where scan splits a program in two; the derivative
is then that of the operations, which divides by the differences of singular values. These functions
are primitives, as host functions are, and keep theirs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax

from jaxsci._core import choice
from jaxsci._core.array_rules import ForwardRule, over_loops
from jaxsci._core.function import Call, Function, Result
from jaxsci._core.jax_compat import mlir
from jaxsci._core.lowering import sharding
from jaxsci._core.primitive import bind


class Ruled(Function):
    """A function of the arrays of one slice. Made by `ruled`."""

    def __init__(self, evaluate: Callable[..., Any], rule: Callable[..., Any]) -> None:
        self.name = evaluate.__name__.lstrip("_")
        self.__doc__ = evaluate.__doc__
        self._evaluate = evaluate
        self._rule = ForwardRule(rule, trusted=True)

    def __call__(self, *args: jax.Array, **static: Any) -> Any:
        """The function of one slice; vmap makes it one of many."""
        # Without what the arrays' types say of manual and explicit mesh axes.
        types = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in args]
        results = jax.eval_shape(functools.partial(self._evaluate, **static), *types)
        several = isinstance(results, tuple)
        call = Call(
            function=self,
            static=tuple(static.items()),
            core_ndims=tuple(x.ndim for x in args),
            results=tuple(Result(y.shape, y.dtype) for y in (results if several else (results,))),
            weak_type=False,
            choice=choice.current(),
            static_types=tuple(type(value) for value in static.values()),
        )
        out = bind(call, args)
        return tuple(out) if several else out[0]

    def lower(self, ctx: Any, operands: Sequence[Any], call: Call) -> Sequence[Any]:
        """Lower the operations, mapped over the loop dimensions."""

        def core(*xs: jax.Array) -> list[jax.Array]:
            ys = self._evaluate(*xs, **dict(call.static))
            return list(ys) if isinstance(ys, tuple) else [ys]

        mapped = over_loops(core, call.loop_ndim(ctx.avals_in))
        here = replace(ctx, avals_in=sharding.unvarying(ctx.avals_in))
        return mlir.lower_fun(mapped, multiple_results=True)(here, *operands)

    def differentiate(
        self, call: Call, primals: Sequence[Any], tangents: Sequence[Any], results: Sequence[Any]
    ) -> Sequence[Any]:
        """The results' tangents, by the rule."""
        return self._rule.differentiate(call, primals, tangents, results)


def ruled(rule: Callable[..., Any]) -> Callable[[Callable[..., Any]], Ruled]:
    """Decorate JAX operations on one slice, with static keyword arguments.

    Args:
        rule: ``rule(result, primals, tangents) -> tangent(s) of the result(s)``, JAX operations,
            linear in the tangents; None for a result that has none.
    """
    return lambda evaluate: Ruled(evaluate, rule)
