"""Spheroidal functions of large degree and parameter, where SciPy's series cancel."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special
from rotation import one_by_the_draw

from jaxsci import special
from jaxsci._verification.oracles.spheroidal import spheroidal_angular, spheroidal_radial

# Large degrees, tails of prolate functions, and oblate ones that are small at 0.
POINTS = (
    (0, 25, 5.0, 0.55),
    (5, 60, 90.0, 0.1),
    (0, 25, 90.0, -0.95),
    (0, 0, 90.0, 0.95),
    (1, 3, 90.0, 0.6),
    (2, 10, 50.0, 0.999999),
    (20, 60, 30.0, -0.3),
    (3, 4, 130.0, 0.2),
    (0, 1, 1e-3, 0.9),
    (0, 12, 0.0, 0.7),
)


def truth(oblate, point, digits=150):
    m, n, c, x = point
    with mpmath.workdps(digits):
        return [float(spheroidal_angular(oblate, m, n, c, x, k)) for k in range(2)]


@pytest.mark.parametrize("oblate", one_by_the_draw([False, True], "large spheroidal values", 1))
def test_values_of_large_degree_and_parameter(oblate):
    function = special.obl_ang1 if oblate else special.pro_ang1
    with_value = special.obl_ang1_cv if oblate else special.pro_ang1_cv
    eigenvalue = special.obl_cv if oblate else special.pro_cv
    m, n, c, x = (jnp.array(column) for column in zip(*POINTS, strict=True))
    m, n = m.astype(float), n.astype(float)
    expected = np.array([truth(oblate, point) for point in POINTS])
    np.testing.assert_allclose(np.stack(function(m, n, c, x), -1), expected, 1e-11)
    found = with_value(m, n, c, eigenvalue(m, n, c), x)
    np.testing.assert_allclose(np.stack(found, -1), expected, 1e-11)


@pytest.mark.rotating(0.15)
@pytest.mark.parametrize("oblate", [False, True])
def test_derivatives_of_large_degree_and_parameter(oblate):
    function = special.obl_ang1 if oblate else special.pro_ang1

    def value(m, n, c, x):
        return function(m, n, c, x)[0]

    def second_in_x(m, n, c, x):
        return jax.grad(lambda x: function(m, n, c, x)[1])(x)

    points = [point for point in POINTS if point[2] > 0.1]
    m, n, c, x = (jnp.array(column, float) for column in zip(*points, strict=True))
    in_c, in_x = jax.jit(jax.vmap(jax.grad(value, argnums=(2, 3))))(m, n, c, x)
    bend = jax.jit(jax.vmap(second_in_x))(m, n, c, x)
    for k, (m, n, c, x) in enumerate(points):
        with mpmath.workdps(150):
            s, slope = (spheroidal_angular(oblate, m, n, c, x, j) for j in range(2))
            h = mpmath.mpf(10) ** -30
            there, back = (
                spheroidal_angular(oblate, m, n, mpmath.mpf(c) + e, x, 0) for e in (h, -h)
            )
            value_c = (there - back) / (2 * h)
            above, below = (
                spheroidal_angular(oblate, m, n, c, mpmath.mpf(x) + e, 1) for e in (h, -h)
            )
            second = (above - below) / (2 * h)
        np.testing.assert_allclose(in_x[k], float(slope), 1e-11, err_msg=f"in x {points[k]}")
        # Relative to the change that its own size in c makes, or the function's.
        scale = max(abs(float(value_c)), abs(float(s)))
        assert abs(in_c[k] - float(value_c)) < 1e-10 * scale, points[k]
        bends = max(abs(float(second)), n * n * abs(float(s)))
        assert abs(bend[k] - float(second)) < 1e-10 * bends, points[k]


def test_scipys_bits_where_they_are_right():
    m, n, c, x = np.array([0.0, 1.0, 1.0]), np.array([2.0, 1.0, 4.0]), 3.0, 0.4
    for ours, theirs in zip(
        special.pro_ang1(m, n, c, x), scipy.special.pro_ang1(m, n, c, x), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


# From next to 1, and where sums over Bessel functions cancel.
OUTSIDE = (
    (5, 8, 36.61, 1.0450935),
    (2, 5, 59.51, 1.8627756),
    (5, 12, 7.513, 1.0000023),
    (0, 15, 0.876, 1.0141969),
    (0, 0, 60.0, 4.0),
    (1, 3, 11.0, 30.0),
)


@pytest.mark.rotating(0.11)
def test_prolate_radial_functions_of_the_first_kind():
    m, n, c, x = (jnp.array(column, float) for column in zip(*OUTSIDE, strict=True))
    found = np.stack(special.pro_rad1(m, n, c, x))
    again = np.stack(special.pro_rad1_cv(m, n, c, special.pro_cv(m, n, c), x))
    gradient = jax.grad(lambda m, n, c, x: special.pro_rad1(m, n, c, x)[0], argnums=(2, 3))
    in_c, in_x = jax.jit(jax.vmap(gradient))(m, n, c, x)
    for k, (m, n, c, x) in enumerate(OUTSIDE):
        with mpmath.workdps(80):
            value, slope = (spheroidal_radial(False, 1, m, n, c, x, j) for j in range(2))
            h = mpmath.mpf(10) ** -20
            above, below = (
                spheroidal_radial(False, 1, m, n, mpmath.mpf(c) + e, x, 0) for e in (h, -h)
            )
            slope_in_c = (above - below) / (2 * h)
        np.testing.assert_allclose(found[:, k], [float(value), float(slope)], 2e-11)
        np.testing.assert_allclose(again[:, k], [float(value), float(slope)], 2e-11)
        np.testing.assert_allclose(in_x[k], float(slope), 1e-11)
        np.testing.assert_allclose(in_c[k], float(slope_in_c), 1e-10)


# Where c x > 400, and of the second kind for c > 8, by the expansion far out.
FAR_OUT = (
    (0, 1, 20.0, 21.0),
    (1, 2, 25.0, 30.0),
    (3, 30, 13.0, 35.0),
    (0, 0, 90.0, 5.0),
)
# SciPy's functions of the first kind are NaN for c x > 4472.
FIRST = (
    *FAR_OUT,
    (2, 5, 2.0, 500.0),
    (1, 3, 5.0, 1e3),
    (0, 0, 1e-8, 5e10),
    (50, 60, 1e-3, 4.2e5),
    (90, 95, 0.1, 4100.0),
)
SECOND = (
    *FAR_OUT,
    (0, 5, 20.0, 1.001),
    (3, 10, 15.0, 2.0),
    (0, 0, 40.0, 3.0),
    (0, 30, 13.0, 1.5),
    (5, 20, 30.0, 1.05),
    (2, 3, 8.5, 1.2),
    (2, 3, 30.0, 1.01),
    (0, 1, 12.5, 100.0),
)


def radial_truth(kind, point):
    """Value, slope, the value's derivative in c, the slope's in x and in c."""
    m, n, c, x = point
    with mpmath.workdps(100):
        h = mpmath.mpf(10) ** -20

        def at(j, by_c=0, by_x=0):
            c_, x_ = mpmath.mpf(c) + by_c, mpmath.mpf(x) + by_x
            return spheroidal_radial(False, kind, m, n, c_, x_, j)

        in_c = [(at(j, h) - at(j, -h)) / (2 * h) for j in range(2)]
        bend = (at(1, 0, h) - at(1, 0, -h)) / (2 * h)
        return [float(y) for y in (at(0), at(1), in_c[0], bend, in_c[1])]


@pytest.mark.rotating(0.11)
@pytest.mark.parametrize("kind", [1, 2])
def test_prolate_radial_functions_of_larger_parameters(kind):
    points = FIRST if kind == 1 else SECOND
    function = special.pro_rad1 if kind == 1 else special.pro_rad2
    with_value = special.pro_rad1_cv if kind == 1 else special.pro_rad2_cv
    m, n, c, x = (jnp.array(column, float) for column in zip(*points, strict=True))

    def both(m, n, c, x):
        return jnp.stack(function(m, n, c, x))

    in_c, in_x = jax.jit(jax.vmap(jax.jacfwd(both, argnums=(2, 3))))(m, n, c, x)
    found = np.stack([*function(m, n, c, x), in_c[:, 0], in_x[:, 1], in_c[:, 1]], -1)
    expected = np.array([radial_truth(kind, point) for point in points])
    np.testing.assert_allclose(found, expected, 2e-11)
    again = np.stack(with_value(m, n, c, special.pro_cv(m, n, c), x), -1)
    np.testing.assert_allclose(again, expected[:, :2], 2e-11)


@pytest.mark.rotating(1)
def test_powers_that_overflow():
    def slope(function, m, n, c, x):
        return jax.grad(lambda x: function(m, n, c, x)[1])(x)

    at = 100, 101, 20.0, 1e3
    np.testing.assert_allclose(slope(special.pro_rad1, *at), radial_truth(1, at)[3], 1e-10)
    assert np.isnan(slope(special.pro_rad2, 150, 151, 9.0, 1.01))


def test_oblate_radial_functions_far_out():
    points = ((0, 0, 1.0, 5e3), (3, 8, 0.125, 8e5), (20, 40, 6.0, 2e3), (1, 2, 1e-8, 1e12))
    m, n, c, x = (jnp.array(column, float) for column in zip(*points, strict=True))
    found = np.stack(special.obl_rad1(m, n, c, x), -1)
    with mpmath.workdps(60):
        truths = [[spheroidal_radial(True, 1, *point, j) for j in range(2)] for point in points]
    np.testing.assert_allclose(found, np.array(truths, float), 1e-11)
