"""Nodes and weights of Gauss quadrature where SciPy's recurrence has lost its parameter.

The coefficients of Gegenbauer's polynomials have a factor k + 2 alpha - 1, which for k = 1 keeps
nothing of a small alpha, and SciPy's weights one that next to the parameter -1 is as bad.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.row import Repair
from jaxsci.special._orthogonal.kernels.quadrature_derivatives import Recurrence, polynomials

_NEAR_ZERO = 1e-3
_NEXT_TO_END = 1e-2
_NEWTON_STEPS = 4
"""From the nodes of Chebyshev's polynomials; each doubles the digits that are right."""


def _weights(
    nodes: jax.Array, coefficients: tuple[jax.Array, jax.Array], total: jax.Array
) -> jax.Array:
    """DLMF 3.5.18."""
    return total[..., None] / polynomials(nodes, *coefficients)[2]


def _coefficients(recurrence: Recurrence, n: int, *parameters: jax.Array) -> Any:
    shape = jnp.broadcast_shapes(*(jnp.shape(x) for x in parameters))
    k = jnp.arange(n).reshape(n, *(1,) * (len(shape) + 1))
    return recurrence(k, *(x[..., None] for x in parameters))


def of_gegenbauer(recurrence: Recurrence, log_total: Callable[..., Any]) -> Repair:
    """Next to alpha = 0, where the limit is Chebyshev's quadrature; weights also next to -1/2."""

    def where(ys: Sequence[jax.Array], alpha: jax.Array, *, n: int, mu: bool) -> jax.Array:
        next_to_end = (alpha > -0.5) & (alpha < _NEXT_TO_END - 0.5)
        return (alpha != 0) & (jnp.abs(alpha) < _NEAR_ZERO) | next_to_end

    def formula(ys: Sequence[jax.Array], alpha: jax.Array, *, n: int, mu: bool) -> tuple[Any, ...]:
        coefficients = _coefficients(recurrence, n, alpha)
        start = jnp.sin(jnp.arange(1 - n, n, 2) * (math.pi / (2 * n)))
        nodes = jnp.where(jnp.abs(alpha)[..., None] < _NEAR_ZERO, start, ys[0])
        for _ in range(_NEWTON_STEPS):
            value, slope, _ = polynomials(nodes, *coefficients)
            nodes = nodes - value / slope
        total = jnp.exp(log_total(alpha))
        return nodes, _weights(nodes, coefficients, total), total

    words = f"0 < |alpha| < {_NEAR_ZERO:g}, or alpha is between -0.5 and {_NEXT_TO_END - 0.5:g}"
    return Repair(words, where, formula, results=(0, 1, 2), costly=True)


def next_to_minus_one(
    words: str,
    recurrence: Recurrence,
    log_total: Callable[..., Any],
    above: Callable[..., Sequence[jax.Array]],
) -> Repair:
    """Of the weights, where an exponent of the weight function is next to -1.

    Args:
        words: the exponents' names.
        recurrence: of the polynomials.
        log_total: the logarithm of the weights' sum.
        above: the exponents plus one, from the parameters.
    """

    def where(ys: Sequence[jax.Array], *parameters: jax.Array, n: int, mu: bool) -> Any:
        least = jnp.stack(jnp.broadcast_arrays(*above(*parameters))).min(axis=0)
        return (least > 0) & (least < _NEXT_TO_END)

    def formula(ys: Sequence[jax.Array], *parameters: jax.Array, n: int, mu: bool) -> Any:
        total = jnp.exp(log_total(*parameters))
        return _weights(ys[0], _coefficients(recurrence, n, *parameters), total), total

    words = f"{words} is between -1 and {_NEXT_TO_END - 1:g}"
    return Repair(words, where, formula, results=(1, 2), costly=True)
