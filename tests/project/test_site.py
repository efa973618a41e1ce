"""The site of docs/: its navigation, and a page for every function. .ci/run builds it."""

import doctest
import inspect
import re
from pathlib import Path

import curves
import field_order
import formulas
import jax
import jax.numpy as jnp
import numpy as np
import pages
import prose
import pytest

import jaxsci.linalg
import jaxsci.special

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

pytestmark = pytest.mark.smoke

MADE = pages.generated()
NAMED = re.findall(
    r"^ *- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M
)


def prose_of(row):
    return prose.parsed(inspect.getdoc(row.function) or "")


def test_navigation_names_what_is_there_and_all_that_is_written():
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert len(NAMED) == len(set(NAMED))
    assert set(NAMED) - written == {"special/index.md", "linalg/tasks.md", "changelog.md"}
    assert written <= set(NAMED)


def test_every_function_has_a_page_and_every_page_a_function():
    expected = {f"special/{name}.md" for name in jaxsci.special.__all__}
    expected |= {f"linalg/{name}.md" for name in jaxsci.linalg.__all__}
    assert set(MADE) == expected | {"special/index.md", "linalg/tasks.md"}
    assert pages.gaps() == []


def test_a_function_without_a_page_is_found(monkeypatch):
    monkeypatch.setattr(jaxsci.special, "__all__", [*jaxsci.special.__all__, "new"])
    monkeypatch.setattr(jaxsci.linalg, "__all__", jaxsci.linalg.__all__[1:])
    gone = sorted(pages.LINALG)[0]
    assert pages.gaps() == [
        f"jaxsci.linalg.{gone}: a page, but no such function",
        "jaxsci.special.new: no page",
    ]


def test_families_hold_each_module_once():
    homes = {"sin": "_a", "cos": "_a", "exp": "_b"}
    assert field_order.members({"circular": ("_a",), "other": ("_b",)}, homes) == {
        "circular": ["sin", "cos"],
        "other": ["exp"],
    }
    for wrong in (
        {"circular": ("_a",)},
        {"circular": ("_a", "_b", "_c")},
        {"circular": ("_a",), "other": ("_a", "_b")},
    ):
        with pytest.raises(ValueError, match=r"field_order\.py: modules"):
            field_order.members(wrong, homes)


def test_every_function_stands_in_one_family():
    listed = [name for names in pages.special_families().values() for name in names]
    assert sorted(listed) == sorted(pages.SPECIAL)
    listed = [name for names in pages.linalg_tasks().values() for name in names]
    assert sorted(listed) == sorted(pages.LINALG)


@pytest.mark.rotating(0.3)
@pytest.mark.parametrize("path", sorted(MADE))
def test_links_of_made_pages_lead_somewhere(path):
    folder = (DOCS / path).parent
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", MADE[path]):
        file, _, anchor = target.partition("#")
        other = (folder / file).resolve().relative_to(DOCS).as_posix()
        assert other in MADE or (DOCS / other).is_file(), target
        if anchor:
            text = MADE.get(other) or (DOCS / other).read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.*)$", text, re.M)
            assert anchor in {re.sub(r"\W+", "-", h.lower()) for h in headings}, target


@pytest.mark.parametrize("name", ["kv", "betainc", "lambertw", "jnyn_zeros", "logsumexp"])
def test_page_of_a_special_function_says_what_its_row_knows(name):
    page, row = MADE[f"special/{name}.md"], pages.SPECIAL[name]
    for heading in ("Arguments", "Returns", "Derivatives", "Where it runs", "Example", "Source"):
        assert f"\n## {heading}\n" in page, heading
    for argument in row.arguments:
        assert f"\n`{argument.name}`\n:   " in page
    assert ("\n## Accuracy\n" in page) == (name in pages.measured())


@pytest.mark.parametrize("name", sorted(pages.SPECIAL))
def test_page_of_a_special_function_is_complete(name):
    """Each has its definition, and the derivative in every argument that has one, as formulas."""
    page, row = MADE[f"special/{name}.md"], pages.SPECIAL[name]
    sections = dict(re.findall(r"\n## ([^\n]+)\n\n(.*?)(?=\n## |\Z)", page, re.S))
    assert re.search(r"^\\\[.+\\\]$", sections["Definition"], re.M)
    for argument in row.arguments:
        assert f"`{argument.name}`\n:   " in sections["Arguments"]
    told = re.findall(r"`(\w+(?:, \w+)*)`\n:   (.*?)(?=\n\n`|\Z)", sections["Derivatives"], re.S)
    for argument in pages.derivatives_of(name):
        (text,) = (text for names, text in told if argument in names.split(", "))
        assert re.search(r"^    \\\[.+\\\]$", text, re.M), argument
    assert {"Where it runs", "Source"} <= set(sections)


@pytest.mark.parametrize("name", sorted(pages.LINALG))
def test_page_of_a_function_of_matrices_is_complete(name):
    page = MADE[f"linalg/{name}.md"]
    sections = dict(re.findall(r"\n## ([^\n]+)\n\n(.*?)(?=\n## |\Z)", page, re.S))
    assert {"Arguments", "Returns", "Where it runs", "Source"} <= set(sections)
    assert re.search(r"^\\\[.+\\\]$", sections["Definition"], re.M)
    differentiable = pages.LINALG[name].differentiable.partition(":")[0].rstrip(".") != "no"
    assert bool(re.search(r"^\\\[.+\\\]$", sections["Derivatives"], re.M)) == differentiable


@pytest.mark.rotating(0.15)
@pytest.mark.parametrize(
    "name", sorted(name for name, row in pages.SPECIAL.items() if not row.example)
)
def test_examples_that_the_site_makes_run(name):
    row = pages.SPECIAL[name]
    session = pages.session_of(row) or prose_of(row).sections["Example"]
    globs = {name: row.function, "jnp": jnp, "jax": jax}
    test = doctest.DocTestParser().get_doctest(session, globs, name, None, None)
    assert test.examples
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
    assert "nan" not in session


def test_every_formula_belongs_to_a_function():
    assert set(formulas.KNOWN) == set(pages.SPECIAL)
    assert set(formulas.LINALG) == set(pages.LINALG)
    for name, known in formulas.KNOWN.items():
        assert set(known.derivatives) <= set(pages.derivatives_of(name)), name


def test_no_section_of_a_docstring_is_lost():
    """Every word of a docstring stands on the page, whatever the mark-up does to the signs."""
    functions = {f"special/{name}.md": row.function for name, row in pages.SPECIAL.items()}
    functions |= {f"linalg/{name}.md": entry.function for name, entry in pages.LINALG.items()}
    for path, function in functions.items():
        words = re.findall(r"[A-Za-z]{3,}", function.__doc__ or "")
        lost = {word.lower() for word in words} - set(re.findall(r"[a-z]{3,}", MADE[path].lower()))
        # Headings have other words; and what computes is said in the page's own.
        assert lost <= HEADINGS, (path, lost - HEADINGS)


HEADINGS = {"args", "references", "note", "computed"}


def test_formulas_and_equations_in_prose():
    def page_of(name):
        return f"{name}.md" if name == "kv" else None

    text = "P_n^m(x) * |z| < 1, `kv`, ``x_y``: DLMF 10.2.2, 10.27.6 to 10.27.8"
    assert prose.prose(text, page_of) == (
        r"P\_n^m(x) \* &#124;z&#124; &lt; 1, [`kv`](kv.md), `x_y`: "
        "DLMF [10.2.2](https://dlmf.nist.gov/10.2.E2), "
        "[10.27.6](https://dlmf.nist.gov/10.27.E6) to [10.27.8](https://dlmf.nist.gov/10.27.E8)"
    )


def test_long_signatures_have_a_line_for_each_argument():
    def f(alpha, beta=(1, 2), *, some_long_name="a, b", another_long_name=None, one_more=True):
        pass

    lines = pages.signature("f", f).splitlines()
    assert lines[0] == "f("
    assert [line.strip(" ,").split("=")[0] for line in lines[1:-1]] == [
        "alpha",
        "beta",
        "*",
        "some_long_name",
        "another_long_name",
        "one_more",
    ]
    assert pages.signature("g", lambda x, y=1: None) == "g(x, y=1)"


def test_curves_stop_where_the_value_is_missing():
    x = np.linspace(0.0, 4.0, 5)
    y = np.array([0.0, 1.0, np.nan, 1.0, 2.0])
    picture = curves.plot(x, [curves.Curve("f", y, "first")], "x", "f over x")
    (path,) = re.findall(r' d="([^"]*)"', picture)
    assert re.findall(r"[ML]", path) == ["M", "L", "M", "L"]
    assert 'aria-label="f over x"' in picture


def test_curves_stop_at_poles_and_nowhere_else():
    def breaks(y):
        picture = curves.plot(x, [curves.Curve("f", y, "first")], "x", "f over x")
        (path,) = re.findall(r' d="([^"]*)"', picture)
        return path.count("M") - 1

    x = np.linspace(-1.0, 1.0, 60)
    assert breaks(1 / x) == 1
    assert breaks(np.tan(4 * x)) == 2
    assert breaks(np.sin(9 * x)) == breaks(np.tanh(50 * x)) == 0


def test_pages_tell_what_was_measured_of_a_kernel():
    found = pages.costs()["of"]
    page = MADE["special/ellipk.md"]
    (line,) = re.findall(r"## Cost\n\n.*\n\n.*\n.*\n\| (.*) \|", page)
    host, kernel, *_ = (float(cell.split()[0]) for cell in line.split(" | "))
    assert abs(host / found["ellipk"]["host"] - 1) < 0.01
    assert abs(kernel / found["ellipk"]["kernel"] - 1) < 0.01
    assert "## Cost" not in MADE["special/pbdv.md"]
