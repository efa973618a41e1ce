"""LU factors with partial pivoting, and the equations that they solve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
from jax.lax import linalg as lax_linalg
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import array, arrays, at_least, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import flag, nan_where, of_columns, over_slices

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


# -- LU --------------------------------------------------------------------------------------------


def _packed_lu(a: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Both factors in one matrix, the pivots and the permutation."""
    m, n = a.shape
    if a.size == 0:
        return a, jnp.zeros((min(m, n),), jnp.int32), jnp.arange(m, dtype=jnp.int32)
    packed, pivots, permutation = lax_linalg.lu(a)
    return packed, pivots, permutation


def _lu(a: jax.Array, *, kind: str) -> tuple[jax.Array, ...]:
    packed, _, permutation = _packed_lu(a)
    m, k = a.shape[0], min(a.shape)
    lower = jnp.tril(packed[:, :k], -1) + jnp.eye(m, k, dtype=a.dtype)
    upper = jnp.triu(packed[:k, :])
    indices = jnp.argsort(permutation).astype(jnp.int32)
    if kind == "product":
        return lower[indices], upper
    if kind == "indices":
        return indices, lower, upper
    return jnp.eye(m, dtype=jnp.real(a).dtype)[indices], lower, upper


def _lu_factor(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    return _packed_lu(a)[:2]


def _lu_solve(packed: jax.Array, pivots: jax.Array, b: jax.Array, *, trans: int) -> jax.Array:
    order = lax_linalg.lu_pivots_to_permutation(pivots.astype(jnp.int32), packed.shape[0])
    return from_lu(checked_diagonal(packed), order, b, trans)


_LU = "M. B. Giles, report NA-08/01 (2008)"


@overload
def lu(
    a: ArrayLike,
    permute_l: Literal[False] = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array]: ...


@overload
def lu(
    a: ArrayLike,
    *,
    permute_l: Literal[True],
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def lu(
    a: ArrayLike,
    permute_l: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array] | tuple[jax.Array, jax.Array]: ...


@public(
    "jax",
    source=_LU,
    differentiable="in a, where the leading minors of the permuted matrix are not zero; where "
    "pivots are exchanged the factors jump.",
)
def lu(
    a: ArrayLike,
    permute_l: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array] | tuple[jax.Array, jax.Array]:
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

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 5.0]])
        >>> p, l, u = lu(a)
        >>> l
        Array([[1.        , 0.        ],
               [0.33333333, 1.        ]], dtype=float64)
        >>> u
        Array([[3.        , 5.        ],
               [0.        , 0.33333333]], dtype=float64)
        >>> bool(jnp.allclose(p @ l @ u, a))
        True
    """
    (a,) = arrays("lu", a=a)
    at_least("lu", 2, a=a)
    flag("lu", permute_l=permute_l, p_indices=p_indices)
    kind = "product" if permute_l else "indices" if p_indices else "matrix"
    first = {"product": "", "indices": "(m),", "matrix": "(m,m),"}[kind]
    return over_slices("lu", f"(m,n)->{first}(m,k),(k,n)", _lu, a, kind=kind)


@public("jax", source=_LU, differentiable="in a; see lu.")
def lu_factor(
    a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True
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

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 5.0]])
        >>> factors = lu_factor(a)
        >>> linalg.lu_solve(factors, jnp.array([1.0, 1.0]))
        Array([-3.,  2.], dtype=float64)
    """
    (a,) = arrays("lu_factor", a=a)
    at_least("lu_factor", 2, a=a)
    return over_slices("lu_factor", "(m,n)->(m,n),(k)", _lu_factor, a)


@public("jax", source=_LU, differentiable="in the factors and b.")
def lu_solve(
    lu_and_piv: tuple[ArrayLike, ArrayLike],
    b: ArrayLike,
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

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 5.0]])
        >>> factors = linalg.lu_factor(a)
        >>> lu_solve(factors, jnp.array([1.0, 1.0]))
        Array([-3.,  2.], dtype=float64)
        >>> lu_solve(factors, jnp.array([1.0, 1.0]), trans=1)
        Array([-2.,  1.], dtype=float64)
    """
    packed, pivots = pair("lu_solve", "lu_and_piv", lu_and_piv)
    packed, b = arrays("lu_solve", lu_and_piv=packed, b=b)
    pivots = array("lu_solve", "lu_and_piv", pivots)
    square("lu_solve", lu_and_piv=packed)
    one_of("lu_solve", "trans", trans, (0, 1, 2))
    n = packed.shape[-1]
    if pivots.size == 0:  # NumPy's empty array is one of floats
        pivots = pivots.astype(jnp.int32)
    if not jnp.issubdtype(pivots.dtype, jnp.integer) or pivots.shape[-1:] != (n,):
        raise ValueError(
            f"lu_solve: the pivots in 'lu_and_piv' must be {n} integers, got {pivots.dtype} of "
            f"shape {pivots.shape}"
        )

    def solver(y: jax.Array) -> jax.Array:
        signature = "(n,n),(n),(n,k)->(n,k)"
        return over_slices("lu_solve", signature, _lu_solve, packed, pivots, y, trans=trans)

    return of_columns("lu_solve", n, b, solver)


def pair(function: str, name: str, value: Sequence[ArrayLike]) -> tuple[Any, Any]:
    """Both parts of an argument that SciPy takes as a pair."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{function}: argument {name!r} must be a pair, got {type(value).__name__}")
    return value[0], value[1]
