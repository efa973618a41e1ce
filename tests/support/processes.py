"""Programs that need a process of their own: several devices, other settings, a second start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jaxsci

SUPPORT = Path(__file__).resolve().parent
TESTS = SUPPORT.parent
FOUR_DEVICES = {
    "XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=4"
}


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a program on the CPU that imports this package, and tests/support."""
    return {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "PYTHONPATH": os.pathsep.join([str(Path(jaxsci.__file__).parents[1]), str(SUPPORT)]),
        **more,
    }


def outcome(
    program: str,
    *arguments: object,
    environment: dict[str, str],
    options: tuple[str, ...] = (),
    seconds: float = 400,
) -> subprocess.CompletedProcess[str]:
    """What a program in the folder of the tests prints, once it has ended well.

    The options are Python's own; the environment comes on top of this process's.
    """
    done = subprocess.run(
        [sys.executable, *options, str(TESTS / program), *map(str, arguments)],
        env=surroundings(**environment),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done
