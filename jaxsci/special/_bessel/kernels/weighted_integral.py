"""The integral of t^lmb J_nu(2 a t) over t from 0 to 1, differentiable in both parameters.

With x = 2a it is (DLMF 10.22.10), r_k = (nu - lmb + 1 + 2k)/(nu + lmb + 3 + 2k),

    2/(x (nu + lmb + 1)) times the sum of r_0 ... r_(k-1) (nu + 2k + 1) J_(nu+2k+1)(x) over k >= 0,

a sum that cancels nowhere. The Bessel functions come down a recurrence from high orders, but for a
factor that follows from (x/2)^mu (DLMF 10.23.15); for nu < -1/2 mu is the first of nu + 1, nu + 2,
... above -1/2. The sums run along, from their ends (Horner's scheme). JAX differentiates these
operations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.few import formula_of_few
from jaxsci.special._numerics.gamma_factors import reciprocal_gamma
from jaxsci.special._numerics.nth_derivative import mixed_derivative

LARGEST, LOWEST_ORDER = 2000.0, -10.0
"""Of a, and of nu: farther on values are NaN."""
_SMALLEST = 1e-9
"""Below this a the value over a^nu is constant."""
_BIG = 2.0**60
_HOPELESS = 5.0
"""From this a on SciPy's series has no digits at some points."""


def _integral(a: jax.Array, lmb: jax.Array, nu: jax.Array) -> jax.Array:
    """It for a > 0."""
    least = jnp.maximum(a, _SMALLEST)
    x = 2 * least
    shift = jax.lax.stop_gradient(jnp.maximum(0.0, jnp.ceil(-nu - 0.5)))
    mu = nu + shift

    def down(state: PyTree) -> PyTree:
        n, above, here, total, norm = state  # `here` is J of order nu + n, but for a factor
        k, j = (n - 1) / 2, jnp.maximum((n - shift) / 2, -0.5)
        ratio = ((nu - lmb + 1) / 2 + k) / ((nu + lmb + 3) / 2 + k)
        total = jnp.where(n % 2 == 1, (nu + n) * here + ratio * total, total)
        further = jnp.where(
            j > 0,
            (mu + 2 * j) * here + (mu + j) / (j + 1) * norm,
            jnp.where(j < 0, norm, here + norm),
        )
        norm = jnp.where((n - shift) % 2 == 0, further, norm)
        below = 2 * (nu + n) / x * here - above
        by = jnp.where(jax.lax.stop_gradient(jnp.abs(below)) > _BIG, 1 / _BIG, 1.0)
        return n - 1, here * by, below * by, total * by, norm * by

    zero, one = jnp.zeros_like(x), jnp.ones_like(x)
    top = jax.lax.stop_gradient(jnp.ceil(jnp.max(x + 12 * jnp.cbrt(x) + 40 + shift, initial=0.0)))
    state = (top, zero, one, zero, zero)
    _, _, _, total, norm = jax.lax.while_loop(lambda state: state[0] >= 0, down, state)
    size = jax.lax.stop_gradient(jnp.abs(norm))
    factor, logarithm = reciprocal_gamma(mu + 1)
    power = logarithm + mu * jnp.log(least) + nu * jnp.log(a / least)
    return 2 / (x * (nu + lmb + 1)) * ((total / size) / (norm / size)) * factor * jnp.exp(power)


def _at_zero(lmb: jax.Array, nu: jax.Array, i: int, j: int) -> jax.Array:
    """For a = 0: a jump at nu = 0, where there is no derivative in it."""
    value = (-1) ** i * math.factorial(i) / (lmb + 1) ** (i + 1)
    return jnp.where(nu > 0, 0.0, jnp.where((nu == 0) & (j == 0), value, jnp.nan))


@tower("DLMF 10.22.10", lmb="i", nu="j")
def weighted_integral(a: jax.Array, lmb: jax.Array, nu: jax.Array, *, i: int, j: int) -> jax.Array:
    """A derivative of the integral in lmb (i times) and in nu (j times)."""
    a, lmb, nu = jnp.broadcast_arrays(a, lmb, nu)
    known = (a > 0) & (a <= LARGEST) & (nu >= LOWEST_ORDER)
    at = (jnp.where(known, x, 1.0) for x in (lmb, nu))
    size = jnp.where(known, a, 1.0)
    inside = mixed_derivative(lambda lmb, nu: _integral(size, lmb, nu), tuple(at), (i, j))
    return jnp.where(known, inside, jnp.where(a == 0, _at_zero(lmb, nu, i, j), jnp.nan))


weighted_integral.partials(
    a=closed(
        "differentiated under the integral, DLMF 10.6.1",
        lambda y, a, lmb, nu, *, i, j: (
            weighted_integral(a, lmb + 1, nu - 1, i=i, j=j)
            - weighted_integral(a, lmb + 1, nu + 1, i=i, j=j)
        ),
    )
)


def _mirrored(nu: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The order -nu in place of a negative integer, and the sign that it makes (DLMF 10.4.1)."""
    negative = (nu < 0) & (nu == jnp.round(nu))
    return jnp.where(negative, -nu, nu), jnp.where(negative & (nu % 2 == 1), -1.0, 1.0)


def _cancels(ys: Sequence[jax.Array], a: jax.Array, lmb: jax.Array, nu: jax.Array) -> jax.Array:
    order, _ = _mirrored(nu)
    served = (order >= LOWEST_ORDER) | (a > _HOPELESS)
    return (a > 3) & (a <= LARGEST) & served & (lmb + order > -1)


def _without_cancellation(a: jax.Array, lmb: jax.Array, nu: jax.Array) -> tuple[jax.Array]:
    order, sign = _mirrored(nu)
    served = order >= LOWEST_ORDER
    value = sign * _integral(a, lmb, jnp.where(served, order, 1.0))
    return (jnp.where(served, value, jnp.nan),)


CANCELLING = Repair(
    f"3 < a <= {LARGEST:g} and lmb + nu > -1 (lmb + |nu| > -1 for an integer nu); NaN for a > "
    f"{_HOPELESS:g} and a nu < {LOWEST_ORDER:g} that is no integer",
    _cancels,
    formula_of_few(_cancels, _without_cancellation, results=1),
    results=(0,),
    costly=True,
)
