"""Kernels of hypergeometric functions at awkward points, and where they have no values."""

from __future__ import annotations

import jax
import mpmath
import numpy as np
import pytest
import scipy.special
from mpmath import mp

import jaxsci
from jaxsci import special

POINTS = {
    # Polynomials, and powers times polynomials; zeros; what is all but one of these; far out.
    "hyp1f1": [
        *[(-3, 0.5, 1.5), (-12, 2.5, 40.0), (-2, -3, 0.5), (-5, 1.25, 1e6), (-1, 20.5, 20.25)],
        *[(7.25, 3.25, -40.0), (2.5, 2.5, -700.0), (-3 + 1e-9, 0.5, 30.0), (1e-20, 5, 100.0)],
        *[(-0.2, 48.0, -1800.0), (30.0, 29.5, 650.0), (-28.3, 12.6, 520.0), (-6.4, 4e-19, -1e10)],
        *[(-25.5, -18.25, 40.0), (14.0, 0.25, -300.0), (-8.5, -3 + 1e-8, 2.0)],
        *[(3.2, 1.7, 25 + 60j), (-4, 0.5, 300j), (-7.5, 11.0, -90 + 1j)],
    ],
    # Besides, integer c - a - b and a - b; next to 1, at 1, beyond 1, and below -1.
    "hyp2f1": [
        *[(1, 1, 2, 1 - 2**-50), (3, -2, 4, 5.0), (-3, 7, 2, 1e5), (2, 3, 1, 4.0)],
        *[(0.5, 0.5, 1, 1 - 1e-12), (2, 5, 9, -1e10), (0.25, 4.25, 1.5, -1e10)],
        *[
            (-10, 5, 2, 0.99997),
            (-10, 9, 5, 1 - 3e-8),
            (0.34, -3.5, 2.9, 1.0),
            (9, 9, 10, 0.999),
            (4, 5, 6, 0.1),
        ],
        *[(-9.75, -9.5, 0.125, -1e8), (-4, 0.5, -6, 0.75), (3.5, -8.25, -6.5, 0.5)],
        *[(0.3, 0.7, 1.2, np.exp(1j * np.pi / 3)), (1, 2, 3.5, -1e4 + 1j), (3, -3.5, 0.5, 9j)],
        # Next to the cut.
        *[(1.25, 0.25, 2.5, 30 + 1e-6j), (0.3, 0.75, 1.25, 1.001 - 1e-9j), (2, 2, 3, 5 + 0.5j)],
    ],
    "hyperu": [
        *[(-3, 0.5, 1.5), (-20, 2.0, 7.0), (0.5, 1.0, 1e-12), (-2.5, -3.5, 0.01), (2.0, 3.0, 1e8)],
        *[(-61.5, -10.25, 0.5), (-15.0, -40.0, 0.1), (-12.5, 3.0, 1.0), (5.5, -7.0, 2.0)],
        *[(1.1, 1.45, 1e-250), (1.1, -1.45, 1e-299), (7.5, 2.25, 1e-200)],
        *[(-99.2, -27.1, 0.23), (-3.25, 5.75, 0.3), (1e-9, 1e-9, 1e-9), (90.5, 90.5, 90.5)],
    ],
}


def _truth(name, at):
    if name == "hyp1f1" and at[0] == -2 and at[1] == -3:
        return 1 + mpmath.mpf(2) / 3 * at[2] + at[2] ** 2 / 6
    return getattr(mpmath, name)(*map(mpmath.mpmathify, at))


@pytest.mark.rotating(1)
@pytest.mark.parametrize(("name", "at"), [(n, p) for n, ps in POINTS.items() for p in ps])
def test_values_at_awkward_points(name, at):
    with jaxsci.use_backend("device"):
        found = jax.jit(getattr(special, name))(*map(np.asarray, map(_number, at))).item()
    with mp.workdps(60):
        truth = _truth(name, at)
        step = mpmath.ldexp(1, -70)
        sizes = [abs(truth)]
        for i, x in enumerate(at):
            # Integers decide what a function is here, and are exact.
            if x != np.round(x):
                moved = [*at[:i], mpmath.mpmathify(x) * (1 + step), *at[i + 1 :]]
                sizes.append(abs(_truth(name, moved) - truth) / step)
        assert abs(mpmath.mpmathify(found) - truth) <= 2e-14 * max(sizes)


def _number(x):
    return x if isinstance(x, complex) else float(np.real(x)) if np.isreal(x) else complex(x)


@pytest.mark.rotating(1)
@pytest.mark.parametrize(("name", "n"), [("hyp1f1", 3), ("hyp2f1", 4), ("hyperu", 3)])
def test_what_is_no_number_has_no_value(name, n):
    f = getattr(special, name)
    for i in range(n):
        at = np.full((n, 2), 0.5)
        at[i] = np.nan
        with jaxsci.use_backend("device"):
            assert np.all(np.isnan(f(*at))), i


@pytest.mark.rotating(1)
def test_no_values_where_digits_are_lost():
    with jaxsci.use_backend("device"):
        assert np.isnan(special.hyp1f1(301.0, 1.0, 1.0))
        assert np.isnan(special.hyp2f1(0.5, 0.5, 1.0, -1e13))
        assert np.isnan(special.hyp2f1(3.25, 4.25, 1.5, 1e3 + 1e-6j))
        assert np.isnan(special.hyperu(0.5, -101.0, 1.0))


@pytest.mark.rotating(1)
def test_steps_end_next_to_zero():
    """Where they underflow none would be the last one."""
    x = np.array([1e-301, 3e-308, 1e-310])
    with jaxsci.use_backend("device"):
        assert np.isnan(special.hyperu(1.1, -1.45, x[0]))
        assert special.hyperu(1.1, -1.45, x[2]) == special.hyperu(1.1, -1.45, 0.0)
    slopes = jax.vmap(jax.grad(special.hyperu, (0, 1)), (None, None, 0))(1.1, -1.45, x)
    for slope in slopes:
        assert np.all(np.isnan(slope[:2]))


@pytest.mark.rotating(1)
def test_poles_and_the_cut_are_scipys():
    with jaxsci.use_backend("device"):
        assert special.hyp1f1(0.5, -3.0, 1.0) == np.inf
        assert special.hyp2f1(0.5, 0.25, -3.0, 0.5) == np.inf
        assert special.hyp2f1(0.5, 0.25, 1.5, 2.0) == np.inf
        assert special.hyp2f1(1.5, 0.25, 1.5, 1.0) == np.inf
        assert np.isnan(special.hyperu(0.5, 0.25, -1.0))
        for z in (complex(3, 0), complex(3, -0.0)):  # each from its side
            found = special.hyp2f1(0.5, 0.25, 1.5, z)
            np.testing.assert_allclose(found, scipy.special.hyp2f1(0.5, 0.25, 1.5, z), rtol=1e-14)
        assert special.hyperu(0.5, 2.0, 0.0) == np.inf


@pytest.mark.rotating(1)
def test_large_arrays_have_the_values_of_their_elements():
    rng = np.random.default_rng(3)
    a, b, x = rng.uniform(-8, 15, 5000), rng.uniform(0.2, 15, 5000), rng.uniform(-20, 20, 5000)
    with jaxsci.use_backend("device"):
        whole = np.asarray(special.hyp1f1(a, b, x))
        some = np.asarray(special.hyp1f1(a[4990:], b[4990:], x[4990:]))
    np.testing.assert_allclose(whole[4990:], some, rtol=4e-16)
