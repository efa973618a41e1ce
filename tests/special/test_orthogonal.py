"""Orthogonal polynomials of integer degree, which SciPy computes by loops of their own."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from calling import bits
from mpmath import mp

import jaxsci
from jaxsci import special as sp
from jaxsci._core.dispatch import BACKENDS
from jaxsci._verification import accuracy
from jaxsci._verification import reference as oracle

pytestmark = pytest.mark.rotating(0.038)

NAMES = [name for name in oracle.ROWS if name.startswith("eval_") and "hermite" not in name]
DEGREES = np.array([0, 1, 2, 3, 7, 20, 61, 150, 250, -1, -2, -5])


def points(name):
    """Integer degrees, each with an argument of the interval and one outside."""
    row = oracle.ROWS[name]
    rng = oracle.generator("integer degrees", name)
    n = np.repeat(DEGREES, 2)
    columns = oracle.sample(row, oracle.REAL, rng, n.size)
    columns[0] = n
    columns[-1][1::2] *= -1.5
    return columns


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NAMES)
def test_integers_reach_scipys_integer_loop(name, backend):
    columns = points(name)
    truth = getattr(scipy.special, name)(*columns)
    with jaxsci.use_backend(backend):
        found = jax.jit(getattr(sp, name))(*columns)
        np.testing.assert_array_equal(bits(found), bits(truth))
        n, *at = [x[8].item() for x in columns]
        assert isinstance(n, int)
        assert getattr(sp, name)(n, *at) == truth[8]


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_of_integer_degrees_are_mpmaths(name):
    row = oracle.ROWS[name]
    columns = [x[2:-6] for x in points(name)]
    i = len(columns) - 1

    def function(x):
        return row.function(*columns[:i], x)

    def slope(f):
        return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]

    found = function(columns[i]), slope(function)(columns[i]), slope(slope(function))(columns[i])
    reference = oracle.Reference(row, {})
    for j, point in enumerate(zip(*(x.tolist() for x in columns), strict=True)):
        fixed = [oracle.exact(x) for x in point]
        truth = oracle.along(lambda x, p=fixed: reference([*p[:i], x])[0][0], fixed[i], 1)
        for order, (value, bar) in enumerate(zip(found, (1e-12, 1e-12, 1e-10), strict=True)):
            with mp.workdps(30):
                condition = accuracy.CONDITIONED * abs(fixed[i] * truth[order + 1])
                assert abs(value[j].item() - truth[order]) <= max(
                    bar * abs(truth[order]), condition
                )


COEFFICIENTS = (
    *("legendre", "chebyt", "chebyu", "chebyc", "chebys", "laguerre", "hermite", "hermitenorm"),
    *("sh_legendre", "sh_chebyt", "sh_chebyu"),
)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_coefficients_are_near_scipys_where_those_are_good(name):
    for n in range(7):
        for monic in (False, True):
            ours, theirs = (getattr(m, name)(n, monic) for m in (sp, scipy.special))
            np.testing.assert_allclose(ours, theirs.coeffs, rtol=1e-12, atol=1e-12)


def test_parameters_out_of_range_are_nan():
    for found in (
        sp.roots_jacobi(3, -1.5, 0.5),
        sp.roots_gegenbauer(3, -0.75),
        sp.roots_genlaguerre(3, np.nan),
        sp.roots_sh_jacobi(3, 0.5, -1.0),
        sp.jacobi(3, -1.5, 0.5),
        sp.genlaguerre(3, np.inf),
    ):
        assert all(np.all(np.isnan(part)) for part in found)


def test_parameters_broadcast_and_batch():
    a, b = jnp.array([0.5, 1.5])[:, None], jnp.array([0.25, 2.0, 3.0])
    nodes, weights, total = sp.roots_jacobi(4, a, b, mu=True)
    assert (nodes.shape, weights.shape, total.shape) == ((2, 3, 4), (2, 3, 4), (2, 3))
    np.testing.assert_array_equal(nodes[1, 2], scipy.special.roots_jacobi(4, 1.5, 3.0)[0])
    np.testing.assert_allclose(jnp.sum(weights, -1), total, rtol=1e-13)
    mapped = jax.vmap(lambda a: sp.roots_jacobi(4, a, b))(a[:, 0])
    np.testing.assert_array_equal(mapped[0], nodes)


def test_huge_degrees_end():
    for degree in (1e7, 1e300, np.inf, np.nan):
        for f in (sp.eval_legendre, sp.eval_laguerre, sp.eval_chebyt):
            jax.grad(f, 1)(degree, 0.5).block_until_ready()


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64])
def test_parameters_that_are_integers(dtype):
    """Fractions of NumPy's integers would overflow as those do."""
    one, two = np.array([1, 2], dtype), np.array([2, 1], dtype)
    calls: list[tuple[Any, ...]] = [
        (sp.jacobi, one, np.array([3.4375, 0.8125])),
        (sp.sh_jacobi, np.array([3.4375, 2.8125]), one),
        (sp.gegenbauer, two),
        (sp.genlaguerre, one),
    ]
    for function, *at in calls:
        found = function(21, *at)
        floats = function(21, *(np.asarray(x, float) for x in at))
        np.testing.assert_allclose(found, floats, rtol=2 * np.finfo(found.dtype).eps)


@pytest.mark.parametrize("alpha", [2.5, 86.0, 90.0, 99.5])
@pytest.mark.parametrize("x", [-0.5, 0.3, 2.0, 0.3 + 0.1j])
def test_gegenbauer_polynomials_of_degrees_0_and_1_of_large_parameters(alpha, x):
    """Also where SciPy's gamma functions would overflow for larger degrees."""
    assert sp.eval_gegenbauer(0.0, alpha, x) == 1
    np.testing.assert_allclose(sp.eval_gegenbauer(1.0, alpha, x), 2 * alpha * x, rtol=1e-15)
