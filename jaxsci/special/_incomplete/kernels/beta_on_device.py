"""The incomplete beta function in JAX operations.

One tail is computed: that on whose side of the mean x lies, or the other one where that is nearly 1
as its shape is small. It is w = x^a q^b/(a B(a, b)) times a ratio, of q = 1 - x:

- a continued fraction in a fixed number of steps, the even part of DLMF 8.17.22;
- where both shapes are large and x is near the mean, an error function and a correction, a
  polynomial in three variables, of which a reciprocal shape is one (DLMF 8.18.9);
- for b <= 3 and x near 1 an expansion in incomplete gamma functions of shape b, which holds for
  large a (A. DiDonato and A. Morris, Algorithm 708, 1992: BGRAT), to which DLMF 8.17.20 leads.

All of it is evaluated at each element.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables
from jaxsci.special._incomplete.kernels import beta_tail_tables as tables
from jaxsci.special._incomplete.kernels.gamma_on_device import gamma_front_parts, gamma_upper_ratio
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import exp_of_parts, log1p
from jaxsci.special._numerics.error_function import erfcx_right
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.taylor import once
from jaxsci.special._numerics.vectorised import log, root_as_divisor

_LARGE = 24.0
"""Where both shapes are at least this, the transition is that of an error function."""
_SMALL_B, _NEAR_ONE = 3.0, 0.7
"""Up to this b and from this x on the expansion in gamma functions is used."""
_RAISED, _RAISED_AT_ONCE = (12, 6), 3
"""To which shape small ones are raised, and by how many steps a quotient."""
_LEVELS, _AT_ONCE = 26, 13
_UP = (512.0, 64.0)
"""By what power of two a factor is raised that may underflow where the product does not."""
_TERMS = 10


def beta_tails(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, *, large: bool = True
) -> tuple[Any, Any, Any, Any]:
    """I_x(a, b), 1 less that, the derivative in log(x/q), and that of its logarithm.

    Args:
        a: the first shape, positive.
        b: the second one.
        x: a number from 0 to 1, but neither.
        q: 1 less that.
        large: whether there are elements of which both shapes are large.
    """
    n = a + b
    # From the mean, without what 1 - x has lost.
    growth = below = jnp.where(x < q, a - n * x, n * q - b)
    of_a, of_b = deviance_by(a, -below), deviance_by(b, below)
    front, scale = _front(a, b, x, q, (of_a, of_b))
    above = below < 0
    down = 2.0 ** -by_precision(a, *_UP)
    lower, upper = (scale * b) * front * down, (scale * a) * front * down
    small = jnp.where(above, b, a) < 1
    above = above ^ (small & (jnp.where(above, upper, lower) > 0.5))
    c, d = jnp.where(above, b, a), jnp.where(above, a, b)
    y, z = jnp.where(above, q, x), jnp.where(above, x, q)
    below = jnp.where(above, -below, below)
    w, half_deviance = jnp.where(above, upper, lower), jnp.maximum(of_a + of_b, 0.0)
    tail = w * _fraction(c, d, y, z, below)
    near_one = (d <= _SMALL_B) & (y > _NEAR_ONE)
    tail = jnp.where(near_one, w * _by_gamma(c, d, y, z), tail)
    tail = jnp.where(w == 0, 0.0, tail)
    if large:
        spread = 1 / c + 1 / d
        about = (c >= _LARGE) & (d >= _LARGE) & (2 * half_deviance * spread < _MOST_ETA**2)
        tail = jnp.where(about, _about_mean(c / n, spread, half_deviance), tail)
    # It is long to compute: not once for each use.
    (tail,) = once(tail)
    rest = 1 - tail
    density = (scale * a * b) * front * down
    return jnp.where(above, rest, tail), jnp.where(above, tail, rest), density, growth


def deviance_by(c: jax.Array, distance: jax.Array) -> jax.Array:
    """The difference c log(c/t) + t - c, of t = c + distance."""
    t = jnp.maximum(c + distance, 0.0)
    v = -distance / (c + t)
    near = jnp.abs(v) < 1 / 3
    v = jnp.where(near, v, 0.0)
    square = v * v
    series = horner([1 / (2 * j + 1) for j in range(1, _DEVIANCE_TERMS + 1)], square) * square
    value = v * (2 * c * series - distance)
    return jnp.where(near, value, distance - c * log(t / c))


_DEVIANCE_TERMS = 18


def _front(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, deviances: tuple[jax.Array, jax.Array]
) -> tuple[Any, Any]:
    """x^a q^b/(a b B(a, b)) as a product of two numbers, of which one is raised by 2^_UP.

    It is that of two gamma functions at nx and nq, n = a + b, and of Gamma(n) e^n n^-n; where n is
    small, at x and q, and of e Gamma(n).
    """
    n = a + b
    few = n < 2
    here, there = (jnp.where(few, z, n * z) for z in (x, q))
    of_a, of_b = gamma_front_parts(a, here, deviances[0]), gamma_front_parts(b, there, deviances[1])
    logarithm = of_a[0] + of_b[0] + jnp.where(few, 1.0, 0.0)
    s, t = jnp.where(few, 2.0, n), jnp.where(few, n, 1.0)
    near = gamma_tables.GAMMA_NEAR(jnp.where(t < 1, t, t - 1)) / jnp.where(t < 1, t, 1.0)
    scale = jnp.where(few, near, gamma_tables.GAMMA_SCALED(1 / s) / root_as_divisor(s))
    power = of_a[1] + of_b[1] + by_precision(a, *_UP)
    return exp_of_parts(logarithm, power) / (of_a[2] * of_b[2]), scale


def _fraction(a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, below: jax.Array) -> Any:
    """I_x(a, b)/w, of below = a - (a + b) x.

    Level k, times a + 2k - 1, is of the order of the shape, by which all is divided. Levels are
    quotients that are carried out once in many, for a division takes as long as ten products.
    """

    def levels(i: jax.Array, value: jax.Array) -> jax.Array:
        scale = 1 / (a + (2 * _LEVELS + 1))
        of_a, of_b, of_n = a * scale, b * scale * x, (a + b) * x
        step, rise = scale * x, 1 + q
        last = (_LEVELS - i * _AT_ONCE).astype(a.dtype)
        numerator, denominator = value, jnp.ones_like(value)
        after = of_a + (2 * last + 1) * scale
        for j in range(_AT_ONCE):
            k = last - j
            here = of_a + (2 * k - 1) * scale
            t = k * (of_b - k * step)
            near = (of_a + k * scale) * (below + 1 + k * rise)
            constant = (k * here + t) * after + here * near
            factor = (of_a + (k - 1) * scale) * (of_n + (k - 1) * x) * t * after
            numerator, denominator = (
                factor * denominator,
                constant * denominator + here * numerator,
            )
            after = here
        return numerator / denominator

    value = jax.lax.fori_loop(0, _LEVELS // _AT_ONCE, levels, jnp.zeros_like(a))
    first = (a + 1) / (a + (2 * _LEVELS + 1))
    return a / (a / (a + 1) * (below + 1) + value / first)


# -- about the mean --------------------------------------------------------------------------------

_MOST_ETA = -tables.ABOUT_MEAN.intervals[1][0]


def _about_mean(mean: jax.Array, spread: jax.Array, half_deviance: jax.Array) -> Any:
    """I_x(a, b) below the mean, of large shapes; the spread is 1/a + 1/b."""
    h = jnp.minimum(spread, tables.ABOUT_MEAN.intervals[2][1])
    eta = jnp.maximum(-jnp.sqrt(2 * half_deviance * h), -_MOST_ETA)
    correction = tables.ABOUT_MEAN(mean, eta, h) * jnp.sqrt(h / (2 * math.pi))
    near = jnp.minimum(half_deviance, 800.0)
    return jnp.exp(-near) * (0.5 * erfcx_right(jnp.sqrt(near)) - correction)


# -- near one --------------------------------------------------------------------------------------


def _coefficients() -> list[tuple[float, ...]]:
    """Of t^(2n) in (sinh(t)/t)^m, for each n: a polynomial in m, the lowest power first."""
    factorials = [Fraction(1, math.factorial(2 * k + 1)) for k in range(_TERMS)]
    # k log(sinh(t)/t): k c_k is the sum of l_j c_(k-j).
    logs = [Fraction(0)]
    for k in range(1, _TERMS):
        logs.append(k * factorials[k] - sum(logs[j] * factorials[k - j] for j in range(1, k)))
    powers = [[Fraction(1)]]
    for k in range(1, _TERMS):
        total = [Fraction(0)] * (k + 1)
        for j in range(1, k + 1):
            for i, c in enumerate(powers[k - j]):
                total[i + 1] += logs[j] * c / k
        powers.append(total)
    return [tuple(map(float, row)) for row in powers]


_POWERS_OF_SINHC = _coefficients()


def _by_gamma(a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array) -> jax.Array:
    """I_x(a, b)/w for b <= _SMALL_B and x >= _NEAR_ONE."""
    b = jnp.minimum(b, _SMALL_B)
    x, q = jnp.maximum(x, _NEAR_ONE), jnp.minimum(q, 1 - _NEAR_ONE)
    least = by_precision(a, *_RAISED)
    raised = a < least
    c = jnp.where(raised, a + least, a)
    minus_log = -log1p(-q)
    nu = c + 0.5 * (b - 1)
    z = nu * minus_log
    v, square = 0.25 / (nu * nu), 0.25 * minus_log * minus_log
    term = gamma_upper_ratio(b, z)
    total, power = term, jnp.ones_like(term)
    for k in range(_TERMS - 1):
        order = b + 2 * k
        term = (order * (order + 1) * term + b * (z + order + 1) * power) * v
        power = power * square
        total = total + horner(_POWERS_OF_SINHC[k + 1], b - 1) * term
    # Of b I_x(c, b) over w at c.
    ratio = c * total * jnp.exp(b * log(minus_log / q) - 0.5 * (b - 1) * minus_log) / b
    return jnp.where(raised, _lowered(jnp.minimum(a, least), b, x, ratio), ratio)


def _lowered(a: jax.Array, b: jax.Array, x: jax.Array, ratio: jax.Array) -> jax.Array:
    """I_x(a, b)/w from that of the raised shape a (DLMF 8.17.20), some steps a quotient."""
    for last in range(by_precision(a, *_RAISED) - 1, -1, -_RAISED_AT_ONCE):
        above, below = ratio, jnp.ones_like(ratio)
        for k in range(last, last - _RAISED_AT_ONCE, -1):
            below = below * (a + (k + 1))
            above = below + (a + b + k) * x * above
        ratio = above / below
    return ratio


# -- rows ------------------------------------------------------------------------------------------


def regularised(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, *, large: bool = True
) -> tuple[Any, Any]:
    """I_x(a, b) and 1 less that wherever SciPy has them, and its values at the ends."""
    valid = (a >= 0) & (b >= 0) & (x >= 0) & (q >= 0)
    inside = valid & (a > 0) & (b > 0) & (x > 0) & (q > 0) & (a < jnp.inf) & (b < jnp.inf)
    found = beta_tails(*(jnp.where(inside, z, 0.5) for z in (a, b, x, q)), large=large)[:2]
    all_at_zero, all_at_one = (a == 0) | (b == jnp.inf), (b == 0) | (a == jnp.inf)
    ends = jnp.where((q != 0) & ((x == 0) | all_at_one), 0.0, 1.0)
    ends = jnp.where(valid & ~(all_at_zero & all_at_one), ends, jnp.nan)
    return jnp.where(inside, found[0], ends), jnp.where(inside, found[1], 1 - ends)


@device_kernel(20, conditioned=True, single=8)
def betainc(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    """I_x(a, b)."""
    return regularised(a, b, x, 1 - x)[0]


@device_kernel(20, conditioned=True, single=8)
def betaincc(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    """1 - I_x(a, b)."""
    return regularised(a, b, x, 1 - x)[1]
