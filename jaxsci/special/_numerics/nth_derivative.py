"""Derivatives of a function of JAX operations, by differentiating it again and again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

Function = Callable[[Any], Any]


def derivative(f: Function, order: int) -> Function:
    """The derivative of that order of an elementwise function."""
    for _ in range(order):
        f = functools.partial(_slope, f)
    return f


def mixed_derivative(
    function: Callable[..., Any], at: Sequence[jax.Array], orders: tuple[int, ...]
) -> jax.Array:
    """A derivative in the first arguments of a function, as often as the orders say."""

    def of(i: int, at: tuple[jax.Array, ...]) -> jax.Array:
        if i == len(orders):
            return function(*at)
        before, after = at[:i], at[i + 1 :]
        return derivative(lambda p: of(i + 1, (*before, p, *after)), orders[i])(at[i])

    return of(0, tuple(at))


def derivative_and_aside(
    function: Callable[..., Any], at: Any, orders: tuple[int, ...]
) -> tuple[Any, Any]:
    """A mixed derivative of the first of two results, and the second one, not differentiated."""
    steps = [i for i, order in enumerate(orders) for _ in range(order)]

    def of(steps: list[int], at: tuple[Any, ...]) -> tuple[Any, Any]:
        if not steps:
            return function(*at)
        i, *others = steps

        def along(x: jax.Array) -> tuple[Any, Any]:
            return of(others, (*at[:i], x, *at[i + 1 :]))

        _, slope, aside = jax.jvp(along, (at[i],), (jnp.ones_like(at[i]),), has_aux=True)
        return slope, aside

    return of(steps, tuple(at))


def _slope(f: Function, x: jax.Array) -> jax.Array:
    return jax.jvp(f, (x,), (jnp.ones_like(x),))[1]
