"""Rules of a distribution function's inverses, by the implicit function theorem.

SciPy's inverses take the arguments of the distribution function, with the probability in the place
of that one which they return.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import Closed, closed
from jaxsci.special._numerics.quotients import implied, quotient

_STEPS = 3
_NEAR = 1e-3
_ASIDE = 1e-4
_SIMPLE = 4.0
_SHORT = 36  # bits

Slopes = Callable[..., Sequence[Any]]
"""Called with arguments' places, then the distribution function's arguments: the derivatives."""


def one_by_one(slope: Callable[..., Any]) -> Slopes:
    """The derivatives by a function that is called with one place, then the arguments."""
    return lambda places, *args: [slope(place, *args) for place in places]


def inverse_rules(
    names: Sequence[str],
    place: int,
    slopes: Slopes,
    function: Callable[..., Any] | None = None,
) -> dict[str, Closed]:
    """The rules of the inverse in one argument.

    Args:
        names: the inverse's arguments.
        place: which of them is the probability.
        slopes: the distribution function's derivatives.
        function: the distribution function; None where SciPy's inverse has all its digits. Else
            the chord method finds the rest, and where there is no root near SciPy's the
            derivatives are NaN.
    """

    def expression(wanted: int, y: jax.Array, *args: jax.Array) -> jax.Array:
        root = y if function is None else _refined(function, place, y, args)
        at = _with(args, place, root)
        if wanted == place:
            return quotient(1.0, slopes([place], *at)[0])
        slope, density = slopes([wanted, place], *at)
        return -_straight_quotient(slope, density, args[place])

    return {
        name: closed("implicit function theorem", functools.partial(expression, i))
        for i, name in enumerate(names)
    }


def _straight_quotient(x: jax.Array, y: jax.Array, probability: jax.Array) -> jax.Array:
    """X/y = c + (x - cy)/y, of which the derivatives are exactly 0 where x moves as cy does.

    So they are where an inverse is a straight line, by a symmetry of the distribution.
    """
    ratio = jax.lax.stop_gradient(x / y)
    c = jnp.where(jnp.abs(ratio) < _SIMPLE, jnp.round(2 * ratio) / 2, 0.0)
    return c + implied(jnp.where(c == 0, x, x - c * y), y, probability)


def _refined(
    function: Callable[..., Any], place: int, root: jax.Array, args: Sequence[jax.Array]
) -> jax.Array:
    """The root by the chord method; to a derivative what that adds is constant.

    One loop visits all points, for the distribution function may compile for a second wherever it
    stands: those of the chord, then what each step reaches, then a shorter number beside the last.
    """
    start, *fixed = (jax.lax.stop_gradient(x) for x in (root, *args))
    goal = fixed[place]
    aside = _ASIDE * start

    def shortened(x: jax.Array) -> jax.Array:
        return jax.lax.reduce_precision(x, 11, _SHORT)

    def visit(i: jax.Array, state: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        x, below, above, middle, _, last = state
        ends = jnp.where(i == 0, start - aside, start + aside)
        point = jnp.where(i < 2, ends, jnp.where(i < _STEPS + 3, x, shortened(x)))
        here = function(*_with(fixed, place, point)) - goal
        below, above, middle = (
            jnp.where(i == k, here, y) for k, y in enumerate((below, above, middle))
        )
        # SciPy's root is nearly one, so a single chord serves for all steps.
        ahead = x - jnp.where(here == 0, 0.0, here / _chord(below, middle, above, aside))
        moved = jnp.where((i >= 2) & (i < _STEPS + 2), ahead, x)
        return moved, below, above, middle, last, here

    # An array of all that is found would need to know over which devices the roots are spread.
    nothing = (jnp.zeros_like(start),) * 5
    moved, *_, before, last = jax.lax.fori_loop(0, _STEPS + 4, visit, (start, *nothing))
    # Of roots that rounding does not tell apart the shortest is exact, if one is.
    as_good = jnp.abs(last) <= jnp.abs(before)
    step = jnp.where(as_good, shortened(moved), moved) - start
    return root + jnp.where(jnp.abs(step) <= _NEAR * jnp.abs(start), step, jnp.nan)


def _chord(below: jax.Array, here: jax.Array, above: jax.Array, aside: jax.Array) -> jax.Array:
    """The slope of a chord, of values at x - aside, x and x + aside.

    On a side where the function is NaN, for its range ends there, x takes its neighbour's place.
    """
    ends, begins = jnp.isnan(above), jnp.isnan(below)
    width = jnp.where(ends | begins, aside, 2 * aside)
    return (jnp.where(ends, here, above) - jnp.where(begins, here, below)) / width


def _with(args: Sequence[jax.Array], place: int, x: jax.Array) -> list[jax.Array]:
    return [*args[:place], x, *args[place + 1 :]]
