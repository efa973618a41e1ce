"""Bases of ranges and null spaces, and the angles between ranges."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, PyTree, Tangents
from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import NoResult, host
from jaxsci.linalg._infra.slices import matmul, nan_where, over_slices, threshold, whole
from jaxsci.linalg._qr import factors
from jaxsci.linalg._sylvester import sylvester

_SOURCE = (
    "G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973), for an exact rank; the "
    "off-diagonal blocks of a = U M V^H for others"
)


# -- singular subspaces ----------------------------------------------------------------------------


def _checked(s: np.ndarray, rank: int, rcond: float | None) -> None:
    """Refuse a matrix whose rank is found to be another."""
    if rcond is not None and np.sum(s > np.amax(s, initial=0.0) * rcond) != rank:
        raise NoResult


@host("(m,n)->(m,rank),(n,rank)", static=("rank", "rcond"), name="orth")
def _leading(a: np.ndarray, rank: int, rcond: float | None) -> tuple[np.ndarray, ...]:
    """Singular vectors of the `rank` largest singular values."""
    u, s, vh = scipy.linalg.svd(a, full_matrices=False, check_finite=False)
    _checked(s, rank, rcond)
    return u[:, :rank], vh[:rank].conj().T


@host("(m,n)->(n,left)", static=("left", "rcond", "driver"), name="null_space")
def _trailing(a: np.ndarray, left: int, rcond: float | None, driver: str) -> Any:
    """Right singular vectors of the others."""
    _, s, vh = scipy.linalg.svd(a, check_finite=False, lapack_driver=driver)
    rank = a.shape[1] - left
    _checked(s, rank, rcond)
    return vh[rank:].conj().T


def _motions(a: jax.Array, u: jax.Array, v: jax.Array, da: jax.Array) -> tuple[Any, Any]:
    """How leading singular subspaces move, within what is orthogonal to them.

    With m = u^H a v, and b what is left of a: du m - b dv = (da v)' and dv m^H - b^H du =
    (da^H u)', where the prime takes the part orthogonal to u, and to v. Elimination of dv leaves
    Sylvester's equation. Only singular values on different sides must differ. Where all are leading
    ones nothing is left of a: no square of m is needed, in which small ones would vanish.
    """
    m = matmul(matmul(adjoint(u), a), v)
    if u.shape[-1] == min(a.shape[-2:]):
        du = jnp.linalg.solve(adjoint(m), adjoint(_without(u, matmul(da, v))))
        dv = jnp.linalg.solve(m, adjoint(_without(v, matmul(adjoint(da), u))))
        return adjoint(du), adjoint(dv)
    b = a - matmul(matmul(u, m), adjoint(v))
    e = _without(u, matmul(da, v))
    f = _without(v, matmul(adjoint(da), u))
    du = sylvester(
        -matmul(b, adjoint(b)), matmul(m, adjoint(m)), matmul(e, adjoint(m)) + matmul(b, f)
    )
    du = _without(u, du)
    dv = jnp.linalg.solve(m, adjoint(f + matmul(adjoint(b), du)))
    return du, adjoint(dv)


def _without(u: jax.Array, x: jax.Array) -> jax.Array:
    return x - matmul(u, matmul(adjoint(u), x))


@_leading.jvp
def _along_leading(result: PyTree, arguments: Arrays, tangents: Tangents) -> Any:
    if 0 in result[0].shape:
        return None, None
    u, v = result
    return _motions(arguments[0], u, v, tangents[0])


@_trailing.jvp
def _along_trailing(rest: Any, arguments: Arrays, tangents: Tangents) -> Any:
    """What stays orthogonal to the leading vectors."""
    (a,) = arguments
    rank = a.shape[1] - rest.shape[1]
    if rank == 0 or rest.size == 0:
        return None
    u, v = _leading(a, rank=rank, rcond=None)
    _, dv = _motions(a, u, v, tangents[0])
    return -matmul(v, matmul(adjoint(dv), rest))


def _rank(function: str, a: jax.Array, rcond: Any, rank: int | None) -> tuple[int, float | None]:
    """The static rank, and the threshold by which it is checked."""
    m, n = a.shape[-2:]
    default = None if rank is not None else float(jnp.finfo(a.dtype).eps) * max(m, n)
    rcond = default if rcond is None else threshold(function, "rcond", rcond, 0.0)
    rank = min(m, n) if rank is None else whole(function, "rank", rank, 0)
    if rank > min(m, n):
        raise ValueError(
            f"{function}: argument 'rank' must be at most {min(m, n)} for a matrix of shape "
            f"{(m, n)}, got {rank}"
        )
    return rank, rcond


# -- public ----------------------------------------------------------------------------------------


@public(
    "host",
    source=_SOURCE,
    differentiable="in A, up to the choice of the basis: the projector Q Q^H, where the singular "
    "values number rank and rank + 1 differ; NaN where they do not.",
)
def orth(A: ArrayLike, rcond: float | None = None, *, rank: int | None = None) -> jax.Array:
    """Orthonormal basis of a matrix's range, or of its leading part.

    Shapes cannot depend on values: the rank is given, not found.

    Args:
        A: matrices, shape (..., m, n).
        rcond: relative size below which singular values count as zero. If it is given, or the rank
            is not, a matrix that SciPy would find to be of another rank gives NaN. Default: as in
            SciPy, the machine precision times max(m, n).
        rank: how many columns the basis has (static). Default: min(m, n).

    Returns:
        Q, shape (..., m, rank): left singular vectors, as in SciPy.

    Raises:
        TypeError: A is not an array of numbers, or the rank no static integer.
        ValueError: A has fewer than two dimensions, or the rank is out of range.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])  # of rank one
        >>> q = orth(a, rank=1)
        >>> q @ q.T * 14  # the projector: (1, 2, 3) times itself, over its square
        Array([[1., 2., 3.],
               [2., 4., 6.],
               [3., 6., 9.]], dtype=float64)
    """
    (A,) = arrays("orth", A=A)
    at_least("orth", 2, A=A)
    rank, rcond = _rank("orth", A, rcond, rank)
    return _leading(A, rank=rank, rcond=rcond)[0]


@public(
    "host",
    source=_SOURCE,
    differentiable="in A, up to the choice of the basis: the projector Z Z^H, where the singular "
    "values number rank and rank + 1 differ; NaN where they do not.",
)
def null_space(
    A: ArrayLike,
    rcond: float | None = None,
    *,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
    rank: int | None = None,
) -> jax.Array:
    """Orthonormal basis of a matrix's null space.

    Shapes cannot depend on values: the rank is given, not found. Of a matrix that is nearly of this
    rank, the basis is that of the smallest singular values.

    Args:
        A: matrices, shape (..., m, n).
        rcond: relative size below which singular values count as zero. If it is given, or the rank
            is not, a matrix that SciPy would find to be of another rank gives NaN. Default: as in
            SciPy, the machine precision times max(m, n).
        overwrite_a: without effect.
        check_finite: without effect.
        lapack_driver: ``"gesdd"`` or ``"gesvd"``.
        rank: the rank (static). Default: min(m, n).

    Returns:
        Z, shape (..., n, n - rank): right singular vectors, as in SciPy.

    Raises:
        TypeError: A is not an array of numbers, or the rank no static integer.
        ValueError: A has fewer than two dimensions, or the rank is out of range.

    Example:
        >>> a = jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        >>> z = null_space(a)
        >>> z @ z.T  # the projector
        Array([[ 0.16666667, -0.33333333,  0.16666667],
               [-0.33333333,  0.66666667, -0.33333333],
               [ 0.16666667, -0.33333333,  0.16666667]], dtype=float64)
        >>> bool(jnp.allclose(a @ z, 0))
        True
    """
    del overwrite_a, check_finite
    one_of("null_space", "lapack_driver", lapack_driver, ("gesdd", "gesvd"))
    (A,) = arrays("null_space", A=A)
    at_least("null_space", 2, A=A)
    rank, rcond = _rank("null_space", A, rcond, rank)
    return _trailing(A, left=A.shape[-1] - rank, rcond=rcond, driver=lapack_driver)


def _basis(a: jax.Array) -> jax.Array:
    """An orthonormal basis of the range; NaN if the rank is not full."""
    # Sizes do not matter, but squares of entries, which derivatives contain, may overflow.
    largest = jnp.max(jnp.abs(jax.lax.stop_gradient(a)), initial=0.0)
    # XLA takes subnormal numbers for 0, in a product too: both factors have to be normal.
    info = jnp.finfo(largest.dtype)
    exponent = jnp.minimum(jnp.frexp(largest)[1], -int(info.minexp) - 2)
    scaled = a * jnp.ldexp(jnp.ones_like(largest), -exponent)
    a = jnp.where(largest > info.tiny / info.eps, scaled, a)
    q, r = factors(a, False)
    s = jnp.linalg.svd(jax.lax.stop_gradient(r), compute_uv=False)
    tolerance = jnp.max(s, initial=0) * jnp.finfo(s.dtype).eps * max(a.shape)
    return nan_where(jnp.any(s <= tolerance), q)


def _angles(a: jax.Array, b: jax.Array) -> jax.Array:
    qa, qb = _basis(a), _basis(b)
    if qa.shape[1] < qb.shape[1]:
        qa, qb = qb, qa
    inside = matmul(adjoint(qa), qb)
    cosines = jnp.linalg.svd(inside, compute_uv=False)[::-1]
    sines = jnp.linalg.svd(qb - matmul(qa, inside), compute_uv=False)
    # Each angle from the one of the two that changes faster.
    small = cosines**2 >= 0.5
    return jnp.where(
        small, jnp.arcsin(jnp.where(small, sines, 0)), jnp.arccos(jnp.where(small, 0, cosines))
    )


@public(
    "jax",
    source="A. V. Knyazev and M. E. Argentati, SIAM J. Sci. Comput. 23 (2002)",
    differentiable="in A and B, where the angles differ and are not zero.",
)
def subspace_angles(A: ArrayLike, B: ArrayLike) -> jax.Array:
    """Angles between the ranges of two matrices.

    Args:
        A: matrices of full rank, shape (..., m, n).
        B: matrices of full rank, shape (..., m, k).

    Returns:
        The angles, shape (..., min(m, n, k)), decreasing, in [0, pi/2]. NaN where a matrix is not
        of full rank (SciPy returns fewer angles) or not finite. Small angles are accurate to
        rounding; SciPy takes some of them from their cosines. Subnormal entries count as 0.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a, b = jnp.array([[1.0], [0.0], [0.0]]), jnp.array([[1.0], [1.0], [0.5]])
        >>> subspace_angles(a, b)  # in radians
        Array([0.84106867], dtype=float64)
    """
    A, B = arrays("subspace_angles", A=A, B=B)
    at_least("subspace_angles", 2, A=A, B=B)
    if A.shape[-2] != B.shape[-2]:
        raise ValueError(
            "subspace_angles: arguments 'A' and 'B' must have the same number of rows, got shapes "
            f"{A.shape} and {B.shape}"
        )
    return over_slices("subspace_angles", "(m,n),(m,k)->(l)", _angles, A, B)
