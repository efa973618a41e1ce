"""Derivatives in orders and parameters, against closed forms and differentiated identities."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.3)


def test_wright_for_a_zero_is_an_exponential():
    """The sum is exp(x)/Gamma(b) for a = 0."""
    b, x = np.array([0.5, 1.0, 2.5, 0.0]), np.array([0.0, 3.0, 20.0, 2.0])
    slope = jax.vmap(jax.grad(sp.wright_bessel, 1))(np.zeros(4), b, x)
    truth = np.exp(x) * jax.vmap(jax.grad(sp.rgamma))(b)
    np.testing.assert_allclose(slope, truth, rtol=1e-13)


def test_struve_recurrence_differentiated_in_the_order():
    """H_(v-1) + H_(v+1) - (2v/x) H_v = (x/2)^v/(sqrt(pi) Gamma(v + 3/2)), DLMF 11.4.23."""
    v, x = np.array([0.3, 2.0, -1.25, 12.5, 0.0]), np.array([4.0, 30.0, 7.0, 10.0, 50.0])

    @jax.jit
    def slopes(v, x):
        def known(v):
            return sp.rgamma(v + 1.5) * (x / 2) ** v / np.sqrt(np.pi)

        def plain(v):
            return sp.struve(v - 1, x) + sp.struve(v + 1, x) - 2 * v / x * sp.struve(v, x)

        one = jnp.ones_like(v)
        return jax.jvp(plain, (v,), (one,))[1], jax.jvp(known, (v,), (one,))[1]

    np.testing.assert_allclose(*slopes(v, x), rtol=1e-11)


def test_where_they_are_not_known():
    assert np.isnan(jax.grad(sp.struve)(1.0, -2.0))
    assert np.isnan(jax.grad(sp.modstruve)(-51.0, 2.0))
    assert np.isnan(jax.grad(sp.wright_bessel)(-1.0, 1.0, 1.0))
    assert jax.grad(sp.struve)(0.5, 0.0) == 0
