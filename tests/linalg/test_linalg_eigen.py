"""Eigenvalues and Schur forms: every option, subsets, what is not read, edges, messages."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import linalg_cases
import linalg_cases_eigen as samples
import numpy as np
import pytest
import scipy.linalg
from eigen import close, differential, rng, rotated

from jaxsci.linalg._eig import _in_order, eig, eigvals
from jaxsci.linalg._eig_banded import eig_banded, eigvals_banded
from jaxsci.linalg._eigh import eigh, eigvalsh
from jaxsci.linalg._eigh_tridiagonal import eigh_tridiagonal, eigvalsh_tridiagonal
from jaxsci.linalg._hessenberg import hessenberg
from jaxsci.linalg._qz import ordqz, qz
from jaxsci.linalg._schur import cdf2rdf, rsf2csf, schur

pytestmark = pytest.mark.rotating(0.038)

SCIPY: Any = scipy.linalg

CASES = [
    c
    for c in linalg_cases.load()
    if c.name.split(":")[0].split("_")[0].startswith(("eig", "schur", "hess", "qz", "ordqz"))
]


# -- singular pencils, order, subsets --------------------------------------------------------------


def test_infinite_eigenvalues():
    a = rng(19).normal(size=(3, 3))
    b = np.diag([1.0, 2.0, 0.0])
    da, db = rng(20).normal(size=(2, 3, 3))
    w = np.asarray(eigvals(a, b))
    np.testing.assert_array_equal(w, SCIPY.eigvals(a, b))
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
    w, v = SCIPY.eig(a)
    permuted, vectors = _in_order(w[[2, 0, 1, 4, 3]], (w, v))
    close(a @ vectors, vectors * permuted, 1e-13)
    pair, v = SCIPY.eig(a, b, homogeneous_eigvals=True)
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

        def value(a, b, lower: Any = lower):
            w, v = eigh(a, b, lower=lower)
            return jnp.sum(w**2) + jnp.sum(jnp.abs(v[:, 0]) ** 4)

        np.testing.assert_array_equal(value(*spoilt), value(a, b))
        gradients = jax.jit(jax.grad(value, (0, 1)))
        for gradient, whole in zip(gradients(*spoilt), gradients(a, b), strict=True):
            np.testing.assert_array_equal(gradient, whole)
            np.testing.assert_array_equal(gradient, np.conj(gradient).T)
            assert np.all(np.isfinite(gradient))


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
        theirs = SCIPY.eigh(*arrays, **options)
        for x, y in zip(eigh(*arrays, **options), theirs, strict=True):
            np.testing.assert_array_equal(x, y)
        np.testing.assert_array_equal(
            eigvalsh(*arrays, **options), SCIPY.eigvalsh(*arrays, **options)
        )


def test_every_driver_of_tridiagonal_matrices():
    d, e = rng(26).normal(size=5), rng(26).normal(size=4)
    for driver in ("auto", "stemr", "stebz", "stev", "stevd"):
        for chosen in ({}, {"select": "i", "select_range": (1, 2)}):
            if chosen and driver in ("stev", "stevd"):
                continue
            options = {"lapack_driver": driver, **chosen}
            theirs = SCIPY.eigh_tridiagonal(d, e, **options)
            for x, y in zip(eigh_tridiagonal(d, e, **options), theirs, strict=True):
                np.testing.assert_array_equal(x, y)
            theirs = SCIPY.eigvalsh_tridiagonal(d, e, **options)
            np.testing.assert_array_equal(eigvalsh_tridiagonal(d, e, **options), theirs)


@pytest.mark.parametrize("with_b", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("homogeneous", [False, True])
def test_every_result_of_eig(with_b, left, right, homogeneous):
    arrays: Any = samples.two(rng(27), False)
    arrays = arrays[: 1 + with_b]
    options: Any = {"left": left, "right": right, "homogeneous_eigvals": homogeneous}
    theirs = linalg_cases.as_tuple(SCIPY.eig(*arrays, **options))
    for x, y in zip(linalg_cases.as_tuple(eig(*arrays, **options)), theirs, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-15)


@pytest.mark.parametrize("output", ["real", "complex"])
@pytest.mark.parametrize("sort", ["lhp", "rhp", "iuc", "ouc", "callable"])
def test_every_order_of_schur_forms(output, sort):
    a, b = samples.two(rng(28), False)
    a = a / 2

    def chosen(x, y=None):
        return x.real > 0.1

    theirs = SCIPY.schur(a, output, sort=chosen if sort == "callable" else sort)
    ours = schur(a, output, sort=chosen if sort == "callable" else sort)
    for x, y in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(x, y)
    assert jnp.issubdtype(ours[2].dtype, jnp.integer)

    def vectorised(alpha, beta):
        return (alpha / beta).real > 0.1

    sort = vectorised if sort == "callable" else sort
    theirs = SCIPY.ordqz(a, b, sort, output)
    for x, y in zip(ordqz(a, b, sort, output), theirs, strict=True):
        np.testing.assert_array_equal(x, y)


def test_ordqz_of_infinite_eigenvalues():
    a, b = np.diag([1.0, -2.0, 3.0]), np.diag([1.0, 1.0, 0.0])
    for sort in ("lhp", "rhp", "iuc", "ouc"):
        for x, y in zip(ordqz(a, b, sort), SCIPY.ordqz(a, b, sort), strict=True):
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
    expected = case.results([x.copy() for x in arrays])  # which may not be computed yet
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
    np.testing.assert_array_equal(w[::2], np.stack([SCIPY.eigh(a, b)[0]] * 2))


def test_leading_dimensions_broadcast():
    r = rng(30)
    assert eig(r.normal(size=(2, 1, 3, 3)), r.normal(size=(4, 3, 3)))[0].shape == (2, 4, 3)
    assert qz(r.normal(size=(2, 3, 3)), r.normal(size=(3, 3)))[2].shape == (2, 3, 3)
    assert eigh_tridiagonal(r.normal(size=(2, 3)), r.normal(size=2))[1].shape == (2, 3, 3)


def test_complex_form_and_real_form_of_batches():
    slices = [samples.real_form(rng(s), False) for s in (31, 32, 33)]
    t, z = (np.stack(x) for x in zip(*slices, strict=True))
    theirs = zip(*(SCIPY.rsf2csf(*s) for s in slices), strict=True)
    for x, y in zip(rsf2csf(t, z), theirs, strict=True):
        close(x, np.stack(y), 1e-13)
    assert rsf2csf(t, z[0])[1].shape == (3, 4, 4)
    overlapping = np.stack([t[0], np.eye(4) + np.diag([1.0, 1, 1], -1)])
    found = np.asarray(rsf2csf(overlapping, z[:2])[1])
    assert np.all(np.isnan(found[1]))
    assert np.all(np.isfinite(found[0]))
    w, v = SCIPY.eig(np.stack([samples.matrix(rng(s), False) for s in (34, 35)]))
    for x, y in zip(cdf2rdf(w, v), SCIPY.cdf2rdf(w, v), strict=True):
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
    along = differential(function, [np.zeros(shape)] * n, [np.zeros(shape)] * n)
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

    gradient = jax.jit(jax.grad(first))(*arrays)
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
    np.testing.assert_allclose(eigvalsh(half), SCIPY.eigvalsh(a), rtol=1e-3)
    assert eig(half)[0].dtype == jnp.complex64
    gradient = jax.grad(lambda a: jnp.sum(eigh(a)[0][1]))(jnp.asarray(a, jnp.float32))
    assert gradient.dtype == jnp.float32


def test_differentiable_inside_jit_and_vmap_with_half_precision_and_batches():
    stack = np.stack([samples.symmetric(rng(s), False)[0] for s in (36, 37)])
    gradient = jax.jit(jax.vmap(jax.grad(lambda a: eigh(a)[1][0, 0] ** 2)))(stack)
    single = [jax.grad(lambda a: eigh(a)[1][0, 0] ** 2)(a) for a in stack]
    np.testing.assert_allclose(gradient, np.stack(single), rtol=1e-12, atol=1e-14)


# -- messages --------------------------------------------------------------------------------------

A: Any = np.eye(3)
LHP: Any = "lhp"
NONE: Any = None
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
    (lambda: qz(A, A, sort=LHP), "qz: argument 'sort' must be None; use ordqz"),
    (lambda: qz(A, np.eye(2)), "qz: arguments 'A' and 'B'"),
    (lambda: ordqz(A, A, output="reel"), "ordqz: argument 'output'"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[m for _, m in BAD])
def test_wrong_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        call()


def test_types_that_are_wrong_are_named():
    with pytest.raises(TypeError, match="eigh_tridiagonal: arguments 'd' and 'e' must be real"):
        eigh_tridiagonal(A[0] + 0j, A[0, 1:])
    with pytest.raises(TypeError, match="ordqz: argument 'sort' must be one of"):
        ordqz(A, A, sort=NONE)
    with pytest.raises(TypeError, match="eigh: argument 'subset_by_index' must be two numbers"):
        jax.jit(lambda k: eigh(A, subset_by_index=(0, k)))(1)
    with pytest.raises(TypeError, match="eigvalsh: argument 'subset_by_value' must be two"):
        jax.jit(lambda x: eigvalsh(A, subset_by_value=(0.0, x)))(1.0)
