"""Values and derivatives over eight devices: nothing is gathered, and bits are one device's."""

import json

import pytest
from eight_devices_program import LAYOUTS
from processes import outcome
from public_calls import calls
from rotation import drawn

EIGHT_DEVICES = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}
NAMES = sorted({f"{call.package}.{call.name}" for call in calls()})


def wrong(names, layouts, *options):
    done = outcome(
        "core/eight_devices_program.py",
        *names,
        "--layouts",
        *layouts,
        *options,
        environment=EIGHT_DEVICES,
        seconds=1200,
    )
    found = json.loads(done.stdout)
    return found["calls"], found["wrong"]


@pytest.mark.rotating(0.5)
def test_derivatives_in_parameters_in_a_drawn_layout():
    """Those have the loops and sums in which devices and elements could depend on each other."""
    names = ["special.jv", "special.gammainc", "linalg.solve"]
    tried, found = wrong(names, drawn(list(LAYOUTS), 1, "layout"), "--bits")
    assert tried >= len(names)
    assert found == []


@pytest.mark.rotating(0.075)
def test_drawn_functions_in_every_layout():
    _, found = wrong(drawn(NAMES, 3, "eight devices"), list(LAYOUTS))
    assert found == []
