"""Derivatives of zeta functions in the exponent, against mpmath's by its own derivative sums."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from identities import along

from jaxsci import special as sp

mp: Any = mpmath.mp

pytestmark = pytest.mark.rotating(0.038)

RIEMANN = np.array(
    [
        *(1 + sign * 10.0**-k for k in (1, 4, 8, 14) for sign in (1, -1)),
        *(0.0, 1e-300, -1e-8, 0.5, -0.49999, -0.50001, 1.7, 12.3, 60.0, 200.0, 1000.0),
        *(-2.0, -4.0, -20.0, -100.0, -3.3, -17.9, -60.1, -100.5, -240.3),
    ]
)
COMPLEX = np.array(
    [
        *(0.5 + 14.134725141734695j, 0.5 + 50j, 0.5 - 300j, -0.5 + 3j, -0.4 + 0.2j),
        *(1 + 1e-9j, 1 - 1e-4 + 1e-4j, -2 + 0j, -4 + 1e-8j, -20 - 50j, -30 + 21j, -100 + 3j),
        *(2 + 0j, 50 + 50j, -0.51 + 1e-6j, 1e-7 - 50j, -1e-7 - 50j, -7.3 - 45j),
    ]
)
HURWITZ = np.array(
    [
        *((1 + 1e-12, 0.3), (1 + 1e-6, 1e4), (1.5, 1e4), (1.5, 1e-8), (3.0, 1e-3), (20.0, 0.9)),
        *((32.15, 723.3), (17.6, 334.8), (60.0, 40.0), (200.0, 1.0), (90.0, 20.0), (5.5, 1.0)),
        *((2.0, 1e9), (1.1, 1e60), (7.0, 12.0), (1000.0, 1.3)),
    ]
).T


def digits(s, q):
    """Forty beyond the first: mpmath's errors are those of one, however small the result."""
    return 40 + int(mpmath.re(s) * max(0, np.log10(q + 1))) if mpmath.re(s) > 0 else 40


@functools.cache
def derivative(s, q, order):
    """That of zeta(s, q) in s, by mpmath."""
    with mp.workdps(digits(s, q)):
        return mp.zeta(mpmath.mpmathify(s), mp.mpf(float(q)), order)


def allowed(s, q, order, truth, tolerance):
    """A relative error that a rounding of s or q makes as well, or the tolerance."""
    with mp.workdps(40):
        by_s = abs(s * derivative(s, q, order + 1) / truth)
        # d/dq zeta(s, q) = -s zeta(s + 1, q), DLMF 25.11.17
        s = mpmath.mpmathify(s) + 1
        by_q = abs(q * (s - 1) * derivative(s, q, order) / truth) if q != 1 else 0
        return max(tolerance, 4 * 2.0**-53 * float(by_s + by_q))


def assert_close(found, s, q, order, tolerance):
    for got, s_, q_ in zip(np.asarray(found).tolist(), s.tolist(), q.tolist(), strict=True):
        truth = derivative(s_, q_, order)
        with mp.workdps(40):
            error = float(abs(got - truth) / abs(truth))
        assert error <= allowed(s_, q_, order, truth, tolerance), (s_, q_, order, got, truth)


def nth(f, order):
    for _ in range(order):
        f = along(f, 0)
    return jax.jit(f)


@pytest.mark.parametrize(("order", "tolerance"), [(1, 1e-13), (2, 1e-12), (3, 1e-11)])
@pytest.mark.parametrize("f", [sp.zeta, sp.zetac], ids=["zeta", "zetac"])
def test_riemanns_function(f, order, tolerance):
    assert_close(nth(f, order)(RIEMANN), RIEMANN, np.ones_like(RIEMANN), order, tolerance)


@pytest.mark.parametrize(("order", "tolerance"), [(1, 1e-12), (2, 1e-11)])
def test_riemanns_function_in_the_plane(order, tolerance):
    assert_close(nth(sp.zeta, order)(COMPLEX), COMPLEX, np.ones(len(COMPLEX)), order, tolerance)


@pytest.mark.parametrize(("order", "tolerance"), [(1, 1e-14), (2, 1e-13), (4, 1e-12)])
def test_hurwitzs_function(order, tolerance):
    x, q = HURWITZ
    assert_close(nth(sp.zeta, order)(x, q), x, q, order, tolerance)


def test_mixed_derivatives_do_not_depend_on_their_order():
    """d2/dx dq zeta(x, q) = -zeta(x + 1, q) - x zeta'(x + 1, q), in both modes."""
    x, q = HURWITZ
    truth = [
        float(-derivative(mpmath.mpf(a) + 1, b, 0) - a * derivative(mpmath.mpf(a) + 1, b, 1))
        for a, b in zip(x.tolist(), q.tolist(), strict=True)
    ]
    forward = jax.jit(
        lambda x, q: (along(along(sp.zeta, 0), 1)(x, q), along(along(sp.zeta, 1), 0)(x, q))
    )
    reverse = jax.jit(jax.vmap(jax.grad(jax.grad(sp.zeta, 1), 0)))
    for found in (*forward(x, q), reverse(x, q)):
        np.testing.assert_allclose(found, truth, rtol=3e-13)


def test_a_tower_of_mixed_derivatives():
    """d4/dx2 dq2, by the product rule for x (x + 1) zeta(x + 2, q)."""
    x, q = np.array([2.3, 5.0, 11.0]), np.array([0.4, 3.0, 17.0])
    found = along(along(nth(sp.zeta, 2), 1), 1)(x, q)
    for got, a, b in zip(found.tolist(), x, q, strict=True):
        z = [derivative(mpmath.mpf(a) + 2, b, k) for k in range(3)]
        truth = 2 * z[0] + 2 * (2 * a + 1) * z[1] + a * (a + 1) * z[2]
        assert abs(got / truth - 1) < 1e-12


def test_the_closed_value_at_zero_and_in_a_scan():
    """zeta'(0) = -log(2 pi)/2, DLMF 25.6.11; zeta'(-2) = -zeta(3)/(4 pi^2), by DLMF 25.4.2."""
    at = jnp.array([0.0, -2.0])
    truth = [-np.log(2 * np.pi) / 2, float(-mpmath.zeta(3) / (4 * mpmath.pi**2))]
    _, found = jax.lax.scan(lambda c, x: (c, jax.grad(sp.zeta)(x)), 0.0, at)
    np.testing.assert_allclose(found, truth, rtol=1e-14)


def test_edges():
    slope = jax.vmap(jax.grad(sp.zetac))
    with np.errstate(all="ignore"):
        found = slope(np.array([1.0, np.inf, -np.inf, np.nan, -400.0, -402.0]))
    # At -400 the sine's slope is positive, and so are the other factors, which overflow.
    np.testing.assert_array_equal(found, [-np.inf, 0.0, np.nan, np.nan, np.inf, -np.inf])


def test_there_is_none_where_the_value_is_not_real_or_not_a_number():
    slope = jax.vmap(jax.grad(sp.zeta))
    x, q = np.array([4.0, 3.0, 0.5, 1.0, 2.0]), np.array([-1.5, -0.25, 1.0, 2.0, 0.0])
    np.testing.assert_array_equal(slope(x, q), [np.nan, np.nan, np.nan, -np.inf, np.inf])
    assert np.isnan(jax.jvp(sp.zeta, (0.5 + 1.1e5j,), (1 + 0j,))[1])
