"""Which tests belong to what changed, by the modules that they and their rows use."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from imported_names import imported_names, parsed

import jaxsci.linalg
import jaxsci.special  # noqa: F401  (fills the catalogs)
from jaxsci.linalg._infra.catalog import CATALOG as OF_MATRICES
from jaxsci.special._catalog.decorators import CATALOG, Row

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("special", "linalg")
"""The packages whose modules are families of functions; a change elsewhere concerns no family more
than another."""

_PUBLIC = {
    "jaxsci.special": {name: row.home for name, row in CATALOG.items()},
    "jaxsci.linalg": {name: entry.home for name, entry in OF_MATRICES.items()},
}


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
    stored = {
        f"jaxsci.special._{p.parent.name}.{p.stem}"
        for p in paths
        if p.match("tests/data/references/*/*.json")
    }
    families = {
        ".".join(p.with_suffix("").parts)
        for p in paths
        if p.suffix == ".py" and len(p.parts) > 2 and p.parts[1] in FAMILIES
    }
    return frozenset(tests | _with_users(families | stored))


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
        for path in (ROOT / "jaxsci" / package).rglob("*.py"):
            if path.name == "__init__.py":
                continue
            user = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for module in _imports(path):
                users.setdefault(module, set()).add(user)
    return users


def _imports(path: Path) -> Iterator[str]:
    """The families' modules that a file imports, or imports functions of."""
    for name in imported_names(parsed(path)):
        package, _, member = name.rpartition(".")
        if package.startswith(tuple(_PUBLIC)):
            is_module = (ROOT / name.replace(".", "/")).with_suffix(".py").exists()
            home = _PUBLIC.get(package, {}).get(member) or package
            yield name if is_module else home


@functools.cache
def used_by(test_module: str) -> frozenset[str]:
    """The families' modules whose functions a test module imports, and its own name."""
    (path,) = (ROOT / "tests").glob(f"*/{test_module}.py")
    return frozenset({test_module, *_imports(path)})


def modules_of(test_module: str, parameters: dict[str, Any]) -> frozenset[str]:
    """What one test belongs to: its row's module where it has a row, else what its module uses."""
    rows = [x for x in _flat(parameters.values()) if isinstance(x, Row)]
    if rows:
        return frozenset({test_module, *(row.home for row in rows)})
    return used_by(test_module)


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple | list):
            yield from _flat(value)
        else:
            yield value
