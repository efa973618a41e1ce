"""Linear algebra at many digits, by mpmath: what SciPy's functions are defined to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

mp: Any = mpmath.mp
"""mpmath's functions, of which its type knows but few."""
Matrix = Any


def identity(n: int) -> Matrix:
    return mp.eye(n)


def solved(a: Matrix, b: Matrix) -> Matrix:
    """The solution of a x = b, for all columns of b."""
    return mp.inverse(a) * b


def toeplitz(c: Matrix, r: Matrix) -> Matrix:
    """The matrix of a first column and a first row, whose first element is not read."""
    m, n = len(c), len(r)
    return mp.matrix([[c[i - j] if i >= j else r[j - i] for j in range(n)] for i in range(m)])


def circulant(c: Matrix) -> Matrix:
    n = len(c)
    return mp.matrix([[c[(i - j) % n] for j in range(n)] for i in range(n)])


def tridiagonal(lower: Matrix, diagonal: Matrix, upper: Matrix) -> Matrix:
    a = mp.diag(list(diagonal))
    for i in range(len(diagonal) - 1):
        a[i, i + 1], a[i + 1, i] = upper[i], lower[i]
    return a


def row(a: Matrix, i: int) -> list[Any]:
    return [a[i, j] for j in range(a.cols)]


def stacked(a: Matrix, b: Matrix) -> Matrix:
    """One above the other."""
    return mp.matrix([row(x, i) for x in (a, b) for i in range(x.rows)])


def without_row(a: Matrix, k: int) -> Matrix:
    return mp.matrix([row(a, i) for i in range(a.rows) if i != k])


def lower_part(a: Matrix) -> Matrix:
    return mp.matrix([[a[i, j] if i >= j else 0 for j in range(a.cols)] for i in range(a.rows)])


def symmetric_part(a: Matrix) -> Matrix:
    return (a + a.T) / 2


def factors_without_signs(a: Matrix) -> tuple[Matrix, Matrix]:
    """Q and R of a matrix of full column rank, R's diagonal positive: R^T R = a^T a."""
    r = mp.cholesky(a.T * a).T
    return a * mp.inverse(r), r


def triangular_from_the_left(a: Matrix) -> Matrix:
    """R of a square a = R Q, its diagonal positive: R R^T = a a^T."""
    n = a.rows
    b = a * a.T
    turned = mp.matrix([[b[n - 1 - i, n - 1 - j] for j in range(n)] for i in range(n)])
    c = mp.cholesky(turned)
    return mp.matrix([[c[n - 1 - i, n - 1 - j] for j in range(n)] for i in range(n)])


def eliminated(a: Matrix) -> tuple[Matrix, Matrix]:
    """L and U of Gaussian elimination with partial pivoting, rows permuted."""
    n = a.rows
    u, lower = a.copy(), mp.zeros(n)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(u[i, k]))
        for j in range(n):
            u[k, j], u[p, j] = u[p, j], u[k, j]
            lower[k, j], lower[p, j] = lower[p, j], lower[k, j]
        lower[k, k] = 1
        for i in range(k + 1, n):
            factor = u[i, k] / u[k, k]
            lower[i, k] = factor
            for j in range(n):
                u[i, j] = 0 if j <= k else u[i, j] - factor * u[k, j]
    return lower, u


def hessenberg_without_signs(a: Matrix) -> Matrix:
    """Arnoldi's matrix from the first unit vector; its subdiagonal is positive."""
    n = a.rows
    h, basis = mp.zeros(n), [mp.matrix([1] + [0] * (n - 1))]
    for k in range(n):
        w = a * basis[k]
        for i in range(k + 1):
            h[i, k] = (basis[i].T * w)[0]
            w = w - h[i, k] * basis[i]
        if k + 1 < n:
            h[k + 1, k] = mp.norm(w)
            basis.append(w / h[k + 1, k])
    return h


def eigenvalues(a: Matrix) -> Matrix:
    """Those of a matrix whose eigenvalues are real, ascending."""
    return mp.matrix(sorted(mp.re(w) for w in mp.eig(a, left=False, right=False)))


def of_symmetric(a: Matrix) -> tuple[Matrix, Matrix]:
    """Eigenvalues, ascending, and the projector onto the lowest one's vector."""
    w, v = mp.eigsy(symmetric_part(a))
    first = v[:, 0]
    return w, first * first.T


def singular(a: Matrix) -> tuple[Matrix, Matrix]:
    """Singular values, descending, and the product of the first pair of vectors."""
    u, s, v = mp.svd_r(a)
    return s, u[:, 0] * v[0, :]


def unitary_factor(a: Matrix) -> Matrix:
    """That of the polar decomposition."""
    u, _, v = mp.svd_r(a)
    return u * v


GUARD = 30
"""Digits beside those of a result, against what eigenvectors lose."""


def of_eigenvalues(f: Callable[[Any], Any], a: Matrix) -> Matrix:
    """A function of a matrix with simple, real eigenvalues."""
    with mp.extradps(GUARD):
        w, v = mp.eig(a)
        y = v * mp.diag([f(mp.re(x)) for x in w]) * mp.inverse(v)
        return y.apply(mp.re)


def exponential_along(a: Matrix, e: Matrix) -> Matrix:
    """The derivative of exp at a along e: a block of exp([[a, e], [0, a]])."""
    n = a.rows
    block = mp.zeros(2 * n)
    block[:n, :n], block[:n, n:], block[n:, n:] = a, e, a
    return mp.expm(block)[:n, n:]


def sylvester(a: Matrix, b: Matrix, q: Matrix) -> Matrix:
    """X with a X + X b = q, by the system of all entries."""
    m, n = a.rows, b.rows
    system = mp.zeros(m * n)
    for i in range(m):
        for j in range(n):
            for k in range(m):
                system[i * n + j, k * n + j] += a[i, k]
            for k in range(n):
                system[i * n + j, i * n + k] += b[k, j]
    x = mp.lu_solve(system, mp.matrix([q[i, j] for i in range(m) for j in range(n)]))
    return mp.matrix([[x[i * n + j] for j in range(n)] for i in range(m)])


def stein(a: Matrix, q: Matrix) -> Matrix:
    """X with a X a^T - X + q = 0, by the system of all entries."""
    n = a.rows
    system = mp.zeros(n * n)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                for m in range(n):
                    system[i * n + j, k * n + m] = (i == k and j == m) - a[i, k] * a[j, m]
    x = mp.lu_solve(system, mp.matrix([q[i, j] for i in range(n) for j in range(n)]))
    return mp.matrix([[x[i * n + j] for j in range(n)] for i in range(n)])


NEWTONS_STEPS = 6
"""From a solution in double precision: each step doubles the digits."""


def riccati(a: Matrix, b: Matrix, q: Matrix, r: Matrix, start: np.ndarray) -> Matrix:
    """The stabilising solution of the continuous equation, by Newton's method from one nearby."""
    x = mp.matrix(start.tolist())
    for _ in range(NEWTONS_STEPS):
        gain = solved(r, b.T * x)
        closed = a - b * gain
        x = symmetric_part(sylvester(closed.T, closed, -(q + gain.T * r * gain)))
    return x


def discrete_riccati(a: Matrix, b: Matrix, q: Matrix, r: Matrix, start: np.ndarray) -> Matrix:
    """The stabilising solution of the discrete equation, likewise."""
    x = mp.matrix(start.tolist())
    for _ in range(NEWTONS_STEPS):
        gain = solved(r + b.T * x * b, b.T * x * a)
        closed = a - b * gain
        x = symmetric_part(stein(closed.T, q + gain.T * r * gain))
    return x


def angles(a: Matrix, b: Matrix) -> Matrix:
    """Between the ranges of two matrices, decreasing."""
    qa, _ = factors_without_signs(a)
    qb, _ = factors_without_signs(b)
    cosines = mp.svd_r(qa.T * qb, compute_uv=False)
    return mp.matrix(sorted((mp.acos(c) for c in cosines), reverse=True))


def projector(a: Matrix) -> Matrix:
    """The orthogonal one onto the range of a matrix of full column rank."""
    return a * mp.inverse(a.T * a) * a.T
