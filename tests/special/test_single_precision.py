"""Kernels of single precision: how accurate they are, and that their programs have nothing wider.

The truth is the kernel's value in double precision, which `test_device_kernels` holds to mpmath's.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.extend.core
import jax.numpy as jnp
import numpy as np
import pytest
from kernel_points import (
    ANYWHERE,
    KELVIN,
    SOME,
    UNSIGNED,
    single_complex_points,
    single_points,
)
from rotation import few_or_many
from test_device_kernels import function_of, is_degree, named, numbers, sizes_of, with_statics

import jaxsci
from jaxsci import special
from jaxsci.__main__ import main
from jaxsci._core.elementwise_rules import Closed
from jaxsci._verification import reference
from jaxsci.special._catalog.types import Kind

ROWS = [row for row in reference.ROWS.values() if row.single is not None]
IN_PLANE = [
    row
    for row in reference.ROWS.values()
    if row.complex_kernel is not None and row.complex_kernel.single is not None
]
EPS = 2.0**-23
LEAST, LARGEST = 2.0**-119, 2.0**127
"""Of smaller numbers, parts are subnormal."""
MOST = 8
X = np.linspace(0.25, 2.5, 3, dtype=np.float32)


def single():
    return jaxsci.use_backend("device", precision="single")


def wide(columns):
    kinds = {"f": np.float64, "c": np.complex128, "i": np.int64}
    return [x.astype(kinds[x.dtype.kind]) for x in columns]


def results(row, columns, static=None, precision="double"):
    """What the row's kernel gives, one array a number."""
    with jaxsci.use_backend("device", precision=precision):
        return numbers(row, jax.jit(function_of(row, static))(*columns), static)


def changes(row, columns, static, n):
    """What a relative change of 1 in each argument would make."""
    totals = [0.0] * n
    if row.kernel is None or not row.kernel.conditioned:
        return totals
    for i, (argument, x) in enumerate(zip(row.arrays, columns, strict=True)):
        if argument.kind is Kind.INT:
            continue
        sides = [
            results(row, [*columns[:i], x * (1 + h), *columns[i + 1 :]], static)
            for h in (2.0**-20, -(2.0**-20))
        ]
        exact = is_degree(row, argument) & (x == np.floor(x))
        for j, (above, below) in enumerate(zip(*sides, strict=True)):
            slope = np.abs(above - below) * 2.0**19
            totals[j] = totals[j] + np.where(np.isfinite(slope) & ~exact, slope, 0.0)
    return totals


def errors(row, columns, static=None):
    """Errors in units of the last place, and where they are; 0 where there is nothing to say."""
    with np.errstate(all="ignore"):
        found = results(row, columns, static, "single")
        exact = wide(columns)
        truths = results(row, exact, static)
        units = changes(row, exact, static, len(truths))
        off = []
        for y, truth, change in zip(found, truths, units, strict=True):
            assert y.dtype in (np.float32, np.complex64), y.dtype
            size = np.abs(truth)
            known = (size > LEAST) & (size < LARGEST)
            error = np.abs(y.astype(truth.dtype) - truth)
            if np.iscomplexobj(truth):  # of which one part may be subnormal
                error = np.maximum(0.0, error - 2.0**-125)
            error = error / (np.maximum(size, change) * EPS)
            off.append(np.where(known, np.where(np.isnan(error), np.inf, error), 0.0))
        if row.kernel is not None and row.kernel.envelope:
            sizes = sizes_of(row, exact, np.any([e > row.single for e in off], axis=0), len(off))
            off = [
                np.where(size > np.abs(truth), e * np.abs(truth / size), e)
                for e, truth, size in zip(off, truths, sizes, strict=True)
            ]
    return off, found, truths


@pytest.mark.parametrize(("row", "static"), **with_statics(ROWS))
@few_or_many(100, 2000, 0.075)
def test_errors_are_as_small_as_declared(row, static, n):
    assert row.single <= MOST
    columns = single_points(row, n)
    off, found, truths = errors(row, columns, static)
    assert np.count_nonzero(np.abs(truths[0]) > LEAST) > n / 2
    for e, y, truth in zip(off, found, truths, strict=True):
        i = int(np.argmax(e))
        assert e[i] <= row.single, (e[i], [x[i] for x in columns], y[i], truth[i])


EXCUSED = {
    # Their phase has no digits left, and so what overflows no sign.
    **dict.fromkeys(KELVIN, lambda x: np.abs(x) > 1e9),
    # The end of the domain is where the product of both arguments is -1.
    **dict.fromkeys(["inv_boxcox", "inv_boxcox1p"], lambda y, m: np.abs(m * y + 1) < 1e-6),
    # The product underflows, or overflows.
    **dict.fromkeys(
        ["gdtr", "gdtrc"], lambda a, b, x: (np.abs(a * x) < 1e-37) | (np.abs(a * x) > 1e37)
    ),
}
"""Where rounding decides of which kind a value is; of the arguments."""


@pytest.mark.rotating(0.038)
@pytest.mark.parametrize("row", **named(ROWS))
def test_special_values_are_those_of_double_precision(row):
    grid = np.array(ANYWHERE if len(row.arrays) < 3 else SOME, np.float32)
    grid = grid[(np.abs(grid) >= 1e-30) & (np.abs(grid) <= 1e30) | (grid == 0) | ~np.isfinite(grid)]
    columns = [x.ravel() for x in np.meshgrid(*[grid] * len(row.arrays))]
    columns = [
        np.nan_to_num(x, nan=1).clip(-9, 9).astype(np.int32) if a.kind is Kind.INT else x
        for a, x in zip(row.arrays, columns, strict=True)
    ]
    with np.errstate(all="ignore"):
        pairs = zip(
            results(row, columns, precision="single"), results(row, wide(columns)), strict=True
        )
        for y, truth in pairs:
            rounded = truth.astype(y.dtype)
            special_ones = ~np.isfinite(rounded) & ~np.isfinite(truth) | (truth == 0)
            same = (y == rounded) | np.isnan(y) & np.isnan(rounded)
            if row.name not in UNSIGNED and not np.iscomplexobj(y):
                same &= (np.signbit(y) == np.signbit(rounded)) | np.isnan(y)
            wrong = special_ones & ~same & ~EXCUSED.get(row.name, lambda *xs: np.False_)(*columns)
            assert not np.any(wrong), [
                (*(x[i] for x in columns), y[i], truth[i]) for i in np.flatnonzero(wrong)[:9]
            ]


def types(row, dtype, integer):
    return [
        jax.ShapeDtypeStruct((3,), integer if a.kind is Kind.INT else dtype) for a in row.arrays
    ]


@pytest.mark.rotating(0.075)
@pytest.mark.parametrize(("row", "static"), **with_statics(ROWS))
@pytest.mark.parametrize("x64", [True, False])
def test_programs_have_no_double_precision(row, static, x64):
    with jax.enable_x64(x64), single():
        integer = np.int64 if x64 else np.int32
        program = jax.jit(function_of(row, static)).lower(*types(row, np.float32, integer))
        text = program.as_text()
        assert "f64" not in text
        assert "custom_call" not in text
        results = jax.tree.leaves(program.out_info)
        assert all(y.dtype in (np.float32, np.complex64) for y in results)


@pytest.mark.rotating(1)
@pytest.mark.parametrize("row", **named([r for r in ROWS if len(r.arrays) == 1][::20]))
@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
def test_half_precision_is_computed_in_single(row, dtype):
    x = jnp.linspace(0.25, 0.75, 9, dtype=dtype)
    with single():
        assert "f64" not in jax.jit(function_of(row)).lower(x).as_text()
        found = numbers(row, function_of(row)(x))
    for y, truth in zip(found, results(row, [np.asarray(x, np.float64)]), strict=True):
        assert y.dtype == dtype
        eps = float(jnp.finfo(dtype).eps)
        np.testing.assert_allclose(np.asarray(y, np.float64), truth, rtol=eps)


# -- complex arguments -----------------------------------------------------------------------------

SMALLEST_IN_PLANE, LARGEST_IN_PLANE = 2.0**-100, 2.0**120
"""Of smaller numbers parts are subnormal, and products of parts of larger ones infinite."""


@pytest.mark.parametrize(("row", "static"), **with_statics(IN_PLANE))
@few_or_many(50, 1000, 0.075)
def test_errors_of_complex_numbers_are_as_small_as_declared(row, static, n):
    kernel = row.complex_kernel
    assert kernel.single <= MOST
    assert not kernel.envelope
    columns = single_complex_points(row, n)
    with np.errstate(all="ignore"):
        exact = wide(columns)
        found, truths = results(row, columns, static, "single"), results(row, exact, static)
        sizes = [np.abs(truth) for truth in truths]
        known = [(s > SMALLEST_IN_PLANE) & (s < LARGEST_IN_PLANE) for s in sizes]
        if kernel.conditioned:
            for i, x in enumerate(exact):
                sides = [
                    results(row, [*exact[:i], x * (1 + h), *exact[i + 1 :]], static)
                    for h in (2.0**-20, -(2.0**-20))
                ]
                for j, (above, below) in enumerate(zip(*sides, strict=True)):
                    slope = np.abs(above - below) * 2.0**19
                    sizes[j] = sizes[j] + np.where(np.isfinite(slope), slope, 0.0)
        for y, truth, size, here in zip(found, truths, sizes, known, strict=True):
            assert y.dtype == np.complex64
            assert np.count_nonzero(here) > n / 2
            error = np.where(here, np.abs(y - truth) / np.where(here, size, 1.0) / EPS, 0.0)
            i = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
            assert error[i] <= kernel.single, (error[i], [x[i] for x in columns], y[i], truth[i])


@pytest.mark.rotating(0.075)
@pytest.mark.parametrize(("row", "static"), **with_statics(IN_PLANE))
@pytest.mark.parametrize("x64", [True, False])
def test_programs_of_complex_numbers_have_no_double_precision(row, static, x64):
    kinds = {Kind.INT: np.int64 if x64 else np.int32, Kind.COMPLEX: np.complex64}
    with jax.enable_x64(x64), single():
        types_ = [jax.ShapeDtypeStruct((3,), kinds.get(a.kind, np.float32)) for a in row.arrays]
        program = jax.jit(function_of(row, static)).lower(*types_)
        text = program.as_text()
        assert "f64" not in text
        assert "custom_call" not in text
        assert all(y.dtype == np.complex64 for y in jax.tree.leaves(program.out_info))


# -- derivatives -----------------------------------------------------------------------------------

SLOPES = [
    (row, i)
    for row in ROWS
    for i, a in enumerate(row.arrays)
    if isinstance(rule := row.rules.get(a.name), Closed) and rule.single is not None
]


def slopes(row, i):
    f = function_of(row)

    def along(*xs):
        one = (jnp.ones_like(xs[i]),)
        return jax.jvp(lambda x: f(*xs[:i], x, *xs[i + 1 :]), (xs[i],), one)[1]

    return along


@pytest.mark.parametrize(
    ("row", "i"), SLOPES, ids=[f"{row.name}-{row.arrays[i].name}" for row, i in SLOPES]
)
@pytest.mark.rotating(0.038)
def test_errors_of_derivatives_are_as_small_as_declared(row, i):
    declared = row.rules[row.arrays[i].name].single
    assert declared <= MOST
    columns = single_points(row, 100)
    exact = wide(columns)
    f = slopes(row, i)
    with jaxsci.use_backend("device"):
        in_double = jax.jit(f)
        truths = [np.asarray(y) for y in jax.tree.leaves(in_double(*exact))]
        sizes = [np.abs(truth) for truth in truths]
        for j, (a, x) in enumerate(zip(row.arrays, exact, strict=True)):
            if a.kind is Kind.INT:
                continue
            above, below = (
                jax.tree.leaves(in_double(*exact[:j], x * (1 + h), *exact[j + 1 :]))
                for h in (2.0**-20, -(2.0**-20))
            )
            with np.errstate(all="ignore"):
                steps = [
                    np.abs(np.asarray(p) - m) * 2.0**19 for p, m in zip(above, below, strict=True)
                ]
            sizes = [
                size + np.where(np.isfinite(step), step, 0.0)
                for size, step in zip(sizes, steps, strict=True)
            ]
    with single():
        assert not is_wide(f, *columns)
        found = [np.asarray(y) for y in jax.tree.leaves(jax.jit(f)(*columns))]
    for y, truth, size in zip(found, truths, sizes, strict=True):
        assert y.dtype == np.float32
        known = (np.abs(truth) > LEAST) & (np.abs(truth) < LARGEST)
        with np.errstate(all="ignore"):
            error = np.where(known, np.abs(y - truth) / (size * EPS), 0.0)
        at = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
        assert error[at] <= declared, (error[at], [x[at] for x in columns], y[at], truth[at])


# -- the choice ------------------------------------------------------------------------------------


def is_wide(f, *xs):
    return "f64" in jax.jit(f).lower(*xs).as_text()


def test_double_precision_is_the_default():
    with jaxsci.use_backend("device"):
        assert is_wide(special.erfc, X)
    with jaxsci.use_backend("device", precision="double"):
        assert is_wide(special.erfc, X)
    with single(), jaxsci.use_backend("device"):
        assert is_wide(special.erfc, X)


def test_arguments_in_double_precision_have_results_of_it():
    x = X.astype(np.float64)
    with jaxsci.use_backend("device"):
        expected = np.asarray(special.erfc(x))
    with single():
        np.testing.assert_array_equal(special.erfc(x), expected)


def test_it_is_of_kernels_alone():
    with jaxsci.use_backend(None, precision="single"):
        text = jax.jit(special.erfc).lower(X).as_text()
        assert "custom_call" in text  # SciPy's, as always on a CPU
        on_device = jax.jit(special.erfc).trace(X).lower(lowering_platforms=("cuda",)).as_text()
        assert "f64" not in on_device
        assert "custom_call" not in on_device
    with single():
        assert is_wide(lambda x: special.wright_bessel(0.5, 1.0, x), X) or "custom_call" in (
            jax.jit(lambda x: special.wright_bessel(0.5, 1.0, x)).lower(X).as_text()
        )


def test_a_function_is_traced_anew_for_another_precision():
    f = jax.jit(special.gammaln)
    with jaxsci.use_backend("device"):
        double = np.asarray(f(X))
        assert is_wide(f, X)
    with single():
        narrow = np.asarray(f(X))
        assert not is_wide(f, X)
    with jaxsci.use_backend("device"):
        np.testing.assert_array_equal(f(X), double)
    np.testing.assert_allclose(narrow, double, rtol=1e-6)


def test_it_goes_through_batches_and_loops():
    def repeated(x):
        return jax.lax.scan(lambda c, _: (special.erfc(c), None), x, length=3)[0]

    with single():
        assert not is_wide(jax.vmap(special.erfc), X)
        assert not is_wide(repeated, X)
        assert not is_wide(jax.vmap(repeated), X)
        both = jax.jit(jax.vmap(special.kn, in_axes=(0, None)))
        assert "f64" not in both.lower(np.arange(3), np.float32(1.5)).as_text()


def test_a_program_that_is_lowered_later_keeps_it():
    with single():
        traced = jax.jit(special.erfc).trace(X)
        program = jax.make_jaxpr(special.erfc)(X[0])
    assert "f64" not in traced.lower().as_text()
    again = jax.extend.core.jaxpr_as_fun(program)
    assert not is_wide(jax.vmap(lambda x: again(x)[0]), X)


def test_derivatives_are_as_good_as_those_of_double_precision():
    def slopes(x):
        f = special.gammaln
        return jax.vmap(jax.grad(f))(x), jax.vmap(jax.grad(jax.grad(f)))(x)

    with single():
        found = jax.jit(slopes)(X)
    with jaxsci.use_backend("device"):
        expected = jax.jit(slopes)(X.astype(np.float64))
    for y, truth in zip(found, expected, strict=True):
        assert y.dtype == np.float32
        np.testing.assert_allclose(y, truth, rtol=MOST * EPS)


@pytest.mark.smoke
def test_a_precision_for_all_that_follows():
    jaxsci.set_backend("device", precision="single")
    try:
        assert not is_wide(special.erfc, X)
        with jaxsci.use_backend("device"):
            assert is_wide(special.erfc, X)
    finally:
        jaxsci.set_backend(None)
    with jaxsci.use_backend("device"):
        assert is_wide(special.erfc, X)


def test_the_command_line_and_docstrings_tell_of_it(capsys):
    assert main(["info"]) == main(["catalog", "gamma"]) == main(["catalog", "--kernels"]) == 0
    text = " ".join(capsys.readouterr().out.split())  # lines fit the terminal
    assert f"{len(ROWS)} of them in single precision too" in text
    gamma = reference.ROWS["gamma"]
    assert f"; in single precision {gamma.single:g} ulp of that" in text
    in_z: Any = gamma.rules["z"]
    assert f"| {gamma.single:g} ulp, d/dz {in_z.single:g} |" in text
    for row in ROWS:
        said = " ".join((row.function.__doc__ or "").split())
        assert row.on_device or f"With precision 'single': within {row.single:g} units" in said


@pytest.mark.parametrize("choose", [jaxsci.use_backend, jaxsci.set_backend])
def test_what_cannot_be_chosen_is_refused(choose):
    with pytest.raises(ValueError, match="no precision 'half'; available: 'double', 'single'"):
        choose("device", precision="half")
    with pytest.raises(ValueError, match="precision 'single' is one of kernels, and 'callback'"):
        choose("callback", precision="single")
    with jaxsci.use_backend("device"):
        assert is_wide(special.erfc, X)
