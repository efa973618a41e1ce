"""The incomplete beta function's derivatives in its shapes.

I_x(a, b) is the integral of the beta density over [0, x]; differentiated under the integral, the
density gets a factor that is a polynomial in the scores ln t + psi(a+b) - psi(a) and
ln(1-t) + psi(a+b) - psi(b). Its integral over [0, 1] is 0, so either tail serves. A first
derivative takes the one over which the score keeps its sign, and so cancels nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._incomplete.kernels.beta_scores import scores
from jaxsci.special._incomplete.kernels.beta_tails import tail_integral
from jaxsci.special._incomplete.kernels.densities import beta_density, beta_power, next_to_zero

_UNDER_THE_INTEGRAL = "DLMF 8.17.1, differentiated under the integral"


@tower(_UNDER_THE_INTEGRAL, a="m", b="n")
def incomplete_beta(
    a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array, *, m: int, n: int
) -> jax.Array:
    """(d/da)^m (d/db)^n I_x(a, b) for m + n >= 1, where q is 1 - x; 0 at x = 0 and x = 1.

    Those in a shape that is 0 are from above.
    """
    a, b, x, q = jnp.broadcast_arrays(a, b, x, q)
    shapes = (a >= 0) & (b >= 0) & (a + b > 0) & jnp.isfinite(a) & jnp.isfinite(b)
    inside = shapes & (x > 0) & (q > 0)
    at_zero, at_one = (a > 0) & (x == 0) & (q == 1), (b > 0) & (x == 1) & (q == 0)
    # With one shape 0 the function is 0 or 1, whatever the other is.
    constant = inside & ((a == 0) & (m == 0) | (b == 0) & (n == 0))
    zero = shapes & (at_zero | at_one) | constant
    a, b, x, q = (jnp.where(inside, z, 0.5) for z in (a, b, x, q))
    a, b = next_to_zero(a), next_to_zero(b)
    here = scores(a, b, x, q, m, n)

    def factor(to_x: jax.Array, to_q: jax.Array) -> jax.Array:
        return here.moved(to_x, to_q).of_density(m, n)

    if n == 0:
        upper = here.first((1, 0)) > 0
    elif m == 0:
        upper = here.first((0, 1)) < 0
    else:
        upper = x * b > a * q
    value = beta_power(a, b, x, q, -1, -1) * tail_integral(a, b, x, q, upper, factor)
    if m == n:
        # I_x(a, b) = 1 - I_q(b, a) (DLMF 8.17.4): what rounding leaves of it counts in inverses.
        value = jnp.where((a == b) & (x == q), 0.0, value)
    return jnp.where(zero, 0.0, jnp.where(inside, value, jnp.nan))


incomplete_beta.partials(
    x=closed("DLMF 8.17.1", lambda y, a, b, x, q, *, m, n: beta_density(a, b, x, q, m=m, n=n)),
    # It says how large 1 - x is where x has no digits for it, and is no variable beside x.
    q=closed("q is 1 - x", lambda y, a, b, x, q, *, m, n: jnp.zeros_like(q)),
)


def incomplete_beta_slope(
    place: int, a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array
) -> jax.Array:
    """The derivative of I_x(a, b) in a, b or x, where q is 1 - x."""
    if place == 2:
        return beta_density(a, b, x, q)
    return incomplete_beta(a, b, x, q, m=1 - place, n=place)


def incomplete_beta_slopes(
    places: Sequence[int], a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array
) -> list[jax.Array]:
    """The derivatives of I_x(a, b) in several of a, b and x, where q is 1 - x."""
    if not {0, 1} <= set(places):
        return [incomplete_beta_slope(place, a, b, x, q) for place in places]
    # I_x(a, b) = 1 - I_q(b, a) (DLMF 8.17.4): both at once are one program.
    a, b, x, q = jnp.broadcast_arrays(a, b, x, q)
    turned = jnp.stack([a, b]), jnp.stack([b, a]), jnp.stack([x, q]), jnp.stack([q, x])
    both = incomplete_beta(*turned, m=1, n=0)
    in_shapes = {0: both[0], 1: -both[1]}
    return [
        in_shapes[place] if place in in_shapes else incomplete_beta_slope(place, a, b, x, q)
        for place in places
    ]
