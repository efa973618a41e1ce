"""The cosine-sine decomposition of unitary matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import PyTree, Tangents
from jaxsci.linalg._infra.arguments import arrays, at_least, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host
from jaxsci.linalg._infra.slices import flag, over_slices, whole

_BLOCKS = "(p,q),(p,t),(s,q),(s,t)"


def _real(a: np.dtype, *_: np.dtype) -> np.dtype:
    return jnp.finfo(a).dtype


@host(f"{_BLOCKS}->(r)", static=("r",), dtype=_real, name="cossin")
def _angles(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, r: int) -> np.ndarray:
    blocks = (a, b, c, d)
    return scipy.linalg.cossin(blocks, separate=True, compute_u=False, compute_vh=False)[1]


@_angles.jvp
def _along(
    theta: jax.Array, blocks: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> jax.Array:
    """Cosines and sines are singular values of two blocks.

    Two that have no others: side by side or one above the other, whichever is smallest.
    """
    (p, q), (s, t) = blocks[0].shape, blocks[3].shape
    smallest = min(p, q, s, t)
    cosine, sine = {p: (0, 1), q: (0, 2), s: (3, 2), t: (3, 1)}[smallest]

    def singular_values(x: jax.Array) -> jax.Array:
        return jnp.linalg.svd(x, compute_uv=False)

    def moved(i: int) -> jax.Array:
        return jax.jvp(singular_values, (blocks[i],), (tangents[i],))[1]

    return jnp.cos(theta) * moved(sine)[::-1] - jnp.sin(theta) * moved(cosine)


@host(
    f"{_BLOCKS}->(p,p),(s,s),(r),(q,q),(t,t)",
    static=("r", "swap_sign"),
    dtype=lambda a, *_: (a, a, _real(a), a, a),
    name="cossin",
)
def _all(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, r: int, swap_sign: bool
) -> Any:
    (u, v), theta, (w, x) = scipy.linalg.cossin((a, b, c, d), separate=True, swap_sign=swap_sign)
    return u, v, theta, w, x


@_all.jvp
def _refusal(result: PyTree, blocks: Any, tangents: Tangents) -> Any:
    raise NotImplementedError(
        "cossin: the vectors have no derivative rule; angles and cs have, with compute_u=False and "
        "compute_vh=False, or stop the gradient with jax.lax.stop_gradient"
    )


def _middle(theta: jax.Array, p: int, q: int, m: int, swap_sign: bool) -> jax.Array:
    """The factor of cosines, sines, zeros and ones."""
    r = theta.shape[-1]
    ones = [min(p, q) - r, min(p, m - q) - r, min(m - p, q) - r, min(m - p, m - q) - r]
    n11, n12, n21, n22 = ones
    sign = 1.0 if swap_sign else -1.0
    cs = jnp.zeros((m, m), theta.dtype)
    top, bottom = n11 + jnp.arange(r), p + n22 + jnp.arange(r)
    left, right = top, q + n22 + jnp.arange(r)
    cosine, sine = jnp.cos(theta), jnp.sin(theta)
    cs = cs.at[top, left].set(cosine).at[bottom, right].set(cosine)
    cs = cs.at[top, right].set(sign * sine).at[bottom, left].set(-sign * sine)
    for row, column, n, value in (
        (0, 0, n11, 1.0),
        (n11 + r, q + n22 + r, n12, sign),
        (p + n22 + r, n11 + r, n21, -sign),
        (p, q, n22, 1.0),
    ):
        i = jnp.arange(n)
        cs = cs.at[row + i, column + i].set(value)
    return jnp.where(jnp.any(jnp.isnan(theta)), jnp.nan, cs)


def _blocks(X: Any, p: int | None, q: int | None) -> list[jax.Array]:
    if p is None and q is None:
        if not isinstance(X, Sequence) or len(X) != 4:
            raise ValueError(
                "cossin: argument 'X' must be a sequence of four blocks where neither p nor q is "
                "given"
            )
        names = ("X11", "X12", "X21", "X22")
        blocks = arrays("cossin", **dict(zip(names, X, strict=True)))
        for name, x in zip(names, blocks, strict=True):
            at_least("cossin", 2, **{name: x})
        return blocks
    (X,) = arrays("cossin", X=X)
    square("cossin", X=X)
    m = X.shape[-1]
    sizes = {}
    for name, value in (("p", p), ("q", q)):
        sizes[name] = whole("cossin", name, 1 if value is None else value, 1)
        if sizes[name] >= m:
            raise ValueError(f"cossin: argument {name!r} must be less than {m}, got {sizes[name]}")
    i, j = sizes["p"], sizes["q"]
    return [X[..., :i, :j], X[..., :i, j:], X[..., i:, :j], X[..., i:, j:]]


@overload
def cossin(
    X: ArrayLike | Sequence[ArrayLike],
    p: int | None = None,
    q: int | None = None,
    separate: Literal[False] = False,
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> tuple[jax.Array, jax.Array, jax.Array]: ...


@overload
def cossin(
    X: ArrayLike | Sequence[ArrayLike],
    p: int | None = None,
    q: int | None = None,
    *,
    separate: Literal[True],
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> tuple[tuple[jax.Array, jax.Array], jax.Array, tuple[jax.Array, jax.Array]]: ...


@overload
def cossin(
    X: ArrayLike | Sequence[ArrayLike],
    p: int | None = None,
    q: int | None = None,
    separate: bool = False,
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> (
    tuple[jax.Array, jax.Array, jax.Array]
    | tuple[tuple[jax.Array, jax.Array], jax.Array, tuple[jax.Array, jax.Array]]
): ...


@public(
    "host",
    source="B. D. Sutton, Numer. Algorithms 50 (2009); G. H. Golub and C. F. Van Loan, Matrix "
    "Computations (2013); the differential of singular values",
    differentiable="theta and cs in X, with compute_u=False and compute_vh=False, along "
    "directions that leave X unitary, where the angles differ and are neither 0 nor pi/2. The "
    "vectors are not: NotImplementedError.",
)
def cossin(
    X: ArrayLike | Sequence[ArrayLike],
    p: int | None = None,
    q: int | None = None,
    separate: bool = False,
    swap_sign: bool = False,
    compute_u: bool = True,
    compute_vh: bool = True,
) -> (
    tuple[jax.Array, jax.Array, jax.Array]
    | tuple[tuple[jax.Array, jax.Array], jax.Array, tuple[jax.Array, jax.Array]]
):
    """Cosine-sine decomposition of a unitary matrix of four blocks: X = U CS Vh.

    U and Vh have blocks of the sizes of X11 and X22. CS has the cosines and sines of
    r = min(p, m - p, q, m - q) angles on diagonals of its blocks, beside ones and zeros.

    Args:
        X: unitary matrices, shape (..., m, m); or the four blocks X11, X12, X21, X22, where neither
            p nor q is given. That they are unitary is not checked.
        p: number of rows of X11 (static). Default: 1 if q is given.
        q: number of columns of X11 (static). Default: 1 if p is given.
        separate: whether blocks and angles are returned in place of matrices.
        swap_sign: whether the sines of the lower left block are the negative ones, in place of
            those of the upper right block.
        compute_u: whether U is computed; else it is empty, of shape (..., 0, 0).
        compute_vh: whether Vh is computed; else it is empty.

    Returns:
        ``(U, CS, Vh)``, of shape (..., m, m), CS real; or ``((U1, U2), theta, (V1h, V2h))``, with
        the increasing angles theta of shape (..., r). NaN where X is not finite, or LAPACK's
        iteration does not converge.

    Raises:
        TypeError: X is not an array (or four arrays) of numbers, or p or q no static integers.
        ValueError: the shapes do not fit, or p or q is out of range.
        NotImplementedError: a derivative was asked for with vectors computed.

    Example:
        >>> x = linalg.expm(jnp.array([[0.0, 0.3, -0.5], [-0.3, 0.0, 0.7], [0.5, -0.7, 0.0]]))
        >>> u, cs, vh = cossin(x, p=1, q=1)
        >>> cs  # cosine and sine of an angle
        Array([[ 0.8414378 ,  0.        , -0.54035399],
               [ 0.        ,  1.        ,  0.        ],
               [ 0.54035399,  0.        ,  0.8414378 ]], dtype=float64)
        >>> bool(jnp.allclose(u @ cs @ vh, x))
        True
    """
    flags = {"compute_u": compute_u, "compute_vh": compute_vh}
    flag("cossin", separate=separate, swap_sign=swap_sign, **flags)
    blocks = _blocks(X, p, q)
    shapes = [x.shape[-2:] for x in blocks]
    (p, q), (s, t) = shapes[0], shapes[3]
    if shapes[1] != (p, t) or shapes[2] != (s, q) or p + s != q + t or 0 in (p, q, s, t):
        raise ValueError(
            f"cossin: argument 'X' must consist of blocks that form a square matrix, got shapes "
            f"{', '.join(str(x.shape) for x in blocks)}"
        )
    r = min(p, q, s, t)
    us: Any = None
    vs: Any = None
    if compute_u or compute_vh:
        u1, u2, theta, v1h, v2h = _all(*blocks, r=r, swap_sign=bool(swap_sign))
        us, vs = (u1, u2), (v1h, v2h)
    else:
        theta = _angles(*blocks, r=r)
    empty = jnp.zeros((*theta.shape[:-1], 0, 0), blocks[0].dtype)
    us = us if compute_u else (empty, empty)
    vs = vs if compute_vh else (empty, empty)
    if separate:
        return us, theta, vs
    middle = over_slices(
        "cossin", "(r)->(m,m)", _middle, theta, p=p, q=q, m=p + s, swap_sign=bool(swap_sign)
    )
    u, v = (over_slices("cossin", "(i,i),(j,j)->(m,m)", _diagonal, *blocks) for blocks in (us, vs))
    return u, middle, v


def _diagonal(a: jax.Array, b: jax.Array) -> jax.Array:
    """The matrix of two diagonal blocks, NaN all over where there is no result."""
    zeros = jnp.zeros((len(a), len(b)), a.dtype)
    whole_matrix = jnp.block([[a, zeros], [zeros.T, b]])
    return jnp.where(jnp.isnan(a[:1, :1]), jnp.nan, whole_matrix) if len(a) else whole_matrix
