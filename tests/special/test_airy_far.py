"""Airy functions where SciPy's are 0 or NaN: large real arguments, against mpmath."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special

from jaxsci import special as sp

mp: Any = mpmath.mp

OSCILLATING = np.array([-1.7e7, -1e8, -3.3e9, -1e12])
GROWING = np.array([103.2, 103.7, 104.0])
VAST = np.array([1.61e7, 1e8, 1e15, 1e150])


def _truths(x: float, scale: Any = lambda zeta: (1, 1)) -> list[Any]:
    x = mp.mpf(x)
    of_a, of_b = scale(2 * x * mp.sqrt(x) / 3 if x > 0 else mp.mpf(0))
    ai = [of_a * mp.airyai(x, derivative=k) for k in (0, 1)]
    return ai + [of_b * mp.airybi(x, derivative=k) for k in (0, 1)]


def test_oscillating():
    found = np.array(jax.jit(sp.airy)(OSCILLATING))
    assert np.isnan(np.array(scipy.special.airy(OSCILLATING))).all()
    with mp.workdps(60):
        for k, x in enumerate(OSCILLATING):
            envelope = mp.mpf(-x) ** mp.mpf("0.25") / mp.sqrt(mp.pi)
            for j, truth in enumerate(_truths(x)):
                size = 1 / (mp.pi * envelope) if j % 2 == 0 else envelope
                assert abs(found[j, k] - truth) < 1e-14 * size, (x, j)


def test_before_overflow():
    found = np.array(jax.jit(sp.airy)(GROWING))
    assert np.isnan(np.array(scipy.special.airy(GROWING[1:]))[2:]).all()
    with mp.workdps(40):
        for k, x in enumerate(GROWING):
            for y, truth in zip(found[:, k], _truths(x), strict=True):
                # Subnormal numbers are flushed.
                assert abs(y - truth) <= 1e-12 * abs(truth) or abs(truth) < 2.3e-308, x


def test_scaled():
    found = np.array(jax.jit(sp.airye)(VAST))
    with mp.workdps(400):
        for k, x in enumerate(VAST[:2]):
            truths = _truths(x, lambda zeta: (mp.exp(zeta), mp.exp(-zeta)))
            for y, truth in zip(found[:, k], truths, strict=True):
                assert abs(y - truth) <= 1e-15 * abs(truth), x
    # The leading terms of DLMF 9.7.5 to 9.7.8, of which the next is less by 1e-22.
    quarter = VAST[2:] ** 0.25 * np.sqrt(np.pi)
    leading = np.array([0.5 / quarter, -quarter / (2 * np.pi), 1 / quarter, quarter / np.pi])
    np.testing.assert_allclose(found[:, 2:], leading, rtol=1e-15)
    np.testing.assert_array_equal(
        np.array(sp.airye(OSCILLATING))[2:], np.array(sp.airy(OSCILLATING))[2:]
    )


@pytest.mark.parametrize("function", [sp.airy, sp.airye])
def test_limits(function: Any):
    at = np.array(function(jnp.array([jnp.inf, -jnp.inf, jnp.nan])))
    slopes = -np.inf if function is sp.airye else 0.0
    np.testing.assert_array_equal(at[0], [0.0, 0.0, np.nan])
    np.testing.assert_array_equal(at[1], [slopes, np.nan, np.nan])
    np.testing.assert_array_equal(at[3], [np.inf, np.nan, np.nan])


def test_derivatives():
    x = jnp.array([-1e8, 200.0, 1e8])
    ai, aip, bi, bip = sp.airy(x)
    slopes = jax.jvp(sp.airy, (x,), (jnp.ones_like(x),))[1]
    for slope, truth in zip(slopes, (aip, x * ai, bip, x * bi), strict=True):
        np.testing.assert_allclose(slope, truth, rtol=1e-15)
    # DLMF 9.7.5: eAi is 1/(2 pi^(1/2)) x^(-1/4) but for 1e-13.
    slope = jax.grad(lambda x: sp.airye(x)[0])(1e8)
    assert abs(float(slope) / (-0.125 / np.sqrt(np.pi) * 1e8**-1.25) - 1) < 1e-12
