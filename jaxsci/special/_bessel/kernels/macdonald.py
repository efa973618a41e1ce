"""K_v(z) and its derivatives in the order v, for v >= 0 and Re z >= 0.

For 0 <= v < 2 by an integral, from which forward recurrence (DLMF 10.29.1) leads to all other
orders, in Taylor polynomials in v (`_numerics/taylor.py`): K grows with the order, so that is
stable, and nothing cancels in it where z is real.

The integral is that of DLMF 10.32.9,

    exp(z) K_v(z) = integral from 0 to infinity of exp(-z (cosh t - 1)) cosh(v t) dt,

along the path on which z (cosh t - 1) is real, sinh(t/2) = exp(-i ph(z)/2) sinh(s/2), s >= 0. The
exponential is that of |z| there, so nothing oscillates, and the integrand is analytic in a strip of
more than one on both sides: the trapezoidal rule converges to double precision with steps of 1/6.
Near z = 0, where K grows like |z|^-v, every order is scaled by a power of q, which is |z| rounded
to a power of two, or 1.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.types import PyTree
from jaxsci.special._gamma.kernels.on_device import rgamma
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.compensated import added
from jaxsci.special._numerics.plane import over
from jaxsci.special._numerics.subnormal import SMALLEST_NORMAL

_STEP = 0.16
_LEAST_NODES = 40
_NEGLIGIBLE = 44.0
_LEAST = 1e-10
_TINY = 1e-290
_BITS = 400
_MOST_BITS = 10**8
_BIG = 2.0**_BITS


@dataclass
class Macdonald:
    """Expansions in the order at v, of exp(z) K_v(z) and its neighbour."""

    here: list[Any]
    """Of K_v, over 2^exponent."""
    above: list[Any]
    """Of q K_{v+1}, over 2^exponent."""
    exponent: Any

    def value(self) -> list[jax.Array]:
        """Of K_v itself, times exp(z)."""
        return scaled(self.here, self.exponent)

    def unscaled(self, x: jax.Array) -> list[jax.Array]:
        """Of K_v(x), x > 0, where exp(x) K_v(x) may overflow."""
        decay, bits = parts_of_exponential(-x)
        return scaled(taylor.times(self.here, decay), self.exponent + bits)


def binary_exponent(z: jax.Array) -> jax.Array:
    """The exponent of q: 0 where |z| >= 1."""
    return jnp.minimum(jnp.frexp(jnp.abs(z))[1] - 1, 0)


def two_to(exponent: jax.Array) -> jax.Array:
    """2^exponent for integers up to 1023, and 0 where that is subnormal.

    `jnp.ldexp` is sixty operations, and there would be dozens of it in a program.
    """
    bits = jnp.maximum(exponent.astype(np.int64) + 1023, 0) << 52
    return jax.lax.bitcast_convert_type(bits, np.float64)


def power_of_two(x: jax.Array, exponent: jax.Array) -> jax.Array:
    """The product x 2^exponent, where no part of it overflows before the whole does."""
    return scaled([x], exponent)[0]


def scaled(row: list[jax.Array], exponent: jax.Array) -> list[jax.Array]:
    """The expansion times 2^exponent."""
    for _ in range(3):
        part = jnp.clip(exponent, -1000, 1000)
        row = taylor.times(row, two_to(part))
        exponent = exponent - part
    return row


def parts_of_exponential(x: jax.Array) -> tuple[Any, Any]:
    """A modest number and the power of two by which it makes exp(x)."""
    bits = jnp.round(x / math.log(2))
    return jnp.exp(x - bits * math.log(2)), jnp.clip(bits, -_MOST_BITS, _MOST_BITS).astype(int)


def rescaled(*rows: list[jax.Array]) -> tuple[Any, list[list[Any]]]:
    """Expansions that may have grown, divided by a power of two if so; and whether they were."""
    large = functools.reduce(jnp.maximum, (_size(c) for row in rows for c in row))
    (large,) = taylor.once(large)
    grown = large > _BIG
    scale = jnp.where(grown, 1 / _BIG, 1.0)
    return grown, [taylor.times(row, scale) for row in rows]


def _size(c: jax.Array) -> jax.Array:
    """The modulus, or of a complex number its larger part, which compiles to much less."""
    return jnp.maximum(jnp.abs(c.real), jnp.abs(c.imag)) if jnp.iscomplexobj(c) else jnp.abs(c)


def steps_of_macdonald(v: jax.Array, z: jax.Array) -> jax.Array:
    """What the work of `macdonald` grows with: nodes of the integral, and orders."""
    return jnp.abs(v) + jnp.log1p(2 * _NEGLIGIBLE / jnp.maximum(jnp.abs(z), _TINY)) / _STEP


def macdonald(v: jax.Array, z: jax.Array, m: int) -> Macdonald:
    """Expansions to degree m; v >= 0 and Re z >= 0, z not 0.

    Several orders at one argument have one path of integration, if z is not broadcast to them.
    """
    steps = jnp.floor(v)
    first = v - steps
    q = binary_exponent(z)
    here, above = _integrals(first, z, q, m)
    if m == 0:
        here, above = _leading(first, z, q, here, above)
    ratio = over(2 * two_to(q), z)
    square = power_of_two(jnp.ones_like(z.real), 2 * q)

    def unfinished(state: PyTree) -> Any:
        return state[0] < jnp.max(steps, initial=0)

    def step(state: PyTree) -> Any:
        k, here, above, exponent = state
        by = taylor.times(taylor.line(first + k + 1, 1.0, m), ratio)
        following = taylor.plus(taylor.times(here, square), taylor.product(above, by))
        grown, (up, next_up) = rescaled(above, following)
        active = k < steps
        here, above = taylor.where(active, up, here), taylor.where(active, next_up, above)
        exponent = exponent + jnp.where(active, jnp.where(grown, _BITS, 0) - q, 0)
        return k + 1, here, above, exponent

    state = (0.0, here, above, jnp.zeros_like(q + steps.astype(q.dtype)))
    _, here, above, exponent = jax.lax.while_loop(unfinished, step, state)
    return Macdonald(here, above, exponent)


def _integrals(v: jax.Array, z: jax.Array, q: jax.Array, m: int) -> tuple[list[Any], list[Any]]:
    """Of exp(z) K_v and q exp(z) K_{v+1}, for 0 <= v < 1."""
    path = SteepestDescent(z, m)
    # Of each element by itself: its bits do not depend on those beside it.
    n = jnp.maximum(_LEAST_NODES, jnp.ceil(path.end / _STEP))
    log_q = math.log(2) * q

    def add(k: jax.Array, sums: PyTree) -> Any:
        node = path.at(path.end * jnp.minimum(k / n, 1.0))
        weight = jnp.where(k == 0, 0.5, jnp.where(k <= n, 1.0, 0.0)) * node.weight
        even, odd = taylor.even_odd(v, node.t, m)
        cosh, sinh = node.hyperbolic(log_q)
        pairs = zip(even, odd, strict=True)
        return [
            (added(here, weight * e), added(above, weight * (e * cosh + o * sinh)))
            for (here, above), (e, o) in zip(sums, pairs, strict=True)
        ]

    zero = jnp.zeros_like(v * z)
    most = jnp.max(n, initial=_LEAST_NODES)
    start = [((zero, zero), (zero, zero))] * (m + 1)
    sums = jax.lax.fori_loop(0, most.astype(int) + 1, add, start)
    here, above = zip(*((here[0], above[0]) for here, above in sums), strict=True)
    return taylor.times(here, path.end / n), taylor.times(above, path.end / n)


def _leading(
    v: jax.Array, z: jax.Array, q: jax.Array, here: list[Any], above: list[Any]
) -> tuple[list[Any], list[Any]]:
    """The same near z = 0 (DLMF 10.27.4, 10.25.2), where exp(t) has lost digits on a long path."""
    near = jnp.abs(z) < _LEAST
    inside = jnp.where(near, z, _LEAST)
    inverse = over(2.0, inside)
    power = (2 / jnp.abs(inside)) ** v
    if jnp.iscomplexobj(z):
        power = power * jnp.exp(-1j * (v * jnp.angle(inside)))
    first = (1 + z) / (2 * rgamma(v + 1))  # exp(z) K_v
    next_one = first * (power * (inverse * two_to(q)))
    # The second term's factor is large near v = 1, where others cancel it; it is negligible there.
    half = v >= 0.5
    second = jnp.where(v < 0.9, 1 / (2 * rgamma(-jnp.where(half, v, 0.5))), 0.0) / power
    return (
        [jnp.where(half & near, first / jnp.where(half, v, 0.5) * power + second, here[0])],
        [jnp.where(near, next_one, above[0])],
    )


@dataclass
class Node:
    """A point of the path, with z (cosh t - 1) real."""

    s: Any
    t: Any
    weight: Any
    """exp(-z (cosh t - 1)) dt/ds."""
    half: Any
    """sinh(t/2) exp(-s/2)."""
    root: Any
    """cosh(t/2) exp(-s/2)."""

    def hyperbolic(self, log_q: jax.Array) -> tuple[jax.Array, jax.Array]:
        """The products q cosh(t), q sinh(t): they do not overflow where exp(t) does."""
        scale = 2 * jnp.exp(self.s + log_q) * self.half
        return jnp.exp(log_q) + scale * self.half, scale * self.root


class SteepestDescent:
    """The path of the integral for K_v(z), Re z >= 0."""

    def __init__(self, z: jax.Array, m: int) -> None:
        self._size = jnp.abs(z)
        self._complex = jnp.iscomplexobj(z)
        self._direction = (
            _root(over(jnp.conj(z), self._size)) if self._complex else jnp.ones_like(z)
        )

        # At 0 and next to it the quotient is infinite, as all elements' count of nodes would be.
        tiny = self._size < _TINY
        size = jnp.where(tiny, 1.0, self._size)
        log_size = jnp.log(jnp.maximum(self._size, SMALLEST_NORMAL))

        def farther(_: jax.Array, end: jax.Array) -> jax.Array:
            exponent = _NEGLIGIBLE + 2 * m + 2 * end
            y = exponent / size
            end = jnp.log1p(y + jnp.sqrt(y) * jnp.sqrt(2 + y))
            return jnp.where(tiny, jnp.log(2 * exponent) - log_size, end)

        self.end = jax.lax.fori_loop(0, 4, farther, jnp.zeros_like(self._size))
        """Where the integrand is negligible, for orders up to 2 and derivatives up to m."""

    def at(self, s: jax.Array) -> Node:
        """The point of parameter s >= 0."""
        small = jnp.exp(-s)
        half = self._direction * (-jnp.expm1(-s) / 2)
        root = _root(small + half * half)
        decay = jnp.exp(-2 * (jnp.sqrt(self._size) * jnp.sinh(s / 2)) ** 2)
        if not self._complex:
            return Node(s, s, decay, half, root)
        near = s < 1
        x = self._direction * jnp.sinh(jnp.where(near, s, 0.0) / 2)
        close, beyond = taylor.once(x + over(x * x, 1 + _root(1 + x * x)), half + root)
        # Twice the logarithm of 1 + close, or of exp(s/2) beyond.
        a, b, c, d = close.real, close.imag, beyond.real, beyond.imag
        size = jnp.where(near, jnp.log1p(a * (2 + a) + b * b), s + jnp.log(c * c + d * d))
        phase = jnp.arctan2(jnp.where(near, b, d), jnp.where(near, 1 + a, c))
        weight = over(decay * self._direction * ((1 + small) / 2), root)
        return Node(s, *taylor.once(jax.lax.complex(size, 2 * phase), weight, half, root))


def _root(z: jax.Array) -> jax.Array:
    """The square root, where complex numbers have a real part of 0 at least and a modest size."""
    if not jnp.iscomplexobj(z):
        return jnp.sqrt(z)
    modulus = jnp.sqrt(z.real * z.real + z.imag * z.imag)
    (real,) = taylor.once(jnp.sqrt((modulus + z.real) / 2))
    return jax.lax.complex(real, z.imag / (2 * real))
