"""Roots of increasing functions of a positive number, by Chandrupatla's method.

Inverse quadratic interpolation where three values allow it, and halves of the bracket elsewhere
(T. Chandrupatla, 1997, Adv. Eng. Softw. 28, 145). As long as a bracket is wide, halves are those of
logarithms. All elements take as many steps as the one that needs most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

_MOST_STEPS = 120
_WIDE = 4.0


def increasing_root(
    off: Callable[..., jax.Array],
    low: jax.Array,
    high: jax.Array,
    parameters: Sequence[jax.Array],
) -> jax.Array:
    """The number between two at which a function goes from below 0 to above.

    Args:
        off: of the number and parameters. It is not asked at the ends, and may be infinite.
        low: below the root, positive or 0.
        high: above it, finite.
        parameters: arrays, all of one shape. Handed through, so that nothing of them alone is
            computed before the loop, and read from memory.
    """
    eps = jnp.finfo(low.dtype).eps
    least = jnp.finfo(low.dtype).tiny

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        k, done, t, a, b, fa, fb, given = state
        given = jax.lax.optimization_barrier(given)
        smaller, larger = jnp.minimum(a, b), jnp.maximum(a, b)
        wide = larger > _WIDE * smaller
        middle = jnp.sqrt(jnp.maximum(smaller, least)) * jnp.sqrt(larger)
        x = jnp.where(wide, middle, a + t * (b - a))
        fx = off(x, *given)
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
        kept = (
            jnp.where(done, old, new) for old, new in zip((t, a, b, fa, fb), after, strict=True)
        )
        return k + 1, done | found, *kept, given

    def goes_on(state: tuple[Any, ...]) -> jax.Array:
        return (state[0] < _MOST_STEPS) & ~jnp.all(state[1])

    infinite = jnp.full_like(low, jnp.inf)
    start = (
        *(0, jnp.zeros(low.shape, bool), jnp.full_like(low, 0.5)),
        *(low, high, -infinite, infinite, tuple(parameters)),
    )
    _, _, _, a, b, fa, fb, _ = jax.lax.while_loop(goes_on, step, start)
    return jnp.where(jnp.abs(fa) <= jnp.abs(fb), a, b)
