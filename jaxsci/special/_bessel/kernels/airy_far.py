"""Airy functions where SciPy has no values: z > 103, where Bi overflows, and |z| > 1.6e7.

The first terms of DLMF 9.7.5 to 9.7.12: as 2/3 |z|^(3/2) is above 690, few are all.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import airy_on_device as airy
from jaxsci.special._bessel.kernels.airy_scaled import U, V
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.polynomials import horner

_OVERFLOW, _VAST = 103.0, 1.6e7
_TERMS = 6
_U, _V = (c[:_TERMS].tolist() for c in (U, V))


def _right(x: jax.Array, root: jax.Array, scaled: bool) -> list[Any]:
    r = 1.5 / (x * root)
    quarter = jnp.sqrt(root)
    even, odd = 1 / (math.sqrt(math.pi) * quarter), quarter / math.sqrt(math.pi)
    values = [
        even / 2 * horner(_U, -r),
        -odd / 2 * horner(_V, -r),
        even * horner(_U, r),
        odd * horner(_V, r),
    ]
    if scaled:
        return values
    zeta = airy.zeta_of(x, root)
    decay = airy.decaying(zeta)
    below = [jnp.where(decay == 0, 0.0, value * decay) for value in values[:2]]
    return [*below, *(airy.grown(zeta, value) for value in values[2:])]


def _left(size: jax.Array, root: jax.Array) -> list[Any]:
    zeta = airy.zeta_of(size, root)
    # Of zeta - pi/4, by the C library: the kernel's own form takes longer to compile.
    of_whole, of_rest = (jnp.exp(1j * part) for part in zeta)
    turned = of_whole * of_rest * complex(math.sqrt(0.5), -math.sqrt(0.5))
    c, s = turned.real, turned.imag
    quarter = jnp.sqrt(root)
    even, odd = 1 / (math.sqrt(math.pi) * quarter), quarter / math.sqrt(math.pi)
    u, v = _U[1] / zeta.whole, _V[1] / zeta.whole
    return [even * (c + u * s), odd * (s - v * c), even * (u * c - s), odd * (c + v * s)]


def _values(x: jax.Array, scaled: bool) -> tuple[jax.Array, ...]:
    right = jnp.clip(x, _OVERFLOW, 1e300 if scaled else 2 * _OVERFLOW)
    left = jnp.maximum(-x, _VAST)
    ahead = _right(right, jnp.sqrt(right), scaled)
    behind = _left(left, jnp.sqrt(left))
    if scaled:
        behind[:2] = [jnp.full_like(x, jnp.nan)] * 2
    values = (jnp.where(x > 0, a, b) for a, b in zip(ahead, behind, strict=True))
    return airy.with_limits(x, list(values), scaled)


def repair(*, scaled: bool) -> Repair:
    """Of `airy`, or of `airye`, of real numbers."""
    words = f"|z| > {_VAST:g}"
    return Repair(
        words if scaled else f"z > {_OVERFLOW:g} or {words}",
        lambda ys, z: (jnp.abs(z) > _VAST) | ((z > _OVERFLOW) & (not scaled)),
        lambda ys, z: _values(z, scaled),
        results=(0, 1, 2, 3),
        costly=True,
    )
