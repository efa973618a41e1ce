"""LAPACK for stacks of matrices: Schur forms, eigenvalues and vectors, Sylvester's equation.

The compiled extension goes through a stack without the interpreter lock, so that threads share the
work; without the extension SciPy's wrappers are called in a loop, with the same bits. Stacks have
the shape (b, n, n), and hold doubles. A matrix for which there is no result gives NaN.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from jaxsci._core.host_evaluation import no_result
from jaxsci._core.lowering import chunks
from jaxsci.linalg._infra import lapack_slices
from jaxsci.linalg._infra.blas import SMALL

Stack = np.ndarray
"""Matrices, shape (b, n, n)."""

try:
    _routines: Any = importlib.import_module("jaxsci._native._lapack")
except ImportError:
    _routines = lapack_slices

_WORTH_SHARING = 100e3
"""Operations that take longer than a thread takes to start."""

_CALL = 1e3
"""What a call of LAPACK costs besides the work, in operations."""


def schur(a: Stack) -> tuple[Stack, Stack]:
    """T and Z of a = Z T Z^H: real ones of a real stack, complex ones of a complex one."""
    t = _columns(a)
    z, info = np.empty_like(t), np.zeros(len(t), np.int32)
    _routines.schur(t, z, info, _threads(25, t.shape[-1], len(t)))
    return _rows(t, info), _rows(z, info)


def eig(a: Stack, *, left: bool, right: bool) -> tuple[np.ndarray, Stack, Stack]:
    """Eigenvalues, shape (b, n), left vectors and right ones; all complex.

    Vectors that are not wanted are an empty stack.
    """
    work = _columns(a)
    count, n, _ = work.shape
    w, info = np.empty((count, n), complex), np.zeros(count, np.int32)
    vl, vr = (np.empty((count if wanted else 0, n, n), complex) for wanted in (left, right))
    _routines.eig(work, w, vl, vr, info, _threads(25, n, count))
    return without(w, info != 0), _rows(vl, info), _rows(vr, info)


def sylvester_of_schur_forms(r: Stack, s: Stack, f: np.ndarray) -> np.ndarray:
    """Y with r Y + Y s^H = f, for Schur forms r and s of f's dtype; one r and one s may serve all.

    NaN also where LAPACK had to change the equation to solve it.
    """
    x = _columns(f)
    count, n, m = x.shape
    scale, info = np.ones(count), np.zeros(count, np.int32)
    forms = [np.ascontiguousarray(t.swapaxes(-1, -2)) for t in (r, s)]  # only read
    threads = _threads(2, max(m, n), count)
    _routines.sylvester_of_schur_forms(*forms, x, scale, info, threads)
    with np.errstate(divide="ignore", invalid="ignore"):
        x = x / scale[:, None, None]
    return _rows(x, np.where(scale == 0, 1, info))


def has_sylvester(order: int) -> bool:
    """Whether there is `sylvester` for matrices up to this order: in the extension, small ones."""
    return order <= SMALL and hasattr(_routines, "sylvester")


def sylvester(a: Stack, b: Stack, q: np.ndarray, uncertainty: float) -> np.ndarray:
    """X with a X + X b = q, by one Schur form, for matrices of q's dtype; one may serve all.

    Args:
        a: shape (b or 1, m, m).
        b: shape (b or 1, n, n).
        q: shape (b or 1, m, n).
        uncertainty: of eigenvalues, relative to the size of the matrix. X is NaN where the sum of
            an eigenvalue of a and one of b is no larger.
    """
    count = max(len(a), len(b), len(q))
    x = np.array(np.broadcast_to(q, (count, *q.shape[1:])), order="C")
    info = np.zeros(count, np.int32)
    # Read by columns, rows are the transposed matrices, and the equation b^T X^T + X^T a^T = q^T.
    p, r = np.ascontiguousarray(b), np.ascontiguousarray(a)
    _routines.sylvester(p, r, x, uncertainty, info, _threads(35, max(q.shape[-2:]), count))
    return without(x, info != 0)


def _columns(x: np.ndarray) -> np.ndarray:
    """A copy of a stack, as LAPACK has matrices."""
    return np.array(x.swapaxes(-1, -2), order="C")


def _rows(x: np.ndarray, info: np.ndarray) -> np.ndarray:
    """Columns turned back, NaN where LAPACK reports a failure."""
    return without(x, info[: len(x)] != 0).swapaxes(-1, -2)


def without(x: np.ndarray, where: np.ndarray) -> np.ndarray:
    """The stack, in which NaN (in both parts) stands in the places so marked."""
    if where.any():
        x[where] = no_result((), x.dtype)
    return x


def _threads(cubes: float, n: int, count: int) -> int:
    """How many threads share a stack: more than one of small matrices, where that pays.

    Args:
        cubes: how many operations a matrix takes, in units of n^3.
        n: its order.
        count: how many there are.
    """
    if n > SMALL:
        return 1
    return max(1, min(chunks.workers(), int(count * (_CALL + cubes * n**3) / _WORTH_SHARING)))
