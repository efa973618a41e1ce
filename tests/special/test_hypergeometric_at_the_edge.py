"""Derivatives in parameters of F(a, b; c; 1) and U(a, b, 0), which are gamma functions."""

from __future__ import annotations

import itertools

import jax
import mpmath
import numpy as np
import pytest
from identities import along, mixed
from mpmath import mp
from quickly import QUICKLY

from jaxsci import special as sp


def gauss_sum(a, b, c):
    """F(a, b; c; 1), DLMF 15.4.20."""
    gammas = mp.gamma(c) * mp.gamma(c - a - b)
    return gammas * mp.rgamma(c - a) * mp.rgamma(c - b)


def slope_of_gauss_sum(a, b, c):
    """F's derivative in z at z = 1, DLMF 15.5.1."""
    return a * b / c * gauss_sum(a + 1, b + 1, c + 1)


def tricomi_at_zero(a, b):
    """U(a, b, 0) for b < 1, DLMF 13.2.20."""
    return mp.gamma(1 - b) * mp.rgamma(a - b + 1)


def slope_of_tricomi_at_zero(a, b):
    """U's derivative in x at x = 0 for b < 0, DLMF 13.3.22."""
    return -a * tricomi_at_zero(a + 1, b + 1)


GAUSS = [
    (1.25, -2.5, 3.125),
    (-3.5, -2.75, 1.625),
    (0.5, 0.5, 2.25),
    (-2.0, 0.5, 1.25),
    (2.0, 0.5, 5.0),
    (-0.5, -1.5, 0.25),
    (3.25, 2.25, 30.5),
]
TRICOMI = [(0.125, -2.5), (1.375, -1.25), (-2.0, -0.75), (-1.5, -3.0), (30.0, -20.5)]
CASES = [
    (sp.hyp2f1, 1.0, gauss_sum, slope_of_gauss_sum, GAUSS),
    (sp.hyperu, 0.0, tricomi_at_zero, slope_of_tricomi_at_zero, TRICOMI),
]


def orders_of(n: int, total: int) -> list[tuple[int, ...]]:
    return [k for k in itertools.product(range(total + 1), repeat=n) if sum(k) == total]


@pytest.mark.parametrize("total", [1, pytest.param(2, marks=pytest.mark.rotating(0.3))])
@pytest.mark.parametrize("case", CASES, ids=["hyp2f1", "hyperu"])
def test_derivatives_in_parameters(case, total: int):
    function, end, truth, _, points = case
    columns = [np.array(column) for column in zip(*points, strict=True)]
    wanted = orders_of(len(columns), total)

    def derivatives(*xs: jax.Array) -> list[jax.Array]:
        return [mixed(function, orders)(*xs, np.full_like(columns[0], end)) for orders in wanted]

    found = jax.jit(derivatives, compiler_options=QUICKLY)(*columns)
    compare(found, wanted, truth, points, (1e-12, 1e-10)[total - 1])


@pytest.mark.rotating(1)
@pytest.mark.parametrize("case", CASES, ids=["hyp2f1", "hyperu"])
def test_derivatives_beside_the_argument(case):
    function, end, _, truth, points = case
    columns = [np.array(column) for column in zip(*points, strict=True)]
    n = len(columns)
    wanted = [(0,) * n, *orders_of(n, 1)]

    def derivatives(*xs: jax.Array) -> list[jax.Array]:
        ends = np.full_like(columns[0], end)
        return [along(mixed(function, orders), n)(*xs, ends) for orders in wanted]

    found = jax.jit(derivatives, compiler_options=QUICKLY)(*columns)
    compare(found, wanted, truth, points, 1e-10)


def compare(found, wanted, truth, points, tolerance: float) -> None:
    for values, orders in zip(found, wanted, strict=True):
        with mp.workdps(60):
            at = [tuple(map(mp.mpf, point)) for point in points]
            exact = [float(mpmath.diff(truth, p, orders)) for p in at]
        np.testing.assert_allclose(values, exact, rtol=tolerance, err_msg=str(orders))


@pytest.mark.rotating(1)
def test_where_the_series_diverges_nothing_is_known():
    assert np.isnan(jax.grad(sp.hyp2f1)(1.0, 1.0, 1.5, 1.0))
    assert np.isnan(jax.grad(sp.hyperu)(1.5, 1.5, 0.0))
