"""Derivatives of Bessel functions where the value underflows or overflows, against mpmath."""

from __future__ import annotations

from typing import Any

import jax
import mpmath
import numpy as np
import pytest

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.03)

mp: Any = mpmath.mp

# The value of I_v is subnormal or zero, its derivative in z is not.
UNDERFLOW = ((79.0, 0.007444499991834164), (79.0, -0.0074445), (150.5, 1.0), (-79.0, 0.0074445))


@pytest.mark.parametrize("point", UNDERFLOW)
def test_slope_of_i_where_it_underflows(point: tuple[float, float]) -> None:
    v, z = point
    with mp.workdps(40):
        truth = (mp.besseli(mp.mpf(v) - 1, z) + mp.besseli(mp.mpf(v) + 1, z)) / 2
        assert abs(mp.mpf(float(jax.grad(sp.iv, 1)(v, z))) / truth - 1) < 1e-12


@pytest.mark.parametrize("v", [0.5, 3.0, 30.25, -2.5, -30.5])
def test_i_in_its_order_before_it_overflows(v: float) -> None:
    z = 711.0  # exp(z) overflows
    with mp.workdps(60):
        h = mp.mpf(10) ** -20
        truth = (mp.besseli(v + h, z) - mp.besseli(v - h, z)) / (2 * h)
        assert abs(mp.mpf(float(jax.grad(sp.iv, 0)(v, z))) / truth - 1) < 1e-12


@pytest.mark.parametrize(
    ("function", "v", "z", "truth"),
    [
        (sp.jv, -300.5, 1e-20, -np.inf),
        (sp.jv, -2.5, 1e-300, -np.inf),
        (sp.iv, -30.5, 1e-20, -np.inf),
        (sp.iv, -30.5, 800.0, np.inf),
        (sp.iv, 0.0, 800.0, np.inf),
        (sp.iv, 2.0, -800.0, -np.inf),
        (sp.iv, -3.0, -800.0, np.inf),
    ],
)
def test_slopes_that_overflow(function: Any, v: float, z: float, truth: float) -> None:
    assert float(jax.grad(function, 1)(v, z)) == truth


OF_ORDER = {"jv": mp.besselj, "yv": mp.bessely, "iv": mp.besseli, "kv": mp.besselk}


@pytest.mark.parametrize("name", OF_ORDER)
def test_slopes_in_the_order_that_overflow(name: str) -> None:
    """Infinite, of the right sign: two infinite terms of different sign would be NaN."""
    v = np.array([-150.5, -150.0, -79.25, -79.0, -30.9, -300.25, 79.25, 150.0, 150.5, 300.75])
    z = np.array([1e-300, 1e-20, 1e-5, 0.1, 5.0])
    v, z = (x.ravel() for x in np.meshgrid(v, z))
    found = jax.jit(jax.vmap(jax.grad(getattr(sp, name), 0)))(v, z)
    overflown = 0
    with mp.workdps(60):
        h = mp.mpf(10) ** -25
        for order, at, slope in zip(v, z, found, strict=True):
            above, below = (OF_ORDER[name](mp.mpf(order) + e, at) for e in (h, -h))
            truth = (above - below) / (2 * h)
            if abs(truth) > np.finfo(float).max:
                assert float(slope) == (np.inf if truth > 0 else -np.inf), (order, at)
                overflown += 1
            elif abs(truth) > 1e-300:
                assert abs(mp.mpf(float(slope)) / truth - 1) < 1e-11, (order, at)
    assert overflown > 15
