"""The linear system that the derivatives of generalised Schur forms solve.

As in _generators, for two matrices: X turns the left vectors, and Y the right ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
import scipy.linalg

from jaxsci._core.types import Arrays, Tangents
from jaxsci.linalg._infra.host import NoResult, host
from jaxsci.linalg._kernels.generators import blocks


def _coupled(
    s: np.ndarray, t: np.ndarray, j: int, k: int, right: Sequence[np.ndarray], transposed: bool
) -> tuple[np.ndarray, ...]:
    """The pair (Y, X) with S22 Y - X S11 = c, T22 Y - X T11 = f, for columns j to k; or (U, V).

    The latter solve the transposed equations U S11^T + V T11^T = -f, S22^T U + T22^T V = c.
    """
    c, f = right
    s11, s22, t11, t22 = s[j:k, j:k], s[k:, k:], t[j:k, j:k], t[k:, k:]
    if s.dtype.kind != "c":
        (tgsyl,) = scipy.linalg.get_lapack_funcs(("tgsyl",), (s, t))
        how = "T" if transposed else "N"
        y, x, scale, _, info = tgsyl(s22, s11, c, t22, t11, f, trans=how)
        if info != 0 or scale == 0:  # positive: eigenvalues agree to rounding
            raise NoResult
        return y / scale, x / scale
    a, b = s11[0, 0], t11[0, 0]
    size = abs(a) ** 2 + abs(b) ** 2
    matrix = b * s22 - a * t22
    scale = np.sqrt(size) * np.hypot(np.abs(np.diag(s22)), np.abs(np.diag(t22)))
    if np.any(np.abs(np.diag(matrix)) <= 4 * np.finfo(float).eps * scale):
        raise NoResult
    mean = a.conj() * s22 + b.conj() * t22
    if transposed:
        z = scipy.linalg.solve_triangular(-matrix.T, c + mean.T @ f / size, lower=True)
        return -a.conj() * f / size - b * z, -b.conj() * f / size + a * z
    y = scipy.linalg.solve_triangular(matrix, b * c - a * f)
    return y, (mean @ y - a.conj() * c - b.conj() * f) / size


@host("(n,n),(n,n),(2,n,n)->(2,n,n)")
def qz_generators(s: np.ndarray, t: np.ndarray, p: np.ndarray) -> np.ndarray:
    """(X, Y), below the diagonal blocks of s, with X s - s Y = p[0], X t - t Y = p[1] there."""
    x, y = np.zeros_like(p)
    for j, k in blocks(s)[:-1]:
        right = [x[k:, :j] @ m[:j, j:k] - q[k:, j:k] for m, q in zip((s, t), p, strict=True)]
        y[k:, j:k], x[k:, j:k] = _coupled(s, t, j, k, right, transposed=False)
    return np.stack([x, y])


@host("(n,n),(n,n),(2,n,n)->(2,n,n)")
def _transposed(s: np.ndarray, t: np.ndarray, g: np.ndarray) -> np.ndarray:
    """(U, V), there too, with U s^T + V t^T = g[0], s^T U + t^T V = -g[1]."""
    u, v = np.zeros_like(g)
    for j, k in reversed(blocks(s)[:-1]):
        known = u[k:, k:] @ s[j:k, k:].T + v[k:, k:] @ t[j:k, k:].T
        right = -g[1, k:, j:k], known - g[0, k:, j:k]
        u[k:, j:k], v[k:, j:k] = _coupled(s, t, j, k, right, transposed=True)
    return np.stack([u, v])


def _along(xy: Any, arguments: Arrays, tangents: Tangents) -> np.ndarray:
    (x, y), (s, t, _), (ds, dt, dp) = xy, arguments, tangents
    return qz_generators(s, t, dp - jnp.stack([x @ ds - ds @ y, x @ dt - dt @ y]))


def _transposed_along(uv: Any, arguments: Arrays, tangents: Tangents) -> Any:
    (u, v), (s, t, _), (ds, dt, dg) = uv, arguments, tangents
    change = jnp.stack([u @ ds.T + v @ dt.T, -(ds.T @ u + dt.T @ v)])
    return _transposed(s, t, dg - change)


qz_generators.jvp(_along).linear_in("p", lambda xy, s, t: _transposed(s, t, xy))
_transposed.jvp(_transposed_along).linear_in("g", lambda uv, s, t: qz_generators(s, t, uv))
