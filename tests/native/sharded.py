"""Values and derivatives on four devices: sharded arrays stay sharded, and nothing is gathered."""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special
from jax.sharding import AxisType, NamedSharding, PartitionSpec

import jaxsci
from jaxsci import host_function
from jaxsci.special import jv

P = PartitionSpec
assert jax.device_count() == 4
GATHERS = ("all-gather", "all-reduce", "all-to-all", "collective-permute")

v = np.arange(1.0, 9)[:, None] + np.zeros((8, 12))
x = np.linspace(0.5, 20, 96).reshape(8, 12)


def mesh(shape, kind):
    return jax.make_mesh(shape, ("a", "b")[: len(shape)], axis_types=(kind,) * len(shape))


def gradient(v, x):
    return jax.vjp(lambda x: jv(v, x), x)[1](jnp.ones_like(x))[0]


def check(f, expected, operands, sharding, *, rtol=0.0):
    """The right values, sharded as said, by a program that moves nothing."""
    program = jax.jit(f).lower(*operands).compile()
    text = program.as_text() or ""
    assert "jaxsci_ufunc" in text
    for word in GATHERS:
        assert word not in text, (word, sharding)
    y = program(*operands)
    assert y.sharding.is_equivalent_to(sharding, y.ndim), (y.sharding, sharding)
    if rtol:
        np.testing.assert_allclose(y, expected, rtol=rtol, atol=1e-15)
    else:
        np.testing.assert_array_equal(y, expected)


def automatic():
    j, dj = scipy.special.jv(v, x), scipy.special.jvp(v, x)
    for shape, specs in [
        ((4,), [P("a"), P("a", None), P(None, "a")]),
        ((2, 2), [P("a", "b"), P("b", "a"), P(("a", "b")), P(None, ("b", "a")), P("b")]),
    ]:
        on = mesh(shape, AxisType.Auto)
        for spec in specs:
            sharding = NamedSharding(on, spec)
            vs, xs = jax.device_put(v, sharding), jax.device_put(x, sharding)
            check(jv, j, (vs, xs), sharding)
            check(gradient, dj, (vs, xs), sharding, rtol=1e-11)
            check(jax.jit(jv), j, (vs, xs), sharding)
            # A replicated operand, one that broadcasts, and a scalar.
            everywhere = NamedSharding(on, P())
            check(jv, j, (jax.device_put(v, everywhere), xs), sharding)
            column = jax.device_put(v[:, :1], NamedSharding(on, P(spec[0], None)))
            check(jv, j, (column, xs), sharding)
            check(lambda xs: jv(2.0, xs), scipy.special.jv(2.0, x), (xs,), sharding)
            mapped = jax.vmap(jv, (1, 1), 1)
            check(mapped, j, (vs, xs), sharding)


def mixed_layouts():
    on = mesh((2, 2), AxisType.Auto)
    placed = [
        jax.device_put(v, NamedSharding(on, P("a", "b"))),
        jax.device_put(x, NamedSharding(on, P("b", "a"))),
    ]
    np.testing.assert_array_equal(jax.jit(jv)(*placed), scipy.special.jv(v, x))
    rows = jax.device_put(v[:, 0], NamedSharding(on, P("a")))
    columns = jax.device_put(x[0], NamedSharding(on, P("a")))
    found = jax.jit(lambda r, c: jv(r[:, None], c))(rows, columns)
    np.testing.assert_array_equal(found, scipy.special.jv(v[:, :1], x[0]))
    both = host_function(scipy.special.sici)
    for y, z in zip(jax.jit(both)(placed[1]), scipy.special.sici(x), strict=True):
        np.testing.assert_array_equal(y, z)


def explicit():
    on = mesh((2, 2), AxisType.Explicit)
    with jax.set_mesh(on):
        sharding = NamedSharding(on, P("a", "b"))
        vs, xs = jax.device_put(v, sharding), jax.device_put(x, sharding)
        assert jax.typeof(jv(vs, xs)).sharding.spec == P("a", "b")
        check(jv, scipy.special.jv(v, x), (vs, xs), sharding)
        check(gradient, scipy.special.jvp(v, x), (vs, xs), sharding, rtol=1e-11)


def inside_shard_map():
    on = mesh((4,), AxisType.Auto)
    k = jnp.asarray(1.25)

    def total(k, x):
        return jv(2.0, k * x).sum()

    def sharded(k, x):
        parts = jax.shard_map(
            lambda k, x: jv(2.0, k * x), mesh=on, in_specs=(P(), P("a")), out_specs=P("a")
        )(k, x)
        return parts.sum()

    expected = jax.grad(total)(k, x)
    np.testing.assert_allclose(jax.jit(jax.grad(sharded))(k, x), expected, rtol=1e-12)
    assert "jaxsci_ufunc" in jax.jit(jax.grad(sharded)).lower(k, x).as_text()

    def inside(k, x):
        return jax.shard_map(
            lambda k, x: jax.grad(lambda k: jv(2.0, k * x).sum())(k),
            mesh=on,
            in_specs=(P(), P("a")),
            out_specs=P(),
        )(k, x)

    np.testing.assert_allclose(jax.jit(inside)(k, x), expected, rtol=1e-12)


with jaxsci.use_backend("ffi"):
    automatic()
    mixed_layouts()
    explicit()
    inside_shard_map()
print("all right")
