"""Eigenvalues and eigenvectors of T0 + p B, both tridiagonal, and their derivatives in p.

Mathieu and spheroidal functions are sums whose coefficients are such eigenvectors. Rows run along
the first axis of every array, points along the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import folded

ROWS = 256
_HALVINGS = 90
_TINY = 1e-300


@dataclass(frozen=True)
class Family:
    """T0 + p B: T0 is diagonal."""

    diagonal: Any
    """Of T0."""
    slope: Any
    """The diagonal of B."""
    beside: Any
    """B's entries to the right of the diagonal; the last one does not count."""


@dataclass(frozen=True)
class _Eigenpair:
    value: Any
    vector: Any
    """With the largest component 1, or nearly the largest."""
    row: Any
    """The row of that component."""
    from_above: Any
    """Pivots of elimination from the first row on, and from the last."""
    from_below: Any


def _eliminated(diagonal: jax.Array, squares: jax.Array) -> jax.Array:
    """The pivots of a tridiagonal matrix; squares[k] is that of the entry right of row k."""

    def step(before: jax.Array, row: Sequence[jax.Array]) -> tuple[Any, Any]:
        d, square = row
        pivot = d - before
        pivot = jnp.where(jnp.abs(pivot) < _TINY, -_TINY, pivot)
        return square / pivot, pivot

    return jax.lax.scan(step, jnp.zeros_like(diagonal[0]), (diagonal, squares))[1]


def _count_below(x: jax.Array, diagonal: jax.Array, squares: jax.Array) -> jax.Array:
    """How many eigenvalues lie below x, by Sturm's theorem."""

    def step(carry: Sequence[jax.Array], row: Sequence[jax.Array]) -> tuple[Any, None]:
        before, count = carry
        d, square = row
        pivot = d - x - before
        pivot = jnp.where(jnp.abs(pivot) < _TINY, -_TINY, pivot)
        return (square / pivot, count + (pivot < 0)), None

    start = jnp.zeros_like(x), jnp.zeros(x.shape, jnp.int32)
    return jax.lax.scan(step, start, (diagonal, squares))[0][1]


def _eigenvalue(diagonal: jax.Array, beside: jax.Array, index: jax.Array) -> jax.Array:
    """By bisection; index counts from the smallest, 0."""
    squares = beside * beside
    reach = jnp.max(2 * jnp.abs(beside), axis=0)
    low, high = jnp.min(diagonal, axis=0) - reach, jnp.max(diagonal, axis=0) + reach

    def halved(_: jax.Array, ends: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        low, high = ends
        middle = low + (high - low) / 2
        above = _count_below(middle, diagonal, squares) > index
        return jnp.where(above, low, middle), jnp.where(above, middle, high)

    low, high = jax.lax.fori_loop(0, _HALVINGS, halved, (low, high))
    return low + (high - low) / 2


def encloses(
    family: Family, p: jax.Array, index: jax.Array, low: jax.Array, high: jax.Array
) -> jax.Array:
    """Whether an eigenvalue of T0 + p B, counted from the smallest, 0, lies between two numbers."""
    diagonal, squares = family.diagonal + p * family.slope, (p * family.beside) ** 2
    below, above = (_count_below(x, diagonal, squares) for x in (low, high))
    return (below <= index) & (above > index)


def _next_row(x: jax.Array, end: float = 0.0) -> jax.Array:
    return jnp.concatenate([x[1:], jnp.full_like(x[:1], end)])


def _row_before(x: jax.Array) -> jax.Array:
    return jnp.concatenate([jnp.zeros_like(x[:1]), x[:-1]])


def _eigenpair(diagonal: jax.Array, beside: jax.Array, index: jax.Array) -> _Eigenpair:
    """Elimination from both ends meets in the row where least is left over (Parlett, Dhillon)."""
    value = _eigenvalue(diagonal, beside, index)
    shifted, squares = diagonal - value, beside * beside
    from_above = _eliminated(shifted, squares)
    from_below = _eliminated(shifted[::-1], _row_before(squares)[::-1])[::-1]
    row = jnp.argmin(jnp.abs(from_above + from_below - shifted), axis=0)
    vector = _from_the_row(
        row, -beside / from_above, -_row_before(beside) / from_below, jnp.zeros_like(shifted)
    )
    return _Eigenpair(value, vector, row, from_above, from_below)


def _from_the_row(
    row: jax.Array, up: jax.Array, down: jax.Array, added: jax.Array, start: float = 1.0
) -> jax.Array:
    """X with x_row = start, x_k = up_k x_{k+1} + added_k above and x_k = down_k x_{k-1} below."""
    here = _numbers(up)

    def step(compare: Callable[..., Any]) -> Any:
        def one(x: jax.Array, at: Sequence[jax.Array]) -> tuple[jax.Array, jax.Array]:
            k, factor, plus = at
            x = jnp.where(compare(k, row), factor * x + plus, start)
            return x, x

        return one

    first = jnp.full_like(up[0], start)
    above = jax.lax.scan(step(lambda k, r: k < r), first, (here, up, added), reverse=True)[1]
    below = jax.lax.scan(step(lambda k, r: k > r), first, (here, down, added))[1]
    here = here.reshape(-1, *[1] * (up.ndim - 1))
    return jnp.where(here < row, above, below)


def _numbers(x: jax.Array) -> jax.Array:
    return jnp.arange(x.shape[0])


def _solved(pair: _Eigenpair, beside: jax.Array, right: jax.Array) -> jax.Array:
    """X with (T - value) x = right and x_row = 0, for a right side orthogonal to the vector."""

    def step(carry: jax.Array, at: Sequence[jax.Array]) -> tuple[Any, Any]:
        factor, r = at
        carry = r - factor * carry
        return carry, carry

    left = _row_before(beside)
    factor_above = _row_before(beside / pair.from_above)
    factor_below = _next_row(left / pair.from_below)
    zero = jnp.zeros_like(right[0])
    g_above = jax.lax.scan(step, zero, (factor_above, right))[1]
    g_below = jax.lax.scan(step, zero, (factor_below, right), reverse=True)[1]
    here = _numbers(right).reshape(-1, *[1] * (right.ndim - 1))
    added = jnp.where(here < pair.row, g_above / pair.from_above, g_below / pair.from_below)
    return _from_the_row(
        pair.row, -beside / pair.from_above, -left / pair.from_below, added, start=0.0
    )


def expansion(
    family: Family, p: jax.Array, index: jax.Array, order: int
) -> tuple[list[Any], list[Any], Any]:
    """Taylor coefficients, in p, of an eigenvalue and of its eigenvector.

    Args:
        family: the matrices.
        p: the parameter.
        index: which eigenvalue; they are counted from the smallest, 0.
        order: up to which power.

    Returns:
        The coefficients of the eigenvalue; those of the eigenvector, whose first one has norm 1
        and is orthogonal to the others; and the first component's sign, which underflow may hide.
    """
    beside = p * family.beside
    diagonal = family.diagonal + p * family.slope
    pair = _eigenpair(diagonal, beside, index)
    norm = jnp.sqrt(folded.total(pair.vector**2))
    vectors = [pair.vector / norm]
    values = [pair.value]

    def times_b(x: jax.Array) -> jax.Array:
        return (
            family.slope * x
            + family.beside * _next_row(x)
            + _row_before(family.beside) * _row_before(x)
        )

    for k in range(1, order + 1):
        image = times_b(vectors[-1])
        values.append(folded.total(vectors[0] * image))
        right = sum(values[j] * vectors[k - j] for j in range(1, k + 1)) - image
        x = _solved(pair, beside, right)
        vectors.append(x - vectors[0] * folded.total(vectors[0] * x))
    here = _numbers(beside).reshape(-1, *[1] * (beside.ndim - 1))
    turns = jnp.where(here < pair.row, jnp.sign(-beside * pair.from_above), 1.0)
    sign = folded.product(jnp.where(turns == 0, 1.0, turns))
    return values, vectors, sign


def product(series: Sequence[Any], other: Sequence[Any], k: int) -> int:
    """The k-th Taylor coefficient of a product."""
    return sum(series[j] * other[k - j] for j in range(k + 1))
