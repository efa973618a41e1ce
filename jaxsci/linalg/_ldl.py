"""The factorisation L D L^H of Hermitian and symmetric matrices, with pivots of order 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.host_function import HostFunction
from jaxsci.linalg._infra.arguments import adjoint, arrays, square, transposed
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._infra.mirrored import mirrored
from jaxsci.linalg._infra.slices import flag, matmul


@cache
def _factors(lower: bool, hermitian: bool) -> HostFunction:
    """lu, d and the permutation, of a matrix that is Hermitian (or symmetric)."""
    star = adjoint if hermitian else transposed

    def ldl(a: np.ndarray) -> tuple[np.ndarray, ...]:
        return scipy.linalg.ldl(a, lower=lower, hermitian=hermitian, check_finite=False)

    def along(
        result: Sequence[jax.Array], arguments: Sequence[jax.Array], tangents: Sequence[jax.Array]
    ) -> tuple[jax.Array | None, ...]:
        """With s = L^-1 dL, m = L^-1 da L^-H = s D + dD + D s^H; s is strictly triangular."""
        lu, d, order = result
        da = tangents[0][order][:, order]
        triangular = lu[order]

        def solved(x: jax.Array) -> jax.Array:
            return jax.scipy.linalg.solve_triangular(triangular, x, lower=lower, unit_diagonal=True)

        m = star(solved(star(solved(da))))
        # The pivots of order 2 are where D has elements beside its diagonal.
        i = jnp.arange(len(d))
        block = (d != 0) | (i[:, None] == i)
        strict = jnp.tril(m, -1) if lower else jnp.triu(m, 1)
        # Nothing is divided by the last pivot, which is zero if the rank is n - 1.
        last = len(d) - 1 if lower else 0
        alone = jnp.sum(d[last] != 0) == (d[last, last] != 0)
        pivots = d.at[last, last].set(jnp.where(alone, 1, d[last, last]))
        divided = jnp.linalg.solve(transposed(pivots), transposed(jnp.where(block, 0, strict)))
        s = transposed(divided)
        return matmul(lu, s), jnp.where(block, m, 0), None

    return host("(n,n)->(n,n),(n,n),(n)", dtype=lambda a: (a, a, int))(ldl).jvp(along)


@public(
    "host",
    source="J. R. Bunch and L. Kaufman, Math. Comp. 31 (1977); the rule is Cholesky's, I. Murray, "
    "arXiv:1602.07527, with blocks",
    differentiable="in A, through its Hermitian (or symmetric) part, where the pivots do not "
    "change and all but the last are not singular; NaN or infinite where another one is.",
)
def ldl(
    A: ArrayLike,
    lower: bool = True,
    hermitian: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Factor a Hermitian or symmetric matrix, definite or not: A = lu d lu^H, or lu d lu^T.

    Args:
        A: matrices, shape (..., n, n), of which one triangle is read. The derivative is that along
            the Hermitian (or symmetric) part of a direction, as in `cholesky`.
        lower: which triangle is read, and whether lu is a lower triangular matrix with its rows
            permuted, or an upper one.
        hermitian: whether complex matrices are Hermitian, or symmetric. Of a Hermitian one only the
            real part of the diagonal is read.
        overwrite_a: without effect.
        check_finite: without effect.

    Returns:
        ``(lu, d, perm)``: lu and the block diagonal d, with blocks of order 1 and 2, of shape
        (..., n, n); the integers perm, shape (..., n), for which lu[perm] is triangular. NaN (and
        -1 in perm) where A is not finite.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]])
        >>> lu, d, perm = ldl(a)
        >>> d  # a block of two, for a is not definite
        Array([[ 0.,  2.,  0.],
               [ 2.,  0.,  0.],
               [ 0.,  0., -3.]], dtype=float64)
        >>> bool(jnp.allclose(lu @ d @ lu.T, a))
        True
    """
    del overwrite_a, check_finite
    flag("ldl", lower=lower, hermitian=hermitian)
    (A,) = arrays("ldl", A=A)
    square("ldl", A=A)
    hermitian = bool(hermitian) and jnp.iscomplexobj(A)
    whole = mirrored(A, lower=bool(lower), conjugated=hermitian)
    return _factors(bool(lower), hermitian)(whole)
