"""Integrals over one tail of a beta distribution, by Gauss quadrature.

In the variable v = ln(t/(1-t)) the beta density, times dt/dv, is t^a (1-t)^b / B(a, b). Beside its
value at v = ln(x/q), where q = 1 - x, it is exp(a A + b B) with the distances

    A = ln(t/x),    B = ln((1-t)/q),

of which both keep their digits, so no prefactor depends on the node, and large shapes cancel
nothing. With v - c = sinh(u) the integrand is analytic for |Im u| < pi/2 however slowly it falls,
and falls doubly exponentially: one Gauss-Legendre rule from ln(x/q) to where the density has
fallen by exp(-50) suits all shapes. 48 nodes give 1e-15, from 1e-4 to 1e7; 64 leave room for
polynomial factors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._incomplete.kernels.beta_scores import log_beside
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.gauss_legendre import gauss_legendre

_NODES = 64
_AT_ONCE = 4
_FALL = 50.0
_NEWTON = 12
_OVERFLOW = 700.0


def tail_integral(
    a: jax.Array,
    b: jax.Array,
    x: jax.Array,
    q: jax.Array,
    upper: jax.Array,
    weight: Callable[[Any, Any], Any],
) -> jax.Array:
    """Integral of exp(a A + b B) weight(A, B) dv from v = -inf to ln(x/q), for a, b > 0.

    Args:
        a: a shape.
        b: the other one.
        x: in [0, 1).
        q: 1 - x.
        upper: where it is true, minus the integral from ln(x/q) to inf stands in its place.
        weight: of the distances A and B; it grows no faster than their powers.
    """
    return tail_integral_at(a, b, x, q, jnp.log(x) - jnp.log(q), upper, weight)


def tail_integral_at(
    a: jax.Array,
    b: jax.Array,
    x: jax.Array,
    q: jax.Array,
    odds: jax.Array,
    upper: jax.Array,
    weight: Callable[[Any, Any], Any],
) -> jax.Array:
    """`tail_integral` where ln(x/q) is known too, so x or q may have underflowed."""
    # The upper tail is the lower one of the other shape.
    a, b = jnp.where(upper, b, a), jnp.where(upper, a, b)
    x, q = jnp.where(upper, q, x), jnp.where(upper, x, q)
    odds = jnp.where(upper, -odds, odds)
    length = _length(a, b, x, q)
    # The density bends near there, over 1 or less.
    start = odds - jnp.log((1 + a) / (1 + b))
    span = jnp.arcsinh(start) - jnp.arcsinh(start - length)
    # Exp(u) of u = arcsinh(start).
    size = jnp.abs(start) + jnp.hypot(1.0, start)
    grown = jnp.where(start < 0, 1 / size, size)
    shape = (-1, _AT_ONCE) + (1,) * jnp.ndim(span)
    nodes, weights = (jnp.asarray(z).reshape(shape) for z in gauss_legendre(_NODES))

    def add(k: jax.Array, total: jax.Array) -> jax.Array:
        # Half way to the node from u, all by one exponential.
        excess = jnp.expm1(span * (nodes[k] / 2))
        factor = 1 + excess
        rising, falling = factor / grown, grown / factor
        y = (rising + falling) * (excess + excess / factor) / 2
        to_x, to_q, _ = _distances(x, q, y)
        slope = (rising * factor + falling / factor) / 2
        density = jnp.exp(a * to_x + b * to_q) * weights[k] * slope
        value = weight(jnp.where(upper, to_q, to_x), jnp.where(upper, to_x, to_q))
        return total + folded.total(density * value)

    total = jax.lax.fori_loop(0, _NODES // _AT_ONCE, add, jnp.zeros_like(span))
    return jnp.where(upper, -1.0, 1.0) * span * total


def _length(a: jax.Array, b: jax.Array, x: jax.Array, q: jax.Array) -> jax.Array:
    """How far below ln(x/q) the density has fallen by exp(-_FALL), or a little farther.

    The logarithm of the density is concave: Newton's method comes nearer from beyond.
    """

    def nearer(_: jax.Array, y: jax.Array) -> jax.Array:
        to_x, to_q, decay = _distances(x, q, y)
        fallen = -(a * to_x + b * to_q) - _FALL
        slope = (a * q - b * x * decay) / (q + x * decay)
        usable = (fallen > 0) & (slope > 0)
        return jnp.where(usable, y - fallen / jnp.where(usable, slope, 1.0), y)

    # It falls by a y at least, but for what (1-t)^(a+b) has grown by.
    enough = (_FALL - (a + b) * log_beside(jnp.maximum(q, 1e-300), x)) / a
    return jax.lax.fori_loop(0, _NEWTON, nearer, enough)


def _distances(x: jax.Array, q: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Ln(t/x) and ln((1-t)/q), where ln(t/(1-t)) is y below ln(x/q), and exp(-y)."""
    excess, decay = jnp.expm1(-y), jnp.exp(-y)
    grown = x * excess
    # XLA computes log1p to 2e-14 only near -0.4, and near -1 the sum would cancel.
    near = grown > -0.25
    far = jnp.log(jnp.where(near, 1.0, q + x * decay))
    to_q = -jnp.where(near, jnp.log1p(jnp.where(near, grown, 0.0)), far)
    huge = y > _OVERFLOW
    to_x = -jnp.log1p(-q * (jnp.where(huge, 0.0, excess) / jnp.where(huge, 1.0, decay)))
    return jnp.where(huge, to_q - y, to_x), to_q, decay
