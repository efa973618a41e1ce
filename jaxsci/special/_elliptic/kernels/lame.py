"""Lame polynomials with their derivatives, for the rules of ellipsoidal harmonics.

E_n^p(s) is a product of roots of s^2, |s^2 - h^2| and |s^2 - k^2| and of a polynomial q in s^2 with
the highest coefficient 1, which solves Heun's equation (DLMF 31.2.1, 31.5). In powers of s^2 - h^2
its coefficients are an eigenvector of a tridiagonal matrix that is a polynomial in h^2 and k^2, so
their derivatives follow from those of the matrix: perturbation theory to any order.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from numpy.polynomial import polynomial as polynomials

from jaxsci._core.elementwise_rules import closed, missing
from jaxsci._core.make_host_function import host_function

_MOST = 1000
_SMALL = 32
"""Up to this size all eigenvectors are found as fast as one."""
_ENTRIES = 10**6
"""Of matrices that are in memory together."""
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

    Its entries are those of Heun's three-term recurrence (DLMF 31.3.2) at h^2, times h^2. There is
    one for each pair of h^2 and k^2, along the first axis.
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
            out[:, :-1] += self.above[power] * x[:, 1:]
        return out


def _matrix(h2: np.ndarray, k2: np.ndarray, n: int, p: int) -> _Matrix:
    of_s, of_h, of_k, _ = (int(x) for x in _species(n, p))
    alpha = (of_s + of_h + of_k - n) / 2
    beta = (of_s + of_h + of_k + n + 1) / 2
    gamma, delta, epsilon = of_h + 0.5, of_s + 0.5, of_k + 0.5
    h2, k2 = h2[:, None], k2[:, None]
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


def _eigenpairs(
    diagonal: np.ndarray, beside: np.ndarray, index: int
) -> tuple[np.ndarray, np.ndarray]:
    """One eigenvalue of each symmetric tridiagonal matrix, in ascending order, and its vector."""
    if diagonal.shape[1] <= _SMALL:
        values, vectors = np.linalg.eigh(_tridiagonal(diagonal, beside))
        return values[:, index], vectors[:, :, index]
    pairs = [
        scipy.linalg.eigh_tridiagonal(d, e, select="i", select_range=(index, index))
        for d, e in zip(diagonal, beside, strict=True)
    ]
    return np.array([values[0] for values, _ in pairs]), np.array([v[:, 0] for _, v in pairs])


def _tridiagonal(diagonal: np.ndarray, beside: np.ndarray) -> np.ndarray:
    count, size = diagonal.shape
    out = np.zeros((count, size, size))
    j = np.arange(size)
    out[:, j, j] = diagonal
    out[:, j[:-1], j[1:]] = out[:, j[1:], j[:-1]] = beside
    return out


def _coefficients(h2: np.ndarray, k2: np.ndarray, n: int, p: int, i: int, j: int) -> np.ndarray:
    """The derivative, i times in h^2 and j times in k^2, of the coefficients of q, in rows."""
    matrix = _matrix(h2, k2, n, p)
    index = int(_species(n, p)[3]) - 1
    diagonal, above = matrix.diagonal[0, 0], matrix.above[0, 0]
    beside = np.sqrt(above * matrix.below)
    value, vectors = _eigenpairs(diagonal, beside, index)
    # In these units the matrix is symmetric.
    count, size = diagonal.shape
    unit = np.cumprod(np.c_[np.ones(count), np.sqrt(matrix.below / above)], axis=1)
    scale = unit / (unit * vectors)[:, -1:]
    known = {(0, 0): vectors * scale}
    if i + j == 0:
        return known[0, 0]

    # Each further one is orthogonal to no vector, but keeps the last component; its eigenvalue
    # makes up for that.
    bordered = np.zeros((count, size + 1, size + 1))
    bordered[:, :size, :size] = _tridiagonal(diagonal - value[:, None], beside)
    bordered[:, :size, size] = -vectors
    bordered[:, size, size - 1] = 1.0
    values: dict[tuple[int, int], np.ndarray] = {}
    for power in _powers(i, j):
        if power == (0, 0):
            continue
        right = np.zeros((count, size))
        for a, b in _powers(*power):
            rest = known.get((power[0] - a, power[1] - b))
            if rest is None or (a, b) == (0, 0):
                continue
            right -= matrix.times((a, b), rest)
            right += values.get((a, b), 0.0) * rest
        right = np.c_[right / scale, np.zeros(count)]
        found = np.linalg.solve(bordered, right[:, :, None])[:, :, 0]
        known[power], values[power] = found[:, :size] * scale, found[:, size:]
    return known[i, j] * (math.factorial(i) * math.factorial(j))


def _polynomial(
    h2: Any, k2: Any, n: Any, p: Any, square: Any, *, order: int, i: int, j: int
) -> np.ndarray:
    shape = np.broadcast_shapes(*(np.shape(x) for x in (h2, k2, n, p, square)))
    h2, k2, n, p, square = (np.broadcast_to(x, shape).ravel() for x in (h2, k2, n, p, square))
    out = np.full(square.shape, np.nan)
    good = (h2 > 0) & (h2 < k2) & (k2 < np.inf) & (p >= 1) & (p <= 2 * n + 1) & (n <= _MOST)
    places = np.flatnonzero(good)
    for (degree, harmonic), group in _groups(places, n, p):
        for part in np.array_split(group, -(-len(group) * degree**2 // _ENTRIES) or 1):
            axes, which = _groups_of_axes(h2[part], k2[part])
            rows = _coefficients(axes[:, 0], axes[:, 1], degree, harmonic, i, j)
            columns = polynomials.polyder(rows.T, order)[:, which]
            out[part] = polynomials.polyval(square[part] - h2[part], columns, tensor=False)
    return out.reshape(shape)


def _groups(places: np.ndarray, n: np.ndarray, p: np.ndarray) -> Iterator[tuple[Any, np.ndarray]]:
    """The places of each degree and harmonic."""
    pairs, which = np.unique(np.stack([n, p], axis=-1)[places], axis=0, return_inverse=True)
    which = which.ravel()  # NumPy 2.0 returns it with the dimensions of the input
    for k, pair in enumerate(pairs):
        yield tuple(map(int, pair)), places[which == k]


def _groups_of_axes(h2: np.ndarray, k2: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each pair of h^2 and k^2 once, and which one elements have."""
    axes, which = np.unique(np.stack([h2, k2], axis=-1), axis=0, return_inverse=True)
    return axes, which.ravel()


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
