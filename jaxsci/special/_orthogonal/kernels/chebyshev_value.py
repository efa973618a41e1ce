"""Chebyshev polynomials of any degree, T_n(x) and U_n(x), by cosines and sines.

With x = cos t they are cos(n t) and sin((n + 1) t)/sin(t) (DLMF 18.5.1, 18.5.2). The angle is
counted from the nearest of 0, pi/2 and pi, and multiples of these by n are reduced before its
multiple is taken from them: the digits of small n, and of a small difference, are kept.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi, sine_of_pi
from jaxsci.special._numerics.plane import over, square_root
from jaxsci.special._orthogonal.kernels.interval import ends, on_long_interval


def chebyshev_value(n: jax.Array, x: jax.Array, second: bool, shifted: bool) -> jax.Array:
    """T_n(x) or U_n(x).

    Args:
        n: the degree.
        x: the argument; real ones below -1 have a value for integer n only.
        second: whether it is U.
        shifted: whether the functions are those of 2x - 1.
    """
    n, x = jnp.broadcast_arrays(n, x)
    low, high = ends(x, shifted)
    x = on_long_interval(x, shifted)
    return (_plane if jnp.iscomplexobj(x) else _line)(n, x, low, high, second)


def cosine_and_sine(
    n: jax.Array,
    x: jax.Array,
    low: jax.Array,
    high: jax.Array,
    second: bool,
    root: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Cosine and sine of n t or (n + 1) t, of the real part of t.

    Args:
        n: the degree.
        x: the real part of cos t.
        low: that of the root of (1 - cos t)/2.
        high: that of the root of (1 + cos t)/2.
        second: whether it is n + 1.
        root: that of sin t.
    """
    right, left = x > 0.5, x < -0.5
    angle = jnp.where(
        right | left,
        2 * jnp.arctan2(jnp.where(left, high, low), jnp.where(left, low, high)),
        jnp.arctan2(x, root),
    )
    # In parts of pi, and quarters of a turn: zeros at x = 0 and signs at the ends are exact.
    part = (n + int(second)) * (angle / math.pi)
    quarters = jnp.where(right, 0.0, jnp.where(left, 2.0, 1.0))
    nearest = jnp.round(n * quarters)
    rest = jnp.where(right, part, (n * quarters - nearest) / 2 - part)
    cosine, sine = cosine_and_sine_of_pi(rest)
    turns = jnp.mod(nearest + int(second) * quarters, 4)
    odd, negative = jnp.mod(turns, 2) == 1, turns >= 2
    cosine, sine = jnp.where(odd, -sine, cosine), jnp.where(odd, cosine, sine)
    return jnp.where(negative, -cosine, cosine), jnp.where(negative, -sine, sine)


def _line(n: jax.Array, x: jax.Array, low: jax.Array, high: jax.Array, second: bool) -> jax.Array:
    beyond = jnp.abs(x) > 1
    roots = jnp.sqrt(jnp.abs(low)), jnp.sqrt(jnp.abs(high))
    root = 2 * roots[0] * roots[1]
    cosine, sine = cosine_and_sine(n, x, *roots, second, root)
    sign = jnp.where((x < 0) & (jnp.mod(n, 2) == 1), -1.0, 1.0)
    growth = 2 * jnp.arcsinh(jnp.where(beyond, jnp.minimum(*roots), 0.0))
    if not second:
        return jnp.where(beyond, sign * jnp.cosh(n * growth), cosine)
    inside = jnp.where(root == 0, sign * (n + 1), sine / jnp.where(root == 0, 1.0, root))
    return jnp.where(beyond, sign * _quotient_of_hyperbolic_sines(n, growth), inside)


def _at_lower_end(n: jax.Array) -> jax.Array:
    """U_n(-1): infinite, with the sign of sin((n + 1) pi), but for integer n."""
    sine = sine_of_pi(n)
    number = jnp.where(jnp.mod(n, 2) == 1, -1 - n, n + 1)
    return jnp.where(sine == 0, number, jnp.where(sine > 0, -jnp.inf, jnp.inf))


def _quotient_of_hyperbolic_sines(n: jax.Array, growth: jax.Array) -> jax.Array:
    """sinh((n + 1) g)/sinh(g) for g > 0, where either of them may overflow."""
    m = n + 1
    safe = jnp.where(growth > 0, growth, 1.0)
    quotient = jnp.expm1(-2 * jnp.abs(m) * safe) / jnp.expm1(-2 * safe)
    power = jnp.where(m < 0, -n - 2, n)
    return jnp.sign(m) * jnp.exp(power * safe) * quotient


def _plane(n: jax.Array, x: jax.Array, low: jax.Array, high: jax.Array, second: bool) -> jax.Array:
    # SciPy's values on the cut are those from below. Roots of a zero's sign would depend on the
    # compiler.
    cut = (high.imag == 0) & (high.real < 0)
    high = jax.lax.complex(high.real, jnp.where(cut, 0.0, high.imag))
    roots = square_root(low), square_root(high)
    root = 2 * roots[0] * roots[1]
    # Kahan (1987), Branch cuts for complex elementary functions.
    cosine, sine = cosine_and_sine(n, x.real, roots[0].real, roots[1].real, second, root.real)
    growth = (n + int(second)) * jnp.arcsinh(2 * (jnp.conj(roots[1]) * roots[0]).imag)
    cosh, sinh = jnp.cosh(growth), jnp.sinh(growth)
    if not second:
        value = jax.lax.complex(cosine * cosh, -sine * sinh)
    else:
        odd = jax.lax.complex(sine * cosh, cosine * sinh)
        limit = jnp.where(x.real < 0, _at_lower_end(n), n + 1)
        value = jnp.where(root == 0, limit, over(odd, jnp.where(root == 0, 1.0, root)))
    return jnp.where(cut, jnp.conj(value), value)
