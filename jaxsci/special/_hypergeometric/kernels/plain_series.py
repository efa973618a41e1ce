"""Kummer's and Gauss's functions by their power series, for most arguments that users have.

Of two series of the same function the one that loses less is summed in double precision. Where
that is more than a few units of the last place, it is summed once more in 32 digits. Both tell how
much is lost; what is left is for other methods, which take a hundred times as long.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._hypergeometric.kernels import by_sums
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.double_double import Doubled, exactly, lost_in_sum
from jaxsci.special._numerics.few import where_wanted
from jaxsci.special._numerics.gamma_factors import is_pole

_TERMS, _AT_ONCE = 400.0, 4
"""Terms at most, and how many are added before asking whether there are enough."""
_SMALL = 1e-18
"""Of the last term."""
_UNITS = 30.0
"""How many units of the last place are lost at most, if each term had as many as its index."""
_ROUNDINGS = 4.0
_LOST = 1e-15
_FAR = 0.93
"""Series of a geometric kind converge slowly beyond."""
_NEAR = 0.5
_LARGEST = 300.0
_CHUNK = 1024


@dataclass(frozen=True)
class _Series:
    """A hypergeometric series: its parameters above and below, and the argument."""

    above: Sequence[Any]
    below: Any
    at: Any


def kummer(a: jax.Array, b: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """M(a, b, x), of arrays of one shape, and whether its digits are known.

    By its series, or e^x times that of b - a and -x (DLMF 13.2.2, 13.2.39).
    """

    def one(a: Any, b: Any, x: Any, turned: jax.Array) -> _Series:
        return _Series([_chosen(turned, b - a, a)], b, _chosen(turned, -x, x))

    def front(a: jax.Array, b: jax.Array, x: jax.Array, turned: jax.Array) -> jax.Array:
        return jnp.where(turned, jnp.exp(jnp.where(turned, x, 0.0)), 1.0)

    def ways(a: jax.Array, b: jax.Array, x: jax.Array) -> tuple[jax.Array]:
        return (jnp.stack([jnp.zeros(x.shape, bool), jnp.ones(x.shape, bool)]),)

    size = jnp.abs(x)
    known = (jnp.abs(a) <= _LARGEST) & (jnp.abs(b) <= _LARGEST) & (size < _LARGEST)
    lengths = size + jnp.maximum(-b, 0.0)
    settled = by_sums.kummer_falls_off(a, b, x)
    return _summed(one, front, ways, (a, b, x), known & ~is_pole(b), lengths, settled)


def gauss(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> tuple[jax.Array, jax.Array]:
    """F(a, b; c; z), of arrays of one shape, and whether its digits are known.

    By two of four series (DLMF 15.2.1, 15.8.1): a and b may each be replaced by what they are less
    than c. Where one is, the argument is z/(z - 1), else z.
    """

    def one(a: Any, b: Any, c: Any, z: Any, first: jax.Array, second: jax.Array) -> _Series:
        above = [_chosen(first, c - a, a), _chosen(second, c - b, b)]
        less = z - _one_like(z)
        return _Series(above, c, _chosen(first == second, z, z / less))

    def front(
        a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array, first: jax.Array, second: jax.Array
    ) -> jax.Array:
        exponent = jnp.where(second, jnp.where(first, c - a - b, -a), jnp.where(first, -b, 0.0))
        rest = 1 - z
        # What the difference is rounded by: a large exponent would show it.
        lost = lost_in_sum(jnp.ones_like(z.real), -z.real)
        return jnp.power(rest, exponent) * (1 + exponent * (lost / rest))

    def is_left(z: jax.Array) -> jax.Array:
        return z.real < 0.5 if jnp.iscomplexobj(z) else z < 0

    def ways(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> tuple[jax.Array, jax.Array]:
        left = is_left(z)
        first = jnp.stack([left & (jnp.abs(z) > _NEAR), ~left])
        return first, jnp.stack([jnp.zeros_like(left), jnp.ones_like(left)])

    size = jnp.abs(z)
    at = jnp.where(is_left(z), size / jnp.abs(z - 1), size)
    known = (at < _FAR) & ((z.imag != 0) | (z.real < 1)) & ~is_pole(c)
    for t in (a, b, c):
        known = known & (jnp.abs(t) <= _LARGEST)
    lengths = jnp.maximum(-jnp.minimum(a, b), -c) - 39 / jnp.log(jnp.clip(at, 1e-9, _FAR))
    settled = jnp.abs(a) + jnp.abs(b) + 2 * jnp.abs(c)
    return _summed(one, front, ways, (a, b, c, z), known, lengths, settled)


def _chosen(condition: jax.Array, x: Any, y: Any) -> Any:
    return x.where(condition, y) if isinstance(x, Doubled) else jnp.where(condition, x, y)


def _one_like(x: Any) -> Any:
    if not isinstance(x, Doubled):
        return 1.0
    one = exactly(jnp.ones_like(x.hi[0]))
    return one.as_complex() if x.is_complex else one


def _summed(
    one: Callable[..., _Series],
    front: Callable[..., jax.Array],
    ways: Callable[..., tuple[jax.Array, ...]],
    arguments: tuple[jax.Array, ...],
    known: jax.Array,
    lengths: jax.Array,
    settled: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """A function's value, and where it has its digits.

    Args:
        one: a series, of arguments, in double precision or more, and a way.
        front: what it is multiplied by.
        ways: by which there are series of arguments, two along a first dimension.
        arguments: of the function.
        known: where that is to be tried.
        lengths: how many terms are needed, about.
        settled: from which term on they fall off.
    """
    harmless = [jnp.where(known, t, 0.5) for t in arguments]
    lengths, settled = jnp.where(known, lengths, 0.0), jnp.where(known, settled, 0.0)

    def in_double(*at: jax.Array) -> tuple[jax.Array, ...]:
        both = ways(*at)
        total, units = _sum_in_double(one(*at, *both))
        better = units[0] <= units[1]
        value = front(*at, *(jnp.where(better, *way) for way in both)) * jnp.where(better, *total)
        return value, jnp.where(better, *units), better

    value, units, better = by_blocks(in_double, *harmless, steps=lengths)
    good = known & (units <= _UNITS)

    def in_more(*every: jax.Array) -> tuple[jax.Array, jax.Array]:
        *at, better, settled = every
        best = [jnp.where(better, *way) for way in ways(*at)]
        series = one(*map(exactly, at), *best)
        total, error = by_sums.summed(series.above, series.below, series.at, settled)
        return front(*at, *best) * total, error

    nothing = value, jnp.full_like(units, jnp.inf)
    again, error = where_wanted(
        known & ~good, in_more, [*harmless, better, settled], nothing, _CHUNK, lengths
    )
    return again, good | known & (error <= _LOST)


def _sum_in_double(series: _Series) -> tuple[jax.Array, jax.Array]:
    """The sum and how many units of its last place are lost at most; infinity if it has no end."""
    above, below, at = series.above, series.below, series.at
    # From there on terms fall off for good.
    last = -functools.reduce(jnp.minimum, above, below)

    def add(carry: PyTree) -> Any:
        k, term, total, lost = carry
        for _ in range(_AT_ONCE):
            numerator = at
            for p in above:
                numerator = numerator * (p + k)
            term = term * numerator / ((below + k) * (k + 1))
            k = k + 1
            total, lost = total + term, lost + jnp.abs(term) * (k + _ROUNDINGS)
        return k, term, total, lost

    def unfinished(carry: Sequence[jax.Array]) -> jax.Array:
        k, term, total, lost = carry
        return ((jnp.abs(term) > _SMALL * jnp.abs(total)) | (k < last)) & (lost < jnp.inf)

    def going(carry: PyTree) -> jax.Array:
        return (carry[0] < _TERMS) & jnp.any(unfinished(carry))

    one = jnp.ones_like(at * below)
    start = (jnp.zeros(()), one, one, _ROUNDINGS * jnp.ones(one.shape))
    carry = jax.lax.while_loop(going, add, start)
    _, _, total, lost = carry
    return total, jnp.where(unfinished(carry), jnp.inf, lost / jnp.abs(total))
