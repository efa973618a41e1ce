"""Smirnov's distribution of more observations than SciPy's sums and searches are made for."""

from __future__ import annotations

import jax
import mpmath
import numpy as np
import pytest
import scipy.special
from mpmath import mp

import jaxsci
from jaxsci import special
from jaxsci.special._distributions.kernels import smirnov_sums


def complement(n, d):
    """One less the probability: the terms with j > n (1 - d), whose signs alternate."""
    shift = int(mp.floor(n * d))
    with mp.extradps(shift):
        d = mpmath.mpf(d)
        return d * mp.fsum(
            mpmath.binomial(n, m)
            * (mpmath.mpf(m) / n - d) ** m
            * (1 + d - mpmath.mpf(m) / n) ** (n - m - 1)
            for m in range(shift + 1)
        )


CASES = [(1_000_001, 3e-5), (2_000_001, 2e-4), (2_000_000, 1e-6), (10**9, 1e-7), (10**9, 3e-10)]


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("n", "d"), CASES)
def test_values_and_slopes_of_many_observations(n, d):
    with mp.workdps(60):
        truth = 1 - complement(n, d)
        slope = -mpmath.diff(lambda t: complement(n, t), d, h=mpmath.mpf(10) ** -25)
    for backend in ("device", None):
        with jaxsci.use_backend(backend):
            value, found = jax.value_and_grad(special.smirnov, argnums=1)(n, d)
        assert abs(float(value) / truth - 1) < 2e-14
        assert abs(float(found) / slope - 1) < 1e-11


def as_an_integral(n, d):
    """The probability by the integral of all terms, which differs by less than the nearest digits.

    The terms are those of a function that is analytic in a strip wider than many integers, and they
    vanish with all derivatives at both ends.
    """
    n, d = mpmath.mpf(n), mpmath.mpf(d)
    size = 2 * n * d * d

    def term(x):
        j, m, q = x * n, (1 - x) * n, 1 - x - d
        if q <= 0:  # the end, rounded
            return mpmath.mpf(0)
        log = mpmath.loggamma(n + 1) - mpmath.loggamma(j + 1) - mpmath.loggamma(m + 1)
        return n * d * mpmath.exp(size + log + (j - 1) * mpmath.log(d + x) + m * mpmath.log(q))

    # Near both ends it changes over d^2 and less.
    whole, ends = 1 - d, [mpmath.mpf(4) ** -k for k in range(1, 90)]
    places = [whole * x for x in (0.5, *ends, *(1 - e for e in ends))]
    return mpmath.quad(term, [0, *sorted(places), whole]) * mpmath.exp(-size)


def _with_slope(n, d):
    """The probability and its derivative in d, by differences."""
    step = mpmath.mpf(10) ** -15 * d
    below, here, above = (as_an_integral(n, d + k * step) for k in (-1, 0, 1))
    return float(here), float((above - below) / (2 * step))


@pytest.mark.rotating(2)
@pytest.mark.parametrize("n", [10**9, 99 * 10**12, 10**14 + 1, 10**18, 10**30])
def test_far_tails_of_many_observations(n):
    exponents = np.array([0.3, 20.0, 690.0])
    d = np.sqrt(exponents / n / 2)
    with mp.workdps(60):
        truth, slopes = np.array([_with_slope(n, t) for t in d]).T
    for backend in ("device", None):
        with jaxsci.use_backend(backend):
            value, slope = jax.jvp(lambda d: special.smirnov(float(n), d), (d,), (np.ones(3),))
            back = special.smirnovi(float(n), truth)
        rounding = 2e-16 * (1 + 2 * exponents)
        assert np.all(abs(value / truth - 1) < 20 * rounding)
        assert np.all(abs(slope / slopes - 1) < 20 * rounding + 1e-12)
        np.testing.assert_allclose(back, d, rtol=1e-14)


@pytest.mark.parametrize("n", [20_001, 1_000_000])
def test_inverse_of_many_observations(n):
    """SciPy's distribution function is right there, and its inverse may not return."""
    p = np.array([1e-30, 1e-3, 0.05, 0.5, 0.9])
    d = special.smirnovi(n, p)
    assert np.allclose(scipy.special.smirnov(n, d), p, rtol=1e-12, atol=0)
    assert special.smirnovi(n, 0.0) == 1
    assert special.smirnovi(n, 1.0) == 0


def test_second_derivative_on_the_complement():
    """Small nd: the terms of the complement, which cancel."""
    n, d = 1000, 3.2e-3
    with mp.workdps(60):
        truth = -mpmath.diff(lambda t: complement(n, t), d, 2, h=mpmath.mpf(10) ** -20)
    found = jax.grad(jax.grad(special.smirnov, argnums=1), argnums=1)(n, d)
    assert abs(float(found) / truth - 1) < 1e-12


def test_no_number_of_observations_takes_long():
    n = np.array([2**31 - 1, 10**12, 2**62, 2**62, 10**7])
    d = np.array([0.5, 0.999, 1e-9, 0.3, 0.02])
    for backend in ("device", None):
        with jaxsci.use_backend(backend):
            value, slope = jax.jvp(lambda d: special.smirnov(n, d), (d,), (np.ones(5),))
            quantile, inner = jax.jvp(lambda p: special.smirnovi(n, p), (d,), (np.ones(5),))
        nothing = np.array([0, 1, 3, 4])
        assert np.all((value[nothing] == 0) & (slope[nothing] == 0))
        assert np.isclose(value[2], np.exp(-2 * 2.0**62 * 1e-18), rtol=1e-8)
        assert np.all((quantile > 0) & (inner < 0))


def test_products_that_round_to_an_integer():
    """Of n d, which is above an integer by less than a rounding."""
    n = np.array([9e12, 9e13])
    d = np.sqrt(1 / n)
    with jaxsci.use_backend("device"):
        found = special.smirnov(n, d)
    np.testing.assert_allclose(found, np.exp(-2 - 2 * d / 3), rtol=1e-12)


def test_slopes_of_more_terms_than_eleven():
    """Next to where the complement's terms cancel as much as all others: see open questions."""
    for n, d in ((10**9, 1.15e-8), (10**9, 1.35e-8)):
        with mp.workdps(60):
            slope = -mpmath.diff(lambda t, n=n: complement(n, t), d, h=mpmath.mpf(10) ** -25)
        found = jax.grad(special.smirnov, argnums=1)(n, d)
        assert abs(float(found) / slope - 1) < 1e-8


def test_high_derivatives_have_all_their_terms():
    """Of order k they treat k + 4 terms one by one, with binomials of their own."""
    n, d, k = np.array([40]), np.array([0.4]), 9
    with mp.workdps(120):
        truth = -mpmath.diff(lambda t: complement(40, t), d[0], k, h=mpmath.mpf(10) ** -10)
    found = jax.jit(lambda n, d: smirnov_sums.derivative(n, d, k=k))(n, d)
    assert abs(float(found[0]) / truth - 1) < 1e-9
