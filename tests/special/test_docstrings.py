"""Docstrings: every argument is explained, and examples run."""

from __future__ import annotations

import inspect
import re

import docstring_sessions
import jax.numpy as jnp
import pytest

from jaxsci import linalg, special
from jaxsci.linalg._infra.catalog import CATALOG as MATRIX_FUNCTIONS
from jaxsci.special._catalog.row import CATALOG, SampledRow

SAMPLED = [row for row in CATALOG.values() if isinstance(row, SampledRow)]
WITH_SESSION = [name for name, row in CATALOG.items() if ">>> " in (row.function.__doc__ or "")]
OF_MATRICES = {name: entry.function.__doc__ or "" for name, entry in MATRIX_FUNCTIONS.items()}


@pytest.mark.parametrize("row", SAMPLED, ids=[row.name for row in SAMPLED])
def test_every_argument_is_explained(row):
    text = " ".join((inspect.getdoc(row.function) or "").split())
    for argument in row.arguments:
        assert argument.meaning, f"{row.name}: the docstring does not say what {argument.name} is"
        assert f"{argument.name}: {argument.meaning}" in text


@pytest.mark.rotating(0.022)
@pytest.mark.parametrize("name", WITH_SESSION)
def test_example_runs(name):
    assert docstring_sessions.run(inspect.getdoc(getattr(special, name)) or "", name).attempted


@pytest.mark.rotating(0.022)
@pytest.mark.parametrize("name", OF_MATRICES)
def test_example_of_linalg_runs(name):
    assert docstring_sessions.run(inspect.getdoc(getattr(linalg, name)) or "", name).attempted


@pytest.mark.parametrize("name", OF_MATRICES)
def test_sections_of_linalg_stand_at_the_margin(name):
    """What the catalog adds is no part of the section before it, whatever Python's indentation."""
    for section in ("Returns:", "Differentiable:", "Computed by:", "Source:"):
        assert re.search(f"^{section}", OF_MATRICES[name], re.MULTILINE), section


def test_an_example_with_another_digit_fails():
    with pytest.raises(AssertionError, match="Expected"):
        docstring_sessions.run(">>> j0(1.0)\nArray(0.76519770, dtype=float64)\n", "j0")
    session = ">>> print(j0(1.0))\n0.765198\n"
    assert docstring_sessions.run(session, "j0").attempted == 1
    assert jnp.isclose(special.j0(1.0), 0.765198)
