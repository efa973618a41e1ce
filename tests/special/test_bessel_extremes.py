"""Bessel functions and their derivatives where they underflow or overflow, against mpmath."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import mpmath
import numpy as np
import pytest
import scipy.special

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


# Orders and arguments where SciPy's values, or neighbours of theirs, are 0.
DECAYING = (
    *((120.0, 0.3), (-161.0, 1.6), (313.0, 26.5), (6.0, 8.3e-50), (724.7, 206.06), (1585.0, 805.0)),
    *((5.5, 3.2e-55), (62.0, 8.4e-4), (489.0, 85.9)),
)
# Orders, and arguments to begin with on the way to where SciPy's are infinite.
GROWING = (
    *((3.88, 2.6e-79), (5.0, 3e-61), (49.0, 1.8e-5), (-68.8, 2.2e-3), (341.0, 31.0)),
    *((-1138.0, 472.0), (-9.3, 3e-32)),
)


def _truth(name: str, n: int, v: float, z: float) -> Any:
    """The n-th derivative (DLMF 10.6.7, 10.29.5)."""
    # At integers mpmath takes a limit of functions that grow.
    order = mp.mpf(v) + (mp.mpf(10) ** -30 if name in ("yv", "kv") else 0)
    sign = -1 if name in ("jv", "yv") else 1
    orders = (
        math.comb(n, k) * sign**k * OF_ORDER[name](order - n + 2 * k, z) for k in range(n + 1)
    )
    return sum(orders) * (-1 if name == "kv" else 1) ** n / mp.mpf(2) ** n


def _function(name: str, n: int) -> Any:
    return functools.partial(getattr(sp, name + "p"), n=n) if n else getattr(sp, name)


def _near_overflow(name: str, n: int, v: float, z: float) -> tuple[float, float]:
    """An argument where the size is 1e305."""
    for _ in range(5):
        excess = mp.log(abs(_truth(name, n, v, z))) - mp.log(10) * 305
        z = float(z * mp.exp(excess / mp.sqrt((abs(v) + n) ** 2 + mp.mpf(z) ** 2)))
    return v, z


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize("name", OF_ORDER)
def test_values_next_to_the_ends_of_range(name: str, n: int) -> None:
    wrong = 0
    with mp.workdps(50):
        grows = name in ("yv", "kv")
        points = [_near_overflow(name, n, *at) for at in GROWING] if grows else DECAYING
        for v, z in points:
            error = abs(mp.mpf(float(_function(name, n)(v, z))) / _truth(name, n, v, z) - 1)
            assert error < 2e-12, (v, z)
            scipys = float(getattr(scipy.special, name)(v + (n if grows else -n), z))
            wrong += scipys == 0 or not np.isfinite(scipys)
    assert wrong or name == "iv"  # or SciPy has learnt it, and the repair can go


@pytest.mark.parametrize("name", ["jv", "iv", "yv"])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_sign_of_what_overflows(name: str, n: int) -> None:
    """Negative orders between integers, where infinities of both signs meet."""
    rng = np.random.default_rng(5)
    v = -rng.uniform(0.6, 300, 20)
    z = np.maximum(np.abs(v) * 10.0 ** (-320 / np.abs(v) - rng.uniform(0, 2, 20)), 1e-300)
    overflown = 0
    with mp.workdps(40):
        for order, at, y in zip(v, z, _function(name, n)(v, z), strict=True):
            truth = _truth(name, n, order, at)
            if abs(truth) > np.finfo(float).max:
                assert float(y) == (np.inf if truth > 0 else -np.inf), (order, at)
                overflown += 1
    assert overflown > 10


def test_integer_orders_next_to_overflow():
    with mp.workdps(50):
        z = 31.308179271327962
        truth = _truth("yv", 0, 341.0, z)  # -1.4e307
        assert not np.isfinite(scipy.special.yn(341, z))  # or SciPy has learnt it
        for sign, order in ((1, 341), (-1, -341)):
            assert abs(mp.mpf(float(sp.yn(order, z))) * sign / truth - 1) < 2e-12
