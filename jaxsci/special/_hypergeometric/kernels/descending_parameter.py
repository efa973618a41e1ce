"""0F1(; v; z) of v far below 0, from two larger parameters.

F(v - 1) = F(v) + z F(v + 1)/(v (v - 1)). As v descends the part that grows is small at first where
z is not negative: it is there that the uniform expansions serve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._hypergeometric.kernels.limit_of_large_parameter import (
    limit_far_below,
    serves_far_below,
)
from jaxsci.special._numerics.plane import over, square_root

LOWEST = -1e4
"""No smaller parameter is stepped down to."""
_LARGEST_ROOT = 0.25
"""Of z: with the larger one the part that grows, exp(-4 Re sqrt(z)) at first, loses its digits."""


def descending(
    function: Callable[[jax.Array, jax.Array], jax.Array],
    v: jax.Array,
    z: jax.Array,
    least: jax.Array | float,
) -> jax.Array:
    """0F1(; v; z), by the same function of v above `least`.

    Args:
        function: of v and z.
        v: parameter, no integer where it is below `least`.
        z: argument, of the shape of v.
        least: where `function` is good.

    Returns:
        The value, and NaN where neither way serves: next to the cut in the plane of z.
    """
    expands = _expands(v, z, least)
    far_below = limit_far_below(jnp.where(expands, v, -19.5), jnp.where(expands, z, 1.0))
    stepping = ~expands & has_value(v, z, least)
    found = _by_steps(function, jnp.where(stepping, v, 1.5), jnp.where(stepping, z, 0.0), least)
    return jnp.where(expands, far_below, jnp.where(stepping, found, jnp.nan))


def has_value(v: jax.Array, z: jax.Array, least: jax.Array | float) -> jax.Array:
    """Where `descending` has values: of v < least not next to the cut in the plane of z."""
    small = square_root(z.astype(complex)).real <= _LARGEST_ROOT
    return ~(v < least) | small | _expands(v, z, least)


def _expands(v: jax.Array, z: jax.Array, least: jax.Array | float) -> jax.Array:
    """Where the uniform expansion serves: not for z next to 0, whose powers it leaves together."""
    large = jnp.abs(z) > _LARGEST_ROOT**2
    return (v < jnp.minimum(least, -19.0)) & large & serves_far_below(v, z)


def _by_steps(
    function: Callable[[jax.Array, jax.Array], jax.Array],
    v: jax.Array,
    z: jax.Array,
    least: jax.Array | float,
) -> jax.Array:
    """0F1 by the recurrence, from the two values of v next above `least`."""
    steps = jax.lax.stop_gradient(jnp.maximum(jnp.ceil(least - v), 0.0))
    start = v + steps  # exactly
    most = jnp.max(steps, initial=0.0)

    def evaluate(k: Any, pair: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        # The upper one is wanted by those alone that take steps.
        return function(start + (1.0 - k), z), pair[0]

    def descend(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        k, lower, upper = state
        at = start - k
        goes_on = k < steps
        at = jnp.where(goes_on, at, 2.0)
        below = lower + over(z, at * (at - 1)) * upper
        return k + 1, jnp.where(goes_on, below, lower), jnp.where(goes_on, lower, upper)

    nothing = jnp.zeros_like(v * z)
    first = jnp.where(most > 0, 0, 1)
    lower, upper = jax.lax.fori_loop(first, 2, evaluate, (nothing, nothing))
    state = jnp.zeros(()), lower, upper
    return jax.lax.while_loop(lambda state: state[0] < most, descend, state)[1]
