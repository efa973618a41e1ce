"""Eigenvalues and eigenvectors of general matrices, standard and generalised.

One rule serves both. An eigenvalue is a pair (alpha, beta), with A V = Q diag(alpha) and
B V = Q diag(beta); the standard problem has B = I, Q = V, beta = 1. With P = Q^-1 dA V and
R = Q^-1 dB V, the derivatives of both equations give

    dalpha_i = P_ii, dbeta_i = R_ii, but for multiples of (alpha_i, beta_i) themselves;
    dV = V C,  C_ij = (alpha_j R_ij - beta_j P_ij) / (alpha_i beta_j - beta_i alpha_j),  i != j.

Then C_ii is chosen so that the norm of each vector and the phase of its largest component stay.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Literal, overload

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.host_function import HostFunction
from jaxsci._core.types import PyTree
from jaxsci.linalg._infra import lapack
from jaxsci.linalg._infra.arguments import adjoint, arrays, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import complex_of, host, stack_host
from jaxsci.linalg._infra.lapack import Stack
from jaxsci.linalg._infra.two_rules import either, never
from jaxsci.linalg._kernels.spectral import once, repeated

_SOURCE = (
    "M. B. Giles, Collected matrix derivative results (2008); generalised: the same in "
    "homogeneous eigenvalues, G. W. Stewart and J. Sun, Matrix Perturbation Theory (1990)"
)


# -- the rule --------------------------------------------------------------------------------------


def _tangents(
    alpha: jax.Array,
    beta: jax.Array,
    v: jax.Array,
    q: jax.Array,
    da: jax.Array,
    db: jax.Array | None,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """The diagonals of P and R, dV, and which eigenvalues are repeated."""
    n = v.shape[0]
    if n == 0:
        return alpha, beta, v, jnp.zeros(0, bool)
    inverse = jnp.linalg.inv(q)
    size = jnp.sqrt(jnp.abs(alpha) ** 2 + jnp.abs(beta) ** 2)
    gap = alpha[:, None] * beta - beta[:, None] * alpha
    scale = jnp.max(jnp.abs(alpha)) if db is None else size[:, None] * size
    same = repeated(gap, scale, n)
    several = jnp.sum(same, axis=0) > 1
    # Repeated eigenvalues are defective where their condition number is infinite but for rounding.
    condition = jnp.linalg.norm(inverse, axis=1) * jnp.linalg.norm(q, axis=0)
    defective = several & (condition**2 * jnp.finfo(size.dtype).eps > 1)
    inverse = never(defective)[:, None] * inverse
    p = inverse @ (da @ v)
    r = jnp.zeros_like(p) if db is None else inverse @ (db @ v)
    factor = once(several, jnp.real(alpha))
    c = jnp.where(same, 0, (alpha * r - beta * p) / jnp.where(same, 1, gap))
    dv = factor * _kept(v, v @ c)
    return factor * jnp.diagonal(p), factor * jnp.diagonal(r), dv, several


def _kept(v: jax.Array, dv: jax.Array) -> jax.Array:
    """DV with multiples of V added that keep norms, and phases of the largest components."""
    # By a mask: JAX does not say how a gather is sharded on a mesh with explicit axes.
    largest = jnp.arange(len(v))[:, None] == jnp.argmax(jnp.abs(v), axis=0)
    top, moved = (jnp.sum(jnp.where(largest, x, 0), axis=0) for x in (v, dv))
    turn = moved / top
    growth = jnp.real(jnp.sum(v.conj() * dv, axis=0)) / jnp.real(jnp.sum(v.conj() * v, axis=0))
    return dv - v * jax.lax.complex(growth, jnp.imag(turn))


Tangents = tuple[jax.Array, jax.Array, jax.Array]
"""Of eigenvalues and vectors, and which eigenvalues are repeated."""


def _of_standard(w: jax.Array, v: jax.Array, da: jax.Array) -> Tangents:
    dw, _, dv, several = _tangents(w, jnp.ones_like(w), v, v, da, None)
    return dw, dv, several


def _of_pencil(
    pair: jax.Array,
    v: jax.Array,
    a: jax.Array,
    b: jax.Array,
    da: jax.Array,
    db: jax.Array,
) -> Tangents:
    """The tangents of (alpha, beta), orthogonal to the pairs, and of v."""
    alpha, beta = pair
    # Not by abs, whose square has no second derivative at 0: JAX's is 0 there.
    size = (alpha * alpha.conj() + beta * beta.conj()).real
    q = ((a @ v) * alpha.conj() + (b @ v) * beta.conj()) / size
    p, r, dv, several = _tangents(alpha, beta, v, q, da, db)
    along = (alpha.conj() * p + beta.conj() * r) / size
    return jnp.stack([p, r]) - along * pair, dv, jnp.broadcast_to(several, pair.shape)


# -- on the host -----------------------------------------------------------------------------------


@functools.cache
def _standard(left: bool, right: bool, as_eigvals: bool = False) -> HostFunction:
    """Eigenvalues, and the vectors wanted; on request in the order of eigenvalues by themselves."""
    more = ",(n,n)" * (left + right)

    def eig(a: Stack) -> tuple[np.ndarray, ...]:
        w, *vectors = lapack.eig(a, left=left, right=right)
        found = (w, *(v for v, wanted in zip(vectors, (left, right), strict=True) if wanted))
        if as_eigvals:
            alone, *_ = lapack.eig(a, left=False, right=False)
            for i in range(len(a)):
                for stack, y in zip(found, _in_order(alone[i], [x[i] for x in found]), strict=True):
                    stack[i] = y
        return found

    def rule(
        results: Sequence[jax.Array], arguments: Sequence[jax.Array], along: Sequence[jax.Array]
    ) -> Any:
        (a,), (da,) = arguments, along
        if not (left or right):
            w, v = _standard(False, True, True)(a)
            return _of_standard(w, v, da)[0]
        w, *rest = results
        found: list[Tangents] = []
        if left:
            dw, dv, several = _of_standard(w.conj(), rest.pop(0), adjoint(da))
            found.append((dw.conj(), dv, several))
        if right:
            found.append(_of_standard(w, rest.pop(0), da))
        return _joined(found)

    name = "eig" if more else "eigvals"
    return stack_host(f"(n,n)->(n){more}", dtype=complex_of, name=name)(eig).jvp(rule)


@functools.cache
def _pencil(left: bool, right: bool, as_eigvals: bool = False) -> HostFunction:
    """The same of a and b: pairs (alpha, beta)."""
    more = ",(n,n)" * (left + right)

    def eig(a: np.ndarray, b: np.ndarray) -> Any:
        options: Any = {"check_finite": False, "homogeneous_eigvals": True}
        found: PyTree = scipy.linalg.eig(a, b, left=left, right=right, **options)
        if not as_eigvals:
            return found
        alone: Any = scipy.linalg.eigvals(a, b, **options)
        return _in_order(alone, found)

    def rule(
        results: Sequence[jax.Array], arguments: Sequence[jax.Array], along: Sequence[jax.Array]
    ) -> Any:
        if not (left or right):
            pair, v = _pencil(False, True, True)(*arguments)
            return _of_pencil(pair, v, *arguments, *along)[0]
        pair, *rest = results
        found: list[Tangents] = []
        if left:
            a, b, da, db = map(adjoint, (*arguments, *along))
            dpair, dv, several = _of_pencil(pair.conj(), rest.pop(0), a, b, da, db)
            found.append((dpair.conj(), dv, several))
        if right:
            found.append(_of_pencil(pair, rest.pop(0), *arguments, *along))
        return _joined(found)

    name = "eig" if more else "eigvals"
    return host(f"(n,n),(n,n)->(2,n){more}", dtype=complex_of, name=name)(eig).jvp(rule)


def _joined(found: Sequence[Tangents]) -> tuple[jax.Array, ...]:
    """The tangents of the eigenvalues, and of left vectors, right ones, or both."""
    dw, _, several = found[0]
    dw, vectors = either(dw, [dv for _, dv, _ in found], several)
    return (dw, *vectors)


def _in_order(wanted: np.ndarray, found: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Eigenvalues and vectors in the order that LAPACK gives the eigenvalues without vectors."""
    w, *vectors = found
    if np.isnan(w).any() or np.isnan(wanted).any():
        return tuple(np.full_like(x, complex(np.nan, np.nan)) for x in found)
    pairs, others = (np.atleast_2d(x) for x in (wanted, w))
    if len(pairs) == 1:
        distance = np.abs(pairs.T - others)
    else:
        pairs, others = (x / np.linalg.norm(x, axis=0) for x in (pairs, others))
        distance = np.abs(pairs[0][:, None] * others[1] - pairs[1][:, None] * others[0])
    from scipy.optimize import linear_sum_assignment  # takes long to import

    order = linear_sum_assignment(distance)[1]
    return wanted, *(v[:, order] for v in vectors)


def _quotient(pair: jax.Array) -> jax.Array:
    """Alpha / beta: infinite where beta is 0, NaN where both are."""
    alpha, beta = pair[..., 0, :], pair[..., 1, :]
    infinite = beta == 0
    divisor = jnp.where(infinite, 1, beta)
    w = alpha / divisor
    # NumPy divides by a real number in two steps, for SciPy: that is the value, to the last bit.
    reciprocal = 1 / divisor.real
    in_two = jax.lax.complex(alpha.real * reciprocal, alpha.imag * reciprocal)
    fixed = jax.lax.stop_gradient
    w = jnp.where(divisor.imag == 0, fixed(in_two) + (w - fixed(w)), w)
    w = jnp.where(infinite, jnp.where(alpha == 0, jnp.nan, jnp.inf), w)
    factor = once(infinite, alpha)  # the first derivative is NaN
    return jax.lax.complex(factor * w.real, factor * w.imag)


def _eigenvalues(
    function: str, a: Any, b: Any, left: bool, right: bool, homogeneous: bool
) -> list[jax.Array]:
    """The eigenvalues as they are wanted, and the vectors."""
    given = arrays(function, a=a) if b is None else arrays(function, a=a, b=b)
    square(function, **dict(zip("ab", given, strict=False)))
    if b is not None and given[0].shape[-1] != given[1].shape[-1]:
        raise ValueError(
            f"{function}: arguments 'a' and 'b' must have the same order, got shapes "
            f"{given[0].shape} and {given[1].shape}"
        )
    made = (_standard if b is None else _pencil)(bool(left), bool(right))(*given)
    w, *vectors = made if isinstance(made, tuple) else (made,)
    if b is None and homogeneous:
        w = jnp.stack([w, jnp.ones_like(w)], axis=-2)
    elif b is not None and not homogeneous:
        w = _quotient(w)
    return [w, *vectors]


# -- public ----------------------------------------------------------------------------------------


@overload
def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    left: Literal[False] = False,
    right: Literal[True] = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    left: Literal[True],
    right: Literal[True] = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array]: ...


@overload
def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    left: Literal[True],
    right: Literal[False],
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> tuple[jax.Array, jax.Array]: ...


@overload
def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    left: Literal[False] = False,
    *,
    right: Literal[False],
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> jax.Array: ...


@overload
def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    left: bool = False,
    right: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> tuple[jax.Array, jax.Array] | tuple[jax.Array, jax.Array, jax.Array] | jax.Array: ...


@public(
    "host",
    source=_SOURCE,
    differentiable="in a and b, where the eigenvalue is simple; at repeated ones see above.",
)
def eig(
    a: ArrayLike,
    b: ArrayLike | None = None,
    left: bool = False,
    right: bool = True,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> tuple[jax.Array, jax.Array] | tuple[jax.Array, jax.Array, jax.Array] | jax.Array:
    """Eigenvalues and eigenvectors of general matrices: A v = w v, or A v = w B v.

    Left vectors u have u^H A = w u^H, or u^H A = w u^H B. Results are always complex (SciPy's
    vectors are real where all eigenvalues are), in LAPACK's order; every vector has norm 1. The
    derivative of a vector keeps its norm and the phase of its largest component.

    Where eigenvalues are equal to rounding, and their vectors independent, the vectors do not turn
    within the cluster: what depends on the cluster's vectors through the projector onto their
    invariant subspace has the right first derivative. So have, in reverse mode, symmetric functions
    of the eigenvalues if the vectors are not used; `eigvals` gives them in every mode. What depends
    on both is NaN there, as V f(w) V^-1 could not have the right derivative: use expm, logm, sqrtm
    or funm for it. Second derivatives are NaN there. Where the vectors are dependent (a defective
    matrix), all derivatives of that eigenvalue are NaN, or large where rounding has split it.

    Args:
        a: matrices, shape (..., n, n), real or complex.
        b: None, or matrices, shape (..., n, n).
        left: whether left vectors are wanted. Static, as all that follow.
        right: whether right vectors are wanted.
        overwrite_a: no effect.
        overwrite_b: no effect.
        check_finite: no effect; what is not finite gives NaN.
        homogeneous_eigvals: whether eigenvalues are pairs (alpha, beta), w = alpha / beta. The
            derivative of a pair is orthogonal to it: LAPACK's scaling of pairs is not smooth.

    Returns:
        w, shape (..., n), or (..., 2, n) for pairs; then the left vectors and the right ones, as
        columns, shape (..., n, n), if wanted. w alone if neither is. With a singular b, some w are
        infinite, and have no derivative but as a pair. NaN where LAPACK does not converge.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 2.0]])
        >>> w, v = eig(a)
        >>> jnp.sort(w.real)
        Array([-1.,  4.], dtype=float64)
        >>> bool(jnp.allclose(a @ v, v * w))
        True
        >>> jax.grad(lambda a: jnp.max(eig(a)[0].real))(a)
        Array([[0.4, 0.6],
               [0.4, 0.6]], dtype=float64)
    """
    found: PyTree = _eigenvalues("eig", a, b, left, right, homogeneous_eigvals)
    return tuple(found) if len(found) > 1 else found[0]


@public(
    "host",
    source=_SOURCE,
    differentiable="in a and b, where no eigenvalue is defective.",
    newer=("overwrite_b",),
)
def eigvals(
    a: ArrayLike,
    b: ArrayLike | None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    homogeneous_eigvals: bool = False,
) -> jax.Array:
    """Eigenvalues of general matrices: A v = w v, or A v = w B v. Always complex.

    At repeated eigenvalues, where the matrix is not defective, symmetric functions of the cluster
    have the right first derivative; second derivatives are NaN.

    Args:
        a: matrices, shape (..., n, n), real or complex.
        b: None, or matrices, shape (..., n, n).
        overwrite_a: no effect.
        overwrite_b: no effect. SciPy has it from version 1.18 on; with an older one this function
            has no such argument, and those behind it are one place further in front.
        check_finite: no effect; what is not finite gives NaN.
        homogeneous_eigvals: static: whether eigenvalues are pairs, as in `eig`.

    Returns:
        w, shape (..., n), in LAPACK's order, or (..., 2, n) for pairs.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 2.0]])
        >>> jnp.sort(eigvals(a).real)
        Array([-1.,  4.], dtype=float64)
        >>> jax.grad(lambda a: jnp.max(eigvals(a).real))(a)
        Array([[0.4, 0.6],
               [0.4, 0.6]], dtype=float64)
    """
    return _eigenvalues("eigvals", a, b, False, False, homogeneous_eigvals)[0]
