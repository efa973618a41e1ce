"""Eigenvalues and Schur forms, beyond what test_linalg.py asks of every function."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import linalg_cases
import linalg_cases_eigen as samples
import mpmath
import numpy as np
import pytest
import scipy.linalg

from jaxsci.linalg._eig import _in_order, eig, eigvals
from jaxsci.linalg._eig_banded import (
    eig_banded,
    eigh_tridiagonal,
    eigvals_banded,
    eigvalsh_tridiagonal,
)
from jaxsci.linalg._eigh import eigh, eigvalsh
from jaxsci.linalg._qz import ordqz, qz
from jaxsci.linalg._schur import cdf2rdf, hessenberg, rsf2csf, schur

CASES = [
    c
    for c in linalg_cases.load()
    if c.name.split(":")[0].split("_")[0].startswith(("eig", "schur", "hess", "qz", "ordqz"))
]


def rng(seed=0):
    return np.random.default_rng(seed)


def adjoint(x):
    return np.swapaxes(np.conj(x), -1, -2)


def close(found, expected, tol):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert np.all(np.isfinite(expected))
    scale = max(np.max(np.abs(expected), initial=0), 1e-300)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tol * scale)


def differential(function, arrays, along):
    return jax.jvp(function, tuple(arrays), tuple(along))[1]


# -- 40 digits -------------------------------------------------------------------------------------


def multiple_precision(function, arrays, along, order, h):
    """The derivative of a function of mpmath matrices along a direction, by differences."""
    pairs = [(mpmath.matrix(x.tolist()), mpmath.matrix(t.tolist())) for x, t in zip(arrays, along)]
    points = {1: (1, -1), 2: (1, 0, -1)}[order]
    weights = {1: (1, -1), 2: (1, -2, 1)}[order]
    at = [function(*(x + k * h * t for x, t in pairs)) for k in points]
    total = [sum((w * y for w, y in zip(weights, ys)), mpmath.mpf(0)) for ys in zip(*at)]
    scale = 2 * h if order == 1 else h * h
    return np.array([complex(y / scale) for y in total])


def twice(function, arrays, along):
    def first(*xs):
        return jax.jvp(function, xs, tuple(along))[1]

    return jax.jvp(first, tuple(arrays), tuple(along))[1]


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
    np.testing.assert_allclose(np.diag(dt).imag, 0, atol=1e-13)


@pytest.mark.parametrize("is_complex", [False, True])
def test_differential_of_hessenberg_solves_its_equations(is_complex):
    a, da = (linalg_cases.normal(rng(s), (6, 6), is_complex) for s in (7, 8))
    (h, q), (dh, dq) = jax.jvp(lambda a: hessenberg(a, calc_q=True), (a,), (da,))
    close(dq @ h @ adjoint(q) + q @ dh @ adjoint(q) + q @ h @ adjoint(dq), da, 1e-13)
    assert not np.any(np.tril(dh, -2))
    assert not np.any(dq[:, 0])
    np.testing.assert_allclose(np.diag(dh, -1).imag, 0, atol=1e-13)


# -- repeated eigenvalues --------------------------------------------------------------------------


def rotated(values, seed=9, is_complex=False):
    u = np.linalg.qr(linalg_cases.normal(rng(seed), (len(values),) * 2, is_complex))[0]
    return u @ np.diag(values) @ adjoint(u)


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
    options = {} if whole else {"subset_by_index": [0, size - 1]}

    def projector(a):
        v = eigh(a, **options)[1][:, :size]
        return v @ adjoint(v) if isinstance(v, np.ndarray) else v @ v.conj().T

    def true(a):
        v = np.linalg.eigh(a)[1][:, :size]
        return v @ adjoint(v)

    expected = slope(true, a, da)
    np.testing.assert_allclose(differential(projector, (a,), (da,)), expected, atol=1e-9)
    gradient = jax.grad(lambda a: jnp.sum(jnp.real(projector(a) * weight)))(a)
    backwards = np.sum(np.real(np.asarray(gradient) * da))
    np.testing.assert_allclose(backwards, np.sum(np.real(expected * weight)), atol=1e-9)


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
        gradient = np.asarray(jax.grad(function)(a))
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
    gradient = np.asarray(jax.grad(lambda a: jnp.sum(jnp.real(spectral(a))))(a))
    assert np.all(np.isnan(gradient[np.tril_indices(len(a))]))
    assert np.isnan(differential(lambda a: eigh(a)[0], (a,), (da,))[0])

    def power(a):
        return jnp.sum(eigvalsh(a) ** 3)

    assert np.isnan(twice(power, (a,), (da,)))
    assert np.all(np.isnan(jax.hessian(lambda s: power(a + s * da))(0.0)))


def test_simple_eigenvalues_beside_repeated_ones():
    a = REPEATED["two of three"]
    da = linalg_cases.hermitian(rng(15), 3, False)
    expected = slope(lambda a: np.linalg.eigvalsh(a)[2], a, da)
    np.testing.assert_allclose(differential(lambda a: eigh(a)[0][2], (a,), (da,)), expected, 1e-9)
    second = slope(lambda a: slope(lambda a: np.linalg.eigvalsh(a)[2], a, da), a, da)
    assert np.isfinite(second)
    np.testing.assert_allclose(
        twice(lambda a: eigvalsh(a, subset_by_index=[2, 2])[0], (a,), (da,)), second, atol=1e-6
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


# -- singular pencils, order, subsets --------------------------------------------------------------


def test_infinite_eigenvalues():
    a = rng(19).normal(size=(3, 3))
    b = np.diag([1.0, 2.0, 0.0])
    da, db = rng(20).normal(size=(2, 3, 3))
    w = np.asarray(eigvals(a, b))
    np.testing.assert_array_equal(w, scipy.linalg.eigvals(a, b))
    infinite = np.isinf(w)
    assert np.sum(infinite) == 1
    dw = np.asarray(differential(eigvals, (a, b), (da, db)))
    assert np.all(np.isnan(dw[infinite]))
    # Away from the singular b, 1 / w of the swapped pencil is finite.
    found = differential(lambda a, b: eigvals(b, a), (a, b), (da, db))
    pairs = differential(lambda a, b: eig(a, b, homogeneous_eigvals=True)[0], (a, b), (da, db))
    alpha, beta = np.asarray(eig(a, b, homogeneous_eigvals=True)[0])
    inverse = (pairs[1] * alpha - beta * pairs[0]) / alpha**2
    swapped = np.asarray(eigvals(b, a))
    order = [int(np.argmin(np.abs(swapped - x))) for x in beta / alpha]
    close(inverse, np.asarray(found)[np.array(order)], 1e-12)


def test_vectors_in_the_order_of_eigenvalues_alone():
    """LAPACK may find eigenvalues in another order when it finds vectors too."""
    a, b = rng(21).normal(size=(2, 5, 5))
    w, v = scipy.linalg.eig(a)
    permuted, vectors = _in_order(w[[2, 0, 1, 4, 3]], (w, v))
    close(a @ vectors, vectors * permuted, 1e-13)
    pair, v = scipy.linalg.eig(a, b, homogeneous_eigvals=True)
    permuted, vectors = _in_order(pair[:, [2, 0, 1, 4, 3]] * 2, (pair, v))
    close(a @ vectors * permuted[1], b @ vectors * permuted[0], 1e-13)


def test_by_value_there_may_be_less_or_more_than_room():
    a = rotated([1.0, 2.0, 3.0, 4.0])
    bands = np.array([[1.0, 2.0, 3.0, 4.0]])
    d, e = bands[0], np.zeros(3)
    interval = (1.5, 3.5)
    for size, expected in ((2, [2, 3]), (4, [2, 3, np.nan, np.nan]), (1, [np.nan])):
        found = [
            eigh(a, subset_by_value=interval, size=size)[0],
            eigvalsh(a, subset_by_value=interval, size=size),
            eigvalsh(a, np.eye(4), subset_by_value=interval, size=size),
            eig_banded(bands, select="v", select_range=interval, max_ev=size)[0],
            eigvals_banded(bands, select="v", select_range=interval, size=size),
            eigh_tridiagonal(d, e, select="v", select_range=interval, size=size)[0],
            eigvalsh_tridiagonal(d, e, select="value", select_range=interval, size=size),
        ]
        for w in found:
            np.testing.assert_allclose(w, expected, rtol=1e-13)
    assert eigvalsh(a, subset_by_value=interval).shape == (4,)
    gradient = jax.grad(lambda a: jnp.nansum(eigh(a, subset_by_value=interval)[0] ** 2))(a)
    assert np.all(np.isfinite(gradient))
    v = np.linalg.eigh(a)[1][:, 1:3]
    expected = (v * [4.0, 6.0]) @ v.T
    np.testing.assert_allclose(gradient + gradient.T, 2 * expected, atol=1e-12)


def test_only_one_triangle_is_read():
    a, b = samples.definite(rng(22), True)
    for lower in (True, False):
        unread = np.triu(np.ones((4, 4)), 1) if lower else np.tril(np.ones((4, 4)), -1)
        spoilt = [np.where(unread, np.nan, x) for x in (a, b)]

        def value(a, b, lower=lower):
            w, v = eigh(a, b, lower=lower)
            return jnp.sum(w**2) + jnp.sum(jnp.abs(v[:, 0]) ** 4)

        np.testing.assert_array_equal(value(*spoilt), value(a, b))
        for gradient in jax.grad(value, (0, 1))(*spoilt):
            assert np.all(np.isfinite(gradient))
            assert not np.any(np.asarray(gradient)[unread > 0])
            assert not np.any(np.diag(gradient).imag)


def test_corners_of_bands_are_not_read():
    x = rng(23).normal(size=(3, 5))
    for lower in (True, False):
        bands = x.copy()
        bands[[1, 2, 2] if lower else [1, 0, 0], [4, 4, 3] if lower else [0, 0, 1]] = np.nan
        gradient = jax.grad(lambda b, lower=lower: jnp.sum(eig_banded(b, lower)[0] ** 3))(bands)
        np.testing.assert_array_equal(np.isnan(bands), np.asarray(gradient) == 0)
    wide = rng(24).normal(size=(4, 2))  # more bands than the matrix has
    np.testing.assert_allclose(
        eigvals_banded(wide, True), np.linalg.eigvalsh([[wide[0, 0], wide[1, 0]],
                                                        [wide[1, 0], wide[0, 1]]]), 1e-13
    )  # fmt: skip


# -- every option's value --------------------------------------------------------------------------

HERMITIAN = [
    *(
        {"driver": d, "lower": lower}
        for d in ("ev", "evd", "evr", "evx")
        for lower in (True, False)
    ),
    {"subset_by_index": (0, 2), "driver": "evr"},
    {"subset_by_index": (3, 3), "driver": "evx", "lower": False},
]
DEFINITE = [
    *({"type": t, "driver": d} for t in (1, 2, 3) for d in ("gv", "gvd", "gvx")),
    {"type": 2, "lower": False},
    {"type": 3, "subset_by_index": (1, 2), "lower": False},
]


@pytest.mark.parametrize("is_complex", [False, True])
def test_every_option_of_eigh(is_complex):
    a, b = samples.definite(rng(25), is_complex)
    for options in [*HERMITIAN, *DEFINITE]:
        arrays = (a, b) if options in DEFINITE else (a,)
        theirs = scipy.linalg.eigh(*arrays, **options)
        for x, y in zip(eigh(*arrays, **options), theirs, strict=True):
            np.testing.assert_array_equal(x, y)
        np.testing.assert_array_equal(
            eigvalsh(*arrays, **options), scipy.linalg.eigvalsh(*arrays, **options)
        )


def test_every_driver_of_tridiagonal_matrices():
    d, e = rng(26).normal(size=5), rng(26).normal(size=4)
    for driver in ("auto", "stemr", "stebz", "stev", "stevd"):
        for chosen in ({}, {"select": "i", "select_range": (1, 2)}):
            if chosen and driver in ("stev", "stevd"):
                continue
            options = {"lapack_driver": driver, **chosen}
            theirs = scipy.linalg.eigh_tridiagonal(d, e, **options)
            for x, y in zip(eigh_tridiagonal(d, e, **options), theirs, strict=True):
                np.testing.assert_array_equal(x, y)
            theirs = scipy.linalg.eigvalsh_tridiagonal(d, e, **options)
            np.testing.assert_array_equal(eigvalsh_tridiagonal(d, e, **options), theirs)


@pytest.mark.parametrize("with_b", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("homogeneous", [False, True])
def test_every_result_of_eig(with_b, left, right, homogeneous):
    a, b = samples.two(rng(27), False)
    arrays = (a, b) if with_b else (a,)
    options = {"left": left, "right": right, "homogeneous_eigvals": homogeneous}
    theirs = linalg_cases.as_tuple(scipy.linalg.eig(*arrays, **options))
    for x, y in zip(linalg_cases.as_tuple(eig(*arrays, **options)), theirs, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-15)


@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("sort", ["lhp", "rhp", "iuc", "ouc", "callable"])
def test_every_order_of_schur_forms(output, sort):
    a, b = samples.two(rng(28), False)
    a = a / 2

    def chosen(x, y=None):
        return x.real > 0.1

    theirs = scipy.linalg.schur(a, output, sort=chosen if sort == "callable" else sort)
    ours = schur(a, output, sort=chosen if sort == "callable" else sort)
    for x, y in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(x, y)
    assert jnp.issubdtype(ours[2].dtype, jnp.integer)

    def vectorised(alpha, beta):
        return (alpha / beta).real > 0.1

    sort = vectorised if sort == "callable" else sort
    theirs = scipy.linalg.ordqz(a, b, sort, output)
    for x, y in zip(ordqz(a, b, sort, output), theirs, strict=True):
        np.testing.assert_array_equal(x, y)


def test_ordqz_of_infinite_eigenvalues():
    a, b = np.diag([1.0, -2.0, 3.0]), np.diag([1.0, 1.0, 0.0])
    for sort in ("lhp", "rhp", "iuc", "ouc"):
        for x, y in zip(ordqz(a, b, sort), scipy.linalg.ordqz(a, b, sort), strict=True):
            np.testing.assert_array_equal(x, y)


def test_schur_that_could_not_sort():
    a = np.stack([np.diag([1.0, -2.0]), np.full((2, 2), np.nan)])
    t, z, count = schur(a, sort="lhp")
    np.testing.assert_array_equal(count, [1, -1])
    assert np.all(np.isnan(t[1]))
    assert np.all(np.isfinite(z[0]))


# -- batches and dtypes ----------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_bad_slice_is_nan_alone_in_every_result(case):
    slices = [case.arrays(case.kinds[0], seed) for seed in range(3)]
    arrays = [np.stack(xs) for xs in zip(*slices, strict=True)]
    expected = case.results(arrays)
    for x in arrays:
        x[1] = np.nan
    for y, whole in zip(case.results(arrays), expected, strict=True):
        np.testing.assert_array_equal(y[::2], whole[::2])
        assert np.all(np.isnan(y[1])) if jnp.issubdtype(y.dtype, jnp.inexact) else y[1] == -1


def test_indefinite_b_is_nan_alone():
    a, b = samples.definite(rng(29), False)
    w, v = eigh(a, np.stack([b, b - 10 * np.eye(4), b]))
    assert np.all(np.isnan(w[1]))
    assert np.all(np.isnan(v[1]))
    np.testing.assert_array_equal(w[::2], np.stack([scipy.linalg.eigh(a, b)[0]] * 2))


def test_leading_dimensions_broadcast():
    r = rng(30)
    assert eig(r.normal(size=(2, 1, 3, 3)), r.normal(size=(4, 3, 3)))[0].shape == (2, 4, 3)
    assert qz(r.normal(size=(2, 3, 3)), r.normal(size=(3, 3)))[2].shape == (2, 3, 3)
    assert eigh_tridiagonal(r.normal(size=(2, 3)), r.normal(size=2))[1].shape == (2, 3, 3)


def test_complex_form_and_real_form_of_batches():
    slices = [samples.real_form(rng(s), False) for s in (31, 32, 33)]
    t, z = (np.stack(x) for x in zip(*slices, strict=True))
    for x, y in zip(rsf2csf(t, z), zip(*(scipy.linalg.rsf2csf(*s) for s in slices)), strict=True):
        close(x, np.stack(y), 1e-13)
    assert rsf2csf(t, z[0])[1].shape == (3, 4, 4)
    overlapping = np.stack([t[0], np.eye(4) + np.diag([1.0, 1, 1], -1)])
    found = np.asarray(rsf2csf(overlapping, z[:2])[1])
    assert np.all(np.isnan(found[1]))
    assert np.all(np.isfinite(found[0]))
    w, v = scipy.linalg.eig(np.stack([samples.matrix(rng(s), False) for s in (34, 35)]))
    for x, y in zip(cdf2rdf(w, v), scipy.linalg.cdf2rdf(w, v), strict=True):
        close(x, y, 1e-14)
    odd = w.copy()
    odd[1, 0] = 1 + 1j
    found = np.asarray(cdf2rdf(odd, v)[0])
    assert np.all(np.isnan(found[1]))
    assert np.all(np.isfinite(found[0]))


EMPTY = [
    (eig, 1, (0, 0), [(0,), (0, 0)]),
    (eig, 2, (0, 0), [(0,), (0, 0)]),
    (eigvals, 1, (0, 0), [(0,)]),
    (eigh, 1, (0, 0), [(0,), (0, 0)]),
    (eigh, 2, (0, 0), [(0,), (0, 0)]),
    (eigvalsh, 1, (0, 0), [(0,)]),
    (eig_banded, 1, (1, 0), [(0,), (0, 0)]),
    (eigvals_banded, 1, (1, 0), [(0,)]),
    (schur, 1, (0, 0), [(0, 0)] * 2),
    (hessenberg, 1, (0, 0), [(0, 0)]),
    (rsf2csf, 2, (0, 0), [(0, 0)] * 2),
    (qz, 2, (0, 0), [(0, 0)] * 4),
    (ordqz, 2, (0, 0), [(0, 0)] * 2 + [(0,)] * 2 + [(0, 0)] * 2),
]


@pytest.mark.parametrize(("function", "n", "shape", "shapes"), EMPTY)
def test_empty_matrices_and_batches(function, n, shape, shapes):
    found = linalg_cases.as_tuple(function(*[np.zeros(shape)] * n))
    assert [y.shape for y in found] == shapes
    _, along = jax.jvp(function, (np.zeros(shape),) * n, (np.zeros(shape),) * n)
    assert [y.shape for y in linalg_cases.as_tuple(along)] == shapes
    batch = linalg_cases.as_tuple(function(*[np.zeros((0, 2, 2))] * n))
    assert all(y.shape[0] == 0 and y.shape[1:] == (2,) * (y.ndim - 1) for y in batch)


SMALLEST = [
    (eig, 1), (eig, 2), (eigvals, 1), (eigh, 1), (eigh, 2), (eigvalsh, 1), (eig_banded, 1),
    (eigvals_banded, 1), (schur, 1), (hessenberg, 1), (rsf2csf, 2), (qz, 2), (ordqz, 2),
]  # fmt: skip


@pytest.mark.parametrize(("function", "n"), SMALLEST)
def test_matrices_of_order_one(function, n):
    arrays = [np.array([[3.0]]), np.array([[2.0]])][:n]
    found = linalg_cases.as_tuple(function(*arrays))
    theirs = linalg_cases.as_tuple(getattr(scipy.linalg, function.__name__)(*arrays))
    for x, y in zip(found, theirs, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-15)

    def first(*xs):
        return linalg_cases.as_tuple(function(*xs))[0].ravel()[0].real

    gradient = jax.grad(first)(*arrays)
    ratio = n == 2 and function in (eig, eigh)
    np.testing.assert_allclose(gradient, [[0.5 if ratio else 1.0]], rtol=1e-14)


def test_dtypes():
    a = np.array([[2, 1], [1, 5]])
    assert eigh(a)[0].dtype == jnp.float64
    assert eigvals(a).dtype == jnp.complex128
    assert qz(a, a.astype(complex))[0].dtype == jnp.complex128
    assert eigh(jnp.asarray(a, jnp.complex64))[0].dtype == jnp.float32
    assert eigh(a * 1.0, a + 0j)[1].dtype == jnp.complex128
    half = jnp.asarray(a, jnp.float16)
    assert [y.dtype for y in eigh(half)] == [jnp.float16] * 2
    assert [y.dtype for y in schur(half)] == [jnp.float16] * 2
    np.testing.assert_allclose(eigvalsh(half), scipy.linalg.eigvalsh(a), rtol=1e-3)
    assert eig(half)[0].dtype == jnp.complex64
    gradient = jax.grad(lambda a: jnp.sum(eigh(a)[0][1]))(jnp.asarray(a, jnp.float32))
    assert gradient.dtype == jnp.float32


def test_differentiable_inside_jit_and_vmap_with_half_precision_and_batches():
    stack = np.stack([samples.symmetric(rng(s), False)[0] for s in (36, 37)])
    gradient = jax.jit(jax.vmap(jax.grad(lambda a: eigh(a)[1][0, 0] ** 2)))(stack)
    single = [jax.grad(lambda a: eigh(a)[1][0, 0] ** 2)(a) for a in stack]
    np.testing.assert_allclose(gradient, np.stack(single), rtol=1e-12, atol=1e-14)


# -- messages --------------------------------------------------------------------------------------

A = np.eye(3)
BAD = [
    (lambda: eigh(A, np.eye(2)), "eigh: arguments 'a' and 'b' must have the same order"),
    (lambda: eigh(A, driver="gv"), "eigh: argument 'driver'"),
    (lambda: eigh(A, A, driver="evr"), "eigh: argument 'driver'"),
    (lambda: eigh(A, A, type=4), "eigh: argument 'type'"),
    (lambda: eigh(A, subset_by_index=(1, 3)), "eigh: argument 'subset_by_index'"),
    (lambda: eigh(A, subset_by_index=(0, 1), driver="evd"), "eigh: argument 'driver'"),
    (lambda: eigvalsh(A, subset_by_value=(2, 1)), "eigvalsh: argument 'subset_by_value'"),
    (lambda: eigvalsh(A, size=2), "eigvalsh: argument 'size'"),
    (lambda: eigvalsh(A, subset_by_value=(0, 1), size=4), "eigvalsh: argument 'size'"),
    (lambda: eigh(A, subset_by_index=(0, 1), subset_by_value=(0, 1)), "eigh: give"),
    (lambda: eig(A, np.eye(2)), "eig: arguments 'a' and 'b' must have the same order"),
    (lambda: eigvals(np.ones((2, 3))), "eigvals: argument 'a' must be a square matrix"),
    (lambda: eig_banded(A, select="x"), "eig_banded: argument 'select'"),
    (lambda: eig_banded(A, select="i"), "eig_banded: argument 'select_range'"),
    (lambda: eig_banded(A, select="i", select_range=(2, 5)), "eig_banded: argument 'select_range'"),
    (lambda: eigvals_banded(A, size=1), "eigvals_banded: argument 'size'"),
    (lambda: eig_banded(np.zeros((0, 2))), "eig_banded: argument 'a_band' has no rows"),
    (lambda: eigh_tridiagonal(A[0], A[0]), "eigh_tridiagonal: argument 'e' must have one element"),
    (
        lambda: eigh_tridiagonal(A[0], A[0, :2], lapack_driver="sterf"),
        "eigh_tridiagonal: argument 'lapack_driver'",
    ),
    (
        lambda: eigvalsh_tridiagonal(A[0], A[0, 1:], "i", (0, 1), lapack_driver="stev"),
        "eigvalsh_tridiagonal: argument 'lapack_driver'",
    ),
    (lambda: schur(A, "reel"), "schur: argument 'output'"),
    (lambda: schur(A, sort="up"), "schur: argument 'sort'"),
    (lambda: rsf2csf(A, np.eye(2)), "rsf2csf: arguments 'T' and 'Z'"),
    (lambda: cdf2rdf(A[0], np.eye(2)), "cdf2rdf: argument 'v'"),
    (lambda: qz(A, A, sort="lhp"), "qz: argument 'sort' must be None; use ordqz"),
    (lambda: qz(A, np.eye(2)), "qz: arguments 'A' and 'B'"),
    (lambda: ordqz(A, A, sort=None), "ordqz: argument 'sort'"),
    (lambda: ordqz(A, A, output="reel"), "ordqz: argument 'output'"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[m for _, m in BAD])
def test_wrong_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        call()


def test_types_that_are_wrong_are_named():
    with pytest.raises(TypeError, match="eigh_tridiagonal: arguments 'd' and 'e' must be real"):
        eigh_tridiagonal(A[0] + 0j, A[0, 1:])
    with pytest.raises(TypeError, match="eigh: argument 'subset_by_index' must be two numbers"):
        jax.jit(lambda k: eigh(A, subset_by_index=(0, k)))(1)
    with pytest.raises(TypeError, match="eigvalsh: argument 'subset_by_value' must be two"):
        jax.jit(lambda x: eigvalsh(A, subset_by_value=(0.0, x)))(1.0)
