"""QR decompositions of matrices with rows or columns inserted or deleted, or changed by rank k.

SciPy rotates the old factors into the new ones. The derivative is that of the QR decomposition of
the changed matrix, which is formed from the old factors.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import Arrays, PyTree, Tangents
from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._infra.slices import matmul, threshold, whole

_scipy: Any = scipy.linalg  # whose annotations lack the updates

_SOURCE = (
    "J. W. Daniel et al., Math. Comp. 30 (1976); L. Reichel and W. B. Gragg, Algorithm 686, ACM "
    "Trans. Math. Softw. 16 (1990); the rule is that of qr"
)
_CONDITIONS = (
    "where the first columns of the changed matrix are independent, along directions that leave Q "
    "unitary. The phases of R1's diagonal are kept; of the columns of a full Q1 beyond those of "
    "the matrix, only the span is differentiated."
)


def _along(result: PyTree, arguments: Arrays, tangents: Tangents) -> tuple[jax.Array, jax.Array]:
    """Tangents of Q and R, where a = Q R moves by da."""
    q, r = result
    da = tangents[0]
    k = min(q.shape[1], r.shape[1])
    # c = da R^-1, for the square part of R.
    c = jax.scipy.linalg.solve_triangular(r[:k, :k].T, da[:, :k].T, lower=True).T
    inside = matmul(adjoint(q), c)  # Q^H dQ + dR R^-1, the second term being upper triangular
    lower = jnp.tril(inside[:k], -1)
    turn = lower - adjoint(lower)
    if jnp.iscomplexobj(inside):
        turn += 1j * jnp.diag(jnp.imag(jnp.diagonal(inside)))
    rest = inside[k:]
    still = jnp.zeros((len(rest), len(rest)), turn.dtype)
    turn = jnp.block([[turn, -adjoint(rest)], [rest, still]])
    dq = matmul(q, turn)
    if q.shape[1] < q.shape[0]:
        dq += c - matmul(q, inside)
    return dq, jnp.triu(matmul(adjoint(q), da) - matmul(turn, r))


def _changed(
    a: np.ndarray,
    q: np.ndarray,
    r: np.ndarray,
    u: np.ndarray,
    v: np.ndarray,
    inner: int,
    how: tuple[Any, ...],
) -> Any:
    """SciPy's factors of the changed matrix a, from the old factors."""
    if q.size == 0 or len(a) == 0:  # nothing to rotate: SciPy refuses
        full = inner == len(a)
        return scipy.linalg.qr(a, mode="full" if full else "economic", check_finite=False)
    name, *static = how
    dtype = np.result_type(q, r, u, v)
    given = [x.astype(dtype) for x in (q, r, u, v)]
    if name == "delete":
        k, p, which = static
        return _scipy.qr_delete(*given[:2], k, p, which, check_finite=False)
    vector, *rest = static
    if vector:
        given[2:] = [x.reshape(-1) for x in given[2:]]
    if name == "update":
        return _updated(*given)
    k, which, rcond = rest
    return _scipy.qr_insert(*given[:3], k, which, rcond=rcond, check_finite=False)


def _updated(q: np.ndarray, r: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
    (m, j), n = q.shape, r.shape[1]
    highest = min(n, m - n) if j > n else min(m, n)
    if u.ndim == 1 or u.shape[1] <= highest:
        return _scipy.qr_update(q, r, u, v, check_finite=False)
    for i in range(u.shape[1]):  # SciPy has no update of so high a rank
        q, r = _scipy.qr_update(q, r, u[:, i], v[:, i], check_finite=False)
    return q, r


_SIGNATURE = "(rows,columns),(m,j),(j,n),(s,t),(w,x)->(rows,inner),(inner,columns)"
_qr_insert = host(_SIGNATURE, static=("inner", "how"), name="qr_insert")(_changed).jvp(_along)
_qr_delete = host(_SIGNATURE, static=("inner", "how"), name="qr_delete")(_changed).jvp(_along)
_qr_update = host(_SIGNATURE, static=("inner", "how"), name="qr_update")(_changed).jvp(_along)


def _of(change: Any, a: jax.Array, q: jax.Array, r: jax.Array, *uv: jax.Array, how: Any) -> Any:
    """The factors of a: full if those of the old matrix were."""
    full = q.shape[-1] == q.shape[-2]
    rows, columns = a.shape[-2:]
    fixed = [jax.lax.stop_gradient(x) for x in (q, r, *uv)]
    fixed += [jnp.zeros((0, 0), q.dtype)] * (4 - len(fixed))
    return change(a, *fixed, inner=rows if full else min(rows, columns), how=how)


def _factors(function: str, q: jax.Array, r: jax.Array) -> tuple[int, int]:
    """The shape of the matrix with these factors."""
    at_least(function, 2, Q=q, R=r)
    (m, j), (i, n) = q.shape[-2:], r.shape[-2:]
    if i != j or j not in (m, n) or j > m:
        raise ValueError(
            f"{function}: arguments 'Q' and 'R' must have shapes (m, m) and (m, n), or (m, n) and "
            f"(n, n), got {q.shape} and {r.shape}"
        )
    return m, n


def _index(function: str, k: int, size: int, limit: int) -> int:
    """A static index; a negative one counts from the end."""
    number = whole(function, "k", k, -size)
    if number >= limit:
        raise ValueError(f"{function}: argument 'k' must be less than {limit}, got {number}")
    return number + size if number < 0 else number


def _widened(*xs: jax.Array) -> list[jax.Array]:
    """Leading dimensions broadcast, for concatenation."""
    loop = jnp.broadcast_shapes(*(x.shape[:-2] for x in xs))
    return [jnp.broadcast_to(x, loop + x.shape[-2:]) for x in xs]


@public("host", source=_SOURCE, differentiable=f"in Q, R and u, {_CONDITIONS}")
def qr_insert(
    Q: ArrayLike,
    R: ArrayLike,
    u: ArrayLike,
    k: int,
    which: str = "row",
    rcond: float | None = None,
    overwrite_qru: bool = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]:
    """QR decomposition of a = Q R with rows or columns inserted.

    Args:
        Q: unitary factors, shape (..., m, m), or (..., m, n) with m > n (economic).
        R: triangular factors, shape (..., m, n), or (..., n, n).
        u: what is inserted: a row of shape (n,) or rows of shape (..., p, n); a column of shape
            (m,) or columns of shape (..., m, p). One vector serves all matrices of a batch.
        k: static index before which it goes; from the end if negative.
        which: ``"row"`` or ``"col"``.
        rcond: where columns are inserted into an economic decomposition, how small the reciprocal
            condition number of Q beside a column of u may be. Default: machine precision.
        overwrite_qru: without effect.
        check_finite: without effect.

    Returns:
        Q1 and R1, full or economic as Q and R are, with SciPy's signs and phases. NaN where an
        argument is not finite, or the condition number is too large.

    Raises:
        TypeError: an argument is not an array of numbers, or k no static integer.
        ValueError: the shapes do not fit, or k or which is out of range.

    Example:
        >>> a = jnp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]])
        >>> q, r = linalg.qr(a)
        >>> u = jnp.array([1.0, 4.0])
        >>> q1, r1 = qr_insert(q, r, u, 3)  # one more row, at the end
        >>> q1.shape, r1.shape
        ((4, 4), (4, 2))
        >>> bool(jnp.allclose(q1 @ r1, jnp.vstack([a, u])))
        True
    """
    del overwrite_qru, check_finite
    one_of("qr_insert", "which", which, ("row", "col"))
    q, r, u = arrays("qr_insert", Q=Q, R=R, u=u)
    m, n = _factors("qr_insert", q, r)
    at_least("qr_insert", 1, u=u)
    row = which == "row"
    vector = u.ndim == 1
    if vector:
        u = u[None, :] if row else u[:, None]
    size, wanted = (u.shape[-1], n) if row else (u.shape[-2], m)
    if size != wanted:
        raise ValueError(
            f"qr_insert: argument 'u' must have {'rows' if row else 'columns'} of length {wanted}, "
            f"got shape {u.shape}"
        )
    old = m if row else n
    k = _index("qr_insert", k, old, old + 1)
    rcond = None if rcond is None else threshold("qr_insert", "rcond", rcond, 0.0)
    a, new = _widened(matmul(q, r), u)
    axis = -2 if row else -1
    first, last = jnp.split(a, [k], axis)
    a = jnp.concatenate([first, new, last], axis)
    return _of(_qr_insert, a, q, r, u, how=("insert", vector, k, which, rcond))


@public("host", source=_SOURCE, differentiable=f"in Q and R, {_CONDITIONS}")
def qr_delete(
    Q: ArrayLike,
    R: ArrayLike,
    k: int,
    p: int = 1,
    which: str = "row",
    overwrite_qr: bool = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]:
    """QR decomposition of a = Q R with rows or columns deleted.

    Args:
        Q: unitary factors, shape (..., m, m), or (..., m, n) with m > n (economic).
        R: triangular factors, shape (..., m, n), or (..., n, n).
        k: static index of the first row or column that goes; from the end if negative.
        p: how many go (static).
        which: ``"row"`` or ``"col"``.
        overwrite_qr: without effect.
        check_finite: without effect.

    Returns:
        Q1 and R1, full or economic as Q and R are, with SciPy's signs and phases. NaN where an
        argument is not finite.

    Raises:
        TypeError: an argument is not an array of numbers, or k or p no static integer.
        ValueError: the shapes do not fit, or k, p or which is out of range.

    Example:
        >>> a = jnp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0], [1.0, 4.0]])
        >>> q, r = linalg.qr(a)
        >>> q1, r1 = qr_delete(q, r, 2)  # without the third row
        >>> q1.shape, r1.shape
        ((3, 3), (3, 2))
        >>> bool(jnp.allclose(q1 @ r1, jnp.delete(a, 2, axis=0)))
        True
    """
    del overwrite_qr, check_finite
    one_of("qr_delete", "which", which, ("row", "col"))
    q, r = arrays("qr_delete", Q=Q, R=R)
    m, n = _factors("qr_delete", q, r)
    old = m if which == "row" else n
    k = _index("qr_delete", k, old, old)
    p = whole("qr_delete", "p", p, 1)
    if k + p > old:
        raise ValueError(f"qr_delete: argument 'p' must be at most {old - k}, got {p}")
    a = jnp.delete(matmul(q, r), slice(k, k + p), axis=-2 if which == "row" else -1)
    return _of(_qr_delete, a, q, r, how=("delete", k, p, which))


@public("host", source=_SOURCE, differentiable=f"in Q, R, u and v, {_CONDITIONS}")
def qr_update(
    Q: ArrayLike,
    R: ArrayLike,
    u: ArrayLike,
    v: ArrayLike,
    overwrite_qruv: bool = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]:
    """QR decomposition of Q R + u v^H.

    Args:
        Q: unitary factors, shape (..., m, m), or (..., m, n) with m > n (economic).
        R: triangular factors, shape (..., m, n), or (..., n, n).
        u: shape (m,) or (..., m, k). One vector serves all matrices of a batch.
        v: shape (n,) or (..., n, k).
        overwrite_qruv: without effect.
        check_finite: without effect.

    Returns:
        Q1 and R1, of the shapes of Q and R, with SciPy's signs and phases. NaN where an argument is
        not finite.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 4.0]])
        >>> q, r = linalg.qr(a)
        >>> u, v = jnp.array([1.0, 0.0]), jnp.array([0.0, 10.0])
        >>> q1, r1 = qr_update(q, r, u, v)
        >>> q1 @ r1
        Array([[ 1., 12.],
               [ 3.,  4.]], dtype=float64)
    """
    del overwrite_qruv, check_finite
    q, r, u, v = arrays("qr_update", Q=Q, R=R, u=u, v=v)
    m, n = _factors("qr_update", q, r)
    at_least("qr_update", 1, u=u, v=v)
    vector = u.ndim == 1
    if vector != (v.ndim == 1):
        raise ValueError(
            f"qr_update: arguments 'u' and 'v' must both be vectors or both matrices, got shapes "
            f"{u.shape} and {v.shape}"
        )
    if vector:
        u, v = u[:, None], v[:, None]
    if u.shape[-2] != m or v.shape[-2] != n or u.shape[-1] != v.shape[-1]:
        raise ValueError(
            f"qr_update: arguments 'u' and 'v' must have {m} and {n} rows and as many columns as "
            f"each other, got shapes {u.shape} and {v.shape}"
        )
    a = matmul(q, r) + matmul(u, adjoint(v))
    return _of(_qr_update, a, q, r, u, v, how=("update", vector))
