"""SciPy's own published test data (Boost's, the GSL's and its own), with SciPy's own tolerances.

The tables and what they are compared with come from the installed package's tests; the functions
in them are replaced by this package's, under jit, and under vmap too.
"""

from __future__ import annotations

import copy
import functools
import types

import jax
import numpy as np
import pytest
import scipy.special

import jaxsci.special  # noqa: F401  (fills the catalog)
from jaxsci.special._catalog.decorators import named_rows
from jaxsci.special._catalog.types import Kind

pytestmark = pytest.mark.rotating(0.045)

data = pytest.importorskip(
    "scipy.special.tests.test_data", reason="this SciPy was installed without its tests"
)

EVERY = [*data.BOOST_TESTS, *data.GSL_TESTS, *data.LOCAL_TESTS]
POINTS_ONE_BY_ONE = 20
"""How many rows of a table are taken where each is traced anew (static degrees)."""


def functions_of(test):
    """Names of SciPy's functions that a table is compared with."""
    function = test.func
    if isinstance(function, types.FunctionType) and function.__module__ == data.__name__:
        return [name for name in function.__code__.co_names if name in scipy.special.__all__]
    return [function.__name__]


TESTS = [t for t in EVERY if set(functions_of(t)) <= named_rows().keys()]


@functools.cache
def traced(name, static, mapped):
    row = named_rows()[name]
    arrays = [a.name for a in row.arguments if a.kind is not Kind.STATIC]

    def call(*xs):
        return row.function(**dict(zip(arrays, xs, strict=False)), **dict(static))

    return jax.jit(jax.vmap(call) if mapped else call)


def replacement(name, mapped):
    """The function as SciPy's tests call it: NumPy arrays, or scalars, by position."""
    row = named_rows()[name]

    def function(*args):
        named = list(zip(row.arguments, args, strict=False))
        static = tuple((a.name, int(x)) for a, x in named if a.kind is Kind.STATIC)
        arrays = [np.asarray(x) for a, x in named if a.kind is not Kind.STATIC]
        scalars = all(x.ndim == 0 for x in arrays)
        if mapped and not scalars:
            arrays = np.broadcast_arrays(*arrays)
        return jax.tree.map(np.asarray, traced(name, static, mapped and not scalars)(*arrays))

    function.__name__ = name
    return function


def replaced(test, mapped):
    test = copy.copy(test)
    function = test.func
    if isinstance(function, types.FunctionType) and function.__module__ == data.__name__:
        ours = {name: replacement(name, mapped) for name in functions_of(test)}
        test.func = types.FunctionType(function.__code__, function.__globals__ | ours)
    else:
        test.func = replacement(function.__name__, mapped)
    return test


def tolerance(test):
    """SciPy's own, on the same numbers where a function of its does well on them."""
    kin = (t.rtol for t in EVERY if t.dataname == test.dataname and not t.knownfailure)
    return next((rtol for rtol in kin if rtol), 1e-12)


@pytest.mark.parametrize("i", range(len(TESTS)), ids=[f"{i}-{t!r}" for i, t in enumerate(TESTS)])
def test_table(i):
    test = TESTS[i]
    rows = test.data if test.vectorized else test.data[:: len(test.data) // POINTS_ONE_BY_ONE + 1]
    for mapped in (False, True) if test.vectorized else (False,):
        ours = replaced(test, mapped)
        if test.knownfailure:
            # SciPy's values are known to be off; they are its values here, too, or mended.
            columns = [rows[:, j] for j in test.param_columns]
            found, theirs = ours.func(*columns), test.func(*columns)
            mended = found != theirs
            assert not np.any(mended) or any(
                getattr(named_rows()[name], "repair", None) for name in functions_of(test)
            )
            (column,) = test.result_columns
            np.testing.assert_allclose(found[mended], rows[mended, column], rtol=tolerance(test))
        else:
            ours.check(data=rows, dtype=np.float64)
