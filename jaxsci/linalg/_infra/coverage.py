"""How much of scipy.linalg the catalog covers, and what it leaves out."""

from __future__ import annotations

import inspect

import scipy.linalg

from jaxsci.linalg._infra.catalog import CATALOG, Entry
from jaxsci.special._catalog.coverage import gaps, table

_HANDLE = "returns handles of compiled routines; no function of arrays"
EXCLUDED = {
    "LinAlgError": "an exception class; JAX's convention is NaN",
    "LinAlgWarning": "a warning class; nothing warns inside a compiled program",
    "find_best_blas_type": _HANDLE,
    "get_blas_funcs": _HANDLE,
    "get_lapack_funcs": _HANDLE,
}
"""Public names of scipy.linalg that are not wrapped, and why."""


def scipy_names() -> set[str]:
    """SciPy's own list of public names of scipy.linalg, its submodules apart."""
    return {
        name for name in scipy.linalg.__all__ if not inspect.ismodule(getattr(scipy.linalg, name))
    }


def count() -> str:
    """The number of functions, beside the number of SciPy's."""
    return (
        f"{len(CATALOG)} of {len(scipy_names() - set(EXCLUDED))} public functions of scipy.linalg"
    )


def entries() -> dict[str, Entry]:
    """What the command line prints, by name."""
    return CATALOG


def problems() -> list[str]:
    """What keeps the catalog from being complete, one line each."""
    return gaps(scipy_names(), CATALOG.keys(), EXCLUDED.keys())


def markdown() -> str:
    """A table of all functions."""
    by = {"host": "SciPy, on the host", "jax": "JAX operations"}
    entries = (entry for _, entry in sorted(CATALOG.items()))
    return table(
        ("function", "what it is", "computed by", "differentiable"),
        ((f"`{_call(e)}`", summary(e), by[e.way], e.differentiable.rstrip(".")) for e in entries),
    )


def summary(entry: Entry) -> str:
    """The first line of the docstring."""
    return (inspect.getdoc(entry.function) or "").splitlines()[0].rstrip(".")


def _call(entry: Entry) -> str:
    # With the arguments that an older SciPy lacks: the docs are those of the newest.
    parameters = inspect.signature(inspect.unwrap(entry.function)).parameters.values()
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return f"{entry.name}({', '.join(stars.get(p.kind, '') + p.name for p in parameters)})"
