"""0F1(; v; z) differentiated in its parameter v and in z, to every order.

By Taylor steps of its differential equation (`_numerics/hypergeometric_equations.py`); below
v = -20 by other means (`descending_parameter.py`); and far out by Hankel's expansion, for with
w = 2 sqrt(z) it is Gamma(v) (w/2)^(1-v) I_(v-1)(w) (DLMF 10.39.9, 10.40.5). JAX
differentiates each in v.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci.special._hypergeometric.kernels.descending_parameter import (
    LOWEST,
    descending,
    has_value,
)
from jaxsci.special._numerics.blocks import by_blocks
from jaxsci.special._numerics.gamma_factors import is_pole, log_gamma, rising
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi
from jaxsci.special._numerics.hypergeometric_equations import limit, steps_of_limit
from jaxsci.special._numerics.nth_derivative import derivative
from jaxsci.special._numerics.plane import over, square_root

_FARTHEST = 4000.0
_FAR = 30.0
_LARGEST = 1e4
_LEAST, _LEAST_FAR = -20.0, -5.0
"""Below there are steps of the parameter, far out or not."""
_SHIFT = 16
_TERMS = 42


@tower("DLMF 16.3.1", v="m", z="n")
def limit_in_parameter(v: jax.Array, z: jax.Array, *, m: int, n: int) -> jax.Array:
    """The m-th derivative in v and n-th in z of 0F1(; v; z)."""
    steps = steps_of_limit(v, z)
    return by_blocks(lambda v, z: _differentiated(v, z, m, n), v, z, steps=steps)


def _differentiated(v: jax.Array, z: jax.Array, m: int, n: int) -> jax.Array:
    w = 2 * jnp.sqrt(jnp.abs(z))
    far = (w >= _FAR) & (w >= (v - 1) ** 2 / 2)
    pole = is_pole(v)
    known = (v >= LOWEST) & (v <= _LARGEST) & (far | (w <= _FARTHEST)) & (w < jnp.inf) & ~pole
    known = known & has_value(v + n, z, jnp.where(far, _LEAST_FAR, _LEAST))
    near, far = known & ~far, known & far

    def of_most(v: jax.Array, z: jax.Array) -> jax.Array:
        inner = limit(jnp.where(near, v, 1.0), jnp.where(near, z, 0.0))
        outer = _far_out(jnp.where(far, v, 1.0), jnp.where(far, z, 1e3))
        return jnp.where(far, outer, inner)

    def function(v: jax.Array) -> jax.Array:
        least = jnp.where(far, _LEAST_FAR, _LEAST)
        return descending(of_most, v + n, jnp.where(known, z, 1.0), least) * (1 / rising(v, n))

    return jnp.where(known, derivative(function, m)(jnp.where(known, v, 1.0)), jnp.nan)


def _far_out(v: jax.Array, z: jax.Array) -> Any:
    """By Hankel's expansion."""
    w = 2 * square_root(z.astype(complex))
    order = v - 1
    square, inverse = order * order / 2, over(1.0, w)

    def add(k: Any, sums: Sequence[jax.Array]) -> Any:
        term, even, odd = sums
        j = 2 * k.astype(float)
        first = term * inverse * ((square - (j + 0.5) ** 2 / 2) / (j + 1))
        second = first * inverse * ((square - (j + 1.5) ** 2 / 2) / (j + 2))
        return second, even + second, odd + first

    one = jnp.ones_like(v * w)
    _, even, odd = jax.lax.fori_loop(0, _TERMS // 2, add, (one, one, 0 * one))
    above = jnp.where(w.imag < 0, -1.0, 1.0)
    c, s = cosine_and_sine_of_pi(v - 0.5)
    recessive = jnp.exp(-2 * w) * jax.lax.complex(c, above * s)
    logarithm = jnp.log(w / 2)
    constant = log_gamma(v, _SHIFT) - 0.5 * math.log(4 * math.pi)
    power = w - (v - 0.5) * logarithm + constant
    # In halves: what the gamma function is divided by is large.
    half = jnp.exp(0.5 * power)
    value = half * ((even - odd) + recessive * (even + odd)) * (1 / rising(v, _SHIFT)) * half
    return value if jnp.iscomplexobj(z) else value.real
