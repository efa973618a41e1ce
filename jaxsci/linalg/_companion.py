"""Companion matrices of polynomials, and Fiedler's matrix of distances."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci.linalg._construct import longer, vectors
from jaxsci.linalg._infra.arguments import arrays
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import nan_where, over_slices

_ENTRIES = "its definition"


def _monic(function: str, a: Any, least: int) -> jax.Array:
    """The coefficients after the first, divided by it; NaN where it is zero."""
    (a,) = arrays(function, a=a)
    a = jnp.atleast_1d(a)
    longer(function, "a", a, least)
    first = a[..., :1]
    return a[..., 1:] / nan_where(first == 0, first)


@public("jax", source=_ENTRIES, differentiable="in a.")
def companion(a: ArrayLike) -> jax.Array:
    """The companion matrix of a polynomial.

    Args:
        a: coefficients, the highest power's first, shape (..., n), n at least 2.

    Returns:
        Matrices (..., n - 1, n - 1), whose eigenvalues are the roots. The first row is NaN where
        the first coefficient is zero; SciPy raises.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two elements.

    Example:
        >>> a = companion(jnp.array([1.0, -6.0, 11.0, -6.0]))  # (x - 1)(x - 2)(x - 3)
        >>> a
        Array([[  6., -11.,   6.],
               [  1.,   0.,   0.],
               [  0.,   1.,   0.]], dtype=float64)
        >>> jnp.sort(linalg.eigvals(a).real)
        Array([1., 2., 3.], dtype=float64)
    """
    return over_slices("companion", "(n)->(n,n)", _below, -_monic("companion", a, 2))


def _below(row: jax.Array) -> jax.Array:
    """The row, and below it ones beside the diagonal."""
    n = len(row)
    return jnp.concatenate([row[None], jnp.eye(n - 1, n, dtype=row.dtype)])


@public("jax", source="M. Fiedler, Linear Algebra Appl. 372 (2003)", differentiable="in a.")
def fiedler_companion(a: ArrayLike) -> jax.Array:
    """Fiedler's companion matrix of a polynomial: pentadiagonal.

    Args:
        a: coefficients, the highest power's first, shape (..., n), n at least 1.

    Returns:
        Matrices (..., n - 1, n - 1), whose eigenvalues are the roots. The coefficients in it are
        NaN where the first one is zero; SciPy raises.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a is empty.

    Example:
        >>> a = fiedler_companion(jnp.array([1.0, -6.0, 11.0, -6.0]))  # (x - 1)(x - 2)(x - 3)
        >>> a
        Array([[  6., -11.,   1.],
               [  1.,   0.,   0.],
               [  0.,   6.,   0.]], dtype=float64)
        >>> jnp.sort(linalg.eigvals(a).real)
        Array([1., 2., 3.], dtype=float64)
    """
    row = -_monic("fiedler_companion", a, 1)
    n = row.shape[-1]
    if n < 2:
        return row[..., None][..., :n]
    places = np.zeros((n, n), int)  # which coefficient stands where; 0: none
    ones = np.zeros((n, n))
    places[0, 0] = 1
    ones[1, 0] = 1
    for i in range(1, n):
        # Odd i: coefficient i + 1 in row i - 1; even i: in row i, a place to the left.
        if i % 2:
            places[i - 1, i] = i + 1
            if i + 2 < n:
                ones[i + 2, i] = 1
        else:
            places[i, i - 1] = i + 1
            ones[i - 2, i] = 1
    known = jnp.asarray(ones, row.dtype)
    return jnp.where(places > 0, row[..., np.maximum(places - 1, 0)], known)


@public(
    "jax",
    source=_ENTRIES,
    differentiable="in a, where its elements are distinct (0 is taken where two are equal).",
)
def fiedler(a: ArrayLike) -> jax.Array:
    """Fiedler's matrix: the distances |a_i - a_j|.

    Args:
        a: vectors, shape (..., n), real or complex.

    Returns:
        Matrices (..., n, n), symmetric, real. Those of unsigned integers are distances too; SciPy's
        wrap around.

    Raises:
        TypeError: a is not an array of numbers, or one of booleans.

    Example:
        >>> fiedler(jnp.array([1.0, 4.0, 6.0]))
        Array([[0., 3., 5.],
               [3., 0., 2.],
               [5., 2., 0.]], dtype=float64)
    """
    (a,) = vectors("fiedler", a=a)
    if a.dtype == bool:
        raise TypeError("fiedler: argument 'a' must be an array of numbers, got bool")
    rows, columns = a[..., :, None], a[..., None, :]
    if jnp.issubdtype(a.dtype, jnp.integer):
        return jnp.maximum(rows, columns) - jnp.minimum(rows, columns)
    difference = rows - columns
    if not jnp.iscomplexobj(a):
        return jnp.abs(difference)
    # The derivative of |z| at 0 would be NaN in second order.
    equal = difference == 0
    return jnp.where(equal, 0, jnp.abs(jnp.where(equal, 1, difference)))
