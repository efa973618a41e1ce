"""Gauss's F(a, b; c; z) by JAX operations, of real numbers and complex ones.

By Taylor steps of its differential equation in 32 digits (`by_taylor.py`), which say how many
digits are left. Where F is a polynomial, or one times a power of 1 - z, that is summed where the
steps do not lead. In the plane steps in double precision come first: where two solutions with
steps of different lengths agree, digits are known, and they lead around z = 1 too
(`hypergeometric_equations.py`).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._hypergeometric.kernels import by_taylor, plain_series
from jaxsci.special._hypergeometric.kernels.integer_parameters import is_degree
from jaxsci.special._numerics.double_double import exactly
from jaxsci.special._numerics.few import where_wanted
from jaxsci.special._numerics.gamma_factors import (
    is_pole,
    quotient_of_gamma_quotients,
    reciprocal_gamma,
)
from jaxsci.special._numerics.hypergeometric_equations import gauss, paces, steps_of_gauss
from jaxsci.special._numerics.integers import is_integer
from jaxsci.special._numerics.plane import one_minus

_LARGEST = 100.0
"""Of parameters, beyond which there are no values."""
_FARTHEST = 1e12
_MOST_DEGREE = 400
_FAR = 3.0
"""From there on the terms of a polynomial hardly cancel."""
_FEW, _CLOSE = 20, 0.1
"""How many terms are summed next to z = 1, where steps may lose a polynomial."""
_LOST = 1e-14
_CHUNK = 1024
_LEAST_QUOTIENT = -5.0


def _gauss(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> Any:
    a, b, c, z = jnp.broadcast_arrays(a, b, c, z)
    value, known = plain_series.gauss(a, b, c, z)

    def by_steps(*at: jax.Array) -> tuple[jax.Array]:
        return (_by_steps(*at),)

    steps = steps_of_gauss(a, b, c, z, 1 - z)
    if jnp.iscomplexobj(z):
        wanted = ~known & ~is_pole(c) & (z != 1) & (jnp.abs(z) <= _FARTHEST)
        wanted = wanted & _are_moderate(a, b, c)
        value, known = where_wanted(
            wanted, _by_steps_in_double, (a, b, c, z), (value, known), _CHUNK, steps
        )
    return where_wanted(~known, by_steps, (a, b, c, z), (value,), _CHUNK, steps)[0]


def _by_steps_in_double(
    a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """F, and whether its digits are known."""
    value, other = gauss(a, b, c, z, one_minus(z), paces(z))
    return value, jnp.abs(value - other) <= _LOST * jnp.abs(value)


def _by_steps(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> Any:
    in_plane = jnp.iscomplexobj(z)
    size, rest = jnp.abs(z), one_minus(z)
    pole = is_pole(c)
    ends = jnp.zeros_like(pole)
    for t in (a, b):
        ends = ends | is_degree(t, _MOST_DEGREE) & (~pole | (t > c))
    # By DLMF 15.8.1 to where the series ends.
    less_first, less_second = exactly(c) - exactly(a), exactly(c) - exactly(b)
    turned = jnp.zeros_like(pole)
    for t in (less_first, less_second):
        turned = turned | is_degree(t.hi[0], _MOST_DEGREE) & (t.lo[0] == 0)
    last = less_first - exactly(b)
    exponent = last.hi[0]
    turned = turned & ~pole & (~ends | (exponent > 0))
    beyond = (z.imag == 0) & (z.real >= 1)
    rational = ends | turned & is_integer(exponent) & (last.lo[0] == 0)
    at_one = (z == 1) & ~ends
    known = (size <= _FARTHEST) & ~jnp.isnan(z) & (~beyond | rational) & ~at_one
    known = known & _are_moderate(a, b, c)
    # At a pole a power of 1 - z has a = c or b = c, as SciPy takes it.
    inside = (size < 1) | (z == -1)
    power = pole & (a == c) & ~ends & inside
    cut_short = pole & (b == c) & ~ends & inside
    infinite = pole & ~ends & ~power & ~cut_short
    known = known & ~infinite & ~power

    one = exactly(jnp.ones_like(a))
    first = less_first.where(turned, exactly(a)).where(known, one)
    second = less_second.where(turned, exactly(b)).where(known, one)
    few = is_degree(first.hi[0], _FEW) | is_degree(second.hi[0], _FEW)
    by_sum = beyond | (size > _FAR) | few & (jnp.abs(rest) < _CLOSE)
    whole = (ends | turned) & by_sum | cut_short
    at = jnp.where(known, z, 0.0)
    value, error = by_taylor.gauss(first, second, jnp.where(known, c, 1.0), at, whole, True)
    raised = jnp.where(power, -b, jnp.where(turned, exponent, 0.0))
    value = jnp.where(power, 1.0, value) * jnp.power(jnp.where(known | power, rest, 1.0), raised)
    value = jnp.where(known & (error <= _LOST) | power, value, jnp.nan)
    value = jnp.where(at_one & ~pole, _at_one(a, b, c, exponent), value)
    if not in_plane:
        infinite = infinite | (z > 1) & ~rational
    odd = (exponent <= -1) & (jnp.mod(exponent, 2) == 1) & (z.real > 1)
    infinity = jnp.where(odd, -jnp.inf, jnp.inf)
    numbers = ~jnp.isnan(a) & ~jnp.isnan(b) & ~jnp.isnan(c) & ~jnp.isnan(z)
    value = jnp.where(infinite & numbers, infinity, value)
    return jnp.where((z == 0) & numbers, 1.0, value)


def _are_moderate(a: jax.Array, b: jax.Array, c: jax.Array) -> jax.Array:
    return (jnp.abs(a) <= _LARGEST) & (jnp.abs(b) <= _LARGEST) & (jnp.abs(c) <= _LARGEST)


def _at_one(a: jax.Array, b: jax.Array, c: jax.Array, exponent: jax.Array) -> Any:
    """F(a, b; c; 1) (DLMF 15.4.20); infinities have the sign of those nearby (DLMF 15.4.23)."""
    finite = exponent > 0
    numbers = jnp.stack([c - a, c - b, c, exponent])
    factors, logarithms = reciprocal_gamma(jnp.where(finite, numbers, 1.0))
    logarithm = logarithms[0] + logarithms[1] - logarithms[2] - logarithms[3]
    general = jnp.exp(logarithm) * (factors[0] / factors[2]) * (factors[1] / factors[3])
    # By quotients that are near 1 for a small parameter.
    close = finite & jnp.all(numbers > _LEAST_QUOTIENT, 0)
    small, other = jnp.where(abs(a) < abs(b), a, b), jnp.where(abs(a) < abs(b), b, a)
    less, difference = (jnp.where(close, t, 1.0) for t in (c - small, c - small - other))
    quotient = quotient_of_gamma_quotients(less, difference, jnp.where(close, small, 0.0))
    value = jnp.where(close, quotient, general)
    known = _are_moderate(a, b, c)
    odd = (jnp.mod(jnp.ceil(-jnp.stack([a, b, c])), 2) == 1) & (jnp.stack([a, b, c]) < 0)
    negative = jnp.mod(jnp.sum(odd, 0), 2) == 1
    infinity = jnp.where(negative & (exponent <= -1), -jnp.inf, jnp.inf)
    return jnp.where(known, jnp.where(finite, value, infinity), jnp.nan)


hyp2f1 = device_kernel(ulps=60, conditioned=True)(_gauss)
hyp2f1_in_plane = device_kernel(ulps=60, conditioned=True)(_gauss)
