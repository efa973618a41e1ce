"""Drafts of rows, the check for lacking ones, and the table of the docs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.special

from jaxsci import __main__ as command_line
from jaxsci.special._catalog import coverage, draft, excluded
from jaxsci.special._catalog.decorators import CATALOG, named_rows
from jaxsci.special._catalog.docs import dlmf_pages
from jaxsci.special._catalog.types import Kind

pytestmark = pytest.mark.smoke

# A sign is constant between integers, and probing cannot know better.
UFUNCS = {
    name: row
    for name, row in CATALOG.items()
    if isinstance(row.scipy, np.ufunc) and name != "gammasgn"
}


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("name", UFUNCS)
def test_kinds_by_probing_are_the_rows(name):
    row = UFUNCS[name]
    assert isinstance(row.scipy, np.ufunc)
    assert draft.argument_kinds(row.scipy) == [a.kind for a in row.arrays]


def test_drafts_are_rows_but_for_what_scipy_does_not_know(capsys):
    assert command_line.main(["catalog", "--draft", "jv", "kn", "jn_zeros"]) == 0
    text = capsys.readouterr().out
    stubs = {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
    for name, stub in stubs.items():
        annotations = [ast.unparse(a.annotation) for a in stub.args.args if a.annotation]
        kinds = [a.kind for a in CATALOG[name].arguments]
        assert [k.value for k in kinds] == [
            {"Int": Kind.INT, "Real": Kind.REAL, "Complex": Kind.COMPLEX}.get(a, Kind.STATIC).value
            for a in annotations
        ]
        assert [a.arg for a in stub.args.args] == [a.name for a in CATALOG[name].arguments]
        assert ast.get_docstring(stub)
    assert command_line.main(["catalog", "--draft", "no_such_function"]) != 0


def test_each_draft_is_code(capsys):
    names = sorted(excluded.scipy_names() - excluded.NOT_FUNCTIONS.keys())
    assert command_line.main(["catalog", "--draft", *names]) == 0
    stubs = [n for n in ast.parse(capsys.readouterr().out).body if isinstance(n, ast.FunctionDef)]
    assert [n.name for n in stubs] == names


def test_a_new_name_of_scipy_is_a_problem(monkeypatch, capsys):
    before = set(coverage.problems())
    monkeypatch.setattr(scipy.special, "__all__", [*scipy.special.__all__, "cython_special_new"])
    monkeypatch.setattr(scipy.special, "cython_special_new", np.sin, raising=False)
    monkeypatch.setitem(excluded.EXCLUDED, "j0", "no reason")
    monkeypatch.setitem(excluded.EXCLUDED, "gone", "no reason")
    assert command_line.main(["catalog", "--check"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines if line not in before] == [
        "cython_special_new",
        "gone",
        "j0",
    ]
    assert command_line.main(["catalog", "--draft"]) == 0
    assert "def cython_special_new(" in capsys.readouterr().out


def test_markdown_has_a_line_for_each_row():
    lines = coverage.markdown().splitlines()
    assert len(lines) == 2 + len(named_rows())
    assert {line.replace("\\|", "").count("|") for line in lines} == {5}


def test_docs_have_todays_table():
    """docs/functions.md ends with what jaxsci catalog --markdown prints."""
    docs = Path(__file__).resolve().parents[2] / "docs" / "functions.md"
    assert docs.read_text(encoding="utf-8").endswith(f"\n\n{coverage.markdown()}\n")


PERMALINK = re.compile(r"https://dlmf\.nist\.gov/\d+\.\d+(\.(E|SS)\d+)?")


def test_links_are_one_permanent_address_of_the_dlmf_each():
    """10.2.E2 for an equation, 10.21.SS9 for a subsection: https://dlmf.nist.gov/help/cite."""
    lines = coverage.markdown().splitlines()[2:]
    for line, name in zip(lines, sorted(named_rows()), strict=True):
        assert line.startswith(f"| `{name}(")
        # By balance: an address with a bracket in it would end there.
        links = re.findall(r"\[DLMF ([^]]*)\]\(([^ ]*)\)", line)
        row = named_rows()[name]
        assert len(links) == line.count("[DLMF ") == line.count("nist.gov")
        assert ", ".join(label for label, _ in links) == (row.source if links else "")
        assert bool(links) == row.source[:1].isdigit()
        for label, page in links:
            assert PERMALINK.fullmatch(page)
            assert (
                page.replace("https://dlmf.nist.gov/", "").split(".")[:2]
                == re.findall(r"\d+", label)[:2]
            )
            assert page in " ".join((row.function.__doc__ or "").split())


def test_addresses_of_the_dlmf():
    site = "https://dlmf.nist.gov/"
    assert dlmf_pages("10.2.2") == {"10.2.2": f"{site}10.2.E2"}
    assert dlmf_pages("10.21(ix)") == {"10.21(ix)": f"{site}10.21.SS9"}
    assert dlmf_pages("8.2.4, 8.12") == {"8.2.4": f"{site}8.2.E4", "8.12": f"{site}8.12"}
    assert dlmf_pages("a paper of 1969") == {}
    with pytest.raises(ValueError, match=r"'8\.2\.x'"):
        dlmf_pages("8.2.x")
