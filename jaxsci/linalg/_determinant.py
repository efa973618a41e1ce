"""The determinant, whose differential is the adjugate, at singular matrices too."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, PyTree, Tangents
from jaxsci.linalg._infra.arguments import arrays, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.ruled import ruled
from jaxsci.linalg._infra.slices import matmul, over_slices
from jaxsci.linalg._solve import inverse


def _along_adjugate(found: PyTree, primals: Arrays, tangents: Tangents) -> Any:
    # adj(A) = det(A) A^-1 where A is regular. NaN, with the inverse, where it is singular.
    (a,), (da,) = primals, tangents
    x = matmul(inverse(a), da)
    return jnp.trace(x) * found - matmul(x, found)


@ruled(_along_adjugate)
def _large_adjugate(a: jax.Array) -> jax.Array:
    one = jnp.ones((), a.dtype)
    return jax.vjp(jnp.linalg.det, a)[1](one)[0].T


def _adjugate(a: jax.Array) -> jax.Array:
    """The transposed matrix of cofactors, which are written out up to order 3.

    JAX's own determinants of order 2 and 3 are polynomials before 0.12 only; since then their
    second derivative at singular matrices is zero.
    """
    n = a.shape[-1]
    if n > 3:
        return _large_adjugate(a)
    if n < 2:
        return jnp.ones_like(a)
    if n == 2:
        return jnp.array([[a[1, 1], -a[0, 1]], [-a[1, 0], a[0, 0]]])
    columns = (jnp.cross(a[1], a[2]), jnp.cross(a[2], a[0]), jnp.cross(a[0], a[1]))
    return jnp.stack(columns, axis=-1)


def _along(found: PyTree, primals: Arrays, tangents: Tangents) -> jax.Array:
    (a,), (da,) = primals, tangents
    return jnp.sum(_adjugate(a).T * da)


@ruled(_along)
def _determinant(a: jax.Array) -> jax.Array:
    """The determinant by LU factors."""
    return jnp.linalg.det(a)


@public(
    "jax",
    source="M. B. Giles, report NA-08/01 (2008)",
    differentiable="in a. At singular matrices of order 4 and more, in first order only: higher "
    "derivatives are NaN there.",
)
def det(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> jax.Array:
    """The determinant of a matrix.

    Args:
        a: square matrices, shape (..., n, n).
        overwrite_a: has no effect.
        check_finite: has no effect.

    Returns:
        The determinants (...), 1 of an empty matrix. Of float32 and complex64 they are float32 and
        complex64 (SciPy returns double), and may overflow. Of a matrix that is not finite they
        are infinite or NaN, as SciPy's.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a is not square.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 5.0]])
        >>> print(f"{det(a):.6f}")
        -1.000000
        >>> jax.grad(det)(a)  # the cofactors
        Array([[ 5., -3.],
               [-2.,  1.]], dtype=float64)
    """
    (a,) = arrays("det", a=a)
    square("det", a=a)
    return over_slices("det", "(n,n)->()", _determinant, a)
