"""Densities of Student's t distributions, central and noncentral.

With x = df/(df + t^2), z = t nc/sqrt(df + t^2) and the moments J(a, z), the integral over u > 0 of
u^(a-1) exp(-u^2/2 + zu), relative to z = 0, both derivatives of the noncentral distribution
function are one term each:

    d/dt   = f(t) exp(-nc^2/2) J(df+1, z)/J(df+1, 0), with f the central density,
    d/dnc  = -phi(nc) x^(df/2) J(df, z)/J(df, 0).

J is a parabolic cylinder function (DLMF 12.5.1), computed by the trapezoidal rule.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._composed import native
from jaxsci._derive import closed, missing
from jaxsci.special._f_scores import log_of_one_more, pure_derivative, score_constant
from jaxsci.special._normal_tail import SQRT_2PI

DEGREES = missing("the derivative in the degrees of freedom is not implemented yet")

_SHIFT = 10


def _root_ratio(x: Any) -> Any:
    """Gamma(x + 1/2)/(Gamma(x) sqrt(x)), for x > 0, which is 1 for large x."""
    product = jnp.ones_like(x)
    for k in range(_SHIFT):
        product = product * ((x + k) / (x + k + 0.5))
    w = x + _SHIFT
    v = 1 / (w * w)
    # The difference of two Stirling series (DLMF 5.11.8).
    terms = (-1 / 8, 1 / 192, -1 / 640, 17 / 14336, -31 / 18432, 691 / 180224)
    series: Any = 0.0
    for term in reversed(terms):
        series = series * v + term
    return product * jnp.exp(series / w) * jnp.sqrt(w / x)


def _stirling_remainder(x: Any) -> Any:
    """The remainder log Gamma(x) - ((x - 1/2) log x - x + log(2 pi)/2), for x > 0 (DLMF 5.11.1)."""
    w = x + _SHIFT
    v = 1 / (w * w)
    terms = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
    series: Any = 0.0
    for term in reversed(terms):
        series = series * v + term
    # log Gamma(w) - log Gamma(x) is the logarithm of a product; what is left is small.
    product = jnp.zeros_like(x)
    for k in range(_SHIFT):
        product = product + jnp.log(x + k)
    near = (x - 0.5) * jnp.log1p(_SHIFT / x) - _SHIFT + _SHIFT * jnp.log(w) - product
    return jnp.where(x < _FAR, series / w + near, _remainder_far(x))


_FAR = 50.0


def _remainder_far(x: Any) -> Any:
    x = jnp.maximum(x, _FAR)
    v = 1 / (x * x)
    return (1 / 12 - v * (1 / 360 - v * (1 / 1260 - v / 1680))) / x


def log_fraction(df: Any, t: Any) -> Any:
    """log(1 + t^2/df), where t^2 may overflow."""
    s = jnp.abs(t) / jnp.sqrt(df)
    large = s > 1e8
    big = jnp.where(large, s, 1e8)
    small = jnp.where(large, 0.0, t)
    return jnp.where(large, 2 * jnp.log(big), jnp.log1p(small * small / df))


@native()
def density(df: Any, t: Any) -> Any:
    """Density of Student's t distribution."""
    normal = jnp.isinf(df)
    df = jnp.where(normal, 1.0, df)
    log = jnp.where(normal, t * t / 2, (df + 1) / 2 * log_fraction(df, t))
    scale = jnp.where(normal, 1.0, _root_ratio(df / 2))
    return jnp.where(df > 0, scale * jnp.exp(-log) / SQRT_2PI, jnp.nan)


@native()
def _slope_ratio(df: Any, t: Any) -> Any:
    """(df+1) t/(df+t^2) = -f'/f, of huge t too."""
    normal = jnp.isinf(df)
    df = jnp.where(normal, 1.0, df)
    r = t / jnp.sqrt(df)
    big = jnp.abs(r) > 1
    fraction = jnp.where(
        big, 1 / jnp.where(big, r + 1 / jnp.where(big, r, 1.0), 1.0), r / (1 + r * r)
    )
    return jnp.where(normal, t, (df + 1) / jnp.sqrt(df) * fraction)


@native()
def log_rest_ratio(df: Any, t: Any) -> Any:
    """Ln s with s = (df+1)/(df+t^2), which keeps its digits near |t| = 1."""
    normal = jnp.isinf(df)
    df = jnp.where(normal, 1.0, df)
    d = (1 - t) * (1 + t) / (df + t * t)
    value = log_of_one_more(d, jnp.log1p(1 / df) - log_fraction(df, t))
    return jnp.where(normal, 0.0, value)


def _score(df: Any, t: Any) -> Any:
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


def direction(df: Any, t: Any) -> Any:
    """t/sqrt(df + t^2), for huge t too."""
    r = t / jnp.sqrt(df)
    large = jnp.abs(r) > 1e8
    near = jnp.where(large, 1.0, r)
    return jnp.where(large, jnp.sign(r), near / jnp.sqrt(1 + near * near))


def density_times_t(df: Any, t: Any) -> Any:
    """T f(t) of finite df, where the density f may underflow."""
    power = jnp.exp(-df / 2 * log_fraction(df, t))
    return _root_ratio(df / 2) * jnp.sqrt(df) * direction(df, t) * power / SQRT_2PI


# -- the moments -----------------------------------------------------------------------------------

_NODES = 320
_FALL = 46.0
"""The integrand is followed down to exp(-_FALL) of its maximum."""


def _integrals(a: Any, z: Any) -> tuple[Any, Any]:
    """log(J(a, z)/J(a, 0)), and the mean of u, J(a+1, z)/J(a, z).

    About the maximum at u0, u = u0 exp(w) and w = v + 1 - exp(-v): doubly exponential at both ends.
    """
    ok = (a > 0) & jnp.isfinite(a) & jnp.isfinite(z)
    a, z = jnp.where(ok, a, 1.0), jnp.where(ok, z, 0.0)
    half = z / (2 * jnp.sqrt(a))
    # The positive root of u^2 - zu - a, without cancellation.
    root = jnp.sqrt(1 + half * half)
    factor = jnp.where(half > 0, half + root, 1 / (root - jnp.minimum(half, 0.0)))
    u0 = jnp.sqrt(a) * factor

    def fallen(v: Any) -> Any:
        w = v + 1 - jnp.exp(-v)
        return a * w - u0 * u0 * jnp.expm1(2 * w) / 2 + z * u0 * jnp.expm1(w)

    fall = _FALL + jnp.log1p(1 / a)
    low, high = jnp.log(1 / (fall / a + 3)) - 1, jnp.log1p(jnp.sqrt(2 * fall) / u0)

    def halve(_: Any, bounds: Any) -> Any:
        left, right = bounds
        middle = (left + right) / 2
        outside = fallen(middle) < -fall
        return jnp.where(outside, middle, left), jnp.where(outside, right, middle)

    start = jax.lax.fori_loop(0, 40, halve, (low, jnp.zeros_like(low)))[0]
    end = jax.lax.fori_loop(0, 40, halve, (high, jnp.zeros_like(high)))[0]
    step = (end - start) / _NODES

    def add(k: Any, sums: Any) -> Any:
        v = start + k * step
        w = v + 1 - jnp.exp(-v)
        weight = jnp.exp(fallen(v)) * (1 + jnp.exp(-v))
        return sums[0] + weight, sums[1] + weight * jnp.expm1(w)

    zero = jnp.zeros_like(step)
    total, first = jax.lax.fori_loop(0, _NODES + 1, add, (zero, zero))
    log = a * jnp.arcsinh(half) + z * u0 / 2 + jnp.log(total * step)
    log = log + jnp.log(a / np.pi) / 2 - _stirling_remainder(a / 2)
    mean = u0 * (1 + first / total)
    return jnp.where(ok, log, jnp.nan), jnp.where(ok, mean, jnp.nan)


@native()
def log_moment(a: Any, z: Any) -> Any:
    """log(J(a, z)/J(a, 0))."""
    return _integrals(a, z)[0]


@native()
def mean(a: Any, z: Any) -> Any:
    """J(a+1, z)/J(a, z), the mean of u."""
    return _integrals(a, z)[1]


log_moment.partials(
    a=DEGREES, z=closed("differentiated under the integral", lambda y, a, z: mean(a, z))
)
mean.partials(
    a=DEGREES,
    z=closed("differentiated under the integral", lambda y, a, z: y * (mean(a + 1, z) - y)),
)


def noncentral_density(df: Any, nc: Any, t: Any) -> Any:
    """d/dt of the noncentral t distribution function."""
    return density(df, t) * jnp.exp(log_moment(df + 1, nc * direction(df, t)) - nc * nc / 2)


def noncentral_slope(df: Any, nc: Any, t: Any) -> Any:
    """d/dnc of the noncentral t distribution function."""
    log = log_moment(df, nc * direction(df, t)) - nc * nc / 2
    return -jnp.exp(log - df / 2 * log_fraction(df, t)) / SQRT_2PI
