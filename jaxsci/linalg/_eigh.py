"""Eigenvalues and eigenvectors of Hermitian matrices, standard and generalised."""

from __future__ import annotations

import dataclasses
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
from jaxsci.linalg._infra.arguments import adjoint, arrays, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import NoResult, host
from jaxsci.linalg._infra.mirrored import mirrored
from jaxsci.linalg._kernels.select import by_index, by_value, room
from jaxsci.linalg._kernels.spectral import padded, pair_dtypes, standard_form, tangents

_STANDARD = (None, "ev", "evd", "evr", "evx")
_GENERALISED = (None, "gv", "gvd", "gvx")
_INTEGER = ("ev", "evd", "gv", "gvd")


@dataclass(frozen=True)
class _Problem:
    """Everything static: what SciPy is asked for."""

    lower: bool
    driver: str | None
    type: int | None
    """Of the generalised problem; None for the standard one."""
    index: tuple[int, int] | None = None
    value: tuple[float, float] | None = None
    k: int | None = None
    """How many results there is room for; None: all."""

    @property
    def whole(self) -> _Problem:
        return dataclasses.replace(self, driver=None, index=None, value=None, k=None)


@functools.cache
def _function(problem: _Problem, vectors: bool) -> HostFunction:
    """The host function: of a, or of a and b."""
    k = "n" if problem.k is None else "k"
    inputs = "(n,n)" if problem.type is None else "(n,n),(n,n)"
    signature = f"{inputs}->({k}),(n,{k})" if vectors else f"{inputs}->({k})"

    def solve(a: np.ndarray, b: np.ndarray | None) -> tuple[np.ndarray, ...]:
        found = scipy.linalg.eigh(
            a,
            b,
            lower=problem.lower,
            eigvals_only=not vectors,
            type=problem.type or 1,
            subset_by_index=problem.index,
            subset_by_value=problem.value,
            driver=problem.driver,
            check_finite=False,
        )
        found = found if problem.k is None else padded(found, problem.k)
        if found is None:
            raise NoResult
        return found

    def standard(a: np.ndarray) -> Any:
        return solve(a, None)

    def generalised(a: np.ndarray, b: np.ndarray) -> Any:
        return solve(a, b)

    def rule(results: PyTree, arguments: Arrays, along: Any) -> Any:
        w, v = results if vectors else _function(problem, True)(*arguments)
        basis = (w, v) if problem.k is None else _function(problem.whole, True)(*arguments)
        form, metric = _forms(problem.type, arguments, along)
        both = tangents(w, v, basis[0], basis[1], form, metric, vectors=vectors)
        return both if vectors else both[0]

    made = host(
        signature,
        dtype=pair_dtypes if vectors else (lambda *dtypes: pair_dtypes(*dtypes)[0]),
        sizes={} if problem.k is None else {"k": problem.k},
        name="eigh" if vectors else "eigvalsh",
    )(standard if problem.type is None else generalised)
    return made.jvp(rule)


def _forms(kind: int | None, arguments: Arrays, along: Any) -> tuple[Any, Any]:
    """The forms of dA - w dB and of dB, for each type of the generalised problem.

    Types 2 and 3 are type 1 of (B A B, B) and of (A, B^-1).
    """
    if kind is None:
        return standard_form(along[0]), None
    (_, b), (da, db) = arguments, along

    def metric(x: Any, v: Any) -> Any:
        return adjoint(x) @ (db @ v)

    if kind == 1:
        return lambda x, _, v, w: adjoint(x) @ (da @ v) - metric(x, v) * w, metric
    if kind == 2:
        return (
            lambda x, of_x, v, _: adjoint(b @ x) @ (da @ (b @ v)) + of_x[:, None] * metric(x, v),
            metric,
        )

    def inverse_metric(x: Any, v: Any) -> Any:
        return -metric(jnp.linalg.solve(b, x), jnp.linalg.solve(b, v))

    return lambda x, _, v, w: adjoint(x) @ (da @ v) - inverse_metric(x, v) * w, inverse_metric


def _prepare(
    function: str,
    a: Any,
    b: Any,
    lower: bool,
    kind: int,
    index: Sequence[int] | None,
    value: Sequence[float] | None,
    driver: str | None,
    size: int | None,
) -> tuple[_Problem, list[jax.Array]]:
    """The arguments checked: the problem, and the Hermitian matrices."""
    given = arrays(function, a=a) if b is None else arrays(function, a=a, b=b)
    square(function, **dict(zip("ab", given, strict=False)))
    n = given[0].shape[-1]
    if b is not None and given[1].shape[-1] != n:
        raise ValueError(
            f"{function}: arguments 'a' and 'b' must have the same order, got shapes "
            f"{given[0].shape} and {given[1].shape}"
        )
    one_of(function, "type", kind, (1, 2, 3))
    one_of(function, "driver", driver, _STANDARD if b is None else _GENERALISED)
    if index is not None and value is not None:
        raise ValueError(f"{function}: give 'subset_by_index' or 'subset_by_value', not both")
    subset = index is not None or value is not None
    if subset and driver in _INTEGER:
        raise ValueError(f"{function}: argument 'driver': {driver!r} cannot compute subsets")
    if size is not None and value is None:
        raise ValueError(f"{function}: argument 'size' goes with 'subset_by_value'")
    indices = by_index(function, "subset_by_index", index, n)
    k = None if indices is None else indices[1] - indices[0] + 1
    bounds = by_value(function, "subset_by_value", value)
    if bounds is not None:
        k = room(function, "size", size, n)
    problem = _Problem(bool(lower), driver, None if b is None else kind, indices, bounds, k)
    return problem, [mirrored(x, lower=problem.lower) for x in given]


_SOURCE = (
    "M. B. Giles, Collected matrix derivative results (2008); J. R. Magnus, On differentiating "
    "eigenvalues and eigenvectors, Econometric Theory 1 (1985)"
)


@overload
def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    eigvals_only: Literal[False] = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Sequence[int] | None = None,
    subset_by_value: Sequence[float] | None = None,
    driver: str | None = None,
    size: int | None = None,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    eigvals_only: Literal[True],
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Sequence[int] | None = None,
    subset_by_value: Sequence[float] | None = None,
    driver: str | None = None,
    size: int | None = None,
) -> jax.Array: ...


@overload
def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Sequence[int] | None = None,
    subset_by_value: Sequence[float] | None = None,
    driver: str | None = None,
    size: int | None = None,
) -> tuple[jax.Array, jax.Array] | jax.Array: ...


@public(
    "host",
    source=_SOURCE,
    differentiable="in a and b, through their Hermitian parts. Vectors where the eigenvalue is "
    "simple; at repeated ones see above.",
)
def eigh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Sequence[int] | None = None,
    subset_by_value: Sequence[float] | None = None,
    driver: str | None = None,
    size: int | None = None,
) -> tuple[jax.Array, jax.Array] | jax.Array:
    """Eigenvalues and eigenvectors of Hermitian (or real symmetric) matrices.

    A v = w v; or, with b, A v = w B v (type 1), A B v = w v (type 2), B A v = w v (type 3).
    The norm is v^H v = 1; or v^H B v = 1 (types 1 and 2), v^H B^-1 v = 1 (type 3).

    Only one triangle of a and b is read, and the real part of the diagonal. The derivative is that
    along the Hermitian part of a direction, as in `jax.numpy.linalg.eigh`: gradients are Hermitian.
    For the derivative of the triangle alone, mirror it: ``jnp.tril(a) + jnp.tril(a, -1).T.conj()``.

    The derivative of a vector keeps its norm, and its phase such that v^H B dv is real (B^-1 for
    type 3). Where eigenvalues are equal to rounding, vectors do not turn within their cluster: what
    depends on the cluster's vectors through the projector onto all of them has the right first
    derivative. So have, in reverse mode, symmetric functions of the eigenvalues if the vectors are
    not used; `eigvalsh` and eigvals_only give them in every mode. What depends on both is NaN
    there, as V f(w) V^H could not have the right derivative: use expm, logm, sqrtm or funm for it.
    Second derivatives are NaN there.

    Args:
        a: matrices, shape (..., n, n).
        b: None, or positive definite matrices, shape (..., n, n).
        lower: whether the lower triangles are read, or the upper ones. Static, as all that follow.
        eigvals_only: whether the vectors are left out.
        overwrite_a: no effect.
        overwrite_b: no effect.
        type: the generalised problem: 1, 2 or 3.
        check_finite: no effect; what is not finite gives NaN.
        subset_by_index: first and last index of the eigenvalues wanted, in ascending order.
        subset_by_value: (low, high): the eigenvalues in (low, high].
        driver: LAPACK's: "ev", "evd", "evr", "evx"; with b "gv", "gvd", "gvx".
        size: with subset_by_value, how many eigenvalues there is room for. Default: n. Places that
            are not needed are NaN; if the room does not suffice, all are.

    Returns:
        w, shape (..., k), real and ascending, and the vectors v as columns, shape (..., n, k); w
        alone if eigvals_only. k is n, or what the subset needs. NaN where b is not positive
        definite, or LAPACK does not converge.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        >>> w, v = eigh(a)
        >>> w
        Array([2.38196601, 4.61803399], dtype=float64)
        >>> bool(jnp.allclose((v * w) @ v.T, a))
        True
        >>> jax.grad(lambda a: eigh(a)[0][0])(a)  # of the lowest: the projector on its vector
        Array([[ 0.2763932, -0.4472136],
               [-0.4472136,  0.7236068]], dtype=float64)
    """
    problem, matrices = _prepare(
        "eigh", a, b, lower, type, subset_by_index, subset_by_value, driver, size
    )
    return _function(problem, not eigvals_only)(*matrices)


@public("host", source=_SOURCE, differentiable="in a and b, through their Hermitian parts.")
def eigvalsh(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    lower: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    type: int = 1,
    check_finite: bool = True,
    subset_by_index: Sequence[int] | None = None,
    subset_by_value: Sequence[float] | None = None,
    driver: str | None = None,
    size: int | None = None,
) -> jax.Array:
    """Eigenvalues of Hermitian (or real symmetric) matrices.

    At repeated eigenvalues, symmetric functions of the cluster have the right first derivative;
    single eigenvalues have none. Second derivatives are NaN there.

    Args:
        a: matrices, shape (..., n, n). One triangle is read, and the derivative is that along the
            Hermitian part of a direction, as in `eigh`.
        b: None, or positive definite matrices, shape (..., n, n).
        lower: whether the lower triangles are read, or the upper ones. Static, as all that follow.
        overwrite_a: no effect.
        overwrite_b: no effect.
        type: the generalised problem, as in `eigh`.
        check_finite: no effect; what is not finite gives NaN.
        subset_by_index: first and last index of the eigenvalues wanted, in ascending order.
        subset_by_value: (low, high): the eigenvalues in (low, high].
        driver: LAPACK's, as in `eigh`.
        size: with subset_by_value, how many eigenvalues there is room for, as in `eigh`.

    Returns:
        w, shape (..., k), real and ascending. NaN as in `eigh`.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> a = jnp.array([[4.0, 1.0], [1.0, 3.0]])
        >>> eigvalsh(a)
        Array([2.38196601, 4.61803399], dtype=float64)
        >>> jax.grad(lambda a: eigvalsh(a)[0])(a)
        Array([[ 0.2763932, -0.4472136],
               [-0.4472136,  0.7236068]], dtype=float64)
        >>> b = jnp.array([[2.0, 0.0], [0.0, 1.0]])
        >>> eigvalsh(a, b)  # of a v = w b v
        Array([1.6339746, 3.3660254], dtype=float64)
    """
    problem, matrices = _prepare(
        "eigvalsh", a, b, lower, type, subset_by_index, subset_by_value, driver, size
    )
    return _function(problem, False)(*matrices)
