"""Every row's values and first and second derivatives: SciPy's bits, and mpmath's numbers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import references
from calling import bits, bound, by_scipy, places, takes_arrays
from rotation import drawn

import jaxsci
from jaxsci._catalog import Row
from jaxsci._dispatch import BACKENDS
from jaxsci._types import Kind

EPS = np.finfo(np.float64).eps
CONDITIONED = 64 * EPS
VALUE, FIRST, SECOND = 1e-12, 1e-12, 1e-10

CASES = [
    pytest.param(*case, id=f"{case[0].name}-{references.entry_key(*case[1:])}")
    for case in references.cases()
]
STORE = references.load()


# -- SciPy's bits ----------------------------------------------------------------------------------

SPECIAL = (0.0, -0.0, 5e-324, -2e-310, 1e-300, 1e300, -1e300, np.inf, -np.inf, np.nan)
SPECIAL_INTEGERS = (0, 1, -1, -7, 50)


def extremes(row: Row, variant: str, rng: np.random.Generator) -> list[np.ndarray]:
    """Points with one argument at a special value, the others anywhere in their domains."""
    blocks = []
    for i, spec in enumerate(row.arrays):
        values: Any
        if spec.kind is Kind.INT:
            values = np.array(SPECIAL_INTEGERS)
        elif not takes_arrays(row):
            # Far from their domain, SciPy's functions of scalars return memory they never wrote.
            values = np.array(SPECIAL[:2])
        elif spec.kind is Kind.COMPLEX and variant == references.COMPLEX:
            x, special = rng.uniform(-3, 3, len(SPECIAL)), np.array(SPECIAL)
            values = np.concatenate([_complex(special, x), _complex(x, special)])
        else:
            values = np.array(SPECIAL)
        block = references.sample(row, variant, rng, len(values))
        block[i] = values.astype(block[i].dtype)
        blocks.append(block)
    return [np.concatenate(columns) for columns in zip(*blocks, strict=True)]


def _complex(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """x + iy: no arithmetic, which would turn infinities into NaNs."""
    return np.stack([x, y], -1).view(np.complex128)[..., 0]


@pytest.mark.parametrize(("row", "static", "variant"), CASES)
def test_values_are_scipys_to_the_last_bit(row, static, variant):
    rng = references.generator("bits", row.name, references.static_key(static), variant)
    parts = (
        references.sample(row, variant, rng, 100),
        references.awkward(row, variant),
        extremes(row, variant, rng),
    )
    arrays = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
    function = bound(row, static)
    n = len(arrays)

    def one_mapped(i, xs):
        """vmap over argument i alone: eight of its values against three of the others."""
        axes = [0 if j == i else None for j in range(n)]
        return jax.vmap(function, axes)(*(x[:8] if j == i else x[:3] for j, x in enumerate(xs)))

    @jax.jit
    def values(*xs):
        plain = {}
        for backend in BACKENDS:
            with jaxsci.use_backend(backend):
                plain[backend] = function(*xs)
        return plain, [one_mapped(i, xs) for i in range(n)]

    plain, mapped = values(*arrays)
    truth = by_scipy(row, static, arrays)
    for backend in BACKENDS:
        assert_same_bits(plain[backend], truth)
    for i in range(n):
        grid = [x[:8, None] if j == i else x[None, :3] for j, x in enumerate(arrays)]
        if n == 1:
            grid = [arrays[0][:8]]
        assert_same_bits(mapped[i], by_scipy(row, static, grid))


def assert_same_bits(found, expected):
    assert len(found) == len(expected)
    for y, truth in zip(found, expected, strict=True):
        assert y.dtype == truth.dtype
        np.testing.assert_array_equal(bits(y), bits(truth))


# -- mpmath's numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "static", "variant"), CASES)
def test_values_and_derivatives_are_mpmaths(row, static, variant):
    entries = STORE[row.name]["entries"][references.entry_key(static, variant)]
    at = points_of(row, variant, entries)
    directions = {
        a.name: np.array(d, at[i].dtype)
        for i, a in enumerate(row.arrays)
        if (d := references.directions(row, a, variant))
    }
    value, slopes = jax.tree.map(np.asarray, jax.jit(derivatives(row, static))(at, directions))
    failures = []
    for j in range(len(value)):
        truth = numbers([e["value"] for e in entries])[j]
        scale = np.zeros(truth.shape)
        for name, d in directions.items():
            size = np.abs(at[places(row)[name]])[:, None]
            first, second = (y[j].reshape(len(entries), len(d), -1) for y in slopes[name])
            for m in range(len(d)):
                one, two, three = (
                    numbers([e["slopes"][name][m][k] for e in entries])[j] for k in range(3)
                )
                scale = np.maximum(scale, size * abs(one))
                place = f"{name} along {d[m]}, result {j}"
                failures += misses(f"d/d{place}", entries, first[:, m], one, FIRST, size * abs(two))
                failures += misses(
                    f"d2/d{place}", entries, second[:, m], two, SECOND, size * abs(three)
                )
        found = value[j].reshape(truth.shape)
        flawed = flaws(row, static, j, entries)[:, None]
        failures += misses(f"value {j}", entries, found, truth, VALUE, scale, flawed)
    assert not failures, "\n".join(failures)


def points_of(row, variant, entries):
    """The stored points, one array an argument."""
    return [
        references.as_kind(
            spec,
            [number(e["at"][i]) for e in entries],
            variant == references.COMPLEX and spec.kind is Kind.COMPLEX,
        )
        for i, spec in enumerate(row.arrays)
    ]


def derivatives(row, static):
    """A function of arrays and of each argument's directions: value, and derivatives in them."""
    function = bound(row, static)

    def evaluate(at, directions):
        n = at[0].shape[0]
        slopes = {}
        for name, d in directions.items():
            i = places(row)[name]
            repeated = [jnp.repeat(x, d.size) for x in at]
            along = jnp.tile(d, n)

            def line(x, i=i, repeated=repeated):
                return function(*repeated[:i], x, *repeated[i + 1 :])

            def slope(x, line=line, along=along):
                return jax.jvp(line, (x,), (along,))[1]

            slopes[name] = jax.jvp(slope, (repeated[i],), (along,))
        return function(*at), slopes

    return evaluate


def number(stored):
    """A number of the store: None is undefined, a pair complex."""
    return np.nan if stored is None else complex(*stored) if isinstance(stored, list) else stored


def numbers(parts):
    """One part of each entry: for each result, an array of points by components."""
    return [np.array([[number(y) for y in y_] for y_ in ys]) for ys in zip(*parts, strict=True)]


def flaws(row, static, j, entries):
    """The error at each point that the row declares SciPy's own values to have."""
    out = np.zeros(len(entries))
    for flaw in row.flaws:
        if flaw.results and row.outputs[j] not in flaw.results.split():
            continue
        for k, e in enumerate(entries):
            names = {"inf": np.inf, **static}
            names |= {a.name: number(x) for a, x in zip(row.arrays, e["at"], strict=True)}
            if eval(flaw.where, names):
                out[k] = max(out[k], eval(flaw.error, names))
    return out


def misses(what, entries, found, truth, accuracy, scale, flawed: Any = 0.0):
    """Descriptions of the points where a result is off: by more than its accuracy or condition."""
    with np.errstate(all="ignore"):
        error = np.abs(found - truth)
        scale = np.where(np.isnan(scale), 0, scale)
        allowed = np.maximum(accuracy * np.abs(truth), CONDITIONED * scale)
        allowed = np.fmax(allowed, flawed * np.maximum(np.abs(truth), scale))
        # Subnormal results have fewer digits.
        good = (error <= allowed + np.finfo(np.float64).tiny) | np.isinf(flawed)
    # Beyond the range of doubles: infinite, or NaN where infinities met, but never finite and
    # never of the wrong sign (SciPy's complex functions know only NaN there).
    right_sign = found != -truth if np.isrealobj(truth) else True
    good = np.where(np.isinf(truth), ~np.isfinite(found) & right_sign, good)
    good |= np.isnan(truth)
    return [
        f"{what} at {entries[i]['at']} [{k}]: {found[i, k]!r}, not {truth[i, k]!r}: off by "
        f"{error[i, k]:.2g}, allowed {allowed[i, k]:.2g}"
        for i, k in np.argwhere(~good)
    ]


# -- the store -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", references.ROWS)
def test_stored_references_are_of_todays_row(name):
    row = references.ROWS[name]
    advice = f"run python tests/make_references.py {name}"
    assert name in STORE, advice
    assert STORE[name]["expression"] == row.reference, advice
    wanted = {
        references.entry_key(static, variant): references.points(row, static, variant)
        for static in row.statics
        for variant in references.variants(row)
    }
    entries = STORE[name]["entries"]
    assert entries.keys() == wanted.keys(), advice
    for key, points in wanted.items():
        stored = [[number(x) for x in e["at"]] for e in entries[key]]
        assert stored == [list(p) for p in points], advice
        ruled = {a.name for a in row.arrays if references.directions(row, a, references.REAL)}
        assert all(set(e.get("slopes", ())) == ruled for e in entries[key]), advice


def test_store_holds_no_row_that_is_gone():
    assert set(STORE) <= set(references.ROWS)


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
    again = references.as_stored(references.entry(row, static, variant, point))
    assert again["at"] == stored["at"]

    def flat(e):
        slopes = e.get("slopes", {}).values()
        parts = [e["value"], *(orders[:2] for each in slopes for orders in each)]
        return np.array([number(x) for x in jax.tree.leaves(parts)], float)

    np.testing.assert_allclose(flat(again), flat(stored), rtol=1e-14)
