"""Kernels: how accurate they are, by mpmath, and that their programs never leave the device."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import jax
import jax.extend.core
import jax.numpy as jnp
import kernel_truths
import mpmath
import numpy as np
import pytest
from kernel_points import (
    ANYWHERE,
    DIGITS,
    SCIPY_IS_WRONG,
    SEARCHED,
    SOME,
    UNSIGNED,
    complex_points,
    points,
)
from kernel_tables import TABLES
from make_kernel_tables import block, polynomial, surface
from mpmath import mp
from rotation import drawn, few_or_many, generator_of_the_draw

import jaxsci
from jaxsci import special
from jaxsci.__main__ import main
from jaxsci._core import dispatch
from jaxsci._verification import reference
from jaxsci.special._catalog import coverage
from jaxsci.special._catalog.types import Kind

ROWS = [row for row in reference.ROWS.values() if row.kernel is not None]
IN_PLANE = [row for row in reference.ROWS.values() if row.complex_kernel is not None]
ON_DEVICE = [row for row in reference.ROWS.values() if row.on_device]
OF_ONE = reference.ROWS["erfc"].arrays
EPS = 2.0**-52
TINY = 2.0**-1022
OF_SEVERAL = 2e-14 / EPS
"""How large the error of a function of several arguments may be."""
LEAST, LARGEST = mpmath.ldexp(1, -1021), mpmath.ldexp(1, 1023)
LEAST_IN_PLANE = mpmath.ldexp(1, -900)
"""Of complex numbers as small as that, parts of what is multiplied underflow."""

HOST_FROM: dict[tuple[str, str], int] = {}
"""By row and argument, the order of the first derivative that goes to the host: where its rule
needs a function that has no kernel."""
HOST_IN_PLANE_FROM: dict[str, int] = {}
"""The same for complex arguments."""


def named(rows):
    return {"argvalues": rows, "ids": [row.name for row in rows]}


def with_statics(rows):
    """Each row with each choice of its static arguments."""
    cases = [(row, static) for row in rows for static in row.samples.statics]
    ids = ["-".join([row.name, *(f"{k}={v}" for k, v in static.items())]) for row, static in cases]
    return {"argvalues": cases, "ids": ids}


# -- accuracy --------------------------------------------------------------------------------------


def function_of(row, static=None, function=None):
    """A row's function, or another, of arrays alone; of the first static arguments by default."""
    function = row.function if function is None else function
    static = row.samples.statics[0] if static is None else static
    if not static:
        return function
    names = [a.name for a in row.arrays]

    def of_arrays(*xs):
        known = static | dict(zip(names, xs, strict=True))
        positional = [known.pop(a.name) for a in row.arguments if not a.keyword_only]
        return function(*positional, **known)

    return of_arrays


def on_host(row):
    """The same, as the host computes it."""
    if row.layout is not None:
        return function_of(row, function=row.scipy)
    return functools.partial(row.host.fn, **row.samples.statics[0])


def numbers(row, found, static=None):
    """Arrays of numbers, of which each result has one or more."""
    if row.layout is not None:
        found = row.layout.trailing(found, row.samples.statics[0] if static is None else static)
    arrays = [np.asarray(y) for y in (found if isinstance(found, tuple) else (found,))]
    if row.layout is None:
        return arrays
    return [y for array in arrays for y in np.moveaxis(array.reshape(len(array), -1), 1, 0)]


def results(row, columns, static=None):
    """What the row's function gives on the device, one array a number."""
    with jaxsci.use_backend("device"):
        return numbers(row, jax.jit(function_of(row, static))(*columns), static)


def errors(row, columns, static):
    """Errors in units of the last place, where the value is a number of ordinary size."""
    found = results(row, columns, static)
    in_plane = any(np.iscomplexobj(x) for x in columns)
    kernel = row.complex_kernel if in_plane else row.kernel
    truth_of = kernel_truths.truth_of(row, reference.Reference(row, static), static)
    envelopes = _envelopes(row, kernel, len(found))
    least = LEAST_IN_PLANE if in_plane else LEAST
    out = []
    with mp.workdps(DIGITS.get(row.name, 50)):
        for i, point in enumerate(zip(*columns, strict=True)):
            if any(0 < abs(part) < TINY for x in point for part in (x.real, x.imag)):
                continue  # XLA takes it for zero
            at = [x.item() if x.dtype.kind == "i" else mpmath.mpmathify(x.item()) for x in point]
            truths = [t for each in truth_of(at) for t in each]
            for j, (ys, truth, envelope) in enumerate(zip(found, truths, envelopes, strict=True)):
                if mpmath.isnan(truth):
                    assert np.isnan(ys[i]), (point, ys[i])
                    continue
                is_real = not (in_plane or np.iscomplexobj(ys))
                if (mpmath.im(truth) != 0 and is_real) or not least < abs(truth) < LARGEST:
                    continue
                if ys[i] == 0 and is_noise(truth_of, at, truth, j):
                    continue
                assert np.isfinite(ys[i]), (point, ys[i], truth)
                unit = max(abs(truth), envelope(at)) * EPS
                off = distance(mpmath.mpmathify(ys[i].item()), truth)
                if kernel.conditioned and off > kernel.ulps * unit:
                    unit = max(unit, change(row, truth_of, at, j) * EPS)
                error = off / unit
                out.append((float(error), point, ys[i].item()))
    return out


def distance(found, truth):
    """How far they are from each other; a part of the truth may be 0 if XLA takes it for that."""
    parts = [0 if abs(part) < TINY else part for part in (mpmath.re(truth), mpmath.im(truth))]
    return min(abs(found - truth), abs(found - mpmath.mpc(*parts)))


def change(row, truth_of, at, j=0):
    """By how much the value would change with each of the arguments, relative to their changes."""
    step = mpmath.ldexp(1, -60)
    total = mpmath.mpf(0)
    for i, argument in enumerate(row.arrays):
        exact = is_degree(row, argument) and at[i] == mpmath.floor(at[i])
        if argument.kind is not Kind.INT and not exact:
            sides = [
                [t for each in truth_of([*at[:i], at[i] * (1 + h), *at[i + 1 :]]) for t in each][j]
                for h in (step, -step)
            ]
            total += abs(sides[0] - sides[1]) / (2 * step)
    return total


def is_degree(row, argument):
    """Whether an argument is a degree: whole ones are exact."""
    return row.name in kernel_truths.POLYNOMIALS and argument.name == "n"


def is_noise(truth_of, at, truth, j):
    """Whether more digits make a value smaller by many orders."""
    with mp.workdps(2 * mp.dps):
        again = [t for each in truth_of(at) for t in each][j]
    return abs(again) < abs(truth) * mpmath.mpf(10) ** -20


def sizes_of(row, columns, where, n):
    """The envelopes at finite points, where they are wanted; one array a result."""
    points = list(zip(*columns, np.broadcast_to(where, columns[0].shape), strict=True))
    return [
        np.array([float(envelope(p)) if w and np.all(np.isfinite(p)) else 0.0 for *p, w in points])
        for envelope in _envelopes(row, row.kernel, n)
    ]


def _envelopes(row, kernel, n):
    """One function of the arguments for each of n numbers."""
    if not kernel.envelope:
        return [lambda at: 0] * n
    names = [a.name for a in row.arrays]
    # mpmath's does not find zeros.
    known = reference.NAMES | {"jacobi": kernel_truths.jacobi}

    def of(text):
        code = compile(text, row.name, "eval")
        return lambda at: eval(
            code, known | dict(zip(names, map(reference.exact, at), strict=True))
        )

    return [of(text) for text in kernel.envelope.split("; ")]


@pytest.mark.parametrize(("row", "static"), **with_statics(ROWS))
@few_or_many(20, 300, 0.045)
def test_errors_are_as_small_as_declared(row, static, n):
    assert row.kernel.ulps <= (4 if len(row.arguments) == 1 else OF_SEVERAL)
    found = errors(row, points(row, n), static)
    assert len(found) > n / 2
    worst = max(found, key=lambda e: e[0])
    assert worst[0] <= row.kernel.ulps, worst


@pytest.mark.parametrize(("row", "static"), **with_statics(IN_PLANE))
@few_or_many(20, 300, 0.045)
def test_errors_in_the_plane_are_as_small_as_declared(row, static, n):
    assert row.complex_kernel.ulps <= OF_SEVERAL
    found = errors(row, complex_points(row, n), static)
    assert len(found) > n / 2
    worst = max(found, key=lambda e: e[0])
    assert worst[0] <= row.complex_kernel.ulps, worst


@pytest.mark.rotating(0.038)
@pytest.mark.parametrize("row", **named(IN_PLANE))
def test_complex_numbers_that_are_none_have_no_value(row):
    none = np.array([complex(np.nan, 1), complex(1, np.nan), complex(np.nan, np.nan)])
    columns = [
        none if a.kind is Kind.COMPLEX else np.ones(3, int if a.kind is Kind.INT else float)
        for a in row.arrays
    ]
    for found in results(row, columns):
        assert np.all(np.isnan(found))


@pytest.mark.rotating(0.075)
@pytest.mark.parametrize("row", **named([r for r in IN_PLANE if r.kernel and len(r.arrays) == 1]))
def test_the_plane_goes_on_from_the_real_line(row):
    x = np.array([-3.0, -0.25, -1e-9, 0.0, 1e-20, 0.7, 5.0])
    for real, found in zip(results(row, [x]), results(row, [x + 0j]), strict=True):
        on = np.isfinite(real)
        np.testing.assert_allclose(found.real[on], real[on], rtol=2e-14)


@pytest.mark.rotating(0.022)
@pytest.mark.parametrize("row", **named(ROWS))
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_special_values_are_scipys(row, dtype):
    few = 3 if row.name in kernel_truths.POLYNOMIALS else 4
    grid = np.array(ANYWHERE if len(row.arrays) < few else SOME, dtype)
    columns = [x.ravel() for x in np.meshgrid(*[grid] * len(row.arrays))]
    columns = [
        np.nan_to_num(x, nan=1).clip(-9, 9).astype(int) if a.kind is Kind.INT else x
        for a, x in zip(row.arrays, columns, strict=True)
    ]
    wide = [x.astype(np.float64) if x.dtype.kind == "f" else x for x in columns]
    with np.errstate(all="ignore"):
        truths = scipys_values(row, wide)
        of_dtype = np.result_type(dtype, np.complex64)
        truths = [
            y.astype(of_dtype if y.dtype.kind == "c" else dtype) for y in numbers(row, truths)
        ]
        excused = SCIPY_IS_WRONG.get(row.name, lambda *xs: np.False_)(*columns)
    sizes = sizes_of(row, wide, ~excused, len(truths))
    if row.kernel.conditioned:
        changes = scipys_change(row, wide)
        sizes = [size + change for size, change in zip(sizes, changes, strict=True)]
    # SciPy's own errors are larger in several arguments.
    least = 8 if len(row.arguments) == 1 else OF_SEVERAL
    found = [part for y in results(row, columns) for part in parts_of(y)]
    sizes = [
        np.maximum(size, np.abs(y)) if np.iscomplexobj(y) else size
        for y, size in zip(truths, sizes, strict=True)
        for _ in parts_of(y)
    ]
    truths = [part for y in truths for part in parts_of(y)]
    if row.name in UNSIGNED:
        found, truths = ([y + y.dtype.type(0) for y in ys] for ys in (found, truths))
    for y, truth, size in zip(found, truths, sizes, strict=True):
        wrong = ~(as_scipys(y, truth, size, least) | excused)
        if row.name in kernel_truths.POLYNOMIALS:  # their zeros are SciPy's by accident
            with np.errstate(all="ignore"):
                wrong &= ~(np.abs(y - truth) <= least * np.finfo(dtype).eps * size)
        assert y.dtype == truth.dtype
        assert not np.any(wrong), [
            (*(x[i] for x in columns), y[i], truth[i]) for i in np.flatnonzero(wrong)[:9]
        ]


def scipys_values(row, columns):
    """What SciPy has, by its recurrence where the degree is whole: its sums cancel."""
    if row.name == "hyp0f1":  # it prints that it divides by zero
        v, z = columns
        columns = [v, np.where((np.abs(v) <= 150) & (np.abs(z) <= 1e4), z, np.nan)]
    if row.name in ("hyp1f1", "hyp2f1", "hyperu"):  # it might not return, or crash
        limits = [100.0] * (len(columns) - 1) + [1e4]
        moderate = np.logical_and.reduce(
            [~(np.abs(x) > most) for x, most in zip(columns, limits, strict=True)]
        )
        columns = [np.where(moderate, x, 0.5) for x in columns]
    if row.name in SEARCHED:  # they take seconds for large shapes
        columns = [np.where(np.abs(x) <= 1e20, x, np.nan) for x in columns]
    if row.name not in kernel_truths.POLYNOMIALS:
        return on_host(row)(*columns)
    place = [a.name for a in row.arrays].index("n")
    # It might not return.
    columns = [
        x if a.name == "x" else np.where(np.abs(x) <= 1e4, x, np.nan)
        for a, x in zip(row.arrays, columns, strict=True)
    ]
    degrees = columns[place]
    whole = degrees == np.floor(degrees)

    def at(degrees):
        return on_host(row)(*columns[:place], degrees, *columns[place + 1 :])

    return np.where(whole, at(np.where(whole, degrees, 0).astype(np.int64)), at(degrees))


def parts_of(y):
    """A real number, or both parts of a complex one."""
    return [y.real, y.imag] if np.iscomplexobj(y) else [y]


def scipys_change(row, columns):
    """`change`, by SciPy's function, for each number."""
    there = _scipys_slopes(row, columns)
    # Of integer orders alone Bessel functions are real on the other side.
    mirrored = _scipys_slopes(row, [np.abs(x) for x in columns])
    totals = [np.where(np.isfinite(t), t, m) for t, m in zip(there, mirrored, strict=True)]
    return [np.where(np.isfinite(total), total, 0.0) for total in totals]


def _scipys_slopes(row, columns):
    step = 2.0**-20
    totals = np.zeros(())
    with np.errstate(all="ignore"):
        for i, (argument, x) in enumerate(zip(row.arrays, columns, strict=True)):
            if argument.kind is not Kind.INT:
                sides = [
                    np.array(
                        numbers(
                            row,
                            scipys_values(row, [*columns[:i], x * (1 + h), *columns[i + 1 :]]),
                        )
                    )
                    for h in (step, -step)
                ]
                slopes = np.abs(sides[0] - sides[1]) / (2 * step)
                exact = is_degree(row, argument) & (x == np.floor(x))
                totals = totals + np.where(exact, 0.0, slopes)
    return list(totals)


def as_scipys(found, truth, size, least):
    """Where results are SciPy's, but for some units of the last place of a size."""
    kind = np.finfo(found.dtype)
    with np.errstate(all="ignore"):
        near = np.abs(found - truth) <= least * kind.eps * np.maximum(np.abs(truth), size)
    near &= np.isfinite(truth)
    # XLA flushes subnormal numbers to zeros, on the way and in the end.
    near |= (np.abs(found) <= kind.tiny) & (np.abs(truth) <= kind.tiny)
    same = (found == truth) & ((np.signbit(found) == np.signbit(truth)) | (truth != 0))
    return near & (truth != 0) | same | (np.isnan(found) & np.isnan(truth))


@pytest.mark.parametrize("k", range(-2, 3))
def test_no_first_guess_of_lambertw_leads_to_another_branch(k):
    rng = np.random.default_rng(k + 2)
    size = 10 ** np.concatenate([rng.uniform(-6, 1, 20000), rng.uniform(-8, 3, 20000)])
    z = size * np.exp(1j * rng.uniform(-np.pi, np.pi, size.size))
    z[:20000] -= np.exp(-1)  # about the branch point
    with jaxsci.use_backend("device"):
        found = np.asarray(jax.jit(special.lambertw)(z, k))
    truth = _scipys("lambertw", z, k)
    known = ~np.isnan(truth)
    off = np.abs(found - truth)[known] / np.abs(truth[known])
    assert np.all(off <= 1e-13 * np.maximum(1, 1 / np.abs(1 + truth[known])))


def test_no_first_guess_of_wrightomega_leads_to_another_branch():
    rng = np.random.default_rng(5)
    turned = np.exp(1j * rng.uniform(-np.pi, np.pi, 30000))
    about = -1 + 1j * np.pi * rng.choice([-1, 1], 10000)  # the branch points
    z = turned * 10 ** np.concatenate([rng.uniform(-6, 1, 20000), rng.uniform(-3, 3, 10000)])
    z[:10000] += about
    with jaxsci.use_backend("device"):
        found = np.asarray(jax.jit(special.wrightomega)(z))
    truth = _scipys("wrightomega", z)
    known = np.isfinite(truth) & (np.abs(truth) > TINY)
    off = np.abs(found - truth)[known] / np.abs(truth[known])
    condition = np.abs(z[known] / (1 + truth[known]))
    assert np.count_nonzero(known) > 25000
    assert np.all(off <= 1e-14 * np.maximum(1, condition))


@pytest.mark.rotating(0.2)
def test_principal_values_of_elliprj_are_those_of_real_type():
    rng = np.random.default_rng(6)
    x, y, z, p = 10 ** rng.uniform(-6, 6, (4, 200))
    x[:20] = 0
    with jaxsci.use_backend("device"):
        f = jax.jit(special.elliprj)
        found, truth = f(x + 0j, y + 0j, z + 0j, -p + 0j), f(x, y, z, -p)
        between = special.elliprf(x, y, z) / p
    assert np.all(np.imag(found) == 0)
    assert np.all(np.abs(found - truth) <= 1e-13 * np.maximum(np.abs(truth), between))


OTHERS = {
    "Riemann's zeta": (
        lambda x: special.zeta(x, None),
        mpmath.zeta,
        [(-171.4,), (-40.5,), (-3.75,), (-1e-20,), (0.3,), (1 + 1e-9,), (2.5,), (40.0,)],
    ),
    "with repetition": (
        lambda n, k: special.comb(n, k, repetition=True),
        lambda n, k: mpmath.binomial(n + k - 1, k),
        [(3.0, 2.0), (7.5, 3.25), (40.0, 60.0), (1e-12, 2.0), (-2.5, 3.0), (-2.5, 0.75)],
    ),
    "factorial": (special.factorial, mpmath.factorial, [(0.0,), (3.0,), (1e-9,), (33.3,)]),
    "one gamma function": (
        lambda a: special.multigammaln(a, 1),
        mpmath.loggamma,
        [(1 + 1e-9,), (2 - 1e-9,), (0.3,), (50.5,)],
    ),
}
"""What other static arguments make of functions: those, mpmath's, and where."""


@pytest.mark.parametrize("name", OTHERS)
def test_other_static_arguments_have_kernels_too(name):
    f, truth, at = OTHERS[name]
    arguments = [np.array(x) for x in zip(*at, strict=True)]
    with jaxsci.use_backend("device"):
        assert not leaves(jax.jit(f).lower(*arguments).as_text())
        found = jax.jit(f)(*arguments)
    with mp.workdps(40):
        expected = [float(truth(*map(mpmath.mpf, p))) for p in at]
    np.testing.assert_allclose(found, expected, rtol=2e-14)


# -- programs --------------------------------------------------------------------------------------


def derivative(f, i):
    def slope(*xs):
        return jax.jvp(lambda x: f(*xs[:i], x, *xs[i + 1 :]), (xs[i],), (jnp.ones_like(xs[i]),))[1]

    return slope


def program(f, arguments, backend=None, platform="cpu", dtype: Any = np.float64):
    """The text of a program; no device of the platform is needed for it."""
    kinds = {Kind.INT: np.int64, Kind.COMPLEX: dtype}
    real = np.zeros((), dtype).real.dtype
    types = [jax.ShapeDtypeStruct((3,), kinds.get(a.kind, real)) for a in arguments]

    def text():
        try:
            return jax.jit(f).trace(*types).lower(lowering_platforms=(platform,)).as_text()
        except ValueError as error:  # a callback needs a device of the platform
            if "different from the lowering platform" not in str(error):
                raise
            return "custom_call"

    if backend is None:
        return text()
    with jaxsci.use_backend(backend):
        return text()


def leaves(text):
    return "custom_call" in text


PROGRAMS = [
    (row, i, order)
    for row in ROWS + ON_DEVICE
    for i, a in enumerate(row.arrays)
    for order in range(3)
    if order == 0 or reference.directions(row, a, "real")
    if order or i == 0
]


@pytest.mark.rotating(0.011)
@pytest.mark.parametrize(
    ("row", "i", "order"),
    PROGRAMS,
    ids=[f"{row.name}-{row.arrays[i].name}-{n}" for row, i, n in PROGRAMS],
)
def test_programs_stay_on_the_device(row, i, order):
    f = function_of(row)
    for _ in range(order):
        f = derivative(f, i)
    to_host = order >= HOST_FROM.get((row.name, row.arrays[i].name), 9)
    assert leaves(program(f, row.arrays, "device")) == to_host
    assert leaves(program(f, row.arrays, platform="cuda")) == to_host
    assert leaves(program(f, row.arrays, "device", dtype=np.float32)) == to_host


@pytest.mark.rotating(0.038)
@pytest.mark.parametrize("row", **named(IN_PLANE))
@pytest.mark.parametrize("order", range(3))
def test_programs_of_complex_numbers_stay_on_the_device(row, order):
    f = function_of(row)
    i = next(i for i, a in enumerate(row.arrays) if a.kind is Kind.COMPLEX)
    for _ in range(order):
        f = derivative(f, i)
    to_host = order >= HOST_IN_PLANE_FROM.get(row.name, 9)
    assert leaves(program(f, row.arrays, "device", dtype=np.complex128)) == to_host
    assert leaves(program(f, row.arrays, platform="cuda", dtype=np.complex64)) == to_host


@pytest.mark.rotating(0.006)
@pytest.mark.parametrize(
    ("row", "i", "order"),
    [p for p in PROGRAMS if p[2] and p[0].kernel],
    ids=lambda p: p.name if hasattr(p, "name") else str(p),
)
def test_derivatives_are_those_of_the_host(row, i, order):
    f = function_of(row)
    for _ in range(order):
        f = derivative(f, i)
    xs = reference.sample(row, reference.REAL, np.random.default_rng(0), 20)
    expected = jax.jit(f)(*xs)
    with jaxsci.use_backend("device"):
        found = jax.jit(f)(*xs)
    for y, truth in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(y, truth, rtol=1e-9, atol=1e-300)


STATICS = [(row, static) for row in ROWS for static in row.samples.statics[1:]]


@pytest.mark.rotating(0.075)
@pytest.mark.parametrize(
    ("row", "static"), STATICS, ids=[f"{r.name}-{reference.static_key(s)}" for r, s in STATICS]
)
def test_values_of_static_arguments_are_those_of_the_host(row, static):
    f = function_of(row, static=static)
    xs = reference.sample(row, reference.REAL, np.random.default_rng(0), 20)
    expected = jax.jit(f)(*xs)
    with jaxsci.use_backend("device"):
        assert not leaves(jax.jit(f).lower(*xs).as_text())
        found = jax.jit(f)(*xs)
    for y, truth in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        size = np.max(np.abs(truth), axis=-1, keepdims=True)
        assert np.all(np.abs(y - truth) <= 1e-11 * size)


@pytest.mark.rotating(0.015)
@pytest.mark.parametrize("row", **named(ROWS))
def test_compiled_programs_call_nothing(row):
    f = function_of(row)
    with jaxsci.use_backend("device"):
        n = len(row.arrays)
        xs = [np.ones(3, int) if a.kind is Kind.INT else np.full(3, 0.4) for a in row.arrays]
        last = row.arrays[-1]
        stays = bool(reference.directions(row, last, "real")) and (
            HOST_FROM.get((row.name, last.name), 9) > 1
        )
        for g in (f, derivative(f, n - 1)) if stays else (f,):
            text = jax.jit(g).lower(*xs).compile().as_text()
            assert text is not None
            assert "custom-call" not in text
            assert "custom_call" not in text


def test_scipys_bits_are_the_default_on_cpus():
    x = np.linspace(-3, 3, 7)
    erfc = next(r for r in ROWS if r.name == "erfc")
    np.testing.assert_array_equal(jax.jit(special.erfc)(x), erfc.scipy(x))
    assert leaves(program(special.erfc, erfc.arrays))
    assert leaves(program(jax.vmap(jax.grad(special.erfcx)), erfc.arrays))


@pytest.mark.parametrize("backend", ["callback", "ffi"])
def test_a_backend_of_the_host_keeps_it_on_accelerators(backend):
    if backend not in dispatch.BACKENDS:
        pytest.skip("there is no such backend here")
    assert leaves(program(special.erfc, OF_ONE, backend, "cuda"))


def test_what_has_no_kernel_goes_to_the_host():
    for platform in ("cpu", "cuda"):
        assert leaves(
            program(lambda x: special.wright_bessel(0.5, 1.0, x), OF_ONE, "device", platform)
        )
        assert leaves(program(_laguerre, OF_ONE, "device", platform, np.complex128))
    x = np.linspace(1, 2, 3)
    with jaxsci.use_backend("device"):
        np.testing.assert_array_equal(
            jax.jit(_laguerre)(x + 1j), _scipys("eval_laguerre", 1.5, x + 1j)
        )
        np.testing.assert_array_equal(
            special.wright_bessel(0.5, 1.0, x), _scipys("wright_bessel", 0.5, 1.0, x)
        )


def _laguerre(z):
    return special.eval_laguerre(1.5, z)


def _scipys(name, *xs):
    return reference.ROWS[name].scipy(*xs)


# -- the backend in force goes where the call goes -------------------------------------------------

X = jax.ShapeDtypeStruct((), np.float64)
SINGLE = jax.ShapeDtypeStruct((), np.float32)


@pytest.mark.parametrize("x", [X, SINGLE], ids=["double", "single"])
@pytest.mark.parametrize("f", [special.erfcx, jax.grad(special.erfcx)], ids=["value", "gradient"])
def test_a_program_that_is_lowered_later_keeps_its_backend(f, x):
    with jaxsci.use_backend("device"):
        traced = jax.jit(f).trace(x)
    assert not leaves(traced.lower().as_text())
    traced = jax.jit(f).trace(x)
    with jaxsci.use_backend("device"):
        assert leaves(traced.lower().as_text())


@pytest.mark.parametrize("x", [X, SINGLE], ids=["double", "single"])
def test_derivatives_that_are_asked_for_later_keep_the_backend(x):
    with jaxsci.use_backend("device"):
        program = jax.make_jaxpr(special.erfcx)(x)
    again = jax.extend.core.jaxpr_as_fun(program)
    slope = derivative(lambda x: again(x)[0], 0)
    assert not leaves(jax.jit(slope).lower(x).as_text())
    assert not leaves(jax.jit(derivative(slope, 0)).lower(x).as_text())


def test_one_call_may_have_a_backend_of_its_own():
    def f(x):
        with jaxsci.use_backend("device"):
            y = special.erfc(x)
        return y + special.erfcx(x)

    text = jax.jit(f).lower(X).as_text()
    assert text.count("custom_call") == jax.jit(special.erfcx).lower(X).as_text().count(
        "custom_call"
    )


@pytest.mark.smoke
def test_a_backend_for_all_that_follows():
    jaxsci.set_backend("device")
    try:
        assert not leaves(jax.jit(special.erfc).lower(X).as_text())
        with jaxsci.use_backend("callback"):
            assert leaves(jax.jit(special.erfc).lower(X).as_text())
    finally:
        jaxsci.set_backend(None)
    assert leaves(jax.jit(special.erfc).lower(X).as_text())
    with pytest.raises(ValueError, match="set_backend: no backend 'abacus' here"):
        jaxsci.set_backend("abacus")


def test_loops_and_batches():
    def f(x):
        return jax.lax.scan(lambda c, _: (special.erfc(c), None), x, length=3)[0]

    with jaxsci.use_backend("device"):
        assert not leaves(jax.jit(jax.grad(jax.grad(f))).lower(X).as_text())
        batch = jax.ShapeDtypeStruct((4,), np.float64)
        assert not leaves(jax.jit(jax.vmap(jax.grad(f))).lower(batch).as_text())


def test_single_precision_is_computed_in_double_and_rounded_once():
    x = np.array([0.3, -1.7, 2.9, 1e-40, -3e-42], np.float32)
    with jaxsci.use_backend("device"):
        for f in (special.erf, special.erfc, special.dawsn):
            found = np.asarray(jax.jit(f)(x))
            wide = np.asarray(jax.jit(f)(x.astype(np.float64)))
            assert found.dtype == np.float32
            normal = np.abs(wide) > np.finfo(np.float32).tiny
            np.testing.assert_array_equal(found[normal], wide.astype(np.float32)[normal])


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("backend", [None, "device"])
def test_where_there_may_be_an_accelerator(monkeypatch, backend):
    """Derivatives are asked for together with values there, and go where each of them belongs."""
    before = getattr(jax.config, "jax_platforms", None)
    x = np.linspace(0.5, 2.0, 3)

    def slopes(f):
        return jax.jit(lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),)))

    try:
        monkeypatch.setattr(dispatch, "_accelerator_is_installed", lambda: True)
        jax.config.update("jax_platforms", None)
        jax.clear_caches()  # of derivatives that were traced under other settings
        with jaxsci.use_backend(backend):
            for f in (special.i0e, special.k1e, special.j1, lambda x: special.kv(2.5, x)):
                value, slope = slopes(f)(x)
                step = 1e-5
                difference = (np.asarray(f(x + step)) - np.asarray(f(x - step))) / (2 * step)
                np.testing.assert_allclose(slope, difference, rtol=1e-8)
                np.testing.assert_allclose(value, f(x), rtol=1e-15)
            j1 = reference.ROWS["j1"].arrays
            assert not leaves(program(derivative(special.j1, 0), j1, platform="cuda"))
            host = leaves(program(derivative(special.j1, 0), j1))
            assert host == (backend is None)
    finally:
        jax.config.update("jax_platforms", before)
        jax.clear_caches()


# -- tables ----------------------------------------------------------------------------------------

POLYNOMIALS = [
    (file, constant, j)
    for file, table in TABLES.items()
    for constant, intervals in table.polynomials.items()
    for j in range(len(intervals))
]


@functools.cache
def _module(file):
    return __import__("jaxsci.special." + file.replace("/", "."), fromlist=["x"])


@pytest.mark.parametrize(
    ("file", "constant", "j"),
    drawn(POLYNOMIALS, 1, "polynomials")
    + [pytest.param(*p, marks=pytest.mark.rotating(0.0075)) for p in POLYNOMIALS],
)
def test_tables_are_what_the_script_writes(file, constant, j):
    stored = getattr(_module(file), constant)
    stored = stored if isinstance(stored[0], tuple) else (stored,)
    intervals = TABLES[file].polynomials[constant]
    assert [p[:2] for p in stored] == [(i.start, i.end) for i in intervals]
    assert stored[j].coefficients == polynomial(intervals[j])


SURFACES = [(file, constant) for file, table in TABLES.items() for constant in table.surfaces]


@pytest.mark.rotating(0.015)
@pytest.mark.parametrize(("file", "constant"), SURFACES)
def test_surfaces_are_what_the_script_writes(file, constant):
    stored, area = getattr(_module(file), constant), TABLES[file].surfaces[constant]
    assert stored[:4] == (area.start, area.end, area.low, area.high)
    assert stored.rows == surface(area)


@pytest.mark.parametrize(("file", "constant"), SURFACES)
def test_surfaces_are_their_functions(file, constant):
    stored, area = getattr(_module(file), constant), TABLES[file].surfaces[constant]
    rng = generator_of_the_draw(f"surface {constant}")
    u, v = rng.uniform(area.start, area.end, 9), rng.uniform(area.low, area.high, 9)
    with mp.workdps(30):
        places = zip(map(mpmath.mpf, u), map(mpmath.mpf, v), strict=True)
        truth = np.array([float(area.function(s, t)) for s, t in places])
    unit = EPS * np.maximum(np.abs(truth), 0.1)
    assert np.all(np.abs(np.asarray(stored(u, v)) - truth) <= 4 * unit)


BLOCKS = [(file, constant) for file, table in TABLES.items() for constant in table.blocks]


@pytest.mark.rotating(0)
@pytest.mark.parametrize(("file", "constant"), BLOCKS)
def test_blocks_are_what_the_script_writes(file, constant):
    stored, of_three = getattr(_module(file), constant), TABLES[file].blocks[constant]
    assert stored.intervals == of_three.intervals
    assert stored.planes == block(of_three)


@pytest.mark.parametrize(("file", "constant"), BLOCKS)
def test_blocks_are_their_functions(file, constant):
    stored, of_three = getattr(_module(file), constant), TABLES[file].blocks[constant]
    rng = generator_of_the_draw(f"block {constant}")
    points_of = [rng.uniform(*ends, 9) for ends in of_three.intervals]
    with mp.workdps(40):
        places = zip(*(map(mpmath.mpf, x) for x in points_of), strict=True)
        truth = np.array([float(of_three.function(*place)) for place in places])
    unit = EPS * np.maximum(np.abs(truth), 0.1)
    assert np.all(np.abs(np.asarray(stored(*points_of)) - truth) <= 4 * unit)


# -- what is said of them --------------------------------------------------------------------------


def test_the_page_has_the_table_of_kernels():
    """docs/devices.md ends with what jaxsci catalog --kernels prints."""
    page = Path(__file__).resolve().parents[2] / "docs" / "devices.md"
    assert page.read_text(encoding="utf-8").endswith(f"\n\n{coverage.kernels()}\n")


@pytest.mark.parametrize("row", **named(ROWS))
def test_docstrings_tell_of_kernels(row):
    said = " ".join(row.function.__doc__.split())
    assert "on the backend 'device'" in said
    units = "unit" if row.kernel.ulps == 1 else "units"
    assert f"within {row.kernel.ulps:g} {units} of the last place" in said


def test_the_command_line_tells_of_kernels(capsys):
    assert main(["info"]) == main(["catalog", "eval_laguerre", "erfc", "mathieu_a"]) == 0
    text = " ".join(capsys.readouterr().out.split())  # lines fit the terminal
    assert f"kernels of {len({row.name for row in ROWS + IN_PLANE})} functions" in text
    laguerre, erfc = reference.ROWS["eval_laguerre"], reference.ROWS["erfc"]
    assert f"on devices: kernel, {laguerre.kernel}; complex arguments go to the" in text
    assert f"on devices: kernel, {erfc.kernel}; of complex arguments {erfc.complex_kernel}" in text
    assert "on devices: no kernel" in text
