"""The same as `_native._lapack`, by SciPy's wrappers, which hold the interpreter lock.

Arguments named ``threads`` are there for the extension's sake.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import scipy.linalg

from jaxsci._core.types import PyTree


def schur(t: np.ndarray, z: np.ndarray, info: np.ndarray, threads: int) -> None:
    """Schur forms of the stack t, written over it, and their vectors in z; columns first."""
    if not t.size:
        return
    gees, length = _gees(t.dtype.char, t.shape[-1])
    for i, x in enumerate(t):
        form, *_, vectors, _, info[i] = gees(_unsorted, x.T, lwork=length)
        t[i], z[i] = form.T, vectors.T


def eig(
    a: np.ndarray,
    w: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    info: np.ndarray,
    threads: int,
) -> None:
    """Eigenvalues, and vectors where there is room; columns first."""
    if not a.size:
        return
    wanted = {"left": len(left) > 0, "right": len(right) > 0}
    for i, x in enumerate(a):
        try:
            found: PyTree = scipy.linalg.eig(x.T, **wanted, check_finite=False)
        except scipy.linalg.LinAlgError:
            info[i] = 1
            continue
        w[i], *vectors = found if isinstance(found, tuple) else (found,)
        for stack, v in zip([s for s in (left, right) if len(s)], vectors, strict=True):
            stack[i] = v.T


def sylvester_of_schur_forms(
    r: np.ndarray,
    s: np.ndarray,
    x: np.ndarray,
    scale: np.ndarray,
    info: np.ndarray,
    threads: int,
) -> None:
    """Solutions of r Y + Y s^H = scale F for Schur forms, over F, in x; columns first."""
    if not x.size:
        return
    (trsyl,) = scipy.linalg.get_lapack_funcs(("trsyl",), (x,))
    for i in range(len(x)):
        y, scale[i], info[i] = trsyl(r[i % len(r)].T, s[i % len(s)].T, x[i].T, tranb="C")
        x[i] = y.T


@functools.lru_cache(maxsize=64)
def _gees(dtype: str, n: int) -> tuple[Any, int]:
    """LAPACK's routine and the size of its workspace."""
    a = np.eye(n, dtype=dtype)
    (gees,) = scipy.linalg.get_lapack_funcs(("gees",), (a,))
    return gees, int(gees(_unsorted, a, lwork=-1)[-2][0].real)


def _unsorted(*_: object) -> None:
    """Eigenvalues stay in the order in which they are found."""
