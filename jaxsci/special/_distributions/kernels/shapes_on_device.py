"""Inverses of distribution functions in their shapes, in JAX operations.

An incomplete gamma function falls in its shape, and so does an incomplete beta function in its
first one, while it grows in the second. The logarithm of the smaller tail is to be that of the
probability.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._distributions.kernels.beta_on_device import f_tails, student_tail
from jaxsci.special._distributions.kernels.normal_on_device import ndtr
from jaxsci.special._distributions.kernels.shape_guesses import (
    Guess,
    of_beta,
    of_binomial,
    of_gamma,
    of_second_of_f,
    of_student,
)
from jaxsci.special._incomplete.kernels.beta_on_device import beta_tails
from jaxsci.special._incomplete.kernels.gamma_on_device import gamma_tails
from jaxsci.special._numerics.bracketed_root import increasing_root
from jaxsci.special._numerics.by_precision import by_precision
from jaxsci.special._numerics.vectorised import log

_ULPS = 20
_RANGE = (1e-300, 1e306), (1e-37, 1e37)
"""NaN for shapes beyond."""


def _root(off: Callable[..., jax.Array], guess: Guess, *parameters: jax.Array) -> jax.Array:
    """The shape, of parameters of one kind, which is near the guess as a rule."""
    least, largest = by_precision(parameters[0], *_RANGE)
    low, high = (jnp.full_like(parameters[0], end) for end in (least, largest))
    found = increasing_root(off, low, high, parameters, *guess)
    return jnp.where((found > 2 * least) & (found < largest / 2), found, jnp.nan)


# -- incomplete gamma functions --------------------------------------------------------------------


def _gamma_shape(p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
    """The a > 0 with P(a, x) = p = 1 - q, for 0 < p < 1 and 0 < x < inf."""

    def off(a: jax.Array, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
        lower, upper, _ = gamma_tails(a, x)
        return jnp.where(p < q, -log(lower / p), log(upper / q))

    return _root(off, of_gamma(p, q, x), p, q, x)


def _of_gamma(p: jax.Array, q: jax.Array, x: jax.Array, defined: jax.Array) -> jax.Array:
    """That shape, infinite for p = 0 and 0 for q = 0; NaN elsewhere."""
    p, q, x = jnp.broadcast_arrays(p, q, x)
    inside = defined & (p > 0) & (q > 0) & (x > 0) & (x < jnp.inf)
    found = _gamma_shape(*(jnp.where(inside, z, 0.5) for z in (p, q, x)))
    end = jnp.where(p == 0, jnp.inf, jnp.where(q == 0, 0.0, jnp.nan))
    return jnp.where(inside, found, jnp.where(defined, end, jnp.nan))


@device_kernel(_ULPS, conditioned=True)
def chdtriv(p: jax.Array, x: jax.Array) -> jax.Array:
    """Twice the shape at x/2."""
    return 2 * _of_gamma(p, 1 - p, x / 2, x > 0)


@device_kernel(_ULPS, conditioned=True)
def gdtrib(a: jax.Array, p: jax.Array, x: jax.Array) -> jax.Array:
    """The shape at a x."""
    finite = (a < jnp.inf) & (x < jnp.inf)
    value = _of_gamma(p, 1 - p, a * x, (a > 0) & (x > 0) & finite)
    return jnp.where((x == 0) & (a > 0) & finite & (p > 0) & (p <= 1), 0.0, value)


@device_kernel(_ULPS, conditioned=True)
def pdtrik(p: jax.Array, m: jax.Array) -> jax.Array:
    """The shape at m less 1, of the other tail; 0 where that is negative."""
    value = _of_gamma(1 - p, p, m, (m > 0) & (p < 1)) - 1
    none = (value < 0) | (m == 0) & (p >= 0) & (p < 1)
    return jnp.where(none, 0.0, value)


# -- incomplete beta functions ---------------------------------------------------------------------


def _first_shape(
    p: jax.Array, q: jax.Array, b: jax.Array, x: jax.Array, rest: jax.Array
) -> jax.Array:
    """The a > 0 with I_x(a, b) = p = 1 - q, of rest = 1 - x, for 0 < p < 1 and 0 < x < 1.

    The second shape of I_x(a, b) = 1 - I_rest(b, a) is the first one of the other (DLMF 8.17.4).
    """

    def off(
        a: jax.Array, p: jax.Array, q: jax.Array, b: jax.Array, x: jax.Array, rest: jax.Array
    ) -> jax.Array:
        lower, upper, _, _ = beta_tails(a, b, x, rest)
        return jnp.where(p < q, -log(lower / p), log(upper / q))

    return _root(off, of_beta(p, q, b, x, rest), p, q, b, x, rest)


def _of_beta(
    p: jax.Array, q: jax.Array, b: jax.Array, x: jax.Array, rest: jax.Array, defined: jax.Array
) -> jax.Array:
    """That shape, infinite for p = 0 and 0 for q = 0; NaN elsewhere."""
    p, q, b, x, rest = jnp.broadcast_arrays(p, q, b, x, rest)
    defined = defined & (b > 0) & (b < jnp.inf) & (x >= 0) & (rest >= 0)
    inside = defined & (p > 0) & (q > 0) & (x > 0) & (rest > 0)
    found = _first_shape(*(jnp.where(inside, z, 0.5) for z in (p, q, b, x, rest)))
    end = jnp.where(p == 0, jnp.inf, jnp.where(q == 0, 0.0, jnp.nan))
    return jnp.where(inside, found, jnp.where(defined, end, jnp.nan))


@device_kernel(_ULPS, conditioned=True)
def btdtria(p: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """The first shape."""
    return _of_beta(p, 1 - p, b, x, 1 - x, (x > 0) & (x < 1))


@device_kernel(_ULPS, conditioned=True)
def btdtrib(a: jax.Array, p: jax.Array, x: jax.Array) -> jax.Array:
    """The second shape."""
    return _of_beta(1 - p, p, a, 1 - x, x, (x > 0) & (x < 1))


@device_kernel(_ULPS, conditioned=True)
def bdtrin(k: jax.Array, y: jax.Array, p: jax.Array) -> jax.Array:
    """The first shape, of k + 1 and 1 - p, and k."""
    return k + _of_beta(y, 1 - y, k + 1, 1 - p, p, k >= 0)


@device_kernel(_ULPS, conditioned=True)
def nbdtrin(k: jax.Array, y: jax.Array, p: jax.Array) -> jax.Array:
    """The first shape, of k + 1 and p."""
    return _of_beta(y, 1 - y, k + 1, p, 1 - p, (k >= 0) & (y > 0) & (y < 1))


@device_kernel(_ULPS, conditioned=True)
def nbdtrik(y: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """The second shape, of n and p, less 1; 0 where that is negative."""
    value = _of_beta(1 - y, y, n, 1 - p, p, n > 0) - 1
    # Beyond a certain success there are no failures, and without one all are.
    defined = (n > 0) & (n < jnp.inf) & (y >= 0) & (y <= 1)
    value = jnp.where(defined & (p == 0), jnp.where(y > 0, jnp.inf, 0.0), value)
    value = jnp.where(defined & (p == 1), jnp.where(y < 1, 0.0, jnp.inf), value)
    # What a rounding of the probability makes is none.
    return jnp.where(value < 2 * jnp.finfo(value.dtype).eps, 0.0, value)


@device_kernel(_ULPS, conditioned=True)
def bdtrik(y: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """The k with I_(1-p)(n - k, k + 1) = y; 0 where that is negative."""
    y, n, p = jnp.broadcast_arrays(y, n, p)
    defined = (n >= 0) & (n < jnp.inf) & (p >= 0) & (p <= 1) & (y >= 0) & (y <= 1)
    inside = defined & (n > 0) & (p > 0) & (p < 1) & (y > 0) & (y < 1)
    end = jnp.where((y == 1) | (p == 1) & (y > 0), n, 0.0)
    y, n, p = (jnp.where(inside, z, 0.5) for z in (y, n, p))
    eps = jnp.finfo(n.dtype).eps

    def off(k: jax.Array, y: jax.Array, q: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
        below, above, _, _ = beta_tails(jnp.maximum(n - k, 0.25 * eps * n), k + 1, 1 - p, p)
        return jnp.where(y < q, log(below / y), -log(above / q))

    guess = of_binomial(y, 1 - y, n, p)
    found = increasing_root(off, jnp.zeros_like(n), n, (y, 1 - y, n, p), *guess)
    # What a rounding of the probability makes, or where the probability of none is more.
    found = jnp.where(found < 2 * eps, 0.0, found)
    return jnp.where(inside, found, jnp.where(defined, end, jnp.nan))


# -- Student's t -----------------------------------------------------------------------------------


@device_kernel(40, conditioned=True)
def stdtridf(p: jax.Array, t: jax.Array) -> jax.Array:
    """The degrees of freedom; NaN unless p is between 1/2 and the normal distribution's."""
    p, t = jnp.broadcast_arrays(p, t)
    tail, size = jnp.where(t < 0, p, 1 - p), jnp.abs(t)
    most = by_precision(t, *_MOST_DEGREES)
    inside = (tail > ndtr(-size)) & (tail < 0.5) & (size > 0) & (size < jnp.inf)
    tail, size = jnp.where(inside, tail, 0.25), jnp.where(inside, size, 1.0)

    def off(df: jax.Array, tail: jax.Array, size: jax.Array) -> jax.Array:
        return -log(student_tail(df, size) / tail)

    least = by_precision(t, *_RANGE)[0]
    low, high = jnp.full_like(tail, least), jnp.full_like(tail, most)
    found = increasing_root(off, low, high, (tail, size), *of_student(tail, size))
    known = inside & (found > 2 * least) & (found < most / 2)
    return jnp.where(known, found, jnp.nan)


_MOST_DEGREES = (1e17, 1e8)
"""More make no difference to the normal distribution, or to the gamma distribution."""


# -- F ---------------------------------------------------------------------------------------------


@device_kernel(_ULPS, conditioned=True)
def fdtridfd(dfn: jax.Array, p: jax.Array, x: jax.Array) -> jax.Array:
    """The degrees of freedom; NaN unless p is below the gamma distribution's, their limit.

    For x < 1 the distribution function has a maximum, and comes down to the limit behind it.
    """
    dfn, p, x = jnp.broadcast_arrays(dfn, p, x)
    inside = (dfn > 0) & (dfn < jnp.inf) & (p > 0) & (p < 1) & (x > 0) & (x < jnp.inf)
    dfn, p, x = (jnp.where(inside, z, 0.5) for z in (dfn, p, x))
    lower, upper, _ = gamma_tails(dfn / 2, dfn / 2 * x)
    q = 1 - p
    inside = inside & jnp.where(p < q, p < lower, q > upper)
    dfn, p, x = (jnp.where(inside, z, 0.5) for z in (dfn, p, x))

    def off(dfd: jax.Array, dfn: jax.Array, p: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
        lower, upper = f_tails(dfn, dfd, x)
        return jnp.where(p < q, log(lower / p), -log(upper / q))

    least, most = by_precision(x, *_RANGE)[0], by_precision(x, *_MOST_DEGREES)
    low, high = jnp.full_like(x, least), jnp.full_like(x, most)
    guess = of_second_of_f(p, 1 - p, dfn, x)
    found = increasing_root(off, low, high, (dfn, p, 1 - p, x), *guess)
    known = inside & (found > 2 * least) & (found < most / 2)
    return jnp.where(known, found, jnp.nan)
