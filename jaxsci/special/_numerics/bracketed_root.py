"""Roots of increasing functions of a positive number, by Chandrupatla's method.

Inverse quadratic interpolation where three values allow it, and halves of the bracket elsewhere
(T. Chandrupatla, 1997, Adv. Eng. Softw. 28, 145). As long as a bracket is wide, halves are those of
logarithms. All elements of a block take as many steps as the one that needs most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.blocks import by_blocks

_MOST_STEPS = 120
_WIDE = 4.0
_FIRST_FACTOR, _GROWTH = 3.0, 1.6
"""The first factor from the guess, and how its exponents grow, as powers of 2."""


def increasing_root(
    off: Callable[..., jax.Array],
    low: jax.Array,
    high: jax.Array,
    parameters: Sequence[jax.Array],
    guess: jax.Array | None = None,
) -> jax.Array:
    """The number between two at which a function goes from below 0 to above.

    Args:
        off: of the number and parameters. It is not asked at the ends, and may be infinite.
        low: below the root, positive or 0.
        high: above it, finite.
        parameters: arrays, all of one shape. Handed through, so that nothing of them alone is
            computed before the loop, and read from memory.
        guess: where to ask first; at 1, if that is between.
    """
    guess = jnp.ones_like(low) if guess is None else guess

    def of_block(low: jax.Array, high: jax.Array, guess: jax.Array, *given: jax.Array) -> Any:
        return _together(off, low, high, guess, given)

    return by_blocks(of_block, low, high, guess, *parameters)


class _Search(NamedTuple):
    """Brackets, an array of them."""

    steps: jax.Array
    """How many have been taken, of all."""
    done: jax.Array
    t: jax.Array
    """Where in the bracket to ask next; at first, where to ask."""
    a: jax.Array
    b: jax.Array
    fa: jax.Array
    fb: jax.Array


def _step(
    off: Callable[..., jax.Array], search: _Search, parameters: Sequence[jax.Array]
) -> _Search:
    steps, done, t, a, b, fa, fb = search
    eps, least = jnp.finfo(a.dtype).eps, jnp.finfo(a.dtype).tiny
    smaller, larger = jnp.minimum(a, b), jnp.maximum(a, b)
    f_smaller, f_larger = jnp.minimum(fa, fb), jnp.maximum(fa, fb)
    # From the guess outwards by growing factors, until the root is passed; then by halves.
    factor = jnp.exp2(_FIRST_FACTOR * jnp.exp2(_GROWTH * jnp.maximum(steps - 1.0, 0.0)))
    outwards = jnp.where(jnp.isinf(f_larger), smaller * factor, larger / factor)
    outwards = jnp.where(steps == 0, t, outwards)
    inside = (outwards > smaller) & (outwards < larger)
    passed = jnp.isfinite(f_smaller) & jnp.isfinite(f_larger)
    middle = jnp.sqrt(jnp.maximum(smaller, least)) * jnp.sqrt(larger)
    wide = larger > _WIDE * smaller
    between = jnp.where(inside & ~passed, outwards, middle)
    x = jnp.where(wide | (steps == 0) & inside, between, a + t * (b - a))
    fx = off(x, *parameters)
    same = (fx > 0) == (fa > 0)
    c, fc = jnp.where(same, a, b), jnp.where(same, fa, fb)
    other, f_other = jnp.where(same, b, a), jnp.where(same, fb, fa)
    nearest = jnp.where(jnp.abs(fx) < jnp.abs(f_other), x, other)
    limit = eps * nearest / jnp.abs(other - x)
    found = ~(limit < 0.5) | (fx == 0)
    place = (x - other) / (c - other)
    height = (fx - f_other) / (fc - f_other)
    good = (height * height < place) & ((1 - height) ** 2 < 1 - place)
    by_three = fx / (f_other - fx) * (fc / (f_other - fc))
    by_three += (c - x) / (other - x) * (fx / (fc - fx)) * (f_other / (fc - f_other))
    following = jnp.clip(jnp.where(good, by_three, 0.5), limit, 1 - limit)
    after = following, x, other, fx, f_other
    kept = (jnp.where(done, old, new) for old, new in zip((t, a, b, fa, fb), after, strict=True))
    return _Search(steps + 1, done | found, *kept)


def _together(
    off: Callable[..., jax.Array],
    low: jax.Array,
    high: jax.Array,
    guess: jax.Array,
    parameters: Sequence[jax.Array],
) -> jax.Array:
    def step(state: tuple[_Search, Any]) -> tuple[_Search, Any]:
        search, given = state
        given = jax.lax.optimization_barrier(given)
        return _step(off, search, given), given

    def goes_on(state: tuple[_Search, Any]) -> jax.Array:
        return (state[0].steps < _MOST_STEPS) & ~jnp.all(state[0].done)

    infinite = jnp.full_like(low, jnp.inf)
    begun = _Search(
        jnp.zeros((), jnp.int32), jnp.zeros(low.shape, bool), guess, low, high, -infinite, infinite
    )
    found, _ = jax.lax.while_loop(goes_on, step, (begun, tuple(parameters)))
    return jnp.where(jnp.abs(found.fa) <= jnp.abs(found.fb), found.a, found.b)
