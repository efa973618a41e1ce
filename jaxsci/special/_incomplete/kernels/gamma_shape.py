"""How the incomplete gamma functions depend on the shape a.

P and -Q are each a product of w = x^a exp(-x)/Gamma(a+1) and a ratio (see
`_incomplete/kernels/gamma_ratio.py`). Below x = exp(psi(a+1)) both factors of P fall as a grows,
above it both of Q rise, so that the derivative is a sum without cancellation, and of full relative
precision in either tail. Higher derivatives follow by Leibniz's rule.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._incomplete.kernels.densities import gamma_power
from jaxsci.special._incomplete.kernels.gamma_density import gamma_density
from jaxsci.special._incomplete.kernels.gamma_ratio import gamma_ratios
from jaxsci.special._incomplete.kernels.gamma_score import relative_slopes
from jaxsci.special._numerics.subnormal import is_positive


@tower("one derivative more", a="n")
def shape_slope(a: jax.Array, x: jax.Array, *, n: int = 1) -> jax.Array:
    """(d/da)^n P(a, x), n >= 1, for a >= 0 and x >= 0, and a = x = 0 excepted; else NaN."""
    a, x = jnp.broadcast_arrays(a, x)
    positive = is_positive(x)
    ends = (x == jnp.inf) | (a == jnp.inf)
    inside = (a >= 0) & ((x >= 0) & (a > 0) | positive)
    inside = inside & ~((x == jnp.inf) & (a == jnp.inf))
    regular = inside & positive & ~ends
    a, x = jnp.where(regular, a, 1.0), jnp.where(regular, x, 1.0)
    ratios = gamma_ratios(a, x, [(i, 0) for i in range(n + 1)])
    slopes = relative_slopes(a, x, n)
    total: PyTree = 0.0
    for i in range(n + 1):
        total = total + math.comb(n, i) * slopes[n - i] * ratios[i, 0]
    value = gamma_power(a + 1, x, 0) * total
    # P falls, so its reciprocal slope is -inf there.
    return jnp.where(regular, value, jnp.where(inside, (-1.0) ** n * 0.0, jnp.nan))


shape_slope.partials(
    x=closed("DLMF 8.8.13", lambda y, a, x, *, n=1: gamma_density(a, x, by_shape=n))
)


@native()
def reciprocal_shape_slope(a: jax.Array, x: jax.Array) -> jax.Array:
    """1/(dP/da)."""
    return 1 / shape_slope(a, x)


# Squares of small numbers would underflow.
reciprocal_shape_slope.partials(
    a=closed("chain rule", lambda y, a, x: -y * (y * shape_slope(a, x, n=2))),
    x=closed("chain rule", lambda y, a, x: -y * (y * gamma_density(a, x, by_shape=1))),
)
