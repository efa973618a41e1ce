"""Multi-precision functions that mpmath lacks, for the reference expressions of rows.

Each module here defines some in mpmath's arithmetic, at the precision that is set, from a
definition that the package itself does not compute with.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable

from jaxsci._verification.oracles._types import Number


def functions() -> dict[str, Callable[..., Number]]:
    """Every function that a module here lists in ``__all__``, by name."""
    found: dict[str, Callable[..., Number]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        found |= {name: getattr(module, name) for name in module.__all__}
    return found
