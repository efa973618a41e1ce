"""Matrices with a structure, made of vectors: circulant, Hankel, Toeplitz, Leslie matrices, blocks.

Integers stay integers. Scalars count as vectors of one element, as in SciPy.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import in_memory, numbers, whole

_ENTRIES = "its definition"


def vectors(function: str, **given: Any) -> list[jax.Array]:
    """Arrays of at least one dimension, of one dtype."""
    found = [jnp.atleast_1d(x) for x in numbers(function, **given)]
    dtype = jnp.result_type(*found)
    return [x.astype(dtype) for x in found]


def _together(function: str, core_ndim: int, *xs: jax.Array) -> list[jax.Array]:
    """The arrays, their leading dimensions broadcast."""
    try:
        loop = jnp.broadcast_shapes(*(x.shape[: x.ndim - core_ndim] for x in xs))
    except ValueError:
        shapes = ", ".join(str(x.shape) for x in xs)
        raise ValueError(
            f"{function}: leading dimensions do not broadcast: shapes {shapes}"
        ) from None
    return [jnp.broadcast_to(x, loop + x.shape[x.ndim - core_ndim :]) for x in xs]


def longer(function: str, name: str, x: jax.Array, least: int) -> int:
    """The vectors' length, at least this."""
    if x.shape[-1] < least:
        raise ValueError(
            f"{function}: argument {name!r} needs at least {least} elements, got shape {x.shape}"
        )
    return x.shape[-1]


# -- constant along diagonals ----------------------------------------------------------------------


def _toeplitz(c: jax.Array, r: jax.Array) -> jax.Array:
    m, n = c.shape[-1], r.shape[-1]
    values = jnp.concatenate([jnp.flip(c, -1), r[..., 1:]], axis=-1)
    return values[..., np.arange(m - 1, -1, -1)[:, None] + np.arange(n)]


@public("jax", source=_ENTRIES, differentiable="in c and r; linear (in c alone, real-linear).")
def toeplitz(c: ArrayLike, r: ArrayLike | None = None) -> jax.Array:
    """A Toeplitz matrix: constant along its diagonals.

    Args:
        c: first columns, shape (..., m).
        r: first rows, shape (..., n), whose first element is not read. Default: c's conjugate.

    Returns:
        Matrices (..., m, n).

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: leading dimensions do not broadcast.

    Example:
        >>> toeplitz(jnp.array([1.0, 2.0, 3.0]))
        Array([[1., 2., 3.],
               [2., 1., 2.],
               [3., 2., 1.]], dtype=float64)
        >>> toeplitz(jnp.array([1.0, 2.0]), jnp.array([1.0, 5.0, 6.0]))
        Array([[1., 5., 6.],
               [2., 1., 5.]], dtype=float64)
    """
    (c,) = vectors("toeplitz", c=c)
    c, r = vectors("toeplitz", c=c, r=c.conj() if r is None else r)
    return _toeplitz(*_together("toeplitz", 1, c, r))


@public("jax", source=_ENTRIES, differentiable="in c and r; linear.")
def hankel(c: ArrayLike, r: ArrayLike | None = None) -> jax.Array:
    """A Hankel matrix: constant along its antidiagonals.

    Args:
        c: first columns, shape (..., m).
        r: last rows, shape (..., n), whose first element is not read. Default: zeros, n = m.

    Returns:
        Matrices (..., m, n). Leading dimensions batch, as they will in SciPy from 1.19 on.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: leading dimensions do not broadcast.

    Example:
        >>> hankel(jnp.array([1.0, 2.0, 3.0]), jnp.array([3.0, 4.0]))
        Array([[1., 2.],
               [2., 3.],
               [3., 4.]], dtype=float64)
    """
    (c,) = vectors("hankel", c=c)
    c, r = vectors("hankel", c=c, r=jnp.zeros_like(c) if r is None else r)
    c, r = _together("hankel", 1, c, r)
    values = jnp.concatenate([c, r[..., 1:]], axis=-1)
    return values[..., np.add.outer(np.arange(c.shape[-1]), np.arange(r.shape[-1]))]


@public("jax", source=_ENTRIES, differentiable="in c; linear.")
def circulant(c: ArrayLike) -> jax.Array:
    """A circulant matrix: each column is the one before it, moved down by one place in a circle.

    Args:
        c: first columns, shape (..., n).

    Returns:
        Matrices (..., n, n).

    Raises:
        TypeError: c is not an array of numbers.

    Example:
        >>> circulant(jnp.array([1.0, 2.0, 3.0]))
        Array([[1., 3., 2.],
               [2., 1., 3.],
               [3., 2., 1.]], dtype=float64)
    """
    (c,) = vectors("circulant", c=c)
    n = c.shape[-1]
    return c[..., np.subtract.outer(np.arange(n), np.arange(n)) % n if n else np.zeros((0, 0), int)]


@public("jax", source=_ENTRIES, differentiable="in a; linear.")
def convolution_matrix(a: ArrayLike, n: int, mode: str = "full") -> jax.Array:
    """The matrix whose product with a vector of n elements is its convolution with a.

    Args:
        a: vectors, shape (..., m), m at least 1.
        n: static; the number of columns, at least 1.
        mode: static; "full", "same" or "valid": which part of the convolution, as in
            numpy.convolve.

    Returns:
        Matrices (..., k, n); k = m + n - 1, max(m, n) or max(m, n) - min(m, n) + 1.

    Raises:
        TypeError: a is not an array of numbers, or n is not an integer.
        ValueError: a is empty, n is not positive or too large for any memory, or the mode is
            unknown.

    Example:
        >>> a = jnp.array([1.0, 2.0, 3.0])
        >>> convolution_matrix(a, 2)
        Array([[1., 0.],
               [2., 1.],
               [3., 2.],
               [0., 3.]], dtype=float64)
        >>> convolution_matrix(a, 2) @ jnp.array([1.0, -1.0])  # as jnp.convolve(a, [1, -1])
        Array([ 1.,  1.,  1., -3.], dtype=float64)
    """
    (a,) = vectors("convolution_matrix", a=a)
    n = whole("convolution_matrix", "n", n, 1)
    one_of("convolution_matrix", "mode", mode, ("full", "same", "valid"))
    m = longer("convolution_matrix", "a", a, 1)
    in_memory("convolution_matrix", "'n'", m + n - 1, n)
    cut = min(m, n) - 1
    above = {"full": 0, "same": cut // 2, "valid": cut}[mode]
    below = {"full": 0, "same": cut - cut // 2, "valid": cut}[mode]
    index = np.arange(m + n - 1)[above : m + n - 1 - below, None] - np.arange(n)
    return jnp.where((index >= 0) & (index < m), a[..., np.clip(index, 0, m - 1)], 0)


# -- with few entries ------------------------------------------------------------------------------


@public("jax", source=_ENTRIES, differentiable="in all; linear.")
def block_diag(*arrs: ArrayLike) -> jax.Array:
    """A matrix of blocks along the diagonal.

    Args:
        *arrs: blocks, shape (..., m_i, n_i). A vector is a block of one row.

    Returns:
        Matrices (..., m_1 + m_2 + ..., n_1 + n_2 + ...); of shape (1, 0) without arguments.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: leading dimensions do not broadcast.

    Example:
        >>> block_diag(jnp.array([[1.0, 2.0], [3.0, 4.0]]), 5.0 * jnp.eye(1))
        Array([[1., 2., 0.],
               [3., 4., 0.],
               [0., 0., 5.]], dtype=float64)
    """
    if not arrs:
        return jnp.zeros((1, 0))
    named = {f"arrs[{i}]": x for i, x in enumerate(arrs)}
    blocks = [jnp.atleast_2d(x) for x in vectors("block_diag", **named)]
    blocks = _together("block_diag", 2, *blocks)
    width = sum(x.shape[-1] for x in blocks)
    rows, before = [], 0
    for x in blocks:
        after = width - before - x.shape[-1]
        rows.append(jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(before, after)]))
        before += x.shape[-1]
    return jnp.concatenate(rows, axis=-2)


@public("jax", source=_ENTRIES, differentiable="in s; linear.")
def diagsvd(s: ArrayLike, M: int, N: int) -> jax.Array:
    """The matrix of singular values, of the shape that the product of an SVD needs.

    Args:
        s: singular values, shape (..., M) or (..., N).
        M: static; the number of rows.
        N: static; the number of columns.

    Returns:
        Matrices (..., M, N), s along the diagonal.

    Raises:
        TypeError: s is not an array of numbers, or a size is not an integer.
        ValueError: s has neither M nor N elements, or the matrix is too small for them, or too
            large for any memory.

    Example:
        >>> diagsvd(jnp.array([3.0, 2.0]), 2, 3)
        Array([[3., 0., 0.],
               [0., 2., 0.]], dtype=float64)
    """
    (s,) = vectors("diagsvd", s=s)
    m, n = whole("diagsvd", "M", M, 0), whole("diagsvd", "N", N, 0)
    k = s.shape[-1]
    if k != min(m, n):
        raise ValueError(
            f"diagsvd: argument 's' must have min(M, N) = {min(m, n)} elements, got shape {s.shape}"
        )
    in_memory("diagsvd", "'M' or 'N'", m, n)
    square = s[..., None] * jnp.eye(k, dtype=s.dtype)
    return jnp.pad(square, [(0, 0)] * (s.ndim - 1) + [(0, m - k), (0, n - k)])


@public("jax", source="P. H. Leslie, Biometrika 33 (1945)", differentiable="in f and s; linear.")
def leslie(f: ArrayLike, s: ArrayLike) -> jax.Array:
    """A Leslie matrix: fecundities in the first row, survival rates below the diagonal.

    Args:
        f: fecundities, shape (..., n), n at least 2.
        s: survival rates, shape (..., n - 1).

    Returns:
        Matrices (..., n, n).

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = leslie(jnp.array([0.0, 1.5, 1.0]), jnp.array([0.5, 0.25]))
        >>> a
        Array([[0.  , 1.5 , 1.  ],
               [0.5 , 0.  , 0.  ],
               [0.  , 0.25, 0.  ]], dtype=float64)
        >>> a @ jnp.array([100.0, 40.0, 10.0])  # newborn, and those that survive
        Array([70., 50., 10.], dtype=float64)
    """
    f, s = vectors("leslie", f=f, s=s)
    n = longer("leslie", "f", f, 2)
    if s.shape[-1] != n - 1:
        raise ValueError(f"leslie: argument 's' must have {n - 1} elements, got shape {s.shape}")
    f, s = _together("leslie", 1, f, s)
    below = s[..., None] * jnp.eye(n - 1, n, dtype=s.dtype)
    return jnp.concatenate([f[..., None, :], below], axis=-2)
