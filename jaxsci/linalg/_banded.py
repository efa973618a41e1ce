"""Banded matrices: linear equations and Cholesky's factors, in LAPACK's band storage.

What the storage leaves unused is set to zero first: it may hold anything, and has no derivative.
"""

from __future__ import annotations

import functools
from typing import Any

import jax
import numpy as np
from jax.typing import ArrayLike
from scipy.linalg import get_lapack_funcs

from jaxsci._core.host_function import HostFunction
from jaxsci._core.types import Arrays, Tangents
from jaxsci.linalg._infra.arguments import arrays, at_least
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import NoResult, host
from jaxsci.linalg._infra.slices import flag, of_columns, whole
from jaxsci.linalg._kernels.band import (
    banded_cholesky,
    hermitian_product,
    lower_form,
    product,
    triangular_product,
    turned,
    upper_form,
    used,
)
from jaxsci.linalg._lu import pair

_SOURCE = "M. B. Giles, report NA-08/01 (2008), with products of banded matrices"


def _finished(x: np.ndarray, info: int) -> np.ndarray:
    if info != 0:
        raise NoResult
    return x


# -- a general band --------------------------------------------------------------------------------


@functools.cache
def _general(l: int, u: int) -> HostFunction:
    """The solution with a matrix of l lower and u upper diagonals, linear in b."""

    @host("(r,n),(n,k)->(n,k)", name="solve_banded")
    def solved(ab: np.ndarray, b: np.ndarray) -> np.ndarray:
        n = ab.shape[1]
        if b.size == 0:
            return b
        if n == 1:
            if ab[u, 0] == 0:
                raise NoResult
            return b / ab[u, 0]
        if l == u == 1:
            (gtsv,) = get_lapack_funcs(("gtsv",), (ab, b))
            *_, x, info = gtsv(ab[2, :-1], ab[1], ab[0, 1:], b)
            return _finished(x, info)
        (gbsv,) = get_lapack_funcs(("gbsv",), (ab, b))
        room = np.zeros((2 * l + u + 1, n), dtype=gbsv.dtype)
        room[l:] = ab
        *_, x, info = gbsv(l, u, room, b, overwrite_ab=True)
        return _finished(x, info)

    def along(x: Any, primals: Arrays, tangents: Tangents) -> Any:
        (ab, _), (dab, db) = primals, tangents
        return solved(ab, db - product(l, u, dab, x))

    solved.jvp(along)
    solved.linear_in("b", lambda x, ab: _general(u, l)(turned(l, u, ab), x))
    return solved


@public("host", source=_SOURCE, differentiable="in ab and b.")
def solve_banded(
    l_and_u: tuple[int, int],
    ab: ArrayLike,
    b: ArrayLike,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> jax.Array:
    """Solve the equation a x = b, a banded.

    Args:
        l_and_u: static; how many diagonals a has below and above the main one.
        ab: the diagonals, shape (..., l + u + 1, n): ``ab[u + i - j, j] = a[i, j]``. The entries
            that this leaves out are not read.
        b: right-hand sides: a vector (n,), or columns (..., n, k).
        overwrite_ab: has no effect.
        overwrite_b: has no effect.
        check_finite: has no effect.

    Returns:
        x, of b's form. NaN where a is exactly singular, or an argument is not finite.

    Raises:
        TypeError: an argument is not an array of numbers, or l_and_u is not a pair of integers.
        ValueError: the shapes do not fit.

    Example:
        >>> ab = jnp.array([[0.0, 1.0, 1.0], [4.0, 4.0, 4.0], [1.0, 1.0, 0.0]])  # tridiagonal
        >>> solve_banded((1, 1), ab, jnp.array([1.0, 2.0, 3.0]))
        Array([0.17857143, 0.28571429, 0.67857143], dtype=float64)
        >>> jax.grad(lambda b: solve_banded((1, 1), ab, b)[1])(jnp.array([1.0, 2.0, 3.0]))
        Array([-0.07142857,  0.28571429, -0.07142857], dtype=float64)
    """
    below, above = pair("solve_banded", "l_and_u", l_and_u)
    l = whole("solve_banded", "l_and_u", below, 0)
    u = whole("solve_banded", "l_and_u", above, 0)
    ab, b = arrays("solve_banded", ab=ab, b=b)
    at_least("solve_banded", 2, ab=ab)
    if ab.shape[-2] != l + u + 1:
        raise ValueError(
            f"solve_banded: argument 'ab' must have l + u + 1 = {l + u + 1} rows, got shape "
            f"{ab.shape}"
        )
    band = used(ab, l, u)
    return of_columns("solve_banded", ab.shape[-1], b, lambda y: _general(l, u)(band, y))


# -- a positive definite band ----------------------------------------------------------------------


@functools.cache
def _positive(lower: bool) -> HostFunction:
    """The solution with a positive definite matrix, linear in b."""

    @host("(r,n),(n,k)->(n,k)", name="solveh_banded")
    def solved(ab: np.ndarray, b: np.ndarray) -> np.ndarray:
        if b.size == 0:
            return b
        if ab.shape[0] == 2:
            (ptsv,) = get_lapack_funcs(("ptsv",), (ab, b))
            d, e = (ab[0], ab[1, :-1]) if lower else (ab[1], ab[0, 1:].conj())
            *_, x, info = ptsv(d.real, e, b)
            return _finished(x, info)
        (pbsv,) = get_lapack_funcs(("pbsv",), (ab, b))
        _, x, info = pbsv(ab, b, lower=lower)
        return _finished(x, info)

    def along(x: Any, primals: Arrays, tangents: Tangents) -> np.ndarray:
        (ab, _), (dab, db) = primals, tangents
        return solved(ab, db - hermitian_product(lower_form(dab, lower), x))

    solved.jvp(along)
    solved.linear_in("b", lambda x, ab: solved(ab.conj(), x))
    return solved


def _triangle(function: str, ab: jax.Array, lower: bool) -> jax.Array:
    """One triangle of a Hermitian band; what is not used is zero."""
    at_least(function, 2, ab=ab)
    if ab.shape[-2:] == (0, 0):  # a matrix of order 0, however many diagonals it has
        return ab
    if ab.shape[-2] == 0:
        raise ValueError(f"{function}: argument 'ab' needs at least one row, got shape {ab.shape}")
    width = ab.shape[-2] - 1
    return used(ab, width if lower else 0, 0 if lower else width)


@public("host", source=_SOURCE, differentiable="in ab and b.")
def solveh_banded(
    ab: ArrayLike,
    b: ArrayLike,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    lower: bool = False,
    check_finite: bool = True,
) -> jax.Array:
    """Solve the equation a x = b, a banded, Hermitian and positive definite.

    Args:
        ab: diagonals, shape (..., u + 1, n): of the upper triangle, ``ab[u + i - j, j] = a[i, j]``,
            or of the lower one, ``ab[i - j, j] = a[i, j]``. The entries that this leaves out, and
            the imaginary part of the main diagonal, are not read.
        b: right-hand sides: a vector (n,), or columns (..., n, k).
        overwrite_ab: has no effect.
        overwrite_b: has no effect.
        lower: static; ab holds the lower triangle. Default: the upper one.
        check_finite: has no effect.

    Returns:
        x, of b's form. NaN where a is not positive definite, or an argument is not finite.

    Raises:
        TypeError: an argument is not an array of numbers, or lower is not a flag.
        ValueError: the shapes do not fit.

    Example:
        >>> ab = jnp.array([[0.0, 1.0, 1.0], [4.0, 4.0, 4.0]])  # diagonals from above
        >>> solveh_banded(ab, jnp.array([1.0, 2.0, 3.0]))
        Array([0.17857143, 0.28571429, 0.67857143], dtype=float64)
    """
    ab, b = arrays("solveh_banded", ab=ab, b=b)
    flag("solveh_banded", lower=lower)
    band = _triangle("solveh_banded", ab, bool(lower))
    return of_columns("solveh_banded", ab.shape[-1], b, lambda y: _positive(bool(lower))(band, y))


@functools.cache
def _factor(lower: bool) -> HostFunction:
    @host("(r,n)->(r,n)", name="cholesky_banded")
    def factor(ab: np.ndarray) -> np.ndarray:
        if ab.size == 0:
            return ab
        (pbtrf,) = get_lapack_funcs(("pbtrf",), (ab,))
        c, info = pbtrf(ab, lower=lower)
        return _finished(c, info)

    def in_jax(ab: jax.Array) -> jax.Array:
        return upper_form(banded_cholesky(lower_form(ab, lower)), lower)

    factor.jvp(lambda c, primals, tangents: jax.jvp(in_jax, primals, tangents)[1])
    return factor


@public(
    "host",
    source="the differential of the recurrence over columns; I. Murray, arXiv:1602.07527 (2016)",
    differentiable="in ab.",
)
def cholesky_banded(
    ab: ArrayLike, overwrite_ab: bool = False, lower: bool = False, check_finite: bool = True
) -> jax.Array:
    """Cholesky's factor of a banded, positive definite matrix: a = U^H U, or a = L L^H.

    Args:
        ab: diagonals of one triangle, shape (..., u + 1, n), stored as for solveh_banded.
        overwrite_ab: has no effect.
        lower: static; ab holds the lower triangle, and L is returned. Default: the upper one, U.
        check_finite: has no effect.

    Returns:
        The factor's diagonals (..., u + 1, n), stored as ab is; what is not used is zero. NaN where
        a is not positive definite or not finite.

    Raises:
        TypeError: ab is not an array of numbers, or lower is not a flag.
        ValueError: ab has fewer than two dimensions.

    Example:
        >>> ab = jnp.array([[0.0, 2.0, 2.0], [4.0, 5.0, 10.0]])  # diagonals from above
        >>> cholesky_banded(ab)
        Array([[0., 1., 1.],
               [2., 2., 3.]], dtype=float64)
        >>> log_det = lambda ab: 2 * jnp.sum(jnp.log(cholesky_banded(ab)[-1]))
        >>> jax.grad(log_det)(ab)  # 2 inv(a) above the diagonal, inv(a) on it
        Array([[ 0.        , -0.27777778, -0.11111111],
               [ 0.31944444,  0.27777778,  0.11111111]], dtype=float64)
    """
    (ab,) = arrays("cholesky_banded", ab=ab)
    flag("cholesky_banded", lower=lower)
    band = _triangle("cholesky_banded", ab, bool(lower))
    return _factor(bool(lower))(band)


# -- a factor that is known ------------------------------------------------------------------------


@functools.cache
def _factored(lower: bool) -> HostFunction:
    """The solution with a matrix given by its factor, linear in b."""

    @host("(r,n),(n,k)->(n,k)", name="cho_solve_banded")
    def solved(cb: np.ndarray, b: np.ndarray) -> np.ndarray:
        if b.size == 0:
            return b
        if np.any(cb[0 if lower else -1] == 0):
            raise NoResult
        (pbtrs,) = get_lapack_funcs(("pbtrs",), (cb, b))
        return _finished(*pbtrs(cb, b, lower=lower))

    def along(x: Any, primals: Arrays, tangents: Tangents) -> np.ndarray:
        (cb, _), (dcb, db) = primals, tangents
        c, dc = lower_form(cb, lower), lower_form(dcb, lower)
        left = triangular_product(dc, triangular_product(c, x, starred=True))
        right = triangular_product(c, triangular_product(dc, x, starred=True))
        return solved(cb, db - left - right)

    solved.jvp(along)
    solved.linear_in("b", lambda x, cb: solved(cb.conj(), x))
    return solved


@public("host", source=_SOURCE, differentiable="in cb and b.")
def cho_solve_banded(
    cb_and_lower: tuple[ArrayLike, bool],
    b: ArrayLike,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> jax.Array:
    """Solve a x = b, given Cholesky's factor of a, banded.

    Args:
        cb_and_lower: the factor's diagonals (..., u + 1, n), as cholesky_banded returns them, and
            whether it is lower triangular (static).
        b: right-hand sides: a vector (n,), or columns (..., n, k).
        overwrite_b: has no effect.
        check_finite: has no effect.

    Returns:
        x, of b's form. NaN where the factor is exactly singular, or an argument is not finite.

    Raises:
        TypeError: an argument is not an array of numbers, or lower is not a flag.
        ValueError: the shapes do not fit.

    Example:
        >>> ab = jnp.array([[0.0, 1.0, 1.0], [4.0, 4.0, 4.0]])  # diagonals from above
        >>> factor = linalg.cholesky_banded(ab)
        >>> cho_solve_banded((factor, False), jnp.array([1.0, 2.0, 3.0]))
        Array([0.17857143, 0.28571429, 0.67857143], dtype=float64)
    """
    cb, lower = pair("cho_solve_banded", "cb_and_lower", cb_and_lower)
    cb, b = arrays("cho_solve_banded", cb_and_lower=cb, b=b)
    flag("cho_solve_banded", lower=lower)
    band = _triangle("cho_solve_banded", cb, bool(lower))
    return of_columns(
        "cho_solve_banded", cb.shape[-1], b, lambda y: _factored(bool(lower))(band, y)
    )
