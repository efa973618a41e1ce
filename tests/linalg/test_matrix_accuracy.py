"""Errors of functions of matrices: the oracle's own equations, and no error has grown."""

import jax.numpy as jnp
import numpy as np
import pytest
import scipy

from jaxsci import linalg
from jaxsci._verification.matrices import digits, ensembles, measure, problems, run
from jaxsci._verification.matrices.digits import mp
from jaxsci._verification.matrices.ensembles import ILL, WELL
from jaxsci.linalg._infra.catalog import CATALOG

DATA = run.stored()
GROWN = 8
"""Another LAPACK moves the last digits: so many times as much is no growth, nor as many ε."""


def matrix(kind, quality, seed=0):
    return measure._exact(ensembles.drawn(kind, quality, np.random.default_rng(seed)))


def small(residual, size=1):
    return mp.norm(residual) <= mp.norm(size) * mp.mpf(10) ** -70


@pytest.fixture(autouse=True)
def many_digits():
    with mp.workdps(measure.DIGITS):
        yield


@pytest.mark.parametrize("quality", [WELL, ILL])
def test_functions_solve_the_equations_that_define_them(quality):
    a = matrix("positive", quality)
    assert small(mp.expm(digits.of_eigenvalues(mp.log, a)) - a, a)
    assert small(digits.of_eigenvalues(mp.sqrt, a) ** 2 - a, a)
    signs = matrix("signs", quality)
    s = digits.of_eigenvalues(mp.sign, signs)
    assert small(s * s - digits.identity(4), s)
    assert small(s * signs - signs * s, s)
    assert sorted(round(float(mp.re(w))) for w in mp.eig(s, left=False, right=False)) == [
        -1, -1, 1, 1,
    ]  # fmt: skip


@pytest.mark.parametrize("quality", [WELL, ILL])
def test_factors_have_the_wanted_product_and_form(quality):
    a = matrix("general", quality)
    q, r = digits.factors_without_signs(a)
    assert small(q * r - a, a)
    assert small(q.T * q - digits.identity(4))
    assert small(digits.lower_part(r) - mp.diag([r[i, i] for i in range(4)]))
    lower, upper = digits.eliminated(a)
    assert all(abs(x) <= 1 for x in lower)
    rows = sorted([float(x) for x in digits.row(lower * upper, i)] for i in range(4))
    assert np.allclose(rows, sorted([float(x) for x in digits.row(a, i)] for i in range(4)), 1e-12)
    h = digits.hessenberg_without_signs(a)
    assert small(mp.det(h) - mp.det(a), mp.det(a))
    assert h[2, 0] == h[3, 0] == h[3, 1] == 0
    r = digits.triangular_from_the_left(a)
    assert small(r * r.T - a * a.T, a)
    u = digits.unitary_factor(a)
    assert small(u.T * u - digits.identity(4))
    assert small(u.T * a - (u.T * a).T, a)


@pytest.mark.parametrize("quality", [WELL, ILL])
def test_equations_are_solved(quality):
    a, b, q = (matrix(k, quality, i) for i, k in enumerate(("positive", "symmetric", "general")))
    x = digits.sylvester(a, b, q)
    assert small(a * x + x * b - q, x)
    c = matrix("contracting", quality)
    x = digits.stein(c, b)
    assert small(c * x * c.T - x + b, x)


@pytest.mark.parametrize("quality", [WELL, ILL])
@pytest.mark.parametrize("name", ["solve_continuous_are", "solve_discrete_are"])
def test_riccatis_equations_are_solved_by_the_stabilising_solution(name, quality):
    rng = np.random.default_rng(3)
    problem = problems.PROBLEMS[name]
    xs = [ensembles.drawn(kind, quality, rng) for kind in problem.kinds]
    assert problem.start is not None
    x = problem.truth(*map(measure._exact, xs), problem.start(*xs))
    a, b, q, r = map(measure._exact, xs)
    r = r * r.T + digits.identity(2)
    if name == "solve_continuous_are":
        gain = digits.solved(r, b.T * x)
        assert small(a.T * x + x * a - x * b * gain + q, x)
        assert all(mp.re(w) < 0 for w in mp.eig(a - b * gain, left=False, right=False))
    else:
        gain = digits.solved(r + b.T * x * b, b.T * x * a)
        assert small(a.T * x * a - x - a.T * x * b * gain + q, x)
        assert all(abs(w) < 1 for w in mp.eig(a - b * gain, left=False, right=False))


def test_a_wrong_digit_is_seen(monkeypatch):
    def off(a):
        return linalg.inv(a) * (1 + 1e-12 * jnp.linalg.norm(a))

    monkeypatch.setitem(problems.PROBLEMS, "inv", problems.Problem(("general",), off, mp.inverse))
    found = measure.measured("inv")
    assert run.is_off("inv", found)
    value, slope = found[WELL]["value"], found[WELL]["derivative"]
    assert value is not None
    assert value > 1000
    assert slope is not None
    assert slope > 1000
    monkeypatch.setitem(
        problems.PROBLEMS, "inv",
        problems.Problem(("general",), lambda a: linalg.inv(a) * jnp.nan, mp.inverse),
    )  # fmt: skip
    assert measure.measured("inv")[ILL]["value_conditioned"] is None


def test_what_is_measured_is_stored_and_told():
    assert set(DATA["of"]) == set(problems.PROBLEMS) <= set(CATALOG)
    assert not [name for name, found in DATA["of"].items() if run.is_off(name, found)]
    text = (run.STORE.parents[1] / "accuracy.md").read_text(encoding="utf-8")
    assert run.markdown(DATA["of"]) in text


@pytest.mark.rotating(0.05)
@pytest.mark.parametrize("name", problems.PROBLEMS)
def test_no_error_of_a_function_of_matrices_has_grown(name):
    # Values are SciPy's own: another version's may be worse (those of 1.17's cosm are).
    scipys_own = f"scipy {scipy.__version__}," not in DATA["versions"]
    for quality, errors in measure.measured(name).items():
        for part, error in errors.items():
            if scipys_own and part.startswith("value"):
                continue
            before = DATA["of"][name][quality][part]
            if error is None or before is None:
                assert error is before, (quality, part)
            else:
                assert error <= GROWN * (before + 1), (quality, part)
