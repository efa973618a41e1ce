"""Public names of SciPy that are not wrapped, and why."""

from __future__ import annotations

import inspect

import scipy.special

NOT_FUNCTIONS = {
    "SpecialFunctionError": "an exception class",
    "SpecialFunctionWarning": "a warning class",
    "errstate": "switches SciPy's error handling; JAX's convention is NaN, on every thread",
    "geterr": "asks for SciPy's error handling; see errstate",
    "seterr": "switches SciPy's error handling; see errstate",
}
"""Names that compute no number."""

EXCLUDED: dict[str, str] = dict(NOT_FUNCTIONS)
"""Every name of scipy.special without a row, with the reason."""


def scipy_names() -> set[str]:
    """SciPy's own list of public names of scipy.special, its deprecated submodules apart."""
    return {
        name for name in scipy.special.__all__ if not inspect.ismodule(getattr(scipy.special, name))
    }
