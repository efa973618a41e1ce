"""The interval from -1 to 1, and that from 0 to 1 of shifted functions."""

from __future__ import annotations

import jax


def ends(x: jax.Array, shifted: bool = False) -> tuple[jax.Array, jax.Array]:
    """(1 - x)/2 and (1 + x)/2; of shifted functions, which are those of 2x - 1, they are exact."""
    return (1 - x, x) if shifted else ((1 - x) / 2, (1 + x) / 2)


def on_long_interval(x: jax.Array, shifted: bool = False) -> jax.Array:
    """The argument that runs from -1 to 1."""
    return 2 * x - 1 if shifted else x
