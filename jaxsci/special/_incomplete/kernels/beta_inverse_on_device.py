"""Inverses of the incomplete beta functions in JAX operations.

As those of the incomplete gamma functions, in the logarithm of the odds x/(1-x): the logarithm of
either tail is concave in it, and Halley's method converges from the leading term of a tail or, for
shapes that are not small, from where the deviance is that of a normal quantile (DLMF 8.18.9). The
density's logarithm has simple derivatives: near the quantile the inverse of its Taylor series leads
on, by four terms. All elements take as many steps as the one that needs most, seldom more than 3.
Beyond 1e290 and its inverse a tail is a power of the odds, which leads to what is sought.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels.beta_on_device import positive_beta
from jaxsci.special._incomplete.kernels.beta_on_device import beta_tails
from jaxsci.special._incomplete.kernels.gamma_inverse_on_device import (
    log_step,
    raised,
    small_quantile,
)
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.error_function import erfcinv_tail
from jaxsci.special._numerics.taylor import once
from jaxsci.special._numerics.vectorised import log

_MOST_STEPS = 20
_NEAR = 0.1
"""Where the tail's change is so small, over those of the density, a series inverts it."""
_NEGLIGIBLE = (1e-17, 1e-9)
"""What the series may leave."""
_LEAST_SHAPE, _MOST_SHAPE = 1e-12, 1e20
"""For others there is no result."""
_MOST = (1e290, 1e30)
"""Odds from which on a tail is a power, and a product with a sum of shapes still a number."""
_LEAST = (1e-290, 1e-37)
_FARTHEST_LOGARITHM = (690.0, 80.0)
_STEPS_TO_START, _FARTHEST = 5, (700.0, 80.0)


class Place(NamedTuple):
    """A number of the interval by its odds: x/(1 - x) times exp(beyond)."""

    odds: Any
    beyond: Any

    def parts(self) -> tuple[Any, Any]:
        """X and 1 - x."""
        x, rest = proportions(self.odds)
        below, above = (jnp.exp(jnp.minimum(u, 0.0)) for u in (self.beyond, -self.beyond))
        return x * below, rest * above


def quantile(a: jax.Array, b: jax.Array, p: jax.Array, q: jax.Array) -> Place:
    """The x with I_x(a, b) = p; the smaller one of p and q = 1 - p has the digits.

    Args:
        a: the first shape.
        b: the second one.
        p: a probability.
        q: 1 less that.
    """
    most = by_precision(p, *_MOST)
    lower = p < q
    goal = jnp.where(lower, p, q)

    def nearer(state: tuple[Any, ...]) -> tuple[Any, ...]:
        # Nothing may be computed before the loop: see the quantiles of the gamma distribution.
        k, _, odds, _, c, d = jax.lax.optimization_barrier(state)
        x, rest = proportions(odds)
        below, above, density, growth = beta_tails(c, d, x, rest)
        tail = jnp.where(lower, below, above)
        halley = log_step(tail, goal, density, growth, lower)
        product = (c + d) * x * rest
        off = lacking(tail, goal, density, lower)
        by_series = inverse_of_series(off, growth, product, rest - x)
        change = jnp.abs(off) * (1 + jnp.abs(growth) + jnp.sqrt(product))
        near = change < _NEAR
        moved = jnp.clip(odds * jnp.exp(jnp.where(near, by_series, halley)), 1 / most, most)
        left = jnp.where(near, jnp.abs(off) * change**4, 1.0)
        # At an end the tail there is wanted.
        left = jnp.where((moved == 1 / most) | (moved == most), 1.0, left)
        return k + 1, jnp.where(moved == odds, 0.0, left), moved, tail, c, d

    negligible = by_precision(p, *_NEGLIGIBLE)

    def goes_on(state: tuple[Any, ...]) -> Any:
        return (state[0] < _MOST_STEPS) & jnp.any(state[1] > negligible)

    start = jnp.clip(_start(a, b, p, q), 1 / most, most)
    first = 0, jnp.ones_like(start), start, goal, a, b
    _, _, odds, tail, _, _ = jax.lax.while_loop(goes_on, nearer, first)
    low, high = odds <= 1 / most, odds >= most
    # The tail of that end is a power of the odds, whether it is the smaller one or not.
    larger = log1p(jnp.where(low | high, (tail - goal) / (1 - tail), 0.0))
    growth = jnp.where(lower == low, log(goal / tail), larger)
    return Place(odds, jnp.where(low, growth / a, jnp.where(high, -growth / b, 0.0)))


def lacking(tail: jax.Array, goal: jax.Array, density: jax.Array, lower: jax.Array) -> jax.Array:
    """What the lower tail lacks, over the density, by that tail or by the upper one."""
    tail, goal, density = raised(tail, goal, density)
    return jnp.where(lower, goal - tail, tail - goal) / density


def inverse_of_series(
    off: jax.Array, growth: jax.Array, product: jax.Array, excess: jax.Array
) -> jax.Array:
    """The h by which the logarithm of the odds changes where the lower tail grows by off densities.

    The density is that in this logarithm. The terms up to the fourth of the inverse of its Taylor
    series, of x' = x (1 - x).

    Args:
        off: what the tail lacks, over the density.
        growth: the derivative of the density's logarithm, a - (a + b) x.
        product: less its next derivative, (a + b) x (1 - x).
        excess: (1 - x) - x.
    """
    second, third = -product, -product * excess
    square = growth * growth
    c_2, c_3 = growth / 2, (square + second) / 6
    c_4 = (growth * (square + 3 * second) + third) / 24
    d_3 = 2 * c_2 * c_2 - c_3
    d_4 = 5 * c_2 * (c_3 - c_2 * c_2) - c_4
    return off * (1 + off * (-c_2 + off * (d_3 + off * d_4)))


def proportions(odds: jax.Array) -> tuple[Any, Any]:
    """r/(1 + r) and 1/(1 + r) of odds r, which may be infinite."""
    large = odds > 1
    r = jnp.where(large, 1 / odds, odds)
    less, more = r / (1 + r), 1 / (1 + r)
    return jnp.where(large, more, less), jnp.where(large, less, more)


def _start(a: jax.Array, b: jax.Array, p: jax.Array, q: jax.Array) -> jax.Array:
    """About the odds."""
    factor, logarithm = positive_beta(a, b)
    # Each of these is used in many places, and the compiler would compute it anew in some.
    (log_beta,) = once(log(factor) + logarithm)
    log_p = jnp.where(q < 0.1, log1p(-jnp.minimum(q, 0.1)), log(p))
    log_q = jnp.where(p < 0.1, log1p(-jnp.minimum(p, 0.1)), log(q))
    log_p, log_q = once(log_p, log_q)
    # The leading terms: x^a/(a B(a, b)) and (1-x)^b/(b B(a, b)).
    log_x = (log_p + log(a) + log_beta) / a
    log_rest = (log_q + log(b) + log_beta) / b
    least, far_out = by_precision(a, *_LEAST), by_precision(a, *_FARTHEST_LOGARITHM)
    log_x, log_rest = jnp.clip(log_x, -far_out, -least), jnp.clip(log_rest, -far_out, -least)
    below_mean = (log_x < -jnp.log1p(b / a)) | (log_rest > -0.02)
    lowest = 1 / jnp.expm1(-jnp.minimum(log_x, -0.02))
    by_powers = jnp.where(below_mean, lowest, jnp.expm1(-log_rest))
    # -(b + (a-1)/2) log(1-x) is nearly of the gamma distribution of a small shape a.
    shape, other = jnp.minimum(a, b), jnp.maximum(a, b)
    first = a < b
    tails = jnp.where(first, p, q), jnp.where(first, q, p)
    (of_gamma,) = once(small_quantile(jnp.minimum(shape, 1.0), *tails))
    scaled = jnp.expm1(jnp.minimum(of_gamma / (other + 0.5 * (shape - 1)), far_out))
    by_gamma = jnp.where(first, scaled, 1 / jnp.maximum(scaled, 1 / by_precision(a, *_MOST)))
    (by_normal,) = once(_by_normal(jnp.maximum(a, 1.0), jnp.maximum(b, 1.0), p, q))
    # Far from the end where that shape is, a power of the other one is left.
    far = jnp.where(first, log_rest, log_x) < -1
    of_small = jnp.where((other < 0.5) | far, by_powers, by_gamma)
    return jnp.where(shape >= 1, by_normal, of_small)


def _by_normal(a: jax.Array, b: jax.Array, p: jax.Array, q: jax.Array) -> jax.Array:
    """About the odds for a, b >= 1: where the deviance is half the square of a normal quantile."""
    size = erfcinv_tail(jnp.minimum(2 * jnp.minimum(p, q), 0.999)) * math.sqrt(2)
    turned, n = a > b, a + b
    less, more = jnp.minimum(a, b), jnp.maximum(a, b)
    part = less / n
    # By the logarithm of the odds, less that at the mean.
    spread = jnp.sqrt(1 / a + 1 / b)
    t = jnp.where(p < q, -size, size)
    u = t * spread
    farthest = by_precision(a, *_FARTHEST)
    for _ in range(_STEPS_TO_START):
        # By the smaller one of the mean and what it lacks, of which no digits are lost.
        v = jnp.where(turned, -u, u)
        grown = part * jnp.expm1(v)
        half = n * jnp.log1p(grown) - less * v
        slope = more * grown / (1 + grown)
        slope = jnp.where(turned, -slope, slope)
        near = jnp.abs(u) < 0.01
        # The deviance is convex in u, and Newton's method comes to its value from outside.
        step = (half - 0.5 * t * t) / jnp.where(near, 1.0, slope)
        u = jnp.where(near, u, u - jnp.clip(step, -farthest, farthest))
    most = by_precision(a, 600.0, 70.0)
    return a / b * jnp.exp(jnp.clip(u, -most, most))


# -- rows ------------------------------------------------------------------------------------------


def place_or_end(a: jax.Array, b: jax.Array, p: jax.Array, q: jax.Array) -> Place:
    """The place of the quantile, and of SciPy's values at the ends; NaN for extreme shapes."""
    valid = (a > 0) & (b > 0) & (p >= 0) & (q >= 0)
    inside = valid & (p > 0) & (q > 0)
    inside &= (jnp.minimum(a, b) >= _LEAST_SHAPE) & (jnp.maximum(a, b) <= _MOST_SHAPE)
    odds, beyond = by_blocks(quantile, *(jnp.where(inside, z, 0.5) for z in (a, b, p, q)))
    end = jnp.where(p == 0, 0.0, jnp.where(valid & (q == 0), jnp.inf, jnp.nan))
    end = jnp.where(valid, end, jnp.nan)
    return Place(jnp.where(inside, odds, end), jnp.where(inside, beyond, 0.0))


def quantile_or_end(a: jax.Array, b: jax.Array, p: jax.Array, q: jax.Array) -> tuple[Any, Any]:
    """The quantile and 1 less it."""
    return place_or_end(a, b, p, q).parts()


ULPS = 20
"""The error of all quantiles."""


@device_kernel(ULPS, conditioned=True, single=6)
def betaincinv(a: jax.Array, b: jax.Array, y: jax.Array) -> Any:
    """The x with I_x(a, b) = y."""
    return quantile_or_end(a, b, y, 1 - y)[0]


@device_kernel(ULPS, conditioned=True, single=6)
def betainccinv(a: jax.Array, b: jax.Array, y: jax.Array) -> Any:
    """The x with 1 - I_x(a, b) = y.

    That is 1 less `betaincinv` of (b, a, y), by the same operations: rules ask for both, and the
    compiler computes them once.
    """
    return quantile_or_end(b, a, y, 1 - y)[1]
