"""Rules of whole arrays: a function's own forward mode, or its own reverse mode.

A reverse-mode rule is carried by a linear primitive that stands for the function's differential
and only transposes. It can therefore be differentiated in reverse, as often as the rule's own
operations can, and refuses to be evaluated forwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core import jet, linearity, promotion
from jaxsci._core.function import Call, Result
from jaxsci._core.jax_compat import Primitive, ad, batching, mlir
from jaxsci._core.lowering import sharding
from jaxsci._core.primitive import is_zero, lead_with_batch
from jaxsci._core.types import Arrays, IrValue, LoweringContext, Tangent

ArrayRule = Callable[..., Any]


def over_loops(rule: Callable[..., Any], loop_ndim: int) -> Callable[..., Any]:
    """`rule` for core arrays, as a function of flat arrays that have loop dimensions in front.

    A loop dimension of size 1 is not mapped over, so nothing is copied out.
    """
    if loop_ndim == 0:
        return rule

    def mapped(*operands: jax.Array) -> Any:
        axes = tuple(None if x.shape[0] == 1 else 0 for x in operands)
        inner = [
            jax.lax.squeeze(x, (0,)) if axis is None else x
            for x, axis in zip(operands, axes, strict=True)
        ]
        rest = over_loops(rule, loop_ndim - 1)
        if all(axis is None for axis in axes):
            return jax.tree.map(lambda y: jnp.expand_dims(y, 0), rest(*inner))
        return jax.vmap(rest, in_axes=axes)(*inner)

    return mapped


def _sum_to(x: jax.Array, shape: tuple[int, ...]) -> jax.Array:
    """Add up over the dimensions that broadcasting has expanded."""
    axes = tuple(i for i, (a, b) in enumerate(zip(x.shape, shape, strict=True)) if a != b)
    return jnp.sum(x, axis=axes, keepdims=True) if axes else x


# -- what a rule sees and returns ------------------------------------------------------------------


def _as_arguments(call: Call, leaves: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
    """The arguments as the function takes them: pytrees, and keyword arguments in a last dict."""
    if call.trees is None:
        return tuple(leaves)
    args, kwargs = jax.tree.unflatten(call.trees[0], leaves)
    return (*args, kwargs) if kwargs else args


def _as_result(call: Call, leaves: Sequence[jax.Array]) -> Any:
    """The result as the function returns it."""
    if call.trees is not None:
        return jax.tree.unflatten(call.trees[1], leaves)
    return leaves[0] if len(leaves) == 1 else tuple(leaves)


def _flat(
    call: Call, kind: str, like: Sequence[jax.Array], value: Sequence[jax.Array | None]
) -> list[jax.Array | None]:
    """What a rule returned, leaf by leaf (None for zero), one for each element of `like`."""
    several = list(value) if isinstance(value, tuple | list) else [value]
    if len(several) != len(like):
        raise ValueError(
            f"{call.function.name}: the {kind} rule returned {len(several)} values where "
            f"{len(like)} are expected"
        )
    out: list[Any] = []
    for i, (x, given) in enumerate(zip(like, several, strict=True)):
        leaves, tree = jax.tree.flatten(x)
        try:
            parts = [None] * len(leaves) if given is None else tree.flatten_up_to(given)
        except (ValueError, TypeError) as error:
            raise type(error)(f"{call.function.name}: the {kind} rule: {error}") from None
        for leaf, part in zip(leaves, parts, strict=True):
            out.append(_checked(call.function.name, kind, i, leaf, part))
    return out


def _checked(name: str, kind: str, i: int, leaf: Any, part: jax.Array | None) -> jax.Array | None:
    try:
        if part is None or jax.dtypes.float0 == getattr(part, "dtype", None):
            return None
        part = jnp.asarray(part)
        if not jnp.issubdtype(part.dtype, jnp.number):
            raise TypeError
    except TypeError:
        found = getattr(part, "dtype", type(part).__name__)
        raise TypeError(
            f"{name}: the {kind} rule must return numbers in place {i}, got {found}"
        ) from None
    if part.shape != leaf.shape:
        raise ValueError(
            f"{name}: the {kind} rule returned shape {part.shape} in place {i}, where "
            f"{leaf.shape} is expected"
        )
    if jnp.iscomplexobj(part) and not jnp.iscomplexobj(leaf):
        raise TypeError(f"{name}: the {kind} rule returned complex values in place {i}, not real")
    return part


@dataclass(frozen=True, eq=False)
class ForwardRule:
    """``rule(result, primals, tangents) -> tangent of the result``, for core arrays."""

    rule: ArrayRule
    trusted: bool = False
    """Whether it is known to be linear, so that nobody looks."""

    def differentiate(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent], results: Arrays
    ) -> Sequence[Any]:
        materialised = [
            jnp.zeros_like(x) if is_zero(t) else t for x, t in zip(primals, tangents, strict=True)
        ]

        flat = functools.partial(self._of_leaves, call)
        n_loops = call.loop_ndim(primals)
        operands = [*primals, *materialised, *results]
        out = sharding.over_known_shards(
            over_loops(flat, n_loops), call.function.name, operands, n_loops
        )
        if not self.trusted:
            check = self._check_of(call, primals, tangents)
            out = linearity.checked_when_transposed(out, check, call.function.name)
        return [
            jnp.broadcast_to(t, y.shape).astype(y.dtype)
            if t is not None and jnp.issubdtype(y.dtype, jnp.inexact)
            else None
            for t, y in zip(out, results, strict=True)
        ]

    def _of_leaves(self, call: Call, *operands: jax.Array) -> list[jax.Array | None]:
        """The results' tangents, of the arguments, their tangents and the results."""
        n = len(call.core_ndims)
        xs, ts, ys = operands[:n], operands[n : 2 * n], operands[2 * n :]
        y = _as_result(call, ys)
        out = self.rule(y, _as_arguments(call, xs), _as_arguments(call, ts))
        one = call.trees is not None or len(ys) == 1
        return _flat(call, "jvp", [y] if one else ys, [out] if one else out)

    def _check_of(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent]
    ) -> Callable[[], None]:
        """Raises if the rule, for one slice, is not linear in the tangents that there are."""
        n_loops = call.loop_ndim(primals)
        function: Any = call.function
        names = function.names_of_leaves(call)
        return functools.partial(
            linearity.check,
            _Rule(self, call),
            function.name,
            tuple(jax.ShapeDtypeStruct(x.shape[n_loops:], x.dtype) for x in primals),
            tuple(jax.ShapeDtypeStruct(r.core_shape, r.dtype) for r in call.results),
            tuple((i, names[i]) for i, t in enumerate(tangents) if not is_zero(t)),
        )


@dataclass(frozen=True)
class _Rule:
    """A rule for a call, which equals itself."""

    rule: ForwardRule
    call: Call

    def __call__(self, *operands: jax.Array) -> list[Any]:
        return self.rule._of_leaves(self.call, *operands)


@dataclass(frozen=True, eq=False)
class ReverseRule:
    """``rule(result, primals, cotangent) -> cotangents of the primals``, for core arrays."""

    rule: ArrayRule

    def differentiate(
        self, call: Call, primals: Arrays, tangents: Sequence[Tangent], results: Arrays
    ) -> Sequence[Any]:
        perturbed = tuple(i for i, t in enumerate(tangents) if not is_zero(t))
        operands = [*primals, *results, *(tangents[i] for i in perturbed)]
        tangents_out = iter(
            differential_p.bind(
                *sharding.as_varying_together(operands), call=call, rule=self, perturbed=perturbed
            )
        )
        return [next(tangents_out) if _is_inexact(r) else None for r in call.results]

    def cotangents(
        self,
        call: Call,
        perturbed: tuple[int, ...],
        primals: Arrays,
        results: Arrays,
        cotangents: Sequence[Tangent],
    ) -> list[Any]:
        n, m = len(primals), len(results)

        def flat(*operands: jax.Array) -> list[Any]:
            xs, ys, cs = operands[:n], operands[n : n + m], operands[n + m :]
            primals = _as_arguments(call, xs)
            given = self.rule(_as_result(call, ys), primals, _as_result(call, cs))
            if len(primals) == 1 and not isinstance(given, tuple | list):
                given = [given]
            out = _flat(call, "vjp", primals, given)
            return [jnp.zeros_like(xs[i]) if out[i] is None else out[i] for i in perturbed]

        return over_loops(flat, call.loop_ndim(primals))(*primals, *results, *cotangents)


@dataclass(frozen=True, eq=False)
class LinearRule:
    """That a function is linear in one argument: ``rule(cotangent, *other arguments)``.

    The rule returns the cotangent of that argument, for core arrays.
    """

    position: int
    rule: ArrayRule

    def transpose(
        self, call: Call, cotangents: Sequence[Tangent], operands: Sequence[Any]
    ) -> list[jax.Array | None]:
        linear = operands[self.position]
        others = [x for i, x in enumerate(operands) if i != self.position]
        if not ad.is_undefined_primal(linear) or any(map(ad.is_undefined_primal, others)):
            raise NotImplementedError(
                f"{call.function.name} is linear in argument {self.position} alone"
            )
        if all(type(c) is ad.Zero for c in cotangents):
            return [None] * len(operands)
        loop = call.loop_shape([*others, linear.aval])
        given = [
            jnp.zeros(loop + r.core_shape, r.dtype) if type(c) is ad.Zero else c
            for r, c in zip(call.results, cotangents, strict=True)
        ]

        def flat(*arrays: jax.Array) -> jax.Array:
            cs, xs = arrays[: len(given)], arrays[len(given) :]
            out = self.rule(cs[0] if len(cs) == 1 else tuple(cs), *xs)
            core = linear.aval.shape[len(loop) :]
            like = jax.ShapeDtypeStruct(core, linear.aval.dtype)
            found = _checked(call.function.name, "linear_in", 0, like, out)
            return jnp.zeros(core, like.dtype) if found is None else found

        out = over_loops(flat, len(loop))(*given, *others)
        out = _sum_to(jnp.broadcast_to(out, loop + out.shape[len(loop) :]), linear.aval.shape)
        results: list[Any] = [None] * len(operands)
        results[self.position] = out.astype(linear.aval.dtype)
        return results


def _is_inexact(result: Result) -> bool:
    return jnp.issubdtype(result.dtype, jnp.inexact)


differential_p = Primitive("jaxsci_differential")
differential_p.multiple_results = True


def _forward_mode_refusal(name: str) -> NotImplementedError:
    return NotImplementedError(
        f"{name} has a reverse-mode rule (vjp) only, so jvp, jacfwd and hessian of it are not "
        "available. Use grad, vjp or jacrev; for second derivatives jacrev(jacrev(f))."
    )


@differential_p.def_impl
def _evaluate(
    *operands: jax.Array, call: Call, rule: ReverseRule, perturbed: tuple[int, ...]
) -> Any:
    raise _forward_mode_refusal(call.function.name)


@differential_p.def_abstract_eval
def _types(*avals: Any, call: Call, rule: ReverseRule, perturbed: tuple[int, ...]) -> list[Any]:
    n = len(call.core_ndims)
    loop = call.loop_ndim(avals[:n])
    # Batching may have given a loop dimension to the tangents alone.
    loop_shape = np.broadcast_shapes(*(x.shape[:loop] for x in avals))
    return [
        sharding.result_type(
            call.function.name, avals, loop, loop_shape + r.core_shape, r.dtype, False
        )
        for r in call.results
        if _is_inexact(r)
    ]


def _lower(ctx: LoweringContext, *operands: IrValue, call: Call, **_: Any) -> Any:
    raise _forward_mode_refusal(call.function.name)


mlir.register_lowering(differential_p, _lower)


@promotion.by_our_rules
def _jvp(
    primals: Arrays,
    tangents: Sequence[Tangent],
    *,
    call: Call,
    rule: ReverseRule,
    perturbed: tuple[int, ...],
) -> Any:
    fixed = len(primals) - len(perturbed)
    if not all(is_zero(t) for t in tangents[:fixed]):
        raise _forward_mode_refusal(call.function.name)
    params = {"call": call, "rule": rule, "perturbed": perturbed}
    out = differential_p.bind(*primals, **params)
    along = [
        jnp.zeros_like(x) if is_zero(t) else t
        for x, t in zip(primals[fixed:], tangents[fixed:], strict=True)
    ]
    return out, differential_p.bind(*primals[:fixed], *along, **params)


ad.primitive_jvps[differential_p] = _jvp


@promotion.by_our_rules
def _transpose(
    cotangents: Sequence[Tangent],
    *operands: jax.Array,
    call: Call,
    rule: ReverseRule,
    perturbed: tuple[int, ...],
) -> list[Any]:
    n = len(call.core_ndims)
    fixed = len(operands) - len(perturbed)
    primals, results = operands[:n], operands[n:fixed]
    remaining = iter(cotangents)
    given = [
        jnp.zeros_like(y) if not _is_inexact(r) or type(c := next(remaining)) is ad.Zero else c
        for r, y in zip(call.results, results, strict=True)
    ]
    out = rule.cotangents(call, perturbed, primals, results, given)
    linear = operands[fixed:]
    return [None] * fixed + [
        _sum_to(c, x.aval.shape).astype(x.aval.dtype) if ad.is_undefined_primal(x) else None
        for c, x in zip(out, linear, strict=True)
    ]


ad.primitive_transposes[differential_p] = _transpose


@promotion.by_our_rules
def _batch(operands: Sequence[Any], axes: Sequence[Any], **params: Any) -> Any:
    aligned = lead_with_batch(operands, axes)
    out = differential_p.bind(*aligned, **params)
    return out, [0] * len(out)


batching.primitive_batchers[differential_p] = _batch
jet.refuse(differential_p, lambda call, **_: call.function.name)
