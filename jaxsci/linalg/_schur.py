"""Schur form, and what turns real forms into complex ones and back.

Of A = Z T Z^H, with dZ = Z W, W skew, and P = Z^H dA Z: dT = P + T W - W T. That dT has no element
below the diagonal blocks of T is a linear system for W below them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, overload

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.types import PyTree, Tangents
from jaxsci.linalg._infra import lapack
from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import host, real_of, stack_host
from jaxsci.linalg._kernels.generators import schur_generator

OUTPUT = ("real", "complex", "r", "c")
SORT = ("lhp", "rhp", "iuc", "ouc")


def sorting(function: str, sort: Any, *, optional: bool) -> Any:
    """The argument `sort`, checked."""
    if not callable(sort):
        one_of(function, "sort", sort, (None, *SORT) if optional else SORT)
    return sort


def complex_if(x: jax.Array, output: str) -> jax.Array:
    """The array in the dtype of the form wanted."""
    wanted = output in ("complex", "c")
    return x.astype(jnp.result_type(x.dtype, jnp.complex64)) if wanted else x


def subdiagonal(x: jax.Array) -> jax.Array:
    """The elements below the diagonal, one for each column but the last."""
    return jnp.diagonal(x, -1)


def skew(x: jax.Array) -> jax.Array:
    """The skew-Hermitian matrix with this strictly lower triangle."""
    return x - adjoint(x)


def quasi(x: jax.Array, pattern: jax.Array) -> jax.Array:
    """What is on and above the diagonal, and below it in blocks of two."""
    if len(x) < 2:
        return x
    return jnp.triu(x) + jnp.diag(jnp.where(pattern, subdiagonal(x), 0), -1)


# -- Schur -----------------------------------------------------------------------------------------


_unsorted = stack_host("(n,n)->(n,n),(n,n)", name="schur")(lapack.schur)


@host(
    "(n,n)->(n,n),(n,n),()",
    static=("sort",),
    dtype=lambda dtype: (dtype, dtype, real_of(dtype)),
    name="schur",
)
def _sorted(a: np.ndarray, sort: Any) -> Any:
    return scipy.linalg.schur(a, sort=sort, check_finite=False)


@_unsorted.jvp
def _along(results: PyTree, _: Any, tangents: Tangents) -> Any:
    t, z = results
    p = adjoint(z) @ tangents[0] @ z
    w = skew(schur_generator(t, p))
    dt = p + t @ w - w @ t
    if len(t) < 2:
        return dt, z @ w
    pattern = subdiagonal(t) != 0
    if not jnp.iscomplexobj(t):
        turn = _in_blocks(t, dt, pattern)
        w, dt = w + turn, dt + t @ turn - turn @ t
    return quasi(dt, pattern), z @ w


def _in_blocks(t: jax.Array, dt: jax.Array, pattern: jax.Array) -> jax.Array:
    """How each block [[a, b], [c, a]] turns, so that its diagonal elements stay equal."""
    diagonal = jnp.diagonal(dt)
    off = jnp.where(pattern, 2 * (jnp.diagonal(t, 1) + subdiagonal(t)), 1)
    turn = jnp.where(pattern, (diagonal[1:] - diagonal[:-1]) / off, 0)
    return jnp.diag(turn, -1) - jnp.diag(turn, 1)


@_sorted.jvp
def _along_sorted(results: PyTree, arguments: Any, tangents: Any) -> Any:
    return *_along(results[:2], arguments, tangents), None


@overload
def schur(
    a: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    overwrite_a: bool = False,
    sort: None = None,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def schur(
    a: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    overwrite_a: bool = False,
    *,
    sort: str | Callable[..., Any],
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array, jax.Array]: ...


@public(
    "host",
    source="M. Konstantinov, P. Petkov and N. Christov, Nonlocal perturbation analysis of the "
    "Schur system of a matrix, SIAM J. Matrix Anal. Appl. 15 (1994)",
    differentiable="in a, where all eigenvalues are simple; real form: and no block of two is a "
    "multiple of a rotation.",
)
def schur(
    a: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    overwrite_a: bool = False,
    sort: str | Callable[..., Any] | None = None,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array] | tuple[jax.Array, jax.Array, jax.Array]:
    """Schur form A = Z T Z^H, Z unitary, T upper triangular; for real matrices quasi-triangular.

    In the real form, a pair of complex eigenvalues is a block [[x, y], [z, x]] with y z < 0, as
    LAPACK standardises it. The derivative keeps that. In the complex form, it keeps the phases of
    Schur vectors such that Z^H dZ has a zero diagonal; LAPACK's phases are not smooth, so use what
    does not depend on them.

    The derivative is NaN where eigenvalues are equal to rounding, and in the real form where y = -z
    (normal matrices, such as rotations): blocks then have no standard form that is smooth.

    Args:
        a: matrices, shape (..., n, n), real or complex.
        output: "real" or "complex": which form a real matrix gets. Static, as all that follow.
        lwork: no effect.
        overwrite_a: no effect.
        sort: which eigenvalues come first: "lhp" (negative real part), "rhp" (the others), "iuc"
            (|w| <= 1), "ouc" (the others), or a function, called on the host, of the eigenvalue
            (of its real and imaginary part for the real form) that returns a bool.
        check_finite: no effect; what is not finite gives NaN.

    Returns:
        T and Z, shape (..., n, n); with sort, also how many eigenvalues it chose, integers of shape
        (...). Where LAPACK does not converge, or could not sort, T and Z are NaN and the number -1.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the matrices are not square, or an option is none that SciPy has.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 2.0]])
        >>> t, z = schur(a)
        >>> jnp.sort(jnp.diagonal(t))  # the eigenvalues
        Array([-1.,  4.], dtype=float64)
        >>> bool(jnp.allclose(z @ t @ z.T, a))
        True
    """
    (a,) = arrays("schur", a=a)
    square("schur", a=a)
    one_of("schur", "output", output, OUTPUT)
    sort = sorting("schur", sort, optional=True)
    a = complex_if(a, output)
    if sort is None:
        return _unsorted(a)
    t, z, count = _sorted(a, sort=sort)
    return t, z, jnp.where(jnp.isnan(count), -1, count).astype(int)


# -- real form to complex form ---------------------------------------------------------------------


@public(
    "jax",
    source="G. H. Golub and C. F. Van Loan, Matrix Computations, section 7.4",
    differentiable="in T and Z, where no block of two has a double eigenvalue.",
)
def rsf2csf(T: ArrayLike, Z: ArrayLike, check_finite: bool = True) -> tuple[jax.Array, jax.Array]:
    """Complex Schur form from a real one: each block of two is made triangular by a rotation.

    Args:
        T: quasi-triangular matrices, shape (..., n, n), as `schur` returns them. Elements below the
            subdiagonal are not read.
        Z: Schur vectors, shape (..., n, n).
        check_finite: no effect.

    Returns:
        T and Z of the complex form, shape (..., n, n); of each pair, the eigenvalue with the
        positive imaginary part comes first. NaN where blocks overlap: T is then not
        quasi-triangular.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[1.0, -2.0, 0.0], [2.0, 1.0, 1.0], [0.0, 0.0, 3.0]])
        >>> t, z = rsf2csf(*linalg.schur(a))
        >>> jnp.diagonal(t)  # the eigenvalues
        Array([1.+2.j, 1.-2.j, 3.+0.j], dtype=complex128)
        >>> bool(jnp.allclose(z @ t @ z.conj().T, a))
        True
    """
    T, Z = (complex_if(x, "c") for x in arrays("rsf2csf", T=T, Z=Z))
    square("rsf2csf", T=T, Z=Z)
    n = T.shape[-1]
    if Z.shape[-1] != n:
        raise ValueError(
            f"rsf2csf: arguments 'T' and 'Z' must have the same order, got shapes {T.shape} and "
            f"{Z.shape}"
        )
    if n < 2:
        T, Z = jnp.broadcast_arrays(T, Z)
        return T, Z
    return _triangular(T, Z)


@jax.jit
def _triangular(t: jax.Array, z: jax.Array) -> tuple[jax.Array, jax.Array]:
    u = jnp.vectorize(_rotations, signature="(n,n)->(n,n)")(t)
    return jnp.triu(adjoint(u) @ jnp.triu(t, -1) @ u), z @ u


def _rotations(t: jax.Array) -> jax.Array:
    """The rotations [[c, -s], [s, conj(c)]] of all blocks; NaN where blocks overlap."""
    n = len(t)
    diagonal, above, below = jnp.diagonal(t), jnp.diagonal(t, 1), subdiagonal(t)
    a, d = diagonal[:-1], diagonal[1:]
    eps = jnp.finfo(t.dtype).eps
    block = jnp.abs(below) > eps * (jnp.abs(a) + jnp.abs(d))
    half = (a - d) / 2
    root = jnp.sqrt(jnp.where(block, half**2 + above * below, 1))
    # The first eigenvalue less d, in the quotient that does not cancel.
    x = jnp.where(block, half + root, 1)
    s = jnp.where(block, below, 0)
    r = jnp.sqrt(x.real**2 + x.imag**2 + s.real**2 + s.imag**2)
    c, s = x / r, s / r
    one = jnp.ones(1, t.dtype)
    first, second = jnp.concatenate([c, one]), jnp.concatenate([one, c.conj()])
    u = jnp.diag(first * second) + jnp.diag(s, -1) - jnp.diag(s.conj(), 1)
    overlap = jnp.any(block[1:] & block[:-1]) if n > 2 else False
    return jnp.where(overlap, jnp.nan, u)


# -- complex diagonal form to real block-diagonal form ---------------------------------------------


@public("jax", source="linear for a given pattern of pairs", differentiable="in w and v.")
def cdf2rdf(w: ArrayLike, v: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """Real block-diagonal form from complex eigenvalues and eigenvectors of a real matrix.

    Args:
        w: eigenvalues, shape (..., n); those that are not real come in pairs, conjugate, one after
            the other.
        v: their vectors as columns, shape (..., n, n).

    Returns:
        wr, block-diagonal, and vr, both real, of shape (..., n, n), with vr wr = a vr for the
        matrix a of which w and v are. NaN where the number of eigenvalues that are not real is odd.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[1.0, -2.0, 0.0], [2.0, 1.0, 1.0], [0.0, 0.0, 3.0]])
        >>> w, v = linalg.eig(a)
        >>> wr, vr = cdf2rdf(w, v)
        >>> wr  # a pair of eigenvalues 1 +- 2i, and 3
        Array([[ 1.,  2.,  0.],
               [-2.,  1.,  0.],
               [ 0.,  0.,  3.]], dtype=float64)
        >>> bool(jnp.allclose(vr @ wr, a @ vr))
        True
    """
    w, v = arrays("cdf2rdf", w=w, v=v)
    at_least("cdf2rdf", 1, w=w)
    square("cdf2rdf", v=v)
    if v.ndim != w.ndim + 1 or v.shape[-1] != w.shape[-1]:
        raise ValueError(
            f"cdf2rdf: argument 'v' of shape {v.shape} does not hold the vectors of 'w' of shape "
            f"{w.shape}"
        )
    return _real_form(complex_if(w, "c"), complex_if(v, "c"))


@jax.jit
@functools.partial(jnp.vectorize, signature="(n),(n,n)->(n,n),(n,n)")
def _real_form(w: jax.Array, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    paired = w.imag != 0
    count = jnp.cumsum(paired)
    first = paired & (count % 2 == 1)
    partner = (first[:, None] & paired & (count == count[:, None] + 1)).astype(w.real.dtype)
    # Rows hold the imaginary part of their own eigenvalue.
    wr = jnp.diag(w.real) + (partner + partner.T) * w.imag[:, None]
    diagonal = jnp.where(paired, jnp.where(first, 0.5j, 0.5), 1).astype(w.dtype)
    u = jnp.diag(diagonal) + 0.5 * partner - 0.5j * partner.T
    bad = count[-1] % 2 == 1 if len(w) else False
    return jnp.where(bad, jnp.nan, wr), jnp.where(bad, jnp.nan, (v @ u).real)
