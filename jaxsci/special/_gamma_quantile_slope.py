"""How a quantile x of the gamma distribution depends on the shape a: dx/da, to all orders.

It is M = -P_a/P_x, a ratio of integrals over either side of x, in which the density at x drops
out. Along the curve P = constant the derivatives of M in a and in x nearly cancel if a is large: M
is about (1 + x/a)/2, and what is left is of the order a^(-3/2). There M is taken as x/a + D, where
D is the integral of

    (q - f/a) x exp(-f), q = log x - psi(a) + 1 - x/a,

over v, with f = x (e^v - 1) - a v, as in `_incomplete_gamma_ratio`. No term of it, or of its
derivatives, is larger than the whole: an error of x in its last digit does as much as all others.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from jaxsci._composed import native
from jaxsci._derive import closed
from jaxsci.special._densities import deviance
from jaxsci.special._gamma_score import gamma_score, log_less_psi
from jaxsci.special._incomplete_gamma_ratio import LARGE, gamma_ratio, is_below, moments
from jaxsci.special._subnormal import is_positive


def quantile_slope(a: Any, x: Any) -> Any:
    """dx/da along P(a, x) = constant; NaN where x is subnormal."""
    regular = (x > 0) & (a > 0) & (a < jnp.inf) & (x < jnp.inf)
    shape, t = jnp.where(regular, a, 1.0), jnp.where(regular, x, 1.0)
    large = shape >= LARGE
    of_large = _of_large(jnp.where(large, shape, LARGE), jnp.where(large, t, LARGE))
    of_small = _of_small(jnp.where(large, 1.0, shape), jnp.where(large, 1.0, t))
    vanishing = (x >= 0) & ~is_positive(x) & (a > 0)
    slope = jnp.where(large, of_large, of_small)
    return jnp.where(regular, slope, jnp.where(vanishing, 0.0, jnp.nan))


def _of_small(a: Any, x: Any) -> Any:
    # P_x = a w/x.
    return -x / a * (gamma_score(a, x) * gamma_ratio(a, x) + gamma_ratio(a, x, i=1))


def _of_large(a: Any, x: Any) -> Any:
    return x * (1 / a + _balance(a, x) * _moment(a, x) - _moment(a, x, k=1) / a)


@native()
def _balance(a: Any, x: Any) -> Any:
    """Log x - psi(a) + 1 - x/a for large a: its mean over the gamma distribution is zero."""
    return log_less_psi(a) - deviance(a, x) / a


_balance.partials(
    a=closed("DLMF 5.15.1", lambda y, a, x: log_less_psi(a, 1) - (a - x) / a**2),
    x=closed("DLMF 4.7.1", lambda y, a, x: (a - x) / (a * x)),
)


@native()
def _moment(a: Any, x: Any, *, i: int = 0, m: int = 0, k: int = 0) -> Any:
    """The integral of v^i (1 - e^v)^m f^k exp(-f), for k = 0 or 1."""
    a, x = jnp.broadcast_arrays(a, x)
    return moments(a, x, is_below(a, x), [(i, m, k)])[i, m, k]


def _along(index: str) -> Any:
    def derivative(y: Any, a: Any, x: Any, **static: int) -> Any:
        stepped = static | {index: static.get(index, 0) + 1}
        out = _moment(a, x, **stepped)
        # f brings down the same factor as exp(-f), with the other sign.
        return out - _moment(a, x, **(stepped | {"k": 0})) if static.get("k", 0) else out

    return derivative


_moment.partials(
    a=closed("one factor more under the integral", _along("i")),
    x=closed("one factor more under the integral", _along("m")),
)
