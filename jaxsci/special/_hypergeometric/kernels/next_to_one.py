"""Gauss's function next to z = 1, where c - a - b is an integer but for rounding.

So it is for numbers of few decimals. With m = c - a - b >= 0 (DLMF 15.8.10) and w = 1 - z,

    F(a, b; c; z)/Gamma(c) = sum over k < m of (a)_k (b)_k (m - k - 1)!/k! (-w)^k
        / (Gamma(a + m) Gamma(b + m)) - (-w)^m/(Gamma(a) Gamma(b)) sum over k >= 0 of
        (a + m)_k (b + m)_k/(k! (k + m)!) w^k
        (ln w - psi(k + 1) - psi(k + m + 1) + psi(a + k + m) + psi(b + k + m)),

and for m < 0 the function is w^m times that of c - a and c - b (DLMF 15.8.1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.gamma_factors import distance_to_pole, sign_and_log_gamma
from jaxsci.special._numerics.integers import distance_to_integer

_FROM = 0.9
"""The least z."""
_WHOLE = 1e-14
"""By how much c - a - b may differ from an integer."""
_MOST, _TERMS = 16, 40
"""The largest m, and how many terms of the second sum are added."""
_NEAR_POLE = 1e-2
_EULER = 0.5772156649015329
_LOST = 2.0**-48
_ROUNDING = 2.0**-52
_FACTORIALS = tuple(float(math.factorial(k)) for k in range(_MOST + 1))


def is_next_to_one(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> jax.Array:
    """Where `gauss` is meant for real arguments."""
    difference = c - a - b
    whole = distance_to_integer(difference) <= _WHOLE
    return (z > _FROM) & (z < 1) & whole & (jnp.abs(difference) < _MOST + 0.5)


def gauss(a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array) -> tuple[jax.Array, jax.Array]:
    """F(a, b; c; z), and its relative error, about; infinite where it may have no digits."""
    w = 1 - z
    difference = c - a - b
    rounding = distance_to_integer(difference) + _ROUNDING * (jnp.abs(a) + jnp.abs(b) + jnp.abs(c))
    turned = jnp.round(difference) < 0
    front = jnp.where(turned, jnp.power(w, difference), 1.0)
    a, b = jnp.where(turned, c - a, a), jnp.where(turned, c - b, b)
    m = jnp.minimum(jnp.abs(jnp.round(difference)), float(_MOST))
    top, other = a + m, b + m
    factorials = jnp.array(_FACTORIALS)
    place = m.astype(int)

    def add_power(k: jax.Array, state: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        term, total, size = state
        here = jnp.where(k < m, term, 0.0)
        step = -w * (a + k) * (b + k) / ((k + 1.0) * jnp.maximum(m - k - 1.0, 1.0))
        return term * step, total + here, size + jnp.abs(here)

    zero = jnp.zeros_like(w)
    start = factorials[jnp.maximum(place - 1, 0)], zero, zero
    _, finite, size_of_finite = jax.lax.fori_loop(0, _MOST, add_power, start)

    def add_logarithm(k: jax.Array, state: Sequence[jax.Array]) -> tuple[jax.Array, ...]:
        term, bracket, total, size, _ = state
        here = term * bracket
        step = w * (top + k) * (other + k) / ((k + 1.0) * (k + m + 1.0))
        change = 1 / (top + k) + 1 / (other + k) - 1 / (k + 1.0) - 1 / (k + m + 1.0)
        return term * step, bracket + change, total + here, size + jnp.abs(here), jnp.abs(here)

    log = jnp.log(w)
    psi = jax.lax.digamma(jnp.stack([m + 1, top, other]))
    bracket = log + _EULER - psi[0] + psi[1] + psi[2]
    first = jnp.where(m % 2 == 0, -1.0, 1.0) * jnp.power(w, m) / factorials[place]
    state = first, bracket, zero, zero, zero
    _, _, endless, size_of_endless, last = jax.lax.fori_loop(0, _TERMS, add_logarithm, state)

    numbers = jnp.stack([c, top, other, a, b])
    signs, logarithms = sign_and_log_gamma(numbers)
    of_finite, of_endless = (
        signs[0]
        * signs[i]
        * signs[i + 1]
        * jnp.exp(logarithms[0] - logarithms[i] - logarithms[i + 1])
        for i in (1, 3)
    )
    value = of_finite * finite + of_endless * endless
    size = jnp.abs(of_finite) * size_of_finite + jnp.abs(of_endless) * size_of_endless
    lost = (_LOST + rounding) * (1 + jnp.abs(log)) * size + jnp.abs(of_endless) * last
    to_pole = jnp.minimum(distance_to_pole(top), distance_to_pole(other))
    known = (to_pole > _NEAR_POLE) & jnp.isfinite(front)
    error = jnp.where(known, lost / jnp.abs(value), jnp.inf)
    return front * value, jnp.where(error >= 0, error, jnp.inf)
