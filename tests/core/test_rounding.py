"""Rounding on the host: once, to the nearest, ties to even, against exact rational arithmetic."""

from fractions import Fraction

import hypothesis.extra.numpy as arrays
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rotation import one_by_the_draw

from jaxsci import host_function
from jaxsci._core import precision

# Significant bits (the hidden one included), and the exponents of the smallest and the largest
# power of two that is a normal number.
FORMATS = {
    "float16": (11, -14, 15),
    "bfloat16": (8, -126, 127),
    "float32": (24, -126, 127),
    "float8_e5m2": (3, -14, 15),
}
DTYPES = {name: np.dtype(getattr(jnp, name)) for name in FORMATS}


def exactly_rounded(x, name):
    """The nearest number of the format, ties to even, in rational arithmetic."""
    bits, least, most = FORMATS[name]
    if not np.isfinite(x) or x == 0:
        return float(x)
    exact = Fraction(float(x))
    exponent = least
    while exponent < most and abs(exact) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - bits + 1)
    rounded = round(exact / unit) * unit  # round() of a Fraction takes ties to even
    if abs(rounded) >= Fraction(2) ** (most + 1):
        return float(np.copysign(np.inf, x))
    return float(np.copysign(float(rounded), x))


def rounded(x, name):
    with np.errstate(all="ignore"):
        return precision.round_to(np.asarray(x, np.float64), DTYPES[name])


def check(values, name):
    found = rounded(values, name)
    assert found.dtype == DTYPES[name]
    expected = np.array([exactly_rounded(x, name) for x in np.ravel(values)])
    found = found.astype(np.float64).ravel()
    np.testing.assert_array_equal(found, expected)
    signed = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[signed]), np.signbit(expected[signed]))


@pytest.mark.parametrize("name", FORMATS)
@given(st.data())
def test_any_double_is_rounded_once(name, data):
    check(data.draw(arrays.arrays(np.float64, st.integers(1, 4), elements=st.floats())), name)


def representable(name):
    """Numbers of the format: all of the narrow ones, every 2**16th of float32."""
    size = 8 * DTYPES[name].itemsize
    patterns = np.arange(0, 2**size, 2 ** max(0, size - 16), dtype=np.uint64)
    with np.errstate(all="ignore"):
        values = patterns.astype(f"uint{size}").view(DTYPES[name]).astype(np.float64)
    return values[np.isfinite(values)]


@pytest.mark.parametrize("name", FORMATS)
def test_numbers_of_the_format_stay(name):
    values = representable(name)
    np.testing.assert_array_equal(rounded(values, name).astype(np.float64), values)


@pytest.mark.parametrize("name", one_by_the_draw([*FORMATS], "format of ties"))
@pytest.mark.parametrize("side", [-1, 0, 1])
def test_ties_and_the_doubles_next_to_them(name, side):
    """A rounding in two steps takes the neighbours of a tie for the tie."""
    values = np.unique(representable(name))
    ties = (values[:-1] / 2 + values[1:] / 2)[:: max(1, len(values) // 3000)]
    check(ties if side == 0 else np.nextafter(ties, side * np.inf), name)


@pytest.mark.parametrize("name", FORMATS)
def test_the_edges(name):
    bits, least, most = FORMATS[name]
    largest = 2.0**most * (2 - 2.0 ** (1 - bits))
    smallest = 2.0 ** (least - bits + 1)
    edges = [0.0, np.inf, np.nan, largest, largest + smallest, 2.0 ** (most + 1), 1e300, 5e-324]
    beyond = 2.0**most * (2 - 2.0**-bits)  # halfway to the first power of two that is too large
    edges += [beyond, np.nextafter(beyond, 0), smallest, smallest / 2, smallest * 0.75]
    edges += [np.nextafter(smallest / 2, 1), 2.0**least, np.nextafter(2.0**least, 0)]
    check(np.array(edges + [-x for x in edges]), name)


def test_the_cast_that_is_not_used_does_round_twice():
    x = np.array([1 + 2.0**-8 + 2.0**-40])  # just above a tie of bfloat16
    assert x.astype(jnp.bfloat16) == 1.0
    assert rounded(x, "bfloat16") == 1 + 2.0**-7


@given(st.floats(width=32) | st.integers(-(2**31), 2**31 - 1))
@example(2**24 + 2**16 + 1)
@example(16777217)
def test_float32_and_integer_results_are_rounded_once_too(x):
    y = np.asarray(x, np.float32 if isinstance(x, float) else np.int64)
    with np.errstate(all="ignore"):
        found = precision.round_to(y, DTYPES["bfloat16"]).astype(np.float64)
    np.testing.assert_array_equal(found, exactly_rounded(float(y), "bfloat16"))


def test_complex_and_equal_dtypes():
    z = np.array([1 / 3 + 1j / 7])
    assert precision.round_to(z, np.dtype(np.complex64))[0] == np.complex64(1 / 3 + 1j / 7)
    assert precision.round_to(z, z.dtype) is z


@pytest.mark.parametrize("name", FORMATS)
def test_widening_is_exact_and_leaves_no_integer_for_which_numpy_would_take_float32(name):
    values = representable(name)
    wide = precision.widen_on_host(values.astype(DTYPES[name]))
    assert wide.dtype == np.float64
    np.testing.assert_array_equal(wide, values)
    assert precision.widen_on_host(np.ones(2, np.complex64)).dtype == np.complex128
    for dtype in (np.int32, np.uint32, np.int64):
        assert precision.widen_on_host(np.ones(2, dtype)).dtype == dtype
    for dtype in (np.int8, np.uint16, np.bool_):
        assert precision.widen_on_host(np.ones(2, dtype)).dtype == np.int32


@pytest.mark.parametrize("name", FORMATS)
def test_results_of_host_functions_are_rounded_once(name):
    values = np.array([1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-3 + 2.0**-40, 1e-40, 1 / 3, 1e-7])
    f = host_function(lambda i: values[i], "()->()", dtype=DTYPES[name])
    found = np.asarray(f(np.arange(5)))
    np.testing.assert_array_equal(found, rounded(values, name))
