"""The F distribution's derivatives in its degrees of freedom, here a = dfn/2 and b = dfd/2.

They are integrals of the density's own derivatives, which are polynomials in its scores, over one
tail: over both they are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._distributions.kernels.f_scores import (
    log_ratio,
    log_rest_ratio,
    mixed_derivative,
    pure_derivative,
    score_constant,
    turns_far_out,
)
from jaxsci.special._gamma.kernels.log_minus_digamma import log_less_psi
from jaxsci.special._incomplete.kernels.beta_scores import log_beside
from jaxsci.special._incomplete.kernels.beta_tails import tail_integral
from jaxsci.special._incomplete.kernels.densities import (
    beta_density,
    beta_power,
    complement,
    proportion,
)
from jaxsci.special._numerics.bell_polynomials import of_exponential, orders_up_to
from jaxsci.special._numerics.nth_derivative import derivative

_UNDER_THE_INTEGRAL = "differentiated under the integral"


@native()
def f_density(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """The density of the F distribution."""
    return _density(a, b, x)


def _density(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    ratio = a / b
    q = complement(ratio * x)
    return ratio * q**2 * beta_density(a, b, proportion(ratio * x), q)


def _score_in_a(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    odds = b / (a * x)
    at = a, b, log_ratio(a, b, x), -jnp.log1p(odds), proportion(odds)
    return pure_derivative(1, score_constant(a, b, 0), *at)


def _score_in_b(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    odds = a / b * x
    at = b, a, log_rest_ratio(a, b, x), -jnp.log1p(odds), proportion(odds)
    return pure_derivative(1, score_constant(b, a, 0), *at)


def _along_shape(
    score_of: Callable[..., Any], y: jax.Array, a: jax.Array, b: jax.Array, x: jax.Array
) -> jax.Array:
    # A density of 0 outweighs its infinite score.
    gone = y == 0
    return jnp.where(gone, 0.0, y * score_of(a, b, jnp.where(gone, 1.0, x)))


f_density.partials(
    a=closed("DLMF 5.12.1", lambda y, a, b, x: _along_shape(_score_in_a, y, a, b, x)),
    b=closed("DLMF 5.12.1", lambda y, a, b, x: _along_shape(_score_in_b, y, a, b, x)),
    x=closed("DLMF 8.17.1", lambda y, a, b, x: derivative(lambda x: _density(a, b, x), 1)(x)),
)


@tower(_UNDER_THE_INTEGRAL, a="m", b="n")
def f_distribution(a: jax.Array, b: jax.Array, x: jax.Array, *, m: int, n: int) -> jax.Array:
    """(d/da)^m (d/db)^n of the distribution function at x >= 0, for m + n >= 1."""
    a, b, x = jnp.broadcast_arrays(a, b, x)
    shapes = (a > 0) & (b > 0) & jnp.isfinite(a) & jnp.isfinite(b)
    p, q = proportion(a / b * x), complement(a / b * x)
    inside = shapes & (p > 0) & (q > 0)
    ends = shapes & ((x == 0) | (x == jnp.inf))
    a, b, x = (jnp.where(inside, z, 1.0) for z in (a, b, x))
    p, q = (jnp.where(inside, z, 0.5) for z in (p, q))
    log_p, log_q = log_beside(p, q), log_beside(q, p)
    # The tail that does not hold x = 1, unless the score changes its sign far out in that.
    turns_left = (a < b) & turns_far_out(a, log_p)
    turns_right = (b < a) & turns_far_out(b, log_q)
    upper = ((x > 1) | turns_left) & ~turns_right
    factor = _factor(a, b, x, log_p, log_q, m, n)
    value = beta_power(a, b, p, q, -1, -1) * tail_integral(a, b, p, q, upper, factor)
    return jnp.where(inside, value, jnp.where(ends, 0.0, jnp.nan))


def _factor(
    a: jax.Array, b: jax.Array, x: jax.Array, log_p: jax.Array, log_q: jax.Array, m: int, n: int
) -> Callable[[Any, Any], Any]:
    """(d/da)^m (d/db)^n f, divided by f, by the distances from p and q at x."""
    ratio, rest_ratio = log_ratio(a, b, x), log_rest_ratio(a, b, x)
    in_a, in_b = (
        [score_constant(shape, other, k) for k in range(order)]
        for shape, other, order in ((a, b, m), (b, a, n))
    )
    in_both = [log_less_psi(a + b, k) for k in range(m + n)]

    def factor(to_p: jax.Array, to_q: jax.Array) -> jax.Array:
        y, z, share, rest = ratio + to_p, rest_ratio + to_q, log_p + to_p, log_q + to_q
        at_a, at_b = (a, b, y, share, jnp.exp(rest)), (b, a, z, rest, jnp.exp(share))

        def one(i: int, j: int) -> jax.Array:
            if i and j:
                return mixed_derivative(i, j, in_both[i + j - 1], a + b, y, z)
            at, constants = (at_a, in_a) if i else (at_b, in_b)
            return pure_derivative(i + j, constants[i + j - 1], *at)

        return of_exponential({k: one(*k) for k in orders_up_to(m, n)}, m, n)

    return factor


def _density_by_shapes(a: jax.Array, b: jax.Array, x: jax.Array, m: int, n: int) -> jax.Array:
    """(d/da)^m (d/db)^n of the density."""
    return derivative(lambda a: derivative(lambda b: f_density(a, b, x), n)(b), m)(a)


f_distribution.partials(
    x=closed(_UNDER_THE_INTEGRAL, lambda y, a, b, x, *, m, n: _density_by_shapes(a, b, x, m, n))
)
