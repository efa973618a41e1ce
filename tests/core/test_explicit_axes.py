"""Every function traces and lowers where types carry shardings: on a mesh of explicit axes.

What a loop begins with has to be spread as its results are; one device is enough to see it.
"""

import jax
import pytest
from eight_devices_program import P, cases
from jax.sharding import AxisType, NamedSharding
from public_calls import calls

NAMES = sorted({f"{call.package}.{call.name}" for call in calls()})

FIRST_ORDER_ONLY = {"linalg.norm", "linalg.expm_cond"}
"""They rest on jnp.linalg.svd, whose second derivative JAX 0.12 cannot trace there."""


@pytest.mark.rotating(0.022)
@pytest.mark.parametrize("name", NAMES)
def test_values_and_derivatives_on_explicit_axes(name):
    mesh = jax.make_mesh((1,), ("a",), axis_types=(AxisType.Explicit,))
    for case in cases({name}):
        case.order = 1 if name in FIRST_ORDER_ONLY else 2
        spread = [jax.device_put(x, NamedSharding(mesh, P("a"))) for x in case.arrays]
        with jax.set_mesh(mesh):
            jax.jit(case).lower(*spread)
