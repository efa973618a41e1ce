"""Derivatives in x, next to 0, of orthogonal polynomials whose degree is next to 0."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from identities import mixed
from mpmath import mp
from quickly import QUICKLY

from jaxsci._verification import reference

pytestmark = pytest.mark.rotating(0.25)

DEGREES = (3e-9, -2.5e-7, 1.1e-4, 0.25)
PARAMETERS = (1.25, -0.4)
X = {"eval_laguerre": 3.7, "eval_genlaguerre": 3.7}
"""Where, unless it is an argument between the ends of the interval."""
INSIDE = 0.6
NAMES = [
    *("eval_chebyt", "eval_chebyu", "eval_chebyc", "eval_chebys", "eval_sh_chebyt"),
    *("eval_sh_chebyu", "eval_legendre", "eval_sh_legendre", "eval_gegenbauer", "eval_jacobi"),
    *("eval_laguerre", "eval_genlaguerre"),
]


@pytest.mark.parametrize("orders", [(0, 1), (0, 2)])
@pytest.mark.parametrize("name", NAMES)
def test_derivatives_keep_their_digits(name, orders):
    row = reference.ROWS[name]
    others, x = PARAMETERS[: len(row.arrays) - 2], X.get(name, INSIDE)
    of = reference.Reference(row, {})

    def function(n, x):
        return row.function(n, *others, x)

    n = np.array(DEGREES)
    program = jax.jit(mixed(function, orders), compiler_options=dict(QUICKLY))
    found = program(jnp.asarray(n), jnp.full(n.shape, x))
    for y, degree in zip(np.asarray(found), DEGREES, strict=True):
        with mp.workdps(60):
            exact = [mp.mpf(degree), *map(mp.mpf, others)]
            truth = mpmath.diff(lambda t, at=exact: of([*at, t])[0][0], mp.mpf(x), orders[1])
            assert abs(y - truth) <= 1e-12 * abs(truth), (degree, y, truth)
