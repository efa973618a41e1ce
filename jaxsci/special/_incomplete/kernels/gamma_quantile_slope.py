"""How a quantile x of the gamma distribution depends on the shape a: dx/da, to all orders.

It is M = -P_a/P_x, a ratio of integrals over either side of x, in which the density at x drops
out. Along the curve P = constant the derivatives of M in a and in x nearly cancel if a is large: M
is about (1 + x/a)/2, and what is left is of the order a^(-3/2). There M is taken as x/a + D, where
D is the integral of

    (q - f/a) x exp(-f), q = log x - psi(a) + 1 - x/a,

over v, with f = x (e^v - 1) - a v, as in `_incomplete/kernels/gamma_ratio.py`. No term of it, or of
its derivatives, is larger than the whole: an error of x in its last digit does as much as all
others.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native, tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._gamma.kernels.polygamma import polygamma_function
from jaxsci.special._incomplete.kernels.densities import deviance
from jaxsci.special._incomplete.kernels.gamma_ratio import LARGE, gamma_ratios, is_below, moments
from jaxsci.special._incomplete.kernels.gamma_score import gamma_score, log_less_psi
from jaxsci.special._numerics.subnormal import SMALLEST_NORMAL, logarithm

Table = dict[tuple[int, int], Any]
"""The derivatives of a function: (i, m) stands for (d/da)^i (d/dx)^m. What is missing is zero."""
_LOG_OF_NOTHING = -1e4


@tower("Leibniz's rule", a="i", x="m")
def quantile_slope(a: jax.Array, x: jax.Array, *, i: int = 0, m: int = 0) -> jax.Array:
    """(d/da)^i (d/dx)^m of M, which is dx/da along P(a, x) = constant.

    Where x is zero or subnormal the derivatives are NaN, and M alone is known.
    """
    a, x = jnp.broadcast_arrays(a, x)
    # Whether a subnormal number is more than zero depends on the compiler.
    regular = (x >= SMALLEST_NORMAL) & (a > 0) & (a < jnp.inf) & (x < jnp.inf)
    shape, t = jnp.where(regular, a, 1.0), jnp.where(regular, x, 1.0)
    large = shape >= LARGE
    of_large = _of_large(jnp.where(large, shape, LARGE), jnp.where(large, t, LARGE), i, m)
    of_small = _of_small(jnp.where(large, 1.0, shape), jnp.where(large, 1.0, t), i, m)
    return jnp.where(regular, jnp.where(large, of_large, of_small), _at_ends(a, x, i + m))


@native()
def reciprocal_quantile_slope(a: jax.Array, x: jax.Array) -> jax.Array:
    """da/dx along P(a, x) = constant."""
    return 1 / quantile_slope(a, x)


# Squares of small numbers would underflow.
reciprocal_quantile_slope.partials(
    a=closed("chain rule", lambda y, a, x: -y * (y * quantile_slope(a, x, i=1))),
    x=closed("chain rule", lambda y, a, x: -y * (y * quantile_slope(a, x, m=1))),
)


def _at_ends(a: jax.Array, x: jax.Array, order: int) -> jax.Array | float:
    if order:
        return jnp.nan
    inside = (a > 0) & (a < jnp.inf)
    shape = jnp.where(inside, a, 1.0)
    # P is x^a/Gamma(a+1). A minimum of x and another number would flush it to zero.
    log_x = jnp.maximum(logarithm(jnp.where(x > 0.5, 0.25, x)), _LOG_OF_NOTHING)
    of_zero = jnp.exp(log_x + jnp.log(-(gamma_score(shape, 1.0) + log_x) / shape))
    no_shape = jnp.where((a == 0) & (x > 0) & (x < jnp.inf), jnp.inf, jnp.nan)
    return jnp.where(inside & (x >= 0) & (x < 1), of_zero, no_shape)


def _of_small(a: jax.Array, x: jax.Array, i: int, m: int) -> jax.Array:
    ratios = gamma_ratios(a, x, [(p, r) for p in range(i + 2) for r in range(m + 1)])
    score = {(0, r): _of_logarithm(x, r) for r in range(1, m + 1)}
    score |= {(p, 0): -polygamma_function(a + 1, n=p) for p in range(1, i + 1)}
    score[0, 0] = gamma_score(a, x)
    relative = _product(score, ratios, i, m)
    # The slope of w R over w, where P_x = a w/x.
    slope = {(p, r): value + ratios[p + 1, r] for (p, r), value in relative.items()}
    return -_product(_times_x(_reciprocal(a, i), x), slope, i, m)[i, m]


def _of_large(a: jax.Array, x: jax.Array, i: int, m: int) -> jax.Array:
    orders = [(p, r) for p in range(i + 1) for r in range(m + 1)]
    of = moments(a, x, is_below(a, x), [(p, r, k) for p, r in orders for k in (0, 1)])
    plain = {(p, r): of[p, r, 0] for p, r in orders}
    # f brings down what exp(-f) does, with the other sign.
    with_f = {(p, r): of[p, r, 1] - (p + r) * of[p, r, 0] for p, r in orders}
    reciprocal = _reciprocal(a, i)
    first, second = _product(_balance(a, x, i, m), plain, i, m), _product(reciprocal, with_f, i, m)
    excess = {order: reciprocal.get(order, 0.0) + first[order] - second[order] for order in orders}
    return _product(_times_x({(0, 0): 1.0}, x), excess, i, m)[i, m]


def _balance(a: jax.Array, x: jax.Array, i: int, m: int) -> Table:
    """Of q for large a: its mean over the gamma distribution is zero."""
    out: Table = {(0, 0): log_less_psi(a) - deviance(a, x) / a}
    for p in range(1, i + 1):
        of_deviance = _factorial(p - 1) * (a - p * x) / a ** (p + 1)
        out[p, 0] = log_less_psi(a, p) - of_deviance
        out[p, 1] = _factorial(p + 1) / (p + 1) / a ** (p + 1)
    out[0, 1] = (a - x) / (a * x)
    return out | {(0, r): _of_logarithm(x, r) for r in range(2, m + 1)}


def _factorial(n: int) -> int:
    return (-1) ** n * math.factorial(n)


def _of_logarithm(x: jax.Array, r: int) -> jax.Array:
    """(d/dx)^r of log x for r > 0."""
    return _factorial(r - 1) / x**r


def _reciprocal(a: jax.Array, i: int) -> Table:
    """Of 1/a."""
    return {(p, 0): _factorial(p) / a ** (p + 1) for p in range(i + 1)}


def _times_x(table: Table, x: jax.Array) -> Table:
    """Of a function of a alone, times x."""
    return {(p, r): value * (1.0 if r else x) for (p, _), value in table.items() for r in (0, 1)}


def _product(f: Table, g: Table, i: int, m: int) -> Table:
    """By Leibniz's rule, up to the orders i and m."""
    return {
        (p, r): sum(
            math.comb(p, j) * math.comb(r, k) * f[j, k] * g[p - j, r - k]
            for j in range(p + 1)
            for k in range(r + 1)
            if (j, k) in f and (p - j, r - k) in g
        )
        for p in range(i + 1)
        for r in range(m + 1)
    }
