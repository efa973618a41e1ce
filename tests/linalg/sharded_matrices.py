"""Matrix functions over four devices; prints the names of those that passed.

Run with XLA_FLAGS=--xla_force_host_platform_device_count=4, in a process of its own.
"""

import functools

import jax
import jax.numpy as jnp
import linalg_cases
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from rotation import drawn

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
        "inv": linalg.inv,
        "inv pos": lambda a: linalg.inv(a @ jnp.swapaxes(a, -1, -2), assume_a="pos"),
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
    on_an_explicit_mesh()


def on_an_explicit_mesh():
    """Some of all cases, another draw for each commit: four slices, one for each device."""
    mesh = jax.make_mesh((4,), ("a",), axis_types=(AxisType.Explicit,))
    # Among their arguments are vectors, or few of them, which a leading dimension makes matrices.
    either = {"qr_insert:col", "qr_update"}
    cases = [c for c in linalg_cases.load() if c.batched and c.name not in either]
    for case in drawn(cases, 20, "explicit mesh"):
        slices = [case.arrays(case.kinds[0], seed) for seed in range(4)]
        arrays = [np.stack(xs) for xs in zip(*slices, strict=True)]

        def value(*xs, case=case):
            results = [y for y in case.results(xs) if jnp.issubdtype(y.dtype, jnp.inexact)]
            return sum((jnp.sum(jnp.real(y) ** 2 + jnp.imag(y) ** 2) for y in results), 0.0)

        positions = tuple(case.positions())
        whole = jax.jit(jax.value_and_grad(value, positions) if positions else value)
        expected = jax.tree.leaves(whole(*arrays))
        with jax.set_mesh(mesh):
            spread = [jax.device_put(x, NamedSharding(mesh, P("a"))) for x in arrays]
            for y in jax.jit(lambda *xs, case=case: case.results(xs))(*spread):
                assert jax.typeof(y).sharding.spec[0] == "a", case.name
            found = jax.tree.leaves(whole(*spread))
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x, y, atol=1e-9 * np.abs(y).max(initial=1), rtol=0)
        print(case.name, flush=True)


if __name__ == "__main__":
    main()
