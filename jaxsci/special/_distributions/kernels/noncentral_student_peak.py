"""The peak of s^k g(s) phi(t s - nc), whose integrals the noncentral t distribution is made of.

Here g is the density of s = chi/sqrt(df), and phi that of the normal distribution. With a = df + k,
d = t/sqrt(df + t^2) and U the positive root of U^2 = d nc U + a, s^(k+1) g(s) phi(t s - nc) is
largest at s0 = U/sqrt(df + t^2). At s = s0 exp(v) it has fallen by

    a (exp(v) - 1 - v) + U^2 (exp(v) - 1)^2 / 2,

and at the peak it has itself fallen by df/2 (y - 1 - ln y) + r^2/2, with y = s0^2 and
r = t s0 - nc. All four terms are positive. For r, and for y - 1 = (k - d U r)/df, there are forms
without cancellation, so no digits are lost, however large df, nc and t are.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._incomplete.kernels.densities import reciprocal_gamma
from jaxsci.special._numerics.stirling import LARGE, stirling

NORMAL = 1e28
"""From this df on the distribution is the normal one to all digits, and v too small to be told."""
_DEVIANCE_TERMS = 18


class Peak(NamedTuple):
    """Where the integrand is largest.

    `ts0` and `r` have the signs of t and nc, `q` is s0^2 - 1, and `fall` is the fall of
    g(s) phi(t s - nc).
    """

    inside: Any
    df: Any
    a: Any
    u: Any
    s0: Any
    q: Any
    ts0: Any
    r: Any
    fall: Any


def peak_of(df: jax.Array, nc: jax.Array, t: jax.Array, k: int) -> Peak:
    df, nc, t = jnp.broadcast_arrays(df, nc, t)
    inside = (df > 0) & jnp.isfinite(nc) & jnp.isfinite(t)
    df = jnp.minimum(df, NORMAL)
    df, nc, t = jnp.where(inside, df, 1.0), jnp.where(inside, nc, 0.0), jnp.where(inside, t, 0.0)
    sign = jnp.where(t < 0, -1.0, 1.0)
    t, nc = sign * t, sign * nc
    a, root_df = df + k, jnp.sqrt(df)
    # t^2 may overflow.
    largest = jnp.maximum(t, root_df)
    x, y = root_df / largest, t / largest
    h = jnp.sqrt(x * x + y * y)
    c, d = x / h, y / h
    z = d * nc
    root = jnp.sqrt(z * z + 4 * a)
    u = jnp.where(z > 0, (z + root) / 2, 2 * a / (root - jnp.minimum(z, 0.0)))
    s0 = u / h / largest

    # r^2 + (1 + c^2) nc r = c^2 (t - nc) (t + nc) + k d^2, and c t may be zero times infinity.
    same = nc > 0
    denominator = jnp.where(same, (1 + c * c) * nc + d * root, 1.0)
    product = (root_df / h) ** 2 * ((t - nc) / largest) * ((t + nc) / largest)
    r = jnp.where(same, 2 * (product + k * d * d) / denominator, d * u - nc)
    q = (k - d * u * r) / df
    fall = df / 2 * _deviance(q, 2 * jnp.log(s0)) + r * r / 2
    return Peak(inside, df, a, u, s0, q, sign * d * u, sign * r, fall)


def _deviance(q: jax.Array, log: jax.Array) -> jax.Array:
    """Y - 1 - log y of y = 1 + q, where log is log y, which may have lost digits near 0."""
    v = q / (2 + q)
    near = jnp.abs(v) < 1 / 3
    v = jnp.where(near, v, 0.0)
    square = v * v

    def inwards(j: jax.Array, total: jax.Array) -> jax.Array:
        return (total + 1 / (2 * (_DEVIANCE_TERMS - j) + 1)) * square

    # log y = 2 artanh v.
    total = jax.lax.fori_loop(0, _DEVIANCE_TERMS, inwards, jnp.zeros_like(v))
    return jnp.where(near, q * v - 2 * v * total, q - log)


def hermite(n: int, r: jax.Array) -> jax.Array:
    """(-1)^n He_n(r), which is phi^(n)(r)/phi(r)."""
    before, value = jnp.zeros_like(r), jnp.ones_like(r)
    for j in range(n):
        before, value = value, -(r * value + j * before)
    return value


def constant(df: jax.Array) -> jax.Array:
    """With x = df/2, sqrt(2/pi) x^x exp(-x)/Gamma(x)."""
    x = df / 2
    small = x < LARGE
    near, far = jnp.where(small, x, 1.0), jnp.where(small, LARGE, x)
    power = math.sqrt(2 / math.pi) * near**near * jnp.exp(-near) * reciprocal_gamma(near)
    return jnp.where(small, power, jnp.sqrt(far) * jnp.exp(-stirling(far)) / math.pi)
