"""Identities of distribution functions: reflections, inverses, differential equations."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, curvature, integers, reals, slope

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)

OF_REAL_ARGUMENT = {
    "reflection of ndtr": lambda x: [sp.ndtr(x), sp.ndtr(-x), -1 + 0 * x],
    "equation of ndtr": lambda x: [curvature(sp.ndtr)(x), x * slope(sp.ndtr)(x)],
    "equation of log_ndtr": lambda x: [
        curvature(sp.log_ndtr)(x),
        slope(sp.log_ndtr)(x) ** 2,
        x * slope(sp.log_ndtr)(x),
    ],
    "log_ndtr is a logarithm": lambda x: [jnp.exp(sp.log_ndtr(x)), -sp.ndtr(x)],
    "reflection of expit": lambda x: [sp.expit(x), sp.expit(-x), -1 + 0 * x],
    "equation of expit": lambda x: [slope(sp.expit)(x), -sp.expit(x) * sp.expit(-x)],
    "log_expit is a logarithm": lambda x: [jnp.exp(sp.log_expit(x)), -sp.expit(x)],
    "reflection of log_expit": lambda x: [sp.log_expit(x), -sp.log_expit(-x), -x],
    "owens_t of equal halves": lambda x: [
        sp.owens_t(x, 1.0),
        -sp.ndtr(x) * sp.ndtr(-x) / 2,
    ],
    "owens_t of infinity": lambda x: [sp.owens_t(x, jnp.inf), -sp.ndtr(-jnp.abs(x)) / 2],
}

OF_PROBABILITY = {
    "reflection of ndtri": lambda p: [sp.ndtri(p), sp.ndtri(1 - p), 1 + 0 * p, -1 + 0 * p],
    "ndtri is the inverse": lambda p: [sp.ndtr(sp.ndtri(p)), -p],
    "slope of the inverse": lambda p: [
        slope(sp.ndtri)(p) * slope(sp.ndtr)(sp.ndtri(p)),
        -1 + 0 * p,
    ],
    "ndtri_exp is ndtri of exp": lambda p: [
        sp.ndtri_exp(jnp.log(p)),
        -sp.ndtri(p),
        1 + 0 * p,
        -1 + 0 * p,
    ],
    "logit is the inverse": lambda p: [sp.expit(sp.logit(p)), -p],
    "kolmogi is the inverse": lambda p: [sp.kolmogorov(sp.kolmogi(p)), -p],
    "slope of kolmogi": lambda p: [
        slope(sp.kolmogi)(p) * slope(sp.kolmogorov)(sp.kolmogi(p)),
        -1 + 0 * p,
    ],
    "mean and deviation": lambda p: [
        sp.nrdtrimn(p, 2.0, 3.0) + 2.0 * sp.ndtri(p),
        -3.0 + 0 * p,
    ],
}

OF_SHAPE_AND_POINT = {
    "reflection of stdtr": lambda df, t: [sp.stdtr(df, t), sp.stdtr(df, -t), -1 + 0 * t],
    "equation of stdtr": lambda df, t: [
        curvature(sp.stdtr, df)(t) * (df + t**2),
        (df + 1) * t * slope(sp.stdtr, df)(t),
    ],
    "reflection of nctdtr": lambda df, t: [
        sp.nctdtr(df, 1.5, t),
        sp.nctdtr(df, -1.5, -t),
        -1 + 0 * t,
    ],
    "nctdtr without noncentrality": lambda df, t: [sp.nctdtr(df, 0.0, t), -sp.stdtr(df, t)],
    # Johnson, Kotz and Balakrishnan (1995): the density is a difference of distribution functions.
    "slope of nctdtr": lambda df, t: [
        t / df * slope(sp.nctdtr, df, -1.5)(t),
        -sp.nctdtr(df + 2, -1.5, t * jnp.sqrt(1 + 2 / df)),
        sp.nctdtr(df, -1.5, t),
    ],
    "boxcox is the inverse": lambda a, x: [
        sp.inv_boxcox(sp.boxcox(jnp.exp(x / 4), a / 9), a / 9),
        -jnp.exp(x / 4),
    ],
    "boxcox of 1 + x": lambda a, x: [sp.boxcox1p(1 + x**2, -a), -sp.boxcox(2 + x**2, -a)],
    "equation of boxcox": lambda a, x: [
        a * sp.boxcox(1 + x**2, a),
        -(1 + x**2) * slope(lambda z: sp.boxcox(z, a))(1 + x**2),
        1 + 0 * x,
    ],
    "reflection of tklmbda": lambda a, x: [
        sp.tklmbda(x, -a / 9),
        sp.tklmbda(-x, -a / 9),
        -1 + 0 * x,
    ],
}

OF_OBSERVATIONS = {
    "smirnovi is the inverse": lambda n, p: [sp.smirnov(n, sp.smirnovi(n, p)), -p],
    "slope of smirnovi": lambda n, p: [
        slope(sp.smirnovi, n)(p) * slope(sp.smirnov, n)(sp.smirnovi(n, p)),
        -1 + 0 * p,
    ],
    "curvature of smirnovi": lambda n, p: [
        curvature(sp.smirnovi, n)(p),
        curvature(sp.smirnov, n)(sp.smirnovi(n, p)) * slope(sp.smirnovi, n)(p) ** 3,
        1 + 0 * p,
        -1 + 0 * p,
    ],
}


@pytest.mark.parametrize("name", OF_REAL_ARGUMENT)
@PROFILE
@given(x=reals(-7, 7))
def test_real_argument(name, x):
    assert_zero_sum(OF_REAL_ARGUMENT[name], x)


@pytest.mark.parametrize("name", OF_PROBABILITY)
@PROFILE
@given(p=reals(0.01, 0.99))
def test_probability(name, p):
    assert_zero_sum(OF_PROBABILITY[name], p)


@pytest.mark.parametrize("name", OF_SHAPE_AND_POINT)
@PROFILE
@given(a=reals(0.5, 30), x=reals(-5, 5))
def test_shape_and_point(name, a, x):
    assert_zero_sum(OF_SHAPE_AND_POINT[name], a, x)


@pytest.mark.parametrize("name", OF_OBSERVATIONS)
@PROFILE
@given(n=integers(1, 30), p=reals(0.01, 0.99))
def test_observations(name, n, p):
    assert_zero_sum(OF_OBSERVATIONS[name], n, p, tolerance=1e-9)


def test_no_derivative_jumps_where_formulas_meet():
    """Values to both sides of the places where a rule goes from one formula to another."""
    meeting = {
        sp.log_ndtr: -2.5,
        sp.kolmogorov: 0.8,
        sp.kolmogi: sp.kolmogorov(0.8),
        sp.ndtri: 0.5,
        sp.ndtri_exp: np.log(0.5),
    }
    for function, at in meeting.items():
        sides = jnp.array([at * (1 - 1e-13), at * (1 + 1e-13)])
        for derivative in (slope(function), curvature(function), slope(curvature(function))):
            left, right = derivative(sides)
            assert abs(left - right) <= 1e-10 * max(abs(left), 1), function.__name__
