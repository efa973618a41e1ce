"""How much of scipy.linalg the catalog covers, and what it leaves out."""

from __future__ import annotations

import inspect

import scipy.linalg

from jaxsci.linalg._catalog import CATALOG, Entry

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


def problems() -> list[str]:
    """What keeps the catalog from being complete, one line each."""
    names = scipy_names()
    lines = [f"{n}: neither wrapped nor excluded" for n in names - CATALOG.keys() - set(EXCLUDED)]
    lines += [f"{n}: excluded, but SciPy has it no more" for n in set(EXCLUDED) - names]
    lines += [f"{n}: excluded, but wrapped" for n in EXCLUDED.keys() & CATALOG.keys()]
    lines += [f"{n}: wrapped, but SciPy has it no more" for n in CATALOG.keys() - names]
    return sorted(lines)


def markdown() -> str:
    """A table of all functions."""
    lines = ["| function | what it is | computed by | differentiable |", "|---|---|---|---|"]
    for name in sorted(CATALOG):
        entry = CATALOG[name]
        by = {"host": "SciPy, on the host", "jax": "JAX operations"}[entry.way]
        cells = (f"`{_call(entry)}`", summary(entry), by, entry.differentiable.rstrip("."))
        lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return "\n".join(lines)


def summary(entry: Entry) -> str:
    """The first line of the docstring."""
    return (inspect.getdoc(entry.function) or "").splitlines()[0].rstrip(".")


def _call(entry: Entry) -> str:
    parameters = inspect.signature(entry.function).parameters.values()
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return f"{entry.name}({', '.join(stars.get(p.kind, '') + p.name for p in parameters)})"
