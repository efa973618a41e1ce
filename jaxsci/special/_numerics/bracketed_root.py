"""Roots of increasing functions of a positive number, by Chandrupatla's method.

Inverse quadratic interpolation where three values allow it, and halves of the bracket elsewhere
(T. Chandrupatla, 1997, Adv. Eng. Softw. 28, 145). As long as a bracket is wide, halves are those of
logarithms. Where interpolation of degrees one and two agree so well that another value would tell
nothing more, the latter's result is taken. All elements of a block take as many steps as the one
that needs most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.blocks import by_blocks

_MOST_STEPS = 120
_WIDE = 4.0
_FIRST_FACTOR, _GROWTH = 8.0, 1.6
"""The first factor from the guess, and how its exponents grow, as a power of 2."""
_ALIKE = 0.5
"""How lines through two values and the curve through three differ at most, relative to how far the
nearest values are."""
_SURE, _SURE_BY_SPEED = 2.0**-6, 2.0**3
"""The error of the better one, in units of a rounding: by that difference, which may be small by
chance, and if errors went on to shrink as they last did and no faster."""


def increasing_root(
    off: Callable[..., jax.Array],
    low: jax.Array,
    high: jax.Array,
    parameters: Sequence[jax.Array],
    guess: jax.Array | None = None,
    factor: jax.Array | None = None,
) -> jax.Array:
    """The number between two at which a function goes from below 0 to above.

    Args:
        off: of the number and parameters. It is not asked at the ends, and may be infinite. Its
            slope at the root is not 0.
        low: below the root, positive or 0.
        high: above it, finite.
        parameters: arrays, all of one shape. Handed through, so that nothing of them alone is
            computed before the loop, and read from memory.
        guess: where to ask first; at 1, if that is between.
        factor: which the guess is off by at most, as a rule.
    """
    guess = jnp.ones_like(low) if guess is None else guess
    factor = jnp.full_like(low, _FIRST_FACTOR) if factor is None else factor

    def of_block(
        low: jax.Array, high: jax.Array, guess: jax.Array, factor: jax.Array, *given: jax.Array
    ) -> Any:
        return _together(off, low, high, guess, factor, given)

    return by_blocks(of_block, low, high, guess, factor, *parameters)


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
    off: Callable[..., jax.Array],
    search: _Search,
    exponent: jax.Array,
    parameters: Sequence[jax.Array],
) -> _Search:
    """The search after a value more; the exponent is that of 2 in the first factor outwards."""
    steps, done, t, a, b, fa, fb = search
    eps, least = jnp.finfo(a.dtype).eps, jnp.finfo(a.dtype).tiny
    smaller, larger = jnp.minimum(a, b), jnp.maximum(a, b)
    f_smaller, f_larger = jnp.minimum(fa, fb), jnp.maximum(fa, fb)
    # From the guess outwards by growing factors, until the root is passed; then by halves.
    factor = jnp.exp2(exponent * jnp.exp2(_GROWTH * jnp.maximum(steps - 1.0, 0.0)))
    outwards = jnp.where(jnp.isinf(f_larger), smaller * factor, larger / factor)
    outwards = jnp.where(steps == 0, t, outwards)
    inside = (outwards > smaller) & (outwards < larger)
    passed = jnp.isfinite(f_smaller) & jnp.isfinite(f_larger)
    middle = jnp.sqrt(jnp.maximum(smaller, least)) * jnp.sqrt(larger)
    wide = larger > _WIDE * smaller
    x = jnp.where(wide, middle, a + t * (b - a))
    x = jnp.where(inside & ~passed, outwards, x)
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
    by_two = fx / (fx - f_other)
    by_three = fx / (f_other - fx) * (fc / (f_other - fc))
    by_three += (c - x) / (other - x) * (fx / (fc - fx)) * (f_other / (fc - f_other))
    by_line = jnp.isfinite(fx) & jnp.isfinite(f_other) & ~jnp.isfinite(fc)
    following = jnp.where(good, by_three, jnp.where(by_line, by_two, 0.5))
    following = jnp.clip(following, limit, 1 - limit)
    # What both degrees differ by says how fast the errors of interpolation fall.
    width, rounding = jnp.abs(other - x), eps * nearest
    with_c = fx / (fx - fc) * ((c - x) / (other - x))
    unsure, near = jnp.abs(by_three - by_two), jnp.minimum(jnp.abs(by_three), jnp.abs(1 - by_three))
    far = jnp.abs((c - x) / (other - x) - by_three)
    sure = good & (jnp.maximum(unsure, jnp.abs(by_three - with_c)) < _ALIKE * near)
    product = jnp.abs(by_three * (1 - by_three))
    sure &= unsure * unsure * far * width < _SURE * rounding * product
    sure &= by_three * by_three * width < _SURE_BY_SPEED * rounding * far
    x_or_root = jnp.where(sure, x + by_three * (other - x), x)
    after = following, x_or_root, other, jnp.where(sure, 0.0, fx), f_other
    kept = (jnp.where(done, old, new) for old, new in zip(search[2:], after, strict=True))
    return _Search(steps + 1, done | found | sure, *kept)


def _together(
    off: Callable[..., jax.Array],
    low: jax.Array,
    high: jax.Array,
    guess: jax.Array,
    factor: jax.Array,
    parameters: Sequence[jax.Array],
) -> jax.Array:
    def step(state: tuple[_Search, Any]) -> tuple[_Search, Any]:
        search, given = state
        given = jax.lax.optimization_barrier(given)
        return _step(off, search, *given), given

    def goes_on(state: tuple[_Search, Any]) -> jax.Array:
        return (state[0].steps < _MOST_STEPS) & ~jnp.all(state[0].done)

    infinite = jnp.full_like(low, jnp.inf)
    none, ends = jnp.zeros(low.shape, bool), (low, high, -infinite, infinite)
    begun = _Search(jnp.zeros((), jnp.int32), none, guess, *ends)
    given = jnp.log2(factor), tuple(parameters)
    found, _ = jax.lax.while_loop(goes_on, step, (begun, given))
    return jnp.where(jnp.abs(found.fa) <= jnp.abs(found.fb), found.a, found.b)
