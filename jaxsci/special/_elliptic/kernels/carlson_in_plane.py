"""Carlson's elliptic integrals of complex arguments in JAX operations.

Duplications (DLMF 19.26) as of real ones, in a fixed number: they also halve the angles between the
arguments, which lie in the plane cut along its negative real axis.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._elliptic.kernels.carlson_on_device import in_order
from jaxsci.special._elliptic.kernels.carlson_on_device import rc as real_rc
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.plane import over, square_root
from jaxsci.special._numerics.shared import at_once

_STEPS = 16
_SERIES_OF_RC = 0.3, 14
"""How far from 1 R_C(1, w) is a series, after a duplication; and how many terms it has."""
_RANGE = (1e-80, 1e80), (1e-10, 1e10)
"""Sizes whose powers are numbers, in double precision and in single; others are scaled, for the
functions are homogeneous."""
_SCALE = (400, 40)
"""By which power of 2, a multiple of 4."""


def _roots(*args: jax.Array) -> list[jax.Array]:
    return at_once(square_root, *args)


def _shifted(*args: jax.Array) -> tuple[list[jax.Array], list[jax.Array]]:
    """The arguments after a duplication, and their roots before it."""
    rx, ry, rz = _roots(*args)
    shift = 0.25 * (rx * (ry + rz) + ry * rz)
    return [0.25 * x + shift for x in args], [rx, ry, rz]


def _loop(first: tuple[Any, ...], step: Any) -> tuple[Any, ...]:
    return jax.lax.fori_loop(0, _STEPS, lambda _, state: step(*state), first)


def rf(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F(x, y, z)."""
    x, y, z = _loop((x, y, z), lambda *args: tuple(_shifted(*args)[0]))
    return _first_series(x, y, z)


def _first_series(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F of nearly equal arguments (DLMF 19.36.1)."""
    mean = (x + y + z) * (1 / 3)
    inverse = over(1.0, mean)
    a, b = (mean - x) * inverse, (mean - y) * inverse
    c = -a - b
    e2 = a * b - c * c
    e3 = a * b * c
    series = 1 + e2 * (e2 * (1 / 24) - 1 / 10 - e3 * (3 / 44)) + e3 * (1 / 14)
    return over(series, square_root(mean))


def rd(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_D(x, y, z)."""

    def step(x: Any, y: Any, z: Any, total: Any, weight: Any) -> tuple[Any, ...]:
        after, (_, _, root) = _shifted(x, y, z)
        return *after, total + over(weight, root * after[2]), 0.25 * weight

    weight = jnp.full_like(x.real, 0.75)
    x, y, z, total, weight = _loop((x, y, z, jnp.zeros_like(x), weight), step)
    return total + 4 / 3 * weight * _last_of_rd(x, y, z)


def _last_of_rd(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_D of nearly equal arguments (DLMF 19.36.2)."""
    mean = (x + y + 3 * z) * 0.2
    inverse = over(1.0, mean)
    a, b = (mean - x) * inverse, (mean - y) * inverse
    c = (a + b) * (-1 / 3)
    e2 = a * b - 6 * c * c
    e3 = (3 * a * b - 8 * c * c) * c
    e4 = 3 * (a * b - c * c) * c * c
    series = 1 - e2 * (3 / 14) + e3 * (1 / 6) + e2 * e2 * (9 / 88) - e4 * (3 / 22)
    return over(series, mean * square_root(mean))


def rg(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_G(x, y, z), of which one may be 0: a sum of three R_D (DLMF 19.21.11)."""
    first = (x, y, z)

    def step(x: Any, y: Any, z: Any, a: Any, b: Any, c: Any, weight: Any) -> tuple[Any, ...]:
        after, roots = _shifted(x, y, z)
        # Of R_D(.., .., 0), which is infinite, nothing is left beside the 0.
        sums = [
            total + over(weight, jnp.where(root == 0, 1.0, root) * moved)
            for total, root, moved in zip((a, b, c), roots, after, strict=True)
        ]
        return *after, *sums, 0.25 * weight

    nothing, weight = jnp.zeros_like(x), jnp.full_like(x.real, 0.75)
    x, y, z, *sums, weight = _loop((x, y, z, nothing, nothing, nothing, weight), step)
    last = 4 / 3 * weight
    total = nothing
    for i, moved in enumerate(((y, z, x), (z, x, y), (x, y, z))):
        others = first[(i + 1) % 3] + first[(i + 2) % 3]
        total = total + first[i] * others * (sums[i] + last * _last_of_rd(*moved))
    return total * (1 / 6)


def _rc_from_one(w: jax.Array) -> jax.Array:
    """R_C(1, w) off the cut (DLMF 19.2.18)."""
    reach, terms = _SERIES_OF_RC
    near = _size(w - 1) < reach
    root = square_root(jnp.where(near, w, 1.0))
    scale = over(2.0, 1 + root)
    rest = 0.5 * (1 - root) * scale  # 1 - 2 root/(1 + root)
    series = jnp.zeros_like(w)
    for k in range(terms, -1, -1):
        series = series * rest + 1 / (2 * k + 1)
    far = jnp.where(near, 0.25, w)
    s = square_root(1 - far)
    logarithm = over(jnp.log(1 + s) - 0.5 * jnp.log(far), s)
    return jnp.where(near, scale * series, logarithm)


def rf_and_rj(
    x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """R_F and R_J, of which x, y or z may be 0, by as many steps as each element needs.

    A p that is the largest one by far comes nearer to the others by a factor of four only.
    """
    most = jnp.maximum(jnp.maximum(_size(x), _size(y)), _size(z))
    ratio = jnp.clip(_size(p) / most, 1.0, 1e300)
    steps = jnp.ceil(_STEPS + jnp.log(ratio) / jnp.log(4.0))

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        n, x, y, z, p, total, weight = state
        here = n < steps
        rx, ry, rz, rp = _roots(x, y, z, p)
        shift = 0.25 * (rx * (ry + rz) + ry * rz)
        *after, moved = (0.25 * t + shift for t in (x, y, z, p))
        d = (rp + rx) * (rp + ry) * (rp + rz)
        inverse = over(1.0, d)
        sums = total + weight * inverse * _rc_from_one(8 * rp * moved * inverse)
        new = (*after, moved, sums)
        old = (x, y, z, p, total)
        kept = [jnp.where(here, a, b) for a, b in zip(new, old, strict=True)]
        return n + 1, *kept, jnp.where(here, 0.25 * weight, weight)

    start = jnp.zeros(()), x, y, z, p, jnp.zeros_like(x), jnp.full_like(x.real, 6.0)
    most_steps = jnp.max(steps, initial=0.0)
    _, x, y, z, p, total, weight = jax.lax.while_loop(
        lambda state: state[0] < most_steps, step, start
    )
    mean = (x + y + z + 2 * p) * 0.2
    inverse = over(1.0, mean)
    a, b, c = ((mean - t) * inverse for t in (x, y, z))
    e = (a + b + c) * -0.5
    e2 = a * b + a * c + b * c - 3 * e * e
    e3 = a * b * c + 2 * e2 * e + 4 * e * e * e
    e4 = (2 * a * b * c + e2 * e + 3 * e * e * e) * e
    # DLMF 19.36.2
    series = 1 - e2 * (3 / 14) + e3 * (1 / 6) + e2 * e2 * (9 / 88) - e4 * (3 / 22)
    rest = over(weight / 6 * series, mean * square_root(mean))
    return _first_series(x, y, z), total + rest


def _on_cut(*args: jax.Array) -> jax.Array:
    """Whether an argument is a negative number, or none."""
    found = jnp.zeros((), bool)
    for x in args:
        found = found | (x.imag == 0) & (x.real < 0) | jnp.isnan(x.real) | jnp.isnan(x.imag)
    return found


def _size(x: jax.Array) -> jax.Array:
    return jnp.maximum(jnp.abs(x.real), jnp.abs(x.imag))


def _scaled(function: Any, power: float, inside: Any, *args: jax.Array) -> jax.Array:
    """A homogeneous function of numbers of such a size that their powers are numbers.

    Args:
        function: of the arguments.
        power: its degree, a half of an odd number below 0.
        inside: where it is to be called.
        args: its arguments.
    """
    args = tuple(jnp.where(inside, x, 1.0) for x in jnp.broadcast_arrays(*args))
    most = jnp.maximum(_size(args[0]), _size(args[1]))
    for x in args[2:]:
        most = jnp.maximum(most, _size(x))
    least, largest = by_precision(most, *_RANGE)
    exponent = by_precision(most, *_SCALE)
    up, down = 2.0**exponent, 2.0**-exponent
    by = jnp.where(most < least, up, jnp.where(most > largest, down, 1.0))
    value = function(*(jax.lax.complex(x.real * by, x.imag * by) for x in args))
    # The power of a power of 2, in two parts that are numbers.
    raised = jnp.where(most < least, 2.0 ** (-0.5 * exponent * power), 1.0)
    raised = jnp.where(most > largest, 2.0 ** (0.5 * exponent * power), raised)
    for _ in range(2):
        value = jax.lax.complex(value.real * raised, value.imag * raised)
    return value


@device_kernel(ulps=12, single=7)
def elliprf(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F(x, y, z)."""
    x, y, z = jnp.broadcast_arrays(x, y, z)
    zeros = sum((t == 0).astype(int) for t in (x, y, z))
    infinite = jnp.maximum(jnp.maximum(_size(x), _size(y)), _size(z)) == jnp.inf
    cut = _on_cut(x, y, z)
    value = _scaled(rf, -0.5, ~(cut | infinite | (zeros > 1)), x, y, z)
    value = jnp.where(infinite, 0.0, jnp.where(zeros > 1, jnp.inf, value))
    return jnp.where(cut, jnp.nan, value)


@device_kernel(ulps=12, single=7)
def elliprd(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_D(x, y, z)."""
    x, y, z = jnp.broadcast_arrays(x, y, z)
    infinite = jnp.maximum(jnp.maximum(_size(x), _size(y)), _size(z)) == jnp.inf
    cut = _on_cut(x, y, z)
    pole = (z == 0) | (x == 0) & (y == 0)
    value = _scaled(rd, -1.5, ~(cut | infinite | pole), x, y, z)
    value = jnp.where(infinite & (z != 0), 0.0, jnp.where(pole, jnp.inf, value))
    return jnp.where(cut, jnp.nan, value)


@device_kernel(ulps=12, conditioned=True, single=7)
def elliprc(x: jax.Array, y: jax.Array) -> jax.Array:
    """R_C(x, y) = R_F(x, y, y), Cauchy's principal value for y < 0 (DLMF 19.2.20)."""
    x, y = jnp.broadcast_arrays(x, y)
    turned = (y.imag == 0) & (y.real < 0)
    first, second = jnp.where(turned, x - y, x), jnp.where(turned, -y, y)
    infinite = jnp.maximum(_size(x), _size(y)) == jnp.inf
    none = _on_cut(x) | jnp.isnan(y.real) | jnp.isnan(y.imag) | (y == 0)
    value = _scaled(lambda x, y: rf(x, y, y), -0.5, ~(none | infinite), first, second)
    value = jnp.where(infinite, 0.0, value)
    return jnp.where(none, jnp.nan, jnp.where(turned, _quotient(x, first) * value, value))


def _quotient(x: jax.Array, y: jax.Array) -> jax.Array:
    """sqrt(x/y), where y is x and a positive number."""
    return over(square_root(x), square_root(jnp.where(y == 0, 1.0, y)))


@device_kernel(ulps=8, conditioned=True, single=7)
def elliprg(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_G(x, y, z)."""
    x, y, z = jnp.broadcast_arrays(x, y, z)
    zeros = sum((t == 0).astype(int) for t in (x, y, z))
    infinite = jnp.maximum(jnp.maximum(_size(x), _size(y)), _size(z)) == jnp.inf
    cut = _on_cut(x, y, z)
    value = _scaled(rg, 0.5, ~(cut | infinite | (zeros > 1)), x, y, z)
    # Of two zeros the other one is left.
    value = jnp.where(zeros > 1, 0.5 * square_root(jnp.where(infinite, 0.0, x + y + z)), value)
    return jnp.where(cut, jnp.nan, jnp.where(infinite, jnp.inf, value))


def _is_one(*args: jax.Array) -> jax.Array:
    """Whether all numbers are real."""
    found = jnp.ones((), bool)
    for x in args:
        found = found & (x.imag == 0)
    return found


def _are_conjugate(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """Whether two are conjugate numbers, and the third one is positive or 0."""
    return (x.imag == -y.imag) & (x.real == y.real) & (x != 0) & (z.imag == 0) & (z.real >= 0)


def converges(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> jax.Array:
    """Where duplications of R_J are known to end at its value (B. C. Carlson, 1995)."""
    right = (x.real >= 0) & (y.real >= 0) & (z.real >= 0)
    pairs = _are_conjugate(x, y, z) | _are_conjugate(y, z, x) | _are_conjugate(z, x, y)
    uncut = ~((p.imag == 0) & (p.real <= 0))
    return right & (p.real > 0) | uncut & (right & _is_one(x, y, z) | pairs)


def _rj(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> jax.Array:
    """R_J, or Cauchy's principal value (DLMF 19.20.14)."""
    cut = _is_one(x, y, z, p) & (p.real < 0)
    low, middle, high = in_order(x.real, y.real, z.real)
    q = jnp.where(cut, -p.real, 1.0)
    low, middle, high = (jnp.where(cut, t, 1.0) for t in (low, middle, high))
    beside = middle + q
    excess = (middle - low) * (high - middle) / beside
    inside = middle + excess
    rf, rj = rf_and_rj(x, y, z, jnp.where(cut, inside, p))
    product = inside * q
    under = low * high + product
    # Sqrt(xyz/s) R_C(s, p'q) with s = xz + p'q.
    last = jnp.sqrt(low * middle * high / under) * real_rc(under, product)
    return jnp.where(cut, (excess * rj + 3 * (last - rf)) / beside, rj)


@device_kernel(ulps=12, conditioned=True)
def elliprj(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> jax.Array:
    """R_J(x, y, z, p), where duplications end at it."""
    x, y, z, p = jnp.broadcast_arrays(x, y, z, p)
    zeros = sum((t == 0).astype(int) for t in (x, y, z))
    most = jnp.maximum(jnp.maximum(_size(x), _size(y)), jnp.maximum(_size(z), _size(p)))
    principal = _is_one(x, y, z, p) & (p.real < 0)
    none = _on_cut(x, y, z) | jnp.isnan(p.real) | jnp.isnan(p.imag) | (p == 0)
    none = none | ~(converges(x, y, z, p) | principal)
    infinite = most == jnp.inf
    value = _scaled(_rj, -1.5, ~(none | infinite | (zeros > 1)), x, y, z, p)
    value = jnp.where(infinite, 0.0, jnp.where(zeros > 1, jnp.inf, value))
    return jnp.where(none, jnp.nan, value)
