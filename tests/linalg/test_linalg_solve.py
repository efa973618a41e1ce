"""Linear solvers and structured matrices: every option's value, many digits, edges, no results."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.linalg
from linalg_cases import normal, of_positive_spectrum, positive

from jaxsci.linalg._banded import (
    cho_solve_banded,
    cholesky_banded,
    solve_banded,
    solveh_banded,
)
from jaxsci.linalg._cholesky import cho_factor, cho_solve, cholesky
from jaxsci.linalg._companion import companion, fiedler, fiedler_companion
from jaxsci.linalg._constants import (
    dft,
    hadamard,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    pascal,
)
from jaxsci.linalg._construct import (
    block_diag,
    circulant,
    convolution_matrix,
    diagsvd,
    hankel,
    leslie,
    toeplitz,
)
from jaxsci.linalg._determinant import det
from jaxsci.linalg._kernels import band
from jaxsci.linalg._lstsq import lstsq, pinv, pinvh
from jaxsci.linalg._lu import lu, lu_factor, lu_solve
from jaxsci.linalg._norm import norm
from jaxsci.linalg._predicates import bandwidth, ishermitian, issymmetric
from jaxsci.linalg._sketch import clarkson_woodruff_transform
from jaxsci.linalg._solve import inv, solve, solve_triangular
from jaxsci.linalg._toeplitz import matmul_toeplitz, solve_circulant, solve_toeplitz

pytestmark = pytest.mark.rotating(0.022)

both_kinds = pytest.mark.parametrize("is_complex", [False, True], ids=["real", "complex"])


def rng(seed=0):
    return np.random.default_rng(seed)


def assert_same(found, expected, rtol=1e-13):
    """Shape, kind of numbers, and values relative to the largest."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert np.issubdtype(found.dtype, np.integer) == np.issubdtype(expected.dtype, np.integer)
    scale = np.max(np.abs(expected.astype(complex)), initial=1e-300)
    np.testing.assert_allclose(found.astype(complex), expected.astype(complex), atol=rtol * scale)


# -- values of every static option -----------------------------------------------------------------

ASSUMED = [
    None,
    "general",
    "gen",
    "banded",
    "diagonal",
    "tridiagonal",
    "upper triangular",
    "lower triangular",
    "sym",
    "symmetric",
    "her",
    "hermitian",
    "pos",
    "positive definite",
]


def of_structure(assumed, is_complex):
    """A matrix that has the structure, where SciPy needs it to have."""
    a = of_positive_spectrum(rng(1), 4, is_complex)
    if assumed in ("pos", "positive definite"):
        return positive(rng(1), 4, is_complex)
    if assumed in ("her", "hermitian"):
        return a + a.conj().T
    return a + a.T if assumed in ("sym", "symmetric") else a


@both_kinds
@pytest.mark.parametrize("assumed", ASSUMED)
def test_solve_with_every_structure(assumed, is_complex):
    a, b = of_structure(assumed, is_complex), normal(rng(2), (4, 3), is_complex)
    for lower in (False, True):
        static = {"assume_a": assumed, "lower": lower}
        assert_same(solve(a, b, **static), scipy.linalg.solve(a, b, **static))
        assert_same(solve(a, b[:, 0], **static), scipy.linalg.solve(a, b[:, 0], **static))
        if assumed in (None, "gen", "general", "pos", "sym", "her"):
            assert_same(inv(a, **static), scipy.linalg.inv(a, **static))
        found = solve(a, b, **static, transposed=True)
        inverse = solve(a, np.eye(4), **static)
        assert_same(found, np.asarray(inverse).T @ b)


@both_kinds
def test_solve_triangular_with_every_option(is_complex):
    a, b = of_positive_spectrum(rng(1), 4, is_complex), normal(rng(2), (4, 3), is_complex)
    for trans in (0, 1, 2, "N", "T", "C"):
        for lower in (False, True):
            for unit in (False, True):
                static = {"trans": trans, "lower": lower, "unit_diagonal": unit}
                assert_same(
                    solve_triangular(a, b, **static),
                    scipy.linalg.solve_triangular(a, b, **static),
                )


@both_kinds
def test_factorisations_with_every_option(is_complex):
    for shape in [(4, 4), (5, 3), (3, 5), (1, 1)]:
        a = normal(rng(3), shape, is_complex)
        for static in ({}, {"permute_l": True}, {"p_indices": True}):
            for x, y in zip(lu(a, **static), scipy.linalg.lu(a, **static), strict=True):
                assert_same(x, y)
        for x, y in zip(lu_factor(a), scipy.linalg.lu_factor(a), strict=True):
            assert_same(x, y)
    assert not np.iscomplexobj(lu(a)[0])
    a, b = normal(rng(3), (4, 4), is_complex), normal(rng(4), (4, 2), is_complex)
    for trans in (0, 1, 2):
        expected = scipy.linalg.lu_solve(scipy.linalg.lu_factor(a), b, trans)
        assert_same(lu_solve(lu_factor(a), b, trans), expected)
    a = positive(rng(5), 4, is_complex)
    for lower in (False, True):
        assert_same(cholesky(a, lower), scipy.linalg.cholesky(a, lower))
        factor = cho_factor(a, lower)
        assert factor[1] is lower
        assert_same(cho_solve(factor, b), scipy.linalg.solve(a, b))
        assert_same(cho_solve(factor, b[:, 0]), scipy.linalg.solve(a, b[:, 0]))


@both_kinds
def test_least_squares(is_complex):
    full = normal(rng(6), (5, 3), is_complex)
    low = normal(rng(6), (5, 2), is_complex) @ normal(rng(7), (2, 3), is_complex)
    for a in (full, full.T, low, low.T):
        b = normal(rng(8), (len(a), 2), is_complex)
        for right in (b, b[:, 0]):
            for driver in (None, "gelss", "gelsy"):
                found = lstsq(a, right, lapack_driver=driver, cond=1e-12)
                theirs: Any = scipy.linalg.lstsq(a, right, lapack_driver=driver, cond=1e-12)
                assert_same(found[0], theirs[0], 1e-12)
                assert found[2] == theirs[2]
                if driver == "gelsy":
                    assert found[3] is None
                    assert found[1].shape == (0,)
                    continue
                assert_same(found[3], theirs[3])
                if a is low:  # SciPy's array is empty
                    assert found[1].shape == right.shape[1:]
                    assert np.all(np.isnan(found[1]))
                else:
                    assert_same(found[1], theirs[1], 1e-12)
        for x, y in zip(
            pinv(a, return_rank=True, rtol=1e-12),
            scipy.linalg.pinv(a, return_rank=True, rtol=1e-12),
            strict=True,
        ):
            assert_same(x, y, 1e-12)
    h = low @ low.conj().T
    for x, y in zip(
        pinvh(h, 1e-10, return_rank=True, lower=False),
        scipy.linalg.pinvh(h, 1e-10, return_rank=True, lower=False),
        strict=True,
    ):
        assert_same(x, y, 1e-11)
    # A threshold between the singular values.
    s = np.linalg.svd(full, compute_uv=False)
    assert_same(pinv(full, atol=(s[1] + s[2]) / 2), scipy.linalg.pinv(full, atol=(s[1] + s[2]) / 2))
    stacked = lstsq(np.stack([full, full]), np.stack([b[:5], b[:5]]) if len(b) == 5 else full)
    assert stacked[2].shape == (2,)


@both_kinds
def test_norms(is_complex):
    a = normal(rng(9), (3, 4), is_complex)
    for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        assert_same(norm(a, order), scipy.linalg.norm(a, order))
    for order in (None, 0, 1, 2, 3.5, -1, np.inf, -np.inf):
        assert_same(norm(a[0], order), scipy.linalg.norm(a[0], order))
        assert_same(
            norm(a, order, axis=0, keepdims=True),
            scipy.linalg.norm(a, order, axis=0, keepdims=True),
        )
    cube = normal(rng(9), (2, 3, 4), is_complex)
    assert_same(norm(cube), scipy.linalg.norm(cube))
    assert_same(norm(cube, 2, axis=(0, 2)), scipy.linalg.norm(cube, 2, axis=(0, 2)))


def test_norms_at_the_edges():
    np.testing.assert_allclose(norm(jnp.array([3e200, 4e200])), 5e200, rtol=1e-15)
    np.testing.assert_allclose(norm(jnp.array([[3e-200, 4e-200]]), "fro"), 5e-200, rtol=1e-15)
    assert norm(jnp.array([1.0, jnp.inf])) == jnp.inf
    assert np.isnan(norm(jnp.array([1.0, jnp.nan])))
    assert norm(jnp.zeros((0, 3))) == 0
    assert np.all(np.isnan(jax.grad(norm)(jnp.zeros(3))))
    x = jnp.array([3e200, 4e200])
    np.testing.assert_allclose(jax.grad(norm)(x), [0.6, 0.8], rtol=1e-15)


@both_kinds
def test_banded_matrices(is_complex):
    for l, u in [(0, 0), (1, 1), (2, 1), (0, 2), (5, 5), (7, 1)]:
        ab = normal(rng(l), (l + u + 1, 5), is_complex)
        ab[u] += 4
        for b in (normal(rng(1), (5, 2), is_complex), rng(1).normal(size=5)):
            found = solve_banded((l, u), ab, b)
            np.testing.assert_array_equal(found, scipy.linalg.solve_banded((l, u), ab, b))
    for u in range(4):
        for lower in (False, True):
            ab = normal(rng(u), (u + 1, 5), is_complex) / 3
            ab[0 if lower else u] = 4 + rng(1).uniform(size=5)
            b = normal(rng(2), (5, 2), is_complex)
            found = solveh_banded(ab, b, lower=lower)
            np.testing.assert_array_equal(found, scipy.linalg.solveh_banded(ab, b, lower=lower))
            factor = np.asarray(cholesky_banded(ab, lower=lower))
            expected = scipy.linalg.cholesky_banded(ab, lower=lower)
            widths = (u, 0) if lower else (0, u)
            np.testing.assert_array_equal(factor, band.used(jnp.asarray(expected), *widths))
            found = cho_solve_banded((factor, lower), b)
            expected = scipy.linalg.cho_solve_banded((expected, lower), b)
            np.testing.assert_array_equal(found, expected)


@both_kinds
def test_toeplitz_and_circulant_matrices(is_complex):
    c, r = normal(rng(1), (5,), is_complex), normal(rng(2), (5,), is_complex)
    c[0] += 5
    for b in (normal(rng(3), (5, 2), is_complex), rng(3).normal(size=5)):
        for given in (c, (c, r)):
            expected = scipy.linalg.solve_toeplitz(given, b)
            np.testing.assert_array_equal(solve_toeplitz(given, b), expected)
            assert_same(matmul_toeplitz(given, b), scipy.linalg.matmul_toeplitz(given, b))
        assert_same(matmul_toeplitz((c[:3], r), b), scipy.linalg.matmul_toeplitz((c[:3], r), b))
        assert_same(solve_circulant(c, b), scipy.linalg.solve_circulant(c, b))
    many, b = normal(rng(4), (2, 1, 5), is_complex), rng(5).normal(size=(3, 5))
    for axis in (0, 1, 2, -1, -2):
        static: Any = {"baxis": -1, "outaxis": axis}
        assert_same(
            solve_circulant(many, b, **static), scipy.linalg.solve_circulant(many, b, **static)
        )


def test_nearly_singular_circulant_matrices():
    c, b = jnp.array([1.0, 1, 0, 0]), jnp.array([1.0, 2, 3, 4])
    two = jnp.stack([c, jnp.array([2.0, 1, 0, 0])])
    x = solve_circulant(two, b[None], baxis=-1, outaxis=-1)
    assert np.all(np.isnan(x[0]))
    assert_same(circulant(two[1]) @ x[1], b)
    least = solve_circulant(c, b, singular="lstsq")
    assert_same(least, np.linalg.pinv(scipy.linalg.circulant(c)) @ b)
    assert np.all(np.isnan(solve_circulant(two[1], b, tol=1.5)))
    gradient = jax.grad(lambda y: jnp.sum(solve_circulant(c, y, "lstsq") ** 2))(b)
    assert_same(gradient, 2 * least @ np.linalg.pinv(scipy.linalg.circulant(c)))


# -- many digits -----------------------------------------------------------------------------------

N = 8


def _dense(l, u, ab):
    n = ab.cols
    return mpmath.matrix(
        [[ab[u + i - j, j] if -u <= i - j <= l else 0 for j in range(n)] for i in range(n)]
    )


def _dense_toeplitz(c, r):
    n = c.rows
    return mpmath.matrix([[c[i - j] if i >= j else r[j - i] for j in range(n)] for i in range(n)])


def _mp_banded_cholesky(ab):
    l = mpmath.cholesky(_dense(2, 0, ab) + _dense(2, 0, ab).H - mpmath.diag(list(ab[0, :])))
    return mpmath.matrix(
        [[l[i + k, i] if i + k < ab.cols else 0 for i in range(ab.cols)] for k in range(3)]
    )


def _mp_cholesky(a):
    # Of the triangle that is read.
    n = a.rows
    h = [[a[i, j] if i >= j else mpmath.conj(a[j, i]) for j in range(n)] for i in range(n)]
    for i in range(n):
        h[i][i] = mpmath.re(h[i][i])
    return mpmath.cholesky(mpmath.matrix(h))


def _mp_least_squares(a, b):
    return mpmath.inverse(a.H * a) * (a.H * b)


def _positive_bands():
    ab = normal(rng(3), (3, N), True) / 4
    ab[0] = 2 + rng(3).uniform(size=N)
    ab[1, -1:] = ab[2, -2:] = 0
    return ab


def _hermitian_part(x):
    return (x + x.conj().T) / 2


def _real_first(ab):
    ab = ab.copy()
    ab[0] = ab[0].real
    return ab


def _of(function, *arrays, along=None):
    return function, list(arrays), along or (lambda x: x)


_B = normal(rng(10), (N, 2), True)
_A = of_positive_spectrum(rng(11), N, True)
MANY_DIGITS = {
    "solve": _of(solve, _A, _B),
    "solve pos": _of(
        partial(solve, assume_a="pos", lower=True),
        positive(rng(12), N, True),
        _B,
        along=lambda x: _hermitian_part(x) if x.shape == (N, N) else x,
    ),
    "det": _of(det, _A),
    "cholesky": _of(
        partial(cholesky, lower=True), positive(rng(12), N, True), along=_hermitian_part
    ),
    "lstsq": _of(lambda a, b: lstsq(a, b)[0], normal(rng(13), (N, 4), True), _B),
    "solve_banded": _of(partial(solve_banded, (2, 1)), normal(rng(14), (4, N), True) + 0, _B),
    "cholesky_banded": _of(
        partial(cholesky_banded, lower=True), _positive_bands(), along=_real_first
    ),
    "solve_toeplitz": _of(
        lambda c, r, b: solve_toeplitz((c, r), b),
        normal(rng(15), (N,), True) / 4 + 3 * np.eye(N)[0],
        normal(rng(16), (N,), True) / 4,
        _B,
    ),
}
ORACLES = {
    "solve": lambda a, b: mpmath.inverse(a) * b,
    "solve pos": lambda a, b: mpmath.inverse(_mp_hermitian(a)) * b,
    "det": lambda a: mpmath.matrix([mpmath.det(a)]),
    "cholesky": _mp_cholesky,
    "lstsq": _mp_least_squares,
    "solve_banded": lambda ab, b: mpmath.inverse(_dense(2, 1, ab)) * b,
    "cholesky_banded": _mp_banded_cholesky,
    "solve_toeplitz": lambda c, r, b: mpmath.inverse(_dense_toeplitz(c, r)) * b,
}


def _mp_hermitian(a):
    l = _mp_cholesky(a)
    return l * l.H


def _condition(name, arrays):
    a = arrays[0]
    if name == "solve_banded":
        a = np.array(
            [[a[1 + i - j, j] if -1 <= i - j <= 2 else 0 for j in range(N)] for i in range(N)]
        )
    elif name == "cholesky_banded":
        a = np.sum([np.diag(a[k][: N - k], -k) for k in range(3)], axis=0)
        a = a + a.conj().T - np.diag(a.diagonal())
    elif name == "solve_toeplitz":
        a = scipy.linalg.toeplitz(arrays[0], arrays[1])
    return np.linalg.cond(a)


@pytest.mark.parametrize("name", MANY_DIGITS)
def test_value_and_two_derivatives_in_many_digits(name):
    function, arrays, allowed = MANY_DIGITS[name]
    along = [allowed(normal(rng(20 + i), x.shape, True) / 4) for i, x in enumerate(arrays)]

    def first(*xs):
        return jax.jvp(function, xs, tuple(along))

    found = jax.jit(lambda *xs: jax.jvp(first, xs, tuple(along)))(*arrays)
    value, slope, curvature = found[0][0], found[0][1], found[1][1]
    with mpmath.workdps(70):
        h = mpmath.mpf(10) ** -15

        def at(k):
            pairs = zip(arrays, along, strict=True)
            moved = [mpmath.matrix(x) + k * h * mpmath.matrix(t) for x, t in pairs]
            return ORACLES[name](*moved)

        # Central differences of fourth order: h^4 is 60 digits down.
        f = {k: at(k) for k in (-2, -1, 0, 1, 2)}
        slopes = (f[-2] - f[-1] * 8 + f[1] * 8 - f[2]) / (12 * h)
        curvatures = (-f[-2] + f[-1] * 16 - f[0] * 30 + f[1] * 16 - f[2]) / (12 * h * h)
        exact = [
            np.array(y.tolist(), dtype=complex).reshape(value.shape)
            for y in (f[0], slopes, curvatures)
        ]
    condition = _condition(name, arrays)
    assert condition < 1e3
    for y, expected, rtol in zip(
        (value, slope, curvature), exact, (1e-14, 1e-12, 1e-8), strict=True
    ):
        assert_same(y, expected, rtol * (condition if rtol < 1e-8 else 1))


# -- derivatives by defining equations -------------------------------------------------------------


def _hermitian_of_lower(a):
    strict = np.tril(a, -1)
    return strict + strict.conj().T + np.diag(a.diagonal().real)


STRUCTURES: dict[str, tuple[dict[str, Any], Any]] = {
    "diagonal": ({"assume_a": "diagonal"}, lambda a: np.diag(a.diagonal())),
    "upper": ({"assume_a": "upper triangular"}, np.triu),
    "lower, transposed": (
        {"assume_a": "lower triangular", "transposed": True},
        lambda a: np.tril(a).T,
    ),
    "tridiagonal, transposed": (
        {"assume_a": "tridiagonal", "transposed": True},
        lambda a: np.triu(np.tril(a, 1), -1).T,
    ),
    "her, transposed": (
        {"assume_a": "her", "lower": True, "transposed": True},
        lambda a: _hermitian_of_lower(a).T,
    ),
    "pos, transposed": (
        {"assume_a": "pos", "lower": True, "transposed": True},
        lambda a: _hermitian_of_lower(a).T,
    ),
    "sym": ({"assume_a": "sym"}, lambda a: np.triu(a) + np.triu(a, 1).T),
}
# The derivative is JAX's, that of a general matrix: see test_linalg_hermitian.py.
AS_GENERAL = {"her, transposed": np.transpose, "pos, transposed": np.transpose, "sym": np.asarray}


@pytest.mark.parametrize("name", STRUCTURES)
def test_derivatives_satisfy_the_equation(name):
    """Of the structure that is read; forward and reverse, with junk in what is not read."""
    static, read = STRUCTURES[name]
    a, b = positive(rng(1), 4, True), normal(rng(2), (4, 2), True)
    da, db, weights = (
        normal(rng(3 + i), s, True) for i, s in enumerate([(4, 4), b.shape, b.shape])
    )
    function = jax.jit(partial(solve, **static))
    x, dx = jax.jvp(function, (a, b), (da, db))
    assert_same(read(a) @ x, b)
    assert_same(read(a) @ dx + AS_GENERAL.get(name, read)(da) @ x, db)
    gradients = jax.vjp(function, a, b)[1](jnp.asarray(weights))
    pairs = zip(gradients, (da, db), strict=True)
    backwards = sum(np.sum(np.asarray(g) * t).real for g, t in pairs)
    np.testing.assert_allclose(backwards, np.sum(weights * np.asarray(dx)).real, rtol=1e-12)
    unread = np.where(read(np.ones((4, 4))) == 0, np.nan, 0)
    unread = unread.T if static.get("transposed") else unread
    if name == "her, transposed" or name == "pos, transposed":
        unread = np.triu(np.full((4, 4), np.nan), 1)
    if name == "sym":
        unread = np.tril(np.full((4, 4), np.nan), -1)
    np.testing.assert_array_equal(function(a + unread, b), x)
    in_unread = np.asarray(gradients[0])[np.isnan(unread)]
    assert np.all(in_unread != 0) if name in AS_GENERAL else np.all(in_unread == 0)


def test_unused_corners_of_bands_are_not_read():
    ab, b = normal(rng(1), (4, 5), False), normal(rng(2), (5, 2), False)
    ab[1] += 4
    corners = np.zeros_like(ab)
    corners[0, 0] = corners[2, -1] = np.nan
    corners[3, -2:] = np.nan
    function = partial(solve_banded, (2, 1))
    np.testing.assert_array_equal(function(ab + corners, b), function(ab, b))
    gradient = jax.grad(lambda x: jnp.sum(function(x, b)))(ab + corners)
    assert np.all((np.asarray(gradient) == 0) == np.isnan(corners))
    upper = np.array([[np.nan, np.nan, 0.1], [np.nan, 0.2, 0.3], [2, 2, 2]])
    factor = cholesky_banded(upper)
    assert np.all((np.asarray(factor) == 0) == np.isnan(upper))
    gradient = jax.grad(lambda x: jnp.sum(cholesky_banded(x)))(upper)
    assert np.all((np.asarray(gradient) == 0) == np.isnan(upper))


def test_pseudoinverse_at_repeated_singular_values():
    """Where the singular vectors have no derivative, in a loop too."""
    q = np.linalg.qr(normal(rng(1), (5, 3), True))[0]
    dq, d2q = (normal(rng(i), (5, 3), True) for i in (2, 3))

    def by_inverse(a):
        h = a.conj().T
        return jnp.linalg.inv(h @ a) @ h

    def twice(function):
        def first(a):
            return jax.jvp(function, (a,), (dq,))[1]

        return jax.jvp(first, (q,), (d2q,))

    for x, y in zip(twice(pinv), twice(by_inverse), strict=True):
        assert_same(x, y, 1e-12)

    def loss(function, a):
        return jnp.sum(jnp.real(function(a) ** 2))

    def looped(a):
        return jax.lax.scan(lambda t, k: (t + k * loss(pinv, a), None), 0.0, jnp.array([0.5, 0.5]))[
            0
        ]

    def curvature(value):
        return jax.grad(lambda a: jnp.sum(jnp.real(jax.grad(value)(a) * dq)))(q)

    expected = curvature(partial(loss, by_inverse))
    assert_same(curvature(looped), expected, 1e-12)
    slope = jax.jvp(pinvh, (jnp.eye(3),), (jnp.ones((3, 3)),))[1]
    assert_same(slope, -np.ones((3, 3)))
    fitted = jax.grad(lambda a: jnp.sum(lstsq(a, jnp.arange(5.0))[0]))(jnp.eye(5, 3))
    assert np.all(np.isfinite(fitted))


def test_pseudoinverse_of_low_rank():
    x, y = normal(rng(1), (5, 2), False), normal(rng(2), (2, 4), False)
    dx, dy = normal(rng(3), x.shape, False), normal(rng(4), y.shape, False)

    found = jax.jvp(lambda x, y: pinv(x @ y, rtol=1e-10), (x, y), (dx, dy))
    expected = jax.jvp(
        lambda x, y: y.T @ jnp.linalg.inv(y @ y.T) @ jnp.linalg.inv(x.T @ x) @ x.T,
        (x, y),
        (dx, dy),
    )
    for u, v in zip(found, expected, strict=True):
        assert_same(u, v, 1e-11)


def test_determinants_of_singular_matrices():
    a = normal(rng(1), (5, 4), False) @ normal(rng(2), (4, 5), False)
    cofactors = np.array(
        [
            [(-1) ** (i + j) * np.linalg.det(np.delete(np.delete(a, i, 0), j, 1)) for j in range(5)]
            for i in range(5)
        ]
    )
    assert_same(jax.grad(det)(a), cofactors, 1e-12)
    assert np.all(np.asarray(jax.grad(det)(jnp.zeros((4, 4)))) == 0)
    # Second order: known up to order 3; NaN, not a wrong number, beyond.
    for derivative in (
        jax.hessian,
        lambda f: jax.jacfwd(jax.jacfwd(f)),
        lambda f: jax.jacrev(jax.jacrev(f)),
    ):
        assert derivative(det)(jnp.diag(jnp.array([2.0, 0, 0])))[1, 1, 2, 2] == 2
        assert derivative(det)(jnp.zeros((2, 2)))[0, 1, 1, 0] == -1
        assert derivative(det)(jnp.ones((1, 1))) == 0
    third = jax.jacfwd(jax.hessian(det))(jnp.zeros((3, 3)))
    assert third[0, 1, 1, 2, 2, 0] == 1
    assert third[0, 2, 1, 1, 2, 0] == -1
    assert np.all(np.isnan(jax.hessian(det)(jnp.diag(jnp.array([1.0, 2, 0, 0])))[2, 2, 3, 3]))
    assert det(jnp.ones((4, 4))) == 0


# -- no result -------------------------------------------------------------------------------------

_ONES, _EYE, _RIGHT = jnp.ones((3, 3)), jnp.eye(3), jnp.arange(3.0)[:, None]


def _permuted(a, b):
    packed, pivots = lu_factor(a)
    return lu_solve((packed, pivots), b)


NO_RESULT = {
    "solve": (solve, _ONES, _EYE),
    "solve sym": (partial(solve, assume_a="sym"), _ONES, _EYE),
    "solve pos": (partial(solve, assume_a="pos"), -_EYE, _EYE),
    "solve diagonal": (partial(solve, assume_a="diagonal"), jnp.diag(jnp.arange(3.0)), _EYE),
    "solve upper": (partial(solve, assume_a="upper triangular"), 1 - _EYE, _EYE),
    "solve tridiagonal": (partial(solve, assume_a="tridiagonal"), 0 * _EYE, _EYE),
    "solve_triangular": (solve_triangular, jnp.diag(jnp.arange(3.0)), _EYE),
    "inv": (lambda a, b: inv(a), _ONES, _EYE),
    "inv pos": (lambda a, b: inv(a, assume_a="pos"), -_EYE, _EYE),
    "lu_solve": (_permuted, _ONES, _EYE),
    "cholesky": (lambda a, b: cholesky(a), -_EYE, _EYE),
    "cho_solve": (lambda a, b: cho_solve((a, False), b), 0 * _EYE, _EYE),
    "solve_banded": (
        partial(solve_banded, (1, 1)),
        0 * _EYE,
        jnp.array([[0.0] * 3, [1.0] * 3, [0.0] * 3]),
    ),
    "solve_banded 2, 0": (
        partial(solve_banded, (2, 0)),
        0 * _EYE,
        jnp.array([[1.0] * 3, [0.0] * 3, [0.0] * 3]),
    ),
    "solveh_banded": (solveh_banded, -jnp.ones((2, 3)), jnp.array([[0.0] * 3, [1.0] * 3])),
    "solveh_banded 2": (solveh_banded, -_ONES, jnp.array([[0.0] * 3, [0.0] * 3, [1.0] * 3])),
    "cholesky_banded": (
        lambda a, b: cholesky_banded(a),
        -_ONES,
        jnp.array([[0.0] * 3, [0.0] * 3, [1.0] * 3]),
    ),
    "cho_solve_banded": (
        lambda a, b: cho_solve_banded((a, False), b),
        0 * _ONES,
        jnp.array([[0.0] * 3, [0.0] * 3, [1.0] * 3]),
    ),
}


@pytest.mark.parametrize("name", NO_RESULT)
def test_singular_slices_are_nan_alone(name):
    function, bad, good = NO_RESULT[name]
    found = np.asarray(function(jnp.stack([good, bad, good]), _RIGHT))
    assert np.all(np.isnan(found[1]))
    alone = np.asarray(function(good, _RIGHT))
    assert np.all(np.isfinite(alone))
    np.testing.assert_array_equal(found[0], alone)
    np.testing.assert_array_equal(found[2], alone)
    gradient = jax.grad(lambda a: jnp.sum(function(a, _RIGHT)))(bad)
    assert np.any(np.isnan(gradient))
    spoilt = np.asarray(function(jnp.stack([good, bad * jnp.nan]), _RIGHT))
    assert np.all(np.isnan(spoilt[1]))
    np.testing.assert_array_equal(spoilt[0], alone)


def test_a_singular_leading_block_ends_levinsons_recursion():
    c = jnp.array([[0.0, 1, 0], [2, 1, 0]])
    x = solve_toeplitz(c, jnp.arange(3.0)[:, None])
    assert np.all(np.isnan(x[0]))
    assert np.all(np.isfinite(x[1]))


def test_nan_slices_of_pseudoinverses():
    a = jnp.stack([jnp.eye(3), jnp.eye(3) * jnp.nan])
    for function in (pinv, pinvh, lambda x: lstsq(x, _RIGHT)[0]):
        found = np.asarray(function(a))
        assert np.all(np.isfinite(found[0]))
        assert np.all(np.isnan(found[1]))


# -- shapes and dtypes -----------------------------------------------------------------------------


def test_empty_matrices_and_batches():
    none, right = jnp.zeros((0, 0)), jnp.zeros((0, 2))
    assert solve(none, right).shape == (0, 2)
    assert solve(none, right[:, 0]).shape == (0,)
    assert solve(jnp.eye(2), jnp.zeros((2, 0))).shape == (2, 0)
    assert inv(none).shape == cholesky(none).shape == pinv(none).shape == (0, 0)
    assert det(none) == 1
    assert pinv(jnp.zeros((0, 3))).shape == (3, 0)
    assert lu_factor(none)[1].shape == (0,)
    assert [x.shape for x in lu(jnp.zeros((3, 0)))] == [(3, 3), (3, 0), (0, 0)]
    assert solve_triangular(none, right).shape == (0, 2)
    assert solve_banded((1, 1), jnp.zeros((3, 0)), right).shape == (0, 2)
    assert solveh_banded(jnp.zeros((3, 0)), right).shape == (0, 2)
    assert cholesky_banded(jnp.zeros((3, 0))).shape == (3, 0)
    assert solve_toeplitz(jnp.zeros(0), right).shape == (0, 2)
    assert matmul_toeplitz((jnp.zeros(3), jnp.zeros(0)), right).shape == (3, 2)
    assert solve_circulant(jnp.zeros(0), jnp.zeros(0)).shape == (0,)
    x, residues, rank, values = lstsq(jnp.zeros((3, 0)), jnp.arange(3.0))
    assert (x.shape, residues, rank, values.shape) == ((0,), 5, 0, (0,))
    batch = jnp.zeros((0, 3, 3))
    for function in (inv, cholesky, pinv, pinvh):
        assert function(batch).shape == (0, 3, 3)
    assert solve(batch, _RIGHT).shape == (0, 3, 1)
    assert det(batch).shape == (0,)
    assert solve_banded((1, 1), batch, _RIGHT).shape == (0, 3, 1)
    for x in (circulant(jnp.zeros(0)), fiedler(jnp.zeros(0))):
        assert x.shape == (0, 0)


def test_matrices_of_one_element():
    a, b = jnp.array([[4.0]]), jnp.array([2.0])
    for x in (solve(a, b), solve_banded((0, 0), a, b), solve_toeplitz(b * 2, b), lstsq(a, b)[0]):
        np.testing.assert_array_equal(x, [0.5])
    assert det(a) == 4
    assert solve_banded((1, 1), jnp.array([[jnp.nan], [4.0], [jnp.nan]]), b) == 0.5
    assert np.isnan(solve_banded((0, 0), jnp.zeros((1, 1)), b))
    np.testing.assert_array_equal(companion(jnp.array([2.0, 1])), [[-0.5]])
    np.testing.assert_array_equal(fiedler_companion(jnp.array([2.0, 1])), [[-0.5]])


WITH_DTYPE = {
    "solve": lambda a: solve(a, a[0]),
    "inv": inv,
    "det": det,
    "lu": lambda a: lu(a)[2],
    "cholesky": cholesky,
    "pinv": pinv,
    "norm": lambda a: norm(a, "nuc"),
    "solve_banded": lambda a: solve_banded((1, 1), a, a),
    "cholesky_banded": lambda a: cholesky_banded(a[1:2]),
    "solve_toeplitz": lambda a: solve_toeplitz(a[0], a),
    "matmul_toeplitz": lambda a: matmul_toeplitz(a[0], a),
    "solve_circulant": lambda a: solve_circulant(a[0], a),
}


@pytest.mark.parametrize("name", WITH_DTYPE)
def test_dtypes(name):
    a = jnp.array([[4, 1, 0], [1, 5, 1], [0, 1, 6]])
    function = WITH_DTYPE[name]
    expected = np.asarray(function(a.astype(float)))
    for dtype, digits in [("float16", 1e-2), ("bfloat16", 5e-2), ("float32", 1e-5)]:
        found = function(a.astype(dtype))
        assert found.dtype == dtype
        assert_same(found.astype(float), expected, digits)
    found = function(a.astype("complex64"))
    assert found.dtype == ("float32" if name == "norm" else "complex64")
    assert_same(np.real(found), expected, 1e-5)
    assert function(a).dtype == float
    assert_same(function(a), expected)


def test_mixed_real_and_complex_arguments():
    a, b = of_positive_spectrum(rng(1), 3, False), normal(rng(2), (3,), True)
    assert_same(solve(a, b), scipy.linalg.solve(a, b))
    assert_same(solve(a.astype(complex), np.real(b)), scipy.linalg.solve(a, np.real(b)))
    assert_same(lstsq(a, b)[0], scipy.linalg.solve(a, b))
    assert_same(solve_toeplitz(a[0], b), scipy.linalg.solve_toeplitz(a[0], b))
    assert_same(solve_circulant(a[0], b), scipy.linalg.solve_circulant(a[0], b))
    gradient = jax.grad(lambda x: jnp.sum(jnp.abs(solve(x, b))))(a)
    assert gradient.dtype == float


def test_leading_dimensions_broadcast_and_vectors_are_one_right_hand_side():
    a = np.stack([of_positive_spectrum(rng(i), 3, False) for i in range(6)]).reshape(2, 3, 3, 3)
    b = normal(rng(7), (3, 3, 2), False)
    expected = np.linalg.solve(a, b)
    assert_same(solve(a, b), expected)
    assert_same(solve(a[0, 0], b), scipy.linalg.solve(a[0, 0], b))
    # One dimension is a vector for all matrices; two are columns, as in SciPy.
    assert_same(solve(a[0], b[0, :, 0]), scipy.linalg.solve(a[0], b[0, :, 0]))
    assert_same(solve(a[0], b[:, 0, :1].reshape(3, 1)), np.linalg.solve(a[0], b[:, 0, :1]))
    packed = lu_factor(a)
    assert_same(lu_solve(packed, b), expected)
    mapped = jax.vmap(jax.vmap(solve, (0, None)), (0, None))(a, b[0, :, 0])
    assert_same(mapped, np.linalg.solve(a, b[0, :, :1])[..., 0])


# -- messages --------------------------------------------------------------------------------------

_M, _V = jnp.eye(3), jnp.ones(3)
WRONG: list[tuple[type[Exception], str, Any]] = [
    (ValueError, "solve: argument 'a' must be a square", lambda: solve(jnp.ones((2, 3)), _V)),
    (ValueError, "solve: argument 'b' must have 3 rows", lambda: solve(_M, jnp.ones(2))),
    (ValueError, "solve: argument 'assume_a'", lambda: solve(_M, _V, assume_a="full")),
    (TypeError, "solve: argument 'lower'", lambda: solve(_M, _V, lower="no")),  # type: ignore
    (
        TypeError,
        "solve: argument 'transposed'",
        lambda: jax.jit(solve)(_M, _V, transposed=_V[0]),
    ),
    (
        ValueError,
        "solve: leading dimensions",
        lambda: solve(jnp.ones((2, 3, 3)), jnp.ones((4, 3, 1))),
    ),
    (ValueError, "solve_triangular: argument 'trans'", lambda: solve_triangular(_M, _V, trans=3)),
    (ValueError, "inv: argument 'assume_a'", lambda: inv(_M, assume_a="banded")),
    (
        TypeError,
        "lu_solve: argument 'lu_and_piv' must be a pair",
        lambda: lu_solve(cast(Any, _M), _V),
    ),
    (ValueError, "lu_solve: the pivots", lambda: lu_solve((_M, jnp.arange(2)), _V)),
    (TypeError, "cho_solve: argument 'c_and_lower'", lambda: cho_solve(cast(Any, _M), _V)),
    (ValueError, "pinv: argument 'rtol' must not be negative", lambda: pinv(_M, rtol=-1)),
    (TypeError, "pinv: argument 'atol' must be a number", lambda: pinv(_M, atol=_M)),  # type: ignore
    (ValueError, "lstsq: argument 'lapack_driver'", lambda: lstsq(_M, _V, lapack_driver="gels")),
    (ValueError, "norm: argument 'ord'", lambda: norm(_M, "max")),
    (ValueError, "norm: argument 'ord' must be a number", lambda: norm(_V, "fro")),
    (ValueError, "norm: argument 'ord' needs 'axis'", lambda: norm(jnp.ones((1, 2, 3)), 1)),
    (ValueError, "norm: argument 'axis'", lambda: norm(_M, axis=2)),
    (TypeError, "solve_banded: argument 'l_and_u'", lambda: solve_banded(cast(Any, 1), _M, _V)),
    (ValueError, "solve_banded: argument 'l_and_u'", lambda: solve_banded((-1, 3), _M, _V)),
    (
        ValueError,
        "solve_banded: argument 'ab' must have l . u . 1 = 4",
        lambda: solve_banded((2, 1), _M, _V),
    ),
    (ValueError, "solveh_banded: argument 'ab'", lambda: solveh_banded(jnp.ones((0, 3)), _V)),
    (ValueError, "solve_toeplitz: c and r", lambda: solve_toeplitz((_V, jnp.ones(2)), _V)),
    (ValueError, "matmul_toeplitz: argument 'x'", lambda: matmul_toeplitz(_V, jnp.ones(2))),
    (ValueError, "solve_circulant: argument 'caxis'", lambda: solve_circulant(_V, _V, caxis=1)),
    (ValueError, "solve_circulant: c and b", lambda: solve_circulant(_V, jnp.ones(2))),
    (ValueError, "solve_circulant: argument 'singular'", lambda: solve_circulant(_V, _V, "no")),
    (ValueError, "leslie: argument 's'", lambda: leslie(_V, _V)),
    (ValueError, "companion: argument 'a'", lambda: companion(_V[:1])),
    (ValueError, "diagsvd: argument 's'", lambda: diagsvd(_V, 2, 4)),
    (TypeError, "diagsvd: argument 'M'", lambda: diagsvd(_V, 3.0, 4)),  # type: ignore
    (ValueError, "convolution_matrix: argument 'n'", lambda: convolution_matrix(_V, 0)),
    (ValueError, "convolution_matrix: argument 'mode'", lambda: convolution_matrix(_V, 1, "all")),
    (ValueError, "hadamard: argument 'n' must be a power", lambda: hadamard(6)),
    (ValueError, "hadamard: argument 'n' is too large", lambda: hadamard(2**31)),
    (ValueError, "hilbert: argument 'n' is too large", lambda: hilbert(2**40)),
    (ValueError, "helmert: argument 'n' is too large", lambda: helmert(2**31)),
    (ValueError, "pascal: the values do not fit", lambda: pascal(10**5)),
    (
        ValueError,
        "convolution_matrix: argument 'n' is too large",
        lambda: convolution_matrix(_V, 2**31),
    ),
    (ValueError, "diagsvd: argument 'M' or 'N'", lambda: diagsvd(_V[:1], 1, 2**62)),
    (TypeError, "hadamard: argument 'dtype' must be a dtype", lambda: hadamard(2, "abc")),
    (TypeError, "hadamard: argument 'dtype' must be a dtype", lambda: hadamard(2, "M8[s]")),
    (TypeError, "hilbert: argument 'n' must be an integer", lambda: jax.jit(hilbert)(3)),
    (ValueError, "pascal: argument 'kind'", lambda: pascal(3, "full")),
    (ValueError, "pascal: the values do not fit", lambda: pascal(35)),
    (ValueError, "invpascal: the values do not fit", lambda: invpascal(40)),
    (ValueError, "invhilbert: the values do not fit", lambda: invhilbert(15, exact=True)),
    (ValueError, "dft: argument 'scale'", lambda: dft(3, "full")),
    (
        ValueError,
        "issymmetric: argument 'a' must be a square",
        lambda: issymmetric(jnp.ones((2, 3))),
    ),
    (
        TypeError,
        "clarkson_woodruff_transform: give one",
        lambda: clarkson_woodruff_transform(_M, 2),
    ),
    (
        TypeError,
        "clarkson_woodruff_transform: argument 'rng' must be a key",
        lambda: clarkson_woodruff_transform(_M, 2, cast(Any, rng())),
    ),
    (
        ValueError,
        "clarkson_woodruff_transform: argument 'sketch_size'",
        lambda: clarkson_woodruff_transform(_M, 0, 1),
    ),
]


@pytest.mark.parametrize(("error", "message", "call"), WRONG, ids=[m for _, m, _ in WRONG])
def test_messages(error, message, call):
    with pytest.raises(error, match=message):
        call()


# -- special matrices ------------------------------------------------------------------------------


def _numbers(kind):
    def draw(*shape):
        if kind == "integers":
            return rng(sum(shape)).integers(1, 9, size=shape)
        return normal(rng(sum(shape)), shape, kind == "complex")

    return draw


@pytest.mark.parametrize("kind", ["complex", "integers"])
def test_matrices_of_vectors(kind):
    draw = _numbers(kind)
    theirs = scipy.linalg
    for n in (1, 2, 5):
        x, y = draw(n), draw(4)
        for ours in (toeplitz, hankel, circulant):
            name = ours.__name__
            assert_same(ours(x), getattr(theirs, name)(x))
            assert np.asarray(ours(x)).dtype == x.dtype
        assert_same(toeplitz(x, y), theirs.toeplitz(x, y))
        assert_same(hankel(x, y), theirs.hankel(x, y))
        for mode in ("full", "same", "valid"):
            for m in (1, 3):
                assert_same(convolution_matrix(x, m, mode), theirs.convolution_matrix(x, m, mode))
        for shape in [(n, n), (n + 2, n), (n, n + 2)]:
            assert_same(diagsvd(x, *shape), theirs.diagsvd(x, *shape))
        if n > 1:
            assert_same(fiedler(x), theirs.fiedler(x))
            assert_same(leslie(x, draw(n - 1)), theirs.leslie(x, draw(n - 1)))
            assert_same(companion(x), theirs.companion(x))
            assert_same(fiedler_companion(x), theirs.fiedler_companion(x * 1.0))
    blocks = draw(2, 3), draw(2), draw(3, 1), draw(0, 2)
    assert_same(block_diag(*blocks), theirs.block_diag(*blocks))
    assert block_diag().shape == (1, 0)
    assert block_diag(draw(4, 2, 3), draw(2, 2)).shape == (4, 4, 5)


def test_batches_of_hankel_matrices():
    c, r = rng(1).normal(size=(2, 3)), rng(2).normal(size=(2, 4))
    expected = np.stack([scipy.linalg.hankel(x, y) for x, y in zip(c, r, strict=True)])
    assert_same(hankel(c, r), expected)
    assert_same(toeplitz(c, r[0]), np.stack([scipy.linalg.toeplitz(x, r[0]) for x in c]))


LINEAR = {
    "toeplitz": (toeplitz, 3, 4),
    "toeplitz:c": (toeplitz, 3),
    "hankel": (hankel, 3, 4),
    "circulant": (circulant, 3),
    "leslie": (leslie, 4, 3),
    "block_diag": (block_diag, 2, 3),
    "convolution_matrix": (partial(convolution_matrix, n=3), 2),
    "diagsvd": (partial(diagsvd, M=2, N=3), 2),
    "clarkson_woodruff_transform": (
        lambda x: clarkson_woodruff_transform(x[:, None], 3, jax.random.key(0)),
        9,
    ),
}


@pytest.mark.parametrize("name", LINEAR)
def test_the_derivative_of_a_linear_function_is_the_function(name):
    function, *sizes = LINEAR[name]
    xs, ts = (tuple(normal(rng(i), (n,), True) for n in sizes) for i in (1, 2))
    along = jax.jvp(function, xs, ts)[1]
    assert_same(along, function(*ts))
    weights = normal(rng(3), along.shape, True)
    gradients = jax.vjp(function, *xs)[1](jnp.asarray(weights))
    backwards = sum(np.sum(np.asarray(g) * t).real for g, t in zip(gradients, ts, strict=True))
    np.testing.assert_allclose(backwards, np.sum(weights * np.asarray(along)).real, rtol=1e-13)


def test_companion_matrices_of_no_polynomial():
    a = jnp.array([[0.0, 1, 2], [1, 1, 2]])
    for function in (companion, fiedler_companion):
        found = np.asarray(function(a))
        assert np.any(np.isnan(found[0]))
        assert np.all(np.isfinite(found[1]))


def test_constant_matrices():
    theirs = scipy.linalg
    for n in (1, 2, 5, 13):
        for scale in (None, "sqrtn", "n"):
            assert_same(dft(n, scale), theirs.dft(n, scale), 1e-14 * n)
        for full in (False, True):
            assert_same(helmert(n, full), theirs.helmert(n, full), 1e-15)
        assert_same(hilbert(n), theirs.hilbert(n), 0)
        for exact in (False, True):
            assert_same(invhilbert(n, exact), theirs.invhilbert(n, exact), 0)
    for n in (1, 2, 16):
        assert_same(hadamard(n), theirs.hadamard(n), 0)
        assert hadamard(n, complex).dtype == complex
    for n in (0, 1, 6, 34):
        for kind in ("symmetric", "lower", "upper"):
            for ours in (pascal, invpascal):
                expected = getattr(theirs, ours.__name__)(n, kind)
                found = np.asarray(ours(n, kind))
                assert found.dtype == expected.dtype
                assert np.all(found == expected)
                expected = getattr(theirs, ours.__name__)(n, kind, exact=False)
                assert_same(ours(n, kind, exact=False), expected, 0)


def test_constant_matrices_without_64_bit_types():
    with jax.enable_x64(False):
        assert hilbert(3).dtype == helmert(3).dtype == "float32"
        assert dft(3).dtype == "complex64"
        assert np.all(np.asarray(pascal(17, "lower")) == scipy.linalg.pascal(17, "lower"))
        with pytest.raises(ValueError, match="pascal: the values do not fit uint32"):
            pascal(34)


@pytest.mark.parametrize("dtype", ["uint8", "uint64", "int8", "int64"])
def test_distances_of_integers_do_not_wrap_around(dtype):
    """SciPy's do: of 1 and 2 it has 255 as an unsigned byte, and -128 for |-128|."""
    kind = np.iinfo(dtype)
    a = np.array([[kind.max, kind.min], [kind.min + 2, kind.min]], dtype)
    for function in (issymmetric, ishermitian):
        assert bool(function(a, atol=2))
        assert not function(a, atol=1)
        assert bool(function(a[::-1, ::-1].T, atol=2.5, rtol=0))
        # 2 is little beside a number of 128 and more; 0 is a number of no size.
        assert bool(function(a, rtol=0.1)) == (kind.min < 0)
    row = np.array([2, 5, 0], dtype)
    np.testing.assert_array_equal(fiedler(row), np.abs(np.subtract.outer([2, 5, 0], [2, 5, 0])))
    assert fiedler(row).dtype == dtype


def test_distances_of_booleans_are_refused():
    with pytest.raises(TypeError, match=r"^fiedler: argument 'a' must be an array of numbers, got"):
        fiedler(np.array([True, False]))


def test_predicates():
    nan, inf = np.nan, np.inf
    matrices = [
        np.array([[1, nan], [nan, 1]]),
        np.array([[inf, 2], [2, 1.0]]),
        np.array([[1, inf], [-inf, 2]]),
        np.zeros((0, 0)),
        np.array([[1, 2], [2, 1]]),
        np.array([[1, 2], [2.0005, 1]]),
        np.array([[1j, 2], [2, 1]]),
        np.array([[1, 2 + 1j], [2 - 1j, 1]]),
        np.array([[True, False], [False, True]]),
    ]
    for a in matrices:
        for limits in ({}, {"atol": 1e-3}, {"rtol": 1e-3}, {"atol": 1e-5, "rtol": 1e-5}):
            for ours in (issymmetric, ishermitian):
                found = jax.jit(partial(ours, **limits))(a)
                assert found.dtype == bool
                # SciPy 1.18 would rather not be asked about truth values.
                numbers = a.astype(float) if a.dtype == bool else a
                assert bool(found) == getattr(scipy.linalg, ours.__name__)(numbers, **limits)
    assert not issymmetric(jnp.array([[nan, 1], [1, 1]]))
    both = jax.vmap(issymmetric)(jnp.stack([jnp.eye(2), jnp.arange(4.0).reshape(2, 2)]))
    assert both.tolist() == [True, False]
    for a in (
        rng(1).normal(size=(4, 5)),
        np.diag([1.0, 2], 1),
        np.zeros((3, 3)),
        np.tril(np.ones((4, 4)), -2),
        np.ones((5, 2), int),
        matrices[0],
    ):
        assert tuple(map(int, jax.jit(bandwidth)(a))) == scipy.linalg.bandwidth(a)
    assert bandwidth(jnp.zeros((2, 3, 3)))[0].tolist() == [0, 0]


def test_sketches():
    a = rng(1).normal(size=(2, 20, 3))
    for random in ({"rng": 3}, {"seed": 3}):
        expected = scipy.linalg.clarkson_woodruff_transform(a[0], 5, **random)
        assert_same(clarkson_woodruff_transform(a[0], 5, **random), expected)
        found = jax.jit(partial(clarkson_woodruff_transform, sketch_size=5, **random))(a)
        assert_same(found[0], expected)
    # By a key: each row goes to one place, with a sign, and other keys give other sketches.
    keys = jax.random.split(jax.random.key(1), 3)
    drawn = np.asarray(jax.vmap(lambda k: clarkson_woodruff_transform(jnp.eye(20), 5, k))(keys))
    assert np.all(np.sum(np.abs(drawn), axis=1) == 1)
    assert set(np.unique(drawn)) == {-1, 0, 1}
    assert len({x.tobytes() for x in drawn}) == 3
    old = clarkson_woodruff_transform(a, 5, jax.random.PRNGKey(0))
    assert_same(old, clarkson_woodruff_transform(a, 5, jax.random.key(0)))
