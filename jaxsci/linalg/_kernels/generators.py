"""Linear systems that the derivatives of Schur forms solve: for what turns the Schur vectors.

A unitary matrix that depends on a parameter turns by a skew generator, dZ = Z (X - X^H), X
strictly lower triangular. That the form stays triangular is a linear system for X, solved column
by column from the left; blocks of two stand for pairs of complex eigenvalues of real matrices. Its
transpose, which reverse mode needs, is solved from the right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from jaxsci.linalg._infra.host import NoResult, host


def blocks(t: np.ndarray) -> list[tuple[int, int]]:
    """First and last (exclusive) column of each diagonal block."""
    found, start, n = [], 0, len(t)
    while start < n:
        stop = start + 1 + (start + 1 < n and t[start + 1, start] != 0)
        found.append((start, stop))
        start = stop
    return found


# -- Schur -----------------------------------------------------------------------------------------


def _commuting(t22: np.ndarray, t11: np.ndarray, right: np.ndarray, adjoint: bool) -> np.ndarray:
    """Y with t22 Y - Y t11 = right, or the same of the conjugate transposed matrices."""
    (trsyl,) = scipy.linalg.get_lapack_funcs(("trsyl",), (t22, right))
    how = "C" if adjoint else "N"
    y, scale, info = trsyl(t22, t11, right, trana=how, tranb=how, isgn=-1)
    if info != 0 or scale == 0:  # 1: eigenvalues agree to rounding
        raise NoResult
    return y / scale


@host("(n,n),(n,n)->(n,n)")
def schur_generator(t: np.ndarray, p: np.ndarray) -> np.ndarray:
    """X, below the diagonal blocks of t, with X t - t X = p there."""
    x = np.zeros_like(p)
    for j, k in blocks(t)[:-1]:
        right = x[k:, :j] @ t[:j, j:k] - p[k:, j:k]
        x[k:, j:k] = _commuting(t[k:, k:], t[j:k, j:k], right, adjoint=False)
    return x


@host("(n,n),(n,n)->(n,n)")
def _schur_transposed(t: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Y, below the diagonal blocks of t, with Y t^T - t^T Y = r there."""
    y = np.zeros_like(r)
    c = t.conj()
    for j, k in reversed(blocks(t)[:-1]):
        right = y[k:, k:] @ t[j:k, k:].T - r[k:, j:k]
        y[k:, j:k] = _commuting(c[k:, k:], c[j:k, j:k], right, adjoint=True)
    return y


schur_generator.jvp(
    lambda x, xs, ts: schur_generator(xs[0], ts[1] - (x @ ts[0] - ts[0] @ x))
).linear_in("p", lambda x, t: _schur_transposed(t, x))
_schur_transposed.jvp(
    lambda y, xs, ts: _schur_transposed(xs[0], ts[1] - (y @ ts[0].T - ts[0].T @ y))
).linear_in("r", lambda y, t: schur_generator(t, y))


# -- Hessenberg ------------------------------------------------------------------------------------


@host("(n,n),(n,n)->(n,n)")
def hessenberg_generator(h: np.ndarray, p: np.ndarray) -> np.ndarray:
    """X, strictly lower and zero in the first column, with X h - h X = p below the subdiagonal."""
    x = np.zeros_like(p)
    for j in range(len(h) - 2):
        right = p[j + 2 :, j] - x[j + 2 :, : j + 1] @ h[: j + 1, j] + h[j + 2 :] @ x[:, j]
        x[j + 2 :, j + 1] = right / _pivot(h, j)
    return x


@host("(n,n),(n,n)->(n,n)")
def _hessenberg_transposed(h: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Y, below the subdiagonal, with Y h^T - h^T Y = r where the generator is not zero."""
    y = np.zeros_like(r)
    for j in reversed(range(len(h) - 2)):
        i = j + 1
        right = r[j + 2 :, i] - y[j + 2 :, i:] @ h[i, i:] + (h.T @ y[:, i])[j + 2 :]
        y[j + 2 :, j] = right / _pivot(h, j)
    return y


def _pivot(h: np.ndarray, j: int) -> Any:
    """The element of the subdiagonal: zero where the reduction breaks down."""
    if abs(h[j + 1, j]) <= 4 * np.finfo(float).eps * np.max(np.abs(h)):
        raise NoResult
    return h[j + 1, j]


hessenberg_generator.jvp(
    lambda x, xs, ts: hessenberg_generator(xs[0], ts[1] - (x @ ts[0] - ts[0] @ x))
).linear_in("p", lambda x, h: _hessenberg_transposed(h, x))
_hessenberg_transposed.jvp(
    lambda y, xs, ts: _hessenberg_transposed(xs[0], ts[1] - (y @ ts[0].T - ts[0].T @ y))
).linear_in("r", lambda y, h: hessenberg_generator(h, y))
