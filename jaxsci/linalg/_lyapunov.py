"""Lyapunov's equations: a X + X a^H = q, and the discrete one, a X a^H - X + q = 0.

Both are linear in q, and the transposed equation is of the same kind, with a^T for a. So each is
solved by a host function whose derivatives of every order call it again.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.host_function import HostFunction
from jaxsci._core.types import Arrays, Tangents
from jaxsci.linalg._infra import lapack
from jaxsci.linalg._infra.arguments import adjoint, arrays, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import NoResult, host, stack_host
from jaxsci.linalg._infra.lapack import Stack
from jaxsci.linalg._sylvester import adjoint_of, grown, solve_schur, uncertainty

_DIRECT_BELOW = 10
"""The order from which SciPy chooses the bilinear method."""


def _same_dtype(*matrices: np.ndarray) -> list[np.ndarray]:
    dtype = np.result_type(*matrices)
    return [x.astype(dtype, copy=False) for x in matrices]


# -- the continuous equation -----------------------------------------------------------------------


def _bartels_stewart(a: Stack, q: Stack) -> Stack:
    """X with a X + X a^H = q, by Bartels and Stewart's method, as in SciPy."""
    a, q = _same_dtype(a, q)
    t, u = lapack.schur(a)
    return u @ solve_schur(t, t, adjoint_of(u) @ (q @ u)) @ adjoint_of(u)


def _along_continuous(x: Any, arguments: Arrays, tangents: Tangents) -> Any:
    a, _ = arguments
    da, dq = tangents
    return lyapunov(a, dq - da @ x - x @ adjoint(da))


def _continuous(name: str) -> HostFunction:
    solve = stack_host("(m,m),(m,m)->(m,m)", name=name)(_bartels_stewart)
    solve.jvp(_along_continuous)
    return solve.linear_in("q", lambda x, a: lyapunov(a.T, x))


lyapunov = _continuous("solve_continuous_lyapunov")
_lyapunov_by_its_old_name = _continuous("solve_lyapunov")


# -- the discrete equation -------------------------------------------------------------------------


@host("(m,m),(m,m)->(m,m)")
def stein(a: np.ndarray, q: np.ndarray) -> Any:
    """X with X - a X a^H = q, column by column from the complex Schur form of a.

    It serves the derivatives. Unlike the bilinear method it inverts nothing but the equation.
    """
    if q.size == 0:
        return np.zeros_like(q)
    t, u = (x[0] for x in lapack.schur(a.astype(complex, copy=False)[None]))
    diagonal = t.diagonal()
    _refuse_reciprocal(diagonal, np.abs(t).max())
    f = u.conj().T @ q @ u
    y = np.zeros_like(f)
    identity = np.eye(len(t))
    (trtrs,) = scipy.linalg.get_lapack_funcs(("trtrs",), (t, f))
    for j in reversed(range(len(t))):
        known = t @ (y[:, j + 1 :] @ t[j, j + 1 :].conj())
        y[:, j], info = trtrs(identity - diagonal[j].conj() * t, f[:, j] + known)
        if info != 0:
            raise NoResult
    if grown(y, f, max(1.0, np.abs(t).max())):
        raise NoResult
    x = u @ y @ u.conj().T
    return x if a.dtype.kind == "c" or q.dtype.kind == "c" else np.real(x)


def _refuse_reciprocal(eigenvalues: np.ndarray, norm: float) -> None:
    """Refuse eigenvalues l, m of a with l conj(m) = 1, to their accuracy."""
    distance = np.abs(1 - np.outer(eigenvalues, eigenvalues.conj()))
    sizes = np.abs(eigenvalues)
    if np.any(distance <= uncertainty(len(sizes)) * norm * np.add.outer(sizes, sizes)):
        raise NoResult


def _along_discrete(x: Any, arguments: Arrays, tangents: Tangents) -> Any:
    a, _ = arguments
    da, dq = tangents
    return stein(a, dq + da @ x @ adjoint(a) + a @ x @ adjoint(da))


stein.jvp(_along_discrete)
stein.linear_in("q", lambda x, a: stein(a.T, x))


@host("(m,m),(m,m)->(m,m)", static=("method",), name="solve_discrete_lyapunov")
def _discrete_lyapunov(a: np.ndarray, q: np.ndarray, method: str) -> np.ndarray:
    """The same by the methods of SciPy, to have its values."""
    if q.size == 0:
        return np.zeros_like(q)
    x = (_direct if method == "direct" else _bilinear)(*_same_dtype(a, q))
    if grown(x, q, max(1.0, np.abs(a).max())):
        raise NoResult
    return x


_discrete_lyapunov.jvp(_along_discrete)


def _direct(a: np.ndarray, q: np.ndarray) -> np.ndarray:
    """One system of m^2 linear equations."""
    _refuse_reciprocal(np.linalg.eigvals(a), np.abs(a).max())
    equations = np.eye(q.size) - np.kron(a, a.conj())
    (gesv,) = scipy.linalg.get_lapack_funcs(("gesv",), (equations, q))
    _, _, x, info = gesv(equations, q.reshape(-1, 1))
    if info != 0:
        raise NoResult
    return x.reshape(q.shape)


def _bilinear(a: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The continuous equation of b, where a = (1 + b) (1 - b)^-1."""
    adjoint = a.conj().T
    identity = np.eye(len(a))
    inverse = np.linalg.inv(adjoint + identity)
    b = (adjoint - identity).dot(inverse)
    c = 2 * np.linalg.inv(a + identity).dot(q).dot(inverse)
    return _bartels_stewart(b.conj().T[None], -c[None])[0]


# -- public ----------------------------------------------------------------------------------------

_CONTINUOUS_SOURCE = (
    "R. H. Bartels and G. W. Stewart, Algorithm 432, Comm. ACM 15 (1972); its differential solves "
    "the same equation"
)


@public("host", source=_CONTINUOUS_SOURCE, differentiable="in a and q.")
def solve_continuous_lyapunov(a: ArrayLike, q: ArrayLike) -> jax.Array:
    """Solve Lyapunov's equation a X + X a^H = q.

    Args:
        a: matrices, shape (..., m, m), real or complex.
        q: matrices, shape (..., m, m); they need not be symmetric or Hermitian.

    Returns:
        X, shape (..., m, m), of the dtype that the arguments promote to. NaN where two eigenvalues
        l, m of a (or l = m) fulfil l + conj(m) = 0 to the rounding of the largest element of a
        (SciPy warns, if at all, and returns some large matrix), or an argument is not finite.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[0.0, 1.0], [-2.0, -3.0]])  # stable: eigenvalues -1 and -2
        >>> x = solve_continuous_lyapunov(a, -jnp.eye(2))  # the covariance under white noise
        >>> x
        Array([[ 1. , -0.5],
               [-0.5,  0.5]], dtype=float64)
        >>> jax.grad(lambda a: solve_continuous_lyapunov(a, -jnp.eye(2))[0, 0])(a)
        Array([[ 1.58333333, -0.66666667],
               [ 0.41666667, -0.16666667]], dtype=float64)
    """
    a, q = arrays("solve_continuous_lyapunov", a=a, q=q)
    square("solve_continuous_lyapunov", a=a, q=q)
    return lyapunov(a, q)


@public("host", source=_CONTINUOUS_SOURCE, differentiable="in a and q.")
def solve_lyapunov(a: ArrayLike, q: ArrayLike) -> jax.Array:
    """Solve Lyapunov's equation a X + X a^H = q: another name of `solve_continuous_lyapunov`.

    Args:
        a: matrices, shape (..., m, m), real or complex.
        q: matrices, shape (..., m, m).

    Returns:
        X, shape (..., m, m), as `solve_continuous_lyapunov` returns it.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit.

    Example:
        >>> a = jnp.array([[0.0, 1.0], [-2.0, -3.0]])  # stable: eigenvalues -1 and -2
        >>> x = solve_lyapunov(a, -jnp.eye(2))
        >>> x
        Array([[ 1. , -0.5],
               [-0.5,  0.5]], dtype=float64)
        >>> bool(jnp.allclose(a @ x + x @ a.T, -jnp.eye(2)))
        True
    """
    a, q = arrays("solve_lyapunov", a=a, q=q)
    square("solve_lyapunov", a=a, q=q)
    return _lyapunov_by_its_old_name(a, q)


@public(
    "host",
    source="the differential of the equation solves the same equation; the solver of the "
    "derivatives follows G. Kitagawa, Int. J. Control 25 (1977)",
    differentiable="in a and q.",
)
def solve_discrete_lyapunov(a: ArrayLike, q: ArrayLike, method: str | None = None) -> jax.Array:
    """Solve the discrete Lyapunov equation a X a^H - X + q = 0, also named after Stein.

    Args:
        a: matrices, shape (..., m, m), real or complex.
        q: matrices, shape (..., m, m); they need not be symmetric or Hermitian.
        method: "direct" solves m^2 linear equations, "bilinear" a continuous Lyapunov equation;
            static. None: "direct" where m < 10. Derivatives do not depend on it; they are computed
            from the Schur form of a.

    Returns:
        X, shape (..., m, m), of the dtype that the arguments promote to. NaN where two eigenvalues
        l, m of a (or l = m) fulfil l conj(m) = 1 to rounding (SciPy warns, if at all, and returns
        some large matrix), or an argument is not finite.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or there is no such method.

    Example:
        >>> a = jnp.array([[0.5, 0.1], [0.0, 0.8]])
        >>> x = solve_discrete_lyapunov(a, jnp.eye(2))  # the covariance under white noise
        >>> x
        Array([[1.41975309, 0.37037037],
               [0.37037037, 2.77777778]], dtype=float64)
        >>> bool(jnp.allclose(a @ x @ a.T - x + jnp.eye(2), 0))
        True
        >>> jax.grad(lambda a: jnp.trace(solve_discrete_lyapunov(a, jnp.eye(2))))(a)
        Array([[ 2.05761317,  1.72839506],
               [ 1.86328304, 12.83264746]], dtype=float64)
    """
    a, q = arrays("solve_discrete_lyapunov", a=a, q=q)
    square("solve_discrete_lyapunov", a=a, q=q)
    method = method.lower() if isinstance(method, str) else method
    one_of("solve_discrete_lyapunov", "method", method, (None, "direct", "bilinear"))
    if method is None:
        method = "direct" if a.shape[-1] < _DIRECT_BELOW else "bilinear"
    return _discrete_lyapunov(a, q, method=method)
