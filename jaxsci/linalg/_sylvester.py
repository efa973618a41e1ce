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


@host("(m,m),(n,n),(m,n)->(m,n)", name="solve_sylvester")
def sylvester(a: np.ndarray, b: np.ndarray, q: np.ndarray) -> Any:
    """X with a X + X b = q, by Bartels and Stewart's method, as in SciPy."""
    if q.size == 0:
        return np.zeros_like(q)
    dtype = np.result_type(a, b, q)
    r, u = schur_form(a.astype(dtype, copy=False))
    s, v = schur_form(b.conj().T.astype(dtype, copy=False))
    f = u.conj().T @ q @ v
    (trsyl,) = scipy.linalg.get_lapack_funcs(("trsyl",), (r, s, f))
    y, scale, info = trsyl(r, s, f, tranb="C")
    # info = 1: eigenvalues in common, and the equation was perturbed to solve it.
    if info != 0 or scale == 0:
        raise NoResult
    return u @ (y / scale) @ v.conj().T


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
