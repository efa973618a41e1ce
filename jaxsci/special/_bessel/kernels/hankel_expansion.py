"""Derivatives of scaled cylinder functions, without loss at large arguments.

With D = d/dz, a scaled function has derivatives such as (D + sigma)^n K_v, in which the two parts
of (D + sigma) cancel where the function is nearly exp(-sigma z). Near the origin the sum over
shifted orders serves (DLMF 10.6.7, 10.29.5); far from it Hankel's expansion does, in which the
exponential is gone and only powers of 1/z are differentiated (DLMF 10.17, 10.40).

Everything here is in double precision and exact to rounding for every order of derivative, so a
derivative rule only passes on to the next order: f_n' = f_{n+1}. The coefficients of Hankel's
expansion are polynomials in the order v, so derivatives in it come along as Taylor polynomials.
"""

from __future__ import annotations

import cmath
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._bessel.kernels.slopes import Neighbour, plain_neighbour
from jaxsci.special._numerics import taylor
from jaxsci.special._numerics.plane import over, square_root

Polynomial = Sequence[complex] | np.ndarray
"""Coefficients of an operator polynomial in D, lowest power first."""

# At |z| = 20 the smallest term of Hankel's expansion is e^-40, its 40th.
_TERMS = 40
_UNROLLED = 8
"""Terms in a step of a loop: what is carried from step to step lies in memory."""
FAR = 20.0
"""From how far off Hankel's expansion serves, at least."""


def is_far(v: jax.Array, z: jax.Array) -> jax.Array:
    """Where Hankel's expansion has converged to double precision within its terms."""
    return jnp.abs(z) >= jnp.maximum(FAR, v * v / 8)


# -- near: sums over shifted orders ----------------------------------------------------------------


def power(factor: Polynomial, n: int) -> np.ndarray:
    """factor(D)^n."""
    out = np.ones(1, complex)
    for _ in range(n):
        out = np.polynomial.polynomial.polymul(out, np.asarray(factor, complex))
    return out


def simplified(coefficient: complex) -> complex | float:
    """The number as a real one, if it is real."""
    coefficient = complex(coefficient)
    return coefficient.real if coefficient.imag == 0 else coefficient


def shifted_orders(
    function: Callable[[Any, Any], Any],
    sign: int,
    v: jax.Array,
    z: jax.Array,
    operators: Sequence[Polynomial],
    at_once: bool = False,
    neighbour: Neighbour = plain_neighbour,
) -> list[jax.Array]:
    """operator(D) applied to a cylinder function, as a sum over its (scaled) neighbours in order.

    Args:
        function: the scaled function; scaling is the same for all orders.
        sign: D shifts orders by (S^-1 + sign S)/2: -1 for J, Y, H; +1 for I, exp(v pi i) K.
        v: order.
        z: argument.
        operators: polynomials in D of one degree.
        at_once: whether the function is called once, with all orders along a new axis.
        neighbour: gives the function of order v + k, of (function, v, k, z), if it is not.

    Returns:
        One sum for each operator.
    """
    step = [0.5 * sign, 0, 0.5]  # shifts +1, 0, -1
    n = len(operators[0]) - 1
    shifts = np.zeros((len(operators), 2 * n + 1), complex)
    for row, polynomial in zip(shifts, operators, strict=True):
        for k, coefficient in enumerate(polynomial):
            term = np.ones(1)
            for _ in range(k):
                term = np.convolve(term, step)
            row[n - k : n + k + 1] += coefficient * term
    needed = np.flatnonzero(shifts.any(axis=0)).tolist()
    if at_once:
        # Each slice of it would else be a program of its own.
        (values,) = taylor.once(function(jnp.stack([v + (n - i) for i in needed]), z[None]))
    else:
        values = [neighbour(function, v, n - i, z) for i in needed]
    neighbours = dict(zip(needed, values, strict=True))
    return [
        functools.reduce(
            operator.add, (simplified(row[i]) * neighbours[i] for i in needed if row[i] != 0)
        )
        for row in shifts
    ]


# -- far: Hankel's expansion -----------------------------------------------------------------------


def hankel_jets(
    v: jax.Array, z: jax.Array, orders: Sequence[int], direction: complex, m: int
) -> list[list[Any]]:
    """d^n/dz^n of z^(-1/2) sum_k direction^k a_k(v) z^-k, for each n, with a_k of DLMF 10.17.1.

    As Taylor polynomials in v of degree m, for its coefficients are polynomials in v.
    """
    mu = [4 * v * v, 8 * v, jnp.full_like(v, 4.0)][: m + 1]
    inverse = over(1.0, z)
    scale = simplified(direction) / 8 * inverse

    along = jnp.asarray(orders, float)
    k = jnp.arange(_TERMS, 0.0, -1)
    weights = (k[:, None] + along - 0.5) / (k * (k - 0.5))[:, None]
    unit = jnp.ones((len(orders), *jnp.broadcast_shapes(v.shape, z.shape)), scale.dtype)

    def inwards(total: list[jax.Array], at: tuple[jax.Array, jax.Array]) -> Any:
        k, weight = at
        weight = weight.reshape(-1, *[1] * (unit.ndim - 1))
        by = [(mu[0] - (2 * k - 1) ** 2) * weight, *(c * weight for c in mu[1:])]
        products = ([by[i] * total[j - i] for i in range(min(j, 2) + 1)] for j in range(m + 1))
        new = [sum(p[1:], p[0]) * scale for p in products]
        return [1 + new[0], *new[1:]], None

    # In a loop: all terms would take seconds to compile.
    rows, _ = jax.lax.scan(
        inwards, [unit, *[jnp.zeros_like(unit)] * m], (k, weights), unroll=1 if m else _UNROLLED
    )
    totals = [list(total) for total in zip(*rows, strict=True)]
    front = over(1.0, square_root(z))
    leading = [(-1) ** n * math.prod(0.5 + j for j in range(n)) for n in orders]
    return [
        [c * (factor * front * inverse**n) for c in total]
        for n, factor, total in zip(orders, leading, totals, strict=True)
    ]


def applied(
    series: Callable[[Sequence[int]], list[list[Any]]], operator: Polynomial
) -> list[jax.Array]:
    """operator(D) of a function whose n-th derivatives, Taylor polynomials, are series([n])."""
    orders = [n for n, coefficient in enumerate(operator) if coefficient != 0]
    if not orders:
        return []
    terms = (
        taylor.times(row, simplified(operator[n]))
        for n, row in zip(orders, series(orders), strict=True)
    )
    return functools.reduce(taylor.plus, terms)


def far_k(v: jax.Array, z: jax.Array, n: int) -> jax.Array:
    """d^n/dz^n exp(z) K_v(z), |ph z| <= pi (DLMF 10.40.2)."""
    return far_k_jets(v, z, [n], 0)[0][0]


def far_k_jets(v: jax.Array, z: jax.Array, orders: Sequence[int], m: int) -> list[list[Any]]:
    """`far_k` as Taylor polynomials in v, for several n."""
    return _multiples(hankel_jets(v, z, orders, 1, m), math.sqrt(math.pi / 2))


def _multiples(rows: list[list[Any]], factor: complex) -> list[list[Any]]:
    return [taylor.times(row, factor) for row in rows]


def far_i(v: jax.Array, x: jax.Array, n: int) -> jax.Array:
    """d^n/dx^n exp(-x) I_v(x), real x > 0 (DLMF 10.40.1)."""
    return far_even_jets(v, x, [n], 0)[0][0]


def far_even_jets(v: jax.Array, z: jax.Array, orders: Sequence[int], m: int) -> list[list[Any]]:
    """d^n/dz^n exp(-z) I_v(z) as Taylor polynomials in v, without the second exponential."""
    return _multiples(hankel_jets(v, z, orders, -1, m), 1 / math.sqrt(2 * math.pi))


def shifted_argument(operator: Polynomial, shift: int) -> np.ndarray:
    """The polynomial operator(D + shift)."""
    out = np.zeros(1, complex)
    for n, coefficient in enumerate(operator):
        out = np.polynomial.polynomial.polyadd(out, coefficient * power([shift, 1], n))
    return out


def _far_hankel(
    kind: int, v: jax.Array, z: jax.Array, orders: Sequence[int], m: int
) -> list[list[Any]]:
    """d^n/dz^n of exp(-iz) H1_v(z) or exp(iz) H2_v(z) for |ph z| <= pi/2 (DLMF 10.17.5, 6)."""
    i, sign = (1j, -1) if kind == 1 else (-1j, 1)
    constant = cmath.exp(-i * math.pi / 4) * math.sqrt(2 / math.pi)
    turn = taylor.turn(v, sign, m, 0.5)
    series = _multiples(hankel_jets(v, z, orders, i, m), constant)
    return [taylor.product(turn, row) for row in series]


def far_hankel2(v: jax.Array, z: jax.Array, n: int, m: int = 0) -> jax.Array:
    """d^n/dz^n d^m/dv^m exp(iz) H2_v(z) on the whole cut plane."""
    # In the second quadrant both exponentials are present (DLMF 10.11.4 with m = 1).
    w = -z
    second = taylor.product(taylor.turn(v, 1, m), _far_hankel(1, v, w, [n], m)[0])
    reflected = np.asarray(power([2j, 1], n)) * (-1.0) ** np.arange(n + 1)
    inner = applied(lambda orders: _far_hankel(2, v, w, orders, m), reflected)
    inner = taylor.product(taylor.cosine(v, m), taylor.times(inner, 2 * jnp.exp(2j * z)))
    second = taylor.plus(taylor.times(second, (-1) ** n), inner)
    crosses = (z.real < 0) & ~jnp.signbit(z.imag)  # -0 is the lower side of the cut
    return taylor.derivative(taylor.where(crosses, second, _far_hankel(2, v, z, [n], m)[0]))


def _far_first_quadrant(
    kind: str, v: jax.Array, z: jax.Array, a: int, b: int, m: int
) -> list[jax.Array]:
    """(d/dx)^a (d/dy)^b exp(-y) C_v(x + iy), C = J or Y, x >= 0, y >= 0."""
    first, second = (0.5, 0.5) if kind == "J" else (-0.5j, 0.5j)
    x, y = z.real, z.imag
    # On exp(-iz) u2 the operators are D - i and iD; on exp(iz) u1 they are D + i and iD - 2.
    of_two = np.polynomial.polynomial.polymul(power([-1j, 1], a), power([0, 1j], b))
    of_one = np.polynomial.polynomial.polymul(power([1j, 1], a), power([-2, 1j], b))
    two = applied(lambda orders: _far_hankel(2, v, z, orders, m), of_two)
    one = applied(lambda orders: _far_hankel(1, v, z, orders, m), of_one)
    return taylor.plus(
        taylor.times(one, first * jnp.exp(1j * x - 2 * y)),
        taylor.times(two, second * jnp.exp(-1j * x)),
    )


def _far_right_half(
    kind: str, v: jax.Array, z: jax.Array, a: int, b: int, m: int
) -> list[jax.Array]:
    mirrored = z.imag < 0
    upper = jnp.where(mirrored, jnp.conj(z), z)
    value = _far_first_quadrant(kind, v, upper, a, b, m)
    return taylor.where(mirrored, taylor.times(taylor.conjugate(value), (-1) ** b), value)


def _far_partial(kind: str, v: jax.Array, z: jax.Array, a: int, b: int, m: int) -> list[jax.Array]:
    left = z.real < 0
    w = jnp.where(left, -z, z)
    above = jnp.where(z.imag >= 0, 1.0, -1.0)
    turned = taylor.times(_far_right_half("J", v, w, a, b, m), (-1) ** (a + b))
    if kind == "J":  # DLMF 10.11.1
        value = _far_right_half("J", v, w, a, b, m)
        return taylor.where(left, taylor.product(taylor.turn(v, above, m), turned), value)
    value = _far_right_half("Y", v, w, a, b, m)  # DLMF 10.11.2
    across = taylor.product(taylor.turn(v, -above, m), taylor.times(value, (-1) ** (a + b)))
    crossing = taylor.product(taylor.cosine(v, m), taylor.times(turned, 2j * above))
    return taylor.where(left, taylor.plus(across, crossing), value)


def far_partial(kind: str, v: jax.Array, z: jax.Array, a: int, b: int, m: int = 0) -> jax.Array:
    """(d/dx)^a (d/dy)^b d^m/dv^m exp(-|y|) C_v(x + iy) with C = J or Y, off the real axis."""
    return taylor.derivative(_far_partial(kind, v, z, a, b, m))


def far_partial_i(v: jax.Array, z: jax.Array, a: int, b: int) -> jax.Array:
    """(d/dx)^a (d/dy)^b exp(-|x|) I_v(x + iy), by I_v(z) = exp(-v pi i/2) J_v(iz) (10.27.6)."""
    # On the cut it is the value from above.
    mirrored = (z.imag > 0) | (z.imag == 0) & (z.real < 0)
    lower = jnp.where(mirrored, jnp.conj(z), z)
    turned = far_partial("J", v, 1j * lower, b, a)
    value = (-1) ** b * taylor.turn(v, -1, 0, 0.5)[0] * turned
    return jnp.where(mirrored, (-1) ** b * jnp.conj(value), value)
