"""Values of parabolic cylinder functions where SciPy's recurrences and expansions fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.row import Repair
from jaxsci.special._gamma.kernels.on_device import rgamma
from jaxsci.special._numerics.few import formula_of_few
from jaxsci.special._parabolic.kernels import contour

_LARGEST_ORDER, _LARGEST_ARGUMENT = 150.0, 15.0
_MODERATE_ORDER = 15.0


def _repair(kind: str, words: str, doubtful: Callable[[Any, Any], Any]) -> Repair:
    def where(ys: Sequence[jax.Array], v: jax.Array, x: jax.Array) -> Any:
        size = jnp.abs(x)
        # Beyond the turning point and of large order the integral of V cancels.
        served = (v <= _MODERATE_ORDER) | (size * size < 4 * v)
        served = served & (jnp.abs(v) <= _LARGEST_ORDER) & (size <= _LARGEST_ARGUMENT)
        return served & doubtful(v, x)

    def few(v: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        size = jnp.abs(x)
        d, u = contour.both_right(v, size)
        left = contour.reflected(v, d, u, kind, 0, rgamma)
        pairs = zip(left, d if kind == "D" else u, strict=True)
        value, slope = (jnp.where(x < 0, a, b) for a, b in pairs)
        return value, slope

    limits = (
        f"(up to |v| = {_LARGEST_ORDER:g} and |x| = {_LARGEST_ARGUMENT:g}, and for v > "
        f"{_MODERATE_ORDER:g} to x^2 = 4v)"
    )
    formula = formula_of_few(where, few, results=2)
    return Repair(f"{words} {limits}", where, formula, results=(0, 1), costly=True)


D = _repair(
    "D",
    "v < 0 and 4 < |x| < 10, or v < -20 and 0 < x < 10, or v > 0 and x < -4",
    lambda v, x: (
        ((v < 0) & (jnp.abs(x) > 4) & (jnp.abs(x) < 10))
        | ((v < -20) & (x > 0) & (x < 10))
        | ((v > 0) & (x < -4))
    ),
)
V = _repair(
    "V",
    "v < 0 and 2 < |x| < 10, or v >= 0 and |x| > 2",
    lambda v, x: (v < 0) & (jnp.abs(x) > 2) & (jnp.abs(x) < 10) | (v >= 0) & (jnp.abs(x) > 2),
)
