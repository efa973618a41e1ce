"""Hermitian matrices of which one triangle is read: derivatives are those of JAX's functions."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg
from linalg_cases import hermitian, normal, positive

from jaxsci import linalg
from jaxsci.linalg._infra.mirrored import mirrored, read_as_general

pytestmark = pytest.mark.rotating(0.022)

N = 4
KINDS = pytest.mark.parametrize("is_complex", [False, True], ids=["real", "complex"])
WAYS = pytest.mark.parametrize(
    ("is_complex", "lower"), [(False, True), (True, False)], ids=["real, lower", "complex, upper"]
)


def rng(seed):
    return np.random.default_rng([31, seed])


def matrix(is_complex, seed=0):
    """Positive definite, Hermitian to the last bit."""
    return positive(rng(seed), N, is_complex)


def gradient(function, a, seed=1):
    """Of a real function that no symmetry of the result makes symmetric."""

    def value(x):
        y = function(x)
        r = rng(seed)
        weights = r.normal(size=y.shape) + 1j * r.normal(size=y.shape)
        return jnp.sum(jnp.real(weights * y))

    return np.asarray(jax.jit(jax.grad(value))(a))


def assert_same_gradient(ours, theirs, a):
    expected = gradient(theirs, a)
    atol = 1e-11 * np.max(np.abs(expected))
    np.testing.assert_allclose(gradient(ours, a), expected, rtol=0, atol=atol)


def projectors(w, v):
    """The eigenvalues, and projectors with weights: no phases."""
    weighted = (v * (1 + jnp.arange(N))) @ v.conj().T
    return jnp.concatenate([w + 0j, weighted.ravel()])


def jax_generalised(a, b, kind):
    """Eigenvalues of the generalised problem, by JAX's eigh and Cholesky's factor."""
    l = jnp.linalg.cholesky(b)
    if kind == 1:
        inverse = jnp.linalg.inv(l)
        return jnp.linalg.eigvalsh(inverse @ ((a + a.conj().T) / 2) @ inverse.conj().T)
    return jnp.linalg.eigvalsh(l.conj().T @ ((a + a.conj().T) / 2) @ l)


# -- gradients are JAX's ---------------------------------------------------------------------------


@WAYS
def test_eigenvalues_and_vectors(is_complex, lower):
    a = matrix(is_complex)
    theirs = partial(jax.scipy.linalg.eigh, eigvals_only=True)
    assert_same_gradient(partial(linalg.eigvalsh, lower=lower), theirs, a)
    assert_same_gradient(
        lambda a: projectors(*linalg.eigh(a, lower=lower)),
        lambda a: projectors(*jnp.linalg.eigh(a)),
        a,
    )


@WAYS
@pytest.mark.parametrize("kind", [1, 2, 3])
def test_generalised_eigenvalues(is_complex, lower, kind):
    a, b = hermitian(rng(2), N, is_complex), matrix(is_complex)
    static = {"lower": lower, "type": kind}
    assert_same_gradient(
        lambda both: linalg.eigvalsh(*both, **static),
        lambda both: jax_generalised(both[0], both[1], kind),
        np.stack([a, b]),
    )


@WAYS
def test_cholesky(is_complex, lower):
    a = matrix(is_complex)
    theirs = partial(jnp.linalg.cholesky, upper=not lower)
    assert_same_gradient(partial(linalg.cholesky, lower=lower), theirs, a)
    b = normal(rng(3), (N, 2), is_complex)
    assert_same_gradient(
        lambda a: linalg.cho_solve(linalg.cho_factor(a, lower), b),
        lambda a: jax.scipy.linalg.cho_solve((theirs(a), lower), b),
        a,
    )


@WAYS
def test_pinvh(is_complex, lower):
    a = hermitian(rng(4), N, is_complex)
    theirs = partial(jnp.linalg.pinv, hermitian=True)
    assert_same_gradient(partial(linalg.pinvh, lower=lower), theirs, a)


@WAYS
@pytest.mark.parametrize("assume", ["sym", "her", "pos"])
def test_solve_and_inv(is_complex, lower, assume):
    """JAX's reverse mode of assume_a='pos' is right for real matrices only; 'her' is for both."""
    a, b = matrix(is_complex), normal(rng(3), (N, 2), is_complex)
    if assume == "sym":
        a = a + a.T
    static = {"assume_a": assume, "lower": lower}
    theirs = {**static, "assume_a": "her" if is_complex else assume}
    assert_same_gradient(
        lambda a: linalg.solve(a, b, **static),
        lambda a: jax.scipy.linalg.solve(a, b, **theirs),
        a,
    )
    assert_same_gradient(partial(linalg.inv, **static), jax.scipy.linalg.inv, a)


# -- what JAX lacks --------------------------------------------------------------------------------


@WAYS
def test_ldl_has_the_gradient_of_the_hermitian_part(is_complex, lower):
    a = matrix(is_complex)
    found = gradient(lambda a: linalg.ldl(a, lower)[1], a)
    np.testing.assert_allclose(found, found.conj().T, rtol=0, atol=1e-14)
    if is_complex:
        a = a + a.T
        found = gradient(lambda a: linalg.ldl(a, lower, hermitian=False)[1], a)
        np.testing.assert_allclose(found, found.T, rtol=0, atol=1e-14)


@WAYS
def test_the_triangle_alone_is_differentiated_by_mirroring_it(is_complex, lower):
    """Against differences of SciPy's values, in the elements that are read."""
    a, h = matrix(is_complex), 1e-5

    def of_triangle(a):
        strict = jnp.tril(a, -1) if lower else jnp.triu(a, 1)
        return strict + strict.conj().T + jnp.diag(jnp.real(jnp.diag(a)))

    def theirs(x):
        return np.sum(np.real(scipy.linalg.cholesky(x, lower=lower)))

    found = jax.grad(lambda a: jnp.sum(jnp.real(linalg.cholesky(of_triangle(a), lower))))(a)
    for i in range(N):
        for j in range(N):
            unit = np.zeros((N, N))
            unit[i, j] = h
            slope = (theirs(a + unit) - theirs(a - unit)) / (2 * h)
            np.testing.assert_allclose(np.real(found[i, j]), slope, rtol=0, atol=1e-8)
            assert (found[i, j] == 0) == ((i < j) if lower else (i > j))


# -- values, and what is not read ------------------------------------------------------------------

READ = {
    "eigvalsh": linalg.eigvalsh,
    "cholesky": partial(linalg.cholesky, lower=True),
    "pinvh": linalg.pinvh,
    "ldl": lambda a: linalg.ldl(a)[0],
    "solve her": lambda a: linalg.solve(a, jnp.ones(N), assume_a="her", lower=True),
    "solve sym": lambda a: linalg.solve(a, jnp.ones(N), assume_a="sym", lower=True),
    "inv pos": lambda a: linalg.inv(a, assume_a="pos", lower=True),
}


@KINDS
@pytest.mark.parametrize("name", READ)
def test_what_is_not_read_changes_neither_values_nor_gradients(name, is_complex):
    function, a = READ[name], matrix(is_complex)
    if name == "solve sym":
        a = a + a.T

    @jax.jit
    def value_and_gradient(a):
        y, pull = jax.vjp(function, a)
        return y, pull(y)[0]

    expected = value_and_gradient(a)
    for junk in (np.nan, np.inf, 7.0, 1e308):
        spoilt = np.where(np.triu(np.ones((N, N)), 1) > 0, junk, a)
        for x, y in zip(value_and_gradient(spoilt), expected, strict=True):
            np.testing.assert_array_equal(x, y)


def test_values_keep_the_signs_of_zeros():
    a = np.array([[2.0, 5.0], [-0.0, 1.0]])
    expected = np.array([[2.0, -0.0], [-0.0, 1.0]])
    for x in (mirrored(a, lower=True), jax.jit(partial(read_as_general, lower=True))(a)):
        np.testing.assert_array_equal(np.asarray(x).view(np.int64), expected.view(np.int64))


@pytest.mark.parametrize("name", READ)
def test_rules_survive_loops_and_batches(name):
    """Second derivatives of a step of a scan, mapped, are those without loop and map."""
    function, t = READ[name], normal(rng(5), (N, N), False)
    scales = jnp.array([0.5, 0.8])

    def value(s):
        a = matrix(False) + s * hermitian(rng(6), N, False) / 4 + s**2 * t / 9
        return jnp.sum(function(a) ** 3)

    def looped(s):
        def step(total, factor):
            return total + value(factor * s), None

        return jax.lax.scan(step, 0.0, scales)[0]

    twice = jax.jit(jax.vmap(jax.grad(jax.grad(looped))))(jnp.array([0.7, 1.0]))
    plain = jax.jit(jax.grad(jax.grad(value)))
    expected = [sum(f**2 * plain(f * s) for f in scales) for s in (0.7, 1.0)]
    np.testing.assert_allclose(twice, expected, rtol=1e-10)
