"""Identities of the gamma family: recurrences, reflections, duplication, inverses of inverses."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, curvature, in_the_plane, integers, reals, slope

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)


def trigamma(z):
    return slope(sp.psi)(z)


def off_the_axis(identity):
    """At a number with an imaginary part: the sine of pi z has all its digits there."""
    return lambda z: identity(z.real + 1j * (0.3 + abs(z.imag)))


# Where a term has a factor of the size of z, rounding of z has it too.
OF_COMPLEX_ARGUMENT = {
    "recurrence of gamma, DLMF 5.5.1": lambda z: [sp.gamma(z + 1), -z * sp.gamma(z)],
    "recurrence of psi, DLMF 5.5.2": lambda z: [sp.psi(z + 1), -sp.psi(z), -1 / z],
    "reflection of gamma, DLMF 5.5.3": off_the_axis(
        lambda z: [sp.gamma(z) * sp.gamma(1 - z) * jnp.sin(np.pi * z), -np.pi + 0 * z]
    ),
    "reflection of psi, DLMF 5.5.4": off_the_axis(
        lambda z: [
            sp.psi(z),
            -sp.psi(1 - z),
            np.pi * jnp.cos(np.pi * z) / jnp.sin(np.pi * z),
        ]
    ),
    "duplication of psi, DLMF 5.5.8": lambda z: [
        sp.psi(2 * z),
        -(sp.psi(z) + sp.psi(z + 0.5)) / 2,
        -np.log(2) + 0 * z,
    ],
    "rgamma is 1/gamma": lambda z: [sp.rgamma(z) * sp.gamma(z), -1 + 0 * z],
    "slopes of rgamma and gamma": lambda z: [
        slope(sp.rgamma)(z) * sp.gamma(z),
        sp.rgamma(z) * slope(sp.gamma)(z),
    ],
    "digamma is psi": lambda z: [sp.digamma(z), -sp.psi(z), sp.gamma(z), -sp.gamma(z)],
    "recurrence of trigamma, DLMF 5.15.5": lambda z: [trigamma(z + 1), -trigamma(z), 1 / z**2],
    "reflection of trigamma, DLMF 5.15.6": off_the_axis(
        lambda z: [trigamma(1 - z), trigamma(z), -((np.pi / jnp.sin(np.pi * z)) ** 2)]
    ),
    "recurrence of psi''": lambda z: [
        curvature(sp.psi)(z + 1),
        -curvature(sp.psi)(z),
        -2 / z**3,
    ],
    "conjugates": lambda z: [sp.psi(jnp.conj(z)), -jnp.conj(sp.psi(z))],
    "exponential of loggamma": lambda z: [sp.rgamma(z) * jnp.exp(sp.loggamma(z)), -1 + 0 * z],
    "curvature of loggamma": lambda z: [curvature(sp.loggamma)(z), -trigamma(z)],
}

OF_TWO_NUMBERS = {
    "recurrence of beta": lambda a, b: [sp.beta(a, b + 1), sp.beta(a + 1, b), -sp.beta(a, b)],
    "symmetry of the slopes of beta": lambda a, b: [
        slope(lambda t: sp.beta(t, b))(a),
        -slope(lambda t: sp.beta(b, t))(a),
    ],
    "slopes of betaln and beta": lambda a, b: [
        slope(lambda t: sp.betaln(t, b))(a) * sp.beta(a, b),
        -slope(lambda t: sp.beta(t, b))(a),
    ],
    "poch by gamma": lambda a, b: [sp.poch(a, b) * sp.gamma(a), -sp.gamma(a + b)],
    "recurrence of poch": lambda a, b: [
        slope(lambda t: sp.poch(t, b + 1))(a),
        -slope(lambda t: sp.poch(t, b) * (t + b))(a),
    ],
    "Pascal's triangle, DLMF 1.2.7": lambda a, b: [
        sp.binom(a + 1, b),
        -sp.binom(a, b),
        -sp.binom(a, b - 1),
    ],
    "slopes of Pascal's triangle": lambda a, b: [
        slope(lambda t: sp.binom(a + 1, t))(b),
        -slope(lambda t: sp.binom(a, t))(b),
        -slope(lambda t: sp.binom(a, t - 1))(b),
    ],
    "binom by beta, DLMF 1.2.6": lambda a, b: [
        sp.binom(a + b, b) * (a + b + 1) * sp.beta(a + 1, b + 1),
        -1 + 0 * a,
    ],
    "comb is binom": lambda a, b: [
        slope(lambda t: sp.comb(a + b, t))(b),
        -slope(lambda t: sp.binom(a + b, t))(b),
    ],
    "perm is comb times a factorial": lambda a, b: [
        slope(lambda t: sp.perm(t, b))(a + b),
        -slope(lambda t: sp.comb(t, b))(a + b) * sp.factorial(b),
    ],
    "comb with repetition": lambda a, b: [
        sp.comb(a, b, repetition=True),
        -sp.binom(a + b - 1, b),
    ],
    "gammainc and gammaincc": lambda a, x: [sp.gammainc(a, x), sp.gammaincc(a, x), -1 + 0 * x],
    "equation of gammainc": lambda a, x: [
        x * curvature(sp.gammainc, a)(x),
        x * slope(sp.gammainc, a)(x),
        (1 - a) * slope(sp.gammainc, a)(x),
    ],
    "recurrence of the slopes of gammainc, DLMF 8.8.5": lambda a, x: [
        slope(sp.gammainc, a + 1)(x),
        -slope(sp.gammainc, a)(x),
        slope(lambda t: t**a * jnp.exp(-t))(x) * sp.rgamma(a + 1),
    ],
    "double factorials": lambda a, b: [
        sp.factorialk(a, 2, extend="complex"),
        -sp.factorial2(a, extend="complex"),
    ],
    "recurrence of factorial2": lambda a, b: [
        slope(lambda t: sp.factorial2(t + 2, extend="complex"))(a),
        -slope(lambda t: (t + 2) * sp.factorial2(t, extend="complex"))(a),
    ],
    "multigammaln of 2 x 2 matrices": lambda a, b: [
        sp.multigammaln(a + 1, 2),
        -sp.gammaln(a + 1),
        -sp.gammaln(a + 0.5),
        -np.log(np.pi) / 2 + 0 * a,
    ],
}

OF_THREE_NUMBERS = {
    "betainc and betaincc": lambda a, b, x: [
        sp.betainc(a, b, x),
        sp.betaincc(a, b, x),
        -1 + 0 * x,
    ],
    "reflection of betainc, DLMF 8.17.4": lambda a, b, x: [
        slope(sp.betainc, a, b)(x),
        -slope(sp.betainc, b, a)(1 - x),
    ],
    "equation of betainc": lambda a, b, x: [
        x * (1 - x) * curvature(sp.betainc, a, b)(x),
        -(a - 1) * (1 - x) * slope(sp.betainc, a, b)(x),
        (b - 1) * x * slope(sp.betainc, a, b)(x),
    ],
    "slope of betaincinv": lambda a, b, x: [
        slope(sp.betaincinv, a, b)(x) * slope(sp.betainc, a, b)(sp.betaincinv(a, b, x)),
        -1 + 0 * x,
    ],
    "slope of betainccinv": lambda a, b, x: [
        slope(sp.betainccinv, a, b)(x) * slope(sp.betaincc, a, b)(sp.betainccinv(a, b, x)),
        -1 + 0 * x,
    ],
    "inverse of gammaincinv": lambda a, b, y: [sp.gammainc(a, sp.gammaincinv(a, y)), -y],
    "inverse of gammainccinv": lambda a, b, y: [sp.gammaincc(a, sp.gammainccinv(a, y)), -y],
    "slope through gammaincinv": lambda a, b, y: [
        slope(lambda t: sp.gammainc(a, sp.gammaincinv(a, t)))(y),
        -1 + 0 * y,
    ],
    "curvature of gammainccinv, by its equation": lambda a, b, y: [
        curvature(sp.gammainccinv, a)(y),
        -(slope(sp.gammainccinv, a)(y) ** 2) * (1 - (a - 1) / sp.gammainccinv(a, y)),
    ],
}

# The differences of polygamma's recurrence lose what x^(n+1) overshadows; the terms show it.
OF_WHOLE_ORDER = {
    "recurrence of polygamma, DLMF 5.15.5": lambda n, x: [
        sp.polygamma(n, x + 1),
        -sp.polygamma(n, x),
        -jnp.where(n % 2 == 0, 1, -1) * sp.gamma(n + 1.0) / x ** (n + 1),
    ],
    "slope of polygamma": lambda n, x: [slope(sp.polygamma, n)(x), -sp.polygamma(n + 1, x)],
    "recurrence of stirling2, DLMF 26.8.22": lambda n, x: [
        sp.stirling2(n + 1, 5),
        -5 * sp.stirling2(n, 5) + 0 * x,
        -sp.stirling2(n, 4),
    ],
}


@pytest.mark.parametrize("name", OF_COMPLEX_ARGUMENT)
@PROFILE
@given(z=in_the_plane(0.1, 20))
def test_complex_argument(name, z):
    assert_zero_sum(OF_COMPLEX_ARGUMENT[name], z)


@pytest.mark.parametrize("name", OF_TWO_NUMBERS)
@PROFILE
@given(a=reals(0.1, 20), b=reals(0.1, 20))
def test_two_numbers(name, a, b):
    assert_zero_sum(OF_TWO_NUMBERS[name], a, b)


@pytest.mark.parametrize("name", OF_THREE_NUMBERS)
@PROFILE
@given(a=reals(0.5, 20), b=reals(0.5, 20), x=reals(0.01, 0.99))
def test_three_numbers(name, a, b, x):
    assert_zero_sum(OF_THREE_NUMBERS[name], a, b, x)


@pytest.mark.parametrize("name", OF_WHOLE_ORDER)
@PROFILE
@given(n=integers(0, 12), x=reals(0.1, 30))
def test_whole_order(name, n, x):
    assert_zero_sum(OF_WHOLE_ORDER[name], n, x)
