"""K_v(z) where it is below 1e-290, and SciPy's is 0 already.

All but `repair` gives multiples by 2^200, so that nothing but the result is subnormal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._bessel.kernels.debye import U
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.polynomials import horner

_FROM = 600.0
_LARGEST_ORDER = 1000.0
_ALMOST_LOST = 1e-290
_ROOT_OF_SCALE = 2.0**100


def macdonald(v: jax.Array, z: jax.Array) -> jax.Array:
    """K_v(z) for z > 600 by DLMF 10.41.4, whose terms fall like |z|^-k there, for all v."""
    v = jnp.abs(v)
    r = jnp.sqrt(v * v + z * z)
    square = (v / r) ** 2
    total: PyTree = 0.0
    for coefficients in reversed(U):
        total = horner(coefficients, square) - total / r
    # exp(-z) apart, whose argument is not rounded, and by halves.
    half = jnp.exp(-z / 2) * _ROOT_OF_SCALE
    front = jnp.sqrt(math.pi / (2 * r)) * jnp.exp(v * jnp.arcsinh(v / z) - v * v / (r + z))
    return front * half * total * half


def derivative(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The n-th derivative in z from functions of neighbouring orders (DLMF 10.29.5)."""

    def nth(v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        terms = (float(math.comb(n, k)) * function(v - n + 2 * k, z) for k in range(n + 1))
        return (-1) ** n * sum(terms) * 2.0**-n

    return nth


def spherical(n: jax.Array, z: jax.Array, derivative: bool = False) -> jax.Array:
    """k_n(z), or its derivative, for z > 600 (DLMF 10.47.9, 10.51.5)."""
    front = jnp.sqrt(math.pi / (2 * z))
    value = front * macdonald(n + 0.5, z)
    if not derivative:
        return value
    return -front * macdonald(n - 0.5, z) - (n + 1) / z * value


def repair(function: Callable[..., Any]) -> Repair:
    """For a function of order and argument that decays as exp(-z); of real numbers alone.

    (In the plane the formula would take a second to compile, for every user of such a function.)
    A static argument tells whether it is a derivative.
    """

    def where(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, **static: Any) -> jax.Array:
        # A derivative takes several orders, of which some may be lost.
        lost = jnp.abs(ys[0]) < _ALMOST_LOST if any(static.values()) else ys[0] == 0
        return (z > _FROM) & (z < jnp.inf) & (jnp.abs(v) <= _LARGEST_ORDER) & lost

    return Repair(
        f"the argument is above {_FROM:g} and the value below {_ALMOST_LOST:g} but SciPy's is 0",
        where,
        lambda ys, v, z, **static: function(v, z, **static) / _ROOT_OF_SCALE**2,
        costly=True,
    )
