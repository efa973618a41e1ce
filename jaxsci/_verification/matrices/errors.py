"""How errors of functions of matrices are written; the documentation has no mpmath."""

from __future__ import annotations


def error_text(error: float | None) -> str:
    """An error; None is that of a result that is NaN."""
    return "NaN" if error is None else f"{error:.2g}"
