"""Bessel functions of real order and complex argument, by JAX operations.

They are the zeroth derivatives in the order (`_bessel/kernels/cylinder_in_order.py`,
`modified_in_order.py`), whose orders end at 1e5; beyond they are NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import cylinder_in_order as cylinder
from jaxsci.special._bessel.kernels import modified_in_order as modified
from jaxsci.special._catalog.kernel import Kernel, device_kernel
from jaxsci.special._numerics.integers import is_integer

Function = Callable[[jax.Array, jax.Array], jax.Array]


def _kernel(function: Function) -> Kernel:
    return device_kernel(ulps=30, conditioned=True)(function)


def _regular(function: Function) -> Kernel:
    """Of J or I, whose value at 0 is known for positive and for integer orders."""

    def evaluate(v: jax.Array, z: jax.Array) -> jax.Array:
        value = function(v, z)
        known = (z == 0) & ((v > 0) | is_integer(v))
        return jnp.where(known, jnp.where(v == 0, 1.0, 0.0).astype(value.dtype), value)

    return _kernel(evaluate)


_VALUE = [[1.0]]
"""The polynomial in d/dz that leaves a function as it is."""

jv = _regular(lambda v, z: cylinder.j_in_order(v, z, 0, 0))
yv = _kernel(lambda v, z: cylinder.y_in_order(v, z, 0, 0))
hankel1 = _kernel(lambda v, z: cylinder.hankel1_in_order(v, z, 0, 0))
hankel2 = _kernel(lambda v, z: cylinder.hankel2_in_order(v, z, 0, 0))
iv = _regular(lambda v, z: modified.i_in_order(v, z, 0, 0))
kv = _kernel(lambda v, z: modified.k_in_order(v, z, 0, 0))

jve = _regular(lambda v, z: cylinder.jve_in_order(v, z, _VALUE, 0)[0])
yve = _kernel(lambda v, z: cylinder.yve_in_order(v, z, _VALUE, 0)[0])
hankel1e = _kernel(lambda v, z: cylinder.hankel1e_in_order(v, z, _VALUE, 0)[0])
hankel2e = _kernel(lambda v, z: cylinder.hankel2e_in_order(v, z, _VALUE, 0)[0])
ive = _regular(lambda v, z: modified.ive_in_order(v, z, _VALUE, 0)[0])
kve = _kernel(lambda v, z: modified.kve_in_order(v, z, _VALUE, 0)[0])
