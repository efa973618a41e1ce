"""0F1(; v; z) of large v, where SciPy takes a gamma function of v that overflows.

It is Gamma(v) z^((1-v)/2) I_(v-1)(2 sqrt(z)) (DLMF 10.39.9). In the uniform expansion of that (DLMF
10.41.3) everything large cancels beforehand.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.mending import by_own
from jaxsci.special._gamma.kernels.gamma_tables import GAMMA_SCALED
from jaxsci.special._numerics.elementary import log1p
from jaxsci.special._numerics.polynomials import horner

_FROM = 165.0
_LEAST_ROOT = 0.6
"""The expansion is one in powers of 1/(v s^3) too, and s is 0 at the turning point."""
_TERMS = 13


@functools.cache
def _debye() -> list[tuple[float, ...]]:
    """U_k(p)/p^k as polynomials in p^2 (DLMF 10.41.9)."""
    u = [Fraction(1)]  # of U_k, by powers of p
    found = []
    for k in range(_TERMS):
        found.append(tuple(float(c) for c in u[k::2]))
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
    square = 4 * z / order**2
    root = jnp.sqrt(1 + square)
    served = served & (root.real >= _LEAST_ROOT)
    root = jnp.where(served, root, 1.0)
    more = jnp.where(served, square, 0.0) / (1 + root)
    p = 1 / root
    total: Any = 0.0
    for k, coefficients in reversed(list(enumerate(_debye()))):
        total = total + horner(coefficients, p * p) * (p / order) ** k
    half = jnp.exp(order / 2 * (more - _log1p(more / 2)))
    scale = GAMMA_SCALED(1 / order) / math.sqrt(2 * math.pi)
    return jnp.where(served, half * (scale * total / jnp.sqrt(root)) * half, jnp.nan)


REPAIR = by_own(
    "v > 165 and Re sqrt(1 + 4z/(v - 1)^2) > 0.6",
    lambda v, z: v > _FROM,
    limit_of_large_parameter,
    of="all",
)
