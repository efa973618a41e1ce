"""The documentation: the Python blocks of a page run, in order and in one process."""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PYPROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
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


def other_libraries(code):
    """Those of the extra `examples` that a page imports: (module, distribution)."""
    distributions = {
        re.split(r"[^\w-]", requirement)[0]
        for requirement in PYPROJECT["project"]["optional-dependencies"]["examples"]
    }
    modules = {
        {"orbax-checkpoint": "orbax.checkpoint"}.get(name, name): name for name in distributions
    }
    modules["tensorflow_probability"] = "distrax"  # which requires it
    imported = re.findall(r"^(?:import|from) ([\w.]+)", code, re.M)
    return {
        (module, modules[module])
        for name in imported
        for module in modules
        if f"{name}.".startswith(f"{module}.")
    }


def is_here(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # nor is the package around it
        return False


def test_each_library_of_the_examples_is_on_a_page():
    pages = [page for page in PAGES if page.stem.startswith("beside_")]
    shown = {name for page in pages for _, name in other_libraries(code_of(page))}
    listed = PYPROJECT["project"]["optional-dependencies"]["examples"]
    assert shown == {re.split(r"[^\w-]", requirement)[0] for requirement in listed}
    others = {page for page in PAGES if other_libraries(code_of(page))}
    assert others == set(pages)


@pytest.mark.rotating(0.15)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_run_and_print_what_they_say(page):
    code = code_of(page)
    others = other_libraries(code)
    absent = {distribution for module, distribution in others if not is_here(module)}
    if absent and not os.environ.get("JAXSCI_MUST_HAVE_EXAMPLES"):
        pytest.skip(f"without {', '.join(sorted(absent))}, of the extra 'examples'")
    # Warnings are errors for the reader of an example too. What other libraries have among
    # themselves is theirs to mend.
    ours = "__main__|jaxsci" if others else ""
    program = (
        "import warnings\n"
        f"warnings.filterwarnings('error', module={ours!r})\n"
        f"exec(compile({code!r}, {page.name!r}, 'exec'), {{'__name__': '__main__'}})"
    )
    result = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=DOCS.parent,
        capture_output=True,
        text=True,
        timeout=540 if others else 300,
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
