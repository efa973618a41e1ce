"""The documentation: the Python blocks of a page run, in order and in one process."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
# Made while the site is built: test_site.py knows of what.
GENERATED = re.compile(r"(special|linalg)/\w+\.md|changelog\.md")


def text_of(page):
    return page.read_text(encoding="utf-8")


def code_of(page):
    """The blocks marked as python, on the lines where they stand, so that tracebacks lead there."""
    lines, inside = [], False
    for line in text_of(page).splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines)


@pytest.mark.rotating(0.2)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_run_and_print_what_they_say(page):
    code = code_of(page)
    program = f"exec(compile({code!r}, {page.name!r}, 'exec'), {{'__name__': '__main__'}})"
    result = subprocess.run(
        # Warnings are errors for the reader of an example too.
        [sys.executable, "-P", "-W", "error", "-c", program],
        cwd=DOCS.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    said = re.findall(r"^ *print\(.*\)  # (.*)$", code, re.M)
    printed = result.stdout.splitlines()
    assert len(printed) == len(said)
    for line, comment in zip(printed, said, strict=True):
        # What JAX itself does is another thing in another version: test_traps.py knows which.
        alternatives = re.split(r" \(from JAX 0\.[\d.]+ on: ", comment.removesuffix(")"))
        assert line in (comment, *alternatives)


def heading_anchors(page):
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text_of(page), flags=re.M | re.S), re.M
    )
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text_of(page)):
        file, _, anchor = target.partition("#")
        other = (page.parent / file).resolve() if file else page
        if GENERATED.fullmatch(other.relative_to(DOCS).as_posix()):
            continue
        assert other.exists(), target
        assert not anchor or anchor in heading_anchors(other), target
