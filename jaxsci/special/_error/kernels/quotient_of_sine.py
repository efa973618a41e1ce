"""Derivatives of every order of sin(x)/x and sinh(x)/x."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci.special._numerics.polynomials import horner

_TERMS = 14


@tower("differentiated term by term", x="n")
def quotient_of_sine(x: jax.Array, *, n: int, sign: int) -> jax.Array:
    """d^n/dx^n of sin(x)/x (sign -1) or of sinh(x)/x (sign 1).

    Near 0 by the power series; further out f_n = (sin^(n)(x) - n f_(n-1))/x, or so with sinh.
    """
    near = jnp.abs(x) < n + 2.0
    inside, outside = jnp.where(near, x, 0.0), jnp.where(near, n + 2.0, x)
    first = (n + 1) // 2
    coefficients = [
        sign**j / ((2 * j + 1) * math.factorial(2 * j - n))
        for j in range(first, first + _TERMS + n)
    ]
    series = horner(coefficients, inside * inside) * (inside if n % 2 else 1.0)
    odd, even = (jnp.sinh, jnp.cosh) if sign > 0 else (jnp.sin, jnp.cos)
    s, c = odd(outside), even(outside)

    def next_one(below: jax.Array, k: int) -> Any:
        turned = sign ** (k // 2) * (c if k % 2 else s)
        return (turned - k * below) / outside

    value = functools.reduce(next_one, range(1, n + 1), s / outside)
    return jnp.where(near, series, value)
