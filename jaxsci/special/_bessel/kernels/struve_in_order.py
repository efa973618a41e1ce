"""Struve functions H_v and L_v, x > 0, as JAX operations that are differentiable in the order.

Near x = 0 by their power series (DLMF 11.2.1, 11.2.2), summed from the end: with w = v + 3/2 and
b_k = (w + k) (w + k + 1) ... (w + n - 1),

    q_k = b_k -+ (x/2)^2/(k + 3/2) q_(k+1),

and the function is (x/2)^(v+1) q_0/(Gamma(3/2) Gamma(w + n)). So the zeros of 1/Gamma need no care.
Farther out (DLMF 11.5.2, 11.2.5)

    H_v(x) - Y_v(x) = 2 (x/2)^v/(sqrt(pi) Gamma(v + 1/2))
                      times the integral of exp(-x sinh s) cosh(s)^(2v) ds

over s > 0: a positive integrand. Y_v is the imaginary part of (DLMF 10.9.21, turned)

    sqrt(2/(pi x)) exp(i (x - v pi/2 - pi/4))/Gamma(v + 1/2)
        times the integral of exp(-u) u^(v-1/2) (1 + i u/(2 x))^(v-1/2) du over u > 0,

for v >= 0, and with a factor exp(-i pi v) and -v for v otherwise (DLMF 10.4.6). By
log(u) = t - exp(-t) the trapezoidal rule converges doubly exponentially.

All terms of L_v but the first few, for v < -3/2, are positive. Far from 0 and for small orders the
derivative in the order is much smaller than L_v, as it is for I_v, which is even but for something
negligible; there I_v is by DLMF 10.32.4, and (DLMF 11.5.4)

    I_v(x) - L_v(x) = 2 (x/2)^v/(sqrt(pi) Gamma(v + 1/2))
                      times the integral of exp(-x cos(t)) sin(t)^(2v) dt over t from 0 to pi/2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._numerics.gamma_factors import log_gamma
from jaxsci.special._numerics.gauss_legendre import gauss_legendre

LOWEST, HIGHEST = -50.0, 200.0
"""The orders where these functions are known."""
OVERFLOW = 800.0
"""Beyond this argument L_v is infinite for all of them, and its series has terms without end."""
_TERMS = 80
_NODES = 40
_PANELS = 4
_FALL = 42.0
_SHIFT = 12
_LOW = -4.5
_STEPS = 110
_ENDS_STEP = 1 / 32
_ENDS_STEPS = 128
_BISECTIONS = 45
_BIG = 1e100


def _series(v: jax.Array, x: jax.Array, sign: int, terms: Any) -> tuple[Any, Any]:
    """The power series over exp(scale), and the scale."""
    w = v + 1.5
    square = sign * x * x / 4
    last = jnp.max(terms, initial=0.0)

    def step(state: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        k, b, q, scale = state
        active = k < terms
        b_below = (w + k) * b
        q_below = b_below + square / (k + 1.5) * q
        size = jax.lax.stop_gradient(jnp.maximum(jnp.abs(b_below), jnp.abs(q_below)))
        by = jnp.where(size > _BIG, 1 / _BIG, 1.0)
        return (
            k - 1,
            jnp.where(active, b_below * by, b),
            jnp.where(active, q_below * by, q),
            jnp.where(active & (size > _BIG), scale + math.log(_BIG), scale),
        )

    one = jnp.ones_like(w * x)
    state = (last - 1, one, one, 0 * one)
    _, _, q, scale = jax.lax.while_loop(lambda state: state[0] >= 0, step, state)
    power = (v + 1) * jnp.log(x / 2) - log_gamma(w + terms) + scale
    return q / math.gamma(1.5), power


def struve_of_order(v: jax.Array, x: jax.Array) -> jax.Array:
    """H_v(x)."""
    fixed = jax.lax.stop_gradient(v)
    near = x < 3 + 0.75 * jnp.maximum(fixed, 0.0)
    total, power = _series(v, jnp.where(near, x, 1.0), -1, jnp.full_like(x, float(_TERMS)))
    beyond = jnp.where(near, 300.0, x)
    far = _second_kind(v, beyond) + _difference(v, beyond)
    return jnp.where(near, jnp.exp(power) * total, far)


def _second_kind(v: jax.Array, x: jax.Array) -> Any:
    """Y_v(x)."""
    negative = v < 0
    size = jnp.where(negative, -v, v)
    logarithm = log_gamma(size + 0.5, _SHIFT)
    for j in range(_SHIFT):
        logarithm = logarithm - jnp.log(size + 0.5 + j)
    fixed = jax.lax.stop_gradient(size)
    high = jnp.log(fixed + 60 + 10 * jnp.sqrt(fixed))
    step = (high - _LOW) / _STEPS

    def add(k: Any, sums: jax.Array) -> tuple[jax.Array, jax.Array]:
        t = _LOW + step * k
        power = t - jnp.exp(-t)
        u = jnp.exp(power)
        turned = u / (2 * x)
        size_of = (size - 0.5) * (power + jnp.log1p(turned * turned) / 2) + power - u - logarithm
        weight = jnp.exp(size_of) * (1 + jnp.exp(-t))
        angle = (size - 0.5) * jnp.arctan(turned)
        return sums[0] + weight * jnp.cos(angle), sums[1] + weight * jnp.sin(angle)

    zero = jnp.zeros_like(size * x)
    along, across = jax.lax.fori_loop(0, _STEPS + 1, add, (zero, zero))
    # The phase is x less this, in half turns.
    part = jnp.where(negative, -size, size) / 2 + 0.25
    part = part - jax.lax.stop_gradient(2 * jnp.round(part / 2))
    c, s = jnp.cos(math.pi * part), jnp.sin(math.pi * part)
    sine, cosine = jnp.sin(x) * c - jnp.cos(x) * s, jnp.cos(x) * c + jnp.sin(x) * s
    return jnp.sqrt(2 / (math.pi * x)) * step * (along * sine + across * cosine)


def _difference(v: jax.Array, x: jax.Array) -> Any:
    """H_v(x) - Y_v(x) by its integral."""
    total, most = integral_of_difference(v, x)
    w = v + 0.5
    product = jax.lax.fori_loop(0, _TERMS, lambda j, p: p * (w + j), jnp.ones_like(v * x))
    power = v * jnp.log(x / 2) - log_gamma(w + _TERMS) + most
    return 2 / math.sqrt(math.pi) * jnp.exp(power) * product * total


def integral_of_difference(v: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """The integral of exp(-x sinh s) cosh(s)^(2v) over exp(scale), and the scale."""
    fixed = jax.lax.stop_gradient(v)

    def exponent(v: jax.Array, s: jax.Array) -> jax.Array:
        t = jnp.sinh(s)
        return v * jnp.log1p(t * t) - x * t

    peak = (fixed + jnp.sqrt(jnp.maximum(fixed * fixed - x * x, 0.0))) / x
    most = jnp.maximum(0.0, exponent(fixed, jnp.arcsinh(jnp.maximum(peak, 0.0))))
    upper = jnp.maximum(fixed, 0.0)

    def halve(_: jax.Array, ends: Sequence[jax.Array]) -> tuple[jax.Array, jax.Array]:
        low, high = ends
        middle = (low + high) / 2
        left = exponent(fixed, middle) > most - _FALL
        return jnp.where(left, middle, low), jnp.where(left, high, middle)

    ends = jnp.arcsinh(2 * upper / x), jnp.arcsinh((20 * upper + 60) / x)
    end = jax.lax.fori_loop(0, _BISECTIONS, halve, ends)[1]
    nodes, weights = map(jnp.asarray, gauss_legendre(_NODES))

    def add(k: Any, total: PyTree) -> Any:
        panel, i = k // _NODES, k % _NODES
        s = end * (panel + nodes[i]) / _PANELS
        return total + weights[i] * jnp.exp(exponent(v, s) - most)

    total = jax.lax.fori_loop(0, _NODES * _PANELS, add, jnp.zeros_like(v * x))
    return total * end / _PANELS, most


def modstruve_by(modstruve: Callable[..., Any]) -> Callable[..., Any]:
    """L_v(x), from SciPy's values where they are large."""

    def modstruve_of_order(v: jax.Array, x: jax.Array) -> Any:
        fixed = jax.lax.stop_gradient(v)
        far = x > 20
        terms = jnp.ceil(_TERMS + jnp.where(far, 0.5 * x + 6 * jnp.sqrt(x), 0.0))
        total, power = _series(v, x, 1, terms)
        # The power is large there, and would lose digits.
        relative = power - jax.lax.stop_gradient(power)
        scale = modstruve(fixed, x) / jax.lax.stop_gradient(total)
        return total * jnp.where(
            far, scale * jnp.exp(relative), jnp.exp(jnp.where(far, 0.0, power))
        )

    return modstruve_of_order


def is_nearly_even(v: jax.Array, x: jax.Array) -> jax.Array:
    """Where L_v is taken from I_v."""
    return (jnp.abs(v) < 0.25) & (x > 8)


def nearly_even(v: jax.Array, x: jax.Array) -> Any:
    """L_v(x) for |v| < 1/2 and x > 8; differentiable in x too."""
    return _modified(v, x) + _modified_difference(v, x)


def _modified(v: jax.Array, x: jax.Array) -> Any:
    """I_v(x) (DLMF 10.32.4), whose two integrals are even in v and not."""
    fixed = jax.lax.stop_gradient(x)
    end = jnp.minimum(math.pi, 1.2 * jnp.sqrt(2 * _FALL / fixed))
    far = jnp.arccosh(1 + _FALL / fixed)
    nodes, weights = map(jnp.asarray, gauss_legendre(_NODES))

    def add(i: Any, sums: jax.Array) -> tuple[jax.Array, jax.Array]:
        part = nodes[i]
        angle, t = end * part, far * part
        even = jnp.exp(-2 * x * jnp.sin(angle / 2) ** 2) * jnp.cos(v * angle)
        other = jnp.exp(-x * jnp.cosh(t) - v * t)
        return sums[0] + weights[i] * even, sums[1] + weights[i] * other

    zero = jnp.zeros_like(v * x)
    even, other = jax.lax.fori_loop(0, _NODES, add, (zero, zero))
    return jnp.exp(x) * end * even / math.pi - jnp.sin(math.pi * v) / math.pi * far * other


def _modified_difference(v: jax.Array, x: jax.Array) -> Any:
    """L_v(x) - I_v(x)."""

    def add(k: Any, total: PyTree) -> Any:
        t = (k - _ENDS_STEPS) * _ENDS_STEP
        grown = math.pi * jnp.sinh(t)
        low, high = 1 / (1 + jnp.exp(-grown)), 1 / (1 + jnp.exp(grown))
        weight = low * high * jnp.cosh(t)
        sine = jnp.where(t < 0, jnp.sin(math.pi / 2 * low), jnp.cos(math.pi / 2 * high))
        cosine = jnp.where(t < 0, jnp.cos(math.pi / 2 * low), jnp.sin(math.pi / 2 * high))
        return total + weight * jnp.exp(2 * v * jnp.log(sine) - x * cosine)

    total = jax.lax.fori_loop(0, 2 * _ENDS_STEPS + 1, add, jnp.zeros_like(v * x))
    factor = jnp.exp(v * jnp.log(x / 2) - log_gamma(v + 0.5, _SHIFT))
    for j in range(_SHIFT):
        factor = factor * (v + 0.5 + j)
    return -math.pi * math.sqrt(math.pi) * _ENDS_STEP * factor * total
