"""Docstrings as Markdown: their sections, and links for what they name."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field

from jaxsci.special._catalog.docs import dlmf_pages

SECTIONS = ("Args", "Returns", "Derivatives", "Raises", "Note", "Example", "References")
ENTRIES = ("Differentiable", "Computed by", "Source")

PageOf = Callable[[str], str | None]
"""Where a function's page is, seen from the page that is written; None if it has none."""


@dataclass
class Docstring:
    """A docstring in its parts."""

    summary: str
    description: str = ""
    """Paragraphs that stand in no section."""
    sections: dict[str, str] = field(default_factory=dict)
    """The text of each section, without its margin."""
    entries: dict[str, str] = field(default_factory=dict)
    """Lines such as ``Source: ...`` at the end."""


def parsed(text: str) -> Docstring:
    """The parts of a cleaned docstring."""
    summary, _, rest = text.partition("\n")
    found = Docstring(summary)
    loose: list[str] = []
    blocks = re.split(r"\n\n(?=\S)", rest.strip("\n"))
    for block in filter(None, blocks):
        head, _, body = block.partition("\n")
        if head.rstrip(":") in SECTIONS and head.endswith(":"):
            found.sections[head[:-1]] = textwrap.dedent(body).strip("\n")
        elif re.match(rf"({'|'.join(ENTRIES)}): ", block):
            for line in block.splitlines():
                name, _, what = line.partition(": ")
                found.entries[name] = what
        else:
            loose.append(block)
    found.description = "\n\n".join(loose)
    return found


def items(section: str) -> list[tuple[str, str]]:
    """The names and texts of a section of items, such as ``Args``."""
    starts = re.split(r"^(?=\S)", section, flags=re.MULTILINE)
    pairs = (start.partition(":") for start in starts if start.strip())
    return [(name.strip(), " ".join(text.split())) for name, _, text in pairs]


def prose(text: str, page_of: PageOf) -> str:
    """Plain text as Markdown: formulas stay as they are, code and equations of the DLMF link."""
    pieces = re.split(r"(``.+?``|`[^`]+`)", text, flags=re.DOTALL)
    return "".join(
        _code(piece.strip("`"), page_of) if piece.startswith("`") else _linked(_escaped(piece))
        for piece in pieces
    )


def _code(text: str, page_of: PageOf) -> str:
    page = page_of(text)
    return f"`{text}`" if page is None else f"[`{text}`]({page})"


def _escaped(text: str) -> str:
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "&#124;")):
        text = text.replace(sign, entity)
    text = re.sub(r"([\\*_\[\]{}])", r"\\\1", text)
    return text.replace("$", "&#36;")  # no formula of MathML's


_PLACE = r"\d+\.\d+(?:\.\d+|\([ivx]+\))?"
_CITED = re.compile(rf"DLMF {_PLACE}(?:(?:, | to ){_PLACE})*(?!\w)")


def _linked(text: str) -> str:
    """Equations of the DLMF, with links to them."""
    text = re.sub(r", https://dlmf\.nist\.gov/\S+?(?=[,;])", "", text)

    def cited(match: re.Match[str]) -> str:
        return re.sub(_PLACE, lambda place: dlmf_link(place[0]), match[0])

    return _CITED.sub(cited, text)


def dlmf_link(place: str) -> str:
    """A section or equation of the DLMF, as a link."""
    (address,) = dlmf_pages(place).values()
    return f"[{place}]({address})"
