"""Parabolic cylinder functions by the trapezoidal rule on a line through the saddle point.

SciPy's own values, and its derivatives, lose their digits in large parts of the plane of (v, x);
the rules take them from here. In the order JAX differentiates these operations: the line stands
still, and what changes under the integral is a power of t.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._gamma.gamma import gammaln, rgamma
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.shared import at_once

_NODES = 360
_WIDTH = 12.0
"""exp(-t^2/2) is nothing further than this from the saddle points."""
_NEAR = 2.0
"""Up to this (|v| + 1) x^2 the power series is taken."""
_TERMS = 26
_LARGE_ORDER = 100.0


def contour(
    z: jax.Array,
    v: jax.Array,
    real: jax.Array,
    center: jax.Array,
    reach: jax.Array,
    exponent: jax.Array | float = 0.0,
) -> tuple[jax.Array, jax.Array]:
    """D_v(z) and D_v'(z) by DLMF 12.5.6, over the line of this real part.

    Times the exponential of an exponent, where either may be beyond the range of doubles.
    """
    real, center, reach = (jax.lax.stop_gradient(t) for t in (real, center, reach))
    step = 2 * reach / (_NODES - 1)

    def add(totals: Sequence[jax.Array], s: jax.Array) -> tuple[Any, None]:
        t = jax.lax.complex(real, center + s * reach)
        value = jnp.exp(z * z / 4 - z * t + t * t / 2 + v * jnp.log(t) + exponent)
        return (totals[0] + value, totals[1] + (z / 2 - t) * value), None

    zero = jnp.zeros_like(z)
    nodes = jnp.asarray(np.linspace(-1, 1, _NODES))
    (value, slope), _ = jax.lax.scan(add, (zero, zero), nodes)
    scale = step / math.sqrt(2 * math.pi)
    return scale * value, scale * slope


def _d_line(v: jax.Array, x: jax.Array) -> tuple[jax.Array, ...]:
    square = x * x - 4 * v
    real = (x + jnp.sqrt(jnp.maximum(square, 0.0))) / 2
    reach = jnp.sqrt(jnp.maximum(-square, 0.0)) / 2 + _WIDTH
    z = jax.lax.complex(x, jnp.zeros_like(x))
    return z, v, jnp.maximum(real, 1.0), jnp.zeros_like(x), reach


def _v_line(v: jax.Array, x: jax.Array) -> tuple[jax.Array, ...]:
    square = 4 * (v + 1) - x * x
    # Beyond the turning point, next to 0 the power of t would outweigh what is at the saddle point.
    apart = jnp.maximum(jnp.sqrt(jnp.maximum(v + 1, 0.0)) / 3, 1.0)
    real = jnp.maximum(jnp.sqrt(jnp.maximum(square, 0.0)) / 2, apart)
    reach = jnp.sqrt(jnp.maximum(-square, 0.0)) / 2 + _WIDTH
    z = jax.lax.complex(jnp.zeros_like(x), x)
    return z, -v - 1, real, x / 2, reach


def _as_v(v: jax.Array, value: jax.Array, slope: jax.Array) -> tuple[jax.Array, jax.Array]:
    phase = math.sqrt(2 / math.pi) * jnp.exp(0.5j * math.pi * (v + 1))
    return (phase * value).real, (1j * phase * slope).real


def _d_right(
    v: jax.Array, x: jax.Array, exponent: jax.Array | float = 0.0
) -> tuple[jax.Array, jax.Array]:
    """D_v and D_v' for x >= 0."""
    value, slope = contour(*_d_line(v, x), exponent=exponent)
    return value.real, slope.real


def _v_right(
    v: jax.Array, x: jax.Array, exponent: jax.Array | float = 0.0
) -> tuple[jax.Array, jax.Array]:
    """V(-v-1/2, x) and its derivative for x >= 0: from D of imaginary argument (DLMF 12.2.20)."""
    return _as_v(v, *contour(*_v_line(v, x), exponent=exponent))


def both_right(
    v: jax.Array, x: jax.Array, of_d: Any = 0.0, of_v: Any = 0.0
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """D_v and V(-v-1/2, .), each with its derivative, for x >= 0: in one loop.

    They are multiplied by the exponentials of two exponents.
    """
    exponents = jnp.broadcast_arrays(of_d, of_v, x)[:2]
    lines = zip((*_d_line(v, x), exponents[0]), (*_v_line(v, x), exponents[1]), strict=True)
    value, slope = contour(*(jnp.stack(pair) for pair in lines))
    return (value[0].real, slope[0].real), _as_v(v, value[1], slope[1])


def _product(factor: jax.Array, value: jax.Array, n: int) -> jax.Array:
    """Where one is not there, the other may be beyond all numbers; unless a derivative asks."""
    return factor * value if n else jnp.where(factor == 0, 0.0, factor * value)


def gamma_apart(
    v: jax.Array, kind: str, gammaln: Any, rgamma: Any
) -> tuple[Any, Any, Callable[[jax.Array], jax.Array]]:
    """Of large orders the gamma function of `reflected` is put under the other kind's integral.

    Args:
        v: the order.
        kind: which function is wanted.
        gammaln: the logarithm of the gamma function.
        rgamma: its reciprocal.

    Returns:
        The exponents of D and of V, and what is left of rgamma.
    """
    large = jnp.abs(v) > _LARGE_ORDER
    size = jnp.where(large, jnp.where(v < 0, -v, v + 1), 1.0)
    exponent = gammaln(size) * jnp.where((v < 0) == (kind == "D"), -1.0, 1.0)
    of_d, of_v = (0.0, exponent) if kind == "D" else (exponent, 0.0)
    return of_d, of_v, lambda u: jnp.where(large, 1.0, rgamma(jnp.where(large, 1.0, u)))


def _reflected(v: jax.Array, x: jax.Array, kind: str, order: int) -> tuple[jax.Array, jax.Array]:
    """The functions at -x for x > 0."""
    of_d, of_v, left = gamma_apart(v, kind, gammaln, rgamma)
    return reflected(v, _d_right(v, x, of_d), _v_right(v, x, of_v), kind, order, left)


def reflected(
    v: jax.Array,
    of_right: Sequence[jax.Array],
    of_other: Sequence[jax.Array],
    kind: str,
    order: int,
    rgamma: Any,
) -> tuple[jax.Array, jax.Array]:
    """The functions for x < 0 from D and V, and their derivatives, at -x (DLMF 12.2.15, 12.2.16).

    Args:
        v: the order.
        of_right: D and its derivative.
        of_other: V and its derivative.
        kind: which of both is wanted.
        order: of the derivative in v that is.
        rgamma: 1/Gamma.
    """
    cosine, sine = cosine_and_sine_of_pi(v)
    (d, dp), (u, up) = of_right, of_other
    # 1/Gamma(-v) = -sin(pi v) Gamma(v + 1)/pi, and likewise.
    if kind == "D":
        below = math.pi * rgamma(jnp.where(v < 0, -v, 1.0))
        above = -sine / rgamma(jnp.where(v < 0, 1.0, v + 1))
        of_d, of_v = cosine, jnp.where(v < 0, below, above)
    else:
        above = -sine * rgamma(jnp.where(v > -1, v + 1, 1.0))
        below = sine * sine / math.pi / rgamma(jnp.where(v > -1, 1.0, -v))
        of_d, of_v = jnp.where(v > -1, above, below), -cosine
    first = _product(of_d, d, order), _product(of_d, dp, order)
    second = _product(of_v, u, order), _product(of_v, up, order)
    return first[0] + second[0], -(first[1] + second[1])


def _at_zero(v: jax.Array, kind: str, rgamma: Any) -> tuple[jax.Array, jax.Array]:
    """The values at x = 0 (DLMF 12.2.6 to 12.2.9)."""
    root, even, odd = math.sqrt(math.pi), -v / 2, (1 - v) / 2
    if kind == "D":
        of_even, of_odd = at_once(rgamma, even, odd)
        return root * 2 ** (v / 2) * of_odd, -root * 2 ** ((v + 1) / 2) * of_even
    of_even, of_odd, other_even, other_odd = at_once(rgamma, even, odd, 1 + v / 2, (1 + v) / 2)
    value = math.pi * 2 ** (-v / 2) * other_even**2 * of_even
    return value, math.pi * 2 ** ((1 - v) / 2) * other_odd**2 * of_odd


def series(v: jax.Array, x: jax.Array, kind: str, rgamma: Any) -> tuple[Any, Any]:
    """The power series, with the zeros that it has at x = 0 (DLMF 12.4.1)."""
    value, slope = _at_zero(v, kind, rgamma)
    a = -v - 0.5
    coefficients = [value, slope, a * value / 2, a * slope / 6]
    for k in range(2, _TERMS):
        next_one = (a * coefficients[k] + coefficients[k - 2] / 4) / ((k + 1) * (k + 2))
        coefficients.append(next_one)
    total = derivative = jnp.zeros_like(x)
    for k, c in reversed(list(enumerate(coefficients))):
        total = total * x + c
        if k:
            derivative = derivative * x + k * c
    return total, derivative


def _both(v: jax.Array, x: jax.Array, kind: str, order: int) -> tuple[jax.Array, jax.Array]:
    near = x * x * (jnp.abs(v) + 1) < _NEAR
    inside = series(jnp.where(near, v, 0.0), jnp.where(near, x, 0.0), kind, rgamma)
    right = (_d_right if kind == "D" else _v_right)(v, jnp.where(x < 0, 1.0, x))
    left = _reflected(v, jnp.where(x < 0, -x, 1.0), kind, order)
    value, slope = (
        jnp.where(near, c, jnp.where(x < 0, a, b))
        for a, b, c in zip(left, right, inside, strict=True)
    )
    return value, slope


@native()
def parabolic(v: jax.Array, x: jax.Array, *, kind: str, n: int, order: int = 0) -> jax.Array:
    """D_v(x) (kind D) or V(-v-1/2, x) (kind V), or the derivative (n = 1), and one in the order."""
    v, x = jnp.broadcast_arrays(v, x)
    return derivative(lambda v: _both(v, x, kind, order)[n], order)(v)


def curvature(v: jax.Array, x: jax.Array, *, kind: str, order: int = 0) -> jax.Array:
    """The second derivative, by the differential equation, and derivatives of that in the order."""
    value = (x * x / 4 - v - 0.5) * parabolic(v, x, kind=kind, n=0, order=order)
    if order:
        value = value - order * parabolic(v, x, kind=kind, n=0, order=order - 1)
    return value


parabolic.partials(
    v=closed(
        "DLMF 12.5.6",
        lambda y, v, x, *, kind, n, order=0: parabolic(v, x, kind=kind, n=n, order=order + 1),
    ),
    x=closed(
        "DLMF 12.2.2",
        lambda y, v, x, *, kind, n, order=0: (
            curvature(v, x, kind=kind, order=order)
            if n
            else parabolic(v, x, kind=kind, n=1, order=order)
        ),
    ),
)
