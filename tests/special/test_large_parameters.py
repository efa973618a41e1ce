"""Jacobi's functions of large parameters and real degrees: nine digits, or NaN.

The differential equation loses digits there. The truth is mpmath's.
"""

from __future__ import annotations

from typing import Any

import jax
import mpmath
import numpy as np
import pytest
from rotation import generator_of_the_draw

from jaxsci import special as sp

mp: Any = mpmath.mp

# Where values were off by up to 1e12 times what they are, before they were compared.
WRONG_ONCE = [
    (1.789, 48.51, 67.33, -1.357 - 0.003j),
    (4.963, 90.58, 95.50, -1.345 - 0.114j),
    (0.006, -0.84, 96.03, -2.674 + 0.086j),
    (0.294, 19.94, 64.68, -0.969 + 0j),
    (0.009, 39.864, 99.092, -0.96 + 0j),
]
DIGITS = 1e-8


def jacobi(n, a, b, x):
    """DLMF 18.5.7."""
    return mp.binomial(n + a, n) * mp.hyp2f1(-n, n + a + b + 1, a + 1, (1 - x) / 2)


def _points(n):
    rng = generator_of_the_draw("Jacobi's functions of large parameters")
    degree, (a, b) = rng.uniform(0, 6, n), rng.uniform([[-0.9], [20]], 100, (2, n))
    x = rng.uniform(0, 2, n) * np.exp(1j * rng.uniform(-np.pi, np.pi, n)) - 0.5
    once = np.array(WRONG_ONCE).T
    parts: Any = [np.concatenate(p) for p in zip((degree, a, b, x), once, strict=True)]
    return [*(p.real for p in parts[:3]), parts[3]]


def _off(found, points, truth_of):
    """Relative errors beside what rounding of arguments makes; NaN where there is no value."""
    out = []
    with mp.workdps(60):
        for y, *point in zip(found, *points, strict=True):
            at = [mpmath.mpmathify(p.item()) for p in point]
            truth = truth_of(*at)
            moved = (
                truth_of(*(p * (1 + 2.0**-52) if i == k else p for i, p in enumerate(at)))
                for k in range(len(at))
            )
            rounding = sum(abs(m - truth) for m in moved)
            error = abs(mpmath.mpmathify(y.item()) - truth) if np.isfinite(y) else mp.nan
            out.append(float(error / (abs(truth) + 1e9 * rounding)))
    return np.array(out)


@pytest.mark.parametrize("real", [True, False])
def test_values_have_digits_or_there_are_none(real):
    points = _points(40)
    if real:
        points[3] = np.where(np.abs(points[3].real) < 1, points[3].real, 0.5)
    errors = _off(np.asarray(sp.eval_jacobi(*points)), points, jacobi)
    assert np.nanmax(errors) < DIGITS
    assert np.mean(np.isnan(errors)) < 0.3


@pytest.mark.parametrize("argument", [0, 1, 2])
def test_derivatives_have_digits_or_there_are_none(argument):
    points = _points(30)
    points[3] = np.where(np.abs(points[3].real) < 1, points[3].real, 0.5)
    found = jax.jit(jax.vmap(jax.grad(sp.eval_jacobi, argument)))(*points)

    def truth(*at):
        step = mp.mpf(10) ** -20
        up, down = (
            jacobi(*(p + side * step if i == argument else p for i, p in enumerate(at)))
            for side in (1, -1)
        )
        return (up - down) / (2 * step)

    errors = _off(np.asarray(found), points, truth)
    assert np.nanmax(errors) < DIGITS
    assert np.mean(np.isnan(errors)) < 0.4
