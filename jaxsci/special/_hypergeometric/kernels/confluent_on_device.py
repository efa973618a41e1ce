"""Kummer's M(a, b, x) by JAX operations, of real numbers and complex ones.

By Taylor steps of its differential equation in 32 digits (`by_taylor.py`), which say how many
digits are left, and far out by the expansions for large x (DLMF 13.7.2).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._hypergeometric.kernels import by_taylor, plain_series
from jaxsci.special._hypergeometric.kernels.confluent_in_parameters import (
    gamma_quotient_at,
    sums_far_out,
)
from jaxsci.special._hypergeometric.kernels.integer_parameters import is_degree
from jaxsci.special._numerics.double_double import exactly
from jaxsci.special._numerics.few import where_wanted
from jaxsci.special._numerics.gamma_factors import is_pole, reciprocal_gamma
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi, cosine_of_pi
from jaxsci.special._numerics.hypergeometric_equations import steps_of_kummer

_LARGEST = 100.0
"""Of parameters, beyond which there are no values."""
_FARTHEST = 2000.0
"""For Taylor steps."""
_MOST_DEGREE = 400
_FAR = 40.0
_TERMS = 60
_LOST = 1e-14
_CHUNK = 1024
_LEAST = 0.5
"""Of a, for b - a to have the digits of it in 32."""


def _kummer(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    a, b, x = jnp.broadcast_arrays(a, b, x)
    value, known = plain_series.kummer(a, b, x)

    def by_steps(*at: jax.Array) -> tuple[jax.Array]:
        return (_by_steps(*at),)

    return where_wanted(~known, by_steps, (a, b, x), (value,), _CHUNK, steps_of_kummer(a, b, x))[0]


def _by_steps(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    size = jnp.abs(x)
    pole = is_pole(b)
    ends = is_degree(a, _MOST_DEGREE) & (~pole | (a >= b) & (a < 0))
    if jnp.iscomplexobj(x):
        ends = ends & ~pole
    known = (jnp.abs(a) <= _LARGEST) & (jnp.abs(b) <= _LARGEST) & (size < jnp.inf)
    known = known & (ends | ~pole)
    far = known & ~ends & is_far_out(a, b, x)
    near = known & ~far & (ends | (size <= _FARTHEST))

    # By DLMF 13.2.39 to where nothing overflows, or where the series ends.
    difference = exactly(b) - exactly(a)
    exact = difference.lo[0] == 0
    other_ends = ~ends & exact & is_degree(b - a, _MOST_DEGREE)
    turned = other_ends | ~ends & (x.real > 0) & (jnp.abs(a) > _LEAST)
    above = difference.where(turned, exactly(a))
    above = above.where(near, exactly(jnp.ones_like(a)))
    at = jnp.where(near, jnp.where(turned, -x, x), 0.0)
    whole = (ends | other_ends) & (size > _FAR + 2 * _sizes(a, b)[0])
    value, error = by_taylor.kummer(above, jnp.where(near, b, 1.0), at, whole, True)
    good = near & (error <= _LOST)
    # The product may be a number where one factor is none.
    half = jnp.where(turned, jnp.exp(x / 2), 1.0)
    value = jnp.where(good, half * value * half, jnp.nan)
    outer = far_out(*(jnp.where(far, t, other) for t, other in ((a, 1.5), (b, 1.0), (x, 90.0))))
    value = jnp.where(far, outer, value)
    infinite = pole & ~ends & ~jnp.isnan(a) & ~jnp.isnan(x)
    return jnp.where(infinite, jnp.inf, value)


def _sizes(a: jax.Array, b: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The sum and the product of what the parameters of both expansions reach."""
    p, q = 1 + jnp.abs(a), 1 + jnp.abs(b - a)
    return p + q, p * q


def is_far_out(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """Whether the expansions for large |x| have all digits."""
    total, product = _sizes(a, b)
    return jnp.abs(x) >= _FAR + 2 * total + product


def far_out(a: jax.Array, b: jax.Array, x: jax.Array) -> Any:
    """M by the expansions for large |x|, of real x by the real parts of both."""
    total, of_other = sums_far_out(a, b, x)
    factors, logarithms = reciprocal_gamma(jnp.stack([a, b, b - a]))
    of_a, of_b, of_rest = zip(factors, logarithms, strict=True)
    of_growing, first = of_a[0] / of_b[0], of_a[1] - of_b[1]
    log = jnp.log(x if jnp.iscomplexobj(x) else jnp.abs(x))
    c, s = cosine_and_sine_of_pi(a)
    if jnp.iscomplexobj(x):
        turn: Any = jax.lax.complex(c, jnp.where(x.imag < 0, -s, s))
    else:
        other_turn = cosine_of_pi(b - a)
        turn = jnp.where(x > 0, c, 1.0)
        of_growing = of_growing * jnp.where(x > 0, 1.0, other_turn)
    # What is infinite may have the factor 0, or another that makes it a number.
    half = jnp.exp((first + x + (a - b) * log) / 2)
    growing = jnp.where(of_growing == 0, 0.0, half * (of_growing * total) * half)
    root = jnp.exp(-a * log / 2)
    algebraic = root * (gamma_quotient_at(a, b, of_b, of_rest) * of_other) * root
    return growing + turn * algebraic


hyp1f1 = device_kernel(ulps=60, conditioned=True)(_kummer)
hyp1f1_in_plane = device_kernel(ulps=60, conditioned=True)(_kummer)
