"""What the tests of eigenvalues and Schur forms share."""

from __future__ import annotations

import jax
import linalg_cases
import numpy as np


def rng(seed=0):
    """Random numbers."""
    return np.random.default_rng(seed)


def adjoint(x):
    """The conjugate transposed matrix."""
    return np.swapaxes(np.conj(x), -1, -2)


def close(found, expected, tol):
    """Every element, relative to the largest one."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert np.all(np.isfinite(expected))
    scale = max(np.max(np.abs(expected), initial=0), 1e-300)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tol * scale)


def differential(function, arrays, along):
    """The derivative along a direction."""
    return jax.jit(lambda xs, ts: jax.jvp(function, xs, ts)[1])(tuple(arrays), tuple(along))


def twice(function, arrays, along):
    """The second derivative along a direction."""

    def first(*xs):
        return jax.jvp(function, xs, tuple(along))[1]

    return differential(first, arrays, along)


def rotated(values, seed=9, is_complex=False):
    """A normal matrix with these eigenvalues."""
    u = np.linalg.qr(linalg_cases.normal(rng(seed), (len(values),) * 2, is_complex))[0]
    return u @ np.diag(values) @ adjoint(u)
