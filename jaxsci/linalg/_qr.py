"""QR and RQ decompositions, and products with Q."""

from __future__ import annotations

from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import PyTree
from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._infra.slices import flag, matmul, over_slices

_SOURCE = (
    "S. F. Walter, L. Lehmann and R. Lamour, Optim. Methods Softw. 27 (2012); J.-G. Liu et al., "
    "arXiv:1909.02659 (complex matrices)"
)
_CONDITIONS = (
    "in a, where its first min(m, n) columns (those that pivoting puts first) are independent; NaN "
    "or infinite where they are not."
)


# -- of one slice ----------------------------------------------------------------------------------


def screened(a: jax.Array) -> jax.Array:
    """A matrix; NaN everywhere if it is not finite."""
    return jnp.where(jnp.all(jnp.isfinite(a)), a, jnp.nan)


def factors(a: jax.Array, full: bool) -> tuple[jax.Array, jax.Array]:
    """Q and R, with the signs of LAPACK's Householder reflections."""
    q, r = jnp.linalg.qr(screened(a), mode="complete" if full else "reduced")
    return q, r


def pivots(a: jax.Array) -> jax.Array:
    """The order of columns that makes R's diagonal decrease."""
    if a.size == 0:
        return jnp.arange(a.shape[1], dtype=jnp.int32)
    return jax.scipy.linalg.qr(jax.lax.stop_gradient(screened(a)), mode="r", pivoting=True)[1]


def _pivoted(a: jax.Array, full: bool) -> tuple[jax.Array, jax.Array, jax.Array]:
    p = pivots(a)
    # JAX's own rule for a wide matrix with pivots leaves some columns where they were.
    return *factors(a[:, p], full), p


@host("(m,n)->(m,n),(k)", static=("k",), name="qr")
def _raw(a: np.ndarray, k: int) -> Any:
    if a.size == 0:
        return np.zeros_like(a), np.zeros(k, a.dtype)
    return scipy.linalg.qr(a, mode="raw", check_finite=False)[0]


@host(
    "(m,n)->(m,n),(k),(n)",
    static=("k",),
    dtype=lambda a: (a, a, np.int32),
    name="qr",
)
def _raw_pivoted(a: np.ndarray, k: int) -> Any:
    if a.size == 0:
        return np.zeros_like(a), np.zeros(k, a.dtype), np.arange(a.shape[1])
    found: PyTree = scipy.linalg.qr(a, mode="raw", pivoting=True, check_finite=False)
    (compact, tau), _, p = found
    return compact, tau, p


# -- public ----------------------------------------------------------------------------------------


@overload
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: Literal["full", "economic", "qr"] = "full",
    pivoting: Literal[False] = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: Literal["full", "economic", "qr"] = "full",
    *,
    pivoting: Literal[True],
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array, jax.Array]: ...


@overload
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    *,
    mode: Literal["r"],
    pivoting: Literal[False] = False,
    check_finite: bool = True,
) -> tuple[jax.Array]: ...


@overload
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    *,
    mode: Literal["r"],
    pivoting: Literal[True],
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    *,
    mode: Literal["raw"],
    pivoting: Literal[False] = False,
    check_finite: bool = True,
) -> tuple[tuple[jax.Array, jax.Array], jax.Array]: ...


@overload
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    *,
    mode: Literal["raw"],
    pivoting: Literal[True],
    check_finite: bool = True,
) -> tuple[tuple[jax.Array, jax.Array], jax.Array, jax.Array]: ...


@overload
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> (
    tuple[jax.Array, jax.Array]
    | tuple[jax.Array, jax.Array, jax.Array]
    | tuple[jax.Array]
    | tuple[tuple[jax.Array, jax.Array], jax.Array]
    | tuple[tuple[jax.Array, jax.Array], jax.Array, jax.Array]
): ...


@public(
    "jax",
    source=_SOURCE,
    differentiable=f"{_CONDITIONS} Not with mode='raw'. The last m - n columns of a full Q: NaN "
    "where one of a's first columns is zero below the diagonal.",
)
def qr(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    pivoting: bool = False,
    check_finite: bool = True,
) -> (
    tuple[jax.Array, jax.Array]
    | tuple[jax.Array, jax.Array, jax.Array]
    | tuple[jax.Array]
    | tuple[tuple[jax.Array, jax.Array], jax.Array]
    | tuple[tuple[jax.Array, jax.Array], jax.Array, jax.Array]
):
    """Decompose a matrix into a unitary and an upper triangular one: a = Q R.

    Args:
        a: matrices, shape (..., m, n).
        overwrite_a: without effect.
        lwork: without effect (deprecated in SciPy 1.18).
        mode: ``"full"`` (or ``"qr"``): Q of shape (..., m, m), R of shape (..., m, n).
            ``"economic"``: Q of shape (..., m, k), R of shape (..., k, n), k = min(m, n).
            ``"r"``: R of the full form alone. ``"raw"``: LAPACK's reflections (compact, tau)
            in place of Q, and R of shape (..., k, n), computed on the host.
        pivoting: whether columns are put in the order that makes R's diagonal decrease:
            a[:, P] = Q R.
        check_finite: without effect.

    Returns:
        ``(Q, R)``, ``(R,)`` for mode ``"r"``, each with the integers P last if pivoting. The signs
        are LAPACK's; the last m - n columns of a full Q are one basis of many, and only what all of
        them have in common is meant to be differentiated. NaN where a is not finite.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two dimensions, or the mode is not known.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        >>> q, r = qr(a, mode="economic")
        >>> abs(jnp.diagonal(r))
        Array([5.91607978, 0.82807867], dtype=float64)
        >>> bool(jnp.allclose(q @ r, a))
        True
    """
    del overwrite_a, lwork, check_finite
    one_of("qr", "mode", mode, ("full", "qr", "r", "economic", "raw"))
    flag("qr", pivoting=pivoting)
    (a,) = arrays("qr", a=a)
    at_least("qr", 2, a=a)
    if mode == "raw":
        k = min(a.shape[-2:])
        compact, *rest = (_raw_pivoted if pivoting else _raw)(a, k=k)
        return ((compact, rest[0]), jnp.triu(compact[..., :k, :]), *rest[1:])
    full = mode != "economic"
    if pivoting:
        k = "m" if full else "k"
        q, *rest = over_slices("qr", f"(m,n)->(m,{k}),({k},n),(n)", lambda x: _pivoted(x, full), a)
    else:
        q, *rest = over_slices("qr", "(m,n)->(m,k),(k,n)", lambda x: factors(x, full), a)
    return tuple(rest) if mode == "r" else (q, *rest)


@overload
def rq(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: Literal["full", "economic"] = "full",
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def rq(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    *,
    mode: Literal["r"],
    check_finite: bool = True,
) -> jax.Array: ...


@overload
def rq(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array] | jax.Array: ...


@public(
    "jax",
    source=_SOURCE,
    differentiable="in a, where its last min(m, n) rows are independent.",
)
def rq(
    a: ArrayLike,
    overwrite_a: bool = False,
    lwork: int | None = None,
    mode: str = "full",
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array] | jax.Array:
    """Decompose a matrix into an upper triangular and a unitary one: a = R Q.

    Args:
        a: matrices, shape (..., m, n).
        overwrite_a: without effect.
        lwork: without effect.
        mode: ``"full"``: R of shape (..., m, n), Q of shape (..., n, n). ``"economic"``: R of shape
            (..., m, k), Q of shape (..., k, n), k = min(m, n). ``"r"``: R of the full form alone.
        check_finite: without effect.

    Returns:
        ``(R, Q)``, or R alone for mode ``"r"``. The signs are LAPACK's; the first n - m rows of a
        full Q are one basis of many. NaN where a is not finite.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two dimensions, or the mode is not known.

    Example:
        >>> a = jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]])
        >>> r, q = rq(a)
        >>> bool(jnp.allclose(r @ q, a)), bool(jnp.allclose(q @ q.T, jnp.eye(3)))
        (True, True)
        >>> jnp.tril(r, -1)
        Array([[0., 0., 0.],
               [0., 0., 0.],
               [0., 0., 0.]], dtype=float64)
    """
    del overwrite_a, lwork, check_finite
    one_of("rq", "mode", mode, ("full", "r", "economic"))
    (a,) = arrays("rq", a=a)
    at_least("rq", 2, a=a)

    def core(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        # The QR decomposition of the adjoint, rows and columns in reverse order.
        q, r = factors(adjoint(x[::-1, ::-1]), mode != "economic")
        return adjoint(r)[::-1, ::-1], adjoint(q)[::-1, ::-1]

    r, q = over_slices("rq", "(m,n)->(m,k),(k,n)", core, a)
    return r if mode == "r" else (r, q)


@overload
def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: Literal[False] = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    *,
    pivoting: Literal[True],
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array]: ...


@overload
def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[jax.Array, jax.Array] | tuple[jax.Array, jax.Array, jax.Array]: ...


@public("jax", source=_SOURCE, differentiable=f"in c, and {_CONDITIONS}")
def qr_multiply(
    a: ArrayLike,
    c: ArrayLike,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[jax.Array, jax.Array] | tuple[jax.Array, jax.Array, jax.Array]:
    """Decompose a matrix, a = Q R, and multiply Q and another.

    Args:
        a: matrices, shape (..., m, n).
        c: matrices or one vector. For mode ``"left"`` of shape (..., k, l) or (k,), for ``"right"``
            of shape (..., l, m) or (m,), with k = min(m, n).
        mode: ``"left"`` for Q c, ``"right"`` for c Q, of the economic Q.
        pivoting: as in `qr`.
        conjugate: whether Q is replaced by its complex conjugate.
        overwrite_a: without effect.
        overwrite_c: without effect; c is not padded in any case.

    Returns:
        ``(CQ, R)``, with the integers P last if pivoting. CQ has shape (..., m, l) or (..., l, k),
        without l where c is a vector; R has shape (..., k, n). NaN where an argument is not finite.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or the mode is not known.

    Example:
        >>> a = jnp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]])  # a line through three points
        >>> qty, r = qr_multiply(a, jnp.array([1.0, 2.0, 5.0]))  # the vector times Q
        >>> linalg.solve_triangular(r, qty)  # intercept and slope
        Array([0.85714286, 1.35714286], dtype=float64)
    """
    del overwrite_a, overwrite_c
    one_of("qr_multiply", "mode", mode, ("left", "right"))
    flag("qr_multiply", pivoting=pivoting, conjugate=conjugate)
    a, c = arrays("qr_multiply", a=a, c=c)
    at_least("qr_multiply", 2, a=a)
    at_least("qr_multiply", 1, c=c)
    vector = c.ndim == 1
    left = mode == "left"
    if vector:
        c = c[:, None] if left else c[None, :]
    m, n = a.shape[-2:]
    size, wanted = (c.shape[-2], min(m, n)) if left else (c.shape[-1], m)
    if size != wanted:
        raise ValueError(
            f"qr_multiply: argument 'c' must have {wanted} {'rows' if left else 'columns'} for "
            f"mode={mode!r} and a of shape {a.shape}, got {size}"
        )

    def core(x: jax.Array, y: jax.Array) -> tuple[jax.Array, ...]:
        q, *rest = _pivoted(x, False) if pivoting else factors(x, False)
        q = q.conj() if conjugate else q
        y = screened(y)
        return (matmul(q, y) if left else matmul(y, q), *rest)

    inputs = "(m,n),(k,l)->(m,l),(k,n)" if left else "(m,n),(l,m)->(l,k),(k,n)"
    product, *rest = over_slices("qr_multiply", inputs + (",(n)" if pivoting else ""), core, a, c)
    if vector:
        product = product[..., 0] if left else product[..., 0, :]
    return (product, *rest)
