"""Complex numbers on the real axis, where cuts are, approached from above and from below."""

from __future__ import annotations

import jax
import mpmath as mp
import numpy as np
import pytest
from identities import along

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


_ON_AXIS = np.array([-0.3, -1.7, -11.25, -68.8, 0.6, 1.7, 11.25, 68.8])
_APART = 1e-9
_HAVE_NO_SIDE = {"elliprj"}
"""On its cut the value is the mean of both sides, and the derivatives are NaN, as it says."""
DERIVATIVES = [
    (name, i)
    for name in ROWS
    if name not in _HAVE_NO_SIDE
    for i in reference.varied(reference.ROWS[name], reference.COMPLEX)
]


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of infinite values
@pytest.mark.rotating(0.2)
@pytest.mark.parametrize("backend", ["ffi", "device"])
@pytest.mark.parametrize(("name", "i"), DERIVATIVES)
def test_derivatives_on_the_real_axis_are_those_of_the_values_side(name, i, backend):
    row = reference.ROWS[name]
    function = accuracy.bound(row, row.samples.statics[-1])
    axis = np.concatenate([_ON_AXIS + 0j, np.conj(_ON_AXIS + 0j)])
    drawn = reference.sample(row, reference.COMPLEX, reference.generator("side", name), len(axis))

    with jaxsci.use_backend(backend):
        both = jax.jit(lambda *at: (function(*at), along(function, i)(*at)))
        here, above, below = (
            jax.tree.map(
                np.asarray,
                both(
                    *(
                        axis + shift * np.abs(axis) if a.kind is Kind.COMPLEX else x
                        for a, x in zip(row.arrays, drawn, strict=True)
                    )
                ),
            )
            for shift in (0, 1j * _APART, -1j * _APART)
        )
    results = (zip(*map(jax.tree.leaves, at), strict=True) for at in (here, above, below))
    for (y, dy), *sides in zip(*results, strict=True):
        k = np.argmin([_distance(y, side) for side, _ in sides], axis=0)
        value = np.where(k, sides[1][0], sides[0][0])
        slope = np.where(k, sides[1][1], sides[0][1])
        # A mean of both is a principal value. Where the slope jumps and the value does not, as at
        # integer degrees, it is any between them.
        middle, between = ((f + g) / 2 for f, g in zip(*sides, strict=True))
        mean = _distance(y, middle) < 1e-3 * _distance(y, value)
        kink = _distance(*(v for v, _ in sides)) < 1e-6
        allowed = 1e-5 * (np.abs(slope) + np.abs(y))
        allowed = allowed + np.where(kink, np.abs(sides[0][1] - sides[1][1]) / 2, 0.0)
        slope = np.where(mean | kink, between, slope)
        known = np.isfinite(y) & np.isfinite(slope) & (mean | (_distance(y, value) < 1e-5))
        off = known & ~(np.abs(dy - slope) <= allowed)
        assert not off.any(), (axis[_places(off)], y[off], dy[off], slope[off])


def _distance(y, other):
    with np.errstate(divide="ignore"):
        return np.nan_to_num(np.abs(y - other) / np.abs(y), nan=np.inf)


def _places(off):
    """Of the arguments; whatever else a result is an array of comes after them."""
    return off.reshape(len(off), -1).any(1)


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
