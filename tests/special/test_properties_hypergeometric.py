"""Identities of hypergeometric functions, zeta functions, Lambert's W: DLMF 4.13, 13, 15, 25."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from identities import PROFILE, assert_zero_sum, curvature, in_the_plane, integers, reals, slope

import jaxsci
from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)

OF_CONFLUENT = {
    # DLMF 13.2.1
    **{
        f"equation of {f.__name__}": lambda a, b, z, f=f: [
            z * curvature(f, a, b)(z),
            (b - z) * slope(f, a, b)(z),
            -a * f(a, b, z),
        ]
        for f in (sp.hyp1f1,)
    },
    # DLMF 13.2.39
    "Kummer's transformation": lambda a, b, z: [
        sp.hyp1f1(a, b, z),
        -jnp.exp(z) * sp.hyp1f1(b - a, b, -z),
        1e-4 * jnp.exp(jnp.abs(z)),
        -1e-4 * jnp.exp(jnp.abs(z)),
    ],
    # DLMF 16.3.1
    "equation of hyp0f1": lambda a, b, z: [
        z * curvature(sp.hyp0f1, b)(z),
        b * slope(sp.hyp0f1, b)(z),
        -sp.hyp0f1(b, z),
    ],
}

OF_GAUSS = {
    # DLMF 15.10.1
    "equation of hyp2f1": lambda a, b, c, z: [
        z * (1 - z) * curvature(sp.hyp2f1, a, b, c)(z),
        (c - (a + b + 1) * z) * slope(sp.hyp2f1, a, b, c)(z),
        -a * b * sp.hyp2f1(a, b, c, z),
    ],
    "symmetry of hyp2f1": lambda a, b, c, z: [
        slope(sp.hyp2f1, a, b, c)(z),
        -slope(sp.hyp2f1, b, a, c)(z),
        a * b / c + 0 * z,
        -a * b / c + 0 * z,
    ],
}

OF_COMPLEX = {
    # DLMF 25.12.3 is of the same kind; this is 25.12.6 for 1 - z.
    "reflection of spence": lambda z: [
        slope(sp.spence)(z),
        slope(lambda z: sp.spence(1 - z))(z),
        slope(lambda z: jnp.log(z) * jnp.log(1 - z))(z),
    ],
    "conjugate of spence": lambda z: [sp.spence(jnp.conj(z)), -jnp.conj(sp.spence(z))],
    "definition of wrightomega": lambda z: [
        slope(sp.wrightomega)(z),
        slope(lambda z: jnp.log(sp.wrightomega(z)))(z),
        -1 + 0 * z,
    ],
}


@pytest.mark.parametrize("name", OF_CONFLUENT)
@PROFILE
@given(a=reals(0.5, 8), b=reals(0.5, 8), z=in_the_plane(0.1, 8))
def test_confluent_functions(name, a, b, z):
    assert_zero_sum(OF_CONFLUENT[name], a, b, z)


@pytest.mark.parametrize("name", OF_GAUSS)
@PROFILE
@given(a=reals(0.5, 3), b=reals(0.5, 3), c=reals(0.5, 6), z=reals(-0.9, 0.9))
def test_gauss_function(name, a, b, c, z):
    assert_zero_sum(OF_GAUSS[name], a, b, c, z)


def equation_of_hyperu(a, b, x):
    """DLMF 13.2.1, differentiated once: SciPy's own value has fewer digits than its derivatives."""
    first = slope(sp.hyperu, a, b)
    return [x * slope(slope(first))(x), (b + 1 - x) * slope(first)(x), -(a + 1) * first(x)]


@PROFILE
@given(a=reals(0.5, 5), b=reals(-2, 5), x=reals(0.1, 10))
def test_equation_of_hyperu(a, b, x):
    assert_zero_sum(equation_of_hyperu, a, b, x)


@pytest.mark.parametrize("name", OF_COMPLEX)
@PROFILE
@given(z=in_the_plane(0.1, 0.9))
def test_complex_argument(name, z):
    assert_zero_sum(OF_COMPLEX[name], z)


def inverse(z, k):
    return [slope(lambda z: sp.lambertw(z, k) * jnp.exp(sp.lambertw(z, k)))(z), -1 + 0 * z]


@PROFILE
@given(z=in_the_plane(0.5, 20), k=integers(-3, 3))
def test_lambertw_is_an_inverse(z, k):
    assert_zero_sum(inverse, z, k)


def step_of_zeta(x, q):
    """DLMF 25.11.3, differentiated in q."""
    return [slope(sp.zeta, x)(q), -slope(sp.zeta, x)(q + 1), x * q ** (-x - 1)]


@PROFILE
@given(x=reals(1.5, 20), q=reals(0.1, 30))
def test_hurwitz_zeta_steps_by_one_term(x, q):
    assert_zero_sum(step_of_zeta, x, q)


# -- Riemann's zeta function: zeta without q -------------------------------------------------------


@pytest.mark.parametrize("kind", [float, complex])
def test_zeta_of_one_argument_is_scipys(kind):
    x = np.array([0.0, 2.0, -3.5, 0.5, 30.0, np.inf, np.nan]).astype(kind)
    if kind is complex:
        x = x + 1j * np.array([0, 1, -2, 14.134725, 3, 0, 0])
    with np.errstate(all="ignore"):
        truth = scipy.special.zeta(x)
    for found in (sp.zeta(x), sp.zeta(x, None), sp.zeta(x, q=None), jax.jit(sp.zeta)(x)):
        np.testing.assert_array_equal(found, truth)
    np.testing.assert_array_equal(jax.vmap(sp.zeta)(x), truth)
    assert sp.zeta(jnp.float32(3)).dtype == jnp.float32


def test_zeta_of_complex_exponent_takes_no_second_argument():
    with pytest.raises(TypeError, match=r"^zeta: argument 'x' takes real numbers"):
        sp.zeta(2 + 1j, 0.5)


# -- points at which a difference cannot be taken --------------------------------------------------


def test_spence_at_one():
    assert jax.grad(sp.spence)(1.0) == -1
    assert jax.grad(jax.grad(sp.spence))(1.0) == 0.5


def test_functions_that_do_not_return_in_scipy_are_not_called():
    assert np.isnan(sp.hyp1f1(2.5, 3.0, 1e300))
    assert np.isnan(sp.hyp1f1(-1e9, 0.5, -10 + 1j))
    assert np.isnan(sp.hyp2f1(-1e12, 2.44, 2.99, 0.02 + 37j))
    assert np.isnan(sp.hyperu(7.0, 5e8, 0.4))
    with jaxsci.use_backend("callback"):
        assert np.isnan(sp.hyp1f1(2.5, 3.0, jnp.inf))
