"""Balancing: a similarity by a permutation and powers of two that evens out rows and columns."""

from __future__ import annotations

from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, PyTree, Tangents
from jaxsci.linalg._infra.arguments import arrays, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._infra.slices import flag


@host(
    "(n,n)->(n,n),(n),(n)",
    static=("permute", "scale"),
    dtype=lambda a: (a, jnp.finfo(a).dtype, int),
    name="matrix_balance",
)
def _balance(a: np.ndarray, permute: bool, scale: bool) -> tuple[np.ndarray, ...]:
    if a.size == 0:
        return a, np.ones(0), np.arange(0)
    b, (scaling, order) = scipy.linalg.matrix_balance(
        a, permute=permute, scale=scale, separate=True
    )
    return b, scaling, order


@_balance.jvp
def _along(result: PyTree, arguments: Arrays, tangents: Tangents) -> Any:
    """The permutation and the powers of two do not change."""
    _, scaling, order = result
    (da,) = tangents
    return da[order][:, order] * scaling / scaling[:, None], None, None


@overload
def matrix_balance(
    A: ArrayLike,
    permute: bool = True,
    scale: bool = True,
    separate: Literal[False] = False,
    overwrite_a: bool = False,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def matrix_balance(
    A: ArrayLike,
    permute: bool = True,
    scale: bool = True,
    *,
    separate: Literal[True],
    overwrite_a: bool = False,
) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]: ...


@overload
def matrix_balance(
    A: ArrayLike,
    permute: bool = True,
    scale: bool = True,
    separate: bool = False,
    overwrite_a: bool = False,
) -> tuple[jax.Array, jax.Array] | tuple[jax.Array, tuple[jax.Array, jax.Array]]: ...


@public(
    "host",
    source="B. N. Parlett and C. Reinsch, Numer. Math. 13 (1969); R. James, J. Langou and B. R. "
    "Lowery, arXiv:1401.5766",
    differentiable="in A, where the permutation and the powers of two do not change.",
)
def matrix_balance(
    A: ArrayLike,
    permute: bool = True,
    scale: bool = True,
    separate: bool = False,
    overwrite_a: bool = False,
) -> tuple[jax.Array, jax.Array] | tuple[jax.Array, tuple[jax.Array, jax.Array]]:
    """Even out the norms of rows and columns: B = T^-1 A T.

    Args:
        A: matrices, shape (..., n, n).
        permute: whether rows and columns are permuted first, to isolate eigenvalues.
        scale: whether rows and columns are scaled, by powers of two.
        separate: whether scales and permutation are returned in place of T.
        overwrite_a: without effect.

    Returns:
        ``(B, T)``, both of shape (..., n, n), T real; or ``(B, (scale, perm))``, the latter of
        shape (..., n), perm integer. NaN (and -1 in perm) where A is not finite.

    Raises:
        TypeError: A is not an array of numbers.
        ValueError: A is not square.

    Example:
        >>> a = jnp.array([[1.0, 1000.0], [0.004, 2.0]])
        >>> b, t = matrix_balance(a)
        >>> b  # rows and columns of like norms
        Array([[1.      , 1.953125],
               [2.048   , 2.      ]], dtype=float64)
        >>> jnp.diagonal(t)  # powers of two
        Array([128.  ,   0.25], dtype=float64)
        >>> bool(jnp.allclose(t @ b, a @ t))
        True
    """
    del overwrite_a
    flag("matrix_balance", permute=permute, scale=scale, separate=separate)
    (A,) = arrays("matrix_balance", A=A)
    square("matrix_balance", A=A)
    b, scaling, order = _balance(A, permute=bool(permute), scale=bool(scale))
    if separate:
        return b, (scaling, order)
    rows = jnp.arange(A.shape[-1])[:, None]
    # Column j has its power of two in row order[j].
    chosen = order[..., None, :] == rows
    return b, jnp.where(chosen | jnp.isnan(scaling[..., None, :]), scaling[..., None, :], 0)
