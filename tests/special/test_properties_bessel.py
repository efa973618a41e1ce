"""Identities of the Bessel family: recurrences, Wronskians, differential equations, symmetries."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, curvature, in_the_plane, integers, reals, slope

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)

# Below zero, near integers, J and I change by 1 with the last digit of the order.
ORDERS = reals(1, 20)
WHOLE = integers(0, 15)


def recurrence(f, sign):
    """DLMF 10.6.1 and 10.29.1: C_{v-1} + sign C_{v+1} = (2v/z) C_v."""
    return lambda v, z: [f(v - 1, z), sign * f(v + 1, z), -2 * v / z * f(v, z)]


def cylinder_equation(f, sign):
    """DLMF 10.2.1 and 10.25.1: z^2 w'' + z w' + sign z^2 w - v^2 w = 0."""
    return lambda v, z: [
        z**2 * curvature(f, v)(z),
        z * slope(f, v)(z),
        sign * z**2 * f(v, z),
        -(v**2) * f(v, z),
    ]


def wronskian(f, g, value):
    """DLMF 10.5 and 10.28: f g' - f' g."""
    return lambda v, z: [f(v, z) * slope(g, v)(z), -slope(f, v)(z) * g(v, z), -value / z + 0 * v]


def conjugate(f, g):
    """DLMF 10.11.9 and 10.34.7: f(conj z) = conj g(z)."""
    return lambda v, z: [f(v, jnp.conj(z)), -jnp.conj(g(v, z))]


def reflection(f, factor):
    """DLMF 10.4 and 10.27: f_{-v} = factor f_v."""
    return lambda v, z: [f(-v, z), -factor(v) * f(v, z)]


def parity(v):
    return jnp.where(jnp.round(v) % 2 == 0, 1.0, -1.0)


def of_real_argument(f, negative):
    """Whole orders: f_n(-x) = +-f_n(x)."""
    return lambda n, x: [f(n * 1.0, -x), -negative(n) * f(n * 1.0, x)]


CYLINDERS = {"jv": sp.jv, "yv": sp.yv, "hankel1": sp.hankel1, "hankel2": sp.hankel2}
MODIFIED = {"iv": (sp.iv, -1), "kv": (sp.kv, -1)}

OF_ORDER_AND_ARGUMENT = {
    **{f"recurrence of {n}": recurrence(f, 1) for n, f in CYLINDERS.items()},
    "recurrence of iv": lambda v, z: [sp.iv(v - 1, z), -sp.iv(v + 1, z), -2 * v / z * sp.iv(v, z)],
    "recurrence of kv": lambda v, z: [sp.kv(v - 1, z), -sp.kv(v + 1, z), 2 * v / z * sp.kv(v, z)],
    "recurrence of jve": recurrence(sp.jve, 1),
    "recurrence of yve": recurrence(sp.yve, 1),
    "recurrence of ive": recurrence(sp.ive, -1),
    **{f"equation of {n}": cylinder_equation(f, 1) for n, f in CYLINDERS.items()},
    **{f"equation of {n}": cylinder_equation(f, s) for n, (f, s) in MODIFIED.items()},
    "Wronskian of jv, yv": wronskian(sp.jv, sp.yv, 2 / np.pi),
    "Wronskian of hankel1, hankel2": wronskian(sp.hankel1, sp.hankel2, -4j / np.pi),
    "Wronskian of kv, iv": wronskian(sp.kv, sp.iv, 1.0),
    **{f"conjugate of {f.__name__}": conjugate(f, f) for f in (sp.jv, sp.yv, sp.iv, sp.kv)},
    **{f"conjugate of {f.__name__}": conjugate(f, f) for f in (sp.jve, sp.yve, sp.ive, sp.kve)},
    "conjugate of hankel1": conjugate(sp.hankel1, sp.hankel2),
    "conjugate of hankel1e": conjugate(sp.hankel1e, sp.hankel2e),
    "reflection of kv": reflection(sp.kv, lambda v: 1.0),
    "reflection of kve": reflection(sp.kve, lambda v: 1.0),
    "reflection of hankel1": reflection(sp.hankel1, lambda v: jnp.exp(1j * np.pi * v)),
    "reflection of hankel2": reflection(sp.hankel2, lambda v: jnp.exp(-1j * np.pi * v)),
    "hankel1 = jv + i yv": lambda v, z: [sp.hankel1(v, z), -sp.jv(v, z), -1j * sp.yv(v, z)],
    "hankel2 = jv - i yv": lambda v, z: [sp.hankel2(v, z), -sp.jv(v, z), 1j * sp.yv(v, z)],
    **{
        f"{name} is jv', yv', ...": lambda v, z, p=p, f=f: [p(v, z), -slope(f, v)(z)]
        for name, p, f in (
            ("jvp", sp.jvp, sp.jv),
            ("yvp", sp.yvp, sp.yv),
            ("ivp", sp.ivp, sp.iv),
            ("kvp", sp.kvp, sp.kv),
            ("h1vp", sp.h1vp, sp.hankel1),
            ("h2vp", sp.h2vp, sp.hankel2),
        )
    },
}

OF_WHOLE_ORDER_AND_REAL_ARGUMENT = {
    "jv of -x": of_real_argument(sp.jv, parity),
    "iv of -x": of_real_argument(sp.iv, parity),
    "jv of order -n": lambda n, x: [sp.jv(-1.0 * n, x), -parity(n) * sp.jv(1.0 * n, x)],
    "iv of order -n": lambda n, x: [sp.iv(-1.0 * n, x), -sp.iv(1.0 * n, x)],
    # Two equal terms for a scale, where a function may be at its zero.
    "yn is yv": lambda n, x: [
        sp.yn(n, x),
        -sp.yv(1.0 * n, x),
        sp.jv(1.0 * n, x),
        -sp.jv(1.0 * n, x),
    ],
    "kn is kv": lambda n, x: [sp.kn(n, x), -sp.kv(1.0 * n, x)],
    "spherical Wronskian": lambda n, x: [
        sp.spherical_jn(n, x) * slope(sp.spherical_yn, n)(x),
        -slope(sp.spherical_jn, n)(x) * sp.spherical_yn(n, x),
        -(x**-2.0),
    ],
    "modified spherical Wronskian": lambda n, x: [
        sp.spherical_in(n, x) * slope(sp.spherical_kn, n)(x),
        -slope(sp.spherical_in, n)(x) * sp.spherical_kn(n, x),
        np.pi / 2 * x**-2.0,
    ],
    "spherical equation": lambda n, x: [
        x**2 * curvature(sp.spherical_jn, n)(x),
        2 * x * slope(sp.spherical_jn, n)(x),
        x**2 * sp.spherical_jn(n, x),
        -n * (n + 1) * sp.spherical_jn(n, x),
    ],
    "spherical derivative": lambda n, x: [
        sp.spherical_yn(n, x, derivative=True),
        -slope(sp.spherical_yn, n)(x),
        sp.spherical_jn(n, x, derivative=True),
        -sp.spherical_jn(n, x, derivative=True),
    ],
}


def kelvin_equation(f, g, sign):
    """DLMF 10.61.3 in real form: x^2 f'' + x f' + sign x^2 g = 0."""
    return lambda x: [x**2 * curvature(f)(x), x * slope(f)(x), sign * x**2 * g(x)]


OF_REAL_ARGUMENT = {
    "Wronskian of j0, y0": lambda x: [
        sp.j0(x) * slope(sp.y0)(x),
        -slope(sp.j0)(x) * sp.y0(x),
        -2 / np.pi / x,
    ],
    "Wronskian of k0, i0": lambda x: [
        sp.k0(x) * slope(sp.i0)(x),
        -slope(sp.k0)(x) * sp.i0(x),
        -1 / x,
    ],
    "Wronskian of k1e, i1e": lambda x: [
        sp.k1e(x) * slope(sp.i1e)(x),
        -slope(sp.k1e)(x) * sp.i1e(x),
        2 * sp.k1e(x) * sp.i1e(x),
        -1 / x,
    ],
    "j0 is jv": lambda x: [sp.j0(x), -sp.jv(0.0, x), sp.y0(x), -sp.y0(x)],
    "i1e is ive": lambda x: [sp.i1e(x), -sp.ive(1.0, x)],
    "riccati equation": lambda x: [
        slope(lambda x: sp.riccati_jn(3, x)[1][:, 3])(x),
        sp.riccati_jn(3, x)[0][:, 3],
        -12 / x**2 * sp.riccati_jn(3, x)[0][:, 3],
    ],
    "lmbda of order 1/2 is sin x/x": lambda x: [
        sp.lmbda(0.5, x)[0][:, 0],
        -jnp.sin(x) / x,
        1 / x,
        -1 / x,
    ],
    "log of wright_bessel": lambda x: [
        sp.log_wright_bessel(0.5, 2.0, x),
        -jnp.log(sp.wright_bessel(0.5, 2.0, x)),
    ],
    "slope of log_wright_bessel": lambda x: [
        slope(lambda x: sp.log_wright_bessel(0.5, 2.0, x))(x) * sp.wright_bessel(0.5, 2.0, x),
        -slope(lambda x: sp.wright_bessel(0.5, 2.0, x))(x),
    ],
}

# Where SciPy's own values of the Kelvin functions have all their digits.
OF_SMALL_ARGUMENT = {
    "ber": kelvin_equation(sp.ber, sp.bei, 1),
    "bei": kelvin_equation(sp.bei, sp.ber, -1),
    "ker": kelvin_equation(sp.ker, sp.kei, 1),
    "kei": kelvin_equation(sp.kei, sp.ker, -1),
    "kelvin": lambda x: [sp.kelvin(x)[0], -sp.ber(x), -1j * sp.bei(x)],
    "kelvin'": lambda x: [sp.kelvin(x)[3], -slope(lambda x: sp.kelvin(x)[1])(x)],
}


@pytest.mark.parametrize("name", OF_ORDER_AND_ARGUMENT)
@PROFILE
@given(v=ORDERS, z=in_the_plane(0.1, 40))
def test_complex_argument(name, v, z):
    assert_zero_sum(OF_ORDER_AND_ARGUMENT[name], v, z)


@pytest.mark.parametrize(
    "name", [name for name in OF_ORDER_AND_ARGUMENT if not name.startswith("conjugate")]
)
@PROFILE
@given(v=ORDERS, x=reals(0.1, 60))
def test_real_argument(name, v, x):
    assert_zero_sum(OF_ORDER_AND_ARGUMENT[name], v, x)


@pytest.mark.parametrize("name", OF_WHOLE_ORDER_AND_REAL_ARGUMENT)
@PROFILE
@given(n=WHOLE, x=reals(0.1, 60))
def test_whole_order(name, n, x):
    assert_zero_sum(OF_WHOLE_ORDER_AND_REAL_ARGUMENT[name], n, x)


@pytest.mark.parametrize("name", OF_REAL_ARGUMENT)
@PROFILE
@given(x=reals(0.1, 20))
def test_one_real_argument(name, x):
    assert_zero_sum(OF_REAL_ARGUMENT[name], x)


@pytest.mark.parametrize("name", OF_SMALL_ARGUMENT)
@PROFILE
@given(x=reals(0.1, 4.5))
def test_one_small_argument(name, x):
    assert_zero_sum(OF_SMALL_ARGUMENT[name], x)
