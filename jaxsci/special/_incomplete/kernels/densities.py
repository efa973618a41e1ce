"""Probability densities as products of powers, exact to rounding for shapes of any size.

Each density is a family that is closed under differentiation: a rule only shifts the family's
static indices, so no derivative of any order divides by an argument that may be zero. Products
of powers with a gamma function are taken as they are for small shapes; for large ones Loader's
saddle-point form (C. Loader, Fast and Accurate Computation of Binomial Probabilities, 2000) puts
the deviance in place of a difference of large logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._incomplete.kernels.beta_scores import density_factor, log_beside
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.falling_factorial import falling
from jaxsci.special._numerics.stirling import LARGE, stirling
from jaxsci.special._numerics.subnormal import power

# Of 1/Gamma(1 + t): DLMF 5.7.1.
_RECIPROCAL_GAMMA = (
    1.0,
    0.577215664901532861,
    -0.655878071520253881,
    -0.0420026350340952355,
    0.16653861138229149,
    -0.0421977345555443367,
    -0.00962197152787697356,
    0.00721894324666309954,
    -0.00116516759185906511,
    -0.000215241674114950973,
    0.000128050282388116186,
    -2.01348547807882387e-5,
    -1.25049348214267066e-6,
    1.13302723198169588e-6,
    -2.0563384169776071e-7,
    6.11609510448141582e-9,
    5.00200764446922293e-9,
    -1.18127457048702014e-9,
    1.04342671169110051e-10,
    7.78226343990507125e-12,
)
_DEVIANCE_TERMS = 18
_NEXT_TO_ZERO = 1e-150
# Beyond it exp(-x) x^LARGE is no number.
_EXPONENTIAL_ENDS = 900.0


def deviance(x: jax.Array, mean: jax.Array) -> jax.Array:
    """X log(x/mean) + mean - x for x > 0: not negative, and without cancellation near x = mean."""
    v = (x - mean) / (x + mean)
    near = jnp.abs(v) < 1 / 3
    v = jnp.where(near, v, 0.0)
    square = v * v
    total: PyTree = 0.0
    for j in range(_DEVIANCE_TERMS, 0, -1):
        total = (total + 1 / (2 * j + 1)) * square
    # log(x/mean) = 2 artanh v.
    series = (x - mean) * v + 2 * x * v * total
    return jnp.where(near, series, x * jnp.log(x / mean) + (mean - x))


def reciprocal_gamma(z: jax.Array) -> jax.Array:
    """1/Gamma(z) for 0 <= z <= 2 LARGE: exact at 1, zero at 0."""
    nearest = jnp.round(z)
    t = z - nearest
    series: Any = 0.0
    for c in reversed(_RECIPROCAL_GAMMA):
        series = series * t + c
    # Gamma(z) = (z - 1) ... (t + 1) Gamma(t + 1).
    k = jnp.arange(1, 2 * LARGE).reshape((-1,) + (1,) * jnp.ndim(t))
    product = folded.product(jnp.where(k < nearest, t + k, 1.0))
    return jnp.where(nearest == 0, t, 1.0) * series / product


def _times(coefficient: jax.Array, factor: jax.Array) -> jax.Array:
    """The product, in which a zero coefficient outweighs an infinite factor."""
    return jnp.where(coefficient == 0, 0.0, coefficient * factor)


def _divided(value: jax.Array, x: jax.Array, n: int) -> jax.Array:
    """value/x^n, where value has underflowed wherever x^n does."""
    gone = value == 0
    return jnp.where(gone, 0.0, value / jnp.where(gone, 1.0, x) ** n)


# -- gamma -----------------------------------------------------------------------------------------


def gamma_power(a: jax.Array, x: jax.Array, n: int) -> jax.Array:
    """x^(a-1-n) exp(-x)/Gamma(a-n), for a >= 0 and x >= 0: also where a - n is not positive."""
    return scaled_gamma_power(falling(a - 1, n), a, x, n)


def scaled_gamma_power(coefficient: float, a: jax.Array, x: jax.Array, n: int) -> jax.Array:
    """The product coefficient x^(a-1-n) exp(-x)/Gamma(a), for a >= 0 and x >= 0."""
    small = a < LARGE
    # Small shapes.
    s = jnp.where(small, a, 1.0)
    inside = x < _EXPONENTIAL_ENDS
    y = jnp.where(small & inside, x, 1.0)
    half = jnp.exp(-y / 2)
    direct = _times(coefficient * reciprocal_gamma(s), power(y, s - 1 - n) * half) * half
    direct = jnp.where(inside, direct, 0.0 * x)
    # Large shapes: x^a exp(-x)/Gamma(a) / x.
    s = jnp.where(small, LARGE, a)
    y = jnp.where(x > 0, x, 1.0)
    y = jnp.where(jnp.isinf(y), 1.0, y)
    saddle = jnp.sqrt(s / (2 * math.pi)) * jnp.exp(-stirling(s) - deviance(s, y))
    saddle = jnp.where(jnp.isinf(x) | (x == 0), 0.0, saddle)
    return jnp.where(small, direct, coefficient * _divided(saddle, x, n + 1))


def _nan_outside(value: jax.Array, inside: jax.Array) -> jax.Array:
    return jnp.where(inside, value, jnp.nan)


# -- beta ------------------------------------------------------------------------------------------


def _one_small(a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, i: int, j: int) -> jax.Array:
    """x^(a-1-i) q^(b-1-j)/B(a, b) for a < LARGE <= b."""
    ratio = jnp.exp((a + b - 0.5) * jnp.log1p(a / b) - a + stirling(a + b) - stirling(b))
    complement = jnp.exp((b - 1 - j) * log_beside(q, x))
    return (b * x) ** (a - 1 - i) * complement * (reciprocal_gamma(a) * ratio) * b ** (1 + i)


def beta_power(a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, i: int, j: int) -> jax.Array:
    """(d/dx)^i (d/dq)^j of x^(a-1) q^(b-1)/B(a, b) with x + q = 1, for a >= 0 and b >= 0."""
    return _times_power(falling(a - 1, i) * falling(b - 1, j), a, b, x, q, i, j)


def _times_power(
    coefficient: float, a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, i: int, j: int
) -> jax.Array:
    """A coefficient times x^(a-1-i) q^(b-1-j)/B(a, b)."""
    small_a, small_b = a < LARGE, b < LARGE
    s, t = jnp.where(small_a, a, 1.0), jnp.where(small_b, b, 1.0)
    both = s + t
    scale = reciprocal_gamma(s) * reciprocal_gamma(t) / reciprocal_gamma(both)
    scale = jnp.where(both == 0, 0.0, scale)
    direct = _times(coefficient * scale, x ** (s - 1 - i) * q ** (t - 1 - j))
    large_a, large_b = jnp.where(small_a, LARGE, a), jnp.where(small_b, LARGE, b)
    first = _times(coefficient * (s != 0), _one_small(s, large_b, x, q, i, j))
    second = _times(coefficient * (t != 0), _one_small(t, large_a, q, x, j, i))
    n = large_a + large_b
    inside = (x > 0) & (q > 0)
    u, w = jnp.where(inside, x, 0.5), jnp.where(inside, q, 0.5)
    exponent = stirling(n) - stirling(large_a) - stirling(large_b)
    exponent = exponent - deviance(large_a, n * u) - deviance(large_b, n * w)
    saddle = jnp.sqrt(large_a * (large_b / n) / (2 * math.pi)) * jnp.exp(exponent)
    saddle = jnp.where(inside, saddle, 0.0)
    saddle = coefficient * _divided(_divided(saddle, x, i + 1), q, j + 1)
    return jnp.where(small_a, jnp.where(small_b, direct, first), jnp.where(small_b, second, saddle))


def next_to_zero(shape: jax.Array) -> jax.Array:
    """A shape, or in place of 0 one that differs from it by less than a rounding of anything."""
    return jnp.where(shape == 0, _NEXT_TO_ZERO, shape)


def _by_shapes(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, m: int, n: int, i: int, j: int
) -> jax.Array:
    """(d/da)^m (d/db)^n of `beta_power`, for positive a and b."""
    value = _times_power(density_factor(a, b, x, q, (m, n), i, j), a, b, x, q, i, j)
    # At the ends a power outweighs a logarithm; where there is no power this is infinite.
    alone = ((m > 0) & (x == 0) & (a == i + 1)) | ((n > 0) & (q == 0) & (b == j + 1))
    return jnp.where(alone, value * jnp.inf, value)


@native()
def beta_density(
    a: jax.Array,
    b: jax.Array,
    x: jax.Array,
    q: jax.Array,
    *,
    i: int = 0,
    j: int = 0,
    m: int = 0,
    n: int = 0,
) -> jax.Array:
    """(d/dx)^i (d/dq)^j of x^(a-1) q^(b-1)/B(a, b): the beta density, where q is 1 - x.

    Of that (d/da)^m (d/db)^n. A shape that is zero, as of a binomial probability with k = n, gives
    zero; derivatives in that shape are those from above.
    """
    one_is_zero = (a == 0) & (b > 0) | (b == 0) & (a > 0)
    empty = one_is_zero & jnp.where(a == 0, m == 0, n == 0) & (x >= 0) & (q >= 0)
    inside = ((a > 0) & (b > 0) | one_is_zero) & (x >= 0) & (q >= 0)
    a, b, x, q = (jnp.where(inside, z, 0.5) for z in (a, b, x, q))
    a, b = next_to_zero(a), next_to_zero(b)
    value = _by_shapes(a, b, x, q, m, n, i, j) if m or n else beta_power(a, b, x, q, i, j)
    return jnp.where(empty, 0.0, _nan_outside(value, inside))


def _stepped(index: str) -> Callable[..., Any]:
    def derivative(y: jax.Array, *args: jax.Array, **static: int) -> jax.Array:
        return beta_density(*args, **(static | {index: static.get(index, 0) + 1}))

    return derivative


beta_density.partials(
    a=closed("DLMF 5.12.1, 8.17.1", _stepped("m")),
    b=closed("DLMF 5.12.1, 8.17.1", _stepped("n")),
    x=closed("DLMF 8.17.1", _stepped("i")),
    q=closed("DLMF 8.17.1", _stepped("j")),
)

# -- odds and proportions --------------------------------------------------------------------------


@native()
def proportion(r: jax.Array) -> jax.Array:
    """r/(1 + r)."""
    large = r > 1
    return jnp.where(large, 1 / (1 + 1 / jnp.where(large, r, 1.0)), r / (1 + r))


@native()
def complement(r: jax.Array) -> jax.Array:
    """1 - r/(1 + r) = 1/(1 + r)."""
    return 1 / (1 + r)


proportion.partials(r=closed("DLMF 8.17.1", lambda y, r: complement(r) ** 2))
complement.partials(r=closed("DLMF 8.17.1", lambda y, r: -(complement(r) ** 2)))
