"""Identities of distribution functions: complements, special cases, inverses, slopes."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest
from hypothesis import given
from identities import PROFILE, assert_zero_sum, curvature, integers, reals, slope

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)

# Each identity takes two positive shapes and a probability or a positive number.


def complements(below, above):
    """F + (1 - F) = 1, and the slopes of both cancel."""
    return lambda a, b, x: [
        below(a, b, x) + slope(below, a, b)(x),
        above(a, b, x) + slope(above, a, b)(x),
        -1 + 0 * x,
    ]


OF_POSITIVE = {
    "complement of gdtr": complements(sp.gdtr, sp.gdtrc),
    "complement of fdtr": complements(sp.fdtr, sp.fdtrc),
    "complement of chdtr": complements(
        lambda a, b, x: sp.chdtr(a, x), lambda a, b, x: sp.chdtrc(a, x)
    ),
    "gdtr depends on a x": lambda a, b, x: [
        a * slope(lambda a: sp.gdtr(a, b, x))(a),
        -x * slope(sp.gdtr, a, b)(x),
    ],
    "chdtr is gdtr": lambda a, b, x: [
        curvature(lambda x: sp.chdtr(2 * b, x))(x),
        -curvature(lambda x: sp.gdtr(0.5, b, x))(x),
        slope(lambda x: sp.chdtr(2 * b, x))(x) * (1 / x + b / x),
        -slope(lambda x: sp.chdtr(2 * b, x))(x) * (1 / x + b / x),
    ],
    # DLMF 8.8.5: P(b+1, t) = P(b, t) - t^b exp(-t)/Gamma(b+1).
    "recurrence of gdtr": lambda a, b, x: [
        sp.gdtr(1.0, b + 1, x),
        -sp.gdtr(1.0, b, x),
        slope(lambda x: sp.gdtr(1.0, b + 1, x))(x),
    ],
    "equation of the gamma density": lambda a, b, x: [
        x * curvature(lambda x: sp.gdtr(1.0, b, x))(x),
        x * slope(lambda x: sp.gdtr(1.0, b, x))(x),
        -(b - 1) * slope(lambda x: sp.gdtr(1.0, b, x))(x),
    ],
    "F of 1/x": lambda a, b, x: [sp.fdtr(a, b, x), -sp.fdtrc(b, a, 1 / x)],
    "slope of F of 1/x": lambda a, b, x: [
        slope(sp.fdtr, a, b)(x),
        -slope(sp.fdtr, b, a)(1 / x) / x**2,
    ],
    "chndtr of no centrality": lambda a, b, x: [
        sp.chndtr(x, a, 0.0 * x) + slope(lambda x: sp.chndtr(x, a, 0.0 * x))(x),
        -sp.chdtr(a, x) - slope(sp.chdtr, a)(x),
    ],
    "ncfdtr of no centrality": lambda a, b, x: [
        sp.ncfdtr(a, b, 0.0 * x, x) + slope(lambda x: sp.ncfdtr(a, b, 0.0 * x, x))(x),
        -sp.fdtr(a, b, x) - slope(sp.fdtr, a, b)(x),
    ],
    # The shift of the degrees of freedom by two.
    "nc of chndtr": lambda a, b, x: [
        2 * slope(lambda nc: sp.chndtr(x, a, nc))(b),
        sp.chndtr(x, a, b),
        -sp.chndtr(x, a + 2, b),
    ],
    "nc of ncfdtr": lambda a, b, x: [
        2 * slope(lambda nc: sp.ncfdtr(a, b, nc, x))(b),
        sp.ncfdtr(a, b, b, x),
        -sp.ncfdtr(a + 2, b, b, x * a / (a + 2)),
    ],
    # d/dnc at df is minus the density at df + 2: the same twice.
    "mixed derivative of chndtr": lambda a, b, x: [
        slope(lambda nc: sp.chndtr(x, a, nc))(b),
        slope(lambda x: sp.chndtr(x, a + 2, b))(x),
    ],
}


def inverse(forward, back):
    """A function of its inverse, and the product of both slopes."""
    return lambda a, b, p: [
        forward(a, b, back(a, b, p)),
        -p,
        slope(forward, a, b)(back(a, b, p)) * slope(back, a, b)(p),
        -1 + 0 * p,
    ]


OF_PROBABILITY = {
    "gdtrix": inverse(sp.gdtr, sp.gdtrix),
    "gdtria": inverse(lambda b, x, a: sp.gdtr(a, b, x), lambda b, x, p: sp.gdtria(p, b, x)),
    "fdtri": inverse(sp.fdtr, sp.fdtri),
    "chdtri": inverse(lambda a, b, x: sp.chdtrc(a, x), lambda a, b, p: sp.chdtri(a, p)),
    "chndtrix": inverse(
        lambda df, nc, x: sp.chndtr(x, df, nc), lambda df, nc, p: sp.chndtrix(p, df, nc)
    ),
    "ncfdtri": inverse(
        lambda a, b, x: sp.ncfdtr(a, b, a, x), lambda a, b, p: sp.ncfdtri(a, b, a, p)
    ),
    "btdtria": lambda a, b, p: [sp.fdtr(2 * sp.btdtria(p, b, p), 2 * b, _odds(p, b)), -p],
    "chdtriv": lambda a, b, p: [sp.chdtr(sp.chdtriv(p, a), a), -p],
}


def _odds(p, b):
    """The x at which fdtr(2a, 2b, x) is I_p(a, b), a being btdtria's."""
    return p / (1 - p) * b / sp.btdtria(p, b, p)


OF_WHOLE = {
    "bdtr": lambda k, n, p: [
        sp.bdtr(k, k + n, p) + slope(sp.bdtr, k, k + n)(p),
        sp.bdtrc(k, k + n, p) + slope(sp.bdtrc, k, k + n)(p),
        -1 + 0 * p,
    ],
    "nbdtr": lambda k, n, p: [
        sp.nbdtr(k, n, p) + slope(sp.nbdtr, k, n)(p),
        sp.nbdtrc(k, n, p) + slope(sp.nbdtrc, k, n)(p),
        -1 + 0 * p,
    ],
    "pdtr": lambda k, n, p: [
        sp.pdtr(k, p) + slope(sp.pdtr, k)(p),
        sp.pdtrc(k, p) + slope(sp.pdtrc, k)(p),
        -1 + 0 * p,
    ],
    # At most k failures before success n: at least n successes in n + k trials.
    "nbdtr is bdtrc": lambda k, n, p: [sp.nbdtr(k, n, p), -sp.bdtrc(n - 1, n + k, p)],
    "slope of pdtr": lambda k, n, p: [
        slope(sp.pdtr, k + 1)(p),
        sp.pdtr(k + 1, p),
        -sp.pdtr(k, p),
    ],
    "pdtr is chdtrc": lambda k, n, p: [
        slope(sp.pdtr, k)(p),
        -slope(lambda p: sp.chdtrc(2.0 * (k + 1), 2 * p))(p),
    ],
    "bdtri": inverse(lambda k, n, p: sp.bdtr(k, k + n, p), lambda k, n, y: sp.bdtri(k, k + n, y)),
    "nbdtri": inverse(sp.nbdtr, sp.nbdtri),
    "pdtri": inverse(lambda k, n, m: sp.pdtr(k, m), lambda k, n, y: sp.pdtri(k, y)),
}


@pytest.mark.parametrize("name", OF_POSITIVE)
@PROFILE
@given(a=reals(0.3, 30), b=reals(0.3, 30), x=reals(0.05, 20))
def test_positive_argument(name, a, b, x):
    assert_zero_sum(OF_POSITIVE[name], a, b, x)


@pytest.mark.parametrize("name", OF_PROBABILITY)
@PROFILE
@given(a=reals(0.5, 30), b=reals(0.5, 30), p=reals(0.01, 0.99))
def test_probability(name, a, b, p):
    assert_zero_sum(OF_PROBABILITY[name], a, b, p)


@pytest.mark.parametrize("name", OF_WHOLE)
@PROFILE
@given(k=integers(0, 30), n=integers(1, 30), p=reals(0.01, 0.99))
def test_whole_numbers(name, k, n, p):
    assert_zero_sum(OF_WHOLE[name], k, n, p)


@pytest.mark.parametrize("size", [1e2, 1e4, 1e6])
def test_slopes_keep_their_digits_for_large_shapes(size):
    """Both sides of the recurrence of Poisson probabilities, k p_k = m p_{k-1}."""
    k = jnp.asarray(size) + jnp.arange(-3.0, 4.0) * jnp.sqrt(size) // 1
    m = jnp.full_like(k, size)
    here, before = slope(sp.pdtr, k)(m), slope(sp.pdtr, k - 1)(m)
    assert jnp.all(jnp.abs(k * here / (m * before) - 1) < 1e-13)


OUTSIDE = {
    "betainc": (
        sp.betainc,
        (-1.0, 0.6, 0.5),
        (-2.0, -1.0, 0.5),
        (0.4, -1.0, 0.5),
        (0.0, 1.0, -0.5),
    ),
    "betaincc": (sp.betaincc, (-1.0, 0.6, 0.5), (0.4, -3.0, 0.5), (1.0, 0.0, 1.5)),
    "gdtr": (sp.gdtr, (-1.0, 0.5, -1.0), (-2.0, 3.0, -0.5), (-1.0, 2.0, 1.0)),
    "gdtrc": (sp.gdtrc, (-1.0, 0.5, -1.0), (-2.0, 3.0, -0.5), (-1.0, 2.0, 1.0)),
    "boxcox": (sp.boxcox, (-1.0, 3.0), (-0.5, 0.0), (-2.0, -1.0)),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_slopes_are_nan_where_values_are(name):
    """Products, powers and poles of the rules have values outside the functions' domains."""
    function, *points = OUTSIDE[name]
    columns = [jnp.array(column) for column in zip(*points, strict=True)]
    assert jnp.all(jnp.isnan(function(*columns)))
    slopes = jax.vmap(jax.grad(function, tuple(range(len(columns)))))(*columns)
    for each in slopes:
        assert jnp.all(jnp.isnan(each)), each
