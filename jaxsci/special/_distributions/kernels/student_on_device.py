"""The quantile of Student's t distribution in JAX operations.

It starts at one of three approximations, none of which is off by more than 0.003 in log t^2:

- far out the inverse of the tail's series, in the power of t that leads it (G. Hill, Algorithm 396,
  1970, with its last terms);
- about the mean, for few degrees of freedom, that of the series of DLMF 8.17.7 in
  s = t/sqrt(v + t^2), which is tanh for none, sin for one and s itself for two of them;
- for more of them an expansion about the normal quantile (Algorithm 396 again).

The distribution function is computed there, once, for the density's logarithm is known with all of
its derivatives: the inverse of its Taylor series has all digits.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._distributions.kernels.normal_on_device import ndtri
from jaxsci.special._distributions.kernels.student_density import root_ratio
from jaxsci.special._incomplete.kernels.beta_inverse_on_device import inverse_of_series, lacking
from jaxsci.special._incomplete.kernels.beta_on_device import beta_tails
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import exp_of_parts, power_parts
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.vectorised import log

_FEW, _FAR = 2.0, 0.9
_LEAST = (1e-300, 1e-37)
_FARTHEST_LOGARITHM = (640.0, 70.0)
"""Of the leading power in the tail, below whose exponential nothing else is left."""


def quantile_size(df: jax.Array, p: jax.Array) -> jax.Array:
    """The t > 0 with the probability p < 1/2 beyond it."""
    front = jnp.sqrt(2 * math.pi * df) / root_ratio(df / 2)
    log_power = log(front * p) * (2 / df)
    least, far_out = by_precision(p, *_LEAST), by_precision(p, *_FARTHEST_LOGARITHM)
    start = _start(df, p, front, jnp.exp(jnp.clip(log_power, -far_out, 4.0)))
    odds = _solved(df, p, jnp.clip(start, least, 1 / least))
    return jnp.where(log_power < -far_out, _of_power(df, p, front), jnp.sqrt(df) * jnp.sqrt(odds))


def _solved(df: jax.Array, p: jax.Array, odds: jax.Array) -> jax.Array:
    """t^2/df from an approximation."""
    share, rest = 1 / (1 + odds), odds / (1 + odds)
    a = df / 2
    below, above, density, g = beta_tails(a, jnp.full_like(a, 0.5), share, rest, large=False)
    # Of p and 1/2 - p the smaller one has the digits.
    lower = p < 0.25
    tail, goal = jnp.where(lower, below, above), jnp.where(lower, 2 * p, 1 - 2 * p)
    off = lacking(tail, goal, density, lower)
    return odds * jnp.exp(-inverse_of_series(off, g, (a + 0.5) * share * rest, rest - share))


def _of_power(df: jax.Array, p: jax.Array, front: jax.Array) -> jax.Array:
    """T where the tail is (t/sqrt(df))^-df over the front, to the last digit."""
    root = jnp.exp(log(front * p) * (-0.5 / df))
    # A logarithm of some hundred has lost digits, which the power knows.
    finite = root < jnp.inf
    power = exp_of_parts(*power_parts(jnp.where(finite, root, 1.0), 2 * df), front * p)
    return (jnp.sqrt(df) * root * jnp.exp(jnp.where(finite, (1 - power) / df, 0.0))) * root


# -- where it starts -------------------------------------------------------------------------------


def _start(df: jax.Array, p: jax.Array, front: jax.Array, power: jax.Array) -> jax.Array:
    """About t^2/df."""
    few = df < _FEW
    more = jnp.maximum(df, _FEW)
    near = jnp.where(few, _about_mean(df, (0.5 - p) * front / df), _about_normal(more, p))
    far = power < jnp.where(few, _FAR, 0.05 + 1 / (more - 0.5))
    return jnp.where(far, _far_out(df, front, power), near)


def _far_out(df: jax.Array, front: jax.Array, power: jax.Array) -> jax.Array:
    """From the leading power df/t^2."""
    fourth = 1 / (((df + 6) / (df * power) - 0.089 * front - 0.822) * (df + 2) * 3)
    series = (fourth + 0.5 / (df + 4)) * power - 1
    return series * (df + 1) / (df + 2) + 1 / power


def _about_mean(df: jax.Array, w: jax.Array) -> jax.Array:
    """Where w is the sum of (1 - v/2)_k s^(2k+1)/((2k+1) k!)."""
    e = jnp.maximum(1 - df / 2, 1e-6)
    root = jnp.sqrt(e)
    s = jnp.tanh(root * w) / root
    s = s - 0.12 * e * (1 - e) * s**5
    square = jnp.minimum(s * s, 0.99)
    return square / (1 - square)


def _about_normal(df: jax.Array, p: jax.Array) -> jax.Array:
    r = 1 / (df - 0.5)
    x = ndtri(p)
    square = x * x
    b = 48 / (r * r)
    c = ((20700 * r / b - 98) * r - 16) * r + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * jnp.sqrt(r * (math.pi / 2)) * df
    c = jnp.where(df < 5, c + 0.3 * (df - 4.5) * (x + 0.6), c)
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
    corrected = horner((94.5, 36.0, 6.3, 0.4), square) / c - square - 3
    return jnp.expm1(r * jnp.square((corrected / b + 1) * x))
