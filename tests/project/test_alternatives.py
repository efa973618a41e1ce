"""The benchmark beside other libraries: what it says of errors, and how it is written down."""

import importlib
import json
import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg

from jaxsci import special

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch):
    """Loads one of its modules."""
    monkeypatch.syspath_prepend(FOLDER)
    there = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - there:
        if (FOLDER / f"{name}.py").is_file():
            del sys.modules[name]


@pytest.mark.parametrize("order", [0, 1, 2])
def test_errors_are_those_of_the_quantity(benchmark, order):
    contenders = benchmark("contenders")
    truth = benchmark("truths").truth_of("erfcx", 0)
    found = np.asarray(contenders.derivative(special.erfcx, 0, order)(*map(jnp.asarray, truth.at)))
    assert truth.errors(order, found)[1] < 1e-12
    off = truth.errors(order, found * (1 + 1e-8))[0]  # less than 1e-8 if ill-conditioned
    assert 1e-9 < off < 1.01e-8
    assert truth.errors(order, np.where(np.arange(found.size) == 3, np.nan, found))[1] == np.inf


def test_truth_of_the_exponential(benchmark):
    truth = benchmark("truths").truth_of("expm", 0)
    (a,) = truth.at
    assert truth.errors(0, scipy.linalg.expm(a))[1] < 1e-14

    def slope(a):
        return np.asarray(scipy.linalg.expm_frechet(a, np.ones_like(a), compute_expm=False))

    assert truth.errors(1, slope(a))[1] < 1e-14
    h = 1e-3
    assert truth.errors(2, (slope(a + h) - slope(a - h)) / (2 * h))[1] < 1e-4


@pytest.mark.rotating(1)
def test_one_function_is_measured(benchmark, capsys):
    found = benchmark("alternatives").measured("erfcx", [1, 10])
    there = {(r.library, r.quantity) for r in found}
    assert {("jaxsci", "value"), ("jaxsci", "second derivative"), ("SciPy", "value")} <= there
    assert ("pure_callback", "value") in there
    assert ("pure_callback", "gradient") not in there
    assert "pure_callback has no gradient" in capsys.readouterr().out
    for r in found:
        assert set(r.seconds) == {"1", "10"}
        assert (r.compile is None) == (r.library in ("SciPy", "PyTorch"))


def test_table_and_page(benchmark):
    alternatives = benchmark("alternatives")
    result = alternatives.Result("j0", "jaxsci", "value", (1e-16, None), 0.05, {"1": 2.5e-6})
    data = {
        "machine": "a processor", "versions": {"jax": "1"}, "sizes": [1, 1000],
        "results": [vars(result), vars(result) | {"library": "SciPy", "compile": None}],
    }  # fmt: skip
    lines = alternatives.markdown(data).splitlines()
    assert lines[2] == "| `j0` | value | jaxsci | 1e-16 | inf | 50 ms | 2.5 us | too long |"
    assert lines[3] == "|  |  | SciPy | 1e-16 | inf |  | 2.5 us | too long |"
    assert lines[-1] == "Measured on a processor; jax 1."
    page = "a\n<!-- table -->\nold\n<!-- end of table -->\nb\n"
    once = alternatives.into_page(page, "new")
    assert once == alternatives.into_page(once, "new")
    assert "old" not in once
    with pytest.raises(ValueError, match="no marks"):
        alternatives.into_page("a", "new")


def test_tables_are_those_of_the_data(benchmark):
    alternatives = benchmark("alternatives")
    data = json.loads(alternatives.DATA.read_text(encoding="utf-8"))
    page = (alternatives.DOCS / "alternatives.md").read_text(encoding="utf-8")
    assert alternatives.into_page(page, alternatives.markdown(data)) == page
    readme = alternatives.README.read_text(encoding="utf-8")
    assert alternatives.into_page(readme, alternatives.summary(data)) == readme


def test_table_of_kernels_is_that_of_the_data(benchmark):
    kernels = benchmark("kernels")
    data = json.loads(kernels.DATA.read_text(encoding="utf-8"))
    page = (kernels.DOCS / "devices.md").read_text(encoding="utf-8")
    assert kernels.into_page(page, kernels.markdown(data)) == page
    for name in {r["function"] for r in data["results"]}:
        assert kernels.CATALOG[name].kernel is not None
