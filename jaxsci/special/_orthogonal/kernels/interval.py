"""The interval from -1 to 1, and that from 0 to 1 of shifted functions."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci.special._numerics.plane import from_above


def ends(x: jax.Array, shifted: bool = False) -> tuple[jax.Array, jax.Array]:
    """(1 - x)/2 and (1 + x)/2; of shifted functions, which are those of 2x - 1, they are exact."""
    low, high = (1 - x, x) if shifted else ((1 - x) / 2, (1 + x) / 2)
    # SciPy's values on the cut are those from below, where (1 - x)/2 is above. The sign of a zero
    # would depend on the compiler.
    return (from_above(low) if jnp.iscomplexobj(low) else low), high


def on_long_interval(x: jax.Array, shifted: bool = False) -> jax.Array:
    """The argument that runs from -1 to 1."""
    return 2 * x - 1 if shifted else x


def has_value_between(low: jax.Array, high: jax.Array) -> jax.Array:
    """Where functions of degrees between integers, and derivatives in a degree, are numbers.

    That is above the lower end for real x, and all but that for complex x: those on the cut have
    values from below.
    """
    above = high != 0 if jnp.iscomplexobj(high) else high > 0
    return jnp.isfinite(low) & above
