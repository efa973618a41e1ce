"""Matrix functions against mpmath at 40 digits, and where they end: edges, branches, messages."""

from __future__ import annotations

import functools
import logging
import warnings

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.linalg
from linalg_cases import normal, of_positive_spectrum

from jaxsci.linalg._exponential import expm, expm_cond, expm_frechet
from jaxsci.linalg._functions import fractional_matrix_power, logm, signm, sqrtm
from jaxsci.linalg._funm import funm
from jaxsci.linalg._products import khatri_rao
from jaxsci.linalg._trigonometric import coshm, cosm, sinhm, sinm, tanhm, tanm

pytestmark = pytest.mark.rotating(0.015)

ROTATION = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]


# -- mpmath ----------------------------------------------------------------------------------------


def matrix(x):
    return mpmath.matrix(np.asarray(x).tolist())


def array(m, is_complex):
    x = np.array(m.tolist(), dtype=complex)
    if is_complex:
        return x
    assert np.max(np.abs(np.imag(x))) <= 1e-30 * np.max(np.abs(x))
    return np.real(x)


def hyperbolic(part):
    def f(m):
        e, inverse = mpmath.expm(m), mpmath.expm(-m)
        return (e + inverse if part == "cosh" else e - inverse) / 2

    return f


def quotient(numerator, denominator):
    return lambda m: mpmath.inverse(denominator(m)) * numerator(m)


def sign_of(m):
    """A A^2^(-1/2), by its definition."""
    return m * mpmath.inverse(mpmath.sqrtm(m * m))


def of_exponential(theirs):
    return functools.partial(theirs, method="taylor") if theirs is mpmath.expm else theirs


def power(t):
    return lambda m: mpmath.expm(mpmath.mpf(t) * mpmath.logm(m))


cosh, sinh = hyperbolic("cosh"), hyperbolic("sinh")
ORACLES = {
    "logm": (logm, mpmath.logm),
    "sqrtm": (sqrtm, mpmath.sqrtm),
    "signm": (signm, sign_of),
    "power 0.3": (lambda a: fractional_matrix_power(a, 0.3), power(0.3)),
    "power -2.25": (lambda a: fractional_matrix_power(a, -2.25), power(-2.25)),
    "power traced": (lambda a: fractional_matrix_power(a, jnp.asarray(1.75)), power(1.75)),
    "expm": (expm, mpmath.expm),
    "cosm": (cosm, mpmath.cosm),
    "sinm": (sinm, mpmath.sinm),
    "tanm": (tanm, quotient(mpmath.sinm, mpmath.cosm)),
    "coshm": (coshm, cosh),
    "sinhm": (sinhm, sinh),
    "tanhm": (tanhm, quotient(sinh, cosh)),
    "funm": (lambda a: funm(a, jnp.exp), mpmath.expm),
    "funm log": (lambda a: funm(a, jnp.log), mpmath.logm),
}


def block(a, e):
    return np.block([[a, e], [np.zeros_like(a), a]])


def oracle(f, x, is_complex):
    with mpmath.workdps(40):
        return array(f(matrix(x)), is_complex)


def error(found, expected):
    return np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))


@pytest.mark.parametrize("kind", ["real", "complex"])
@pytest.mark.parametrize("name", ORACLES)
def test_values_and_first_derivatives_to_40_digits(name, kind):
    """Within 1e-12: the matrices are well-conditioned."""
    f, theirs = ORACLES[name]
    n = 6 if kind == "real" else 3
    rng = np.random.default_rng(len(name))
    a = of_positive_spectrum(rng, n, kind == "complex")
    e = normal(rng, (n, n), kind == "complex")
    y, dy = jax.jit(lambda a, e: jax.jvp(f, (a,), (e,)))(a, e)
    expected = oracle(theirs, block(a, e), kind == "complex")
    assert error(y, expected[:n, :n]) < 1e-12
    if name == "signm":  # of a matrix with all eigenvalues on one side it is zero
        assert np.max(np.abs(dy)) < 1e-12
    else:
        assert error(dy, expected[:n, n:]) < 1e-12


def test_derivative_of_sign_to_40_digits():
    v = ROTATION + 0.3
    a = v @ np.diag([1.5, -0.5, 2.0]) @ np.linalg.inv(v)
    e = np.random.default_rng(1).normal(size=(3, 3))
    _, dy = jax.jvp(signm, (a,), (e,))
    assert error(dy, oracle(sign_of, block(a, e), False)[:3, 3:]) < 1e-12


@pytest.mark.parametrize("name", ["logm", "sqrtm", "power 0.3", "expm", "sinm", "funm log"])
def test_second_derivatives_to_40_digits(name):
    """f of 4 x 4 blocks holds the mixed second derivative in its corner."""
    f, theirs = ORACLES[name]
    n = 3
    rng = np.random.default_rng(3)
    a = of_positive_spectrum(rng, n, False)
    e, g = rng.normal(size=(2, n, n))

    def first(a):
        return jax.jvp(f, (a,), (e,))[1]

    _, found = jax.jit(lambda a, g: jax.jvp(first, (a,), (g,)))(a, g)
    expected = oracle(theirs, block(block(a, e), np.kron(np.eye(2), g)), False)[:n, -n:]
    assert error(found, expected) < 1e-11


@pytest.mark.parametrize("name", ["logm", "sqrtm", "power 0.3", "signm", "funm"])
def test_nearly_defective_matrices(name):
    """Eigenvalues that differ by 1e-9, and a large part above the diagonal."""
    f, theirs = ORACLES[name]
    t = np.diag([1.0, 1.0 + 1e-9, 1.0 - 1e-9]) + np.triu(np.full((3, 3), 5.0), 1)
    a = ROTATION @ t @ ROTATION.T
    assert error(f(a), oracle(theirs, a, False)) < 1e-11


@pytest.mark.parametrize("scale", [1e-10, 1e-3, 1e3, 1e10])
def test_logarithms_and_roots_at_every_scale(scale):
    a = scale * of_positive_spectrum(np.random.default_rng(2), 4, False)
    e = np.random.default_rng(3).normal(size=(4, 4))
    for name in ("logm", "sqrtm", "power 0.3"):
        f, theirs = ORACLES[name]
        y, dy = jax.jvp(f, (a,), (e,))
        expected = oracle(theirs, block(a, e), False)
        assert error(y, expected[:4, :4]) < 1e-12
        assert error(dy, expected[:4, 4:]) < 1e-12


def test_scale_of_a_direction_does_not_matter():
    a = of_positive_spectrum(np.random.default_rng(4), 4, False)
    e = np.random.default_rng(5).normal(size=(4, 4))

    def along(e):
        return jax.jvp(logm, (a,), (e,))[1]

    for scale in (2.0**-600, 2.0**600):
        np.testing.assert_allclose(along(e * scale) / scale, along(e), rtol=0, atol=1e-14)
    assert not np.any(along(np.zeros_like(e)))


def test_sines_of_small_matrices_keep_their_digits():
    """Where differences of exponentials, as in SciPy, have six digits left."""
    for a in normal(np.random.default_rng(6), (2, 3, 3), False):
        for z in (1e-10 * a, 1e-10 * (a + 2j * a.T)):
            assert error(sinm(z), z) < 1e-14
            assert error(sinhm(z), z) < 1e-14


def test_exponential_of_large_norms():
    """JAX's own one is NaN from 3.5e5."""
    for size in (1e3, 1e6, 1e9):
        y = np.asarray(expm(np.array([[0.0, size], [-size, 0.0]])))
        expected = np.array([[np.cos(size), np.sin(size)], [-np.sin(size), np.cos(size)]])
        assert error(y, expected) < 10 * np.finfo(float).eps * size  # its condition number is size
    a = ROTATION @ np.diag([-1e6, -2.0, -1.0]) @ ROTATION.T
    expected = ROTATION @ np.diag([0.0, np.exp(-2.0), np.exp(-1.0)]) @ ROTATION.T
    assert error(expm(a), expected) < 1e-9
    assert np.all(np.isnan(expm(np.diag([1e11, 0.0]))))


@pytest.mark.parametrize("size", [1e2, 1e6, 1e10])
def test_exponential_far_from_normal(size):
    """Of a norm of `size` and small eigenvalues: scaled by its norm it would lose its digits."""
    rng = np.random.default_rng(0)
    a = np.triu(rng.normal(size=(4, 4)), 1) * size + np.diag([0.3, -1.0, 0.5, 2.0])
    along = rng.normal(size=(4, 4))
    with mpmath.workdps(60):
        of_both = np.block([[a, along], [np.zeros_like(a), a]])
        whole = mpmath.expm(mpmath.matrix(of_both.tolist()), method="taylor")
        truth = np.array(whole.tolist(), float)
    y, slope = jax.jvp(expm, (a,), (along,))
    assert error(y, truth[:4, :4]) < 1e-12
    assert error(slope, truth[:4, 4:]) < 1e-12


def test_exponential_of_powers_that_cancel():
    """The square of the matrix is zero, but not that of its absolute values."""
    a = np.array([[1e3, 1e3], [-1e3, -1e3]])
    assert error(expm(a), np.eye(2) + a) < 1e-12


# -- real or complex -------------------------------------------------------------------------------

NEGATIVE = ROTATION @ np.diag([-1.0, 2.0, 3.0]) @ ROTATION.T
THEIRS = {
    "logm": (logm, scipy.linalg.logm),
    "sqrtm": (sqrtm, scipy.linalg.sqrtm),
    "power": (
        lambda a, **options: fractional_matrix_power(a, -0.7, **options),
        lambda a: scipy.linalg.fractional_matrix_power(a, -0.7),
    ),
    "power traced": (
        lambda a, **options: fractional_matrix_power(a, jnp.asarray(-0.7), **options),
        lambda a: scipy.linalg.fractional_matrix_power(a, -0.7),
    ),
}


@pytest.mark.parametrize("name", THEIRS)
def test_negative_eigenvalues(name):
    """NaN in a real result; SciPy's complex one where that is asked for."""
    f, theirs = THEIRS[name]
    assert f(NEGATIVE).dtype == np.float64
    assert np.all(np.isnan(f(NEGATIVE)))
    expected = theirs(NEGATIVE)
    assert np.iscomplexobj(expected)
    assert error(f(NEGATIVE, output="complex"), expected) < 1e-12
    assert error(f(NEGATIVE.astype(complex)), expected) < 1e-12
    gradient = jax.grad(lambda a: jnp.sum(f(a)))(NEGATIVE)
    assert np.all(np.isnan(gradient))


@pytest.mark.parametrize("name", THEIRS)
def test_complex_pairs_have_real_results(name):
    f, theirs = THEIRS[name]
    a = np.array([[-1.0, 2.0], [-2.0, -1.0]])
    assert error(f(a), np.real(theirs(a))) < 1e-13
    assert error(f(a, output="complex"), f(a)) < 1e-13


def test_derivatives_on_the_cut_are_those_of_the_branch():
    """A real direction keeps simple eigenvalues real: no jump."""
    e = np.random.default_rng(7).normal(size=(3, 3))

    def f(h):
        return logm(NEGATIVE + h * e, output="complex")

    second = jax.jvp(jax.jacfwd(f), (0.0,), (1.0,))[1]
    h = 1e-4
    expected = (f(h) - 2 * f(0.0) + f(-h)) / h**2
    assert error(second, np.asarray(expected)) < 1e-6


# -- singular, empty, of order one, not finite -----------------------------------------------------

ALL = {
    "logm": logm,
    "sqrtm": sqrtm,
    "signm": signm,
    "power": lambda a: fractional_matrix_power(a, 0.5),
    "power whole": lambda a: fractional_matrix_power(a, -2),
    "expm": expm,
    "cosm": cosm,
    "sinm": sinm,
    "tanm": tanm,
    "coshm": coshm,
    "sinhm": sinhm,
    "tanhm": tanhm,
    "funm": jax.jit(lambda a: funm(a, jnp.exp)),
}


@pytest.mark.parametrize("name", ["logm", "signm", "power", "power whole"])
@pytest.mark.parametrize(
    "a", [np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 4.0]]), np.diag([1.0, 0.0])]
)
def test_singular_matrices_give_nan(name, a):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stack = np.stack([a, np.eye(2)])
        found = np.asarray(ALL[name](stack))
    assert np.all(np.isnan(found[0]))
    assert np.all(np.isfinite(found[1]))


def test_roots_of_singular_matrices():
    """The root, where there is one; no derivative."""
    np.testing.assert_array_equal(sqrtm(np.diag([4.0, 0.0])), np.diag([2.0, 0.0]))
    np.testing.assert_array_equal(sqrtm(np.zeros((2, 2))), np.zeros((2, 2)))
    assert np.all(np.isnan(sqrtm(np.array([[0.0, 1.0], [0.0, 0.0]]))))
    x = np.random.default_rng(8).normal(size=(5, 2))
    root = sqrtm(x @ x.T)
    np.testing.assert_allclose(root @ root, x @ x.T, atol=1e-12)
    assert np.all(np.isnan(jax.jacfwd(sqrtm)(np.zeros((2, 2)))))


def test_no_sign_on_the_imaginary_axis():
    assert np.all(np.isnan(signm(np.array([[0.0, 1.0], [-1.0, 0.0]]))))


@pytest.mark.parametrize("name", ALL)
def test_edges(name):
    f = ALL[name]
    assert f(np.zeros((0, 0))).shape == (0, 0)
    assert f(np.zeros((2, 0, 0))).shape == (2, 0, 0)
    assert f(np.zeros((0, 3, 3))).shape == (0, 3, 3)
    assert np.all(np.isnan(f(np.full((2, 2), np.inf))))
    assert np.all(np.isnan(np.imag(f(np.full((2, 2), complex(np.inf, 0))))))
    assert f(jnp.array([[2, 1], [0, 3]])).dtype == np.float64
    assert f(jnp.array([[2, 1], [0, 3]], np.float16)).dtype == np.float16
    numbers = {"logm": np.log, "sqrtm": np.sqrt, "signm": np.sign, "power": np.sqrt}
    number = numbers.get(name) or {
        "power whole": lambda x: x**-2,
        "funm": np.exp,
        "expm": np.exp,
    }.get(name, getattr(np, name.removesuffix("m"), None))
    assert number is not None
    np.testing.assert_allclose(f(np.array([[0.7]])), [[number(0.7)]], rtol=1e-15)


def test_large_matrices():
    """Beyond the order up to which square roots go along diagonals."""
    a = of_positive_spectrum(np.random.default_rng(9), 70, False)
    assert error(sqrtm(a), scipy.linalg.sqrtm(a)) < 1e-12
    assert error(expm(logm(a)), a) < 1e-12
    s = signm(a - 1.5 * np.eye(70))
    assert error(s @ s, np.eye(70)) < 1e-9


def test_stacks_of_matrices_that_need_different_effort():
    """A matrix's result does not depend on the others."""
    a = np.stack(
        [10.0**k * of_positive_spectrum(np.random.default_rng(k), 3, False) for k in range(4)]
    )
    for f in (logm, sqrtm, ALL["power"]):
        np.testing.assert_array_equal(f(a), np.stack([f(x) for x in a]))


# -- powers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("t", [0, 1, 3, -2, 2.0, np.int64(4)])
def test_whole_powers_are_products(t):
    found = fractional_matrix_power(NEGATIVE, t)
    expected = np.linalg.matrix_power(NEGATIVE, int(t))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * np.max(np.abs(expected)))


def test_derivative_in_the_exponent():
    a = of_positive_spectrum(np.random.default_rng(10), 4, False)
    t = jnp.array([0.5, 2.0, -1.25])
    slope = jax.vmap(jax.jacfwd(lambda t: fractional_matrix_power(a, t)))(t)
    for exponent, found in zip(t, slope, strict=True):
        with mpmath.workdps(40):
            log = mpmath.logm(matrix(a))
            expected = array(log * mpmath.expm(mpmath.mpf(float(exponent)) * log), False)
        assert error(found, expected) < 1e-12
    stacked = fractional_matrix_power(a, t)
    assert stacked.shape == (3, 4, 4)
    np.testing.assert_allclose(stacked[1], a @ a, rtol=1e-12)


# -- funm ------------------------------------------------------------------------------------------


def test_funm_is_differentiated_in_what_func_closes_over():
    a = of_positive_spectrum(np.random.default_rng(11), 3, False)

    def f(k):
        return jnp.sum(funm(a, lambda x: jnp.exp(k * x)))

    expected = np.sum(a @ a @ scipy.linalg.expm(0.5 * a))
    np.testing.assert_allclose(jax.grad(jax.grad(f))(0.5), expected, rtol=1e-11)


def test_funm_where_there_is_no_series():
    """NaN rather than wrong digits: not holomorphic, a pole, a branch point."""
    a = np.diag([1.0, 2.0, 3.0]) + np.triu(np.ones((3, 3)), 1)
    for func in (jnp.abs, lambda x: 1 / (x - 1.01), lambda x: jnp.sqrt(x - 0.99), jnp.conj):
        assert np.all(np.isnan(funm(a, func)))
    assert np.all(np.isnan(funm(np.diag([1.0, 0.0]), jnp.log)))


def test_funm_real_or_complex():
    a = of_positive_spectrum(np.random.default_rng(12), 3, False)
    assert np.all(np.isnan(funm(a, lambda x: 1j * x)))
    np.testing.assert_allclose(
        funm(a, lambda x: 1j * x, output="complex"), 1j * a, rtol=0, atol=1e-13
    )
    y, estimate = funm(np.stack([a, a]), jnp.cos, disp=False)
    assert y.shape == (2, 3, 3)
    assert estimate.shape == (2,)
    assert np.all(estimate < 1e-12)
    assert error(y[0], scipy.linalg.cosm(a)) < 1e-13


# -- what goes in ----------------------------------------------------------------------------------


def test_expm_frechet_returns_what_is_asked_for():
    a, e = np.random.default_rng(13).normal(size=(2, 3, 3))
    both = expm_frechet(a, e, check_finite=False)
    assert isinstance(both, tuple)
    np.testing.assert_array_equal(expm_frechet(a, e, compute_expm=False), both[1])
    assert expm_frechet(a, np.stack([e, e]), compute_expm=False).shape == (2, 3, 3)  # pyright: ignore
    mixed = expm_frechet(a, e + 0j, "blockEnlarge")
    np.testing.assert_allclose(mixed[1], both[1], rtol=0, atol=1e-13)


def test_expm_cond_of_a_batch():
    a = np.random.default_rng(14).normal(size=(2, 3, 3))
    expected = [scipy.linalg.expm_cond(x) for x in a]
    np.testing.assert_allclose(expm_cond(a, check_finite=False), expected, rtol=1e-11)
    e, h = np.random.default_rng(15).normal(size=(3, 3)), 1e-5
    condition = jax.jit(expm_cond)
    slope = (condition(a[0] + h * e) - condition(a[0] - h * e)) / (2 * h)
    np.testing.assert_allclose(np.sum(jax.jit(jax.grad(expm_cond))(a[0]) * e), slope, rtol=1e-7)


def test_khatri_rao_of_whole_numbers_and_batches():
    a, b = np.arange(6).reshape(2, 3), np.arange(12).reshape(4, 3)
    found = khatri_rao(a, b)
    assert jnp.issubdtype(found.dtype, jnp.integer)
    np.testing.assert_array_equal(found, scipy.linalg.khatri_rao(a, b))
    assert khatri_rao(np.ones((5, 1, 2, 3)), np.ones((6, 4, 3))).shape == (5, 6, 8, 3)
    assert khatri_rao(np.ones((0, 3)), np.ones((4, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: logm(np.eye(2), output="both"), "logm: argument 'output' must be one of"),
        (lambda: sqrtm(1j * np.eye(2), output="real"), "sqrtm: argument 'output' is 'real'"),
        (lambda: signm(np.ones((2, 3))), "signm: argument 'A' must be a square matrix"),
        (lambda: fractional_matrix_power(np.eye(2), 1j), "fractional_matrix_power: argument 't'"),
        (lambda: fractional_matrix_power(np.eye(2), np.inf), "argument 't' must be finite"),
        (lambda: fractional_matrix_power(np.eye(2), jnp.asarray(1j)), "argument 't' must be real"),
        (lambda: funm(np.eye(2), 3.0), "funm: argument 'func' must be callable"),  # pyright: ignore
        (lambda: funm(np.eye(2), jnp.sum), "funm: argument 'func' must keep the shape"),
        (lambda: funm(np.eye(2), jnp.exp, disp=None), "funm: argument 'disp'"),  # pyright: ignore
        (lambda: expm_frechet(np.eye(2), np.eye(2), "other"), "expm_frechet: argument 'method'"),
        (lambda: expm_frechet(np.eye(2), np.eye(3)), "expm_frechet: shapes of A and E do not fit"),
        (lambda: khatri_rao(np.ones((2, 3)), np.ones((2, 2))), "khatri_rao: a and b must have"),
    ],
)
def test_messages(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize("n", [65, 150])
def test_large_matrices_invert_each_other(n):
    """Above some orders the work is done in blocks."""
    rng = np.random.default_rng(n)
    a = of_positive_spectrum(rng, n, False)
    root = np.asarray(sqrtm(a))
    assert np.linalg.norm(root @ root - a) < 1e-13 * np.linalg.norm(root) ** 2
    back = scipy.linalg.expm(np.asarray(logm(a)))
    assert np.linalg.norm(back - a) < 1e-12 * np.linalg.norm(a)
    third = np.asarray(fractional_matrix_power(a, 1 / 3))
    assert np.linalg.norm(third @ third @ third - a) < 1e-12 * np.linalg.norm(a)


def test_where_there_is_no_result_there_is_no_derivative():
    """NaN, and not zero."""
    far, no_inverse, no_root = 1e11 * jnp.eye(2), jnp.zeros((2, 2)), -jnp.eye(2)
    for f, a in (
        (expm, far),
        (lambda a: fractional_matrix_power(a, -1), no_inverse),
        (lambda a: funm(a, lambda x: jnp.sqrt(x + 0j)), no_root),
    ):
        assert np.isnan(f(a)).all()
        assert np.isnan(jax.jvp(f, (a,), (jnp.eye(2),))[1]).all()
        assert np.isnan(jax.grad(lambda a, f=f: jnp.sum(f(a)))(a)).all()
    assert np.isnan(expm_frechet(far, jnp.eye(2), compute_expm=False)).all()
    # Beside matrices that have one.
    both = jnp.stack([far, jnp.eye(2)])
    value, slope = jax.jvp(expm, (both,), (jnp.stack([jnp.eye(2)] * 2),))
    assert np.isnan(value[0]).all()
    assert np.isnan(slope[0]).all()
    np.testing.assert_allclose(slope[1], np.e * np.eye(2), rtol=1e-14)
    pulled = jax.grad(lambda a: jnp.sum(jnp.where(jnp.isnan(expm(a)), 0, expm(a))))(both)
    np.testing.assert_allclose(pulled[1], np.e * np.ones((2, 2)), rtol=1e-14)


@pytest.mark.parametrize("function", [expm, expm_cond, cosm, lambda a: expm_frechet(a, a)])
def test_eager_calls_are_compiled_once(function):
    """A loop with a body of its own at each call would be compiled at each call."""
    a = np.diag([1.0, 2.0, 0.5]) + 0.25
    jax.block_until_ready(function(a))
    with jax.log_compiles():
        records = []
        handler = logging.Handler()
        handler.emit = records.append  # pyright: ignore[reportAttributeAccessIssue]
        logger = logging.getLogger("jax")
        logger.addHandler(handler)
        try:
            jax.block_until_ready(function(a + 1))
        finally:
            logger.removeHandler(handler)
    assert not [r for r in records if "Compiling" in r.getMessage()]


@pytest.mark.parametrize("exponent", [700, -700])
def test_matrices_whose_squares_over_or_underflow(exponent):
    """Functions of s a follow from those of a; so do their derivatives. s is a power of two."""
    s = 2.0**exponent
    a = of_positive_spectrum(np.random.default_rng(8), 4, False)
    general = normal(np.random.default_rng(9), (4, 4), False)
    one = np.eye(4)
    expected = logm(a) + exponent * np.log(2) * one
    np.testing.assert_allclose(logm(s * a), expected, rtol=0, atol=1e-14 * np.max(abs(expected)))
    for function, degree, at in (
        (logm, 0, a),
        (sqrtm, 0.5, a),
        (lambda x: funm(x, jnp.sqrt), 0.5, a),
        (signm, 0, general),
    ):
        value, slope = jax.jvp(function, (s * at,), (s * one + s * at @ at,))
        expected, its_slope = jax.jvp(function, (at,), (one + at @ at,))
        np.testing.assert_allclose(slope / s**degree, its_slope, rtol=1e-12, atol=1e-13)
        if function is not logm:
            np.testing.assert_allclose(value / s**degree, expected, rtol=1e-12, atol=1e-13)
    # An eigenvalue 0 is found beside small ones, too.
    assert np.isnan(logm(s * np.ones((2, 2)))).all()


def test_exponential_of_subnormal_numbers():
    tiny = np.full((3, 3), 1e-310)
    for n in (1, 3):
        value, slope = jax.jvp(expm, (tiny[:n, :n],), (np.eye(n),))
        np.testing.assert_array_equal(value, np.eye(n))
        np.testing.assert_array_equal(slope, np.eye(n))
