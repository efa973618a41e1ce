"""Rows' own values where SciPy's are wrong: against mpmath, values and derivatives."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mended
import mended_by_kernels
import mended_distributions
import mpmath as mp
import numpy as np
import pytest
from calling import bound, by_scipy
from rotation import one_by_the_draw

import jaxsci
from jaxsci._core.dispatch import BACKENDS
from jaxsci._verification import reference
from jaxsci._verification.oracles import legendre
from jaxsci.special import (
    assoc_legendre_p,
    assoc_legendre_p_all,
    hyperu,
    lmbda,
    lqmn,
    lqn,
    pbdn_seq,
    pbdv,
    pbdv_seq,
    pbvv,
    pbvv_seq,
)

CASES = [*mended.CASES, *mended_by_kernels.CASES, *mended_distributions.CASES]
EACH = pytest.mark.parametrize("case", CASES, ids=map(str, CASES))


def columns(case):
    return [np.asarray(x) for x in zip(*case.points, strict=True)]


def truths(case, function=None):
    """One row a point, one column a result that is looked at."""
    function = function or case.truth
    with mp.workdps(50):
        rows = []
        for point in case.points:
            exact = [mp.mpmathify(x) for x in point]
            ys = function(*exact, **case.static)
            ys = ys if isinstance(ys, tuple) else (ys,)
            rows.append([ys[j] for j in case.results])
        is_complex = any(isinstance(y, mp.mpc) and y.imag != 0 for ys in rows for y in ys)
        kind = complex if is_complex else (lambda y: float(mp.re(y)))
        return np.array([[kind(y) for y in ys] for ys in rows])


def assert_near(found, truth, case, what):
    tiny = np.finfo(np.float64).tiny
    with np.errstate(invalid="ignore"):
        error = np.abs(found - truth)
    same = (found == truth) | (np.isnan(found) & np.isnan(truth))
    good = same | (error <= case.tolerance * np.abs(truth) + tiny)
    misses = [
        f"{what} at {case.points[i]}: {found[i]!r}, not {truth[i]!r}" for i in np.flatnonzero(~good)
    ]
    assert not misses, "\n".join(misses)


@pytest.mark.rotating(0.11)
@EACH
def test_values_are_mpmaths_where_scipys_are_wrong(case):
    row = reference.ROWS[case.name]
    arrays, truth = columns(case), truths(case)
    theirs = by_scipy(row, case.static, arrays)
    for backend in BACKENDS:
        with jaxsci.use_backend(backend):
            found = jax.jit(bound(row, case.static))(*arrays)
        for k, j in enumerate(case.results):
            assert np.all(np.ma.getmaskarray(theirs[j])), "points where the row mends nothing"
            assert_near(np.asarray(found[j]), truth[:, k], case, f"{backend}, result {j}")


@pytest.mark.rotating(0.045)
@EACH
def test_derivatives_agree_with_mended_values(case):
    row = reference.ROWS[case.name]
    arrays = columns(case)
    function = bound(row, case.static)
    for i in case.derivatives:

        def along(x, i=i):
            return function(*arrays[:i], x, *arrays[i + 1 :])

        def slope(*exact, i=i, **static):
            def one(t):
                ys = case.truth(*exact[:i], t, *exact[i + 1 :], **static)
                return ys if isinstance(ys, tuple) else (ys,)

            slopes = [None] * (max(case.results) + 1)
            for j in case.results:
                # mp.diff steps over 0 where the argument is tiny.
                step = exact[i] * mp.mpf("1e-15")
                slopes[j] = (one(exact[i] + step)[j] - one(exact[i] - step)[j]) / (2 * step)
            return tuple(slopes)

        found = jax.jit(lambda x, f=along: jax.jvp(f, (x,), (jnp.ones_like(x),))[1])(arrays[i])
        truth = truths(case, slope)
        for k, j in enumerate(case.results):
            assert_near(np.asarray(found[j]), truth[:, k], case, f"derivative {i} of result {j}")


@pytest.mark.rotating(0.045)
@EACH
def test_single_precision_and_maps_have_the_same_values(case):
    row = reference.ROWS[case.name]
    function = bound(row, case.static)
    arrays = columns(case)
    mapped = jax.jit(jax.vmap(function))(*arrays)
    plain = jax.jit(function)(*arrays)
    for y, truth in zip(mapped, plain, strict=True):
        np.testing.assert_allclose(y, truth, 1e-14, np.finfo(np.float64).tiny)
    with np.errstate(over="ignore", under="ignore"):
        narrow = [x.astype({"f": "f4", "c": "c8"}.get(x.dtype.kind, x.dtype)) for x in arrays]
    wide = [x.astype({"f": "f8", "c": "c16"}.get(x.dtype.kind, x.dtype)) for x in narrow]
    expected = jax.jit(function)(*wide)
    with jax.enable_x64(False):
        found = jax.jit(function)(*narrow)
    for y, truth in zip(found, expected, strict=True):
        assert y.dtype.itemsize * 2 == truth.dtype.itemsize
        with np.errstate(over="ignore", under="ignore"):
            once = np.asarray(truth).astype(y.dtype)
        np.testing.assert_allclose(y, once, np.finfo(np.float32).eps, np.finfo(np.float32).tiny)


@pytest.mark.rotating(0.11)
@pytest.mark.parametrize("case", mended.GAUSS, ids=map(str, mended.GAUSS))
def test_values_keep_scipys_bits_where_those_are_right(case):
    row = reference.ROWS[case.name]
    arrays, truth = columns(case), truths(case)[:, 0]
    with np.errstate(all="ignore"):
        theirs = row.scipy(*arrays)
        off = np.abs(theirs - truth) / np.abs(truth)
    found = np.asarray(jax.jit(row.function)(*arrays))
    right, wrong = off < 0.9 * case.wrong, ~(off < 1.1 * case.wrong)
    np.testing.assert_array_equal(found[right], theirs[right])
    assert np.any(wrong)
    assert np.all(found[wrong] != theirs[wrong])


def test_slopes_of_lambda_functions_are_odd():
    """The derivative is -x/(2u + 2) times the next function (DLMF 10.16.9, 16.3.1)."""
    for v in (0.5, 4.25):
        x = np.array([-0.3, -2.5, -14.0])
        found = jax.jit(lambda x, v=v: lmbda(v, x))(x)[1]
        orders = [mp.mpf(v) - int(v) + k for k in range(int(v) + 1)]
        truth = [
            [float(-t / (2 * (u + 1)) * mp.hyp0f1(u + 2, -(mp.mpf(t) ** 2) / 4)) for u in orders]
            for t in x
        ]
        np.testing.assert_allclose(found, truth, 1e-10)


def test_lambda_functions_at_zero():
    """They are 1 there, and even."""
    for v in (0.5, 1.0, 3.0):
        values, slopes = jax.jit(lambda x, v=v: lmbda(v, x))(np.array([0.0, -0.0, 1e-9]))
        np.testing.assert_allclose(values, np.ones((3, int(v) + 1)), 1e-15)
        np.testing.assert_allclose(slopes, np.zeros((3, int(v) + 1)), atol=1e-9)
        assert np.all(np.asarray(slopes)[:2] == 0)


@pytest.mark.rotating(0.11)
def test_parabolic_cylinder_functions_are_entire():
    """D_k(z) = exp(-z^2/4) He_k(z) (DLMF 12.7.2), off the real line too."""
    z = np.array([1 - 2j, -5.7 + 0.6j, 3.5j, -0.25 - 4j, 2.0, 1e-3 + 1j])
    values, slopes = jax.jit(lambda z: pbdn_seq(4, z))(z)

    def one(k, z):
        return mp.exp(-z * z / 4) * mp.hermite(k, z / mp.sqrt(2)) / mp.sqrt(2) ** k

    with mp.workdps(50):
        exact = [mp.mpmathify(t) for t in z]
        truth = [[complex(one(k, t)) for k in range(5)] for t in exact]
        slope = [[complex(mp.diff(lambda u, k=k: one(k, u), t)) for k in range(5)] for t in exact]
    np.testing.assert_allclose(values, truth, 1e-12)
    np.testing.assert_allclose(slopes, slope, 1e-12, 1e-30)
    along = jax.jit(lambda z: jax.jvp(lambda z: pbdn_seq(4, z)[0], (z,), (jnp.ones_like(z),))[1])(z)
    np.testing.assert_allclose(along, slope, 1e-12, 1e-30)


def _hermite(v, x):
    return mp.exp(-x * x / 4) * mp.hermite(int(v), x / mp.sqrt(2)) / mp.sqrt(2) ** int(v)


def _d(v, x):
    return _hermite(v, x) if v == int(v) else mp.pcfd(v, x)


def _v(v, x):  # DLMF 12.2.20
    return mp.sqrt(2 / mp.pi) * mp.re(mp.expjpi((v + 1) / 2) * mp.pcfd(-v - 1, 1j * x))


@pytest.mark.rotating(0.11)
@pytest.mark.parametrize(("function", "one"), [(pbdv, _d), (pbvv, _v)], ids=["D", "V"])
def test_derivatives_of_parabolic_cylinder_functions_of_large_order(function, one):
    """In the order, at x < 0, where the gamma function of the connection formula overflows."""
    v, x = np.array([200.5, -200.25, 30.25, -105.5]), np.array([-6.0, -4.0, -14.0, -3.0])
    slope = jax.jit(jax.vmap(jax.grad(lambda v, x: function(v, x)[0])))(v, x)
    with mp.workdps(60):
        h = mp.mpf(10) ** -20
        pairs = [(mp.mpf(a), mp.mpf(b)) for a, b in zip(v, x, strict=True)]
        truth = [float((one(a + h, b) - one(a - h, b)) / (2 * h)) for a, b in pairs]
    np.testing.assert_allclose(slope, truth, 1e-11)


@pytest.mark.parametrize("norm", one_by_the_draw([False, True], "norm of Legendre functions", 1))
def test_derivatives_of_legendre_functions_at_the_ends_of_the_interval(norm):
    """Of even orders, where they are finite, on both cuts."""
    n, m, cut, z = (
        x.ravel() for x in np.meshgrid(np.arange(8), np.arange(-6, 7, 2), [2, 3], [-1.0, 1.0])
    )
    truth = [
        float(legendre.associated_legendre(int(a), int(b), mp.mpf(t), int(c), norm, k))
        for k in range(3)
        for a, b, c, t in zip(n, m, cut, z, strict=True)
    ]
    truth = np.reshape(truth, (3, -1))

    @jax.jit
    def function(z):
        return assoc_legendre_p(n, m, z, branch_cut=cut, norm=norm, diff_n=2)

    for t in (z, z + 0j):
        np.testing.assert_allclose(function(t), truth, 1e-13, 1e-13)
    ends = np.array([-1.0, 1.0])
    every = jax.jit(lambda z: assoc_legendre_p_all(7, 6, z, norm=norm, diff_n=2))(ends)
    on_interval = cut == 2
    found = np.asarray(every)[:, n, m, (z > 0).astype(int)]
    np.testing.assert_allclose(found[:, on_interval], truth[:, on_interval], 1e-13, 1e-13)
    with mp.workdps(30):
        third = [
            float(legendre.associated_legendre(int(a), int(b), mp.mpf(t), int(c), norm, 3))
            for a, b, c, t in zip(n, m, cut, z, strict=True)
        ]
    slope = np.asarray(jax.jvp(function, (z,), (np.ones_like(z),))[1])
    alone = (cut == 3) & (z < 0)  # beside it there is no real value
    np.testing.assert_allclose(
        slope[:, ~alone], np.stack([*truth[1:], third])[:, ~alone], 1e-12, 1e-12
    )


@pytest.mark.rotating(0.11)
def test_legendre_functions_of_the_second_kind():
    line = [1e-8, -1e-5, 9e-4, 1.05, 3.0, 30.0, -1.05, -1.5, -3.0, -12.0, -1e6]
    plane = [1e-6 + 1e-7j, 1 + 0.5j, 1 - 2j, 1.05 * np.exp(2j), 1.0004 * np.exp(-1j), -3 + 0j, 1e9j]
    for points in map(np.array, (line, plane)):
        for n in (1, 9):
            values, slopes = jax.jit(lambda z, n=n: lqn(n, z))(points)
            for i, z in enumerate(map(mp.mpmathify, points)):
                for k in range(n + 1):
                    for found, order in ((values, 0), (slopes, 1)):
                        truth = complex(legendre.second_kind(k, 0, z, order))
                        assert abs(found[k, i] - truth) < 1e-11 * abs(truth), (z, k, order)
    points = np.array([1e-8, -1e-5, -1.0004, -1.05, -1.1])
    for found, order in zip(jax.jit(lambda z: lqmn(2, 4, z))(points), (0, 1), strict=True):
        for i, z in enumerate(map(mp.mpf, points)):
            for j in range(3):
                for k in range(5):
                    truth = complex(legendre.second_kind(k, j, z, order))
                    assert abs(found[j, k, i] - truth) < 1e-11 * abs(truth), (z, j, k, order)


@pytest.mark.rotating(0.11)
@pytest.mark.parametrize(("sequence", "one"), [(pbdv_seq, _d), (pbvv_seq, _v)], ids=["D", "V"])
@pytest.mark.parametrize("v", [0.5, 2.0, 12.25, 4 + 1e-6])
def test_sequences_of_parabolic_cylinder_functions(sequence, one, v):
    x = np.array([-13.5, -9.0, -6.5, -4.25, 2.5, 4.5, 6.25, 9.5, 1e-5, 0.5])
    values, slopes = jax.jit(lambda x: sequence(v, x))(x)
    if v == int(v):  # parity
        odd = np.arange(values.shape[1]) % 2 == 1
        at_zero, slope_at_zero = sequence(v, 0.0)
        zero = odd if sequence is pbdv_seq else ~odd
        assert np.all((np.asarray(at_zero) == 0) == zero)
        assert np.all((np.asarray(slope_at_zero) == 0) == ~zero)
    assert values.shape == (x.size, max(int(v), 1) + 1)
    places = [0, 1, values.shape[1] - 1]
    with mp.workdps(110):
        for i, t in enumerate(map(mp.mpf, x)):
            for k in places:
                u = mp.mpf(v % 1) + k
                truth, slope = one(u, t), mp.diff(lambda s, u=u: one(u, s), t)
                wavenumber = mp.sqrt(u + 1 + t * t / 4)
                size = abs(truth) + abs(slope) / wavenumber
                assert abs(float(values[i, k]) - truth) < 1e-12 * size, (t, u)
                assert abs(float(slopes[i, k]) - slope) < 1e-12 * size * wavenumber, (t, u)
    along = jax.jit(lambda x: jax.jvp(lambda x: sequence(v, x)[0], (x,), (jnp.ones_like(x),))[1])(x)
    np.testing.assert_allclose(along, slopes, 1e-10, 1e-30)


@pytest.mark.parametrize("a", [1e-9, 2e-5, 0.009])
@pytest.mark.parametrize("b", [3.0005, 17.994, 21.99999, 30.0002])
def test_an_integral_that_is_nearly_one_takes_no_digits(a, b):
    """hyperu of small a and b > 2 is what the integral lacks."""
    for x in (1e-8, 1e-3, 0.4):
        truth = float(mp.hyperu(mp.mpf(a), mp.mpf(b), mp.mpf(x)))
        np.testing.assert_allclose(float(hyperu(a, b, x)), truth, rtol=1e-8)


def test_every_row_that_mends_values_is_looked_at():
    mending = {name for name, row in reference.ROWS.items() if row.repair is not None}
    assert mending == {case.name for case in CASES} | {
        *("lmbda", "pbdn_seq", "pbdv_seq", "pbvv_seq", "riccati_jn"),
        *("smirnov", "smirnovi"),  # test_many_observations
        *("airy", "airye", "yn"),  # test_airy_far, test_bessel_extremes
        *("assoc_legendre_p", "assoc_legendre_p_all", "lqmn", "lqn"),
        *("pro_ang1", "pro_ang1_cv", "obl_ang1", "obl_ang1_cv", "pro_rad1", "pro_rad1_cv"),
        *("obl_rad1", "obl_rad1_cv"),
        *("roots_gegenbauer", "roots_jacobi", "roots_genlaguerre", "roots_sh_jacobi"),
    }
