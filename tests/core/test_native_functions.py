"""Functions of JAX operations that rules use, and that carry derivative rules themselves."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed


@native(results=2)
def pair(a, x):
    """x^a and its derivative in x."""
    return x**a, a * x ** (a - 1)


pair.partials(
    a=closed("", lambda y, a, x: (y[0] * jnp.log(x), y[0] / x + y[1] * jnp.log(x))),
    x=closed("", lambda y, a, x: (y[1], (a - 1) * y[1] / x)),
)

X = jnp.array([0.5, 1.5, 2.0])


def test_several_results_come_as_a_tuple_and_are_computed_once():
    program = jax.make_jaxpr(lambda x: pair(3.0, x))(X)
    assert len(program.eqns[-1].outvars) == 2
    value, slope = pair(3.0, X)
    np.testing.assert_allclose(value, X**3, rtol=1e-15)
    np.testing.assert_allclose(slope, 3 * X**2, rtol=1e-15)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_each_result_has_its_derivatives(order):
    for which, power in ((0, 5), (1, 4)):
        f = lambda x, which=which: pair(5.0, x)[which]  # noqa: E731
        for _ in range(order):
            f = jax.grad(f)
        factor = math.perm(5, order) if which == 0 else 5 * math.perm(4, order)
        np.testing.assert_allclose(
            jax.jit(jax.vmap(f))(X), factor * X ** (power - order), rtol=1e-14
        )


def test_a_derivative_in_another_argument():
    slope = jax.grad(lambda a: pair(a, X)[1][2])(jnp.float64(3))
    np.testing.assert_allclose(slope, 4 * (1 + 3 * math.log(2)), rtol=1e-14)
