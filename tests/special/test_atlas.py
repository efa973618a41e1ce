"""The accuracy atlas: no error of a drawn part has grown; and how it is made."""

import contextlib
import json
import time

import numpy as np
import pytest
from mpmath import mp
from rotation import drawn

from jaxsci._verification import accuracy, reference
from jaxsci._verification.atlas import cases, libraries, points, run, store, summary
from jaxsci._verification.atlas.time_limit import OutOfTime, time_limit
from jaxsci.special._catalog.domains import Complexes, Ints, Reals

RECORDS = store.load(store.DEFAULT)
MEASURED = [
    (name, i)
    for name, record in RECORDS.items()
    for i in range(len(record["cases"]))
    if name in reference.ROWS
]
GROWN = 4
"""Another compiler, or another version of SciPy, moves the last digits: so many times as much is no
growth, and neither are so many units of the last place."""


# -- CI: a part of it again ------------------------------------------------------------------------


def grown(old, new):
    """What has become worse, of the entries of one case."""
    before = {tuple(e[:4]): e for e in old}
    worse = []
    for e in new:
        was = before.get(tuple(e[:4]))
        if was is None or (e[4] > was[4]):
            worse.append(f"{e[:4]}: {e[4]} results, not {was and was[4]}")
            continue
        epsilon = float(np.finfo(e[1]).eps)
        most = np.inf if was[12] is None else GROWN * (was[12] + epsilon)
        now = np.inf if e[12] is None else e[12]
        if now > most or e[5] > was[5]:
            worse.append(f"{e[:4]}: {e[12]}, {e[5]} missing; it was {was[12]}, {was[5]} missing")
    return worse


@pytest.mark.parametrize(("name", "i"), drawn(MEASURED, 1, "atlas"))
def test_no_error_has_grown(name, i):
    assert_none_has_grown(name, i, order=1)


@pytest.mark.rotating(0.0023)
@pytest.mark.parametrize(
    ("name", "i"), [case for case in MEASURED if RECORDS[case[0]]["order"] > 1]
)
def test_no_error_of_second_derivatives_has_grown(name, i):
    assert_none_has_grown(name, i, order=2)


def assert_none_has_grown(name, i, order):
    record, row = RECORDS[name], reference.ROWS[name]
    known = record["cases"][i]
    (static,) = (s for s in row.samples.statics if reference.static_key(s) == known["static"])
    effort = cases.Effort(points=record["points"], seconds=1e3, case_seconds=1e4, order=order)
    left_out = known["unfinished"] + known["failed"]
    again = cases.case_of(row, static, known["variant"], effort, left_out, only_ours=True)
    assert (again.points, again.single) == (known["points"], known["single"])
    assert grown(known["entries"], again.entries) == []


def test_growth_is_seen():
    old = ["jaxsci", "float64", "x", 1, 8, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e-14, [1.0]]
    assert grown([old], [old]) == []
    for place, value in ((12, 5e-14), (12, None), (5, 1), (3, 2), (4, 9)):
        new = list(old)
        new[place] = value
        assert len(grown([old], [new])) == 1, (place, value)


# -- how it is made --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["jv", "betainc", "ndtri", "lambertw", "obl_ang1_cv", "pdtr"])
def test_points_lie_in_the_domain_and_are_of_single_precision(name):
    row = reference.ROWS[name]
    static = row.samples.statics[0]
    found = []
    for variant in reference.variants(row):
        found = points.spread(row, static, variant, 20)
        assert found == points.spread(row, static, variant, 20)
        assert len(set(found)) == len(found) == 20
        for spec, domain, column in zip(
            row.arrays, row.samples.domain, zip(*found, strict=True), strict=True
        ):
            is_real = not any(isinstance(x, complex) for x in column)
            limits = domain.real() if isinstance(domain, Complexes) and is_real else domain
            sizes = column if is_real else [abs(x) for x in column]
            if isinstance(limits, Complexes | Ints | Reals):
                slack = 1e-6 * (limits.high - limits.low)
                assert limits.low - slack <= min(sizes), spec.name
                assert max(sizes) <= limits.high + slack, spec.name
    if name != "obl_ang1_cv":  # one argument is a constant that belongs to the others
        assert all(map(points.is_single, found))


def test_points_reach_from_one_end_to_the_other_on_both_sides_of_zero():
    row = reference.ROWS["erfi"]
    (column,) = zip(*points.spread(row, {}, reference.REAL, 24), strict=True)
    x = np.sort(column)
    assert np.sum(x < 0) == np.sum(x > 0) == 12
    assert np.max(np.abs(x)) / np.min(np.abs(x)) > 1e5
    assert np.ptp(np.diff(np.log(x[12:]))) < 1e-6


def comparison(found, truth, scale=0.0):
    found, truth = (np.array([[y] for y in ys]) for ys in (found, truth))
    return accuracy._compared("value 0", 0, found, truth, np.full(truth.shape, scale))


def test_errors_are_relative_and_in_units_of_the_last_place():
    found = summary.errors(comparison([1 + 2.0**-51, 2.0, 3.0], [1.0, 2.0, np.nan]), np.float64)
    np.testing.assert_array_equal(found.relative, [2.0**-51, 0])
    np.testing.assert_array_equal(found.ulp, [2, 0])
    np.testing.assert_array_equal(found.point, [0, 1])
    single = summary.errors(comparison([1 + 2.0**-22], [1.0]), np.float32)
    assert single.ulp == [2]


def test_next_to_a_zero_the_conditioned_error_is_small():
    found = summary.errors(comparison([1e-10 + 1e-16], [1e-10], scale=1.0), np.float64)
    assert found.relative == pytest.approx([1e-6])
    assert found.conditioned == pytest.approx([1e-16])


@pytest.mark.parametrize(
    ("found", "truth", "missing"),
    [
        (np.nan, 1.0, True),
        (np.inf, 1.0, True),
        (np.inf, np.inf, False),
        (-np.inf, np.inf, True),
        (1.0, np.inf, True),
        (np.inf, 1e40, False),  # beyond single precision
        (1e30, 1e40, True),
        (0.0, 1e-42, False),  # flushed
        (0.0, 1e-30, False),
    ],
)
def test_what_is_missing(found, truth, missing):
    (ulp,) = summary.errors(comparison([found], [truth]), np.float32).ulp
    assert np.isinf(ulp) == missing


def test_statistics_name_the_worst_point():
    off = [0.0] * 97 + [1e-10, 3e-10, 2e-10]
    found = summary.errors(comparison([1 + e for e in off], [1.0] * 100), np.float64)
    numbers = summary.statistics(found, [[i] for i in range(100)])
    assert numbers is not None
    n, missing, median, most, largest, *_, at = numbers
    assert (n, missing, median, at) == (100, 0, 0.0, [98])
    assert (most, largest) == (2e-10, 3e-10)
    found = summary.errors(comparison([1.0, np.nan], [1.0, 1.0]), np.float64)
    numbers = summary.statistics(found, [[0], [1 + 2j]])
    assert numbers is not None
    n, missing, *rest, at = numbers
    assert (n, missing, rest[2], at) == (2, 1, None, [[1.0, 2.0]])


def test_time_is_limited():
    def stubborn():
        with time_limit(0.05):
            while True:
                with contextlib.suppress(Exception):
                    sum(range(1000))

    with pytest.raises(OutOfTime):
        stubborn()
    with time_limit(0.05):
        pass
    end = time.process_time() + 0.1
    while time.process_time() < end:  # nothing comes later
        pass


def test_points_without_a_truth_are_counted(monkeypatch):
    row = reference.ROWS["j0"]
    effort = cases.Effort(points=5, seconds=0.2, order=0)
    slow, wrong = points.spread(row, {}, reference.REAL, 5)[1::2]

    def entry(row, static, variant, point):
        if point == slow:
            mp.dps = 400
            while True:
                pass
        if point == wrong:
            raise ArithmeticError
        return original(row, static, variant, point)

    original = reference.entry
    monkeypatch.setattr(reference, "entry", entry)
    case = cases.case_of(row, {}, reference.REAL, effort, only_ours=True)
    assert (case.unfinished, case.failed) == ([1], [3])
    assert case.points == len(points.stored(row, {}, reference.REAL)) + 3
    assert mp.dps == 15


def test_other_libraries_stand_beside():
    row = reference.ROWS["erf"]
    case = cases.case_of(row, {}, reference.REAL, cases.Effort(points=4, order=1))
    there = {tuple(e[:4]) for e in case.entries}
    for dtype in ("float64", "float32"):
        assert {
            (libraries.JAXSCI, dtype, "", 0), (libraries.SCIPY, dtype, "", 0),
            (libraries.JAX_SCIPY, dtype, "", 0), (libraries.JAXSCI, dtype, "z", 1),
            (libraries.JAX_SCIPY, dtype, "z", 1),
        } <= there  # fmt: skip
        assert (libraries.SCIPY, dtype, "z", 1) not in there


def test_scipy_is_not_called_where_it_crashes():
    row = next(
        r for r in reference.ROWS.values() if r.guard is not None and r.guard.through is None
    )
    far = [1e300] * len(row.arrays)
    assert not libraries._may_be_called(row, row.samples.statics[0], far)


@pytest.mark.rotating(0.3)
def test_a_stopped_run_goes_on(tmp_path):
    effort = cases.Effort(points=4, order=0)
    assert run.run(["cbrt", "exp2"], tmp_path, effort, processes=1) == 0
    (file,) = tmp_path.iterdir()
    text = file.read_text(encoding="utf-8")
    records = json.loads(text)
    assert list(records) == ["cbrt", "exp2"]
    assert json.loads(json.dumps(records)) == store.load(tmp_path)

    del records["exp2"]
    records["cbrt"]["mark"] = True  # is kept
    file.write_text(json.dumps(records), encoding="utf-8")
    assert run.run(["cbrt", "exp2"], tmp_path, effort, processes=1) == 0
    again = store.load(tmp_path)
    assert again["cbrt"].pop("mark")
    assert again == json.loads(text)

    row = reference.ROWS["cbrt"]
    versions = again["cbrt"]["versions"]
    assert store.is_current(row, again["cbrt"], versions, effort)
    assert not store.is_current(row, again["cbrt"], versions + ".1", effort)
    assert not store.is_current(row, again["cbrt"], versions, cases.Effort(points=4, order=1))
    assert not store.is_current(row, again["cbrt"] | {"samples": 0}, versions, effort)


def test_data_is_of_todays_rows():
    assert set(RECORDS) <= set(reference.ROWS)
    changed = [n for n, r in RECORDS.items() if r["samples"] != store.samples(reference.ROWS[n])]
    assert not changed, f"run jaxsci check --atlas {' '.join(changed)}"
    for name, record in RECORDS.items():
        row = reference.ROWS[name]
        assert [(c["static"], c["variant"]) for c in record["cases"]] == [
            (reference.static_key(static), variant)
            for static in row.samples.statics
            for variant in reference.variants(row)
        ]
        assert all(len(e) == len(store.COLUMNS) for c in record["cases"] for e in c["entries"])
        assert store.has_every_derivative(row, record), f"run jaxsci check --atlas {name}"
