"""What `jax.experimental.jet` makes of this package's primitives.

A Taylor rule is handed a series of explicit zeros for every argument that does not move, and cannot
tell it from one that does. It would differentiate in all of them, also where a derivative is
missing, or infinite. So functions of several numbers are refused, by name; one of a single array
that can move (others may be integers) is differentiated along the curve that its series describes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.jax_compat import Primitive, set_jet_rule
from jaxsci._core.types import Arrays

Curve = Callable[[jax.Array], Sequence[jax.Array]]


def refuse(primitive: Primitive, name: Callable[..., str]) -> None:
    """Let jet raise NotImplementedError for this primitive.

    Args:
        primitive: the primitive.
        name: takes its parameters; what to call the function in the message.
    """

    def rule(primals: Arrays, series: Any, **params: Any) -> Any:
        raise _refusal(name(**params))

    set_jet_rule(primitive, rule)


def _refusal(name: str) -> NotImplementedError:
    return NotImplementedError(
        f"{name}: jax.experimental.jet does not know which arguments stand still. "
        "Nest jax.jvp instead, once for each order: with d(f) = lambda x: jax.jvp(f, (x,), "
        "(1.0,))[1], d(d(f)) is the second derivative"
    )


def differentiate_one_argument(primitive: Primitive, name: Callable[..., str]) -> None:
    """Give jet a rule for equations with one operand that can move, and refuse others.

    Args:
        primitive: the primitive, with several results.
        name: as in `refuse`.
    """

    def rule(primals: Arrays, series: Any, **params: Any) -> Any:
        moved = [i for i, x in enumerate(primals) if jnp.issubdtype(x.dtype, jnp.inexact)]
        if len(moved) != 1:
            raise _refusal(name(**params))
        (i,) = moved
        x, terms = primals[i], series[i]

        def along(t: jax.Array) -> Sequence[jax.Array]:
            point = x
            for k, term in enumerate(terms, 1):
                point = point + (term * t**k).astype(x.dtype)
            return primitive.bind(*primals[:i], point, *primals[i + 1 :], **params)

        return _coefficients(along, len(terms), jnp.zeros((), jnp.finfo(x.dtype).dtype))

    set_jet_rule(primitive, rule)


def _coefficients(curve: Curve, order: int, start: jax.Array) -> tuple[Sequence[Any], list[Any]]:
    """A curve's Taylor coefficients at its start: those of order 0, and lists of all others."""
    higher = []
    value = curve(start)
    for k in range(1, order + 1):
        curve = _derivative(curve)
        higher.append([y / math.factorial(k) for y in curve(start)])
    return value, [list(terms) for terms in zip(*higher, strict=True)]


def _derivative(curve: Curve) -> Curve:
    def slope(t: jax.Array) -> Sequence[jax.Array]:
        return jax.jvp(curve, (t,), (jnp.ones_like(t),))[1]

    return slope
