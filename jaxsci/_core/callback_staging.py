"""Programs around host functions, with as few callbacks as their dependences allow.

A callback costs a round trip: the arguments come to the host, the results go back. Host functions
that do not wait for each other's results are called in one. Everything here happens while a
function is lowered, so nothing is differentiated or batched any more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from jaxsci._core.function import Call
from jaxsci._core.jax_compat import Jaxpr, Literal, Primitive, ShapedArray, Tracer, eval_jaxpr, mlir
from jaxsci._core.lowering import callback as callback_lowering
from jaxsci._core.primitive import call_p, result_types
from jaxsci._core.types import Equation, IrValue, LoweringContext

Operations = Callable[..., Sequence[Any]]
Program = Any  # a jaxpr with its constants, whose class depends on JAX's version
Parts = tuple[tuple[Call, tuple[int, ...]], ...]


def in_stages(evaluate: Operations) -> Operations:
    """`evaluate`, where host functions that do not wait for each other share a callback."""

    def staged(*xs: Any) -> Sequence[Any]:
        return _by_stages(flattened(evaluate, xs), xs)

    return staged


@functools.cache
def possible() -> bool:
    """Whether programs can be taken apart and put together with this version of JAX."""
    try:
        nested = in_stages(lambda x: [jax.jit(lambda x: 2 * x + 1)(x)])
        return len(jax.make_jaxpr(nested)(np.float32(1)).jaxpr.eqns) == 2
    except Exception:  # none of it is promised by JAX; derivatives are then evaluated call by call
        return False


# -- one program without nested ones ---------------------------------------------------------------


def flattened(evaluate: Operations, xs: Sequence[Any]) -> Program:
    """The program of `evaluate`: operations and calls of the host, each written once.

    What loops and conditions contain stays there.
    """
    program = jax.make_jaxpr(lambda *xs: list(evaluate(*xs)))(*xs)
    if program.effects:
        return program
    writer = _Writer()
    return jax.make_jaxpr(lambda *xs: writer.write(program, xs))(*xs)


class _Writer:
    """Writes equations into the program that is traced, and none twice."""

    def __init__(self) -> None:
        self._written: dict[Any, tuple[list[Any], list[Any]]] = {}

    def write(self, program: Program, xs: Sequence[Any]) -> list[Any]:
        values = _Values(program, xs)
        for equation in program.jaxpr.eqns:
            values.set(
                equation.outvars, self._results(program.jaxpr, equation, values.of(equation.invars))
            )
        return values.of(program.jaxpr.outvars)

    def _results(self, jaxpr: Jaxpr, equation: Equation, operands: Sequence[Any]) -> list[Any]:
        if _changes_nothing(equation) and isinstance(operands[0], Tracer):
            return list(operands)
        key = _key(equation, operands)
        if key is not None and key in self._written:
            return self._written[key][0]
        inside = _inside(equation)
        results = (
            self.write(inside, operands)
            if inside is not None
            else _evaluated(jaxpr, equation, operands)
        )
        if key is not None:
            self._written[key] = results, list(operands)  # which keep their identities so
        return results


class _Values:
    """The values of a program's variables."""

    def __init__(self, program: Program, xs: Sequence[Any]) -> None:
        self._values: dict[Any, Any] = {}
        self.set(program.jaxpr.constvars, program.consts)
        self.set(program.jaxpr.invars, xs)

    def set(self, variables: Sequence[Any], values: Sequence[Any]) -> None:
        self._values.update(zip(variables, values, strict=True))

    def of(self, atoms: Sequence[Any]) -> list[Any]:
        return [_constant(v) if isinstance(v, Literal) else self._values[v] for v in atoms]


def _constant(literal: Any) -> np.ndarray:
    # Without its weak type, which has had its say when the program was traced.
    return np.asarray(literal.val, literal.aval.dtype)


def _type(variable: Any) -> ShapedArray:
    return variable.aval


def _changes_nothing(equation: Equation) -> bool:
    """Whether this is the conversion of an array to the dtype that it has."""
    return (
        equation.primitive.name == "convert_element_type"
        and _type(equation.invars[0]).dtype == _type(equation.outvars[0]).dtype
        and equation.params.get("sharding") is None
    )


def _key(equation: Equation, operands: Sequence[Any]) -> Any:
    """What an equation's results depend on; None where that cannot be compared."""
    params = {"call": _of_any_type(equation)} if equation.primitive is call_p else equation.params
    key = (
        equation.primitive,
        tuple(sorted(params.items(), key=lambda item: item[0])),
        tuple(_identity(x) for x in operands),
    )
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _of_any_type(equation: Equation) -> Call:
    """The call, whether its results' type is weak or not."""
    return replace(equation.params["call"], weak_type=False)


def _identity(x: Any) -> Any:
    return (x.dtype, x.shape, x.tobytes()) if isinstance(x, np.ndarray) else id(x)


def _evaluated(jaxpr: Jaxpr, equation: Equation, operands: Sequence[Any]) -> list[Any]:
    """One of the equations of a program, evaluated by itself."""
    operand_of = {
        v: x for v, x in zip(equation.invars, operands, strict=True) if not isinstance(v, Literal)
    }
    alone = jaxpr.replace(
        constvars=[],
        invars=list(operand_of),
        outvars=list(equation.outvars),
        eqns=[equation],
        effects=equation.effects,
    )
    return eval_jaxpr(alone, (), *operand_of.values())


def _inside(equation: Equation) -> Program | None:
    """The program that an equation stands for, if it is to be written in its place."""
    if equation.primitive is call_p:
        call = equation.params["call"]
        types = [jax.ShapeDtypeStruct(t.shape, t.dtype) for t in map(_type, equation.invars)]
        operations = call.function.as_operations(call, types)
        return None if operations is None else jax.make_jaxpr(operations)(*types)
    if equation.primitive.name in ("jit", "pjit") and _is_plain_jit(equation.params):
        return equation.params["jaxpr"]
    return None


def _is_plain_jit(params: dict[str, Any]) -> bool:
    """Whether nothing is said to jit but what to compile."""
    plain = _plain_jit()
    # The program itself, and what has one entry for each argument; or a name, and the like.
    free = {"jaxpr", "name", "ctx_mesh", "donated_invars", "keep_unused", "inline"}
    return not any(params.get("donated_invars", ())) and all(
        _as_plain(value, plain.get(key)) for key, value in params.items() if key not in free
    )


def _as_plain(value: Any, plain: Any) -> bool:
    several = isinstance(value, tuple) and isinstance(plain, tuple) and plain
    return set(value) <= set(plain) if several else value == plain


@functools.cache
def _plain_jit() -> dict[str, Any]:
    """What jit says where nothing is said to it."""
    with jax.disable_jit(False):
        (equation,) = jax.make_jaxpr(jax.jit(lambda x: x + 1))(0.0).eqns
    return equation.params


# -- stages ----------------------------------------------------------------------------------------


def calls_of_host(program: Program) -> list[Any]:
    """The equations, among those that results depend on, that could share callbacks."""
    return [equation for equation in _needed(program.jaxpr) if _runs_on_host(equation)]


def _runs_on_host(equation: Equation) -> bool:
    if equation.primitive is not call_p:
        return False
    call: Call = equation.params["call"]
    types = [v.aval for v in equation.invars]
    return call.function.shares_callbacks and call.function.as_operations(call, types) is None


def _needed(jaxpr: Jaxpr) -> list[Any]:
    """The equations that results depend on."""
    wanted = {v for v in jaxpr.outvars if not isinstance(v, Literal)}
    needed = []
    for equation in reversed(jaxpr.eqns):
        if equation.effects or not wanted.isdisjoint(equation.outvars):
            needed.append(equation)
            wanted.update(v for v in equation.invars if not isinstance(v, Literal))
    return needed[::-1]


def _stages(equations: Sequence[Any]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Operations, then calls of the host that wait for no other of the same stage."""
    stage_of: dict[Any, int] = {}
    stages: list[tuple[list[Any], list[Any]]] = []
    for equation in equations:
        operands = (v for v in equation.invars if not isinstance(v, Literal))
        stage = max((stage_of.get(v, 0) for v in operands), default=0)
        stages.extend(([], []) for _ in range(len(stages), stage + 1))
        called = _runs_on_host(equation)
        stages[stage][called].append(equation)
        stage_of.update((v, stage + called) for v in equation.outvars)
    yield from stages


def _by_stages(program: Program, xs: Sequence[Any]) -> Sequence[Any]:
    if program.effects:  # their order would not be kept
        return eval_jaxpr(program.jaxpr, program.consts, *xs)
    values = _Values(program, xs)
    for operations, calls in _stages(_needed(program.jaxpr)):
        for equation in operations if len(calls) > 1 else [*operations, *calls]:
            values.set(
                equation.outvars, _evaluated(program.jaxpr, equation, values.of(equation.invars))
            )
        if len(calls) > 1:
            results = iter(_call_stage(calls, [values.of(c.invars) for c in calls]))
            for equation in calls:
                values.set(equation.outvars, [next(results) for _ in equation.outvars])
    return values.of(program.jaxpr.outvars)


def _call_stage(calls: Sequence[Any], operands: Sequence[Sequence[Any]]) -> list[Any]:
    different: dict[Any, Any] = {}
    for xs in operands:
        different.update((_identity(x), x) for x in xs)
    place = {identity: i for i, identity in enumerate(different)}
    parts = tuple(
        (_of_any_type(equation), tuple(place[_identity(x)] for x in xs))
        for equation, xs in zip(calls, operands, strict=True)
    )
    return stage_p.bind(*different.values(), parts=parts)


# -- several host functions in one callback --------------------------------------------------------

stage_p = Primitive("jaxsci_stage")
stage_p.multiple_results = True


@stage_p.def_abstract_eval
def _types(*avals: Any, parts: Parts) -> list[Any]:
    return [y for call, own in parts for y in result_types(*(avals[i] for i in own), call=call)]


def _lower(ctx: LoweringContext, *operands: IrValue, parts: Parts) -> Any:
    names = ", ".join(dict.fromkeys(call.function.name for call, _ in parts))
    return callback_lowering.emit(ctx, operands, _host_call(parts), names, None)


mlir.register_lowering(stage_p, _lower)
# On a TPU every call has a channel of its own.
mlir.register_lowering(stage_p, _lower, platform="tpu", cacheable=False)


def _host_call(parts: Parts) -> callback_lowering.HostCall:
    """The functions' host calls, one after the other; equal ones are made once."""
    functions = [call.function for call, _ in parts]
    runs = [f.host_call(call) for f, (call, _) in zip(functions, parts, strict=True)]
    rivals = [[j for j in range(i) if parts[j][0] == call] for i, (call, _) in enumerate(parts)]

    def run(*operands: np.ndarray) -> tuple[np.ndarray, ...]:
        results: list[tuple[np.ndarray, ...]] = []
        for (_, own), run_one, before in zip(parts, runs, rivals, strict=True):
            xs = [operands[i] for i in own]
            # Orders such as (v - 1) + 1 and v are the same only when it comes to numbers.
            same = next((j for j in before if _same(xs, [operands[i] for i in parts[j][1]])), None)
            results.append(run_one(*xs) if same is None else results[same])
        return tuple(y for ys in results for y in ys)

    return run


_GLANCE = 16
"""Elements that tell most arrays apart."""


def _same(xs: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> bool:
    """Whether arrays are equal, bit for bit."""
    return all(x is y or _equal_bits(x, y) for x, y in zip(xs, others, strict=True))


def _equal_bits(x: Any, y: Any) -> bool:
    x, y = np.asarray(x), np.asarray(y)
    return (
        x.shape == y.shape
        and x.dtype == y.dtype
        and x.flat[:_GLANCE].tobytes() == y.flat[:_GLANCE].tobytes()
        and x.tobytes() == y.tobytes()
    )
