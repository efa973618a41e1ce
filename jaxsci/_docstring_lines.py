"""Docstrings on terminals that are narrower than the sources."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

_HEADING = re.compile(r"(\w+):$")
_OF_ENTRIES = ("Args", "Raises", "Derivatives")
_FACT = re.compile(r"(Differentiable|Computed by|Source): ")
"""What the catalog adds stands in a line for each fact."""


def refilled(text: str, columns: int) -> str:
    """A docstring whose lines have at most so many columns; sessions are left as they are."""
    out = []
    for lines, hanging in _paragraphs(text):
        if hanging is None or max(map(len, lines)) <= columns:
            out += lines
        else:
            indent = len(lines[0]) - len(lines[0].lstrip())
            out.append(filled(" ".join(map(str.strip, lines)), columns, indent, hanging))
    return "\n".join(out)


def filled(line: str, columns: int, indent: int = 0, hanging: int = 4) -> str:
    """A line, broken at its spaces alone: hyphens stand in names and in formulas."""
    return textwrap.fill(
        line,
        columns,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_on_hyphens=False,
        break_long_words=False,
    )


def _paragraphs(text: str) -> Iterator[tuple[list[str], int | None]]:
    """Lines that belong together, and how much deeper all but the first begin.

    They are those of a paragraph, or of one entry in a list of them. None: they stay as they are.
    """
    section = ""
    held: list[str] = []
    hanging = 0
    for line in text.splitlines():
        at_margin = line[:1].strip() != ""
        if at_margin:
            heading = _HEADING.match(line)
            section = heading[1] if heading else ""
        entry = section in _OF_ENTRIES and re.match(r" {4}\S", line) is not None
        fact = _FACT.match(line) is not None
        as_it_is = not line or section == "Example" or (at_margin and section != "")
        if held and (as_it_is or entry or fact):
            yield held, hanging
            held = []
        if as_it_is:
            yield [line], None
            continue
        if not held:
            hanging = 4 if entry or fact else 0
        held.append(line)
    if held:
        yield held, hanging
