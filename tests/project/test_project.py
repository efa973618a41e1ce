"""The project itself: what it is made of, what it says about itself, and what may not slip in."""

import importlib.metadata
import json
import os
import re
import runpy
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from seeded_defects import DEFECTS

import jaxsci
from jaxsci import _native

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

TOP_LEVEL = {
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "benchmarks",
    "docs",
    "jaxsci",
    "mkdocs.yml",
    "notebooks",
    "packaging",
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


def test_other_files_name_the_same_version():
    for name, line in {
        "CITATION.cff": f"version: {jaxsci.__version__}",
        "packaging/conda/recipe.yaml": f'  version: "{jaxsci.__version__}"',
    }.items():
        assert line in (ROOT / name).read_text(encoding="utf-8").splitlines()


def test_the_recipe_requires_what_the_package_does():
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    block = recipe.partition("  run:\n")[2].partition("\n\n")[0]
    required = {re.sub(r"[\s-]", "", line) for line in block.splitlines()}
    expected = {f"python{PYPROJECT['project']['requires-python']}"}
    assert required == expected | set(PYPROJECT["project"]["dependencies"])


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md"])
def test_files_that_are_named_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w/])((?:\.github|\.ci|docs|jaxsci|packaging|tests)/[\w./*-]*)", text)
    assert named
    assert [path for path in named if not list(ROOT.glob(path.rstrip("./")))] == []


def test_security_quotes_what_the_handler_says():
    source = (ROOT / "jaxsci" / "_native" / "registry.cc").read_text(encoding="utf-8")
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "no such NumPy ufunc" in text
    assert "no such NumPy ufunc: " in source
    assert "has no loop" in text
    assert f"`{_native.TARGET}`" in text


LICENCES = runpy.run_path(str(ROOT / ".ci" / "licences"))


def test_licences_of_what_it_depends_on_are_permissive(capsys):
    names = [re.split(r"[^\w-]", r)[0] for r in PYPROJECT["project"]["dependencies"]]
    assert LICENCES["main"](names) == 0
    assert "jaxlib" in capsys.readouterr().out  # which jax requires


@pytest.mark.parametrize(
    ("metadata", "found"),
    [
        ("License-Expression: BSD-3-Clause AND GPL-3.0-only", {"BSD-3-Clause", "GPL-3.0-only"}),
        ("License-Expression: Apache-2.0 WITH LLVM-exception", {"Apache-2.0"}),
        ("License: Apache 2.0", {"Apache-2.0"}),
        ("License: GPL v3", {"GPL v3"}),
        ("Classifier: License :: OSI Approved :: MIT License", {"MIT"}),
        ("Classifier: License :: OSI Approved :: GNU General Public License", None),
        ("Summary: says nothing", {"(none)"}),
    ],
)
def test_licences_are_read_from_metadata(tmp_path, metadata, found):
    folder = tmp_path / "some-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: some\n{metadata}\n")
    held = LICENCES["licences"](importlib.metadata.PathDistribution(folder))
    assert held == (found or {"GNU General Public License"})
    assert (held <= LICENCES["PERMISSIVE"]) == (held in ({"Apache-2.0"}, {"MIT"}))


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


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.what)
def test_a_seeded_defect_is_one_of_these_sources(defect):
    """They are put in by replacing text, which may have changed since."""
    assert defect.right in (ROOT / "jaxsci" / defect.file).read_text(encoding="utf-8")
