"""How x^a exp(-x)/Gamma(a+1) depends on a: its logarithm's first derivative, and all others."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._gamma.kernels.polygamma import (
    polygamma_function,
    shift,
    steps,
    tail_coefficients,
)
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.bell_polynomials import complete_bell
from jaxsci.special._numerics.subnormal import logarithm

_LARGE = float(shift(0))
"""From this shape on the asymptotic series of psi has converged."""


@native()
def gamma_score(a: jax.Array, x: jax.Array) -> jax.Array:
    """Log x - psi(a+1) for a >= 0 and x > 0: where x is near a large a, without cancellation."""
    a, x = jnp.broadcast_arrays(a, x)
    large = a >= _LARGE
    # psi(z) = psi(z + n) - 1/z - ... - 1/(z + n - 1) (DLMF 5.5.2).
    z = jnp.where(large, 0.0, a) + 1
    w = z + shift(0)
    log_x = logarithm(x)
    small_shape = (log_x - jnp.log(w)) + log_less_psi(w) + folded.total(1 / (z + steps(0, z.ndim)))
    b = jnp.where(large, a, _LARGE)
    return jnp.where(large, _log_ratio(x, b, log_x) + log_less_psi(b) - 1 / b, small_shape)


def log_less_psi(w: jax.Array, n: int = 0) -> jax.Array:
    """The n-th derivative of log w - psi(w) for w >= 10 (DLMF 5.11.2)."""
    total: PyTree = 0.0
    for power, c in reversed(tail_coefficients(0)):
        rising = math.prod(range(power, power + n))
        total = total + (-1) ** n * rising * c * (1 / w) ** (power + n)
    return total


def _log_ratio(x: jax.Array, a: jax.Array, log_x: jax.Array) -> jax.Array:
    """Log(x/a)."""
    # XLA's log1p loses digits for arguments further below zero than that.
    near = jnp.abs(x - a) < a / 4
    far = jnp.where(x < a / 2**10, log_x - jnp.log(a), jnp.log(jnp.where(x > 0, x, 1.0) / a))
    return jnp.where(near, jnp.log1p(jnp.where(near, x - a, 0.0) / a), far)


gamma_score.partials(
    a=closed("DLMF 5.15.1", lambda y, a, x: -polygamma_function(a + 1, n=1)),
    x=closed("DLMF 4.7.1", lambda y, a, x: 1 / x),
)


def relative_slopes(a: jax.Array, x: jax.Array, n: int) -> list[Any]:
    """(d/da)^j of x^a exp(-x)/Gamma(a+1), relative to it, for j = 0 ... n."""
    if n == 0:
        return [1.0]
    higher = [-polygamma_function(a + 1, n=j) for j in range(1, n)]
    return complete_bell([gamma_score(a, x), *higher])
