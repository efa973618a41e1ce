"""The gamma density, and its derivatives of all orders in the point and in the shape."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._incomplete.kernels.densities import gamma_power, scaled_gamma_power
from jaxsci.special._incomplete.kernels.gamma_score import gamma_score, relative_slopes
from jaxsci.special._numerics.falling_factorial import falling_derivatives
from jaxsci.special._numerics.subnormal import is_positive


@tower("one derivative more", a="by_shape")
def gamma_density(a: jax.Array, x: jax.Array, *, n: int = 0, by_shape: int = 0) -> jax.Array:
    """(d/da)^by_shape of the gamma density of shape a - n, x^(a-n-1) exp(-x)/Gamma(a-n).

    For x >= 0 and a >= 0: where a - n is a pole of the gamma function, it is zero, but has slopes.
    """
    a, x = jnp.broadcast_arrays(a, x)
    inside = (a >= 0) & (x >= 0)
    ends = (x == jnp.inf) | (a == jnp.inf)
    regular = inside & ~ends
    shape, t = jnp.where(regular, a, 1.0), jnp.where(regular, x, 1.0)
    value = _in_shape(shape, t, n, by_shape) if by_shape else gamma_power(shape, t, n)
    at_ends = jnp.where(inside & ~((x == jnp.inf) & (a == jnp.inf)), 0.0, jnp.nan)
    return jnp.where(regular, value, at_ends)


def _in_shape(a: jax.Array, x: jax.Array, n: int, order: int) -> jax.Array:
    """The derivative of a (a-1) ... (a-n) x^(a-1-n) exp(-x)/Gamma(a+1), by Leibniz's rule."""
    positive = is_positive(x)
    factors = falling_derivatives(a, n + 1, order)
    slopes = relative_slopes(a, jnp.where(positive, x, 1.0), order)
    total: PyTree = 0.0
    for j, factor in enumerate(factors):
        total = total + math.comb(order, j) * factor * slopes[order - j]
    value = scaled_gamma_power(total, a + 1, x, n + 1)
    # At zero the highest power of log x outweighs all others.
    leading = jnp.where(factors[0] == 0, -factors[1], factors[0])
    at_zero = jnp.where(a > n + 1, 0.0, (-1) ** order * jnp.sign(leading) * jnp.inf)
    return jnp.where(positive, value, at_zero)


gamma_density.partials(
    x=closed(
        "DLMF 8.2.1",
        lambda y, a, x, *, n=0, by_shape=0: (
            gamma_density(a, x, n=n + 1, by_shape=by_shape)
            - gamma_density(a, x, n=n, by_shape=by_shape)
        ),
    )
)


@native()
def reciprocal_gamma_density(a: jax.Array, x: jax.Array) -> jax.Array:
    """One over the gamma density of shape a at x, which is dx/dP where P is the distribution."""
    return 1 / gamma_density(a, x)


def _fall_of_log_density(a: jax.Array, x: jax.Array) -> jax.Array:
    fall = (x - a) + 1
    return jnp.where(fall == 0, 0.0, fall / x)


# Squares of small numbers would underflow.
reciprocal_gamma_density.partials(
    a=closed("DLMF 5.2.2", lambda y, a, x: -y * (gamma_score(a, x) + 1 / a)),
    x=closed("DLMF 8.2.1", lambda y, a, x: y * _fall_of_log_density(a, x)),
)
