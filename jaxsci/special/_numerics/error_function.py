"""The error function's tails and inverses, of real numbers.

erfcx is a polynomial over the whole half line x >= 0, and the tails are that times exp(-x^2), whose
argument is taken in two parts. erf is x times a polynomial in x^2 near 0, where it would lose
digits as a difference. The inverses are polynomials in y^2, and in the root of -log(erfc x), with
which they grow nearly in proportion.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._numerics import error_function_tables as tables
from jaxsci.special._numerics.elementary import exp_of_square
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.vectorised import log

CENTRE = 0.5
"""Up to here the complement is 1 - erf, and the inverses are those of erf."""


def erf_near(x: jax.Array) -> jax.Array:
    """Erf for |x| <= 1."""
    return x + x * tables.ERF_NEAR(x * x)


def erfcx_right(x: jax.Array) -> jax.Array:
    """exp(x^2) erfc(x) for x >= 0."""
    # At infinity t is 1, not a quotient of infinities.
    t = jnp.where(x < 16, (x - 3.75) / (x + 3.75), 1 - 7.5 / (x + 3.75))
    return tables.ERFCX(t) / (1 + 2 * x)


def erfc(x: jax.Array) -> jax.Array:
    """1 - erf x."""
    size = jnp.abs(x)
    tail = exp_of_square(size, -1) * erfcx_right(size)
    centre = 1 - erf_near(jnp.where(size < CENTRE, x, 0.0))
    return jnp.where(size < CENTRE, centre, jnp.where(x < 0, 2 - tail, tail))


def erfcx(x: jax.Array) -> jax.Array:
    """exp(x^2) erfc(x)."""
    left = exp_of_square(jnp.minimum(x, 0.0), 1) * erfc(jnp.minimum(x, 0.0))
    return jnp.where(x < 0, left, erfcx_right(jnp.abs(x)))


def erfcinv_of_root(r: jax.Array) -> jax.Array:
    """The x with erfc(x) = exp(-r^2), where that is from 1e-320 to 1/2."""
    return r - r * tables.ERFCINV((r - 3) / (r + 3))


def erfcinv_tail(z: jax.Array) -> jax.Array:
    """The x with erfc(x) = z, for z <= 1/2."""
    return erfcinv_of_root(shared(jnp.sqrt(-log(z))))


def erfinv_near(y: jax.Array) -> jax.Array:
    """The x with erf(x) = y, for |y| <= 1/2."""
    return y + y * tables.ERFINV_NEAR(y * y)


def erfcinv_of_either(z: jax.Array, rest: jax.Array) -> jax.Array:
    """The x with erfc(x) = z, where rest = 1 - z is known as well as z; of 0 <= z <= 2."""
    tail = jnp.where(rest > 0, z, 2 - z)
    centre = jnp.abs(rest) <= CENTRE
    x = jnp.copysign(erfcinv_tail(jnp.where(centre | ~(tail > 0), 0.5, tail)), rest)
    x = jnp.where(tail == 0, jnp.copysign(jnp.inf, rest), x)
    x = jnp.where(centre, erfinv_near(jnp.where(centre, rest, 0.0)), x)
    return jnp.where(tail >= 0, x, jnp.nan)
