"""The catalog: complete, like SciPy in names and signatures, documented, and strict."""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import typing

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import references
import scipy.special
from calling import assert_scipys, bound, by_scipy
from scipy.special._multiufuncs import MultiUFunc

import jaxsci.special
from jaxsci import __main__ as command_line
from jaxsci._core.dispatch import BACKENDS
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci._verification import accuracy, reference
from jaxsci.special._catalog import decorators, excluded
from jaxsci.special._catalog.decorators import (
    CATALOG,
    elementwise,
    named_rows,
    rule,
)
from jaxsci.special._catalog.docs import dlmf_pages
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.row import ArrayRow, ElementwiseRow, SampledRow, Samples, TableRow
from jaxsci.special._catalog.types import Array, Complex, Int, Kind, Real

EVERY = pytest.mark.parametrize("row", CATALOG.values(), ids=list(CATALOG))
BY_ROW = {name: row for name, row in CATALOG.items() if not isinstance(row, ArrayRow)}
EVERY_BY_ROW = pytest.mark.parametrize("row", BY_ROW.values(), ids=list(BY_ROW))
OF_ARRAYS = pytest.mark.parametrize("row", reference.ROWS.values(), ids=list(reference.ROWS))


def with_kind(kind):
    """Rows, and the arguments of a kind."""
    return pytest.mark.parametrize(
        ("row", "argument"),
        [
            pytest.param(row, a, id=f"{row.name}-{a.name}")
            for row in BY_ROW.values()
            for a in row.arguments
            if a.kind in kind
        ],
    )


def some_arguments(row):
    """Arguments by name, at which the function can be called."""
    rng = reference.generator("catalog", row.name)
    arrays = (
        reference.sample(row, reference.REAL, rng, 1) if isinstance(row, ElementwiseRow) else []
    )
    named = {a.name: x[0].item() for a, x in zip(row.arrays, arrays, strict=True)}
    return {a.name: (row.samples.statics[0] | named)[a.name] for a in row.arguments}


def called(row, function, named):
    """The row's function or SciPy's, by position where that can be."""
    keywords = {a.name: named[a.name] for a in row.arguments if a.keyword_only}
    return function(*(named[a.name] for a in row.arguments if not a.keyword_only), **keywords)


# -- all of SciPy ----------------------------------------------------------------------------------


def test_each_public_name_of_scipy_is_wrapped_or_excluded_with_a_reason():
    names = excluded.scipy_names()
    assert names - named_rows().keys() - excluded.EXCLUDED.keys() == set()
    assert all(excluded.EXCLUDED.values())


def test_no_exclusion_is_stale():
    names = excluded.scipy_names()
    assert excluded.EXCLUDED.keys() - names == set(), "SciPy has these no more"
    assert excluded.EXCLUDED.keys() & named_rows().keys() == set(), "these are wrapped"
    assert named_rows().keys() - names == set(), "SciPy has none of that name"


def test_public_names_are_the_catalog():
    assert sorted(jaxsci.special.__all__) == sorted(named_rows())
    for name, row in named_rows().items():
        assert getattr(jaxsci.special, name) is row.function
        assert row.function.__module__ == "jaxsci.special"


def test_functions_are_one_where_scipys_are():
    def groups(module):
        by_identity = {}
        for name in sorted(named_rows()):
            by_identity.setdefault(id(getattr(module, name)), []).append(name)
        return sorted(by_identity.values())

    assert groups(jaxsci.special) == groups(scipy.special)


# -- signatures ------------------------------------------------------------------------------------


def documented_names(ufunc):
    """Argument names of a ufunc, by the signature that heads SciPy's own docstring.

    SciPy's btdtrib is headed by another function's name, so any name will do.
    """
    found = re.findall(r"^ *\w+\((.*), out=None\)$", ufunc.__doc__, re.M)
    return [re.split(r"\W", part)[0] for part in found[0].split(", ")]


def scipys_signature(function):
    """A Python function's own, and of several ufuncs under one name what heads their docstring."""
    if not isinstance(function, MultiUFunc):
        return inspect.signature(function)
    stub = {}
    heading = (inspect.getdoc(function) or "").splitlines()[0]
    exec(f"def {heading}: ...", stub)
    return inspect.signature(stub[function.__name__])


# Names that SciPy 1.18 changed; ours can be given by name, so they stay.
RENAMED = {"ndtri": {"p": "y"}}
# With a length that is known, an argument that decides lengths may be traced.
ADDED = {"mathieu_even_coef": ["size"], "mathieu_odd_coef": ["size"]}


@EVERY
def test_signature_is_scipys(row):
    ours = dict(inspect.signature(row.function).parameters)
    for name in ADDED.get(row.name, []):
        added = ours.pop(name)
        assert (added.kind, added.default) == (inspect.Parameter.KEYWORD_ONLY, None)
    assert list(ours) == [a.name for a in row.arguments]
    if isinstance(row.scipy, np.ufunc):
        # What SciPy's documentation calls them: its ufuncs take no argument by name.
        renamed = RENAMED.get(row.name, {})
        assert list(ours) == [renamed.get(name, name) for name in documented_names(row.scipy)]
        assert len(row.arrays) == row.scipy.nin
        assert (len(row.outputs) or 1) == row.scipy.nout
        return
    theirs = {
        name: p
        for name, p in scipys_signature(row.scipy).parameters.items()
        # Of the ufunc within.
        if p.kind is not inspect.Parameter.VAR_KEYWORD and name != "out"
    }
    assert list(ours) == list(theirs)
    for name, parameter in ours.items():
        assert parameter.default == theirs[name].default
        keyword_only = parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert keyword_only == (theirs[name].kind is inspect.Parameter.KEYWORD_ONLY)


@pytest.mark.rotating(0.022)
@EVERY_BY_ROW
def test_keywords_and_positions_are_the_same(row):
    named = some_arguments(row)
    by_position, by_name = called(row, row.function, named), row.function(**named)
    for x, y in zip(jax.tree.leaves(by_position), jax.tree.leaves(by_name), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.rotating(0.015)
@EVERY_BY_ROW
def test_ufunc_keywords_are_refused(row):
    for keyword in ("out", "where", "dtype"):
        with pytest.raises(TypeError, match=rf"^{row.name}\(\).*{keyword}"):
            row.function(**some_arguments(row), **{keyword: None})


@pytest.mark.rotating(0.022)
@EVERY_BY_ROW
def test_wrong_number_of_arguments_is_refused_by_name(row):
    values = list(some_arguments(row).values())
    with pytest.raises(TypeError, match=rf"^{row.name}\("):
        row.function(*values, 1, 2, 3)
    with pytest.raises(TypeError, match=rf"^{row.name}\("):
        row.function()


@pytest.mark.rotating(0.3)
@EVERY
def test_it_pickles_and_copies_as_itself(row):
    assert pickle.loads(pickle.dumps(row.function)) is row.function
    assert copy.deepcopy(row.function) is row.function
    assert row.function.__name__ == row.name
    assert typing.get_type_hints(row.function)


# -- layouts ---------------------------------------------------------------------------------------


@pytest.mark.rotating(0.5)
@pytest.mark.parametrize(
    ("row", "static"),
    [
        pytest.param(row, static, id=f"{row.name}-{reference.static_key(static)}")
        for row in reference.ROWS.values()
        if row.layout is not None
        for static in row.samples.statics
    ],
)
def test_layout_is_scipys(row, static):
    """Shapes and nesting, of arguments of no, one and two dimensions, and under vmap."""
    assert row.layout is not None
    columns = reference.sample(row, reference.REAL, reference.generator("layout", row.name), 6)
    for shape in ((), (6,), (2, 3)):
        at = {a.name: np.resize(x, shape) for a, x in zip(row.arrays, columns, strict=True)}
        arguments = {a.name: (static | at)[a.name] for a in row.arguments}
        theirs, ours = called(row, row.scipy, arguments), called(row, row.function, arguments)
        assert jax.tree.structure(ours) == jax.tree.structure(theirs)
        for y, truth in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
            if row.repair is None:
                np.testing.assert_array_equal(y, truth)
            assert y.shape == truth.shape
        trailing = row.layout.trailing(ours, static)
        assert all(y.shape[: len(shape)] == shape for y in trailing)
        assert_scipys(row, trailing, by_scipy(row, static, list(at.values())))
    mapped = jax.vmap(lambda *xs: accuracy.bound(row, static)(*xs))(*columns)
    assert_scipys(row, mapped, by_scipy(row, static, columns))


# -- documentation ---------------------------------------------------------------------------------


@EVERY
def test_docstring_says_it_all(row):
    text = inspect.getdoc(row.function)
    assert text is not None
    summary = text.splitlines()[0]
    assert summary == row.summary.splitlines()[0]
    assert summary.endswith(".")
    sections = ["Args", "Returns", "Raises", "References"]
    if row.arrays or isinstance(row, ArrayRow):
        sections.insert(2, "Derivatives")
    positions = [text.index(f"\n{section}:\n") for section in sections]
    assert positions == sorted(positions)
    words = " ".join(text.split())
    for argument in row.arguments:
        assert f"\n    {argument.name}: " in text
        if isinstance(row, ArrayRow):
            continue
        if argument.kind is not Kind.STATIC:
            assert " ".join(f"{argument.name}: {row.state(argument)}".split()) in words
    assert f"scipy.special.{row.name}" in text
    assert all(f"DLMF {place}, {page}" in words for place, page in dlmf_pages(row.source).items())
    assert dlmf_pages(row.source) or row.source in words
    if isinstance(row, SampledRow):
        assert all(output in text for output in row.outputs)
        assert all(str(flaw) in words for flaw in row.samples.flaws)
    assert max(map(len, text.splitlines())) <= 100


def test_command_line_prints_each_row(capsys):
    assert command_line.main(["catalog"]) == 0
    blocks = re.split(r"\n(?=\w)", capsys.readouterr().out.strip())
    assert [block.split("(")[0] for block in blocks] == sorted(named_rows())
    for block in blocks:
        words = " ".join(block.split())
        row = named_rows()[block.split("(")[0]]
        assert row.summary.splitlines()[0] in words
        assert row.source in words
        if not isinstance(row, SampledRow):
            continue
        for argument in row.arguments:
            assert f"{argument.name}: {argument.kind.value}" in words
            assert f"d/d{argument.name}: {row.state(argument)}" in words
    assert command_line.main(["catalog", sorted(CATALOG)[0]]) == 0
    assert capsys.readouterr().out.strip() == blocks[0]


def test_command_line_refuses_unknown_names(capsys):
    assert command_line.main(["catalog", "no_such_function"]) != 0
    assert "no_such_function" in capsys.readouterr().err


# -- arguments that do not fit ---------------------------------------------------------------------


TRUNCATED = pytest.mark.filterwarnings(
    "ignore:(floating point number truncated|invalid value):RuntimeWarning"
)


@pytest.mark.rotating(0.022)
@TRUNCATED
@pytest.mark.filterwarnings("ignore:non-integer arg n is deprecated")
@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@with_kind({Kind.INT})
def test_scipy_itself_takes_whole_numbers_only(row, argument):
    """Between integers it floors, gives NaN, or refuses."""
    arguments = some_arguments(row)

    def at(n):
        return columns(called(row, row.scipy, arguments | {argument.name: n}))

    try:
        between = at(2.5)
    except (TypeError, ValueError):
        return
    for x, y in zip(between, at(2), strict=True):
        assert np.all((x == y) | np.isnan(x))


@pytest.mark.rotating(0.0075)
@with_kind({Kind.INT})
@pytest.mark.parametrize("backend", BACKENDS)
def test_numbers_that_are_not_whole_give_nan(row, argument, backend):
    """However the number comes: SciPy truncates some of them, floors others, and refuses some."""
    given = some_arguments(row)
    function = bound(row, row.samples.statics[0])

    def at(n):
        return function(*((given | {argument.name: n})[a.name] for a in row.arrays))

    with jaxsci.use_backend(backend):
        whole = at(2)
        for found in (at(2.0), jax.jit(at)(2.0)):
            for y, expected in zip(found, whole, strict=True):
                np.testing.assert_array_equal(y, expected)
        mixed = np.array([2.0, 2.5, -0.5, np.nan, np.inf, -np.inf])
        for found in (at(mixed), at(jnp.asarray(mixed)), jax.jit(at)(mixed)):
            for y, expected in zip(found, whole, strict=True):
                np.testing.assert_array_equal(y[0], expected)
                assert np.all(np.isnan(y[1:]))
        for wrong in (2.5, np.nan, np.inf, np.float32(2.5), jnp.float32(2.5)):
            for y in at(wrong):
                assert np.all(np.isnan(y))


@pytest.mark.rotating(0.015)
@with_kind({Kind.INT, Kind.REAL})
def test_complex_numbers_are_refused(row, argument):
    for value in (1 + 1j, jnp.array([1j]), np.complex64(2)):
        with pytest.raises(TypeError, match=rf"^{row.name}: argument '{argument.name}'"):
            row.function(**(some_arguments(row) | {argument.name: value}))


@pytest.mark.rotating(0.015)
@with_kind({Kind.INT, Kind.REAL, Kind.COMPLEX})
def test_what_is_no_array_is_refused(row, argument):
    for value in ([1.0, 2.0], (1.0,), None, "1", {"x": 1.0}, np.array(["1"]), np.array([None])):
        if value is None and argument.default is None:
            continue
        with pytest.raises(TypeError, match=rf"^{row.name}: argument '{argument.name}'"):
            row.function(**(some_arguments(row) | {argument.name: value}))


@pytest.mark.rotating(0.022)
@OF_ARRAYS
def test_shapes_that_do_not_broadcast_are_refused(row):
    if len(row.arrays) < 2:
        return
    named = {a.name: jnp.zeros(2 + i) for i, a in enumerate(row.arrays)}
    with pytest.raises(ValueError, match=rf"^{row.name}: ") as caught:
        row.function(**(some_arguments(row) | named))
    assert all(a.name in str(caught.value) for a in row.arrays)


@pytest.mark.rotating(0.022)
@with_kind({Kind.STATIC})
def test_static_arguments_are_known_when_traced(row, argument):
    named = some_arguments(row)

    def traced(value):
        return row.function(**(named | {argument.name: value}))

    text = argument.annotation is str
    value = jnp.asarray(0 if text else named[argument.name])
    with pytest.raises(TypeError, match=rf"^{row.name}: argument '{argument.name}'"):
        jax.jit(traced)(value)
    with pytest.raises(TypeError, match=rf"^{row.name}: argument '{argument.name}'"):
        traced(3 if text else "many")


@pytest.mark.rotating(0.03)
@with_kind({Kind.STATIC})
def test_static_arguments_out_of_range_are_refused(row, argument):
    """A negative number is either refused by name, or SciPy has a value there."""
    named = some_arguments(row) | {argument.name: argument.annotation(-1)}
    refusal = None
    try:
        found = columns(row.function(**named))
    except ValueError as error:
        refusal, found = str(error), []
    if refusal is not None:
        assert refusal.startswith(f"{row.name}: ")
    else:
        for x, y in zip(found, columns(called(row, row.oracle, named)), strict=True):
            np.testing.assert_array_equal(x, y)


# -- tables ----------------------------------------------------------------------------------------


def tables(*roots):
    """Tables of roots of equations, and others."""
    return pytest.mark.parametrize(
        ("row", "static"),
        [
            pytest.param(row, static, id=f"{row.name}-{reference.static_key(static)}")
            for row in CATALOG.values()
            if isinstance(row, TableRow) and (not row.samples.listed) in roots
            for static in row.samples.statics
        ],
    )


TABLES = tables(True, False)


def columns(values):
    return [np.asarray(v) for v in (values if isinstance(values, tuple | list) else [values])]


LONG = [
    (row, spec.name)
    for row in CATALOG.values()
    if isinstance(row, TableRow)
    or (isinstance(row, ElementwiseRow) and row.host.signature and any(row.host.signature.outputs))
    for spec in row.arguments
    if spec.kind is Kind.STATIC and spec.annotation is int
]


@pytest.mark.parametrize(("row", "name"), LONG, ids=[f"{row.name}-{name}" for row, name in LONG])
def test_tables_that_fit_no_memory_are_refused_by_name(row, name):
    """Before anything is allocated: the process would end."""
    static = dict(row.samples.statics[0]) | {name: 2**31 - 2}
    arrays = {s.name: 0.5 for s in row.arguments if s.kind is not Kind.STATIC}
    with pytest.raises(ValueError, match=f"{row.name}: argument '{name}' must be at most"):
        row.function(**arrays, **static)


@TABLES
def test_tables_are_scipys(row, static):
    found = columns(row.function(**static))
    inside = columns(jax.jit(lambda: row.function(**static))())
    truth = columns(row.oracle(**static))
    assert len(found) == row.results(static)
    for x, y, z in zip(found, inside, truth, strict=True):
        np.testing.assert_array_equal(x, z)
        np.testing.assert_array_equal(y, z)
        assert x.dtype == (z.dtype if z.dtype.kind in "fc" else jnp.result_type(int))


@tables(False)
def test_tables_are_mpmaths(row, static):
    """Up to a rounding error of the largest number."""
    for j, values in enumerate(columns(row.function(**static))):
        truth = references.listed(row, static, len(values))[j]
        np.testing.assert_allclose(values, truth, rtol=0, atol=1e-14 * np.max(np.abs(truth)))


@pytest.mark.rotating(0.022)
@tables(True)
def test_tables_solve_their_equations(row, static):
    """Newton's step from a number, by mpmath, is at most 1e-10 of it; from a zero, 1e-15."""
    results = np.broadcast_arrays(*columns(row.function(**static)))
    names = row.outputs[: len(results)] if len(row.outputs) > 1 else ("x",)
    for residual, result in zip(references.residuals(row, static), results, strict=False):
        for i, x in enumerate(result.tolist()):
            others = {name: y.tolist()[i] for name, y in zip(names, results, strict=True)}
            others["i"] = i
            allowed = 1e-10 * abs(x) if abs(x) > 1e-15 else 1e-15
            assert references.newton_step(residual, x, others) <= allowed


@pytest.mark.rotating(0.045)
@tables(True)
def test_zeros_are_in_order(row, static):
    if "zeros" not in row.name and "roots" not in row.name:
        return
    zeros = columns(row.function(**static))[0]
    place = np.abs(zeros) if "zeros" in row.name else zeros
    assert np.all(np.diff(place) > -1e-15 * np.abs(place[1:]))


# -- checks when a row is written ------------------------------------------------------------------


@pytest.fixture
def empty_catalog(monkeypatch):
    monkeypatch.setattr(decorators, "CATALOG", {})


def written(stub, **options):
    n = len(inspect.signature(stub).parameters)
    settings = {"source": "10.2.2", "samples": Samples("0", (Reals(0, 1),) * n)} | options
    return elementwise(**settings)(stub)


@pytest.mark.usefixtures("empty_catalog")
def test_a_row_must_have_its_ufuncs_arity():
    def jv(v: Real) -> Array: ...

    with pytest.raises(TypeError, match=r"^jv: .* 2 arguments, the row 1"):
        written(jv)


@pytest.mark.usefixtures("empty_catalog")
def test_a_complex_argument_needs_a_complex_loop():
    def j0(x: Complex) -> Array: ...

    with pytest.raises(TypeError, match=r"^j0: 'x' has no complex loop"):
        written(j0)


@pytest.mark.usefixtures("empty_catalog")
def test_integer_loops_make_an_integer_argument(monkeypatch):
    # NumPy's ldexp has loops for integers only in its second argument.
    monkeypatch.setattr(scipy.special, "ldexp", np.ldexp, raising=False)

    def ldexp(x: Real, n: Real) -> Array: ...

    with pytest.raises(TypeError, match=r"^ldexp: 'n' has integer loops only"):
        written(ldexp)


@pytest.mark.usefixtures("empty_catalog")
def test_each_argument_needs_a_domain():
    def jv(v: Real, z: Complex) -> Array: ...

    with pytest.raises(ValueError, match=r"^jv: 1 domains for 2 arguments"):
        written(jv, samples=Samples("0", (Reals(0, 1),)))


@pytest.mark.usefixtures("empty_catalog")
def test_two_rows_of_one_name_are_refused():
    def j0(x: Real) -> Array: ...

    written(j0)
    with pytest.raises(ValueError, match="two rows are called j0"):
        written(j0)


@pytest.mark.usefixtures("empty_catalog")
def test_rules_name_every_argument_and_no_other():
    def yn(n: Int, x: Real) -> Array: ...

    known = closed("DLMF 10.6.1", lambda y, n, x: y)
    function = written(yn, samples=Samples("0", (Ints(0, 3), Reals(0, 1))))
    for wrong in ({}, {"z": known}, {"n": missing("why"), "x": known}):
        with pytest.raises(TypeError, match=r"^yn: rules for"):
            rule(function, **wrong)
    with pytest.raises(TypeError, match=r"^yn: every rule is"):
        rule(function, x=None)  # pyright: ignore[reportArgumentType]
    rule(function, x=known)


@OF_ARRAYS
def test_every_argument_has_a_state(row):
    wanted = {a.name for a in row.arrays if a.kind is not Kind.INT}
    assert row.rules.keys() == wanted
