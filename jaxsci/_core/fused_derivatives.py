"""A host function and the derivatives of it that a program needs, evaluated by one call.

On the callback backend every call of the host is a round trip, and a derivative rule has several.
Differentiation therefore does not write down the rule's operations beside the value. It asks for
the value and the partial derivatives together, of one function, which evaluates the rules when it
is lowered, and then makes as few callbacks as it can (`_core/callback_staging.py`). Its own
derivatives are partial derivatives of a higher order, and are asked for in the same way.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

from jaxsci._core import (
    callback_staging,
    choice,
    dispatch,
    double_precision,
    elementwise_rules,
    precision,
)
from jaxsci._core.function import Call, Function, Result
from jaxsci._core.jax_compat import Tracer, mlir, shaped
from jaxsci._core.lowering import sharding
from jaxsci._core.primitive import bind, is_zero
from jaxsci._core.types import Arrays, IrValue, LoweringContext, Tangent, Tangents


@dataclass(frozen=True)
class Direction:
    """An argument, and the axis of the complex plane along which it changes."""

    argument: int
    imaginary: bool = False


@dataclass(frozen=True)
class Derivative:
    """A partial derivative of one of a function's results; that itself, along no direction."""

    along: tuple[Direction, ...]
    result: int


@dataclass(frozen=True)
class FusedDerivatives(Function):
    """Some results of a call and partial derivatives of them, as one function."""

    base: Call
    wanted: tuple[Derivative, ...]
    name: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.base.function.name)

    def __repr__(self) -> str:
        return f"{self.base!r} and derivatives"

    def check_vmap(self) -> None:
        self.base.function.check_vmap()

    def lower(
        self, ctx: LoweringContext, operands: Sequence[IrValue], call: Call
    ) -> Sequence[IrValue]:
        evaluate = self.as_operations(call, operands)
        platforms = ctx.module_context.platforms
        natively = dispatch.runs_natively(call.choice.backend, platforms)
        inside = "ffi" if natively else "callback"
        if dispatch.uses_kernels(call.choice.backend, platforms):
            inside = dispatch.DEVICE
        if not natively:
            evaluate = callback_staging.in_stages(evaluate)
        here = replace(ctx, avals_in=sharding.unvarying(shaped(ctx.avals_in)))
        with (
            dispatch.apart(call.choice._replace(backend=inside)),
            precision.lowered_in_double(),
        ):
            return mlir.lower_fun(evaluate, multiple_results=True)(here, *operands)

    def as_operations(self, call: Call, operands: Sequence[Any]) -> Callable[..., Sequence[Any]]:
        """The value and the derivatives, each rounded once."""

        def evaluate(*xs: Any) -> list[Any]:
            ys = _evaluated(self.base, self.wanted, xs)
            return call.rounded([jnp.zeros(()) if y is None else y for y in ys], xs)

        return evaluate

    def with_results(self, call: Call, used: tuple[bool, ...]) -> Call:
        """The call that gives no more than the results that are used."""
        kept = [i for i, yes in enumerate(used) if yes]
        wanted = tuple(self.wanted[i] for i in kept)
        if wanted == _itself(self.base):
            return self.base
        results = tuple(call.results[i] for i in kept)
        return replace(call, function=FusedDerivatives(self.base, wanted), results=results)

    def differentiate(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent], results: Arrays
    ) -> Sequence[Any]:
        """The results' tangents, by the operations, where a rule closes over a traced value."""
        perturbed = [i for i, t in enumerate(tangents) if not is_zero(t)]
        if not perturbed:
            return [None] * len(results)
        if not precision.is_double(self.base):
            raise NotImplementedError(
                f"{self.name}: a derivative rule closes over a traced value; make it an argument"
            )

        def of_perturbed(*values: Any) -> list[Any]:
            xs = list(primals)
            for i, x in zip(perturbed, values, strict=True):
                xs[i] = x
            with dispatch.apart(call.choice):
                return list(self.as_operations(call, xs)(*xs))

        moved = [primals[i] for i in perturbed], [tangents[i] for i in perturbed]
        return jax.jvp(of_perturbed, tuple(moved[0]), tuple(moved[1]))[1]

    def evaluate_with_tangents(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent]
    ) -> tuple[Sequence[Any], Sequence[Any]] | None:
        """The results and their tangents, by one call."""
        return _evaluated_with_tangents(call, self.base, self.wanted, primals, tangents)


def evaluate_with_tangents(
    call: Call, primals: Arrays, tangents: Sequence[Tangent]
) -> tuple[Sequence[Any], Sequence[Any]] | None:
    """A function's results and their tangents, by one call.

    Args:
        call: the function's, which has elementwise rules and no effects.
        primals: its arguments.
        tangents: theirs.

    Returns:
        The results and their tangents (None for zero); None where one call saves nothing.
    """
    if not all(jnp.issubdtype(r.dtype, jnp.inexact) for r in call.results):
        return None
    return _evaluated_with_tangents(call, call, _itself(call), primals, tangents)


def _itself(call: Call) -> tuple[Derivative, ...]:
    return tuple(Derivative((), j) for j in range(len(call.results)))


def _evaluated_with_tangents(
    call: Call,
    base: Call,
    wanted: tuple[Derivative, ...],
    primals: Arrays,
    tangents: Sequence[Tangent],
) -> tuple[Sequence[Any], Sequence[Any]] | None:
    perturbed = [i for i, t in enumerate(tangents) if not is_zero(t)]
    if not perturbed or not (
        dispatch.merges_calls(call.choice.backend) and callback_staging.possible()
    ):
        return None
    directions = {i: _directions(base, i, primals[i].dtype) for i in perturbed}
    more = tuple(
        d
        for d in dict.fromkeys(
            Derivative((*w.along, direction), w.result)
            for w in wanted
            for i in perturbed
            for direction in directions[i]
        )
        if d not in wanted
    )
    program = _program(base, wanted + more, tuple(np.dtype(x.dtype) for x in primals))
    if program is None or (call is base and program.calls < 2):
        return None
    known = dict(zip(wanted + more, program.dtypes, strict=True))
    present = wanted + tuple(d for d in more if known[d] is not None)
    whole = replace(
        base,
        function=FusedDerivatives(base, present),
        results=tuple(
            Result(
                base.results[d.result].core_shape,
                known[d] or base.results[d.result].dtype,
                strong=bool(d.along),
            )
            for d in present
        ),
    )
    values = dict(zip(present, bind(whole, primals), strict=True))
    results = [values[w] for w in wanted]
    moved = [
        elementwise_rules.tangent_of(
            y,
            len(base.results[w.result].core_shape),
            (
                (
                    [values.get(Derivative((*w.along, d), w.result)) for d in directions[i]],
                    tangents[i],
                )
                for i in perturbed
            ),
        )
        for w, y in zip(wanted, results, strict=True)
    ]
    return results, moved


def _rules(call: Call) -> Sequence[elementwise_rules.Argument]:
    function: Any = call.function
    return function.rules


def _directions(base: Call, i: int, dtype: Any) -> list[Direction]:
    argument = _rules(base)[i]
    rule = elementwise_rules.available(base.function.name, argument)
    if isinstance(rule, elementwise_rules.RealLinear) and jnp.issubdtype(
        dtype, jnp.complexfloating
    ):
        return [Direction(i), Direction(i, imaginary=True)]
    return [Direction(i)]


# -- what is evaluated -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Program:
    """What is known of the evaluation before it is lowered."""

    dtypes: tuple[np.dtype | None, ...]
    """Of each value; None where it is zero whatever the arguments are."""
    calls: int
    """How many calls of the host it takes."""


@functools.lru_cache(maxsize=4096)
def _program(
    base: Call, wanted: tuple[Derivative, ...], types: tuple[np.dtype, ...]
) -> _Program | None:
    """What the evaluation is like; None if it depends on values of the program around it."""
    known: list[np.dtype | None] = []

    def evaluate(*xs: Any) -> list[Any]:
        ys = _evaluated(base, wanted, xs)
        known[:] = [None if y is None else np.dtype(y.dtype) for y in ys]
        return [y for y in ys if y is not None]

    scalars = [jax.ShapeDtypeStruct((), t) for t in types]
    # Where kernels may be used they are, on the platforms where callbacks count.
    backend = "callback" if base.choice.backend == "callback" else dispatch.DEVICE
    with dispatch.apart(base.choice._replace(backend=backend)), jax.enable_x64(True):
        program = callback_staging.flattened(evaluate, scalars)
    if any(isinstance(x, Tracer) for x in program.consts):
        return None
    double = precision.is_double(base)
    dtypes = tuple(
        None if t is None else t if double else base.results[d.result].dtype
        for d, t in zip(wanted, known, strict=True)
    )
    return _Program(dtypes, len(callback_staging.calls_of_host(program)))


def _evaluated(base: Call, wanted: Sequence[Derivative], xs: Sequence[Any]) -> list[Any]:
    """The values of the derivatives; None where one is zero whatever the arguments are."""
    base = replace(base, choice=choice.current())
    known: dict[Any, list[Any]] = {}
    for d in wanted:
        if d.along not in known:
            known[d.along] = _derivatives(base, d.along, xs)
    return [known[d.along][d.result] for d in wanted]


def _derivatives(base: Call, along: tuple[Direction, ...], xs: Sequence[Any]) -> list[Any]:
    """A derivative of every result, as the rules have it and as JAX differentiates them."""
    if not along:
        return bind(base, xs)
    *before, last = along
    if not before:
        return _first_derivatives(base, last, xs)
    zero = [True] * len(base.results)

    def of_argument(x: Any) -> list[Any]:
        moved = [*xs[: last.argument], x, *xs[last.argument + 1 :]]
        ys = _derivatives(base, tuple(before), moved)
        return [
            y if y is None else _noticed(functools.partial(zero.__setitem__, j, False), y)
            for j, y in enumerate(ys)
        ]

    x = xs[last.argument]
    direction = jnp.full_like(x, 1j if last.imaginary else 1)
    slopes = jax.jvp(of_argument, (x,), (direction,))[1]
    return [None if nothing else y for y, nothing in zip(slopes, zero, strict=True)]


def _noticed(notice: Callable[[], None], y: Any) -> Any:
    """The value; `notice` is called when a tangent passes that is not symbolically zero."""

    @jax.custom_jvp
    def identity(y: Any) -> Any:
        return y

    def rule(primals: Arrays, tangents: Tangents) -> Any:
        (y,), (t,) = primals, tangents
        if isinstance(t, SymbolicZero):
            return y, jnp.zeros_like(y)
        notice()
        return y, t

    identity.defjvp(rule, symbolic_zeros=True)
    return identity(y)


def _first_derivatives(base: Call, along: Direction, xs: Sequence[Any]) -> list[Any]:
    arguments = _rules(base)
    argument = arguments[along.argument]
    static = dict(base.static)
    integers = frozenset(i for i, a in enumerate(arguments) if a.keeps_integers)
    if precision.is_double(base):
        ys = bind(base, xs)
        points = [x if i in integers else precision.widen(x) for i, x in enumerate(xs)]
    else:
        points = precision.in_double(xs, integers)
        function: Any = base.function
        ys = double_precision.as_sequence(function.as_jax_function(*points, **static))
    slopes = elementwise_rules.partials(base.function.name, argument, ys, points, static)
    if isinstance(argument.rule, elementwise_rules.RealLinear):
        return list(slopes[along.imaginary :: 2])
    return list(slopes)
