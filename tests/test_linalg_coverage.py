"""SciPy's own list of linear algebra: nothing is lacking, and arguments have SciPy's names."""

from __future__ import annotations

import inspect
from pathlib import Path

import linalg_cases
import pytest
import scipy.linalg

from jaxsci import __main__ as command_line
from jaxsci import linalg
from jaxsci.linalg import _coverage
from jaxsci.linalg._catalog import CATALOG

pytestmark = pytest.mark.smoke

DOCS = Path(__file__).resolve().parents[1] / "docs"
EACH = pytest.mark.parametrize("name", sorted(CATALOG))
# Deprecated in SciPy 1.17, and gone in later ones.
DEPRECATED = {"signm": {"disp"}, "sqrtm": {"disp", "blocksize"}, "logm": {"disp"}, "funm": {"disp"}}


def test_every_name_is_wrapped_or_excluded_with_a_reason():
    assert not _coverage.problems()
    assert set(linalg.__all__) == set(CATALOG)
    for name, entry in CATALOG.items():
        assert getattr(linalg, name) is entry.function


def test_a_new_name_of_scipy_is_a_problem(monkeypatch):
    monkeypatch.setattr(scipy.linalg, "__all__", [*scipy.linalg.__all__, "newm"])
    monkeypatch.setattr(scipy.linalg, "newm", len, raising=False)
    monkeypatch.setitem(_coverage.EXCLUDED, "gone", "no reason")
    assert [line.split(":")[0] for line in _coverage.problems()] == ["gone", "newm"]


@EACH
def test_arguments_are_scipys(name):
    """SciPy's arguments in SciPy's order, with SciPy's defaults; then perhaps some of our own."""
    theirs = list(inspect.signature(getattr(scipy.linalg, name)).parameters.values())
    ours = list(inspect.signature(CATALOG[name].function).parameters.values())
    wanted = [
        (p.name, p.default)
        for p in theirs
        if p.name not in DEPRECATED.get(name, ()) and p.kind is not p.VAR_KEYWORD
    ]
    assert [(p.name, p.default) for p in ours][: len(wanted)] == wanted


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
    assert page.endswith(f"\n\n{_coverage.markdown()}\n")
    assert _coverage.count() in page
    assert _coverage.count() in (DOCS.parent / "README.md").read_text(encoding="utf-8")


def test_command_line(capsys):
    assert command_line.main(["catalog", "--linalg", "solve_sylvester"]) == 0
    assert "Bartels" in capsys.readouterr().out
    assert command_line.main(["catalog", "--linalg", "nothing"]) == 2
    assert command_line.main(["catalog", "--linalg", "--count"]) == 0
