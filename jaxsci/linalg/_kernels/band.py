"""Products and factors of banded matrices in JAX operations, of one slice.

A band of l lower and u upper diagonals is stored as LAPACK does: ``ab[u + i - j, j] = a[i, j]``.
Hermitian and triangular bands are in lower form, ``ab[i - j, j] = a[i, j]``.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np


def used(ab: jax.Array, l: int, u: int) -> jax.Array:
    """The band (or a stack of them), zero where the storage has entries without meaning."""
    n = ab.shape[-1]
    row = np.arange(l + u + 1)[:, None] - u + np.arange(n)
    return jnp.where((row >= 0) & (row < n), ab, 0)


def _moved(x: jax.Array, k: int) -> jax.Array:
    """The rows, k places further down (up, if negative), zeros moving in."""
    n = x.shape[0]
    if abs(k) >= n:
        return jnp.zeros_like(x)
    zeros = jnp.zeros((abs(k), *x.shape[1:]), x.dtype)
    return jnp.concatenate([zeros, x[: n - k]] if k >= 0 else [x[-k:], zeros])


def product(l: int, u: int, ab: jax.Array, x: jax.Array) -> jax.Array:
    """The banded matrix times columns."""
    ab = used(ab, l, u)
    diagonals = (_moved(ab[u + k][:, None] * x, k) for k in range(-u, l + 1))
    return sum(diagonals, start=jnp.zeros_like(x))


def turned(l: int, u: int, ab: jax.Array) -> jax.Array:
    """The transposed matrix's band, of u lower and l upper diagonals."""
    return jnp.stack([_moved(ab[u + k], k) for k in range(l, -u - 1, -1)])


def lower_form(ab: jax.Array, lower: bool) -> jax.Array:
    """Upper form as lower form, and the other way round; what is lower already stays.

    The matrix is Hermitian; or triangular, and its adjoint takes its place.
    """
    if lower:
        return ab
    width = ab.shape[0] - 1
    return jnp.stack([_moved(ab[width - k], -k).conj() for k in range(width + 1)])


def upper_form(ab: jax.Array, lower: bool) -> jax.Array:
    """The inverse of `lower_form`."""
    if lower:
        return ab
    width = ab.shape[0] - 1
    return jnp.stack([_moved(ab[k], k).conj() for k in range(width, -1, -1)])


def triangular_product(ab: jax.Array, x: jax.Array, starred: bool = False) -> jax.Array:
    """The lower triangular band, or its adjoint, times columns."""
    width = ab.shape[0] - 1
    if starred:
        return product(0, width, upper_form(ab, False), x)
    return product(width, 0, ab, x)


def hermitian_product(ab: jax.Array, x: jax.Array) -> jax.Array:
    """The Hermitian band times columns; the main diagonal counts with its real part."""
    strict = ab.at[0].set(0)
    diagonal = jnp.real(ab[0])[:, None] * x
    return triangular_product(strict, x) + triangular_product(strict, x, starred=True) + diagonal


def banded_cholesky(ab: jax.Array) -> jax.Array:
    """Cholesky's factor of a Hermitian band, by a loop over columns. NaN where there is none."""
    width, n = ab.shape[0] - 1, ab.shape[1]
    # Behind the matrix comes a unit matrix, so that every column has `width` columns after it.
    unit = jnp.zeros((width + 1, width), ab.dtype).at[0].set(1)
    columns = jnp.concatenate([used(ab, width, 0), unit], axis=1).T
    # What column v does to the k-th column after it: minus v[k + i] conj(v[k]).
    index = np.add.outer(np.arange(width), np.arange(width + 1))

    def step(window: jax.Array, entering: jax.Array) -> tuple[jax.Array, jax.Array]:
        pivot = jnp.sqrt(jnp.real(window[0, 0]))
        v = window[0, 1:] / pivot
        beyond = jnp.concatenate([v, jnp.zeros((width + 1,), v.dtype)])
        rest = jnp.concatenate([window[1:], entering[None]])
        window = rest.at[:width].add(-beyond[index] * v.conj()[:, None])
        return window, jnp.concatenate([pivot[None].astype(v.dtype), v])

    following = jnp.concatenate([columns[width + 1 :], jnp.zeros((1, width + 1), ab.dtype)])
    _, factor = jax.lax.scan(step, columns[: width + 1], following)
    return factor.T[:, :n]
