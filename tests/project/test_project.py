"""The project itself: what it is made of, what it says about itself, and what may not slip in."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import jaxsci

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

TOP_LEVEL = {
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "benchmarks",
    "docs",
    "jaxsci",
    "mkdocs.yml",
    "notebooks",
    "pyproject.toml",
    "tests",
}
# What building and running leave behind outside a checkout, where no .gitignore is obeyed.
LEFT_BEHIND = {"__pycache__", "build", "dist", "site", "venv"}


def git(*arguments):
    """Lines that git prints, or None where git has nothing to say of this folder."""
    if shutil.which("git") is None:
        return None
    # A hook's GIT_DIR and the like would answer for another repository.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    result = subprocess.run(
        ["git", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    return result.stdout.splitlines() if result.returncode == 0 else None


def project_files():
    """All files of the project: in a checkout, those that git tracks or would track."""
    top = git("rev-parse", "--show-toplevel")
    if top and Path(top[0]).resolve() == ROOT:
        listed = git("-c", "core.quotePath=off", "ls-files", "-co", "--exclude-standard")
        assert listed is not None
        return [path for name in listed if (path := ROOT / name).is_file()]
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and not LEFT_BEHIND.intersection(parts := path.relative_to(ROOT).parts)
        and not any(part.startswith(".") or part.endswith(".egg-info") for part in parts)
    ]


FILES = project_files()


def text_of(path):
    """Text of a file, or None for one that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def test_version_comes_from_one_place_and_heads_the_changelog():
    assert "version" in PYPROJECT["project"]["dynamic"]
    where = PYPROJECT["tool"]["scikit-build"]["metadata"]["version"]["input"]
    source = (ROOT / where).read_text(encoding="utf-8")
    assert re.findall(r'^__version__ = "(.+)"$', source, re.M) == [jaxsci.__version__]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.+?)\]", changelog, re.M)[0] == jaxsci.__version__


def test_top_level_holds_nothing_else():
    found = {path.relative_to(ROOT).parts[0] for path in FILES}
    assert {name for name in found if not name.startswith(".")} == TOP_LEVEL


def test_package_is_marked_as_typed():
    assert (Path(jaxsci.__file__).parent / "py.typed").is_file()


def test_ci_script_is_executable():
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_no_file_names_a_place_on_one_machine():
    place = re.compile(r"(?<![\w.])/(?:work|home|root|tmp|Users|mnt|opt)(?:/|\b)")
    index = re.compile(r"--(?:extra-)?index-url|--find-links|--trusted-host")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in FILES
        for number, line in enumerate((text_of(path) or "").splitlines(), 1)
        for match in (place.search(line), path.name != Path(__file__).name and index.search(line))
        if match
    ]
    assert found == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_was_run_from_top_to_bottom(notebook):
    content = json.loads(notebook.read_text(encoding="utf-8"))
    assert content["metadata"]["kernelspec"]["name"] == "python3"
    cells = [
        cell
        for cell in content["cells"]
        if cell["cell_type"] == "code" and "".join(cell["source"]).strip()
    ]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert outputs
    assert [output for output in outputs if output["output_type"] == "error"] == []
