"""Legendre functions, spherical and ellipsoidal harmonics: identities, poles and endpoints."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, N, assert_zero_sum, curvature, integers, reals, slope

import jaxsci.special as sp

pytestmark = pytest.mark.rotating(0.022)

DEGREES = integers(0, 25)
ORDERS = integers(-8, 8)
CUT = reals(-0.97, 0.97)
ANGLES = reals(0.03, 3.1)


def legendre(n, z):
    return sp.legendre_p(n, z)[0]


def associated(n, m, z):
    return sp.assoc_legendre_p(n, m, z)[0]


def normalised(n, m, z):
    return sp.assoc_legendre_p(n, m, z, norm=True)[0]


def polar(n, m, theta):
    return sp.sph_legendre_p(n, m, theta)[0]


def harmonic(n, m, theta, phi):
    return sp.sph_harm_y(n, m, theta, phi)


# -- of the first kind -----------------------------------------------------------------------------


def legendre_equation(f, slope, curvature, n, m, z):
    """DLMF 14.2.2, times 1 - z^2."""
    q = 1 - z * z
    return [q * q * curvature, -2 * z * q * slope, (n * (n + 1) * q - m * m) * f]


def ratio_of_signs(n, m, z):
    """DLMF 14.9.3."""
    known = abs(m) <= n
    j = jnp.arange(-20.0, 21.0)[:, None]
    between = (jnp.abs(j - 0.5) < abs(m)) & known
    product = jnp.prod(jnp.where(between, n + j, 1.0), 0)
    sign = jnp.where(m % 2 == 0, 1, -1)
    up, down = associated(n, abs(m), z), associated(n, -abs(m), z)
    return [up, -sign * product * down]


OF_DEGREE_ORDER_AND_ARGUMENT = {
    "the differential equation": lambda n, m, z: legendre_equation(
        associated(n, m, z), slope(associated, n, m)(z), curvature(associated, n, m)(z), n, m, z
    ),
    "the normalised one's": lambda n, m, z: legendre_equation(
        normalised(n, m, z), slope(normalised, n, m)(z), curvature(normalised, n, m)(z), n, m, z
    ),
    "diff_n and JAX's derivative": lambda n, m, z: [
        sp.assoc_legendre_p(n, m, z, diff_n=1)[1],
        -slope(associated, n, m)(z),
    ],
    "derivative of diff_n": lambda n, m, z: [
        slope(lambda z: sp.assoc_legendre_p(n, m, z, diff_n=2)[1])(z),
        -curvature(associated, n, m)(z),
    ],
    "orders of both signs": ratio_of_signs,
    "neighbours in degree": lambda n, m, z: [
        (n - m + 1) * associated(n + 1, m, z),
        -(2 * n + 1) * z * associated(n, m, z),
        jnp.where(n > 0, (n + m) * associated(jnp.abs(n - 1), m, z), 0),
        # Where |m| > n SciPy's functions are zero, and the recurrence ends.
        jnp.where(n + 1 == abs(m), -(n - m + 1) * associated(n + 1, m, z), 0),
    ],
    "the function of an angle": lambda n, m, z: [
        jnp.sqrt(2 * jnp.pi) * polar(n, m, jnp.arccos(z)),
        -normalised(n, m, z),
        # The cosine's rounding moves zeros: errors are to be small beside the functions' size.
        jnp.sqrt(n + 0.5),
        -jnp.sqrt(n + 0.5),
    ],
}


@pytest.mark.parametrize("name", OF_DEGREE_ORDER_AND_ARGUMENT)
@PROFILE
@given(n=DEGREES, m=ORDERS, z=CUT)
def test_first_kind_on_the_cut(name, n, m, z):
    assert_zero_sum(OF_DEGREE_ORDER_AND_ARGUMENT[name], n, m, z)


def of_both_cuts(n, m, x, y):
    """DLMF 14.23.4 above the real axis: one is the other's multiple by a power of i."""
    z = x + 1j * y
    beyond = sp.assoc_legendre_p(n, m, z, branch_cut=3)[0]
    return [beyond, -((-1j) ** m) * associated(n, m, z)]


def slopes_of_both_cuts(n, m, x, y):
    z = x + 1j * y
    beyond = slope(lambda z: sp.assoc_legendre_p(n, m, z, branch_cut=3)[0])(z)
    return [beyond, -((-1j) ** m) * slope(associated, n, m)(z)]


@pytest.mark.parametrize("identity", [of_both_cuts, slopes_of_both_cuts])
@PROFILE
@given(n=DEGREES, m=ORDERS, x=reals(-2, 2), y=reals(0.05, 2))
def test_branch_cuts_agree_above_the_axis(identity, n, m, x, y):
    assert_zero_sum(identity, n, m, x, y)


# -- on the sphere ---------------------------------------------------------------------------------


def laplacian(n, m, theta, phi):
    y = harmonic(n, m, theta, phi)
    sine, cosine = jnp.sin(theta), jnp.cos(theta)
    along = jax.jvp(lambda t: harmonic(n, m, t, phi), (theta,), (jnp.ones_like(theta),))[1]
    twice = curvature(lambda t: harmonic(n, m, t, phi))(theta)
    around = curvature(lambda t: harmonic(n, m, theta, t))(phi)
    return [sine**2 * twice, sine * cosine * along, around, n * (n + 1) * sine**2 * y]


def gradient(n, m, theta, phi):
    _, given = sp.sph_harm_y(n, m, theta, phi, diff_n=1)
    along = slope(lambda t: harmonic(n, m, t, phi))(theta)
    around = slope(lambda t: harmonic(n, m, theta, t))(phi)
    return [given[..., 0] + 2 * given[..., 1], -along, -2 * around]


def hessian(n, m, theta, phi):
    given = sp.sph_harm_y(n, m, theta, phi, diff_n=2)[2]

    def along(phi):
        return slope(lambda t: harmonic(n, m, t, phi))(theta)

    return [given[..., 0, 1] + 2 * given[..., 1, 0], -3 * slope(along)(phi)]


ON_THE_SPHERE = {
    "Laplace's equation": laplacian,
    "the gradient": gradient,
    "the Hessian": hessian,
    "conjugate": lambda n, m, theta, phi: [
        jnp.conj(harmonic(n, m, theta, phi)),
        -jnp.where(m % 2 == 0, 1, -1) * harmonic(n, -m, theta, phi),
    ],
    "a sum over orders": lambda n, m, theta, phi: [
        jnp.sum(jnp.abs(sp.sph_harm_y_all(5, 5, theta, phi)[5]) ** 2, 0),
        -11 / (4 * jnp.pi) * jnp.ones_like(theta),
    ],
    "all and one": lambda n, m, theta, phi: [
        sp.sph_harm_y_all(25, 8, theta, phi)[n, m, jnp.arange(N)],
        -harmonic(n, m, theta, phi),
    ],
}


@pytest.mark.parametrize("name", ON_THE_SPHERE)
@PROFILE
@given(n=DEGREES, m=ORDERS, theta=ANGLES, phi=reals(-3, 6))
def test_spherical_harmonics(name, n, m, theta, phi):
    assert_zero_sum(ON_THE_SPHERE[name], n, m, theta, phi)


@PROFILE
@given(n=DEGREES, m=ORDERS, theta=ANGLES)
def test_beyond_the_poles_functions_of_an_angle_are_mirrored(n, m, theta):
    def of_slopes(n, m, theta):
        f = slope(polar, n, m)
        return [f(theta) + 2 * f(theta), f(-theta), 2 * f(2 * jnp.pi - theta)]

    values = np.asarray(polar(n, m, theta))
    np.testing.assert_allclose(polar(n, m, -theta), values, rtol=1e-12, atol=1e-12)
    assert_zero_sum(of_slopes, n, m, theta)


# -- endpoints -------------------------------------------------------------------------------------


@PROFILE
@given(n=integers(2, 30))
def test_slopes_at_the_endpoints(n):
    """P_n^2 is (1 - z^2) P_n'', and P_n''(1) = (n-1) n (n+1) (n+2)/8 (DLMF 18.9.19, 18.6.1)."""

    def at_one(n):
        second = slope(associated, n, 2 + 0 * n)(jnp.ones(N))
        return [second, (n - 1) * n * (n + 1) * (n + 2) / 4.0]

    def at_minus_one(n):
        second = slope(associated, n, 2 + 0 * n)(-jnp.ones(N))
        return [second, jnp.where(n % 2 == 0, -1, 1) * (n - 1) * n * (n + 1) * (n + 2) / 4.0]

    assert_zero_sum(at_one, n)
    assert_zero_sum(at_minus_one, n)


@PROFILE
@given(v=reals(2, 30))
def test_slopes_at_one_for_real_degrees(v):
    def at_one(v):
        slopes = [jax.vmap(jax.grad(sp.lpmv, 2), (None, 0, None))(m, v, 1.0) for m in (2, -2)]
        size = (v - 1) * v * (v + 1) * (v + 2)
        return [slopes[0] + size * slopes[1], size / 4, size / 4]

    assert_zero_sum(at_one, v)


def test_slopes_that_are_infinite_at_the_endpoints():
    def associated_slope(m, z):
        return float(jax.grad(lambda z: associated(4, m, z))(z))

    assert associated_slope(1, 1.0) == np.inf
    assert associated_slope(1, -1.0) == np.inf
    assert associated_slope(-1, 1.0) == -np.inf
    assert associated_slope(3, 1.0) == 0
    assert float(jax.grad(sp.lpmv, 2)(1, 2.5, 1.0)) == np.inf
    assert float(jax.grad(sp.lpmv, 2)(0, 2.5, 1.0)) == 2.5 * 3.5 / 2


# -- real degree -----------------------------------------------------------------------------------

OF_REAL_DEGREE = {
    "the differential equation": lambda m, v, x: legendre_equation(
        sp.lpmv(m, v, x), slope(sp.lpmv, m, v)(x), curvature(sp.lpmv, m, v)(x), v, m, x
    ),
    "neighbours in degree": lambda m, v, x: [
        (v - m + 1) * sp.lpmv(m, v + 1, x),
        -(2 * v + 1) * x * sp.lpmv(m, v, x),
        (v + m) * sp.lpmv(m, v - 1, x),
    ],
}


@pytest.mark.parametrize("name", OF_REAL_DEGREE)
@PROFILE
@given(m=integers(-4, 4), v=reals(5.1, 5.9), x=CUT)
def test_real_degree(name, m, v, x):
    assert_zero_sum(OF_REAL_DEGREE[name], m, v, x)


# -- of the second kind ----------------------------------------------------------------------------


def wronskian(x):
    """DLMF 14.2.10."""
    q, slope_of_q = (y[6] for y in sp.lqn(6, x))
    p, slope_of_p = sp.legendre_p_all(6, x, diff_n=1)[:, 6]
    return [(1 - x * x) * p * slope_of_q, -(1 - x * x) * q * slope_of_p, -jnp.ones_like(x)]


def of_second_kind(x):
    def q(x):
        return sp.lqmn(2, 4, x)[0][2, 4]

    return legendre_equation(q(x), slope(q)(x), curvature(q)(x), 4, 2, x)


def slope_of_second_kind(x):
    return [sp.lqmn(2, 4, x)[1][2, 4], -slope(lambda x: sp.lqmn(2, 4, x)[0][2, 4])(x)]


@pytest.mark.parametrize("identity", [wronskian, of_second_kind, slope_of_second_kind])
@PROFILE
@given(x=reals(0.03, 0.97), far=reals(1.15, 8))
def test_second_kind(identity, x, far):
    assert_zero_sum(identity, x)
    if identity is not wronskian:  # in which P and Q are of very different size there
        assert_zero_sum(identity, far)


# -- ellipsoidal harmonics -------------------------------------------------------------------------

H2, K2 = 2.0, 9.0


def lame_operator(f, n, s):
    """Lame's equation without its eigenvalue (DLMF 29.2.2)."""
    h, k = s * s - H2, s * s - K2
    return h * k * curvature(f)(s) + s * (h + k) * slope(f)(s) - n * (n + 1) * s * s * f(s)


def of_two_points(n, p, s, t):
    def f(s):
        return sp.ellip_harm(H2, K2, n, p, s)

    return [lame_operator(f, n, s) * f(t), -lame_operator(f, n, t) * f(s)]


def of_two_kinds(n, p, s, t):
    def first(s):
        return sp.ellip_harm(H2, K2, n, p, s)

    def second(s):
        return sp.ellip_harm_2(H2, K2, n, p, s)

    return [lame_operator(first, n, s) * second(s), -lame_operator(second, n, s) * first(s)]


@pytest.mark.parametrize("identity", [of_two_points, of_two_kinds])
@PROFILE
@given(n=integers(3, 6), p=integers(1, 7), s=reals(3.1, 8), t=reals(3.1, 8))
def test_ellipsoidal_harmonics_solve_lames_equation(identity, n, p, s, t):
    assert_zero_sum(identity, n, p, s, t)
