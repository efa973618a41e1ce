"""Multifactorials whose step is negative or complex (extend='complex')."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special

from jaxsci.special import factorialk

STEPS = (-2.5, -1.0, -0.3, 1j, 2 - 1j, -3 + 0.01j)
REAL = np.array([-7.3, -2.0, -1.0, 0.0, 1.0, 2.0, 3.5, 11.25])
PLANE = np.array([0.5j, -3 + 2j, 4 - 0.1j, 1e-9 + 1e-9j])
each_step = pytest.mark.parametrize("k", STEPS)


def of(k):
    return lambda n: factorialk(n, k, extend="complex")


def defined(n, k):
    """The continuation that is 1 at n = 1, with the principal power."""
    n, k = mpmath.mpmathify(n), mpmath.mpmathify(k)
    return mpmath.power(k, (n - 1) / k) * mpmath.gamma(n / k + 1) * mpmath.rgamma(1 / k + 1)


@each_step
@pytest.mark.parametrize("n", [REAL, PLANE], ids=["real", "complex"])
def test_values_are_scipys_to_the_last_bit(n, k):
    expected = scipy.special.factorialk(n, k, extend="complex")
    assert expected.dtype == np.complex128
    for found in (of(k)(n), jax.jit(of(k))(n), jax.jit(jax.vmap(of(k)))(n)):
        assert found.dtype == np.complex128
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("k", [k for k in STEPS if k != -1])  # where 1/Gamma(0) is a factor
def test_values_and_derivatives_are_those_of_the_definition(k):
    at = np.concatenate([REAL, PLANE, [12 + 0j]])
    at = at[np.abs(at / k + np.rint(-(at / k).real)) > 1e-3]  # poles: n/k = -1, -2, ...
    with mpmath.workdps(40):
        values = [complex(mpmath.mpc(defined(n, k))) for n in at.tolist()]
        slopes = [complex(mpmath.diff(lambda t: defined(t, k), n)) for n in at.tolist()]
        curvatures = [complex(mpmath.diff(lambda t: defined(t, k), n, 2)) for n in at.tolist()]
    np.testing.assert_allclose(of(k)(at), values, 1e-12)
    slope = jax.grad(of(k), holomorphic=True)
    np.testing.assert_allclose(jax.jit(jax.vmap(slope))(at), slopes, 1e-12)
    np.testing.assert_allclose(jax.vmap(jax.grad(slope, holomorphic=True))(at), curvatures, 1e-10)


@each_step
def test_real_arguments_have_derivatives_of_complex_results(k):
    n = 2.7
    _, along = jax.jvp(of(k), (n,), (1.0,))
    np.testing.assert_allclose(along, jax.grad(of(k), holomorphic=True)(n + 0j), 1e-14)
    back = [jax.grad(lambda n, part=part: part(of(k)(n)))(n) for part in (jnp.real, jnp.imag)]
    np.testing.assert_allclose(back, [along.real, along.imag], 1e-14)


@pytest.mark.parametrize("k", [-2.5, 2 - 1j])
def test_precision_is_that_of_the_argument(k):
    for n, dtype in (
        (np.float32(2.5), np.complex64),
        (np.complex64(2.5), np.complex64),
        (jnp.bfloat16(2.5), np.complex64),
        (np.int32(3), np.complex128),
        (2.5, np.complex128),
    ):
        assert of(k)(n).dtype == dtype
        assert jax.eval_shape(of(k), n).dtype == dtype
