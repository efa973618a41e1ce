"""How the beta density depends on its shapes: derivatives of its logarithm.

With l = (a-1) ln x + (b-1) ln q - ln B(a, b), where q = 1 - x, DLMF 5.12.1 and 5.2.2 give

    dl/da = ln x + psi(a+b) - psi(a),    dl/db = ln q + psi(a+b) - psi(b),

and all further derivatives are polygamma functions of the shapes alone. Differences of psi are
taken without cancellation, for a shape may be large beside the other one.

Towards small shapes those grow as 1/a and 1/a^2, and cancel in second derivatives. There
1/B(a, b) is written as a b/(a + b) times a function without poles (DLMF 5.5.1), whose scores are
those of shapes that are larger by 1, and the quotient is differentiated by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._gamma.kernels.polygamma import polygamma_function
from jaxsci.special._gamma.kernels.polygamma_difference import difference_of_positive
from jaxsci.special._numerics.bell_polynomials import Orders, all_of_exponential, orders_up_to
from jaxsci.special._numerics.falling_factorial import falling_derivatives

_LEAST = 2.3e-308


def log_beside(x: jax.Array, rest: jax.Array) -> jax.Array:
    """Log x, where x + rest = 1 and the smaller one of both has the digits."""
    # XLA computes log1p to 2e-14 only near -0.4.
    near = rest < 0.25
    return jnp.where(near, jnp.log1p(-jnp.where(near, rest, 0.0)), jnp.log(jnp.where(near, 1.0, x)))


@dataclass(frozen=True)
class Scores:
    """Derivatives of the density's logarithm, those of a b/(a + b) apart where a shape is small."""

    logarithms: dict[Orders, Any]
    """(d/da)^i (d/db)^j of the logarithm of the rest by (i, j)."""
    quotient: dict[Orders, Any]
    """(d/da)^i (d/db)^j a b/(a + b) by (i, j), divided by a b/(a + b); 0 for large shapes."""

    def moved(self, to_x: Any, to_q: Any) -> Scores:
        """The scores where ln x and ln q are larger by so much."""
        by = {(1, 0): to_x, (0, 1): to_q}
        return Scores({k: v + by.get(k, 0.0) for k, v in self.logarithms.items()}, self.quotient)

    def first(self, orders: Orders) -> Any:
        """The derivative in one of the shapes, of order (1, 0) or (0, 1)."""
        return self.logarithms[orders] + self.quotient[orders]

    def of_density(self, m: int, n: int) -> Any:
        """(d/da)^m (d/db)^n of the density, divided by it."""
        rest = all_of_exponential(self.logarithms, m, n)
        return rest[m, n] + sum(
            math.comb(m, i) * math.comb(n, j) * self.quotient[i, j] * rest[m - i, n - j]
            for i, j in orders_up_to(m, n)
        )


_SMALL = 1.0


def scores(a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, m: int, n: int) -> Scores:
    """The scores for derivatives up to the orders m in a and n in b; q is 1 - x."""
    small = jnp.minimum(a, b) < _SMALL
    shift = jnp.where(small, 1.0, 0.0)
    total = a + b

    def one(i: int, j: int) -> jax.Array:
        if i and j:
            return polygamma_function(total + shift, n=i + j - 1)
        shape, other, here, rest = (a, b, x, q) if i else (b, a, q, x)
        growth = difference_of_positive(shape + shift, other, i + j - 1)
        return growth + log_beside(here, rest) if i + j == 1 else growth

    def of_quotient(i: int, j: int) -> Any:
        if i + j == 1:
            return (b / a if i else a / b) / total
        factor = (-1) ** (i + j) * math.factorial(i + j - 2)
        squares = j * (j - 1) * (a / b) + i * (i - 1) * (b / a)
        return factor * (2 * i * j - squares) / total ** (i + j)

    orders = orders_up_to(m, n)
    return Scores(
        {o: one(*o) for o in orders},
        {o: jnp.where(small, of_quotient(*o), 0.0) for o in orders},
    )


def density_factor(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, orders: Orders, i: int, j: int
) -> int:
    """What differentiation makes of x^(a-1-i) q^(b-1-j)/B(a, b): the factor that it gets.

    Once by x to the order i and by q to the order j, then by a and b. Where x or q is 0 their
    logarithms are the least that a double has.
    """
    m, n = orders
    x, q = (jnp.maximum(z, _LEAST) for z in (x, q))
    known = scores(a, b, x, q, m, n)
    of_a, of_b = falling_derivatives(a - 1, i, m), falling_derivatives(b - 1, j, n)
    return sum(
        math.comb(m, r) * math.comb(n, s) * of_a[m - r] * of_b[n - s] * known.of_density(r, s)
        for r in range(m + 1)
        for s in range(n + 1)
    )
