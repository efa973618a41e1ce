"""The non-central chi-square distribution's derivatives in its degrees of freedom, by a contour.

With a = df/2, t = x/2 and mu = nc/2 the Laplace transform of the density in t is
(1 + p)^-a exp(-mu p/(1 + p)) (Johnson, Kotz & Balakrishnan 1995, 29.5). Its inversion, with
z = 1 + p, is

    F = 1/(2 pi i) integral of exp(t (z - 1) + mu (1/z - 1)) z^-a dz/(z - 1)

along a line around the negative axis, to the right of 1. A derivative in a brings down a factor
-ln z, one in t the factor z - 1, and one in mu 1/z - 1. Each of them is zero at z = 1, so that the
pole is gone, and the line may pass through the saddle point z0 of the exponential function, where
nothing cancels: either tail has all its digits.

With z = z0 w, A = t z0 and B = mu/z0 the saddle point of z^-s is where A - B = s; s = a + c keeps A
from being small. On the parabola w = (1 + i v)^2 with r = v^2 the exponential function falls by

    A r + s ln(1 + r) + B (3 r + r^2)/(1 + r)^2,

of which no term is negative, and the midpoint rule converges geometrically. (N. M. Temme, 1993,
Math. Comp. 61, p. 763, has such an integral for the distribution function itself.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.types import PyTree
from jaxsci.special._incomplete.kernels.gamma_density import gamma_density
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.expm1_minus_x import expm1_minus_x
from jaxsci.special._numerics.subnormal import is_positive

_NODES = 48
_AT_ONCE = 4
_FALL = 40.0
_FALL_PER_ORDER = 3.0
_HALVINGS = 24
_GONE = 800.0
_SERIES_TERMS = 14


@tower("differentiated under the contour integral", a="n", t="i", mu="j")
def chi_square_in_shape(
    a: jax.Array, t: jax.Array, mu: jax.Array, *, n: int, i: int = 0, j: int = 0, shift: int = 0
) -> jax.Array:
    """(d/da)^n (d/dt)^i (d/dmu)^j of the distribution function of shape a + shift, for n >= 1."""
    a, t, mu = jnp.broadcast_arrays(a, t, mu)
    shapes = (a > 0) & jnp.isfinite(a) & (mu >= 0) & jnp.isfinite(mu)
    regular = shapes & is_positive(t) & jnp.isfinite(t)
    at_zero = shapes & (t == 0) & ~is_positive(t)
    at_infinity = shapes & (t == jnp.inf)
    a, t, mu = (jnp.where(regular, x, 1.0) for x in (a, t, mu))
    value = _contour(a + shift, t, mu, n, i, j, max(1 - shift, 0))
    ends = jnp.where(at_zero, _at_zero(a, n, i, j, shift), jnp.where(at_infinity, 0.0, jnp.nan))
    return jnp.where(regular, value, ends)


def _at_zero(a: jax.Array, n: int, i: int, j: int, shift: int) -> jax.Array:
    """What the term without mu tends to, t^(a-i)/Gamma(a-i+1): the others are smaller."""
    if i == 0:
        return jnp.zeros_like(a)
    up = max(shift, 0)
    density = gamma_density(a + up, jnp.zeros_like(a), n=i - 1 + up - shift, by_shape=n)
    return (-1.0) ** j * density


def _contour(
    a: jax.Array, t: jax.Array, mu: jax.Array, n: int, i: int, j: int, c: int
) -> jax.Array:
    s = a + c
    root = jnp.hypot(s, 2 * jnp.sqrt(t) * jnp.sqrt(mu))
    # y = 1/z0, with its distance from 1.
    beside = 2 * ((t - s) - mu) / ((s + 2 * mu) + root)
    y = 2 * t / (s + root)
    near = jnp.abs(beside) < 0.25
    log_y = jnp.where(near, jnp.log1p(jnp.where(near, beside, 0.0)), jnp.log(y))
    beside = jnp.where(near, beside, y - 1)
    big_a, big_b = t / y, mu * y
    fall = s * jnp.where(near, expm1_minus_x(jnp.where(near, log_y, 0.0)), beside - log_y)
    exponent = -(fall + (jnp.sqrt(mu) * beside) ** 2) - (c + i) * log_y
    gone = exponent < -_GONE
    beside, big_a, big_b = (
        jnp.where(gone, x, z) for x, z in ((0.0, beside), (1.0, big_a), (0.0, big_b))
    )
    s, log_y = jnp.where(gone, 1.0, s), jnp.where(gone, 0.0, log_y)

    def fallen(r: jax.Array) -> jax.Array:
        return big_a * r + s * jnp.log1p(r) + big_b * (r * (3 + r) / (1 + r) ** 2)

    enough = _FALL + _FALL_PER_ORDER * (n + i + j)

    def halve(_: jax.Array, bounds: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        low, high = bounds
        middle = (low + high) / 2
        far = fallen(middle * middle) > enough
        return jnp.where(far, low, middle), jnp.where(far, middle, high)

    high = jnp.sqrt(enough / big_a)
    step = jax.lax.fori_loop(0, _HALVINGS, halve, (jnp.zeros_like(high), high))[1] / _NODES
    along = jnp.arange(_AT_ONCE).reshape((-1,) + (1,) * jnp.ndim(step)) + 0.5

    def add(k: jax.Array, total: jax.Array) -> jax.Array:
        v = (k * _AT_ONCE + along) * step
        r = v * v
        angle, rest = jnp.arctan(v), less_arctangent(v)
        phase = 2 * big_a * rest + 2 * big_b * (v * r * (2 + r) / (1 + r) ** 2 - rest)
        w = jax.lax.complex(1 - r, 2 * v)
        # Relative to z0, z - 1 is w - y.
        rise = jax.lax.complex(-r - beside, 2 * v)
        log_z = jax.lax.complex(jnp.log1p(r) - log_y, 2 * angle)
        factor = (-log_z) ** n * jax.lax.complex(jnp.ones_like(v), v)
        if i + j:
            factor = factor * rise ** (i + j - 1)
        else:
            factor = factor * (jnp.conj(rise) / (rise.real**2 + rise.imag**2))
        back = jnp.conj(w) / (1 + r) ** 2
        factor = factor * (-back) ** j * (w**c)
        size = jnp.exp(-fallen(r))
        part = size * (factor.real * jnp.cos(phase) - factor.imag * jnp.sin(phase))
        return total + folded.total(part)

    total = jax.lax.fori_loop(0, _NODES // _AT_ONCE, add, jnp.zeros_like(step))
    half = jnp.exp(jnp.where(gone, 0.0, exponent) / 2)
    return jnp.where(gone, 0.0, half * (2 / math.pi * step * total) * half)


def less_arctangent(v: jax.Array) -> jax.Array:
    """V - arctan v."""
    near = v < 0.25
    r = jnp.where(near, v, 0.0) ** 2
    total: PyTree = 0.0
    for k in range(_SERIES_TERMS, 0, -1):
        total = r * (1 / (2 * k + 1) - total)
    return jnp.where(near, v * total, v - jnp.arctan(v))
