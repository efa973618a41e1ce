"""Prolate radial functions of larger c, from their expansion far out.

Sums over spherical Bessel functions cancel as exp(-c), and so does the sum that normalises them.
But R1 + i R2, with R1 and R2 of the first and second kind, is the outgoing wave

    exp(i (c x - (n + 1) pi/2)) / (c x) (1 - 1/x^2)^(m/2) (1 + b_1/x + b_2/x^2 + ...)

(DLMF 30.11.6), whose coefficients the differential equation gives, by three before each. They fall
far out, and from there the equation leads inwards: the second kind grows in this sense, and the
first one, which is needed where it oscillates, keeps its size. For c x beyond 400 the expansion
serves at any c.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics import taylor, tridiagonal
from jaxsci.special._spheroidal.kernels.equation import (
    Equation,
    Pair,
    derivative_of,
    led,
    times_front,
)
from jaxsci.special._spheroidal.kernels.first_kind import FARTHEST, in_parameter, square_in_c
from jaxsci.special._spheroidal.kernels.series import (
    INTEGER,
    family_of,
    in_reach,
    index_of,
)

LEAST = 8.0
"""From this c on the sums over Bessel functions have lost too many digits."""
_TERMS = 64
_NEAREST = 4.0
_RANGE = 600.0
"""Exponents beyond are left out: powers of x would overflow."""


def _serves(c: jax.Array, x: jax.Array) -> jax.Array:
    """Where the expansion is asked for."""
    return (c > LEAST) | (c * x > FARTHEST)


def _from_where(equation: Equation, c: jax.Array) -> jax.Array:
    """Where the expansion has converged to rounding within its terms, and none is large."""
    m, n = equation.m, equation.n
    ahead = jnp.abs(c * c - n * (n + 1) - equation.excess[0]) / (5 * c)
    return jnp.maximum(jnp.maximum(_NEAREST, 60 / c), jnp.maximum(ahead, jnp.sqrt(m + 1)))


def _wave(equation: Equation, c: jax.Array, x: jax.Array, part: int) -> Pair:
    """R / (1 - 1/x^2)^(m/2) over x^m, and the slope of that, times x^m.

    Of one kind, where the expansion serves.
    """
    m, n, length = equation.m, equation.n, len(equation.s)
    along = taylor.line(c, jnp.ones_like(c), length - 1)
    inverse = taylor.quotient(taylor.line(jnp.ones_like(c), jnp.zeros_like(c), length - 1), along)
    rest = [s - e for s, e in zip(equation.s, equation.excess, strict=True)]
    rest = taylor.product([rest[0] - n * (n + 1), *rest[1:]], inverse)

    def following(carry: Any, k: Any) -> Any:
        three_before, two_before, before = carry
        by = [a + k * (k - 1) * b for a, b in zip(rest, inverse, strict=True)]
        near = taylor.product(by, before)
        far = taylor.product(inverse, three_before)
        weight = (m + k - 2) * (m + k - 1) / (x * x)
        term = [
            -1j / (2 * k * x) * (p - weight * q) + (m + k - 1) / (k * x * x) * r
            for p, q, r in zip(near, far, two_before, strict=True)
        ]
        return (two_before, before, term), term

    zero = [jnp.zeros_like(x + 0j) for _ in along]
    one = [jnp.ones_like(x + 0j), *zero[1:]]
    terms = jax.lax.scan(following, (zero, zero, one), jnp.arange(1.0, _TERMS))[1]
    k = jnp.arange(1.0, _TERMS).reshape(-1, *[1] * jnp.ndim(x))
    total = [a + jnp.sum(t, axis=0) for a, t in zip(one, terms, strict=True)]
    powers = [
        (m + 1) * a + jnp.sum((m + 1 + k) * t, axis=0) for a, t in zip(one, terms, strict=True)
    ]
    slope = [1j * a - b / x for a, b in zip(taylor.product(along, total), powers, strict=True)]
    turned = jnp.exp(1j * (c * x)) * jnp.asarray([-1j, -1.0, 1j, 1.0])[jnp.asarray(n % 4, int)]
    front = [turned / x * (1j * x) ** j / math.factorial(j) for j in range(length)]
    front = taylor.product(inverse, front)
    value, slope = taylor.product(total, front), taylor.product(slope, front)
    parts = jnp.real if part == 1 else jnp.imag
    return [parts(y) for y in value], [parts(y) for y in slope]


def _orders(
    m: Any, n: Any, c: jax.Array, x: jax.Array, kind: int, in_c: int, highest: int
) -> list[jax.Array]:
    """R(x) / (1 - 1/x^2)^(m/2): derivatives in c and, up to the highest order, in x."""
    m, n, c, x = jnp.broadcast_arrays(m, n, c, x)
    square = c * c
    excess, _, _ = tridiagonal.expansion(family_of(m, n), square, index_of(m, n), in_c)
    served = in_reach(square, m, n, n * (n + 1) + excess[0]) & _serves(c, x) & (x > 1)
    c, x = jnp.where(served, c, LEAST), jnp.where(served, x, 1e3)
    equation = Equation(m, n, in_parameter(excess, c), square_in_c(c, in_c))
    begin = jnp.maximum(x, _from_where(equation, c))
    served = served & (m * jnp.log(begin / x) < _RANGE)
    begin = jnp.where(served, begin, x)
    # The equation's own solution, R / (x^2 - 1)^(m/2), is led inwards; all is times x^m.
    scale = (x / begin) ** m
    value, slope = _wave(equation, c, begin, kind)
    start = [scale * y for y in value], [scale * y for y in slope]
    pair, _ = led(equation, begin, start, x, x)
    own = [taylor.derivative(derivative_of(equation, x, pair, k)) for k in range(highest + 1)]
    powers = [jnp.ones_like(x)]  # m (m - 1) ... (m - j + 1) x^-j
    for j in range(highest):
        powers.append(powers[-1] * (m - j) / x)
    found = [
        sum(math.comb(k, j) * powers[j] * own[k - j] for j in range(k + 1))
        for k in range(highest + 1)
    ]
    return [jnp.where(served, y, jnp.nan) for y in found]


@native(results=3)
def regular_part(
    m: Any, n: Any, c: jax.Array, x: jax.Array, *, kind: int, in_x: int, in_c: int
) -> Any:
    """R(x) / (1 - 1/x^2)^(m/2), or its derivatives of some orders, and two more in x."""
    return tuple(_orders(m, n, c, x, kind, in_c, in_x + 2)[in_x:])


regular_part.partials(
    m=INTEGER,
    n=INTEGER,
    c=closed(
        "DLMF 30.11.6, perturbation theory",
        lambda y, *at, kind, in_x, in_c: regular_part(*at, kind=kind, in_x=in_x, in_c=in_c + 1),
    ),
    x=closed(
        "DLMF 30.2.1",
        lambda y, *at, kind, in_x, in_c: (
            *y[1:],
            regular_part(*at, kind=kind, in_x=in_x + 1, in_c=in_c)[2],
        ),
    ),
)


def with_front(m: Any, x: jax.Array, h: Sequence[Any]) -> list[Any]:
    """As `equation.with_front`, of (1 - 1/x^2)^(m/2) h."""
    w = (x - 1) * (x + 1)
    front = (w / (x * x)) ** (m / 2)
    # Those of the front factor, over itself.
    one = m / (x * w)
    two = one * one - one * (3 * x * x - 1) / (x * w)
    return times_front((front, one, two), h)


def value_and_slope(m: Any, n: Any, c: jax.Array, x: jax.Array, kind: int) -> tuple[Any, Any]:
    """R(x) and R'(x)."""
    value, slope = with_front(m, x, _orders(m, n, c, x, kind, 0, 1))
    return value, slope
