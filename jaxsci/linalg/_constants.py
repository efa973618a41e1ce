"""Matrices that depend on their size alone."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import DTypeLike

from jaxsci.linalg._infra.arguments import one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import flag, in_memory, number_type, whole

_ENTRIES = "its definition"
_KINDS = ("symmetric", "lower", "upper")
_MOST_EXACT = 100
"""Matrices of higher order have integers of more than 64 bits, and take long to compute."""


def _order(function: str, n: int, least: int) -> int:
    """The order of a square matrix."""
    n = whole(function, "n", n, least)
    in_memory(function, "'n'", n, n)
    return n


def _exactly(function: str, n: int, entries: Callable[[], np.ndarray]) -> jax.Array:
    """Integers of JAX's dtype, if they fit into it."""
    values = entries() if n <= _MOST_EXACT else np.array([2**64], object)
    kind = np.int64 if values.dtype == object else values.dtype
    dtype = jax.dtypes.canonicalize_dtype(kind)
    limits = np.iinfo(dtype)
    if any(not limits.min <= int(x) <= limits.max for x in values.ravel()):
        raise ValueError(
            f"{function}: the values do not fit {dtype}; use exact=False"
            + ("" if dtype == kind else ", or 64-bit types (jax_enable_x64)")
        )
    return jnp.asarray(values.astype(dtype))


@public("jax", source=_ENTRIES, differentiable="no")
def dft(n: int, scale: str | None = None) -> jax.Array:
    """The matrix of the discrete Fourier transform.

    Args:
        n: static; the order.
        scale: static; None, "sqrtn" (a unitary matrix) or "n".

    Returns:
        The matrix (n, n), complex: exp(-2 pi i j k / n), divided by 1, sqrt(n) or n.

    Raises:
        TypeError: n is not an integer.
        ValueError: n is negative, the matrix too large for any memory, or the scale is unknown.

    Example:
        >>> x = jnp.array([1.0, 2.0, 1.0, -1.0])
        >>> jnp.abs(dft(4) @ x)
        Array([3., 3., 1., 3.], dtype=float64)
        >>> bool(jnp.allclose(dft(4) @ x, jnp.fft.fft(x)))
        True
    """
    n = _order("dft", n, 0)
    one_of("dft", "scale", scale, (None, "sqrtn", "n"))
    # Powers are reduced before the exponential: all entries are right to rounding.
    powers = np.multiply.outer(np.arange(n), np.arange(n)) % max(n, 1)
    values = np.exp(-2j * np.pi * np.arange(n) / max(n, 1))[powers]
    return jnp.asarray(values / {None: 1.0, "sqrtn": max(n, 1) ** 0.5, "n": max(n, 1)}[scale])


@public("jax", source=_ENTRIES, differentiable="no")
def hadamard(n: int, dtype: DTypeLike = int) -> jax.Array:
    """A Hadamard matrix, by Sylvester's construction.

    Args:
        n: static; the order, a power of two.
        dtype: static; the dtype. Default: JAX's default integer.

    Returns:
        The matrix (n, n), of ones and minus ones.

    Raises:
        TypeError: n is not an integer, or dtype no dtype of numbers.
        ValueError: n is not a power of two, or the matrix too large for any memory.

    Example:
        >>> hadamard(4)
        Array([[ 1,  1,  1,  1],
               [ 1, -1,  1, -1],
               [ 1,  1, -1, -1],
               [ 1, -1, -1,  1]], dtype=int64)
    """
    n = _order("hadamard", n, 1)
    if n & (n - 1):
        raise ValueError(f"hadamard: argument 'n' must be a power of two, got {n}")
    entries = number_type("hadamard", "dtype", dtype)
    both = np.bitwise_and.outer(np.arange(n), np.arange(n))
    return jnp.asarray(1 - 2 * (np.bitwise_count(both) % 2).astype(int)).astype(entries)


@public("jax", source=_ENTRIES, differentiable="no")
def helmert(n: int, full: bool = False) -> jax.Array:
    """A Helmert matrix: orthonormal contrasts.

    Args:
        n: static; the order.
        full: static; with the first row, of 1/sqrt(n). Default: without.

    Returns:
        The matrix (n - 1, n), or (n, n).

    Raises:
        TypeError: n is not an integer, or full is not a flag.
        ValueError: n is not positive, or the matrix too large for any memory.

    Example:
        >>> helmert(3)
        Array([[ 0.70710678, -0.70710678,  0.        ],
               [ 0.40824829,  0.40824829, -0.81649658]], dtype=float64)
    """
    n = _order("helmert", n, 1)
    flag("helmert", full=full)
    return jnp.asarray(scipy.linalg.helmert(n, full=bool(full)))


@public("jax", source=_ENTRIES, differentiable="no")
def hilbert(n: int) -> jax.Array:
    """A Hilbert matrix.

    Args:
        n: static; the order.

    Returns:
        The matrix (n, n): 1/(i + j + 1).

    Raises:
        TypeError: n is not an integer.
        ValueError: n is negative, or the matrix too large for any memory.

    Example:
        >>> hilbert(3)
        Array([[1.        , 0.5       , 0.33333333],
               [0.5       , 0.33333333, 0.25      ],
               [0.33333333, 0.25      , 0.2       ]], dtype=float64)
    """
    n = _order("hilbert", n, 0)
    return jnp.asarray(1 / (1.0 + np.add.outer(np.arange(n), np.arange(n))))


@public("jax", source=_ENTRIES, differentiable="no")
def invhilbert(n: int, exact: bool = False) -> jax.Array:
    """The inverse of a Hilbert matrix.

    Args:
        n: static; the order.
        exact: static; integers. Default: floating-point numbers.

    Returns:
        The matrix (n, n); with ``exact`` of JAX's default integer dtype.

    Raises:
        TypeError: n is not an integer, or exact is not a flag.
        ValueError: n is negative, or exact values do not fit: above order 14 (7 in 32 bits).

    Example:
        >>> invhilbert(3, exact=True)
        Array([[   9,  -36,   30],
               [ -36,  192, -180],
               [  30, -180,  180]], dtype=int64)
        >>> bool(jnp.allclose(linalg.hilbert(3) @ invhilbert(3), jnp.eye(3)))
        True
    """
    n = _order("invhilbert", n, 0)
    flag("invhilbert", exact=exact)
    if exact:
        return _exactly("invhilbert", n, lambda: scipy.linalg.invhilbert(n, exact=True))
    return jnp.asarray(scipy.linalg.invhilbert(n))


@public("jax", source=_ENTRIES, differentiable="no")
def pascal(n: int, kind: str = "symmetric", exact: bool = True) -> jax.Array:
    """A matrix of binomial coefficients.

    Args:
        n: static; the order.
        kind: static; "symmetric", "lower" or "upper".
        exact: static; integers. Otherwise floating-point numbers.

    Returns:
        The matrix (n, n); with ``exact`` unsigned integers, as in SciPy.

    Raises:
        TypeError: n is not an integer, or exact is not a flag.
        ValueError: n is negative, the kind is unknown, or exact values do not fit: above order 34
            (18 in 32 bits).

    Example:
        >>> pascal(4)
        Array([[ 1,  1,  1,  1],
               [ 1,  2,  3,  4],
               [ 1,  3,  6, 10],
               [ 1,  4, 10, 20]], dtype=uint64)
        >>> pascal(4, kind="lower")
        Array([[1, 0, 0, 0],
               [1, 1, 0, 0],
               [1, 2, 1, 0],
               [1, 3, 3, 1]], dtype=uint64)
    """
    n = _order("pascal", n, 0)
    one_of("pascal", "kind", kind, _KINDS)
    flag("pascal", exact=exact)
    if exact:
        return _exactly("pascal", n, lambda: scipy.linalg.pascal(n, kind=kind))
    return jnp.asarray(scipy.linalg.pascal(n, kind=kind, exact=False))


@public("jax", source=_ENTRIES, differentiable="no")
def invpascal(n: int, kind: str = "symmetric", exact: bool = True) -> jax.Array:
    """The inverse of a matrix of binomial coefficients.

    Args:
        n: static; the order.
        kind: static; "symmetric", "lower" or "upper".
        exact: static; integers. Otherwise floating-point numbers.

    Returns:
        The matrix (n, n); with ``exact`` of JAX's default integer dtype.

    Raises:
        TypeError: n is not an integer, or exact is not a flag.
        ValueError: n is negative, the kind is unknown, or exact values do not fit.

    Example:
        >>> invpascal(3)
        Array([[ 3, -3,  1],
               [-3,  5, -2],
               [ 1, -2,  1]], dtype=int64)
        >>> bool(jnp.all(linalg.pascal(3) @ invpascal(3) == jnp.eye(3)))
        True
    """
    n = _order("invpascal", n, 0)
    one_of("invpascal", "kind", kind, _KINDS)
    flag("invpascal", exact=exact)
    if exact:
        return _exactly("invpascal", n, lambda: scipy.linalg.invpascal(n, kind=kind))
    return jnp.asarray(scipy.linalg.invpascal(n, kind=kind, exact=False))
