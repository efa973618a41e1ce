"""Fourier series of Mathieu functions, with all derivatives in x and q, for rules to use."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native, tower
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._numerics import folded, taylor, tridiagonal
from jaxsci.special._numerics.tridiagonal import ROWS

RADIAN = math.pi / 180
"""One degree."""

_INTEGER = missing("it is an integer")
_TINY = 1e-300
_DECAY = 40.0
"""Logarithm of the factor by which coefficients must decay before those that are left out."""


def family_of(
    m: Any, q: jax.Array, even: bool, window: bool = False
) -> tuple[tridiagonal.Family, Any, Any]:
    """The matrix of DLMF 28.4.5 to 28.4.16, its row for the order, the frequencies of the rows.

    With a window, the first row is not the matrix's own where the order is large.
    """
    m, q = jnp.broadcast_arrays(m, q)
    k = jnp.arange(ROWS).reshape(-1, *[1] * q.ndim)
    index = jnp.floor(m / 2 if even else (m - 1) / 2)
    if window:
        start = jnp.maximum(index - ROWS // 2, 0)
        k, index = k + start, index - start
    odd = m % 2
    frequency = 2 * k + odd if even else 2 * k + 2 - odd
    first = k == 0
    slope = jnp.where(first, odd if even else -odd, 0.0)
    beside = jnp.where(first & (odd == 0) & even, math.sqrt(2.0), jnp.ones_like(slope))
    return tridiagonal.Family(frequency**2, slope, beside), index, frequency


def _in_reach(q: jax.Array, frequency: jax.Array, value: jax.Array) -> jax.Array:
    """Whether the rows that are left out do not matter: the coefficients decay before them.

    They do where the diagonal is further from the eigenvalue than 2|q|, by the factor
    exp(-arccosh(distance/2|q|)) a row.
    """
    distance = (frequency**2 - value) / jnp.maximum(2 * jnp.abs(q), _TINY)
    behind, before = (
        folded.total(jnp.arccosh(jnp.maximum(side, 1.0))) for side in (distance, -distance)
    )
    return (behind > _DECAY) & ((before > _DECAY) | (frequency[0] <= 2))


@tower("Hellmann and Feynman", q="order")
def characteristic_value(m: Any, q: jax.Array, *, even: bool, order: int) -> jax.Array:
    """a_m(q) or b_m(q), or a derivative in q: Hellmann-Feynman's, and perturbation theory's."""
    family, index, frequency = family_of(m, q, even, window=True)
    values, _, _ = tridiagonal.expansion(family, jnp.asarray(q), index, order)
    inside = _in_reach(q, frequency, values[0]) & (index >= 0)
    return jnp.where(inside, math.factorial(order) * values[order], jnp.nan)


characteristic_value.partials(m=_INTEGER)


def is_characteristic(
    m: jax.Array, q: jax.Array, value: jax.Array, *, even: bool, error: float
) -> jax.Array:
    """Whether a number is a_m(q) or b_m(q), up to a relative error: Sturm's theorem tells."""
    family, index, _ = family_of(m, q, even, window=True)
    size = error * jnp.abs(value)
    return tridiagonal.encloses(family, q, index, value - size, value + size)


def _cosine_of_multiple(frequency: jax.Array, x: jax.Array, quarters: int) -> jax.Array:
    """cos(frequency x + quarters 90), in degrees: with all digits near the multiples of 90."""
    corner = jnp.round(jnp.fmod(x, 360.0) / 90)
    t = frequency * (jnp.fmod(x, 360.0) - 90 * corner)
    turns = jnp.round(t / 90)
    rest = (t - 90 * turns) * RADIAN
    quadrant = (turns + frequency * corner + quarters) % 4
    size = jnp.where(quadrant % 2 == 0, jnp.cos(rest), jnp.sin(rest))
    return jnp.where((quadrant == 1) | (quadrant == 2), -size, size)


def _coefficients(m: Any, q: jax.Array, even: bool, in_q: int) -> tuple[jax.Array, Any, Any]:
    """A derivative of the Fourier coefficients, their frequencies, and whether they are known."""
    family, index, frequency = family_of(m, q, even)
    values, u, sign = tridiagonal.expansion(family, q, index, in_q)
    # The eigenvector's norm stays 1, and its first component positive for q > 0.
    norms: list[Any] = [
        sum(folded.total(u[i] * u[k - i]) for i in range(k + 1)) for k in range(in_q + 1)
    ]
    vector = tridiagonal.product(u, taylor.power(norms, -0.5), in_q)
    turn = jnp.where((q < 0) & (index % 2 != 0), -sign, sign)
    vector = vector * turn * math.factorial(in_q)
    if even:
        constant = (frequency == 0) & (m % 2 == 0)
        vector = jnp.where(constant, vector / math.sqrt(2.0), vector)
    return vector, frequency, _in_reach(q, frequency, values[0])


@functools.lru_cache(maxsize=1024)
def coefficients(size: int, even: bool) -> NativeFunction:
    """The function of m and q that has the first coefficients, or their derivatives in q."""

    @native(results=size)
    def fourier_coefficients(m: Any, q: jax.Array, *, in_q: int) -> tuple[jax.Array, ...]:
        m, q = jnp.broadcast_arrays(m, q)
        vector, _, known = _coefficients(m, q, even, in_q)
        return tuple(jnp.where(known, vector[k], jnp.nan) for k in range(size))

    fourier_coefficients.partials(
        m=_INTEGER,
        q=closed(
            "perturbation theory",
            lambda y, m, q, *, in_q: fourier_coefficients(m, q, in_q=in_q + 1),
        ),
    )
    return fourier_coefficients


def _waves(
    m: Any, q: jax.Array, x: jax.Array, even: bool, in_q: int, orders: Sequence[int]
) -> list[jax.Array]:
    """Derivatives in q and, of each of these orders, in x: one eigenvector serves them all."""
    m, q, x = jnp.broadcast_arrays(m, q, x)
    vector, frequency, known = _coefficients(m, q, even, in_q)
    found = []
    for in_x in orders:
        phase = (in_x + (0 if even else 3)) % 4
        wave = _cosine_of_multiple(frequency, x, phase)
        total = jnp.where(known, folded.total(vector * frequency**in_x * wave), jnp.nan)
        found.append(total if even else jnp.where(m == 0, 0.0, total))
    return found


@tower("perturbation theory", q="in_q")
def angular(m: Any, q: jax.Array, x: jax.Array, *, even: bool, in_q: int, in_x: int) -> jax.Array:
    """ce_m or se_m at x degrees, or its derivatives in q and x, those in radians (DLMF 28.4(i))."""
    return _waves(m, q, x, even, in_q, (in_x,))[0]


def angular_and_slope(
    m: Any, q: jax.Array, x: jax.Array, *, even: bool
) -> tuple[jax.Array, jax.Array]:
    """ce_m or se_m at x degrees, and its slope in radians."""
    value, slope = _waves(m, q, x, even, 0, (0, 1))
    return value, slope


angular.partials(
    m=_INTEGER,
    x=closed(
        "DLMF 28.4.1 to 28.4.4",
        lambda y, m, q, x, *, even, in_q, in_x: (
            RADIAN * angular(m, q, x, even=even, in_q=in_q, in_x=in_x + 1)
        ),
    ),
)
