"""Noncentral t and F in their degrees of freedom, against the central ones and each other.

All are computed by ways of their own: Student's and the F distribution by integrals of scores over
a tail, the noncentral t distribution by a mean over the chi distribution, and F by a contour.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

from jaxsci import special as sp
from jaxsci._verification.oracles.student import noncentral_t_cdf

pytestmark = pytest.mark.rotating(0.038)


def _near(found: object, wanted: object, tolerance: float) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=tolerance, atol=0)


@pytest.mark.parametrize(
    ("df", "t"), [(0.2, -3.0), (2.5, 0.01), (7.0, 40.0), (300.0, -6.0), (1e6, 2.0), (1e10, -5.0)]
)
def test_student_without_noncentrality(df: float, t: float) -> None:
    first, central = jax.grad(sp.nctdtr), jax.grad(sp.stdtr)
    _near(first(df, 0.0, t), central(df, t), 1e-12)
    _near(jax.grad(first)(df, 0.0, t), jax.grad(central)(df, t), 1e-10)
    _near(jax.grad(first, 2)(df, 0.0, t), jax.grad(central, 1)(df, t), 1e-10)


@pytest.mark.parametrize(
    ("dfn", "dfd", "f"),
    [(0.7, 0.4, 0.1), (3.0, 5.0, 1e-6), (12.0, 7.0, 90.0), (200.0, 3.0, 1.1), (5e5, 30.0, 1.3)],
)
def test_f_without_noncentrality(dfn: float, dfd: float, f: float) -> None:
    for place in (0, 1):
        first, central = jax.grad(sp.ncfdtr, place), jax.grad(sp.fdtr, place)
        _near(first(dfn, dfd, 0.0, f), central(dfn, dfd, f), 1e-12)
        _near(jax.grad(first, 3)(dfn, dfd, 0.0, f), jax.grad(central, 2)(dfn, dfd, f), 1e-10)
    first, central = jax.grad(sp.ncfdtr), jax.grad(sp.fdtr)
    _near(jax.grad(first, 1)(dfn, dfd, 0.0, f), jax.grad(central, 1)(dfn, dfd, f), 1e-9)


@pytest.mark.parametrize(
    ("df", "nc", "t"), [(0.5, 1.5, 2.0), (6.0, 3.0, 0.5), (40.0, 8.0, 15.0), (5e3, 2.0, 3.0)]
)
def test_squared_student_is_f(df: float, nc: float, t: float) -> None:
    """P(T^2 <= t^2), in df and twice in df, by both kernels."""

    def two_sided(df: jax.Array) -> jax.Array:
        return sp.nctdtr(df, nc, t) - sp.nctdtr(df, nc, -t)

    def by_f(df: jax.Array) -> jax.Array:
        return sp.ncfdtr(1.0, df, nc * nc, t * t)

    _near(jax.grad(two_sided)(df), jax.grad(by_f)(df), 1e-12)
    _near(jax.grad(jax.grad(two_sided))(df), jax.grad(jax.grad(by_f))(df), 1e-10)


@pytest.mark.parametrize(
    ("inverse", "at"),
    [(sp.nctdtrit, (3.0, 0.7, 0.4)), (sp.nctdtrinc, (3.0, 0.4, 0.9))],
    ids=["nctdtrit", "nctdtrinc"],
)
def test_third_derivatives_of_inverses_are_slopes_of_the_second(inverse, at) -> None:
    """By differences; and each order of differentiating takes rules of its own."""

    def along(*places):
        function = inverse
        for place in places:
            function = jax.grad(function, place)
        return function

    found = jax.jit(lambda *xs: [along(*order)(*xs) for order in ((0, 2, 1), (1, 2, 0))])(*at)
    second, h = jax.jit(along(1, 2)), 1e-3
    sides = [second(at[0] + k * h, *at[1:]) for k in (-2, -1, 1, 2)]
    differences = (sides[0] - 8 * sides[1] + 8 * sides[2] - sides[3]) / (12 * h)
    _near(found, [differences] * 2, 1e-8)


def test_the_solution_at_which_the_function_grows() -> None:
    # In dfd it has a maximum of 0.19 between these two, both of which have 0.15.
    dfd = sp.ncfdtridfd(10.0, 0.15, 0.0, 0.5)
    _near(sp.ncfdtr(10.0, dfd, 0.0, 0.5), 0.15, 1e-14)
    assert dfd < 1
    assert jax.grad(sp.ncfdtr, 1)(10.0, dfd, 0.0, 0.5) > 0
    assert np.isnan(sp.ncfdtridfd(10.0, 0.3, 0.0, 0.5))
    assert np.isnan(jax.grad(sp.ncfdtridfd, 1)(10.0, 0.3, 0.0, 0.5))


def test_no_noncentrality_is_small_enough() -> None:
    assert sp.ncfdtrinc(2.0, 3.0, 0.9, 1.0) == 0
    assert np.isnan(jax.grad(sp.ncfdtrinc, 2)(2.0, 3.0, 0.9, 1.0))


def test_far_off_arguments_of_the_inverses_return() -> None:
    far = np.array([5e-324, 1e-300, 1e-3, 1e9, 1e300, np.inf, -1.0, np.nan])
    for function in (sp.ncfdtridfd, sp.ncfdtridfn, sp.ncfdtrinc, sp.nctdtridf):
        count = 3 if function is sp.nctdtridf else 4
        for place in range(count):
            at = [0.5, 0.4, 0.3, 2.0][:count]
            arguments = [*at[:place], far, *at[place + 1 :]]
            found = function(*arguments)
            assert np.all(np.isnan(found[-2:]))


def test_degrees_of_noncentral_t_where_scipy_finds_none() -> None:
    nc = [-2.65, 2.3, -1.57, 1.66, -6.9, 2.5]
    t = [-0.745, 0.33, 2.25, -2.5, 9.66, 1.28]
    df = [165.0, 1.4, 4.3, 52.0, 0.36, 1.47]
    with mpmath.workdps(30):
        p = [float(noncentral_t_cdf(*map(mpmath.mpf, at))) for at in zip(df, nc, t, strict=True)]
        found = sp.nctdtridf(jnp.array(p), jnp.array(nc), jnp.array(t))
        for at, wanted in zip(zip(found.tolist(), nc, t, strict=True), p, strict=True):
            value = noncentral_t_cdf(*map(mpmath.mpf, at))
            # In the lower tail SciPy's function, whose root it is, is off by a rounding of 1.
            assert abs(value - wanted) <= 4e-15 * abs(wanted) + 1.2e-16, at
    assert np.isnan(sp.nctdtridf(0.9, 5.0, 1.0))  # P(T < 1) is less for all degrees of freedom
    assert np.isnan(sp.nctdtridf(jnp.array([-0.1, 0.0, 1.0, 1.1]), 0.5, 1.0)).all()
