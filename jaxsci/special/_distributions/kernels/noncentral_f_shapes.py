"""The non-central F distribution's derivatives in its degrees of freedom, by a contour.

With a = dfn/2, b = dfd/2, mu = nc/2 and c = a f/b the distribution function is the probability that
X <= c Y, where X and Y have gamma distributions of shapes a, non-central, and b. From their Laplace
transforms (Johnson, Kotz & Balakrishnan 1995, 29.5), as in `noncentral_chi_square`,

    F = 1/(2 pi i) integral of exp(mu (1/z - 1)) z^-a (1 - c (z - 1))^-b dz/(z - 1)

between 1 and the branch point 1 + 1/c. With p = 1/(1 - c (z - 1)) the logarithm of the integrand
has the derivatives

    -ln z + f (z - 1) p    in a,    -(p - 1 - ln p)    in b,

at constant f. Both are zero at z = 1, so that the pole is gone, and the path may pass through the
saddle point z0 of the exponential function, where nothing cancels: either tail has all its digits.
The second is a double zero, and so is the first one for f = 1: entirely in doubles, for large
degrees of freedom.

The saddle point is that of the shapes s = a + 1 and t = b + 1, which keeps it away from both branch
points. With w = z/z0, g = p(z0)/p(z), B = mu/z0 and P = (s + B)/t we have P w + g = P + 1. The path
is a parabola around the branch point of the larger exponent: w = (1 + i v)^2 where P <= 1, else
g = (1 - i v)^2. With r = v^2 and Q = min(P, 1/P) the other one is 1 + Q (r -+ 2 i v). On it |w| and
|g| grow, and the midpoint rule converges geometrically.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.types import PyTree
from jaxsci.special._distributions.kernels.noncentral_chi_square import less_arctangent
from jaxsci.special._incomplete.kernels.densities import complement, proportion
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.bell_polynomials import of_exponential, orders_up_to
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.expm1_minus_x import expm1_minus_x
from jaxsci.special._numerics.vectorised import root_as_divisor

_STEP = 0.1
_STEP_OF_WIDTH = 0.3
_AT_ONCE = 4
_FALL = 40.0
_FALL_PER_ORDER = 3.0
_HALVINGS = 14
_FARTHEST = 9.6
"""Up to there the path is followed, v being 1e130 or so."""
_BEND = 0.04
_GONE = 800.0
_SERIES_TERMS = 14


class _Saddle(NamedTuple):
    """The saddle point and what belongs to it."""

    s: Any
    t: Any
    log_y: Any  # y = 1/z0
    h: Any  # y - 1
    log_k: Any  # the logarithm of 1 - c (z0 - 1)
    big_b: Any
    big_p: Any
    exponent: Any


class _Place(NamedTuple):
    """A place on the path: z - 1, ln z, ln p, p and 1/z."""

    omega: Any
    log_z: Any
    log_p: Any
    p: Any
    over_z: Any


def _saddle(
    a: jax.Array, b: jax.Array, mu: jax.Array, f: jax.Array, x: jax.Array, q: jax.Array
) -> _Saddle:
    s, t = a + 1, b + 1
    root = jnp.hypot(s + mu * x, 2 * jnp.sqrt(mu) * jnp.sqrt(t * x))
    h = -2 * (mu * q + (a * q * (1 - f) + (q - x))) / ((2 * mu + s - mu * x) + root)
    linear = s - mu * x
    forward = linear > 0
    y = jnp.where(
        forward,
        2 * (s + t) * x / jnp.where(forward, linear + root, 1.0),
        (root - linear) / jnp.where(forward, 1.0, 2 * mu),
    )
    near = jnp.abs(h) < 0.25
    log_y = jnp.where(near, jnp.log1p(jnp.where(near, h, 0.0)), jnp.log(y))
    h = jnp.where(near, h, y - 1)
    big_b = mu * y
    big_p = (s + big_b) / t
    k = x / q * h / y
    close = jnp.abs(k) < 0.25
    far = -jnp.log(q) - jnp.log1p(big_p)
    log_k = jnp.where(close, jnp.log1p(jnp.where(close, k, 0.0)), far)
    fall = (jnp.sqrt(mu) * h) ** 2 + s * expm1_minus_x(log_y) + t * expm1_minus_x(-log_k)
    return _Saddle(s, t, log_y, h, log_k, big_b, big_p, log_k - log_y - fall)


@tower("differentiated under the contour integral", a="m", b="n", f="i", mu="j")
def noncentral_f_in_shapes(
    a: jax.Array,
    b: jax.Array,
    mu: jax.Array,
    f: jax.Array,
    *,
    m: int,
    n: int,
    i: int = 0,
    j: int = 0,
) -> jax.Array:
    """(d/da)^m (d/db)^n (d/df)^i (d/dmu)^j of the distribution function, for m + n >= 1."""
    a, b, mu, f = jnp.broadcast_arrays(a, b, mu, f)
    a_given, f_given = a, f
    shapes = (a > 0) & (b > 0) & jnp.isfinite(a) & jnp.isfinite(b) & (mu >= 0) & jnp.isfinite(mu)
    x, q = proportion(a / b * f), complement(a / b * f)
    regular = shapes & (x > 0) & (q > 0)
    a, b, mu, f = (jnp.where(regular, z, 1.0) for z in (a, b, mu, f))
    x, q = jnp.where(regular, x, 0.5), jnp.where(regular, q, 0.5)
    end, intervals = _extent(_path(a, b, mu, f, x, q), m + n + i + j)

    def of_block(*at: jax.Array) -> jax.Array:
        return _contour(*at, orders=(m, n, i, j))

    value = by_blocks(of_block, a, b, mu, f, x, q, end, steps=intervals)
    # At f = 0 it is f^(a-i) times powers of ln f, where i counts.
    at_zero = shapes & (f_given == 0) & ((a_given > i) | (i == 0))
    ends = at_zero | (shapes & (f_given == jnp.inf))
    return jnp.where(regular, value, jnp.where(ends, 0.0, jnp.nan))


class _Path(NamedTuple):
    """The parabola, and the exponents along it."""

    at: _Saddle
    left: Any
    big_q: Any
    inner: Any
    outer: Any
    scale: Any
    widest: Any

    def __call__(self, y: jax.Array) -> tuple[jax.Array, jax.Array]:
        """V, and its derivative in y."""
        u = y + _BEND * jnp.sinh(y)
        return (
            self.scale * jnp.sinh(u),
            self.scale * jnp.cosh(u) * (1 + _BEND * jnp.cosh(y)),
        )

    def growth(self, v: jax.Array) -> tuple[jax.Array, ...]:
        """Ln of |w| and |g|, the square's first; the other's tangent and 1/size; the fall by B."""
        r, big_q = v * v, self.big_q
        ratio = 2 * big_q * v / (1 + big_q * r)
        first = jnp.log1p(r)
        second = jnp.log1p(big_q * r) + jnp.log1p(ratio * ratio) / 2
        back = 1 / ((1 + big_q * r) * jnp.sqrt(1 + ratio * ratio))
        # 1 - Re(1/w), in products that do not overflow.
        straight = r / (1 + r) * ((3 + r) / (1 + r))
        bent = big_q * r * back * ((1 + 4 * big_q + big_q * r) * back)
        return first, second, ratio, back, self.at.big_b * jnp.where(self.left, straight, bent)


def _path(
    a: jax.Array, b: jax.Array, mu: jax.Array, f: jax.Array, x: jax.Array, q: jax.Array
) -> _Path:
    at = _saddle(a, b, mu, f, x, q)
    left = at.big_p <= 1
    big_q = jnp.where(left, at.big_p, 1 / at.big_p)
    inner, outer = jnp.where(left, a, b), jnp.where(left, b, a)
    curvature = inner + 1 + (outer + 1) * big_q * (1 + 2 * big_q)
    curvature = curvature + at.big_b * jnp.where(left, 3.0, big_q * (1 + 4 * big_q))
    # How far the nearest branch point is: P w + g = P + 1.
    scale = jnp.minimum(1.0, jnp.sqrt(1 + 1 / big_q) - 1)
    widest = jnp.minimum(_STEP, _STEP_OF_WIDTH / (scale * jnp.sqrt(curvature)))
    return _Path(at, left, big_q, inner, outer, scale, widest)


def _extent(path: _Path, orders: int) -> tuple[jax.Array, jax.Array]:
    """How far the path is followed, and in how many intervals."""
    enough = _FALL + _FALL_PER_ORDER * orders

    def halve(_: jax.Array, bounds: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        low, high = bounds
        middle = (low + high) / 2
        first, second, _, _, by_b = path.growth(path(middle)[0])
        far = path.inner * first + path.outer * second + by_b > enough
        return jnp.where(far, low, middle), jnp.where(far, middle, high)

    most = jnp.full_like(path.scale, _FARTHEST)
    start = jnp.zeros_like(path.scale), most
    end = jax.lax.fori_loop(0, _HALVINGS, halve, start)[1]
    return end, jnp.ceil(end / path.widest)


def _contour(
    a: jax.Array,
    b: jax.Array,
    mu: jax.Array,
    f: jax.Array,
    x: jax.Array,
    q: jax.Array,
    end: jax.Array,
    orders: tuple[int, int, int, int],
) -> jax.Array:
    """The integral at regular arguments, where x = a f/(b + a f) and q = 1 - x."""
    m, n, i, j = orders
    path = _path(a, b, mu, f, x, q)
    at, left, big_q, inner, outer, _, _ = path
    inner_s, outer_s = inner + 1, outer + 1
    c, z0 = x / q, jnp.exp(-at.log_y)
    over_z0, over_k = jnp.exp(at.log_y), jnp.exp(-at.log_k)
    intervals = jnp.ceil(end / path.widest)
    step = end / intervals
    along = jnp.arange(_AT_ONCE).reshape((-1,) + (1,) * jnp.ndim(step))
    side = jnp.where(left, 1.0, -1.0)

    def add(block: jax.Array, total: jax.Array) -> jax.Array:
        number = block * _AT_ONCE + along
        v, dv = path((jnp.minimum(number, intervals) + 0.5) * step)
        r = v * v
        first, second, ratio, back, by_b = path.growth(v)
        size = jnp.exp(-(inner * first + outer * second + by_b))
        rest, other_rest = less_arctangent(v), less_arctangent(ratio)
        angle, other = 2 * jnp.arctan(v), jnp.arctan(ratio)
        # Near the saddle point what the linear terms leave, which cancel.
        straight = 2 * r / (1 + r) * ((2 + r) / (1 + r))
        bent = 2 * big_q * big_q * r * back * ((2 + 4 * big_q + big_q * r) * back)
        near = at.big_b * v * jnp.where(left, straight, bent) + side * (
            2 * inner_s * rest - outer_s * (ratio * (big_q * r) + other_rest)
        )
        down = jnp.where(left, v / (1 + r) / (1 + r), big_q * v * back * back)
        far = side * (outer_s * other - inner_s * angle) - 2 * at.big_b * down
        phase = jnp.where(v < 1, near, far)
        # That was of s and t; of a and b it is turned by w and g.
        phase = phase + side * (angle - other)
        log_square = jax.lax.complex(first, side * angle)
        log_beside = jax.lax.complex(second, -side * other)
        cosine = 1 / root_as_divisor(1 + ratio * ratio)
        one_less = 1 / (1 + r)
        of_square = jax.lax.complex(
            (1 - r) * one_less * one_less, -side * 2 * v * one_less * one_less
        )
        of_beside = jax.lax.complex(back * cosine, side * ratio * cosine * back)
        log_w, log_g = (
            jnp.where(left, *pair) for pair in ((log_square, log_beside), (log_beside, log_square))
        )
        over_w, over_g = (
            jnp.where(left, *pair) for pair in ((of_square, of_beside), (of_beside, of_square))
        )
        weight = jnp.where(left, 1.0, big_q)
        omega = jax.lax.complex(-side * weight * r - at.h, weight * 2 * v) * z0
        place = _Place(
            omega, log_w - at.log_y, -(log_g + at.log_k), over_g * over_k, over_w * over_z0
        )
        if orders == (1, 0, 0, 0):
            factor = _score_in_a(a, mu, place)
        else:
            factor = _factor(a, b, f, c, place, m, n, i) * _reciprocal(omega)
            factor = factor * (-omega * place.over_z) ** j if j else factor
        factor = factor * jax.lax.complex(jnp.ones_like(v), side * v)
        part = factor.real * jnp.cos(phase) - factor.imag * jnp.sin(phase)
        part = part * (2 * z0 * weight) * dv * size
        return total + folded.total(jnp.where(number < intervals, part, 0.0))

    blocks = (jnp.max(intervals, initial=0.0) / _AT_ONCE).astype(int) + 1
    total = jax.lax.fori_loop(0, blocks, add, jnp.zeros_like(step))
    half = jnp.exp(at.exponent / 2)
    value = half * (step / math.pi * total) * half
    value = jnp.where(at.exponent < -_GONE, 0.0, value)
    # Where the shapes are so small that the integrand falls too slowly.
    return jnp.where(end < _FARTHEST * (1 - 2.0**-_HALVINGS * 1.5), value, jnp.nan)


def _reciprocal(z: jax.Array) -> jax.Array:
    """1/z, where |z|^2 may overflow."""
    largest = 1 / jnp.maximum(jnp.abs(z.real), jnp.abs(z.imag))
    near = z * largest
    return jnp.conj(near) * (largest / (near.real**2 + near.imag**2))


def _score_in_a(a: jax.Array, mu: jax.Array, at: _Place) -> Any:
    """d/da of the integrand's logarithm over z - 1, less what a total derivative adds.

    f p - 1/z - mu/(a z^2) is 1/a of the derivative of the integrand's logarithm in z, less the
    pole: it adds nothing. Without it nothing cancels for a far above b.
    """
    over = _reciprocal(at.omega)
    near = _complex_excess(at.log_z, at.omega) * over - at.omega * at.over_z
    far = at.over_z - at.log_z * over
    first = jnp.where(jnp.abs(at.log_z) < 0.25, near, far)
    return first + mu / a * at.over_z * at.over_z


def _factor(
    a: jax.Array,
    b: jax.Array,
    f: jax.Array,
    c: jax.Array,
    at: _Place,
    m: int,
    n: int,
    i: int,
) -> jax.Array:
    """(d/da)^m (d/db)^n (d/df)^i of the integrand, relative to it."""
    omega, p = at.omega, at.p
    moved = omega * p
    grown = f / b * moved
    beside = c * moved  # p - 1

    def one(k: int, l: int) -> Any:
        if l == 0:
            of_i = i * math.factorial(k - 1) * (grown**k - (-1 / a) ** k)
            if k == 1:
                # f p - 1 = (f - 1 + c omega) p
                close = _complex_excess(at.log_z, omega) + (f - 1 + c * omega) * moved
                return of_i + jnp.where(jnp.abs(at.log_z) < 0.25, close, f * moved - at.log_z)
            return math.factorial(k - 1) * b * grown**k + of_i
        sign = (-1) ** l
        if k == 0:
            of_i: Any = sum(
                -sign * math.factorial(l - 1) * ((1 / (b + d)) ** l - (p / b) ** l)
                for d in range(i)
            )
            if l == 1:
                return of_i - _complex_excess(at.log_p, beside)
            double_zero = beside * beside * sum((d + 1) * p**d for d in range(l - 1))
            return of_i + sign * math.factorial(l - 2) * b ** (1 - l) * double_zero
        rising = math.prod(range(k, k + l - 1))
        whole = sign * rising * math.factorial(k - 1) * grown**k * (p / b) ** l
        last = b * ((k - 1) * p + l * beside) / p
        return whole * (last + i * (k + l - 1))

    logarithms = {order: one(*order) for order in orders_up_to(m, n)}
    factor = of_exponential(logarithms, m, n)
    for d in range(i):
        factor = factor * ((b + d) / b * a * moved)
    return factor


def _complex_excess(log: jax.Array, beside: jax.Array) -> jax.Array:
    """Exp(log) - 1 - log, where beside is exp(log) - 1."""
    near = jnp.abs(log) < 0.25
    z = jnp.where(near, log, 0.0)
    series: PyTree = 1.0
    for k in range(_SERIES_TERMS, 2, -1):
        series = 1 + series * z / k
    return jnp.where(near, z * z / 2 * series, beside - log)
