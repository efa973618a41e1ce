"""Identities of the error, exponential, Airy, Struve and parabolic cylinder functions."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, curvature, in_the_plane, reals, slope

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)


def part(f, k):
    """One of several results."""
    return lambda *args: f(*args)[k]


def equation(f, *terms):
    """f'' = p f' + q f."""
    p, q = terms
    return lambda z: [curvature(f)(z), -p(z) * slope(f)(z), -q(z) * f(z)]


OF_COMPLEX_ARGUMENT = {
    # Beside a small sum, its equal terms give the scale.
    "erf + erfc = 1": lambda z: [sp.erf(z), sp.erfc(z), -1 + 0 * z],
    "erf is odd": lambda z: [sp.erf(z), sp.erf(-z)],
    "erfi by erf": lambda z: [sp.erfi(z), 1j * sp.erf(1j * z)],
    "erfcx by erfc": lambda z: [sp.erfc(z), -jnp.exp(-z * z) * sp.erfcx(z)],
    "wofz by erfcx": lambda z: [sp.wofz(z), -sp.erfcx(-1j * z)],
    "wofz of -z": lambda z: [sp.wofz(z), sp.wofz(-z), -2 * jnp.exp(-z * z)],
    "dawsn by erfi": lambda z: [
        sp.dawsn(z),
        -np.sqrt(np.pi) / 2 * jnp.exp(-z * z) * sp.erfi(z),
    ],
    "equation of wofz": equation(sp.wofz, lambda z: -2 * z, lambda z: -2.0),
    "equation of dawsn": equation(sp.dawsn, lambda z: -2 * z, lambda z: -2.0),
    "equation of erfcx": equation(sp.erfcx, lambda z: 2 * z, lambda z: 2.0),
    "equation of erf": equation(sp.erf, lambda z: -2 * z, lambda z: 0.0),
    # SciPy's values are wrong where |z| is 4 exactly.
    "fresnel by erf": lambda z: [
        sp.fresnel(0.99 * z)[1],
        1j * sp.fresnel(0.99 * z)[0],
        -(1 + 1j) / 2 * sp.erf(np.sqrt(np.pi) / 2 * (1 - 1j) * 0.99 * z),
    ],
    "Wronskian of Airy functions": lambda z: [
        sp.airy(z)[0] * sp.airy(z)[3],
        -sp.airy(z)[1] * sp.airy(z)[2],
        -1 / np.pi + 0 * z,
    ],
    "Airy's equation, Ai": equation(part(sp.airy, 0), lambda z: 0.0, lambda z: z),
    "Airy's equation, Bi'": lambda z: [
        curvature(part(sp.airy, 3))(z),
        -z * sp.airy(z)[3],
        -sp.airy(z)[2],
    ],
    "equation of scaled Ai": equation(
        part(sp.airye, 0), lambda z: 2 * jnp.sqrt(z), lambda z: 1 / (2 * jnp.sqrt(z))
    ),
    "conjugate of airye": lambda z: [sp.airye(jnp.conj(z))[2], -jnp.conj(sp.airye(z)[2])],
}

OF_POSITIVE_ARGUMENT = {
    "Shi + Chi = Ei": lambda x: [*sp.shichi(x), -sp.expi(x)],
    "Chi - Shi = -E1": lambda x: [sp.shichi(x)[1], -sp.shichi(x)[0], sp.exp1(x)],
    "Si is odd": lambda x: [sp.sici(x)[0], sp.sici(-x)[0]],
    "Ci of |x|": lambda x: [sp.sici(x)[1], -sp.sici(-x)[1], sp.exp1(x), -sp.exp1(x)],
    "Chi of |x|": lambda x: [sp.shichi(x)[1], -sp.shichi(-x)[1]],
    "slope of Ci at -x": lambda x: [
        slope(part(sp.sici, 1))(-x),
        slope(part(sp.sici, 1))(x),
        1 / x,
        -1 / x,
    ],
    "expn of 1": lambda x: [sp.expn(1, x), -sp.exp1(x)],
    "recurrence of expn": lambda x: [3 * sp.expn(4, x), x * sp.expn(3, x), -jnp.exp(-x)],
    "slope of expn": lambda x: [slope(sp.expn, 3)(x), sp.expn(2, x)],
    "curvature of expn": lambda x: [
        x**2 * curvature(sp.expn, 1)(x),
        -(1 + x) * jnp.exp(-x),
    ],
    "erfinv of erf": lambda x: [sp.erfinv(sp.erf(x / 10)), -x / 10],
    "erfcinv of erfc": lambda x: [sp.erfcinv(sp.erfc(x / 3)), -x / 3],
    "slopes of inverses": lambda x: [
        slope(sp.erfcinv)(sp.erfc(x / 5)) * slope(sp.erfc)(x / 5),
        -1 + 0 * x,
    ],
    "unscaled Bi below zero": lambda x: [slope(part(sp.airye, 2))(-x), -sp.airye(-x)[3]],
    "K+ and K- are conjugate": lambda x: [
        sp.modfresnelp(x)[1],
        -jnp.conj(sp.modfresnelm(x)[1]),
    ],
    "Struve's recurrence": lambda x: [
        sp.struve(1.0, x),
        sp.struve(3.0, x),
        -4 / x * sp.struve(2.0, x),
        -2 / (15 * np.pi) * x**2,
    ],
    "Struve's equation": lambda x: [
        x**2 * curvature(sp.struve, 0.0)(x),
        x * slope(sp.struve, 0.0)(x),
        x**2 * sp.struve(0.0, x),
        -2 / np.pi * x,
    ],
    "modified Struve's equation": lambda x: [
        x**2 * curvature(sp.modstruve, 1.0)(x),
        x * slope(sp.modstruve, 1.0)(x),
        -(x**2) * sp.modstruve(1.0, x),
        -sp.modstruve(1.0, x),
        -2 / np.pi * x**2,
    ],
    "Wronskian of pbdv, pbvv": lambda x: [
        sp.pbdv(0.3, x / 10)[0] * sp.pbvv(0.3, x / 10)[1],
        -sp.pbdv(0.3, x / 10)[1] * sp.pbvv(0.3, x / 10)[0],
        -np.sqrt(2 / np.pi) + 0 * x,
    ],
    "slopes of pbdv": lambda x: [slope(part(sp.pbdv, 0), -0.7)(x / 10), -sp.pbdv(-0.7, x / 10)[1]],
    "equation of pbwa": lambda x: [
        curvature(part(sp.pbwa, 0), 0.4)(x / 10),
        (x**2 / 400 - 0.4) * sp.pbwa(0.4, x / 10)[0],
    ],
    "voigt_profile is normal": lambda x: [
        sp.voigt_profile(x / 5, 1.5, 0.0),
        -jnp.exp(-(x**2) / 112.5) / (1.5 * np.sqrt(2 * np.pi)),
    ],
    "voigt_profile is harmonic": lambda x: [
        curvature(lambda x: sp.voigt_profile(x, 0.8, 0.4))(x / 10),
        curvature(lambda g: sp.voigt_profile(x / 10, 0.8, g))(0.4 + 0 * x),
    ],
    "heat equation of voigt_profile": lambda x: [
        0.8 * curvature(lambda x: sp.voigt_profile(x, 0.8, 0.4))(x / 10),
        -slope(lambda s: sp.voigt_profile(x / 10, s, 0.4))(0.8 + 0 * x),
    ],
}


@pytest.mark.parametrize("name", OF_COMPLEX_ARGUMENT)
@PROFILE
@given(z=in_the_plane(0.1, 5))
def test_complex_argument(name, z):
    assert_zero_sum(OF_COMPLEX_ARGUMENT[name], z)


@pytest.mark.parametrize("name", OF_POSITIVE_ARGUMENT)
@PROFILE
@given(x=reals(0.1, 15))
def test_positive_argument(name, x):
    assert_zero_sum(OF_POSITIVE_ARGUMENT[name], x)
