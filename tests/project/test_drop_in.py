"""SciPy's own tests on this package's functions: what fails is listed, and what is listed fails.

One module is a process of its own, of a minute or so; each commit draws a few, but the largest.
`python tests/support/drop_in.py` runs all.
"""

import drop_in
import pytest
from drop_in import Outcome, Reason, judged
from processes import outcome

THERE = set(drop_in.all_modules())


# Of ten minutes and more.
LARGE = {
    "special/test_basic.py",
    "special/test_legendre.py",
    "special/test_mpmath.py",
    "linalg/test_decomp.py",
    "linalg/test_batch.py",
    "linalg/test_matfuncs.py",
}


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(m, marks=pytest.mark.rotating(0 if m in LARGE else 0.015))
        for m in drop_in.looked_at()
        if m in THERE
    ],
)
def test_scipys_tests_pass_or_fail_for_a_reason(module):
    outcome("support/drop_in.py", module, environment={}, seconds=3600)


def test_what_is_listed_is_of_modules_that_are_run():
    modules = set(drop_in.looked_at())
    assert modules.isdisjoint(drop_in.elsewhere())
    for reason in drop_in.reasons():
        assert reason.why
        assert reason.tests
        for test in reason.tests:
            assert test.partition("::")[0] in modules, test
    # Every module is run, waits to be looked at, or comes to none of our functions.
    assert modules | set(drop_in.elsewhere()) | set(drop_in.waiting()) >= THERE


LISTED = [
    Reason(
        "other words", ("a/test_b.py::test_c", "a/test_b.py::test_d[*-1]", "a/test_b.py::test_e[?]")
    )
]


def test_the_judgement_goes_both_ways():
    def how(name, what):
        return {f"a/test_b.py::{name}": Outcome(what, 0.0, "an error")}

    for name in ("test_c", "test_d[x-1]"):
        counts, unexplained, stale = judged(how(name, "failed"), LISTED)
        assert counts == {"fails: other words": 1}
        assert not unexplained
        assert not stale
        assert judged(how(name, "passed"), LISTED)[2] == [f"a/test_b.py::{name}"]
    for name in ("test_cc", "test_d[x-2]", "test_d", "test_e[x]"):
        assert judged(how(name, "failed"), LISTED)[1] == [f"a/test_b.py::{name} | an error"]
        assert judged(how(name, "passed"), LISTED)[1:] == ([], [])


def test_the_last_bits_may_be_others_elsewhere_but_no_more_than_they():
    listed = [Reason("last bits", ("a/test_b.py::test_c[*]",), rounding="rtol=1e-15")]

    def what(how, error):
        return judged({"a/test_b.py::test_c[3]": Outcome(how, 0.0, error)}, listed)

    assert what("failed", "not equal to tolerance rtol=1e-15") == (
        {"fails: last bits": 1},
        [],
        [],
    )
    assert what("passed", "")[1:] == ([], [])
    assert what("failed", "a wrong shape")[1] == ["a/test_b.py::test_c[3] | a wrong shape"]


def test_a_cosine_that_is_wrong_by_more_than_rounding_is_not_explained():
    name = "linalg/test_decomp_cossin.py::test_properties[True-4-4-10]"
    for difference, unexplained in (("1.78530374e-15", 0), ("1.78530374e-05", 1), ("1.e-13", 1)):
        error = f"rtol=1e-15\nMax relative difference among violations: {difference}\n"
        found = judged({name: Outcome("failed", 0.0, error)}, drop_in.reasons())
        assert len(found[1]) == unexplained
