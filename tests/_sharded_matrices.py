"""Matrix functions inside shard_map on four devices; prints the names of those that passed.

Run with XLA_FLAGS=--xla_force_host_platform_device_count=4, in a process of its own.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from jaxsci import linalg

P = PartitionSpec
N = 4


def main():
    jax.config.update("jax_enable_x64", True)
    assert jax.device_count() == 4
    rng = np.random.default_rng(0)
    stack = jnp.asarray(rng.normal(size=(8, N, N)) / 4 + 1.5 * np.eye(N))
    fixed, one = stack[3] + 0.25 * stack[5], jnp.eye(N)
    functions = {
        "solve_sylvester": lambda a: linalg.solve_sylvester(a, fixed, one),
        "solve_continuous_are": lambda a: linalg.solve_continuous_are(a, one, one, one),
        "logm": linalg.logm,
        "sqrtm": linalg.sqrtm,
        "expm": linalg.expm,
        "funm": lambda a: linalg.funm(a, jnp.sin),
        "eigvals": lambda a: jnp.sum(linalg.eigvals(a).real ** 2, -1),
        "eigvalsh": lambda a: linalg.eigvalsh(a + jnp.swapaxes(a, -1, -2)),
        "schur": lambda a: linalg.schur(a, output="complex")[0].real,
        "polar": lambda a: linalg.polar(a)[0],
        "svdvals": linalg.svdvals,
        "solve_banded": lambda a: linalg.solve_banded((1, 1), a[..., :3, :], a[..., 3, :, None]),
        "solve": lambda a: linalg.solve(a, fixed),
        "lstsq": lambda a: linalg.lstsq(a, fixed)[0],
        "cholesky": lambda a: linalg.cholesky(a @ jnp.swapaxes(a, -1, -2)),
        "det": linalg.det,
    }
    mesh = jax.make_mesh((4,), ("a",), axis_types=(AxisType.Auto,))
    mapped = functools.partial(jax.shard_map, mesh=mesh)
    for name, f in functions.items():
        truth = jax.jit(f)(stack)
        spread = jax.device_put(stack, NamedSharding(mesh, P("a")))
        np.testing.assert_allclose(jax.jit(f)(spread), truth, rtol=1e-12, atol=1e-13)
        inside = jax.jit(mapped(f, in_specs=P("a"), out_specs=P("a")))
        np.testing.assert_allclose(inside(stack), truth, rtol=1e-12, atol=1e-13)

        def total(a, scale, f=f):
            return jnp.sum(f(a * scale))

        def spread_total(a, scale, total=total):
            return jax.lax.psum(total(a, scale), "a")

        sharded = mapped(spread_total, in_specs=(P("a"), P()), out_specs=P())
        found = jax.jit(jax.grad(sharded, (0, 1)))(stack, 1.1)
        for x, y in zip(found, jax.jit(jax.grad(total, (0, 1)))(stack, 1.1), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-11)
        print(name, flush=True)


if __name__ == "__main__":
    main()
