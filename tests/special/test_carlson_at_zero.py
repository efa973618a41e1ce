"""Carlson's integrals where one argument is 0, as it is for all complete elliptic integrals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
from identities import along
from mpmath import mp
from quickly import QUICKLY

from jaxsci import special as sp

SYMMETRIC = np.array([[0.0, 1.0, 2.0], [0.5, 0.0, 1.0], [3.0, 1e-4, 0.0]])
LAST = np.array([3.0, 0.75, 16.0])
CASES = {
    "elliprd": [SYMMETRIC[:2, 0], SYMMETRIC[:2, 1], SYMMETRIC[:2, 2]],
    "elliprf": [*SYMMETRIC.T],
    "elliprg": [*SYMMETRIC.T],
    "elliprj": [*SYMMETRIC.T, LAST],
}


def slope_by_mpmath(oracle: Callable[..., Any], at: list[Any], i: int) -> Any:
    with mp.workdps(50):
        step = at[i] * mp.mpf(10) ** -20
        return mpmath.diff(lambda x: oracle(*at[:i], x, *at[i + 1 :]), at[i], h=step)


@pytest.mark.parametrize("name", CASES)
def test_derivatives_in_the_others_are_mpmaths(name: str):
    function, oracle = getattr(sp, name), getattr(mpmath, name)
    arrays = CASES[name]

    def derivatives(*xs: jax.Array) -> list[jax.Array]:
        return [along(function, i)(*xs) for i in range(len(xs))]

    found = jax.jit(derivatives, compiler_options=QUICKLY)(*arrays)
    for i, slopes in enumerate(found):
        for slope, *point in zip(np.asarray(slopes).tolist(), *arrays, strict=True):
            exact = [mp.mpf(x) for x in point]
            if exact[i] == 0:
                # R_G alone is smooth enough there.
                assert (slope == -np.inf) == (name != "elliprg"), (i, point)
                continue
            truth = float(slope_by_mpmath(oracle, exact, i))
            np.testing.assert_allclose(slope, truth, rtol=2e-14, err_msg=f"{i} at {point}")


@pytest.mark.rotating(1)
@pytest.mark.parametrize("name", ["elliprd", "elliprj"])
def test_no_second_derivative_in_what_is_zero_is_finite(name: str):
    function = getattr(sp, name)
    point = [jnp.float64(x) for x in (0.0, 1.0, 2.0, 3.0)[: len(CASES[name])]]

    def second(*xs: jax.Array) -> list[jax.Array]:
        return [along(along(function, 0), i)(*xs) for i in range(len(xs))]

    found = jax.jit(second, compiler_options=QUICKLY)(*point)
    assert [float(x) for x in found] == [np.inf] * len(point)


def test_complete_integral_of_the_third_kind_is_differentiated():
    """Pi(n, m), by DLMF 19.25.2, in its parameter."""

    def complete(n, m):
        return sp.elliprf(0.0, 1 - m, 1.0) + n / 3 * sp.elliprj(0.0, 1 - m, 1.0, 1 - n)

    slope = jax.jit(jax.grad(complete, 1), compiler_options=QUICKLY)(0.25, 0.5)
    with mp.workdps(40):
        truth = mpmath.diff(lambda m: mpmath.ellippi(mp.mpf("0.25"), m), mp.mpf("0.5"))
    np.testing.assert_allclose(slope, float(truth), rtol=1e-14)
