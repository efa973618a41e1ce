"""Eigenvalues and eigenvectors of real symmetric tridiagonal matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from jaxsci.linalg._eig_banded import Problem, function
from jaxsci.linalg._infra.arguments import arrays, at_least, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.slices import number
from jaxsci.linalg._kernels.select import selection

_SOURCE = "M. B. Giles, Collected matrix derivative results (2008), restricted to the diagonals"


def _prepare(
    name: str,
    d: Any,
    e: Any,
    vectors: bool,
    select: Any,
    select_range: Any,
    tol: float,
    driver: str,
    size: int | None,
) -> tuple[Problem, list[jax.Array]]:
    """The arguments checked: the problem, and the two diagonals."""
    d, e = arrays(name, d=d, e=e)
    at_least(name, 1, d=d, e=e)
    if jnp.iscomplexobj(d):
        raise TypeError(f"{name}: arguments 'd' and 'e' must be real")
    n = d.shape[-1]
    if e.shape[-1] != n - 1:
        raise ValueError(
            f"{name}: argument 'e' must have one element less than 'd', got shapes {d.shape} "
            f"and {e.shape}"
        )
    drivers = ("auto", "stemr", "sterf", "stebz", "stev", "stevd")
    one_of(name, "lapack_driver", driver, drivers)
    chosen = selection(name, select, select_range, n, "size", size)
    if driver in ("sterf", "stev", "stevd") and chosen[0] != "a":
        raise ValueError(f"{name}: argument 'lapack_driver': {driver!r} needs select='a'")
    if driver == "sterf" and vectors:
        raise ValueError(f"{name}: argument 'lapack_driver': 'sterf' gives no vectors")
    return Problem(None, *chosen, number(name, "tol", tol), driver), [d, e]


@overload
def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    eigvals_only: Literal[False] = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
    *,
    size: int | None = None,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    *,
    eigvals_only: Literal[True],
    select: str = "a",
    select_range: Sequence[float] | None = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
    size: int | None = None,
) -> jax.Array: ...


@overload
def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
    *,
    size: int | None = None,
) -> tuple[jax.Array, jax.Array] | jax.Array: ...


@public(
    "host",
    source=_SOURCE,
    differentiable="in d and e; vectors and repeated eigenvalues as in eigh.",
)
def eigh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    eigvals_only: bool = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
    *,
    size: int | None = None,
) -> tuple[jax.Array, jax.Array] | jax.Array:
    """Eigenvalues and eigenvectors of real symmetric tridiagonal matrices.

    Args:
        d: diagonals, shape (..., n), real.
        e: off-diagonals, shape (..., n - 1), real.
        eigvals_only: whether the vectors are left out. Static, as all that follow.
        select: "a": all; "i": by index; "v": by value, in (low, high].
        select_range: first and last index, or the bounds.
        check_finite: no effect; what is not finite gives NaN.
        tol: absolute tolerance of the driver "stebz".
        lapack_driver: "auto", "stemr", "stebz", "sterf", "stev" or "stevd".
        size: with select="v", how many eigenvalues there is room for. Default: n. Places that are
            not needed are NaN; if the room does not suffice, all are.

    Returns:
        w, shape (..., k), ascending, and the vectors as columns, shape (..., n, k); w alone if
        eigvals_only. NaN where LAPACK does not converge.

    Raises:
        TypeError: an argument is not an array of real numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> d, e = jnp.array([2.0, 3.0, 4.0]), jnp.array([1.0, 0.5])
        >>> w, v = eigh_tridiagonal(d, e)
        >>> w
        Array([1.35502746, 3.35285982, 4.29211272], dtype=float64)
        >>> jax.grad(lambda d: eigh_tridiagonal(d, e)[0][0])(d)  # of the lowest
        Array([0.69888279, 0.29072796, 0.01038926], dtype=float64)
    """
    problem, diagonals = _prepare(
        "eigh_tridiagonal", d, e, not eigvals_only, select, select_range, tol, lapack_driver, size
    )
    return function(problem, not eigvals_only)(*diagonals)


@public(
    "host",
    source=_SOURCE,
    differentiable="in d and e.",
)
def eigvalsh_tridiagonal(
    d: ArrayLike,
    e: ArrayLike,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    check_finite: bool = True,
    tol: float = 0.0,
    lapack_driver: str = "auto",
    *,
    size: int | None = None,
) -> jax.Array:
    """Eigenvalues of real symmetric tridiagonal matrices.

    At repeated eigenvalues derivatives hold as in `eigvalsh`.

    Args:
        d: diagonals, shape (..., n), real.
        e: off-diagonals, shape (..., n - 1), real.
        select: "a": all; "i": by index; "v": by value, in (low, high]. Static, as all that follow.
        select_range: first and last index, or the bounds.
        check_finite: no effect; what is not finite gives NaN.
        tol: absolute tolerance of the driver "stebz".
        lapack_driver: "auto", "stemr", "stebz", "sterf", "stev" or "stevd".
        size: with select="v", how many eigenvalues there is room for, as in `eigh_tridiagonal`.

    Returns:
        w, shape (..., k), ascending.

    Raises:
        TypeError: an argument is not an array of real numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> d, e = jnp.array([2.0, 3.0, 4.0]), jnp.array([1.0, 0.5])
        >>> eigvalsh_tridiagonal(d, e)
        Array([1.35502746, 3.35285982, 4.29211272], dtype=float64)
        >>> jax.grad(lambda e: eigvalsh_tridiagonal(d, e)[0])(e)
        Array([-0.90152041, -0.10991719], dtype=float64)
    """
    problem, diagonals = _prepare(
        "eigvalsh_tridiagonal", d, e, False, select, select_range, tol, lapack_driver, size
    )
    return function(problem, False)(*diagonals)
