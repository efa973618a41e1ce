"""logsumexp, softmax, log_softmax: SciPy's values, mpmath's derivatives."""

from __future__ import annotations

import inspect
import itertools
from typing import Any

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special

from jaxsci import special as sp

pytestmark = pytest.mark.rotating(0.022)

RNG = np.random.default_rng(7)
A = RNG.normal(size=(3, 4, 2)) * 5
B = RNG.uniform(0.1, 2, size=(4, 2))
COMPLEX = A + 1j * RNG.uniform(-3, 3, size=A.shape)
AXES = [None, 0, -1, (0, 2), (1, -1), ()]
WRAPPED = [sp.logsumexp, sp.softmax, sp.log_softmax]


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("function", WRAPPED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("axis", AXES[:-1], ids=str)
def test_values_over_axes(function, axis):
    truth = getattr(scipy.special, function.__name__)(A, axis=axis)
    same(function(A, axis=axis), truth)
    same(jax.jit(lambda a: function(a, axis))(A), truth)
    each = np.stack([getattr(scipy.special, function.__name__)(a, None) for a in A])
    same(jax.vmap(function)(jnp.asarray(A)), each)


@pytest.mark.parametrize(
    ("axis", "keepdims", "return_sign", "weights", "a"),
    list(
        itertools.product(
            [None, 1, (0, 2)], [False, True], [False, True], [None, B, -B, B - 1], [A, COMPLEX]
        )
    ),
)
def test_logsumexp_is_scipys(axis, keepdims, return_sign, weights, a):
    options = {"axis": axis, "keepdims": keepdims, "return_sign": return_sign}
    with np.errstate(all="ignore"):
        truth = scipy.special.logsumexp(a, b=weights, **options)
    found = sp.logsumexp(a, b=weights, **options)
    for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(truth), strict=True):
        assert x.dtype == np.asarray(y).dtype
        same(x, y)


@pytest.mark.parametrize("special", [np.inf, -np.inf, np.nan])
def test_special_elements(special):
    a = np.array([1.0, special, 2.0])
    for b in (None, np.array([1.0, 0.0, 2.0]), np.array([1.0, 1.0, -1.0])):
        with np.errstate(all="ignore"):
            truth = scipy.special.logsumexp(a, b=b)
        np.testing.assert_array_equal(sp.logsumexp(a, b=b), truth)
    with np.errstate(all="ignore"):
        same(sp.softmax(a), scipy.special.softmax(a))
    nothing = np.full(3, -np.inf)
    np.testing.assert_array_equal(sp.logsumexp(nothing), -np.inf)
    np.testing.assert_array_equal(sp.logsumexp(np.zeros((0, 2)), axis=0), [-np.inf] * 2)


def test_digits_where_the_sum_is_nearly_one():
    """The logarithm is the small part that the lesser terms add."""
    a = np.array([0.0, -50.0])
    with mpmath.workdps(40):
        truth = float(mpmath.log(1 + mpmath.exp(-50)))
    assert abs(sp.logsumexp(a) - truth) < 1e-15 * truth


def test_terms_that_cancel():
    a, b = np.array([800.0, 800.0, 799.0]), np.array([1.0, -1.0, 2.0])
    same(sp.logsumexp(a, b=b), 799 + np.log(2))
    found, sign = sp.logsumexp(np.array([3.0, 3.0]), b=np.array([1.0, -1.0]), return_sign=True)
    assert (found, sign) == (-np.inf, 0)


def exact(f, x, i, order):
    """A derivative of f, of mpmath numbers, in its i-th argument."""
    with mpmath.workdps(50):
        numbers = [mpmath.mpmathify(t) for t in x]
        value = mpmath.diff(lambda t: f([*numbers[:i], t, *numbers[i + 1 :]]), numbers[i], order)
        return complex(value) if isinstance(value, mpmath.mpc) else float(value)


@pytest.mark.parametrize("a", [A[0].ravel(), COMPLEX[0].ravel()], ids=["real", "complex"])
def test_derivatives_of_logsumexp(a):
    b = B.ravel() - 0.3

    def total(a, b):
        return mpmath.log(sum(w * mpmath.exp(t) for t, w in zip(a, b, strict=True)))

    holomorphic = np.iscomplexobj(a)
    b = b.astype(a.dtype)
    in_a, in_b = jax.grad(lambda a, b: sp.logsumexp(a, b=b), (0, 1), holomorphic=holomorphic)(a, b)
    twice = jax.hessian(lambda a: sp.logsumexp(a, b=b), holomorphic=holomorphic)(a)
    for i in range(len(a)):
        np.testing.assert_allclose(in_a[i], exact(lambda t: total(t, b), a, i, 1), rtol=1e-12)
        np.testing.assert_allclose(in_b[i], exact(lambda t: total(a, t), b, i, 1), rtol=1e-12)
        np.testing.assert_allclose(twice[i, i], exact(lambda t: total(t, b), a, i, 2), rtol=1e-10)


def test_derivatives_with_a_sign():
    """Of a complex sum: the logarithm of its modulus, and its direction."""
    a = COMPLEX[0].ravel()

    def parts(t):
        size, sign = sp.logsumexp(a + t, b=-B.ravel(), return_sign=True)
        return size, sign.real, sign.imag

    h = 1e-6
    slopes = jax.jacfwd(parts)(0.3)
    for one, above, below in zip(slopes, parts(0.3 + h), parts(0.3 - h), strict=True):
        np.testing.assert_allclose(one, (above - below) / (2 * h), atol=1e-8)
    slope = jax.grad(lambda t: sp.logsumexp(t, b=-B.ravel(), return_sign=True)[0])(A[0].ravel())
    same(slope, jax.nn.softmax(A[0].ravel() + np.log(B.ravel())))


def test_elements_without_weight_have_finite_derivatives():
    a, b = jnp.array([1.0, jnp.inf, 2.0]), jnp.array([1.0, 0.0, 1.0])
    in_a, in_b = jax.grad(lambda a, b: sp.logsumexp(a, b=b), (0, 1))(a, b)
    assert np.all(np.isfinite(in_a))
    assert in_a[1] == 0
    assert np.all(np.isfinite(in_b))
    masked = jnp.array([1.0, -jnp.inf, 2.0])
    assert np.all(np.isfinite(jax.grad(sp.logsumexp)(masked)))
    assert np.all(np.isfinite(jax.hessian(sp.logsumexp)(masked)))


@pytest.mark.parametrize("function", [sp.softmax, sp.log_softmax], ids=lambda f: f.__name__)
def test_derivatives_of_softmax(function):
    x = A[0, :, 0]

    def share(t):
        total = sum(map(mpmath.exp, t))
        y = mpmath.exp(t[0]) / total
        return y if function is sp.softmax else mpmath.log(y)

    gradient = jax.grad(lambda x: function(x)[0])(x)
    twice = jax.hessian(lambda x: function(x)[0])(x)
    for i in range(len(x)):
        np.testing.assert_allclose(gradient[i], exact(share, x, i, 1), rtol=1e-12)
        np.testing.assert_allclose(twice[i, i], exact(share, x, i, 2), rtol=1e-10)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int32"])
@pytest.mark.parametrize("function", WRAPPED, ids=lambda f: f.__name__)
def test_dtypes(function, dtype):
    found = function(jnp.arange(4).astype(dtype))
    assert found.dtype == (jnp.result_type(float) if dtype == "int32" else dtype)
    truth = getattr(scipy.special, function.__name__)(np.arange(4.0))
    rtol = 4 * float(jnp.finfo(found.dtype).eps)
    np.testing.assert_allclose(np.asarray(found, float), truth, rtol=rtol)


def test_loops():
    one = jax.lax.scan(lambda c, a: (c, jax.grad(sp.logsumexp)(a)), 0, jnp.asarray(A))[1]
    same(one, jax.nn.softmax(A, (1, 2)))


@pytest.mark.parametrize("function", WRAPPED, ids=lambda f: f.__name__)
def test_scalars_and_lists(function):
    same(function(1.5), getattr(scipy.special, function.__name__)(1.5))
    name = next(iter(inspect.signature(function).parameters))
    for wrong in ([1.0], None, "1", {"x": 1}):
        with pytest.raises(TypeError, match=rf"^{function.__name__}: argument '{name}'"):
            function(wrong)
    for axis in (3, -4, (0, 7)):
        with pytest.raises(ValueError, match="axis"):
            function(A, axis)
    with pytest.raises(TypeError, match=rf"^{function.__name__}\(\)"):
        function(A, out=None)


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match=r"^logsumexp: .*a \(3, 4, 2\), b \(5,\)"):
        sp.logsumexp(A, b=np.ones(5))
    with pytest.raises(TypeError, match=r"^softmax: argument 'x' takes real numbers"):
        sp.softmax(COMPLEX)


INFINITIES = [-np.inf, np.inf]
PHASES = [0.0, -0.0, 0.7533, 2.3562, 3.9270, 5.4978, np.inf, -np.inf]
FAR = [complex(x, y) for x in INFINITIES for y in PHASES]


def test_complex_infinities_are_those_of_the_sum():
    """Elements of infinite real part: the logarithm of the sum as C's functions have it."""
    pairs = np.array(list(itertools.product([*FAR, 1 + 2j, -3 + 1e3j], repeat=2)))
    found = np.asarray(jax.jit(lambda a: sp.logsumexp(a, axis=1))(pairs))
    with np.errstate(all="ignore"):
        direct: Any = np.log(np.sum(np.exp(pairs), axis=1))
    unknown = np.isnan(direct)  # a phase that is infinite, or infinities that cancel
    assert np.all(np.isnan(found[unknown]))
    far = ~np.isfinite(direct) & ~unknown
    np.testing.assert_array_equal(found.real[far], direct.real[far])
    np.testing.assert_array_equal(found.imag[far], direct.imag[far])
    assert np.all(np.isfinite(found[~far & ~unknown]))


def test_the_sign_of_an_infinite_complex_sum_is_a_direction():
    size, sign = sp.logsumexp(np.array([complex(np.inf, 2.3562), 1.0]), return_sign=True)
    assert size == np.inf
    np.testing.assert_allclose(sign, (-1 + 1j) / np.sqrt(2), 1e-15)


@pytest.mark.parametrize("nan", [complex(np.nan, 1), complex(1, np.nan)])
def test_nan_beside_complex_infinities(nan):
    assert np.isnan(sp.logsumexp(np.array([nan, np.inf])).real)
    assert np.isfinite(sp.logsumexp(np.array([nan, 1.0]), b=np.array([0.0, 1.0])))


@pytest.mark.parametrize("far", [-1e308, -1e12, 3e10, 1e17, 1e308])
def test_shares_of_large_numbers_keep_their_digits(far):
    """A constant added to all numbers changes no derivative, whatever is left of the logarithm."""
    near = np.array([0.0, -0.5, -2.0]) if abs(far) < 1e15 else np.zeros(3)
    shares = np.exp(near) / np.sum(np.exp(near))
    found = jax.grad(sp.logsumexp)(near + far)
    np.testing.assert_allclose(found, shares, 1e-14)
    second = jax.hessian(sp.logsumexp)(near + far)
    np.testing.assert_allclose(second, np.diag(shares) - np.outer(shares, shares), 1e-13)
    turned = jax.grad(lambda z: sp.logsumexp(z), holomorphic=True)(near + far + 0j)
    np.testing.assert_allclose(turned, shares, 1e-14)


@pytest.mark.parametrize("weights", [None, 1.0])
def test_nothing_to_complain_of_without_jit(weights):
    with jax.debug_nans(True), jax.disable_jit():
        assert sp.logsumexp(1.0, b=weights) == 1.0
