"""Complex numbers on the negative axis, approached from above and from below."""

from __future__ import annotations

import jax
import mpmath as mp
import numpy as np
import pytest

import jaxsci
from jaxsci import special as sp
from jaxsci._verification import accuracy, reference
from jaxsci.special._catalog.types import Kind

_OTHER_BRANCH = {"lambertw"}
"""Functions of which the conjugate is on another branch."""
ROWS = [
    name
    for name, row in sorted(reference.ROWS.items())
    if reference.COMPLEX in reference.variants(row) and name not in _OTHER_BRANCH
]
_X = np.array([-0.3, -1.7, -11.25, -68.8])
_ABOVE, _BELOW = _X + 0j, np.conj(_X + 0j)


@pytest.mark.rotating(0.2)
@pytest.mark.parametrize("name", ROWS)
def test_values_below_the_negative_axis_are_those_above_or_their_conjugates(name):
    row = reference.ROWS[name]
    static = row.samples.statics[-1]
    drawn = reference.sample(row, reference.COMPLEX, reference.generator("axis", name), len(_X))
    function = jax.jit(accuracy.bound(row, static))

    def values(z):
        return jax.tree.leaves(
            function(
                *(
                    z if a.kind is Kind.COMPLEX else x
                    for a, x in zip(row.arrays, drawn, strict=True)
                )
            )
        )

    for above, below in zip(values(_ABOVE), values(_BELOW), strict=True):
        above, below = np.asarray(above), np.asarray(below)
        for i in range(len(_X)):
            same, turned = (
                np.allclose(below[i], y, 1e-10, 0, equal_nan=True)
                for y in (above[i], np.conj(above[i]))
            )
            assert same or turned, f"{_BELOW[i]}: {below[i]}, and {above[i]} above"


@pytest.mark.parametrize("backend", ["ffi", "callback", "device"])
def test_airy_functions_of_minus_a_real_number(backend):
    """-z has the imaginary part -0.0, where SciPy's have no digits."""
    z = -(np.array([0.5, 11.27, 68.75]) + 0j)
    assert np.all(np.signbit(z.imag))
    with jaxsci.use_backend(backend):
        found, scaled = jax.jit(sp.airy)(z), jax.jit(sp.airye)(z)
    for i, x in enumerate(z.real):
        ai, factor = mp.airyai(mp.mpf(x)), mp.expj(2 * mp.mpf(-x) ** 1.5 / 3)
        np.testing.assert_allclose(found[0][i], complex(ai), 1e-13)
        np.testing.assert_allclose(scaled[0][i], complex(ai * factor), 1e-12)
