"""The singular value decomposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, overload

import jax
import jax.numpy as jnp
from jax.lax import linalg as lax_linalg
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least, one_of
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.ruled import ruled
from jaxsci.linalg._infra.slices import flag, matmul, over_slices
from jaxsci.linalg._qr import screened

_SOURCE = (
    "M. B. Giles, Oxford report NA-08/01 (2008); J.-G. Liu et al., arXiv:1909.02659 (complex "
    "matrices)"
)


def _decompose(a: jax.Array, full: bool, driver: str) -> tuple[jax.Array, ...]:
    algorithm = lax_linalg.SvdAlgorithm.QR if driver == "gesvd" else None
    u, s, vh = lax_linalg.svd(a, full_matrices=full, algorithm=algorithm)
    return u, s, vh


def _turns(inside: jax.Array, s: jax.Array) -> tuple[jax.Array, jax.Array]:
    """u^H du and v^H dv, from u^H da v and the singular values.

    The Hermitian part of u^H da v turns both bases alike, by the inverse differences of singular
    values, the other part turns them against each other, by the inverse sums. The diagonal of
    v^H dv is zero.
    """
    alike = (inside + adjoint(inside)) / 2
    apart = (inside - adjoint(inside)) / 2
    diagonal = jnp.eye(len(s), dtype=bool)
    gaps, sums = s - s[:, None], s + s[:, None]
    # Values that are equal to rounding have no vectors of their own.
    equal = jnp.abs(gaps) <= 2 * len(s) * jnp.finfo(s.dtype).eps * sums
    # Real reciprocals, none of them of infinity: JAX's derivative of a complex quotient is NaN
    # where it squares an infinite denominator.
    inverse = jnp.where(equal, jnp.nan, 1 / jnp.where(equal | diagonal, 1, gaps))
    alike *= jnp.where(diagonal, 0, inverse)
    apart *= 1 / sums
    u_turn = alike + jnp.where(diagonal, 2, 1) * apart
    v_turn = alike - jnp.where(diagonal, 0, apart)
    return u_turn, v_turn


def _along(
    result: Sequence[jax.Array], arguments: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> tuple[jax.Array, ...]:
    u, s, vh = result
    (da,) = tangents
    k = len(s)
    v = adjoint(vh)
    inside = matmul(matmul(adjoint(u), da), v)
    u_turn, v_turn = _turns(inside[:k, :k], s)
    du = _moved(u, u_turn, matmul(da, v[:, :k]) / s)
    dv = _moved(v, v_turn, matmul(adjoint(da), u[:, :k]) / s)
    return du, jnp.real(jnp.diagonal(inside)), adjoint(dv)


def _moved(u: jax.Array, turn: jax.Array, scaled: jax.Array) -> jax.Array:
    """The tangent of u: `turn` among its first columns, and what leaves them from `scaled`.

    Further columns move so as to stay orthogonal to the first ones.
    """
    k = len(turn)
    if u.shape[0] == k:
        return matmul(u, turn)
    first = u[:, :k]
    du = matmul(first, turn) + scaled - matmul(first, matmul(adjoint(first), scaled))
    if u.shape[1] == k:
        return du
    rest = -matmul(first, matmul(adjoint(du), u[:, k:]))
    return jnp.concatenate([du, rest], 1)


_thin = ruled(_along)(_decompose)


@overload
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: Literal[True] = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> tuple[jax.Array, jax.Array, jax.Array]: ...


@overload
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    *,
    compute_uv: Literal[False],
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> jax.Array: ...


@overload
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> tuple[jax.Array, jax.Array, jax.Array] | jax.Array: ...


@public(
    "jax",
    source=_SOURCE,
    differentiable="s in a. U and Vh where the singular values differ and are not zero (up to the "
    "phases of pairs of vectors, and to the choice of the vectors beyond min(m, n)); NaN where "
    "singular values are equal.",
)
def svd(
    a: ArrayLike,
    full_matrices: bool = True,
    compute_uv: bool = True,
    overwrite_a: bool = False,
    check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> tuple[jax.Array, jax.Array, jax.Array] | jax.Array:
    """Singular value decomposition a = U S Vh.

    Vectors of equal singular values do not have derivatives, and what is computed from them cannot
    have any, even where the result does not depend on their choice. Use instead: U Vh =
    ``polar(a)[0]``; U f(S) Vh = ``u @ f(p)`` with ``u, p = polar(a)`` and a matrix function f;
    projectors onto leading vectors = ``q @ q^H`` with ``q = orth(a, rank=...)``.

    Args:
        a: matrices, shape (..., m, n).
        full_matrices: whether U and Vh are square, or have k = min(m, n) columns and rows.
        compute_uv: whether U and Vh are computed too.
        overwrite_a: without effect.
        check_finite: without effect.
        lapack_driver: ``"gesdd"`` or ``"gesvd"``; from accelerators, what they offer.

    Returns:
        ``(U, s, Vh)``: shapes (..., m, m), (..., k) and (..., n, n), or (..., m, k), (..., k) and
        (..., k, n); s is real and decreases. s alone if not compute_uv. NaN where a is not finite.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two dimensions, or the driver is not known.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        >>> u, s, vh = svd(a, full_matrices=False)
        >>> s
        Array([9.52551809, 0.51430058], dtype=float64)
        >>> bool(jnp.allclose((u * s) @ vh, a))
        True
        >>> jax.grad(lambda a: svd(a, compute_uv=False)[1])(a)  # of the smaller singular value
        Array([[-0.69342365,  0.54741849],
               [-0.18898884,  0.14919593],
               [ 0.31544597, -0.24902663]], dtype=float64)
    """
    del overwrite_a, check_finite
    one_of("svd", "lapack_driver", lapack_driver, ("gesdd", "gesvd"))
    flag("svd", full_matrices=full_matrices, compute_uv=compute_uv)
    (a,) = arrays("svd", a=a)
    at_least("svd", 2, a=a)
    if not compute_uv:
        return _values("svd", a)
    full = bool(full_matrices)

    def core(x: jax.Array) -> tuple[jax.Array, ...]:
        return _thin(screened(x), full=full, driver=lapack_driver)

    return over_slices("svd", "(m,n)->(m,i),(k),(j,n)", core, a)


def _values(function: str, a: jax.Array) -> jax.Array:
    def core(x: jax.Array) -> jax.Array:
        return jnp.linalg.svd(screened(x), compute_uv=False)

    return over_slices(function, "(m,n)->(k)", core, a)


@public(
    "jax",
    source=_SOURCE,
    differentiable="in a, where the singular values differ; sums over equal ones too, once.",
)
def svdvals(a: ArrayLike, overwrite_a: bool = False, check_finite: bool = True) -> jax.Array:
    """Singular values.

    Args:
        a: matrices, shape (..., m, n).
        overwrite_a: without effect.
        check_finite: without effect.

    Returns:
        Shape (..., min(m, n)), real, decreasing. NaN where a is not finite.

    Raises:
        TypeError: a is not an array of numbers.
        ValueError: a has fewer than two dimensions.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        >>> svdvals(a)
        Array([9.52551809, 0.51430058], dtype=float64)
        >>> jax.grad(lambda a: svdvals(a)[1])(a)
        Array([[-0.69342365,  0.54741849],
               [-0.18898884,  0.14919593],
               [ 0.31544597, -0.24902663]], dtype=float64)
    """
    del overwrite_a, check_finite
    (a,) = arrays("svdvals", a=a)
    at_least("svdvals", 2, a=a)
    return _values("svdvals", a)
