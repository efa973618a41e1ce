"""Second derivatives of every function in every argument, traced and not computed.

What raises an error does so while JAX traces: this takes a hundredth of the time of a program, so
that every function has its turn soon.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

import jaxsci
from jaxsci._verification import accuracy, reference

CASES = [
    (name, variant)
    for name, row in sorted(reference.ROWS.items())
    for variant in reference.variants(row)
    if any(reference.directions(row, spec, variant) for spec in row.arrays)
]


@pytest.mark.rotating(0.5)
@pytest.mark.parametrize("backend", ["ffi", "device"])
@pytest.mark.parametrize(("name", "variant"), CASES)
def test_second_derivatives_are_traced(name, variant, backend):
    row = reference.ROWS[name]
    function = accuracy.bound(row, row.samples.statics[-1])
    at = reference.sample(row, variant, reference.generator("traced", name, variant), 3)
    at = tuple(map(jnp.asarray, at))
    with jaxsci.use_backend(backend):
        value = jax.eval_shape(function, *at)
        for i, spec in enumerate(row.arrays):
            if not reference.directions(row, spec, variant):
                continue

            def alone(x, i=i):
                return function(*at[:i], x, *at[i + 1 :])

            def slope(x, alone=alone):
                return jax.jvp(alone, (x,), (jnp.ones_like(x),))[1]

            def curvature(x, slope=slope):
                return jax.jvp(slope, (x,), (jnp.ones_like(x),))[1]

            assert jax.eval_shape(curvature, at[i]) == value, spec.name
