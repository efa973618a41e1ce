"""Derivatives of x^y - 1 at x = 0 in forward and reverse mode: y (y - 1) ... times a power."""

from __future__ import annotations

import itertools
import math

import jax
import pytest

from jaxsci import special as sp

_NEXT_TO_ZERO = 1e-250


def falling(y, order):
    return math.prod(y - i for i in range(order))


def power_of_zero(y):
    return 1.0 if y == 0 else 0.0 if y > 0 else math.inf


@pytest.mark.parametrize("modes", list(itertools.product([jax.grad, jax.jacfwd], repeat=3)))
@pytest.mark.parametrize("y", [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0])
def test_derivatives_at_zero_are_the_limits(y, modes):
    f = sp.powm1
    for order, mode in enumerate(modes, 1):
        f = mode(f)
        factor = falling(y, order)
        # An infinite limit has the sign of the factor.
        limit = 0.0 if factor == 0 else factor * power_of_zero(y - order)
        assert f(0.0, y) == limit, order


@pytest.mark.parametrize("y", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("mode", [jax.grad, jax.jacfwd])
def test_a_mixed_derivative_is_that_of_the_power(y, mode):
    found = mode(jax.grad(sp.powm1), 1)(0.7, y)
    truth = 0.7 ** (y - 1) * (1 + y * math.log(0.7))
    assert abs(found - truth) <= 1e-14


def test_next_to_zero_nothing_is_lost():
    x = _NEXT_TO_ZERO
    assert jax.grad(jax.grad(sp.powm1))(x, 2.0) == 2.0
    assert abs(jax.grad(jax.grad(sp.powm1))(x, 1.5) / (0.75 / math.sqrt(x)) - 1) < 1e-15
