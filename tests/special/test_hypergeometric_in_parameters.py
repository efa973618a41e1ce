"""Derivatives of hypergeometric functions in their parameters, mixed ones too.

The truth is mpmath's, by central differences of definitions with an error of 1e-40.
"""

from __future__ import annotations

import jax
import mpmath
import numpy as np
import pytest
from differences import assert_close, mixed

import jaxsci
from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.038)


def check(f, definition, points, orders, tolerance):
    columns = [np.array(column) for column in zip(*points, strict=True)]
    assert_close(mixed(f, orders)(*columns), definition, points, orders, tolerance)


def in_the_plane(points):
    return [(*numbers, complex(z)) for *numbers, z in points]


def orders_of(*pairs):
    return pytest.mark.parametrize(("orders", "tolerance"), pairs)


def sum_of_degree(n, ratio):
    """The sum of n + 1 terms, from the quotients of successive ones."""
    term, total = mpmath.mpf(1), mpmath.mpf(1)
    for k in range(n):
        term = term * ratio(k)
        total += term
    return total


def is_degree(a):
    return a == mpmath.floor(mpmath.re(a)) and a <= 0


# -- 0F1 -------------------------------------------------------------------------------------------

LIMIT = [
    *((-20.5, 1.0), (-6.5, -5e6), (-45.5, 300.0), (-45.5, -2000.0), (-300.3, -5e4), (-300.3, 4e4)),
    *((1.0, 1e-3), (0.5, 1e-9), (-0.5, 2.0), (-3.5, -2.0), (2.0, -1e-12), (0.3, -49.0)),
    *((12.5, 30.0), (-19.3, -280.0), (-3 + 1e-9, 4.0), (300.0, 1e4), (3000.0, -1e4), (1e-8, 0.7)),
    # where Hankel's expansion begins
    *((3.0, -224.9), (3.0, -225.1), (3.0, 224.9), (3.0, 225.1), (25.0, -1e5), (3.0, 1e5)),
    *((-4.2, -1e4), (2.5, -1e9)),
]
LIMIT_IN_THE_PLANE = [
    *((-45.5, 300 + 200j), (-120.25, -900 + 40j), (-30.5, 0.02 - 0.01j)),
    *((0.7, 3 + 4j), (0.7, -300 + 1e-3j), (0.7, -300 - 40j), (5.5, 1e4j), (-2.3, 11 - 7j)),
    *((20.0, -120 + 5j), *in_the_plane(LIMIT[:6])),
]


@orders_of(((1, 0), 1e-12), ((2, 0), 1e-11), ((1, 1), 1e-11), ((1, 2), 1e-11))
def test_limit(orders, tolerance):
    check(sp.hyp0f1, mpmath.hyp0f1, LIMIT, orders, tolerance)


@orders_of(((1, 0), 1e-12), ((1, 1), 1e-11))
def test_limit_in_the_plane(orders, tolerance):
    check(sp.hyp0f1, mpmath.hyp0f1, LIMIT_IN_THE_PLANE, orders, tolerance)


def test_limit_is_constant_at_the_origin():
    f = mixed(sp.hyp0f1, (1, 0))
    assert np.all(np.asarray(f(np.array([0.3, 2.0]), np.zeros(2))) == 0)
    assert np.all(np.asarray(f(np.array([0.3, 2.0]), np.zeros(2, complex))) == 0)


def test_limit_where_it_is_not_known():
    v = np.array([-1.1e4 - 0.5, 1.1e4, 200.0, -3.0])
    z = np.array([1.0, 1.0, -5e6, 1.0])
    assert np.all(np.isnan(mixed(sp.hyp0f1, (1, 0))(v, z)))
    v, z = np.array([-45.5, -30.5]), np.array([-800 + 100j, -827 - 353j])
    assert np.all(np.isnan(mixed(sp.hyp0f1, (1, 0))(v, z)))


# -- 1F1 -------------------------------------------------------------------------------------------


def kummer(a, b, x):
    if is_degree(a):
        return sum_of_degree(int(-a), lambda k: (a + k) * x / ((b + k) * (k + 1)))
    return mpmath.hyp1f1(a, b, x, maxterms=10**5, zeroprec=10**4)


KUMMER = [
    *((2.0, 2.0, -1.0), (0.3, 1e-3, 2.0), (1e-8, 2.5, 6.0), (1e-8, 2.5, -6.0), (1e-8, 2.5, -600.0)),
    *((1.5, 2.5, 600.0), (1.5, 2.5, -600.0), (4.5, 2.5, -300.0), (4.5, 2.5, -30.0)),
    *((-2 + 1e-7, 0.5, 3.0), (4.5, 2.5, 1e-9), (-19.7, -3.2, 250.0), (80.0, 3.0, -20.0)),
    *((-80.5, 3.0, 20.0), (3.0, 100.0, 50.0), (3.0, 100.0, -50.0), (300.0, 450.5, -70.0)),
    (2.2, 2.0 + 1e-9, 40.0),
]
KUMMER_IN_THE_PLANE = [
    *((1.2, 2.3, 20j), (1.2, 2.3, -15 - 40j), (-3.6, 0.4, 9 + 9j), (1.2, 2.3, -300 + 1e-3j)),
    *((1.2, 2.3, 500j), (7.7, -2.3, 3 - 30j), *in_the_plane(KUMMER[:9])),
]
KUMMERS_POLYNOMIALS = [
    *((-3.0, 0.5, 1.5), (-3.0, 0.5, 60.0), (-3.0, 0.5, 600.0), (-3.0, 0.5, -600.0)),
    *((-20.0, 3.3, 7.0), (-5.0, -7.0, 2.0), (-40.0, 1.5, 1e-6), (-1.0, 2.0, 30.0)),
]


@orders_of(
    ((1, 0, 0), 1e-12), ((0, 1, 0), 1e-12), ((2, 0, 0), 1e-11), ((1, 1, 0), 1e-11),
    ((0, 1, 1), 1e-11), ((1, 0, 2), 1e-11),
)  # fmt: skip
def test_kummers_function(orders, tolerance):
    check(sp.hyp1f1, kummer, KUMMER, orders, tolerance)


@orders_of(((1, 0, 0), 1e-12), ((0, 1, 0), 1e-12), ((1, 0, 1), 1e-11))
def test_kummers_function_in_the_plane(orders, tolerance):
    check(sp.hyp1f1, kummer, KUMMER_IN_THE_PLANE, orders, tolerance)


@orders_of(((0, 1, 0), 1e-12), ((0, 2, 0), 1e-11), ((0, 1, 1), 1e-11))
def test_kummers_polynomials(orders, tolerance):
    """All digits, where steps would lose them to the solution that grows exponentially."""
    found = mixed(sp.hyp1f1, orders)(*map(np.array, zip(*KUMMERS_POLYNOMIALS, strict=True)))
    with mpmath.workdps(60):
        for got, (a, b, x) in zip(found.tolist(), KUMMERS_POLYNOMIALS, strict=True):
            if orders[2]:
                # DLMF 13.3.15
                truth = mpmath.diff(lambda b, a=a, x=x: a / b * kummer(a + 1, b + 1, x), b)
            else:
                truth = mpmath.diff(lambda b, a=a, x=x: kummer(a, b, x), b, orders[1])
            assert abs(got - truth) <= tolerance * abs(truth), (a, b, x)


def test_kummers_function_that_does_not_depend_on_the_other_parameter():
    zero = mixed(sp.hyp1f1, (0, 1, 0))
    assert np.all(np.asarray(zero(np.zeros(2), np.array([0.7, 3.0]), np.array([2.0, -800.0]))) == 0)
    for orders in ((1, 0, 0), (0, 1, 0)):
        assert mixed(sp.hyp1f1, orders)(1.0, 2.0, 0.0) == 0


def test_kummers_function_where_it_is_not_known():
    a = np.array([1.1e4, 1.5, 1.5, 90.0, 1.5])
    b = np.array([2.0, -20.5, 1.1e4, 2.5, -3.0])
    x = np.array([1.0, 1.0, 1.0, 2000.0, 1.0])
    for orders in ((1, 0, 0), (0, 1, 0)):
        assert np.all(np.isnan(mixed(sp.hyp1f1, orders)(a, b, x)))


# -- U ---------------------------------------------------------------------------------------------


def tricomi(a, b, x):
    if is_degree(a):
        n = int(-a)
        return (-1) ** n * mpmath.fsum(
            mpmath.binomial(n, k) * mpmath.rf(b + k, n - k) * (-x) ** k for k in range(n + 1)
        )
    return mpmath.hyperu(a, b, x)


TRICOMI = [
    *((1.0, 1.0, 1.0), (0.5, 2.0, 1e-3), (2.0, 3.0, 1e-9), (1.0, 1.0, 1e5), (1.5, 2.5, 0.3)),
    *((0.5, 1 + 1e-9, 0.2), (-7.5, -8.0, 0.3), (12.0, -14.0, 3.0), (-60.0, 60.0, 30.0)),
    *((9.0, 50.0, 0.1), (1e-7, 2.3, 0.4), (-3.3, 0.0, 1e-6), (2.7, -1.0, 1e-12), (0.6, 5.0, 40.0)),
    *((-2 + 1e-8, 1.5, 0.7), (-40.5, 3.2, 90.0)),
]
TRICOMIS_POLYNOMIALS = [
    *(
        (-2.0, 1.5, 0.7),
        (-5.0, 6.0, 0.01),
        (-4.0, -2.0, 0.0),
        (-9.0, 2.0, 30.0),
        (-1.0, 40.0, 1e-9),
    ),
]


@orders_of(
    ((1, 0, 0), 1e-12), ((0, 1, 0), 1e-12), ((0, 2, 0), 1e-11), ((1, 1, 0), 1e-11),
    ((1, 0, 1), 1e-11), ((0, 1, 2), 1e-11),
)  # fmt: skip
def test_tricomis_function(orders, tolerance):
    check(sp.hyperu, tricomi, TRICOMI, orders, tolerance)


@pytest.mark.parametrize("order", [1, 2])
def test_tricomis_polynomials(order):
    """All digits, also where x^(1-b) is much larger."""
    columns = map(np.array, zip(*TRICOMIS_POLYNOMIALS, strict=True))
    found = mixed(sp.hyperu, (0, order, 0))(*columns)
    with mpmath.workdps(60):
        for got, (a, b, x) in zip(found.tolist(), TRICOMIS_POLYNOMIALS, strict=True):
            truth = mpmath.diff(lambda b, a=a, x=x: tricomi(a, b, x), b, order)
            assert abs(got - truth) <= 1e-13 * abs(truth), (a, b, x)


def test_tricomis_function_where_it_is_not_known():
    a, b = np.array([101.0, 1.0, 1.5, 1.5]), np.array([1.0, -101.0, 1.5, 0.5])
    x = np.array([1.0, 1.0, 0.0, -1.0])
    for orders in ((1, 0, 0), (0, 1, 0)):
        assert np.all(np.isnan(mixed(sp.hyperu, orders)(a, b, x)))


# -- 2F1 -------------------------------------------------------------------------------------------


def gauss(a, b, c, z):
    if is_degree(b) and not is_degree(a):
        a, b = b, a
    if is_degree(a):
        return sum_of_degree(int(-a), lambda k: (a + k) * (b + k) * z / ((c + k) * (k + 1)))
    return mpmath.hyp2f1(a, b, c, z, zeroprec=1000)


GAUSS = [
    *(
        (0.5, 0.5, 1.0, 0.9),
        (1.5, 2.5, 1.5, -0.3),
        (0.5, 1.0, 1.5, -4.0),
        (1.0, 2.0, 4.0, 1 - 1e-9),
    ),
    *((0.3, 1.7, 2.0, 1 - 1e-12), (1e-8, 2.2, 3.1, -50.0), (30.0, 40.0, 70.0, 0.95)),
    *((-30.5, 40.0, 3.0, 0.95), (0.5, 0.5, 1.0, -1e15), (3.5, 1.25, 1.5, 0.9999)),
    *((2.2, 0.7, -3 + 1e-8, 0.4), (2.0, 2.0, 3.0, -7.0)),
    *((-2 + 1e-9, 1.5, 0.5, 0.7), (0.7, 2.1, 4.4, 1e-9), (4.5, -9.25, 1.5, 0.9)),
    # One large parameter: terms of the power series fall off late.
    *((-0.21, 119.1, 25.8, 0.25), (0.3, 240.0, 60.5, -0.2)),
]
GAUSS_IN_THE_PLANE = [
    *((1.5, 2.5, 3.5, 0.5 + 0.87j), (1.5, 0.3, 2.2, 1.2 + 0.9j), (3.2, -1.4, 0.6, -1.1 + 0.4j)),
    *((0.7, 2.1, 4.4, 3 + 4j), (0.7, 2.1, 4.4, 3 + 1e-3j), (0.7, 2.1, 1.4, 3 - 1e-12j)),
    *((0.7, 2.1, 4.4, 1 + 1e-6j), (0.7, 2.1, 0.4, 1 - 1e-3j), (0.7, 2.1, 0.4, 1e9 + 1e9j)),
    # Next to 1 the solution (1 - z)^(c-a-b) is far below the other one.
    *((0.06, -15.8, 13.3, 1.64 - 0.18j), (-2.0, -3.5, 1.7, 1.36 + 0.014j)),
    *in_the_plane(GAUSS[:6]),
]
GAUSSS_POLYNOMIALS = [
    *(
        (-2.0, 6.5, 0.5, 0.999),
        (-7.0, 3.5, 1.5, -1e4),
        (-3.0, 2.2, 1.5, 1.0),
        (-3.0, 2.2, 1.5, 7.0),
    ),
    *((-4.0, 1.3, -6.0, 0.4), (-30.0, 31.5, 1.5, 0.2), (-2.0, 9.5, 0.5, 1 - 1e-9)),
]


@orders_of(
    ((1, 0, 0, 0), 1e-12), ((0, 1, 0, 0), 1e-12), ((0, 0, 1, 0), 1e-12), ((0, 0, 2, 0), 1e-11),
    ((1, 1, 0, 0), 1e-11), ((1, 0, 0, 1), 1e-11), ((0, 0, 1, 2), 1e-11),
)  # fmt: skip
def test_gausss_function(orders, tolerance):
    check(sp.hyp2f1, gauss, GAUSS, orders, tolerance)


def test_gausss_function_for_negative_c():
    """Terms of the power series cancel."""
    points = [(2.2, 0.7, -3.6, 0.4), (7.2, 3.0, -1.6, -1.5e5), (1.2, 0.7, -7.3, 0.3)]
    check(sp.hyp2f1, gauss, points, (0, 0, 1, 0), 1e-11)


@orders_of(((1, 0, 0, 0), 1e-12), ((0, 0, 1, 0), 1e-12), ((0, 1, 0, 1), 1e-11))
def test_gausss_function_in_the_plane(orders, tolerance):
    check(sp.hyp2f1, gauss, GAUSS_IN_THE_PLANE, orders, tolerance)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("place", [1, 2])
def test_gausss_polynomials(place, turned):
    """All digits, also where other solutions are much larger."""
    points = [(b, a, c, z) if turned else (a, b, c, z) for a, b, c, z in GAUSSS_POLYNOMIALS]
    at = 0 if turned and place == 1 else place
    orders = tuple(int(i == at) for i in range(4))
    found = mixed(sp.hyp2f1, orders)(*map(np.array, zip(*points, strict=True)))
    with mpmath.workdps(60):
        for got, point in zip(found.tolist(), points, strict=True):
            truth = mpmath.diff(lambda *p: gauss(*p), point, orders)
            assert abs(got - truth) <= 1e-12 * abs(truth), (point, orders)


@pytest.mark.parametrize("turned", [False, True])
def test_gausss_function_that_is_a_power_times_a_polynomial(turned):
    """DLMF 15.8.1; the derivative is as small as the function."""
    points = [(3.5, 9.25, 1.5, -1e4), (3.5, -4.25, 1.5, 1 - 1e-6), (4.25, 0.7, 2.25, 0.3)]
    points = [(b, a, c, z) if turned else (a, b, c, z) for a, b, c, z in points]
    orders = (1, 0, 0, 0) if turned else (0, 1, 0, 0)
    found = mixed(sp.hyp2f1, orders)(*map(np.array, zip(*points, strict=True)))
    with mpmath.workdps(60):
        for got, point in zip(found.tolist(), points, strict=True):
            truth = mpmath.diff(lambda *p: mpmath.hyp2f1(*p, zeroprec=1000), point, orders)
            assert abs(got - truth) <= 1e-12 * abs(truth), point


def test_gausss_function_that_does_not_depend_on_other_parameters():
    for orders in ((0, 1, 0, 0), (0, 0, 1, 0)):
        assert mixed(sp.hyp2f1, orders)(0.0, 1.5, 2.0, 0.5) == 0
        assert mixed(sp.hyp2f1, orders)(1.0, 1.0, 2.0, 0.0) == 0


def test_gausss_function_where_it_is_not_known():
    a = np.array([1001.0, 1.5, 1.5, 0.3, 1.5, 0.5])
    b = np.array([2.0, 1001.0, 2.5, 0.2, 2.5, 0.5])
    c = np.array([3.0, 1.5, -20.5, 0.4, -3.0, 1.5])
    z = np.array([0.5, 0.5, 0.5, 1.0, 0.5, 3.0])
    for orders in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)):
        assert np.all(np.isnan(mixed(sp.hyp2f1, orders)(a, b, c, z)))


@orders_of(
    ((1, 0, 0, 0), 1e-12), ((0, 1, 0, 0), 1e-12), ((0, 0, 1, 0), 1e-12), ((0, 0, 1, 1), 1e-11)
)
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_gausss_function_on_the_cut(orders, tolerance, zero):
    """From the side that the sign of the imaginary part tells, as SciPy's value is."""
    points = [
        *[(0.5, 0.5, 1.5, 3.0), (0.4, 0.8, 1.7, 1.25), (2.2, -1.3, 0.6, 40.0), (1, 1, 2.5, 1e6)],
        *[(1.4, 1.4, 1.8, 1 + 1e-9), (3.5, 4.25, 1.5, 7.0), (0.75, 2.5, -0.25, 1.5)],
    ]
    at = [np.array(column, float) for column in zip(*points, strict=True)]
    at[3] = np.array([complex(z, zero) for z in at[3]])
    found = mixed(sp.hyp2f1, orders)(*at)
    with mpmath.workdps(40):
        aside = mpmath.mpc(0, np.copysign(1e-35, zero))
        for got, (a, b, c, z) in zip(found.tolist(), points, strict=True):
            truth = mpmath.diff(lambda *p: mpmath.hyp2f1(*p), (a, b, c, z + aside), orders)
            assert abs(got - truth) <= tolerance * abs(truth), (a, b, c, z)


# -- all of them -----------------------------------------------------------------------------------


def test_large_arrays_are_computed_as_small_ones_are():
    """They go by blocks, the last of which is not full."""
    n = 5000
    v = np.linspace(0.2, 9.0, n)[:, None]
    z = np.array([[-8.0, 3.0]])
    f = jax.jit(jax.vmap(jax.vmap(jax.grad(sp.hyp0f1), (0, None)), (None, 0)))
    found = f(v[:, 0], z[0])
    assert found.shape == (2, n)
    some = slice(0, n, 499)
    np.testing.assert_allclose(found[:, some], f(v[some, 0], z[0]), rtol=1e-14)


def test_orders_of_differentiation_do_not_matter():
    at = (0.7, 2.3, -1.9)
    one = jax.grad(jax.grad(sp.hyp1f1, 0), 2)(*at)
    other = jax.grad(jax.grad(sp.hyp1f1, 2), 0)(*at)
    np.testing.assert_allclose(one, other, rtol=1e-13)


@pytest.mark.parametrize("place", [0, 1])
def test_kummers_function_where_a_power_overflows_alone(place):
    at = (-90.5, 3.25, -1e4)
    with mpmath.workdps(60):
        step = mpmath.mpf(10) ** -20
        steps = [step * (i == place) for i in range(3)]
        above, below = (
            mpmath.hyp1f1(*(x + s * h for x, h in zip(at, steps, strict=True))) for s in (1, -1)
        )
        slope, value = float((above - below) / (2 * step)), float(mpmath.hyp1f1(*at))
    np.testing.assert_allclose(jax.jit(jax.grad(sp.hyp1f1, place))(*at), slope, 1e-12)
    with jaxsci.use_backend("device"):
        np.testing.assert_allclose(jax.jit(sp.hyp1f1)(*at), value, 1e-12)


def test_in_single_precision_and_under_reverse_mode():
    at = [np.float32(t) for t in (0.75, 1.25, 2.5, 0.5)]
    found = jax.jit(jax.grad(sp.hyp2f1, (0, 1, 2, 3)))(*at)
    for i, got in enumerate(found):
        orders = tuple(int(i == j) for j in range(4))
        truth = mpmath.diff(gauss, [float(t) for t in at], orders)
        assert got.dtype == np.float32
        assert abs(float(got) - truth) <= 2**-23 * abs(truth)
