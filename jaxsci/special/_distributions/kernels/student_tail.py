"""Student's t distribution far in the tail: its quantile, where SciPy's search goes astray."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.row import Repair

_TERMS = 5
_STEPS = 4


def quantile(df: jax.Array, p: jax.Array) -> jax.Array:
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
    return (p >= 0) & (df > 0) & ((p == 0) | ((p < below) & (df <= 20)))


repair = Repair(
    "p = 0, or p < 1e-60 and df <= 20, or p < 1e-20 and df < 1",
    _is_far,
    lambda ys, df, p: quantile(df, p),
    costly=True,
)
