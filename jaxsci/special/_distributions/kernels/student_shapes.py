"""Student's t distribution's derivatives in its degrees of freedom.

T^2 follows the F distribution of 1 and df degrees of freedom, whose scores serve here too. That in
df is of order 1/df^2 for large df, and so is the derivative of the distribution function.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._distributions.kernels.f_scores import (
    pure_derivative,
    score_constant,
    turns_far_out,
)
from jaxsci.special._distributions.kernels.student_density import (
    density,
    density_times_t,
    log_fraction,
    log_rest_ratio,
)
from jaxsci.special._incomplete.kernels.beta_tails import tail_integral_at
from jaxsci.special._incomplete.kernels.densities import complement, proportion
from jaxsci.special._numerics.bell_polynomials import of_exponential
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.vectorised import root_as_divisor


@tower("differentiated under the integral", df="m")
def student_distribution(df: jax.Array, t: jax.Array, *, m: int) -> jax.Array:
    """The m-th derivative in df of Student's distribution function, for m >= 1."""
    df, t = jnp.broadcast_arrays(df, t)
    inside = (df > 0) & jnp.isfinite(df) & jnp.isfinite(t) & (t != 0)
    ends = (df > 0) & ~jnp.isnan(t)
    df, t = jnp.where(inside, df, 1.0), jnp.where(inside, t, 1.0)
    square = (t / root_as_divisor(df)) ** 2
    odds = 2 * jnp.log(jnp.abs(t)) - jnp.log(df)
    half, b = jnp.full_like(df, 0.5), df / 2
    ratio, log_q = log_rest_ratio(df, t), -log_fraction(df, t)
    constants = [score_constant(b, half, k) for k in range(m)]

    def factor(to_p: jax.Array, to_q: jax.Array) -> jax.Array:
        at = b, half, ratio + to_q, log_q + to_q, jnp.exp(odds + log_q + to_p)
        logarithms = {
            (0, k + 1): pure_derivative(k + 1, constant, *at)
            for k, constant in enumerate(constants)
        }
        return of_exponential(logarithms, 0, m)

    # Of t from 0 where |t| < 1, and else from infinity: over both the integral is 0.
    # Next to no degree of freedom the score changes its sign far out. The square may overflow.
    complement_of_square = complement(square)
    turns = turns_far_out(b, log_q) & (complement_of_square > 0)
    far = (jnp.abs(t) > 1) & ~turns
    integral = tail_integral_at(
        half, b, proportion(square), complement_of_square, odds, far, factor
    )
    value = density_times_t(df, t) / 2 * integral / 2**m
    return jnp.where(inside, value, jnp.where(ends, 0.0, jnp.nan))


def _along_t(y: jax.Array, df: jax.Array, t: jax.Array, *, m: int) -> jax.Array:
    return derivative(lambda df: density(df, t), m)(df)


student_distribution.partials(t=closed("differentiated under the integral", _along_t))
