"""Programs over several devices that another partitioner than Shardy takes apart."""

import json

import pytest
from processes import FOUR_DEVICES, outcome
from rotation import one_by_the_draw

from jaxsci._core.dispatch import BACKENDS


@pytest.mark.parametrize("backend", one_by_the_draw(BACKENDS, "backend without Shardy"))
def test_functions_of_sharded_arrays_where_shardy_is_switched_off(backend):
    done = outcome("core/gspmd_program.py", backend, environment=FOUR_DEVICES)
    assert json.loads(done.stdout) == {}
