"""Ways in which other people call functions: those that the commit draws.

`tests/support/usages.py` goes through all functions in all ways.
"""

import json

import jax.numpy as jnp
import numpy as np
import pytest
from processes import outcome
from public_calls import Call, calls
from rotation import drawn
from usages import CHECKS, complaints

from jaxsci import special

NAMES = sorted({call.name for call in calls()})
QUICK = ["objects", "namesakes"]
QUICKLY = {"XLA_FLAGS": "--xla_backend_optimization_level=0"}


@pytest.mark.parametrize("name", QUICK)
def test_every_function_as_an_object(name):
    assert [(str(c), wrong) for c in calls() for _, wrong in complaints(c, [name])] == []


@pytest.mark.rotating(0.5)
def test_drawn_functions_in_every_way():
    few = drawn(NAMES, 3, "usages")
    done = outcome("support/usages.py", *few, environment=QUICKLY, seconds=900)
    assert json.loads(done.stdout)["wrong"] == []


class Broken(Call):
    """A call of a function that depends on where its argument stands, and on whether it is one."""

    @property
    def function(self):
        def j0(z):
            backwards = isinstance(z, np.ndarray) and bool(z.ndim) and z.strides[0] < 0
            y = special.j0(jnp.asarray(z, "float32" if type(z) is float else None))
            return y + backwards if y.size else y[None]

        return j0


def test_what_is_wrong_is_seen():
    call = Broken("special", "j0", "", {"z": np.array([0.5, 1.5])}, frozenset("z"))
    found = {name: wrong for name in CHECKS for _, wrong in complaints(call, [name])}
    assert sorted(found) == ["empties", "layouts", "numbers", "objects"]
    assert found["layouts"].startswith("backwards: ")
    assert found["numbers"].startswith("Python's: float32(), not float64()")
