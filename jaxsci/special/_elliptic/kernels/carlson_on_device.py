"""Carlson's elliptic integrals of real arguments in JAX operations.

A fixed number of duplications (DLMF 19.26), then the series of DLMF 19.36 about equal arguments.
The ratio of two arguments takes its root with each step until it is moderate, and then comes nearer
to 1 by a factor of four; so as many steps do for all numbers that there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._elliptic.kernels import elliptic_tables as tables
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.vectorised import log, root_as_divisor

_STEPS = (14, 9)
_STEPS_OF_RJ = (15, 10)
"""Of double precision and of single."""
_FAR_APART = (1e-40, 1e-20)
"""A ratio of arguments that R_G does not notice."""
_OUT_OF_REACH = (1e100, 1e15)
_HUGE, _SCALE = (2.0**400, 2.0**40), (2.0**200, 2.0**60)
_LARGER = 16.0
"""R_J's last argument is exchanged where it is the largest one by this factor."""


class Integrals(NamedTuple):
    """R_F and R_D of the same arguments."""

    rf: Any
    rd: Any


def _half_roots(*args: jax.Array) -> list[Any]:
    """Half the roots, of which products are quarters (and may be shared, as a root may not)."""
    return [0.5 * jnp.sqrt(x) for x in args]


def _quarter_shift(rx: jax.Array, ry: jax.Array, rz: jax.Array) -> jax.Array:
    """A quarter of the sum of products of the roots (DLMF 19.26.18)."""
    return rx * (ry + rz) + ry * rz


def _first_series(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F of nearly equal arguments (DLMF 19.36.1)."""
    mean = (x + y + z) / 3
    r = shared(1 / mean)
    a, b = r * (mean - x), r * (mean - y)
    c = -a - b
    e2 = a * b - c * c
    e3 = a * b * c
    series = (
        1
        + e2 * (e2 / 24 - 1 / 10 - 3 * e3 / 44 - 5 * e2 * e2 / 208)
        + e3 * (1 / 14 + 3 * e3 / 104 + e2 * e2 / 16)
    )
    return series / root_as_divisor(mean)


def _fifth_series(a: jax.Array, b: jax.Array, c: jax.Array, p: jax.Array) -> jax.Array:
    """What stands beside mean^(-3/2) in R_J, of the distances from the mean (DLMF 19.36.2)."""
    e2 = a * b + a * c + b * c - 3 * p * p
    e3 = a * b * c + 2 * e2 * p + 4 * p * p * p
    e4 = (2 * a * b * c + e2 * p + 3 * p * p * p) * p
    e5 = a * b * c * p * p
    return (
        1
        - 3 * e2 / 14
        + e3 / 6
        + 9 * e2 * e2 / 88
        - 3 * e4 / 22
        - 9 * e2 * e3 / 52
        + 3 * e5 / 26
        - e2 * e2 * e2 / 16
        + 3 * e3 * e3 / 40
        + 3 * e2 * e4 / 20
        + 45 * e2 * e2 * e3 / 272
        - 9 * (e3 * e4 + e2 * e5) / 68
    )


def rf(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F(x, y, z) of numbers that are not negative, of which one may be 0."""
    for _ in range(by_precision(x, *_STEPS)):
        shift = _quarter_shift(*_half_roots(x, y, z))
        x, y, z = 0.25 * x + shift, 0.25 * y + shift, 0.25 * z + shift
    return _first_series(x, y, z)


def rf_and_rd(x: jax.Array, y: jax.Array, z: jax.Array, by: Any = 1.0) -> Integrals:
    """R_F(x, y, z) and R_D(x, y, z)/by of numbers that are not negative; x or y may be 0."""
    total: Any = 0.0
    weight = 3.0
    for _ in range(by_precision(x, *_STEPS)):
        rx, ry, rz = _half_roots(x, y, z)
        shift = _quarter_shift(rx, ry, rz)
        x, y, z = 0.25 * x + shift, 0.25 * y + shift, 0.25 * z + shift
        total = total + 0.125 * weight / (by * rz * z)
        weight /= 4
    mean = (x + y + 3 * z) / 5
    r = shared(1 / mean)
    a, b = r * (mean - x), r * (mean - y)
    c = -(a + b) / 3
    rest = weight / 3 * _fifth_series(a, b, c, c) / (by * jnp.sqrt(mean) * mean)
    return Integrals(_first_series(x, y, z), total + rest)


def rc(x: jax.Array, y: jax.Array) -> jax.Array:
    """R_C(x, y) for x >= 0 and y > 0 (DLMF 19.2.18, 19.2.19)."""
    out_of_reach = by_precision(x, *_OUT_OF_REACH)
    rx, rest = shared(jnp.sqrt(x)), shared(jnp.sqrt(jnp.abs(y - x)))
    circular = jnp.arctan2(rest, rx)
    s = shared(rest / jnp.where(x > y, rx, 1.0))
    hyperbolic = 0.5 * log1p(2 * s * (1 + s) * jnp.minimum(x / y, out_of_reach))
    # The quotient may be too large a number; that of the roots is not.
    hyperbolic = jnp.where(x / y < out_of_reach, hyperbolic, log(2 * (rx / root_as_divisor(y))))
    value = jnp.where(x < y, circular, hyperbolic) / jnp.where(x == y, 1.0, rest)
    return jnp.where(x == y, 1 / rx, value)


def _of(function: Any, inside: Any, outside: Any, *args: jax.Array) -> jax.Array:
    """The function where it is wanted, and something else where not."""
    safe = [jnp.where(inside, t, 1.0) for t in args]
    return jnp.where(inside, function(*safe), outside)


def _any_nan(*args: jax.Array) -> jax.Array:
    found = jnp.isnan(args[0])
    for t in args[1:]:
        found = found | jnp.isnan(t)
    return found


def in_order(x: jax.Array, y: jax.Array, z: jax.Array) -> tuple[Any, Any, Any]:
    """The lowest, the middle and the highest one."""
    below, above = jnp.minimum(x, y), jnp.maximum(x, y)
    return (
        jnp.minimum(below, z),
        jnp.maximum(below, jnp.minimum(above, z)),
        jnp.maximum(above, z),
    )


@device_kernel(ulps=4, single=5)
def elliprc(x: jax.Array, y: jax.Array) -> jax.Array:
    """R_C(x, y), Cauchy's principal value for y < 0 (DLMF 19.2.20)."""
    cut = y < 0
    # Halves, because the difference of two numbers may be infinite where neither is.
    first = jnp.where(cut, 0.25 * x - 0.25 * y, 0.25 * x)
    factor = 0.5 * jnp.where(cut, jnp.sqrt(0.25 * x) / root_as_divisor(first), 1.0)
    second = 0.25 * jnp.abs(y)
    inside = (x >= 0) & (y != 0) & (first < jnp.inf) & (second < jnp.inf)
    value = factor * _of(rc, inside, 0.0, first, second)
    undefined = ~(x >= 0) | (y == 0) | jnp.isnan(y) | (cut & (x == jnp.inf))
    return jnp.where(undefined, jnp.nan, value)


@device_kernel(ulps=5, single=5)
def elliprf(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_F(x, y, z)."""
    low, middle, high = in_order(x, y, z)
    value = _of(rf, (low >= 0) & (middle > 0) & (high < jnp.inf), jnp.inf, low, middle, high)
    value = jnp.where(high == jnp.inf, 0.0, value)
    return jnp.where((low < 0) | _any_nan(x, y, z), jnp.nan, value)


def _rd(x: jax.Array, y: jax.Array, z: jax.Array) -> Any:
    # The terms' sizes are powers -3/2 of the arguments, and so out of range before the result is.
    huge, scale = by_precision(z, *_HUGE), by_precision(z, *_SCALE)
    size = jnp.maximum(y, z)
    by = jnp.where(size > huge, 1 / scale, jnp.where(size < 1 / huge, scale, 1.0))
    return rf_and_rd(x, y, z, by).rd * by


@device_kernel(ulps=5, single=5)
def elliprd(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_D(x, y, z)."""
    low, high = jnp.minimum(x, y), jnp.maximum(x, y)
    inside = (low >= 0) & (high > 0) & (high < jnp.inf) & (z > 0) & (z < jnp.inf)
    value = _of(_rd, inside, jnp.inf, low, high, z)
    value = jnp.where((z != 0) & (jnp.maximum(high, z) == jnp.inf), 0.0, value)
    return jnp.where((low < 0) | (z < 0) | _any_nan(x, y, z), jnp.nan, value)


@device_kernel(ulps=6, single=5)
def elliprg(x: jax.Array, y: jax.Array, z: jax.Array) -> jax.Array:
    """R_G(x, y, z), by DLMF 19.21.10 with the middle one in the place of z: nothing cancels."""
    low, middle, high = in_order(x, y, z)
    inside = (low >= 0) & (middle > by_precision(x, *_FAR_APART) * high) & (high < jnp.inf)

    def of_ordered(low: jax.Array, middle: jax.Array, high: jax.Array) -> Any:
        a, b = shared(low / high), shared(middle / high)
        parts = rf_and_rd(a, jnp.ones_like(a), b)
        crossed = (b - a) * (1 - b) * parts.rd / 3
        return 0.5 * jnp.sqrt(high) * (b * parts.rf + crossed + jnp.sqrt(a / b))

    value = _of(of_ordered, inside, 0.5 * jnp.sqrt(jnp.abs(high)), low, middle, high)
    return jnp.where((low < 0) | _any_nan(x, y, z), jnp.nan, value)


# -- the third kind --------------------------------------------------------------------------------


def _rc_from_one(w: jax.Array) -> jax.Array:
    """R_C(1, w) for 0 < w < 2."""
    # One duplication brings w from [1/2, 2] nearer to 1 than 0.172.
    root = shared(jnp.sqrt(jnp.maximum(w, 0.5)))
    scale = shared(2 / (1 + root))
    near = scale * tables.RC(root * scale - 1)
    far = jnp.minimum(w, 0.5)
    s = shared(jnp.sqrt(1 - far))
    return jnp.where(w < 0.5, 0.5 * log((1 + s) ** 2 / far) / s, near)


def rf_and_rj(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> tuple[Any, Any]:
    """R_F and R_J of positive numbers; x may be 0, p is not the largest by far."""
    total: Any = 0.0
    weight = 6.0
    for _ in range(by_precision(x, *_STEPS_OF_RJ)):
        rx, ry, rz, rp = _half_roots(x, y, z, p)
        shift = _quarter_shift(rx, ry, rz)
        x, y, z, p = (0.25 * t + shift for t in (x, y, z, p))
        r = shared(1 / ((rp + rx) * (rp + ry) * (rp + rz)))
        total = total + 0.125 * weight * r * _rc_from_one(shared(2 * rp * p * r))
        weight /= 4
    mean = (x + y + z + 2 * p) / 5
    r = shared(1 / mean)
    a, b, c = r * (mean - x), r * (mean - y), r * (mean - z)
    rest = weight / 6 * _fifth_series(a, b, c, -(a + b + c) / 2) / (mean * jnp.sqrt(mean))
    return _first_series(x, y, z), total + rest


def _rj(low: jax.Array, middle: jax.Array, high: jax.Array, p: jax.Array) -> jax.Array:
    """R_J of ordered numbers, and p of either sign.

    One that is negative or the largest by far is exchanged for one in the range of the others
    (DLMF 19.20.14, 19.21.12); R_F and R_C then take part in the result.
    """
    size = shared(1 / high)
    x, y, across = low * size, middle * size, jnp.abs(p) * size
    cut, large = p < 0, p > _LARGER * high
    # Of the negative one: p' - y; of the large one: p' - x. Differences before they are scaled: a
    # compiler that contracts would leave what rounding takes from a product.
    apart, beyond = (middle - low) * size, (jnp.abs(p) - low) * size
    excess = jnp.where(
        cut, apart * (1 - y) / (y + across), apart * (1 - x) / jnp.where(large, beyond, 1.0)
    )
    inside = jnp.where(cut, y + excess, jnp.where(large, x + excess, across))
    excess, inside = shared(excess), shared(inside)
    rf, rj = rf_and_rj(x, y, jnp.ones_like(x), inside)
    # sqrt(xyz/s) R_C(s, p'q) with s = xz + p'q, and sqrt(x/(yz)) R_C(1, pp'/(yz)).
    product = inside * across
    under = jnp.where(cut, 1 / (1 + x / product), product / y)
    factor = jnp.where(cut, jnp.sqrt(x * y) / (x + product), jnp.sqrt(x / y))
    last = factor * rc(jnp.ones_like(x), jnp.where(cut | large, under, 1.0))
    scaled = jnp.where(
        cut, excess * rj + 3 * (last - rf), jnp.where(large, 3 * (rf - last) - excess * rj, rj)
    )
    over = jnp.where(cut, middle - p, jnp.where(large, p - low, high))
    return scaled * jnp.sqrt(size) / over


@device_kernel(
    ulps=20,
    envelope="elliprf(x, y, z)/(max(min(x, y), min(max(x, y), z)) - p) "
    "if p < 0 <= min(x, y, z) else 0",
)
def elliprj(x: jax.Array, y: jax.Array, z: jax.Array, p: jax.Array) -> jax.Array:
    """R_J(x, y, z, p), Cauchy's principal value for p < 0."""
    low, middle, high = in_order(x, y, z)
    inside = (low >= 0) & (middle > 0) & (high < jnp.inf) & (p != 0) & (jnp.abs(p) < jnp.inf)
    value = _of(_rj, inside, jnp.inf, low, middle, high, p)
    infinite = jnp.maximum(high, jnp.abs(p)) == jnp.inf
    value = jnp.where(infinite & ((middle > 0) | (p == 0)), 0.0, value)
    undefined = (low < 0) | ((p == 0) & (high < jnp.inf)) | _any_nan(x, y, z, p)
    return jnp.where(undefined, jnp.nan, value)
