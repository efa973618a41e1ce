"""Bessel functions next to the ends of the range of doubles, where SciPy's are 0, infinite or NaN.

There the order is large, or z so small that two terms of DLMF 10.2.2, 10.8.1 and 10.25.2 are all.
Large orders have Debye's expansions, of few terms: at v = 1e4 those of such values fall by a factor
of 1e-4, and faster at other orders. Exponents of 700 are rounded, which leaves 13 digits.

Sizes are multiples by 2^200 or 2^-200, so that nothing but the result is beyond the range. G is K,
or -pi/2 Y; where it is as large, J and I of negative orders are G times 2/pi sin(-pi v), and Y of
negative orders is Y of -v times cos(pi v) (DLMF 10.4.5, 10.4.6, 10.27.2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.debye import U
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.half_turns import cosine_of_pi, sine_of_pi
from jaxsci.special._numerics.integers import is_half_integer, is_integer
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.vectorised import is_odd, root_as_divisor

_ROOT_OF_SCALE = 2.0**100
_SMALL_ORDER = 60.0
"""Below it, z is so small that two terms of a power series are all."""
_LARGEST_ORDER = 1e9
_ALMOST_LOST = 1e-270
_RANGE = 680.0
"""Exponentials of more are next to infinity."""
_TURN = 0.6627
"""Up to this z/v K_v(z) outweighs I_v(z), as both overflow."""

Size = Callable[[jax.Array, jax.Array, int], jax.Array]
"""Of order, argument, and sign of z^2: 1 for I and K, -1 for J and Y."""


def _parts(v: jax.Array, z: jax.Array, sign: int) -> tuple[jax.Array, jax.Array]:
    """The root r of v^2 + z^2 or v^2 - z^2, and L (`debye`)."""
    square = v * v + z * z if sign > 0 else (v - z) * (v + z)
    r = jnp.sqrt(jnp.where(square > 0, square, jnp.nan))
    return r, v * jnp.log((v + r) / z) - r


def _rounded_once(logarithm: jax.Array, factor: jax.Array, root_of_scale: float) -> jax.Array:
    half = jnp.exp(logarithm / 2) * root_of_scale
    return factor * half * half


def _sum(v: jax.Array, r: jax.Array, sign: float) -> jax.Array:
    """The sum over k of sign^k U_k(v/r)/v^k."""
    square = (v / r) ** 2
    total = jnp.zeros_like(r)
    for coefficients in reversed(U):
        total = horner(coefficients, square) + sign * total / r
    return total


def _of_decaying(v: jax.Array, z: jax.Array, sign: int) -> jax.Array:
    """2^200 J_v(z), or I."""
    quarter = sign * (z / 2) ** 2
    near = v * jnp.log(z / 2) - jax.lax.lgamma(v + 1)
    r, exponent = _parts(v, z, sign)
    is_near = v < _SMALL_ORDER
    logarithm = jnp.where(is_near, near, -exponent)
    factor = jnp.where(
        is_near, 1 + quarter / (v + 1), _sum(v, r, 1.0) / root_as_divisor(2 * math.pi * r)
    )
    return _rounded_once(logarithm, factor, _ROOT_OF_SCALE)


def _of_growing(v: jax.Array, z: jax.Array, sign: int) -> jax.Array:
    """2^-200 G_v(z), or 0 at orders below 0, which are as nothing beside those above."""
    quarter = sign * (z / 2) ** 2
    near = jax.lax.lgamma(v) - v * jnp.log(z / 2)
    r, exponent = _parts(v, z, sign)
    is_near = v < _SMALL_ORDER
    logarithm = jnp.where(is_near, near, exponent)
    front = jnp.sqrt(math.pi / (2 * r))
    factor = jnp.where(is_near, 0.5 * (1 - quarter / jnp.maximum(v - 1, 1)), front * _sum(v, r, -1))
    return jnp.where(v > 0, _rounded_once(logarithm, factor, 1 / _ROOT_OF_SCALE), 0.0)


def _derivative(
    size: Size, v: jax.Array, z: jax.Array, sign: int, n: int, signs: Sequence[int]
) -> jax.Array:
    """The n-th, by neighbouring orders (DLMF 10.6.7, 10.29.5): ``signs`` are those of the terms."""
    if n == 0:
        return size(v, z, sign)
    v, z = jnp.broadcast_arrays(v, z)
    factors = jnp.asarray([s * math.comb(n, k) * 2.0**-n for k, s in enumerate(signs)])

    def add(j: jax.Array, total: jax.Array) -> jax.Array:
        k = n - j  # for G that of the largest order is largest
        more = factors[k] * size(v - n + 2.0 * k, z, sign)
        return jnp.where(jnp.isinf(total), total, total + more)

    return jax.lax.fori_loop(0, n + 1, add, jnp.zeros_like(z))


def _decaying(v: jax.Array, z: jax.Array, sign: int, n: int) -> jax.Array:
    """The n-th derivative of J or I, of orders above n."""
    signs = [sign**k for k in range(n + 1)]
    return _derivative(_of_decaying, v, z, sign, n, signs) / _ROOT_OF_SCALE / _ROOT_OF_SCALE


def _growing(v: jax.Array, z: jax.Array, sign: int, n: int) -> jax.Array:
    """2^-200 times the n-th derivative of G, of orders above 0."""
    return _derivative(
        _of_growing, v, z, sign, n, [(-1) ** (k if sign < 0 else n) for k in range(n + 1)]
    )


def _scaled_back(factor: jax.Array | float, size: jax.Array) -> jax.Array:
    return factor * size * _ROOT_OF_SCALE * _ROOT_OF_SCALE


def _is_beyond(y: jax.Array, v: jax.Array, z: jax.Array, sign: int) -> jax.Array:
    """Where a value is infinite, or NaN since infinities met."""
    size = jnp.abs(v)
    exponent = _parts(size, jnp.where(z > 0, z, jnp.inf), sign)[1]
    lost = jnp.isnan(y) & ((z < 1) | (exponent > _RANGE) & (z < _TURN * size))
    return (z > 0) & (size < jnp.inf) & (jnp.isinf(y) | lost)


def _of_first_kind(sign: int) -> Repair:
    """Of J (-1) or I (1), or of a derivative whose order is the static argument n."""

    def vanishes(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int) -> jax.Array:
        order = jnp.where(is_integer(v), jnp.abs(v), v)
        inside = (z > 0) & (z < jnp.inf) & ((z < order - n) | (sign > 0))
        # Some of a derivative's terms may be lost.
        lost = jnp.abs(ys[0]) < _ALMOST_LOST if n else ys[0] == 0
        return lost & inside & (order > n) & (order <= _LARGEST_ORDER)

    def grows(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int) -> jax.Array:
        found = _is_beyond(ys[0], v, z, sign) & (z < _TURN * jnp.abs(v))
        if sign > 0 and n == 0:
            found = found | (z == 0)
        return found & (v < 0) & ~is_integer(v)

    def where(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        return vanishes(ys, v, z, n) | grows(ys, v, z, n)

    def formula(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        order = jnp.abs(v)
        small = _decaying(order, z, sign, n)
        if sign < 0:
            small = jnp.where((v < 0) & is_odd(v), -small, small)
        factor = 2 / math.pi * sine_of_pi(order)
        large = _scaled_back(factor, _growing(order, z, sign, n))
        return jnp.where(vanishes(ys, v, z, n), small, large)

    words = "the value is below 1e-270 but SciPy's is 0, or for v < 0 infinite short of overflow"
    return Repair(words, where, formula, costly=True)


def of_j() -> Repair:
    """Of J, or of a derivative whose order is the static argument n."""
    return _of_first_kind(-1)


def of_i() -> Repair:
    """Of I, or of a derivative whose order is the static argument n."""
    return _of_first_kind(1)


def of_y() -> Repair:
    """Of Y, or of a derivative whose order is the static argument n."""

    def is_half(v: jax.Array) -> jax.Array:
        return (v < 0) & is_half_integer(v)

    def where(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        # At half orders it is J of -v, up to a sign, which is 0 where Y of -v is infinite.
        vanishes = is_half(v) & (-v > n) & (_is_beyond(ys[0], v, z, -1) | (z == 0))
        return vanishes | (_is_beyond(ys[0], v, z, -1) & ~is_half(v))

    def formula(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        cosine = jnp.where(v < 0, cosine_of_pi(v), 1.0)
        value = _scaled_back(-2 / math.pi * cosine, _growing(jnp.abs(v), z, -1, n))
        return jnp.where(is_half(v), 0.0, value)

    words = "SciPy's is infinite short of overflow, and for v = -1/2, -3/2, ... next to z = 0"
    return Repair(words, where, formula, costly=True)


def of_k(other: Repair) -> Repair:
    """Of K, or of a derivative whose order is the static argument n.

    Args:
        other: what stands where K vanishes.
    """

    def grows(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array) -> jax.Array:
        return jnp.isinf(ys[0]) & (z > 0) & (v != 0)

    def where(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, **static: int) -> jax.Array:
        return grows(ys, v, z) | other.where(ys, v, z, **static)

    def formula(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, **static: int) -> jax.Array:
        large = _scaled_back(1.0, _growing(jnp.abs(v), z, 1, static.get("n", 0)))
        return jnp.where(grows(ys, v, z), large, other.formula(ys, v, z, **static))

    words = f"SciPy's value is infinite short of overflow, or {other.words}"
    return Repair(words, where, formula, costly=True)
