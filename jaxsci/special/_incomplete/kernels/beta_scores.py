"""How the beta density depends on its shapes: derivatives of its logarithm.

With l = (a-1) ln x + (b-1) ln q - ln B(a, b), where q = 1 - x, DLMF 5.12.1 and 5.2.2 give

    dl/da = ln x + psi(a+b) - psi(a),    dl/db = ln q + psi(a+b) - psi(b),

and all further derivatives are polygamma functions of the shapes alone. Differences of psi are
taken without cancellation, for a shape may be large beside the other one.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._gamma.kernels.polygamma import polygamma_function
from jaxsci.special._gamma.kernels.polygamma_difference import difference_of_positive
from jaxsci.special._numerics.bell_polynomials import Orders, of_exponential, orders_up_to
from jaxsci.special._numerics.falling_factorial import falling_derivatives

_LEAST = 2.3e-308


def log_beside(x: jax.Array, rest: jax.Array) -> jax.Array:
    """Log x, where x + rest = 1 and the smaller one of both has the digits."""
    # XLA computes log1p to 2e-14 only near -0.4.
    near = rest < 0.25
    return jnp.where(near, jnp.log1p(-jnp.where(near, rest, 0.0)), jnp.log(jnp.where(near, 1.0, x)))


def log_derivatives(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, m: int, n: int
) -> dict[Orders, Any]:
    """(d/da)^i (d/db)^j of the density's logarithm by (i, j), for i <= m and j <= n."""

    def one(i: int, j: int) -> jax.Array:
        if i and j:
            return polygamma_function(a + b, n=i + j - 1)
        shape, other, here, rest = (a, b, x, q) if i else (b, a, q, x)
        growth = difference_of_positive(shape, other, i + j - 1)
        return growth + log_beside(here, rest) if i + j == 1 else growth

    return {orders: one(*orders) for orders in orders_up_to(m, n)}


def density_factor(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, orders: Orders, i: int, j: int
) -> int:
    """What differentiation makes of x^(a-1-i) q^(b-1-j)/B(a, b): the factor that it gets.

    Once by x to the order i and by q to the order j, then by a and b. Where x or q is 0 their
    logarithms are the least that a double has.
    """
    m, n = orders
    x, q = (jnp.maximum(z, _LEAST) for z in (x, q))
    logarithms = log_derivatives(a, b, x, q, m, n)
    of_a, of_b = falling_derivatives(a - 1, i, m), falling_derivatives(b - 1, j, n)
    return sum(
        math.comb(m, r)
        * math.comb(n, s)
        * of_a[m - r]
        * of_b[n - s]
        * of_exponential(logarithms, r, s)
        for r in range(m + 1)
        for s in range(n + 1)
    )
