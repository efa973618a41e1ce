"""Jacobi's, Gegenbauer's and Laguerre's functions of any real degree, for JAX to differentiate.

They are hypergeometric functions (DLMF 18.5.7, 18.5.9, 18.5.12), by their differential equations
(`_numerics/hypergeometric_equations.py`), times quotients of gamma functions.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import hypergeometric_equations
from jaxsci.special._numerics.gamma_factors import (
    gamma_quotient,
    is_pole,
    log_gamma,
    quotient_of_gamma_quotients,
    rising,
)
from jaxsci.special._numerics.hypergeometric_equations import gauss, kummer

LARGEST_DEGREE = 1e4
LEAST_DEGREE = -5.5
"""Derivatives in x ask for some degrees below 0."""
LARGEST_ARGUMENT = 1e3
_SHORTER = 0.75
_DIFFERENT = 1e-9
"""By how much two solutions may differ."""
_SHIFT = 16
_SMALL = 0.1


def jacobi(
    n: jax.Array, a: jax.Array, b: jax.Array, low: jax.Array, high: jax.Array, pace: Any = 1.0
) -> jax.Array:
    """P_n^(a,b)(x) at x = 1 - 2 low = 2 high - 1, real and above -1 or complex."""
    return _of_gauss(n, n + a + b + 1, a + 1, low, high, pace=pace) * binomial(n, a)


def legendre(n: jax.Array, low: jax.Array, high: jax.Array) -> jax.Array:
    """P_n(x), likewise."""
    return gauss(-n, n + 1, 1.0, low, high)


def gegenbauer(
    n: jax.Array, c: jax.Array, low: jax.Array, high: jax.Array, pace: Any = 1.0
) -> jax.Array:
    """C_n^(c)(x), likewise."""
    return _of_gauss(n, n + 2 * c, c + 0.5, low, high, pace=pace) * gegenbauer_factor(n, c)


def gegenbauer_factor(n: jax.Array, c: jax.Array) -> jax.Array:
    """C_n^(c)(1), with the digits of small c; for c = 1/2 it is exactly 1."""
    small = jnp.abs(c) < _SMALL
    factor = jnp.where(small, 2 * c, 1.0) / jnp.where(small, n + 2 * c, 1.0)
    return factor * binomial(n, jnp.where(small, 2 * c, 2 * c - 1))


def shifted_jacobi(
    n: jax.Array, p: jax.Array, q: jax.Array, low: jax.Array, high: jax.Array, pace: Any = 1.0
) -> jax.Array:
    """G_n(p, q; x) at x = 1 - low = high."""
    return _of_gauss(n, n + p, p - q + 1, low, high, shifted_factor(n, p, q), pace)


def shifted_factor(n: jax.Array, p: jax.Array, q: jax.Array) -> jax.Array:
    """G_n(p, q; 1): n! Gamma(n + p)/Gamma(2n + p) times that of Jacobi's."""
    # Gamma(n + p)/Gamma(2n + p) from numbers that are 1 larger: a small one has its digits then.
    small = jnp.abs(n + p) < _SMALL
    factor = jnp.where(small, 2 * n + p, 1.0) / jnp.where(small, n + p, 1.0)
    step = jnp.where(small, n + q, n + q - 1)
    return factor * quotient_of_gamma_quotients(p - q + 1, n + p - q + 1, step, in_loop=True)


def laguerre(n: jax.Array, a: jax.Array, x: jax.Array) -> jax.Array:
    """L_n^(a)(x)."""
    good = ~is_pole(a + 1)
    value = kummer(-n, jnp.where(good, a + 1, 1.0), x) * binomial(n, a)
    return jnp.where(good, value, jnp.nan)


def _of_gauss(
    n: jax.Array,
    b: jax.Array,
    c: jax.Array,
    low: jax.Array,
    high: jax.Array,
    scale: Any = 1.0,
    pace: Any = 1.0,
) -> jax.Array:
    good = ~is_pole(c)
    value = gauss(-n, b, jnp.where(good, c, 1.0), low, high, pace, scale)
    return jnp.where(good, value, jnp.nan)


def paces(x: jax.Array) -> jax.Array:
    """What steps are multiplied by, to solve an equation twice along a first dimension."""
    return hypergeometric_equations.paces(x, _SHORTER)


def agree(solutions: jax.Array) -> jax.Array:
    """Where two solutions, or what is derived from them, have digits in common.

    An exponent that is large makes F fall off before it grows, and the errors of steps with it.
    """
    first, last = solutions[0], solutions[-1]
    return jnp.abs(first - last) <= _DIFFERENT * jnp.abs(first)


def binomial(n: jax.Array, a: jax.Array) -> jax.Array:
    """Gamma(n + a + 1)/(Gamma(n + 1) Gamma(a + 1)), for both above -6 at least."""
    least, most = jnp.where(n < a, n, a), jnp.where(n < a, a, n)
    factor = jnp.exp(-log_gamma(least + 1, _SHIFT)) * rising(least + 1, _SHIFT)
    return gamma_quotient(most + 1, least) * factor
