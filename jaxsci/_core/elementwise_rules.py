"""Derivative rules of elementwise functions: one for each argument.

An argument is in one of three states: it has a rule (`closed` or `real_linear`), its derivative is
`missing` for a stated reason, or it is an integer. The last two raise, and only when a tangent
that is not a symbolic zero arrives. There is no fourth state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core import precision
from jaxsci._core.function import Call
from jaxsci._core.primitive import is_zero
from jaxsci._core.types import Arrays, PyTree, Tangent

Expression = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Closed:
    """The partial derivative as an expression in the value and the arguments."""

    reference: str
    expression: Expression
    single: float | None = None
    """The largest error where it is evaluated in single precision, of real arguments, in units of
    2^-23 times the derivative, or times what a relative change of 1 in each argument would make of
    it. None: it loses digits there, and is evaluated in double."""

    def in_order(self, function: str, argument: str, value: Any) -> list[Any]:
        """d(result)/d(argument), for every result (None where it is identically zero)."""
        return _as_list(value)


@dataclass(frozen=True, eq=False)
class RealLinear:
    """The two real partial derivatives, of a function that is not holomorphic."""

    reference: str
    expression: Expression

    def in_order(self, function: str, argument: str, value: Any) -> list[Any]:
        """d/dRe, then d/dIm, for every result."""
        if isinstance(value, tuple | list) and len(value) == 2:
            along_re, along_im = map(_as_list, value)
            if len(along_re) == len(along_im):
                return [p for pair in zip(along_re, along_im, strict=True) for p in pair]
        raise ValueError(
            f"{function}: the real_linear rule for {argument!r} must return a pair, the "
            "derivatives along the real and along the imaginary axis, got "
            f"{jax.tree.structure(value)}"
        )


@dataclass(frozen=True)
class Missing:
    """A derivative that exists but is not known here."""

    reason: str


Rule = Closed | RealLinear | Missing


def closed(reference: str, expression: Expression) -> Closed:
    """The derivative in one argument in closed form.

    Args:
        reference: where the formula stands, for instance ``"DLMF 10.6.1"``.
        expression: called as ``expression(y, *args, **static)`` with the function's value and its
            arguments (JAX arrays); returns d(value)/d(argument), or a tuple with one for each
            result. For a complex argument the function is taken to be holomorphic in it.

    Returns:
        A rule, for `HostFunction.partials` or a catalog row.
    """
    return Closed(reference, expression)


def in_single(ulps: float, rule: Closed) -> Closed:
    """The rule, as one that may be evaluated in single precision.

    Args:
        ulps: its largest error there, as `Closed` has it.
        rule: made by `closed`.
    """
    return replace(rule, single=ulps)


def real_linear(reference: str, expression: Expression) -> RealLinear:
    """The derivative in a complex argument in which the function is not holomorphic.

    Args:
        reference: where the formula stands.
        expression: as in `closed`, but returns a pair: the derivatives along the real and along
            the imaginary axis. A tangent ``t`` is mapped to ``d_re * t.real + d_im * t.imag``.

    Returns:
        A rule.
    """
    return RealLinear(reference, expression)


def missing(reason: str) -> Missing:
    """A derivative that is not known here: it raises NotImplementedError, only when asked for.

    Args:
        reason: why, in words that the error message can end with.

    Returns:
        A rule.
    """
    return Missing(reason)


def _as_list(value: Any) -> list[jax.Array | float | None]:
    return list(value) if isinstance(value, tuple | list) else [value]


@dataclass(frozen=True)
class Argument:
    """An array argument of an elementwise function, as its rules see it."""

    name: str
    rule: Rule | None
    integer: bool = False
    counts: bool = False
    """Whether rules have integers of this type, for which they may do with less."""

    @property
    def keeps_integers(self) -> bool:
        """Whether integers stay integers; else they become double precision."""
        return self.integer or self.counts


def _refusal(function: str, argument: Argument) -> NotImplementedError:
    way_out = (
        "A tangent that is an explicit 0.0 counts as well, such as those that a custom_jvp of "
        f"one's own makes of symbolic zeros; jax.lax.stop_gradient({argument.name}) says that no "
        "derivative is wanted."
    )
    if argument.integer:
        return NotImplementedError(
            f"{function}: {argument.name!r} is an integer argument and has no derivative: pass "
            f"an int, or jax.lax.stop_gradient({argument.name}). {way_out}"
        )
    reason = argument.rule.reason if isinstance(argument.rule, Missing) else "it was given no rule"
    return NotImplementedError(
        f"{function}: the derivative with respect to {argument.name!r} is not available: {reason}. "
        f"{way_out}"
    )


def available(function: str, argument: Argument) -> Closed | RealLinear:
    """The argument's rule; raises where there is none."""
    rule = argument.rule
    if argument.integer or rule is None or isinstance(rule, Missing):
        raise _refusal(function, argument)
    return rule


def partials(
    function: str,
    argument: Argument,
    results: Arrays,
    args: Sequence[jax.Array],
    static: dict[str, Any],
) -> list[jax.Array | None]:
    """What an argument's rule gives: one derivative (or two real ones) for every result.

    Raises:
        ValueError: other than that, naming the function and the argument.
        TypeError: complex numbers where results are real.
    """
    rule = available(function, argument)
    y = results[0] if len(results) == 1 else tuple(results)
    given = rule.in_order(function, argument.name, rule.expression(y, *args, **static))
    width = 2 if isinstance(rule, RealLinear) else 1
    if len(given) != width * len(results):
        raise ValueError(
            f"{function}: the rule for {argument.name!r} gave {len(given) // width} "
            f"derivatives, for {len(results)} results"
        )
    whose = f"{function}: the rule for {argument.name!r}"
    return [
        None if partial is None else _checked(whose, partial, results[k // width])
        for k, partial in enumerate(given)
    ]


def _checked(whose: str, partial: Any, result: jax.Array) -> jax.Array:
    try:
        if isinstance(partial, list | tuple | dict):
            raise TypeError
        aval = jax.typeof(partial)
        if not jnp.issubdtype(aval.dtype, jnp.number):
            raise TypeError
    except TypeError:
        raise TypeError(
            f"{whose} must return numbers of the result's shape {result.shape}, got "
            f"{getattr(partial, 'dtype', type(partial).__name__)}"
        ) from None
    try:
        fits = jnp.broadcast_shapes(aval.shape, result.shape) == result.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{whose} returned shape {aval.shape}, where the result has {result.shape}"
        )
    is_real = jnp.issubdtype(result.dtype, jnp.floating)
    if is_real and jnp.issubdtype(aval.dtype, jnp.complexfloating):
        raise TypeError(f"{whose} returned complex numbers, where the result is real")
    return jnp.asarray(partial)


def _add(a: Any, b: Any) -> Any:
    """Sum of two tangents, where None stands for zero."""
    return b if a is None else a if b is None else a + b


def tangent_of(result: PyTree, core_ndim: int, changes: Iterable[tuple[Sequence[Any], Any]]) -> Any:
    """The tangent of a result.

    Args:
        result: its value.
        core_ndim: how many of its dimensions the arguments do not have.
        changes: for every argument that changes the partial derivative in it (or the two along the
            real and the imaginary axis), None where one is zero; and the argument's tangent.

    Returns:
        The tangent, of the result's shape and dtype; None where it is zero.
    """
    total = None
    for partials, tangent in changes:
        piece = _along(
            partials, jnp.expand_dims(tangent, range(tangent.ndim, tangent.ndim + core_ndim))
        )
        if piece is not None:
            total = _add(total, jnp.broadcast_to(piece, result.shape).astype(result.dtype))
    return total


def _along(partials: Sequence[Any], tangent: jax.Array) -> Any:
    parts = [tangent]
    if len(partials) == 2:
        parts = [tangent.real, tangent.imag] if jnp.iscomplexobj(tangent) else [tangent]
    total = None
    for partial, part in zip(partials, parts, strict=False):
        total = _add(total, None if partial is None else partial * part)
    return total


def elementwise_tangents(
    call: Call,
    arguments: Sequence[Argument],
    partials_in_low_precision: Callable[[Argument, Sequence[Any]], list[Any]],
    primals: Arrays,
    tangents: Sequence[Tangent],
    results: Arrays,
) -> list[jax.Array]:
    """The results' tangents, by one rule for each argument that is perturbed.

    Rules are evaluated in double precision: as they stand where the values are double already,
    and otherwise by `partials_in_low_precision`, which computes in double and rounds once.
    """
    name = call.function.name
    double = precision.is_double(call)
    if double:
        primals = [
            x if a.keeps_integers else precision.widen(x)
            for a, x in zip(arguments, primals, strict=True)
        ]
    slopes: list[tuple[Sequence[Any], int, Any]] = []
    for argument, tangent in zip(arguments, tangents, strict=True):
        if is_zero(tangent):
            continue
        width = 2 if isinstance(available(name, argument), RealLinear) else 1
        if double:
            given = partials(name, argument, results, list(primals), dict(call.static))
        else:
            given = partials_in_low_precision(argument, primals)
        slopes.append((given, width, tangent))
    return [
        tangent_of(
            result,
            len(call.results[j].core_shape),
            ((given[width * j : width * (j + 1)], t) for given, width, t in slopes),
        )
        for j, result in enumerate(results)
    ]
