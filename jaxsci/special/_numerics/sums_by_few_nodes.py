"""Sums over consecutive integers of functions that are smooth, by values at few points.

Gauss's quadrature for the uniform measure on 0, 1, ... L - 1, whose polynomials are Chebyshev's
discrete ones (DLMF 18.19; also Gram's): 16 nodes sum polynomials of degree 31 exactly. A sum over
many integers is cut into blocks whose lengths are powers of two, shorter towards both ends, where
the terms may change within a unit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg

from jaxsci.special._numerics.compensated import added

_NODES = 16
_FIRST, _LAST = 4, 48
"""Blocks have from 2^4 integers, which are the nodes, to 2^48."""


@functools.cache
def _rule(level: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights for 2^level integers."""
    if level == _FIRST:
        return np.arange(_NODES, dtype=float), np.ones(_NODES)
    # The Jacobi matrix of the monic recurrence (DLMF 18.22.2 with 18.19), of length scaled to 1.
    length, n = 2.0**level, np.arange(1.0, _NODES)
    off = 0.5 * n * np.sqrt((1 - (n / length) ** 2) / (4 * n * n - 1))
    nodes, vectors = scipy.linalg.eigh_tridiagonal(np.zeros(_NODES), off)
    return 0.5 * (length - 1) + length * nodes, length * vectors[0] ** 2


@functools.cache
def _rules() -> tuple[np.ndarray, np.ndarray]:
    every = [_rule(level) for level in range(_FIRST, _LAST + 1)]
    return np.concatenate([x for x, _ in every]), np.concatenate([w for _, w in every])


def smooth_sum(
    term: Callable[..., jax.Array],
    count: jax.Array,
    scale: jax.Array,
    parameters: Sequence[jax.Array],
) -> jax.Array:
    """The sum of term(j) over j = 0, 1, ... count - 1.

    Args:
        term: of j (float, not always an integer, but in [0, count - 1]) and the parameters:
            analytic but for singularities on the line at -1 or below and at count or above.
        count: how many terms; an integral float, 0 or negative for none.
        scale: a length over which terms may rise and fall again, such as the width of a peak.
        parameters: arrays, all of the shape of count.
    """
    nodes, weights = (jnp.asarray(table) for table in _rules())
    lengths = jnp.asarray(2.0 ** np.arange(_FIRST, _LAST + 1))
    most = _LAST - _FIRST

    def level_at(at: jax.Array, count: jax.Array, scale: jax.Array) -> jax.Array:
        longest = jnp.minimum(jnp.minimum(0.5 * at, (count - at) / 3), scale)
        # Beyond 2^53 shorter blocks would be lost in the place where they begin.
        longest = jnp.maximum(longest, at * 2.0**-47)
        # frexp: 2^(e - 1) <= longest < 2^e
        exponent = jnp.frexp(jnp.maximum(longest, 1.0))[1] - 1
        return jnp.clip(exponent - _FIRST, 0, most).astype(jnp.int32)

    def step(state: tuple[Any, ...]) -> tuple[Any, ...]:
        at, level, k, total, given = state
        given = jax.lax.optimization_barrier(given)
        count, scale, *parameters = given
        place = level * _NODES + k
        j = at + nodes[place]
        wanted = j < count
        value = term(jnp.where(wanted, j, 0.0), *parameters)
        total = added(total, jnp.where(wanted, weights[place] * value, 0.0))
        last = k == _NODES - 1
        at = jnp.where(last, at + lengths[level], at)
        level = jnp.where(last, level_at(at, count, scale), level)
        return at, level, jnp.where(last, 0, k + 1), total, given

    def goes_on(state: tuple[Any, ...]) -> jax.Array:
        at, _, _, _, (count, *_) = state
        return jnp.any(at < count)

    zero = jnp.zeros_like(count)
    start = zero, zero.astype(jnp.int32), jnp.int32(0), (zero, zero), (count, scale, *parameters)
    return jax.lax.while_loop(goes_on, step, start)[3][0]
