"""One of the processes that fit a model together; it goes on from the last checkpoint.

    python training_program.py PROCESS PROCESSES PORT FOLDER STEPS [PAUSE]

The data lie on four devices, which the processes share out among themselves; the parameters of a
Matern correlation, its smoothness among them, are on all. Every second step is saved under FOLDER,
unless that is "-". PAUSE: seconds to wait after each step. The first process prints each step's
number, and at the end, as JSON, the parameters' bits and which collective operations there are.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from typing import Any

PROCESS, PROCESSES, PORT = map(int, sys.argv[1:4])
FOLDER, STEPS = sys.argv[4], int(sys.argv[5])
PAUSE = float(sys.argv[6]) if len(sys.argv) > 6 else 0.0
DEVICES = 4
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES // PROCESSES}"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

from jaxsci.special import gammaln, kve  # noqa: E402

ocp: Any = importlib.import_module("orbax.checkpoint") if FOLDER != "-" else None

jax.config.update("jax_enable_x64", True)


def correlation(nu, length, r):
    """Matern's, by scaled Bessel functions: K itself is zero where a long way was walked."""
    z = jnp.sqrt(2 * nu) * r / length
    logarithm = (1 - nu) * jnp.log(2.0) - gammaln(nu) + nu * jnp.log(z) - z
    return jnp.exp(logarithm) * kve(nu, z)


def loss(parameters, r, y):
    nu, length = jnp.exp(parameters)
    return jnp.mean((correlation(nu, length, r) - y) ** 2)


@jax.jit
def step(state, r, y):
    slope = jax.grad(loss)(state["parameters"], r, y)
    velocity = 0.8 * state["velocity"] - 0.5 * slope
    return {"parameters": state["parameters"] + velocity, "velocity": velocity}


def main() -> None:
    if PROCESSES > 1:
        jax.distributed.initialize(f"localhost:{PORT}", PROCESSES, PROCESS)
    mesh = jax.make_mesh((DEVICES,), ("data",))
    split, everywhere = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    rng = np.random.default_rng(0)
    r = rng.uniform(0.05, 8.0, 4096)
    y = np.exp(-r / 2) + 0.02 * rng.normal(size=r.size)
    r, y = (jax.make_array_from_callback(x.shape, split, lambda i, x=x: x[i]) for x in (r, y))
    state = jax.device_put({"parameters": jnp.zeros(2), "velocity": jnp.zeros(2)}, everywhere)
    first, manager = 0, None
    if FOLDER != "-":
        manager = ocp.CheckpointManager(FOLDER)
        if manager.latest_step() is not None:
            first = manager.latest_step()
            state = manager.restore(first, args=ocp.args.StandardRestore(state))
    for k in range(first + 1, STEPS + 1):
        state = step(state, r, y)
        if manager is not None and k % 2 == 0:
            manager.save(k, args=ocp.args.StandardSave(state))
            manager.wait_until_finished()
        if PROCESS == 0:
            print(k, flush=True)
        time.sleep(PAUSE)
    text = step.lower(state, r, y).compile().as_text() or ""
    found = {
        "first": first,
        "parameters": [x.hex() for x in np.asarray(state["parameters"]).tolist()],
        "gathers": "all-gather" in text,
        "sums": "all-reduce" in text,
        "processes": jax.process_count(),
    }
    if PROCESS == 0:
        print(json.dumps(found), flush=True)


main()
