"""Chebyshev polynomials of any degree, T_m(x) and U_(m-1)(x), by cosines and sines."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi
from jaxsci.special._orthogonal.kernels.interval import ends


def chebyshev_value(m: jax.Array, x: jax.Array, second: bool, shifted: bool) -> jax.Array:
    """With x = cos t, cos(m t) or sin(m t)/sin(t) (DLMF 18.5.1, 18.5.2).

    Args:
        m: the degree, of U plus one.
        x: the argument; real ones below -1 have a value for integer m only.
        second: whether it is U.
        shifted: whether the functions are those of 2x - 1.
    """
    m, x = jnp.broadcast_arrays(m, x)
    # Polynomials are even or odd: next to -1 the angle would have lost its digits.
    turned = (m == jnp.floor(m)) & ((x.real < 0.5) if shifted else (x.real < 0))
    odd = (m + int(second)) % 2 == 1
    low, high = ends(x, shifted)
    low, high = jnp.where(turned, high, low), jnp.where(turned, low, high)
    value = (_plane if jnp.iscomplexobj(x) else _line)(m, low, high, second)
    return jnp.where(turned & odd, -value, value)


def _turns(m: jax.Array, angle: jax.Array) -> tuple[jax.Array, jax.Array]:
    # In parts of pi: at x = 0 the cosine of odd m is zero.
    return cosine_and_sine_of_pi(m * (angle / math.pi))


def _line(m: jax.Array, low: jax.Array, high: jax.Array, second: bool) -> jax.Array:
    beyond = low < 0
    roots = jnp.sqrt(jnp.abs(low)), jnp.sqrt(jnp.abs(high))
    cosine, sine = _turns(m, 2 * jnp.arctan2(*roots))
    growth = 2 * jnp.arcsinh(jnp.where(beyond, roots[0], 0.0))
    if not second:
        return jnp.where(beyond, jnp.cosh(m * growth), cosine)
    root = 2 * roots[0] * roots[1]
    odd = jnp.where(beyond, jnp.sinh(m * growth), sine)
    return jnp.where(root == 0, m, odd / jnp.where(root == 0, 1.0, root))


def _plane(m: jax.Array, low: jax.Array, high: jax.Array, second: bool) -> jax.Array:
    # SciPy's values on the cut are those from below. Roots of a zero's sign would depend on the
    # compiler.
    cut = (high.imag == 0) & (high.real < 0)
    high = jax.lax.complex(high.real, jnp.where(cut, 0.0, high.imag))
    roots = jnp.sqrt(low), jnp.sqrt(high)
    # Kahan (1987), Branch cuts for complex elementary functions.
    cosine, sine = _turns(m, 2 * jnp.arctan2(roots[0].real, roots[1].real))
    growth = m * jnp.arcsinh(2 * (jnp.conj(roots[1]) * roots[0]).imag)
    cosh, sinh = jnp.cosh(growth), jnp.sinh(growth)
    if not second:
        value = jax.lax.complex(cosine * cosh, -sine * sinh)
    else:
        root = 2 * roots[0] * roots[1]
        odd = jax.lax.complex(sine * cosh, cosine * sinh)
        value = jnp.where(root == 0, m, odd / jnp.where(root == 0, 1.0, root))
    return jnp.where(cut, jnp.conj(value), value)
