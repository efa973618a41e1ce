"""Matrix functions on several devices, in a process of its own."""

import pytest
from processes import FOUR_DEVICES, outcome

pytestmark = pytest.mark.rotating(0.022)


def test_inside_shard_map_and_on_sharded_arrays():
    done = outcome("linalg/sharded_matrices.py", environment=FOUR_DEVICES)
    assert len(done.stdout.splitlines()) == 18 + 20
