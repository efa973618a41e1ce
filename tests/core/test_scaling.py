"""Several processes that train together lose nothing, whatever becomes of them on the way."""

import importlib.util
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from processes import surroundings

PROGRAM = Path(__file__).resolve().parent / "training_program.py"
STEPS = 8

pytestmark = [
    pytest.mark.rotating(0),
    pytest.mark.skipif(
        importlib.util.find_spec("orbax") is None
        and not os.environ.get("JAXSCI_MUST_HAVE_EXAMPLES"),
        reason="without orbax, of the extra 'examples'",
    ),
]


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return s.getsockname()[1]


def started(processes, folder, steps, pause=0.0):
    port = free_port()
    return [
        subprocess.Popen(
            [sys.executable, str(PROGRAM)]
            + [str(x) for x in (i, processes, port, folder, steps, pause)],
            env=surroundings(),
            stdout=subprocess.PIPE if i == 0 else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for i in range(processes)
    ]


def trained(processes, folder="-", steps=STEPS):
    """What the first process says, once all have ended."""
    running = started(processes, folder, steps)
    try:
        said, complaints = running[0].communicate(timeout=400)
        for each in running[1:]:
            complaints += each.communicate(timeout=60)[1]
    finally:
        for each in running:
            each.kill()
    assert [each.returncode for each in running] == [0] * processes, complaints
    return json.loads(said.splitlines()[-1])


def killed_behind(step, processes, folder):
    """Start a training, and end all its processes without warning once that step is done."""
    running = started(processes, folder, STEPS, pause=0.5)
    first = running[0]
    assert first.stdout is not None
    assert first.stderr is not None
    try:
        for line in first.stdout:
            if line.strip() == str(step):
                break
        else:
            raise AssertionError(first.stderr.read())
    finally:
        for each in running:
            each.kill()
            each.communicate()


@pytest.fixture(scope="module")
def alone():
    """What one process with all the devices finds."""
    return trained(1)


def numbers(found):
    return np.array([float.fromhex(x) for x in found["parameters"]])


def test_one_process_gathers_nothing(alone):
    assert alone["sums"]
    assert not alone["gathers"]
    assert np.all(np.abs(numbers(alone)) > 1e-3)


@pytest.mark.parametrize("processes", [2, 4])
def test_processes_train_together_and_go_on_from_a_checkpoint(processes, alone, tmp_path):
    together = trained(processes)
    assert together["processes"] == processes
    assert together["sums"]
    assert not together["gathers"]
    # Sums over devices are taken in another order.
    np.testing.assert_allclose(numbers(together), numbers(alone), rtol=1e-12)

    killed_behind(5, processes, tmp_path)
    again = trained(processes, tmp_path)
    assert again["first"] == 4
    assert again["parameters"] == together["parameters"]
