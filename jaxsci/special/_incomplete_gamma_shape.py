"""How the incomplete gamma functions and their inverses depend on the shape a.

P(a, x) and Q(a, x) are each a product of w = x^a exp(-x)/Gamma(a+1) and a ratio (see
`_incomplete_gamma_ratios`). Below x = exp(psi(a+1)), near the median, both factors of P fall as a
grows, above it both of Q rise, so that the derivative of one of them is a sum without cancellation,
and of full relative precision in either tail. The other's is minus that. Higher derivatives follow
by Leibniz's rule.
"""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from jaxsci._composed import native
from jaxsci._derive import closed
from jaxsci.special._densities import gamma_power
from jaxsci.special._gamma_density import gamma_density
from jaxsci.special._gamma_score import gamma_score, relative_slopes
from jaxsci.special._incomplete_gamma_ratios import (
    lower_ratio,
    lower_ratio_slopes,
    upper_ratio,
    upper_ratio_slopes,
)
from jaxsci.special._subnormal import is_positive


def _sides(a: Any, x: Any) -> tuple[Any, Any, Any]:
    """Whether x is in the lower part; and x there, and x in the upper part."""
    lower = gamma_score(a, x) < 0
    return lower, jnp.where(lower, x, 0.0), jnp.where(lower, a + 1, x)


@native()
def shape_slope(a: Any, x: Any, *, n: int = 1) -> Any:
    """(d/da)^n P(a, x), n >= 1, for a >= 0 and x >= 0, and a = x = 0 excepted; else NaN."""
    a, x = jnp.broadcast_arrays(a, x)
    positive = is_positive(x)
    ends = (x == jnp.inf) | (a == jnp.inf)
    inside = (a >= 0) & ((x >= 0) & (a > 0) | positive)
    inside = inside & ~((x == jnp.inf) & (a == jnp.inf))
    regular = inside & positive & ~ends
    a, x = jnp.where(regular, a, 1.0), jnp.where(regular, x, 1.0)
    lower, below, above = _sides(a, x)
    orders = range(n + 1)
    ratios = zip(
        lower_ratio_slopes(a, below, orders), upper_ratio_slopes(a, above, orders), strict=True
    )
    slopes = relative_slopes(a, x, n)
    total: Any = 0.0
    for j, (of_lower, of_upper) in enumerate(ratios):
        total = total + math.comb(n, j) * slopes[n - j] * jnp.where(lower, of_lower, -of_upper)
    value = gamma_power(a + 1, x, 0) * total
    return jnp.where(regular, value, jnp.where(inside, 0.0, jnp.nan))


shape_slope.partials(
    a=closed("one derivative more", lambda y, a, x, *, n=1: shape_slope(a, x, n=n + 1)),
    x=closed("DLMF 8.8.13", lambda y, a, x, *, n=1: gamma_density(a, x, by_shape=n)),
)


@native()
def reciprocal_shape_slope(a: Any, x: Any) -> Any:
    """1/(dP/da)."""
    return 1 / shape_slope(a, x)


# Squares of small numbers would underflow.
reciprocal_shape_slope.partials(
    a=closed("chain rule", lambda y, a, x: -y * (y * shape_slope(a, x, n=2))),
    x=closed("chain rule", lambda y, a, x: -y * (y * gamma_density(a, x, by_shape=1))),
)


def quantile_slope(a: Any, x: Any) -> Any:
    """dx/da along P(a, x) = constant, which is -P_a/P_x; NaN where x is subnormal.

    The second derivative along the curve is of the order z/a^(3/2) at x = a + z sqrt(a), which an
    error of x in its last digit changes by 1e-16/a.
    """
    regular = (x > 0) & (a > 0) & (a < jnp.inf) & (x < jnp.inf)
    shape, t = jnp.where(regular, a, 1.0), jnp.where(regular, x, 1.0)
    lower, below, above = _sides(shape, t)
    score = gamma_score(shape, t)
    # P_x = a w/x.
    from_lower = score * lower_ratio(shape, below) + lower_ratio(shape, below, i=1)
    from_upper = score * upper_ratio(shape, above) + upper_ratio(shape, above, i=1)
    slope = t / shape * jnp.where(lower, -from_lower, from_upper)
    vanishing = (x >= 0) & ~is_positive(x) & (a > 0)
    return jnp.where(regular, slope, jnp.where(vanishing, 0.0, jnp.nan))
