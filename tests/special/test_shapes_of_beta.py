"""Derivatives in the shapes of the beta family: mixed ones, at the ends, in every mode."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from identities import mixed

from jaxsci import special as sp
from jaxsci._verification import reference as oracle
from jaxsci._verification.reference import exact

pytestmark = pytest.mark.rotating(0.022)

TOLERANCE = 1e-11
STEP = mpmath.mpf(10) ** -20


def truth(name, orders, point):
    """The same by central differences of the row's mpmath expression."""
    reference = oracle.Reference(oracle.ROWS[name], {})
    with mpmath.workdps(100):
        at = [exact(x) for x in point]
        steps = [STEP * abs(x) for x in at]
        weights = {0: {0: 1}, 1: {1: 0.5, -1: -0.5}, 2: {1: 1, 0: -2, -1: 1}}
        total = mpmath.mpf(0)
        for places in itertools.product(*(weights[k] for k in orders)):
            moved = [x + k * h for x, k, h in zip(at, places, steps, strict=True)]
            factors = [weights[k][p] for k, p in zip(orders, places, strict=True)]
            total += mpmath.fprod(factors) * reference(moved)[0][0]
        return float(total / mpmath.fprod(h**k for h, k in zip(steps, orders, strict=True)))


OF_THREE = ((2, 0, 0), (0, 2, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1), (2, 1, 0), (1, 0, 2), (1, 1, 1))
OF_TWO = ((1, 1), (2, 1), (1, 2))
POINTS = {
    "betainc": (
        (0.1, 0.3, 0.7),
        (3.0, 80.0, 0.02),
        (150.0, 60.0, 0.75),
        (2.0, 0.25, 0.9999),
        (1e3, 2e3, 0.3),
        (1e-9, 3.0, 0.4),
        (2e-12, 1e-7, 0.2),
        (60.0, 1e-30, 0.75),
    ),
    "betaincc": ((40.0, 0.07, 0.9), (0.5, 7.0, 0.9), (1e-8, 23.5, 0.75)),
    "fdtr": (
        (2.0, 3.0, 1e-3),
        (0.5, 30.0, 4.0),
        (200.0, 300.0, 1.1),
        (4.0, 1e5, 2.0),
        (3.0, 2.5, 1e8),
    ),
    "fdtrc": ((5.0, 0.4, 20.0), (1.0, 2.0, 0.7)),
    "betaincinv": ((2.0, 3.0, 0.25), (0.5, 0.5, 0.9), (194.0, 25.5, 6e-174)),
    "betainccinv": ((2.0, 0.25, 0.1),),
    "fdtri": ((3.0, 7.0, 0.9), (200.0, 300.0, 0.25), (80.0, 30.0, 1e-200)),
    "btdtria": ((0.3, 2.0, 0.4),),
    "bdtrik": ((0.4, 20.0, 0.3),),
    "nbdtrin": ((3.0, 0.4, 0.6),),
}
POINTS_OF_TWO = {
    "stdtr": ((0.1, 2.0), (3.0, -0.5), (30.0, 1.5), (1e4, -3.0), (1e10, 2.0)),
    "stdtrit": ((2.0, 1e-10), (1e4, 0.3)),
}
CASES = [
    pytest.param(name, orders, id=f"{name}-{''.join(map(str, orders))}")
    for points, of_all, few in ((POINTS, OF_THREE, 3), (POINTS_OF_TWO, OF_TWO, 1))
    for name in points
    for orders in (of_all if name in ("betainc", "fdtr", "stdtr") else of_all[:few])
]


@pytest.mark.parametrize(("name", "orders"), CASES)
def test_mixed_derivatives_are_mpmaths(name, orders):
    points = (POINTS | POINTS_OF_TWO)[name]
    columns = [np.array(column) for column in zip(*points, strict=True)]
    found = jax.jit(mixed(getattr(sp, name), orders))(*columns)
    expected = [truth(name, orders, point) for point in points]
    np.testing.assert_allclose(found, expected, rtol=TOLERANCE)


HARDLY_ANY_DEGREES = {
    "fdtr": (
        (7.8e-10, 1.3, 0.05),
        (38.0, 9.6e-7, 4.0),
        (1e-3, 2.0, 0.5),
        (0.1, 3.0, 1e-300),
    ),
    "fdtrc": ((1e-5, 3.0, 0.5), (3.0, 0.2, 1e30)),
    "stdtr": ((1e-10, 1.5), (1e-3, 5.0), (0.2, 1e20), (1e-3, -1e200), (1e-3, -1e308)),
}


@pytest.mark.parametrize("name", HARDLY_ANY_DEGREES)
def test_first_derivatives_next_to_no_degrees_of_freedom(name):
    points = HARDLY_ANY_DEGREES[name]
    columns = [np.array(column) for column in zip(*points, strict=True)]
    for i in range(len(columns) - 1):
        orders = tuple(int(j == i) for j in range(len(columns)))
        found = jax.jit(mixed(getattr(sp, name), orders))(*columns)
        expected = [truth(name, orders, point) for point in points]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize(("a", "x"), [(1 - 1e-11, 0.00208), (38.7, 0.6), (2.0, 0.5), (0.3, 0.95)])
def test_derivatives_in_a_shape_that_is_zero_are_those_from_above(a, x):
    # 1/B(a, b) is b and smaller terms, so that the slope is B_x(a, 0) = x^a/a F(a, 1; a + 1; x).
    with mpmath.workdps(30):

        def of_shape(a):
            return exact(x) ** a / a * mpmath.hyp2f1(a, 1, a + 1, x)

        slope, in_a = of_shape(exact(a)), mpmath.diff(of_shape, exact(a))
    density = x ** (a - 1) / (1 - x)
    truths = {(0, 1, 0): slope, (1, 1, 0): in_a, (0, 1, 1): density, (1, 0, 0): 0, (2, 0, 1): 0}
    for orders, value in truths.items():
        found = mixed(sp.betainc, orders)(a, 0.0, x)
        np.testing.assert_allclose(found, float(value), rtol=1e-10 if orders[0] else 1e-12)
        # I_x(a, b) = 1 - I_(1-x)(b, a), DLMF 8.17.4.
        turned = mixed(sp.betaincc, (orders[1], orders[0], orders[2]))(0.0, a, 1 - x)
        sign = (-1) ** orders[2]
        np.testing.assert_allclose(sign * turned, float(value), rtol=1e-10)


def test_student_of_huge_arguments():
    # t^2 and, with next to no degree of freedom, t/sqrt(df) overflow.
    df = np.array([1e-3, 0.1, 300.0, 300.0])
    t = np.array([-1e308, -1e308, -1e200, 1e300])
    with mpmath.workdps(50):
        reference = oracle.Reference(oracle.ROWS["stdtr"], {})
        expected = [float(reference([exact(x) for x in p])[0][0]) for p in zip(df, t, strict=True)]
    np.testing.assert_allclose(sp.stdtr(df, t), expected, rtol=1e-13)


SHAPES = jnp.array([0.3, 1.0, 5.0, 60.0])


@pytest.mark.parametrize("orders", [(1, 0, 0), (0, 1, 0), (1, 1, 0)])
@pytest.mark.parametrize(
    ("function", "ends"), [(sp.betainc, (0.0, 1.0)), (sp.fdtr, (0.0, jnp.inf))]
)
def test_at_the_ends_of_the_domain_nothing_depends_on_shapes(function, ends, orders):
    for end in ends:
        at = SHAPES[:, None], SHAPES, jnp.asarray(end)
        np.testing.assert_array_equal(mixed(function, orders)(*at), 0.0)


@pytest.mark.parametrize("point", [(-1.0, 2.0, 0.5), (2.0, -1.0, 0.5), (2.0, 3.0, -0.5)])
@pytest.mark.parametrize("function", [sp.betainc, sp.betaincc, sp.fdtr])
@pytest.mark.parametrize("orders", [(1, 0, 0), (0, 1, 0), (2, 0, 0)])
def test_outside_the_domain_there_is_no_mixed(function, point, orders):
    assert np.isnan(mixed(function, orders)(*map(jnp.asarray, point)))


def test_density_in_a_shape_at_the_end_is_infinite_or_nothing():
    density = mixed(sp.betainc, (1, 0, 1))
    found = density(jnp.array([0.5, 1.0, 1.5, 3.0]), jnp.asarray(2.0), jnp.asarray(0.0))
    np.testing.assert_array_equal(found, [-np.inf, -np.inf, 0.0, 0.0])


def test_student_approaches_the_normal_distribution():
    # Student's distribution function less the normal one is -(t^3 + t) phi(t)/(4 df) + O(1/df^2).
    df, t = 1e8, jnp.linspace(-6.0, 6.0, 13)
    phi = jnp.exp(-t * t / 2) / jnp.sqrt(2 * jnp.pi)
    found = mixed(sp.stdtr, (1, 0))(jnp.full_like(t, df), t)
    np.testing.assert_allclose(found, (t**3 + t) * phi / 4 / df**2, rtol=1e-5)
    np.testing.assert_array_equal(mixed(sp.stdtr, (1, 0))(jnp.full_like(t, jnp.inf), t), 0.0)


def test_where_scipys_search_finds_no_root_there_is_no_derivative():
    # No dfd brings fdtr(2, dfd, 0.5) up to 0.9.
    at = map(jnp.asarray, (2.0, 0.9, 0.5))
    assert np.isnan(mixed(sp.fdtridfd, (0, 1, 0))(*at))


@pytest.mark.parametrize("place", [0, 1])
def test_modes_and_transforms_agree(place):
    at = [jnp.array([0.4, 7.0]), jnp.array([2.0, 30.0]), jnp.array([0.6, 0.2])]
    curvature = mixed(sp.betainc, [2 * (i == place) for i in range(3)])(*at)

    def one(*at):
        return jax.grad(jax.grad(sp.betainc, place), place)(*at)

    def scanned(_, at):
        return None, one(*at)

    np.testing.assert_allclose(jax.vmap(one)(*at), curvature, rtol=1e-14)
    np.testing.assert_allclose(jax.lax.scan(scanned, None, at)[1], curvature, rtol=1e-14)


def test_narrow_types_are_rounded_once():
    at = [np.float32(x) for x in (3.5, 80.0, 0.02)]
    wide = jax.grad(sp.betainc, 1)(*map(np.float64, at))
    assert jax.grad(sp.betainc, 1)(*at) == np.float32(wide)


@pytest.mark.parametrize(
    ("a", "b"), [(1.25e-3, 980138.5), (3e-187, 6.4e7), (0.3, 2e7), (0.02, 40.0)]
)
@pytest.mark.parametrize("x", [1e-300, 3e-281, 1e-262, 1e-250])
def test_a_small_shape_far_below_all_others(a, b, x):
    """There is the first term alone, x^a Gamma(a + b)/(Gamma(a + 1) Gamma(b)) (DLMF 8.17.7)."""
    with mpmath.workdps(60):
        small, large, at = map(mpmath.mpf, (a, b, x))
        value = at**small * mpmath.gammaprod([small + large], [small + 1, large])
        both = mpmath.psi(0, small + large)
        in_a = value * (mpmath.log(at) + both - mpmath.psi(0, small + 1))
        in_b = value * (both - mpmath.psi(0, large))
    assert jax.grad(sp.betainc, 0)(a, b, x) == pytest.approx(float(in_a), rel=1e-13)
    assert jax.grad(sp.betainc, 1)(a, b, x) == pytest.approx(float(in_b), rel=1e-13)
