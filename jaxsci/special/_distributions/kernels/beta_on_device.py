"""Distribution functions that are incomplete beta functions, in JAX operations."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._distributions.kernels.normal_on_device import ndtr, ndtri
from jaxsci.special._distributions.kernels.student_on_device import quantile_size
from jaxsci.special._incomplete.kernels.beta_inverse_on_device import (
    place_or_end,
    proportions,
    quantile_or_end,
)
from jaxsci.special._incomplete.kernels.beta_on_device import regularised
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import exp_of_parts, power_parts
from jaxsci.special._numerics.vectorised import root_as_divisor

_ULPS = 20
_ULPS_OF_COUNTS = 40
"""Counts are exact: what their rounding would change counts for nothing."""
_FAR = (1e140, 1e15)
_LEAST = (1e-290, 1e-30)
_NORMAL = (1e19, 1e10)
"""As many degrees of freedom make no difference to infinitely many."""


# -- F ---------------------------------------------------------------------------------------------


@device_kernel(_ULPS, conditioned=True)
def fdtr(dfn: jax.Array, dfd: jax.Array, x: jax.Array) -> jax.Array:
    """I_u(dfn/2, dfd/2) of u = dfn x/(dfd + dfn x)."""
    return f_tails(dfn, dfd, x)[0]


@device_kernel(_ULPS, conditioned=True)
def fdtrc(dfn: jax.Array, dfd: jax.Array, x: jax.Array) -> jax.Array:
    """1 less that."""
    return f_tails(dfn, dfd, x)[1]


def f_tails(dfn: jax.Array, dfd: jax.Array, x: jax.Array) -> Any:
    """Both of fdtr and fdtrc."""
    inside = (dfn > 0) & (dfd > 0) & (x >= 0)
    finite = (dfn < jnp.inf) & (dfd < jnp.inf) & (x < jnp.inf)
    product = dfn * x
    least = by_precision(product, *_LEAST)
    odds = jnp.where((product > least) & (product < jnp.inf), product / dfd, dfn * (x / dfd))
    tails = regularised(dfn / 2, dfd / 2, *proportions(odds))
    # SciPy has no value for infinite degrees of freedom.
    ends = [jnp.where(x == jnp.inf, end, jnp.nan) for end in (1.0, 0.0)]
    return [
        jnp.where(inside, jnp.where(finite, tail, end), jnp.nan)
        for tail, end in zip(tails, ends, strict=True)
    ]


# -- Student's t -----------------------------------------------------------------------------------


@device_kernel(_ULPS, conditioned=True, single=7)
def stdtr(df: jax.Array, t: jax.Array) -> jax.Array:
    """The tail beyond |t|, or 1 less that for t > 0."""
    inside = (df > 0) & (df < jnp.inf) & (jnp.abs(t) < jnp.inf)
    tail = student_tail(jnp.where(inside, df, 1.0), jnp.abs(jnp.where(inside, t, 1.0)))
    value = jnp.where(t < 0, tail, 1 - tail)
    ends = jnp.where(t > 0, 1.0, 0.0)
    value = jnp.where(inside, value, jnp.where(df == jnp.inf, ndtr(t), ends))
    return jnp.where((df > 0) & ~jnp.isnan(t), value, jnp.nan)


def student_tail(df: jax.Array, t: jax.Array) -> jax.Array:
    """I_u(df/2, 1/2)/2 of u = df/(df + t^2), for t >= 0."""
    scaled = t / root_as_divisor(df)
    most = by_precision(scaled, *_FAR)
    rest, share = proportions(jnp.square(jnp.minimum(scaled, most)))
    tail = regularised(df / 2, jnp.full_like(df, 0.5), share, rest, large=False)[0]
    # Far out u^(df/2) is left, of which u may underflow.
    logarithm, doublings = power_parts(jnp.where(scaled > most, most / scaled, 1.0), df)
    return 0.5 * tail * exp_of_parts(logarithm, doublings)


# -- binomial --------------------------------------------------------------------------------------


@device_kernel(_ULPS_OF_COUNTS, conditioned=True, single=6)
def bdtr(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """1 - I_p(k + 1, n - k)."""
    return _binomial(k, n, p, 1)


@device_kernel(_ULPS_OF_COUNTS, conditioned=True, single=6)
def bdtrc(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """I_p(k + 1, n - k)."""
    value = jnp.where((p == 0) & (k == 0) & (n > 0), p, _binomial(k, n, p, 0))
    return jnp.where((k < 0) & (p >= 0) & (p <= 1) & (n >= k), 1.0, value)


def _binomial(k: jax.Array, n: jax.Array, p: jax.Array, tail: int) -> jax.Array:
    k, n = (z.astype(p.dtype) for z in (k, n))
    inside = (k >= 0) & (k <= n) & (p >= 0) & (p <= 1)
    some = inside & (k < n)
    value = regularised(jnp.where(some, k + 1, 1.0), jnp.where(some, n - k, 1.0), p, 1 - p)[tail]
    return jnp.where(inside, jnp.where(some, value, float(tail)), jnp.nan)


@device_kernel(_ULPS_OF_COUNTS, conditioned=True)
def nbdtr(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """I_p(n, k + 1)."""
    return _negative_binomial(k, n, p, 0)


@device_kernel(_ULPS_OF_COUNTS, conditioned=True)
def nbdtrc(k: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """1 - I_p(n, k + 1)."""
    return _negative_binomial(k, n, p, 1)


def _negative_binomial(k: jax.Array, n: jax.Array, p: jax.Array, tail: int) -> jax.Array:
    k, n = (z.astype(p.dtype) for z in (k, n))
    inside = (k >= 0) & (n >= 1)
    value = regularised(jnp.where(inside, n, 1.0), jnp.where(inside, k + 1, 1.0), p, 1 - p)[tail]
    return jnp.where(inside, value, jnp.nan)


# -- quantiles -------------------------------------------------------------------------------------


@device_kernel(_ULPS, conditioned=True, single=6)
def bdtri(k: jax.Array, n: jax.Array, y: jax.Array) -> jax.Array:
    """The quantile of k + 1 and n - k at 1 - y."""
    k, n = (z.astype(y.dtype) for z in (k, n))
    inside = (k >= 0) & (k < n)
    shapes = jnp.where(inside, k + 1, 1.0), jnp.where(inside, n - k, 1.0)
    value = jnp.where((y == 1) & (k == 0), -0.0, quantile_or_end(*shapes, 1 - y, y)[0])
    return jnp.where(inside, value, jnp.nan)


@device_kernel(_ULPS, conditioned=True)
def nbdtri(k: jax.Array, n: jax.Array, y: jax.Array) -> jax.Array:
    """The quantile of n and k + 1."""
    k, n = (z.astype(y.dtype) for z in (k, n))
    inside = (k >= 0) & (n >= 1)
    shapes = jnp.where(inside, n, 1.0), jnp.where(inside, k + 1, 1.0)
    return jnp.where(inside, quantile_or_end(*shapes, y, 1 - y)[0], jnp.nan)


@device_kernel(_ULPS, conditioned=True)
def fdtri(dfn: jax.Array, dfd: jax.Array, p: jax.Array) -> jax.Array:
    """Of u = dfn x/(dfd + dfn x), the quantile of dfn/2 and dfd/2 at p."""
    odds, beyond = place_or_end(dfn / 2, dfd / 2, p, 1 - p)
    # SciPy has no value for infinite degrees of freedom.
    finite = (dfn < jnp.inf) & (dfd < jnp.inf)
    # The odds may be beyond the numbers where the value is not.
    half = jnp.exp(0.5 * beyond)
    value = (odds * (dfd / dfn) * half) * half
    return jnp.where(finite, value, jnp.nan)


@device_kernel(_ULPS, conditioned=True, single=8)
def stdtrit(df: jax.Array, p: jax.Array) -> jax.Array:
    """The quantile of the smaller one of p and 1 - p, with its sign."""
    tail = jnp.minimum(p, 1 - p)
    normal = by_precision(df, *_NORMAL)
    inside = (df > 0) & (df < normal) & (tail > 0) & (tail < 0.5)
    size = quantile_size(jnp.where(inside, df, 1.0), jnp.where(inside, tail, 0.25))
    value = jnp.where(inside, size, jnp.where(tail == 0, jnp.inf, jnp.nan))
    value = jnp.where(p < 0.5, -value, value)
    value = jnp.where(df >= normal, ndtri(p), value)
    return jnp.where(df > 0, jnp.where(p == 0.5, 0.0, value), jnp.nan)
