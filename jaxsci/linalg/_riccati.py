"""Algebraic Riccati equations, continuous and discrete, with SciPy's matrices e and s.

SciPy finds X from the stable subspace of a matrix pencil. With the gain K that belongs to X and the
closed loop c = a - b K, the differential of either equation is a Lyapunov equation of c e^-1:

    continuous:  e^H dX c + c^H dX e + W = 0,  W from H = e^H X (da - db K) + c^H X de - ds K
    discrete:    c^H dX c - e^H dX e + W = 0,  W from H = c^H X (da - db K) - e^H X de - ds K

where W = H + H^H + dq + K^H dr K.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci._core.host_function import HostFunction
from jaxsci._core.types import Arrays, Tangents
from jaxsci.linalg._infra.arguments import adjoint, arrays, at_least, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import NoResult, host
from jaxsci.linalg._lyapunov import lyapunov, stein

_LARGEST_RESIDUAL = 1e-3
"""Of what counts as a solution, relative to the equation's terms: SciPy's is that inaccurate in
some problems of published collections."""
_UNSTABLE = 1e-6
"""How far beyond stability computed poles may lie: double ones on the boundary do by 1e-8."""

# -- on the host -----------------------------------------------------------------------------------


def _solution(
    solver: Callable[..., Any],
    a: np.ndarray,
    b: np.ndarray,
    q: np.ndarray,
    r: np.ndarray,
    s: np.ndarray,
    e: Any,
    balanced: bool,
) -> np.ndarray:
    """What SciPy returns; s and e may be None."""
    given, scale = [a, b, q, r, e, s], None
    if balanced and e is not None:
        # SciPy 1.17 balances the pencil, but not the e that it multiplies the subspace with.
        given, scale = _balance(a, b, q, r, e, s)
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


def _continuous(
    a: np.ndarray,
    b: np.ndarray,
    q: np.ndarray,
    r: np.ndarray,
    s: np.ndarray,
    e: Any,
    balanced: bool,
) -> np.ndarray:
    """X of the continuous equation, checked."""
    if a.size == 0:
        return np.zeros_like(a)
    x = _solution(scipy.linalg.solve_continuous_are, a, b, q, r, s, e, balanced)
    s, e = _completed(a, b, s, e)
    n = e.conj().T @ x @ b + s
    k = np.linalg.solve(r, n.conj().T)
    poles = np.linalg.eigvals(np.linalg.solve(e, a - b @ k))
    instability = np.real(poles).max() / max(np.abs(poles).max(), np.finfo(float).tiny)
    product = e.conj().T @ x @ a
    _refuse(instability, [product, product.conj().T, -n @ k, q])
    return x


def _discrete(
    a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray, s: Any, e: Any, balanced: bool
) -> np.ndarray:
    """X of the discrete equation, checked."""
    if a.size == 0:
        return np.zeros_like(a)
    x = _solution(scipy.linalg.solve_discrete_are, a, b, q, r, s, e, balanced)
    s, e = _completed(a, b, s, e)
    n = a.conj().T @ x @ b + s
    k = np.linalg.solve(r + b.conj().T @ x @ b, n.conj().T)
    poles = np.linalg.eigvals(np.linalg.solve(e, a - b @ k))
    terms = [a.conj().T @ x @ a, -e.conj().T @ x @ e, -n @ k, q]
    _refuse(np.abs(poles).max() - 1, terms)
    return x


def _completed(
    a: np.ndarray, b: np.ndarray, s: np.ndarray, e: Any
) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros_like(b) if s is None else s, np.eye(len(a)) if e is None else e


# -- derivatives -----------------------------------------------------------------------------------


def _over(y: jax.Array, e: Sequence[Any]) -> jax.Array:
    """The quotient y e^-1, if there is an e."""
    return adjoint(jnp.linalg.solve(adjoint(e[0]), adjoint(y))) if e else y


def _source(
    k: jax.Array, half: jax.Array, dq: jax.Array, dr: jax.Array, e: Sequence[Any]
) -> jax.Array:
    """The matrix e^-H W e^-1 of the differential, from H."""
    w = half + adjoint(half) + dq + adjoint(k) @ dr @ k
    return _over(adjoint(_over(w, e)), e)


def _along_continuous(
    x: jax.Array, arguments: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> jax.Array:
    a, b, _, r, s, *e = arguments
    da, db, dq, dr, ds, *de = tangents
    xe = x @ e[0] if e else x
    k = jnp.linalg.solve(r, adjoint(b) @ xe + adjoint(s))
    closed = a - b @ k
    half = adjoint(xe) @ (da - db @ k) - ds @ k
    if e:
        half = half + adjoint(closed) @ x @ de[0]
    return lyapunov(adjoint(_over(closed, e)), -_source(k, half, dq, dr, e))


def _along_discrete(x: Any, arguments: Arrays, tangents: Tangents) -> Any:
    a, b, _, r, s, *e = arguments
    da, db, dq, dr, ds, *de = tangents
    k = jnp.linalg.solve(r + adjoint(b) @ x @ b, adjoint(b) @ x @ a + adjoint(s))
    closed = a - b @ k
    half = adjoint(closed) @ x @ (da - db @ k) - ds @ k
    if e:
        half = half - adjoint(e[0]) @ x @ de[0]
    return stein(adjoint(_over(closed, e)), _source(k, half, dq, dr, e))


def _host_functions(
    name: str, solve: Callable[..., Any], rule: Callable[..., Any]
) -> tuple[HostFunction, HostFunction]:
    """One without e and one with it. They take an s in any case; `has_s` says if it is any."""

    def plain(
        a: np.ndarray,
        b: np.ndarray,
        q: np.ndarray,
        r: np.ndarray,
        s: np.ndarray,
        has_s: bool = False,
        balanced: bool = True,
    ) -> np.ndarray:
        return solve(a, b, q, r, s if has_s else None, None, balanced)

    def general(
        a: Any, b: Any, q: Any, r: Any, s: Any, e: Any, has_s: bool = False, balanced: bool = True
    ) -> Any:
        return solve(a, b, q, r, s if has_s else None, e, balanced)

    arrays, static = "(m,m),(m,n),(m,m),(n,n),(m,n)", ("has_s", "balanced")
    return (
        host(f"{arrays}->(m,m)", static=static, name=name)(plain).jvp(rule),
        host(f"{arrays},(m,m)->(m,m)", static=static, name=name)(general).jvp(rule),
    )


_CONTINUOUS = _host_functions("solve_continuous_are", _continuous, _along_continuous)
_DISCRETE = _host_functions("solve_discrete_are", _discrete, _along_discrete)


# -- public ----------------------------------------------------------------------------------------

_SOURCE = (
    "P. van Dooren, SIAM J. Sci. Stat. Comput. 2 (1981); the differential of the equation is a "
    "Lyapunov equation of the closed loop"
)
_WHERE = (
    "in a, b, q, r, e and s, with q and r through their Hermitian parts; NaN, or very large, where "
    "an eigenvalue of the closed loop is on the boundary of stability."
)


@public("host", source=_SOURCE, differentiable=_WHERE)
def solve_continuous_are(
    a: ArrayLike,
    b: ArrayLike,
    q: ArrayLike,
    r: ArrayLike,
    e: ArrayLike | None = None,
    s: ArrayLike | None = None,
    balanced: bool = True,
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

    Example:
        >>> a, b = jnp.array([[0.0, 1.0], [0.0, 0.0]]), jnp.array([[0.0], [1.0]])  # a mass
        >>> q, r = jnp.eye(2), jnp.eye(1)
        >>> x = solve_continuous_are(a, b, q, r)
        >>> x
        Array([[1.73205081, 1.        ],
               [1.        , 1.73205081]], dtype=float64)
        >>> linalg.solve(r, b.T @ x)  # the regulator's gain
        Array([[1.        , 1.73205081]], dtype=float64)
        >>> jax.grad(lambda r: solve_continuous_are(a, b, q, r)[0, 0])(r)
        Array([[0.28867513]], dtype=float64)
    """
    return _riccati("solve_continuous_are", _CONTINUOUS, a, b, q, r, e, s, balanced)


@public("host", source=_SOURCE, differentiable=_WHERE)
def solve_discrete_are(
    a: ArrayLike,
    b: ArrayLike,
    q: ArrayLike,
    r: ArrayLike,
    e: ArrayLike | None = None,
    s: ArrayLike | None = None,
    balanced: bool = True,
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

    Example:
        >>> a, b = jnp.array([[1.0, 1.0], [0.0, 1.0]]), jnp.array([[0.5], [1.0]])  # steps of 1
        >>> q, r = jnp.eye(2), jnp.eye(1)
        >>> x = solve_discrete_are(a, b, q, r)
        >>> x
        Array([[2.36710149, 1.11803399],
               [1.11803399, 2.58748293]], dtype=float64)
        >>> linalg.solve(r + b.T @ x @ b, b.T @ x @ a)  # the regulator's gain
        Array([[0.43448324, 1.02846593]], dtype=float64)
        >>> jax.grad(lambda r: solve_discrete_are(a, b, q, r)[0, 0])(r)
        Array([[0.23952292]], dtype=float64)
    """
    return _riccati("solve_discrete_are", _DISCRETE, a, b, q, r, e, s, balanced)


def _riccati(
    function: str,
    solve: tuple[HostFunction, HostFunction],
    a: Any,
    b: Any,
    q: Any,
    r: Any,
    e: Any,
    s: Any,
    balanced: bool,
) -> jax.Array:
    if not isinstance(balanced, bool | np.bool_):
        raise TypeError(f"{function}: argument 'balanced' must be True or False, got {balanced!r}")
    given = {"a": a, "b": b, "q": q, "r": r}
    given |= {name: x for name, x in (("e", e), ("s", s)) if x is not None}
    found = dict(zip(given, arrays(function, **given), strict=True))
    if found["r"].ndim == 0:
        found["r"] = found["r"].reshape(1, 1)
    square(function, **{name: x for name, x in found.items() if name in "aqre"})
    at_least(function, 2, **found)
    shape, dtype = found["b"].shape, found["b"].dtype
    if shape[-1] == 0:
        raise ValueError(f"{function}: argument 'b' needs at least one column, got shape {shape}")
    # JAX solves no linear equations in half precision, which the derivatives need.
    wide = jnp.promote_types(dtype, jnp.float32)
    found = {name: x.astype(wide) for name, x in found.items()}
    for name in ("q", "r"):
        found[name] = (found[name] + adjoint(found[name])) / 2
    plain, general = solve
    options = {"has_s": "s" in found, "balanced": bool(balanced)}
    found.setdefault("s", jnp.zeros(shape[-2:], wide))
    return (general if "e" in found else plain)(**found, **options).astype(dtype)
