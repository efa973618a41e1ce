"""Derivatives of eigenvectors and Schur forms: many digits, and the defining equations."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import linalg_cases
import linalg_cases_eigen as samples
import mpmath
import numpy as np
import pytest
from eigen import adjoint, close, differential, rng, twice

from jaxsci.linalg._eig import eig, eigvals
from jaxsci.linalg._eigh import eigh
from jaxsci.linalg._hessenberg import hessenberg
from jaxsci.linalg._qz import qz
from jaxsci.linalg._schur import schur

pytestmark = pytest.mark.rotating(0.03)

# -- 40 digits -------------------------------------------------------------------------------------


def multiple_precision(function, arrays, along, order, h):
    """The derivative of a function of mpmath matrices along a direction, by differences."""
    exact = [[mpmath.matrix(x.tolist()) for x in xs] for xs in (arrays, along)]
    points = {1: (1, -1), 2: (1, 0, -1)}[order]
    weights = {1: (1, -1), 2: (1, -2, 1)}[order]
    at = [function(*(x + k * h * t for x, t in zip(*exact, strict=True))) for k in points]
    total = [mpmath.fdot(zip(weights, ys, strict=True)) for ys in zip(*at, strict=True)]
    scale = 2 * h if order == 1 else h * h
    return np.array([complex(y / scale) for y in total])


def assert_as_in_multiple_precision(ours, theirs, arrays, along, condition):
    with mpmath.workdps(50):
        h = mpmath.mpf(10) ** -12
        value = theirs(*(mpmath.matrix(x.tolist()) for x in arrays))
        value = np.array([complex(y) for y in value])
        first = multiple_precision(theirs, arrays, along, 1, h)
        second = multiple_precision(theirs, arrays, along, 2, h)
    close(ours(*arrays), value, 1e-13 * condition)
    close(differential(ours, arrays, along), first, 1e-12 * condition)
    close(twice(ours, arrays, along), second, 1e-8)


def mp_hermitian(a, b):
    """Eigenvalues, and a sum over vectors that does not depend on phases, of A v = w B v."""
    root = mpmath.cholesky(b)
    inverse = root**-1
    w, v = mpmath.eighe(inverse * a * inverse.transpose_conj())
    v = inverse.transpose_conj() * v
    n = len(w)
    weights = mpmath.diag([k + 1 for k in range(n)])
    total = v * weights * v.transpose_conj()
    return [*(w[i] for i in range(n)), *(total[i, j] for i in range(n) for j in range(n))]


def test_eigh_to_forty_digits():
    def ours(a, b):
        w, v = eigh(a, b)
        return jnp.concatenate([w + 0j, samples.weighted(v).ravel()])

    r = rng(1)
    a, da, db = (linalg_cases.hermitian(r, 5, True) for _ in range(3))
    b = linalg_cases.positive(r, 5, True)
    w, condition = np.linalg.eigvalsh(a), np.linalg.cond(b)
    condition *= np.max(np.abs(w)) / np.min(np.diff(w))
    assert_as_in_multiple_precision(ours, mp_hermitian, (a, b), (da, db), condition)


def test_eig_to_forty_digits():
    r = rng(2)
    a, da = r.normal(size=(2, 6, 6))
    order = None

    def ours(a):
        w, v = eig(a)
        weights = 1 + jnp.arange(6)
        return jnp.concatenate([w, ((v * weights) @ jnp.linalg.inv(v)).ravel()])

    expected = np.asarray(eig(a)[0])

    def theirs(a):
        nonlocal order
        w, v = mpmath.eig(a)
        found = np.array([complex(x) for x in w])
        order = [int(np.argmin(np.abs(found - x))) for x in expected]
        assert sorted(order) == list(range(6))
        weights = mpmath.diag([order.index(j) + 1 for j in range(6)])
        total = v * weights * v**-1
        return [*(w[j] for j in order), *(total[i, j] for i in range(6) for j in range(6))]

    condition = np.linalg.cond(np.asarray(eig(a)[1])) ** 2
    assert condition < 1e3
    assert_as_in_multiple_precision(ours, theirs, (a,), (da,), condition)


# -- the forms' defining equations, differentiated -------------------------------------------------


@pytest.mark.parametrize("kind", ["real", "complex"])
def test_differential_of_schur_solves_its_equations(kind):
    a, da = (samples.matrix(rng(s), kind == "complex") for s in (5, 4))
    (t, z), (dt, dz) = jax.jvp(schur, (a,), (da,))
    close(dz @ t @ adjoint(z) + z @ dt @ adjoint(z) + z @ t @ adjoint(dz), da, 1e-13)
    np.testing.assert_allclose(adjoint(z) @ dz + adjoint(dz) @ z, 0, atol=1e-13)
    blocks = np.diag(t, -1) != 0
    assert np.sum(blocks) == (kind == "real")
    assert not np.any(np.tril(dt, -2))
    assert not np.any(np.diag(dt, -1)[~blocks])
    for j in np.flatnonzero(blocks):
        np.testing.assert_allclose(dt[j, j], dt[j + 1, j + 1], rtol=1e-12)


@pytest.mark.parametrize("kind", ["real", "complex"])
def test_differential_of_qz_solves_its_equations(kind):
    a, b = samples.two(rng(5), kind == "complex")
    da, db = samples.two(rng(6), kind == "complex")
    (s, t, q, z), (ds, dt, dq, dz) = jax.jvp(qz, (a, b), (da, db))
    for x, dx, d in ((s, ds, da), (t, dt, db)):
        close(dq @ x @ adjoint(z) + q @ dx @ adjoint(z) + q @ x @ adjoint(dz), d, 1e-13)
    blocks = np.diag(s, -1) != 0
    assert np.sum(blocks) == (kind == "real")
    assert not np.any(np.tril(ds, -2))
    assert not np.any(np.tril(dt, -1))
    assert not np.any(np.diag(ds, -1)[~blocks])
    np.testing.assert_allclose(np.diag(dt, 1)[blocks], 0, atol=1e-13)
    np.testing.assert_allclose(np.imag(np.diag(dt)), 0, atol=1e-13)


@pytest.mark.parametrize("is_complex", [False, True])
def test_differential_of_hessenberg_solves_its_equations(is_complex):
    a, da = (linalg_cases.normal(rng(s), (6, 6), is_complex) for s in (7, 8))
    (h, q), (dh, dq) = jax.jvp(lambda a: hessenberg(a, calc_q=True), (a,), (da,))
    close(dq @ h @ adjoint(q) + q @ dh @ adjoint(q) + q @ h @ adjoint(dq), da, 1e-13)
    assert not np.any(np.tril(dh, -2))
    assert not np.any(dq[:, 0])
    np.testing.assert_allclose(np.imag(np.diag(dh, -1)), 0, atol=1e-13)


def test_third_derivative_of_eigenvalues_that_are_zero_or_infinite():
    """Against differences of the second, of a sum that scaling the pairs does not change."""
    r = rng(12)
    a, b = np.diag([0.0, 2.0, 3.0]), np.diag([1.0, 0.0, 2.0])
    da, db = r.normal(size=(2, 3, 3))

    def along(s):
        pair = eigvals(a + s * da, b + s * db, homogeneous_eigvals=True)
        squares = jnp.sum((pair * pair.conj()).real, axis=0)
        return jnp.sum((pair[0] * pair[1].conj()).real / squares)

    second = jax.grad(jax.grad(along))
    last_two = jax.jit(lambda s: jax.jvp(second, (s,), (1.0,)))
    h = 1e-3
    seconds = [last_two(k * h)[0] for k in (-2, -1, 1, 2)]
    expected = np.dot([1, -8, 8, -1], seconds) / (12 * h)
    np.testing.assert_allclose(last_two(0.0)[1], expected, rtol=1e-7)


# -- where there is none ---------------------------------------------------------------------------


@pytest.mark.parametrize("function", [schur, lambda a: schur(a, "complex")])
@pytest.mark.parametrize("a", [np.eye(3), np.array([[1.0, 1.0], [0.0, 1.0]])])
def test_schur_vectors_of_repeated_eigenvalues_have_no_derivative(function, a):
    assert np.all(np.isnan(differential(function, (a,), (np.ones_like(a),))[1]))


def test_no_derivative_where_the_form_breaks_down():
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    da = np.array([[1.0, 2.0], [3.0, -1.0]])
    assert not np.any(np.isfinite(differential(schur, (turn,), (da,))[1]))
    h = np.diag([1.0, 2.0, 3.0, 4.0])
    dq = differential(lambda a: hessenberg(a, calc_q=True), (h,), (np.ones((4, 4)),))[1]
    assert np.all(np.isnan(dq))
    dz = differential(qz, (np.eye(3), np.eye(3)), (np.ones((3, 3)), np.ones((3, 3))))[3]
    assert np.all(np.isnan(dz))
