"""The noncentral t distribution's derivatives in its degrees of freedom.

With x = df/2, r = s^2 and phi(r) = r - 1 - ln r, the density g of s = chi/sqrt(df) has the score
d(ln g)/dx = lambda(x) - phi(r), where lambda(x) = ln x - psi(x). Derivatives of
M(k, n) = integral of g(s) H(s) ds, with H(s) = s^k phi^(n)(t s - nc), are therefore integrals of
g(s) H(s) times polynomials in the score.

Where H hardly changes over the width of g, that cancels: df moves g by little, and neither its
integral nor the mean of r, which are both 1. So H loses there its tangent in r at r = 1, of which
all derivatives are 0, and what is left is taken from Taylor's series. Then the m-th derivative has
its digits though it is of order 1/df^(m+1). The normal distribution function, for n = -1, is taken
on the side where it is small.

The variable is v = ln(s/s0) as in `noncentral_student`, stretched: outwards from where
phi(t s - nc) cuts g off, over a distance that may be short, the scale grows to that of g.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._distributions.kernels.noncentral_student_peak import (
    Peak,
    constant,
    hermite,
    peak_of,
)
from jaxsci.special._gamma.kernels.log_minus_digamma import log_less_psi
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.bell_polynomials import complete_bell
from jaxsci.special._numerics.error_function import erfc
from jaxsci.special._numerics.expm1_minus_x import expm1_minus_x
from jaxsci.special._numerics.vectorised import root_as_divisor

_STEP = 0.1
_AT_ONCE = 8
_FALL = 46.0
"""The integrand is followed down to exp(-_FALL) of its maximum."""
_FALL_PER_ORDER = 4.0
_HALVINGS = 24
_FLAT = 1.5
"""H is flat where its relative change over the width of g is less than about that."""
_NEAR = 0.5
_TAYLOR_TERMS = 18
_ROOT_2 = math.sqrt(2.0)
_ROOT_2PI = math.sqrt(2 * math.pi)
_UNDER_INTEGRAL = "differentiated under the integral, DLMF 5.2.2, 18.5.5"


@tower(_UNDER_INTEGRAL, df="m")
def student_in_degrees(
    df: jax.Array, nc: jax.Array, t: jax.Array, *, m: int, k: int = 0, n: int = -1
) -> jax.Array:
    """(d/d(df))^m M(k, n) for m >= 1, where M(0, -1) is the distribution function."""
    df, nc, t = jnp.broadcast_arrays(df, nc, t)
    peak = peak_of(df, nc, t, k)
    # All for t >= 0: the others follow by symmetry.
    sign = jnp.where(t < 0, -1.0, 1.0)
    peak = peak._replace(ts0=sign * peak.ts0, r=sign * peak.r)
    at_one = jnp.where(peak.inside, sign * (t - nc), 0.0)
    t = jnp.where(peak.inside, sign * t, 0.0)
    root_df = jnp.sqrt(peak.df)
    flat = t * (1 + jnp.abs(at_one)) <= _FLAT * root_df

    part = _integral(peak, t, at_one, flat, m, k, n)
    half = jnp.where(flat | (n < 0), 1.0, jnp.exp(-peak.fall / 2))
    power = jnp.where(flat, 1.0, peak.s0**k)
    front = constant(peak.df) * (_ROOT_2PI if n < 0 else jnp.where(flat, _ROOT_2PI, 1.0))
    value = half * (front * part * power) * half * (sign**n / 2.0**m)
    # It is of this order for the largest of all.
    value = value * (peak.df / df) ** (m + 1)
    ends = (df > 0) & ~jnp.isnan(nc) & jnp.isinf(t)
    return jnp.where(peak.inside, value, jnp.where(ends, 0.0, jnp.nan))


def _integral(
    peak: Peak, t: jax.Array, at_one: jax.Array, flat: jax.Array, m: int, k: int, n: int
) -> jax.Array:
    """The integral over v, relative to its peak where there is one.

    Args:
        peak: of the integrand, for t >= 0.
        t: not negative.
        at_one: t - nc.
        flat: where the tangent is to be taken off.
        m: the order in df.
        k: the power of s.
        n: the order of the normal density's derivative, or -1.
    """
    x = peak.df / 2
    near = jnp.abs(peak.q) < 0.25
    log_s0 = jnp.where(near, jnp.log1p(jnp.where(near, peak.q, 0.0)) / 2, jnp.log(peak.s0))
    log_s0 = jnp.where(flat, 0.0, log_s0)
    square = jnp.where(flat, 1.0, peak.s0**2)
    cut = 1 / root_as_divisor(peak.a + peak.u**2)
    wide = jnp.minimum(1.0, 1 / root_as_divisor(peak.df * (1 + square)))
    scale = jnp.where(flat, wide, jnp.minimum(wide, cut) if n < 0 else jnp.minimum(1.0, cut))
    wide = wide if n < 0 else jnp.where(flat, wide, scale)
    # The distribution function's small side.
    side = jnp.where(peak.r > 0, -1.0, 1.0)
    start_q = jnp.where(flat, at_one, peak.r)
    to_q = jnp.where(flat, t, peak.ts0)

    def stretched(y: jax.Array) -> jax.Array:
        return wide * jnp.log1p(scale / wide * jnp.expm1(y)) - scale * jnp.expm1(-y)

    def fallen(v: jax.Array) -> jax.Array:
        rise = jnp.expm1(v)
        of_g = x * (square * jnp.expm1(2 * v) - 2 * v)
        if n >= 0:
            return jnp.where(flat, of_g, peak.a * (rise - v) + (peak.u * rise) ** 2 / 2)
        beyond = jnp.minimum(side * (start_q + to_q * rise), 0.0)
        return jnp.where(flat, of_g, of_g + (beyond**2 - start_q**2) / 2)

    enough = _FALL + _FALL_PER_ORDER * (m + k) + jnp.log1p(1 / peak.df)

    def halve(_: jax.Array, bounds: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        inner, outer = bounds
        middle = (inner + outer) / 2
        outside = fallen(stretched(middle)) > enough
        return jnp.where(outside, inner, middle), jnp.where(outside, middle, outer)

    low = -jnp.log(enough / (x * scale) + 3) - 2
    by_g = jnp.minimum(jnp.sqrt(enough / (x * square)), 5 + jnp.log1p(enough / x) / 2)
    by_cut = jnp.log1p(jnp.sqrt(2 * enough) / peak.u)
    cut_above = ~flat & ((side < 0) | (n >= 0))
    high = jnp.log1p(jnp.expm1(jnp.where(cut_above, by_cut, by_g) / wide + 1) * (wide / scale))
    ends = jnp.stack([low, high])
    start, end = jax.lax.fori_loop(0, _HALVINGS, halve, (jnp.zeros_like(ends), ends))[1]
    intervals = jnp.ceil((end - start) / _STEP)
    step = (end - start) / intervals
    along = jnp.arange(_AT_ONCE).reshape((-1,) + (1,) * jnp.ndim(step))

    higher = [log_less_psi(x, j) for j in range(m)]
    # r itself is H's main part for k = 2.
    remainder = _Remainder(t, at_one, (peak.df >= 1) | (k > 1), k, n)

    def add(block: jax.Array, total: jax.Array) -> jax.Array:
        i = block * _AT_ONCE + along
        y = start + jnp.minimum(i, intervals) * step
        v = stretched(y)
        rise = jnp.expm1(v)
        grown = expm1_minus_x(2 * (log_s0 + v))
        q = start_q + to_q * rise
        if n < 0:
            small = jnp.where(flat, remainder.side, side)
            whole = small * erfc(-small * q / _ROOT_2) / 2
            there, fall = whole, x * grown
        else:
            whole = hermite(n, q)
            there = jnp.exp(-q * q / 2) / _ROOT_2PI * whole
            fallen_off = peak.a * expm1_minus_x(v) + (peak.u * rise) ** 2 / 2
            fall = jnp.where(flat, x * grown, fallen_off)
        size = jnp.exp(-fall)
        scores = complete_bell([higher[0] - grown, *higher[1:]])[m]
        along_y = scale * (jnp.exp(y) / (1 + scale / wide * jnp.expm1(y)) + jnp.exp(-y))
        value = jnp.where(flat, remainder.at(rise, there), whole)
        part = jnp.where(i <= intervals, size * along_y * scores * value, 0.0)
        return total + folded.total(part)

    blocks = (jnp.max(intervals, initial=0.0) / _AT_ONCE).astype(np.int32) + 1
    return jax.lax.fori_loop(0, blocks, add, jnp.zeros_like(step)) * step


class _Remainder:
    """What H, taken at s = 1 + d, has beyond its tangent in s^2 at s = 1; or beyond its value."""

    def __init__(self, t: jax.Array, at_one: jax.Array, tangent: jax.Array, k: int, n: int) -> None:
        self.t, self.at_one, self.tangent, self.k = t, at_one, tangent, k
        phi = jnp.exp(-at_one * at_one / 2) / _ROOT_2PI
        # Where phi^(-1), the distribution function, is small.
        self.side = jnp.where(at_one > 0, -1.0, 1.0)
        # phi^(n+j) for j = 0, 1, ... by DLMF 18.9.1
        of = [phi * hermite(j, at_one) for j in range(max(n, 0), max(n, 0) + 2)]

        def following(pair: tuple[jax.Array, jax.Array], j: jax.Array) -> Any:
            after = -(at_one * pair[1] + (j - 1) * pair[0])
            return (pair[1], after), after

        # One array from one loop: each of so many would be a program of its own.
        higher = jnp.arange(max(n, 0) + 2.0, n + _TAYLOR_TERMS)
        _, rest = jax.lax.scan(following, (of[0], of[1]), higher)
        if n < 0:
            of.insert(0, self.side * erfc(-self.side * at_one / _ROOT_2) / 2)
        self.value, self.slope = of[0], of[1]
        beyond = jnp.concatenate([one[None] for one in of[2:]] + [rest])
        factorials = np.array([math.factorial(j) for j in range(2, _TAYLOR_TERMS)], float)
        self.coefficients = beyond / factorials.reshape(-1, *[1] * at_one.ndim)

    def at(self, d: jax.Array, there: jax.Array) -> jax.Array:
        """The remainder, where phi^(n) is known there."""
        change = self.t * d
        near = jnp.abs(change) * (1 + jnp.abs(self.at_one)) < _NEAR
        z = jnp.where(near, change, 0.0)
        series: Any = 0.0
        for j in reversed(range(_TAYLOR_TERMS - 2)):
            series = series * z + self.coefficients[j]
        curved = jnp.where(near, series * z * z, there - self.value - change * self.slope)
        beyond: Any = sum(math.comb(self.k, j) * d**j for j in range(2, self.k + 1))
        power = 1 + self.k * d + beyond  # s^k
        both = d * (self.k * d + beyond)
        of_value = jnp.where(self.tangent, beyond - self.k * d * d / 2, beyond + self.k * d)
        of_slope = jnp.where(self.tangent, both - d * d / 2, both + d)
        return self.value * of_value + self.t * self.slope * of_slope + power * curved


student_in_degrees.partials(
    nc=closed(
        _UNDER_INTEGRAL,
        lambda y, df, nc, t, *, m, k=0, n=-1: -student_in_degrees(df, nc, t, m=m, k=k, n=n + 1),
    ),
    t=closed(
        _UNDER_INTEGRAL,
        lambda y, df, nc, t, *, m, k=0, n=-1: student_in_degrees(df, nc, t, m=m, k=k + 1, n=n + 1),
    ),
)
