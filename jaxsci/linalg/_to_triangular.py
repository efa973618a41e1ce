"""Schur forms of stacks of matrices, for functions of triangular matrices."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import scipy.linalg

_EPS = np.finfo(float).eps


def schur(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The complex Schur forms t and unitary matrices q of a stack: a = q t q^H.

    Triangular matrices stay as they are. A matrix without imaginary parts goes through its real
    Schur form, which keeps real eigenvalues real: on which side of a branch cut they are is not
    left to rounding. For the same reason, and as its eigenvalues are double ones, a matrix of
    blocks [[b, e], [0, b]] (or transposed) goes through that of b. An eigenvalue that is zero to
    rounding is zero.
    """
    t = np.zeros(a.shape, complex)
    q = np.zeros(a.shape, complex)
    for i, x in enumerate(a):
        t[i], q[i] = _schur_of_one(x)
    return t, q


def _schur_of_one(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    n = len(a)
    if not np.tril(a, -1).any():
        return a.astype(complex), np.eye(n, dtype=complex)
    if n % 2 == 0:
        k = n // 2
        upper, lower = a[:k, k:], a[k:, :k]
        if not (upper.any() and lower.any()) and np.array_equal(a[:k, :k], a[k:, k:]):
            return _schur_of_blocks(a[:k, :k], upper + lower, bool(lower.any()))
    if np.imag(a).any():
        t, q = _gees(a)
    else:
        t, q = _gees(np.ascontiguousarray(np.real(a)))
        if np.diag(t, -1).any():
            # Pairs of complex eigenvalues. The others stand apart, and stay what they are.
            t, turn = _gees(t.astype(complex))
            q = q @ turn
    t = np.triu(t).astype(complex)
    diagonal = np.diag(t) + 0.0  # no negative zeros beside the branch cut
    zero = np.abs(diagonal) <= _EPS * np.linalg.norm(t)
    np.fill_diagonal(t, np.where(zero, 0.0, diagonal))
    return t, q.astype(complex)


def _schur_of_blocks(
    b: np.ndarray, e: np.ndarray, transposed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Of [[b, e], [0, b]], or with e below."""
    t, q = _schur_of_one(b)
    zero = np.zeros_like(t)
    whole = np.block([[t, q.conj().T @ e @ q], [zero, t]])
    return whole, np.block([[zero, q], [q, zero]] if transposed else [[q, zero], [zero, q]])


def _gees(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    gees, work = _routine(a.dtype.char, len(a))
    out = gees(_no_choice, a, lwork=work)
    if out[-1] != 0:
        return np.full_like(a, np.nan), np.full_like(a, np.nan)
    return out[0], out[-3]


@functools.lru_cache(maxsize=64)
def _routine(dtype: str, n: int) -> tuple[Callable[..., tuple[np.ndarray, ...]], int]:
    """LAPACK's routine and the size of its workspace."""
    a = np.eye(n, dtype=dtype)
    (gees,) = scipy.linalg.get_lapack_funcs(("gees",), (a,))
    return gees, int(gees(_no_choice, a, lwork=-1)[-2][0].real)


def _no_choice(*_: object) -> None:
    return None
