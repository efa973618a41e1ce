"""Writes an exported program, or reads and calls it: ``exported.py write|read FILE``."""

import sys
from pathlib import Path

import jax
import jax.export
import numpy as np
import scipy.special

import jaxsci

action, file = sys.argv[1], Path(sys.argv[2])
v, x = np.arange(6.0), np.linspace(0.5, 9, 6)

if action == "write":
    from jaxsci.special import jv

    def value_and_gradient(v, x):
        return jv(v, x), jax.grad(lambda x: jv(v, x).sum())(x)

    with jaxsci.use_backend("ffi"):
        exported = jax.export.export(
            jax.jit(value_and_gradient),
            platforms=["cpu"],
            disabled_checks=jaxsci.export_checks(),
        )(v, x)
    file.write_bytes(bytes(exported.serialize()))
else:
    program = jax.export.deserialize(bytearray(file.read_bytes()))
    value, gradient = program.call(v, x)
    np.testing.assert_array_equal(value, scipy.special.jv(v, x))
    np.testing.assert_allclose(gradient, scipy.special.jvp(v, x), rtol=1e-13)
    print("right")
