"""SciPy's own list of linear algebra: nothing is lacking, and arguments have SciPy's names."""

from __future__ import annotations

import inspect
from itertools import zip_longest
from pathlib import Path

import linalg_cases
import numpy as np
import pytest
import scipy.linalg

from jaxsci import __main__ as command_line
from jaxsci import linalg
from jaxsci.linalg._infra import coverage
from jaxsci.linalg._infra.catalog import CATALOG
from jaxsci.linalg._infra.newer import as_installed

pytestmark = pytest.mark.smoke

DOCS = Path(__file__).resolve().parents[2] / "docs"
EACH = pytest.mark.parametrize("name", sorted(CATALOG))
# Deprecated in SciPy 1.17, and gone in later ones.
GONE = {"signm": {"disp"}, "sqrtm": {"disp", "blocksize"}, "logm": {"disp"}}
# SciPy's mark, in place of a default, of arguments that are deprecated.
MARK = object


def test_every_name_is_wrapped_or_excluded_with_a_reason():
    assert not coverage.problems()
    assert set(linalg.__all__) == set(CATALOG)
    for name, entry in CATALOG.items():
        assert getattr(linalg, name) is entry.function


def test_a_new_name_of_scipy_is_a_problem(monkeypatch):
    monkeypatch.setattr(scipy.linalg, "__all__", [*scipy.linalg.__all__, "newm"])
    monkeypatch.setattr(scipy.linalg, "newm", len, raising=False)
    monkeypatch.setitem(coverage.EXCLUDED, "gone", "no reason")
    assert [line.split(":")[0] for line in coverage.problems()] == ["gone", "newm"]


def lacking_arguments(name):
    """Where our arguments are not SciPy's, in its order, with its defaults."""
    theirs = inspect.signature(getattr(scipy.linalg, name)).parameters.values()
    ours = list(inspect.signature(CATALOG[name].function).parameters.values())
    wanted = [
        (p.name, None if type(p.default) is MARK else p.default, p.kind)
        for p in theirs
        if p.name not in GONE.get(name, ()) and p.kind is not p.VAR_KEYWORD
    ]
    found = [(p.name, p.default, p.kind) for p in ours]
    return [(w, f) for w, f in zip_longest(wanted, found[: len(wanted)]) if w != f]


@EACH
def test_arguments_are_scipys(name):
    """SciPy's arguments in SciPy's order, with SciPy's defaults; then perhaps some of our own."""
    assert not lacking_arguments(name)
    if name in GONE:
        for p in inspect.signature(getattr(scipy.linalg, name)).parameters.values():
            assert p.name not in GONE[name] or type(p.default) is MARK
        assert not GONE[name] & set(inspect.signature(CATALOG[name].function).parameters)


def test_a_new_argument_of_scipy_is_found(monkeypatch):
    def det(a, overwrite_a=False, newest=None, check_finite=True):
        """With an argument more than ours has."""

    monkeypatch.setattr(scipy.linalg, "det", det)
    assert [wanted[0] for wanted, _ in lacking_arguments("det")] == ["newest", "check_finite"]


def test_arguments_that_the_installed_scipy_lacks_are_refused_by_name():
    theirs = inspect.signature(scipy.linalg.eigvals).parameters
    a = np.diag([1.0, 2.0])
    if "overwrite_b" in theirs:
        assert linalg.eigvals(a, None, True, True, True, True).shape == (2, 2)
        assert linalg.eigvals(a, overwrite_b=True).shape == (2,)
    else:
        assert linalg.eigvals(a, None, True, True, True).shape == (2, 2)
        with pytest.raises(TypeError, match="eigvals: argument 'overwrite_b' needs a newer SciPy"):
            linalg.eigvals(a, overwrite_b=True)  # pyright: ignore
        with pytest.raises(TypeError, match="eigvals: too many positional arguments"):
            linalg.eigvals(a, None, True, True, True, True)


def test_newer_arguments_are_scipys_or_absent(monkeypatch):
    """For both kinds of SciPy, whichever is installed."""

    def eigvals(a, b=None, overwrite_a=False, overwrite_b=False, check_finite=True):
        return a, b, overwrite_a, overwrite_b, check_finite

    monkeypatch.setattr(scipy.linalg, "eigvals", lambda a, b=None, overwrite_b=False: None)
    assert as_installed(eigvals, ["overwrite_b"]) is eigvals
    monkeypatch.setattr(scipy.linalg, "eigvals", lambda a, b=None: None)
    older = as_installed(eigvals, ["overwrite_b"])
    names = list(inspect.signature(older).parameters)
    assert names == ["a", "b", "overwrite_a", "check_finite"]
    assert older(1, 2, 3, 4) == (1, 2, 3, False, 4)
    with pytest.raises(TypeError, match="eigvals: argument 'overwrite_b' needs a newer SciPy"):
        older(1, overwrite_b=True)
    for call in (lambda: older(), lambda: older(1, 2, 3, 4, 5), lambda: older(1, wrong=2)):
        with pytest.raises(TypeError, match=r"^eigvals: "):
            call()


@EACH
def test_each_has_a_docstring_and_a_case(name):
    text = inspect.getdoc(CATALOG[name].function) or ""
    for word in ("Differentiable:", "Computed by:", "Source:", "Returns:"):
        assert word in text
    assert text.splitlines()[0].endswith(".")
    if CATALOG[name].differentiable != "no":
        assert name in {case.name.split(":")[0] for case in linalg_cases.load()}


def test_docs_have_todays_table():
    """docs/linalg.md ends with what jaxsci catalog --linalg --markdown prints."""
    page = (DOCS / "linalg.md").read_text(encoding="utf-8")
    assert page.endswith(f"\n\n{coverage.markdown()}\n")
    assert coverage.count() in page
    assert coverage.count() in (DOCS.parent / "README.md").read_text(encoding="utf-8")


def test_command_line(capsys):
    assert command_line.main(["catalog", "--linalg", "solve_sylvester"]) == 0
    assert "Bartels" in capsys.readouterr().out
    assert command_line.main(["catalog", "--linalg", "nothing"]) == 2
    assert command_line.main(["catalog", "--linalg", "--count"]) == 0
