"""LAPACK for stacks: SciPy's bits, by the extension and without it, and each factorisation once."""

from __future__ import annotations

import importlib

import jax
import numpy as np
import pytest
import scipy.linalg

from jaxsci import _native, linalg
from jaxsci.linalg._infra import lapack, lapack_slices

pytestmark = pytest.mark.rotating(0.03)

ROUTINES = [lapack_slices]
if _native.ABSENT is None:
    ROUTINES.append(importlib.import_module("jaxsci._native._lapack"))
ORDERS = (0, 1, 2, 3, 8, 40)
rng = np.random.default_rng(7)


@pytest.fixture(params=ROUTINES, ids=["slices", "native"][: len(ROUTINES)])
def routines(request, monkeypatch):
    monkeypatch.setattr(lapack, "_routines", request.param)


def stack(n, kind, count=30):
    x = rng.normal(size=(count, n, n))
    return x + 1j * rng.normal(size=x.shape) if kind is complex else x


@pytest.mark.usefixtures("routines")
@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize("n", ORDERS)
def test_schur_forms_are_scipys(n, kind):
    a = stack(n, kind)
    t, z = lapack.schur(a)
    for i in range(len(a)):
        for found, expected in zip((t[i], z[i]), scipy.linalg.schur(a[i]), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.usefixtures("routines")
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize("n", ORDERS)
def test_eigenvalues_and_vectors_are_scipys(n, kind, left, right):
    a = stack(n, kind)
    w, vl, vr = lapack.eig(a, left=left, right=right)
    assert (len(vl), len(vr)) == (len(a) * left, len(a) * right)
    for i in range(len(a)):
        expected = scipy.linalg.eig(a[i], left=left, right=right)
        found = (w[i], *(v[i] for v in (vl, vr) if len(v)))
        for x, y in zip(found, expected if left or right else (expected,), strict=True):
            np.testing.assert_array_equal(x, y)


@pytest.mark.usefixtures("routines")
@pytest.mark.parametrize("shared", [(), (0,), (1,), (0, 1)])
@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize(("m", "n"), [(0, 2), (1, 1), (3, 2), (8, 8), (2, 40)])
def test_sylvesters_equation_holds(m, n, kind, shared):
    forms = [lapack.schur(stack(k, kind) + 9 * np.eye(k))[0] for k in (m, n)]
    r, s = (x[:1] if i in shared else x for i, x in enumerate(forms))
    f = rng.normal(size=(30, m, n)).astype(kind)
    y = lapack.sylvester_of_schur_forms(r, s, f)
    assert y.shape == f.shape
    residual = r @ y + y @ s.conj().swapaxes(-1, -2) - f
    assert np.abs(residual).max(initial=0) < 1e-12


@pytest.mark.usefixtures("routines")
def test_an_equation_that_is_singular_is_not_solved_by_changing_it():
    r = np.array([[[1.0, 2.0], [0.0, 3.0]]])
    s = np.array([[[-3.0]], [[4.0]]])
    y = lapack.sylvester_of_schur_forms(r, s, np.ones((2, 2, 1)))
    assert np.isnan(y[0]).all()
    assert np.isfinite(y[1]).all()


needs_extension = pytest.mark.skipif(len(ROUTINES) == 1, reason="there is no extension")


@needs_extension
@pytest.mark.parametrize("shared", [(), (0,), (1,), (2,), (0, 1)])
@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize(("m", "n"), [(0, 2), (1, 1), (2, 3), (8, 8), (40, 2), (2, 40), (200, 3)])
def test_a_whole_equation_holds(m, n, kind, shared):
    count = 30 if max(m, n) < 100 else 2
    a, b = (stack(k, kind, count) for k in (m, n))
    q = rng.normal(size=(count, m, n)).astype(kind)
    a, b, q = (x[:1] if i in shared else x for i, x in enumerate((a, b, q)))
    x = lapack.sylvester(a, b, q, 1e-15)
    assert x.shape == (count, m, n)
    coefficients = np.linalg.norm(a, axis=(-2, -1)) + np.linalg.norm(b, axis=(-2, -1))
    residual = np.linalg.norm(a @ x + x @ b - q, axis=(-2, -1))
    assert np.all(residual <= 1e-14 * (coefficients * np.linalg.norm(x, axis=(-2, -1)) + 1))


@needs_extension
@pytest.mark.parametrize("lower", [False, True])
def test_an_equation_of_graded_triangular_matrices_keeps_small_eigenvalues(lower):
    a = np.diag([1e-8, 1.0, 1e8]) + np.triu(np.ones((3, 3)), 1)
    b = np.diag([1e-8, 2.0]) + np.triu(np.ones((2, 2)), 1)
    a, b = (x.T if lower else x for x in (a, b))
    exact = np.arange(1.0, 7.0).reshape(3, 2)
    x = lapack.sylvester(a[None], b[None], (a @ exact + exact @ b)[None], 1e-17)
    expected = scipy.linalg.solve_sylvester(a, b, a @ exact + exact @ b)
    assert np.abs(x[0] - exact).max() <= 4 * np.abs(expected - exact).max() + 1e-12


@needs_extension
def test_eigenvalues_of_opposite_sign_are_nan_in_their_own_equation():
    a = np.array([[1.0, 2.0], [2.0, 3.0]])
    b = np.array([-np.linalg.eigvalsh(a)[:1, None], [[4.0]]])
    x = lapack.sylvester(a[None], b, np.ones((1, 2, 1)), 1e-14)
    assert np.isnan(x[0]).all()
    assert np.isfinite(x[1]).all()


@needs_extension
@pytest.mark.parametrize("kind", [float, complex])
def test_several_threads_have_the_bits_of_one(kind, monkeypatch):
    a, b = (stack(5, kind, 200) for _ in "ab")
    q = rng.normal(size=(200, 5, 5)).astype(kind)

    def everything(threads):
        monkeypatch.setattr(lapack, "_threads", lambda *_: threads)
        t, z = lapack.schur(a)
        y = lapack.sylvester_of_schur_forms(t, t[:1] + 9 * np.eye(5), q)
        x = lapack.sylvester(a, b, q, 1e-15), lapack.sylvester(a[:1], b[:1], q, 1e-15)
        return [t, z, y, *x, *lapack.eig(a, left=True, right=True)]

    alone = everything(1)
    for threads in (2, 7, 1000):
        for found, expected in zip(everything(threads), alone, strict=True):
            np.testing.assert_array_equal(found, expected)


STACK, INFO = np.ones((1, 2, 2)), np.zeros(1, np.int32)
WRONG = {
    "schur": [
        (np.eye(2)[None],),
        (np.ones((1, 2, 3)), STACK, INFO, 1),
        (STACK, STACK, INFO[:0], 1),
    ],
    "sylvester": [
        (STACK, np.ones((1, 3, 3)), STACK, 1e-15, INFO, 1),
        (STACK, STACK, np.ones((2, 2, 2)), 1e-15, INFO, 1),
    ],
}


@needs_extension
@pytest.mark.parametrize(("name", "wrong"), [(n, w) for n, ws in WRONG.items() for w in ws])
def test_wrong_shapes_are_refused_by_the_extension(name, wrong):
    with pytest.raises((TypeError, ValueError)) as refused:
        getattr(ROUTINES[1], name)(*wrong)
    if len(wrong) > 1:  # nothing but the shapes is wrong
        refused.match("shapes do not fit")


@pytest.fixture
def factored(monkeypatch):
    """How many matrices LAPACK is asked to factor."""
    counts = []

    class Counting:
        eig = staticmethod(lapack_slices.eig)
        sylvester_of_schur_forms = staticmethod(lapack_slices.sylvester_of_schur_forms)

        @staticmethod
        def schur(t, z, info, threads):
            counts.append(len(t))
            lapack_slices.schur(t, z, info, threads)

    monkeypatch.setattr(lapack, "_routines", Counting)
    return counts


@pytest.mark.parametrize(
    ("name", "others", "per_call"),
    [
        ("logm", 0, 1),
        ("sqrtm", 0, 2),  # the derivative is Sylvester's equation of two matrices
        ("solve_sylvester", 2, 2),
        ("solve_continuous_lyapunov", 1, 1),
    ],
)
def test_all_cotangents_share_one_factorisation(factored, name, others, per_call):
    function = getattr(linalg, name)
    a, *rest = rng.normal(size=(1 + others, 4, 4)) / 8 + np.diag([1.0, 1.5, 2.0, 2.5])
    value_only = jax.jit(function)
    jax.block_until_ready(value_only(a, *rest))
    of_value = sum(factored)
    factored.clear()
    jax.block_until_ready(jax.jit(jax.jacrev(function))(a, *rest))
    assert sum(factored) <= of_value + per_call
