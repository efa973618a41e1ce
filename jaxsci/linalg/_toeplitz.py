"""Toeplitz and circulant matrices: linear equations and products."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, Tangents
from jaxsci.linalg._infra.arguments import arrays, at_least, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._infra.slices import nan_where, of_columns, over_slices, whole
from jaxsci.linalg._lu import pair


def _parts(function: str, c_or_cr: Any, **given: Any) -> list[jax.Array]:
    """First column, first row (the column's conjugate, if it is not given), and the rest."""
    if isinstance(c_or_cr, tuple):
        c, r = pair(function, "c_or_cr", c_or_cr)
        c, r, *rest = arrays(function, c=c, r=r, **given)
    else:
        c, *rest = arrays(function, c_or_cr=c_or_cr, **given)
        r = c.conj()
    at_least(function, 1, c=c, r=r)
    return [c, r, *rest]


def _product(c: jax.Array, r: jax.Array, x: jax.Array) -> jax.Array:
    """The Toeplitz matrix times columns, by a circulant one of more than twice the size."""
    m, n = c.shape[0], r.shape[0]
    if m == 0 or n == 0 or x.size == 0:
        return jnp.zeros((m, x.shape[1]), x.dtype)
    column = jnp.concatenate([c, r[:0:-1]])
    size = m + n - 1
    if jnp.iscomplexobj(x):
        spectrum = jnp.fft.fft(column)[:, None] * jnp.fft.fft(x, size, axis=0)
        return jnp.fft.ifft(spectrum, axis=0)[:m].astype(x.dtype)
    spectrum = jnp.fft.rfft(column)[:, None] * jnp.fft.rfft(x, size, axis=0)
    return jnp.fft.irfft(spectrum, size, axis=0)[:m].astype(x.dtype)


def _products(function: str, c: jax.Array, r: jax.Array, x: jax.Array) -> jax.Array:
    return over_slices(function, "(m),(n),(n,k)->(m,k)", _product, c, r, x)


@host("(n),(n),(n,k)->(n,k)", name="solve_toeplitz")
def _solved(c: np.ndarray, r: np.ndarray, b: np.ndarray) -> Any:
    """The solution, linear in b, by Levinson's recursion. LinAlgError where it breaks down."""
    if b.size == 0:
        return b
    return scipy.linalg.solve_toeplitz((c, r), b, check_finite=False)


def _along(x: Any, primals: Arrays, tangents: Tangents) -> Any:
    (c, r, _), (dc, dr, db) = primals, tangents
    return _solved(c, r, db - _products("solve_toeplitz", dc, dr, x))


def _turned(x: Any, c: Any, r: Any) -> Any:
    """The transposed system: row and column change places, but for the corner."""
    return _solved(jnp.concatenate([c[:1], r[1:]]), c, x)


_solved.jvp(_along)
_solved.linear_in("b", _turned)


@public(
    "host",
    source="M. B. Giles, report NA-08/01 (2008); products of Toeplitz matrices by the fast Fourier "
    "transform",
    differentiable="in c, r and b; without r in c and its conjugate.",
)
def solve_toeplitz(
    c_or_cr: ArrayLike | tuple[ArrayLike, ArrayLike], b: ArrayLike, check_finite: bool = True
) -> jax.Array:
    """Solve the equation T x = b, T a Toeplitz matrix.

    Args:
        c_or_cr: the first column c (..., n), or a pair of c and the first row r (..., n), whose
            first element is not read. Without r, r is the conjugate of c.
        b: right-hand sides: a vector (n,), or columns (..., n, k).
        check_finite: has no effect.

    Returns:
        x, of b's form. NaN where a leading block of T is singular (Levinson's recursion needs all
        of them regular), or an argument is not finite. The recursion loses digits where a leading
        block is nearly singular.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> c, b = jnp.array([4.0, 1.0, 0.5]), jnp.array([1.0, 2.0, 3.0])
        >>> solve_toeplitz(c, b)
        Array([0.08928571, 0.3125    , 0.66071429], dtype=float64)
        >>> bool(jnp.allclose(linalg.toeplitz(c) @ solve_toeplitz(c, b), b))
        True
        >>> jax.grad(lambda c: jnp.sum(solve_toeplitz(c, b)))(c)
        Array([-0.18945313, -0.234375  , -0.140625  ], dtype=float64)
    """
    c, r, b = _parts("solve_toeplitz", c_or_cr, b=b)
    n = c.shape[-1]
    if r.shape[-1] != n:
        raise ValueError(
            f"solve_toeplitz: c and r must be of one length, got shapes {c.shape} and {r.shape}"
        )
    return of_columns("solve_toeplitz", n, b, lambda y: _solved(c, r, y))


@public(
    "jax",
    source="a product with a circulant matrix, by the fast Fourier transform; G. H. Golub and C. "
    "F. Van Loan, Matrix Computations",
    differentiable="in c, r and x; without r in c and its conjugate.",
)
def matmul_toeplitz(
    c_or_cr: ArrayLike | tuple[ArrayLike, ArrayLike],
    x: ArrayLike,
    check_finite: bool = False,
    workers: int | None = None,
) -> jax.Array:
    """Multiply a Toeplitz matrix T by a vector or by columns, without forming T.

    Args:
        c_or_cr: the first column c (..., m), or a pair of c and the first row r (..., n), whose
            first element is not read. Without r, r is the conjugate of c.
        x: a vector (n,), or columns (..., n, k).
        check_finite: has no effect.
        workers: has no effect.

    Returns:
        T x: a vector (m,), or columns (..., m, k).

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> c, r = jnp.array([1.0, 2.0, 3.0]), jnp.array([1.0, 5.0])
        >>> x = jnp.array([1.0, -1.0])
        >>> matmul_toeplitz((c, r), x)
        Array([-4.,  1.,  1.], dtype=float64)
        >>> linalg.toeplitz(c, r) @ x
        Array([-4.,  1.,  1.], dtype=float64)
    """
    c, r, x = _parts("matmul_toeplitz", c_or_cr, x=x)
    n = r.shape[-1]
    return of_columns(
        "matmul_toeplitz", n, x, lambda y: _products("matmul_toeplitz", c, r, y), name="x"
    )


# -- circulant matrices ----------------------------------------------------------------------------


def _quotient(
    c: jax.Array, b: jax.Array, limit: jax.Array | None = None, *, singular: str
) -> jax.Array:
    """One system's solution: of Fourier coefficients, the quotient."""
    if c.size == 0:
        return b
    values = jnp.fft.fft(c)
    size = jnp.abs(jax.lax.stop_gradient(values))
    rounding = jnp.max(size) * size.size * jnp.finfo(size.dtype).eps
    zero = size <= (rounding if limit is None else limit.real)
    divisor = jnp.where(zero, 1, values)
    if singular == "raise":
        divisor = nan_where(jnp.any(zero), divisor)
    quotient = jnp.fft.fft(b) / divisor
    x = jnp.fft.ifft(quotient if singular == "raise" else jnp.where(zero, 0, quotient))
    return x if jnp.iscomplexobj(b) else x.real


@public(
    "jax",
    source="division of Fourier coefficients",
    differentiable='in c and b. With singular="lstsq", where the rank does not change.',
)
def solve_circulant(
    c: ArrayLike,
    b: ArrayLike,
    singular: str = "raise",
    tol: ArrayLike | None = None,
    caxis: int = -1,
    baxis: int = 0,
    outaxis: int = 0,
) -> jax.Array:
    """Solve the equation C x = b, C a circulant matrix, its first column c.

    Args:
        c: first columns, along the axis caxis.
        b: right-hand sides, along the axis baxis. The other axes of c and b broadcast.
        singular: static; "raise": x is NaN where C is nearly singular (SciPy raises, and for all
            systems). "lstsq": x is the least squares solution of the smallest norm.
        tol: eigenvalues of C up to this in absolute value count as zero. Default: the largest one
            times n times the spacing of the dtype at 1 (SciPy: of float64).
        caxis: static; the axis of c that is a first column.
        baxis: static; the axis of b that is a right-hand side.
        outaxis: static; the axis of the result that is a solution.

    Returns:
        x; the other axes are those of c and b, broadcast. Real if c and b are.

    Raises:
        TypeError: an argument is not an array of numbers, or an axis is not an integer.
        ValueError: the shapes do not fit, or singular is unknown.

    Example:
        >>> c, b = jnp.array([4.0, 1.0, 2.0]), jnp.array([1.0, 2.0, 5.0])
        >>> solve_circulant(c, b)
        Array([ 0.        , -0.14285714,  1.28571429], dtype=float64)
        >>> bool(jnp.allclose(linalg.circulant(c) @ solve_circulant(c, b), b))
        True
    """
    c, b = arrays("solve_circulant", c=c, b=b)
    c, b = jnp.atleast_1d(c), jnp.atleast_1d(b)
    one_of("solve_circulant", "singular", singular, ("raise", "lstsq"))
    c = _last("caxis", c, caxis)
    b = _last("baxis", b, baxis)
    if c.shape[-1] != b.shape[-1]:
        raise ValueError(
            f"solve_circulant: c and b must be of one length, got {c.shape[-1]} and {b.shape[-1]}"
        )
    if tol is None:
        x = over_slices("solve_circulant", "(n),(n)->(n)", _quotient, c, b, singular=singular)
    else:
        c, b, limit = arrays("solve_circulant", c=c, b=b, tol=tol)
        signature = "(n),(n),()->(n)"
        x = over_slices("solve_circulant", signature, _quotient, c, b, limit, singular=singular)
    return jnp.moveaxis(x, -1, _axis("outaxis", x, outaxis))


def _axis(name: str, x: jax.Array, axis: int) -> int:
    found = whole("solve_circulant", name, axis, -x.ndim)
    if found >= x.ndim:
        raise ValueError(f"solve_circulant: argument {name!r} is {axis}, of {x.ndim} dimensions")
    return found


def _last(name: str, x: jax.Array, axis: int) -> jax.Array:
    return jnp.moveaxis(x, _axis(name, x, axis), -1)
