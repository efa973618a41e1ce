"""Lyapunov's and Riccati's equations: many digits, published problems, edges, no results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import matrix_equations as equations
import numpy as np
import pytest
import riccati_problems
import scipy.linalg
from linalg_cases import hermitian, normal, positive

from jaxsci.linalg._infra.blas import one_thread
from jaxsci.linalg._lyapunov import (
    solve_continuous_lyapunov,
    solve_discrete_lyapunov,
    solve_lyapunov,
)
from jaxsci.linalg._riccati import solve_continuous_are, solve_discrete_are
from jaxsci.linalg._sylvester import solve_sylvester

pytestmark = pytest.mark.rotating(0.038)

LYAPUNOV = {
    "continuous": (
        solve_continuous_lyapunov,
        equations.continuous_lyapunov,
        equations.continuous_terms,
    ),
    "discrete": (solve_discrete_lyapunov, equations.discrete_lyapunov, equations.discrete_terms),
}
RICCATI: dict[str, tuple[Any, Any]] = {
    "continuous": (solve_continuous_are, scipy.linalg.solve_continuous_are),
    "discrete": (solve_discrete_are, scipy.linalg.solve_discrete_are),
}
PARTS = {"continuous": equations.continuous_parts, "discrete": equations.discrete_parts}

each_lyapunov = pytest.mark.parametrize("kind", LYAPUNOV)
each_riccati = pytest.mark.parametrize("kind", RICCATI)


def error(found, expected):
    return np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))


def derivatives(function, given, tangents):
    """Value, first and second derivative along a direction."""

    def first(*xs):
        return jax.jvp(function, xs, tuple(tangents))

    (value, slope), (_, curvature) = jax.jit(lambda *xs: jax.jvp(first, xs, tuple(tangents)))(
        *given
    )
    return value, slope, curvature


def assert_as_exact(found, expected, condition):
    assert condition < 1e4
    assert error(found[0], expected[0]) < 1e-14 * condition
    assert error(found[1], expected[1]) < 1e-13 * condition
    assert error(found[2], expected[2]) < 1e-12 * condition


# -- Lyapunov --------------------------------------------------------------------------------------


@each_lyapunov
@pytest.mark.parametrize(
    ("m", "is_complex"), [(1, False), (2, True), (3, False), (5, True), (8, False)]
)
def test_lyapunov_and_two_derivatives_to_many_digits(kind, m, is_complex):
    function, oracle, terms = LYAPUNOV[kind]
    rng = np.random.default_rng([m, is_complex])
    a = normal(rng, (m, m), is_complex) / (3 * np.sqrt(m))
    a = a + np.eye(m) if kind == "continuous" else a
    given = [a, normal(rng, (m, m), is_complex)]
    tangents = [normal(rng, (m, m), is_complex) for _ in given]
    condition = np.linalg.cond(equations.operator(terms(a)))
    expected = equations.along(oracle, given, tangents)
    assert_as_exact(derivatives(function, given, tangents), expected, condition)


@pytest.mark.parametrize("method", ["direct", "bilinear"])
@pytest.mark.parametrize("m", [1, 4, 12])
def test_discrete_lyapunov_methods_give_scipys_bits(method, m):
    rng = np.random.default_rng(m)
    a, q = normal(rng, (m, m), False), normal(rng, (m, m), False)
    with one_thread():  # several BLAS threads add up in another order
        expected = scipy.linalg.solve_discrete_lyapunov(a, q, method=method)
        default = scipy.linalg.solve_discrete_lyapunov(a, q)
    found = solve_discrete_lyapunov(a, q, method=method.upper())
    assert error(found, expected) < 1e-14
    assert error(solve_discrete_lyapunov(a, q), default) < 1e-14


def test_derivatives_are_the_same_for_each_method_where_the_bilinear_one_is_delicate():
    """An eigenvalue near -1, where a + 1 is almost singular."""
    a = np.array([[-1 + 1e-6, 0.3], [0.0, 0.5]])
    q, along = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.1, 0.2], [-0.3, 0.4]])
    exact = equations.along(equations.discrete_lyapunov, [a, q], [along, q])
    for method in ("direct", "bilinear"):
        found = derivatives(
            lambda a, q, method=method: solve_discrete_lyapunov(a, q, method), [a, q], [along, q]
        )
        assert error(found[0], exact[0]) < 1e-9, method
        assert error(found[1], exact[1]) < 1e-9, method


@pytest.mark.parametrize("m", [2, 3, 6, 20])
def test_nearly_singular_lyapunov_is_nan(m):
    """Not some large matrix, however the rounding errors of the Schur form fall."""
    rng = np.random.default_rng(m)
    continuous, discrete = [], []
    for _ in range(20):
        basis = normal(rng, (m, m), False)
        spectrum = rng.uniform(0.1, 2, m)
        spectrum[1] = -spectrum[0]
        continuous.append(basis @ np.diag(spectrum) @ np.linalg.inv(basis))
        spectrum = rng.uniform(0.1, 2, m)
        spectrum[:2] = rng.choice([[3, 1 / 3], [1, 0.5], [-1, 0.5]])
        discrete.append(basis @ np.diag(spectrum) @ np.linalg.inv(basis))
    q = normal(rng, (m, m), False)
    assert np.all(np.isnan(solve_continuous_lyapunov(np.stack(continuous), q)))
    for method in ("direct", "bilinear"):
        assert np.all(np.isnan(solve_discrete_lyapunov(np.stack(discrete), q, method=method)))


def test_singular_lyapunov_is_nan_in_its_own_slice():
    a = np.stack([np.eye(2), np.diag([1.0, -1.0]), 3 * np.eye(2), np.zeros((2, 2))])
    q = np.ones((2, 2))
    x = np.asarray(solve_continuous_lyapunov(a, q))
    np.testing.assert_allclose(x[0], q / 2, rtol=1e-15)
    np.testing.assert_allclose(x[2], q / 6, rtol=1e-15)
    assert np.all(np.isnan(x[[1, 3]]))
    x = np.asarray(solve_discrete_lyapunov(a, q))
    assert np.all(np.isnan(x[[0, 1]]))
    np.testing.assert_allclose(x[2], -q / 8, rtol=1e-15)
    np.testing.assert_allclose(x[3], q, rtol=1e-15)
    # A nilpotent part of three eigenvalues 1, which rounding scatters over a circle.
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(normal(rng, (3, 3), False))[0]
    jordan = basis @ (np.eye(3) + np.eye(3, k=1)) @ basis.T
    assert np.all(np.isnan(solve_discrete_lyapunov(jordan, np.eye(3))))
    assert np.all(np.isnan(solve_continuous_lyapunov(jordan - np.eye(3), np.eye(3))))


def test_ill_conditioned_lyapunov_still_has_a_result():
    """Eigenvalues that nearly add up to zero, but not to rounding; entries of any size."""
    a = np.array([[1.0, 0.3], [0.0, -1.0 + 1e-9]])
    expected = equations.along(equations.continuous_lyapunov, [a, np.eye(2)], [a, a])[0]
    assert error(solve_continuous_lyapunov(a, np.eye(2)), expected) < 1e-6
    graded = np.diag([1e10, 0.5])
    for method in ("direct", "bilinear"):
        x = solve_discrete_lyapunov(graded, np.eye(2), method=method)
        np.testing.assert_allclose(x, np.diag([-1e-20, 4 / 3]), rtol=1e-14)
    tiny = np.array([[2.0, 1.0], [0.0, 3.0]]) * 1e-200
    expected = solve_continuous_lyapunov(tiny * 1e200, np.eye(2))
    assert error(solve_continuous_lyapunov(tiny, np.eye(2) * 1e-200), np.asarray(expected)) < 1e-14


def test_derivatives_at_defective_matrices():
    """A Jordan block, where the eigenvectors are no basis."""
    rng = np.random.default_rng(1)
    a = 0.5 * np.eye(3) + np.eye(3, k=1)
    given, tangents = [a, np.eye(3)], [normal(rng, (3, 3), False) for _ in range(2)]
    for function, oracle, terms in LYAPUNOV.values():
        expected = equations.along(oracle, given, tangents)
        condition = np.linalg.cond(equations.operator(terms(a)))
        assert_as_exact(derivatives(function, given, tangents), expected, condition)


def test_lyapunov_edges():
    for function in (solve_continuous_lyapunov, solve_lyapunov, solve_discrete_lyapunov):
        assert function(np.zeros((0, 0)), np.zeros((0, 0))).shape == (0, 0)
        assert function(np.zeros((0, 3, 3)), np.zeros((3, 3))).shape == (0, 3, 3)
        assert function(np.zeros((2, 0, 0)), np.zeros((3, 1, 0, 0))).shape == (3, 2, 0, 0)
    gradient = jax.jit(jax.grad(lambda a: jnp.sum(solve_discrete_lyapunov(a, a))))(np.eye(0))
    assert gradient.shape == (0, 0)
    assert solve_continuous_lyapunov(np.array([[2j + 1]]), np.array([[3]])) == 1.5
    assert solve_discrete_lyapunov(np.array([[0.5j]]), np.array([[3]])) == 4
    a = np.array([[3, 1], [0, 2]])
    found = solve_continuous_lyapunov(a, np.eye(2, dtype=int))
    assert found.dtype == np.float64
    np.testing.assert_allclose(a @ found + found @ a.T, np.eye(2), atol=1e-15)


def test_lyapunov_of_mixed_real_and_complex():
    """A rotation: SciPy 1.17 takes its real Schur form for a complex one."""
    a = np.array([[1.0, 2.0], [-2.0, 1.0]])
    q = np.array([[1j, 2.0], [3.0 + 1j, -1.0]])
    x = np.asarray(solve_continuous_lyapunov(a, q))
    np.testing.assert_allclose(a @ x + x @ a.T, q, atol=1e-14)
    x = np.asarray(solve_discrete_lyapunov(a, q))
    np.testing.assert_allclose(a @ x @ a.T - x, -q, atol=1e-14)
    x = np.asarray(solve_continuous_lyapunov(a + 1j, np.real(q)))
    np.testing.assert_allclose((a + 1j) @ x + x @ (a - 1j).T, np.real(q), atol=1e-14)


def test_lyapunov_broadcasts():
    rng = np.random.default_rng(4)
    a = normal(rng, (3, 1, 2, 2), False) + 4 * np.eye(2)
    q = normal(rng, (4, 2, 2), False)
    x = np.asarray(solve_continuous_lyapunov(a, q))
    assert x.shape == (3, 4, 2, 2)
    np.testing.assert_allclose(a @ x + x @ np.swapaxes(a, -1, -2), np.broadcast_to(q, x.shape))


@pytest.mark.parametrize("dtype", [np.float16, np.complex64])
def test_low_precision(dtype):
    """Values are rounded once; derivatives are computed in the arguments' own precision."""
    eps = np.finfo(dtype).eps
    a, one = np.array([[2, 1], [-1, 3]]), np.eye(2)
    functions = (
        solve_continuous_lyapunov,
        solve_discrete_lyapunov,
        lambda a, q: solve_continuous_are(a, q, q, q),
        lambda a, q: solve_discrete_are(a, q, q, q, e=q, s=0.5 * q),
    )

    @jax.jit
    def everything(a, q):
        def total(a, function):
            return jnp.sum(function(a, q).real)

        return [f(a, q) for f in functions], [jax.grad(total)(a, f) for f in functions]

    expected = everything(a.astype(complex), one)
    found = everything(jnp.asarray(a, dtype), jnp.asarray(one, dtype))
    for xs, ys, tolerance in zip(found, expected, (eps, 30 * eps), strict=True):
        for x, y in zip(xs, ys, strict=True):
            assert x.dtype == dtype
            assert error(np.asarray(x, complex), np.asarray(y)) < tolerance


@pytest.mark.parametrize(
    "function", [solve_continuous_lyapunov, solve_lyapunov, solve_discrete_lyapunov]
)
def test_lyapunov_refuses(function):
    name = function.__name__
    with pytest.raises(ValueError, match=f"{name}.*'q'.*square"):
        function(np.eye(3), np.ones((3, 2)))
    with pytest.raises(ValueError, match=f"{name}"):
        function(np.eye(3), np.eye(2))
    with pytest.raises(ValueError, match=f"{name}.*broadcast"):
        function(np.ones((2, 3, 3)), np.ones((4, 3, 3)))
    with pytest.raises(TypeError, match=f"{name}.*'q'"):
        function(np.eye(3), [[1.0]])


def test_unknown_method():
    with pytest.raises(ValueError, match=r"solve_discrete_lyapunov.*'method'.*'bilinear'"):
        solve_discrete_lyapunov(np.eye(3), np.eye(3), method="schur")


# -- Riccati: values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "problem"),
    [("continuous", name) for name in riccati_problems.CONTINUOUS]
    + [("discrete", name) for name in riccati_problems.DISCRETE],
)
def test_published_problems(kind, problem):
    ours, scipys = RICCATI[kind]
    collection = getattr(riccati_problems, kind.upper())
    *given, largest_residual = collection[problem]
    x = np.asarray(ours(*given))
    assert equations.relative_residual(PARTS[kind], x, equations.completed(*given)) < (
        largest_residual
    )
    np.testing.assert_array_equal(x, x.conj().T)
    a, b, q, r = given
    expected = scipys(a, b, (q + q.conj().T) / 2, r)
    assert error(x, expected) < 1e-13
    if kind == "continuous" and problem in riccati_problems.KNOWN:
        assert error(x, riccati_problems.KNOWN[problem]) < (1e-7 if problem == "11" else 1e-13)


@pytest.mark.parametrize(("problem", "largest_residual"), [(6, 1e-11), (18, 1e-7)])
def test_published_problems_of_long_tables(problem, largest_residual):
    """A jet engine and a heated rod, from the installed SciPy's own tests."""
    file = Path(scipy.linalg.__file__).parent / "tests/data" / f"carex_{problem}_data.npz"
    if not file.exists():
        pytest.skip("this SciPy was installed without its tests")
    with np.load(file) as table:
        given = [table[name] for name in "ABQR"]
    x = np.asarray(solve_continuous_are(*given))
    residual = equations.relative_residual(
        equations.continuous_parts, x, equations.completed(*given)
    )
    assert residual < largest_residual


def regulator(seed, m, n, is_complex) -> list[Any]:
    """Matrices a, b, q, r, e, s of an equation that is well-conditioned."""
    rng = np.random.default_rng(seed)
    weights = positive(rng, m + n, is_complex)
    weights = (weights + weights.conj().T) / 2  # products by BLAS are Hermitian but for roundings
    return [
        normal(rng, (m, m), is_complex) / (2 * np.sqrt(m)),
        normal(rng, (m, n), is_complex),
        weights[:m, :m],
        weights[m:, m:],
        np.eye(m) + normal(rng, (m, m), is_complex) / (4 * np.sqrt(m)),
        weights[:m, m:],
    ]


@each_riccati
@pytest.mark.parametrize(
    ("m", "n", "is_complex"), [(1, 1, False), (1, 2, True), (3, 2, False), (3, 1, True)]
)
def test_riccati_and_two_derivatives_to_many_digits(kind, m, n, is_complex):
    given = regulator([m, n], m, n, is_complex)
    rng = np.random.default_rng([m, n, 1])
    tangents = [
        hermitian(rng, len(x), is_complex) if i in (2, 3) else normal(rng, x.shape, is_complex)
        for i, x in enumerate(given)
    ]
    start = RICCATI[kind][1](*given, balanced=False)
    expected = equations.along(
        lambda *xs: equations.riccati(kind == "discrete", start, *xs), given, tangents
    )
    assert_as_exact(derivatives(RICCATI[kind][0], given, tangents), expected, 100)


@each_riccati
def test_riccati_of_order_8_to_many_digits(kind):
    given = regulator(8, 8, 3, False)
    x = np.asarray(RICCATI[kind][0](*given))
    assert equations.relative_residual(PARTS[kind], x, given) < 1e-13
    np.testing.assert_array_equal(x, x.T)


@each_riccati
def test_each_matrix_of_riccati_has_its_own_derivative(kind):
    """One argument at a time, so that no wrong term is lost among right ones."""
    function, scipys = RICCATI[kind]
    given = regulator(5, 2, 1, True)
    rng = np.random.default_rng(6)
    start = scipys(*given, balanced=False)

    @jax.jit
    def slope(tangents):
        return jax.jvp(function, tuple(given), tangents)[1]

    for i, x in enumerate(given):
        tangents = [np.zeros_like(y) for y in given]
        tangents[i] = hermitian(rng, len(x), True) if i in (2, 3) else normal(rng, x.shape, True)
        expected = equations.along(
            lambda *xs: equations.riccati(kind == "discrete", start, *xs), given, tangents
        )[1]
        assert error(slope(tuple(tangents)), expected) < 1e-12, "abqres"[i]


@each_riccati
def test_balancing_with_e(kind):
    """States of very different size. SciPy 1.17 raises here, or is wrong, unless told otherwise."""
    a, b, q, r, e, s = regulator(7, 4, 2, False)
    size = np.diag([1e4, 1.0, 1e-3, 30.0])
    inverse = np.linalg.inv(size)
    given = [
        size @ a @ inverse,
        size @ b,
        inverse @ q @ inverse,
        r,
        size @ e @ inverse,
        inverse @ s,
    ]
    function, scipys = RICCATI[kind]
    expected = scipys(a, b, q, r, e, s, balanced=False)
    assert error(size @ np.asarray(function(*given)) @ size, expected) < 1e-12


@each_riccati
def test_scipys_balancing_with_e_is_wrong_where_ours_is_not(kind):
    """The reason for balancing here. If this fails, SciPy has been mended."""
    function, scipys = RICCATI[kind]
    wrong = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a, b = normal(rng, (3, 3), False), normal(rng, (3, 1), False)
        e = np.eye(3) + normal(rng, (3, 3), False) / 20
        given = equations.completed(a, b, np.eye(3), np.eye(1), e)
        found = np.asarray(function(*given[:5]))
        assert equations.relative_residual(PARTS[kind], found, given) < 1e-10
        try:
            theirs = scipys(*given[:5])
        except np.linalg.LinAlgError:
            wrong += 1
        else:
            wrong += equations.relative_residual(PARTS[kind], theirs, given) > 1e-3
    assert wrong > 0


@each_riccati
def test_e_and_s_default_to_identity_and_zero(kind):
    function = RICCATI[kind][0]
    a, b, q, r, _, s = regulator(11, 3, 2, False)
    e = np.eye(3)
    plain = function(a, b, q, r)
    np.testing.assert_allclose(function(a, b, q, r, e), plain, rtol=1e-12)
    np.testing.assert_allclose(function(a, b, q, r, s=0 * s), plain, rtol=1e-12)
    with_s = function(a, b, q, r, s=s)
    np.testing.assert_allclose(function(a, b, q, r, e, s), with_s, rtol=1e-12)
    unbalanced = function(a, b, q, r, balanced=False)
    np.testing.assert_allclose(unbalanced, plain, rtol=1e-12)


# -- Riccati: what has no result -------------------------------------------------------------------


@each_riccati
def test_unstabilisable_plants_are_nan(kind):
    """SciPy raises for some and returns large matrices for others."""
    rng = np.random.default_rng(0)
    basis = normal(rng, (30, 4, 4), False)
    modes = np.diag([1.5, -0.2, -0.3, 0.5])
    a = basis @ modes @ np.linalg.inv(basis)
    b = basis @ np.array([[0.0], [1], [1], [1]])
    assert np.all(np.isnan(RICCATI[kind][0](a, b, np.eye(4), 1.0)))


@each_riccati
def test_a_pole_on_the_boundary_has_a_value_and_no_derivative(kind):
    """An integrator that costs nothing is left alone: X = 0, which is sqrt(q) in the one case."""
    function = RICCATI[kind][0]
    a = np.zeros((1, 1)) if kind == "continuous" else np.eye(1)
    one = np.eye(1)
    value, slope = jax.value_and_grad(lambda q: function(a, one, q, one)[0, 0])(0 * one)
    assert value == 0
    assert np.all(np.isnan(slope))


def test_infeasible_problem():
    """No solution is real, by arXiv:1505.04861; SciPy raises."""
    a = np.array([[1.0, -1, 1], [0, 1, 1], [0, 0, 1]])
    b = np.array([[1.0, 0], [1, 0], [0, 1]])
    q = np.diag([8.0, -1, -1.9]) - 2
    assert np.all(np.isnan(solve_continuous_are(a, b, q, np.diag([-10, 0.1]))))


@each_riccati
def test_singular_matrices(kind):
    function = RICCATI[kind][0]
    a, b, q, r, e, _ = regulator(12, 3, 2, False)
    singular = np.diag([1.0, 1, 0])
    assert np.all(np.isnan(function(a, b, q, r, singular)))
    without_cost = np.asarray(function(a, b, q, 0 * r, e))
    if kind == "continuous":
        assert np.all(np.isnan(without_cost))
    else:
        given = equations.completed(a, b, q, 0 * r, e)
        assert equations.relative_residual(PARTS[kind], without_cost, given) < 1e-13


@each_riccati
def test_bad_slices_are_nan_alone_in_values_and_gradients(kind):
    function = RICCATI[kind][0]
    a, b, q, r, e, s = (np.stack([x] * 4) for x in regulator(13, 2, 1, False))
    q[1, 0, 0] = np.nan
    e[2] = 0
    good = np.asarray(function(*regulator(13, 2, 1, False)))
    found = np.asarray(function(a, b, q, r, e, s))
    np.testing.assert_array_equal(found[[0, 3]], np.stack([good] * 2))
    assert np.all(np.isnan(found[1:3]))
    gradient = jax.jit(jax.grad(lambda a: jnp.sum(function(a, b, q, r, e, s))))(a)
    gradient = np.asarray(gradient)
    assert np.all(np.isfinite(gradient[[0, 3]]))
    assert np.all(np.isnan(gradient[1:3]))


# -- Riccati: conventions, edges -------------------------------------------------------------------


@each_riccati
def test_weights_stand_for_their_hermitian_parts(kind):
    function = RICCATI[kind][0]
    a, b, q, r, e, s = regulator(14, 3, 2, True)
    skew = np.random.default_rng(0).normal(size=(3, 3))
    skew = 1e-3j * (skew + skew.T)
    np.testing.assert_allclose(function(a, b, q + skew, r), function(a, b, q, r), rtol=1e-12)

    @jax.jit
    @jax.value_and_grad
    def cost(q):
        x = function(a, b, q, r, e, s)
        return jnp.sum(x.real * np.arange(9.0).reshape(3, 3)) + jnp.sum(x.imag)

    _, gradient = cost(q)
    np.testing.assert_allclose(gradient, np.conj(gradient).T, atol=1e-14)
    # An entry may be perturbed alone. (JAX's gradient of a real function is conjugated.)
    entry = np.zeros((3, 3), complex)
    entry[0, 1] = 1e-5j
    slope = (cost(q + entry)[0] - cost(q - entry)[0]) / 2e-5
    np.testing.assert_allclose(np.real(1j * gradient[0, 1]), slope, rtol=1e-8)


def test_riccati_in_closed_form():
    """One state: 2 a x - x^2 b^2 / r + q = 0, and the discrete one."""
    a, b, q, r = 0.7, 1.3, 2.0, 0.4

    def continuous(a, b, q, r):
        return r / b**2 * (a + jnp.sqrt(a**2 + b**2 * q / r))

    def discrete(a, b, q, r):  # b^2 x^2 + (r - a^2 r - b^2 q) x - q r = 0
        p = r - a**2 * r - b**2 * q
        return (jnp.sqrt(p**2 + 4 * b**2 * q * r) - p) / (2 * b**2)

    given, tangents = tuple(map(jnp.asarray, (a, b, q, r))), (0.3, -0.2, 0.5, 0.1)
    for function, formula in ((solve_continuous_are, continuous), (solve_discrete_are, discrete)):

        def solved(a, b, q, r, function=function):
            return function(*(x.reshape(1, 1) for x in (a, b, q)), r)[0, 0]

        for found, expected in zip(
            derivatives(solved, given, tangents),
            derivatives(formula, given, tangents),
            strict=True,
        ):
            np.testing.assert_allclose(found, expected, rtol=1e-12)


@each_riccati
def test_riccati_edges(kind):
    function = RICCATI[kind][0]
    empty = np.zeros((0, 0))
    assert function(empty, np.zeros((0, 1)), empty, 1.0).shape == (0, 0)
    x = function(np.zeros((0, 3, 3)), np.ones((3, 1)), np.eye(3), np.eye(1))
    assert x.shape == (0, 3, 3)
    # Integers, and a batch of r alone.
    x = function(np.eye(2, dtype=int), np.eye(2, dtype=int), np.eye(2, dtype=int), 1 * np.eye(2))
    assert x.dtype == np.float64
    r = np.array([[[1.0]], [[2.0]]])
    a, b, q = np.array([[0.5, 1], [0, 0.3]]), np.array([[0.0], [1]]), np.eye(2)
    np.testing.assert_array_equal(function(a, b, q, r), np.stack([function(a, b, q, y) for y in r]))
    np.testing.assert_array_equal(function(a, b, q, 2), function(a, b, q, r[1]))
    # One complex argument makes the rest complex.
    x = function(a, b, np.array([[1, 0.1j], [-0.1j, 1]]), r[0])
    given = equations.completed(a, b, np.array([[1, 0.1j], [-0.1j, 1]]), 1.0)
    assert equations.relative_residual(PARTS[kind], np.asarray(x), given) < 1e-14


@each_riccati
def test_riccati_refuses(kind):
    function = RICCATI[kind][0]
    name = function.__name__
    one, tall = np.eye(3), np.ones((3, 2))
    with pytest.raises(ValueError, match=f"{name}.*'q'.*square"):
        function(one, tall, tall, np.eye(2))
    with pytest.raises(ValueError, match=f"{name}.*'r'.*square"):
        function(one, tall, one, tall)
    with pytest.raises(ValueError, match=f"{name}.*'e'.*square"):
        function(one, tall, one, np.eye(2), tall)
    for wrong in ((np.eye(2), tall, one, np.eye(2)), (one, tall, one, one)):
        with pytest.raises(ValueError, match=name):
            function(*wrong)
    with pytest.raises(ValueError, match=name):
        function(one, tall, one, np.eye(2), s=one)
    with pytest.raises(ValueError, match=f"{name}.*'b'.*2 dimensions"):
        function(one, np.ones(3), one, 1.0)
    with pytest.raises(ValueError, match=f"{name}.*'b'.*column"):
        function(one, np.ones((3, 0)), one, np.ones((0, 0)))
    with pytest.raises(TypeError, match=f"{name}.*'s'"):
        function(one, tall, one, np.eye(2), s=[1.0])
    with pytest.raises(TypeError, match=f"{name}.*'balanced'"):
        function(one, tall, one, np.eye(2), balanced="yes")
    with pytest.raises(TypeError, match=f"{name}.*'balanced'"):
        jax.jit(lambda flag: function(one, tall, one, np.eye(2), balanced=flag))(True)


@pytest.mark.parametrize("m", [1, 2, 8, 30])
def test_sylvester_of_opposite_eigenvalues_is_nan(m):
    rng = np.random.default_rng(m)
    for _ in range(10):
        vectors = rng.normal(size=(m, m))
        values = rng.uniform(1, 2, m)
        a = vectors @ np.diag(values) @ np.linalg.inv(vectors)
        b = np.diag(np.append(-values[0], rng.uniform(1, 2, 2)))
        x = solve_sylvester(a, b, rng.normal(size=(m, 3)))
        assert np.all(np.isnan(x))
