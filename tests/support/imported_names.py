"""What files import, read and not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def parsed(path: Path) -> ast.Module:
    """A file's syntax."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_names(tree: ast.AST, *, for_types: bool = True) -> Iterator[str]:
    """Dotted names of what is imported: modules, and what is taken from them.

    Args:
        tree: the syntax.
        for_types: whether what only type checkers import counts.
    """
    if not for_types and isinstance(tree, ast.If) and ast.unparse(tree.test) == "TYPE_CHECKING":
        return
    if isinstance(tree, ast.Import):
        yield from (alias.name for alias in tree.names)
    elif isinstance(tree, ast.ImportFrom) and tree.module:
        yield from (f"{tree.module}.{alias.name}" for alias in tree.names)
    for node in ast.iter_child_nodes(tree):
        yield from imported_names(node, for_types=for_types)
