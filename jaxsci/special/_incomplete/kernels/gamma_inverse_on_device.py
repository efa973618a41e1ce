"""Inverses of the incomplete gamma functions in JAX operations.

The logarithm of either tail is a concave function of log x, of which both derivatives are known
with the value: Halley's method converges from anywhere. The smaller tail is taken, for it has the
digits. A fixed number of steps leads from the leading term of P where x is small, an expansion of Q
for small shapes (A. DiDonato and A. Morris, Algorithm 654, 1987), or the inverse of the error
function that large shapes have (N. Temme, 1992).
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables
from jaxsci.special._incomplete.kernels.gamma_on_device import gamma_tails
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.elementary import exp_of_parts, log1p, power_parts
from jaxsci.special._numerics.error_function import erfcinv_tail
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log

_STEPS = 3
_STEPS_TO_ETA = 3
_EULER = 0.5772156649015329
_RANGE = (2.2250738585072014e-308, 1e307), (1.1754943508222875e-38, 1e38)


def quantile(a: jax.Array, p: jax.Array, q: jax.Array) -> jax.Array:
    """The x with P(a, x) = p and Q(a, x) = q; the smaller one of them has the digits."""
    lower = p < q
    goal = jnp.where(lower, p, q)
    least, largest = by_precision(p, *_RANGE)
    x = jnp.clip(_start(a, p, q, lower), least, largest)

    def halley(_: jax.Array, x: jax.Array) -> jax.Array:
        # What depends on the shape alone would be computed once, and be read from memory: arrays
        # by the hundred, where it costs next to nothing beside the rest.
        shape, x = jax.lax.optimization_barrier((a, x))
        found_p, found_q, w = gamma_tails(shape, x)
        tail = jnp.where(lower, found_p, found_q)
        step = log_step(tail, goal, shape * w, shape - x, lower)
        return jnp.clip(x * jnp.exp(step), least, largest)

    x = jax.lax.fori_loop(0, _STEPS, halley, x)
    return jnp.where(x <= least, 0.0, x)


def log_step(
    tail: jax.Array, goal: jax.Array, density: jax.Array, growth: jax.Array, lower: jax.Array
) -> jax.Array:
    """Halley's step in u to where a tail is what it shall be.

    Args:
        tail: the tail here.
        goal: what it shall be.
        density: its derivative in u, or minus that for an upper tail.
        growth: the derivative in u of the density's logarithm.
        lower: which tail it is.
    """
    tail, goal, density = raised(tail, goal, density)
    slope = density / tail
    # Near the goal the logarithm of a quotient has digits that the difference of two has not.
    off = log(tail / goal)
    off = jnp.where(jnp.abs(off) < 0.1, _log_of_quotient(tail, goal), off)
    newton = jnp.where(lower, -off, off) / slope
    bend = jnp.where(lower, growth - slope, growth + slope)
    step = newton / jnp.clip(1 + 0.5 * newton * bend, 0.5, 2.0)
    # Where the tail has underflowed, or is all there is: towards what it shall be.
    far = jnp.where((tail < goal) == lower, _FAR_STEP, -_FAR_STEP)
    return jnp.where((tail > 0) & (slope > 0), jnp.clip(step, -_FARTHEST, _FARTHEST), far)


_FAR_STEP, _FARTHEST = 5.0, 50.0
_SMALL_TAIL = (2.0**-800, 2.0**200), (2.0**-80, 2.0**60)


def raised(
    tail: jax.Array, goal: jax.Array, density: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The numbers times one power of two where the goal is small.

    Products with small differences would be subnormal, which XLA takes for 0.
    """
    least, up = by_precision(tail, *_SMALL_TAIL)
    up = jnp.where(goal < least, up, 1.0)
    return up * tail, up * goal, up * density


def _log_of_quotient(x: jax.Array, y: jax.Array) -> jax.Array:
    """log(x/y), of numbers that are nearly the same."""
    s = (x - y) / (x + y)
    v = s * s
    return 2 * s * (1 + v * (1 / 3 + v * (1 / 5 + v * (1 / 7 + v / 9))))


def _start(a: jax.Array, p: jax.Array, q: jax.Array, lower: jax.Array) -> jax.Array:
    return jnp.where(a < 1, small_quantile(jnp.minimum(a, 1.0), p, q), _temme(a, p, q, lower))


def small_quantile(a: jax.Array, p: jax.Array, q: jax.Array) -> jax.Array:
    """About the quantile for a <= 1."""
    of_gamma = _log_gamma_above(a)
    leading = jnp.exp(_log_of_leading(a, p, q, of_gamma))
    leading = leading * jnp.exp(jnp.minimum(leading / (a + 1), 1.0))
    b = q * jnp.exp(of_gamma) / a  # q Gamma(a)
    return jnp.where(b > 0.6, leading, _of_small_q(a, b))


def _log_gamma_above(a: jax.Array) -> jax.Array:
    """The logarithm of Gamma(1 + a) for a <= 1."""
    return a * (a - 1) * piecewise(gamma_tables.LOG_GAMMA_NEAR, 1 + a)


def _log_of_leading(a: jax.Array, p: jax.Array, q: jax.Array, of_gamma: jax.Array) -> jax.Array:
    """The logarithm of the x with x^a/Gamma(1 + a) = p."""
    log_p = jnp.where(q < 0.1, log1p(-jnp.minimum(q, 0.1)), log(p))
    return (log_p + of_gamma) / a


def _of_small_q(a: jax.Array, b: jax.Array) -> jax.Array:
    """Where Gamma(a, x) is b <= 0.6, for a < 1."""
    t = jnp.exp(-_EULER - b)
    near = t * jnp.exp(t * jnp.exp(t))
    y = -log(jnp.minimum(b, 0.35))
    u = y - (1 - a) * log(y)
    top, bottom = u * u + 2 * (3 - a) * u + (2 - a) * (3 - a), u * u + (5 - a) * u + 2
    far = y - (1 - a) * log(u) - log(top / bottom)
    return jnp.where((b > 0.35) & (a < 0.3), near, far)


def _temme(a: jax.Array, p: jax.Array, q: jax.Array, lower: jax.Array) -> jax.Array:
    """For a >= 1, where the tail is about an error function's."""
    a = jnp.maximum(a, 1.0)
    y = erfcinv_tail(jnp.minimum(2 * jnp.minimum(p, q), 0.999))
    eta = jnp.where(lower, -y, y) * jnp.sqrt(2 / a)
    ratio = _of_eta(eta)
    centre = jnp.abs(eta) < 0.02
    # eta/(ratio - 1), of which the logarithm over eta is the correction of eta times a.
    quotient = jnp.where(centre, 1 - eta / 3, eta / jnp.where(centre, 1.0, ratio - 1))
    correction = jnp.where(centre, -1 / 3, log(quotient) / jnp.where(centre, 1.0, eta))
    return a * ratio * jnp.exp(correction * quotient / a)


def _of_eta(eta: jax.Array) -> jax.Array:
    """About the l with l - 1 - log l = eta^2/2 (DLMF 8.12.1)."""
    h = 0.5 * eta * eta
    near = 1 + eta * (1 + eta * (1 / 3 + eta * (1 / 36 - eta / 270)))
    left = jnp.exp(-1 - h)
    right = 1 + h + jnp.log1p(h + math.sqrt(2) * eta)
    l = jnp.where(eta < -1, left * (1 + left * (1 + 1.5 * left)), jnp.where(eta > 1.5, right, near))
    for _ in range(_STEPS_TO_ETA):
        # Newton's method in log l
        step = (l - 1 - log(l) - h) / (l - 1)
        l = jnp.where(jnp.abs(eta) > 0.8, l * jnp.exp(-jnp.clip(step, -2, 2)), l)
    return l


# -- rows ------------------------------------------------------------------------------------------


def quantile_or_end(a: jax.Array, p: jax.Array, q: jax.Array) -> jax.Array:
    """The quantile wherever SciPy has it, and its values at the ends."""
    valid = (a >= 0) & (p >= 0) & (q >= 0)
    inside = valid & (a > 0) & (p > 0) & (q > 0) & (a < jnp.inf)
    found = quantile(*(jnp.where(inside, z, 0.5) for z in (a, p, q)))
    ends = jnp.where(q == 0, jnp.inf, jnp.where((p == 0) | (a == 0), 0.0, jnp.nan))
    return jnp.where(inside, found, jnp.where(valid, ends, jnp.nan))


def quantile_over(a: jax.Array, p: jax.Array, q: jax.Array, divisor: jax.Array) -> jax.Array:
    """The quantile over a number, which is one also where the quantile alone would underflow."""
    x = quantile_or_end(a, p, q)
    lost = (x == 0) & (a > 0) & (p > 0) & (divisor > 0) & (divisor < jnp.inf)
    shape, p, q, by = (jnp.where(lost, z, 0.5) for z in (a, p, q, divisor))
    logarithm, doublings = power_parts(by, jnp.full_like(by, -1.0))
    leading = _log_of_leading(shape, p, q, _log_gamma_above(shape))
    return jnp.where(lost, exp_of_parts(leading + logarithm, doublings), x / divisor)


ULPS = 20
"""The error of all quantiles."""


@device_kernel(ULPS, conditioned=True, single=4)
def gammaincinv(a: jax.Array, y: jax.Array) -> jax.Array:
    """The x with P(a, x) = y."""
    return quantile_or_end(a, y, 1 - y)


@device_kernel(ULPS, conditioned=True, single=6)
def gammainccinv(a: jax.Array, y: jax.Array) -> jax.Array:
    """The x with Q(a, x) = y."""
    return quantile_or_end(a, 1 - y, y)
