"""Identities of Mathieu and spheroidal functions: equations, Wronskians, symmetries."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, integers, reals, slope
from scipy.integrate import solve_ivp

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)

RADIAN = np.pi / 180


def part(f, i, *fixed):
    """One result of a function that has two."""
    return lambda x: f(*fixed, x)[i]


def angular_equation(f, value):
    """DLMF 28.2.1: w'' + (a - 2 q cos 2x) w = 0, and the second result is w'."""
    return lambda m, q, x: [
        slope(part(f, 1, m, q))(x) / RADIAN,
        value(m, q) * f(m, q, x)[0],
        -2 * q * jnp.cos(2 * RADIAN * x) * f(m, q, x)[0],
    ]


def second_result(f, unit=1.0):
    """It is the derivative of the first (two equal terms are a scale where it is zero)."""
    return lambda m, q, x: [
        f(m, q, x)[1],
        -slope(part(f, 0, m, q))(x) / unit,
        f(m, q, x)[0],
        -f(m, q, x)[0],
    ]


def parity(n):
    return jnp.where(n % 2 == 0, 1.0, -1.0)


ANGULAR = {
    "equation of cem": angular_equation(sp.mathieu_cem, sp.mathieu_a),
    "equation of sem": angular_equation(sp.mathieu_sem, sp.mathieu_b),
    "slope of cem": second_result(sp.mathieu_cem, RADIAN),
    "slope of sem": second_result(sp.mathieu_sem, RADIAN),
    # DLMF 28.2.26
    "a of -q": lambda m, q, x: [sp.mathieu_a(2 * m, q), -sp.mathieu_a(2 * m, -q)],
    "b of -q": lambda m, q, x: [sp.mathieu_b(2 * m + 1, q), -sp.mathieu_a(2 * m + 1, -q)],
    # DLMF 28.2.34, of the slope in q
    "slope in q of -q": lambda m, q, x: [
        slope(lambda q: sp.mathieu_cem(2 * m, q, x)[0])(q),
        -parity(m) * slope(lambda q: sp.mathieu_cem(2 * m, -q, 90 - x)[0])(q),
        0.01 * sp.mathieu_cem(2 * m, q, x)[0],
        -0.01 * sp.mathieu_cem(2 * m, q, x)[0],
    ],
    # The equation differentiated in q holds a's slope in q.
    "equation in q": lambda m, q, x: [
        slope(lambda q: slope(part(sp.mathieu_cem, 1, m, q))(x))(q) / RADIAN,
        slope(lambda q: sp.mathieu_a(m, q))(q) * sp.mathieu_cem(m, q, x)[0],
        -2 * jnp.cos(2 * RADIAN * x) * sp.mathieu_cem(m, q, x)[0],
        (sp.mathieu_a(m, q) - 2 * q * jnp.cos(2 * RADIAN * x))
        * slope(lambda q: sp.mathieu_cem(m, q, x)[0])(q),
    ],
}


def wronskian(f, g, value):
    return lambda *at: [
        f(*at)[0] * slope(part(g, 0, *at[:-1]))(at[-1]),
        -slope(part(f, 0, *at[:-1]))(at[-1]) * g(*at)[0],
        -value(*at),
    ]


MODIFIED = {
    # DLMF 28.20.21
    "Wronskian of even ones": wronskian(
        sp.mathieu_modcem1, sp.mathieu_modcem2, lambda m, q, x: 2 / np.pi + 0 * x
    ),
    "Wronskian of odd ones": wronskian(
        sp.mathieu_modsem1, sp.mathieu_modsem2, lambda m, q, x: 2 / np.pi + 0 * x
    ),
    # DLMF 28.20.1
    "equation": lambda m, q, x: [
        slope(part(sp.mathieu_modcem2, 1, m, q))(x),
        -sp.mathieu_a(m, q) * sp.mathieu_modcem2(m, q, x)[0],
        2 * q * jnp.cosh(2 * x) * sp.mathieu_modcem2(m, q, x)[0],
    ],
    "second result": second_result(sp.mathieu_modsem1),
}


def spheroidal_equation(f, value, sign):
    """DLMF 30.2.1, where sign is that of c^2."""

    def terms(m, k, c, x):
        n = m + k
        w = 1 - x * x
        s = f(m, n, c, x)
        return [
            w * slope(part(f, 1, m, n, c))(x),
            -2 * x * s[1],
            value(m, n, c) * s[0],
            -(sign * c * c * x * x + m * m / w) * s[0],
            s[0],
            -s[0],
        ]

    return terms


SPHEROIDAL = {
    "prolate equation": spheroidal_equation(sp.pro_ang1, sp.pro_cv, 1),
    "oblate equation": spheroidal_equation(sp.obl_ang1, sp.obl_cv, -1),
    "parity": lambda m, k, c, x: [
        sp.obl_ang1(m, m + k, c, -x)[0],
        -parity(k) * sp.obl_ang1(m, m + k, c, x)[0],
    ],
    "value of one's own": lambda m, k, c, x: [
        sp.pro_ang1_cv(m, m + k, c, sp.pro_cv(m, m + k, c), x)[1],
        -sp.pro_ang1(m, m + k, c, x)[1],
    ],
    # The characteristic values of c^2 and -c^2 have slopes in c^2 that agree at 0.
    "slope in c": lambda m, k, c, x: [
        slope(lambda c: sp.pro_cv(m, m + k, c))(1e-6 * c),
        slope(lambda c: sp.obl_cv(m, m + k, c))(1e-6 * c),
        1e-6 * c,
        -1e-6 * c,
    ],
}

RADIAL = {
    # DLMF 30.11.7
    "prolate Wronskian": wronskian(
        sp.pro_rad1, sp.pro_rad2, lambda m, n, c, x: 1 / (c * (x * x - 1))
    ),
    "oblate Wronskian": wronskian(
        sp.obl_rad1, sp.obl_rad2, lambda m, n, c, x: 1 / (c * (x * x + 1))
    ),
}


@pytest.mark.parametrize("name", ANGULAR)
@PROFILE
@given(m=integers(1, 6), q=reals(0.1, 5), x=reals(1, 170))
def test_angular(name, m, q, x):
    assert_zero_sum(ANGULAR[name], m, q, x)


@pytest.mark.parametrize("name", MODIFIED)
@PROFILE
@given(m=integers(1, 3), q=reals(1, 20), x=reals(0.1, 2))
def test_modified(name, m, q, x):
    assert_zero_sum(MODIFIED[name], m, q, x)


@pytest.mark.parametrize("name", SPHEROIDAL)
@PROFILE
@given(m=integers(0, 3), k=integers(0, 4), c=reals(0.1, 2), x=reals(-0.95, 0.95))
def test_spheroidal(name, m, k, c, x):
    assert_zero_sum(SPHEROIDAL[name], m, k, c, x)


@pytest.mark.parametrize("name", RADIAL)
@PROFILE
@given(m=integers(0, 3), k=integers(0, 3), c=reals(0.5, 4), x=reals(4, 8))
def test_radial(name, m, k, c, x):
    assert_zero_sum(RADIAL[name], m, m + k, c, x)


NEGATIVE = [(3, 100.0), (1, 40.0), (6, 2.0), (12, 30.0), (2, 700.0), (17, 0.5), (4, 12.9)]


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("function", [sp.mathieu_modcem2, sp.mathieu_modsem2])
def test_second_kind_at_negative_arguments_solves_the_equation(function):
    """Led there from 0 by the differential equation; sums of Bessel functions cancel there."""
    m, q = (jnp.array(column) for column in zip(*NEGATIVE, strict=True))
    value = sp.mathieu_a if function is sp.mathieu_modcem2 else sp.mathieu_b
    start, end = (np.array(function(m, q, x)).T for x in (0.0, -1.1))
    for order, size, a, first, last in zip(m, q, value(m, q), start, end, strict=True):

        def equation(x, y, a=float(a), size=float(size)):
            return [y[1], (a - 2 * size * np.cosh(2 * x)) * y[0]]

        led = solve_ivp(equation, (0, -1.1), first, "DOP853", rtol=1e-12, atol=1e-300)
        k = np.sqrt(1 + float(order) ** 2 + 2 * float(size) * np.cosh(2.2))
        off = np.hypot(led.y[0, -1] - last[0], (led.y[1, -1] - last[1]) / k)
        assert off < 1e-8 * np.hypot(last[0], last[1] / k), (order, size)
