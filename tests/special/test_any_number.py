"""Stacked input of any numbers whatever: vmap gives what the function gives, and SciPy's bits."""

from __future__ import annotations

import functools

import hypothesis.extra.numpy as arrays
import jax
import numpy as np
import pytest
from calling import assert_scipys, bound, by_scipy, takes_arrays
from hypothesis import given
from hypothesis import strategies as st
from identities import PROFILE
from kinds import name_of, one_of_each_kind

from jaxsci._verification import reference
from jaxsci.special._catalog.types import Kind

pytestmark = pytest.mark.rotating(0.03)


def anything(spec, variant):
    if spec.kind is Kind.INT:
        return arrays.arrays(np.int64, (2, 3), elements=st.integers(-50, 200))
    if variant == reference.COMPLEX and spec.kind is Kind.COMPLEX:
        return arrays.arrays(np.complex128, (2, 3), elements=st.complex_numbers())
    return arrays.arrays(np.float64, (2, 3), elements=st.floats(allow_subnormal=True))


STACKED = [case for case in one_of_each_kind(0, "stacked") if takes_arrays(case[0])]


@functools.cache
def stacked(i):
    row, static, _ = STACKED[i]
    function = bound(row, static)
    return jax.jit(lambda *xs: (function(*xs), jax.vmap(jax.vmap(function))(*xs)))


@pytest.mark.parametrize("i", range(len(STACKED)), ids=[name_of(case) for case in STACKED])
@PROFILE
@given(data=st.data())
def test_vmap_of_stacked_input_is_the_function_is_scipys(i, data):
    row, static, variant = STACKED[i]
    xs = [data.draw(anything(a, variant)) for a in row.arrays]
    direct, mapped = stacked(i)(*xs)
    truth = by_scipy(row, static, xs)
    assert_scipys(row, direct, truth)
    assert_scipys(row, mapped, truth)
