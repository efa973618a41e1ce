"""The confluent hypergeometric limit function 0F1(; v; z), by JAX operations.

Of real numbers its series, summed from the end; for z < 0, from where its terms cancel on, Taylor
steps of its differential equation, and far out Hankel's expansion of a Bessel function of order
v - 1 at 2 sqrt(-z) (DLMF 10.16.9, 10.17.3); below v = -20 what `descending_parameter.py` has. Of
complex ones what its derivatives in v are computed by.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._gamma.kernels.on_device import rgamma
from jaxsci.special._hypergeometric.kernels.descending_parameter import LOWEST, descending
from jaxsci.special._hypergeometric.kernels.limit_in_parameter import limit_in_parameter
from jaxsci.special._numerics.elementary import exp_of_parts, power_parts
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi
from jaxsci.special._numerics.hypergeometric_equations import limit
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.vectorised import sine_and_cosine

_LEAST = -20.0
"""Below there are steps of the parameter."""
_TERMS, _MORE = 60.0, 2.8
_INFINITE = 1e6
"""An argument with so many terms that the function overflows, or its terms fall at once."""
_FARTHEST = 1e12
_FARTHEST_NEAR, _LARGEST = 4e7, 1e4
"""Steps end there, in z and in v: of v up to 150 the expansion serves by then."""
_FAR = 30.0
_PAIRS = 20


def _series(v: jax.Array, z: jax.Array) -> jax.Array:
    # Of each element by itself: its bits do not depend on those beside it.
    terms = jnp.ceil(_TERMS + _MORE * jnp.sqrt(jnp.clip(z, 0.0, _INFINITE)))

    def add(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        k, total = state
        return k - 1, jnp.where(k <= terms, (1 + total) * (z / (k * (v + (k - 1)))), total)

    start = jnp.max(terms, initial=0.0), jnp.zeros_like(v * z)
    return 1 + jax.lax.while_loop(lambda state: state[0] > 0, add, start)[1]


def _far_out(v: jax.Array, root: jax.Array) -> jax.Array:
    """For z = -root^2."""
    w = 2 * root
    square = 0.5 * (v - 1) ** 2
    over = 1 / w

    def add(k: Any, sums: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        term, even, odd = sums
        j = 2 * k.astype(w.dtype)
        first = term * over * ((square - 0.5 * (j + 0.5) ** 2) / (j + 1))
        second = -first * over * ((square - 0.5 * (j + 1.5) ** 2) / (j + 2))
        return second, even + second, odd + first

    one = jnp.ones_like(w)
    _, even, odd = jax.lax.fori_loop(0, _PAIRS, add, (one, one, jnp.zeros_like(w)))
    # Of w less pi (v/2 - 1/4).
    c, s = cosine_and_sine_of_pi(0.5 * v - 0.25)
    sine, cosine = sine_and_cosine(w)
    value = even * (cosine * c + sine * s) - odd * (sine * c - cosine * s)
    # Root^(1 - v), in which the difference would be rounded.
    power = exp_of_parts(*power_parts(root, -v)) * root
    return power * (jnp.sqrt(2 / (math.pi * w)) * value / rgamma(v))


@device_kernel(ulps=60, conditioned=True)
def hyp0f1(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z)."""
    v, z = jnp.broadcast_arrays(v, z)
    pole = (v <= 0) & is_integer(v)
    known = (v >= LOWEST) & ~pole & (jnp.abs(z) < jnp.inf)
    value = descending(_of_most, jnp.where(known, v, 1.0), jnp.where(known, z, 0.0), _LEAST)
    return jnp.where(known, value, jnp.nan)


def _of_most(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z) of v > -20."""
    near = z >= -4 - jnp.maximum(v, 0.0)
    value = _series(v, jnp.where(near, z, 0.0))
    root = jnp.sqrt(jnp.where(near, 100.0, -z))
    far = ~near & (2 * root >= jnp.maximum(_FAR, 0.5 * (v - 1) ** 2)) & (z >= -_FARTHEST)
    between = ~near & ~far & (z >= -_FARTHEST_NEAR) & (v <= _LARGEST)
    steps = limit(jnp.where(between, v, 1.0), jnp.where(between, z, 0.0))
    beyond = _far_out(jnp.where(far, v, 1.0), jnp.where(far, root, 100.0))
    return jnp.where(near, value, jnp.where(far, beyond, jnp.where(between, steps, jnp.nan)))


@device_kernel(ulps=60, conditioned=True)
def hyp0f1_in_plane(v: jax.Array, z: jax.Array) -> jax.Array:
    """The same of complex z."""
    known = ~(jnp.isnan(z.real) | jnp.isnan(z.imag))
    return jnp.where(known, limit_in_parameter(v, jnp.where(known, z, 1.0), m=0, n=0), jnp.nan)
