"""Fourier coefficients of Mathieu functions, so many of them: values, and derivatives in q."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from mpmath import mp, mpf

from jaxsci._verification.oracles import mathieu as oracle
from jaxsci.special import mathieu_cem, mathieu_even_coef, mathieu_odd_coef

EVEN = mathieu_even_coef, oracle.mathieu_even_coefficients
ODD = mathieu_odd_coef, oracle.mathieu_odd_coefficients
SIZE = 7
Q = np.array([[0.0, 1e-5, 0.5], [5.0, 90.0, -5.0]])


def differences(coefficients, m, q):
    """Values, and first and second derivatives, by differences in 60 digits."""
    with mp.workdps(60):
        h, q = mpf(10) ** -15, mpf(float(q))
        before, here, after = (coefficients(m, q + k * h, SIZE) for k in (-1, 0, 1))
        return [
            [float(x) for x in xs]
            for xs in (
                here,
                [(c - a) / (2 * h) for a, c in zip(before, after, strict=True)],
                [(a - 2 * b + c) / h**2 for a, b, c in zip(before, here, after, strict=True)],
            )
        ]


@pytest.mark.rotating(1)
@pytest.mark.parametrize(
    ("case", "m"), [(EVEN, 0), (EVEN, 1), (EVEN, 6), (ODD, 1), (ODD, 2), (ODD, 5)]
)
def test_values_and_derivatives_in_q(case, m):
    function, truth = case

    def sized(q):
        return function(m, q, size=SIZE)

    def along(f):
        return lambda q: jax.jvp(f, (q,), (jnp.ones_like(q),))[1]

    found = jax.jit(lambda q: [sized(q), along(sized)(q), along(along(sized))(q)])(Q)
    for i in np.ndindex(Q.shape):
        for order, expected in enumerate(differences(truth, m, Q[i])):
            np.testing.assert_allclose(found[order][i], expected, rtol=1e-12, atol=1e-25)


@pytest.mark.rotating(1)
@pytest.mark.parametrize("function", [mathieu_even_coef, mathieu_odd_coef])
def test_they_are_those_that_scipy_finds(function):
    known = function(3, 20.0)
    found = function(3, 20.0, size=min(len(known), 256))
    np.testing.assert_allclose(found, known[: len(found)], rtol=1e-8, atol=1e-14)
    assert found.dtype == known.dtype
    assert function(3, jnp.float32(20), size=2).dtype == jnp.float32
    np.testing.assert_array_equal(function(3, 20, size=4), found[:4])


@pytest.mark.rotating(1)
def test_their_sum_is_the_function_at_0():
    q, slope = jnp.array([0.3, 7.0]), jnp.ones(2)
    by_sum = jax.jvp(lambda q: mathieu_even_coef(2, q, size=30).sum(-1), (q,), (slope,))
    whole = jax.jvp(lambda q: mathieu_cem(2, q, 0.0)[0], (q,), (slope,))
    np.testing.assert_allclose(by_sum, whole, rtol=1e-13)


def test_they_are_unknown_where_so_few_do_not_describe_the_function():
    assert np.isnan(mathieu_even_coef(0, 1e8, size=3)).all()


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ((-1, 2.0, 3), ValueError, "'m'"),
        ((1.5, 2.0, 3), TypeError, "'m'"),
        ((1, 2.0, 0), ValueError, "'size'"),
        ((1, 2.0, 257), ValueError, "'size'"),
        ((1, 2.0, "3"), TypeError, "'size'"),
        ((1, 2j, 3), TypeError, "'q'"),
        ((1, "2", 3), TypeError, "'q'"),
        ((1, 10**30, 3), ValueError, "'q'"),
    ],
)
def test_bad_arguments_are_named(arguments, kind, words):
    m, q, size = arguments
    with pytest.raises(kind, match=f"mathieu_even_coef: .*{words}"):
        mathieu_even_coef(m, q, size=size)


def test_a_traced_parameter_needs_a_size():
    with pytest.raises(TypeError, match=r"mathieu_odd_coef: .*'q'.*size"):
        jax.jit(lambda q: mathieu_odd_coef(2, q))(1.0)
    with pytest.raises(ValueError, match=r"mathieu_odd_coef: .*'m'"):
        mathieu_odd_coef(0, 1.0, size=2)
