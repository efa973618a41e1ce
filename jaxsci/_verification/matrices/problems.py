"""What is compared: a function of this package, and the same by its definition at many digits.

Where a result is unique up to signs or to an order only, what is compared does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg

from jaxsci import linalg
from jaxsci._verification.matrices import digits as d
from jaxsci._verification.matrices.digits import mp

Arrays = Any
"""One array, or a tuple of them."""


@dataclass(frozen=True)
class Problem:
    """One function, as it is measured."""

    kinds: tuple[str, ...]
    """Of its arguments: see `ensembles.drawn`."""
    ours: Callable[..., Arrays]
    truth: Callable[..., Any]
    """Of matrices of mpmath, or of lists where an argument has one dimension."""
    what: str = ""
    """What is compared, if not the result as it is."""
    start: Callable[..., np.ndarray] | None = None
    """A solution in double precision from which ``truth`` begins, as its last argument."""


def _signed(q: jax.Array, r: jax.Array) -> tuple[jax.Array, jax.Array]:
    signs = jnp.sign(jnp.diagonal(r))
    return q[:, : r.shape[0]] * signs, signs[:, None] * r


def _square_factors(a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Q and R as the functions that change them take them."""
    return linalg.qr(a)


def _r_without_signs(qr: tuple[jax.Array, jax.Array]) -> jax.Array:
    r = qr[1][: qr[1].shape[1]]
    return jnp.sign(jnp.diagonal(r))[:, None] * r


def _rq_without_signs(a: jax.Array) -> jax.Array:
    r = linalg.rq(a)[0]
    return r * jnp.sign(jnp.diagonal(r))


def _hessenberg_without_signs(a: jax.Array) -> jax.Array:
    h = linalg.hessenberg(a)
    signs = jnp.cumprod(jnp.append(1.0, jnp.sign(jnp.diagonal(h, -1))))
    return signs[:, None] * h * signs


def _ascending(w: jax.Array) -> jax.Array:
    return jnp.sort(w.real)


def _lowest(wv: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
    w, v = wv
    return w, jnp.outer(v[:, 0], v[:, 0])


def _first(usv: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
    u, s, v = usv
    return s, jnp.outer(u[:, 0], v[0])


def _pencil(a: jax.Array, b: jax.Array) -> jax.Array:
    _, _, alpha, beta, _, _ = linalg.ordqz(a, b)
    return _ascending(alpha / beta)


def _by_qz(a: jax.Array, b: jax.Array) -> jax.Array:
    s, t, _, _ = linalg.qz(a, b)
    return _ascending(jnp.diagonal(s) / jnp.diagonal(t))


def _by_qr_multiply(a: jax.Array, b: jax.Array) -> jax.Array:
    projected, r = linalg.qr_multiply(a, b)
    return linalg.solve_triangular(r, projected)


def _dense(bands: Any) -> Any:
    """The symmetric matrix of two diagonals, the upper one first."""
    beside = d.row(bands, 0)[1:]
    return d.tridiagonal(beside, d.row(bands, 1), beside)


def _tridiagonal(ab: jax.Array) -> tuple[jax.Array, jax.Array]:
    return ab[1], ab[0, 1:]


def _factor_in_bands(bands: Any) -> Any:
    """The upper factor's diagonals."""
    u = mp.cholesky(_dense(bands)).T
    n = u.rows
    return mp.matrix([[0] + [u[i, i + 1] for i in range(n - 1)], [u[i, i] for i in range(n)]])


def _columns(x: Sequence[Any]) -> Any:
    return mp.matrix(list(x))


def _least_squares(a: Any, b: Any) -> Any:
    return d.solved(a.T * a, a.T * _columns(b))


def _both(bands: Any) -> Any:
    return d.of_symmetric(_dense(bands))


def _riccati(
    ours: Callable[..., Arrays], truth: Callable[..., Any], start: Callable[..., np.ndarray]
) -> Problem:
    """One with a positive definite weight of two controls, r r^T + 1."""
    return Problem(
        ("positive", "columns", "symmetric", "small"),
        lambda a, b, q, r: ours(a, b, q, r @ r.T + jnp.eye(2)),
        lambda a, b, q, r, x: truth(a, b, q, r * r.T + d.identity(2), x),
        start=lambda a, b, q, r: start(a, b, q, r @ r.T + np.eye(2)),
    )


_ORDER = "eigenvalues in order"
_PROJECTOR = "eigenvalues, and the projector onto the lowest one's vector"
_SIGNS = "the triangular factor with a positive diagonal"
_BASIS = "the projector onto the range"
_SOLUTION = "the solution"
_POWER = 0.3

PROBLEMS: dict[str, Problem] = {
    "cho_factor": Problem(
        ("symmetric",), lambda a: jnp.triu(linalg.cho_factor(a)[0]),
        lambda a: mp.cholesky(a).T, "the upper triangle",
    ),
    "cho_solve": Problem(
        ("symmetric", "vector"), lambda a, b: linalg.cho_solve(linalg.cho_factor(a), b),
        lambda a, b: d.solved(a, _columns(b)), "the solution by a's factor",
    ),
    "cho_solve_banded": Problem(
        ("bands", "vector"),
        lambda ab, b: linalg.cho_solve_banded((linalg.cholesky_banded(ab), False), b),
        lambda ab, b: d.solved(_dense(ab), _columns(b)), "the solution by the bands' factor",
    ),
    "cholesky": Problem(("symmetric",), linalg.cholesky, lambda a: mp.cholesky(a).T),
    "cholesky_banded": Problem(("bands",), linalg.cholesky_banded, _factor_in_bands),
    "coshm": Problem(
        ("positive",), linalg.coshm, lambda a: (mp.expm(a) + mp.expm(-a)) / 2
    ),
    "cosm": Problem(("positive",), linalg.cosm, mp.cosm),
    "det": Problem(("general",), linalg.det, mp.det),
    "eig": Problem(
        ("positive",), lambda a: _ascending(linalg.eig(a)[0]), d.eigenvalues, _ORDER
    ),
    "eig_banded": Problem(
        ("bands",), lambda ab: _lowest(linalg.eig_banded(ab)), _both, _PROJECTOR
    ),
    "eigh": Problem(("symmetric",), lambda a: _lowest(linalg.eigh(a)), d.of_symmetric, _PROJECTOR),
    "eigh_tridiagonal": Problem(
        ("bands",), lambda ab: _lowest(linalg.eigh_tridiagonal(*_tridiagonal(ab))), _both,
        _PROJECTOR,
    ),
    "eigvals": Problem(
        ("positive",), lambda a: _ascending(linalg.eigvals(a)), d.eigenvalues, _ORDER
    ),
    "eigvals_banded": Problem(("bands",), linalg.eigvals_banded, lambda ab: _both(ab)[0]),
    "eigvalsh": Problem(("symmetric",), linalg.eigvalsh, lambda a: d.of_symmetric(a)[0]),
    "eigvalsh_tridiagonal": Problem(
        ("bands",), lambda ab: linalg.eigvalsh_tridiagonal(*_tridiagonal(ab)),
        lambda ab: _both(ab)[0],
    ),
    "expm": Problem(("positive",), linalg.expm, mp.expm),
    "expm_frechet": Problem(
        ("positive", "general"),
        lambda a, e: linalg.expm_frechet(a, e, compute_expm=False), d.exponential_along,
        "the derivative along the second matrix",
    ),
    "fractional_matrix_power": Problem(
        ("positive",), lambda a: linalg.fractional_matrix_power(a, _POWER),
        lambda a: d.of_eigenvalues(lambda w: w ** mp.mpf(_POWER), a), f"the power {_POWER}",
    ),
    "funm": Problem(
        ("positive",), lambda a: linalg.funm(a, lambda z: 1 / (1 + z * z)),
        lambda a: mp.inverse(d.identity(a.rows) + a * a), "1/(1 + z^2)",
    ),
    "hessenberg": Problem(
        ("general",), _hessenberg_without_signs, d.hessenberg_without_signs,
        "the form with a positive subdiagonal",
    ),
    "inv": Problem(("general",), linalg.inv, mp.inverse),
    "logm": Problem(("positive",), linalg.logm, lambda a: d.of_eigenvalues(mp.log, a)),
    "lstsq": Problem(
        ("tall", "long vector"), lambda a, b: linalg.lstsq(a, b)[0], _least_squares, _SOLUTION
    ),
    "lu": Problem(("general",), lambda a: linalg.lu(a)[1:], d.eliminated, "L and U"),
    "lu_solve": Problem(
        ("general", "vector"), lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b),
        lambda a, b: d.solved(a, _columns(b)), "the solution by a's factors",
    ),
    "matmul_toeplitz": Problem(
        ("vector", "vector", "vector"), lambda c, r, x: linalg.matmul_toeplitz((c, r), x),
        lambda c, r, x: d.toeplitz(c, r) * _columns(x),
    ),
    "norm": Problem(
        ("general",), lambda a: linalg.norm(a, 2), lambda a: mp.svd_r(a, compute_uv=False)[0],
        "the largest singular value",
    ),
    "null_space": Problem(
        ("wide",), lambda a: (lambda z: z @ z.T)(linalg.null_space(a, rank=a.shape[0])),
        lambda a: d.identity(a.cols) - d.projector(a.T), "the projector onto the null space",
    ),
    "ordqz": Problem(
        ("symmetric", "symmetric, well"), _pencil, lambda a, b: d.eigenvalues(d.solved(b, a)),
        _ORDER,
    ),
    "orth": Problem(
        ("tall",), lambda a: (lambda q: q @ q.T)(linalg.orth(a, rank=a.shape[1])), d.projector,
        _BASIS,
    ),
    "orthogonal_procrustes": Problem(
        ("tall", "tall, well"), lambda a, b: linalg.orthogonal_procrustes(a, b)[0],
        lambda a, b: d.unitary_factor(a.T * b), "the rotation",
    ),
    "pinv": Problem(("tall",), linalg.pinv, lambda a: d.solved(a.T * a, a.T)),
    "pinvh": Problem(("symmetric",), linalg.pinvh, lambda a: mp.inverse(d.symmetric_part(a))),
    "polar": Problem(
        ("general",), lambda a: linalg.polar(a)[0], d.unitary_factor, "the unitary factor"
    ),
    "qr": Problem(
        ("tall",), lambda a: _signed(*linalg.qr(a, mode="economic")), d.factors_without_signs,
        "the factors with a positive diagonal of R",
    ),
    "qr_delete": Problem(
        ("tall",), lambda a: _r_without_signs(linalg.qr_delete(*_square_factors(a), 2)),
        lambda a: d.factors_without_signs(d.without_row(a, 2))[1], _SIGNS,
    ),
    "qr_insert": Problem(
        ("tall", "vector"),
        lambda a, u: _r_without_signs(linalg.qr_insert(*_square_factors(a), u, a.shape[0])),
        lambda a, u: d.factors_without_signs(d.stacked(a, mp.matrix([list(u)])))[1], _SIGNS,
    ),
    "qr_multiply": Problem(
        ("tall", "long vector"), _by_qr_multiply, _least_squares, "the least squares solution"
    ),
    "qr_update": Problem(
        ("tall", "long vector", "vector"),
        lambda a, u, v: _r_without_signs(linalg.qr_update(*_square_factors(a), u, v)),
        lambda a, u, v: d.factors_without_signs(a + _columns(u) * _columns(v).T)[1], _SIGNS,
    ),
    "qz": Problem(
        ("symmetric", "symmetric, well"), _by_qz, lambda a, b: d.eigenvalues(d.solved(b, a)),
        _ORDER,
    ),
    "rq": Problem(("general",), _rq_without_signs, d.triangular_from_the_left, _SIGNS),
    "schur": Problem(
        ("positive",), lambda a: jnp.sort(jnp.diagonal(linalg.schur(a)[0])), d.eigenvalues, _ORDER
    ),
    "signm": Problem(("signs",), linalg.signm, lambda a: d.of_eigenvalues(mp.sign, a)),
    "sinhm": Problem(
        ("positive",), linalg.sinhm, lambda a: (mp.expm(a) - mp.expm(-a)) / 2
    ),
    "sinm": Problem(("positive",), linalg.sinm, mp.sinm),
    "solve": Problem(
        ("general", "vector"), linalg.solve, lambda a, b: d.solved(a, _columns(b))
    ),
    "solve_banded": Problem(
        ("bands", "vector"),
        lambda ab, b: linalg.solve_banded((1, 1), jnp.stack([*ab, jnp.roll(ab[0], -1)]), b),
        lambda ab, b: d.solved(_dense(ab), _columns(b)),
    ),
    "solve_circulant": Problem(
        ("vector", "vector"), linalg.solve_circulant,
        lambda c, b: d.solved(d.circulant(c), _columns(b)),
    ),
    "solve_continuous_are": _riccati(
        linalg.solve_continuous_are, d.riccati, scipy.linalg.solve_continuous_are
    ),
    "solve_continuous_lyapunov": Problem(
        ("stable", "symmetric"), linalg.solve_continuous_lyapunov,
        lambda a, q: d.sylvester(a, a.T, q),
    ),
    "solve_discrete_are": _riccati(
        linalg.solve_discrete_are, d.discrete_riccati, scipy.linalg.solve_discrete_are
    ),
    "solve_discrete_lyapunov": Problem(
        ("contracting", "symmetric"), linalg.solve_discrete_lyapunov, d.stein
    ),
    "solve_sylvester": Problem(
        ("positive", "symmetric", "general"), linalg.solve_sylvester, d.sylvester
    ),
    "solve_toeplitz": Problem(
        ("vector", "vector", "vector"), lambda c, r, b: linalg.solve_toeplitz((c, r), b),
        lambda c, r, b: d.solved(d.toeplitz(c, r), _columns(b)),
    ),
    "solve_triangular": Problem(
        ("general", "vector"), lambda a, b: linalg.solve_triangular(a, b, lower=True),
        lambda a, b: d.solved(d.lower_part(a), _columns(b)),
    ),
    "solveh_banded": Problem(
        ("bands", "vector"), linalg.solveh_banded, lambda ab, b: d.solved(_dense(ab), _columns(b))
    ),
    "sqrtm": Problem(("positive",), linalg.sqrtm, lambda a: d.of_eigenvalues(mp.sqrt, a)),
    "subspace_angles": Problem(("tall", "pair"), linalg.subspace_angles, d.angles),
    "svd": Problem(("general",), lambda a: _first(linalg.svd(a)), d.singular,
        "singular values, and the product of the first pair of vectors",
    ),
    "svdvals": Problem(
        ("general",), linalg.svdvals, lambda a: mp.svd_r(a, compute_uv=False)
    ),
    "tanhm": Problem(
        ("positive",), linalg.tanhm,
        lambda a: d.solved(mp.expm(a) + mp.expm(-a), mp.expm(a) - mp.expm(-a)),
    ),
    "tanm": Problem(("positive",), linalg.tanm, lambda a: d.solved(mp.cosm(a), mp.sinm(a))),
}  # fmt: skip
