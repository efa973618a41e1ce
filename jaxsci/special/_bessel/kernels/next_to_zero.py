"""Bessel functions where those of other orders overflow, and SciPy's values are lost on the way.

There the first terms of DLMF 10.2.2, 10.8.1 and 10.25.2 decide, (z/2)^v/Gamma(v + 1) or
-Gamma(v)/pi (2/z)^v: its size, or the sign of what is beyond the range of doubles.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels.derivatives_on_device import power_series
from jaxsci.special._catalog.row import Repair
from jaxsci.special._numerics.integers import is_half_integer, is_integer

_LARGEST_ORDER = 170.0
_RANGE = 720.0
"""Exponentials of more are infinite."""
_TURN = 0.6627
"""Up to this z/v K_v(z) outweighs I_v(z), as both overflow."""


def _sign_of_gamma(v: jax.Array) -> jax.Array:
    """That of Gamma(v + 1), where v is no integer below 0."""
    return jnp.where((v >= 0) | (jnp.floor(v) % 2 != 0), 1.0, -1.0)


def _beyond(y: jax.Array, v: jax.Array, z: jax.Array) -> jax.Array:
    """Where a value that is infinite, or NaN since infinities met, is beyond the range."""
    size = jnp.abs(v)
    # Of Gamma(v) (2/z)^v.
    exponent = size * (jnp.log(2 * size / jnp.where(z > 0, z, jnp.inf)) - 1)
    lost = jnp.isnan(y) & ((z < 1) | (exponent > _RANGE) & (z < _TURN * size))
    return (z > 0) & (size < jnp.inf) & (jnp.isinf(y) | lost)


def _infinite(
    ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, **static: int
) -> tuple[jax.Array, jax.Array]:
    """Where a derivative of J or I of a negative order is beyond the range, and which infinity."""
    found = _beyond(ys[0], v, z) & (v < 0) & ~is_integer(v) & (z < _TURN * jnp.abs(v))
    sign = _sign_of_gamma(v) * (-1.0) ** static.get("n", 0)
    return found, sign * jnp.full_like(z, jnp.inf)


def of_j() -> Repair:
    """Of J, or of a derivative whose order is the static argument n."""
    return Repair(
        "v < 0 and the value is beyond the range of doubles",
        lambda ys, v, z, **static: _infinite(ys, v, z, **static)[0],
        lambda ys, v, z, **static: _infinite(ys, v, z, **static)[1],
    )


def of_i() -> Repair:
    """Of I, or of a derivative whose order is the static argument n."""

    def vanishes(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int) -> jax.Array:
        order = jnp.where(is_integer(v), jnp.abs(v), v)
        return (ys[0] == 0) & (z > 0) & (z < 1) & (order > n) & (order <= _LARGEST_ORDER)

    def at_pole(v: jax.Array, z: jax.Array) -> jax.Array:
        return (z == 0) & (v < 0) & ~is_integer(v) & (_sign_of_gamma(v) < 0)

    def where(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        lost = vanishes(ys, v, z, n) | _infinite(ys, v, z, n=n)[0]
        return lost | at_pole(v, z) if n == 0 else lost

    def formula(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        small = vanishes(ys, v, z, n)
        order, inside = jnp.where(small, jnp.abs(v), 1.0 + n), jnp.where(small, z, 1.0)
        return jnp.where(small, power_series(order, inside, 1, n), _infinite(ys, v, z, n=n)[1])

    words = "0 < z < 1 and SciPy's are 0, or v < 0 and the value is beyond the range of doubles"
    return Repair(words, where, formula)


def of_y() -> Repair:
    """Of Y, or of a derivative whose order is the static argument n."""

    def is_half(v: jax.Array) -> jax.Array:
        return (v < 0) & is_half_integer(v)

    def where(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        # At half orders it is J of -v, up to a sign, which is 0 where Y of -v is infinite.
        vanishes = is_half(v) & (-v > n) & (_beyond(ys[0], v, z) | (z == 0))
        return vanishes | (_beyond(ys[0], v, z) & ~is_half(v))

    def formula(ys: Sequence[jax.Array], v: jax.Array, z: jax.Array, n: int = 0) -> jax.Array:
        # Of cos(v pi), with Gamma(-v) for v < 0.
        nearest = jnp.round(v)
        turned = jnp.where((v >= 0) | (nearest % 2 == 0), -1.0, 1.0)
        sign = turned * (-1.0) ** n
        return jnp.where(is_half(v), 0.0, sign * jnp.full_like(z, jnp.inf))

    words = "the value is beyond the range of doubles, and for v = -1/2, -3/2, ... next to z = 0"
    return Repair(words, where, formula)
