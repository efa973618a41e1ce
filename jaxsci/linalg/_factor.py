"""Triangular factorisations, LU and Cholesky's, and the equations that they solve."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.lax import linalg as lax_linalg

from jaxsci.linalg._arguments import adjoint, arrays, at_least, one_of, square, transposed
from jaxsci.linalg._catalog import public
from jaxsci.linalg._slices import flag, nan_where, of_columns, over_slices

# -- of one slice ----------------------------------------------------------------------------------


def checked_diagonal(a: jax.Array) -> jax.Array:
    """A triangular matrix; NaN if it is singular."""
    return nan_where(jnp.any(jnp.diagonal(a) == 0), a)


def from_lu(lu: jax.Array, permutation: jax.Array, b: jax.Array, trans: int) -> jax.Array:
    """The solution of a x = b (trans = 1: of a^T x = b, 2: of a^H x = b), a[permutation] = L U."""

    def solved(y: jax.Array, lower: bool) -> jax.Array:
        return lax_linalg.triangular_solve(
            lu,
            y,
            left_side=True,
            lower=lower,
            unit_diagonal=lower,
            transpose_a=trans > 0,
            conjugate_a=trans == 2,
        )

    if trans == 0:
        return solved(solved(b[permutation], True), False)
    return solved(solved(b, False), True)[jnp.argsort(permutation)]


def from_cholesky(c: jax.Array, lower: bool, b: jax.Array) -> jax.Array:
    """The solution of C C^H x = b, C lower triangular, or of C^H C x = b, C upper triangular."""

    def solved(y: jax.Array, first: bool) -> jax.Array:
        # Lower triangular: C first, then C^H. Upper triangular: C^H first, then C.
        starred = first != lower
        return lax_linalg.triangular_solve(
            c, y, left_side=True, lower=lower, transpose_a=starred, conjugate_a=starred
        )

    return solved(solved(b, True), False)


def hermitian_from(a: jax.Array, lower: bool) -> jax.Array:
    """The Hermitian matrix of which `a` holds one triangle, as LAPACK reads it."""
    strict = jnp.tril(a, -1) if lower else jnp.triu(a, 1)
    diagonal = jnp.eye(a.shape[-1], dtype=bool) * jnp.real(a)
    return strict + adjoint(strict) + diagonal


def symmetric_from(a: jax.Array, lower: bool) -> jax.Array:
    """The symmetric matrix, complex or not, of which `a` holds one triangle."""
    triangle = jnp.tril(a) if lower else jnp.triu(a)
    strict = jnp.tril(a, -1) if lower else jnp.triu(a, 1)
    return triangle + transposed(strict)


def lower_cholesky(hermitian: jax.Array) -> jax.Array:
    """L with L L^H = the matrix; NaN if it is not positive definite."""
    return lax_linalg.cholesky(hermitian, symmetrize_input=False)


# -- LU --------------------------------------------------------------------------------------------

_LU = "M. B. Giles, report NA-08/01 (2008)"


@public(
    "jax",
    source=_LU,
    differentiable="in a, where the leading minors of the permuted matrix are not zero; where "
    "pivots are exchanged the factors jump.",
)
def lu(
    a: Any,
    permute_l: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> tuple[jax.Array, ...]:
    """Factor a matrix with partial pivoting: a = P L U.

    Args:
        a: matrices, shape (..., m, n).
        permute_l: static; return P L and U.
        overwrite_a: has no effect.
        check_finite: has no effect.
        p_indices: static; return P as indices: a = L[p] @ U.

    Returns:
        P (..., m, m), real, L (..., m, k), U (..., k, n), k = min(m, n). With ``permute_l`` P L and
        U. With ``p_indices`` integers p (..., m) take P's place. A singular matrix has factors too.

    Raises:
        TypeError: a is not an array of numbers, or a static argument is none.
        ValueError: a has fewer than two dimensions.
    """
    (a,) = arrays("lu", a=a)
    at_least("lu", 2, a=a)
    flag("lu", permute_l=permute_l, p_indices=p_indices)
    m, n = a.shape[-2:]
    k = min(m, n)

    def factors(x: jax.Array) -> tuple[jax.Array, ...]:
        if k == 0:
            packed, permutation = x, jnp.arange(m, dtype=jnp.int32)
        else:
            packed, _, permutation = lax_linalg.lu(x)
        lower = jnp.tril(packed[:, :k], -1) + jnp.eye(m, k, dtype=x.dtype)
        upper = jnp.triu(packed[:k, :])
        indices = jnp.argsort(permutation).astype(jnp.int32)
        if permute_l:
            return lower[indices], upper
        if p_indices:
            return indices, lower, upper
        one = jnp.eye(m, dtype=jnp.real(x).dtype)
        return one[indices], lower, upper

    first = "" if permute_l else "(m)," if p_indices else "(m,m),"
    return over_slices("lu", f"(m,n)->{first}(m,k),(k,n)", factors, a)


@public("jax", source=_LU, differentiable="in a; see lu.")
def lu_factor(
    a: Any, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[jax.Array, jax.Array]:
    """Factor a matrix with partial pivoting, packed, for lu_solve.

    Args:
        a: matrices, shape (..., m, n).
        overwrite_a: has no effect.
        check_finite: has no effect.

    Returns:
        The factors (..., m, n): U in the upper triangle, L below it, its unit diagonal left out.
        The pivots (..., min(m, n)): row i was exchanged for row piv[i]. A singular matrix has
        factors too, without SciPy's warning.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two dimensions.
    """
    (a,) = arrays("lu_factor", a=a)
    at_least("lu_factor", 2, a=a)

    def factors(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        if x.size == 0:
            return x, jnp.zeros((min(x.shape),), jnp.int32)
        packed, pivots, _ = lax_linalg.lu(x)
        return packed, pivots

    return over_slices("lu_factor", "(m,n)->(m,n),(k)", factors, a)


@public("jax", source=_LU, differentiable="in the factors and b.")
def lu_solve(
    lu_and_piv: Any,
    b: Any,
    trans: int = 0,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> jax.Array:
    """Solve a x = b, given the factors of a.

    Args:
        lu_and_piv: what lu_factor returns: factors (..., n, n) and pivots (..., n).
        b: right-hand sides: a vector (n,), or columns (..., n, k).
        trans: static; 0: a x = b, 1: a^T x = b, 2: a^H x = b.
        overwrite_b: has no effect.
        check_finite: has no effect.

    Returns:
        x, of b's form. NaN where a is exactly singular.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or trans is none of 0, 1, 2.
    """
    packed, pivots = pair("lu_solve", "lu_and_piv", lu_and_piv)
    packed, b = arrays("lu_solve", lu_and_piv=packed, b=b)
    arrays("lu_solve", lu_and_piv=pivots)
    square("lu_solve", lu_and_piv=packed)
    one_of("lu_solve", "trans", trans, (0, 1, 2))
    pivots = jnp.asarray(pivots)
    n = packed.shape[-1]
    if not jnp.issubdtype(pivots.dtype, jnp.integer) or pivots.shape[-1:] != (n,):
        raise ValueError(
            f"lu_solve: the pivots in 'lu_and_piv' must be {n} integers, got {pivots.dtype} of "
            f"shape {pivots.shape}"
        )

    def solved(x: jax.Array, swaps: jax.Array, y: jax.Array) -> jax.Array:
        order = lax_linalg.lu_pivots_to_permutation(swaps.astype(jnp.int32), n)
        return from_lu(checked_diagonal(x), order, y, trans)

    return of_columns(
        "lu_solve",
        n,
        b,
        lambda y: over_slices("lu_solve", "(n,n),(n),(n,k)->(n,k)", solved, packed, pivots, y),
    )


def pair(function: str, name: str, value: Any) -> tuple[Any, Any]:
    """Both parts of an argument that SciPy takes as a pair."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{function}: argument {name!r} must be a pair, got {type(value).__name__}")
    return value[0], value[1]


# -- Cholesky --------------------------------------------------------------------------------------

_CHOLESKY = "I. Murray, arXiv:1602.07527 (2016)"


def _cholesky(function: str, a: Any, lower: bool) -> jax.Array:
    (a,) = arrays(function, a=a)
    square(function, a=a)
    flag(function, lower=lower)

    def factor(x: jax.Array) -> jax.Array:
        found = lower_cholesky(hermitian_from(x, bool(lower)))
        return found if lower else adjoint(found)

    return over_slices(function, "(n,n)->(n,n)", factor, a)


@public("jax", source=_CHOLESKY, differentiable="in the triangle of a that is read.")
def cholesky(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> jax.Array:
    """Cholesky's factor of a positive definite matrix: a = U^H U, or a = L L^H.

    Args:
        a: Hermitian matrices, shape (..., n, n). One triangle is read, and the real part of the
            diagonal.
        lower: static; read the lower triangle and return L. Default: the upper one, and U.
        overwrite_a: has no effect.
        check_finite: has no effect.

    Returns:
        The factor (..., n, n), zero in the other triangle. NaN where a is not positive definite.

    Raises:
        TypeError: a is not an array of numbers, or lower is not a flag.
        ValueError: a is not square.
    """
    return _cholesky("cholesky", a, lower)


@public("jax", source=_CHOLESKY, differentiable="in the triangle of a that is read.")
def cho_factor(
    a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[jax.Array, bool]:
    """Cholesky's factor of a positive definite matrix, for cho_solve.

    Args:
        a: Hermitian matrices, shape (..., n, n). One triangle is read.
        lower: static; read the lower triangle and return L. Default: the upper one, and U.
        overwrite_a: has no effect.
        check_finite: has no effect.

    Returns:
        The factor (..., n, n), and `lower`. The other triangle is zero; SciPy leaves something
        there. NaN where a is not positive definite.

    Raises:
        TypeError: a is not an array of numbers, or lower is not a flag.
        ValueError: a is not square.
    """
    return _cholesky("cho_factor", a, lower), bool(lower)


@public(
    "jax",
    source="two triangular systems; M. B. Giles, report NA-08/01 (2008)",
    differentiable="in the triangle of c that is read, and b.",
)
def cho_solve(
    c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> jax.Array:
    """Solve a x = b, given Cholesky's factor of a.

    Args:
        c_and_lower: what cho_factor returns: the factor (..., n, n), of which one triangle is read,
            and whether it is the lower one (static).
        b: right-hand sides: a vector (n,), or columns (..., n, k).
        overwrite_b: has no effect.
        check_finite: has no effect.

    Returns:
        x, of b's form. NaN where the factor is exactly singular.

    Raises:
        TypeError: an argument is not an array of numbers, or lower is not a flag.
        ValueError: the shapes do not fit.
    """
    c, lower = pair("cho_solve", "c_and_lower", c_and_lower)
    c, b = arrays("cho_solve", c_and_lower=c, b=b)
    square("cho_solve", c_and_lower=c)
    flag("cho_solve", lower=lower)

    def solved(x: jax.Array, y: jax.Array) -> jax.Array:
        return from_cholesky(checked_diagonal(x), bool(lower), y)

    return of_columns(
        "cho_solve",
        c.shape[-1],
        b,
        lambda y: over_slices("cho_solve", "(n,n),(n,k)->(n,k)", solved, c, y),
    )
