"""Numbers of 32 digits: unevaluated sums of two doubles, real ones and complex ones.

Compilers may contract a product and a sum into one operation with one rounding, which breaks the
usual error-free product. Here every product of two doubles is exact, of halves with 26 bits, so
that contraction changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Doubled:
    """A number: hi + lo, of which lo is below the last place of hi.

    The first dimension of both has one entry for real numbers, and two for complex ones: so a
    compiler has a quarter of the operations to think about.
    """

    hi: Any
    lo: Any

    def __add__(self, other: Doubled) -> Doubled:
        s, e = _sum(self.hi, other.hi)
        return Doubled(*_quick_sum(s, e + (self.lo + other.lo)))

    def __neg__(self) -> Doubled:
        return Doubled(-self.hi, -self.lo)

    def __sub__(self, other: Doubled) -> Doubled:
        return self + -other

    def __mul__(self, other: Doubled) -> Doubled:
        if not (self.is_complex and other.is_complex):
            return _times(self, other)
        every = _times(self._with(lambda x: x[:, None]), other._with(lambda x: x[None]))
        first = every._with(lambda x: x[0])
        signs = jnp.reshape(jnp.array([-1.0, 1.0]), (2,) + (1,) * (self.hi.ndim - 1))
        second = every._with(lambda x: x[1, ::-1] * signs)
        return first + second

    def __truediv__(self, other: Doubled) -> Doubled:
        if not other.is_complex:
            return _over(self, other)
        squares = _times(other, other)
        size = squares._with(lambda x: x[:1]) + squares._with(lambda x: x[1:])
        return _over(self * other.conjugate(), size)

    def conjugate(self) -> Doubled:
        if not self.is_complex:
            return self
        signs = jnp.reshape(jnp.array([1.0, -1.0]), (2,) + (1,) * (self.hi.ndim - 1))
        return self._with(lambda x: x * signs)

    def by(self, n: jax.Array) -> Doubled:
        """A multiple by an integer of up to 26 bits."""
        high = _upper_half(self.hi)
        first, second = high * n, (self.hi - high) * n
        p = first + second
        return Doubled(*_quick_sum(p, ((first - p) + second) + self.lo * n))

    def where(self, condition: jax.Array, other: Doubled) -> Doubled:
        """This number where the condition holds, and else the other."""
        return Doubled(
            jnp.where(condition, self.hi, other.hi), jnp.where(condition, self.lo, other.lo)
        )

    def packed(self) -> jax.Array:
        """Both parts as one complex number, which compilers compute in one kernel."""
        return jax.lax.complex(self.hi, self.lo)

    def rounded(self) -> jax.Array:
        x = self.hi + self.lo
        return jax.lax.complex(x[0], x[1]) if self.is_complex else x[0]

    def size(self) -> jax.Array:
        """The absolute value, about."""
        return jnp.sum(jnp.abs(self.hi), 0)

    @property
    def is_complex(self) -> bool:
        return self.hi.shape[0] == 2

    def as_complex(self) -> Doubled:
        if self.is_complex:
            return self
        return self._with(lambda x: jnp.concatenate([x, jnp.zeros_like(x)]))

    def _with(self, function: Callable[..., Any]) -> Doubled:
        return Doubled(function(self.hi), function(self.lo))


def unpacked(x: jax.Array) -> Doubled:
    """A number from its parts in one."""
    return Doubled(x.real, x.imag)


def exactly(x: jax.Array) -> Doubled:
    """A double, or a complex number of doubles."""
    parts = jnp.stack([x.real, x.imag]) if jnp.iscomplexobj(x) else x[None]
    return Doubled(parts, jnp.zeros_like(parts))


def stacked(numbers: Sequence[Doubled]) -> Doubled:
    """Numbers side by side along a second dimension, all real or all complex."""
    return Doubled(jnp.stack([x.hi for x in numbers], 1), jnp.stack([x.lo for x in numbers], 1))


def taken_apart(numbers: Doubled) -> list[Doubled]:
    """What has been stacked."""
    return [Doubled(numbers.hi[:, i], numbers.lo[:, i]) for i in range(numbers.hi.shape[1])]


def product(x: jax.Array, factor: jax.Array) -> Doubled:
    """A double, or a complex number of doubles, times a double."""
    return Doubled(*_quick_sum(*_product(exactly(x).hi, factor)))


def lost_in_sum(x: Any, y: Any) -> jax.Array:
    """What rounding takes away from x + y, of two doubles."""
    return _sum(x, y)[1]


def _sum(a: jax.Array, b: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The rounded sum and its error (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _quick_sum(a: jax.Array, b: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The same where |a| >= |b| (Dekker)."""
    s = a + b
    return s, b - (s - a)


def _product(a: jax.Array, b: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The product, within two units of the last place, and its error."""
    a_high, b_high = _upper_half(a), _upper_half(b)
    a_low, b_low = a - a_high, b - b_high
    high, first, second = a_high * b_high, a_high * b_low, a_low * b_high
    p = high + (first + second)
    return p, (((high - p) + first) + second) + a_low * b_low


def _times(x: Doubled, y: Doubled) -> Doubled:
    p, e = _product(x.hi, y.hi)
    return Doubled(*_quick_sum(p, e + (x.hi * y.lo + x.lo * y.hi)))


def _over(x: Doubled, y: Doubled) -> Doubled:
    first = x.hi / y.hi
    p, e = _product(y.hi, first)
    rest = (((x.hi - p) - e) + x.lo) - y.lo * first  # the first difference is exact
    return Doubled(*_quick_sum(first, rest / y.hi))


_UPPER = np.uint64(0xFFFFFFFFF8000000)


def _upper_half(x: jax.Array) -> jax.Array:
    """The first 26 bits: 27 are left, so that products with either part of another are exact."""
    bits = jax.lax.bitcast_convert_type(x, np.uint64)
    return jax.lax.bitcast_convert_type(bits & _UPPER, np.float64)
