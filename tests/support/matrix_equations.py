"""Lyapunov's and Riccati's equations at many digits: residuals, solutions, derivatives.

Matrices are NumPy arrays of mpmath's numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np

DIGITS = 60
"""Solutions are computed with these."""


def exact(x: Any) -> np.ndarray:
    """The same numbers, for mpmath."""
    return np.vectorize(mpmath.mpmathify, otypes=[object])(np.asarray(x))


def rounded(x: np.ndarray) -> np.ndarray:
    """In double precision, real if they are all real."""
    numbers = np.vectorize(complex, otypes=[complex])(x)
    return numbers if np.any(numbers.imag) else numbers.real


def adjoint(x: np.ndarray) -> np.ndarray:
    """The conjugate transposed matrix."""
    return np.conj(x).T


def operator(terms: Sequence[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The matrix of X -> sum of left X right, on X row by row."""
    return np.sum([np.kron(left, right.T) for left, right in terms], axis=0)


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    if matrix.dtype != object:
        return np.linalg.solve(matrix, right)
    factored = mpmath.matrix(matrix.tolist())  # it keeps its factors
    columns = [list(mpmath.lu_solve(factored, mpmath.matrix(y.tolist()))) for y in right.T]
    return np.array(columns, dtype=object).T.reshape(right.shape)


def _solve_terms(terms: Sequence[tuple[np.ndarray, np.ndarray]], q: np.ndarray) -> np.ndarray:
    return _solve(operator(terms), q.reshape(-1, 1)).reshape(q.shape)


# -- equations -------------------------------------------------------------------------------------


def continuous_terms(a: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of a X + X a^H."""
    one = np.eye(len(a), dtype=int)
    return [(a, one), (one, adjoint(a))]


def discrete_terms(a: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of X - a X a^H."""
    one = np.eye(len(a), dtype=int)
    return [(one, one), (-a, adjoint(a))]


def continuous_lyapunov(a: np.ndarray, q: np.ndarray) -> np.ndarray:
    """X with a X + X a^H = q."""
    return _solve_terms(continuous_terms(a), q)


def discrete_lyapunov(a: np.ndarray, q: np.ndarray) -> np.ndarray:
    """X with X - a X a^H = q."""
    return _solve_terms(discrete_terms(a), q)


def completed(a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None) -> list[np.ndarray]:
    """All six matrices of Riccati's equation."""
    e = np.eye(len(a)) if e is None else e
    s = np.zeros(np.shape(b)) if s is None else s
    return [a, b, q, np.atleast_2d(r), e, s]


def continuous_parts(x: Any, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> list[np.ndarray]:
    """What adds up to zero in the continuous Riccati equation."""
    n = adjoint(e) @ x @ b + s
    product = adjoint(e) @ x @ a
    return [product, adjoint(product), -n @ _solve(r, adjoint(n)), q]


def discrete_parts(x: Any, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> list[np.ndarray]:
    """What adds up to zero in the discrete Riccati equation."""
    n = adjoint(a) @ x @ b + s
    quotient = _solve(r + adjoint(b) @ x @ b, adjoint(n))
    return [adjoint(a) @ x @ a, -adjoint(e) @ x @ e, -n @ quotient, q]


def relative_residual(parts: Callable[..., Any], x: Any, given: Sequence[Any]) -> float:
    """How far the equation is from being fulfilled, relative to its largest part.

    In many digits for matrices up to 10x10, in double precision for larger ones.
    """
    convert = exact if len(x) <= 10 else np.asarray
    with mpmath.workdps(DIGITS):
        found = parts(convert(x), *map(convert, given))
        largest = max(np.abs(part).max() for part in found)
        return float(np.abs(sum(found)).max() / largest)


def _improved(is_discrete: bool, x: Any, a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> Any:
    """One step of Newton's method: the cost of the control that x belongs to (Kleinman 1968)."""
    if is_discrete:
        k = _solve(r + adjoint(b) @ x @ b, adjoint(b) @ x @ a + adjoint(s))
    else:
        k = _solve(r, adjoint(b) @ x @ e + adjoint(s))
    c = a - b @ k
    cost = q + adjoint(k) @ r @ k - s @ k - adjoint(s @ k)
    if is_discrete:
        return _solve_terms([(adjoint(e), e), (-adjoint(c), c)], cost)
    return _solve_terms([(adjoint(c), e), (adjoint(e), c)], -cost)


def riccati(is_discrete: bool, start: np.ndarray, *given: np.ndarray) -> np.ndarray:
    """The solution near `start`, which is known in double precision."""
    x = exact(start)
    for _ in range(4):
        x = _improved(is_discrete, x, *given)
    parts = discrete_parts if is_discrete else continuous_parts
    assert relative_residual(parts, x, given) < 1e-50
    return x


def along(
    function: Callable[..., np.ndarray], given: Sequence[np.ndarray], tangents: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, first and second derivative along a direction, right to 20 digits."""
    with mpmath.workdps(DIGITS):
        h = mpmath.mpf(10) ** -12
        given, tangents = [exact(x) for x in given], [exact(t) for t in tangents]

        def at(step: Any) -> np.ndarray:
            return function(*(x + step * t for x, t in zip(given, tangents, strict=True)))

        before, value, after = at(-h), at(0), at(h)
        first, second = (after - before) / (2 * h), (after - 2 * value + before) / h**2
        return rounded(value), rounded(first), rounded(second)
