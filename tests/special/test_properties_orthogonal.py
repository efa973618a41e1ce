"""Identities of the orthogonal polynomials: recurrences, equations, symmetries, quadrature."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from identities import PROFILE, assert_zero_sum, curvature, in_the_plane, integers, reals, slope

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)

WHOLE = integers(1, 40)
BETWEEN = reals(1, 5)
INTERVAL = reals(0.01, 0.95)
PLANE = in_the_plane(1.5, 4)
PARAMETERS = reals(0.1, 4)


def same(f, g):
    """Two functions are equal; two equal terms for a scale, where they may be at a zero."""
    return lambda n, x: [f(n, x), -g(n, x), 1 + 0 * x, -1 + 0 * x]


def jacobi_equation(f, a, b):
    """DLMF 18.8.1: (1 - x^2) y'' + (b - a - (a + b + 2) x) y' + n (n + a + b + 1) y = 0."""
    return lambda n, x: [
        (1 - x**2) * curvature(f, n)(x),
        (b - a - (a + b + 2) * x) * slope(f, n)(x),
        n * (n + a + b + 1) * f(n, x),
    ]


def recurrence(f, up, down):
    """f_{n+1} = up(n) x f_n - down(n) f_{n-1} (DLMF 18.9.1)."""
    return lambda n, x: [f(n + 1, x), -up(n) * x * f(n, x), down(n) * f(n - 1, x)]


OF_DEGREE_AND_ARGUMENT = {
    "equation of legendre": jacobi_equation(sp.eval_legendre, 0.0, 0.0),
    "equation of chebyt": jacobi_equation(sp.eval_chebyt, -0.5, -0.5),
    "equation of chebyu": jacobi_equation(sp.eval_chebyu, 0.5, 0.5),
    "equation of gegenbauer": jacobi_equation(
        lambda n, x: sp.eval_gegenbauer(n, 1.75, x), 1.25, 1.25
    ),
    "equation of jacobi": jacobi_equation(lambda n, x: sp.eval_jacobi(n, 0.5, 1.5, x), 0.5, 1.5),
    "recurrence of legendre": recurrence(
        sp.eval_legendre, lambda n: (2 * n + 1) / (n + 1), lambda n: n / (n + 1)
    ),
    "recurrence of chebyt": recurrence(sp.eval_chebyt, lambda n: 2, lambda n: 1),
    "recurrence of chebyc": recurrence(sp.eval_chebyc, lambda n: 1, lambda n: 1),
    "chebyc is chebyt": same(
        lambda n, x: sp.eval_chebyc(n, 2 * x), lambda n, x: 2 * sp.eval_chebyt(n, x)
    ),
    "chebys is chebyu": same(lambda n, x: sp.eval_chebys(n, 2 * x), sp.eval_chebyu),
    "Pell's equation": lambda n, x: [
        sp.eval_chebyt(n, x) ** 2,
        (1 - x**2) * sp.eval_chebyu(n - 1, x) ** 2,
        -1 + 0 * x,
    ],
    "derivative of shifted legendre": lambda n, x: [
        slope(sp.eval_sh_legendre, n)((1 + x) / 2),
        -2 * slope(sp.eval_legendre, n)(x),
        n * (n + 1) + 0 * x,
        -n * (n + 1) + 0 * x,
    ],
}
OF_WHOLE_DEGREE = {
    "chebyt of -n": same(lambda n, x: sp.eval_chebyt(-n, x), sp.eval_chebyt),
    "legendre of -n - 1": same(lambda n, x: sp.eval_legendre(-n - 1, x), sp.eval_legendre),
    "legendre of -x": lambda n, x: [
        slope(sp.eval_legendre, n)(-x),
        jnp.where(n % 2 == 0, 1, -1) * slope(sp.eval_legendre, n)(x),
        n * (n + 1) + 0 * x,
        -n * (n + 1) + 0 * x,
    ],
    "equation of laguerre": lambda n, x: [
        20 * (1 + x) * curvature(sp.eval_genlaguerre, n, 0.5)(20 * (1 + x)),
        (1.5 - 20 * (1 + x)) * slope(sp.eval_genlaguerre, n, 0.5)(20 * (1 + x)),
        n * sp.eval_genlaguerre(n, 0.5, 20 * (1 + x)),
    ],
    "assoc_laguerre is genlaguerre": same(
        lambda n, x: sp.assoc_laguerre(x, n, 0.5), lambda n, x: sp.eval_genlaguerre(n, 0.5, x)
    ),
    "equation of hermite": lambda n, x: [
        curvature(sp.eval_hermite, n)(x),
        -2 * x * slope(sp.eval_hermite, n)(x),
        2 * n * sp.eval_hermite(n, x),
    ],
    "equation of hermitenorm": lambda n, x: [
        curvature(sp.eval_hermitenorm, n)(x),
        -x * slope(sp.eval_hermitenorm, n)(x),
        n * sp.eval_hermitenorm(n, x),
    ],
    "hermite is hermitenorm": lambda n, x: [
        sp.eval_hermite(n, x),
        -(2 ** (n / 2)) * sp.eval_hermitenorm(n, jnp.sqrt(2.0) * x),
        2 ** (n / 2) * sp.eval_hermitenorm(n + 1, 1 + x * 0),
        -(2 ** (n / 2)) * sp.eval_hermitenorm(n + 1, 1 + x * 0),
    ],
}


def each(identities):
    return pytest.mark.parametrize("identity", identities.values(), ids=list(identities))


@each(OF_DEGREE_AND_ARGUMENT)
@PROFILE
@given(n=WHOLE, x=INTERVAL)
def test_identity_of_whole_degree(identity, n, x):
    assert_zero_sum(identity, n, x)


@each(OF_DEGREE_AND_ARGUMENT)
@PROFILE
@given(n=BETWEEN, x=INTERVAL)
def test_identity_of_real_degree(identity, n, x):
    assert_zero_sum(identity, n, x)


@each(OF_DEGREE_AND_ARGUMENT)
@PROFILE
@given(n=integers(1, 8), x=PLANE)
def test_identity_in_the_plane(identity, n, x):
    assert_zero_sum(identity, n, x)


@each(OF_WHOLE_DEGREE)
@PROFILE
@given(n=WHOLE, x=INTERVAL)
def test_identity_of_a_polynomial(identity, n, x):
    assert_zero_sum(identity, n, x)


# -- quadrature ------------------------------------------------------------------------------------


def moment(a, b):
    nodes, weights = sp.roots_jacobi(6, a, b)
    return jnp.sum(weights * ((1 + nodes) / 2) ** 11)


def eulers_integral(a, b):
    gammaln = jax.scipy.special.gammaln
    log = gammaln(a + 1) + gammaln(b + 12) - gammaln(a + b + 13)
    return jnp.exp(log + (a + b + 1) * jnp.log(2.0))


WITH_GRADIENT = [jax.jit(jax.value_and_grad(f, (0, 1))) for f in (moment, eulers_integral)]


@PROFILE
@given(a=st.floats(-0.9, 4), b=st.floats(-0.9, 4))
def test_quadrature_integrates_polynomials_and_so_do_its_derivatives(a, b):
    found, truth = (jax.tree.leaves(f(a, b)) for f in WITH_GRADIENT)
    np.testing.assert_allclose(found, truth, rtol=1e-11)


@PROFILE
@given(a=st.floats(-0.4, 4))
def test_jacobi_quadrature_of_equal_parameters_is_gegenbauers(a):
    for one, two in zip(sp.roots_jacobi(5, a, a), sp.roots_gegenbauer(5, a + 0.5), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-15)


@PROFILE
@given(a=st.floats(-0.9, 4), b=st.floats(-0.9, 4), x=st.floats(-1, 1))
def test_coefficients_are_the_polynomials(a, b, x):
    for coefficients, value in (
        (sp.jacobi(5, a, b), sp.eval_jacobi(5, a, b, x)),
        (sp.genlaguerre(5, a), sp.eval_genlaguerre(5, a, x)),
        (sp.gegenbauer(5, a + 0.5), sp.eval_gegenbauer(5, a + 0.5, x)),
        (sp.sh_jacobi(5, a + b + 1, b + 1), sp.eval_sh_jacobi(5, a + b + 1, b + 1, x)),
    ):
        scale = jnp.sum(jnp.abs(coefficients))
        np.testing.assert_allclose(jnp.polyval(coefficients, x) / scale, value / scale, atol=1e-14)
