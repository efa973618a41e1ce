"""The density of Student's t distribution, and its derivatives."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._distributions.kernels.f_scores import (
    log_of_one_more,
    pure_derivative,
    score_constant,
)
from jaxsci.special._distributions.kernels.normal_tail import SQRT_2PI
from jaxsci.special._numerics.vectorised import root_as_divisor

_SHIFT = 10


def root_ratio(x: jax.Array) -> jax.Array:
    """Gamma(x + 1/2)/(Gamma(x) sqrt(x)), for x > 0, which is 1 for large x."""
    w = x + _SHIFT
    scale = 1 / w
    above, below = jnp.ones_like(x), jnp.ones_like(x)
    for k in range(_SHIFT):
        above, below = above * ((x + k) * scale), below * ((x + (k + 0.5)) * scale)
    v = 1 / (w * w)
    # The difference of two Stirling series (DLMF 5.11.8).
    terms = (-1 / 8, 1 / 192, -1 / 640, 17 / 14336, -31 / 18432, 691 / 180224)
    series: Any = 0.0
    for term in reversed(terms):
        series = series * v + term
    return above / below * jnp.exp(series / w) * jnp.sqrt(w / x)


def log_fraction(df: jax.Array, t: jax.Array) -> jax.Array:
    """log(1 + t^2/df), where t^2 may overflow."""
    s = jnp.abs(t) / root_as_divisor(df)
    large = s > 1e8
    # Next to no degree of freedom s may overflow too.
    scale = jnp.where(s < jnp.inf, 1.0, 2.0**-100)
    big = jnp.where(large, jnp.abs(t) * scale / root_as_divisor(df), 1e8)
    small = jnp.where(large, 0.0, t)
    return jnp.where(large, 2 * (jnp.log(big) - jnp.log(scale)), jnp.log1p(small * small / df))


@native()
def density(df: jax.Array, t: jax.Array) -> jax.Array:
    """Density of Student's t distribution."""
    normal = jnp.isinf(df)
    df = jnp.where(normal, 1.0, df)
    log = jnp.where(normal, t * t / 2, (df + 1) / 2 * log_fraction(df, t))
    scale = jnp.where(normal, 1.0, root_ratio(df / 2))
    return jnp.where(df > 0, scale * jnp.exp(-log) / SQRT_2PI, jnp.nan)


@native()
def _slope_ratio(df: jax.Array, t: jax.Array) -> jax.Array:
    """(df+1) t/(df+t^2) = -f'/f, of huge t too."""
    normal = jnp.isinf(df)
    df = jnp.where(normal, 1.0, df)
    r = t / root_as_divisor(df)
    big = jnp.abs(r) > 1
    fraction = jnp.where(
        big, 1 / jnp.where(big, r + 1 / jnp.where(big, r, 1.0), 1.0), r / (1 + r * r)
    )
    return jnp.where(normal, t, (df + 1) / root_as_divisor(df) * fraction)


@native()
def log_rest_ratio(df: jax.Array, t: jax.Array) -> jax.Array:
    """Ln s with s = (df+1)/(df+t^2), which keeps its digits near |t| = 1."""
    normal = jnp.isinf(df)
    df = jnp.where(normal, 1.0, df)
    d = (1 - t) * (1 + t) / (df + t * t)
    value = log_of_one_more(d, jnp.log1p(1 / df) - log_fraction(df, t))
    return jnp.where(normal, 0.0, value)


def _score(df: jax.Array, t: jax.Array) -> jax.Array:
    share, rest = -log_fraction(df, t), t / (df + 1) * _slope_ratio(df, t)
    at = df / 2, 0.5, log_rest_ratio(df, t), share, rest
    return pure_derivative(1, score_constant(df / 2, 0.5, 0), *at) / 2


density.partials(
    df=closed("DLMF 5.2.2", lambda y, df, t: y * _score(df, t)),
    t=closed("f' = -(df+1) t/(df+t^2) f", lambda y, df, t: -y * _slope_ratio(df, t)),
)
_slope_ratio.partials(
    df=closed("t s, (ln s)'", lambda y, df, t: -y * jnp.expm1(log_rest_ratio(df, t)) / (df + 1)),
    t=closed(
        "t s, (ln s)'", lambda y, df, t: jnp.exp(log_rest_ratio(df, t)) - 2 * y * (y / (df + 1))
    ),
)
log_rest_ratio.partials(
    df=closed("(ln s)'", lambda y, df, t: -jnp.expm1(y) / (df + 1)),
    t=closed("(ln s)'", lambda y, df, t: -2 * _slope_ratio(df, t) / (df + 1)),
)


def direction(df: jax.Array, t: jax.Array) -> jax.Array:
    """t/sqrt(df + t^2), for huge t too."""
    r = t / root_as_divisor(df)
    large = jnp.abs(r) > 1e8
    near = jnp.where(large, 1.0, r)
    return jnp.where(large, jnp.sign(r), near / root_as_divisor(1 + near * near))


def density_times_t(df: jax.Array, t: jax.Array) -> Any:
    """T f(t) of finite df, where the density f may underflow."""
    power = jnp.exp(-df / 2 * log_fraction(df, t))
    return root_ratio(df / 2) * jnp.sqrt(df) * direction(df, t) * power / SQRT_2PI
