"""Strict promotion of dtypes and ranks: a wish about the user's arguments, not about our rules."""

import jax
import jax.numpy as jnp
import linalg_cases
import numpy as np
import pytest
import scipy.special
from calling import bound
from kinds import name_of, one_of_each_kind, points, ruled
from rotation import drawn

import jaxsci
from jaxsci import host_function, linalg, use_backend
from jaxsci._core.dispatch import BACKENDS
from jaxsci.special import hyp2f1, iv, jv, logsumexp, spherical_jn
from jaxsci.special._catalog.types import Kind

pytestmark = pytest.mark.rotating(0.038)

ROWS = drawn(one_of_each_kind(0, "promotion"), 5, "promotion")
MATRICES = drawn(linalg_cases.load(), 3, "promotion")
V = jnp.array([1.0, 2.0])
SINGLE = V.astype(jnp.float32)
Z = jnp.array([1 + 1j, 2.0])


@pytest.fixture(autouse=True)
def strict():
    with jax.numpy_dtype_promotion("strict"), jax.numpy_rank_promotion("raise"):
        yield


def second(f):
    """The value, and the derivative of f along ones, differentiated once more."""

    def first(*xs):
        return jax.jvp(f, xs, tuple(map(jnp.ones_like, xs)))[1]

    def both(*xs):
        return f(*xs), jax.jvp(first, xs, tuple(map(jnp.ones_like, xs)))

    return both


def same(found, expected):
    for y, truth in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert y.dtype == truth.dtype
        np.testing.assert_allclose(y, truth, rtol=1e-9, atol=1e-12, equal_nan=True)


def as_by_default(f, *xs):
    """The results under the strict settings are those of the defaults."""
    found = jax.jit(f)(*xs)
    with jax.numpy_dtype_promotion("standard"), jax.numpy_rank_promotion("allow"):
        same(found, jax.jit(f)(*xs))


@pytest.mark.parametrize("case", ROWS, ids=name_of)
def test_values_and_derivatives_of_rows(case):
    backend = BACKENDS[ROWS.index(case) % len(BACKENDS)]
    row, static, _ = case
    arrays = [jnp.asarray(x) for x in points(case, 3)]
    arrays = [
        x.astype(jnp.int32) if spec.kind is Kind.INT else x
        for spec, x in zip(row.arrays, arrays, strict=True)
    ]
    moved = ruled(row)

    def along(*xs):
        given = list(arrays)
        for i, x in zip(moved, xs, strict=True):
            given[i] = x
        return bound(row, static)(*given)

    with use_backend(backend):
        as_by_default(second(along) if moved else along, *(arrays[i] for i in moved))


@pytest.mark.parametrize("case", MATRICES, ids=lambda case: case.name)
def test_values_and_derivatives_of_matrix_functions(case):
    kind = case.kinds[-1]
    arrays = [jnp.asarray(x) for x in case.arrays(kind)]
    moved = case.positions()

    def along(*xs):
        given = list(arrays)
        for i, x in zip(moved, xs, strict=True):
            given[i] = x
        return case.results(given)

    def derivatives(*xs):
        ys, pull = jax.vjp(along, *xs)
        return second(along)(*xs), pull(jax.tree.map(jnp.ones_like, ys))

    # Traced and lowered: what the numbers are is tested elsewhere, of invariant combinations.
    jax.jit(along).lower(*(arrays[i] for i in moved))
    if moved:
        jax.jit(derivatives).lower(*(arrays[i] for i in moved))


REFUSED = {
    "jv": lambda: jv(V, SINGLE),
    "integers of another kind in jv": lambda: jv(jnp.arange(2), V),
    "iv, of a real order": lambda: iv(SINGLE, Z),
    "logsumexp": lambda: logsumexp(V, b=SINGLE),
    "solve": lambda: linalg.solve(jnp.eye(2), SINGLE),
    "integers in solve": lambda: linalg.solve(jnp.eye(2), jnp.arange(2)),
    "solve_sylvester": lambda: linalg.solve_sylvester(
        jnp.eye(2), jnp.eye(2), jnp.eye(2, 2, 0, "f")
    ),
    "both": lambda: host_function(np.add, name="both")(V, SINGLE),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_mixture_of_arrays_is_refused_with_the_functions_name(what):
    name = what.split(" in ")[-1].split(",")[0]
    with pytest.raises(ValueError, match=rf"^{name}: Input dtypes [^\n]*strict"):
        REFUSED[what]()


def test_what_needs_no_promotion():
    np.testing.assert_array_equal(jv(2, V), scipy.special.jv(2, V))
    assert jv(2.0, SINGLE).dtype == jnp.float32
    np.testing.assert_array_equal(
        spherical_jn(jnp.arange(2), V), scipy.special.spherical_jn([0, 1], V)
    )
    np.testing.assert_array_equal(iv(V, Z), scipy.special.iv(V, Z))  # the order can only be real
    assert hyp2f1(V, V, V + 1, Z / 4).dtype == Z.dtype
    assert logsumexp(V, b=2.0).dtype == V.dtype
    assert host_function(np.add)(V, 1).dtype == V.dtype
    assert host_function(np.add, dtype=float)(V, SINGLE).dtype == V.dtype


def test_ranks():
    matrix = jnp.ones((2, 2))
    assert jv(1.0, matrix).shape == jv(jnp.ones(()), matrix).shape == (2, 2)
    with pytest.raises(ValueError, match=r"^jv: Operands could not be broadcast .* shapes \(2,\)"):
        jv(V, matrix)
    with jax.numpy_rank_promotion("allow"):
        assert jv(V, matrix).shape == (2, 2)


def test_roots():
    def cube_root(a):
        return jaxsci.differentiable_root(lambda u, a: u**3 - a, (0.0, 10.0), a)

    assert float(cube_root(8.0)) == pytest.approx(2, rel=1e-14)
    assert float(jax.grad(jax.grad(cube_root))(8.0)) == pytest.approx(-2 / 9 * 8 ** (-5 / 3))
    with pytest.raises(ValueError, match="Input dtypes"):  # the user's equation is the user's
        jaxsci.differentiable_root(lambda u, a: u**3 - a * jnp.int32(1), (0.0, 10.0), 8.0)
