"""Sylvester's equation A X + X B = Q, which the derivatives of many matrix functions solve too."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, Tangents
from jaxsci.linalg._infra import lapack
from jaxsci.linalg._infra.arguments import arrays, at_least, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import stack_host
from jaxsci.linalg._infra.lapack import Stack


def uncertainty(n: int) -> float:
    """How large rounding errors of a Schur form of order n may well be, relative to its norm."""
    return 20 * n * np.finfo(float).eps


def adjoint_of(x: Stack) -> Stack:
    """Conjugate transposes."""
    return x.conj().swapaxes(-1, -2)


def size_of(x: np.ndarray) -> np.ndarray:
    """The largest elements of matrices."""
    return np.abs(x).max(axis=(-2, -1), initial=0.0)


def grown(x: np.ndarray, q: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Where a solution is so large that the equation is singular for all that rounding leaves.

    Args:
        x: solutions.
        q: the right-hand sides.
        scale: the sizes of the equations' coefficients.
    """
    return ~(size_of(x) * (uncertainty(max(x.shape[-2:])) * scale) <= size_of(q))


def eigenvalues_of(t: Stack) -> np.ndarray:
    """Of Schur forms; real ones have blocks [[x, y], [z, x]] with y z < 0 on their diagonals."""
    diagonal = np.diagonal(t, 0, -2, -1)
    if np.iscomplexobj(t) or diagonal.shape[-1] < 2:
        return diagonal
    below, above = np.diagonal(t, -1, -2, -1), np.diagonal(t, 1, -2, -1)
    imaginary = np.zeros(diagonal.shape)
    imaginary[..., :-1] += np.sqrt(np.maximum(-below * above, 0))
    imaginary[..., 1:] -= imaginary[..., :-1].copy()
    return diagonal + 1j * imaginary


def solve_schur(r: Stack, s: Stack, f: np.ndarray) -> np.ndarray:
    """Y with r Y + Y s^H = f for Schur forms r and s; NaN where they have opposite eigenvalues."""
    scale = np.maximum(size_of(r), size_of(s))
    sums = eigenvalues_of(r)[..., :, None] + eigenvalues_of(s).conj()[..., None, :]
    distance = np.abs(sums).min(axis=(-2, -1), initial=np.inf)
    y = lapack.sylvester_of_schur_forms(r, s, f)
    bad = distance <= uncertainty(max(f.shape[-2:])) * scale
    return lapack.without(y, bad | grown(y, f, scale))


@stack_host("(m,m),(n,n),(m,n)->(m,n)", name="solve_sylvester")
def sylvester(a: Stack, b: Stack, q: np.ndarray) -> np.ndarray:
    """X with a X + X b = q, by one Schur form where matrices are small, else by two as in SciPy."""
    dtype = np.result_type(a, b, q)
    a, b, q = (x.astype(dtype, copy=False) for x in (a, b, q))
    order = max(q.shape[-2:])
    if lapack.has_sylvester(order):
        return lapack.sylvester(a, b, q, uncertainty(order))
    r, u = lapack.schur(a)
    s, v = lapack.schur(adjoint_of(b))
    return u @ solve_schur(r, s, adjoint_of(u) @ q @ v) @ adjoint_of(v)


def _along(x: Any, arguments: Arrays, tangents: Tangents) -> Any:
    a, b, _ = arguments
    da, db, dq = tangents
    return sylvester(a, b, dq - da @ x - x @ db)


sylvester.jvp(_along)
sylvester.linear_in("q", lambda x, a, b: sylvester(a.T, b.T, x))


@public(
    "host",
    source="R. H. Bartels and G. W. Stewart, Algorithm 432, Comm. ACM 15 (1972); up to order 200 "
    "G. H. Golub, S. Nash and C. Van Loan, IEEE Trans. Automat. Control 24 (1979), which is not to "
    "the last bit SciPy's result; the differential solves the same equation",
    differentiable="in a, b and q.",
)
def solve_sylvester(a: ArrayLike, b: ArrayLike, q: ArrayLike) -> jax.Array:
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

    Example:
        >>> a, b = jnp.array([[4.0, 1.0], [1.0, 3.0]]), jnp.array([[1.0, 0.0], [1.0, 2.0]])
        >>> x = solve_sylvester(a, b, jnp.eye(2))
        >>> x
        Array([[ 0.22867514, -0.03448276],
               [-0.10889292,  0.20689655]], dtype=float64)
        >>> bool(jnp.allclose(a @ x + x @ b, jnp.eye(2)))
        True
        >>> jax.grad(lambda q: jnp.trace(solve_sylvester(a, b, q)))(jnp.eye(2))
        Array([[ 0.21052632, -0.07259528],
               [-0.05263158,  0.22504537]], dtype=float64)
    """
    a, b, q = arrays("solve_sylvester", a=a, b=b, q=q)
    square("solve_sylvester", a=a, b=b)
    at_least("solve_sylvester", 2, q=q)
    return sylvester(a, b, q)
