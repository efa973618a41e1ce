"""Dtypes: JAX's promotion, SciPy's double value rounded once, derivatives as good as in double.

Everything here runs twice: with 64-bit types, and in a process of its own without them.
"""

from __future__ import annotations

import functools
import operator
import os
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from calling import assert_scipys, bound, by_scipy, takes_arrays
from kinds import name_of, one_of_each_kind, ruled
from rotation import drawn

import jaxsci
from jaxsci import special
from jaxsci._core import precision
from jaxsci._core.dispatch import BACKENDS
from jaxsci._verification import reference
from jaxsci.special._catalog.types import Kind

X64 = jnp.result_type(float) == jnp.float64

CASES = [case for case in reference.cases() if case[1] == case[0].samples.statics[-1]]
if not X64:
    CASES = drawn(one_of_each_kind(0, "dtypes"), 40, "dtypes without 64 bits")
EVERY = pytest.mark.parametrize("case", CASES, ids=name_of)
# Compiling a function for every dtype takes long: each day has its own draw.
TODAYS = one_of_each_kind(40, "dtypes") if X64 else CASES
EVERY_OF_TODAY = pytest.mark.parametrize("case", TODAYS, ids=name_of)
SOME_KINDS = drawn(one_of_each_kind(0, "low precision"), 12 if X64 else 6, "low precision")
OF_SOME_KINDS = pytest.mark.parametrize("case", SOME_KINDS, ids=name_of)

FLOATS = ["float16", "bfloat16", "float32", *(["float64"] if X64 else [])]
INTEGERS = ["int8", "uint8", "int32", "uint32", "bool", *(["int64"] if X64 else [])]
TINY = {"float16": 6e-8, "bfloat16": 1e-40, "float32": 1e-40, "float64": 5e-324}
COMPLEX_OF = {"float32": "complex64", "float64": "complex128"}


def arguments(case, dtype):
    """Points of the domain and a few extreme ones, in a dtype; orders that are Int are int32."""
    row, _, variant = case
    rng = reference.generator("dtypes", name_of(case), dtype)
    columns = reference.sample(row, variant, rng, 12)
    out = []
    for spec, x in zip(row.arrays, columns, strict=True):
        if spec.kind is Kind.INT:
            out.append(x.astype(np.int32))
        elif dtype in INTEGERS:
            out.append(rng.integers(0, 2 if dtype == "bool" else 9, x.shape).astype(dtype))
        elif np.iscomplexobj(x):
            out.append(x.astype(COMPLEX_OF[dtype]))
        else:
            out.append(x.astype(jnp.dtype(dtype)))
    last = out[-1]
    if row.arrays[-1].kind is not Kind.INT and takes_arrays(row):
        extremes = [0.0, TINY[dtype], -TINY[dtype], np.inf, np.nan] if dtype in TINY else []
        # SciPy's Python functions add to integers, which would wrap around.
        if last.dtype.kind in "iu" and isinstance(row.scipy, np.ufunc):
            extremes = [np.iinfo(last.dtype).max]
        if extremes:
            last[-len(extremes) :] = np.array(extremes).astype(last.dtype)
    return out


def in_double(row, arrays):
    """The same numbers in the widest types, where SciPy has its double loops."""
    return [
        x.astype(
            {"i": np.int64, "u": np.int64, "b": np.int64, "c": complex}.get(x.dtype.kind, float)
        )
        for x in arrays
    ]


def like_sine(row, arrays):
    """What jnp.sin of the arguments' sum is: dtype and weak type of JAX's own promotion."""
    aval = jax.eval_shape(lambda *xs: jnp.sin(functools.reduce(operator.add, xs)), *arrays)
    return [
        jnp.result_type(aval.dtype, jnp.complex64) if k == "complex" else aval.dtype
        for k in row.host.result_kinds
    ], aval.weak_type


def dtypes_of(case):
    return list(COMPLEX_OF)[: 1 + X64] if case[2] == reference.COMPLEX else FLOATS + INTEGERS


@pytest.mark.rotating(0.015)
@EVERY_OF_TODAY
def test_values_are_scipys_rounded_once(case):
    row, static, _ = case
    function = bound(row, static)
    inputs = {dtype: arguments(case, dtype) for dtype in dtypes_of(case)}
    found = jax.jit(lambda every: {d: function(*xs) for d, xs in every.items()})(inputs)
    for dtype, arrays in inputs.items():
        truth = by_scipy(row, static, in_double(row, arrays))
        once = [rounded(y, x.dtype) for x, y in zip(found[dtype], truth, strict=True)]
        assert_scipys(row, found[dtype], once, dtype)


def rounded(double, dtype):
    """Rounded once; test_rounding.py checks this against rational arithmetic."""
    with np.errstate(all="ignore"):
        once = precision.round_to(np.ma.getdata(double), np.dtype(dtype))
    return np.ma.masked_array(once, np.ma.getmaskarray(double))


@pytest.mark.rotating(0.022)
@EVERY
def test_result_types_are_those_of_jnp_sin(case):
    row, static, _ = case
    function = bound(row, static)
    scalars = [x[0].item() for x in arguments(case, "float32")]
    every = [scalars]
    for dtype in dtypes_of(case):
        arrays = arguments(case, dtype)
        every.append(arrays)
        # One of them an array, the others Python scalars.
        every += [[*scalars[:i], x, *scalars[i + 1 :]] for i, x in enumerate(arrays)]
    wrong = []
    for inputs in every:
        wanted, weak = like_sine(row, inputs)
        found = jax.eval_shape(function, *inputs)
        if [(y.dtype, y.weak_type) for y in found] != [(dtype, weak) for dtype in wanted]:
            types = [getattr(x, "dtype", type(x).__name__) for x in inputs]
            wrong.append(f"{types}: {found}, not {wanted} weak={weak}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.rotating(0.022)
@EVERY
def test_python_scalars_are_rounded_once(case):
    row, static, _ = case
    at = [x[0].item() for x in arguments(case, "float32")]
    found = bound(row, static)(*at)
    truth = by_scipy(row, static, at)
    assert_scipys(row, found, [rounded(y, x.dtype) for x, y in zip(found, truth, strict=True)])


def alone(function, xs, i):
    return lambda x: function(*xs[:i], x, *xs[i + 1 :])


def slope(f, tangent):
    return lambda x: jax.jvp(f, (x,), (tangent,))[1]


def slopes(case, arrays, orders):
    """Derivatives of the first orders in each argument that has any, and the values."""
    row, static, _ = case
    function = bound(row, static)

    @jax.jit
    def evaluate(*xs):
        out = []
        for i in ruled(row):
            ones = jnp.ones_like(xs[i])

            f = alone(function, xs, i)
            for _ in range(orders):
                f = slope(f, ones)
                out.append(f(xs[i]))
        return function(*xs), out

    return evaluate(*arrays)


def ulps(found, double):
    """Distance from the double result in units of the narrow type's last place."""
    narrow = jnp.finfo(found.dtype)
    wide = np.complex128 if np.iscomplexobj(found) else np.float64
    found, double = np.asarray(found).astype(wide), np.asarray(double).astype(wide)
    # XLA flushes subnormal numbers to zero.
    flushed = (found == 0) & (np.abs(double) < float(narrow.tiny))
    inside = np.isfinite(double) & (np.abs(double) < float(narrow.max)) & ~flushed
    exponent = np.floor(np.log2(np.maximum(np.abs(double[inside]), float(narrow.tiny))))
    return np.abs(found - double)[inside] / 2.0 ** (exponent - narrow.nmant)


def check_slopes(case, dtype, orders):
    arrays = [x[:7] for x in arguments(case, dtype)]
    values, found = slopes(case, arrays, orders)
    with jax.enable_x64(True):
        _, double = slopes(case, in_double(case[0], arrays), orders)
    for narrow, wide in zip(found, double, strict=True):
        for y, d, truth in zip(values, narrow, wide, strict=True):
            assert d.dtype == y.dtype
            off = ulps(d, truth)
            assert np.max(off, initial=0) <= 1, f"{name_of(case)} {dtype}: {off}"


@pytest.mark.rotating(0.038)
@OF_SOME_KINDS
def test_derivatives_in_single_precision_are_those_in_double(case):
    check_slopes(case, "float32", 1)


@pytest.mark.rotating(0.015)
@OF_SOME_KINDS
def test_second_derivatives_in_single_precision_are_those_in_double(case):
    check_slopes(case, "float32", 2)


@pytest.mark.rotating(0.038)
@OF_SOME_KINDS
def test_derivatives_in_half_precision_are_those_in_double(case):
    for dtype in ("float16", "bfloat16") if case[2] == reference.REAL else ():
        check_slopes(case, dtype, 1)


if X64:

    @pytest.mark.rotating(0.022)
    def test_all_this_without_64_bit_types():
        environment = os.environ | {
            "JAXSCI_TEST_X64": "0",
            "PYTHONPATH": str(Path(jaxsci.__file__).parents[1]),
        }
        environment = {k: v for k, v in environment.items() if not k.startswith("PYTEST_")}
        command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
        done = subprocess.run(
            [*command, __file__], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


@pytest.mark.parametrize("dtype", ["uint32", "float32", "float16", "int8"])
def test_orders_of_any_type_without_64_bit_types(dtype):
    """C's int ends where JAX's integers do then, and half precision before."""
    x = np.float32(0.5)
    with jax.enable_x64(False):
        for name in ("expn", "kn", "jn", "smirnov", "eval_hermite"):
            function, theirs = getattr(special, name), getattr(scipy.special, name)
            orders = np.array([2, 3, 100], dtype)
            found = function(orders, x)
            expected = theirs(orders.astype(np.int64), np.float64(x))
            np.testing.assert_array_equal(found, rounded(expected, found.dtype))
            slope = jax.vmap(jax.grad(function, 1), (0, None))(orders.astype(np.float32), x)
            same = jax.vmap(jax.grad(function, 1), (0, None))(orders.astype(np.int32), x)
            np.testing.assert_array_equal(slope, same)
        assert np.isnan(special.kn(np.float32(2.0**31), x))
        assert np.isnan(special.kn(np.uint32(2**31), x))


@pytest.mark.skipif(not X64, reason="uint64 is a 64-bit type")
@pytest.mark.parametrize("backend", BACKENDS)
def test_integers_beyond_int64_do_not_wrap_around(backend):
    large = np.array([3, 2**63, 2**64 - 2], np.uint64)
    with jaxsci.use_backend(backend):
        for name, others in {"gammaln": (), "poch": (1.0,), "jn": (2.0,), "comb": (1.0,)}.items():
            found = getattr(special, name)(large, *others)
            expected = getattr(scipy.special, name)(large.astype(float), *others)
            np.testing.assert_array_equal(found, expected)
        # Also where they count something.
        np.testing.assert_array_equal(special.factorial2(large[1:]), [np.inf, np.inf])
