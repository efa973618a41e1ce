"""0F1(; v; z) of large v, where SciPy takes a gamma function of v that overflows, or far below 0.

It is Gamma(v) z^((1-v)/2) I_(v-1)(2 sqrt(z)) (DLMF 10.39.9). In the uniform expansion of that (DLMF
10.41.3) everything large cancels beforehand. Of negative orders I is a sum of I and K of positive
ones (DLMF 10.27.2), which are added at the end.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._catalog.mending import by_own
from jaxsci.special._gamma.kernels.gamma_tables import GAMMA_SCALED
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.half_turns import cosine_and_sine_of_pi
from jaxsci.special._numerics.plane import over, square_root
from jaxsci.special._numerics.polynomials import horner
from jaxsci.special._numerics.vectorised import root_as_divisor

_FROM = 165.0
_LEAST_ROOT = 0.6
"""The expansion is one in powers of 1/(v s^3) too, and s is 0 at the turning point."""
_TERMS = 13
_LEAST_APART = 48.0
"""(12!/2 pi)/48^13 is 1e-14."""


@functools.cache
def _debye() -> np.ndarray:
    """U_k(p)/p^k as polynomials in p^2, in rows of equal length (DLMF 10.41.9)."""
    u = [Fraction(1)]  # of U_k, by powers of p
    found = np.zeros((_TERMS, _TERMS))
    for k in range(_TERMS):
        found[k, : k + 1] = [float(c) for c in u[k::2]]
        after = [Fraction(0)] * (len(u) + 3)
        for i, c in enumerate(u):
            after[i + 1] += c * (Fraction(i, 2) + Fraction(1, 8 * (i + 1)))
            after[i + 3] -= c * (Fraction(i, 2) + Fraction(5, 8 * (i + 3)))
        u = after
    return found


def _log1p(x: jax.Array) -> jax.Array:
    return jnp.log1p(x) if jnp.iscomplexobj(x) else log1p(x)


def limit_of_large_parameter(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z) for v > 165, and NaN next to the cut from -v^2/4 to -infinity."""
    served = v > _FROM
    order = jnp.where(served, v, 2 * _FROM) - 1
    square = over(4 * z, order**2)
    root = square_root(1 + square)
    served = served & (root.real >= _LEAST_ROOT)
    root = jnp.where(served, root, 1.0)
    more = over(jnp.where(served, square, 0.0), 1 + root)
    half = jnp.exp(order / 2 * (more - _log1p(more / 2)))
    total, _ = _expansions(over(1.0, root), order)
    divisor = square_root(root) if jnp.iscomplexobj(root) else root_as_divisor(root)
    return jnp.where(served, half * over(_scale(order) * total, divisor) * half, jnp.nan)


def serves_far_below(v: jax.Array, z: jax.Array) -> jax.Array:
    """Where `limit_far_below` is good, of v < -19: where the terms left out are small.

    They grow as (k - 1)!/(2 |s| order)^k; exp(2 s order) is the ratio of I and K, or J and Y.
    """
    order = 1 - v
    root = square_root(1 + over(4 * z.astype(complex), order**2))
    apart = 0.5 * (jnp.log(1 + root) - jnp.log(1 - root)) - root
    return (2 * jnp.abs(apart) * order >= _LEAST_APART) & (root.real >= 0.5 * _LEAST_ROOT)


def limit_far_below(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z) for v < -19, no integer, and z not 0 and off the cut from -v^2/4 to -infinity.

    On the rest of the negative axis it is the mean of its limits from both sides, in the powers of
    z that have two.
    """
    order = 1 - v
    square = over(4 * z, order**2)
    cosine, sine = cosine_and_sine_of_pi(v - 1)
    mirrored = (square.real < 0) & (square.imag == 0)
    size = jnp.where(mirrored, -square, square)
    share = jnp.where(mirrored, cosine, 1.0) / (-2 * sine)
    root = square_root(1 + square)
    more = over(square, 1 + root)
    exponent = more - _log1p(more / 2)
    sum_of_i, sum_of_k = _expansions(over(1.0, root), order)
    of_k = jnp.exp(-order * exponent) * sum_of_k
    # In halves: what the sine, the square root and the gamma function make of it may be less.
    half = jnp.exp(order / 2 * (jnp.log(size) + (2 - math.log(4)) + exponent))
    of_i = half * (sum_of_i * share) * half
    return over(of_k + of_i, _scale(order) * square_root(root))


def _expansions(p: jax.Array, order: jax.Array) -> tuple[Any, Any]:
    """The sums of U_k(p) order^-k and of U_k(p) (-order)^-k: those of I and K."""
    quotient, square = over(p, order), p * p

    def inwards(sums: tuple[jax.Array, jax.Array], row: jax.Array) -> Any:
        here = horner(list(row), square)
        return (sums[0] * quotient + here, here - sums[1] * quotient), None

    # In a loop, for all of it would take seconds to compile.
    zero = jnp.zeros_like(quotient * square)
    sums, _ = jax.lax.scan(inwards, (zero, zero), jnp.asarray(_debye()[::-1]))
    return sums


def _scale(order: jax.Array) -> jax.Array:
    """Gamma(order + 1) over the leading term of Stirling's formula."""
    return GAMMA_SCALED(1 / order) / math.sqrt(2 * math.pi)


def _short_sum(v: jax.Array, z: jax.Array) -> jax.Array:
    """0F1(; v; z) of v > 80 and |z| < v (DLMF 16.2.1), NaN elsewhere."""
    served = (v > _SHORT_FROM) & (jnp.abs(z) < v)
    v, z = jnp.where(served, v, _SHORT_FROM), jnp.where(served, z, 0.0)

    def inwards(j: jax.Array, total: jax.Array) -> jax.Array:
        k = _SHORT - j
        return 1 + over(total * z, k * (v + (k - 1)))

    total = jax.lax.fori_loop(0, _SHORT, inwards, jnp.ones_like(v * z))
    return jnp.where(served, total, jnp.nan)


def _own_in_plane(v: jax.Array, z: jax.Array) -> jax.Array:
    return jnp.where(v > _FROM, limit_of_large_parameter(v, z), _short_sum(v, z))


_SHORT_FROM, _SHORT = 80.0, 20
REPAIR = by_own(
    "v > 165 and Re sqrt(1 + 4z/(v - 1)^2) > 0.6, or z is complex, v > 80 and |z| < v",
    lambda v, z: v > (_SHORT_FROM if jnp.iscomplexobj(z) else _FROM),
    limit_of_large_parameter,
    _own_in_plane,
    of="all",
)
