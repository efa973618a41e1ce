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
        nothing = np.array([0, 1, 3, 4])
        assert np.all((value[nothing] == 0) & (slope[nothing] == 0))
        assert np.isclose(value[2], np.exp(-2 * 2.0**62 * 1e-18), rtol=1e-8)


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
