"""NaN, infinities, zeros of either sign, subnormal and huge numbers: SciPy's values there too.

Rows whose values SciPy's own loops compute are its bits by construction; here are those that JAX
operations compute.
"""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special

from jaxsci import special
from jaxsci._verification import reference
from jaxsci.special._catalog.decorators import CATALOG, ArrayRow

ON_DEVICE = [row for row in reference.ROWS.values() if row.on_device]
WHOLE = [row for row in CATALOG.values() if isinstance(row, ArrayRow)]
AXES = [row for row in CATALOG.values() if any(a.name == "axis" for a in row.arguments)]
ULPS = 4
ORDINARY = (np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -2.5, 3.0, 1e-20)


def grid(dtype):
    """Numbers at which formulas go wrong."""
    kind = np.finfo(dtype)
    tiny, smallest = float(kind.tiny), float(kind.smallest_subnormal)
    ends = (smallest, 1000 * smallest, tiny - smallest, tiny, tiny**0.5, float(kind.max))
    return np.array([*ORDINARY, *ends, *(-x for x in ends)], dtype)


def nearly_equal(found, truth):
    """Where two results are the same number, in units of the last place; XLA flushes subnormals."""
    kind = np.finfo(found.dtype)
    with np.errstate(all="ignore"):
        near = np.abs(found - truth) <= ULPS * kind.eps * np.abs(truth)
    small = (np.abs(found) <= kind.tiny) & (np.abs(truth) <= kind.tiny)
    return (found == truth) | (np.isnan(found) & np.isnan(truth)) | near | small


@pytest.mark.parametrize("row", ON_DEVICE, ids=[row.name for row in ON_DEVICE])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("transform", [lambda f: f, jax.jit, jax.vmap], ids=["", "jit", "vmap"])
def test_rows_of_jax_operations_have_scipys_values(row, dtype, transform):
    points = np.array(list(itertools.product(grid(dtype), repeat=len(row.arrays))))
    columns = [np.ascontiguousarray(x) for x in points.T]
    with np.errstate(all="ignore"):
        truth = np.asarray(row.scipy(*(x.astype(np.float64) for x in columns))).astype(dtype)
    found = np.asarray(transform(row.function)(*columns))
    assert found.dtype == dtype
    wrong = ~nearly_equal(found, truth)
    assert not np.any(wrong), list(zip(points[wrong], found[wrong], truth[wrong], strict=True))[:9]


def test_zeros_of_round_have_scipys_sign():
    x = np.array([-0.5, -0.3, -0.0, 0.0, 0.3, -5e-324])
    found = jax.jit(special.round)(x)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(scipy.special.round(x)))


def test_every_function_of_whole_arrays_is_here():
    assert {row.name for row in WHOLE} == {"logsumexp", "softmax", "log_softmax"}
    assert [row.name for row in AXES] == [row.name for row in WHOLE]


@pytest.mark.parametrize("row", WHOLE, ids=[row.name for row in WHOLE])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_of_whole_arrays_have_scipys_values(row, dtype):
    numbers = grid(dtype)
    one, two = numbers[:, None], np.array(list(itertools.product(numbers, repeat=2)))
    for xs in (one, two, np.concatenate([two, two[::-1, :1]], 1)):
        with np.errstate(all="ignore"):
            truth = np.asarray(row.scipy(xs.astype(np.float64), axis=-1)).astype(dtype)
        found = np.asarray(jax.jit(lambda x: row.function(x, axis=-1))(xs))
        kind = np.finfo(dtype)
        # Sums are rounded in the arguments' precision.
        close = np.isclose(found, truth, rtol=8 * kind.eps, atol=8 * kind.eps, equal_nan=True)
        wrong = np.atleast_1d(~(nearly_equal(found, truth) | close))
        assert not np.any(wrong), [(xs[i[0]], found[i], truth[i]) for i in np.argwhere(wrong)[:9]]


@pytest.mark.parametrize("signed", [False, True])
def test_infinite_weights(signed):
    a, b = np.array([0.0, 1e300]), np.array([np.inf, 3.0])
    for weights in (b, b[::-1], -b):
        found = special.logsumexp(a, b=weights, return_sign=signed)
        truth = scipy.special.logsumexp(a, b=weights, return_sign=signed)
        np.testing.assert_array_equal(found, truth)


@pytest.mark.parametrize("row", AXES, ids=[row.name for row in AXES])
def test_wrong_axes_and_operands_name_function_and_argument(row):
    x = jnp.ones((2, 3))
    name, first = row.name, row.arguments[0].name
    for axis in (5, -3, (0, 5), (0, 0), (0, -2)):
        with pytest.raises(ValueError, match=rf"^{name}: argument 'axis'"):
            row.function(x, axis=axis)
    for axis in ("x", 1.5, {}, (0, None)):
        with pytest.raises(TypeError, match=rf"^{name}: argument 'axis'"):
            row.function(x, axis=axis)
    with pytest.raises(TypeError, match=rf"^{name}: argument 'axis'"):
        jax.jit(lambda axis: row.function(x, axis=axis))(1)
    for operand in ([1.0, 2.0], (1.0,), None, "x", {}, object(), np.array(["x"])):
        with pytest.raises(TypeError, match=rf"^{name}: argument '{first}'"):
            row.function(operand)


@pytest.mark.rotating(1)
@pytest.mark.parametrize(
    ("function", "at"),
    [
        (special.gdtr, (2.0, 0.0, 0.0)),
        (special.gdtrc, (2.0, 0.0, 0.0)),
        (special.fdtr, (0.0, 2.0, 1.0)),
        (special.fdtrc, (0.0, 2.0, 1.0)),
        (special.loggamma, (-2.5,)),
    ],
)
def test_where_the_value_is_not_a_number_no_slope_is(function, at):
    value, slopes = jax.jit(jax.value_and_grad(function, argnums=tuple(range(len(at)))))(*at)
    assert np.isnan(value)
    assert np.all(np.isnan(slopes))
