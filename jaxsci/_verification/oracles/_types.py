"""The word for what oracles compute with."""

from __future__ import annotations

from typing import Any, TypeAlias

__all__: list[str] = []  # of the oracles; there is none here

Number: TypeAlias = Any
"""A real or complex number of mpmath (which declares no types), or one of Python that it takes."""
