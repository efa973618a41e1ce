"""Functions written in JAX operations that are evaluated in double precision and rounded once.

With float32 values, and with 64-bit types switched off, a derivative rule such as
(J_{v-1} - J_{v+1})/2 would subtract rounded numbers. A composed function is traced in double
precision when it is lowered, whatever the setting outside, and rounds its result once.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci._core import choice, dispatch, elementwise_rules, precision, single_precision
from jaxsci._core.function import Call, Function, Result
from jaxsci._core.lowering import own_shards
from jaxsci._core.primitive import bind, is_zero
from jaxsci._core.types import Arrays, IrValue, LoweringContext, PyTree, Tangent


@dataclass(frozen=True, eq=False)
class Composed(Function):
    """An elementwise function of JAX operations, with its derivatives or without.

    Without rules its derivatives are those of its operations, again evaluated in double.
    """

    name: str
    evaluate: Callable[..., Sequence[Any]]
    holomorphic: bool
    integers: frozenset[int] = frozenset()
    arguments: Sequence[elementwise_rules.Argument] | None = None
    single: bool = False
    """Whether it may be evaluated in single precision, of real numbers."""

    def lower(
        self, ctx: LoweringContext, operands: Sequence[IrValue], call: Call
    ) -> Sequence[IrValue]:
        with_kernels = dispatch.uses_kernels(call.choice.backend, ctx.module_context.platforms)
        if with_kernels and self._is_single(call, ctx.avals_in):
            return single_precision.lower_in_single(
                ctx, operands, call, self.evaluate, self.integers
            )
        return lower_in_double(ctx, operands, call, self.evaluate, self.integers)

    def as_operations(self, call: Call, operands: Sequence[Any]) -> Callable[..., Sequence[Any]]:
        """What the call is lowered to, where 64-bit types are on."""
        if call.choice.backend == dispatch.DEVICE and self._is_single(call, operands):
            return single_precision.in_single(call, self.evaluate, self.integers)
        return rounded_once(call, self.evaluate, self.integers)

    def _is_single(self, call: Call, operands: Sequence[Any]) -> bool:
        is_complex = any(jnp.issubdtype(x.dtype, jnp.complexfloating) for x in operands)
        return self.single and not is_complex and single_precision.is_wanted(call)

    def differentiate(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent], results: Arrays
    ) -> Sequence[Any]:
        if self.arguments is not None:
            return elementwise_rules.elementwise_tangents(
                call,
                self.arguments,
                functools.partial(partials_in_double, call, self._as_function, self.integers),
                primals,
                tangents,
                results,
            )
        changes: list[tuple[list[Any], Any]] = []
        for i, (x, tangent) in enumerate(zip(primals, tangents, strict=True)):
            if is_zero(tangent):
                continue
            real = not jnp.issubdtype(x.dtype, jnp.complexfloating)
            directions = (1,) if real or self.holomorphic else (1, 1j)
            along = [
                bind(replace(call, function=_directional(self, i, d)), primals) for d in directions
            ]
            changes.append((along, tangent))
        return [
            elementwise_rules.tangent_of(
                y,
                len(call.results[j].core_shape),
                (([p[j] for p in along], tangent) for along, tangent in changes),
            )
            for j, y in enumerate(results)
        ]

    def _as_function(self, *args: Any, **static: Any) -> Any:
        ys = tuple(self.evaluate(*args, **static))
        return ys[0] if len(ys) == 1 else ys


def lower_in_double(
    ctx: LoweringContext,
    operands: Sequence[IrValue],
    call: Call,
    evaluate: Callable[..., Sequence[Any]],
    integers: frozenset[int],
) -> Sequence[Any]:
    """Lower JAX operations on the operands in double precision; the results are rounded once."""
    with precision.lowered_in_double():
        return own_shards.lower(ctx, operands, call, rounded_once(call, evaluate, integers))


def rounded_once(
    call: Call, evaluate: Callable[..., Sequence[Any]], integers: frozenset[int]
) -> Callable[..., list[Any]]:
    """`evaluate` in double precision, as a function of the call's operands and for its results."""

    def rounded(*xs: jax.Array) -> list[Any]:
        ys = evaluate(*precision.in_double(xs, integers), **dict(call.static))
        return call.rounded(ys, xs)

    return rounded


@functools.lru_cache(maxsize=4096)
def _directional(function: Composed, position: int, direction: complex) -> Composed:
    """The derivative of `function` in one argument, along the real or the imaginary axis."""

    def evaluate(*args: Any, **static: Any) -> Sequence[Any]:
        def along(x: Any) -> Sequence[Any]:
            return tuple(function.evaluate(*args[:position], x, *args[position + 1 :], **static))

        x = args[position]
        return jax.jvp(along, (x,), (jnp.full_like(x, direction),))[1]

    return Composed(f"d_{function.name}", evaluate, function.holomorphic, function.integers)


@functools.lru_cache(maxsize=4096)
def _partials(
    name: str,
    function: Callable[..., Any],
    argument: elementwise_rules.Argument,
    integers: frozenset[int],
) -> Composed:
    def evaluate(*args: jax.Array, **static: Any) -> list[jax.Array]:
        ys = as_sequence(function(*args, **static))
        slopes = elementwise_rules.partials(name, argument, ys, args, static)
        return [jnp.zeros(()) if p is None else p for p in slopes]

    rule = argument.rule
    closed = isinstance(rule, elementwise_rules.Closed)
    single = closed and rule.single is not None
    return Composed(f"d_{name}", evaluate, closed, integers, single=single)


def as_sequence(ys: PyTree) -> Sequence[jax.Array]:
    """The results of a function that returns one by itself."""
    return ys if isinstance(ys, tuple) else (ys,)


def partials_in_double(
    call: Call,
    function: Callable[..., Any],
    integers: frozenset[int],
    argument: elementwise_rules.Argument,
    primals: Arrays,
) -> list[jax.Array]:
    """One rule's partial derivatives of `function`, computed in double, rounded to the results."""
    width = 2 if isinstance(argument.rule, elementwise_rules.RealLinear) else 1
    wanted = tuple(Result(r.core_shape, r.dtype) for r in call.results for _ in range(width))
    composed = _partials(call.function.name, function, argument, integers)
    return bind(replace(call, function=composed, results=wanted, weak_type=False), primals)


class NativeFunction:
    """An elementwise function written in JAX operations that carries derivative rules.

    For use inside rules: its arguments are in double precision already.
    """

    def __init__(
        self, evaluate: Callable[..., Any], complex_result: bool, results: int | None
    ) -> None:
        self._evaluate = evaluate
        self._complex_result = complex_result
        self._results = results
        self.name = evaluate.__name__
        self.__doc__ = evaluate.__doc__
        self._function = Composed(self.name, self._as_sequence, holomorphic=False)
        self._rules: dict[str, elementwise_rules.Rule] = {}
        parameters = inspect.signature(evaluate).parameters.values()
        self._places = [p.name for p in parameters]
        self._defaults = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}

    def _as_sequence(self, *args: jax.Array, **static: Any) -> Sequence[jax.Array]:
        return as_sequence(self._evaluate(*args, **static))

    def partials(self, **rules: elementwise_rules.Rule) -> None:
        """Attach one rule for each argument, or for those that have none yet."""
        self._rules |= rules
        arguments = tuple(
            elementwise_rules.Argument(name, self._rules[name])
            for name in sorted(self._rules, key=self._places.index)
        )
        self._function = replace(self._function, arguments=arguments)

    def __call__(self, *args: ArrayLike, **static: Any) -> Any:
        arrays = [jnp.asarray(x) for x in args]
        loop_ndim = max(x.ndim for x in arrays)
        dtype = jnp.result_type(*arrays, jnp.complex64 if self._complex_result else jnp.float32)
        call = Call(
            function=self._function,
            # All of them, in one order: calls of the same function are then one call.
            static=tuple((self._defaults | static).items()),
            core_ndims=(0,) * len(arrays),
            results=(Result((), np.dtype(dtype)),) * (self._results or 1),
            weak_type=False,
            choice=choice.current(),
        )
        operands = [jax.lax.expand_dims(x, range(loop_ndim - x.ndim)) for x in arrays]
        ys = bind(call, operands)
        return ys[0] if self._results is None else tuple(ys)


def native(
    complex_result: bool = False, results: int | None = None
) -> Callable[[Callable[..., Any]], NativeFunction]:
    """Decorate a function of JAX operations; its derivatives are rules, attached afterwards.

    Args:
        complex_result: whether the result is complex for real arguments too.
        results: how many the function returns, as a tuple; None for one by itself.
    """
    return lambda evaluate: NativeFunction(evaluate, complex_result, results)


def one_order_more(function: NativeFunction, source: str, i: int) -> elementwise_rules.Closed:
    """The rule of a function that is a derivative of some orders: the one of order one more.

    Args:
        function: with a static argument ``orders``.
        source: where the derivative stands.
        i: whose order it is.
    """

    def derivative(_: jax.Array, *at: jax.Array, orders: tuple[int, ...], **static: Any) -> Any:
        more = (*orders[:i], orders[i] + 1, *orders[i + 1 :])
        return function(*at, orders=more, **static)

    return elementwise_rules.closed(source, derivative)


def tower(
    source: str, complex_result: bool = False, **orders: str
) -> Callable[[Callable[..., Any]], NativeFunction]:
    """Decorate a function of JAX operations that is the derivative of some order of another one.

    ``@tower("DLMF 5.15.1", z="n")`` says that the derivative of ``f(z, *, n)`` in z is ``f`` with n
    one higher, for every n.

    Args:
        source: where that stands.
        complex_result: as in `native`.
        orders: for each argument the static argument that counts the derivatives in it. Other
            arguments are given rules afterwards.
    """

    def decorate(evaluate: Callable[..., Any]) -> NativeFunction:
        function = NativeFunction(evaluate, complex_result, None)

        def raised(order: str) -> elementwise_rules.Closed:
            def expression(_: jax.Array, *args: jax.Array, **static: Any) -> jax.Array:
                return function(*args, **static | {order: static[order] + 1})

            return elementwise_rules.closed(source, expression)

        function.partials(**{argument: raised(order) for argument, order in orders.items()})
        return function

    return decorate
