"""Checks on four devices that Shardy's predecessor partitions; prints those that fail, as JSON.

Run with XLA_FLAGS=--xla_force_host_platform_device_count=4, in a process of its own, and with the
backend as its argument.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
import scipy.special
from checks import run_checks
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from jaxsci import host_function, linalg, use_backend
from jaxsci.special import gammainc, j0, jv, lpmv, wofz

Z = np.linspace(0.1, 30.0, 64)


def spread(x, *axes):
    mesh = jax.make_mesh((4,), ("a",), axis_types=(AxisType.Auto,))
    return jax.device_put(jnp.asarray(x), NamedSharding(mesh, PartitionSpec(*axes)))


def equal(found, expected):
    """To the last bit, on every device."""
    for shard in found.addressable_shards:
        assert np.asarray(shard.data).tobytes() == np.asarray(expected)[shard.index].tobytes()


def check_values():
    z = spread(Z, "a")
    equal(jax.jit(j0)(z), scipy.special.j0(Z))
    equal(jax.jit(lambda z: jv(1.5, z))(z), scipy.special.jv(1.5, Z))
    equal(jax.jit(lambda z: gammainc(2.0, z))(z), scipy.special.gammainc(2.0, Z))
    below_one = spread(Z / 40, "a")
    equal(jax.jit(lambda z: lpmv(1.0, 2.0, z))(below_one), scipy.special.lpmv(1.0, 2.0, Z / 40))
    equal(jax.jit(wofz)(spread(Z + 1j, "a")), scipy.special.wofz(Z + 1j))


def check_bits():
    z = np.array([-0.0, 5e-324, -5e-324, np.inf, 1.0, 2.0, 3.0, 4.0])
    equal(jax.jit(host_function(lambda x: x / 1.0, "()->()"))(spread(z, "a")), z)


def check_values_beside_other_operations():
    z = spread(Z.reshape(8, 8), None, "a")
    found = jax.jit(lambda z: jv(1.0, z) + jv(2.0, z).T @ z)(z)
    x = Z.reshape(8, 8)
    expected = scipy.special.jv(1.0, x) + scipy.special.jv(2.0, x).T @ x
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def check_second_derivatives():
    z = spread(Z, "a")
    found = jax.jit(jax.vmap(jax.grad(jax.grad(j0))))(z)
    np.testing.assert_allclose(found, scipy.special.jvp(0, Z, 2), rtol=1e-12, atol=1e-14)


def check_matrices():
    a = np.random.default_rng(1).normal(size=(4, 3, 3))
    found = jax.jit(linalg.expm)(spread(a, "a"))
    np.testing.assert_allclose(found, scipy.linalg.expm(a), rtol=1e-10)
    found = jax.jit(linalg.schur)(spread(a, "a"))[0]
    np.testing.assert_allclose(found[0], scipy.linalg.schur(a[0])[0], rtol=1e-10, atol=1e-12)


def main():
    assert jax.device_count() == 4
    jax.config.update("jax_enable_x64", True)
    try:
        jax.config.update("jax_use_shardy_partitioner", False)
    except AttributeError:  # the only one now
        print("{}")
        return
    with use_backend(sys.argv[1]):
        run_checks(globals())


if __name__ == "__main__":
    main()
