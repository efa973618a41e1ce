"""Every transform of JAX on one row of each kind, and on a few more that change daily.

What is compared with is the row's function under jit and its jvp there, which test_values.py
compares with SciPy and mpmath.
"""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from calling import assert_scipys, bound, by_scipy
from kinds import for_devices, name_of, one_of_each_kind, points, ruled
from processes import FOUR_DEVICES, outcome
from rotation import drawn

from jaxsci._core.elementwise_rules import Closed
from jaxsci._verification.reference import COMPLEX
from jaxsci.special._catalog.types import Kind

pytestmark = pytest.mark.rotating(0.03)

ALL = one_of_each_kind(5, "transforms")
RULED = [case for case in ALL if ruled(case[0])]
IN_THE_PLANE = [case for case in ALL if case[2] == COMPLEX]
EVERY = pytest.mark.parametrize("case", ALL, ids=name_of)
# Derivatives take long to compile: each day has its own draw.
MANY_RULED = pytest.mark.parametrize("case", drawn(RULED, 36, "first derivatives"), ids=name_of)
FEW_RULED = pytest.mark.parametrize("case", drawn(RULED, 12, "derivatives"), ids=name_of)


def close(found, expected):
    """Equal but for rounding, which is relative to the largest of the numbers."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    scale = np.max(np.abs(expected), initial=0)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * scale)


def real_loss(results):
    """One real number of all results, in which each component has a weight of its own."""
    parts = [p for y in results for p in ((y.real, y.imag) if jnp.iscomplexobj(y) else (y,))]
    flat = jnp.concatenate([p.ravel() for p in parts])
    return flat @ jnp.cos(jnp.arange(flat.size))


def in_one_argument(case, n):
    """For each argument with a rule: its n points, and the function of it alone, elsewhere fixed.

    The function takes a point and the index of the others.
    """
    row, static, _ = case
    at = points(case, n)
    function = bound(row, static)
    for i in ruled(row):

        def alone(x, k=None, i=i):
            others = [y if k is None else jnp.asarray(y)[k] for y in at]
            return function(*others[:i], x, *others[i + 1 :])

        yield row.arrays[i], at[i], alone


@EVERY
def test_vmap_over_each_subset_of_the_arguments(case, pytestconfig):
    row, static, _ = case
    at = points(case, 3)
    function = bound(row, static)
    n = len(at)
    subsets = [s for k in range(1, n + 1) for s in itertools.combinations(range(n), k)]
    if not pytestconfig.getoption("--thorough"):  # each is a program of its own
        subsets = drawn(subsets, 7, f"subsets of the arguments of {row.name}")

    @jax.jit
    def mapped(*xs):
        return [jax.vmap(function, [0 if i in s else None for i in range(n)])(*xs) for s in subsets]

    for subset, found in zip(subsets, mapped(*at), strict=True):
        # As many lanes as the other arguments have elements: lining them up would be wrong.
        grid = [x[:, None] if i in subset and len(subset) < n else x for i, x in enumerate(at)]
        assert_scipys(row, found, by_scipy(row, static, grid))


@EVERY
def test_nested_vmap_is_an_outer_product(case):
    row, static, _ = case
    at = points(case, 4)
    n = len(at)
    function = bound(row, static)
    for i in range(n):
        inner = [None if j == i else 0 for j in range(n)]
        outer = [0 if j == i else None for j in range(n)]
        if n == 1:
            inner, at = [0], [at[0].reshape(2, 2)]
            outer = [1]
        found = jax.jit(jax.vmap(jax.vmap(function, inner), outer))(*at)
        grid = [x[:, None] if j == i else x for j, x in enumerate(at)] if n > 1 else [at[0].T]
        assert_scipys(row, found, by_scipy(row, static, grid))


@EVERY
def test_eager_and_control_flow_values(case):
    row, static, _ = case
    at = points(case, 3)
    function = bound(row, static)
    assert_scipys(row, function(*at), by_scipy(row, static, at))

    @jax.jit
    def scanned(*xs):
        return jax.lax.scan(lambda c, point: (c, function(*point)), None, xs)[1]

    @jax.jit
    def looped(*xs):
        start = jax.tree.map(jnp.zeros_like, jax.eval_shape(function, *xs))

        def body(state):
            k, ys = state
            new = function(*(x[k] for x in xs))
            return k + 1, jax.tree.map(lambda y, v: y.at[k].set(v), ys, new)

        return jax.lax.while_loop(lambda state: state[0] < 3, body, (0, start))[1]

    # NumPy's own operations on complex numbers round arrays and single numbers differently.
    each = [by_scipy(row, static, [x[k] for x in at]) for k in range(3)]
    one_by_one = [np.ma.stack(ys) for ys in zip(*each, strict=True)]
    assert_scipys(row, scanned(*at), one_by_one)
    assert_scipys(row, looped(*at), one_by_one)
    assert_scipys(row, jax.jit(jax.checkpoint(function))(*at), by_scipy(row, static, at))


@MANY_RULED
def test_forward_and_reverse_modes_agree(case):
    for _, x, f in in_one_argument(case, 3):

        def loss(x, f=f):
            return real_loss(f(x))

        ones = jnp.ones_like(x)

        def elementwise(x, k, f=f):
            """The real and imaginary parts of all results at one point."""
            parts = [p for y in f(x, k) for p in (y.real, y.imag)]
            return jnp.concatenate([jnp.ravel(p) for p in parts])

        @jax.jit
        def everything(x, loss=loss, elementwise=elementwise, ones=ones, f=f):
            one = x[1]
            gradient = jax.grad(loss)
            _, pullback = jax.vjp(loss, x)
            _, pushforward = jax.linearize(f, x)
            slopes = jax.jvp(f, (x,), (ones,))[1]
            if jnp.iscomplexobj(x):
                return {"linearize": (pushforward(ones), slopes)}
            along = jax.jvp(lambda x: elementwise(x, 1), (one,), (jnp.ones_like(one),))[1]
            return {
                "linearize": (pushforward(ones), slopes),
                "vjp": (pullback(1.0)[0], gradient(x)),
                "grad": (gradient(x).sum(), jax.jvp(loss, (x,), (ones,))[1]),
                "jacfwd": (jax.jacfwd(elementwise)(one, 1), along),
                "jacrev": (jax.jacrev(elementwise)(one, 1), along),
            }

        for found, expected in everything(x).values():
            jax.tree.map(close, found, expected)


@FEW_RULED
def test_second_derivatives_agree_in_all_modes(case):
    for argument, x, f in in_one_argument(case, 3):
        if case[2] == COMPLEX and argument.kind is Kind.COMPLEX:
            continue  # test_real_loss_of_a_complex_argument

        def loss(x, f=f):
            return real_loss(f(x))

        ones = jnp.ones_like(x)

        @jax.jit
        def everything(x, loss=loss, ones=ones):
            gradient = jax.grad(loss)
            second = jax.jvp(gradient, (x,), (ones,))[1]
            return {
                "checkpoint": (jax.grad(jax.checkpoint(loss))(x), gradient(x)),
                "hessian": (jax.hessian(loss)(x), jnp.diag(second)),
                "reverse over reverse": (jax.grad(lambda x: gradient(x).sum())(x), second),
                "forward over forward": (
                    second.sum(),
                    jax.jvp(lambda x: jax.jvp(loss, (x,), (ones,))[1], (x,), (ones,))[1],
                ),
                "reverse over forward": (
                    jax.grad(lambda x: jax.jvp(loss, (x,), (ones,))[1])(x),
                    second,
                ),
            }

        for found, expected in everything(x).values():
            jax.tree.map(close, found, expected)


@FEW_RULED
def test_derivatives_inside_control_flow(case):
    for argument, x, f in in_one_argument(case, 3):
        if case[2] == COMPLEX and argument.kind is Kind.COMPLEX:
            continue  # test_real_loss_of_a_complex_argument

        def at_one(x, k, f=f):
            return real_loss(f(x, k))

        twice = jax.grad(jax.grad(at_one))

        def scanned(xs, at_one=at_one):
            body = lambda total, point: (total + at_one(*point), None)  # noqa: E731
            return jax.lax.scan(body, 0.0, (xs, jnp.arange(3)))[0]

        def conditional(x, k, at_one=at_one):
            return jax.lax.cond(k == 1, at_one, lambda x, k: -2 * at_one(x, k), x, k)

        def whiled(x, at_one=at_one):
            body = lambda s: (s[0] + 1, s[1] + at_one(x[s[0]], s[0]))  # noqa: E731
            return jax.lax.while_loop(lambda s: s[0] < 3, body, (0, 0.0))[1]

        @jax.jit
        def everything(
            xs, at_one=at_one, twice=twice, scanned=scanned, conditional=conditional, whiled=whiled
        ):
            counted = jnp.arange(3)
            first = jax.vmap(jax.grad(at_one))(xs, counted)
            second = jax.vmap(twice)(xs, counted)
            in_scan = jax.lax.scan(lambda c, p: (c, twice(*p)), 0, (xs, counted))[1]
            in_fori = jax.lax.fori_loop(0, 3, lambda k, t: t + twice(xs[k], k), 0.0)
            return {
                "grad of scan": (jax.grad(scanned)(xs), first),
                "hessian of scan": (jax.hessian(scanned)(xs), jnp.diag(second)),
                "grad of grad in scan": (in_scan, second),
                "grad of grad in fori_loop": (in_fori, second.sum()),
                "jvp of while": (jax.jvp(whiled, (xs,), (jnp.ones_like(xs),))[1], first.sum()),
                "grad of cond": (
                    jax.vmap(jax.grad(conditional))(xs, counted),
                    jnp.where(counted == 1, 1, -2) * first,
                ),
                "grad of checkpointed scan": (
                    jax.grad(jax.checkpoint(scanned))(xs),
                    first,
                ),
            }

        for found, expected in everything(x).values():
            close(found, expected)


@pytest.mark.parametrize("case", IN_THE_PLANE, ids=name_of)
def test_holomorphic_gradient(case):
    for argument, z, f in in_one_argument(case, 3):
        if argument.kind is not Kind.COMPLEX:
            continue
        holomorphic = isinstance(case[0].rules[argument.name], Closed)

        @jax.jit
        def everything(z, f=f, holomorphic=holomorphic):
            along_re = jax.jvp(f, (z,), (jnp.ones_like(z),))[1]
            along_im = jax.jvp(f, (z,), (1j * jnp.ones_like(z),))[1]
            if not holomorphic:
                return along_re, along_im, None

            def component(j):
                return lambda z: f(z)[j].sum()

            gradients = [jax.grad(component(j), holomorphic=True)(z) for j in range(len(along_re))]
            return along_re, along_im, gradients

        along_re, along_im, gradients = everything(z)
        pairs = list(zip(along_re, along_im, strict=True))
        if not holomorphic:
            # One result that is not makes the rule so for all.
            assert not all(np.allclose(b, 1j * a) for a, b in pairs), "holomorphic after all"
            continue
        for j, (a, b) in enumerate(pairs):
            close(b, 1j * a)
            close(gradients[j], a.reshape(*z.shape, -1).sum(-1))


@pytest.mark.parametrize("case", IN_THE_PLANE, ids=name_of)
def test_real_loss_of_a_complex_argument(case):
    """JAX's gradient of a real L(x + iy) is dL/dx - i dL/dy, and its Hessian symmetric."""
    for argument, z, f in in_one_argument(case, 2):
        if argument.kind is not Kind.COMPLEX:
            continue

        def of_parts(xy, f=f):
            return real_loss(f(jax.lax.complex(xy[0], xy[1])))

        @jax.jit
        def everything(z, f=f, of_parts=of_parts):
            xy = jnp.stack([z.real, z.imag])
            directions = jnp.eye(xy.size).reshape(-1, *xy.shape)
            along = jax.vmap(lambda t: jax.jvp(of_parts, (xy,), (t,))[1])(directions)
            along = along.reshape(xy.shape)
            scanned = jax.lax.scan(lambda c, _: (c, jax.grad(of_parts)(xy)), 0, None, length=1)[1]
            second = jax.hessian(of_parts)(xy).reshape(xy.size, xy.size)
            return {
                "grad": (jax.grad(lambda z: real_loss(f(z)))(z), along[0] - 1j * along[1]),
                "grad of the parts": (jax.grad(of_parts)(xy), along),
                "grad in scan": (scanned[0], along),
                "hessian": (second, second.T),
            }

        for found, expected in everything(z).values():
            close(found, expected)


def test_each_kind_on_four_devices():
    done = outcome("special/sharded_rows.py", environment=FOUR_DEVICES)
    assert done.stdout.splitlines() == [name_of(case) for case in for_devices()], done.stderr
