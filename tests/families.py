"""Which tests belong to what changed, by the modules that they and their rows use."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jaxsci.linalg
import jaxsci.special
from jaxsci._catalog import Row

ROOT = Path(__file__).resolve().parents[1]
FAMILIES = ("special", "linalg")
"""The packages whose modules are families of functions; a change elsewhere concerns no family more
than another."""

_PUBLIC = {"jaxsci.special": jaxsci.special, "jaxsci.linalg": jaxsci.linalg}


def changed_since(commit: str) -> frozenset[str]:
    """The tests' and families' modules that changed, and the families' that use those."""
    listed = subprocess.run(
        ["git", "diff", "--name-only", commit, "--", "jaxsci", "tests"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [Path(line) for line in listed.stdout.splitlines()]
    tests = {p.stem for p in paths if p.parts[0] == "tests" and p.suffix == ".py"}
    stored = {f"_{p.stem}" for p in paths if p.match("tests/data/references/*.json")}
    families = {p.stem for p in paths if len(p.parts) > 2 and p.parts[1] in FAMILIES} | stored
    return frozenset(tests | _with_users(families))


def _with_users(modules: set[str]) -> set[str]:
    """The modules, and those of families that import them, directly or not."""
    users = _users()
    found, new = set(modules), set(modules)
    while new:
        new = {user for module in new for user in users.get(module, ())} - found
        found |= new
    return found


@functools.cache
def _users() -> dict[str, set[str]]:
    """For each module of a family, the others that import it."""
    users: dict[str, set[str]] = {}
    for package in FAMILIES:
        for path in (ROOT / "jaxsci" / package).glob("_[a-z]*.py"):
            for module, _ in _imports(path, f"jaxsci.{package}"):
                users.setdefault(module.rpartition(".")[2], set()).add(path.stem)
    return users


def _imports(path: Path, within: str) -> Iterator[tuple[str, str | None]]:
    """What a file imports from the package: modules, and names of them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(within):
            for alias in node.names:
                if node.module == within and alias.name.startswith("_"):
                    yield f"{within}.{alias.name}", None
                else:
                    yield node.module, alias.name


@functools.cache
def used_by(test_module: str) -> frozenset[str]:
    """The families' modules whose functions a test module imports, and its own name."""
    path = ROOT / "tests" / f"{test_module}.py"
    used = {test_module}
    for package, public in _PUBLIC.items():
        for module, name in _imports(path, package):
            home = getattr(getattr(public, name or "", None), "__module__", module)
            used.add(home.rpartition(".")[2])
    return frozenset(used)


def modules_of(test_module: str, parameters: dict[str, Any]) -> frozenset[str]:
    """What one test belongs to: its row's module where it has a row, else what its module uses."""
    rows = [x for x in _flat(parameters.values()) if isinstance(x, Row)]
    if rows:
        homes = {row.function.__module__.rpartition(".")[2] for row in rows}
        return frozenset(homes | {test_module})
    return used_by(test_module)


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple | list):
            yield from _flat(value)
        else:
            yield value
