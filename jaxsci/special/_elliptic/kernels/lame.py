"""Lame polynomials with their derivatives, for the rules of ellipsoidal harmonics.

E_n^p(s) is a product of roots of s^2, |s^2 - h^2| and |s^2 - k^2| and of a polynomial q in s^2 with
the highest coefficient 1, which solves Heun's equation (DLMF 31.2.1, 31.5). In powers of s^2 - h^2
its coefficients are an eigenvector of a tridiagonal matrix that is a polynomial in h^2 and k^2, so
their derivatives follow from those of the matrix: perturbation theory to any order.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg

from jaxsci._core.elementwise_rules import closed, missing
from jaxsci._core.make_host_function import host_function

_MOST = 1000
_INTEGER = missing("it is an integer")


def _species(n: Any, p: Any) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Exponents of the three roots, and the harmonic's number, from 1, among those that share them.

    The arguments are integers, of NumPy or JAX.
    """
    r = n // 2
    odd = n % 2
    of_h = (p > r + 1) & (p <= n + 1) | (p > 2 * n - r + 1)
    of_k = p > n + 1
    first_of_class = 0 * p + 1
    for start in (r + 2, n + 2, 2 * n - r + 2):
        first_of_class = first_of_class + (p >= start) * (start - first_of_class)
    of_s = odd * (of_h == of_k) + (1 - odd) * (of_h != of_k)
    return of_s, of_h, of_k, p - first_of_class + 1


@dataclass(frozen=True)
class _Matrix:
    """The matrix at (h^2 + a, k^2 + b): diagonals of its Taylor coefficients, by powers of a and b.

    Its entries are those of Heun's three-term recurrence (DLMF 31.3.2) at h^2, times h^2.
    """

    diagonal: dict[tuple[int, int], np.ndarray]
    above: dict[tuple[int, int], np.ndarray]
    """To the right of the diagonal."""
    below: np.ndarray
    """To the left of it; they depend on neither."""

    def times(self, power: tuple[int, int], x: np.ndarray) -> np.ndarray:
        """A coefficient of the matrix, times a vector."""
        out = self.diagonal.get(power, 0.0) * x
        if power in self.above:
            out[:-1] += self.above[power] * x[1:]
        return out


def _matrix(h2: float, k2: float, n: int, p: int) -> _Matrix:
    of_s, of_h, of_k, _ = (int(x) for x in _species(n, p))
    alpha = (of_s + of_h + of_k - n) / 2
    beta = (of_s + of_h + of_k + n + 1) / 2
    gamma, delta, epsilon = of_h + 0.5, of_s + 0.5, of_k + 0.5
    j = np.arange(round(-alpha) + 1)
    of_difference, of_h2 = j * (j - 1 + gamma) + delta * j, -j * (j - 1 + gamma) - epsilon * j
    upper = ((j + 1) * (j + gamma))[:-1]
    return _Matrix(
        diagonal={
            (0, 0): (k2 - h2) * of_difference + h2 * of_h2,
            (1, 0): of_h2 - of_difference,
            (0, 1): of_difference,
        },
        above={
            (0, 0): (k2 - h2) * h2 * upper,
            (1, 0): (k2 - 2 * h2) * upper,
            (0, 1): h2 * upper,
            (2, 0): -upper,
            (1, 1): upper,
        },
        below=-((j + alpha) * (j + beta))[:-1],
    )


def _powers(i: int, j: int) -> list[tuple[int, int]]:
    """Of two numbers up to i and j, the lower degrees first."""
    return sorted(itertools.product(range(i + 1), range(j + 1)), key=sum)


def _coefficients(h2: float, k2: float, n: int, p: int, i: int, j: int) -> np.ndarray:
    """The derivative, i times in h^2 and j times in k^2, of the coefficients of q."""
    matrix = _matrix(h2, k2, n, p)
    index = int(_species(n, p)[3]) - 1
    diagonal, above = matrix.diagonal[0, 0], matrix.above[0, 0]
    beside = np.sqrt(above * matrix.below)
    (value,), vectors = scipy.linalg.eigh_tridiagonal(
        diagonal, beside, select="i", select_range=(index, index)
    )
    # In these units the matrix is symmetric.
    unit = np.cumprod(np.r_[1.0, np.sqrt(matrix.below / above)])
    first = unit * vectors[:, 0]
    scale = unit / first[-1]
    known = {(0, 0): vectors[:, 0] * scale}
    if i + j == 0:
        return known[0, 0]

    # Each further one is orthogonal to no vector, but keeps the last component; its eigenvalue
    # makes up for that.
    size = len(diagonal)
    bordered = np.zeros((size + 1, size + 1))
    bordered[:size, :size] = np.diag(diagonal - value) + np.diag(beside, 1) + np.diag(beside, -1)
    bordered[:size, size] = -vectors[:, 0]
    bordered[size, size - 1] = 1.0
    values: dict[tuple[int, int], float] = {}
    for power in _powers(i, j):
        if power == (0, 0):
            continue
        right = np.zeros(size)
        for a, b in _powers(*power):
            rest = known.get((power[0] - a, power[1] - b))
            if rest is None or (a, b) == (0, 0):
                continue
            right -= matrix.times((a, b), rest)
            right += values.get((a, b), 0.0) * rest
        found = np.linalg.solve(bordered, np.r_[right / scale, 0.0])
        known[power], values[power] = found[:size] * scale, found[size]
    return known[i, j] * (math.factorial(i) * math.factorial(j))


def _polynomial(
    h2: Any, k2: Any, n: Any, p: Any, square: Any, *, order: int, i: int, j: int
) -> np.ndarray:
    shape = np.broadcast_shapes(*(np.shape(x) for x in (h2, k2, n, p, square)))
    h2, k2, n, p, square = (np.broadcast_to(x, shape).ravel() for x in (h2, k2, n, p, square))
    out = np.full(square.shape, np.nan)
    good = (h2 > 0) & (h2 < k2) & (k2 < np.inf) & (p >= 1) & (p <= 2 * n + 1) & (n <= _MOST)
    places = np.flatnonzero(good)
    harmonics, which = np.unique(
        np.stack([x[places] for x in (h2, k2, n, p)], axis=-1), axis=0, return_inverse=True
    )
    which = which.ravel()  # NumPy 2.0 returns it with the dimensions of the input
    ends = np.cumsum(np.bincount(which, minlength=len(harmonics)))[:-1]
    for harmonic, group in zip(
        harmonics, np.split(places[np.argsort(which, kind="stable")], ends), strict=True
    ):
        h, k = float(harmonic[0]), float(harmonic[1])
        found = np.polynomial.Polynomial(
            _coefficients(h, k, int(harmonic[2]), int(harmonic[3]), i, j)
        )
        out[group] = found.deriv(order)(square[group] - h)
    return out.reshape(shape)


def polynomial(
    h2: jax.Array,
    k2: jax.Array,
    n: Any,
    p: Any,
    square: jax.Array,
    *,
    order: int = 0,
    i: int = 0,
    j: int = 0,
) -> jax.Array:
    """The polynomial q at s^2 - h^2, or a derivative of it.

    Args:
        h2: h^2
        k2: k^2
        n: degree
        p: which of its harmonics
        square: s^2
        order: of the derivative in s^2
        i: of that of the coefficients in h^2
        j: of that of the coefficients in k^2
    """
    return _on_host(h2, k2, n, p, square, order=order, i=i, j=j)


_on_host = host_function(
    _polynomial,
    "(),(),(),(),()->()",
    batched=True,
    double=True,
    static_argnames=("order", "i", "j"),
    name="lame_polynomial",
)

_on_host.partials(
    h2=closed(
        "chain rule",
        lambda y, h2, k2, n, p, square, *, order, i, j: (
            polynomial(h2, k2, n, p, square, order=order, i=i + 1, j=j)
            - polynomial(h2, k2, n, p, square, order=order + 1, i=i, j=j)
        ),
    ),
    k2=closed(
        "definition",
        lambda y, h2, k2, n, p, square, *, order, i, j: polynomial(
            h2, k2, n, p, square, order=order, i=i, j=j + 1
        ),
    ),
    n=_INTEGER,
    p=_INTEGER,
    square=closed(
        "definition",
        lambda y, h2, k2, n, p, square, *, order, i, j: polynomial(
            h2, k2, n, p, square, order=order + 1, i=i, j=j
        ),
    ),
)


def lame(
    h2: jax.Array,
    k2: jax.Array,
    n: jax.Array,
    p: jax.Array,
    s: jax.Array,
    signm: jax.Array | float,
    signn: jax.Array | float,
) -> jax.Array:
    """E_n^p(s), in operations that JAX differentiates in h2, k2 and s."""
    of_s, of_h, of_k, _ = _species(n, p)
    value = polynomial(h2, k2, n, p, s * s) * jnp.where(of_s == 1, s, 1.0)
    for axis, used, sign in ((h2, of_h, signm), (k2, of_k, signn)):
        square = jnp.where(used, s * s - axis, 1.0)
        value = value * jnp.where(used, jnp.sign(sign) * jnp.sqrt(jnp.abs(square)), 1.0)
    return value


def square_of_lame(
    h2: jax.Array, k2: jax.Array, n: jax.Array, p: jax.Array, square: jax.Array
) -> jax.Array:
    """E_n^p(s)^2 at s^2, which has no roots in it."""
    of_s, of_h, of_k, _ = _species(n, p)
    value = polynomial(h2, k2, n, p, square) ** 2 * jnp.where(of_s == 1, square, 1.0)
    for axis, used in ((h2, of_h), (k2, of_k)):
        value = value * jnp.where(used, jnp.abs(square - axis), 1.0)
    return value


def square_of_lame_by_power(
    h2: jax.Array, k2: jax.Array, n: jax.Array, p: jax.Array, square: jax.Array
) -> jax.Array:
    """E_n^p(s)^2/s^(2n), which tends to 1 at infinity."""
    of_s, of_h, of_k, _ = _species(n, p)
    degree = (n - of_s - of_h - of_k) // 2
    value = (polynomial(h2, k2, n, p, square) * square ** (-1.0 * degree)) ** 2
    for axis, used in ((h2, of_h), (k2, of_k)):
        value = value * jnp.where(used, jnp.abs(1 - axis / square), 1.0)
    return value
