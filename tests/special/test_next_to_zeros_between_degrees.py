"""Gegenbauer and Jacobi functions between integer degrees, next to zeros of the function."""

from __future__ import annotations

import jax
import mpmath
import numpy as np

from jaxsci import special as sp

N = np.array([22.999999923016382, 5.000000000290728, 3 - 1e-6, 7 + 1e-9, 1.0001])
C = np.array([3.0051616839406456, 2.88442170905005, 0.75, 0.3, 4.25])


def test_there_is_a_value_with_the_digits_that_the_degree_has():
    """At x = 0 functions of degrees next to odd ones are small, of equal parameters."""
    gegenbauer = np.asarray(jax.jit(sp.eval_gegenbauer)(N, C, 0.0))
    jacobi = np.asarray(jax.jit(sp.eval_jacobi)(N, C - 0.5, C - 0.5, 0.0))
    with mpmath.workdps(40):
        for i, (n, c) in enumerate(zip(map(mpmath.mpf, N), map(mpmath.mpf, C), strict=True)):
            value = mpmath.gegenbauer(n, c, 0)
            # What a rounding of the degree makes.
            spare = float(64 * np.finfo(float).eps * abs(n * value / (n - round(N[i]))))
            assert abs(gegenbauer[i] - float(value)) <= spare
            # DLMF 18.7.1
            ratio = mpmath.binomial(n + c - 0.5, n) / mpmath.gegenbauer(n, c, 1)
            assert abs(jacobi[i] - float(value * ratio)) <= spare * float(ratio)
