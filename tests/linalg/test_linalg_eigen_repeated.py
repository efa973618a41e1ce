"""Derivatives at repeated eigenvalues: what exists, and what does not."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import linalg_cases
import numpy as np
import pytest
import scipy.linalg
from eigen import adjoint, differential, rng, rotated, twice

from jaxsci.linalg._eig import eig, eigvals
from jaxsci.linalg._eig_banded import eig_banded, eigvals_banded
from jaxsci.linalg._eigh import eigh, eigvalsh
from jaxsci.linalg._eigh_tridiagonal import eigh_tridiagonal, eigvalsh_tridiagonal

pytestmark = pytest.mark.rotating(0.038)

# -- repeated eigenvalues --------------------------------------------------------------------------


REPEATED = {
    "identity": np.eye(3),
    "two of three": rotated([1.0, 1.0, 2.0]),
    "complex": rotated([1.0, 1.0, 2.0, 2.0], 10, True),
    "diagonal": np.diag([1.0, 1.0, 2.0]),
}


def slope(function, a, da, h=1e-3):
    """By NumPy's values, whole clusters at a time."""
    at = [np.asarray(function(a + k * h * da)) for k in (-2, -1, 1, 2)]
    return (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * h)


@pytest.mark.parametrize("name", REPEATED)
@pytest.mark.parametrize("whole", [True, False])
def test_projector_onto_a_cluster(name, whole):
    """Forwards and backwards, from all vectors or from some."""
    a = REPEATED[name]
    n = len(a)
    size = int(np.sum(np.linalg.eigvalsh(a) < 1.5))
    da = linalg_cases.hermitian(rng(11), n, np.iscomplexobj(a))
    weight = linalg_cases.hermitian(rng(12), n, np.iscomplexobj(a))
    options: Any = {} if whole else {"subset_by_index": [0, size - 1]}

    def projector(a):
        v = eigh(a, **options)[1][:, :size]
        return v @ adjoint(v) if isinstance(v, np.ndarray) else v @ v.conj().T

    def true(a):
        v = np.linalg.eigh(a)[1][:, :size]
        return v @ adjoint(v)

    expected = slope(true, a, da)
    np.testing.assert_allclose(differential(projector, (a,), (da,)), expected, atol=1e-9)
    gradient = jax.jit(jax.grad(lambda a: jnp.sum(jnp.real(projector(a) * weight))))(a)
    backwards = np.sum(np.real(np.asarray(gradient) * da))
    np.testing.assert_allclose(backwards, np.sum(np.real(expected * weight)), atol=1e-9)


def test_projector_is_not_spoilt_by_eigenvalues_that_a_loop_or_jit_passes_on_unused():
    a, weight = REPEATED["two of three"], rng(12).normal(size=(3, 3))

    def value(v):
        return jnp.sum(weight * (v[:, :2] @ v[:, :2].T))

    def looped(a):
        def step(carry, _):
            return jax.jit(eigh)(a + 0 * jnp.sum(carry[1])), carry[0]

        (_, v), _ = jax.lax.scan(step, (jnp.zeros(3), jnp.zeros((3, 3))), length=1)
        return value(v)

    expected = jax.jit(jax.grad(lambda a: value(eigh(a)[1])))(a)
    np.testing.assert_allclose(jax.jit(jax.grad(looped))(a), expected, rtol=1e-12)
    assert np.all(np.isfinite(expected))


@pytest.mark.parametrize("name", REPEATED)
def test_symmetric_functions_of_repeated_eigenvalues(name):
    """Sums of powers, which are traces; forwards and backwards."""
    a = REPEATED[name]
    da = linalg_cases.hermitian(rng(13), len(a), np.iscomplexobj(a))
    expected = 3 * np.trace(a @ a @ da).real
    functions = [lambda a: jnp.sum(eigvalsh(a) ** 3), lambda a: jnp.sum(eigvals(a) ** 3).real]
    if name == "two of three":
        functions += [
            lambda a: jnp.sum(eigh(a, eigvals_only=True) ** 3),
            lambda a: jnp.sum(eigvals(a, jnp.eye(len(a))) ** 3).real,
        ]
    for function in functions:
        np.testing.assert_allclose(differential(function, (a,), (da,)), expected, rtol=1e-12)
        gradient = np.asarray(jax.jit(jax.grad(function))(a))
        np.testing.assert_allclose(np.sum(np.real(gradient * da)), expected, rtol=1e-12)


@pytest.mark.parametrize("name", REPEATED)
def test_eigenvalues_beside_vectors_that_nobody_uses(name):
    """In reverse mode; in batches, loops and second calls too."""
    a = REPEATED[name]
    da = linalg_cases.hermitian(rng(15), len(a), np.iscomplexobj(a))
    expected = 3 * np.trace(a @ a @ da).real

    def power(a):
        return jnp.sum(jnp.real(eigh(a)[0] ** 3))

    def of_loop(a):
        return jax.lax.scan(lambda total, x: (total + power(x), None), 0.0, a[None])[0]

    for function in (
        power,
        lambda a: jnp.sum(eig(a)[0] ** 3).real,
        lambda a: jnp.sum(eig(a, left=True)[0] ** 3).real,
        lambda a: jnp.sum(jax.vmap(power)(a[None])),
        of_loop,
        jax.checkpoint(power),
    ):
        gradient = np.asarray(jax.jit(jax.grad(function))(a))
        np.testing.assert_allclose(np.sum(np.real(gradient * da)), expected, rtol=1e-12)


@pytest.mark.parametrize("name", REPEATED)
def test_what_has_no_right_derivative_at_repeated_eigenvalues_is_nan(name):
    """Eigenvalues beside vectors (V f(w) V^H would be wrong), and all second derivatives."""
    a = REPEATED[name]
    da = linalg_cases.hermitian(rng(14), len(a), np.iscomplexobj(a))

    def spectral(a):
        w, v = eigh(a)
        return (v * jnp.exp(w)) @ v.conj().T

    assert np.all(np.isnan(differential(spectral, (a,), (da,))))
    gradient = np.asarray(jax.jit(jax.grad(lambda a: jnp.sum(jnp.real(spectral(a)))))(a))
    assert np.all(np.isnan(gradient[np.tril_indices(len(a))]))
    assert np.isnan(differential(lambda a: eigh(a)[0], (a,), (da,))[0])
    if name == "two of three":

        def power(a):
            return jnp.sum(eigvalsh(a) ** 3)

        assert np.isnan(twice(power, (a,), (da,)))
        assert np.isnan(jax.jit(jax.grad(jax.grad(lambda s: power(a + s * da))))(0.0))


def test_simple_eigenvalues_beside_repeated_ones():
    a = REPEATED["two of three"]
    da = linalg_cases.hermitian(rng(15), 3, False)
    expected = slope(lambda a: np.linalg.eigvalsh(a)[2], a, da)
    np.testing.assert_allclose(differential(lambda a: eigh(a)[0][2], (a,), (da,)), expected, 1e-9)
    # Of second order in perturbation theory, where the others' own basis makes no difference.
    w, v = np.linalg.eigh(a)
    across = v[:, :2].T @ da @ v[:, 2]
    second = 2 * np.sum(across**2 / (w[2] - w[:2]))
    np.testing.assert_allclose(
        twice(lambda a: eigvalsh(a, subset_by_index=[2, 2])[0], (a,), (da,)), second, rtol=1e-12
    )


def test_repeated_eigenvalues_of_bands_and_diagonals():
    d, e = np.array([1.0, 1.0, 3.0, 1.0]), np.zeros(3)
    dd, de = rng(16).normal(size=4), rng(16).normal(size=3)
    a, da = np.diag(d), np.diag(dd) + np.diag(de, 1) + np.diag(de, -1)

    def true(a):
        v = np.linalg.eigh(a)[1][:, :3]
        return v @ v.T

    expected = slope(true, a, da)
    bands, along = np.stack([d, [0.0] * 4]), np.stack([dd, np.append(de, 0)])

    def ours(vectors):
        return vectors[:, :3] @ vectors[:, :3].T

    found = differential(lambda d, e: ours(eigh_tridiagonal(d, e)[1]), (d, e), (dd, de))
    np.testing.assert_allclose(found, expected, atol=1e-9)
    found = differential(lambda b: ours(eig_banded(b, lower=True)[1]), (bands,), (along,))
    np.testing.assert_allclose(found, expected, atol=1e-9)
    for function, arrays, tangents in (
        (lambda d, e: eigvalsh_tridiagonal(d, e), (d, e), (dd, de)),
        (lambda b: eigvals_banded(b, lower=True), (bands,), (along,)),
    ):
        found = differential(lambda *xs, f=function: jnp.sum(f(*xs) ** 2), arrays, tangents)
        np.testing.assert_allclose(found, 2 * np.trace(a @ da), rtol=1e-13)


def test_projector_of_a_general_matrix_onto_a_cluster():
    r = rng(17)
    x = np.eye(4) + r.normal(size=(4, 4)) / 4
    a = x @ np.diag([1.0, 1.0, 2.0, 4.0]) @ np.linalg.inv(x)
    b, db, da = np.eye(4) + r.normal(size=(4, 4)) / 8, *r.normal(size=(2, 4, 4))

    def chosen(module, a, *b):
        w, v = module.eig(a, *b)
        near = (np.abs(np.asarray(w) - 1) < 0.3).astype(float)
        assert np.sum(near) == 2
        return (v * near) @ (jnp if module is ours else np).linalg.inv(v)

    class ours:
        eig = staticmethod(eig)

    expected = slope(lambda a: chosen(scipy.linalg, a), a, da)
    w = np.asarray(eig(a)[0])
    near = jnp.asarray(np.abs(w - 1) < 0.3)

    def projector(a, *b):
        v = eig(a, *b)[1]
        return (v * near) @ jnp.linalg.inv(v)

    np.testing.assert_allclose(differential(projector, (a,), (da,)), expected, atol=1e-8)
    near = jnp.asarray(np.abs(np.asarray(eig(b @ a, b)[0]) - 1) < 0.3)
    product = differential(projector, (b @ a, b), (b @ da + db @ a, db))
    np.testing.assert_allclose(product, expected, atol=1e-8)


def test_defective_eigenvalues_have_no_derivative():
    a = np.array([[2.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 5.0]])
    da = rng(18).normal(size=(3, 3))
    for function in (eigvals, lambda a: eigvals(a, jnp.eye(3)), lambda a: eig(a)[0]):
        dw = differential(function, (a,), (da,))
        np.testing.assert_allclose(dw[2], da[2, 2], rtol=1e-14)
        assert np.all(np.isnan(dw[:2]))
