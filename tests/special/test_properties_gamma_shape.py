"""The gamma distribution and its inverses in the shape: every order, mixed ones, and the ends."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, curvature, reals, slope
from mpmath import mp

from jaxsci import special as sp
from jaxsci._verification.oracles.distributions import lower_gamma, upper_gamma

pytestmark = pytest.mark.rotating(0.022)

POINTS = np.array(
    [
        (1e-3, 5e-324),
        (1e-3, 1e-3),
        (1e-3, 20.0),
        (0.3, 0.2),
        (0.5, 1e-200),
        (3.0, 2.6),
        (9.999, 9.0),
        (10.001, 9.0),
        (25.0, 25.0),
        (40.0, 400.0),
        (250.0, 30.0),
        (1e5, 9.9e4),
        (1e5, 1.012e5),
    ]
)
ORDERS = 3


# -- mpmath ----------------------------------------------------------------------------------------


def differences(f, a, order):
    """The derivative of f at a, by central differences of very near neighbours."""
    with mp.workdps(40 * (order + 2)):
        a = mpmath.mpf(a)
        h = a / mpmath.mpf(10) ** 30
        middle = mpmath.mpf(order) / 2
        terms = [
            (-1) ** k * math.comb(order, k) * f(a + (middle - k) * h) for k in range(order + 1)
        ]
        return mpmath.fsum(terms) / h**order


def density(a, x, k):
    """(d/dx)^k of the density, by Leibniz's rule."""
    terms = [
        math.comb(k, j) * mpmath.ff(a - 1, j) * mpmath.mpf(x) ** (a - 1 - j) * (-1) ** (k - j)
        for j in range(k + 1)
    ]
    return mpmath.fsum(terms) * mpmath.exp(-mpmath.mpf(x)) / mpmath.gamma(a)


def assert_derivatives(found, exact, a, orders):
    """They are right to 1e-12, or to what a change of a in its last digits does."""
    truths = {n: differences(exact, a, n) for n in (*orders, orders[-1] + 1)}
    for value, n in zip(found, orders, strict=True):
        allowed = 1e-12 * abs(truths[n]) + 64 * np.finfo(float).eps * abs(a * truths[n + 1])
        if abs(truths[n]) < 1e300:
            assert abs(float(value) - truths[n]) <= allowed, (a, n, value, float(truths[n]))


def repeated(f, order):
    for _ in range(order):
        f = slope(f)
    return f


def in_shape(f, order, x):
    return repeated(lambda a: f(a, x), order)


def test_every_order_is_mpmaths():
    orders = range(1, ORDERS + 1)

    @jax.jit
    def derivatives(a, x):
        return [
            jnp.stack([in_shape(f, n, x)(a) for n in orders]) for f in (sp.gammainc, sp.gammaincc)
        ]

    of_lower, of_upper = map(np.asarray, derivatives(*POINTS.T))
    np.testing.assert_array_equal(of_lower, -of_upper)
    for (a, x), below, above in zip(POINTS.tolist(), of_lower.T, of_upper.T, strict=True):
        exact, found = (upper_gamma, above) if x > a + 1 else (lower_gamma, below)
        assert_derivatives(found, lambda s, x=x, f=exact: f(s, mpmath.mpf(x)), a, orders)


@pytest.mark.parametrize("along_x", [1, 2])
def test_mixed_derivatives_are_mpmaths(along_x):
    orders = range(ORDERS)

    @jax.jit
    def derivatives(a, x):
        def x_first(s):
            return repeated(lambda t: sp.gammainc(s, t), along_x)(x)

        return [
            [repeated(x_first, n)(a) for n in orders],
            [repeated(lambda t, n=n: in_shape(sp.gammainc, n, t)(a), along_x)(x) for n in orders],
        ]

    for found in np.asarray(derivatives(*POINTS.T)):
        for (a, x), values in zip(POINTS.tolist(), found.T, strict=True):
            assert_derivatives(values, lambda s, x=x: density(s, x, along_x - 1), a, orders)


# -- identities ------------------------------------------------------------------------------------


def shaped(f, *fixed):
    """A function of (x, a), so that helpers that differentiate by the last argument take a."""
    return lambda *xa: f(xa[-1], *fixed, *xa[:-1])


OF_SHAPE_AND_POINT = {
    # DLMF 8.8.5: P(a+1, x) = P(a, x) - x^a exp(-x)/Gamma(a+1).
    "recurrence": lambda a, x: [
        slope(shaped(sp.gammainc), x)(a + 1),
        -slope(shaped(sp.gammainc), x)(a),
        slope(lambda s: slope(sp.gammainc, s + 1)(x))(a),
    ],
    "chdtr is gammainc": lambda a, x: [
        curvature(shaped(sp.chdtr), 2 * x)(2 * a) * 4,
        -curvature(shaped(sp.gammainc), x)(a),
        slope(shaped(sp.gammainc), x)(a),
        2 * slope(shaped(sp.chdtrc), 2 * x)(2 * a),
    ],
    "gdtr is gammainc": lambda a, x: [
        slope(lambda b: sp.gdtr(2.0, b, x / 2))(a),
        slope(lambda b: sp.gdtrc(2.0, b, x / 2))(a),
        curvature(lambda b: sp.gdtr(2.0, b, x / 2))(a),
        -curvature(shaped(sp.gammainc), x)(a),
    ],
}


def along_the_curve(distribution, quantile):
    """Both derivatives of F(a, x(a)) = y in a, where x is the quantile."""

    def identity(a, y):
        x, first = quantile(a, y), slope(lambda s: quantile(s, y))(a)
        along_x = slope(distribution, a)
        return [
            curvature(shaped(distribution), x)(a),
            2 * slope(lambda s: slope(distribution, s)(x))(a) * first,
            slope(along_x)(x) * first**2,
            along_x(x) * curvature(lambda s: quantile(s, y))(a),
        ]

    return identity


def by_shape(shape, distribution):
    """The slopes of the inverse in the shape, and a mixed second one, of F(shape(p, x), x) = p."""

    def identity(a, p):
        x = 1 + a
        s = shape(p, x)
        by_p = slope(lambda q: shape(q, x))(p)
        by_s = slope(lambda t: distribution(t, x))
        mixed = slope(lambda t: slope(lambda q: shape(q, t))(p))(x)
        by_x = slope(lambda t: shape(p, t))(x)
        return [
            by_p * by_s(s),
            -1 + 0 * p,
            mixed * by_s(s),
            by_p * slope(by_s)(s) * by_x,
            by_p * slope(lambda t: slope(distribution, t)(x))(s),
            by_s(s) * by_x,
            slope(distribution, s)(x),
        ]

    return identity


OF_SHAPE_AND_PROBABILITY = {
    "gammaincinv": along_the_curve(sp.gammainc, sp.gammaincinv),
    "gammainccinv": along_the_curve(sp.gammaincc, sp.gammainccinv),
    "gdtrix": along_the_curve(lambda b, x: sp.gdtr(0.5, b, x), lambda b, p: sp.gdtrix(0.5, b, p)),
    "chdtri": along_the_curve(sp.chdtrc, sp.chdtri),
    "gdtria is gammaincinv": lambda b, p: [
        slope(lambda b: sp.gdtria(p, b, 3.0))(b) * 3,
        -slope(lambda b: sp.gammaincinv(b, p))(b),
        # Near the median they vanish.
        curvature(lambda b: sp.gdtria(p, b, 3.0))(b) * 3,
        -curvature(lambda b: sp.gammaincinv(b, p))(b),
    ],
    "gdtrib": by_shape(lambda p, x: sp.gdtrib(2.0, p, x), lambda b, x: sp.gdtr(2.0, b, x)),
    "gdtrib depends on a x": lambda b, p: [
        3 * slope(lambda a: sp.gdtrib(a, p, b))(3 + 0 * p),
        -b * slope(lambda x: sp.gdtrib(3.0, p, x))(b),
    ],
    "chdtriv": by_shape(sp.chdtriv, sp.chdtr),
    "pdtrik": by_shape(sp.pdtrik, lambda k, m: sp.gammaincc(k + 1, m)),
}


@pytest.mark.parametrize("name", OF_SHAPE_AND_POINT)
@PROFILE
@given(a=reals(0.05, 40), x=reals(0.05, 40))
def test_shape_and_point(name, a, x):
    assert_zero_sum(OF_SHAPE_AND_POINT[name], a, x)


@pytest.mark.parametrize("name", OF_SHAPE_AND_PROBABILITY)
@PROFILE
@given(a=reals(0.5, 40), p=reals(0.02, 0.5))
def test_shape_and_probability(name, a, p):
    assert_zero_sum(OF_SHAPE_AND_PROBABILITY[name], a, p)


# -- where formulas meet, and the ends -------------------------------------------------------------


def test_no_derivative_jumps_where_formulas_meet():
    """At the shape ten, and at x = exp(psi(a + 1))."""
    change = np.array([-1e-13, 1e-13])
    for a in (0.2, 4.0, 10.0, 300.0):
        x = float(np.exp(sp.psi(a + 1)))
        for shape, at in ((a * (1 + change), x + 0 * change), (a + 0 * change, x * (1 + change))):
            for order in (1, 2, 3):
                left, right = in_shape(sp.gammainc, order, at)(shape)
                # One over the square root of the trigamma function is the scale in a.
                assert abs(left - right) < 1e-11 * float(sp.polygamma(1, a)) ** (order / 2)


def test_ends():
    first, second = jax.grad(sp.gammainc), jax.grad(jax.grad(sp.gammainc))
    mixed = jax.grad(jax.grad(sp.gammainc, 1))
    for a in (1e-3, 0.5, 1.0, 2.0, 1e4):
        for x in (0.0, np.inf):
            assert (first(a, x), second(a, x)) == (0, 0)
    # f = x^(a-1) exp(-x)/Gamma(a) is infinite at 0 for a < 1, and 0 for a > 1.
    assert [mixed(a, 0.0) for a in (0.5, 1.0, 1.5, 3.0)] == [-np.inf, -np.inf, 0, 0]
    # Q(a, x)/a tends to E_1(x).
    np.testing.assert_allclose(first(0.0, 2.0), -sp.exp1(2.0), rtol=1e-15)
    np.testing.assert_allclose(mixed(0.0, 2.0), np.exp(-2.0) / 2, rtol=1e-15)
    assert first(np.inf, 2.0) == 0
    for outside in ((0.0, 0.0), (-1.0, 2.0), (1.0, -2.0), (np.nan, 1.0), (1.0, np.nan)):
        assert np.isnan(first(*outside))


def test_ends_of_inverses():
    quantile = jax.jit(jax.grad(sp.gammaincinv))
    assert [quantile(a, 0.0) for a in (0.5, 1.0, 3.0)] == [0, 0, 0]
    assert quantile(1e-3, 0.3) == 0  # the quantile is less than the smallest number
    assert np.isnan(quantile(2.0, 1.0))
    # x is (y Gamma(a+1))^(1/a), and subnormal.
    a, y = 1e-3, 0.49
    with mp.workdps(30):
        exact = mpmath.diff(lambda s: (y * mpmath.gamma(s + 1)) ** (1 / s), mpmath.mpf(a))
    np.testing.assert_allclose(quantile(a, y), float(exact), rtol=1e-11)
    # As the probability tends to its ends, the shape tends to infinity or zero.
    by_p, by_x = jax.grad(sp.gdtrib, 1), jax.grad(sp.gdtrib, 2)
    assert by_p(1.0, 0.0, 2.0) == -np.inf
    np.testing.assert_allclose(by_p(1.0, 1.0, 2.0), -1 / sp.exp1(2.0), rtol=1e-15)
    assert by_x(1.0, 1.0, 2.0) == 0
    # No number of events has so small a probability: SciPy gives zero.
    assert sp.pdtrik(0.001, 2.0) == 0
    assert np.all(np.isnan(jax.grad(sp.pdtrik, (0, 1))(0.001, 2.0)))
