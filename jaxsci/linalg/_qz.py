"""Generalised Schur form of a pair of matrices (QZ).

Of A = Q S Z^H and B = Q T Z^H, with dQ = Q X and dZ = Z Y, X and Y skew, P = Q^H dA Z and
R = Q^H dB Z: dS = P - X S + S Y, dT = R - X T + T Y. That neither has an element below the diagonal
blocks of S is a linear system for X and Y below them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
from jax.typing import ArrayLike

from jaxsci.linalg._infra.arguments import adjoint, arrays, one_of, square
from jaxsci.linalg._infra.catalog import public
from jaxsci.linalg._infra.host import NoResult, complex_of, host
from jaxsci.linalg._kernels.qz_generators import qz_generators
from jaxsci.linalg._schur import OUTPUT, complex_if, quasi, skew, sorting, subdiagonal

_SOURCE = (
    "the differential of both equations; D. Kressner, Numerical Methods for General and "
    "Structured Eigenvalue Problems (2005)"
)

# -- the forms -------------------------------------------------------------------------------------


def _gges(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, ...]:
    """LAPACK's form: S, T, the eigenvalues, Q, Z."""
    n = len(a)
    if n == 0:
        return a, b, np.zeros(0, complex), np.zeros(0, a.dtype), a, a
    (gges,) = scipy.linalg.get_lapack_funcs(("gges",), (a, b))
    work = int(gges(lambda *_: None, a, b, lwork=-1)[-2][0].real)
    s, t, _, *w, q, z, _, info = gges(lambda *_: None, a, b, lwork=work, sort_t=0)
    if info != 0:
        raise NoResult
    return s, t, *_eigenvalues(w), q, z


def _eigenvalues(w: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Alpha and beta, from (alpha, beta) or (real part, imaginary part, beta)."""
    return (w[0] + 1j * w[1], w[2]) if len(w) == 3 else (w[0], w[1])


@host("(n,n),(n,n)->(n,n),(n,n),(n,n),(n,n)", name="qz")
def _qz(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    s, t, _, _, q, z = _gges(a, b)
    return s, t, q, z


def _chosen(sort: str, alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Which eigenvalues come first. Infinite ones are in no half-plane, and outside the circle."""
    if callable(sort):
        return np.asarray(sort(alpha, beta))
    finite = beta != 0
    w = alpha / np.where(finite, beta, 1)
    if sort == "lhp":
        return finite & (w.real < 0)
    if sort == "rhp":
        return finite & (w.real > 0)
    if sort == "iuc":
        return finite & (np.abs(w) < 1)
    return np.where(finite, np.abs(w) > 1, alpha != 0)


@host(
    "(n,n),(n,n)->(n,n),(n,n),(n),(n),(n,n),(n,n)",
    static=("sort",),
    dtype=lambda *dtypes: (lambda d: (d, d, complex_of(d), d, d, d))(jnp.result_type(*dtypes)),
    name="ordqz",
)
def _ordqz(a: np.ndarray, b: np.ndarray, sort: str) -> tuple[np.ndarray, ...]:
    s, t, alpha, beta, q, z = _gges(a, b)
    if len(a) == 0:
        return s, t, alpha, beta, q, z
    (tgsen,) = scipy.linalg.get_lapack_funcs(("tgsen",), (s, t))
    work = 1 if s.dtype.kind == "c" else 4 * len(s) + 16
    chosen = _chosen(sort, alpha, beta)
    s, t, *w, q, z, _, _, _, _, info = tgsen(chosen, s, t, q, z, ijob=0, lwork=work, liwork=1)
    if info != 0:
        raise NoResult
    return s, t, *_eigenvalues(w), q, z


# -- the rule --------------------------------------------------------------------------------------


def _along(
    results: Sequence[jax.Array], _: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> tuple[jax.Array, ...]:
    s, t, q, z = results
    p = jnp.stack([adjoint(q) @ d @ z for d in tangents])
    x, y = (skew(m) for m in qz_generators(s, t, p))

    def turned(
        ds: jax.Array, dt: jax.Array, x: jax.Array, y: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        return ds - x @ s + s @ y, dt - x @ t + t @ y

    ds, dt = turned(p[0], p[1], x, y)
    pattern = subdiagonal(s) != 0 if len(s) > 1 else jnp.zeros(0, bool)
    if jnp.iscomplexobj(t):
        # LAPACK's diagonal of T is real, and not negative.
        diagonal = jnp.diagonal(t).real
        zero = diagonal == 0
        phase = jnp.where(zero, 0, jnp.diagonal(dt).imag / jnp.where(zero, 1, diagonal))
        more = jnp.diag(1j * phase), jnp.zeros_like(y)
    else:
        more = _in_blocks(t, dt, pattern)
    (ds, dt), x, y = turned(ds, dt, *more), x + more[0], y + more[1]
    return quasi(ds, pattern), jnp.triu(dt), q @ x, z @ y


def _in_blocks(t: jax.Array, dt: jax.Array, pattern: jax.Array) -> tuple[jax.Array, jax.Array]:
    """How each block of two turns, so that T stays diagonal in it."""
    if len(t) < 2:
        return jnp.zeros_like(t), jnp.zeros_like(t)
    first, second = jnp.diagonal(t)[:-1], jnp.diagonal(t)[1:]
    above, below = jnp.diagonal(dt, 1), subdiagonal(dt)
    det = jnp.where(pattern, second**2 - first**2, 1)
    q = jnp.where(pattern, -(second * above + first * below) / det, 0)
    z = jnp.where(pattern, -(first * above + second * below) / det, 0)
    return jnp.diag(q, -1) - jnp.diag(q, 1), jnp.diag(z, -1) - jnp.diag(z, 1)


_qz.jvp(_along)


def _ordered_along(
    results: Sequence[jax.Array], arguments: Sequence[jax.Array], tangents: Sequence[jax.Array]
) -> tuple[jax.Array, ...]:
    s, t, alpha, beta, q, z = results
    ds, dt, dq, dz = _along((s, t, q, z), arguments, tangents)
    dalpha, dbeta = jnp.diagonal(ds).astype(alpha.dtype), jnp.diagonal(dt)
    if len(s) > 1 and not jnp.iscomplexobj(s):
        pattern = subdiagonal(s) != 0
        first, second = jnp.append(pattern, False), jnp.append(False, pattern)
        inside = first | second
        w = alpha / jnp.where(inside, beta, 1)
        dw = _of_blocks(s, t, ds, dt, w, first, inside)
        dalpha, dbeta = jnp.where(inside, beta * dw, dalpha), jnp.where(inside, 0, dbeta)
    return ds, dt, dalpha, dbeta, dq, dz


def _of_blocks(
    s: jax.Array,
    t: jax.Array,
    ds: jax.Array,
    dt: jax.Array,
    w: jax.Array,
    first: jax.Array,
    inside: jax.Array,
) -> jax.Array:
    """The tangents of eigenvalues in blocks of two: zeros of det(S - w T), T diagonal."""

    def parts(m: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
        pad = jnp.zeros(1, m.dtype)
        diagonal = jnp.diagonal(m)
        following = jnp.append(diagonal[1:], pad)
        above, below = jnp.append(jnp.diagonal(m, 1), pad), jnp.append(subdiagonal(m), pad)
        return diagonal, following, above, below

    def both(x: jax.Array) -> jax.Array:
        """What belongs to a block, in both its places."""
        return jnp.where(first, x, jnp.roll(x, 1))

    s1, s2, above, below = map(both, parts(s))
    t1, t2, *_ = map(both, parts(t))
    ds1, ds2, dabove, dbelow = map(both, parts(ds))
    dt1, dt2, *_ = map(both, parts(dt))
    one, two = s1 - w * t1, s2 - w * t2
    change = (ds1 - w * dt1) * two + one * (ds2 - w * dt2) - dabove * below - above * dbelow
    slope = t1 * two + t2 * one
    return change / jnp.where(inside, slope, 1)


_ordqz.jvp(_ordered_along)


# -- public ----------------------------------------------------------------------------------------


def _pair(function: str, A: Any, B: Any, output: str) -> list[jax.Array]:
    """The arguments checked, in the dtype of the form wanted."""
    A, B = arrays(function, A=A, B=B)
    square(function, A=A, B=B)
    if A.shape[-1] != B.shape[-1]:
        raise ValueError(
            f"{function}: arguments 'A' and 'B' must have the same order, got shapes {A.shape} and "
            f"{B.shape}"
        )
    one_of(function, "output", output, OUTPUT)
    return [complex_if(x, output) for x in (A, B)]


@public(
    "host",
    source=_SOURCE,
    differentiable="in A and B, where all eigenvalues of the pencil are simple.",
)
def qz(
    A: ArrayLike,
    B: ArrayLike,
    output: str = "real",
    lwork: int | None = None,
    sort: None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Generalised Schur form A = Q S Z^H, B = Q T Z^H: Q and Z unitary, S and T upper triangular.

    For real matrices S is quasi-triangular: in a block of two, which a pair of complex eigenvalues
    has, T is diagonal. The derivative keeps that, and of the complex form that T's diagonal is
    real, and phases such that Z^H dZ has a zero diagonal; LAPACK's phases are not smooth, so use
    what does not depend on them. It is NaN where eigenvalues are equal to rounding, and in the real
    form where T is a multiple of the identity in a block of two.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        B: matrices, shape (..., n, n).
        output: "real" or "complex": which form real matrices get. Static.
        lwork: no effect.
        sort: must be None, as in SciPy: see `ordqz`.
        overwrite_a: no effect.
        overwrite_b: no effect.
        check_finite: no effect; what is not finite gives NaN.

    Returns:
        S, T, Q and Z, shape (..., n, n). NaN where LAPACK does not converge.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 2.0]])
        >>> b = jnp.array([[2.0, 0.0], [1.0, 1.0]])
        >>> s, t, q, z = qz(a, b)
        >>> jnp.sort(jnp.diagonal(s) / jnp.diagonal(t))  # the eigenvalues of the pencil
        Array([-0.85078106,  2.35078106], dtype=float64)
        >>> bool(jnp.allclose(q @ s @ z.T, a)), bool(jnp.allclose(q @ t @ z.T, b))
        (True, True)
    """
    if sort is not None:
        raise ValueError("qz: argument 'sort' must be None; use ordqz")
    return _qz(*_pair("qz", A, B, output))


@public(
    "host",
    source=_SOURCE,
    differentiable="in A and B, where all eigenvalues of the pencil are simple.",
)
def ordqz(
    A: ArrayLike,
    B: ArrayLike,
    sort: str | Callable[..., Any] = "lhp",
    output: str = "real",
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array, jax.Array, jax.Array]:
    """Generalised Schur form with chosen eigenvalues alpha / beta first.

    Args:
        A: matrices, shape (..., n, n), real or complex.
        B: matrices, shape (..., n, n).
        sort: which eigenvalues come first: "lhp" (negative real part), "rhp" (positive), "iuc"
            (inside the unit circle), "ouc" (outside it, or infinite), or a function, called on the
            host, of all alpha and beta (NumPy arrays) that returns an array of bools. Static.
        output: "real" or "complex": which form real matrices get. Static.
        overwrite_a: no effect.
        overwrite_b: no effect.
        check_finite: no effect; what is not finite gives NaN.

    Returns:
        S, T, alpha, beta, Q and Z; alpha, complex, and beta have shape (..., n). Derivatives are
        those of `qz`; of a pair of complex eigenvalues in the real form, beta's is zero, as
        LAPACK's scaling of alpha and beta is not smooth. NaN where LAPACK does not converge, or
        could not sort.

    Raises:
        TypeError: an argument is not an array of numbers.
        ValueError: the shapes do not fit, or an option is none that SciPy has.

    Example:
        >>> a = jnp.array([[1.0, 2.0], [3.0, 2.0]])
        >>> b = jnp.array([[2.0, 0.0], [1.0, 1.0]])
        >>> s, t, alpha, beta, q, z = ordqz(a, b, sort="lhp")
        >>> (alpha / beta).real  # the negative eigenvalue first
        Array([-0.85078106,  2.35078106], dtype=float64)
        >>> bool(jnp.allclose(q @ s @ z.T, a)), bool(jnp.allclose(q @ t @ z.T, b))
        (True, True)
    """
    pair = _pair("ordqz", A, B, output)
    return _ordqz(*pair, sort=sorting("ordqz", sort, optional=False))
