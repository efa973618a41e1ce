"""Where a value is the same for all parameters, as inverses of 0 and 1 are: derivatives are 0."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from identities import along
from quickly import QUICKLY

from jaxsci import special as sp

# The function, the arguments whose derivatives are 0, and points.
CASES = {
    "betaincinv": ((0, 1), [(65.0, 0.5, 0.0), (1.1, 17.5, 1.0), (0.5, 0.3, 0.0), (0.5, 0.3, 1.0)]),
    "betainccinv": ((0, 1), [(0.85, 110.0, 0.0), (46.0, 0.33, 1.0), (0.5, 0.3, 0.0)]),
    "gammaincinv": ((0,), [(3.0, 0.0), (0.3, 0.0)]),
    "gammainccinv": ((0,), [(3.0, 1.0), (0.3, 1.0)]),
    "fdtri": ((0, 1), [(6.0, 5.0, 0.0), (1.0, 5.0, 0.0), (2.0, 5.0, 0.0)]),
    "gdtrix": ((0, 1), [(1.0, 3.0, 0.0), (1.0, 0.3, 0.0)]),
    "chdtri": ((0,), [(3.0, 1.0), (0.5, 1.0)]),
    "chndtrix": ((1, 2), [(0.0, 3.0, 2.0), (0.0, 0.5, 2.0)]),
    "ncfdtri": ((0, 1, 2), [(3.0, 4.0, 2.0, 0.0), (1.0, 4.0, 2.0, 0.0)]),
    "gdtr": ((0, 1), [(0.4, 0.3, 0.0), (0.4, 1.0, 0.0), (0.4, 3.0, 0.0)]),
    "gdtrc": ((0, 1), [(0.4, 0.3, 0.0), (0.4, 3.0, 0.0)]),
    "agm": ((1,), [(0.0, 290.0), (0.0, 0.02)]),
    # I_x(a, 0) = 0 for x < 1, and I_x(0, b) = 1 for x > 0.
    "betainc": ((0,), [(1.3, 0.0, 0.5), (0.4, 0.0, 0.9)]),
    "betaincc": ((1,), [(0.0, 4.0, 0.5), (0.0, 0.1, 0.1)]),
}


@pytest.mark.rotating(1)
@pytest.mark.parametrize("name", CASES)
def test_parameters_make_no_difference(name: str):
    places, points = CASES[name]
    function = getattr(sp, name)
    columns = [np.array(column) for column in zip(*points, strict=True)]

    def derivatives(*xs: jax.Array) -> list[jax.Array]:
        return [along(function, i)(*xs) for i in places]

    for found in jax.jit(derivatives, compiler_options=QUICKLY)(*columns):
        np.testing.assert_array_equal(found, 0.0)


@pytest.mark.rotating(1)
@pytest.mark.parametrize("name", ["betaincinv", "betainccinv", "fdtri"])
def test_outside_of_the_domain_they_are_unknown(name: str):
    points = np.array([(-1.0, 0.3, 0.0), (2.0, 0.0, 0.0), (2.0, np.nan, 1.0), (2.0, 3.0, 1.5)])
    function = getattr(sp, name)
    for i in (0, 1):
        assert np.isnan(along(function, i)(*points.T)).all()
