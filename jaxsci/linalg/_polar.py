"""The polar decomposition, and the orthogonal Procrustes problem that it solves."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._infra.slices import matmul
from jaxsci.linalg._sylvester import sylvester

_SOURCE = (
    "C. Kenney and A. J. Laub, SIAM J. Matrix Anal. Appl. 12 (1991); N. J. Higham, Functions of "
    "Matrices (2008), chapter 8"
)


@host("(m,n)->(m,n),(n,n)", name="polar")
def right_factors(a: np.ndarray) -> tuple[np.ndarray, ...]:
    """The factors of a tall matrix, a = u p."""
    if a.size == 0:
        return np.zeros_like(a), np.zeros((a.shape[1],) * 2, a.dtype)
    return scipy.linalg.polar(a)


@right_factors.jvp
def _along(
    result: Sequence[jax.Array], arguments: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> tuple[jax.Array, ...]:
    """With w = u^H du: w p + p w = u^H da - da^H u. Repeated singular values do no harm."""
    u, p = result
    (da,) = tangents
    inside = matmul(adjoint(u), da)
    w = sylvester(p, p, inside - adjoint(inside))
    du = matmul(u, w)
    if u.shape[0] > u.shape[1]:
        outside = da - matmul(u, inside)
        du += adjoint(jnp.linalg.solve(p, adjoint(outside)))
    return du, inside - matmul(w, p)


@public(
    "host",
    source=_SOURCE,
    differentiable="in a, where it has full rank; equal singular values do no harm. NaN where the "
    "rank is not full.",
)
def polar(a: ArrayLike, side: str = "right") -> tuple[jax.Array, jax.Array]:
    """Polar decomposition a = u p, or a = p u.

    With the singular value decomposition a = W S V^H, u = W V^H. Functions U f(S) V^H of the
    singular values can be written u f(p), with a matrix function f; they then have right
    derivatives where singular values are equal, as u and p have.

    Args:
        a: matrices, shape (..., m, n).
        side: ``"right"`` for a = u p, ``"left"`` for a = p u.

    Returns:
        ``(u, p)``: u of a's shape, with orthonormal columns (m >= n) or rows (m <= n), and p,
        Hermitian and positive semidefinite, of shape (..., n, n) or (..., m, m). NaN where a is not
        finite.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two dimensions, or the side is not known.

    Example:
        >>> a = jnp.array([[2.0, 1.0], [0.0, 3.0]])
        >>> u, p = polar(a)
        >>> u  # the rotation
        Array([[ 0.98058068,  0.19611614],
               [-0.19611614,  0.98058068]], dtype=float64)
        >>> p  # the stretch
        Array([[1.96116135, 0.39223227],
               [0.39223227, 3.13785816]], dtype=float64)
        >>> bool(jnp.allclose(u @ p, a))
        True
    """
    one_of("polar", "side", side, ("right", "left"))
    (a,) = arrays("polar", a=a)
    at_least("polar", 2, a=a)
    wide = a.shape[-2] < a.shape[-1]
    u, p = right_factors(adjoint(a) if wide else a)
    if wide:  # a^H = u p, so that a = p u^H
        u = adjoint(u)
    if wide == (side == "left"):
        return u, p
    across = matmul(u, p) if side == "left" else matmul(adjoint(u), p)
    return u, matmul(across, adjoint(u) if side == "left" else u)


@public(
    "host",
    source=f"P. H. Schönemann, Psychometrika 31 (1966); the rule is that of polar: {_SOURCE}",
    differentiable="in A and B, where A^H B is not singular; NaN where it is.",
)
def orthogonal_procrustes(
    A: ArrayLike, B: ArrayLike, check_finite: bool = True
) -> tuple[jax.Array, jax.Array]:
    """The unitary R for which A R is nearest to B.

    Args:
        A: matrices, shape (..., m, n).
        B: matrices, shape (..., m, n).
        check_finite: without effect.

    Returns:
        ``(R, scale)``: R of shape (..., n, n), orthogonal for real matrices, and the sum of the
        singular values of A^H B, shape (...), real. NaN where an argument is not finite. R is one
        of many where A^H B is singular.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes differ, or have fewer than two dimensions.

    Example:
        >>> a, b = jnp.array([[1.0, 0.0], [0.0, 2.0]]), jnp.array([[0.0, 1.0], [-2.0, 0.1]])
        >>> r, scale = orthogonal_procrustes(a, b)
        >>> r  # of all orthogonal matrices the one with a @ r closest to b
        Array([[ 0.03996804,  0.99920096],
               [-0.99920096,  0.03996804]], dtype=float64)
    """
    del check_finite
    A, B = arrays("orthogonal_procrustes", A=A, B=B)
    at_least("orthogonal_procrustes", 2, A=A, B=B)
    if A.shape[-2:] != B.shape[-2:]:
        raise ValueError(
            f"orthogonal_procrustes: arguments 'A' and 'B' must have the same shape, got {A.shape} "
            f"and {B.shape}"
        )
    u, p = right_factors(matmul(adjoint(A), B))
    return u, jnp.real(jnp.trace(p, axis1=-2, axis2=-1))
