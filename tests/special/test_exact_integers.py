"""exact=True, and the arguments that factorials refuse: integers of any size, when traced."""

from __future__ import annotations

import inspect
import math

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special

from jaxsci import special as sp

EXACT = {
    "comb": (10, 3),
    "perm": (10, 3),
    "stirling2": (10, 3),
    "factorial": (7,),
    "factorial2": (9,),
    "factorialk": (11, 3),
}
TOO_LARGE = {
    "comb": (200, 100),
    "perm": (60, 40),
    "stirling2": (100, 30),
    "factorial": (30,),
    "factorial2": (60,),
    "factorialk": (90, 3),
}
EACH = pytest.mark.parametrize("name", EXACT)


def arrays_of(name):
    """How many of the arguments are arrays: factorialk's step is none."""
    return 1 if name.startswith("factorial") else 2


def test_every_function_with_an_exact_form_is_here():
    has_one = {
        name for name in sp.__all__ if "exact" in inspect.signature(getattr(sp, name)).parameters
    }
    assert has_one == set(EXACT) == set(TOO_LARGE)


@EACH
def test_exact_results_are_scipys_integers(name):
    ours, theirs = getattr(sp, name), getattr(scipy.special, name)
    result = ours(*EXACT[name], exact=True)
    assert result.dtype == jnp.result_type(int)
    assert result == theirs(*EXACT[name], exact=True)
    assert jax.jit(lambda: ours(*EXACT[name], exact=True))() == result


@EACH
def test_exact_results_broadcast(name):
    ours, theirs = getattr(sp, name), getattr(scipy.special, name)
    n = arrays_of(name)
    first, *others = EXACT[name]
    column = np.arange(first - 2, first + 2)[:, None]
    rest = [np.array([x, x + 1]) if i + 1 < n else x for i, x in enumerate(others)]
    found = ours(column, *rest, exact=True)
    for index in np.ndindex(found.shape):
        point = [
            int(np.broadcast_to(x, found.shape)[index]) if i < n else x
            for i, x in enumerate([column, *rest])
        ]
        assert found[index] == theirs(*point, exact=True)


@EACH
def test_exact_results_beyond_the_integers_raise(name):
    with pytest.raises(OverflowError, match=rf"^{name}: .*exact=False"):
        getattr(sp, name)(*TOO_LARGE[name], exact=True)


@EACH
def test_traced_arguments_have_no_exact_result(name):
    first, *others = EXACT[name]
    with pytest.raises(TypeError, match=rf"^{name}: with exact=True"):
        jax.jit(lambda n: getattr(sp, name)(n, *others, exact=True))(first)


@EACH
def test_fractions_have_no_exact_result(name):
    others = EXACT[name][1:]
    for wrong in (2.5, np.array([2.5])):
        with pytest.raises(ValueError, match=rf"^{name}: "):
            getattr(sp, name)(wrong, *others, exact=True)
    with pytest.raises(TypeError, match=rf"^{name}: "):
        getattr(sp, name)("7", *others, exact=True)


def test_results_too_long_to_be_printed_are_too_large():
    """Python refuses to print integers of more than 4300 digits."""
    with pytest.raises(OverflowError, match=r"^factorial: the exact result of 5\d{4} bits"):
        sp.factorial(5000, exact=True)


# -- extend="zero" ---------------------------------------------------------------------------------


FACTORIALS = {"factorial": (), "factorial2": (), "factorialk": (3,)}
WHOLE = np.arange(-5, 40)


@pytest.mark.parametrize("name", FACTORIALS)
def test_factorials_of_integers_are_scipys_to_the_last_bit(name):
    ours, theirs = getattr(sp, name), getattr(scipy.special, name)
    k = FACTORIALS[name]
    found = jax.jit(lambda n: (ours(n, *k), jax.vmap(lambda m: ours(m, *k))(n)))(WHOLE)
    for values in found:
        np.testing.assert_array_equal(values, theirs(WHOLE, *k))
    np.testing.assert_array_equal(ours(WHOLE.astype(float), *k), theirs(WHOLE, *k))


@pytest.mark.parametrize("name", ["factorial2", "factorialk"])
def test_multifactorials_take_whole_numbers_unless_they_are_continued(name):
    function, k = getattr(sp, name), FACTORIALS[name]
    assert np.isnan(function(2.5, *k))
    with pytest.raises(TypeError, match=rf"^{name}: argument 'n' takes integers"):
        function(2j, *k)
    assert np.isnan(jax.jit(lambda n: function(n, *k))(2.5))
    assert np.isfinite(function(2.5, *k, extend="complex"))
    with pytest.raises(NotImplementedError, match="extend='complex'"):
        jax.grad(lambda n: function(n, *k))(3.0)


def test_factorials_of_real_numbers():
    n = np.array([-3.5, -1e-3, 0.0, 0.25, 4.0, 20.5])
    np.testing.assert_array_equal(sp.factorial(n), scipy.special.factorial(n))
    slopes = jax.jit(jax.vmap(jax.grad(sp.factorial)))(n)
    # At 0, where the value jumps from 0 to 1, the derivative is that of the right side.
    truth = [
        float(mpmath.diff(lambda t: mpmath.gamma(t + 1), x)) if x >= 0 else 0.0 for x in n.tolist()
    ]
    np.testing.assert_allclose(slopes, truth, rtol=1e-12)
    with pytest.raises(TypeError, match=r"^factorial: argument 'n' takes real numbers"):
        sp.factorial(1j)


def test_unknown_extensions_and_steps_are_refused():
    for call in (
        lambda: sp.factorial(3, extend="one"),
        lambda: sp.factorial2(3, exact=True, extend="complex"),
        lambda: sp.factorialk(3, 0),
        lambda: sp.factorialk(3, 2.5),
        lambda: sp.factorialk(3, -2),
        lambda: sp.factorialk(3, 2j),
        lambda: sp.factorialk(3, 0j, extend="complex"),
    ):
        with pytest.raises(ValueError, match=r"^factorial\w?: "):
            call()
    for step in (math.nan, math.inf):
        with pytest.raises(ValueError, match=r"^factorialk: argument 'k' must be a positive"):
            sp.factorialk(3, step)


# -- edges, which have one-sided derivatives only ------------------------------------------------


@pytest.mark.rotating(1)
def test_choices_at_the_edge_have_the_inner_derivative():
    def arrangements(n, k):
        return sp.poch(n - k + 1, k)

    for choices, inner in ((sp.comb, sp.binom), (sp.perm, arrangements)):
        for n in (1.0, 5.0):
            for k in (0.0, n):
                found = jax.grad(choices, (0, 1))(n, k)
                np.testing.assert_allclose(found, jax.grad(inner, (0, 1))(n, k), rtol=1e-13)
        assert jax.grad(choices, (0, 1))(3.0, 4.0) == (0, 0)


@pytest.mark.rotating(1)
def test_densities_at_the_ends():
    """P(a, x) = x^a/Gamma(a + 1) (1 - a x/(a + 1) + ...), and I_x(1, b) = 1 - (1 - x)^b."""
    slope = jax.grad(sp.gammainc, 1)
    curvature = jax.grad(slope, 1)
    assert [float(slope(a, 0.0)) for a in (0.5, 1.0, 1.5, 2.0, 3.0)] == [np.inf, 1, 0, 0, 0]
    assert [float(curvature(a, 0.0)) for a in (1.0, 2.0, 3.0, 4.0)] == [-1, 1, 0, 0]
    slope = jax.grad(sp.betainc, 2)
    curvature = jax.grad(slope, 2)
    for b in (1.0, 2.0, 3.0):
        at_ends = [slope(1.0, b, 0.0), slope(b, 1.0, 1.0)]
        np.testing.assert_allclose(at_ends, [b, b], rtol=1e-14)
        at_ends = [curvature(1.0, b, 0.0), curvature(b, 1.0, 1.0)]
        np.testing.assert_allclose(at_ends, [-b * (b - 1), b * (b - 1)], rtol=1e-14)
