"""Functions of upper triangular matrices, in NumPy, for stacks of matrices at once.

Every function takes a stack of complex upper triangular matrices, shape (b, n, n), and returns one.
A matrix for which there is no result gives NaN. What the loops run over is the order of the
matrices: the stack goes through each step as a whole. A matrix's result does not depend on the
others in its stack.

Eigenvalues may be equal or close: nothing is divided by their difference (but in `involution`, by
that of eigenvalues on two sides). Logarithms, exponentials and powers have their diagonal, and what
is beside it, from the eigenvalues by themselves, to full relative accuracy.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
import scipy.linalg

from jaxsci.linalg._kernels.frobenius import frobenius

_EPS = np.finfo(float).eps


# -- one superdiagonal after the other -------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def _between(n: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For the entries (i, i + k): i, and the indices i + m that lie between, m = 1 .. k - 1."""
    i = np.arange(n - k)
    return i, i + k, i + np.arange(1, k)[:, None]


def _products(a: np.ndarray, b: np.ndarray, k: int) -> np.ndarray:
    """Of strictly triangular parts: entries (i, i + k) of a b, from lower superdiagonals alone."""
    i, j, m = _between(a.shape[-1], k)
    return np.sum(a[:, i, m] * b[:, m, j], axis=1)


def _along_diagonals(
    diagonal: np.ndarray, entry: Callable[[np.ndarray, int, np.ndarray, np.ndarray], np.ndarray]
) -> np.ndarray:
    """A stack from its diagonal, and a function that gives each superdiagonal from those below."""
    n = diagonal.shape[-1]
    x = np.zeros((*diagonal.shape, n), complex)
    x[:, np.arange(n), np.arange(n)] = diagonal
    for k in range(1, n):
        i, j, _ = _between(n, k)
        x[:, i, j] = entry(x, k, i, j)
    return x


def _diagonal(t: np.ndarray) -> np.ndarray:
    return np.diagonal(t, axis1=-2, axis2=-1)


def _norms(x: np.ndarray) -> np.ndarray:
    """1-norms of a stack."""
    return np.max(np.sum(np.abs(x), axis=-2), axis=-1, initial=0.0)


# -- square root -----------------------------------------------------------------------------------

_BLOCK = 32


def square_root(t: np.ndarray) -> np.ndarray:
    """The principal square roots, by Björck and Hammarling's recurrence.

    An eigenvalue zero is allowed where the root exists.
    """
    n = t.shape[-1]
    if n > _BLOCK and _diagonal(t).all():
        return np.stack([_root_by_halves(x) for x in t])
    root = np.sqrt(_diagonal(t))
    tiny = n * _EPS * frobenius(t)[:, None]

    def entry(r: np.ndarray, k: int, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        rest = t[:, i, j] - _products(r, r, k)
        total = root[:, i] + root[:, j]
        return np.where(total != 0, rest / total, np.where(np.abs(rest) <= tiny, 0.0, np.nan))

    return _along_diagonals(root, entry)


def _root_by_halves(t: np.ndarray) -> np.ndarray:
    n = len(t)
    if n <= _BLOCK:
        return square_root(t[None])[0]
    k = n // 2
    r = np.zeros_like(t)
    r[:k, :k] = _root_by_halves(t[:k, :k])
    r[k:, k:] = _root_by_halves(t[k:, k:])
    r[:k, k:] = _sylvester(r[:k, :k], r[k:, k:], t[:k, k:])
    return r


_LEAVE = 64
"""Triangular matrices up to this order go to LAPACK, which works with them element by element."""


def _sylvester(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """X with a X + X b = c, for upper triangular a and b: halves, down to LAPACK's."""
    m, n = c.shape
    if max(m, n) <= _LEAVE:
        (trsyl,) = scipy.linalg.get_lapack_funcs(("trsyl",), (c,))
        x, scale, info = trsyl(a, b, c)
        return x / scale if info == 0 and scale != 0 else np.full_like(c, np.nan)
    x = np.empty_like(c)
    if m >= n:
        k = m // 2
        x[k:] = _sylvester(a[k:, k:], b, c[k:])
        x[:k] = _sylvester(a[:k, :k], b, c[:k] - a[:k, k:] @ x[k:])
    else:
        k = n // 2
        x[:, :k] = _sylvester(a, b[:k, :k], c[:, :k])
        x[:, k:] = _sylvester(a, b[k:, k:], c[:, k:] - x[:, :k] @ b[:k, k:])
    return x


def _times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of stacks of upper triangular matrices."""
    if a.shape[-1] <= _LEAVE:
        return a @ b
    k = a.shape[-1] // 2
    x = np.zeros_like(a)
    x[:, :k, :k] = _times(a[:, :k, :k], b[:, :k, :k])
    x[:, k:, k:] = _times(a[:, k:, k:], b[:, k:, k:])
    x[:, :k, k:] = a[:, :k, :k] @ b[:, :k, k:] + a[:, :k, k:] @ b[:, k:, k:]
    return x


def _solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a^-1 b for stacks of upper triangular matrices."""
    if a.shape[-1] <= _LEAVE:
        return np.linalg.solve(a, b)
    k = a.shape[-1] // 2
    x = np.zeros_like(b)
    x[:, :k, :k] = _solve(a[:, :k, :k], b[:, :k, :k])
    x[:, k:, k:] = _solve(a[:, k:, k:], b[:, k:, k:])
    rest = b[:, :k, k:] - a[:, :k, k:] @ x[:, k:, k:]
    for i in range(len(a)):
        x[i, :k, k:] = scipy.linalg.solve_triangular(a[i, :k, :k], rest[i], check_finite=False)
    return x


# -- sign ------------------------------------------------------------------------------------------


def sign(t: np.ndarray) -> np.ndarray:
    """The matrix sign, NaN where an eigenvalue is on the imaginary axis."""
    real = np.real(_diagonal(t))
    level = 10 * _EPS * frobenius(t)[:, None]
    return involution(t, np.where(np.abs(real) > level, np.sign(real), np.nan))


def involution(t: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """S that commutes with t, has S S = I, and these signs as its eigenvalues, shape (b, n).

    Where the signs of two eigenvalues of t agree, the entry follows from S S = I, elsewhere from
    S t = t S (Higham, Functions of Matrices (2008), algorithm 5.5).
    """
    eigenvalues = _diagonal(t)

    def entry(s: np.ndarray, k: int, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        agree = signs[:, i] == signs[:, j]
        gap = np.where(agree, 1.0, eigenvalues[:, i] - eigenvalues[:, j])
        commuting = t[:, i, j] * (signs[:, i] - signs[:, j])
        commuting = commuting + _products(s, t, k) - _products(t, s, k)
        return np.where(agree, -_products(s, s, k) / (2 * signs[:, i]), commuting / gap)

    return _along_diagonals(signs, entry)


# -- logarithm -------------------------------------------------------------------------------------

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_NEAR_ONE = 0.36
"""Up to this norm of t - 1 the Padé approximant with 8 nodes is exact to rounding."""
_MOST_ROOTS = 100


def _log_difference(eigenvalues: np.ndarray) -> np.ndarray:
    """log(next) - log(this) along the diagonal, accurate where they are close."""
    a, b = eigenvalues[:, :-1], eigenvalues[:, 1:]
    plain = np.log(b) - np.log(a)
    z = (b - a) / np.where(a + b == 0, 1.0, a + b)
    near = (np.abs(z) < 0.5) & (a + b != 0)
    small = 2 * np.arctanh(np.where(near, z, 0.0))
    turns = np.round(np.imag(plain - small) / (2 * np.pi))
    return np.where(near, small + 2j * np.pi * turns, plain)


def _quotient(difference: np.ndarray, eigenvalues: np.ndarray) -> np.ndarray:
    """The divided difference of log, from its difference."""
    a, b = eigenvalues[:, :-1], eigenvalues[:, 1:]
    return np.where(a == b, 1 / a, difference / np.where(a == b, 1.0, b - a))


def _reach(x: np.ndarray) -> np.ndarray:
    """What decides on the error of an approximant at x: norms of its powers, not of x alone.

    A. H. Al-Mohy and N. J. Higham, SIAM J. Sci. Comput. 34 (2012) C153.
    """
    x2 = _times(x, x)
    d2, d3 = _norms(x2) ** (1 / 2), _norms(_times(x2, x)) ** (1 / 3)
    d4 = _norms(_times(x2, x2)) ** (1 / 4)
    return np.minimum(_norms(x), np.minimum(np.maximum(d2, d3), np.maximum(d3, d4)))


def _is_far(x: np.ndarray) -> np.ndarray:
    """Which matrices the approximant of the logarithm does not reach."""
    # Norms of powers are at least the eigenvalues' and at most the norm's: often that is enough.
    far = ~(np.max(np.abs(_diagonal(x)), axis=-1, initial=0.0) <= _NEAR_ONE)
    open_ = ~far & ~(_norms(x) <= _NEAR_ONE)
    if open_.any():
        far[open_] = ~(_reach(x[open_]) <= _NEAR_ONE)
    return far


def logarithm(t: np.ndarray) -> np.ndarray:
    """The principal logarithms: square roots until a matrix is near 1, then a Padé approximant."""
    n = t.shape[-1]
    at, beside = np.arange(n), np.arange(n - 1)
    eigenvalues = _diagonal(t)
    logs = np.log(eigenvalues)
    difference = _log_difference(eigenvalues)
    quotient = _quotient(difference, eigenvalues)
    middle = (logs[:, :-1] + logs[:, 1:]) / 2
    root = t.copy()
    taken = np.zeros(len(t))
    far = np.asarray(np.isfinite(logs).all(axis=-1))
    result = np.where(far[:, None, None], 0.0, np.full_like(t, np.nan))
    good = far.copy()
    x = root - np.eye(n)
    for _ in range(_MOST_ROOTS):
        far[far] = _is_far(x[far])
        if not far.any():
            break
        root[far] = square_root(root[far])
        taken[far] += 1
        x[far] = root[far] - np.eye(n)
        power = 2.0 ** -taken[far][:, None]
        rows = np.flatnonzero(far)[:, None]
        x[rows, at, at] = np.expm1(power * logs[far])
        # The divided difference of the root, from that of the logarithm.
        half = power * difference[far] / 2
        x[rows, beside, beside + 1] = (
            t[rows, beside, beside + 1]
            * quotient[far]
            * (power * np.exp(power * middle[far]) * _sinhc(half))
        )
    good &= ~far
    x = x[good]
    total = np.zeros_like(x)
    for node, weight in zip(_NODES, _WEIGHTS, strict=True):
        total += _solve(np.eye(n) + (1 + node) / 2 * x, weight / 2 * x)
    result[good] = np.triu(total) * 2.0 ** taken[good][:, None, None]
    result[:, at, at] = np.where(good[:, None], logs, np.nan)
    result[:, beside, beside + 1] = np.where(
        good[:, None], t[:, beside, beside + 1] * quotient, np.nan
    )
    return result


# -- exponential and powers ------------------------------------------------------------------------

_DEGREE = 9
_PADE = [
    math.comb(_DEGREE, j) * math.factorial(2 * _DEGREE - j) / math.factorial(2 * _DEGREE)
    for j in range(_DEGREE + 1)
]
_SMALL = 2.0


def _sinhc(z: np.ndarray) -> np.ndarray:
    """sinh(z) / z."""
    return np.where(z == 0, 1.0, np.sinh(z) / np.where(z == 0, 1.0, z))


def exponential(y: np.ndarray) -> np.ndarray:
    """The exponentials: halved until small, a Padé approximant, and squared."""
    n = y.shape[-1]
    at, beside = np.arange(n), np.arange(n - 1)
    eigenvalues = _diagonal(y)
    halved = np.ceil(np.log2(np.maximum(_reach(y) / _SMALL, 1.0)))
    good = np.asarray(np.isfinite(halved) & (halved < 1000))
    halved = np.where(good, halved, 0.0)
    x = np.where(good[:, None, None], y, 0.0) * 2.0 ** -halved[:, None, None]
    x2 = x @ x
    odd = even = power = np.broadcast_to(np.eye(n, dtype=complex), x.shape)
    odd, even = _PADE[1] * odd, _PADE[0] * even
    for j in range(2, _DEGREE + 1, 2):
        power = power @ x2
        even = even + _PADE[j] * power
        if j < _DEGREE:
            odd = odd + _PADE[j + 1] * power
    odd = x @ odd
    e = _solve(even - odd, even + odd)
    for step in range(int(np.max(halved, initial=0.0)) + 1):
        left = halved - step
        rows = np.flatnonzero(left >= 0)
        if step:
            e[rows] = e[rows] @ e[rows]
        scale = 2.0 ** -left[rows][:, None]
        z = eigenvalues[rows] * scale
        rows = rows[:, None]
        e[rows, at, at] = np.exp(z)
        e[rows, beside, beside + 1] = (
            y[rows, beside, beside + 1]
            * scale
            * np.exp((z[:, :-1] + z[:, 1:]) / 2)
            * _sinhc((z[:, 1:] - z[:, :-1]) / 2)
        )
    return np.where(good[:, None, None], np.triu(e), np.nan)
