"""Lambert's function of complex numbers, of any branch, in JAX operations.

Near the branch point -1/e it is a power series in sqrt(2(ez + 1)) (R. M. Corless et al., Adv.
Comput. Math. 5, 1996, eq. 4.22). Elsewhere a fixed number of Halley's steps for the root of
w + log(w/z) = 2 pi i k, of which no term is large beside w.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics.elementary import plus_two_parts
from jaxsci.special._numerics.plane import Part
from jaxsci.special._numerics.shared import shared

_STEPS = 6
_RADIUS = 0.4
"""Up to here the series has all digits."""
_GUESSED, _GUESSED_OF_0 = 1.2, 2.0
_LARGE = 4.0
_SMALL = 1e-3
_LEFT = -0.2
_TERMS = 34
_INVERSE_E, _INVERSE_E_REST = 0.36787944117144233, -1.2428753672788363e-17


def _series() -> list[float]:
    """The coefficients of the powers of p = sqrt(2(ez + 1)) in W."""
    mu, alpha = [-1.0, 1.0], [2.0, -1.0]
    for k in range(2, _TERMS):
        alpha.append(sum(mu[j] * mu[k + 1 - j] for j in range(2, k)))
        before = mu[k - 2] / 2 + alpha[k - 2] / 4
        mu.append((k - 1) / (k + 1) * before - alpha[k] / 2 - mu[k - 1] / (k + 1))
    return mu


COEFFICIENTS = _series()
"""Of the powers of sqrt(2(ez + 1)) in W."""


def series_at(p: Part, coefficients: Sequence[float]) -> Part:
    value = Part(jnp.full_like(p.re, coefficients[-1]), jnp.zeros_like(p.re))
    for c in coefficients[-2::-1]:
        value = value.times(p)
        value = Part(value.re + c, value.im)
    return value


def _start(z: Part, k: Any) -> Part:
    logarithm = z.log()
    return first_guess(z, Part(logarithm.re, logarithm.im + 2 * math.pi * k), k == 0)


def first_guess(z: Part, logarithm: Part, principal: Any) -> Part:
    """The first terms for large z, or for small z on branch 0.

    Args:
        z: what w exp(w) is to be.
        logarithm: that of z which is w + log(w).
        principal: whether the branch is 0.
    """
    none = (logarithm.re == 0) & (logarithm.im == 0)
    large = logarithm.minus(Part(jnp.where(none, 1.0, logarithm.re), logarithm.im).log())
    # log(1 + z) less about what is log of that.
    size = shared(jnp.hypot(z.re, z.im))
    first = Part(1 + z.re, z.im).log()
    second = Part(1 + first.re, first.im).log()
    less = second.times(Part(2 + first.re, first.im).inverse())
    small = first.times(Part(1 - less.re, -less.im))
    tiny = size < _SMALL
    small = z.where(tiny, small)
    return small.where(principal & (tiny | ((z.re >= _LEFT) & (size < _LARGE))), large)


def halleys(w: Part, residual: Part) -> Part:
    """The next number for a root of w + log(w) and a constant (f' = 1 + 1/w, f'' = -1/w^2)."""
    r = w.inverse()
    slope = Part(1 + r.re, r.im).inverse()
    step = residual.times(slope)
    bend = step.times(r).times(r).times(slope)
    w = w.minus(step.times(Part(1 + 0.5 * bend.re, 0.5 * bend.im).inverse()))
    return Part(shared(w.re), shared(w.im))


def _by_halley(z: Part, k: Any, w: Part) -> Part:
    over = z.inverse()
    for _ in range(_STEPS):
        logarithm = w.times(over).log()
        angle = w.im + logarithm.im - 2 * math.pi * k
        # Which logarithm it is does not count.
        angle = angle - (2 * math.pi) * jnp.round(angle / (2 * math.pi))
        w = halleys(w, Part(w.re + logarithm.re, angle))
    return w


def root(a: jax.Array, b: jax.Array) -> tuple[Part, jax.Array]:
    """The root of a + bi, but for the sign of its imaginary part, and its size."""
    modulus = shared(jnp.sqrt(0.5 * (shared(jnp.hypot(a, b)) + jnp.abs(a))))
    other = 0.5 * jnp.abs(b) / jnp.where(modulus == 0, 1.0, modulus)
    parts = Part(jnp.where(a < 0, other, modulus), jnp.where(a < 0, modulus, other))
    return parts, jnp.hypot(modulus, other)


def _from_branch_point(x: jax.Array, y: jax.Array, k: jax.Array) -> tuple[Part, Any, Any]:
    """The argument p = sqrt(2(ez + 1)) of the series, its size, and whether k is 1 or -1."""
    above = ~jnp.signbit(y)
    # ez + 1, whose first digits cancel.
    a = 2 * math.e * plus_two_parts(x, _INVERSE_E, _INVERSE_E_REST)
    b = 2 * math.e * y
    p, size = root(a, b)
    p = Part(p.re, jnp.copysign(p.im, y))
    lower = ((k == -1) & above) | ((k == 1) & ~above)
    return Part(-p.re, -p.im).where(lower, p), size, lower


def _parts(z: jax.Array, k: jax.Array) -> tuple[Any, Any]:
    """Re z and Im z; real values of branch -1 are those of either zero, as for SciPy."""
    x, y = z.real, z.imag
    return x, jnp.where((y == 0) & (k == -1) & (x < 0) & (x > -_INVERSE_E), 0.0, y)


@device_kernel(ulps=20)
def lambertw(z: jax.Array, k: jax.Array, *, tol: float) -> jax.Array:
    """The w of branch k with w exp(w) = z; the tolerance does not count."""
    z, k = jnp.broadcast_arrays(z, k.astype(z.real.dtype))
    x, y = _parts(z, k)
    p, size, lower = _from_branch_point(x, y, k)
    of_0 = (k == 0) & ((size < _RADIUS) | ((x < _LEFT) & (size < _GUESSED_OF_0)))
    beside_point = of_0 | (lower & (size < _GUESSED))
    near = beside_point & (size < _RADIUS)
    inside = jnp.isfinite(x) & jnp.isfinite(y) & ((x != 0) | (y != 0))
    z_ = Part(jnp.where(inside & ~near, x, 1.0), jnp.where(inside & ~near, y, 0.0))
    zero = jnp.zeros_like(x)
    series = series_at(p.where(near, Part(zero, zero)), COEFFICIENTS)
    guess = series_at(p, COEFFICIENTS[:4])
    start = guess.where(beside_point & ~near, _start(z_, k))
    w = series.where(near, _by_halley(z_, k, start))
    # At 0 and at infinity.
    far = Part(
        jnp.where(jnp.abs(x) == jnp.inf, jnp.inf, jnp.nan),
        jnp.where(x > 0, y + 2 * math.pi * k, (2 * k + 1) * math.pi - y),
    )
    edge = Part(jnp.where(k == 0, x, -jnp.inf), jnp.where(k == 0, y, 0.0))
    w = w.where(inside, edge.where((x == 0) & (y == 0), far))
    unknown = jnp.isnan(x) | jnp.isnan(y) | jnp.isnan(k) | jnp.isnan(far.re) & ~inside & (x != 0)
    both = jax.lax.complex(w.re, w.im)
    return jnp.where(unknown, jnp.nan, both)


_BESIDE = 1e-3
"""Of p: there SciPy's iteration may stop at once, at -1."""


def is_beside_branch_point(z: jax.Array, k: jax.Array, *, tol: float) -> Any:
    """Where z is next to the branch point -1/e of branch k."""
    _, size, lower = _from_branch_point(*_parts(z, k), k)
    return (size < _BESIDE) & ((k == 0) | lower)


def beside_branch_point(z: jax.Array, k: jax.Array, *, tol: float) -> jax.Array:
    """W there, by the first terms of its power series."""
    p, *_ = _from_branch_point(*_parts(z, k), k)
    w = series_at(p, COEFFICIENTS[:8])
    return jax.lax.complex(w.re, w.im + 0.0)  # no -0
