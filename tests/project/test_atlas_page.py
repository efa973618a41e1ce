"""The page of the accuracy atlas: heat maps and table, from the data."""

import re

import atlas_page
import pages
import pytest

pytestmark = pytest.mark.smoke

PAGE = (pages.DOCS / "atlas.md").read_text(encoding="utf-8")


def entry(
    library="jaxsci", argument="", order=0, error: float | None = 1e-16, kind="float64", missing=0
):
    return [library, kind, argument, order, 9, missing, 0.0, error, error, 0.0, 1.0, 1.0, error,
            [[1.5, -2.0], 3]]  # fmt: skip


def records(*entries, **counts):
    case = {"static": "-", "variant": "real", "points": 9, "single": 4, "unfinished": [],
            "failed": [], "entries": list(entries)} | counts  # fmt: skip
    return {"gammainc": {"versions": "jaxsci 1", "order": 2, "cases": [case]}}


def test_extent_tells_what_is_missing():
    text = atlas_page.extent(records(entry(), unfinished=[1, 5], failed=[2]))
    assert "**1** are measured so far, 1 of them with their second derivatives" in text
    assert "at 9 points, 4 of which" in text
    assert "At 2 more mpmath did not finish in time. " in text
    assert "At 1 more mpmath came to no result. Made with jaxsci 1.\n\n<details>" in text
    assert "<p>mpmath did not finish in time: gammainc (2).</p>" in text
    assert "<p>mpmath came to no result: gammainc (1).</p>" in text
    assert "<details>" not in atlas_page.extent(records(entry()))


@pytest.mark.parametrize(
    ("error", "kind", "level", "digits"),
    [
        (0.0, "float64", 0, "15"),
        (2e-16, "float64", 0, "15"),
        (5e-13, "float64", 3, "12"),
        (5e-8, "float32", 0, "6"),
        (1e-3, "float32", 3, "3"),
        (2.0, "float64", 5, "0"),
        (None, "float64", 6, "×"),
    ],
)
def test_colours_and_digits(error, kind, level, digits):
    (found,) = atlas_page.entries(records(entry(error=error, kind=kind)))
    assert atlas_page.level(found) == level
    assert atlas_page.digits(found) == digits


def test_the_map_has_a_column_for_each_argument_and_order():
    of = records(
        entry(), entry(argument="x", order=1, error=1e-3), entry(argument="x", order=2),
        entry(kind="float32"), entry(library="SciPy", error=None),
    )  # fmt: skip
    text = atlas_page.derivative_maps(atlas_page.entries(of))
    (row,) = re.findall(r"<tr><th><a .*?</tr>", text)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", row)
    # value, first in a and x, second in a and x; in single precision no second.
    assert cells == ["15", "", "3", "", "15", "6", "", ""]
    assert "gammainc (real), d/dx, float64" in row
    assert "at 1.5-2i, 3" in row


def test_other_libraries_are_compared_in_what_they_take():
    of = records(
        entry(argument="a", order=1, error=None, missing=2), entry(argument="x", order=1),
        entry(library="jax.scipy", argument="x", order=1, error=1e-3),
    )  # fmt: skip
    text = atlas_page.library_map(atlas_page.entries(of))
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", text)
    assert cells[4:7] == ["15", "3", ""]  # ours in x alone
    assert "×" not in cells


def test_the_table_has_a_line_for_each_quantity_and_other_libraries_in_it():
    of = records(
        entry(), entry(library="TFP", error=None), entry(argument="x", order=2, error=3e-9)
    )
    text = atlas_page.table(atlas_page.entries(of))
    assert len(re.findall("<button", text)) == len(atlas_page.COLUMNS)
    lines = [line.split("<td>")[1:] for line in text.splitlines() if line.startswith("<tr><td>")]
    assert [len(line) for line in lines] == [len(atlas_page.COLUMNS)] * 2
    assert lines[0][2] == "value"
    assert lines[0][13:16] == ["", "", "inf"]
    assert lines[1][2] == "d2/dx2"
    assert lines[1][11] == "3e-09"


def test_the_page_has_a_place_for_each_part():
    assert "<!-- atlas" not in atlas_page.with_extent(PAGE).partition("<!-- atlas: legend")[0]
    text = atlas_page.with_data(PAGE)
    assert text.count("<!--") == 1  # of the extent, which is no part of the HTML
    assert '<table id="atlas">' in text
    with pytest.raises(ValueError, match="no place for legend"):
        atlas_page.with_data("")


def test_columns_are_those_of_the_data():
    from jaxsci._verification.atlas import libraries, store, summary

    assert atlas_page.LIBRARIES == libraries.LIBRARIES
    assert len(entry()) == len(store.COLUMNS)
    assert summary.MOST == 0.99  # as the table's heads say
