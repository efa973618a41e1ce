"""Gauss quadrature at parameters where SciPy's nodes or weights have lost their digits."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import scipy.special
from mpmath import mp

from jaxsci import special as sp
from jaxsci._verification import reference

pytestmark = pytest.mark.rotating(0.25)

CASES = {
    "roots_gegenbauer": [(1e-16,), (-1e-13,), (1e-8,), (-9e-4,), (1e-300,), (1e-9 - 0.5,)],
    "roots_jacobi": [(1e-6 - 1, 0.3), (0.3, 1e-13 - 1), (-0.995, -0.995), (1e-9 - 1, 1e-9 - 1)],
    "roots_genlaguerre": [(1e-9 - 1,), (-0.993,)],
    "roots_sh_jacobi": [(1.0, 2 - 1e-10), (2.0, 1e-9)],
}


@pytest.mark.parametrize("n", [1, 2, 5, 20])
@pytest.mark.parametrize("name", CASES)
def test_nodes_weights_and_their_sum(name, n):
    of = reference.Reference(reference.ROWS[name], {"n": n, "mu": True})
    columns = [np.array(c) for c in zip(*CASES[name], strict=True)]
    found = jax.jit(lambda *at: getattr(sp, name)(n, *at, mu=True))(*columns)
    for i, point in enumerate(CASES[name]):
        with mp.workdps(60):
            truths = [np.array(y, float) for y in of([mp.mpf(x) for x in point])]
        nodes, weights, total = (np.asarray(y)[i] for y in found)
        # In proportion to the interval, or to the farthest of Laguerre's nodes.
        largest = np.max(abs(truths[0]), initial=1.0)
        np.testing.assert_allclose(nodes, truths[0], 0, 1e-15 * largest, err_msg=str(point))
        np.testing.assert_allclose(weights, truths[1], 2e-13, err_msg=str(point))
        np.testing.assert_allclose(total, truths[2][0], 1e-14, err_msg=str(point))


def test_parameters_beside_them_keep_scipys_values():
    found = sp.roots_gegenbauer(5, np.array([0.0, 1e-9, 0.25]))
    for i, alpha in ((0, 0.0), (2, 0.25)):
        for ours, theirs in zip(found, scipy.special.roots_gegenbauer(5, alpha), strict=True):
            np.testing.assert_array_equal(ours[i], theirs)
