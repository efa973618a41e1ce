"""Cholesky's factors, and the equations that they solve."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.lax import linalg as lax_linalg
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import adjoint, arrays, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.mirrored import mirrored
from jaxsci.linalg._infra.slices import flag, nan_where, of_columns, over_slices
from jaxsci.linalg._lu import checked_diagonal, pair

# -- of one slice ----------------------------------------------------------------------------------


def from_cholesky(c: jax.Array, lower: bool, b: jax.Array) -> jax.Array:
    """The solution of C C^H x = b, C lower triangular, or of C^H C x = b, C upper triangular."""

    def solved(y: jax.Array, first: bool) -> jax.Array:
        # Lower triangular: C first, then C^H. Upper triangular: C^H first, then C.
        starred = first != lower
        return lax_linalg.triangular_solve(
            c, y, left_side=True, lower=lower, transpose_a=starred, conjugate_a=starred
        )

    return solved(solved(b, True), False)


def lower_cholesky(hermitian: jax.Array) -> jax.Array:
    """L with L L^H = the matrix; NaN if it is not positive definite."""
    found = lax_linalg.cholesky(hermitian, symmetrize_input=False)
    return nan_where(jnp.any(jnp.isnan(found)), found)


_CHOLESKY = "I. Murray, arXiv:1602.07527 (2016)"


def _cholesky_factor(a: jax.Array, *, lower: bool) -> jax.Array:
    found = lower_cholesky(mirrored(a, lower=lower))
    return found if lower else adjoint(found)


def _cholesky(function: str, a: Any, lower: bool) -> jax.Array:
    (a,) = arrays(function, a=a)
    square(function, a=a)
    flag(function, lower=lower)
    return over_slices(function, "(n,n)->(n,n)", _cholesky_factor, a, lower=bool(lower))


def _cho_solve(c: jax.Array, b: jax.Array, *, lower: bool) -> jax.Array:
    return from_cholesky(checked_diagonal(c), lower, b)


@public("jax", source=_CHOLESKY, differentiable="in a, through its Hermitian part.")
def cholesky(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> jax.Array:
    """Cholesky's factor of a positive definite matrix: a = U^H U, or a = L L^H.

    The derivative is that along the Hermitian part of a direction, as in JAX's own
    `jax.numpy.linalg.cholesky`: gradients are Hermitian. (That of `jax.scipy.linalg.cholesky` is of
    one triangle, or, in some versions of JAX, of neither; along Hermitian directions it is the
    same.)

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

    Example:
        >>> a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        >>> cholesky(a, lower=True)
        Array([[2.       , 0.       ],
               [0.5      , 1.6583124]], dtype=float64)
        >>> jax.grad(lambda a: jnp.sum(jnp.log(jnp.diagonal(cholesky(a)))))(a)  # half the inverse
        Array([[ 0.13636364, -0.04545455],
               [-0.04545455,  0.18181818]], dtype=float64)
    """
    return _cholesky("cholesky", a, lower)


@public("jax", source=_CHOLESKY, differentiable="in a, through its Hermitian part.")
def cho_factor(
    a: ArrayLike, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[jax.Array, bool]:
    """Cholesky's factor of a positive definite matrix, for cho_solve.

    The derivative is that along the Hermitian part of a direction, as in `cholesky`.

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

    Example:
        >>> a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        >>> factor = cho_factor(a)
        >>> linalg.cho_solve(factor, jnp.array([1.0, 2.0]))
        Array([0.09090909, 0.63636364], dtype=float64)
    """
    return _cholesky("cho_factor", a, lower), bool(lower)


@public(
    "jax",
    source="two triangular systems; M. B. Giles, report NA-08/01 (2008)",
    differentiable="in the triangle of c that is read, and b.",
)
def cho_solve(
    c_and_lower: tuple[ArrayLike, bool],
    b: ArrayLike,
    overwrite_b: bool = False,
    check_finite: bool = True,
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

    Example:
        >>> a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        >>> factor = linalg.cho_factor(a)
        >>> cho_solve(factor, jnp.array([1.0, 2.0]))
        Array([0.09090909, 0.63636364], dtype=float64)
        >>> jax.grad(lambda b: b @ cho_solve(factor, b))(jnp.array([1.0, 2.0]))
        Array([0.18181818, 1.27272727], dtype=float64)
    """
    c, lower = pair("cho_solve", "c_and_lower", c_and_lower)
    c, b = arrays("cho_solve", c_and_lower=c, b=b)
    square("cho_solve", c_and_lower=c)
    flag("cho_solve", lower=lower)

    def solver(y: jax.Array) -> jax.Array:
        signature = "(n,n),(n,k)->(n,k)"
        return over_slices("cho_solve", signature, _cho_solve, c, y, lower=bool(lower))

    return of_columns("cho_solve", c.shape[-1], b, solver)
