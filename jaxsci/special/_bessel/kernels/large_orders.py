"""Bessel functions of orders from 1e5 on, where recurrences would take too many steps.

Debye's expansions (`_bessel/kernels/debye.py`), and Airy functions near the turning point z = v of
J and Y on the real axis (`_bessel/kernels/turning_point.py`). They serve smaller orders too where z
is large. Off the real axis the neighbourhood of the turning point has no values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.debye import FLAT, INVERSE_TANGENT, Debye, on_axis
from jaxsci.special._bessel.kernels.turning_point import turning_point
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.blocks import where_any
from jaxsci.special._numerics.plane import over, square_root

MOST = 2.0**51
"""Beyond, an order's neighbours may be itself."""
_CLEAR = 400.0
"""The size of L from which Debye's expansion has all digits: the next term is 0.12/L^5."""
_LARGE, _MOST_EXCESS = 400, 4000

Parts = tuple[list[Any], list[Any], Any]
"""Expansions of the first kind, of the second over 2^excess, and excess."""


def where_large(
    large: jax.Array,
    function: Callable[..., Any],
    otherwise: Any,
    v: jax.Array,
    z: jax.Array,
    m: int,
) -> Any:
    """The function's expansions at large orders or arguments, which are not computed for none.

    Args:
        large: where they are taken.
        function: of v, z and m.
        otherwise: what is taken elsewhere, arrays in the same structure.
        v: order.
        z: argument.
        m: degree of the expansions.
    """
    large = jnp.broadcast_to(large, jnp.broadcast_shapes(v.shape, z.shape))

    def compute() -> Any:
        return function(jnp.where(large, v, MOST), jnp.where(large, z, MOST), m)

    return where_any(large, compute, otherwise)


def _excess(exponent: jax.Array) -> jax.Array:
    """The power of two to keep apart from exp(exponent)."""
    bits = jnp.floor(exponent / math.log(2)) - _LARGE
    return jnp.clip(bits, 0, _MOST_EXCESS).astype(int)


def _less(jet: list[Any], excess: jax.Array) -> list[Any]:
    """The exponent with that many powers of two taken away, and no larger than is infinite."""
    size = jnp.minimum(jet[0].real, (_MOST_EXCESS + _LARGE) * math.log(2)) - excess * math.log(2)
    first = jax.lax.complex(size, jet[0].imag) if jnp.iscomplexobj(jet[0]) else size
    return [first, *jet[1:]]


# -- of real arguments -----------------------------------------------------------------------------


def real_modified(
    v: jax.Array,
    x: jax.Array,
    m: int,
    unscaled_first: bool = False,
    unscaled_second: bool = False,
) -> Parts:
    """exp(-x) I_v(x) and exp(x) K_v(x), x > 0, or the functions themselves."""
    r = jnp.hypot(v, x)
    ratio = v / x
    slope = jnp.where(ratio < 1e8, jnp.arcsinh(ratio), jnp.log(2 * v) - jnp.log(x))
    debye = Debye(v, r, m)
    scaled = debye.exponent(v * (slope - v / (r + x)), slope)
    unscaled = [v * slope - r, *scaled[1:]]
    of_first, of_second = (
        unscaled if which else scaled for which in (unscaled_first, unscaled_second)
    )
    first = taylor.product(debye.amplitude, taylor.plus(debye.even, debye.odd))
    second = taylor.product(debye.amplitude, taylor.plus(debye.even, taylor.times(debye.odd, -1.0)))
    excess = _excess(of_second[0])
    decay = taylor.exponential(taylor.times(of_first, -1.0))
    growth = taylor.exponential(_less(of_second, excess))
    return (
        taylor.times(taylor.product(decay, first), 1 / math.sqrt(2 * math.pi)),
        taylor.times(taylor.product(growth, second), math.sqrt(math.pi / 2)),
        excess,
    )


class _Axis:
    """Debye's expansions of J and Y at x > 0."""

    def __init__(self, v: jax.Array, x: jax.Array, m: int) -> None:
        self.below, r, self.flat, slope, value = on_axis(v, x)
        sign = jnp.where(self.below, 1.0, -1.0)
        self.debye = Debye(v, jnp.where(r == 0, 1.0, r), m, sign)
        self.exponent = self.debye.exponent(value, slope)
        self.near = self.flat & (value < _CLEAR)
        self.less_x = v * slope - v * v / (r + x)
        """The phase less x, unless flat."""
        self.amplitude = taylor.times(self.debye.amplitude, math.sqrt(2 / math.pi))

    def first(self) -> list[Any]:
        """J_v(x) for x < v."""
        decay = taylor.exponential(taylor.times(self.exponent, -1.0))
        both = taylor.plus(self.debye.even, self.debye.odd)
        return taylor.product(self.amplitude, taylor.product(decay, taylor.times(both, 0.5)))

    def second(self, excess: jax.Array) -> list[Any]:
        """Y_v(x) over 2^excess for x < v."""
        growth = taylor.exponential(_less(self.exponent, excess))
        both = taylor.plus(self.debye.odd, taylor.times(self.debye.even, -1.0))
        return taylor.product(self.amplitude, taylor.product(growth, both))

    def waves(self, phase: list[Any]) -> tuple[list[Any], list[Any]]:
        """J_v(x) and Y_v(x) for x > v, or those with another phase."""
        c, s = (list(taylor.once(*row)) for row in taylor.cosine_and_sine_of(phase))
        c, s = (
            taylor.times(taylor.plus(a, taylor.times(b, k)), math.sqrt(0.5))
            for a, b, k in ((c, s, 1.0), (s, c, -1.0))
        )
        even, odd = (taylor.product(self.amplitude, x) for x in (self.debye.even, self.debye.odd))
        first = taylor.plus(taylor.product(c, even), taylor.product(s, odd))
        second = taylor.plus(taylor.product(s, even), taylor.times(taylor.product(c, odd), -1.0))
        return first, second


def real_cylinders(v: jax.Array, x: jax.Array, m: int) -> Parts:
    """J_v(x) and Y_v(x), x > 0."""
    return _cylinders(_Axis(v, x, m), v, x, m)


def _cylinders(axis: _Axis, v: jax.Array, x: jax.Array, m: int) -> Parts:
    excess = jnp.where(axis.below, _excess(axis.exponent[0]), 0)
    first, second = axis.waves(axis.exponent)
    first = taylor.where(axis.below, axis.first(), first)
    second = taylor.where(axis.below, axis.second(excess), second)
    inner, at_x = (jnp.where(axis.near, c, MOST) for c in (v, x))
    at = turning_point(inner, at_x, m)
    first, second = (
        taylor.where(axis.near, a, b) for a, b in zip(at, (first, second), strict=True)
    )
    return first, second, excess


def hankel_on_axis(v: jax.Array, zeta: jax.Array, m: int) -> tuple[list[Any], list[Any]]:
    """J_v(x) and exp(-i x) H1_v(x) at zeta = x + 0 i, x > 0."""
    x = zeta.real
    axis = _Axis(v, x, m)
    first, second, excess = _cylinders(axis, v, x, m)
    far = ~axis.flat & ~axis.below
    with_phase = axis.waves([axis.less_x, *axis.exponent[1:]])
    turned = jnp.exp(-1j * x)
    second = [c * 2.0**excess for c in second]
    out = [
        jnp.where(far, jax.lax.complex(a, b), turned * jax.lax.complex(c, d))
        for a, b, c, d in zip(*with_phase, first, second, strict=True)
    ]
    return [jax.lax.complex(c, jnp.zeros_like(c)) for c in first], out


# -- in the plane ----------------------------------------------------------------------------------


class _Plane:
    """Debye's expansions at w = -i zeta, zeta in the first quadrant.

    There r = sqrt(v^2 + w^2) = sqrt(v^2 - zeta^2) is one number for all functions.
    """

    def __init__(self, v: jax.Array, w: jax.Array, m: int) -> None:
        x, y = -w.imag, w.real
        q = square_root(jax.lax.complex(x - v, y)) * square_root(jax.lax.complex(x + v, y))
        (r,) = taylor.once(jax.lax.complex(q.imag, -q.real))
        self.debye = Debye(v, jnp.where(r == 0, 1.0, r), m)
        near_i = over(v, r + w)
        grown, near_i = taylor.once(over(v, w) * (1 + near_i), near_i)
        a, b = grown.real, grown.imag
        size = jnp.log1p(a * (2 + a) + b * b) / 2
        size = jnp.where(jnp.abs(a) + jnp.abs(b) < 1e8, size, jnp.log(jnp.hypot(a, b)))
        angle, other = jnp.arctan2(b, 1 + a), -jnp.arctan2(1 + a, b)
        self.slope = jax.lax.complex(size, angle)
        """Log((v + r)/w)."""
        self.modified = v * (self.slope - near_i)
        """L + w of I and K."""
        t = jax.lax.complex(r.real / v, r.imag / v)
        flat = jnp.abs(t.real) + jnp.abs(t.imag) < FLAT
        t = jnp.where(flat, t, 0.0)
        series = taylor.polynomial(INVERSE_TANGENT, [t * t])[0]
        slope = jax.lax.complex(size, other)
        self.slope_j = jnp.where(flat, t * (1 + t * t * series), slope)
        """Log((v + r)/zeta)."""
        value = v * t**3 * series
        beyond = v * (slope - near_i)
        self.exponent_j = jnp.where(flat, value + y, beyond)
        """L, but for the factors of J and H1 that follow, whose phase is not rounded."""
        turned = jnp.exp(-1j * x)
        self.factor_j = jnp.where(flat, 1.0, turned)
        self.factor_h = jnp.where(flat, turned, 1.0)
        self.beyond = x > v
        """Where the first kind has both exponentials; on the line between, one is negligible."""
        length = jnp.abs(v * self.slope_j - r)
        self.clear = jnp.where(flat, jnp.abs(value), length) > _CLEAR

    def with_signs(self) -> tuple[list[Any], list[Any]]:
        """The sums for the first and the second kind, over sqrt(r)."""
        d = self.debye
        plus = taylor.plus(d.even, d.odd)
        minus = taylor.plus(d.even, taylor.times(d.odd, -1.0))
        return taylor.product(d.amplitude, plus), taylor.product(d.amplitude, minus)


def modified_in_the_plane(v: jax.Array, w: jax.Array, m: int) -> Parts:
    """exp(-w) I_v(w) and exp(w) K_v(w) for Re w >= 0."""
    above = w.imag > 0
    w = jnp.where(above, jnp.conj(w), w)
    at = _Plane(v, w, m)
    plus, minus = at.with_signs()
    exponent = at.debye.exponent(at.modified, at.slope)
    excess = _excess(exponent[0].real)
    growth = taylor.exponential(_less(exponent, excess))
    second = taylor.times(taylor.product(growth, minus), math.sqrt(math.pi / 2))
    first = taylor.product(taylor.exponential(taylor.times(exponent, -1.0)), plus)
    first = taylor.times(first, 1 / math.sqrt(2 * math.pi))
    # J = (H1 + H2)/2 there: DLMF 10.27.6, 10.27.8.
    beside = taylor.product(taylor.turn(v, -1, m), taylor.times(second, -1j / math.pi))
    beside = taylor.times(beside, jnp.exp(-2 * w))
    first = taylor.where(at.beyond, taylor.plus(first, beside), first)
    first, second = (
        [jnp.where(at.clear, c, jnp.nan) for c in taylor.where(above, taylor.conjugate(row), row)]
        for row in (first, second)
    )
    return (first, second, excess)


def cylinders_in_the_plane(v: jax.Array, zeta: jax.Array, m: int) -> tuple[list[Any], list[Any]]:
    """exp(-Im zeta) J_v(zeta) and exp(-i zeta) H1_v(zeta) for Re zeta >= 0, Im zeta >= 0.

    Args:
        v: order.
        zeta: argument.
        m: degree of the expansions.
    """
    at = _Plane(v, -1j * zeta, m)
    plus, minus = at.with_signs()
    minus = taylor.times(minus, -1j * math.sqrt(2 / math.pi))
    exponent = at.debye.exponent(at.exponent_j, at.slope_j)
    growth = taylor.exponential(exponent)
    decay = taylor.exponential(taylor.times(exponent, -1.0))
    second = taylor.times(taylor.product(growth, minus), at.factor_h)
    first = taylor.product(decay, plus)
    first = taylor.times(first, 1 / math.sqrt(2 * math.pi) * at.factor_j)
    x, y = zeta.real, zeta.imag
    beside = taylor.times(second, 0.5 * jnp.exp(1j * x - 2 * y))
    first = taylor.where(at.beyond, taylor.plus(first, beside), first)
    first, second = ([jnp.where(at.clear, c, jnp.nan) for c in row] for row in (first, second))
    near = ~at.clear & (y == 0)
    of_j, of_y = turning_point(jnp.where(near, v, MOST), jnp.where(near, x, MOST), m)
    of_h = [jax.lax.complex(a, b) for a, b in zip(of_j, of_y, strict=True)]
    of_h = taylor.times(of_h, jnp.exp(-1j * x))
    return taylor.where(near, of_j, first), taylor.where(near, of_h, second)
