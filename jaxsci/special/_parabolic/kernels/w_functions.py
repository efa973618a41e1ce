"""The parabolic cylinder function W(a, x), |a| <= 5 and |x| <= 5, in JAX operations.

W(a, x) and W(a, -x), x >= 0, are but for factors the real and the imaginary part of one complex
function, U(ia, x exp(-i pi/4)) turned (DLMF 12.14.4; Abramowitz and Stegun 19.17): by the integral
along a line through the saddle point. For a > 0 and below the turning point x = 2 sqrt(a) the real
part is much the larger one, and the other loses its digits: there W(a, -x) is its power series,
whose leading terms are positive. In a JAX differentiates these operations.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.few import formula_of_few
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.stirling import stirling
from jaxsci.special._parabolic.kernels.contour import contour

_LARGEST = 5.0
_WIDTH = 12.0
_SHIFT = 12
_SERIES_END = 3.0
_TERMS = 40

Pair = tuple[jax.Array, jax.Array]


def _log_gamma(real: float, a: jax.Array) -> jax.Array:
    """The logarithm of Gamma(real + ia), continuous in a (DLMF 5.11.1, 5.5.1)."""
    z = jax.lax.complex(jnp.full_like(a, real), a)
    below = jnp.log(z[..., None] + jnp.arange(_SHIFT)).sum(-1)
    z = z + _SHIFT
    return (z - 0.5) * jnp.log(z) - z + stirling(z) - below


def _by_line(a: jax.Array, x: jax.Array) -> tuple[Pair, Pair]:
    """W and its derivative at x >= 0 and at -x."""
    turn = complex(math.sqrt(0.5), -math.sqrt(0.5))
    z, v = turn * x, -0.5 - 1j * a
    saddle = (z + jnp.sqrt(z * z - 4 * v)) / 2
    reach = jnp.full_like(x, _WIDTH)
    value, slope = contour(z, v, jnp.maximum(saddle.real, 1.0), saddle.imag, reach)
    growth = jnp.exp(math.pi * a)
    k = 1 / (jnp.sqrt(1 + growth * growth) + growth)
    rho = math.pi / 8 + _log_gamma(0.5, a).imag / 2
    factor = jnp.exp(math.pi / 4 * a + 1j * rho)
    value, slope = factor * value, factor * turn * slope
    right, left = jnp.sqrt(2 * k), jnp.sqrt(2 / k)
    return (right * value.real, right * slope.real), (left * value.imag, -left * slope.imag)


def _by_series(a: jax.Array, x: jax.Array) -> Pair:
    """W and its derivative by the power series (DLMF 12.14.1, 12.14.2, 12.14.8)."""
    root = jnp.exp((_log_gamma(0.25, a / 2) - _log_gamma(0.75, a / 2)).real / 2)
    value, slope = 2**-0.75 * root, -(2**-0.25) / root
    start = (value, slope, a * value / 2, a * slope / 6)

    def add(carry: PyTree, k: jax.Array) -> tuple[PyTree, None]:
        (first, second, third, fourth), power, total, slope = carry
        fifth = (a * third - first / 4) / ((k + 3) * (k + 4))
        total, slope = total + power * first, slope + power * (k + 1) * second
        return ((second, third, fourth, fifth), power * x, total, slope), None

    carry = (start, jnp.ones_like(x), jnp.zeros_like(x), jnp.zeros_like(x))
    _, _, total, slope = jax.lax.scan(add, carry, jnp.arange(float(_TERMS)))[0]
    return total, slope


def _both(a: jax.Array, x: jax.Array) -> Pair:
    inside = (jnp.abs(a) <= _LARGEST) & (jnp.abs(x) <= _LARGEST)
    a, x = jnp.where(inside, a, jnp.nan), jnp.where(inside, x, jnp.nan)
    turning = 2 * jnp.sqrt(jnp.maximum(a, 0.0))
    near = (x <= 0) & (-x < jnp.minimum(turning, _SERIES_END))
    right, left = _by_line(a, jnp.where(near, 1.0, jnp.abs(x)))
    series = _by_series(a, jnp.where(near, x, 0.0))
    value, slope = (
        jnp.where(near, s, jnp.where(x < 0, m, p))
        for s, m, p in zip(series, left, right, strict=True)
    )
    return value, slope


@native(results=2)
def w_function(a: jax.Array, x: jax.Array, *, order: int) -> Pair:
    """W(a, x) and its derivative in x, or derivatives of both in a; NaN beyond 5."""
    a, x = jnp.broadcast_arrays(a, x)
    return derivative(lambda a: _both(a, x), order)(a)


def _in_x(y: Pair, a: jax.Array, x: jax.Array, *, order: int) -> Pair:
    """DLMF 12.2.3, differentiated in a."""
    curvature = (a - x * x / 4) * y[0]
    if order:
        curvature = curvature + order * w_function(a, x, order=order - 1)[0]
    return y[1], curvature


w_function.partials(
    a=closed("DLMF 12.14.4", lambda y, a, x, *, order: w_function(a, x, order=order + 1)),
    x=closed("DLMF 12.2.3", _in_x),
)


def _is_recessive(ys: tuple[jax.Array, ...], a: jax.Array, x: jax.Array) -> jax.Array:
    return (a > 0.5) & (x > 0.5) & (a <= _LARGEST) & (x <= _LARGEST)


RECESSIVE = Repair(
    "a > 0.5 and x > 0.5",
    _is_recessive,
    formula_of_few(_is_recessive, lambda a, x: _by_line(a, x)[0], results=2),
    results=(0, 1),
    costly=True,
)
