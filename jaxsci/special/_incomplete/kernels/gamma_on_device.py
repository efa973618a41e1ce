"""The incomplete gamma functions in JAX operations.

Either tail is w = x^a exp(-x)/Gamma(a+1) times a ratio, or 1 less the other one:

- below the transition P/w is a continued fraction, and so is Q/w above it (DLMF 8.9.1, 8.9.2);
- about it, for large shapes, the tail is an error function and a correction, which is a polynomial
  in 1/a and in eta (DLMF 8.12.3, 8.12.4);
- for small shapes and arguments that are not large, Q is a polynomial for shapes below 1, from
  which DLMF 8.8.10 leads upwards;
- for shapes below 1 and small arguments, 1 - P is taken without cancellation (DLMF 8.7.1).

All of it is evaluated at each element, in a fixed number of steps.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels import gamma_tables
from jaxsci.special._incomplete.kernels import gamma_tail_tables as tables
from jaxsci.special._incomplete.kernels.densities import deviance
from jaxsci.special._numerics.by_precision import by_precision, is_single
from jaxsci.special._numerics.elementary import exp_of_parts, expm1, power_parts
from jaxsci.special._numerics.error_function import erfcx_right
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.vectorised import log

_LARGE = 12.0
"""From this shape on the transition is that of an error function."""
_NEAR_ZERO = 1.0
"""Up to here Q of shapes below 1 is taken from a power series of 1 - Q."""
_FAR = 8.0
"""From here on, and above the shape, the continued fraction of Q has converged."""
_LEVELS = 30
_LEAST_SCALED = 2.0
_ROOT = math.sqrt(2 * math.pi)


def gamma_tails(a: jax.Array, x: jax.Array) -> tuple[Any, Any, Any]:
    """P(a, x) and Q(a, x), both to their last digits, and w, for positive numbers."""
    large = a >= _LARGE
    half_deviance = deviance(a, x)
    w = gamma_front(a, x, half_deviance)
    lower = x < jnp.where(large, a / 2, jnp.maximum(a, _NEAR_ZERO))
    fraction = _fraction(a, x, lower)
    p_lower = w * fraction
    # Above: by the fraction, or from a shape below 1.
    rest = a - jnp.floor(a)
    middle = _upward(a, rest * _upper_ratio(rest, x), 1 / x, int(_FAR), rest)
    q_upper = w * jnp.where(large | (x > _FAR), a * fraction, middle)
    q_lower = jnp.where(a < 1, a * _near_zero(a, x)[0], 1 - p_lower)
    p, q = jnp.where(lower, p_lower, 1 - q_upper), jnp.where(lower, q_lower, q_upper)
    about = large & (x >= a / 2) & (x <= 2 * a)
    above = x >= a
    tail = _about_transition(a, above, half_deviance)
    p = jnp.where(about, jnp.where(above, 1 - tail, tail), p)
    return p, jnp.where(about, jnp.where(above, tail, 1 - tail), q), w


def gamma_front(a: jax.Array, x: jax.Array, half_deviance: jax.Array) -> jax.Array:
    """x^a exp(-x)/Gamma(a+1), with a log(a/x) + x - a at hand."""
    logarithm, power, divisor = gamma_front_parts(a, x, half_deviance)
    return exp_of_parts(logarithm, power) / divisor


def gamma_front_parts(a: jax.Array, x: jax.Array, half_deviance: jax.Array) -> tuple[Any, Any, Any]:
    """That as a logarithm, a power of two and a divisor."""
    small = a < _LEAST_SCALED
    by_power = small | (x < a / 2)
    s = jnp.where(small, _LEAST_SCALED, a)
    t = jnp.where(small, a, 0.0)
    gamma = gamma_tables.GAMMA_NEAR(jnp.where(t < 1, t, t - 1)) * jnp.where(t < 1, 1.0, t)
    logarithm, power = power_parts(jnp.where(small, x, x / s), a)
    logarithm = logarithm + jnp.where(small, -x, a - x)
    logarithm = jnp.where(by_power, logarithm, -half_deviance)
    divisor = jnp.where(small, gamma, jnp.sqrt(s) * gamma_tables.GAMMA_SCALED(1 / s))
    return logarithm, jnp.where(by_power, power, 0.0), divisor


def _fraction(a: jax.Array, x: jax.Array, lower: jax.Array) -> jax.Array:
    """P/w below, Q/(a w) above: two continued fractions, of which an element needs one."""
    base, step = jnp.where(lower, a, x - a + 1), jnp.where(lower, 1.0, 2.0)
    value = base + step * _LEVELS
    for j in range(_LEVELS - 1, 0, -1):
        of_lower = x * (j + 1) / 2 if j % 2 else -(a + j / 2) * x
        value = base + step * j + jnp.where(lower, of_lower, (j + 1) * (a - (j + 1))) / value
    # The lower one's last level, a less a x/..., is divided by a, which may be as small as can be.
    return 1 / (jnp.where(lower, 1.0, base) + jnp.where(lower, -x, a - 1) / value)


def _upward(
    a: jax.Array, ratio: jax.Array, up: jax.Array, steps: int, rest: jax.Array
) -> jax.Array:
    """Q/w of a shape from that of what is left of it by at most so many steps, of up = 1/x."""
    for k in range(steps):
        ratio = jnp.where(rest + k < a, (rest + (k + 1)) * up * (1 + ratio), ratio)
    return ratio


def _upper_ratio(a: jax.Array, x: jax.Array) -> Any:
    """Q/(a w) for x >= _NEAR_ZERO and a <= 1."""
    y = jnp.maximum(x, _NEAR_ZERO)
    return tables.SMALL_UPPER((y - 2.5) / (y + 2.5), a) / y


def _near_zero(a: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """Q/a for a < 1 and x < _NEAR_ZERO, and x^a/Gamma(a+1)."""
    a, y = jnp.minimum(a, 1.0), jnp.minimum(x, _NEAR_ZERO)
    of_gamma = (1 - a) * piecewise(gamma_tables.LOG_GAMMA_NEAR, 1 + a)
    logarithm = log(y) + of_gamma
    less_one = expm1(a * logarithm)
    # Where a is so small that nothing else is left, the quotient may have underflowed.
    tiny = by_precision(a, 2.0**-500, 2.0**-90)
    slope = jnp.where(jnp.abs(less_one) < tiny, logarithm, less_one / a)
    power = 1 + less_one
    return power * (y / (1 + a) * tables.SMALL_LOWER(y, a)) - slope, power


def gamma_upper_ratio(a: jax.Array, x: jax.Array) -> jax.Array:
    """Q/w for shapes up to 3."""
    rest = a - (jnp.ceil(a) - 1)
    near, power = _near_zero(rest, x)
    ratio = jnp.where(x < _NEAR_ZERO, near * jnp.exp(x) / power, _upper_ratio(rest, x))
    return _upward(a, rest * ratio, 1 / x, 3, rest)


def _about_transition(a: jax.Array, above: jax.Array, half_deviance: jax.Array) -> jax.Array:
    """The tail on that side of a large shape where x is."""
    root = jnp.sqrt(jnp.maximum(half_deviance, 0.0))
    r = 1 / jnp.maximum(a, _LARGE)
    root_of_r = jnp.sqrt(r)
    eta = jnp.where(above, root, -root) * (math.sqrt(2) * root_of_r)
    inside = jnp.clip(eta, tables.TRANSITION.start, tables.TRANSITION.end)
    correction = tables.TRANSITION(inside, r) * (root_of_r / _ROOT)
    both = 0.5 * erfcx_right(root) + jnp.where(above, correction, -correction)
    return jnp.exp(-half_deviance) * both


def regularised(a: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """P(a, x) and Q(a, x) wherever SciPy has them, and its values at the ends."""
    valid = (a >= 0) & (x >= 0) & ~((a == 0) & (x == 0)) & ~((a == jnp.inf) & (x == jnp.inf))
    inside = valid & (a > 0) & (x > 0) & (a < jnp.inf) & (x < jnp.inf)
    p, q, _ = gamma_tails(jnp.where(inside, a, 1.0), jnp.where(inside, x, 1.0))
    if is_single(a):  # what has underflowed may have been multiplied by what lacks a digit
        p, q = jnp.abs(p), jnp.abs(q)
    none, every = (x == 0) | (a == jnp.inf), (a == 0) | (x == jnp.inf)

    def with_ends(value: jax.Array, at_none: float) -> jax.Array:
        ends = jnp.where(none, at_none, 1 - at_none)
        return jnp.where(inside, value, jnp.where(valid & (none | every), ends, jnp.nan))

    return with_ends(p, 0.0), with_ends(q, 1.0)


ULPS = 6
"""The error of both, and of all that they give."""


@device_kernel(ULPS, conditioned=True, single=6)
def gammainc(a: jax.Array, x: jax.Array) -> Any:
    """P(a, x)."""
    return regularised(a, x)[0]


@device_kernel(ULPS, conditioned=True, single=8)
def gammaincc(a: jax.Array, x: jax.Array) -> Any:
    """Q(a, x)."""
    return regularised(a, x)[1]
