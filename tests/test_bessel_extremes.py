"""Derivatives of Bessel functions where the value underflows or overflows, against mpmath."""

from __future__ import annotations

from typing import Any

import jax
import mpmath
import numpy as np
import pytest

from jaxsci import special as sp

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
