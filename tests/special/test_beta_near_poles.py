"""Derivatives of the beta function and its kin where poles of gamma functions meet."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.038)

STEP = mpmath.mpf(10) ** -40


def pushed(f, x):
    return jax.jvp(f, (x,), (jnp.ones_like(x),))[1]


def poch(z, m):
    return mpmath.gammaprod([z + m], [z])


def truth(f, point, orders):
    with mpmath.workdps(150):
        return float(mpmath.diff(f, point, orders, h=STEP))


SMALL = (
    (6.25, -1.3e-13),
    (7.7e-9, 1.27e-4),
    (1e-3, 1e-3),
    (0.2, 0.25),
    (0.1, -0.2),
    (1e-3, 100.0),
    (0.3, 1e-3),
    (3.0, 4.0),
    (1e-5, 1e5),
    (-1.5, 1e-7),
    (2.0, -1e-9),
)


def test_mixed_derivative_of_beta_for_small_shapes():
    a, b = map(jnp.array, zip(*SMALL, strict=True))
    expected = [truth(mpmath.beta, point, (1, 1)) for point in SMALL]
    for x, y in ((a, b), (b, a)):
        found = jax.jit(lambda x, y: pushed(lambda y: pushed(lambda x: sp.beta(x, y), x), y))(x, y)
        np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_third_derivatives_of_beta_for_small_shapes():
    points = (1e-3, 2e-3), (0.5, 1e-6), (2.5, 3e-4)
    a, b = map(jnp.array, zip(*points, strict=True))

    def third(a, b):
        twice = lambda a, b: pushed(lambda a: pushed(lambda a: sp.beta(a, b), a), a)  # noqa: E731
        return pushed(lambda b: twice(a, b), b)

    expected = [truth(mpmath.beta, point, (2, 1)) for point in points]
    np.testing.assert_allclose(jax.jit(third)(a, b), expected, rtol=1e-9)


@pytest.mark.parametrize(("z", "m"), [(9.3e-10, -19.0), (1e-6, -3.0), (-5 + 2.0**-30, 3.0)])
def test_quotients_of_two_poles_keep_their_digits(z, m):
    """Gamma(z + m)/Gamma(z) is a polynomial, or one over one, of z at whole m."""
    first = jax.grad(sp.poch)(z, m)
    np.testing.assert_allclose(first, truth(poch, (z, m), (1, 0)), rtol=1e-12)
    second = jax.grad(jax.grad(sp.poch))(z, m)
    np.testing.assert_allclose(second, truth(poch, (z, m), (2, 0)), rtol=1e-10)


@pytest.mark.parametrize(
    ("x", "y"), [(-2.99999, 40.0), (-5 + 2.0**-30, 3.0), (-1.01, 10.0), (-3 - 1e-9, 7.0)]
)
def test_binomial_coefficients_next_to_negative_integers_keep_their_digits(x, y):
    """They are polynomials of x at whole y."""
    first, second = jax.grad(sp.binom), jax.grad(jax.grad(sp.binom))
    np.testing.assert_allclose(first(x, y), truth(mpmath.binomial, (x, y), (1, 0)), rtol=1e-12)
    np.testing.assert_allclose(second(x, y), truth(mpmath.binomial, (x, y), (2, 0)), rtol=1e-12)


def test_slope_of_beta_where_three_poles_meet():
    """Gamma(a) and Gamma(a + b) have poles at equal distances."""
    a, b = -5 + 2.0**-30, 3.0
    found = jax.grad(sp.beta)(a, b)
    np.testing.assert_allclose(found, truth(mpmath.beta, (a, b), (1, 0)), rtol=1e-12)


@pytest.mark.parametrize("mode", [jax.jacfwd, jax.jacrev])
def test_derivatives_of_hurwitz_zeta_are_nan_as_its_values(mode):
    for x in (0.0, 1e-8, 0.75):
        assert np.isnan(sp.zeta(x, 2.5))
        for argnums in (0, 1):
            first = mode(sp.zeta, argnums)
            assert np.isnan(first(x, 2.5))
            for again in (0, 1):
                assert np.isnan(mode(first, again)(x, 2.5))
