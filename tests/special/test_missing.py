"""Arguments without a derivative raise, by name, and only when they are perturbed."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from calling import bound
from kinds import ruled
from rotation import drawn

from jaxsci._verification import reference
from jaxsci.special._catalog.types import Kind

FIRST = {row.name: row.samples.statics[0] for row in reference.ROWS.values()}
UNRULED = [
    pytest.param(row, i, id=f"{row.name}-{a.name}")
    for row in reference.ROWS.values()
    for i, a in enumerate(row.arrays)
    if i not in ruled(row)
]
BESIDE_UNRULED = [
    pytest.param(row, i, j, id=f"{row.name}-{row.arrays[i].name}-{row.arrays[j].name}")
    for row in reference.ROWS.values()
    for i in range(len(row.arrays))
    if i not in ruled(row)
    for j in ruled(row)
]
EACH = pytest.mark.parametrize(("row", "i"), UNRULED)
N_TODAY = 40
TODAYS = pytest.mark.parametrize(("row", "i"), drawn(UNRULED, N_TODAY, "missing"))


def at_one_point(row):
    """The row's function as one of scalars, and a point; integers are floats here."""
    rng = reference.generator("missing", row.name)
    at = [jnp.asarray(x[0], float) for x in reference.sample(row, reference.REAL, rng, 1)]
    function = bound(row, FIRST[row.name])

    def summed(*xs):
        return sum(jnp.sum(y.real) for y in function(*xs))

    return summed, at


def alone(function, at, i):
    return lambda x: function(*at[:i], x, *at[i + 1 :])


def modes_of(f):
    """Each perturbs the one argument of f; traced is enough, since the rules are asked there."""
    yield lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))
    yield jax.grad(f)


def transforms_of(f):
    """More that perturb it."""
    yield lambda x: jax.jvp(f, (x,), (jnp.zeros_like(x),))  # an explicit zero
    yield jax.jacfwd(f)
    yield jax.jit(jax.grad(f))
    yield jax.grad(jax.jit(f))
    yield lambda x: jax.vmap(jax.grad(f))(x[None])
    yield lambda x: jax.lax.scan(lambda c, _: (c, jax.grad(f)(x)), 0, None, length=2)


@EACH
def test_perturbed_it_raises_by_name_and_offers_a_way_out(row, i):
    function, at = at_one_point(row)
    for transform in modes_of(alone(function, at, i)):
        assert_refused(row, i, transform, at)


@pytest.mark.rotating(0.038)
@TODAYS
def test_perturbed_in_any_way_it_raises(row, i):
    function, at = at_one_point(row)
    for transform in transforms_of(alone(function, at, i)):
        assert_refused(row, i, transform, at)


def assert_refused(row, i, transform, at):
    argument = row.arrays[i]
    with pytest.raises(NotImplementedError) as caught:
        jax.eval_shape(transform, at[i])
    message = str(caught.value)
    assert message.startswith(f"{row.name}: ")
    assert f"'{argument.name}'" in message
    assert f"jax.lax.stop_gradient({argument.name})" in message
    if argument.kind is Kind.INT:
        assert "integer argument" in message
    else:
        assert row.rules[argument.name].reason in message


@pytest.mark.rotating(0.038)
@TODAYS
def test_stopped_gradient_is_zero(row, i):
    function, at = at_one_point(row)
    stopped = alone(function, at, i)
    gradient = jax.jit(jax.grad(lambda x: stopped(jax.lax.stop_gradient(x))))(at[i])
    assert gradient == 0


def gradients(row, i, j):
    """The gradient in argument j, by itself and in a loop, and where to take it."""
    function, at = at_one_point(row)
    whole = jnp.round(at[i]).astype(int) if row.arrays[i].kind is Kind.INT else at[i]

    def evaluate(*xs):
        gradient = jax.grad(function, j)
        in_scan = jax.lax.scan(lambda c, _: (c, gradient(*xs)), 0, None, length=1)[1]
        return gradient(*xs), in_scan[0]

    return evaluate, [*at[:i], whole, *at[i + 1 :]]


@pytest.mark.rotating(0.022)
@pytest.mark.parametrize(("row", "i", "j"), BESIDE_UNRULED)
def test_unperturbed_it_does_not_raise(row, i, j):
    evaluate, at = gradients(row, i, j)
    jax.eval_shape(evaluate, *at)


@pytest.mark.rotating(0.015)
@pytest.mark.parametrize(("row", "i", "j"), drawn(BESIDE_UNRULED, N_TODAY, "unperturbed"))
def test_unperturbed_it_does_not_matter(row, i, j):
    evaluate, at = gradients(row, i, j)
    first, again = jax.jit(evaluate)(*at)
    assert np.isfinite(first)
    assert first == again


WHOLE = [
    pytest.param(row, i, j, id=f"{row.name}-{row.arrays[j].name}")
    for row in reference.ROWS.values()
    for i, a in enumerate(row.arrays)
    if a.kind is Kind.INT
    for j in ruled(row)
]


@pytest.mark.rotating(0.015)
@pytest.mark.parametrize(("row", "i", "j"), drawn(WHOLE, N_TODAY, "integers"))
def test_whole_numbers_of_integer_type_are_not_perturbed(row, i, j):
    function, at = at_one_point(row)

    def of_both(whole, x):
        both = {i: whole, j: x}
        return function(*(both.get(k, y) for k, y in enumerate(at)))

    whole = jnp.round(at[i]).astype(int)
    no_tangent = np.zeros((), jax.dtypes.float0)
    slope = jax.jit(lambda n, x: jax.jvp(of_both, (n, x), (no_tangent, jnp.ones_like(x)))[1])
    assert slope(whole, at[j]) == jax.jit(jax.grad(of_both, 1))(whole, at[j])
