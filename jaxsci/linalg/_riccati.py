"""Algebraic Riccati equations, continuous and discrete, with SciPy's matrices e and s.

SciPy finds X from the stable subspace of a matrix pencil. With the gain K that belongs to X and the
closed loop c = a - b K, the differential of either equation is a Lyapunov equation of c e^-1:

    continuous:  e^H dX c + c^H dX e + W = 0,  W from H = e^H X (da - db K) + c^H X de - ds K
    discrete:    c^H dX c - e^H dX e + W = 0,  W from H = c^H X (da - db K) - e^H X de - ds K

where W = H + H^H + dq + K^H dr K.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg

from jaxsci.linalg._arguments import adjoint, arrays, at_least, square
from jaxsci.linalg._catalog import public
from jaxsci.linalg._host import NoResult, host
from jaxsci.linalg._lyapunov import lyapunov, stein

_LARGEST_RESIDUAL = 1e-3
"""Of what counts as a solution, relative to the equation's terms: SciPy's is that inaccurate in
some problems of published collections."""
_UNSTABLE = 1e-6
"""How far beyond stability computed poles may lie: double ones on the boundary do by 1e-8."""

_SIGNATURE = "(m,m),(m,n),(m,m),(n,n),(m,m),(m,n)->(m,m)"
_STATIC = ("has_e", "has_s", "balanced")


# -- on the host -----------------------------------------------------------------------------------


def _solution(solver: Callable[..., Any], given: list[Any], balanced: bool) -> np.ndarray:
    """What SciPy returns for a, b, q, r, e, s (the last two may be None)."""
    scale = None
    if balanced and given[4] is not None:
        # SciPy 1.17 balances the pencil, but not the e that it multiplies the subspace with.
        given, scale = _balance(*given)
        balanced = False
    try:
        x = solver(*given, balanced=balanced)
    except ValueError as error:  # a singular r or e, among others; LinAlgError is one too
        raise NoResult from error
    return x if scale is None else x * np.outer(scale, scale)


def _balance(
    a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray, e: np.ndarray, s: np.ndarray | None
) -> tuple[list[Any], np.ndarray]:
    """The same equation in states and inputs of comparable size, and the scale of the states.

    The scales are powers of two, as SciPy finds them; see P. Benner, SIAM J. Sci. Comput. 22
    (2001).
    """
    m = len(a)
    terms = np.zeros_like(b) if s is None else s
    sizes = np.abs(np.block([[a, np.zeros_like(a), b], [q, a.T, terms], [terms.T, b.T, r]]))
    sizes[:m, :m] += np.abs(e)
    sizes[m : 2 * m, m : 2 * m] += np.abs(e.T)
    np.fill_diagonal(sizes, 0)
    found = np.log2(scipy.linalg.matrix_balance(sizes, permute=False, separate=True)[1][0])
    states = 2.0 ** np.round((found[m : 2 * m] - found[:m]) / 2)
    inputs = 2.0 ** found[2 * m :]
    rows = (states, states, 1 / states, 1 / inputs, states, 1 / states)
    columns = (1 / states, 1 / inputs, 1 / states, 1 / inputs, 1 / states, 1 / inputs)
    scaled = [
        None if x is None else x * np.outer(left, right)
        for x, left, right in zip((a, b, q, r, e, s), rows, columns, strict=True)
    ]
    return scaled, states


def _refuse(instability: float, terms: list[np.ndarray]) -> None:
    """Refuse what does not stabilise, or whose terms do not add up to zero."""
    size = sum(np.abs(x).max() for x in terms)
    residual = np.abs(sum(terms)).max()
    if not (instability <= _UNSTABLE and residual <= _LARGEST_RESIDUAL * size):
        raise NoResult


@host(_SIGNATURE, static=_STATIC, name="solve_continuous_are")
def _continuous(
    a: np.ndarray,
    b: np.ndarray,
    q: np.ndarray,
    r: np.ndarray,
    e: np.ndarray,
    s: np.ndarray,
    has_e: bool,
    has_s: bool,
    balanced: bool,
) -> Any:
    """X of the continuous equation, checked."""
    if a.size == 0:
        return np.zeros_like(a)
    given = [a, b, q, r, e if has_e else None, s if has_s else None]
    x = _solution(scipy.linalg.solve_continuous_are, given, balanced)
    n = e.conj().T @ x @ b + s
    k = np.linalg.solve(r, n.conj().T)
    poles = np.linalg.eigvals(np.linalg.solve(e, a - b @ k))
    instability = poles.real.max() / max(np.abs(poles).max(), np.finfo(float).tiny)
    product = e.conj().T @ x @ a
    _refuse(instability, [product, product.conj().T, -n @ k, q])
    return x


@host(_SIGNATURE, static=_STATIC, name="solve_discrete_are")
def _discrete(
    a: np.ndarray,
    b: np.ndarray,
    q: np.ndarray,
    r: np.ndarray,
    e: np.ndarray,
    s: np.ndarray,
    has_e: bool,
    has_s: bool,
    balanced: bool,
) -> Any:
    """X of the discrete equation, checked."""
    if a.size == 0:
        return np.zeros_like(a)
    given = [a, b, q, r, e if has_e else None, s if has_s else None]
    x = _solution(scipy.linalg.solve_discrete_are, given, balanced)
    n = a.conj().T @ x @ b + s
    k = np.linalg.solve(r + b.conj().T @ x @ b, n.conj().T)
    poles = np.linalg.eigvals(np.linalg.solve(e, a - b @ k))
    terms = [a.conj().T @ x @ a, -e.conj().T @ x @ e, -n @ k, q]
    _refuse(np.abs(poles).max() - 1, terms)
    return x


# -- derivatives -----------------------------------------------------------------------------------


def _over(y: Any, e: Any) -> Any:
    """The quotient y e^-1."""
    return adjoint(jnp.linalg.solve(adjoint(e), adjoint(y)))


def _source(k: Any, half: Any, dq: Any, dr: Any) -> Any:
    """W of the differential, from H."""
    return half + adjoint(half) + dq + adjoint(k) @ dr @ k


def _along_continuous(x: Any, arguments: Any, tangents: Any) -> Any:
    a, b, _, r, e, s = arguments
    da, db, dq, dr, de, ds = tangents
    k = jnp.linalg.solve(r, adjoint(b) @ x @ e + adjoint(s))
    closed = a - b @ k
    half = adjoint(e) @ x @ (da - db @ k) + adjoint(closed) @ x @ de - ds @ k
    w = _source(k, half, dq, dr)
    return lyapunov(adjoint(_over(closed, e)), -_over(adjoint(_over(w, e)), e))


def _along_discrete(x: Any, arguments: Any, tangents: Any) -> Any:
    a, b, _, r, e, s = arguments
    da, db, dq, dr, de, ds = tangents
    k = jnp.linalg.solve(r + adjoint(b) @ x @ b, adjoint(b) @ x @ a + adjoint(s))
    closed = a - b @ k
    half = adjoint(closed) @ x @ (da - db @ k) - adjoint(e) @ x @ de - ds @ k
    w = _source(k, half, dq, dr)
    return stein(adjoint(_over(closed, e)), _over(adjoint(_over(w, e)), e))


_continuous.jvp(_along_continuous)
_discrete.jvp(_along_discrete)


# -- public ----------------------------------------------------------------------------------------

_SOURCE = (
    "P. van Dooren, SIAM J. Sci. Stat. Comput. 2 (1981); the differential of the equation is a "
    "Lyapunov equation of the closed loop"
)
_WHERE = "in a, b, q, r, e and s, with q and r through their Hermitian parts."


@public("host", source=_SOURCE, differentiable=_WHERE)
def solve_continuous_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True
) -> jax.Array:
    """Solve the continuous algebraic Riccati equation.

    The equation is e^H X a + a^H X e - (e^H X b + s) r^-1 (b^H X e + s^H) + q = 0. Of its
    solutions, X is the stabilising one: with the gain K = r^-1 (b^H X e + s^H), all eigenvalues of
    e^-1 (a - b K) have negative real parts. For e dx/dt = a x + b u, the control u = -K x has the
    least integral of x^H q x + u^H r u + 2 Re(x^H s u).

    Args:
        a: matrices, shape (..., m, m), real or complex.
        b: matrices, shape (..., m, n), with n > 0.
        q: matrices, shape (..., m, m).
        r: matrices, shape (..., n, n); or a number if n = 1.
        e: matrices, shape (..., m, m). None: the identity.
        s: matrices, shape (..., m, n). None: zero.
        balanced: whether states and inputs are scaled first; static. With e, the scaling is not
            left to SciPy, whose result can then be wrong (1.17).

    q and r stand for their Hermitian parts, (q + q^H) / 2, which is what they are where they are
    Hermitian; SciPy refuses others. So the gradient with respect to them is Hermitian, and entries
    of q may be perturbed one by one.

    Returns:
        X, shape (..., m, m), Hermitian, of the dtype that the arguments promote to. NaN where
        there is no stabilising solution or it could not be found, r or e is singular, or an
        argument is not finite. Where SciPy returns a matrix that does not stabilise, or does not
        solve the equation (a relative residual above 1e-3), the result is NaN too.

    Raises:
        TypeError: an argument is not an array of numbers, or `balanced` not a bool.
        ValueError: the shapes do not fit.
    """
    return _riccati("solve_continuous_are", _continuous, a, b, q, r, e, s, balanced)


@public("host", source=_SOURCE, differentiable=_WHERE)
def solve_discrete_are(
    a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True
) -> jax.Array:
    """Solve the discrete algebraic Riccati equation.

    The equation is a^H X a - e^H X e - (a^H X b + s) (r + b^H X b)^-1 (b^H X a + s^H) + q = 0. Of
    its solutions, X is the stabilising one: with the gain K = (r + b^H X b)^-1 (b^H X a + s^H), all
    eigenvalues of e^-1 (a - b K) lie inside the unit circle. For e x[t+1] = a x[t] + b u[t], the
    control u = -K x has the least sum of x^H q x + u^H r u + 2 Re(x^H s u).

    Args:
        a: matrices, shape (..., m, m), real or complex.
        b: matrices, shape (..., m, n), with n > 0.
        q: matrices, shape (..., m, m).
        r: matrices, shape (..., n, n), which may be singular; or a number if n = 1.
        e: matrices, shape (..., m, m). None: the identity.
        s: matrices, shape (..., m, n). None: zero.
        balanced: whether states and inputs are scaled first; static. With e, the scaling is not
            left to SciPy, whose result can then be wrong (1.17).

    q and r stand for their Hermitian parts, (q + q^H) / 2, which is what they are where they are
    Hermitian; SciPy refuses others. So the gradient with respect to them is Hermitian, and entries
    of q may be perturbed one by one.

    Returns:
        X, shape (..., m, m), Hermitian, of the dtype that the arguments promote to. NaN where
        there is no stabilising solution or it could not be found, r + b^H X b or e is singular, or
        an argument is not finite. Where SciPy returns a matrix that does not stabilise, or does not
        solve the equation (a relative residual above 1e-3), the result is NaN too.

    Raises:
        TypeError: an argument is not an array of numbers, or `balanced` not a bool.
        ValueError: the shapes do not fit.
    """
    return _riccati("solve_discrete_are", _discrete, a, b, q, r, e, s, balanced)


def _riccati(
    function: str, solve: Any, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any, balanced: bool
) -> jax.Array:
    if not isinstance(balanced, bool | np.bool_):
        raise TypeError(f"{function}: argument 'balanced' must be True or False, got {balanced!r}")
    optional = {name: x for name, x in (("e", e), ("s", s)) if x is not None}
    found = arrays(function, a=a, b=b, q=q, r=r, **optional)
    dtype = found[0].dtype
    # JAX solves no linear equations in half precision, which the derivatives need.
    a, b, q, r, *given = (x.astype(jnp.promote_types(dtype, jnp.float32)) for x in found)
    r = r.reshape(1, 1) if r.ndim == 0 else r
    square(function, a=a, q=q, r=r)
    at_least(function, 2, b=b)
    if b.shape[-1] == 0:
        raise ValueError(f"{function}: argument 'b' needs at least one column, got shape {b.shape}")
    known = dict(zip(optional, given, strict=True))
    square(function, **{k: x for k, x in known.items() if k == "e"})
    at_least(function, 2, **known)
    m, n = b.shape[-2:]
    x = solve(
        a,
        b,
        (q + adjoint(q)) / 2,
        (r + adjoint(r)) / 2,
        known.get("e", jnp.eye(m, dtype=a.dtype)),
        known.get("s", jnp.zeros((m, n), a.dtype)),
        has_e="e" in known,
        has_s="s" in known,
        balanced=bool(balanced),
    )
    return x.astype(dtype)
