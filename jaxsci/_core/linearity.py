"""A rule that reverse mode cannot transpose is reported by name.

JAX transposes a forward rule operation by operation, long after it was called, and says of one that
is not linear no more than which operation it was, or nothing. So the rule's tangents pass through a
primitive that does nothing to them. It is the first of them to be transposed, and tries the rule.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp

from jaxsci._core import jet
from jaxsci._core.jax_compat import Primitive, ad, batching, mlir
from jaxsci._core.types import Arrays, PyTree, Tangent, Tangents

LinearMap: TypeAlias = Callable[..., list[Any]]
"""Of the arguments, their tangents and the results (flat): the results' tangents, or None."""


def checked_when_transposed(out: Sequence[Any], check: Callable[[], None], name: str) -> list[Any]:
    """The tangents; `check` is called before they are transposed."""
    there = [t for t in out if t is not None]
    passed = iter(tangents_p.bind(*there, check=check, name=name) if there else ())
    return [None if t is None else next(passed) for t in out]


@functools.lru_cache(maxsize=4096)
def check(
    rule: LinearMap,
    name: str,
    types: tuple[Any, ...],
    result_types: tuple[Any, ...],
    moved: tuple[tuple[int, str], ...],
) -> None:
    """Raise if a rule cannot be transposed in the tangents of some arguments.

    Args:
        rule: the rule.
        name: the function's name.
        types: the arguments' types.
        result_types: the results'.
        moved: positions and names of the arguments.
    """
    try:
        _transpose_abstractly(rule, types, result_types, [i for i, _ in moved])
    except Exception as error:
        alone = [name for i, name in moved if not _transposes(rule, types, result_types, i)] or [
            name for _, name in moved
        ]
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise NotImplementedError(
            f"{name}: reverse mode cannot transpose the jvp rule in the tangents of "
            f"{', '.join(map(repr, alone))}: it must be linear in them, and of operations that JAX "
            f"transposes ({reason})"
        ) from error


def _transposes(rule: LinearMap, types: Any, result_types: Any, i: int) -> bool:
    try:
        _transpose_abstractly(rule, types, result_types, [i])
    except Exception:
        return False
    return True


def _transpose_abstractly(
    rule: LinearMap, types: Sequence[Any], result_types: Sequence[Any], moved: Sequence[int]
) -> None:
    def transposed(primals: Arrays, results: PyTree, tangents: Tangents) -> Any:
        def of_moved(*ts: Any) -> list[Any]:
            along = [jnp.zeros_like(x) for x in primals]
            for i, t in zip(moved, ts, strict=True):
                along[i] = t
            return [t for t in rule(*primals, *along, *results) if t is not None]

        out = jax.eval_shape(of_moved, *tangents)
        cotangents = [jnp.zeros(y.shape, y.dtype) for y in out]
        return jax.linear_transpose(of_moved, *tangents)(cotangents)

    jax.eval_shape(transposed, list(types), list(result_types), [types[i] for i in moved])


tangents_p = Primitive("jaxsci_tangents")
tangents_p.multiple_results = True
tangents_p.def_impl(lambda *xs, check, name: list(xs))
tangents_p.def_abstract_eval(lambda *avals, check, name: list(avals))
mlir.register_lowering(tangents_p, lambda ctx, *xs, check, name: xs)
jet.refuse(tangents_p, lambda check, name: name)


def _jvp(primals: Arrays, tangents: Sequence[Tangent], **params: Any) -> Any:
    moved = [ad.instantiate_zeros(t) for t in tangents]
    return tangents_p.bind(*primals, **params), tangents_p.bind(*moved, **params)


def _transpose(
    cotangents: Sequence[Tangent], *operands: jax.Array, check: Callable[[], None], name: str
) -> Sequence[Any]:
    check()
    return list(cotangents)


def _batch(operands: Sequence[Any], axes: Sequence[Any], **params: Any) -> Any:
    return tangents_p.bind(*operands, **params), list(axes)


ad.primitive_jvps[tangents_p] = _jvp
ad.primitive_transposes[tangents_p] = _transpose
batching.primitive_batchers[tangents_p] = _batch
