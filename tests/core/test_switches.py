"""JAX's switches: functions that the commit draws; `tests/support/switches.py` takes all."""

import json

import pytest
from processes import outcome
from public_calls import calls
from rotation import drawn

NAMES = sorted({call.name for call in calls()})


@pytest.mark.rotating(0.15)
def test_drawn_functions_work_under_every_switch():
    done = outcome("support/switches.py", *drawn(NAMES, 2, "switches"), environment={})
    assert json.loads(done.stdout)["wrong"] == []


def test_a_platform_that_is_absent():
    done = outcome("core/absent_platform_program.py", environment={"JAX_PLATFORMS": ""})
    assert done.stdout.splitlines()[-1] == "all right"
