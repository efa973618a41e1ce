"""Derivatives of associated Legendre functions of integer degree and order, of any order.

P_n^m is w^m times the m-th derivative of P_n, with w a square root of plus or minus 1 - z^2, so a
derivative of it is a sum of powers of w and z times higher derivatives of P_n. These are
Gegenbauer polynomials: nothing is divided by 1 - z^2 that is not infinite at the endpoints.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import missing
from jaxsci._core.types import PyTree
from jaxsci.special._numerics.integer_orders import LARGEST
from jaxsci.special._numerics.plane import over
from jaxsci.special._numerics.recurrences import by_recurrence

Polynomial = Sequence[int] | np.ndarray

INTEGER = missing("it is an integer")


@tower("DLMF 14.6.1, 14.6.3", z="order")
def associated(
    n: jax.Array, m: jax.Array, z: jax.Array, branch_cut: jax.Array, *, norm: bool, order: int
) -> jax.Array:
    """A derivative in z of assoc_legendre_p, of degree n and order m of either sign."""
    size = jnp.abs(m)
    fits = (n <= LARGEST) & (size <= LARGEST)
    known = fits & (n >= size)
    size = jnp.where(known, size, 0)
    n = jnp.where(known, n, 0)
    turned = branch_cut == 3
    sign = jnp.where(turned, -1.0, 1.0)
    root = jnp.where(turned, jnp.sqrt(z - 1) * jnp.sqrt(z + 1), jnp.sqrt(1 - z * z))
    squared = sign * (1 - z) * (1 + z)
    polynomials = derivatives_of_legendre(n, size, z, order)
    value = of_product(size, z, root, squared, sign, order, polynomials)
    scale = _scale(n, jnp.where(known, m, 0), norm) * jnp.where(
        turned | (m < 0) | (m % 2 == 0), 1.0, -1.0
    )
    return jnp.where(known, scale * value, jnp.where(fits, 0.0 * z, jnp.nan))


associated.partials(n=INTEGER, m=INTEGER, branch_cut=INTEGER)


def of_product(
    m: jax.Array,
    z: jax.Array,
    root: jax.Array,
    squared: jax.Array,
    sign: Any,
    order: int,
    factors: Sequence[jax.Array],
) -> jax.Array:
    """A derivative in z of w^m g, where w^2 = sign (1 - z^2).

    Args:
        m: integers, not negative.
        z: the argument.
        root: w.
        squared: w^2.
        sign: 1 or -1.
        order: of the derivative.
        factors: g and its derivatives up to this order.
    """
    # Where m is even, w^m is differentiated down to a constant.
    lowest = jnp.where(m % 2 == 0, jnp.minimum(order, m // 2), order)
    # w^(2 lowest - 2i), from the last one up.
    powers = [integer_power(squared, jnp.maximum(lowest - order, 0))]
    for i in range(order - 1, -1, -1):
        powers.insert(0, jnp.where(lowest > i, powers[0] * squared, 1.0))
    total: PyTree = 0.0
    for (i, b, j), coefficient in _product_rule(order).items():
        weight = np.polynomial.polynomial.polyval(m, coefficient) * (-sign) ** i
        total = total + jnp.where(i <= lowest, weight, 0.0) * z**b * powers[i] * factors[j]
    return integer_power(root, m - 2 * lowest) * total


@functools.cache
def _product_rule(order: int) -> dict[tuple[int, int, int], Polynomial]:
    """The terms w^(m-2i) z^b G_(m+j) of a derivative of w^m G_m, where G_k' = G_(k+1).

    Each has a coefficient, a polynomial in m, and a factor (-sign)^i, where w^2 = sign (1 - z^2).
    """
    terms: dict[tuple[int, int, int], Polynomial] = {(0, 0, 0): [1]}
    for _ in range(order):
        after: dict[tuple[int, int, int], Polynomial] = {}

        def add(
            key: tuple[int, int, int],
            coefficient: Polynomial,
            after: dict[tuple[int, int, int], Polynomial] = after,
        ) -> None:
            after[key] = np.polynomial.polynomial.polyadd(after.get(key, [0]), coefficient)

        for (i, b, j), coefficient in terms.items():
            add((i + 1, b + 1, j), np.polynomial.polynomial.polymul(coefficient, [-2 * i, 1]))
            add((i, b, j + 1), coefficient)
            if b:
                add((i, b - 1, j), b * np.asarray(coefficient))
        terms = after
    return terms


def derivatives_of_legendre(
    n: jax.Array, m: jax.Array, z: jax.Array, order: int
) -> list[jax.Array]:
    """The derivatives of P_n of order m, m + 1, ... m + order, divided by (2m - 1)!!.

    They are Gegenbauer polynomials of half-integer parameters (DLMF 18.7.9, 18.9.19).
    """
    one = jnp.ones_like(n + m + z)
    degrees = [n - m - j for j in range(order + 1)]
    parameters = [m + j + 0.5 for j in range(order + 1)]
    last = jnp.max(n - m, initial=0)

    def step(state: PyTree) -> Any:
        d, pairs = state
        after = []
        for (before, value), degree, q in zip(pairs, degrees, parameters, strict=True):
            above = over(2 * (d + q - 1) * z * value - (d + 2 * q - 2) * before, d)
            live = d <= degree
            after.append((jnp.where(live, value, before), jnp.where(live, above, value)))
        return d + 1, after

    start = (jnp.asarray(1.0), [(jnp.zeros_like(one), one) for _ in degrees])
    _, pairs = jax.lax.while_loop(lambda state: state[0] <= last, step, start)
    out, factor = [], jnp.ones_like(m)
    for j, (_, value) in enumerate(pairs):
        out.append(jnp.where(degrees[j] >= 0, factor * value, 0.0 * value))
        factor = factor * (2 * (m + j) + 1)
    return out


def _scale(n: jax.Array, m: jax.Array, norm: bool) -> jax.Array:
    """(2|m| - 1)!!, times (n - |m|)!/(n + |m|)! where m < 0, or times the norm's constant."""
    size = jnp.abs(m)

    def step(i: Any, product: jax.Array) -> tuple[Any]:
        ratio = (n - size + 2 * i - 1) * (n - size + 2 * i)
        factor = (2 * i - 1) / (jnp.sqrt(ratio) if norm else jnp.where(m < 0, ratio, 1.0))
        return (product * factor,)

    (product,) = by_recurrence(size + 1, step, (jnp.ones_like(n + m),), begin=1)
    return product * jnp.sqrt(n + 0.5) if norm else product


def integer_power(x: jax.Array, n: jax.Array) -> jax.Array:
    """An integer power, by squaring: complex ones by logarithms would lose digits, and 0^0."""
    x, n = jnp.broadcast_arrays(x, n)

    def step(state: Sequence[jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
        left, base, product = state
        odd = left % 2 == 1
        left = jnp.floor(left / 2)
        squared = jnp.where(left > 0, base * base, base)
        return left, squared, jnp.where(odd, product * base, product)

    start = (jnp.abs(n), x, jnp.ones_like(x))
    _, _, product = jax.lax.while_loop(lambda state: jnp.any(state[0] > 0), step, start)
    return jnp.where(n < 0, over(1.0, product), product)
