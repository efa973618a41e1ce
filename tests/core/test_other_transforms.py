"""Transformations that JAX keeps apart: checkify, jet, and exports of symbolic shapes."""

import math
import re

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest
import scipy.special
from jax import export
from jax.experimental import checkify, jet

import jaxsci
from jaxsci import linalg, special
from jaxsci._core import dispatch

# -- checkify --------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrap", [jax.jit, jax.vmap, lambda f: f])
def test_checkify_finds_a_nan_and_names_the_function(wrap):
    checked = checkify.checkify(wrap(special.gammaln), errors=checkify.nan_checks)
    error, value = checked(jnp.array([2.5, np.nan]))
    assert "gammaln" in str(error.get())
    error, value = checked(jnp.array([2.5, 3.0]))
    assert error.get() is None
    np.testing.assert_array_equal(value, scipy.special.gammaln([2.5, 3.0]))


def test_checkify_finds_a_nan_in_a_loop_and_in_results_of_matrices():
    def iterated(x):
        return jax.lax.fori_loop(0, 3, lambda _, y: special.stdtrit(3.0, y), x)

    error, _ = checkify.checkify(iterated, errors=checkify.nan_checks)(0.9)
    assert "stdtrit" in str(error.get())  # no probability: more than 1
    singular = jnp.zeros((2, 2))
    error, _ = checkify.checkify(linalg.logm, errors=checkify.nan_checks)(singular)
    assert error.get() is not None


def test_checkify_looks_for_nothing_that_it_is_not_asked_for():
    error, value = checkify.checkify(special.gammaln)(np.nan)
    assert error.get() is None
    assert np.isnan(value)


# -- jet -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["erf", "gamma", "j0", "dawsn"])
def test_jet_of_one_argument_has_taylor_coefficients(name):
    x, slope, bend = 0.7, 1.5, -0.4
    value, found = jet.jet(getattr(special, name), (x,), ((slope, bend, 0.0),))
    oracles = {
        "erf": mpmath.erf,
        "gamma": mpmath.gamma,
        "j0": lambda t: mpmath.besselj(0, t),
        "dawsn": lambda t: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-t * t) * mpmath.erfi(t),
    }
    with mpmath.workdps(40):
        curve = mpmath.taylor(
            lambda t: oracles[name](mpmath.mpf(x) + t * slope + t * t * bend / 2), 0, 3
        )
        truth = [float(c * math.factorial(k)) for k, c in enumerate(curve)]
    np.testing.assert_allclose([value, *found], truth, rtol=1e-12)


def test_jet_goes_through_integers_programs_and_several_results():
    def model(x):
        return special.airy(jax.jit(special.expn)(3, x))[0]

    value, (first, second) = jet.jet(model, (0.6,), ((1.0, 0.0),))
    slope = jax.grad(model)
    truth = [model(0.6), slope(0.6), jax.grad(slope)(0.6)]
    np.testing.assert_allclose([value, first, second], truth, rtol=1e-13)


def test_jet_of_a_matrix_function():
    a, b = jnp.array([[2.0, 0.5], [0.3, 1.5]]), jnp.array([[0.1, 1.0], [-0.2, 0.4]])
    value, (first, second) = jet.jet(linalg.sqrtm, (a,), ((b, jnp.zeros((2, 2))),))
    # X^2 = A + t B, differentiated twice.
    np.testing.assert_allclose(value @ first + first @ value, b, atol=1e-14)
    np.testing.assert_allclose(
        value @ second + second @ value + 2 * first @ first, np.zeros((2, 2)), atol=1e-14
    )


def test_jet_refuses_what_it_cannot_tell():
    with pytest.raises(NotImplementedError, match=r"^jv: .*which arguments stand still"):
        jet.jet(lambda x: special.jv(0.5, x), (1.0,), ((1.0,),))


# -- export ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["jv", pytest.param("hyp2f1", marks=pytest.mark.rotating(0.075))])
def test_programs_of_symbolic_shapes(name):
    if "ffi" not in dispatch.BACKENDS:
        pytest.skip("there is no native backend here")
    function = getattr(special, name)
    arguments = {"jv": 2, "hyp2f1": 4}[name]
    (n,) = export.symbolic_shape("n")
    types = [jax.ShapeDtypeStruct((n,), float)] * arguments
    checks = jaxsci.export_checks()
    program = export.export(jax.jit(function), disabled_checks=checks)(*types)
    kept = export.deserialize(program.serialize())
    for size in (3, 100):
        xs = [jnp.linspace(0.1 + i, 0.4 + i, size) for i in range(arguments)]
        np.testing.assert_array_equal(kept.call(*xs), function(*xs))


def test_callbacks_of_symbolic_shapes_are_refused_by_name():
    (n,) = export.symbolic_shape("n")
    with (
        jaxsci.use_backend("callback"),
        pytest.raises(NotImplementedError, match=re.escape("erf: it is called through Python")),
    ):
        export.export(jax.jit(special.erf))(jax.ShapeDtypeStruct((n,), float))
