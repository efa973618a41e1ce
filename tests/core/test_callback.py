"""`host_function`: what it accepts, how it is batched, what it returns, and what it refuses."""

import functools
import itertools
import logging
import math
import warnings
from typing import Any, cast

import hypothesis.extra.numpy as arrays
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.experimental import io_callback

import jaxsci
import jaxsci.special
from jaxsci import host_function
from jaxsci._core.choice import AUTOMATIC, current
from jaxsci.callback import closed, missing, real_linear

pytestmark = pytest.mark.smoke

Struct = jax.ShapeDtypeStruct
A = np.array([[4.0, 1.0], [2.0, 3.0]])
B = np.array([1.0, -2.0])


def plus(x, y):
    return x + y


def scaled_power(x, exponent, scale=1.0):
    """A static argument among arrays."""
    return scale * x**exponent


def same(found, expected):
    """Equal to the last bit, dtype and shape included."""
    found = np.asarray(found)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


# -- signatures ------------------------------------------------------------------------------------


def test_ufunc_brings_its_own_signature():
    z = np.linspace(0.0, 20.0, 7)
    same(host_function(scipy.special.jv)(0.5, z), scipy.special.jv(0.5, z))


def test_gufunc_brings_its_own_signature():
    x = np.arange(12.0).reshape(4, 3)
    same(host_function(np.vecdot)(x, x[0]), np.vecdot(x, x[0]))


def test_ufunc_of_several_results():
    x = np.array([0.5, -3.25, 7.0])
    fraction, whole = host_function(np.modf)(x)
    same(fraction, np.modf(x)[0])
    same(whole, np.modf(x)[1])


def test_core_dimensions_and_loops_over_the_rest():
    solve = host_function(np.linalg.solve, "(n,n),(n)->(n)")
    rights = np.arange(6.0).reshape(3, 2)
    expected = np.stack([np.linalg.solve(A, b) for b in rights])
    np.testing.assert_allclose(solve(A, rights), expected, rtol=1e-15)


def test_several_results_of_different_ranks():
    svd = host_function(
        lambda a: np.linalg.svd(a, full_matrices=False), "(m,n)->(m,k),(k),(k,n)", sizes={"k": 2}
    )
    x = np.arange(24.0).reshape(4, 3, 2)
    u, s, vt = svd(x)
    assert (u.shape, s.shape, vt.shape) == ((4, 3, 2), (4, 2), (4, 2, 2))
    np.testing.assert_allclose(u * s[:, None, :] @ vt, x, atol=1e-13)


def test_fixed_sizes_in_a_signature():
    cross = host_function(np.cross, "(3),(3)->(3)")
    same(cross(np.eye(3)[0], np.eye(3)), np.cross(np.eye(3)[0], np.eye(3)))
    with pytest.raises(ValueError, match=r"cross: argument 'a'.*size 2 in dimension '3'"):
        cross(np.ones(2), np.ones(3))


def test_sizes_gives_the_dimensions_that_no_argument_has():
    powers = host_function(lambda x: x ** np.arange(4), "()->(k)", sizes={"k": 4})
    same(powers(np.array([1.0, 2.0])), np.array([[1.0, 1, 1, 1], [1, 2, 4, 8]]))


def test_static_integer_names_a_dimension():
    powers = host_function(lambda x, k: x ** np.arange(k), "()->(k)", static_argnames="k")
    assert powers(2.0, 3).shape == (3,)
    assert powers(2.0, k=5).shape == (5,)


def test_function_without_arguments():
    assert host_function(lambda: 3.0, "->()")() == 3.0


def test_scalars_reach_an_unbatched_function_as_scalars():
    seen = []
    host_function(lambda x: seen.append(type(x)) or x, "()->()")(np.arange(2.0))
    assert seen == [np.float64, np.float64]


def test_empty_arrays_are_never_shown_to_an_unbatched_function():
    seen = []
    result = host_function(lambda x: seen.append(x) or x, "(n)->(n)")(np.zeros((0, 3)))
    assert (result.shape, result.dtype, seen) == ((0, 3), np.float64, [])


@pytest.mark.parametrize("batched", [True, False])
def test_batched_says_whether_the_function_sees_leading_dimensions(batched):
    shapes = []

    def total(x, y):
        shapes.append((x.shape, y.shape))
        return (x * y).sum(-1)

    x, y = np.arange(6.0).reshape(2, 3), np.ones(3)
    same(host_function(total, "(n),(n)->()", batched=batched)(x, y), x.sum(-1))
    assert shapes == ([((2, 3), (1, 3))] if batched else [((3,), (3,))] * 2)


def test_batched_function_may_ignore_an_argument():
    first = host_function(lambda x, y: x, "(),()->()", batched=True)
    same(first(2.0, np.zeros(3)), np.full(3, 2.0))


def test_a_loop_makes_one_call_from_compiled_code():
    f = host_function(lambda x: x, "()->()")
    text = jax.jit(f).lower(jnp.zeros((3, 5))).as_text()
    assert text.count("stablehlo.custom_call") == 1


# -- dtypes ----------------------------------------------------------------------------------------


FLOATS = (np.float64, np.float32, np.float16, jnp.bfloat16, np.complex64, np.complex128)
INTEGERS = (np.bool_, np.uint8, np.int16, np.int32, np.int64)


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_default_dtype_is_what_jax_gives_its_own_functions(dtype):
    x = np.ones(2, dtype)
    assert host_function(lambda x: x, "()->()")(x).dtype == jnp.sin(x).dtype


def test_default_dtype_is_that_of_all_arguments_together():
    f = host_function(plus, "(),()->()")
    assert f(np.float32(1), np.complex64(1)).dtype == np.complex64
    assert f(np.float32(1), np.float64(1)).dtype == np.float64
    assert f(np.float32(1), 1.0).dtype == np.float32


def test_weak_types_are_kept():
    f = host_function(plus, "(),()->()")
    assert f(1.0, 2).weak_type
    assert not f(1.0, np.float64(2)).weak_type


def test_dtype_given():
    f = host_function(lambda x: x, "()->()", dtype=np.float32)
    result = f(1.0)
    assert result.dtype == np.float32
    assert not result.weak_type


def test_dtype_from_the_arguments():
    f = host_function(lambda x: 1j * x, "()->()", dtype=lambda d: jnp.result_type(d, jnp.complex64))
    assert f(np.float32(1)).dtype == np.complex64
    assert f(np.float64(1)).dtype == np.complex128


def test_dtypes_of_several_results():
    f = host_function(np.frexp, dtype=(np.float64, np.int32))
    mantissa, exponent = f(10.0)
    assert (mantissa, exponent, exponent.dtype) == (0.625, 4, np.int32)
    with pytest.raises(ValueError, match="frexp: 1 dtypes for 2 results"):
        host_function(np.frexp, dtype=(np.float64,))(10.0)


@pytest.mark.parametrize("kind", [bool, int, float, complex])
def test_python_types_stand_for_the_default_dtype_of_their_kind(kind):
    assert host_function(lambda x: True, "()->()", dtype=kind)(1.0).dtype == jnp.result_type(kind)


@pytest.mark.parametrize("double", [None, False])
def test_a_ufunc_computes_in_double_unless_told_otherwise(double):
    x = np.linspace(0.1, 0.9, 200, dtype=np.float32)
    found = np.asarray(host_function(scipy.special.expit, double=double)(x))
    in_double = scipy.special.expit(x.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(found, scipy.special.expit(x) if double is False else in_double)


def test_a_python_function_sees_the_dtypes_as_they_are():
    seen = []
    host_function(lambda x: seen.append(x.dtype) or x, "(n)->(n)")(np.ones(2, np.float32))
    assert seen == [np.float32]
    host_function(lambda x: seen.append(x.dtype) or x, "(n)->(n)", double=True)(
        np.ones(2, np.float32)
    )
    assert seen[1:] == [np.float64]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1j, np.float64), (2.5, np.int32), (2**40, np.int32), (-1, np.uint8)],
)
def test_results_that_do_not_fit_the_declared_dtype_are_refused(value, dtype):
    f = host_function(lambda x: value, "()->()", dtype=dtype, name="picky")
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"'picky' returned values .* do not fit"):
        f(1.0)


# -- vmap, by the signature ------------------------------------------------------------------------

in_range = st.floats(-100.0, 100.0)


@st.composite
def batched_arguments(draw, n):
    """n arrays of any rank, core-broadcastable, and a nonempty subset of them with a batch axis."""
    size = draw(st.integers(1, 3))
    shapes = draw(arrays.mutually_broadcastable_shapes(num_shapes=n, max_dims=2, max_side=3))
    where = draw(
        st.tuples(*(st.none() | st.integers(0, len(s)) for s in shapes.input_shapes)).filter(
            lambda axes: any(a is not None for a in axes)
        )
    )
    values = []
    for shape, axis in zip(shapes.input_shapes, where, strict=True):
        full = shape if axis is None else (*shape[:axis], size, *shape[axis:])
        values.append(draw(arrays.arrays(np.float64, full, elements=in_range)))
    return values, where, size


def one_by_one(f, values, axes, size):
    return np.stack(
        [
            f(*(x if a is None else np.take(x, i, a) for x, a in zip(values, axes, strict=True)))
            for i in range(size)
        ]
    )


@given(batched_arguments(3))
@settings(max_examples=25, deadline=None)
def test_vmap_over_any_subset_of_arguments_of_any_ranks(case):
    values, axes, size = case

    def f(x, y, z):
        return x * 100 + y * 10 + z

    host = host_function(f, "(),(),()->()", batched=True)
    same(jax.vmap(host, axes)(*values), one_by_one(f, values, axes, size))


@pytest.mark.parametrize("n", [2, 3])
def test_vmap_of_a_scalar_beside_a_vector_of_as_many(n):
    v, z = np.arange(3.0), np.linspace(1.0, 2.0, n)
    mapped = jax.vmap(host_function(scipy.special.jv), (0, None))
    same(mapped(v, z), scipy.special.jv(v[:, None], z))


def test_nested_vmap_over_different_arguments():
    x, y = np.arange(3.0), np.arange(4.0)
    f = host_function(plus, "(),()->()", batched=True)
    same(jax.vmap(jax.vmap(f, (0, None)), (None, 0))(x, y), y[:, None] + x)
    same(jax.vmap(jax.vmap(f, (None, 0)), (0, None))(x, y), x[:, None] + y)


@pytest.mark.parametrize("axes", list(itertools.product((0, 1, 2), (0, 1, None))))
def test_vmap_with_core_dimensions(axes):
    matrices = np.random.default_rng(0).normal(size=(2, 3, 2, 2))
    rights = np.random.default_rng(1).normal(size=(3, 2))
    left, right = axes
    matrices = np.moveaxis(matrices[:, 0] if left == 2 else matrices[0], 0, left)
    size = matrices.shape[left]
    rights = rights[0] if right is None else np.moveaxis(rights[:size], 0, right)
    solve = host_function(np.linalg.solve, "(n,n),(n)->(n)")
    found = jax.vmap(solve, axes)(matrices, rights)
    expected = one_by_one(np.linalg.solve, [matrices, rights], axes, size)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_vmap_out_axes_and_several_results():
    f = host_function(lambda x: (x, x.sum()), "(n)->(n),()")
    x = np.arange(6.0).reshape(2, 3)
    whole, total = jax.vmap(f, out_axes=(1, 0))(x)
    same(whole, x.T)
    same(total, x.sum(1))


def test_vmap_inside_scan_inside_jit():
    f = host_function(np.sin)
    x = np.linspace(0.0, 1.0, 4)

    @jax.jit
    def twice(x):
        return jax.lax.scan(lambda c, _: (jax.vmap(f)(c), None), x, length=2)[0]

    same(twice(x), np.sin(np.sin(x)))


# -- static and keyword arguments ------------------------------------------------------------------


def test_keyword_arguments_are_arrays():
    f = host_function(lambda x, y: x - y, "(),()->()")
    assert f(y=1.0, x=3.0) == 2.0
    assert jax.jit(lambda a: f(3.0, y=a))(1.0) == 2.0


def test_keyword_only_and_positional_only_arguments():
    def f(x, /, y, *, z):
        return 100 * x + 10 * y + z

    host = host_function(f, "(),(),()->()")
    assert host(1.0, 2.0, z=3.0) == host(1.0, z=3.0, y=2.0) == 123.0


@pytest.mark.parametrize(
    "call",
    [
        lambda f: f(3.0, 2, 10.0),
        lambda f: f(3.0, exponent=2, scale=10.0),
        lambda f: f(scale=10.0, exponent=2, x=3.0),
    ],
)
def test_static_argument_among_arrays_by_place_or_name(call):
    f = host_function(scaled_power, "(),()->()", static_argnames=("exponent",))
    assert call(f) == 90.0


def test_defaults_of_static_and_of_other_arguments():
    f = host_function(scaled_power, "()->()", static_argnames="exponent")
    assert f(3.0, 2) == 9.0
    g = host_function(scaled_power, "(),()->()", static_argnames="scale")
    assert g(3.0, 2.0) == 9.0


def test_static_arguments_that_are_equal_are_told_apart_by_type():
    f = host_function(
        lambda x, k: ("bool", "int", "float").index(type(k).__name__), "()->()", static_argnames="k"
    )
    assert [int(f(0.0, k)) for k in (1, 1.0, True)] == [1, 2, 0]
    assert [int(y) for y in jax.jit(lambda x: [f(x, k) for k in (1, 1.0, True)])(0.0)] == [1, 2, 0]


def test_static_text():
    f = host_function(
        lambda x, how: getattr(np, how)(x), "(n)->()", static_argnames=["how"], name="reduce"
    )
    assert [f(np.arange(3.0), how=h) for h in ("sum", "max")] == [3.0, 2.0]


def test_static_arguments_must_be_hashable_known_and_given():
    with pytest.raises(TypeError, match="scaled_power: static arguments must be hashable"):
        host_function(scaled_power, "()->()", static_argnames="exponent")(1.0, [2])
    with pytest.raises(ValueError, match="scaled_power: has no argument 'power' to be static"):
        host_function(scaled_power, "()->()", static_argnames="power")
    with pytest.raises(TypeError, match=r"scaled_power\(\) misses the static argument 'exponent'"):
        host_function(scaled_power, "()->()", static_argnames="exponent")(1.0)


def test_static_argument_that_is_traced_is_refused_by_name():
    f = host_function(scaled_power, "()->()", static_argnames="exponent")
    with pytest.raises(TypeError, match="scaled_power: static arguments must be hashable"):
        jax.jit(f)(1.0, 2)


def test_callable_objects_and_partials():
    f = host_function(functools.partial(scaled_power, exponent=2), "()->()", name="square")
    assert f(3.0) == 9.0
    assert host_function(np.vectorize(math.gamma), "()->()")(5.0) == 24.0


# -- pytrees ---------------------------------------------------------------------------------------


def summary(data, *, scale):
    return {"mean": data["x"].mean() * scale, "ends": (data["x"][0], data["x"][-1])}


SUMMARY = {"mean": Struct((), np.float64), "ends": (Struct((), np.float64),) * 2}


def test_pytrees_in_and_out():
    f = host_function(summary, result_shape_dtypes=SUMMARY)
    found = jax.jit(f)({"x": np.arange(3.0)}, scale=2.0)
    assert jax.tree.map(float, found) == {"mean": 2.0, "ends": (0.0, 2.0)}


def test_result_shape_dtypes_from_the_arguments():
    f = host_function(lambda x: x[::2], result_shape_dtypes=lambda x: Struct((2,), x.dtype))
    same(f(np.arange(3.0, dtype=np.float32)), np.array([0, 2], np.float32))


def test_static_argument_of_a_function_of_pytrees():
    f = host_function(
        lambda d, k: {"y": d["x"] ** k},
        result_shape_dtypes=lambda d, k: {"y": d["x"]},
        static_argnames="k",
    )
    same(f({"x": np.arange(3.0)}, 2)["y"], np.arange(3.0) ** 2)


@pytest.mark.parametrize("method", ["sequential", "sequential_unrolled"])
def test_sequential_vmap_methods_call_the_function_slice_by_slice(method):
    f = host_function(summary, result_shape_dtypes=SUMMARY, vmap_method=method)
    found = jax.vmap(lambda x: f({"x": x}, scale=1.0))(np.arange(6.0).reshape(2, 3))
    same(found["mean"], np.array([1.0, 4.0]))
    same(found["ends"][1], np.array([2.0, 5.0]))


METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all")


@pytest.mark.parametrize("method", METHODS)
def test_vmap_methods_show_the_function_the_shapes_that_pure_callback_does(method):
    shapes = []

    def show(x, y):
        shapes.append((np.shape(x), np.shape(y)))
        return np.asarray(x) + np.asarray(y)

    host = host_function(show, result_shape_dtypes=Struct((), np.float64), vmap_method=method)
    own = functools.partial(jax.pure_callback, show, Struct((), np.float64), vmap_method=method)
    seen = []
    for f in (host, own):
        shapes.clear()
        once = jax.vmap(f, (0, None))(np.arange(2.0), 1.0)
        twice = jax.vmap(jax.vmap(f, (0, None)), (None, 0))(np.arange(2.0), np.arange(3.0))
        jax.block_until_ready((once, twice))
        seen.append((list(shapes), once.tolist(), twice.tolist()))
    assert seen[0] == seen[1]


def test_vmap_of_a_function_of_pytrees_needs_a_method():
    f = host_function(summary, result_shape_dtypes=SUMMARY)
    with pytest.raises(NotImplementedError, match=r"summary: vmap .* needs vmap_method, one of"):
        jax.vmap(lambda x: f({"x": x}, scale=1.0))(np.ones((2, 3)))


def test_sharding_says_which_device_makes_the_call():
    device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    f = host_function(
        plus, result_shape_dtypes=Struct((), np.float64), vmap_method="sequential", sharding=device
    )
    assert jax.jit(f)(1.0, 2.0) == 3.0
    same(jax.vmap(f, (0, None))(np.arange(2.0), 1.0), np.array([1.0, 2.0]))
    g = host_function(lambda x: x**2, "()->()", sharding=device).partials(lambda y, x: 2 * x)
    assert jax.jit(jax.grad(g))(3.0) == 6.0


def test_result_of_another_structure_is_refused():
    f = host_function(
        lambda x: {"b": x}, result_shape_dtypes={"a": Struct((), np.float64)}, name="renamer"
    )
    with pytest.raises(jax.errors.JaxRuntimeError, match="'renamer' returned PyTreeDef"):
        f(1.0)


# -- derivative rules: partials --------------------------------------------------------------------


def make_power(**rules):
    f = host_function(lambda x, y: x**y, "(),()->()", name="power")
    return f.partials(**rules)


def test_partials_by_place():
    f = host_function(lambda x, y: x**y, "(),()->()").partials(
        lambda out, x, y: y * x ** (y - 1), lambda out, x, y: out * jnp.log(x)
    )
    assert jax.grad(f, 0)(3.0, 2.0) == 6.0
    assert jax.grad(f, 1)(3.0, 2.0) == pytest.approx(9 * math.log(3), rel=1e-15)


def test_partials_by_name_and_both_tangents_add_up():
    f = make_power(y=lambda out, x, y: out * jnp.log(x), x=lambda out, x, y: y * x ** (y - 1))
    _, tangent = jax.jvp(f, (3.0, 2.0), (10.0, 1.0))
    assert tangent == pytest.approx(60 + 9 * math.log(3), rel=1e-15)


def test_partials_of_a_ufunc_go_by_number_of_arguments():
    jv = host_function(scipy.special.jv)
    jv.partials(missing("not needed"), lambda y, v, z: (jv(v - 1, z) - jv(v + 1, z)) / 2)
    found = jax.vmap(jax.grad(jv, 1), (None, 0))(1.5, np.linspace(0.5, 9.0, 5))
    np.testing.assert_allclose(found, scipy.special.jvp(1.5, np.linspace(0.5, 9.0, 5)), rtol=1e-13)


def test_partials_of_several_results():
    f = host_function(lambda x: (np.sin(x), np.cos(x)), "()->(),()").partials(
        lambda y, x: (y[1], -y[0])
    )
    sine, cosine = jax.jacfwd(f)(0.3)
    np.testing.assert_allclose([sine, cosine], [math.cos(0.3), -math.sin(0.3)], rtol=1e-15)


def test_partial_of_an_integer_result_is_none():
    f = host_function(np.frexp, dtype=(np.float64, np.int32)).partials(
        lambda y, x: (2.0 ** -y[1], None)
    )
    assert jax.grad(lambda x: f(x)[0])(10.0) == 0.0625


def test_static_arguments_reach_the_partials():
    f = host_function(scaled_power, "()->()", static_argnames=("exponent", "scale")).partials(
        lambda y, x, exponent, scale: scale * exponent * x ** (exponent - 1)
    )
    assert jax.grad(f)(2.0, 3, scale=10.0) == 120.0


def test_missing_raises_only_when_perturbed():
    f = make_power(x=lambda out, x, y: y * x ** (y - 1), y=missing("too hard"))
    assert jax.grad(f)(3.0, 2.0) == 6.0
    assert jax.jvp(lambda x: f(x, 2.0), (3.0,), (1.0,))[1] == 6.0
    with pytest.raises(NotImplementedError, match=r"power: .* respect to 'y' .*: too hard\."):
        jax.grad(f, 1)(3.0, 2.0)
    assert jax.grad(lambda x: f(x, jax.lax.stop_gradient(x)))(3.0) == 27.0


def test_an_explicit_zero_tangent_counts_as_perturbed():
    f = make_power(x=lambda out, x, y: y * x ** (y - 1), y=missing("too hard"))
    with pytest.raises(NotImplementedError, match=r"stop_gradient\(y\)"):
        jax.jvp(f, (3.0, 2.0), (1.0, 0.0))


def test_rules_are_used_for_the_perturbed_arguments_alone():
    used = []

    def rule(name):
        return lambda out, x, y: used.append(name) or jnp.ones(())

    jax.grad(make_power(x=rule("x"), y=rule("y")), 1)(3.0, 2.0)
    assert used == ["y"]


@pytest.mark.parametrize(
    ("places", "names"),
    [(1, ()), (3, ()), (0, ("x",)), (1, ("x",)), (0, ("x", "z")), (2, ("y",))],
)
def test_wrong_number_or_names_of_partials(places, names):
    f = host_function(lambda x, y: x**y, "(),()->()", name="power")
    with pytest.raises(TypeError, match=r"power: partials need one rule for each argument \(x, y"):
        f.partials(*[lambda *_: 0.0] * places, **{n: lambda *_: 0.0 for n in names})


def test_a_rule_is_a_function_or_missing():
    with pytest.raises(TypeError, match="power: the rule for 'x' must be a function or missing"):
        make_power(x=None, y=missing("too hard"))


def test_wrong_number_of_derivatives():
    f = host_function(lambda x: (x, x), "()->(),()", name="pair").partials(lambda y, x: 1.0)
    with pytest.raises(ValueError, match="pair: the rule for 'x' gave 1 derivatives, for 2"):
        jax.grad(lambda x: f(x)[0])(1.0)


def test_partials_are_for_elementwise_functions():
    f = host_function(np.linalg.det, "(n,n)->()", name="det")
    with pytest.raises(ValueError, match=r"det: partials are for .* use jvp or vjp"):
        f.partials(lambda y, a: a)


def test_rules_are_attached_once():
    f = host_function(np.sin).partials(lambda y, x: jnp.cos(x))
    for attach in (f.partials, f.jvp, f.vjp):
        with pytest.raises(ValueError, match="sin: has derivative rules already"):
            attach(lambda y, x: jnp.cos(x))


def test_without_rules_differentiation_raises():
    with pytest.raises(NotImplementedError, match="sin: no derivative rule; attach one with"):
        jax.grad(host_function(np.sin))(1.0)


def test_closed_and_real_linear_rules_of_a_complex_function():
    square = host_function(lambda z: z * z, "()->()").partials(closed("", lambda y, z: 2 * z))
    modulus = host_function(lambda z: abs(z), "()->()", dtype=np.float64).partials(
        real_linear("", lambda y, z: (z.real / y, z.imag / y))
    )
    z = 3.0 + 4.0j
    assert jax.grad(square, holomorphic=True)(z) == 2 * z
    # JAX's convention: the gradient of a real function is the conjugate of the ascent direction.
    assert jax.grad(modulus)(z) == jax.grad(jnp.abs)(z) == pytest.approx(0.6 - 0.8j)
    assert jax.jvp(modulus, (z,), (1j,))[1] == pytest.approx(0.8)


def test_derivatives_of_low_precision_are_rounded_once():
    """J' = (J_0 - J_2)/2 loses half its digits where the two are close, in float32 at least."""
    jv = host_function(scipy.special.jv)
    jv.partials(missing(""), lambda y, v, z: (jv(v - 1, z) - jv(v + 1, z)) / 2)
    z = np.linspace(1.8, 1.9, 50, dtype=np.float32)  # near the zero of the derivative, 1.8412
    found = jax.vmap(jax.grad(jv, 1), (None, 0))(np.float32(1), z)
    same(found, scipy.special.jvp(1, z.astype(np.float64)).astype(np.float32))


# -- effects ---------------------------------------------------------------------------------------


def make_recorder(effects):
    log = []

    def record(x):
        log.append(float(x))
        return x + 1

    return host_function(record, "()->()", effects=effects), log


@pytest.mark.parametrize("effects", ["unordered", "ordered"])
def test_functions_with_effects_run_though_their_result_is_unused(effects):
    f, log = make_recorder(effects)
    jax.block_until_ready(jax.jit(lambda x: (f(x), f(x), 2 * x)[2])(1.0))
    jax.effects_barrier()
    assert log == [1.0, 1.0]
    pure, log = make_recorder("none")
    jax.block_until_ready(jax.jit(lambda x: (pure(x), pure(x), 2 * x)[2])(1.0))
    assert log == []


@pytest.mark.parametrize("effects", ["unordered", "ordered"])
def test_functions_with_effects_return_values(effects):
    f, log = make_recorder(effects)
    assert f(1.0) == jax.jit(f)(1.0) == 2.0
    same(f(np.arange(3.0)), np.arange(1.0, 4.0))
    assert sorted(log) == [0.0, 1.0, 1.0, 1.0, 2.0]


@pytest.mark.parametrize("effects", ["unordered", "ordered"])
def test_functions_with_effects_may_return_nothing(effects):
    log = []
    f = host_function(lambda x: log.append(float(x)), effects=effects, name="logger")
    assert f(1.0) is None
    jax.block_until_ready(jax.jit(lambda x: (f(x + 1), f(x + 2), x)[2])(1.0))
    jax.effects_barrier()
    assert sorted(log) == [1.0, 2.0, 3.0]
    wrong = jax.jit(host_function(lambda x: x, effects=effects, name="talker"))

    def run():
        wrong(1.0)
        jax.effects_barrier()

    with pytest.raises(
        jax.errors.JaxRuntimeError, match=r"'talker' returned PyTreeDef\(\*\) where"
    ):
        run()


def test_functions_with_effects_need_no_arguments():
    count = itertools.count()
    f = host_function(lambda: next(count), "->()", effects="ordered", dtype=int)
    assert jax.jit(lambda: [f(), f(), f()])() == [0, 1, 2]
    assert f() == 3
    watch = host_function(lambda: next(count), effects="debug")
    jax.jit(watch)()
    jax.effects_barrier()
    assert next(count) == 5


def test_ordered_calls_keep_their_order():
    f, log = make_recorder("ordered")

    @jax.jit
    def run(x):
        for i in range(5):
            f(x + i)
        jax.lax.fori_loop(5, 10, lambda i, c: f(c + i) - i - 1, x)
        jax.lax.map(f, x + jnp.arange(10.0, 13.0))
        return jax.lax.cond(x == 0, lambda: f(x + 13), lambda: x)

    jax.block_until_ready(run(0.0))
    jax.effects_barrier()
    assert log == [float(i) for i in range(14)]


def test_ordered_calls_keep_their_order_among_those_of_jax():
    f, log = make_recorder("ordered")

    @jax.jit
    def run(x):
        for i in range(0, 6, 2):
            f(x + i)
            io_callback(lambda y: log.append(float(y)), None, x + i + 1, ordered=True)

    run(0.0)
    jax.effects_barrier()
    assert log == [float(i) for i in range(6)]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda f: f,
        jax.jit,
        lambda f: lambda x: jax.lax.scan(lambda c, _: (f(c), None), x, length=2)[0],
    ],
    ids=["plain", "jit", "scan"],
)
def test_ordered_functions_refuse_vmap_by_name(wrap):
    f, _ = make_recorder("ordered")
    with pytest.raises(
        ValueError, match="record: a host function with ordered effects cannot be v"
    ):
        jax.vmap(wrap(f))(np.arange(3.0))


def test_unordered_functions_are_called_slice_by_slice_under_vmap():
    f, log = make_recorder("unordered")
    same(jax.jit(jax.vmap(f))(np.arange(3.0)), np.arange(1.0, 4.0))
    assert sorted(log) == [0.0, 1.0, 2.0]


def test_unordered_function_of_pytrees():
    f = host_function(
        lambda d: {"y": d["x"] * 2},
        result_shape_dtypes={"y": Struct((), np.float64)},
        effects="unordered",
    )
    assert jax.jit(f)({"x": 3.0})["y"] == 6.0
    same(jax.vmap(f)({"x": np.arange(3.0)})["y"], np.arange(0.0, 6.0, 2))


@pytest.mark.parametrize("effects", ["unordered", "ordered"])
def test_functions_with_effects_are_not_differentiated(effects):
    f, _ = make_recorder(effects)
    for transformed in (jax.grad(f), jax.jit(jax.grad(f)), jax.grad(jax.checkpoint(f))):
        with pytest.raises(NotImplementedError, match=r"record: .* has no derivative; .*stop_grad"):
            transformed(1.0)
    assert jax.grad(lambda x: x * f(jax.lax.stop_gradient(x)))(1.0) == 2.0


@pytest.mark.parametrize("effects", ["unordered", "ordered", "debug"])
@pytest.mark.parametrize("kind", ["partials", "jvp", "vjp"])
def test_rules_on_a_function_with_effects_raise_at_once(effects, kind):
    signature = None if effects == "debug" else "()->()"
    f = host_function(lambda x: x, signature, effects=effects, name="noisy")
    with pytest.raises(ValueError, match=f"noisy: .*effects='{effects}'.*derivative rules"):
        getattr(f, kind)(lambda y, x: 1.0)


# -- watching --------------------------------------------------------------------------------------


def make_watcher():
    log = []
    return host_function(lambda x: log.append(float(x)), effects="debug", name="watch"), log


def drained(log):
    jax.effects_barrier()
    seen, log[:] = list(log), []
    return seen


def test_debug_functions_return_nothing():
    watch, log = make_watcher()
    assert watch(1.0) is None
    assert jax.jit(lambda x: (watch(x), 2 * x)[1])(2.0) == 4.0
    assert drained(log) == [1.0, 2.0]


def test_debug_functions_under_grad_see_the_primal_values():
    watch, log = make_watcher()
    assert jax.grad(lambda x: (watch(x**2), x**2)[1])(3.0) == 6.0
    assert jax.jit(jax.grad(jax.grad(lambda x: (watch(x), x**3)[1])))(2.0) == 12.0
    assert drained(log) == [9.0, 2.0]


def test_debug_functions_under_vmap_and_scan():
    watch, log = make_watcher()
    same(jax.vmap(lambda x: (watch(x), 2 * x)[1])(np.arange(3.0)), np.arange(0.0, 6.0, 2))
    assert sorted(drained(log)) == [0.0, 1.0, 2.0]
    jax.grad(lambda x: jax.lax.scan(lambda c, _: (watch(c), (c * x, None))[1], x, length=3)[0])(2.0)
    assert sorted(drained(log)) == [2.0, 4.0, 8.0]


def test_debug_functions_under_checkpoint_see_the_recomputation_too():
    watch, log = make_watcher()
    f = jax.checkpoint(lambda x: (watch(jnp.sin(x)), jnp.sin(x))[1])
    jax.grad(f)(0.0)
    own = []
    jax.grad(
        jax.checkpoint(lambda x: (jax.debug.callback(lambda y: own.append(y), jnp.sin(x)), x)[1])
    )(0.0)
    assert len(drained(log)) == len(drained(own))


def test_debug_functions_see_pytrees_and_keywords():
    log = []
    watch = host_function(
        lambda tag, *, data: log.append((tag, sorted(data))), effects="debug", static_argnames="tag"
    )
    jax.jit(lambda x: watch("step", data={"x": x, "y": 2 * x}))(1.0)
    assert drained(log) == [("step", ["x", "y"])]


def test_debug_functions_may_return_what_they_like():
    watch = host_function(lambda x: "ignored", effects="debug")
    assert jax.jit(lambda x: (watch(x), x)[1])(1.0) == 1.0


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give a signature or result_shape_dtypes"),
        ({"signature": "()->()", "result_shape_dtypes": 0}, "not both"),
        ({"signature": "nonsense"}, "f: not a generalised-ufunc signature"),
        ({"signature": "()->()", "vmap_method": "sequential"}, "vmap_method goes without one"),
        ({"result_shape_dtypes": 0, "vmap_method": "magic"}, "vmap_method must be one of"),
        ({"result_shape_dtypes": 0, "batched": True}, "batched goes with a signature"),
        ({"signature": "()->()", "effects": "some"}, "effects must be one of"),
        ({"signature": "()->()", "effects": "debug"}, "a debug function returns nothing"),
        ({"signature": "()->(k)", "sizes": {"k": -1}}, "must be a non-negative int"),
        ({"signature": "()->(k)", "sizes": {"k": 1.5}}, "must be a non-negative int"),
    ],
)
def test_contradictory_options(options, message):
    with pytest.raises(ValueError, match=message):
        host_function(lambda x: x, name="f", **options)


def test_what_is_no_function_or_no_fitting_signature():
    with pytest.raises(TypeError, match="host_function: needs a callable, got int"):
        host_function(cast(Any, 3), "()->()")
    with pytest.raises(ValueError, match="jv: the ufunc takes 2 arguments, not 1"):
        host_function(scipy.special.jv, "()->()")
    with pytest.raises(ValueError, match=r"matmul: .* without optional dimensions"):
        host_function(np.matmul)
    assert host_function(np.matmul, "(n,k),(k,m)->(n,m)")(A, A).shape == (2, 2)


@pytest.mark.parametrize("transform", [lambda f: f, jax.jit, jax.eval_shape, jax.make_jaxpr])
@pytest.mark.parametrize(
    ("args", "kind", "message"),
    [
        ((A,), TypeError, "solve: takes 2 array arguments, got 1"),
        ((A, B, B), TypeError, "solve: takes 2 array arguments, got 3"),
        ((A, 1.0), ValueError, r"solve: argument 'b' needs at least 1 dimensions \(n\), got shape"),
        (
            (A[:1], B),
            ValueError,
            r"solve: argument 'a' of shape \(1, 2\) has size 2 in dimension 'n'",
        ),
        ((A, np.ones(3)), ValueError, "solve: argument 'b' .* has size 3 .* where 2 is expected"),
        (([A, A], np.ones((3, 2))), TypeError, "solve: argument 'a' must be an array .* got list"),
        ((None, B), TypeError, "solve: argument 'a' must be an array or a scalar, got NoneType"),
    ],
)
def test_wrong_shapes_and_arguments_raise_when_traced(transform, args, kind, message):
    f = host_function(np.linalg.solve, "(n,n),(n)->(n)", name="solve")
    if transform is jax.eval_shape:
        transform = functools.partial(functools.partial, jax.eval_shape)
    with pytest.raises(kind, match=message):
        transform(f)(*args)


def test_loop_dimensions_that_do_not_broadcast():
    f = host_function(plus, "(),()->()")
    with pytest.raises(ValueError, match=r"plus: shapes do not broadcast: x \(3,\), y \(4,\)"):
        f(np.ones(3), np.ones(4))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("text", "str"),
        (np.array([None]), "an array of object"),
        (object(), "object"),
        (jax.random.key(0), "an array of key"),
    ],
)
def test_what_is_no_array_is_refused_by_name(value, found):
    f = host_function(plus, "(),()->()")
    with pytest.raises(TypeError, match=f"plus: argument 'y' must be an array .* got {found}"):
        f(1.0, value)
    g = host_function(plus, result_shape_dtypes=Struct((), np.float64))
    with pytest.raises(TypeError, match=f"plus: argument 'y' must be an array .* got {found}"):
        g(1.0, {"key": value})


def test_keyword_arguments_that_are_unknown_or_given_twice():
    f = host_function(plus, "(),()->()")
    with pytest.raises(TypeError, match=r"plus\(\) has no argument 'z'"):
        f(1.0, z=2.0)
    with pytest.raises(TypeError, match=r"plus\(\) got several values for argument 'x'"):
        f(1.0, x=2.0)
    with pytest.raises(TypeError, match=r"jv: takes no keyword arguments, got \['z'\]"):
        host_function(scipy.special.jv)(1.0, z=2.0)


def test_a_dimension_that_nobody_knows():
    with pytest.raises(ValueError, match=r"f: no argument has the dimension 'k'.*sizes={'k': "):
        host_function(lambda x: x, "()->(k)", name="f")(1.0)


@pytest.mark.parametrize("effects", ["none", "unordered", "ordered"])
@pytest.mark.parametrize("wrap", [lambda f: f, jax.jit])
def test_an_exception_of_the_host_function_surfaces_with_its_name(effects, wrap):
    def fail(x):
        raise KeyError("lost")

    f = host_function(fail, "()->()", effects=effects, name="finder")
    with pytest.raises(jax.errors.JaxRuntimeError, match="'finder' raised KeyError: 'lost'"):
        jax.block_until_ready(wrap(f)(1.0))


def test_an_exception_of_a_debug_function_surfaces_with_its_name():
    def fail(x):
        raise KeyError("lost")

    f = jax.jit(host_function(fail, effects="debug", name="watcher"))

    def run():
        f(1.0)
        jax.effects_barrier()

    with pytest.raises(jax.errors.JaxRuntimeError, match="'watcher' raised KeyError: 'lost'"):
        run()


@pytest.mark.parametrize(
    ("fn", "signature", "message"),
    [
        (lambda x: np.ones(3), "()->()", r"returned shape \(3,\) where \(\) was declared"),
        (lambda x: np.ones(1), "(n)->(n)", r"returned shape \(1,\) where \(2,\) was declared"),
        (lambda x: (x, x), "()->()", "returned a tuple of 2 for its one result"),
        (lambda x: x, "()->(),()", "returned one array for its 2 results"),
    ],
)
def test_results_that_are_not_as_declared_are_refused_by_name(fn, signature, message):
    f = host_function(fn, signature, name="liar")
    with pytest.raises(jax.errors.JaxRuntimeError, match=f"'liar' {message}"):
        f(np.ones(2) if "n" in signature else 1.0)


def test_arguments_are_read_only():
    def spoil(x):
        x[0] = 7.0
        return x

    with pytest.raises(jax.errors.JaxRuntimeError, match=r"'spoil' raised ValueError: .*read-only"):
        host_function(spoil, "(n)->(n)")(np.zeros(2))


# -- everything else -------------------------------------------------------------------------------


def test_jaxprs_name_the_function():
    f = host_function(plus, "(),()->()", name="my_sum")
    text = str(jax.make_jaxpr(f)(1.0, 2.0))
    assert "my_sum" in text
    assert repr(f) == "<jaxsci host function my_sum>"


def test_a_callable_of_no_name_is_called_by_its_type():
    class Halver:
        def __call__(self, x):
            return x / 2

    assert host_function(Halver(), "()->()").name == "Halver"


@pytest.mark.parametrize("effects", ["none", "unordered", "ordered"])
def test_without_jit(effects):
    f = host_function(lambda x: x**2, "()->()", effects=effects)
    if effects == "none":
        f.partials(lambda y, x: 2 * x)
    with jax.disable_jit():
        assert f(3.0) == 9.0
        if effects == "none":
            assert jax.grad(f)(3.0) == 6.0


def test_under_the_transforms_of_a_physicist():
    sine = host_function(np.sin).partials(lambda y, x: cosine(x))
    cosine = host_function(np.cos).partials(lambda y, x: -sine(x))

    def f(x):
        return jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, sine(c[1])), (0, x))[1]

    expected = np.sin(np.sin(np.sin(0.5)))
    np.testing.assert_allclose(f(0.5), expected, rtol=1e-15)
    np.testing.assert_allclose(jax.linearize(sine, 0.5)[1](2.0), 2 * np.cos(0.5), rtol=1e-15)
    np.testing.assert_allclose(jax.hessian(sine)(0.5), -np.sin(0.5), rtol=1e-15)
    np.testing.assert_allclose(
        jax.grad(jax.checkpoint(lambda x: sine(sine(x))))(0.5),
        np.cos(np.sin(0.5)) * np.cos(0.5),
        rtol=1e-15,
    )
    inverse = jax.custom_derivatives.linear_call(
        lambda r, x: sine(r) * x, lambda r, y: sine(r) * y, 0.5, 2.0
    )
    np.testing.assert_allclose(inverse, 2 * np.sin(0.5), rtol=1e-15)


def test_use_backend_is_part_of_what_jit_remembers():
    traces = []

    @jax.jit
    def f(x):
        traces.append(None)
        return jaxsci.special.jv(0, x)

    for _ in range(2):
        f(1.0)
        with jaxsci.use_backend("callback"):
            f(1.0)
    assert len(traces) == 2


def test_use_backend_refuses_what_is_not_there():
    with pytest.raises(ValueError, match=r"use_backend: no backend 'abacus' here; .* 'callback'"):
        jaxsci.use_backend("abacus")


def test_a_backend_that_is_chosen_without_a_block_is_said_to_be_none():
    with pytest.warns(RuntimeWarning, match="no `with` block was entered; set_backend"):
        jaxsci.use_backend("device")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = jaxsci.use_backend("device")
        with again, again:
            assert current().backend == "device"
        assert current().backend == AUTOMATIC
        del again


def test_nothing_is_logged_for_calls_that_succeed(caplog):
    with caplog.at_level(logging.DEBUG, logger="jaxsci"):
        host_function(np.sin)(1.0)
    assert caplog.records == []
