"""Identities of elliptic integrals and functions, DLMF 19, 22."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, reals, slope

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)


def homogeneous(f, degree):
    """f(t x, t y, ...) = t^degree f(x, y, ...)."""
    return lambda t, *args: [f(*(t * x for x in args)), -(t**degree) * f(*args)]


def euler(f, degree):
    """The sum of x df/dx over all arguments is degree f (DLMF 19.18.9)."""

    def terms(_, *args):
        slopes = [
            x
            * jax.jvp(lambda y, i=i: f(*args[:i], y, *args[i + 1 :]), (x,), (jnp.ones_like(x),))[1]
            for i, x in enumerate(args)
        ]
        return [*slopes, -degree * f(*args)]

    return terms


def symmetric(f):
    """Any of the first two arguments may come first."""
    return lambda t, x, y, *rest: [f(x, y, *rest), -f(y, x, *rest)]


OF_POSITIVE = {
    "elliprf": (lambda t, x, y, z: homogeneous(sp.elliprf, -0.5)(t, x, y, z)),
    "elliprd": (lambda t, x, y, z: homogeneous(sp.elliprd, -1.5)(t, x, y, z)),
    "elliprg": (lambda t, x, y, z: homogeneous(sp.elliprg, 0.5)(t, x, y, z)),
    "elliprj": (lambda t, x, y, z: homogeneous(sp.elliprj, -1.5)(t, x, y, z, x + y)),
    "Euler of elliprf": euler(sp.elliprf, -0.5),
    "Euler of elliprd": euler(sp.elliprd, -1.5),
    "Euler of elliprg": euler(sp.elliprg, 0.5),
    "Euler of elliprj": lambda t, x, y, z: euler(sp.elliprj, -1.5)(t, x, y, z, t),
    "Euler of elliprc": lambda t, x, y, z: euler(sp.elliprc, -0.5)(t, x, y),
    "Euler of agm": lambda t, x, y, z: euler(sp.agm, 1.0)(t, x, y),
    "symmetry of elliprj": lambda t, x, y, z: symmetric(sp.elliprj)(t, x, y, z, t),
    # DLMF 19.20.8, 19.20.3
    "elliprj of equal arguments": lambda t, x, y, z: [
        sp.elliprj(x, y, z, z),
        -sp.elliprd(x, y, z),
    ],
    "elliprf of equal arguments": lambda t, x, y, z: [sp.elliprf(x, y, y), -sp.elliprc(x, y)],
    # DLMF 19.21.10
    "elliprg by elliprf and elliprd": lambda t, x, y, z: [
        2 * sp.elliprg(x, y, z),
        -z * sp.elliprf(x, y, z),
        (x - z) * (y - z) / 3 * sp.elliprd(x, y, z),
        -jnp.sqrt(x * y / z),
    ],
}

OF_PARAMETER = {
    # DLMF 19.7.1
    "Legendre's relation": lambda m: [
        sp.ellipe(m) * sp.ellipkm1(m),
        sp.ellipe(1 - m) * sp.ellipk(m),
        -sp.ellipk(m) * sp.ellipkm1(m),
        -np.pi / 2 + 0 * m,
    ],
    # DLMF 19.4.1, 19.4.2
    "slope of ellipk": lambda m: [
        2 * m * (1 - m) * slope(sp.ellipk)(m),
        -sp.ellipe(m),
        (1 - m) * sp.ellipk(m),
    ],
    "slope of ellipe": lambda m: [2 * m * slope(sp.ellipe)(m), -sp.ellipe(m), sp.ellipk(m)],
    "ellipkm1": lambda m: [slope(sp.ellipkm1)(1 - m), slope(sp.ellipk)(m)],
    "ellipk by agm": lambda m: [sp.agm(1.0, jnp.sqrt(1 - m)) * sp.ellipk(m), -np.pi / 2 + 0 * m],
}


def sn(u, m):
    return sp.ellipj(u, m)[0]


def both(f, u, m):
    """df/dm of a function of u and m."""
    return jax.jvp(lambda m: f(u, m), (m,), (jnp.ones_like(m),))[1]


OF_ARGUMENT_AND_PARAMETER = {
    "sn^2 + cn^2": lambda u, m: [sp.ellipj(u, m)[0] ** 2, sp.ellipj(u, m)[1] ** 2, -1 + 0 * u],
    "dn^2 + m sn^2": lambda u, m: [
        sp.ellipj(u, m)[2] ** 2,
        m * sp.ellipj(u, m)[0] ** 2,
        -1 + 0 * u,
    ],
    "amplitude is the inverse of ellipkinc": lambda u, m: [
        sp.ellipkinc(sp.ellipj(u, m)[3], m),
        -u,
        0 * u + 1,
        0 * u - 1,
    ],
    # F(ph(u, m), m) = u for all m.
    "slopes of the amplitude and of ellipkinc": lambda u, m: [
        both(lambda u, m: sp.ellipkinc(sp.ellipj(u, m)[3], m), u, m),
        0 * u + 1,
        0 * u - 1,
    ],
    # DLMF 22.13.13
    "equation of sn": lambda u, m: [
        slope(slope(lambda u: sn(u, m)))(u),
        (1 + m) * sn(u, m),
        -2 * m * sn(u, m) ** 3,
    ],
    # DLMF 19.4.4 in another form, by the derivative of E - (1 - m) F.
    "slope of ellipeinc": lambda u, m: [
        2 * m * both(sp.ellipeinc, u, m),
        -sp.ellipeinc(u, m),
        sp.ellipkinc(u, m),
    ],
}


@pytest.mark.parametrize("name", OF_POSITIVE)
@PROFILE
@given(t=reals(0.1, 10), x=reals(0.1, 10), y=reals(0.1, 10), z=reals(0.1, 10))
def test_symmetric_integrals(name, t, x, y, z):
    assert_zero_sum(OF_POSITIVE[name], t, x, y, z)


@pytest.mark.parametrize("name", OF_PARAMETER)
@PROFILE
@given(m=reals(0.01, 0.99))
def test_complete_integrals(name, m):
    assert_zero_sum(OF_PARAMETER[name], m)


@pytest.mark.parametrize("name", OF_ARGUMENT_AND_PARAMETER)
@PROFILE
@given(u=reals(-4, 4), m=reals(0.01, 0.95))
def test_functions_and_incomplete_integrals(name, u, m):
    assert_zero_sum(OF_ARGUMENT_AND_PARAMETER[name], u, m)


@pytest.mark.parametrize("point", [(6717.4, 1899.4, 2e-14), (1e4, 1e-6, 7.4), (3.0, 3.1, 1e-9)])
def test_mixed_derivatives_of_rg_keep_their_digits(point):
    """Against mpmath's, where a term of each first derivative is nearly singular in the others."""
    hessian = jax.jit(jax.hessian(sp.elliprg, argnums=(0, 1, 2)))(*point)
    for i in range(3):
        for j in range(3):
            orders = [(i == k) + (j == k) for k in range(3)]
            with mpmath.workdps(60):
                true = mpmath.diff(mpmath.elliprg, point, orders, h=mpmath.mpf(10) ** -24)
            np.testing.assert_allclose(hessian[i][j], float(true), rtol=1e-12)
