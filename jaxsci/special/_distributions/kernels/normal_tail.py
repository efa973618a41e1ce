"""Mills ratios of the normal distribution and their derivatives, as functions.

With phi the density and Phi the distribution function, the moments
I_n(t) = integral over s > 0 of s^n exp(-ts - s^2/2) make Phi(x)/phi(x) = I_0(-x), and their
quotients K_n = I_n/I_(n-1) are the continued fraction K_n = n/(t + K_(n+1)) (DLMF 7.9, 7.18).
Derivatives in these have no differences that cancel in the tail.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import native, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics import faddeeva_function
from jaxsci.special._numerics.error_function import erfcx

SQRT_2PI = np.sqrt(2 * np.pi)

_TAIL = 2.5
"""From here on (to the left of -_TAIL) the continued fraction is used."""
_DEPTH = 130
_COMPLEX_TAIL = 30.0
_COMPLEX_DEPTH = 24


def density(x: jax.Array) -> jax.Array:
    """The density, exp(-x^2/2)/sqrt(2 pi)."""
    return jnp.exp(-x * x / 2) / SQRT_2PI


@native()
def quotient(t: jax.Array, *, n: int) -> jax.Array:
    """K_n(t), for t > _TAIL (or complex t far from 0 in the right half-plane)."""
    is_complex = jnp.iscomplexobj(t)
    depth = _COMPLEX_DEPTH if is_complex else _DEPTH
    # The real quotient's own size, where the fraction is broken off.
    last = (
        jnp.zeros_like(t)
        if is_complex
        else 2 * (n + depth) / (t + jnp.sqrt(t * t + 4 * (n + depth)))
    )
    return jax.lax.fori_loop(0, depth, lambda k, tail: (n + depth - 1 - k) / (t + tail), last)


quotient.partials(
    t=closed("DLMF 7.18.4", lambda y, t, *, n: y * (quotient(t, n=n) - quotient(t, n=n + 1)))
)


def is_tail(x: jax.Array) -> jax.Array:
    """Where x is so far to the left that the continued fraction is used."""
    if jnp.iscomplexobj(x):
        return (jnp.abs(x) > _COMPLEX_TAIL) & (x.real < 0)
    return x < -_TAIL


def tail(x: jax.Array) -> jax.Array:
    """The number -x, where x is in the tail, and some other of the tail elsewhere."""
    elsewhere = _COMPLEX_TAIL if jnp.iscomplexobj(x) else _TAIL
    return jnp.where(is_tail(x), -x, elsewhere)


def _complex_erfcx(x: jax.Array) -> jax.Array:
    """erfcx(x) = w(ix) (DLMF 7.2.3)."""
    return faddeeva_function.w(-x.imag, x.real).as_complex()


def _parts(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """phi/Phi, and x + phi/Phi, which cancels in the tail."""
    t = tail(x)
    one = quotient(t, n=1)
    if not jnp.iscomplexobj(x):
        near = jnp.where(is_tail(x), 0.0, x)
        # erfcx overflows to the right, where the ratio underflows.
        ratio = np.sqrt(2 / np.pi) / erfcx(-near / np.sqrt(2))
        return jnp.where(is_tail(x), t + one, ratio), jnp.where(is_tail(x), one, near + ratio)
    far = jnp.abs(x) > _COMPLEX_TAIL
    near = jnp.where(far, 1.0, x)
    ratio = np.sqrt(2 / np.pi) / _complex_erfcx(-near / np.sqrt(2))
    parts = ratio, near + ratio
    # To the right, Phi(x) = 1 - phi(x) M(x) by Mills' ratio M: whichever of the two terms grows
    # is divided by.
    right = jnp.where(far & (x.real >= 0), x, _COMPLEX_TAIL + 0j)
    k = quotient(right, n=1)
    mills, first = 1 / (right + k), k / (right + k)
    square = right * right / 2
    falls = square.real > 0
    phi = jnp.exp(jnp.where(falls, -square, 0.0)) / SQRT_2PI
    over = jnp.exp(jnp.where(falls, 0.0, square)) * SQRT_2PI
    whole = jnp.where(falls, 1 - phi * mills, over - mills)
    up = (
        jnp.where(falls, phi, 1.0) / whole,
        jnp.where(falls, right + phi * first, right * over + first) / whole,
    )
    left = t + one, one

    def choose(i: int) -> jax.Array:
        return jnp.where(is_tail(x), left[i], jnp.where(far, up[i], parts[i]))

    return choose(0), choose(1)


@native()
def hazard(x: jax.Array) -> jax.Array:
    """phi(x)/Phi(x), the slope of log Phi."""
    return _parts(x)[0]


@native()
def hazard_slope(x: jax.Array) -> jax.Array:
    """The first derivative of `hazard`."""
    ratio, excess = _parts(x)
    return -ratio * excess


@native()
def hazard_curvature(x: jax.Array) -> jax.Array:
    """The second derivative of `hazard`."""
    ratio, excess = _parts(x)
    near = ratio * (excess * excess + ratio * excess - 1)
    t = tail(x)
    one, two, three = (quotient(t, n=n) for n in (1, 2, 3))
    return jnp.where(is_tail(x), (t + one) * one * one * two * (three - two), near)


@native()
def _hazard_third(x: jax.Array) -> jax.Array:
    """The third derivative of `hazard`; those of higher order are its own."""
    ratio, excess = hazard(x), x + hazard(x)
    one = excess * excess + ratio * excess - 1
    near = ratio * (-excess * one + (2 * excess + ratio) * (1 - ratio * excess))
    near = near - ratio * ratio * excess * excess
    t = tail(x)
    k = [quotient(t, n=n) for n in (1, 2, 3, 4)]
    # -d/dt of the product above, term by term.
    growth = k[0] + 2 * (k[0] - k[1]) + (k[1] - k[2])
    inner = k[2] * (k[2] - k[3]) - k[1] * (k[1] - k[2])
    product = (t + k[0]) * k[0] * k[0] * k[1]
    far = -product * (growth * (k[2] - k[1]) + inner)
    return jnp.where(is_tail(x), far, near)


_BY_PARTS = "DLMF 7.18.4, 7.18.7"
hazard.partials(x=closed(_BY_PARTS, lambda y, x: hazard_slope(x)))
hazard_slope.partials(x=closed(_BY_PARTS, lambda y, x: hazard_curvature(x)))
hazard_curvature.partials(x=closed(_BY_PARTS, lambda y, x: _hazard_third(x)))


@tower("DLMF 7.18.4", x="n")
def moment(x: jax.Array, *, n: int) -> jax.Array:
    """I_n(-x): for n = 0 it is Phi(x)/phi(x), and each derivative is the next one."""
    near = jnp.where(is_tail(x), 0.0, x)
    below, value = jnp.zeros_like(near), 1 / hazard(near)
    for k in range(n):
        below, value = value, near * value + (k * below if k else 1.0)
    t = tail(x)
    far = 1 / (t + quotient(t, n=1))
    for k in range(1, n + 1):
        far = far * quotient(t, n=k)
    return jnp.where(is_tail(x), far, value)


# In what follows x is a quantile: its probability, which says more than the rounded x does, comes
# along, and is not varied.


@native()
def reciprocal_density(x: jax.Array, p: jax.Array) -> jax.Array:
    """1/phi(x), where Phi(x) = p."""
    low = p < 0.5
    # The ratio of the probability to the density does not magnify the error of x.
    outer = jnp.where(low, p, 1 - p)
    return 1 / (outer * hazard(-jnp.abs(x)))


reciprocal_density.partials(
    x=closed("phi' = -x phi", lambda y, x, p: x * y),
    p=closed("held fixed", lambda y, x, p: jnp.zeros_like(y)),
)


@native()
def slope_of_log_quantile(x: jax.Array, log_p: jax.Array) -> jax.Array:
    """Phi(x)/phi(x), where log Phi(x) = log_p."""
    right = log_p > -np.log(2.0)
    near_one = jnp.where(right, log_p, -1.0)
    above = jnp.exp(near_one) / (-jnp.expm1(near_one) * hazard(-jnp.where(right, x, 0.0)))
    return jnp.where(right, above, moment(jnp.where(right, 0.0, x), n=0))


slope_of_log_quantile.partials(
    x=closed(
        "DLMF 7.18.7",
        lambda y, x, log_p: jnp.where(x > 0, 1 + x * y, moment(jnp.minimum(x, 0.0), n=1)),
    ),
    log_p=closed("held fixed", lambda y, x, log_p: jnp.zeros_like(y)),
)
