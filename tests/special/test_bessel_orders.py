"""Derivatives of Bessel functions in the order: mixed ones, closed forms, edges."""

from __future__ import annotations

import contextlib
import itertools

import jax
import mpmath
import numpy as np
import pytest
import scipy.special
from identities import along
from mpmath import mp

import jaxsci
from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.015)

FUNCTIONS = {
    "jv": mpmath.besselj,
    "yv": mpmath.bessely,
    "hankel1": mpmath.hankel1,
    "hankel2": mpmath.hankel2,
    "iv": mpmath.besseli,
    "kv": mpmath.besselk,
    "jve": lambda v, z: mpmath.exp(-abs(mpmath.im(z))) * mpmath.besselj(v, z),
    "yve": lambda v, z: mpmath.exp(-abs(mpmath.im(z))) * mpmath.bessely(v, z),
    "ive": lambda v, z: mpmath.exp(-abs(mpmath.re(z))) * mpmath.besseli(v, z),
    "kve": lambda v, z: mpmath.exp(z) * mpmath.besselk(v, z),
    "hankel1e": lambda v, z: mpmath.exp(-1j * z) * mpmath.hankel1(v, z),
    "hankel2e": lambda v, z: mpmath.exp(1j * z) * mpmath.hankel2(v, z),
}
# At order 0 and next to it neighbours cancel; 25 and 40 are far from the origin.
ORDERS = np.array([0.0, 1e-9, -0.25, 0.5, -3.0, 7.5, 0.0, 2.5, 22.0, -11.3])
REAL = np.array([12.0, 3.0, 0.4, 15.0, 2.0, 6.0, 25.0, 40.0, 21.0, 9.0])
ANGLES = np.array([0.1, 2.8, -2.9, -0.2, 1.5, -1.5, 0.3, 2.0, -2.5, 3.1])
COMPLEX = REAL * np.exp(1j * ANGLES)


def mixed(f, v, z):
    """d2/dv dz by central differences with an error of 1e-40."""
    with mp.workdps(90):
        v, z = mp.mpf(v), mpmath.mpmathify(z)
        h = mp.mpf(10) ** -20
        terms = (a * b * f(v + a * h, z + b * h) for a, b in itertools.product((1, -1), repeat=2))
        return complex(mpmath.fsum(terms) / (4 * h**2))


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("z", [REAL, COMPLEX], ids=["real", "complex"])
def test_mixed_derivatives_are_mpmaths(name, z):
    f = getattr(sp, name)
    truth = np.array([mixed(FUNCTIONS[name], *at) for at in zip(ORDERS, z, strict=True)])
    both = jax.jit(lambda v, z: (along(along(f, 0), 1)(v, z), along(along(f, 1), 0)(v, z)))
    for found in both(ORDERS, z):
        np.testing.assert_allclose(found, truth, rtol=2e-12)


@pytest.mark.parametrize(
    ("f", "truth"),
    [
        (sp.jv, lambda z: np.pi / 2 * scipy.special.y0(z)),  # DLMF 10.15.5
        (sp.yv, lambda z: -np.pi / 2 * scipy.special.j0(z)),  # DLMF 10.15.5
        (sp.iv, lambda z: -scipy.special.k0(z)),  # DLMF 10.38
        (sp.kv, lambda z: 0 * z),
    ],
)
def test_at_order_zero(f, truth):
    z = np.array([1e-3, 0.7, 5.0, 19.0, 33.0, 90.0])
    found = jax.jit(jax.vmap(jax.grad(f), (None, 0)))(0.0, z)
    np.testing.assert_allclose(found, truth(z), rtol=1e-12)


def test_slope_of_y_at_order_zero_and_small_arguments():
    z = np.array([1e-12, 1e-8, 1e-4, 0.1, 3.0, 40.0])
    found = jax.jit(jax.vmap(jax.grad(sp.yvp), (None, 0)))(0.0, z)
    truth = [float(mp.pi / 2 * mpmath.besselj(1, mp.mpf(x))) for x in z]  # DLMF 10.15.5
    np.testing.assert_allclose(found, truth, rtol=2e-14)


@pytest.mark.parametrize("half", [0.5, -0.5])
def test_at_orders_of_one_half(half):
    """By exponential integrals (DLMF 10.38)."""
    x = np.array([0.3, 1.0, 4.0, 12.0])
    e1, ei = scipy.special.exp1(2 * x), scipy.special.expi(2 * x)
    slope = jax.vmap(jax.grad(sp.iv), (None, 0))(half, x)
    sign = np.sign(half)
    truth = -(e1 * np.exp(x) + sign * ei * np.exp(-x)) / np.sqrt(2 * np.pi * x)
    np.testing.assert_allclose(slope, truth, rtol=1e-12)
    slope = jax.vmap(jax.grad(sp.kv), (None, 0))(half, x)
    np.testing.assert_allclose(slope, sign * np.sqrt(np.pi / (2 * x)) * e1 * np.exp(x), rtol=1e-12)


@pytest.mark.parametrize("name", ["jv", "kv"])
def test_third_derivative_in_a_loop(name):
    def third(v, z):
        def f(v):
            return jax.lax.scan(lambda c, _: (c * getattr(sp, name)(v, z), None), 1.0, length=1)[0]

        return jax.grad(jax.grad(jax.grad(f)))(v)

    with mp.workdps(60):
        truth = mpmath.diff(lambda v: FUNCTIONS[name](v, mp.mpf(4)), mp.mpf(2.5), 3)
    np.testing.assert_allclose(jax.jit(third)(2.5, 4.0), float(truth), rtol=1e-11)


def test_single_precision_is_rounded_once():
    v, z = np.float32(2.3), np.float32(7.1)
    found = jax.grad(sp.jv)(v, z)
    assert found.dtype == np.float32
    assert found == np.float32(jax.grad(sp.jv)(np.float64(v), np.float64(z)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_cut_belongs_to_the_upper_half_plane_as_in_scipy(name):
    f = getattr(sp, name)
    on, above = complex(-2.0, -0.0), complex(-2.0, 1e-14)
    assert abs(f(0.3, on) - f(0.3, above)) < 1e-12
    slope = jax.jit(along(f, 0))
    np.testing.assert_allclose(slope(0.3, on), slope(0.3, above), rtol=1e-12)


@pytest.mark.parametrize("name", ["jv", "iv", "yv", "kv", "jve", "ive", "yve", "kve"])
def test_no_derivative_where_the_function_is_not_real(name):
    """Whole orders have real values on the negative axis, and no others beside them."""
    assert np.isnan(jax.grad(getattr(sp, name))(2.0, -1.5))


def test_edges():
    def slopes(f, orders, z):
        return jax.vmap(jax.grad(f), (0, None))(np.array(orders), z).tolist()

    inf = np.inf
    for f in (sp.jv, sp.iv, sp.jve, sp.ive):
        # As the argument tends to 0: (z/2)^v log(z/2), and (n-1)! (-1)^(n-1) (z/2)^-n at -n.
        assert slopes(f, [2.0, 0.5, 0.0, -1.0, -2.0], 0.0) == [0, 0, -inf, inf, -inf]
    assert slopes(sp.kv, [1.5, -1.5], 0.0) == [inf, -inf]
    assert slopes(sp.kv, [1.5, -1.5], inf) == [0, 0]
    # Large orders have expansions, but next to no digits of the order itself there is nothing.
    assert slopes(sp.kv, [1e7], 1e8) == [0]
    assert np.isnan(slopes(sp.kv, [1e17], 1e18)).all()
    assert np.isnan(slopes(sp.jv, [np.nan, inf], 1.0)).all()


@pytest.mark.parametrize("f", [sp.jv, sp.kv, sp.iv, sp.hankel1], ids=lambda f: f.__name__)
def test_backends_agree(f):
    v, z = np.array([2.5, 0.0, -1.0]), np.array([1.0, 7.0, 30.0])
    found = {}
    for backend in ("ffi", "callback"):
        with jaxsci.use_backend(backend):
            found[backend] = jax.jit(along(along(f, 1), 0))(v, z)
    np.testing.assert_allclose(found["ffi"], found["callback"], rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize("name", ["kv", "yv"])
def test_an_argument_next_to_zero_leaves_those_beside_it_their_derivatives(name: str):
    orders, arguments = np.array([2.5, 1.0]), np.array([1.0, 1e-305])
    function = getattr(sp, name)
    _, got = jax.jvp(lambda v: function(v, arguments), (orders,), (np.ones(2),))
    with mp.workdps(60):
        want = [
            float(mpmath.diff(lambda v, z=z: FUNCTIONS[name](v, mp.mpf(z)), mp.mpf(v)))
            for v, z in zip(orders, arguments, strict=True)
        ]
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("backend", [None, "device"])
def test_huge_negative_orders_are_integers(backend: str | None):
    """Y_{-n} = (-1)^n Y_n (DLMF 10.4.1), where v + 1/2 is v again."""
    n = np.array([2.0**52 + 1, 2.0**52 + 2, 2.0**60, 5.6234132519034905e25])
    with jaxsci.use_backend(backend) if backend else contextlib.nullcontext():
        found = sp.yv(-n, 5.5)
    np.testing.assert_array_equal(found, [np.inf, -np.inf, -np.inf, -np.inf])
