"""The lower tail of the gamma distribution for large shapes, from four deviations on.

SciPy sums a power series there that it ends after 2,000 terms, where sqrt(a) of them are needed
several times over: it is off by 1e-9 for a = 4e5, and has no digit from a = 1e9 on.

P(a, x) = exp(-a eta^2/2) (erfcx(-eta sqrt(a/2))/2 - (c_0 + c_1/a + ...)/sqrt(2 pi a)) of eta < 0
(DLMF 8.12.3, 8.12.8), with the power series of the coefficients (8.12.11, 8.12.12).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.error_function import erfcinv_tail, erfcx_right
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.vectorised import log

_LARGE = 1e5
_DEVIATIONS = 4.4
_PROBABILITY = 5e-6
"""A little less than that of so many deviations."""
_FARTHEST = 0.88
"""Below this quotient x/a nothing is left of the tail."""
_TERMS = 8
_STEPS, _STEPS_OF_SHAPE = 5, 12
_COEFFICIENTS = (
    (-1 / 3, 1 / 12, -2 / 135, 1 / 864, 1 / 2835, -139 / 777600, 1 / 25515, -571 / 261273600),
    (-1 / 540, -1 / 288, 1 / 378, -77 / 77760, 1 / 4860),
    (25 / 6048, -139 / 51840),
)
"""Of powers of eta, for each power of 1/a."""


class _Tail(NamedTuple):
    tail: Any
    density: Any
    """The derivative in log x."""
    slope: Any
    """That in log a, less what is of the order of 1/a beside it."""


def _tail(a: jax.Array, x: jax.Array) -> _Tail:
    mu = (x - a) / a
    v = mu / (2 + mu)
    square = v * v
    # mu - log(1 + mu), of which nothing cancels. There is no need for more terms, as elsewhere:
    # programs of the rows' values have them all.
    series = horner([1 / (2 * j + 3) for j in range(_TERMS)], square)
    deviance = v * (mu - 2 * square * series)
    half = a * deviance
    eta = -jnp.sqrt(2 * deviance)
    root = jnp.sqrt(2 * math.pi * a)
    correction = horner([horner(row, eta) for row in _COEFFICIENTS], 1 / a)
    front = jnp.exp(-half)
    tail = front * (0.5 * erfcx_right(jnp.sqrt(half)) - correction / root)
    density = front * (a / root) / (1 + 1 / (12 * a))
    return _Tail(tail, density, density * (mu - deviance) * (1 + mu) / mu)


def _between(a: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.clip(x, _FARTHEST * a, a - _DEVIATIONS * jnp.sqrt(a))


def _score(p: jax.Array) -> jax.Array:
    """How many deviations above a normal distribution's mean its upper tail is p."""
    return math.sqrt(2) * erfcinv_tail(2 * p)


def _quantile(a: jax.Array, p: jax.Array) -> jax.Array:
    """The x with P(a, x) = p, by Newton's method in its logarithm."""

    def step(_: Any, x: jax.Array) -> jax.Array:
        tail, density, _ = _tail(a, x)
        return _between(a, x * jnp.exp(-log(tail / p) * tail / density))

    # The cube root is nearly of the normal distribution.
    root = 1 - _score(p) / (3 * jnp.sqrt(a))
    return jax.lax.fori_loop(0, _STEPS, step, _between(a, a * root * root * root))


def _shape(p: jax.Array, x: jax.Array) -> jax.Array:
    """The a with P(a, x) = p, by Newton's method in its logarithm."""

    def away(score: jax.Array | float) -> jax.Array:
        """About the shape from which x is so many deviations away."""
        square = score * score
        root = jnp.sqrt(x - (square - 1) / 3 + square / 4) + score / 2
        return root * root

    def step(_: Any, a: jax.Array) -> jax.Array:
        tail, _, slope = _tail(a, x)
        moved = a * jnp.exp(log(tail / p) * tail / slope)
        return jnp.clip(moved, away(_DEVIATIONS - 0.1), x / _FARTHEST)

    return jax.lax.fori_loop(0, _STEPS_OF_SHAPE, step, away(_score(p)))


# -- what rows say ---------------------------------------------------------------------------------


def _is_lost(a: jax.Array, x: jax.Array) -> jax.Array:
    below = (x < a - _DEVIATIONS * jnp.sqrt(a)) & (x > _FARTHEST * a)
    return (a > _LARGE) & (a < jnp.inf) & below


def of_function(
    shape: str, place: str, shape_and_place: Callable[..., Any], *, upper: bool
) -> Repair:
    """A row's repair: P or Q.

    Args:
        shape: what the docstring calls a.
        place: what it calls x.
        shape_and_place: a and x of the row's arguments.
        upper: whether Q.
    """

    def formula(ys: Sequence[jax.Array], *xs: jax.Array) -> jax.Array:
        a, x = shape_and_place(*xs)
        lost = _is_lost(a, x)
        tail = _tail(jnp.where(lost, a, 1e6), jnp.where(lost, x, 9.9e5)).tail
        return 1 - tail if upper else tail

    words = f"{shape} > {_LARGE:g}, and {place} is less by {_DEVIATIONS:g} roots of that or more"
    return Repair(words, lambda ys, *xs: _is_lost(*shape_and_place(*xs)), formula, costly=True)


def of_quantile(
    shape: str,
    tail: str,
    shape_and_tail: Callable[..., Any],
    scale: Callable[..., Any] = lambda *xs: 1.0,
) -> Repair:
    """A row's repair, of a quantile.

    Args:
        shape: what the docstring calls a.
        tail: what it calls P(a, x).
        shape_and_tail: a and P(a, x) of the row's arguments.
        scale: what x is divided by for the row's value.
    """

    def where(ys: Sequence[jax.Array], *xs: jax.Array) -> jax.Array:
        a, p = shape_and_tail(*xs)
        # Of subnormal numbers nothing is known.
        return (a > _LARGE) & (a < jnp.inf) & (p < _PROBABILITY) & (p > 1e-300)

    def formula(ys: Sequence[jax.Array], *xs: jax.Array) -> jax.Array:
        a, p = shape_and_tail(*xs)
        wanted, by = where(ys, *xs), scale(*xs)
        a, p = jnp.where(wanted, a, 1e6), jnp.where(wanted, p, 1e-6)
        return _quantile(a, p) / by

    words = f"{shape} > {_LARGE:g} and {tail} < {_PROBABILITY:g}"
    return Repair(words, where, formula, costly=True)


def of_shape(tail: str, tail_and_place: Callable[..., Any]) -> Repair:
    """A row's repair, of a shape; what the docstring calls P(a, x), and that and x."""

    def where(ys: Sequence[jax.Array], *xs: jax.Array) -> jax.Array:
        p, x = tail_and_place(*xs)
        return (ys[0] > _LARGE) & (ys[0] < jnp.inf) & (p < _PROBABILITY) & (p > 1e-300) & (x > 0)

    def formula(ys: Sequence[jax.Array], *xs: jax.Array) -> jax.Array:
        p, x = tail_and_place(*xs)
        wanted = where(ys, *xs)
        p, x = jnp.where(wanted, p, 1e-6), jnp.where(wanted, x, 1e6)
        return _shape(p, x)

    words = f"the value is more than {_LARGE:g}, and {tail} < {_PROBABILITY:g}"
    return Repair(words, where, formula, costly=True)
