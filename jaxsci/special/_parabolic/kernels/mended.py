"""Values of parabolic cylinder functions where SciPy's recurrences and expansions fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._catalog.row import Repair
from jaxsci.special._gamma.kernels.on_device import gammaln, rgamma
from jaxsci.special._numerics.few import formula_of_few, where_wanted
from jaxsci.special._parabolic.kernels import contour

_LARGEST_ORDER, _LARGEST_ARGUMENT = 250.0, 54.0
_EXPANDED, _OVERFLOWS = 35.0, 50.0
_GROWS = f"|x| > 2 but not {_EXPANDED:g} <= x <= {_OVERFLOWS:g}"
_NEAR_ZERO = 0.01
_NEAR_INTEGER = 0.01
_LIMITS = f"(up to |v| = {_LARGEST_ORDER:g} and |x| = {_LARGEST_ARGUMENT:g})"


def _served(v: jax.Array, x: jax.Array) -> jax.Array:
    """Where the integrals have their digits."""
    return (jnp.abs(v) <= _LARGEST_ORDER) & (jnp.abs(x) <= _LARGEST_ARGUMENT)


def _own(kind: str) -> Callable[[jax.Array, jax.Array], tuple[jax.Array, jax.Array]]:
    """D_v(x) or V(-v-1/2, x), and its slope."""

    def few(v: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        size = jnp.abs(x)
        of_d, of_v, gamma = contour.gamma_apart(v, kind, gammaln, rgamma)
        d, u = contour.both_right(v, size, of_d, of_v)
        left = contour.reflected(v, d, u, kind, 0, gamma)
        pairs = zip(left, d if kind == "D" else u, strict=True)
        value, slope = (jnp.where(x < 0, a, b) for a, b in pairs)
        if kind == "V":  # the only one that is wrong there
            near = size < _NEAR_ZERO
            at_zero = contour.series(v, jnp.where(near, x, 0.0), kind, rgamma)
            value, slope = (
                jnp.where(near, a, b) for a, b in zip(at_zero, (value, slope), strict=True)
            )
        return value, slope

    return few


def _as_far_as_known(theirs: Sequence[jax.Array], own: Sequence[jax.Array]) -> Any:
    """Own results, and SciPy's where they are nearly infinite and a factor of ours is so."""
    pairs = zip(theirs, own, strict=True)
    return tuple(jnp.where(jnp.isnan(ours), y, ours) for y, ours in pairs)


def _repair(kind: str, words: str, doubtful: Callable[[Any, Any], Any]) -> Repair:
    def where(ys: Sequence[jax.Array], v: jax.Array, x: jax.Array) -> Any:
        return _served(v, x) & doubtful(v, x)

    of_few = formula_of_few(where, _own(kind), results=2)

    def formula(ys: Sequence[jax.Array], v: jax.Array, x: jax.Array) -> tuple[jax.Array, ...]:
        return _as_far_as_known(ys, of_few(ys, v, x))

    return Repair(f"{words} {_LIMITS}", where, formula, results=(0, 1), costly=True)


def _is_next_to_integer(v: Any) -> Any:
    distance = abs(v - np.round(v)) if isinstance(v, float) else jnp.abs(v - jnp.round(v))
    return (distance > 0) & (distance < _NEAR_INTEGER)


_NEXT_TO_INTEGER = f"v is within {_NEAR_INTEGER:g} of an integer but is none"

D = _repair(
    "D",
    "v < 0 and |x| > 4, or v < -5 and x > 0, or v > 0 and x < -4, "
    f"or v > -0.5 and |x| < 6 and {_NEXT_TO_INTEGER}",
    lambda v, x: (
        ((v < 0) & (jnp.abs(x) > 4))
        | ((v < -5) & (x > 0))
        | ((v > 0) & (x < -4))
        | ((v > -0.5) & (jnp.abs(x) < 6) & _is_next_to_integer(v))
    ),
)


def _grows(x: jax.Array) -> jax.Array:
    """Where SciPy's expansion for V fails, or its values overflow too early."""
    return (jnp.abs(x) > 2) & ((x < _EXPANDED) | (x > _OVERFLOWS))


V = _repair(
    "V",
    f"{_GROWS}, or |x| < {_NEAR_ZERO:g}, or |x| <= 2 and either v < 0 and x < 0, or |v| > 30, or "
    f"{_NEXT_TO_INTEGER}",
    lambda v, x: (
        _grows(x)
        | (jnp.abs(x) < _NEAR_ZERO)
        # Where v + 1/2 is an integer, V(-v-1/2, x) decays for x < 0, by a factor of sin(pi v).
        | ((v < 0) & (x < 0))
        | (jnp.abs(v) > 30)
        | _is_next_to_integer(v)
    ),
)


def _of_sequence(kind: str, words: str, doubtful: Callable[[float, Any], Any]) -> Repair:
    """Of the functions of orders v0, v0 + 1, ... v, along a last dimension.

    Args:
        kind: which function.
        words: where SciPy's values are doubtful.
        doubtful: the same as a condition on v and x.
    """

    def where(ys: Sequence[jax.Array], x: jax.Array, *, v: float) -> Any:
        # No order is served where the smallest one is not.
        return _served(jnp.asarray(v % 1), x) & doubtful(v, x)

    def formula(ys: Sequence[jax.Array], x: jax.Array, *, v: float) -> tuple[jax.Array, ...]:
        x = jnp.expand_dims(x, -1)
        orders, x = jnp.broadcast_arrays(v % 1 + jnp.arange(float(ys[0].shape[-1])), x)
        wanted = _served(orders, x) & doubtful(v, x)
        own = where_wanted(wanted, _own(kind), (orders, x), tuple(ys))
        return _as_far_as_known(ys, own)

    return Repair(f"{words} {_LIMITS}", where, formula, results=(0, 1), costly=True)


D_IN_SEQUENCE = _of_sequence(
    "D",
    f"x < -3 or 4 < x < 10, or |x| < 6 and {_NEXT_TO_INTEGER}",
    lambda v, x: (
        (x < -3) | (x > 4) & (x < 10) | (jnp.abs(x) < 6) & bool(_is_next_to_integer(float(v)))
    ),
)
V_IN_SEQUENCE = _of_sequence(
    "V",
    f"{_GROWS}, or |x| < {_NEAR_ZERO:g}, or {_NEXT_TO_INTEGER}",
    lambda v, x: _grows(x) | (jnp.abs(x) < _NEAR_ZERO) | bool(_is_next_to_integer(float(v))),
)
