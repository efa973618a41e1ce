"""Gauss's F(a, b; c; z) differentiated in a, b, c and z, to every order.

By Taylor steps of its differential equation (`_numerics/hypergeometric_equations.py`), which JAX
differentiates in a, b and c as they stand. It is solved twice, with steps of different lengths:
where the derivatives differ, digits were lost to another solution that grew meanwhile, and they are
NaN. At z = 1 it has a sum by gamma functions.

Where F is a polynomial, and not differentiated in the parameter that makes it one, its derivatives
are polynomials too, much smaller than other solutions next to z = 1 or far from 0. They are by the
recurrence in the degree (DLMF 15.5.11), written for differences. So are those in b where c - a is
0, -1, ... and F is a polynomial times (1 - z)^(c-a-b) (DLMF 15.8.1), and those in a for such c - b.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci.special._hypergeometric.kernels.integer_parameters import is_degree
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.gamma_factors import is_pole, reciprocal_gamma, rising
from jaxsci.special._numerics.hypergeometric_equations import gauss, paces, steps_of_gauss
from jaxsci.special._numerics.nth_derivative import derivative_and_aside, mixed_derivative
from jaxsci.special._numerics.plane import one_minus
from jaxsci.special._numerics.recurrences import by_recurrence

_LARGEST = 1e3
_LEAST = -20.0
_FARTHEST = 1e30
_APART = 1e-11
_APART_OF_VALUE = 1e-13
"""Of F, for its derivatives may be zero."""


@tower("DLMF 15.5.2", a="i", b="j", c="k", z="n")
def gauss_in_parameters(
    a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array, *, i: int, j: int, k: int, n: int
) -> jax.Array:
    """The i-th derivative in a, j-th in b, k-th in c and n-th in z of F(a, b; c; z)."""

    def differentiated(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> jax.Array:
        return _differentiated(a, b, c, z, (i, j, k), n)

    return by_blocks(differentiated, a, b, c, z, steps=steps_of_gauss(a, b, c, z, 1 - z))


def _differentiated(
    a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array, orders: tuple[int, int, int], n: int
) -> jax.Array:
    i, j, k = orders
    pole = is_pole(c)
    served = (jnp.abs(z) <= _FARTHEST) & (c >= _LEAST)
    known = served & _is_moderate(a, b, c) & ~pole & ~_is_singular(z)
    safe = jnp.where(known, z, 0.0)

    def function(a: jax.Array, b: jax.Array, c: jax.Array) -> tuple[jax.Array, jax.Array]:
        front = rising(a, n) * rising(b, n) / rising(c, n)
        value = gauss(a + n, b + n, c + n, safe, one_minus(safe), paces(safe)) * front
        return value, jax.lax.stop_gradient(value)

    at = tuple(jnp.where(known, t, 0.5) for t in (a, b, c))
    (value, other), (size, _) = derivative_and_aside(function, at, orders)
    apart = jnp.abs(value - other)
    known = known & (apart <= _APART * jnp.abs(value) + _APART_OF_VALUE * jnp.abs(size))
    value = jnp.where(known, value, jnp.nan)
    converges = served & _is_moderate(a, b, c) & ~pole & (z == 1) & (c - a - b > n)
    at = tuple(jnp.where(converges, t, s) for t, s in ((a, 0.5), (b, 0.5), (c, 2.0 + n)))
    sums = mixed_derivative(functools.partial(_sum_at_one, n=n), at, orders)
    value = jnp.where(converges, sums, value)
    if i == 0:
        value = _or_polynomial(value, a, b, c, z, (j, k), n)
    if j == 0:
        value = _or_polynomial(value, b, a, c, z, (i, k), n)
    return value


def _sum_at_one(a: jax.Array, b: jax.Array, c: jax.Array, n: int) -> jax.Array:
    """The n-th derivative in z at z = 1, by Gauss's sum (DLMF 15.4.20)."""
    factors, logarithms = reciprocal_gamma(jnp.stack([c - a, c - b, c + n, c - a - b - n]))
    front = rising(a, n) * rising(b, n) / rising(c, n) * factors[0] * factors[1]
    log = logarithms[0] + logarithms[1] - logarithms[2] - logarithms[3]
    return front / (factors[2] * factors[3]) * jnp.exp(log)


def _or_polynomial(
    value: jax.Array,
    a: jax.Array,
    b: jax.Array,
    c: jax.Array,
    z: jax.Array,
    orders: tuple[int, int],
    n: int,
) -> jax.Array:
    """What F has in place of the value where it is a polynomial, of degree -a or a - c.

    Args:
        value: elsewhere.
        a: parameter.
        b: parameter.
        c: parameter.
        z: argument.
        orders: of the derivatives in b and c.
        n: that in z.
    """
    plain = is_degree(a, _LARGEST) & (~is_pole(c) | (a >= c))
    plain = plain & (jnp.abs(z) < jnp.inf)
    turned = jnp.zeros_like(plain)
    if orders[1] == 0:
        turned = ~plain & is_degree(c - a, _LARGEST) & (c > 0) & ~_is_singular(z)
        turned = turned & _is_moderate(a, b, c) & (jnp.abs(z) <= _FARTHEST)
    rest = jnp.where(turned, one_minus(z), 1.0)
    # The n-th derivative has parameters n higher.
    degree = jnp.where(turned, a - c, jnp.where(plain, -a - n, 0.0))

    def polynomial(b: jax.Array, c: jax.Array) -> jax.Array:
        front = rising(a, n) * rising(b, n) / rising(c, n)
        factor = jnp.exp((c - a - b - n) * jnp.log(rest))
        other = jnp.where(turned, c - b, b + n)
        return front * factor * _polynomial(degree, other, c + n, z)

    found = plain | turned
    at = jnp.where(found, b, 1.0), jnp.where(found, c, 1.0)
    return jnp.where(found, mixed_derivative(polynomial, at, orders), value)


def _is_singular(z: jax.Array) -> jax.Array:
    """Where no solution leads: beyond 1 real numbers have none."""
    return z == 1 if jnp.iscomplexobj(z) else z >= 1


def _is_moderate(a: jax.Array, b: jax.Array, c: jax.Array) -> jax.Array:
    return (jnp.abs(a) <= _LARGEST) & (jnp.abs(b) <= _LARGEST) & (jnp.abs(c) <= _LARGEST)


def _polynomial(degree: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> jax.Array:
    """F(-degree, b; c; z)."""
    at = z * jnp.ones_like(b)

    def step(k: jax.Array, value: jax.Array, d: jax.Array) -> tuple[jax.Array, jax.Array]:
        d = (k * (1 - at) * d - b * at * value) * (1 / (c + jnp.where(k < degree, k, 0.0)))
        return value + d, d

    return by_recurrence(degree, step, (jnp.ones_like(at), jnp.zeros_like(at)))[0]
