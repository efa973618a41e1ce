"""One row of each kind on four devices; prints the names of those that passed.

Run with XLA_FLAGS=--xla_force_host_platform_device_count=4, in a process of its own.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from calling import assert_scipys, bound, by_scipy
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from kinds import for_devices, name_of, points, ruled

P = PartitionSpec
N = 8


def check(case):
    row, static, _ = case
    at = points(case, N)
    function = bound(row, static)
    truth = by_scipy(row, static, at)
    for kind in (AxisType.Auto, AxisType.Explicit):
        mesh = jax.make_mesh((4,), ("a",), axis_types=(kind,))
        spread = [jax.device_put(x, NamedSharding(mesh, P("a"))) for x in at]
        with jax.set_mesh(mesh):
            assert_scipys(row, jax.jit(function)(*spread), truth)
    mesh = jax.make_mesh((4,), ("a",), axis_types=(AxisType.Auto,))
    mapped = functools.partial(jax.shard_map, mesh=mesh)
    spread = jax.jit(mapped(function, in_specs=P("a"), out_specs=P("a")))
    assert_scipys(row, spread(*at), truth)
    for i in range(len(at)):
        replicated_gradient(case, mapped, at, i)


def replicated_gradient(case, mapped, at, i):
    """Argument i is the same number on every device, and the others are spread."""
    row, static, _ = case
    function = bound(row, static)
    fixed = at[i][0]
    specs = tuple(P() if j == i else P("a") for j in range(len(at)))

    def values(x, others):
        return function(*others[:i], x, *others[i:])

    others = [x for j, x in enumerate(at) if j != i]
    sharded = jax.jit(mapped(function, in_specs=specs, out_specs=P("a") if others else P()))
    mixed = [*at[:i], fixed, *at[i + 1 :]]
    assert_scipys(row, sharded(*mixed), by_scipy(row, static, mixed))
    if i not in ruled(row):
        return

    def loss(x, others):
        return sum(jnp.sum(y.real) + jnp.sum(y.imag) for y in values(x, others))

    def sharded_loss(x, others):
        return jax.lax.psum(loss(x, others), "a") if others else loss(x, others)

    whole = mapped(sharded_loss, in_specs=(P(), P("a")), out_specs=P())
    gradient = jax.jit(jax.grad(whole))(fixed, others)
    np.testing.assert_allclose(gradient, jax.jit(jax.grad(loss))(fixed, others), rtol=1e-11)


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    assert jax.device_count() == 4
    for case in for_devices():
        check(case)
        print(name_of(case), flush=True)
