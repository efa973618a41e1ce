"""Checks on a mesh of four devices; prints {check: traceback} of those that fail, as JSON.

Run with XLA_FLAGS=--xla_force_host_platform_device_count=4, in a process of its own, and with the
backend as its argument.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.special
from checks import run_checks
from jax.sharding import AxisType, NamedSharding, PartitionSpec, SingleDeviceSharding

from jaxsci import differentiable_root, host_function, use_backend
from jaxsci._core.lowering import sharding
from jaxsci.callback import missing
from jaxsci.special import j0, j1, jv

LARGE = 262144
Z = np.linspace(0.0, 30.0, LARGE)
P = PartitionSpec
DIMENSIONS = [(4,), (2, 2)]
LAYOUTS = [  # mesh, shape, partition
    ((4,), (LARGE,), P("a")),
    ((4,), (512, 512), P(None, "a")),
    ((2, 2), (512, 512), P("a", "b")),
    ((2, 2), (LARGE,), P(("a", "b"))),
    ((2, 2), (512, 512), P("b")),
]


def mesh_of(shape, kind):
    return jax.make_mesh(shape, ("a", "b")[: len(shape)], axis_types=(kind,) * len(shape))


def placed(x, mesh, *spec):
    return jax.device_put(jnp.asarray(x), NamedSharding(mesh, P(*spec)))


def line(kind=AxisType.Auto):
    """Four devices in a row, and eight numbers spread over them."""
    mesh = mesh_of((4,), kind)
    return mesh, placed(Z[1:9], mesh, "a")


def square(kind=AxisType.Auto):
    """Two by two devices, and a table spread over them."""
    mesh = mesh_of((2, 2), kind)
    return mesh, placed(Z[1:9].reshape(4, 2), mesh, "a", "b")


def equal(found, expected):
    """To the last bit, and on every device."""
    expected = np.asarray(expected)
    found_array = np.asarray(found)
    assert found_array.dtype == expected.dtype, (found_array.dtype, expected.dtype)
    assert found_array.tobytes() == expected.tobytes(), (found_array, expected)
    for shard in found.addressable_shards:
        assert np.asarray(shard.data).tobytes() == expected[shard.index].tobytes()


def close(found, expected, rtol=1e-12):
    expected = np.asarray(expected)
    atol = 1e-15 * np.max(np.abs(expected))
    np.testing.assert_allclose(np.asarray(found), expected, rtol=rtol, atol=atol)


def raises(kind, pattern, f, *args):
    with pytest.raises(kind, match=pattern):
        f(*args)


def half_jv(z):
    return jv(1.5, z)


def summed_over(mesh, f, **options):
    """s, z -> the sum of f(s, z) over all devices: s is replicated, z is spread."""
    axes = mesh.axis_names if "axis_names" not in options else tuple(options["axis_names"])

    def body(s, z):
        return jax.lax.psum(jnp.sum(f(s, z)), axes)

    return jax.shard_map(body, mesh=mesh, in_specs=(P(), P(*axes)), out_specs=P(), **options)


# -- automatic axes: gathered, right, and alive ----------------------------------------------------


def check_auto_values():
    for shape, size, spec in LAYOUTS:
        mesh = mesh_of(shape, AxisType.Auto)
        z = Z.reshape(size)
        spread = placed(z, mesh, *spec)
        for f in (j0, jax.jit(j0), jax.jit(jax.vmap(j0))):
            equal(f(spread), scipy.special.j0(z))
        if len(size) == 2:
            v = placed(np.full(size[-1:], 1.5), mesh, *tuple(spec)[1:2])
            equal(jax.jit(jv)(v, spread), scipy.special.jv(1.5, z))


def check_auto_results_can_be_used():
    mesh, z = line()
    expected = scipy.special.jv(1.5, Z[1:9])
    y = jax.jit(half_jv)(z)
    equal(y, expected)
    equal(jax.device_put(y, jax.devices()[2]), expected)
    equal(placed(y, mesh), expected)
    equal(placed(y, mesh, "a"), expected)
    equal(y + z, expected + Z[1:9])
    equal(jax.jit(half_jv, out_shardings=NamedSharding(mesh, P("a")))(z), expected)


def check_auto_results_of_pure_callback_are_on_one_device():
    """The naive recipe: a result that cannot be computed with, but in JAX 0.11.2.

    On the other devices it is what their memory held, mostly zeros.
    """
    _, z = line()
    y = jax.jit(lambda z: jax.pure_callback(lambda z: scipy.special.j0(z), z, z))(z)
    np.testing.assert_array_equal(np.asarray(y), scipy.special.j0(Z[1:9]))
    if isinstance(y.sharding, NamedSharding):
        equal(y + 1, scipy.special.j0(Z[1:9]) + 1)
    else:
        raises(TypeError, "maximal", lambda: y + 1)


def check_auto_bits():
    mesh, _ = line()
    patterns = {
        np.float64: [5e-324, -0.0, 1e-310, -1e-320, 0.0, 1.0, np.inf, np.nan],
        np.float32: [1e-45, -0.0, 1e-40, -1e-44, 0.0, 1.0, np.inf, np.nan],
        jnp.bfloat16: [1e-40, -0.0, 1e-39, -1e-40, 0.0, 1.0, np.inf, np.nan],
        np.complex128: [5e-324j, complex(-0.0, 0.0), 1e-310, -1e-320 - 1e-310j, 0.0, 1.0, 1j, 2],
        np.complex64: [1e-45j, complex(-0.0, 0.0), 1e-40, -1e-44 - 1e-40j, 0.0, 1.0, 1j, 2],
        np.int64: [2**62, -1, 0, 1, 2, 3, 4, 5],
        np.bool_: [True, False] * 4,
    }
    for dtype, values in patterns.items():
        x = np.array(values).astype(dtype)
        same = host_function(lambda x: x.copy(), "()->()", batched=True, dtype=dtype)
        equal(jax.jit(same)(placed(x, mesh, "a")), x)


def check_auto_many_calls_in_one_program():
    """With jax.pure_callback, the transfers inside the callbacks wait for one another."""
    mesh = mesh_of((4,), AxisType.Auto)
    spread = placed(Z, mesh, "a")
    f = jax.jit(lambda z: j0(z) + j1(z + 1) * j0(z - 1))
    expected = scipy.special.j0(Z) + scipy.special.j1(Z + 1) * scipy.special.j0(Z - 1)
    for _ in range(10):
        close(f(spread), expected)
    slope = jax.jit(jax.grad(lambda z: jnp.sum(half_jv(z))))
    for _ in range(3):
        close(slope(spread)[1:], scipy.special.jvp(1.5, Z[1:]), rtol=1e-9)


def check_auto_second_derivatives():
    _, z = square()

    def second(f):
        return jax.jit(jax.grad(lambda z: jnp.sum(jax.grad(lambda z: jnp.sum(f(z)))(z))))

    def iterated(z):
        return jax.lax.scan(lambda c, _: (half_jv(c) + c, None), z, length=2)[0]

    for f in (half_jv, iterated):
        close(second(f)(z), second(f)(Z[1:9].reshape(4, 2)))


# -- explicit axes: sharded, in and out ------------------------------------------------------------


def check_explicit_values_stay_sharded():
    for shape, size, spec in LAYOUTS:
        mesh = mesh_of(shape, AxisType.Explicit)
        z = Z.reshape(size)
        with jax.set_mesh(mesh):
            spread = placed(z, mesh, *spec)
            for f in (j0, jax.jit(j0), jax.jit(jax.vmap(j0))):
                y = f(spread)
                assert jax.typeof(y).sharding.spec == jax.typeof(spread).sharding.spec
                assert y.sharding.is_equivalent_to(spread.sharding, y.ndim)
                equal(y, scipy.special.j0(z))
            assert "all-gather" not in str(jax.jit(j0).lower(spread).compile().as_text())


def check_explicit_arguments_together():
    mesh = mesh_of((2, 2), AxisType.Explicit)
    v, z = np.arange(4.0), Z[1:9].reshape(2, 4)
    with jax.set_mesh(mesh):
        y = jax.jit(jv)(placed(v, mesh, "b"), placed(z, mesh, "a"))
        assert jax.typeof(y).sharding.spec == P("a", "b")
        equal(y, scipy.special.jv(v, z))
        outer = jax.jit(jv)(placed(v[:, None], mesh, "a"), placed(z[0], mesh, "b"))
        assert jax.typeof(outer).sharding.spec == P("a", "b")
        equal(outer, scipy.special.jv(v[:, None], z[0]))
        pattern = "jv: arguments are sharded differently along dimension 1: over 'b' and over 'a'"
        raises(ValueError, pattern, jv, placed(v, mesh, "b"), placed(z, mesh, None, "a"))


def check_explicit_derivatives_stay_sharded():
    mesh, z = square(AxisType.Explicit)
    with jax.set_mesh(mesh):
        first = jax.jit(jax.grad(lambda z: jnp.sum(half_jv(z))))
        second = jax.jit(lambda z: jax.jvp(first, (z,), (jnp.ones_like(z),))[1])
        looped = jax.jit(
            jax.grad(lambda z: jnp.sum(jax.lax.scan(lambda c, _: (half_jv(c), c), z, length=2)[0]))
        )
        whole = Z[1:9].reshape(4, 2)
        results = [f(z) for f in (first, second, looped)]
        assert [jax.typeof(y).sharding.spec for y in results] == [P("a", "b")] * 3
        scale = jax.jit(jax.grad(lambda s, z: jnp.sum(half_jv(s * z))))(1.0, z)
    close(results[0], scipy.special.jvp(1.5, whole))
    close(results[1], scipy.special.jvp(1.5, whole, 2), rtol=1e-11)
    slope = scipy.special.jvp(1.5, scipy.special.jv(1.5, whole)) * scipy.special.jvp(1.5, whole)
    close(results[2], slope, rtol=1e-11)
    close(scale, np.sum(whole * scipy.special.jvp(1.5, whole)))


def check_explicit_core_dimensions_are_gathered():
    mesh = mesh_of((2, 2), AxisType.Explicit)
    m = np.random.default_rng(0).normal(size=(4, 2, 2))
    det = host_function(np.linalg.det, "(n,n)->()", batched=True).jvp(
        lambda y, primals, tangents: y * jnp.trace(jnp.linalg.solve(primals[0], tangents[0]))
    )
    with jax.set_mesh(mesh):
        for spec in (("a",), ("a", "b"), (None, "a", "b")):
            y = jax.jit(det)(placed(m, mesh, *spec))
            assert jax.typeof(y).sharding.spec == P(spec[0])
            close(y, np.linalg.det(m))
        slope = jax.jit(jax.grad(lambda m: jnp.sum(det(m))))(placed(m, mesh, "a"))
    close(slope, np.linalg.det(m)[:, None, None] * np.swapaxes(np.linalg.inv(m), 1, 2))


def check_explicit_and_automatic_axes_mixed():
    mesh = jax.make_mesh((2, 2), ("a", "b"), axis_types=(AxisType.Explicit, AxisType.Auto))
    whole = Z[1:9].reshape(4, 2)
    with jax.set_mesh(mesh):
        y = jax.jit(half_jv)(placed(whole, mesh, "a", "b"))
    assert jax.typeof(y).sharding.spec == P("a", None)
    equal(y, scipy.special.jv(1.5, whole))


# -- shard_map: every device its own ---------------------------------------------------------------


def check_shard_map_values():
    mesh, z = line()
    shapes = []

    def record(x):
        shapes.append(x.shape)
        return scipy.special.j0(x)

    f = host_function(record, "()->()", batched=True)
    for check in (True, False):
        mapped = jax.shard_map(f, mesh=mesh, in_specs=P("a"), out_specs=P("a"), check_vma=check)
        for run in (mapped, jax.jit(mapped)):
            shapes.clear()
            equal(run(z), scipy.special.j0(Z[1:9]))
            assert shapes == [(2,)] * 4


def check_shard_map_of_arguments_that_vary_over_different_axes():
    mesh, _ = square()
    v, z = np.arange(4.0), Z[1:5]
    outer = jax.shard_map(
        lambda v, z: jv(v[:, None], z), mesh=mesh, in_specs=(P("a"), P("b")), out_specs=P("a", "b")
    )
    equal(jax.jit(outer)(v, z), scipy.special.jv(v[:, None], z))


def check_shard_map_gradient_in_a_replicated_argument():
    expected = float(np.sum(scipy.special.jvp(Z[1:9], 0.7)))
    for mesh, z in (line(), square()):
        total = summed_over(mesh, lambda s, z: jv(z, s))
        close(jax.jit(jax.grad(total))(0.7, z), expected)
        close(jax.jit(jax.grad(jax.grad(total)))(0.7, z), np.sum(scipy.special.jvp(Z[1:9], 0.7, 2)))


def check_shard_map_gradient_is_one_shards_share_without_the_cast():
    mesh, z = line()
    remedies = sharding.as_varying_together, sharding.check_varying_alike
    sharding.as_varying_together = list
    sharding.check_varying_alike = lambda name, avals: None
    try:
        f = host_function(lambda x, v: scipy.special.jv(v, x), "(),()->()", batched=True)
        f.partials(lambda y, x, v: (f(x, v - 1) - f(x, v + 1)) / 2, missing("not needed"))
        found = jax.jit(jax.grad(summed_over(mesh, f)))(0.7, z)
    finally:
        sharding.as_varying_together, sharding.check_varying_alike = remedies
    assert abs(found - np.sum(scipy.special.jvp(Z[1:9], 0.7))) > 1e-3


def check_shard_map_refuses_a_varying_result_that_is_said_to_be_replicated():
    mesh, z = line()
    for f in (half_jv, lambda z: jv(z[0], 1.0)):
        mapped = jax.shard_map(f, mesh=mesh, in_specs=P("a"), out_specs=P())
        raises(ValueError, "out_specs", jax.jit(mapped), z)


def check_shard_map_with_reverse_rules():
    mesh, _ = line()
    a, b = np.array([[2.0, 1.0], [0.5, 3.0]]), Z[1:9].reshape(4, 2)

    def backwards(y, primals, c):
        w = jnp.linalg.solve(primals[0].T, c)
        return -jnp.outer(w, y), w

    solve = host_function(np.linalg.solve, "(n,n),(n)->(n)").vjp(backwards)
    total = summed_over(mesh, lambda a, b: solve(a, b) ** 2)
    expected = jax.grad(lambda a: jnp.sum(jnp.linalg.solve(a, b.T) ** 2))(a)
    close(jax.jit(jax.grad(total))(a, placed(b, mesh, "a")), expected)


def check_shard_map_of_some_axes():
    mesh, z = square()
    whole = Z[1:9].reshape(4, 2)
    for m, x in ((mesh, z), square(AxisType.Explicit)):
        with jax.set_mesh(m):
            part = jax.shard_map(half_jv, in_specs=P("a"), out_specs=P("a"), axis_names={"a"})
            equal(jax.jit(part)(x), scipy.special.jv(1.5, whole))
    total = summed_over(mesh, lambda s, z: half_jv(s * z), axis_names={"a"})
    close(jax.jit(jax.grad(total))(1.0, z), np.sum(whole * scipy.special.jvp(1.5, whole)))


# -- roots -----------------------------------------------------------------------------------------


def cube_root(a):
    return differentiable_root(lambda u, a: u**3 - a, (0.0, 100.0), a)


def check_roots():
    whole = Z[1:9].reshape(4, 2)
    second = -2 / 9 * whole ** (-5 / 3)
    for kind in (AxisType.Auto, AxisType.Explicit):
        mesh, z = square(kind)
        with jax.set_mesh(mesh):
            close(jax.jit(cube_root)(z), np.cbrt(whole))
            twice = jax.grad(lambda z: jnp.sum(jax.grad(lambda z: jnp.sum(cube_root(z)))(z)))
            found = jax.jit(twice)(z)
        close(found, second)
        if kind is AxisType.Explicit:
            assert jax.typeof(found).sharding.spec == P("a", "b")


def check_roots_in_shard_map():
    mesh, z = line()
    expected = float(np.sum(np.cbrt(Z[1:9]))) / 3

    def by_argument(s, z):
        return differentiable_root(lambda u, s, a: u**3 - s * a, (0.0, 100.0), s, z)

    def by_closure(s, z):
        return differentiable_root(lambda u: u**3 - s * z, (0.0, 100.0))

    for f in (by_argument, by_closure):
        total = summed_over(mesh, f)
        close(jax.jit(total)(1.0, z), 3 * expected)
        close(jax.jit(jax.grad(total))(1.0, z), expected)
        close(jax.jit(jax.grad(jax.grad(total)))(1.0, z), -2 / 3 * expected)


# -- pmap ------------------------------------------------------------------------------------------


def check_pmap():
    whole = Z[1:9].reshape(4, 2)
    v = np.full((4, 1), 1.5)
    close(jax.pmap(jv)(v, whole), scipy.special.jv(v, whole), 0)
    summed = jax.pmap(lambda v, z: jax.lax.psum(jnp.sum(jv(v, z)), "a"), "a", in_axes=(None, 0))
    close(summed(1.5, whole), np.full(4, np.sum(scipy.special.jv(1.5, whole))))

    def slope(v, z):
        return jax.lax.psum(jax.grad(lambda v: jnp.sum(jv(v, z)))(v), "a")

    h = 1e-5
    outer = sum(w * scipy.special.jv(1.5 + h, whole).sum() for w, h in ((1, h), (-1, -h)))
    close(jax.pmap(slope, "a", in_axes=(None, 0))(1.5, whole), np.full(4, outer / (2 * h)), 1e-8)


# -- effects ---------------------------------------------------------------------------------------


def check_effects_on_sharded_arrays():
    mesh = mesh_of((4,), AxisType.Auto)
    spread = placed(Z, mesh, "a")
    shapes = []

    def record(x):
        shapes.append(x.shape)
        return scipy.special.j0(x)

    for effects in ("unordered", "ordered"):
        f = host_function(record, "()->()", batched=True, effects=effects)
        g = jax.jit(lambda z, f=f: f(z) + f(z + 1) * f(z + 2))
        for _ in range(5):
            shapes.clear()
            expected = scipy.special.j0(Z) + scipy.special.j0(Z + 1) * scipy.special.j0(Z + 2)
            close(g(spread), expected)
            assert shapes == [(LARGE,)] * 3
        explicit = mesh_of((4,), AxisType.Explicit)
        with jax.set_mesh(explicit):
            whole = jax.jit(f)(placed(Z, explicit, "a"))  # one call, on all of the array
        assert jax.typeof(whole).sharding.spec == P(None)
        equal(whole, scipy.special.j0(Z))
        mapped = jax.shard_map(f, mesh=mesh, in_specs=P("a"), out_specs=P("a"))
        shapes.clear()
        equal(jax.jit(mapped)(spread), scipy.special.j0(Z))
        assert shapes == [(LARGE // 4,)] * 4


def check_debug_on_sharded_arrays():
    mesh = mesh_of((4,), AxisType.Auto)
    spread = placed(Z, mesh, "a")
    shapes = []
    watch = host_function(lambda x: shapes.append(x.shape), effects="debug")
    program = jax.jit(lambda z: (watch(z), watch(z + 1), watch(z + 2), z)[-1])
    for _ in range(5):
        program(spread).block_until_ready()
    jax.effects_barrier()
    assert shapes == [(LARGE,)] * 15
    shapes.clear()
    mapped = jax.shard_map(lambda z: (watch(z), z)[1], mesh=mesh, in_specs=P("a"), out_specs=P("a"))
    jax.jit(mapped)(spread).block_until_ready()
    jax.effects_barrier()
    assert shapes == [(LARGE // 4,)] * 4


def check_effects_in_a_shard_map_of_some_axes():
    mesh, z = square()
    options = {"mesh": mesh, "in_specs": P("a"), "out_specs": P("a"), "axis_names": {"a"}}
    f = host_function(lambda x: x, "()->()", effects="unordered", name="noisy")
    pattern = r"noisy: inside a shard_map that leaves axes to the compiler \(b\)"
    raises(NotImplementedError, pattern, jax.jit(jax.shard_map(f, **options)), z)
    shapes = []
    watch = host_function(lambda x: shapes.append(x.shape), effects="debug")
    jax.jit(jax.shard_map(lambda z: (watch(z), z)[1], **options))(z).block_until_ready()
    jax.effects_barrier()
    assert shapes == [(2, 2)] * 2


def check_effects_in_a_shard_map_within_another():
    mesh, z = square()
    seen = []
    record = host_function(lambda x: seen.append(x.shape) or x, "(n)->(n)", effects="unordered")
    watch = host_function(lambda x: seen.append(x.shape), effects="debug")
    for f in (record, lambda x: (watch(x), x)[1]):
        inner = jax.shard_map(f, in_specs=P(None, "b"), out_specs=P(None, "b"), axis_names={"b"})
        outer = {"mesh": mesh, "in_specs": P("a"), "out_specs": P("a"), "axis_names": {"a"}}
        equal(jax.jit(jax.shard_map(inner, **outer))(z), z)
        jax.effects_barrier()
    assert seen == [(1,)] * 8 + [(2, 1)] * 4


def check_a_debug_function_without_arguments_in_a_shard_map_of_some_axes():
    mesh, z = square()
    watch = host_function(lambda: None, effects="debug", name="bell")
    options = {"mesh": mesh, "in_specs": P("a"), "out_specs": P("a"), "axis_names": {"a"}}
    mapped = jax.jit(jax.shard_map(lambda z: (watch(), z)[1], **options))
    raises(NotImplementedError, "bell: without arguments, inside a shard_map", mapped, z)


# -- where the call is made ------------------------------------------------------------------------


def check_device_of_the_call():
    mesh, z = line()
    device = SingleDeviceSharding(jax.devices()[2])
    f = host_function(scipy.special.j0, sharding=device)
    equal(jax.jit(f)(z), scipy.special.j0(Z[1:9]))
    assert "device_ids=[2]" in jax.jit(f).lower(z).as_text("stablehlo", debug_info=False)
    with use_backend("callback"):
        text = jax.jit(half_jv).lower(z).as_text("stablehlo", debug_info=False)
    assert "device_ids=[0]" in text
    raises(ValueError, "j0: sharding= names .* not among the program's devices", jax.jit(f), 1.0)
    mapped = jax.shard_map(f, mesh=mesh, in_specs=P("a"), out_specs=P("a"))
    raises(NotImplementedError, "j0: sharding= has no meaning inside shard_map", jax.jit(mapped), z)


def main():
    assert jax.device_count() == 4
    jax.config.update("jax_enable_x64", True)
    with use_backend(sys.argv[1]):
        run_checks(globals(), sys.argv[2:])


if __name__ == "__main__":
    main()
