"""Imports point down: from the public face to families, kernels, numerics and the core."""

from __future__ import annotations

import graphlib
from pathlib import Path

import pytest
from imported_names import imported_names, parsed

ROOT = Path(__file__).resolve().parents[2]

FAMILIES = (
    "gamma",
    "combinatorics",
    "elementary",
    "bessel",
    "incomplete",
    "distributions",
    "error",
    "elliptic",
    "legendre",
    "orthogonal",
    "hypergeometric",
    "mathieu",
    "spheroidal",
    "parabolic",
)
"""Those that use others come after them."""
LAYERS = (
    ("_core", "_native"),
    ("callback",),
    ("__init__",),
    ("special._numerics",),
    ("special._catalog",),
    *((f"special._{family}",) for family in FAMILIES),
    ("special.__init__",),
    ("linalg._infra",),
    ("linalg._kernels",),
    ("linalg",),
    ("_terminal", "_docstring_lines"),
    ("_progress",),
    ("_verification",),
    ("_demo",),
    ("__main__",),
)
"""The lowest first; what stands in one line may import each other."""


def _modules() -> dict[str, Path]:
    """The files of the package, by their names within it."""
    package = ROOT / "jaxsci"
    return {
        ".".join(path.relative_to(package).with_suffix("").parts): path
        for path in package.rglob("*.py")
    }


MODULES = _modules()


def _module_of(name: str) -> str:
    """The module that a name is, or belongs to."""
    parts = name.split(".")[1:]
    for end in range(len(parts), -1, -1):
        for module in (".".join(parts[:end]), ".".join([*parts[:end], "__init__"])):
            if module in MODULES:
                return module
    raise AssertionError(name)


IMPORTS = {
    module: {
        _module_of(name)
        for name in imported_names(parsed(path), for_types=False)
        if name.split(".")[0] == "jaxsci"
    }
    for module, path in MODULES.items()
}


def layer(module: str) -> int:
    """Where a module stands."""
    fits = [
        (len(prefix), i)
        for i, prefixes in enumerate(LAYERS)
        for prefix in prefixes
        if module == prefix or module.startswith(f"{prefix}.")
    ]
    assert fits, f"{module} belongs to no layer"
    return max(fits)[1]


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_point_down(module):
    upwards = {other for other in IMPORTS[module] if layer(other) > layer(module)}
    assert not upwards


def test_no_import_is_circular():
    list(graphlib.TopologicalSorter(IMPORTS).static_order())


@pytest.mark.parametrize("module", sorted(m for m in MODULES if ".kernels." in m))
def test_kernels_get_the_functions_of_their_family_as_arguments(module):
    family = module.split(".kernels.")[0]
    own = {other for other in IMPORTS[module] if other.startswith(f"{family}.")}
    assert all(other.startswith(f"{family}.kernels.") for other in own)


def test_only_public_names_stand_in_the_public_packages():
    for package in ("special", "linalg"):
        names = {m.split(".")[1] for m in MODULES if m.startswith(f"{package}.")}
        assert all(name.startswith("_") for name in names)
