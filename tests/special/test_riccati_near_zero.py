"""Riccati-Bessel functions next to x = 0, where SciPy's recurrence loses digits as 4e-16/x^2."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import scipy.special
from mpmath import mp

from jaxsci.special import riccati_jn, riccati_yn

N = 6
X = np.array([0.0999, -0.05, 1e-3, -1e-6, 1e-12, 1e-40])


def of_first_kind(k, x, order):
    """A derivative of x j_k(x), as its series (DLMF 10.53.1)."""
    terms = (
        (-1) ** m * mpmath.rf(k + 1 + 2 * m - order + 1, order) * x ** (k + 1 + 2 * m - order)
        / (2**m * mp.factorial(m) * mpmath.fac2(2 * k + 2 * m + 1))
        for m in range(20)
    )  # fmt: skip
    return float(mpmath.re(mp.fsum(terms)))


def test_of_the_first_kind():
    values, slopes = jax.jit(lambda x: riccati_jn(N, x))(X)
    _, (again, second) = jax.jvp(lambda x: riccati_jn(N, x), (X,), (jnp.ones_like(X),))
    with mp.workdps(50):
        for found, order in ((values, 0), (slopes, 1), (again, 1), (second, 2)):
            truth = np.array(
                [[of_first_kind(k, mp.mpf(x), order) for k in range(N + 1)] for x in X]
            )
            np.testing.assert_allclose(found, truth, 1e-13, 1e-300)


def test_larger_arguments_keep_scipys_values():
    for ours, theirs in zip(riccati_jn(N, 0.1), scipy.special.riccati_jn(N, 0.1), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_of_the_second_kind_and_order_0_is_a_cosine():
    value, slope = riccati_yn(0, 0.0)
    _, (first, second) = jax.jvp(lambda x: riccati_yn(0, x), (0.0,), (1.0,))
    assert (value[0], slope[0], first[0], second[0]) == (-1.0, 0.0, 0.0, 1.0)
