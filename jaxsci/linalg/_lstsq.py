"""Least squares and pseudoinverses, by singular values or eigenvalues.

The derivative of a pseudoinverse needs no singular vectors, so repeated singular values do no harm.
"""

from __future__ import annotations

from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, PyTree, Tangents
from jaxsci.linalg._infra.arguments import arrays, at_least, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.mirrored import mirrored
from jaxsci.linalg._infra.or_nan import or_nan
from jaxsci.linalg._infra.ruled import ruled
from jaxsci.linalg._infra.slices import flag, matmul, of_columns, over_slices, threshold

_SOURCE = "G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973)"


def _along(p: jax.Array, a: jax.Array, da: jax.Array) -> jax.Array:
    """The differential of the pseudoinverse p of a, for changes that keep the rank."""
    p_h, da_h = p.conj().T, da.conj().T
    within = matmul(matmul(p, da), p)
    columns = matmul(matmul(p, p_h), da_h)
    rows = matmul(da_h, matmul(p_h, p))
    left = columns - matmul(matmul(columns, a), p)
    right = rows - matmul(p, matmul(a, rows))
    return left + right - within


def _reciprocals(values: jax.Array, atol: float, rtol: float) -> tuple[jax.Array, jax.Array]:
    """1/x, 0 for what is as good as zero; and how many are not (NaN counts for none)."""
    size = jnp.abs(values)
    kept = size > atol + rtol * jnp.max(size, initial=0.0)
    # NaN reaches the result.
    inverses = jnp.where(kept | jnp.isnan(values), 1 / jnp.where(size == 0, 1, values), 0)
    return inverses, jnp.sum(kept)


def _along_general(
    results: PyTree, primals: Arrays, tangents: Tangents
) -> tuple[jax.Array, None, jax.Array]:
    return _along(results[0], *primals, *tangents), None, _changes(*primals, *tangents)


def _changes(a: jax.Array, da: jax.Array) -> jax.Array:
    """Of the singular values."""
    return jax.jvp(lambda x: jnp.linalg.svd(x, compute_uv=False), (a,), (da,))[1]


def _along_hermitian(
    results: PyTree, primals: Arrays, tangents: Tangents
) -> tuple[jax.Array, None]:
    return _along(results[0], *primals, *tangents), None


@ruled(_along_general)
def _pseudoinverse(
    a: jax.Array, *, atol: float, rtol: float
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The pseudoinverse, the rank and the singular values."""
    u, s, vh = jnp.linalg.svd(a, full_matrices=False)
    inverses, rank = _reciprocals(s, atol, rtol)
    return matmul(vh.conj().T * inverses, u.conj().T), rank, s


@ruled(_along_hermitian)
def _hermitian_pseudoinverse(
    a: jax.Array, *, atol: float, rtol: float
) -> tuple[jax.Array, jax.Array]:
    """The pseudoinverse and the rank of a Hermitian matrix, by eigenvalues."""
    w, v = jnp.linalg.eigh(a, symmetrize_input=False)
    inverses, rank = _reciprocals(w, atol, rtol)
    return matmul(v * inverses, v.conj().T), rank


def _pinv(a: jax.Array, *, atol: float, rtol: float) -> tuple[jax.Array, jax.Array]:
    return _pseudoinverse(a, atol=atol, rtol=rtol)[:2]


def _pinvh(a: jax.Array, *, atol: float, rtol: float, lower: bool) -> tuple[jax.Array, jax.Array]:
    return _hermitian_pseudoinverse(mirrored(a, lower=lower), atol=atol, rtol=rtol)


def _lstsq(a: jax.Array, b: jax.Array, *, cond: float) -> tuple[jax.Array, ...]:
    """The solution, the sums of squares, the rank and the singular values."""
    inverse, rank, values = _pseudoinverse(a, atol=0.0, rtol=cond)
    x = matmul(inverse, b)
    rest = b - matmul(a, x)
    squares = jnp.sum(rest.real**2 + rest.imag**2, axis=0)
    return x, or_nan(rank == a.shape[1], squares), rank, values


def _thresholds(function: str, a: jax.Array, atol: Any, rtol: Any) -> dict[str, float]:
    width = float(jnp.finfo(jnp.promote_types(a.dtype, jnp.float32)).eps) * max(a.shape[-2:])
    return {
        "atol": threshold(function, "atol", atol, 0.0),
        "rtol": threshold(function, "rtol", rtol, width),
    }


@overload
def pinv(
    a: ArrayLike,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: Literal[False] = False,
    check_finite: bool = True,
) -> jax.Array: ...


@overload
def pinv(
    a: ArrayLike,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: Literal[True],
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def pinv(
    a: ArrayLike,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> jax.Array | tuple[jax.Array, jax.Array]: ...


@public("jax", source=_SOURCE, differentiable="in a, where its rank does not change.")
def pinv(
    a: ArrayLike,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> jax.Array | tuple[jax.Array, jax.Array]:
    """The Moore-Penrose pseudoinverse of a matrix.

    Args:
        a: matrices, shape (..., m, n).
        atol: static; absolute threshold. Default: 0.
        rtol: static; threshold relative to the largest singular value. Default: max(m, n) times the
            spacing of a's dtype at 1. Singular values up to ``atol + rtol * largest`` count as
            zero.
        return_rank: static; return the rank too.
        check_finite: has no effect.

    Returns:
        The pseudoinverse (..., n, m), and with ``return_rank`` the rank (...), an integer.

    Raises:
        TypeError: a is not an array of numbers, or a static argument is none.
        ValueError: a has fewer than two dimensions, or a threshold is negative.

    Example:
        >>> a = jnp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]])
        >>> pinv(a)
        Array([[ 0.71428571,  0.42857143, -0.14285714],
               [-0.28571429, -0.07142857,  0.35714286]], dtype=float64)
        >>> bool(jnp.allclose(a @ pinv(a) @ a, a))
        True
    """
    (a,) = arrays("pinv", a=a)
    at_least("pinv", 2, a=a)
    flag("pinv", return_rank=return_rank)
    limits = _thresholds("pinv", a, atol, rtol)
    inverse, rank = over_slices("pinv", "(m,n)->(n,m),()", _pinv, a, **limits)
    return (inverse, rank) if return_rank else inverse


@overload
def pinvh(
    a: ArrayLike,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: Literal[False] = False,
    check_finite: bool = True,
) -> jax.Array: ...


@overload
def pinvh(
    a: ArrayLike,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    *,
    return_rank: Literal[True],
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def pinvh(
    a: ArrayLike,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> jax.Array | tuple[jax.Array, jax.Array]: ...


@public(
    "jax",
    source=_SOURCE,
    differentiable="in a, through its Hermitian part, where its rank does not change.",
)
def pinvh(
    a: ArrayLike,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> jax.Array | tuple[jax.Array, jax.Array]:
    """The Moore-Penrose pseudoinverse of a Hermitian matrix.

    Args:
        a: Hermitian matrices, shape (..., n, n). One triangle is read. The derivative is that along
            the Hermitian part of a direction, as in ``jax.numpy.linalg.pinv(a, hermitian=True)``.
        atol: static; absolute threshold. Default: 0.
        rtol: static; threshold relative to the largest absolute eigenvalue. Default: n times the
            spacing of a's dtype at 1. Eigenvalues up to ``atol + rtol * largest`` in absolute value
            count as zero.
        lower: static; read the lower triangle, or the upper one.
        return_rank: static; return the rank too.
        check_finite: has no effect.

    Returns:
        The pseudoinverse (..., n, n), and with ``return_rank`` the rank (...), an integer.

    Raises:
        TypeError: a is not an array of numbers, or a static argument is none.
        ValueError: a is not square, or a threshold is negative.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [2.0, 4.0]])  # of rank one
        >>> x, rank = pinvh(a, return_rank=True)
        >>> x
        Array([[0.04, 0.08],
               [0.08, 0.16]], dtype=float64)
        >>> int(rank)
        1
        >>> bool(jnp.allclose(a @ x @ a, a))
        True
    """
    (a,) = arrays("pinvh", a=a)
    square("pinvh", a=a)
    flag("pinvh", lower=lower, return_rank=return_rank)
    limits = _thresholds("pinvh", a, atol, rtol)
    inverse, rank = over_slices("pinvh", "(n,n)->(n,n),()", _pinvh, a, **limits, lower=bool(lower))
    return (inverse, rank) if return_rank else inverse


@overload
def lstsq(
    a: ArrayLike,
    b: ArrayLike,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: Literal["gelsd", "gelss"] | None = None,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]: ...


@overload
def lstsq(
    a: ArrayLike,
    b: ArrayLike,
    cond: float | None = None,
    *,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: Literal["gelsy"],
) -> tuple[jax.Array, jax.Array, jax.Array, None]: ...


@overload
def lstsq(
    a: ArrayLike,
    b: ArrayLike,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: str | None = None,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array | None]: ...


@public(
    "jax",
    source=_SOURCE,
    differentiable="in a and b: x and the residues where the rank of a does not change; s where "
    "the singular values are distinct and not zero.",
)
def lstsq(
    a: ArrayLike,
    b: ArrayLike,
    cond: float | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    lapack_driver: str | None = None,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array | None]:
    """Solve a x = b in the sense of least squares, x of the smallest norm.

    Args:
        a: matrices, shape (..., m, n).
        b: right-hand sides: a vector (m,), or columns (..., m, k).
        cond: static; singular values up to cond times the largest count as zero. Default: the
            spacing of the dtype at 1.
        overwrite_a: has no effect.
        overwrite_b: has no effect.
        check_finite: has no effect.
        lapack_driver: static; None, "gelsd", "gelss" or "gelsy". All are computed alike; as in
            SciPy, "gelsy" returns no residues and no singular values.

    Returns:
        x (..., n[, k]); the residues, sums of squares of b - a x for each column (... [, k]), NaN
        where the rank is less than n (SciPy's array is empty then, which depends on values), of
        shape (..., 0) where m <= n; the rank (...), an integer; the singular values
        (..., min(m, n)), None with "gelsy".

    Raises:
        TypeError: an argument is not an array of numbers, or cond is not a number.
        ValueError: the shapes do not fit, cond is negative, or the driver is unknown.

    Example:
        >>> a = jnp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]])  # a line through three points
        >>> x, residues, rank, s = lstsq(a, jnp.array([1.0, 2.0, 5.0]))
        >>> x
        Array([0.85714286, 1.35714286], dtype=float64)
        >>> print(f"{residues:.6f}, rank {rank}")
        0.071429, rank 2
        >>> jax.grad(lambda b: lstsq(a, b)[0][1])(jnp.array([1.0, 2.0, 5.0]))  # of the slope
        Array([-0.28571429, -0.07142857,  0.35714286], dtype=float64)
    """
    a, b = arrays("lstsq", a=a, b=b)
    at_least("lstsq", 2, a=a)
    one_of("lstsq", "lapack_driver", lapack_driver, (None, "gelsd", "gelss", "gelsy"))
    m, n = a.shape[-2:]
    eps = float(jnp.finfo(jnp.promote_types(a.dtype, jnp.float32)).eps)
    cond = threshold("lstsq", "cond", cond, eps)
    found: list[jax.Array] = []

    def solved(columns: jax.Array) -> jax.Array:
        signature = "(m,n),(m,k)->(n,k),(k),(),(l)"
        solution, *others = over_slices("lstsq", signature, _lstsq, a, columns, cond=cond)
        found.extend(others)
        return solution

    solution = of_columns("lstsq", m, b, solved)
    residues, rank, values = found
    if lapack_driver == "gelsy" or (m <= n and n > 0):
        residues = jnp.zeros((*residues.shape[:-1], 0), residues.dtype)
    elif b.ndim == 1:
        residues = residues[..., 0]
    return solution, residues, rank, None if lapack_driver == "gelsy" else values
