"""Matrix functions on several devices, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import jaxsci


def test_inside_shard_map_and_on_sharded_arrays():
    program = Path(__file__).with_name("_sharded_matrices.py")
    environment = os.environ | {
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        "JAX_PLATFORMS": "cpu",
        "PYTHONPATH": str(Path(jaxsci.__file__).parents[1]),
    }
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 16
