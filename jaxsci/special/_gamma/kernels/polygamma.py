"""Polygamma functions of every order of real and complex numbers, and their differences."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import tower
from jaxsci._core.types import PyTree
from jaxsci.special._numerics import folded
from jaxsci.special._numerics.bernoulli import BERNOULLI
from jaxsci.special._numerics.plane import over

_BERNOULLI_TERMS = 10
_IMAGINARY_END = 100.0  # here cot(pi z) is -i or i to the last bit, and nothing overflows


def shift(n: int) -> int:
    """From Re z >= this the first terms of the asymptotic series of psi^(n) are enough."""
    return 10 + n


def steps(n: int, ndim: int) -> jax.Array:
    """0, 1, ... below the shift, along an axis of their own before ndim others."""
    return jnp.arange(float(shift(n))).reshape((-1,) + (1,) * ndim)


def tail_coefficients(n: int) -> list[tuple[int, float]]:
    """Powers p and factors c of psi^(n)(w) ~ (-1)^(n+1) sum c w^-p (DLMF 5.11.2, 5.15.8).

    The logarithm of n = 0 is not among them.
    """
    terms = [(n, float(math.factorial(n - 1)))] if n else []
    terms.append((n + 1, math.factorial(n) / 2))
    for j, b in enumerate(BERNOULLI[:_BERNOULLI_TERMS], 1):
        terms.append((n + 2 * j, b * math.factorial(n + 2 * j - 1) / math.factorial(2 * j)))
    return terms


@tower("DLMF 5.15.1", z="n")
def polygamma_function(z: jax.Array, *, n: int) -> jax.Array:
    """psi^(n)(z) for n >= 1, with z real or complex."""
    left = z.real < 0
    w = jnp.where(left, 1 - z, z)
    total = folded.total(over(1.0, w + steps(n, w.ndim)) ** (n + 1))
    inverse = over(1.0, w + shift(n))
    tail = 0.0
    for power, c in reversed(tail_coefficients(n)):
        tail = tail + c * inverse**power
    right = (-1) ** (n + 1) * (math.factorial(n) * total + tail)
    return jnp.where(left, (-1) ** n * right - slope_of_cotangent(z, left, n), right)


def cotangent(z: jax.Array, wanted: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Sine of pi z without its sign, and cotangent; of 1/2 where they are not wanted."""
    z = jnp.where(wanted, z, 0.5)
    turned = z - jnp.round(z.real)
    if jnp.iscomplexobj(z):
        turned = turned.real + 1j * jnp.clip(turned.imag, -_IMAGINARY_END, _IMAGINARY_END)
    sine = jnp.sin(jnp.pi * turned)
    return sine, jnp.cos(jnp.pi * turned) / sine


def cotangent_polynomial(n: int) -> np.ndarray:
    """Q of pi d^n/dz^n cot(pi z) = Q(cot(pi z)) / sin(pi z)^2, for n >= 1."""
    poly = np.array([-(np.pi**2)])
    for _ in range(n - 1):
        along = np.polynomial.polynomial.polymul([1, 0, 1], np.polynomial.polynomial.polyder(poly))
        twice = np.polynomial.polynomial.polymul([0, 2], poly)
        poly = -np.pi * np.polynomial.polynomial.polyadd(twice, along)
    return poly


def slope_of_cotangent(z: jax.Array, wanted: jax.Array, n: int) -> Any:
    """The n-th derivative of pi cot(pi z) in z, for n >= 1."""
    sine, c = cotangent(z, wanted)
    total: PyTree = 0.0
    for q in cotangent_polynomial(n)[::-1]:
        total = total * c + q
    return total / sine**2
