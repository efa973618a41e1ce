"""Derivatives of Kelvin functions of every order, against mpmath's Bessel functions."""

from __future__ import annotations

import jax
import mpmath
import numpy as np
import pytest
from identities import along
from mpmath import mp
from rotation import one_by_the_draw

from jaxsci import special as sp

POINTS = np.array([-9.0, -0.5, 1e-6, 1e-3, 0.3, 0.99, 1.01, 3.7, 7.9, 8.1, 14.0, 200.0])
DECAYING = POINTS[POINTS > 0]


def _truth(x, n, decaying):
    """The n-th derivative of I_0 or K_0 at x exp(pi i/4) (DLMF 10.61.1, 10.61.2, 10.29.5)."""
    with mp.workdps(40):
        function = mpmath.besselk if decaying else mpmath.besseli
        z = x * mp.expjpi(0.25)
        terms = (mpmath.binomial(n, k) * function(n - 2 * k, z) for k in range(n + 1))
        sign = -1 if decaying and n % 2 else 1
        return sign * mp.expjpi(mp.mpf(n) / 4) / mp.mpf(2) ** n * mp.fsum(terms)


@pytest.mark.parametrize("name", one_by_the_draw(["ber", "bei", "ker", "kei"], "kelvin"))
def test_derivatives_are_those_of_bessel_functions(name):
    decaying = name.startswith("k")
    points = DECAYING if decaying else POINTS
    derivatives, f = [], getattr(sp, name)
    for _ in range(4):
        f = along(f, 0)
        derivatives.append(f)
    rows = jax.jit(lambda x: [f(x) for f in derivatives])(points)
    for n, row in enumerate(rows, 1):
        for found, x in zip(row, points, strict=True):
            both = _truth(mp.mpf(x), n, decaying)
            truth = both.imag if name.endswith("ei") else both.real
            # Beyond 1 the parts oscillate, and a rounding of x changes the phase.
            size = float(abs(both)) if abs(x) > 1 else float(abs(truth))
            assert abs(float(found) - float(truth)) <= (2e-14 + 1e-15 * abs(x)) * size, (n, x)


@pytest.mark.parametrize("name", one_by_the_draw(["ker", "kei", "kerp", "keip"], "not real"))
def test_no_derivative_where_the_function_is_not_real(name):
    f = along(getattr(sp, name), 0)
    assert np.isnan(f(-2.0))
    assert np.isnan(along(f, 0)(-2.0))


@pytest.mark.rotating(0.1)
def test_kelvin_has_the_derivatives_of_its_parts():
    x = np.array([0.5, 3.0, 20.0])
    slopes = along(sp.kelvin, 0)(x)
    for found, real, imag in zip(
        slopes, (sp.ber, sp.ker, sp.berp, sp.kerp), (sp.bei, sp.kei, sp.beip, sp.keip), strict=True
    ):
        np.testing.assert_array_equal(found.real, along(real, 0)(x))
        np.testing.assert_array_equal(found.imag, along(imag, 0)(x))
