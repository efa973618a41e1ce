"""Second derivatives of every function in every argument, traced and not computed.

What raises an error does so while JAX traces: this takes a hundredth of the time of a program, so
that every function has its turn soon.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest
from identities import along

import jaxsci
from jaxsci._verification import accuracy, reference

CASES = [
    (name, variant)
    for name, row in sorted(reference.ROWS.items())
    for variant in reference.variants(row)
    if reference.varied(row, variant)
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
        for i in reference.varied(row, variant):
            curvature = along(along(function, i), i)
            assert jax.eval_shape(curvature, *at) == value, row.arrays[i].name
