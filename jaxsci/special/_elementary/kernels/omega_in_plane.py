"""Wright's omega function of complex numbers in JAX operations.

It is Lambert's function of exp(z), on the branch that the imaginary part of z is of. Next to the
ends of both cuts, -1 + pi i and -1 - pi i, it is a power series in the root of the distance.
Elsewhere a fixed number of Halley's steps for the root of w + log(w) = z, or left of 1, where the
difference of log(w) and z would lose the digits of a small w, of w + log(w/exp(z)) = 0.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._elementary.kernels.lambert_on_device import (
    COEFFICIENTS,
    first_guess,
    halleys,
    root,
    series_at,
)
from jaxsci.special._numerics.elementary import expm1, plus_two_parts
from jaxsci.special._numerics.plane import Part, nan_like

_STEPS = 6
_RADIUS = 0.4
"""Up to here the series has all digits."""
_GUESSED_OUTSIDE, _GUESSED = 1.2, 2.0
_LEFT = -0.2
_DIRECT = 1.0
"""From this real part on z stands for its own logarithm."""
_LEAST = -700.0
"""Left of it exp(z) is subnormal."""
_OUT_OF_REACH = 1e20
"""From here on log(w) is nothing beside w."""
_PI, _PI_REST = math.pi, 1.2246467991473532e-16


def _from_branch_point(x: jax.Array, y: jax.Array) -> tuple[Part, jax.Array]:
    """The argument p = sqrt(2(1 - exp(d))) of the series, and its size; d is z + 1 -+ pi i."""
    above = y > 0
    turned = (plus_two_parts(y, -_PI, -_PI_REST), plus_two_parts(y, _PI, _PI_REST))
    d = Part(x + 1, jnp.where(above, *turned))
    half = jnp.sin(0.5 * d.im)
    # exp(d) - 1, whose digits do not cancel.
    a = 2 * (expm1(d.re) - 2 * half * half * jnp.exp(d.re))
    b = 2 * jnp.exp(d.re) * jnp.sin(d.im)
    a, b = -a, -b
    p, size = root(a, b)
    # exp(z) is above the real line where the sine of y is positive, and so b is then.
    p = Part(p.re, jnp.where(b < 0, -p.im, p.im))
    # Between the cuts it is the root with a real part that is not negative.
    return Part(-p.re, -p.im).where(jnp.abs(y) > _PI, p), size


def _residual(w: Part, z: Part, over: Part, direct: jax.Array) -> Part:
    """What w + log(w) - z is, but for turns, of which there are none."""
    scale = Part(jnp.ones_like(w.re), jnp.zeros_like(w.re)).where(direct, over)
    logarithm = w.times(scale).log()
    re = jnp.where(direct, (w.re - z.re) + logarithm.re, w.re + logarithm.re)
    im = jnp.where(direct, (w.im - z.im) + logarithm.im, w.im + logarithm.im)
    im = jnp.where(direct, im, im - (2 * math.pi) * jnp.round(im / (2 * math.pi)))
    return Part(re, im)


def _by_halley(z: Part, over: Part, direct: jax.Array, w: Part) -> Part:
    def step(_: Any, w: Part) -> Part:
        return halleys(w, _residual(w, z, over, direct))

    return jax.lax.fori_loop(0, _STEPS, step, w)


@device_kernel(ulps=6, conditioned=True)
def wrightomega(z: jax.Array) -> jax.Array:
    """The w with w + log(w) = z."""
    x, y = z.real, z.imag
    none = jnp.isnan(x) | jnp.isnan(y)
    large = jnp.maximum(jnp.abs(y), jnp.where(x > 0, x, 0.0)) >= _OUT_OF_REACH
    principal = jnp.abs(y) < _PI
    small = principal & (x < _LEAST)
    inside = ~(none | large | small) & (x > -_OUT_OF_REACH)
    zero = jnp.zeros_like(x)
    x_, y_ = jnp.where(inside, x, 0.0), jnp.where(inside, y, 0.0)
    direct = (x_ > _DIRECT) | (x_ < _LEAST)
    # exp(z), of moderate size.
    size = jnp.exp(jnp.clip(x_, _LEAST, 3.0))
    at = Part(size * jnp.cos(y_), size * jnp.sin(y_))
    over = Part(at.re, at.im).inverse()
    p, distance = _from_branch_point(jnp.clip(x_, -4.0, 2.0), y_)
    beside = (x_ > -4) & (x_ < 2) & (jnp.abs(y_) < 2 * _PI)
    near = beside & (distance < _RADIUS)
    outside = beside & ~principal & (distance < _GUESSED_OUTSIDE)
    within = beside & principal & (at.re < _LEFT) & (distance < _GUESSED)
    series = series_at(p.where(near, Part(zero, zero)), COEFFICIENTS)
    guess = series_at(p, COEFFICIENTS[:4])
    start = guess.where((outside | within) & ~near, first_guess(at, Part(x_, y_), principal))
    away = inside & ~near
    one = Part(zero + 1.0, zero)
    argument = Part(x_, y_).where(away, one)
    found = _by_halley(argument, over.where(away, one), direct | ~away, start.where(away, one))
    w = series.where(near, found)
    # Right and up far out it is z, and left of all numbers between the cuts exp(z).
    e = jnp.exp(jnp.where(small, x, 0.0))
    tiny = Part(e * jnp.cos(jnp.where(small, y, 0.0)), e * jnp.sin(jnp.where(small, y, 0.0)))
    w = w.where(inside, tiny.where(small, Part(x, y)))
    return jnp.where(none, nan_like(z), jax.lax.complex(w.re, w.im))
