"""Eigenvalues and eigenvectors of Hermitian band matrices, stored by bands."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.host_function import HostFunction
from jaxsci._core.types import Arrays, PyTree
from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import NoResult, host
from jaxsci.linalg._infra.slices import whole
from jaxsci.linalg._kernels.select import selection
from jaxsci.linalg._kernels.spectral import padded, pair_dtypes, standard_form, tangents

_SOURCE = "M. B. Giles, Collected matrix derivative results (2008), restricted to the bands"


@dataclass(frozen=True)
class Problem:
    """Everything static: what SciPy is asked for."""

    lower: bool | None
    """How the bands are stored; None: tridiagonal, two arrays."""
    select: str = "a"
    interval: tuple[Any, Any] | None = None
    k: int | None = None
    """How many results there is room for; None: all."""
    tol: float = 0.0
    driver: str = "auto"


@functools.cache
def function(problem: Problem, vectors: bool) -> HostFunction:
    """The host function: of a_band, or of d and e."""
    k = "n" if problem.k is None else "k"
    inputs = "(n),(m)" if problem.lower is None else "(u,n)"
    signature = f"{inputs}->({k}),(n,{k})" if vectors else f"{inputs}->({k})"
    select: Any = {
        "select": problem.select,
        "select_range": problem.interval,
        "check_finite": False,
    }

    def fitted(found: PyTree) -> np.ndarray:
        found = found if problem.k is None else padded(found, problem.k)
        if found is None:
            raise NoResult
        return found

    def banded(a_band: np.ndarray) -> np.ndarray:
        lower = bool(problem.lower)
        return fitted(scipy.linalg.eig_banded(a_band, lower, not vectors, **select))

    def tridiagonal(d: np.ndarray, e: np.ndarray) -> np.ndarray:
        options = {"tol": problem.tol, "lapack_driver": problem.driver}
        return fitted(scipy.linalg.eigh_tridiagonal(d, e, not vectors, **select, **options))

    def rule(results: PyTree, arguments: Arrays, along: Any) -> Any:
        w, v = results if vectors else function(_with_vectors(problem), True)(*arguments)
        whole = Problem(problem.lower)
        basis = (w, v) if problem.k is None else function(whole, True)(*arguments)
        da = _tridiagonal(*along) if problem.lower is None else _dense(along[0], problem.lower)
        both = tangents(w, v, basis[0], basis[1], standard_form(da), vectors=vectors)
        return both if vectors else both[0]

    name = "eig_banded" if problem.lower is not None else "eigh_tridiagonal"
    made = host(
        signature,
        dtype=pair_dtypes if vectors else (lambda *dtypes: pair_dtypes(*dtypes)[0]),
        sizes={} if problem.k is None else {"k": problem.k},
        name=name if vectors else name.replace("eig_", "eigvals_").replace("eigh_", "eigvalsh_"),
    )(tridiagonal if problem.lower is None else banded)
    return made.jvp(rule)


def _with_vectors(problem: Problem) -> Problem:
    """The same eigenvalues, by a driver that gives vectors too."""
    if problem.driver != "sterf":
        return problem
    return Problem(problem.lower)


def _dense(bands: jax.Array, lower: bool) -> jax.Array:
    """The Hermitian matrix of bands, shape (u + 1, n)."""
    u, n = bands.shape[0] - 1, bands.shape[1]
    i, j = jnp.indices((n, n))
    row = i - j if lower else u + i - j
    inside = (i >= j) & (i - j <= u) if lower else (i <= j) & (j - i <= u)
    half = jnp.where(inside, bands[jnp.clip(row, 0, u), j], 0)
    strict = jnp.where(i == j, 0, half)
    diagonal = jnp.where(i == j, jnp.real(half), 0)
    return strict + adjoint(strict) + diagonal


def _tridiagonal(d: jax.Array, e: jax.Array) -> jax.Array:
    """The symmetric matrix with diagonal d and off-diagonal e."""
    if e.shape[0] == 0:
        return d[:, None]
    return jnp.diag(d) + jnp.diag(e, 1) + jnp.diag(e, -1)


def _bands(function: str, a_band: Any, lower: bool) -> jax.Array:
    """The bands, with zeros where nothing is read."""
    (a_band,) = arrays(function, a_band=a_band)
    at_least(function, 2, a_band=a_band)
    if a_band.shape[-2:] == (0, 0):  # a matrix of order 0 may have no diagonal
        a_band = jnp.zeros((*a_band.shape[:-2], 1, 0), a_band.dtype)
    u, n = a_band.shape[-2] - 1, a_band.shape[-1]
    if u < 0:
        raise ValueError(f"{function}: argument 'a_band' has no rows, got shape {a_band.shape}")
    row, column = jnp.indices((u + 1, n), sparse=True)
    a_band = jnp.where(row + column < n if lower else row + column >= u, a_band, 0)
    if jnp.iscomplexobj(a_band):
        a_band = jnp.where(row == (0 if lower else u), a_band.real, a_band)
    return a_band


@overload
def eig_banded(
    a_band: ArrayLike,
    lower: bool = False,
    eigvals_only: Literal[False] = False,
    overwrite_a_band: bool = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    max_ev: int = 0,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def eig_banded(
    a_band: ArrayLike,
    lower: bool = False,
    *,
    eigvals_only: Literal[True],
    overwrite_a_band: bool = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    max_ev: int = 0,
    check_finite: bool = True,
) -> jax.Array: ...


@overload
def eig_banded(
    a_band: ArrayLike,
    lower: bool = False,
    eigvals_only: bool = False,
    overwrite_a_band: bool = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    max_ev: int = 0,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array] | jax.Array: ...


@public(
    "host",
    source=_SOURCE,
    differentiable="in the elements of a_band that are read; vectors and repeated eigenvalues as "
    "in eigh.",
)
def eig_banded(
    a_band: ArrayLike,
    lower: bool = False,
    eigvals_only: bool = False,
    overwrite_a_band: bool = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    max_ev: int = 0,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array] | jax.Array:
    """Eigenvalues and eigenvectors of Hermitian (or real symmetric) band matrices.

    Args:
        a_band: the bands, shape (..., u + 1, n): a_band[u + i - j, j] = a[i, j] for the upper form,
            a_band[i - j, j] for the lower one. Corners that stand for no element are not read.
        lower: whether the bands are the lower ones. Static, as all that follow.
        eigvals_only: whether the vectors are left out.
        overwrite_a_band: no effect.
        select: "a": all; "i": by index; "v": by value, in (low, high].
        select_range: first and last index, or the bounds.
        max_ev: with select="v", how many eigenvalues there is room for. 0: n. Places that are not
            needed are NaN; if the room does not suffice, all are.
        check_finite: no effect; what is not finite gives NaN.

    Returns:
        w, shape (..., k), real and ascending, and the vectors as columns, shape (..., n, k); w
        alone if eigvals_only. NaN where LAPACK does not converge.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> bands = jnp.array([[0.0, 1.0, 0.5], [2.0, 3.0, 4.0]])  # diagonals from above
        >>> w, v = eig_banded(bands)
        >>> w
        Array([1.35502746, 3.35285982, 4.29211272], dtype=float64)
        >>> lowest = lambda bands: eig_banded(bands, eigvals_only=True)[0]
        >>> jax.grad(lowest)(bands)  # in the diagonal, the squares of v[:, 0]
        Array([[ 0.        , -0.90152041, -0.10991719],
               [ 0.69888279,  0.29072796,  0.01038926]], dtype=float64)
    """
    a_band = _bands("eig_banded", a_band, lower)
    n = a_band.shape[-1]
    room = None if max_ev is None else whole("eig_banded", "max_ev", max_ev, 0) or None
    chosen = selection("eig_banded", select, select_range, n, "max_ev", room)
    return function(Problem(bool(lower), *chosen), not eigvals_only)(a_band)


@public("host", source=_SOURCE, differentiable="in the elements of a_band that are read.")
def eigvals_banded(
    a_band: ArrayLike,
    lower: bool = False,
    overwrite_a_band: bool = False,
    select: str = "a",
    select_range: Sequence[float] | None = None,
    check_finite: bool = True,
    *,
    size: int | None = None,
) -> jax.Array:
    """Eigenvalues of Hermitian (or real symmetric) band matrices.

    At repeated eigenvalues derivatives hold as in `eigvalsh`.

    Args:
        a_band: the bands, shape (..., u + 1, n), as in `eig_banded`.
        lower: whether the bands are the lower ones. Static, as all that follow.
        overwrite_a_band: no effect.
        select: "a": all; "i": by index; "v": by value, in (low, high].
        select_range: first and last index, or the bounds.
        check_finite: no effect; what is not finite gives NaN.
        size: with select="v", how many eigenvalues there is room for, as `eig_banded`'s max_ev.

    Returns:
        w, shape (..., k), real and ascending.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> bands = jnp.array([[0.0, 1.0, 0.5], [2.0, 3.0, 4.0]])  # diagonals from above
        >>> eigvals_banded(bands)
        Array([1.35502746, 3.35285982, 4.29211272], dtype=float64)
        >>> squares = lambda bands: jnp.sum(eigvals_banded(bands) ** 2)  # of all elements
        >>> jax.grad(squares)(bands)
        Array([[0., 4., 2.],
               [4., 6., 8.]], dtype=float64)
    """
    a_band = _bands("eigvals_banded", a_band, lower)
    chosen = selection("eigvals_banded", select, select_range, a_band.shape[-1], "size", size)
    return function(Problem(bool(lower), *chosen), False)(a_band)
