"""Decompositions beside the generic tests: many digits, equal singular values, edges, messages."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.linalg

from jaxsci.linalg._balance import matrix_balance
from jaxsci.linalg._cossin import cossin
from jaxsci.linalg._ldl import ldl
from jaxsci.linalg._polar import orthogonal_procrustes, polar
from jaxsci.linalg._qr import qr, qr_multiply, rq
from jaxsci.linalg._qr_updates import qr_delete, qr_insert, qr_update
from jaxsci.linalg._subspaces import null_space, orth, subspace_angles
from jaxsci.linalg._svd import svd, svdvals

pytestmark = pytest.mark.rotating(0.03)

RNG = np.random.default_rng(20)
A = RNG.normal(size=(4, 4)) + 3 * np.eye(4)
TALL = RNG.normal(size=(5, 3)) + 2 * np.eye(5, 3)
reference: Any = scipy.linalg  # whose annotations lack the updates
WRONG: Any = 1.5


# -- mpmath ----------------------------------------------------------------------------------------


def mp_polar(a):
    """The unitary factor, by Newton's iteration."""
    for _ in range(12):
        a = (a + mpmath.inverse(a.H)) / 2
    return a


def mp_r(a):
    """R with a positive diagonal, by Cholesky's factorisation."""
    return mpmath.cholesky(a.T * a).T


def mp_range(a):
    """The projector onto the range of a matrix of full rank."""
    return a * mpmath.inverse(a.T * a) * a.T


def mp_leading(a):
    """The projector onto the two leading left singular vectors."""
    _, v = mpmath.eigsy(a * a.T)
    v = v[:, v.cols - 2 :]
    return v * v.T


def mp_d(a):
    """D of the factorisation L D L^T without pivots."""
    n = a.rows
    d = mpmath.zeros(n)
    for k in range(n):
        d[k, k] = a[k, k]
        a = mpmath.matrix(
            [
                [a[i, j] - (a[i, k] * a[k, j] / a[k, k] if k < min(i, j) else 0) for j in range(n)]
                for i in range(n)
            ]
        )
    return d


def positive_r(a):
    r = qr(a, mode="economic")[1]
    return r * jnp.sign(jnp.diagonal(r))[:, None]


def projector(q):
    return q @ q.T


GRADED = np.diag([8.0, 4, 2, 1]) + 0.1 * (A + A.T)

PRECISE = {
    "polar": (lambda a: polar(a)[0], mp_polar, A),
    "procrustes": (lambda a: orthogonal_procrustes(jnp.eye(4), a)[0], mp_polar, A),
    "qr": (positive_r, mp_r, TALL),
    "orth": (lambda a: projector(orth(a)), mp_range, TALL),
    "orth rank": (lambda a: projector(orth(a, rank=2)), mp_leading, A),
    "null_space": (
        lambda a: projector(null_space(a.T)),
        lambda a: mpmath.eye(a.rows) - mp_range(a),
        TALL,
    ),
    "svd": (lambda a: (s := svd(a))[0][:, :2] @ s[0][:, :2].T, mp_leading, TALL),
    "ldl": (lambda a: ldl((a + a.T) / 2)[1], lambda a: mp_d((a + a.T) / 2), GRADED),
}


@pytest.mark.parametrize("name", PRECISE)
def test_many_digits(name):
    """Value, first and second derivative against differences at 60 digits."""
    ours, theirs, a = PRECISE[name]
    t = np.random.default_rng(1).normal(size=a.shape)

    def along(s):
        return ours(a + s * t)

    def first(s):
        return jax.jvp(along, (s,), (1.0,))

    (value, slope), (_, curvature) = jax.jit(lambda s: jax.jvp(first, (s,), (1.0,)))(0.0)
    with mpmath.workdps(60):
        h = mpmath.mpf(10) ** -15
        x, along_x = mpmath.matrix(a.tolist()), mpmath.matrix(t.tolist())
        below, there, above = (theirs(x + k * h * along_x) for k in (-1, 0, 1))
        expected = [there, (above - below) / (2 * h), (above - 2 * there + below) / h**2]
        expected = [np.array(y.tolist(), float) for y in expected]
    condition = np.linalg.cond(a)
    for found, y, rtol in zip(
        (value, slope, curvature), expected, (1e-13, 1e-12, 1e-8), strict=True
    ):
        np.testing.assert_allclose(found, y, rtol=0, atol=rtol * condition * np.abs(y).max())


# -- the third derivative --------------------------------------------------------------------------


def free_of_phases(u, s, vh):
    """What does not depend on the phases of singular vectors, but on all of them."""
    k = len(s)
    weighted = (u[:, :k] * s) @ vh[:k], (u[:, :k] * jnp.arange(1, k + 1)) @ vh[:k]
    return jnp.concatenate([s + 0j, *map(jnp.ravel, weighted)])


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (3, 3)])
def test_third_derivative_of_complex_singular_vectors(shape):
    """Forwards, against differences of the second; and backwards, against forwards."""
    rng = np.random.default_rng(8)
    a, t = (rng.normal(size=shape) + 1j * rng.normal(size=shape) for _ in range(2))
    a += np.eye(*shape) * np.arange(2, 2 * shape[1] + 2, 2)

    def along(s, a):
        return free_of_phases(*svd(a + s * t))

    def derivative(f):
        return lambda s, a: jax.jvp(lambda s: f(s, a), (s,), (1.0,))[1]

    second = derivative(derivative(along))

    @jax.jit
    def last_two(s):
        return jax.jvp(lambda s: second(s, a), (s,), (1.0,))

    h = 1e-3
    seconds = [last_two(k * h)[0] for k in (-2, -1, 1, 2)]
    expected = np.dot([1, -8, 8, -1], seconds) / (12 * h)
    third = np.asarray(last_two(0.0)[1])
    np.testing.assert_allclose(third, expected, rtol=0, atol=1e-8 * np.max(np.abs(expected)))
    weights = rng.normal(size=third.shape) + 1j * rng.normal(size=third.shape)
    gradient = jax.jit(jax.grad(lambda a: jnp.sum(jnp.real(weights * second(0.0, a)))))(a)
    backwards = np.sum(np.real(np.asarray(gradient) * t))
    np.testing.assert_allclose(backwards, np.sum(np.real(weights * third)), rtol=1e-10)


# -- equal singular values -------------------------------------------------------------------------


def test_polar_factor_of_twice_the_identity():
    t = RNG.normal(size=(3, 3))
    (_, p), (du, dp) = jax.jvp(polar, (2 * np.eye(3),), (t,))
    np.testing.assert_allclose(p, 2 * np.eye(3), atol=1e-15)
    np.testing.assert_allclose(du, (t - t.T) / 4, atol=1e-15)
    np.testing.assert_allclose(dp, (t + t.T) / 2, atol=1e-15)


def test_function_of_equal_singular_values_through_polar():
    """U S^3 V^H = a a^H a, whose derivative is known."""
    a = 2 * reference.qr(RNG.normal(size=(4, 4)))[0][:, :3]
    t = RNG.normal(size=(4, 3))

    def cubed(a):
        u, p = polar(a)
        return u @ p @ p @ p

    found = jax.jvp(jax.grad(lambda a: jnp.sum(cubed(a) ** 2)), (a,), (t,))[1]
    expected = jax.jvp(jax.grad(lambda a: jnp.sum((a @ a.T @ a) ** 2)), (a,), (t,))[1]
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-10)


def test_projectors_onto_equal_singular_values():
    """The leading two are equal, and so are the others."""
    u, v = (reference.qr(RNG.normal(size=(4, 4)))[0] for _ in range(2))
    t = RNG.normal(size=(4, 4))

    def f(a):
        q, z = orth(a, rank=2), null_space(a, rank=2)
        return jnp.concatenate([projector(q), projector(z)])

    a = u * np.array([3.0, 3, 1, 1]) @ v.T
    found = jax.jvp(f, (a,), (t,))[1]
    expected = (f(a + 1e-5 * t) - f(a - 1e-5 * t)) / 2e-5
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_vectors_of_equal_singular_values_have_no_derivative():
    for a in (2 * np.eye(3), 2 * reference.qr(A)[0]):
        du = jax.jvp(lambda a: svd(a)[0], (a,), (np.ones_like(a),))[1]
        assert np.any(np.isnan(du))
        ds = jax.jvp(lambda a: jnp.sum(svdvals(a)), (a,), (a,))[1]
        np.testing.assert_allclose(ds, 2 * len(a), rtol=1e-13)


def test_scalar_of_procrustes_at_equal_singular_values():
    gradient = jax.grad(lambda a: orthogonal_procrustes(a, jnp.eye(3))[1])
    np.testing.assert_allclose(gradient(np.eye(3)), np.eye(3), atol=1e-15)


# -- derivatives that are not elsewhere ------------------------------------------------------------


def test_full_factors_of_updates_have_their_derivatives_spans():
    """Q1 of a full update stays unitary, and Q1 R1 is the changed matrix."""
    q, r = reference.qr(TALL)
    u, v, du = RNG.normal(size=5), RNG.normal(size=3), RNG.normal(size=5)
    (q1, r1), (dq, dr) = jax.jvp(lambda u: qr_update(q, r, u, v), (u,), (du,))
    np.testing.assert_allclose(dq @ r1 + q1 @ dr, np.outer(du, v), atol=1e-13)
    np.testing.assert_allclose(dq.T @ q1 + q1.T @ dq, np.zeros((5, 5)), atol=1e-13)


def test_updates_are_scipys():
    q, r = reference.qr(TALL)
    u, v = RNG.normal(size=(5, 2)), RNG.normal(size=(3, 2))
    for found, expected in (
        (qr_update(q, r, u, v), reference.qr_update(q, r, u, v)),
        (qr_insert(q, r, v.T, 1), reference.qr_insert(q, r, v.T, 1)),
        (qr_delete(q, r, -2, 1, "col"), reference.qr_delete(q, r, -2, 1, "col")),
    ):
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x, y, atol=1e-14)


def test_update_of_a_rank_that_scipy_refuses():
    q, r = reference.qr(TALL)
    u, v = RNG.normal(size=(5, 4)), RNG.normal(size=(3, 4))
    q1, r1 = qr_update(q, r, u, v)
    np.testing.assert_allclose(q1 @ r1, TALL + u @ v.T, atol=1e-13)
    np.testing.assert_allclose(q1.T @ q1, np.eye(5), atol=1e-14)


def test_column_within_the_range_is_refused_by_its_condition():
    q, r = reference.qr(TALL, mode="economic")
    u = np.stack([TALL[:, :1], RNG.normal(size=(5, 1))])
    q1, _ = qr_insert(np.stack([q, q]), np.stack([r, r]), u, 0, "col", rcond=1e-8)
    assert np.all(np.isnan(q1[0]))
    assert np.all(np.isfinite(q1[1]))


def test_ldl_of_rank_one_less_has_derivatives():
    laplacian = np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]])
    t = RNG.normal(size=(3, 3))
    lu, d, _ = ldl(laplacian)
    dlu, dd = jax.jvp(lambda a: ldl(a)[:2], (laplacian,), (t,))[1]
    expected = (t + t.T) / 2
    np.testing.assert_allclose(
        dlu @ d @ lu.T + lu @ dd @ lu.T + lu @ d @ dlu.T, expected, atol=1e-13
    )


def test_ldl_has_pivots_of_order_two():
    a = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    lu, d, perm = ldl(a)
    assert np.any(np.diag(d, 1) != 0)
    np.testing.assert_array_equal(lu[perm], np.tril(lu[perm]))
    np.testing.assert_allclose(lu @ d @ lu.T, a, atol=1e-14)


def test_small_angles_are_accurate():
    b = np.array([[1.0, 0], [0, 1], [1e-9, 0], [0, 2]])
    found = subspace_angles(np.eye(4)[:, :2], b)
    np.testing.assert_allclose(found, [np.arctan(2), 1e-9], rtol=1e-12)


@pytest.mark.parametrize("size", [1e-300, 1e155, 1e300, 1.7e308])
def test_angles_do_not_depend_on_sizes(size):
    a, b = TALL[:, :2], np.cos(TALL[:, 1:] + 1)
    value, slope = jax.jvp(lambda b: subspace_angles(a, b), (size * b,), (size * b**2,))
    np.testing.assert_allclose(value, reference.subspace_angles(a, b), rtol=1e-12)
    expected = jax.jvp(lambda b: subspace_angles(a, b), (b,), (b**2,))[1]
    np.testing.assert_allclose(slope, expected, rtol=1e-10)


def test_balance_is_a_similarity_by_powers_of_two():
    a = A * 10.0 ** np.arange(-4, 4, 2)
    b, t = matrix_balance(a)
    np.testing.assert_array_equal(b, np.linalg.inv(t) @ a @ t)
    _, (scale, perm) = matrix_balance(a, separate=True)
    expected = reference.matrix_balance(a, separate=True)[1]
    np.testing.assert_array_equal(scale, expected[0])
    np.testing.assert_array_equal(perm, expected[1])


def test_cossin_says_that_vectors_have_no_derivative():
    with pytest.raises(NotImplementedError, match="cossin: the vectors"):
        jax.grad(lambda x: jnp.sum(cossin(x, 2, 2)[0]))(np.eye(4))


def test_cossin_of_blocks():
    x = reference.qr(A)[0]
    blocks = (x[:2, :1], x[:2, 1:], x[2:, :1], x[2:, 1:])
    u, cs, vh = cossin(blocks)
    np.testing.assert_allclose(u @ cs @ vh, x, atol=1e-14)
    empty, theta, (v1, _) = cossin(x, 2, 1, separate=True, compute_u=False)
    assert empty[0].shape == (0, 0)
    np.testing.assert_allclose(np.abs(v1), [[1]], rtol=1e-15)
    np.testing.assert_allclose(np.cos(theta), svdvals(x[:2, :1]), rtol=1e-13)


def test_raw_factors():
    for pivoting in (False, True):
        found = jax.tree.leaves(qr(TALL, mode="raw", pivoting=pivoting))
        expected = jax.tree.leaves(reference.qr(TALL, mode="raw", pivoting=pivoting))
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x, y, atol=1e-15)
    with pytest.raises(NotImplementedError, match="qr"):
        jax.jacfwd(lambda a: qr(a, mode="raw")[1])(TALL)


# -- edges -----------------------------------------------------------------------------------------

SQUARE = {
    "qr": qr,
    "qr_pivoting": lambda a: qr(a, pivoting=True),
    "rq": rq,
    "qr_multiply": lambda a: qr_multiply(a, a),
    "svd": svd,
    "svdvals": svdvals,
    "orth": orth,
    "null_space": null_space,
    "subspace_angles": lambda a: subspace_angles(a, a),
    "polar": polar,
    "orthogonal_procrustes": lambda a: orthogonal_procrustes(a, a),
    "ldl": ldl,
    "matrix_balance": matrix_balance,
}


@pytest.mark.parametrize("name", SQUARE)
def test_edges(name):
    """No size, no batch, order 1, slices that are not finite, other dtypes."""
    f = SQUARE[name]

    def leaves(a):
        return jax.tree.leaves(f(jnp.asarray(a)))

    for shape in ((0, 0), (0, 3, 3), (2, 0, 0), (1, 1)):
        for y in leaves(np.ones(shape)):
            assert y.shape[: len(shape) - 2] == shape[:-2]
    one = A[:3, :3]
    for bad in (np.nan, np.inf):
        broken = one.copy()
        broken[0, 1] = bad
        broken[1, 0] = bad
        for y, expected in zip(leaves(np.stack([one, broken])), leaves(one), strict=True):
            np.testing.assert_allclose(y[0], expected, atol=1e-15)
            if y.size and np.issubdtype(y.dtype, np.inexact):
                assert np.all(np.isnan(y[1]) | ((y[1] == 0) & (np.ndim(expected) == 2)))
                assert np.any(np.isnan(y[1]))
    for dtype in (np.float16, np.complex64):
        floating = [y.dtype for y in leaves(one.astype(dtype)) if y.dtype.kind in "fc"]
        assert all(d == dtype or (d == np.float32 and dtype == np.complex64) for d in floating)
    assert any(y.dtype == np.float64 for y in leaves(np.eye(3, dtype=np.int32)))


def test_real_and_complex_arguments_together():
    r, scale = orthogonal_procrustes(A, A + 1j * A.T)
    expected = reference.orthogonal_procrustes(A, A + 1j * A.T)
    np.testing.assert_allclose(r, expected[0], atol=1e-13)
    np.testing.assert_allclose(scale, expected[1], rtol=1e-13)
    q, r = reference.qr(TALL)
    q1, r1 = qr_insert(q, r, 1j * TALL[0], 0)
    np.testing.assert_allclose((q1 @ r1)[0], 1j * TALL[0], atol=1e-13)


def test_polar_derivative_of_a_singular_matrix_is_nan_alone():
    a = np.stack([np.diag([1.0, 0, 2]), A[:3, :3]])
    gradient = jax.grad(lambda a: jnp.sum(polar(a)[0] ** 3))(a)
    assert np.all(np.isnan(gradient[0]))
    alone = jax.grad(lambda a: jnp.sum(polar(a)[0] ** 3))(a[1])
    np.testing.assert_allclose(gradient[1], alone, rtol=1e-12)


def test_rank_is_checked_where_it_is_not_given():
    a = np.stack([np.ones((3, 2)), TALL[:3, :2]])
    assert np.all(np.isnan(orth(a)[0]))
    np.testing.assert_allclose(orth(a)[1], reference.orth(a[1]), atol=1e-15)
    assert np.all(np.isfinite(orth(a, rank=1)))
    assert np.all(np.isnan(null_space(a, 1e-10, rank=1)[1]))
    np.testing.assert_allclose(null_space(a, rank=1)[0], reference.null_space(a[0]), atol=1e-15)
    assert np.all(np.isnan(subspace_angles(a[0], a[1])))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: qr(A, mode="thin"), ValueError, "qr: argument 'mode' must be one of 'full'"),
        (lambda: qr(A, pivoting=WRONG), TypeError, "qr: argument 'pivoting'"),
        (lambda: rq(A, mode="raw"), ValueError, "rq: argument 'mode'"),
        (lambda: qr_multiply(A, TALL), ValueError, "qr_multiply: argument 'c' must have 4 columns"),
        (lambda: svd(A, lapack_driver="x"), ValueError, "svd: argument 'lapack_driver'"),
        (lambda: orth(A, rank=5), ValueError, "orth: argument 'rank' must be at most 4"),
        (lambda: orth(A, rank=WRONG), TypeError, "orth: argument 'rank' must be an integer"),
        (lambda: null_space(A, rcond=-1), ValueError, "null_space: argument 'rcond'"),
        (lambda: subspace_angles(A, TALL), ValueError, "subspace_angles: arguments 'A' and 'B'"),
        (lambda: polar(A, "up"), ValueError, "polar: argument 'side' must be one of 'right'"),
        (lambda: orthogonal_procrustes(A, TALL), ValueError, "orthogonal_procrustes: arguments"),
        (lambda: ldl(TALL), ValueError, "ldl: argument 'A' must be a square matrix"),
        (lambda: matrix_balance(TALL), ValueError, "matrix_balance: argument 'A'"),
        (lambda: cossin(A, 4, 1), ValueError, "cossin: argument 'p' must be less than 4"),
        (lambda: cossin(A), ValueError, "cossin: argument 'X' must be a sequence of four"),
        (lambda: cossin((A, A, A, TALL)), ValueError, "cossin: argument 'X' must consist of"),
        (lambda: qr_insert(A, A, A[0], 6), ValueError, "qr_insert: argument 'k' must be less than"),
        (lambda: qr_insert(A, A, TALL, 0), ValueError, "qr_insert: argument 'u' must have rows"),
        (lambda: qr_delete(A, A, 3, 2), ValueError, "qr_delete: argument 'p' must be at most 1"),
        (lambda: qr_delete(TALL.T, A, 0), ValueError, "qr_delete: arguments 'Q' and 'R'"),
        (lambda: qr_update(A, A, A[0], A), ValueError, "qr_update: arguments 'u' and 'v'"),
        (lambda: qr_update(A, A, A, TALL), ValueError, "qr_update: arguments 'u' and 'v'"),
        (
            lambda: jax.jit(lambda k: qr_delete(A, A, k))(1),
            TypeError,
            "qr_delete: argument 'k' must be an integer",
        ),
    ],
)
def test_messages(call, error, message):
    with pytest.raises(error, match=message):
        call()
