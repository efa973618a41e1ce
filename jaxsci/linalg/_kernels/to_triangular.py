"""Schur forms of stacks of matrices, for functions of triangular matrices."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from jaxsci.linalg._infra import lapack
from jaxsci.linalg._infra.lapack import Stack
from jaxsci.linalg._kernels.frobenius import frobenius

_EPS = np.finfo(float).eps
_LARGE = 64
"""From this order on, one rotation for each pair is faster than LAPACK's whole algorithm."""


def schur(a: Stack) -> tuple[Stack, Stack]:
    """The complex Schur forms t and unitary matrices q of a stack: a = q t q^H.

    Triangular matrices stay as they are. A matrix without imaginary parts goes through its real
    Schur form, which keeps real eigenvalues real: on which side of a branch cut they are is not
    left to rounding. For the same reason, and as its eigenvalues are double ones, a matrix of
    blocks [[b, e], [0, b]] (or transposed) goes through that of b. An eigenvalue that is zero to
    rounding is zero.
    """
    t = a.astype(complex)
    q = np.tile(np.eye(a.shape[-1], dtype=complex), (len(a), 1, 1))
    other = np.tril(a, -1).any(axis=(-2, -1))
    blocks = other & _are_blocks(a)
    other &= ~blocks
    if blocks.any():
        t[blocks], q[blocks] = _schur_of_blocks(a[blocks])
    if other.any():
        t[other], q[other] = _schur_of_others(a[other])
    return t, q


def _are_blocks(a: Stack) -> np.ndarray:
    """Which matrices are [[b, e], [0, b]] or [[b, 0], [e, b]]."""
    n = a.shape[-1]
    if n % 2:
        return np.zeros(len(a), bool)
    k = n // 2
    upper, lower = (x.any(axis=(-2, -1)) for x in (a[:, :k, k:], a[:, k:, :k]))
    return (a[:, :k, :k] == a[:, k:, k:]).all(axis=(-2, -1)) & ~(upper & lower)


def _schur_of_blocks(a: Stack) -> tuple[Stack, Stack]:
    k = a.shape[-1] // 2
    b, e = a[:, :k, :k], a[:, :k, k:] + a[:, k:, :k]  # one of the two is zero
    transposed = a[:, k:, :k].any(axis=(-2, -1))
    diagonal, turn = schur(b)
    t, q = (np.zeros(a.shape, complex) for _ in range(2))
    t[:, :k, :k] = t[:, k:, k:] = diagonal
    t[:, :k, k:] = turn.conj().swapaxes(-1, -2) @ e @ turn
    q[~transposed, :k, :k] = q[~transposed, k:, k:] = turn[~transposed]
    q[transposed, :k, k:] = q[transposed, k:, :k] = turn[transposed]
    return t, q


def _schur_of_others(a: Stack) -> tuple[Stack, Stack]:
    t, q = (np.empty(a.shape, complex) for _ in range(2))
    real = ~np.imag(a).any(axis=(-2, -1))
    if real.any():
        t[real], q[real] = _through_real_form(np.real(a[real]))
    if not real.all():
        t[~real], q[~real] = lapack.schur(a[~real])
    t = np.triu(t)
    diagonal = np.einsum("bii->bi", t)
    zero = np.abs(diagonal) <= _EPS * frobenius(t)[:, None]
    diagonal[...] = np.where(zero, 0.0, diagonal + 0.0)  # no negative zeros beside the branch cut
    return t, q


def _through_real_form(a: Stack) -> tuple[Stack, Stack]:
    t, q = (x.astype(complex) for x in lapack.schur(a))
    # Pairs of complex eigenvalues. The others stand apart, and stay what they are.
    paired = np.diagonal(t, -1, -2, -1).any(axis=-1) & np.isfinite(t).all(axis=(-2, -1))
    if paired.any() and a.shape[-1] > _LARGE:
        for i in np.flatnonzero(paired):
            t[i], q[i] = scipy.linalg.rsf2csf(np.real(t[i]), np.real(q[i]), check_finite=False)
    elif paired.any():
        t[paired], turn = lapack.schur(t[paired])
        q[paired] = q[paired] @ turn
    return t, q
