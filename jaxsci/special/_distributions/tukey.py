"""Tukey's lambda distribution, which is known by its quantile function."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._distributions.kernels.box_cox_integrals import power_moment
from jaxsci.special._numerics.few import formula_of_few

_SOURCE = "Joiner and Rosenblatt (1971), J. Am. Stat. Assoc. 66, 394"
_IMPLICIT = "implicit function theorem"


def _quantile_by_power(x: jax.Array, s: jax.Array, lmbda: jax.Array) -> jax.Array:
    """The quantile's derivative in lambda, at x <= 0: both terms are positive."""
    other = _log_other(s)
    return other * x + jnp.exp(lmbda * other) * power_moment(s, lmbda, n=1)


def _parts(x: jax.Array, lmbda: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """-|x|, its log-odds, and a factor: 1, at the ends of the support 1/2, outside 0."""
    end = jnp.where(lmbda > 0, 1 / jnp.where(lmbda > 0, lmbda, 1.0), jnp.inf)
    inside = jnp.abs(x) < end
    factor = jnp.where(inside, 1.0, jnp.where(jnp.abs(x) == end, 0.5, 0.0))
    factor = jnp.where(jnp.isnan(x) | jnp.isnan(lmbda), jnp.nan, factor)
    lower = -jnp.abs(jnp.where(inside, x, 0.0))
    return lower, _log_odds(lower, lmbda), factor


def _at_end(lmbda: jax.Array) -> jax.Array:
    """The density where the support ends."""
    return jnp.where(lmbda > 1, 1.0, jnp.where(lmbda == 1, 0.5, 0.0))


def _of_x(y: jax.Array, x: jax.Array, lmbda: jax.Array) -> jax.Array:
    _, s, factor = _parts(x, lmbda)
    inner = jnp.where(factor == 1, _density(s, lmbda), _at_end(lmbda))
    return jnp.where(jnp.isinf(x), 0.0, factor * inner)


def _of_lambda(y: jax.Array, x: jax.Array, lmbda: jax.Array) -> jax.Array:
    lower, s, factor = _parts(x, lmbda)
    rate = jnp.where(lmbda > 0, lmbda, 1.0)
    inner = -_quantile_by_power(lower, s, lmbda) * _density(s, lmbda)
    inner = jnp.where(factor == 1, inner, -_at_end(lmbda) / rate**2)
    return jnp.where(jnp.isinf(x), 0.0, -jnp.sign(x) * factor * inner)


_SMALL_SHAPE, _SMALL_VALUE = 1e-3, 1e-3


def _is_lost(ys: Sequence[jax.Array], x: jax.Array, lmbda: jax.Array) -> jax.Array:
    """Where SciPy's bisection stops too early for the value, or its quantile cancels."""
    size = jnp.abs(lmbda)
    lost = (size > 0) & (size < _SMALL_SHAPE) & (x != 0) | (ys[0] < _SMALL_VALUE)
    return lost & (lmbda * jnp.abs(x) < 1) & (jnp.abs(x) < jnp.inf) & (size < jnp.inf)


def _by_log_odds(x: Array, lmbda: Array) -> tuple[Array]:
    s = -_log_odds(-jnp.abs(x), lmbda) * jnp.sign(x)
    rising = jnp.exp(-jnp.abs(s))
    return (jnp.where(s < 0, rising, 1.0) / (1 + rising),)


_LOST = Repair(
    f"0 < |lmbda| < {_SMALL_SHAPE:g}, or the value is below {_SMALL_VALUE:g} but not 0",
    _is_lost,
    formula_of_few(_is_lost, _by_log_odds),
    costly=True,
)


@elementwise(
    source=_SOURCE,
    samples=Samples(
        "tukey_cdf(x, lmbda)",
        (Reals(-0.9, 0.9), Reals(-3, 1.1)),
        awkward=(
            *((x, p) for x in (-0.4, 0.3) for p in (0.0, 1e-5, -1e-9, 1e-3, 0.14, 1.0, 2.0, -0.5)),
            (0.0, 0.5),
            (0.0, 0.0),
            (-1e-9, 2.5),
            (-5.0, 1e-6),
            (-9.0, 0.1),
            (4.0, 0.2),
            (-100.0, -0.7),
            (1e4, -2.0),
            (0.05, 15.0),
            (-1.99, 0.5),
        ),
    ),
    repair=_LOST,
    note="The derivatives are those of the exact function. At the ends of the support, where the "
    "density may jump to 0, they are the mean of both sides.",
)
def tklmbda(x: Real, lmbda: Real) -> Array:
    """Distribution function of Tukey's lambda distribution, with quantile (p^l - (1-p)^l)/l.

    Args:
        x: variate, any real number; the support is |x| <= 1/lmbda for lmbda > 0, and the whole line
            otherwise
        lmbda: shape, any real number; 0 is the logistic distribution, 1 the uniform one on [-1, 1]

    Example:
        >>> tklmbda(jnp.array([-1.0, 0.5]), 0.14)  # nearly normal
        Array([0.24523762, 0.6350031 ], dtype=float64)
        >>> print(f"{jax.grad(tklmbda, argnums=1)(0.5, 0.14):.6f}")  # in the shape
        0.094299
    """
    ...


@native()
def _density(s: jax.Array, lmbda: jax.Array) -> jax.Array:
    """1/(p^(lmbda-1) + q^(lmbda-1))."""
    outer = (lmbda - 1) * (np.log(2.0) + _log_cosh(s / 2))
    return jnp.exp(outer - _log_cosh((lmbda - 1) * s / 2)) / 2


rule(tklmbda, x=closed(_IMPLICIT, _of_x), lmbda=closed(_IMPLICIT, _of_lambda))

_SMALLEST = -760.0


# With s the log-odds of p, and q = 1 - p, the quantile is q^l (exp(ls) - 1)/l: no difference
# cancels at x = 0, nor, where x <= 0, in any derivative.


def _log_other(s: jax.Array) -> jax.Array:
    """The logarithm of 1 - p."""
    return -jnp.log1p(jnp.exp(s))


@native()
def _log_odds(x: jax.Array, lmbda: jax.Array) -> jax.Array:
    """The log-odds of the distribution function at x <= 0, by bisection and Newton's method.

    SciPy's values have an absolute error, which says little of small probabilities.
    """
    flat = lmbda == 0
    rate = jnp.where(flat, 1.0, lmbda)

    def quantile(s: jax.Array) -> jax.Array:
        power = jnp.where(flat, s, jnp.expm1(rate * s) / rate)
        return jnp.exp(lmbda * _log_other(s)) * power

    def halve(_: jax.Array, bounds: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        low, high = bounds
        middle = (low + high) / 2
        below = quantile(middle) < x
        return jnp.where(below, middle, low), jnp.where(below, high, middle)

    low = jnp.full(jnp.broadcast_shapes(x.shape, lmbda.shape), _SMALLEST, x.dtype)
    low, high = jax.lax.fori_loop(0, 52, halve, (low, jnp.zeros_like(low)))
    s = (low + high) / 2
    for _ in range(2):
        step = (quantile(s) - x) * _slope(s, lmbda)
        # Where the distribution ends, the slope may be infinite.
        s = s - jnp.where(jnp.abs(step) < 1e-6, step, 0.0)
    return jnp.where(x == 0, 0.0, s)


def _log_cosh(u: jax.Array) -> jax.Array:
    return jnp.abs(u) + jnp.log1p(jnp.exp(-2 * jnp.abs(u))) - np.log(2.0)


def _slope(s: jax.Array, lmbda: jax.Array) -> jax.Array:
    """ds/dx, which is the density over pq."""
    return _density(s, lmbda) * jnp.exp(2 * (np.log(2.0) + _log_cosh(s / 2)))


def _difference(s: jax.Array, lmbda: jax.Array) -> jax.Array:
    """tanh(a) - tanh(b) for a = s/2 and b = (lmbda-1) s/2, also where both are nearly 1."""
    a, b = s / 2, (lmbda - 1) * s / 2
    near = jnp.abs(s) < 1
    a_, b_ = jnp.where(near, 1.0, a), jnp.where(near, 2.0, b)
    gap = jnp.abs(a_ - b_)
    size = jnp.exp(gap - jnp.abs(a_) - jnp.abs(b_)) * -jnp.expm1(-2 * gap) * 2
    size = size / ((1 + jnp.exp(-2 * jnp.abs(a_))) * (1 + jnp.exp(-2 * jnp.abs(b_))))
    return jnp.where(near, jnp.tanh(a) - jnp.tanh(b), jnp.sign(a_ - b_) * size)


def _density_by_power(y: jax.Array, s: jax.Array, lmbda: jax.Array) -> jax.Array:
    return y * (np.log(2.0) + _log_cosh(s / 2) - s / 2 * jnp.tanh((lmbda - 1) * s / 2))


_density.partials(
    s=closed("chain rule", lambda y, s, lmbda: y * (lmbda - 1) / 2 * _difference(s, lmbda)),
    lmbda=closed("chain rule", _density_by_power),
)


_log_odds.partials(
    x=closed(_IMPLICIT, lambda s, x, lmbda: _slope(s, lmbda)),
    lmbda=closed(
        _IMPLICIT, lambda s, x, lmbda: -_quantile_by_power(x, s, lmbda) * _slope(s, lmbda)
    ),
)
