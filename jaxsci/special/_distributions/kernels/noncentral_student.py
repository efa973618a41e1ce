"""Derivatives of the noncentral t distribution function, as integrals over its chi variable.

With g the density of s = chi/sqrt(df) and phi that of the normal distribution,

    M(k, n) = integral over s > 0 of s^k g(s) phi^(n)(t s - nc) ds

is closed under differentiation: d/dt M(k, n) = M(k+1, n+1) and d/dnc M(k, n) = -M(k, n+1). The
distribution function is M(0, -1), so its density is M(1, 0), and -M(0, 0) is its slope in nc.

Integrals are taken over v = ln(s/s0), where s0 is the peak of s^(k+1) g(s) phi(t s - nc). With
a = df + k, d = t/sqrt(df + t^2) and U the positive root of U^2 = d nc U + a, the integrand falls by

    a (exp(v) - 1 - v) + U^2 (exp(v) - 1)^2 / 2,

and at the peak it has itself fallen by df/2 (y - 1 - ln y) + r^2/2, with y = s0^2 and
r = t s0 - nc. All four terms are positive. For r, and for y - 1 = (k - d U r)/df, there are forms
without cancellation, so no digits are lost, however large df, nc and t are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._incomplete.kernels.densities import reciprocal_gamma
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.expm1_minus_x import excess
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.stirling import LARGE, stirling

DEGREES = missing("the derivative in the degrees of freedom is not implemented yet")

_STEP = 0.1
_AT_ONCE = 8
_FALL = 46.0
"""The integrand is followed down to exp(-_FALL) of its maximum."""
_HALVINGS = 20
_NORMAL = 1e28
"""From this df on the distribution is the normal one to all digits, and v too small to be told."""
_DEVIANCE_TERMS = 18
_UNDER_INTEGRAL = "differentiated under the integral, DLMF 18.5.5"


class _Peak(NamedTuple):
    """Where the integrand is largest.

    `ts0` and `r` have the signs of t and nc, and `fall` is the fall of g(s) phi(t s - nc).
    """

    inside: Any
    df: Any
    a: Any
    u: Any
    s0: Any
    ts0: Any
    r: Any
    fall: Any


def _peak(df: jax.Array, nc: jax.Array, t: jax.Array, k: int) -> _Peak:
    df, nc, t = jnp.broadcast_arrays(df, nc, t)
    inside = (df > 0) & jnp.isfinite(nc) & jnp.isfinite(t)
    df = jnp.minimum(df, _NORMAL)
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
    deviance = _deviance((k - d * u * r) / df, 2 * jnp.log(s0))
    fall = df / 2 * deviance + r * r / 2
    return _Peak(inside, df, a, u, s0, sign * d * u, sign * r, fall)


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


def _stretched(x: jax.Array, scale: jax.Array) -> jax.Array:
    """The v of x: in x both ends fall doubly exponentially, however far the lower tail reaches."""
    return scale * (x + 1 - jnp.exp(-x))


def _integral(peak: _Peak, factor: Callable[[Any], Any]) -> jax.Array:
    """Integral of the integrand, relative to its peak, times factor(exp(v) - 1), over v.

    Args:
        peak: of the integrand.
        factor: gives an array for each number, all along one new leading axis.
    """
    # About the peak the integrand is a normal density of this width; it bends on the scale 1.
    scale = jnp.minimum(1.0, 1 / jnp.sqrt(peak.a + peak.u * peak.u))
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

    def add(block: jax.Array, total: jax.Array) -> Any:
        i = block * _AT_ONCE + along
        x = start + jnp.minimum(i, intervals) * step
        v = _stretched(x, scale)
        rise = jnp.expm1(v)
        fallen = peak.a * excess(v) + (peak.u * rise) ** 2 / 2
        weight = jnp.where(i <= intervals, jnp.exp(-fallen) * (1 + jnp.exp(-x)), 0.0)
        return total + folded.total(jnp.moveaxis(weight * factor(rise), 1, 0))

    zero = jnp.zeros_like(factor(step))
    # A shape so small that the lower tail is long takes more of them.
    blocks = (jnp.max(intervals, initial=0.0) / _AT_ONCE).astype(np.int32) + 1
    return jax.lax.fori_loop(0, blocks, add, zero) * step * scale


def _hermite(n: int, r: jax.Array) -> jax.Array:
    """(-1)^n He_n(r), which is phi^(n)(r)/phi(r)."""
    before, value = jnp.zeros_like(r), jnp.ones_like(r)
    for j in range(n):
        before, value = value, -(r * value + j * before)
    return value


def _constant(df: jax.Array) -> jax.Array:
    """With x = df/2, sqrt(2/pi) x^x exp(-x)/Gamma(x)."""
    x = df / 2
    small = x < LARGE
    near, far = jnp.where(small, x, 1.0), jnp.where(small, LARGE, x)
    power = math.sqrt(2 / math.pi) * near**near * jnp.exp(-near) * reciprocal_gamma(near)
    return jnp.where(small, power, jnp.sqrt(far) * jnp.exp(-stirling(far)) / math.pi)


@native()
def moment(df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0) -> jax.Array:
    """M(k, n)."""
    peak = _peak(df, nc, t, k)
    integral = _integral(peak, lambda rise: _hermite(n, peak.r + peak.ts0 * rise)[None])[0]
    # Half by half, for the rest may be large where the exponential is subnormal.
    half = jnp.exp(-peak.fall / 2)
    value = half * (_constant(peak.df) * integral * peak.s0**k) * half
    at_infinity = (df > 0) & jnp.isfinite(nc) & jnp.isinf(t)
    return jnp.where(peak.inside, value, jnp.where(at_infinity, 0.0, jnp.nan))


moment.partials(
    df=DEGREES,
    nc=closed(_UNDER_INTEGRAL, lambda y, df, nc, t, *, k, n=0: -moment(df, nc, t, k=k, n=n + 1)),
    t=closed(_UNDER_INTEGRAL, lambda y, df, nc, t, *, k, n=0: moment(df, nc, t, k=k + 1, n=n + 1)),
)


# -- means ---------------------------------------------------------------------------------------

# E is the mean relative to M(0, 0): of s^k (-1)^n He_n(r) it is M(k, n)/M(0, 0).


@native()
def mean(df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0) -> Any:
    """M(k, n)/M(0, 0), where both may underflow."""
    peak = _peak(df, nc, t, 0)

    def factor(rise: jax.Array) -> Any:
        ones = jnp.ones_like(rise)
        return jnp.stack([ones, (1 + rise) ** k * _hermite(n, peak.r + peak.ts0 * rise)])

    total, part = _integral(peak, factor)
    return jnp.where(peak.inside, part / total * peak.s0**k, jnp.nan)


@native()
def central_mean(df: jax.Array, nc: jax.Array, t: jax.Array, *, i: int, j: int) -> Any:
    """The mean of r s^i (s - E s)^j, divided by (E s)^(i+j), for j >= 1: without cancellation."""
    peak = _peak(df, nc, t, 0)
    total, first = _integral(peak, lambda rise: jnp.stack([jnp.ones_like(rise), rise]))
    excess_of_mean = first / total

    def factor(rise: jax.Array) -> Any:
        r = peak.r + peak.ts0 * rise
        return (r * (1 + rise) ** i * (rise - excess_of_mean) ** j)[None]

    value = _integral(peak, factor)[0] / total / (1 + excess_of_mean) ** (i + j)
    return jnp.where(peak.inside, value, jnp.nan)


def _mean_along_nc(
    y: jax.Array, df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0
) -> Any:
    if (k, n) == (1, 0):
        return y * central_mean(df, nc, t, i=0, j=1)
    return y * mean(df, nc, t, k=0, n=1) - mean(df, nc, t, k=k, n=n + 1)


def _mean_along_t(
    y: jax.Array, df: jax.Array, nc: jax.Array, t: jax.Array, *, k: int, n: int = 0
) -> Any:
    if (k, n) == (1, 0):
        return -y * y * central_mean(df, nc, t, i=1, j=1)
    return mean(df, nc, t, k=k + 1, n=n + 1) - y * mean(df, nc, t, k=1, n=1)


mean.partials(
    df=DEGREES,
    nc=closed(_UNDER_INTEGRAL, _mean_along_nc),
    t=closed(_UNDER_INTEGRAL, _mean_along_t),
)


def _expanded(df: jax.Array, nc: jax.Array, t: jax.Array, i: int, j: int) -> Any:
    """`central_mean` by means, as it may be differentiated."""
    centre = mean(df, nc, t, k=1)
    terms = (
        -math.comb(j, m) * (-centre) ** (j - m) * mean(df, nc, t, k=i + m, n=1)
        for m in range(j + 1)
    )
    return sum(terms, jnp.zeros_like(centre)) / centre ** (i + j)


central_mean.partials(
    df=DEGREES,
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


@native()
def quantile_slope(t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array) -> Any:
    """dt/dnc = 1/E s at constant p, where t is the quantile.

    Its derivatives in nc and p are whole ones: t moves with them.
    """
    return 1 / mean(df, nc, t, k=1)


@native()
def quantile_density(t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array) -> Any:
    """dt/dp at constant nc, where t is the quantile; derivatives are whole ones."""
    return 1 / density(df, nc, t)


_WITH_THE_OTHERS = closed("counted with the other arguments", lambda y, *_: jnp.zeros_like(y))


def _along_both(t: jax.Array, df: jax.Array, nc: jax.Array, p: jax.Array) -> Any:
    """d^2 t/dp dnc."""
    return central_mean(df, nc, t, i=1, j=1) / density(df, nc, t)


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
    df=DEGREES,
    nc=closed(_UNDER_INTEGRAL, _slope_along_nc),
    p=closed(_UNDER_INTEGRAL, lambda y, *at: _along_both(*at)),
)
quantile_density.partials(
    t=_WITH_THE_OTHERS,
    df=DEGREES,
    nc=closed(_UNDER_INTEGRAL, lambda y, *at: _along_both(*at)),
    p=closed(_UNDER_INTEGRAL, _density_along_p),
)


@native()
def noncentrality_slope(nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array) -> Any:
    """dnc/dt = E s at constant p, where nc belongs to p and t.

    Its derivatives in p and t are whole ones: nc moves with them.
    """
    return mean(df, nc, t, k=1)


@native()
def noncentrality_density(nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array) -> Any:
    """dnc/dp at constant t, where nc belongs to p and t; derivatives are whole ones."""
    return 1 / slope(df, nc, t)


def _noncentrality_along_both(nc: jax.Array, df: jax.Array, p: jax.Array, t: jax.Array) -> Any:
    """d^2 nc/dp dt."""
    return mean(df, nc, t, k=1) * central_mean(df, nc, t, i=0, j=1) / slope(df, nc, t)


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
    df=DEGREES,
    p=closed(_UNDER_INTEGRAL, lambda y, *at: _noncentrality_along_both(*at)),
    t=closed(_UNDER_INTEGRAL, _slope_along_t),
)
noncentrality_density.partials(
    nc=_WITH_THE_OTHERS,
    df=DEGREES,
    p=closed(_UNDER_INTEGRAL, _noncentrality_density_along_p),
    t=closed(_UNDER_INTEGRAL, lambda y, *at: _noncentrality_along_both(*at)),
)
