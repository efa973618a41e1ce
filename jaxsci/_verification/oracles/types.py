"""The word for what oracles compute with."""

from __future__ import annotations

from typing import Any, TypeAlias

Number: TypeAlias = Any
"""A real or complex number of mpmath (which declares no types), or one of Python that it takes."""
