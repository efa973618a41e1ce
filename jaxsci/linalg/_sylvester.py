"""Sylvester's equation A X + X B = Q, which the derivatives of many matrix functions solve too."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import scipy.linalg

from jaxsci.linalg._arguments import arrays, at_least, square
from jaxsci.linalg._catalog import public
from jaxsci.linalg._host import NoResult, host

_BLOCKED = 32
"""From this order on LAPACK works in blocks, and wants to be asked for its workspace."""


def schur_form(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """T and U of a = U T U^H, as scipy.linalg.schur, without what it costs for small matrices."""
    (gees,) = scipy.linalg.get_lapack_funcs(("gees",), (a,))
    if len(a) < _BLOCKED:
        t, *_, u, _, info = gees(_no_order, a)
    else:
        work = gees(_no_order, a, lwork=-1)[-2]
        t, *_, u, _, info = gees(_no_order, a, lwork=int(work[0].real))
    if info != 0:
        raise NoResult
    return t, u


def _no_order(*eigenvalue: Any) -> None:
    """Eigenvalues stay in the order in which they are found."""


def uncertainty(n: int) -> float:
    """How large rounding errors of a Schur form of order n may well be, relative to its norm."""
    return 20 * n * np.finfo(float).eps


def refuse_growth(x: np.ndarray, q: np.ndarray, scale: float) -> None:
    """Refuse a solution so large that the equation is singular for all that rounding leaves.

    Args:
        x: the solution.
        q: the right-hand side.
        scale: the size of the equation's coefficients.
    """
    if not np.abs(x).max() * (uncertainty(max(x.shape)) * scale) <= np.abs(q).max():
        raise NoResult


def eigenvalues_of(t: np.ndarray) -> np.ndarray:
    """Of a Schur form; real ones have blocks [[x, y], [z, x]] with y z < 0 on their diagonal."""
    if t.dtype.kind == "c":
        return t.diagonal()
    imaginary = np.sqrt(np.maximum(-t.diagonal(1) * t.diagonal(-1), 0))
    return t.diagonal() + 1j * (np.append(imaginary, 0) - np.append(0, imaginary))


def solve_schur(r: np.ndarray, s: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Y with r Y + Y s^H = f for Schur forms r and s that have no opposite eigenvalues."""
    scale = max(np.abs(r).max(), np.abs(s).max())
    distance = np.abs(np.add.outer(eigenvalues_of(r), eigenvalues_of(s).conj())).min()
    if distance <= uncertainty(max(f.shape)) * scale:
        raise NoResult
    (trsyl,) = scipy.linalg.get_lapack_funcs(("trsyl",), (r, s, f))
    y, factor, info = trsyl(r, s, f, tranb="C")
    # info = 1: eigenvalues that add up to zero, and the equation was perturbed to solve it.
    if info != 0 or factor == 0:
        raise NoResult
    y = y / factor
    refuse_growth(y, f, scale)
    return y


@host("(m,m),(n,n),(m,n)->(m,n)", name="solve_sylvester")
def sylvester(a: np.ndarray, b: np.ndarray, q: np.ndarray) -> Any:
    """X with a X + X b = q, by Bartels and Stewart's method, as in SciPy."""
    if q.size == 0:
        return np.zeros_like(q)
    dtype = np.result_type(a, b, q)
    r, u = schur_form(a.astype(dtype, copy=False))
    s, v = schur_form(b.conj().T.astype(dtype, copy=False))
    return u @ solve_schur(r, s, u.conj().T @ q @ v) @ v.conj().T


def _along(x: Any, arguments: Any, tangents: Any) -> Any:
    a, b, _ = arguments
    da, db, dq = tangents
    return sylvester(a, b, dq - da @ x - x @ db)


sylvester.jvp(_along)
sylvester.linear_in("q", lambda x, a, b: sylvester(a.T, b.T, x))


@public(
    "host",
    source="R. H. Bartels and G. W. Stewart, Algorithm 432, Comm. ACM 15 (1972); its differential "
    "solves the same equation",
    differentiable="in a, b and q.",
)
def solve_sylvester(a: Any, b: Any, q: Any) -> jax.Array:
    """Solve Sylvester's equation a X + X b = q.

    Args:
        a: matrices, shape (..., m, m), real or complex.
        b: matrices, shape (..., n, n).
        q: matrices, shape (..., m, n).

    Returns:
        X, shape (..., m, n), of the dtype that the arguments promote to. NaN where an eigenvalue of
        a and one of -b agree to rounding (SciPy returns some large matrix), or an argument is not
        finite.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.
    """
    a, b, q = arrays("solve_sylvester", a=a, b=b, q=q)
    square("solve_sylvester", a=a, b=b)
    at_least("solve_sylvester", 2, q=q)
    return sylvester(a, b, q)
