"""Long arrays on four devices: each sorts and searches among its own elements.

Run with XLA_FLAGS=--xla_force_host_platform_device_count=4, in a process of its own.
"""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

import jaxsci
from jaxsci import special

N = 40_000
TALK = re.compile("all-gather|all-reduce|all-to-all|collective-permute")
RNG = np.random.default_rng(8)
CASES = {
    "hyp2f1": [(-4, 4), (-4, 4), (0.3, 8), (-2, 0.99)],
    "eval_legendre": [(0.3, 8), (-0.9, 2)],
    "chdtriv": [(0.1, 0.9), (0.3, 8)],
}


def main():
    jax.config.update("jax_enable_x64", True)
    spread = NamedSharding(jax.make_mesh((4,), ("a",)), PartitionSpec("a"))
    with jaxsci.use_backend("device"):
        for name, ranges in CASES.items():
            function = getattr(special, name)
            xs = [RNG.uniform(low, high, N) for low, high in ranges]
            shards = [jax.device_put(x, spread) for x in xs]
            program = jax.jit(lambda *xs, function=function: function(*xs)).lower(*shards).compile()
            assert not TALK.search(str(program.as_text())), name
            found = program(*shards)
            assert found.sharding == spread
            alone = jax.jit(lambda *xs, function=function: function(*xs))(*map(jnp.asarray, xs))
            np.testing.assert_allclose(found, alone, rtol=1e-13)
            print(name)


if __name__ == "__main__":
    main()
