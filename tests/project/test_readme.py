"""The README: its Python blocks run, its commands are those of .ci/run, its links lead on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI_RUN = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def blocks(language):
    """All fenced blocks of a language, as (heading, text)."""
    found, heading = [], ""
    for match in re.finditer(rf"^## ([^\n]+)$|^```{language}\n(.*?)^```$", README, re.M | re.S):
        if match[1]:
            heading = match[1]
        else:
            found.append((heading, match[2]))
    return found


def run_python(*arguments):
    # Warnings are errors for the reader of an example too.
    return subprocess.run(
        # -P: what was installed, not what lies in the current directory.
        [sys.executable, "-P", "-W", "error", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


PYTHON = blocks("python")
# A one-line command makes an environment, installs, and runs something in it.
ONE_LINERS = [
    text.strip() for _, text in blocks("sh") if text.startswith("python3 -m venv .venv && ")
]


@pytest.mark.parametrize(
    "code", [pytest.param(text, id=heading.replace(" ", "-").lower()) for heading, text in PYTHON]
)
def test_python_block_runs_and_prints_what_it_says(code):
    result = run_python("-c", code)
    assert result.returncode == 0, result.stderr
    said = re.findall(r"^print\(.*\)  # (.*)$", code, re.M)
    assert result.stdout.splitlines() == said


def test_there_are_one_liners_for_the_demo_and_the_tests():
    assert [re.findall(r"pip install '(.+?)'", line) for line in ONE_LINERS] == [
        [".[notebooks]"],
        [".[test]"],
    ]
    assert all("\n" not in line for line in ONE_LINERS)


@pytest.mark.parametrize("line", ONE_LINERS)
def test_ci_runs_the_command_of_the_one_liner(line):
    command = line.rpartition(" && ")[2].removeprefix(".venv/bin/")
    assert command in ("jaxsci demo", "pytest")
    # The whole command, with no further arguments.
    assert re.search(rf"(^section \w+ |&& ){re.escape(command)}\)?$", CI_RUN, re.M)


def test_ci_installs_what_the_readme_tells_developers_to_install():
    assert "pip install -e '.[dev]'" in README
    assert re.search(r"pip install -qq '\.\[dev\]'$", CI_RUN, re.M)


def test_coverage_count_is_that_of_the_catalog():
    stated = re.search(r"<!-- coverage -->(.*?)<!-- /coverage -->", README)
    assert stated is not None
    result = run_python("-m", "jaxsci", "catalog", "--count")
    assert result.returncode == 0, result.stderr
    assert stated[1] == result.stdout.strip()


def test_links_lead_somewhere():
    anchors = {"#" + h.lower().replace(" ", "-") for h in re.findall(r"^#+ (.+)$", README, re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if target.startswith("#"):
            assert target in anchors
        elif not target.startswith("https://"):
            assert (ROOT / target).exists(), target
