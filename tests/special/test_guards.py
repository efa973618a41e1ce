"""Arguments that SciPy's functions cannot stand: they never see them, and the result is NaN."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special
from calling import bound
from kinds import ruled
from rotation import drawn

import jaxsci
from jaxsci import special
from jaxsci._core.dispatch import BACKENDS
from jaxsci._verification import reference
from jaxsci.special._catalog.types import Kind

pytestmark = pytest.mark.rotating(0.038)

GUARDED = [row for row in reference.ROWS.values() if row.guard and not row.guard.complex_only]
IN_THE_PLANE = [
    row
    for row in reference.ROWS.values()
    if row.guard and reference.COMPLEX in reference.variants(row)
]
EACH = pytest.mark.parametrize("row", GUARDED, ids=[row.name for row in GUARDED])
WITH_RULES = [row for row in GUARDED if ruled(row)]
FORBIDDEN = (np.nan, np.inf, 1e300, 2e9, 1e7, 1e-310)


def beside(row, n=3):
    """Arguments that are allowed."""
    rng = reference.generator("guard", row.name)
    arrays = reference.sample(row, reference.REAL, rng, 20 * n)
    allowed = row.guard.allows(*arrays, **row.samples.statics[0])
    assert np.sum(allowed) >= n
    return [x[allowed][:n] for x in arrays]


def forbidden(row):
    """Positions and values, of numbers that the guard refuses."""
    arrays = [x.astype(np.float64) for x in beside(row, 1)]
    for i in range(len(arrays)):
        for value in FORBIDDEN:
            changed = [np.array([value]) if j == i else x for j, x in enumerate(arrays)]
            static = row.samples.statics[0]
            if not np.all(row.guard.allows(*changed, **static) | own(row, changed, static)):
                yield i, value


def own(row, arrays, static):
    """Where the value is not SciPy's."""
    if row.repair is None or not row.repair.parts([x.dtype for x in arrays]):
        return False
    nothing = [jnp.full(arrays[0].shape, jnp.nan) for _ in row.outputs or ("",)]
    return np.asarray(row.repair.where(nothing, *map(jnp.asarray, arrays), **static))


@EACH
def test_each_guard_refuses_something(row):
    extremes = itertools.product((np.ones(1), np.full(1, 1e300)), repeat=len(row.arrays))
    refused = (not np.all(row.guard.allows(*xs, **row.samples.statics[0])) for xs in extremes)
    assert list(forbidden(row)) or any(refused)


@EACH
@pytest.mark.parametrize("backend", BACKENDS)
def test_result_is_nan_there_and_untouched_elsewhere(row, backend):
    function = jax.jit(bound(row, row.samples.statics[0]))
    arrays = beside(row)
    with jaxsci.use_backend(backend):
        plain = function(*arrays)
        for i, value in forbidden(row):
            changed = [np.array(x) for x in arrays]
            if row.arrays[i].kind is Kind.INT:
                if not float(value).is_integer() or value > 2**62:
                    continue
                changed[i] = changed[i].astype(np.int64)
            changed[i][1] = value
            for found, expected in zip(function(*changed), plain, strict=True):
                assert np.all(np.isnan(found[1]))
                np.testing.assert_array_equal(found[np.array([0, 2])], expected[np.array([0, 2])])


# Compiling derivatives takes long: some a day.
RULED_TODAY = drawn(WITH_RULES, 20, "guarded derivatives")


@pytest.mark.rotating(0.015)
@pytest.mark.parametrize("row", RULED_TODAY, ids=[row.name for row in RULED_TODAY])
def test_derivatives_and_batches_pass_the_guard(row):
    arrays = beside(row)
    i = ruled(row)[-1]
    function = bound(row, row.samples.statics[0])

    def total(x):
        return sum(jnp.sum(y) for y in function(*arrays[:i], x, *arrays[i + 1 :]))

    slopes = jax.jit(jax.grad(total))(arrays[i])
    assert np.all(np.isfinite(slopes))
    changed = arrays[i].copy()
    changed[1] = np.nan
    again = jax.jit(jax.grad(total))(changed)
    np.testing.assert_array_equal(again[np.array([0, 2])], slopes[np.array([0, 2])])
    mapped = jax.vmap(function)(*arrays)
    for y, one in zip(mapped, function(*arrays), strict=True):
        np.testing.assert_array_equal(y, one)


@pytest.mark.parametrize("row", IN_THE_PLANE, ids=[row.name for row in IN_THE_PLANE])
@pytest.mark.parametrize("backend", BACKENDS)
def test_guards_of_complex_arguments(row, backend):
    function = jax.jit(bound(row, row.samples.statics[0]))
    rng = reference.generator("guard", row.name)
    with jaxsci.use_backend(backend):
        for i in range(len(row.arrays)):
            for value in (1e300, -1e12, np.inf, np.nan):
                at = reference.sample(row, reference.COMPLEX, rng, 3)
                plain = function(*at)
                if at[i].dtype.kind == "i":
                    continue
                at[i] = at[i].copy()  # the call above may still be reading the other one
                at[i][1] = value
                allowed, _ = row.guard.replaced(at, row.samples.statics[0], np.where)
                if allowed is None or np.broadcast_to(allowed, 3)[1]:
                    continue
                for found, expected in zip(function(*at), plain, strict=True):
                    assert np.isnan(found[1])
                    np.testing.assert_array_equal(found[::2], expected[::2])


def test_what_crashes_scipy_gives_nan():
    """Each of these ends the process, or never returns, in SciPy 1.17."""
    assert np.isnan(special.pro_cv(5, 5, 1e16))
    assert np.isnan(special.obl_cv(5, 7, 1000.0))
    assert np.all(np.isnan(special.mathieu_cem(3, np.nan, 1.0)))
    assert np.all(np.isnan(special.mathieu_modsem2(3, 1e9, 1.0)))
    assert np.all(np.isnan(special.pro_ang1(3, 116, 15063.0, -0.3)))
    assert np.isnan(special.mathieu_a(2**31 - 1, 1.0))
    assert np.isnan(special.eval_hermite(2**40, 1.0))
    assert np.isnan(special.hyp0f1(1.0, 1e8))  # SciPy: 0, and an exception that goes nowhere
    assert special.yn(3, 1e300) == scipy.special.yn(3, 1e300)


def test_a_sum_of_few_terms_has_no_limits_of_parameters():
    a, b, c, z = -10000.0, 2.2, 93459345.3, 2 + 2j
    with mpmath.workdps(40):
        expected = complex(mpmath.hyp2f1(a, b, c, z))
    for first, second in ((a, b), (b, a)):
        found = special.hyp2f1(first, second, c, z)
        np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert np.isnan(special.hyp2f1(-10000.5, b, c, z))
    assert np.isnan(special.hyp2f1(-2e5, b, c, z))


def test_noncentrality_of_few_degrees_of_freedom():
    """As far as t^2 / df is below 1e10, however large t / df is."""
    df, p, t = 1e-3, 0.999, 300.0
    nc = special.nctdtrinc(df, p, t)
    # SciPy ends its search after as many digits; the truth is below.
    np.testing.assert_allclose(nc, scipy.special.nctdtrinc(df, p, t), rtol=1e-6)
    with mpmath.workdps(30):
        # For t > 0 the variable is below t unless Z + nc > t sqrt(V / df), V of chi-square's law.
        def above(u):  # V = u^(2 / df), whose density in u has no singularity at 0
            v = u ** (2 / mpmath.mpf(df))
            density = mpmath.exp(-v / 2) / (2 ** (mpmath.mpf(df) / 2) * mpmath.gamma(df / 2 + 1))
            return mpmath.ncdf(mpmath.mpf(float(nc)) - t * mpmath.sqrt(v / df)) * density

        beyond: Any = mpmath.quad(above, [0, 0.9, 0.98, 0.985, 0.99, 0.995, 1, 1.005, 1.02])
    np.testing.assert_allclose(float(1 - beyond), p, rtol=1e-7)
    assert np.isnan(special.nctdtrinc(1e-3, 0.999, 1e4))  # SciPy does not return


def test_noncentrality_at_zero_and_at_the_ends():
    p = jnp.array([0.0, 0.5, 1.0, -0.1])
    np.testing.assert_array_equal(special.nctdtrinc(3.0, p, 0.0), [np.inf, 0.0, -np.inf, np.nan])
    # At t = 0 it is the normal quantile of 1 - p, which loses digits as a number.
    p = jnp.array([1e-9, 0.2, 0.7])
    np.testing.assert_allclose(special.nctdtrinc(3.0, p, 0.0), -scipy.special.ndtri(p), 1e-12)
    assert np.isnan(special.nctdtrinc(3.0, 0.5, np.inf))


def test_a_guard_through_nan_copies_nothing():
    x = jnp.linspace(0.1, 10.0, 10_000)
    memory = jax.jit(special.yv).lower(1.5, x).compile().memory_analysis()
    assert memory is not None
    assert memory.temp_size_in_bytes < x.nbytes / 10
    assert np.all(np.isnan(special.yv(2e8, 2e8 + x)))
    assert np.all(special.yv(2e8, x) == -np.inf)


def test_harmless_arguments_are_harmless():
    for row in GUARDED:
        assert row.guard is not None
        at = [
            np.int64(x) if a.kind is Kind.INT else np.float64(x)
            for a, x in zip(row.arrays, row.guard.harmless, strict=True)
        ]
        assert np.all(row.guard.allows(*at, **row.samples.statics[0]))
        with scipy.special.errstate(all="ignore"):
            values = bound(row, row.samples.statics[0], row.scipy)(*at)
        assert np.all(np.isfinite(np.concatenate([np.ravel(v) for v in values])))


BEYOND_CS_INT = [2**31, 2**32 + 3, 2**62, -(2**63), 2**63 - 1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_orders_that_cs_int_cannot_hold_have_no_value(backend):
    """SciPy takes integers modulo 2^32: E_(2^32 + 3) would be E_3. Of floats it warns."""
    rest = {"yn": (1.5,), "kn": (1.5,), "expn": (1.5,), "pdtri": (0.3,), "bdtr": (7, 0.3)}
    for name, at in rest.items():
        with jaxsci.use_backend(backend), warnings.catch_warnings(action="error"):
            found = getattr(special, name)(np.array([3, *BEYOND_CS_INT]), *at)
            floats = getattr(special, name)(np.array([3.0, 2.0**32 + 3, 1e19, 1e300]), *at)
        assert found[0] == floats[0] == getattr(scipy.special, name)(3, *at), name
        assert np.isnan(found[1:]).all(), name
        assert np.isnan(floats[1:]).all(), name


@pytest.mark.parametrize("backend", BACKENDS)
def test_counts_that_cs_int_cannot_hold_have_the_kernels_values(backend):
    k = np.array(BEYOND_CS_INT)
    with jaxsci.use_backend(backend), warnings.catch_warnings(action="error"):
        values, quantiles = special.nbdtr(k, 3, 0.2), special.nbdtri(k, 3, 0.2)
    np.testing.assert_array_equal(values, np.where(k < 0, np.nan, 1.0))
    truths = scipy.special.betaincinv(3, np.where(k < 0, np.nan, k + 1.0), 0.2)
    np.testing.assert_allclose(quantiles, truths, rtol=1e-14)
    # Of the limiting distribution, exp(-2 n d^2 - 2 d/3).
    many = np.where(k < 0, np.nan, k.astype(float))
    with jaxsci.use_backend(backend), warnings.catch_warnings(action="error"):
        values, quantiles = special.smirnov(k, 0.2), special.smirnovi(k, 0.2)
    np.testing.assert_array_equal(values, 0 * many)
    quadratic = (np.sqrt(1 - 18 * many * np.log(0.2)) - 1) / (6 * many)
    np.testing.assert_allclose(quantiles, quadratic, rtol=1e-9)


def test_divergences_of_two_probabilities_that_are_zero():
    """On the edge x = 0 they are y and 0, and so their derivatives in y exist at the corner."""
    y = jnp.array([0.0, 1e-300, 0.5])
    for function, slope in ((special.kl_div, 1.0), (special.rel_entr, 0.0)):
        found = jax.vmap(jax.grad(function, 1), (None, 0))(0.0, y)
        np.testing.assert_array_equal(found, np.full(3, slope))
        # None in x: it is log(x/y) inside.
        assert np.isnan(jax.grad(function)(0.0, 0.0))
        assert np.isnan(jax.grad(function, 1)(1.0, 0.0))
