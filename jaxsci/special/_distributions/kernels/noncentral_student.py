"""Derivatives of the noncentral t distribution function, as integrals over its chi variable.

With g the density of s = chi/sqrt(df) and phi that of the normal distribution,

    M(k, n) = integral over s > 0 of s^k g(s) phi^(n)(t s - nc) ds

is closed under differentiation: d/dt M(k, n) = M(k+1, n+1) and d/dnc M(k, n) = -M(k, n+1). The
distribution function is M(0, -1), so its density is M(1, 0), and -M(0, 0) is its slope in nc.

Integrals are taken over v = ln(s/s0), where s0 is the peak of s^(k+1) g(s) phi(t s - nc)
(`noncentral_student_peak`, which also has how the integrand falls). Derivatives in df have a kernel
of their own, `noncentral_student_degrees`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._distributions.kernels.noncentral_student_degrees import student_in_degrees
from jaxsci.special._distributions.kernels.noncentral_student_peak import (
    Peak,
    constant,
    hermite,
    peak_of,
)
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.expm1_minus_x import expm1_minus_x
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.vectorised import root_as_divisor

_STEP = 0.1
_AT_ONCE = 8
_FALL = 46.0
"""The integrand is followed down to exp(-_FALL) of its maximum."""
_HALVINGS = 20
_UNDER_INTEGRAL = "differentiated under the integral, DLMF 18.5.5"


def _stretched(x: jax.Array, scale: jax.Array) -> jax.Array:
    """The v of x: in x both ends fall doubly exponentially, however far the lower tail reaches."""
    return scale * (x + 1 - jnp.exp(-x))


def integrated(peak: Peak, factor: Callable[[Any], Any]) -> jax.Array:
    """Integral of the integrand, relative to its peak, times factor(exp(v) - 1), over v.

    Args:
        peak: of the integrand.
        factor: gives an array for each number, all along one new leading axis.
    """
    # About the peak the integrand is a normal density of this width; it bends on the scale 1.
    scale = jnp.minimum(1.0, 1 / root_as_divisor(peak.a + peak.u * peak.u))
    fall = _FALL + jnp.log1p(1 / peak.a)

    def halve(_: jax.Array, bounds: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        inner, outer = bounds
        middle = (inner + outer) / 2
        v = _stretched(middle, scale)
        rise = jnp.expm1(v)
        outside = peak.a * (rise - v) + (peak.u * rise) ** 2 / 2 > fall
        return jnp.where(outside, inner, middle), jnp.where(outside, middle, outer)

    low = -jnp.log(fall / (peak.a * scale) + 3) - 1
    high = jnp.log1p(jnp.sqrt(2 * fall) / peak.u) / scale
    ends = jnp.stack([low, high])
    start, end = jax.lax.fori_loop(0, _HALVINGS, halve, (jnp.zeros_like(ends), ends))[1]
    intervals = jnp.ceil((end - start) / _STEP)
    step = (end - start) / intervals
    along = jnp.arange(_AT_ONCE).reshape((-1,) + (1,) * jnp.ndim(step))

    def add(block: jax.Array, total: jax.Array) -> jax.Array:
        i = block * _AT_ONCE + along
        x = start + jnp.minimum(i, intervals) * step
        v = _stretched(x, scale)
        rise = jnp.expm1(v)
        fallen = peak.a * expm1_minus_x(v) + (peak.u * rise) ** 2 / 2
        weight = jnp.where(i <= intervals, jnp.exp(-fallen) * (1 + jnp.exp(-x)), 0.0)
        return total + folded.total(jnp.moveaxis(weight * factor(rise), 1, 0))

    zero = jnp.zeros_like(factor(step))
    # A shape so small that the lower tail is long takes more of them.
    blocks = (jnp.max(intervals, initial=0.0) / _AT_ONCE).astype(np.int32) + 1
    return jax.lax.fori_loop(0, blocks, add, zero) * step * scale


@native()
def moment(df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0) -> jax.Array:
    """M(k, n)."""
    peak = peak_of(df, nc, t, k)
    integral = integrated(peak, lambda rise: hermite(n, peak.r + peak.ts0 * rise)[None])[0]
    # Half by half, for the rest may be large where the exponential is subnormal.
    half = jnp.exp(-peak.fall / 2)
    value = half * (constant(peak.df) * integral * peak.s0**k) * half
    at_infinity = (df > 0) & jnp.isfinite(nc) & jnp.isinf(t)
    return jnp.where(peak.inside, value, jnp.where(at_infinity, 0.0, jnp.nan))


moment.partials(
    df=closed(
        _UNDER_INTEGRAL,
        lambda y, df, nc, t, *, k, n=0: student_in_degrees(df, nc, t, m=1, k=k, n=n),
    ),
    nc=closed(_UNDER_INTEGRAL, lambda y, df, nc, t, *, k, n=0: -moment(df, nc, t, k=k, n=n + 1)),
    t=closed(_UNDER_INTEGRAL, lambda y, df, nc, t, *, k, n=0: moment(df, nc, t, k=k + 1, n=n + 1)),
)


# -- means ---------------------------------------------------------------------------------------

# E is the mean relative to M(0, 0): of s^k (-1)^n He_n(r) it is M(k, n)/M(0, 0).


@native()
def mean(df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0) -> jax.Array:
    """M(k, n)/M(0, 0), where both may underflow."""
    peak = peak_of(df, nc, t, 0)

    def factor(rise: jax.Array) -> jax.Array:
        ones = jnp.ones_like(rise)
        return jnp.stack([ones, (1 + rise) ** k * hermite(n, peak.r + peak.ts0 * rise)])

    total, part = integrated(peak, factor)
    return jnp.where(peak.inside, part / total * peak.s0**k, jnp.nan)


@native()
def central_mean(df: jax.Array, nc: jax.Array, t: jax.Array, *, i: int, j: int) -> jax.Array:
    """The mean of r s^i (s - E s)^j, divided by (E s)^(i+j), for j >= 1: without cancellation."""
    peak = peak_of(df, nc, t, 0)
    total, first = integrated(peak, lambda rise: jnp.stack([jnp.ones_like(rise), rise]))
    excess_of_mean = first / total

    def factor(rise: jax.Array) -> Any:
        r = peak.r + peak.ts0 * rise
        return (r * (1 + rise) ** i * (rise - excess_of_mean) ** j)[None]

    value = integrated(peak, factor)[0] / total / (1 + excess_of_mean) ** (i + j)
    return jnp.where(peak.inside, value, jnp.nan)


def _mean_along_df(
    y: jax.Array, df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0
) -> jax.Array:
    part, whole = (student_in_degrees(df, nc, t, m=1, k=i, n=j) for i, j in ((k, n), (0, 0)))
    return (part - y * whole) / moment(df, nc, t, k=0)


def _mean_along_nc(
    y: jax.Array, df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0
) -> jax.Array:
    if (k, n) == (1, 0):
        return y * central_mean(df, nc, t, i=0, j=1)
    return y * mean(df, nc, t, k=0, n=1) - mean(df, nc, t, k=k, n=n + 1)


def _mean_along_t(
    y: jax.Array, df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0
) -> jax.Array:
    if (k, n) == (1, 0):
        return -y * y * central_mean(df, nc, t, i=1, j=1)
    return mean(df, nc, t, k=k + 1, n=n + 1) - y * mean(df, nc, t, k=1, n=1)


mean.partials(
    df=closed(_UNDER_INTEGRAL, _mean_along_df),
    nc=closed(_UNDER_INTEGRAL, _mean_along_nc),
    t=closed(_UNDER_INTEGRAL, _mean_along_t),
)


def _expanded(df: jax.Array, nc: jax.Array, t: jax.Array, i: int, j: int) -> jax.Array:
    """`central_mean` by means, as it may be differentiated."""
    centre = mean(df, nc, t, k=1)
    terms = (
        -math.comb(j, m) * (-centre) ** (j - m) * mean(df, nc, t, k=i + m, n=1)
        for m in range(j + 1)
    )
    return sum(terms, jnp.zeros_like(centre)) / centre ** (i + j)


central_mean.partials(
    df=closed(
        _UNDER_INTEGRAL,
        lambda y, df, nc, t, *, i, j: derivative(lambda x: _expanded(x, nc, t, i, j), 1)(df),
    ),
    nc=closed(
        _UNDER_INTEGRAL,
        lambda y, df, nc, t, *, i, j: derivative(lambda x: _expanded(df, x, t, i, j), 1)(nc),
    ),
    t=closed(
        _UNDER_INTEGRAL,
        lambda y, df, nc, t, *, i, j: derivative(lambda x: _expanded(df, nc, x, i, j), 1)(t),
    ),
)


# -- inverses ------------------------------------------------------------------------------------


def density(df: jax.Array, nc: jax.Array, t: jax.Array) -> jax.Array:
    """d/dt of the distribution function."""
    return moment(df, nc, t, k=1)


def slope(df: jax.Array, nc: jax.Array, t: jax.Array) -> jax.Array:
    """d/dnc of the distribution function."""
    return -moment(df, nc, t, k=0)


def quantile_in_degrees(t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array) -> jax.Array:
    """dt/d(df) at constant nc and p, where t is the quantile."""
    # Of huge t the density underflows, before it is taken apart.
    return -student_in_degrees(df, nc, t, m=1) / moment(df, nc, t, k=0) / mean(df, nc, t, k=1)


@native()
def quantile_slope(t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array) -> jax.Array:
    """dt/dnc = 1/E s at constant p, where t is the quantile.

    Its derivatives in df, nc and p are whole ones: t moves with them.
    """
    return 1 / mean(df, nc, t, k=1)


@native()
def quantile_density(t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array) -> jax.Array:
    """dt/dp at constant nc, where t is the quantile; derivatives are whole ones."""
    return 1 / density(df, nc, t)


_WITH_THE_OTHERS = closed("counted with the other arguments", lambda y, *_: jnp.zeros_like(y))


def _along_both(t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array) -> jax.Array:
    """d^2 t/dp dnc."""
    return central_mean(df, nc, t, i=1, j=1) / density(df, nc, t)


def _slope_along_df(
    y: jax.Array, t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array
) -> jax.Array:
    e = mean(df, nc, t, k=1)
    moved = quantile_in_degrees(t, df, nc, p) * _mean_along_t(e, df, nc, t, k=1)
    return -y * (_mean_along_df(e, df, nc, t, k=1) + moved) * y


def _density_along_df(
    y: jax.Array, t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array
) -> jax.Array:
    moved = quantile_in_degrees(t, df, nc, p) * moment(df, nc, t, k=2, n=1)
    return -y * (student_in_degrees(df, nc, t, m=1, k=1, n=0) + moved) * y


def _slope_along_nc(
    y: jax.Array, t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array
) -> jax.Array:
    return y * central_mean(df, nc, t, i=0, j=2)


def _density_along_p(
    y: jax.Array, t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array
) -> jax.Array:
    return -y * (mean(df, nc, t, k=2, n=1) / mean(df, nc, t, k=1)) * y


quantile_slope.partials(
    t=_WITH_THE_OTHERS,
    df=closed(_UNDER_INTEGRAL, _slope_along_df),
    nc=closed(_UNDER_INTEGRAL, _slope_along_nc),
    p=closed(_UNDER_INTEGRAL, lambda y, *at: _along_both(*at)),
)
quantile_density.partials(
    t=_WITH_THE_OTHERS,
    df=closed(_UNDER_INTEGRAL, _density_along_df),
    nc=closed(_UNDER_INTEGRAL, lambda y, *at: _along_both(*at)),
    p=closed(_UNDER_INTEGRAL, _density_along_p),
)


def noncentrality_in_degrees(nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array) -> jax.Array:
    """dnc/d(df) at constant p and t, where nc belongs to them."""
    return -student_in_degrees(df, nc, t, m=1) / slope(df, nc, t)


@native()
def noncentrality_slope(nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array) -> jax.Array:
    """dnc/dt = E s at constant p, where nc belongs to p and t.

    Its derivatives in df, p and t are whole ones: nc moves with them.
    """
    return mean(df, nc, t, k=1)


@native()
def noncentrality_density(nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array) -> jax.Array:
    """dnc/dp at constant t, where nc belongs to p and t; derivatives are whole ones."""
    return 1 / slope(df, nc, t)


def _noncentrality_along_both(
    nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array
) -> jax.Array:
    """d^2 nc/dp dt."""
    return mean(df, nc, t, k=1) * central_mean(df, nc, t, i=0, j=1) / slope(df, nc, t)


def _noncentrality_slope_along_df(
    y: jax.Array, nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array
) -> jax.Array:
    moved = noncentrality_in_degrees(nc, df, p, t) * _mean_along_nc(y, df, nc, t, k=1)
    return _mean_along_df(y, df, nc, t, k=1) + moved


def _noncentrality_density_along_df(
    y: jax.Array, nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array
) -> jax.Array:
    moved = noncentrality_in_degrees(nc, df, p, t) * moment(df, nc, t, k=0, n=1)
    return y * (student_in_degrees(df, nc, t, m=1, k=0, n=0) - moved) * y


def _slope_along_t(
    y: jax.Array, nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array
) -> jax.Array:
    return -y * y * central_mean(df, nc, t, i=0, j=2)


def _noncentrality_density_along_p(
    y: jax.Array, nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array
) -> jax.Array:
    return y * mean(df, nc, t, k=0, n=1) * y


noncentrality_slope.partials(
    nc=_WITH_THE_OTHERS,
    df=closed(_UNDER_INTEGRAL, _noncentrality_slope_along_df),
    p=closed(_UNDER_INTEGRAL, lambda y, *at: _noncentrality_along_both(*at)),
    t=closed(_UNDER_INTEGRAL, _slope_along_t),
)
noncentrality_density.partials(
    nc=_WITH_THE_OTHERS,
    df=closed(_UNDER_INTEGRAL, _noncentrality_density_along_df),
    p=closed(_UNDER_INTEGRAL, _noncentrality_density_along_p),
    t=closed(_UNDER_INTEGRAL, lambda y, *at: _noncentrality_along_both(*at)),
)
