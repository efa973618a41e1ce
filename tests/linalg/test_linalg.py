"""Every function of jaxsci.linalg: values, derivatives of two orders, transforms, bad input."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import linalg_cases
import numpy as np
import pytest
from rotation import drawn

CASES = linalg_cases.load()
ALL = [(c, kind) for c in CASES for kind in c.kinds]
HOST = [(c, kind) for c, kind in ALL if c.host]


OF_EXPONENTIALS = {"sinm", "cosm", "tanm", "sinhm", "coshm", "tanhm"}
OF_MATRICES = {
    *OF_EXPONENTIALS,
    "expm",
    "fractional_matrix_power",
    "funm",
    "logm",
    "sqrtm",
    "signm",
}


def in_one_kind(purpose, cases):
    """Every case with real matrices or with complex ones, as today has it: compiling takes long."""
    return [drawn([(c, kind) for kind in c.kinds], 1, f"{purpose} {c.name}")[0] for c in cases]


def function_of(case):
    return case.name.partition(":")[0]


def computation_of(case):
    """The derivatives of sums of exponentials are one."""
    return "trigonometric" if function_of(case) in OF_EXPONENTIALS else function_of(case)


def one_of_each(group, cases):
    """The cases, of which those rotate that this commit does not draw: one a group is drawn."""
    groups = {}
    for case, kind in cases:
        groups.setdefault(group(case), []).append((case.name, kind))
    kept = {drawn(names, 1, f"case of {name}")[0] for name, names in groups.items()}
    return [
        pytest.param(
            case,
            kind,
            id=f"{case.name}-{kind}",
            marks=[] if (case.name, kind) in kept else [pytest.mark.rotating(0)],
        )
        for case, kind in cases
    ]


RULED = [c for c in CASES if c.positions()]
BATCHED = in_one_kind("batched", [c for c in CASES if c.batched])
SINGLE = in_one_kind("single", CASES)
FIRST = in_one_kind("first", RULED)
SECOND = drawn(in_one_kind("second", RULED), 60, "linalg second")
LOOPED = drawn(SECOND, 15, "linalg scan")


def each(cases):
    return pytest.mark.parametrize(
        ("case", "kind"), cases, ids=[f"{c.name}-{kind}" for c, kind in cases]
    )


def assert_close(found, expected, rtol, what=""):
    """Every array, relative to its largest element."""
    assert len(found) == len(expected)
    for x, y in zip(found, expected, strict=True):
        x, y = np.asarray(x), np.asarray(y)
        assert x.shape == y.shape, what
        np.testing.assert_allclose(
            x, y, rtol=0, atol=rtol * np.max(np.abs(y), initial=1e-300), err_msg=what
        )


def jitted(function):
    """Of arrays in place of their sequence: one program is compiled sooner than its operations."""
    return jax.jit(lambda *xs: function(xs))


def batch(case, kind, n=3):
    slices = [case.arrays(kind, seed) for seed in range(n)]
    return slices, [np.stack(xs) for xs in zip(*slices, strict=True)]


def loss(case, kind, arrays):
    """A function of the differentiable arguments, real, different in every result's element."""
    rng = case.rng(f"{kind} weights", 0)
    weights = [
        rng.uniform(0.5, 1.5, np.shape(y)) + 1j * rng.uniform(0.5, 1.5, np.shape(y))
        for y in case.invariants(arrays)
    ]

    def value(*xs):
        ys = case.invariants(xs)
        return sum(jnp.sum(jnp.real(w * y)) for w, y in zip(weights, ys, strict=True))

    return value


def moved(arrays, along, h):
    return [x + h * t for x, t in zip(arrays, along, strict=True)]


def slope(function, arrays, along, h=1e-3):
    """The derivative along a direction, by the central difference of fourth order."""

    def at(k):
        return [np.asarray(y) for y in function(moved(arrays, along, k * h))]

    points = [at(k) for k in (-2, -1, 1, 2)]
    return [(a - 8 * b + 8 * c - d) / (12 * h) for a, b, c, d in zip(*points, strict=True)]


def along_gradient(case, value, arrays, along, compiler_options=None):
    """The gradient times a direction."""
    positions = tuple(case.positions())
    gradient = jax.jit(jax.grad(value, positions), compiler_options=compiler_options)(*arrays)
    return sum(
        np.sum(np.real(np.asarray(g) * along[i])) for i, g in zip(positions, gradient, strict=True)
    )


@pytest.mark.smoke(0.15)
@pytest.mark.parametrize(
    ("case", "kind"),
    one_of_each(function_of, [(c, kind) for c, kind in ALL if c.scipy is not None]),
)
def test_value_is_scipys(case, kind):
    arrays = case.arrays(kind)
    theirs = linalg_cases.as_tuple(case.scipy(*arrays))
    expected = linalg_cases.as_tuple(case.invariant(theirs, arrays))
    assert_close(jitted(case.invariants)(*arrays), expected, case.value_rtol)


@pytest.mark.rotating(0.015)
@each(BATCHED)
def test_leading_dimensions_and_vmap(case, kind):
    slices, arrays = batch(case, kind)
    invariants, results = jitted(case.invariants), jitted(case.results)
    expected = [np.stack(ys) for ys in zip(*(invariants(*xs) for xs in slices), strict=True)]
    assert_close(jax.vmap(invariants)(*arrays), expected, 1e-13, "vmap")
    if case.invariant is linalg_cases.identity:
        assert_close(results(*arrays), expected, 1e-13, "leading dimensions")
        one = [arrays[0], *slices[0][1:]]
        expected = [
            np.stack(ys)
            for ys in zip(*(results(x, *slices[0][1:]) for x in arrays[0]), strict=True)
        ]
        axes = (0, *(None for _ in one[1:]))
        assert_close(jax.vmap(results, axes)(*one), expected, 1e-13)


@pytest.mark.smoke(0.15)
@pytest.mark.parametrize(("case", "kind"), one_of_each(computation_of, FIRST))
def test_first_derivative(case, kind, request, quick_compiler_options):
    """In the mode that this commit draws: reverse mode is the same rule, transposed.

    Fréchet derivatives have transposes of their own.
    """
    arrays = case.arrays(kind)
    modes = ("reverse",) if function_of(case) in OF_MATRICES else ("forward", "reverse")
    if drawn(modes, 1, request.node.nodeid) == ["reverse"]:
        along = case.direction(arrays, kind, 1)
        value = jax.jit(loss(case, kind, arrays))
        found = along_gradient(case, value, arrays, along, quick_compiler_options)
        moving = [t if i in case.positions() else 0 * t for i, t in enumerate(along)]
        expected = slope(lambda xs: [value(*xs)], arrays, moving)
        assert_close([found], expected, case.first_rtol, "all arguments")
        return
    invariants = jitted(case.invariants)
    pushforward = jax.jit(
        lambda xs, ts: jax.jvp(invariants, xs, ts)[1], compiler_options=quick_compiler_options
    )
    for seed, i in enumerate(case.positions()):
        along = [
            t if j == i else np.zeros_like(t)
            for j, t in enumerate(case.direction(arrays, kind, seed))
        ]
        found = pushforward(arrays, along)
        expected = slope(lambda xs: invariants(*xs), arrays, along)
        assert_close(found, expected, case.first_rtol, f"argument {i}")


@pytest.mark.rotating(0.015)
@each(FIRST)
def test_reverse_mode_is_forward_mode_transposed(case, kind):
    arrays = case.arrays(kind)
    along = case.direction(arrays, kind, 1)
    value = jax.jit(loss(case, kind, arrays))
    _, forwards = jax.jvp(value, arrays, along)
    backwards = along_gradient(case, value, arrays, along)
    np.testing.assert_allclose(backwards, forwards, rtol=1e-10)


@pytest.mark.rotating(0.015)
@each(SECOND)
def test_second_derivative(case, kind):
    arrays = case.arrays(kind)
    along = case.direction(arrays, kind, 2)
    gradient = jax.jit(jax.grad(loss(case, kind, arrays), tuple(case.positions())))
    _, found = jax.jit(lambda xs, ts: jax.jvp(gradient, xs, ts))(tuple(arrays), tuple(along))
    assert_close(found, slope(lambda xs: gradient(*xs), arrays, along), case.second_rtol)


@pytest.mark.rotating(0.038)
@each(LOOPED)
def test_inside_scan(case, kind):
    """Gradients and second derivatives, in reverse over reverse, survive a loop."""
    arrays = case.arrays(kind)
    along = case.direction(arrays, kind, 3)
    value = loss(case, kind, arrays)

    def looped(*xs):
        def step(total, factor):
            return total + factor * value(*xs), None

        return jax.lax.scan(step, 0.0, jnp.array([0.75, 0.25]))[0]

    def curvature(f):
        positions = tuple(case.positions())

        def directional(*xs):
            gradient = jax.grad(f, positions)(*xs)
            pairs = zip(gradient, (along[i] for i in positions), strict=True)
            return sum(jnp.sum(jnp.real(g * t)) for g, t in pairs)

        return jax.jit(jax.grad(directional, positions))(*arrays)

    assert_close(curvature(looped), curvature(value), 1e-10)


@pytest.mark.rotating(0.038)
@each([(c, kind) for c, kind in HOST if c.batched and c.invariant is linalg_cases.identity])
def test_bad_slice_is_nan_alone(case, kind):
    slices, arrays = batch(case, kind)
    expected = [np.stack(ys) for ys in zip(*map(case.results, slices), strict=True)]
    arrays[0][1] = np.nan
    for y, whole in zip(case.results(arrays), expected, strict=True):
        y = np.asarray(y)
        np.testing.assert_array_equal(y[[0, 2]], whole[[0, 2]])
        assert not np.issubdtype(y.dtype, np.inexact) or np.all(np.isnan(y[1]))


@pytest.mark.rotating(0.015)
@each(SINGLE)
def test_single_precision(case, kind):
    arrays = case.arrays(kind)
    single = [x.astype(np.complex64 if np.iscomplexobj(x) else np.float32) for x in arrays]
    expected = case.invariants([x.astype(y.dtype) for x, y in zip(single, arrays, strict=True)])
    found = case.invariants([jnp.asarray(x) for x in single])
    assert_close(found, expected, case.single_rtol)
    for y in case.results([jnp.asarray(x) for x in single]):
        assert np.dtype(y.dtype) not in (np.float64, np.complex128)


@pytest.mark.rotating(0.038)
@each(ALL)
def test_wrong_shapes_are_named(case, kind):
    arrays = case.arrays(kind)
    name = case.name.split(":")[0]
    with pytest.raises((TypeError, ValueError), match=name):
        case.function(None, *arrays[1:])
    with pytest.raises((TypeError, ValueError), match=name):
        case.function([1.0], *arrays[1:])
    if arrays[0].ndim > 1:
        with pytest.raises(ValueError, match=name):
            case.function(arrays[0][0, 0], *arrays[1:])
