"""Systems of linear equations with a full matrix, and its inverse."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.lax import linalg as lax_linalg
from jax.typing import ArrayLike

from jaxsci._core.lowering.sharding import as_varying_together
from jaxsci.linalg._cholesky import (
    from_cholesky,
    lower_cholesky,
)
from jaxsci.linalg._infra.arguments import arrays, one_of, square
from jaxsci.linalg._infra.arguments import transposed as transpose_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.mirrored import read_as_general
from jaxsci.linalg._infra.slices import flag, matmul, nan_where, of_columns, over_slices
from jaxsci.linalg._lu import checked_diagonal, from_lu

_GILES = "M. B. Giles, report NA-08/01 (2008)"

# -- of one slice: the solution of a x = b, b of several columns -----------------------------------


def _general(a: jax.Array, b: jax.Array) -> jax.Array:
    """By LU factors, which derivatives in both modes use again."""
    lu, _, permutation = lax_linalg.lu(jax.lax.stop_gradient(a))
    lu = checked_diagonal(lu)
    return jax.lax.custom_linear_solve(
        lambda x: matmul(a, x),
        b,
        solve=lambda _, y: from_lu(lu, permutation, y, 0),
        transpose_solve=lambda _, y: from_lu(lu, permutation, y, 1),
    )


def _positive(a: jax.Array, b: jax.Array) -> jax.Array:
    """By Cholesky's factor of a Hermitian matrix, whose transpose is its conjugate."""
    c = lower_cholesky(jax.lax.stop_gradient(a))
    return jax.lax.custom_linear_solve(
        lambda x: matmul(a, x),
        b,
        solve=lambda _, y: from_cholesky(c, True, y),
        transpose_solve=lambda _, y: from_cholesky(c.conj(), True, y),
    )


def _triangular(
    a: jax.Array, b: jax.Array, *, lower: bool, unit_diagonal: bool = False, trans: int = 0
) -> jax.Array:
    return lax_linalg.triangular_solve(
        a if unit_diagonal else checked_diagonal(a),
        b,
        left_side=True,
        lower=lower,
        unit_diagonal=unit_diagonal,
        transpose_a=trans > 0,
        conjugate_a=trans == 2,
    )


def _diagonal(a: jax.Array, b: jax.Array) -> jax.Array:
    diagonal = jnp.diagonal(a)
    return b / nan_where(jnp.any(diagonal == 0), diagonal)[:, None]


def _tridiagonal(a: jax.Array, b: jax.Array) -> jax.Array:
    below = jnp.pad(jnp.diagonal(a, -1), (1, 0))
    above = jnp.pad(jnp.diagonal(a, 1), (0, 1))
    return lax_linalg.tridiagonal_solve(below, jnp.diagonal(a), above, b)


_STRUCTURES = {
    None: "general",
    "general": "general",
    "gen": "general",
    "banded": "general",
    "diagonal": "diagonal",
    "tridiagonal": "tridiagonal",
    "upper triangular": "upper",
    "lower triangular": "lower",
    "symmetric": "symmetric",
    "sym": "symmetric",
    "hermitian": "hermitian",
    "her": "hermitian",
    "positive definite": "positive",
    "pos": "positive",
}

_INVERTIBLE = (
    None,
    "general",
    "gen",
    "diagonal",
    "upper triangular",
    "lower triangular",
    "pos",
    "sym",
    "her",
)


def _solve(
    a: jax.Array, b: jax.Array, *, structure: str, lower: bool, transpose: bool
) -> jax.Array:
    """The solution of a x = b, or a^T x = b, for a matrix of this structure."""
    if a.size == 0 or b.size == 0:
        return b
    if structure in ("hermitian", "positive"):
        a = read_as_general(a, lower=lower)
    elif structure == "symmetric":
        a = read_as_general(a, lower=lower, conjugated=False)
    a = transpose_of(a) if transpose else a
    if structure == "positive":
        return _positive(a, b)
    if structure in ("upper", "lower"):
        return _triangular(a, b, lower=(structure == "lower") != transpose)
    if structure == "diagonal":
        return _diagonal(a, b)
    return _tridiagonal(a, b) if structure == "tridiagonal" else _general(a, b)


def inverse(a: jax.Array, *, structure: str = "general", lower: bool = False) -> jax.Array:
    """The inverse of one slice; NaN if it is singular."""
    # A linear solve's transpose asks that right-hand sides vary over the mesh as the matrix does.
    a, one = as_varying_together([a, jnp.eye(a.shape[-1], dtype=a.dtype)])
    return _solve(a, one, structure=structure, lower=lower, transpose=False)


# -- public ----------------------------------------------------------------------------------------


@public("jax", source=_GILES, differentiable="in a (as far as it is read) and b.")
def solve(
    a: ArrayLike,
    b: ArrayLike,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    assume_a: str | None = None,
    transposed: bool = False,
) -> jax.Array:
    """Solve the equation a x = b.

    Args:
        a: square matrices, shape (..., n, n).
        b: right-hand sides: a vector (n,), or columns (..., n, k). More than one dimension means
            columns, as in SciPy.
        lower: static; which triangle is read of a symmetric, Hermitian or positive definite matrix.
            The derivative in a is that of a general matrix, as in `jax.scipy.linalg.solve`: along
            symmetric (Hermitian) directions that of the triangle, but gradients are not symmetric.
        overwrite_a: has no effect.
        overwrite_b: has no effect.
        check_finite: has no effect.
        assume_a: static; what is known of a: None, "general" ("gen"), "diagonal", "tridiagonal",
            "banded", "upper triangular", "lower triangular", "symmetric" ("sym"), "hermitian"
            ("her") or "positive definite" ("pos"). What the structure leaves out is not read. None
            and "banded" mean a general matrix here: SciPy looks for a structure in the values, and
            finds the same solution.
        transposed: static; solve a^T x = b, for complex matrices too (SciPy refuses them).

    Returns:
        x, of b's form. NaN where a is exactly singular, or not positive definite where that is
        assumed; SciPy raises. Nothing warns of a matrix that is nearly singular.

    Raises:
        TypeError: an argument is not an array of numbers, or a flag is none.
        ValueError: the shapes do not fit, or assume_a is unknown.

    Example:
        >>> a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        >>> b = jnp.array([1.0, 2.0])
        >>> solve(a, b)
        Array([0.09090909, 0.63636364], dtype=float64)
        >>> jax.grad(lambda a: solve(a, b, assume_a="pos")[0])(a)
        Array([[-0.02479339, -0.17355372],
               [ 0.00826446,  0.05785124]], dtype=float64)
    """
    a, b = arrays("solve", a=a, b=b)
    square("solve", a=a)
    flag("solve", lower=lower, transposed=transposed)
    one_of("solve", "assume_a", assume_a, tuple(_STRUCTURES))
    static = {
        "structure": _STRUCTURES[assume_a],
        "lower": bool(lower),
        "transpose": bool(transposed),
    }

    def solver(y: jax.Array) -> jax.Array:
        return over_slices("solve", "(n,n),(n,k)->(n,k)", _solve, a, y, **static)

    return of_columns("solve", a.shape[-1], b, solver)


@public("jax", source=_GILES, differentiable="in the triangle of a that is read, and b.")
def solve_triangular(
    a: ArrayLike,
    b: ArrayLike,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> jax.Array:
    """Solve the equation a x = b, a triangular.

    Args:
        a: square matrices, shape (..., n, n), of which one triangle is read.
        b: right-hand sides: a vector (n,), or columns (..., n, k).
        trans: static; 0 or "N": a x = b, 1 or "T": a^T x = b, 2 or "C": a^H x = b.
        lower: static; read the lower triangle. Default: the upper one.
        unit_diagonal: static; take the diagonal for ones and do not read it.
        overwrite_b: has no effect.
        check_finite: has no effect.

    Returns:
        x, of b's form. NaN where a is exactly singular.

    Raises:
        TypeError: an argument is not an array of numbers, or a flag is none.
        ValueError: the shapes do not fit, or trans is unknown.

    Example:
        >>> a = jnp.array([[2.0, 0.0], [1.0, 4.0]])
        >>> solve_triangular(a, jnp.array([1.0, 2.0]), lower=True)
        Array([0.5  , 0.375], dtype=float64)
        >>> solve_triangular(a, jnp.array([1.0, 2.0]), trans=1, lower=True)
        Array([0.25, 0.5 ], dtype=float64)
    """
    a, b = arrays("solve_triangular", a=a, b=b)
    square("solve_triangular", a=a)
    flag("solve_triangular", lower=lower, unit_diagonal=unit_diagonal)
    one_of("solve_triangular", "trans", trans, (0, 1, 2, "N", "T", "C"))
    kind = trans if isinstance(trans, int) else "NTC".index(trans)
    static = {"lower": bool(lower), "unit_diagonal": bool(unit_diagonal), "trans": kind}

    def solver(y: jax.Array) -> jax.Array:
        return over_slices("solve_triangular", "(n,n),(n,k)->(n,k)", _triangular, a, y, **static)

    return of_columns("solve_triangular", a.shape[-1], b, solver)


@public("jax", source=_GILES, differentiable="in a (as far as it is read).")
def inv(
    a: ArrayLike,
    overwrite_a: bool = False,
    check_finite: bool = True,
    *,
    assume_a: str | None = None,
    lower: bool = False,
) -> jax.Array:
    """Invert a matrix.

    Args:
        a: square matrices, shape (..., n, n).
        overwrite_a: has no effect.
        check_finite: has no effect.
        assume_a: static; what is known of a: None, "general" ("gen"), "diagonal", "upper
            triangular", "lower triangular", "sym", "her" or "pos". None means a general matrix.
        lower: static; which triangle is read of a matrix that is "sym", "her" or "pos". The
            derivative is that of a general matrix, as in `solve`.

    Returns:
        The inverse (..., n, n). NaN where a is exactly singular, or not positive definite where
        that is assumed; SciPy raises.

    Raises:
        TypeError: a is not an array of numbers, or lower is not a flag.
        ValueError: a is not square, or assume_a is unknown.

    Example:
        >>> a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        >>> inv(a)
        Array([[ 0.27272727, -0.09090909],
               [-0.09090909,  0.36363636]], dtype=float64)
        >>> jax.grad(lambda a: jnp.trace(inv(a)))(a)
        Array([[-0.08264463,  0.05785124],
               [ 0.05785124, -0.14049587]], dtype=float64)
    """
    (a,) = arrays("inv", a=a)
    square("inv", a=a)
    flag("inv", lower=lower)
    one_of("inv", "assume_a", assume_a, _INVERTIBLE)
    structure = _STRUCTURES[assume_a]
    return over_slices("inv", "(n,n)->(n,n)", inverse, a, structure=structure, lower=bool(lower))
