"""The exponential integrals, and those of sine and cosine, of complex numbers, in JAX operations.

E_1(z) and Ei(z) are a logarithm beside the entire series (DLMF 6.6.2) inside of a parabola about
the half line on which its terms have one sign; outside of it a continued fraction (DLMF 6.9.1,
contracted), and far out on that half line the asymptotic series (DLMF 6.12.1). All others are sums
and differences of two of these (DLMF 6.5), but near 0 series of their own (DLMF 6.6.5, 6.6.6).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.plane import Part, from_above, log_of_size, nan_like
from jaxsci.special._numerics.shared import shared

_EULER = 0.5772156649015329
_PARABOLA = (3.0, 1.0)
"""What |z| + Re z is on the parabola, of double precision and of single: of more the series would
cancel, and of less the fraction would take more steps."""
_FAR = (44.0, 22.0)
_FAR_TERMS = (36, 18)
_SERIES = (12.0, 8.5), (8.0, 6.0)
"""How many terms there are: these, the second one times the root of |z|, and |z|."""
_LEVELS = (171.0, 6.0), (40.0, 4.0)
"""How many steps of the fraction, times what is 3 on the parabola; and besides."""
_NEAR = 3.0
_NEAR_TERMS = (15, 9)


class _Scaled(NamedTuple):
    """Of a number z what E_1 is made of."""

    near: jax.Array
    """Whether it is inside the parabola, and not far."""
    series: Part
    """The sum of (-z)^k/(k k!) there."""
    far: Part
    """E_1(z) elsewhere."""


def _size(x: jax.Array, y: jax.Array) -> jax.Array:
    """|x + iy| of numbers of moderate size, which may be small."""
    return jnp.maximum(jnp.sqrt(x * x + y * y), jnp.maximum(jnp.abs(x), jnp.abs(y)))


def _entire(x: jax.Array, y: jax.Array, r: jax.Array, wanted: jax.Array) -> Part:
    """The sum of (x + iy)^k/(k k!), k > 0, as many terms as each element needs."""
    least, by_root = by_precision(x, *_SERIES)
    terms = jnp.where(wanted, jnp.ceil(r + by_root * jnp.sqrt(r) + least), 0.0)
    x, y = jnp.where(wanted, x, 0.0), jnp.where(wanted, y, 0.0)

    def add(state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        k, re, im = state
        over = 1 / k
        here = k <= terms
        re_ = (re + over) * over
        im_ = im * over
        return (
            k - 1,
            jnp.where(here, x * re_ - y * im_, re),
            jnp.where(here, x * im_ + y * re_, im),
        )

    zero = jnp.zeros_like(x)
    start = jnp.max(terms, initial=0.0), zero, zero
    _, re, im = jax.lax.while_loop(lambda state: state[0] > 0, add, start)
    return Part(re, im)


def _fraction(x: jax.Array, y: jax.Array, distance: jax.Array, wanted: jax.Array) -> Part:
    """exp(z) E_1(z), by as many steps as each element needs."""
    by_distance, more = by_precision(x, *_LEVELS)
    levels = jnp.where(wanted, jnp.ceil(by_distance / distance + more), 0.0)

    def step(state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        k, re, im = state
        here = k <= levels
        a, b = x + (2 * k + 1) - re, y - im
        scale = shared(k * k / (a * a + b * b))
        return k - 1, jnp.where(here, a * scale, re), jnp.where(here, -b * scale, im)

    zero = jnp.zeros_like(x)
    start = jnp.max(levels, initial=0.0), zero, zero
    _, re, im = jax.lax.while_loop(lambda state: state[0] > 0, step, start)
    return Part(x + 1 - re, y - im).inverse()


def _asymptotic(x: jax.Array, y: jax.Array) -> Part:
    """The same far out."""
    terms = by_precision(x, *_FAR_TERMS)
    r = Part(x, y).inverse()
    re, im = jnp.ones_like(x), jnp.zeros_like(x)

    def step(i: Any, state: tuple[Any, Any]) -> tuple[Any, Any]:
        re, im = state
        k = -(terms - i).astype(x.dtype)
        return 1 + k * (r.re * re - r.im * im), k * (r.re * im + r.im * re)

    re, im = jax.lax.fori_loop(0, terms, step, (re, im))
    return r.times(Part(re, im))


def _scaled(x: jax.Array, y: jax.Array) -> _Scaled:
    """Of finite numbers that are not 0."""
    r = _size(x, y)
    # |z| + Re z, of which much cancels left of 0.
    distance = jnp.where(x > 0, r + x, y * y / (r - jnp.minimum(x, 0.0)))
    end = by_precision(x, *_FAR)
    inside = distance < by_precision(x, *_PARABOLA)
    near, beyond = inside & (r < end), inside & (r >= end)
    series = _entire(-x, -y, r, near)
    one = jnp.ones_like(x)
    a, b = jnp.where(inside, one, x), jnp.where(inside, 0.0, y)
    fraction = _fraction(a, b, jnp.where(inside, 2.0, distance), ~inside)
    a, b = jnp.where(beyond, x, -end), jnp.where(beyond, y, 0.0)
    asymptotic = _asymptotic(a, b)
    outer = asymptotic.where(beyond, fraction)
    # In halves: an exponential may overflow where its products do not.
    half = jnp.exp(-0.5 * jnp.where(near, 0.0, x))
    c, s = jnp.cos(y), -jnp.sin(y)
    far = Part(half * c, half * s).times(Part(half * outer.re, half * outer.im))
    # Half of the jump across the cut, which is all of the imaginary part there.
    jump = jnp.where(beyond, jnp.copysign(math.pi, y), 0.0)
    return _Scaled(near, series, Part(far.re, far.im - jump))


def _usual(z: jax.Array) -> jax.Array:
    """Whether a number is finite, and not 0."""
    return jnp.isfinite(z.real) & jnp.isfinite(z.imag) & (z != 0)


def _ends(z: jax.Array, value: Part, far: jax.Array) -> jax.Array:
    """A value, or at 0 and at infinity what is given, and NaN of what is none."""
    found = jnp.where(_usual(z), value.as_complex(), far)
    return jnp.where(jnp.isnan(z.real) | jnp.isnan(z.imag), nan_like(z), found)


@device_kernel(ulps=12, single=8)
def exp1(z: jax.Array) -> jax.Array:
    """The integral of exp(-t)/t from z to infinity."""
    safe = jnp.where(_usual(z), z, 1.0)
    x, y = safe.real, safe.imag
    found = _scaled(x, y)
    re = -_EULER - log_of_size(x, y) - found.series.re
    im = -jnp.arctan2(y, x) - found.series.im
    value = Part(re, im).where(found.near, found.far)
    left = jnp.where(z == 0, jnp.inf, jnp.where(z.real == -jnp.inf, jnp.nan, 0.0))
    return _ends(z, value, left.astype(z.dtype))


@device_kernel(ulps=15, conditioned=True, single=5)
def expi(z: jax.Array) -> jax.Array:
    """The integral of exp(t)/t from -infinity to z; real on both half lines."""
    safe = jnp.where(_usual(z), z, 1.0)
    x, y = safe.real, safe.imag
    found = _scaled(-x, -y)
    turn = jnp.where(y == 0, 0.0, jnp.sign(y) * math.pi)
    angle = jnp.where(y == 0, 0.0, jnp.arctan2(y, x))
    re = _EULER + log_of_size(x, y) + found.series.re
    im = angle + found.series.im
    value = Part(re, im).where(found.near, Part(-found.far.re, turn - found.far.im))
    on_line = z.imag == 0
    grown = jnp.where(on_line, jnp.inf, jnp.nan)
    right = jnp.where(z == 0, -jnp.inf, jnp.where(z.real == jnp.inf, grown, 0.0))
    turned = jnp.where(on_line, 0.0, jnp.sign(z.imag) * math.pi)
    return _ends(z, value, jax.lax.complex(right, turned))


def _sinh_and_cosh(w: Part, size: jax.Array, angle: jax.Array) -> tuple[Part, Part]:
    """Shi(w), and Chi(w) with the angle in its logarithm, one of w or of -iw.

    Args:
        w: finite, not 0.
        size: log |w|.
        angle: of w, or a quarter of a turn less.
    """
    x, y = w.re, w.im
    near = jnp.maximum(jnp.abs(x), jnp.abs(y)) < _NEAR
    shi, chi = _near(Part(jnp.where(near, x, 0.0), jnp.where(near, y, 0.0)))
    chi = Part(_EULER + size + chi.re, angle + chi.im)
    a, b = jnp.where(near, 2 * _NEAR, x), jnp.where(near, 0.0, y)
    right, left = _scaled(a, b), _scaled(-a, -b)
    quarter = math.pi / 2
    # How many quarters of a turn the logarithms are apart.
    of_right = jnp.round((angle - jnp.arctan2(b, a)) / quarter)
    of_left = jnp.round((angle - jnp.arctan2(-b, -a)) / quarter)
    from_size = _EULER + size
    # E_1(w) and Ei(w), and their turns: the angle, or quarters, which cancel to the last digit.
    first = Part(-from_size - right.series.re, -right.series.im).where(right.near, right.far)
    second = Part(from_size + left.series.re, left.series.im)
    second = second.where(left.near, Part(-left.far.re, -left.far.im))
    before = jnp.where(right.near, 0.0, of_right), jnp.where(left.near, 0.0, of_left)
    beside = jnp.where(right.near, angle, 0.0), jnp.where(left.near, angle, 0.0)
    difference = (before[1] - before[0]) * quarter + (beside[1] - beside[0])
    total = (before[1] + before[0]) * quarter + (beside[1] + beside[0])
    far_shi = Part(0.5 * (second.re + first.re), 0.5 * (second.im + first.im) + 0.5 * difference)
    far_chi = Part(0.5 * (second.re - first.re), 0.5 * (second.im - first.im) + 0.5 * total)
    return shi.where(near, far_shi), chi.where(near, far_chi)


def _near(w: Part) -> tuple[Part, Part]:
    """Shi(w), and Chi(w) without its logarithm, of small numbers."""
    square = w.times(w)
    zero = jnp.zeros_like(w.re)
    odd, even = Part(zero, zero), Part(zero, zero)
    for k in range(by_precision(w.re, *_NEAR_TERMS), 0, -1):
        odd, even = (
            Part((total.re + 1 / n) / divisor, total.im / divisor).times(square)
            for total, n, divisor in (
                (odd, 2 * k + 1, 2 * k * (2 * k + 1)),
                (even, 2 * k, (2 * k - 1) * 2 * k),
            )
        )
    return w.times(Part(1 + odd.re, odd.im)), even


def _of_line(z: jax.Array, value: Part, at_zero: float, right: float, left: complex) -> jax.Array:
    """A value, or what stands at 0 and at both ends of the real line; NaN elsewhere."""
    x = z.real
    at_end = jnp.where(x == jnp.inf, right + 0j, left)
    on_line = (z.imag == 0) & (jnp.abs(x) == jnp.inf)
    known = jnp.where(z == 0, at_zero, jnp.where(on_line, at_end, nan_like(z)))
    return jnp.where(_usual(z), value.as_complex(), known)


def _from_above(z: jax.Array) -> Part:
    """The parts of a finite number that is not 0, on the real line of one side."""
    safe = from_above(jnp.where(_usual(z), z, 1.0))
    return Part(safe.real, safe.imag)


@device_kernel(ulps=20, conditioned=True, single=5)
def shichi(z: jax.Array) -> Any:
    """Shi(z) and Chi(z)."""
    x, y = w = _from_above(z)
    shi, chi = _sinh_and_cosh(w, log_of_size(x, y), jnp.arctan2(y, x))
    infinite = math.inf
    return (
        _of_line(z, shi, 0.0, infinite, -infinite),
        _of_line(z, chi, -infinite, infinite, infinite),
    )


@device_kernel(ulps=20, conditioned=True, single=5)
def sici(z: jax.Array) -> Any:
    """Si(z) and Ci(z), by those of iz (DLMF 6.5.5, 6.5.6)."""
    x, y = _from_above(z)
    shi, ci = _sinh_and_cosh(Part(-y, x), log_of_size(x, y), jnp.arctan2(y, x))
    return (
        _of_line(z, Part(shi.im, -shi.re), 0.0, math.pi / 2, -math.pi / 2),
        _of_line(z, ci, -math.inf, 0.0, math.pi * 1j),
    )
