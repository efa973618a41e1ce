"""Quotients and square roots of complex numbers, which rules and kernels have of their own."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

from jaxsci.special._numerics.plane import over, square_root

N = 200
EPS = 2.0**-52


def numbers(seed, exponent):
    rng = np.random.default_rng(seed)
    size = 10 ** rng.uniform(-exponent, exponent, N)
    return size * np.exp(1j * rng.uniform(-np.pi, np.pi, N))


def error(found, truth):
    return float(abs(mpmath.mpc(found) - truth) / abs(truth))


@pytest.mark.parametrize("exponent", [1, 150, 300])
def test_quotients_have_their_digits_at_all_sizes(exponent):
    z, w = numbers(1, exponent), numbers(2, exponent)
    found = np.asarray(jax.jit(over)(z, w))
    with mpmath.workdps(30):
        truths = [mpmath.mpc(a) / mpmath.mpc(b) for a, b in zip(z, w, strict=True)]
        inside = [1e-290 < abs(t) < 1e300 for t in truths]
        errors = [error(y, t) for y, t, i in zip(found, truths, inside, strict=True) if i]
    assert len(errors) > N / 3
    assert max(errors) < 3 * EPS


@pytest.mark.parametrize("exponent", [1, 150, 300])
def test_roots_have_their_digits_at_all_sizes(exponent):
    z = numbers(3, exponent)
    with mpmath.workdps(30):
        truths = [mpmath.sqrt(mpmath.mpc(a)) for a in z]
        pairs = zip(np.asarray(jax.jit(square_root)(z)), truths, strict=True)
        assert max(error(y, t) for y, t in pairs) < 2 * EPS


def test_of_single_precision_sizes_are_those_of_that():
    z = np.array([1e-36 + 2e-36j, -3e37 + 1e37j, 1 - 2j], np.complex64)
    np.testing.assert_allclose(square_root(z), np.sqrt(z.astype(complex)), rtol=1e-6)
    np.testing.assert_allclose(over(jnp.asarray(z), jnp.asarray(z[::-1])), z / z[::-1], rtol=1e-6)


def test_real_divisors_divide_both_parts():
    z, x = jnp.array([1 + 2j, 3 - 1e-300j]), jnp.array([0.0, 7.0])
    np.testing.assert_array_equal(over(z, x), [complex(np.inf, np.inf), (3 - 1e-300j) / 7])
    np.testing.assert_array_equal(over(1.0, jnp.array([4.0, -np.inf])), [0.25, 0.0])


def test_divisors_that_are_none():
    assert np.isnan(over(1.0, jnp.asarray(0j)))
    np.testing.assert_array_equal(over(2j, jnp.array([complex(np.inf, 1), complex(0, -np.inf)])), 0)


def test_roots_on_the_cut_have_the_sign_of_the_imaginary_part():
    z = np.array([complex(-4, 0.0), complex(-4, -0.0), complex(0, -0.0), complex(9, -0.0)])
    found = np.asarray(square_root(z))
    np.testing.assert_array_equal(found, [2j, -2j, 0, 3])
    np.testing.assert_array_equal(np.signbit(np.imag(found)), [False, True, True, True])


def test_derivatives_to_second_order():
    z, w = jnp.asarray(0.3 - 1.2j), jnp.asarray(-2.5 + 0.4j)
    in_w = jax.grad(over, 1, holomorphic=True)
    np.testing.assert_allclose(in_w(z, w), -z / w**2, rtol=4 * EPS)
    np.testing.assert_allclose(
        jax.grad(in_w, 1, holomorphic=True)(z, w), 2 * z / w**3, rtol=9 * EPS
    )
    of_root = jax.grad(square_root, holomorphic=True)
    np.testing.assert_allclose(of_root(w), 0.5 / np.sqrt(w), rtol=4 * EPS)
    second = jax.grad(of_root, holomorphic=True)(w)
    np.testing.assert_allclose(second, -0.25 / np.sqrt(w) ** 3, rtol=9 * EPS)
