"""Every row's values and first and second derivatives: SciPy's bits, and mpmath's numbers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import references
from calling import assert_scipys, bound, by_scipy, takes_arrays
from rotation import drawn
from towers import NOT_DRAWN, TOWERS

import jaxsci
from jaxsci._core.dispatch import BACKENDS
from jaxsci._verification import accuracy, reference
from jaxsci.special._catalog.decorators import ElementwiseRow
from jaxsci.special._catalog.types import Kind

CASES = [
    pytest.param(*case, id=f"{case[0].name}-{references.entry_key(*case[1:])}")
    for case in reference.cases()
]
STORE = references.load()


def by_the_draw(share: Callable[[ElementwiseRow, bool], float]) -> list[Any]:
    """All cases, each rotating with a share that depends on the row, and on whether it is drawn.

    One is drawn of a row's variants and combinations of static arguments: they share their
    mathematics, and each compiles it anew.
    """
    cases = []
    for case in CASES:
        row, static, variant = case.values
        assert isinstance(row, ElementwiseRow)
        (one,) = drawn(reference.variants(row), 1, f"variant of {row.name}")
        (wanted,) = drawn(row.samples.statics, 1, f"statics of {row.name} {variant}")
        part = share(row, (static, variant) == (wanted, one))
        marks = [] if part == 1.0 else [pytest.mark.rotating(part)]
        cases.append(pytest.param(*case.values, id=case.id, marks=marks))
    return cases


def of_bits(row: ElementwiseRow, is_drawn: bool) -> float:
    """Where values are mended, they are large programs."""
    return 0.0 if not is_drawn else 0.5 if row.repair else 1.0


def of_values(row: ElementwiseRow, is_drawn: bool) -> float:
    """Where derivatives are looked at, values are too."""
    if is_drawn:
        return 1.0 if row.name in NOT_DRAWN else 0.0
    return 0.5 if row.repair else 1.0


def of_first_derivatives(row: ElementwiseRow, is_drawn: bool) -> float:
    """The functions of a tower take turns."""
    return 1.0 if is_drawn and row.name not in NOT_DRAWN else 0.0


# -- SciPy's bits ----------------------------------------------------------------------------------

SPECIAL = (0.0, -0.0, 5e-324, -2e-310, 1e-300, 1e300, -1e300, np.inf, -np.inf, np.nan)
SPECIAL_INTEGERS = (0, 1, -1, -7, 50)


def extremes(row: ElementwiseRow, variant: str, rng: np.random.Generator) -> list[np.ndarray]:
    """Points with one argument at a special value, the others anywhere in their domains."""
    blocks = []
    for i, spec in enumerate(row.arrays):
        values: Any
        if spec.kind is Kind.INT:
            values = np.array(SPECIAL_INTEGERS)
        elif not takes_arrays(row):
            # Far from their domain, SciPy's functions of scalars return memory they never wrote.
            values = np.array(SPECIAL[:2])
        elif spec.kind is Kind.COMPLEX and variant == reference.COMPLEX:
            x, special = rng.uniform(-3, 3, len(SPECIAL)), np.array(SPECIAL)
            values = np.concatenate([_complex(special, x), _complex(x, special)])
        else:
            values = np.array(SPECIAL)
        block = reference.sample(row, variant, rng, len(values))
        block[i] = values.astype(block[i].dtype)
        blocks.append(block)
    return [np.concatenate(columns) for columns in zip(*blocks, strict=True)]


def _complex(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x + iy: no arithmetic, which would turn infinities into NaNs."""
    return np.stack([x, y], -1).view(np.complex128)[..., 0]


def arguments(row: ElementwiseRow, static: dict[str, Any], variant: str) -> list[np.ndarray]:
    """Points anywhere in the domain, awkward ones, and extreme ones."""
    rng = reference.generator("bits", row.name, reference.static_key(static), variant)
    parts = (
        reference.sample(row, variant, rng, 100),
        reference.awkward(row, variant),
        extremes(row, variant, rng),
    )
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


@pytest.mark.smoke(0.2)
@pytest.mark.parametrize(("row", "static", "variant"), by_the_draw(of_bits))
def test_values_are_scipys(row, static, variant, quick_compiler_options):
    arrays = arguments(row, static, variant)
    function = bound(row, static)
    # Mended values are large programs, and the backend only has a say in what they begin with;
    # SciPy's own are calls.
    options = quick_compiler_options if row.repair else None
    backends = drawn(BACKENDS, 1, f"backend of {row.name}") if options else BACKENDS

    @functools.partial(jax.jit, compiler_options=options)
    def values(*xs):
        found = {}
        for backend in backends:
            with jaxsci.use_backend(backend):
                found[backend] = function(*xs)
        return found

    found = values(*arrays)
    # The default run compares mended values with mpmath's alone, beside their derivatives.
    mends = quick_compiler_options is None
    truth = by_scipy(row, static, arrays, mends)
    for backend in backends:
        assert_scipys(row, found[backend], truth, mends=mends)


@pytest.mark.rotating(0.015)
@pytest.mark.parametrize(("row", "static", "variant"), CASES)
def test_values_mapped_over_one_argument_are_scipys(row, static, variant, quick_compiler_options):
    """Under vmap over each argument alone: eight of its values against three of the others."""
    arrays = arguments(row, static, variant)
    function = bound(row, static)
    n = len(arrays)

    def one_mapped(i, xs):
        axes = [0 if j == i else None for j in range(n)]
        return jax.vmap(function, axes)(*(x[:8] if j == i else x[:3] for j, x in enumerate(xs)))

    options = quick_compiler_options if row.repair else None
    mapped = jax.jit(lambda *xs: [one_mapped(i, xs) for i in range(n)], compiler_options=options)(
        *arrays
    )
    for i in range(n):
        grid = [x[:8, None] if j == i else x[None, :3] for j, x in enumerate(arrays)]
        if n == 1:
            grid = [arrays[0][:8]]
        assert_scipys(row, mapped[i], by_scipy(row, static, grid))


# -- mpmath's numbers ------------------------------------------------------------------------------


def assert_mpmaths(row, static, variant, highest, compiler_options=None):
    entries = STORE[row.name]["entries"][references.entry_key(static, variant)]
    failures = [
        miss
        for comparison in accuracy.comparisons(
            row, static, variant, entries, highest, compiler_options
        )
        for miss in misses(comparison, entries)
    ]
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize(("row", "static", "variant"), by_the_draw(of_values))
def test_values_are_mpmaths(row, static, variant, quick_compiler_options):
    options = quick_compiler_options if row.repair else None
    assert_mpmaths(row, static, variant, 0, options)


@pytest.mark.smoke(0.1)
@pytest.mark.parametrize(("row", "static", "variant"), by_the_draw(of_first_derivatives))
def test_first_derivatives_are_mpmaths(row, static, variant, quick_compiler_options):
    assert_mpmaths(row, static, variant, 1, quick_compiler_options)


def test_towers_are_of_functions():
    names = [name for tower in TOWERS for name in tower]
    assert len(set(names)) == len(names)
    assert set(names) <= set(reference.ROWS)


@pytest.mark.rotating(0.006)
@pytest.mark.parametrize(("row", "static", "variant"), CASES)
def test_second_derivatives_are_mpmaths(row, static, variant):
    assert_mpmaths(row, static, variant, 2)


def misses(c, entries):
    """Descriptions of the points where a result is off by more than it may be."""
    return [
        f"{c.what} at {entries[i]['at']} [{k}]: {c.found[i, k]!r}, not {c.truth[i, k]!r}: off by "
        f"{c.error[i, k]:.2g}, allowed {c.allowed[i, k]:.2g}"
        for i, k in np.argwhere(~c.good)
    ]


# -- the store -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", reference.ROWS)
def test_stored_references_are_of_todays_row(name):
    row = reference.ROWS[name]
    advice = f"run python tests/support/make_references.py {name}"
    assert name in STORE, advice
    assert STORE[name]["expression"] == row.samples.reference, advice
    wanted = {
        references.entry_key(static, variant): references.points(row, static, variant)
        for static in row.samples.statics
        for variant in reference.variants(row)
    }
    entries = STORE[name]["entries"]
    assert entries.keys() == wanted.keys(), advice
    for key, points in wanted.items():
        stored = [[accuracy.number(x) for x in e["at"]] for e in entries[key]]
        assert stored == [list(p) for p in points], advice
        ruled = {a.name for a in row.arrays if reference.directions(row, a, reference.REAL)}
        assert all(set(e.get("slopes", ())) == ruled for e in entries[key]), advice


def test_store_holds_no_row_that_is_gone():
    assert set(STORE) <= set(reference.ROWS)


@pytest.mark.parametrize(
    ("row", "static", "variant", "i"),
    [
        pytest.param(*case.values, i, id=f"{case.id}-{i}")
        for case in drawn(CASES, 8, "recomputed references")
        for i in [drawn(range(references.RANDOM_POINTS), 1, f"point of {case.id}")[0]]
    ],
)
def test_stored_reference_comes_out_again(row, static, variant, i):
    stored = STORE[row.name]["entries"][references.entry_key(static, variant)][i]
    point = references.points(row, static, variant)[i]
    again = references.as_stored(reference.entry(row, static, variant, point))
    assert again["at"] == stored["at"]

    def flat(e):
        slopes = e.get("slopes", {}).values()
        parts = [e["value"], *(orders[:2] for each in slopes for orders in each)]
        return np.array([accuracy.number(x) for x in jax.tree.leaves(parts)], float)

    np.testing.assert_allclose(flat(again), flat(stored), rtol=1e-14)
