"""Student's t distribution far in the tail.

SciPy takes the square of t, which may overflow, and its search for the quantile goes astray.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.row import Repair
from jaxsci.special._distributions.kernels.normal_tail import SQRT_2PI
from jaxsci.special._distributions.kernels.student_density import root_ratio

_TERMS = 5
_STEPS = 4


def _quantile(df: jax.Array, p: jax.Array) -> jax.Array:
    """The t < 0 with stdtr(df, t) = p, for p so small that df/t^2 is below 1e-6.

    The density, integrated term by term in powers of df/t^2, is a power of |t| times a series that
    is almost 1, and is inverted by repetition.
    """
    front = jax.lax.lgamma((df + 1) / 2) - jax.lax.lgamma(df / 2) - jnp.log(df * jnp.pi) / 2
    front = front + (df - 1) / 2 * jnp.log(df) - jnp.log(p)
    log_t = front / df
    for _ in range(_STEPS):
        u = df * jnp.exp(-2 * log_t)
        term, correction = 1.0, 0.0
        for k in range(1, _TERMS + 1):
            term = -term * u * ((df - 1) / 2 + k) / k
            correction = correction + term * df / (df + 2 * k)
        log_t = (front + jnp.log1p(correction)) / df
    return jnp.where(p == 0, -jnp.inf, -jnp.exp(log_t))


def _is_far(ys: Sequence[jax.Array], df: jax.Array, p: jax.Array) -> jax.Array:
    below = jnp.where(df < 1, 1e-20, 1e-60)
    clipped = (jnp.abs(ys[0]) > 1e150) & (p < 1)
    return (p >= 0) & (df > 0) & ((p == 0) | clipped | ((p < below) & (df <= 20)))


def _on_either_side(df: jax.Array, p: jax.Array) -> jax.Array:
    """That of p, which is not next to 1/2."""
    left = p < 0.5
    size = _quantile(df, jnp.where(left, p, 1 - p))
    return jnp.where(left, size, -size)


OF_QUANTILE = Repair(
    "p = 0, or p < 1e-60 and df <= 20, or p < 1e-20 and df < 1, or values are beyond 1e150",
    _is_far,
    lambda ys, df, p: _on_either_side(df, p),
    costly=True,
)


def probability(df: jax.Array, t: jax.Array) -> jax.Array:
    """stdtr(df, t) for df/t^2 that is nothing beside 1: the tail is |t|/df times the density."""
    size = jnp.abs(t)
    # (|t|/sqrt(df))^(-df)/sqrt(df), where neither factor overflows.
    root, few = jnp.sqrt(df), df < 1
    power = jnp.power(size / jnp.where(few, 1.0, root), -df)
    scale = jnp.where(few, jnp.power(df, (df - 1) / 2), 1 / root)
    tail = root_ratio(df / 2) / SQRT_2PI * (power * scale)
    return jnp.where(t > 0, 1 - tail, tail)


OF_FUNCTION = Repair(
    "|t| > 1e150",
    lambda ys, df, t: (jnp.abs(t) > 1e150) & (jnp.abs(t) < jnp.inf) & (df > 0) & (df < jnp.inf),
    lambda ys, df, t: probability(df, t),
    costly=True,
)
