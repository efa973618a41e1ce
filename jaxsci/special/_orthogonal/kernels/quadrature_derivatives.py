"""How the nodes and weights of Gauss quadrature move with the weight function's parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import Closed, closed

# Each one doubles the number of derivatives that are right: none, 1, 3, 7.
_NEWTON_STEPS = 3

Recurrence = Callable[..., tuple[Any, Any]]
"""Of k = 0 ... n - 1 and parameters: a_k and b_k, where p_{k+1} = (x - a_k) p_k - b_k p_{k-1}."""


def jacobi(
    k: jax.Array, a: jax.Array, b: jax.Array, above_b: jax.Array | None = None
) -> tuple[jax.Array, jax.Array]:
    """Of the monic Jacobi polynomials (DLMF 18.9.2); b_0 is 1. `above_b` is b + 1, unrounded."""
    s = a + b
    second = jnp.where(k > 0, k, 1)
    centre = jnp.where(
        k == 0,
        (b - a) / (s + 2),
        (b - a) * s / ((2 * second + s) * (2 * second + s + 2)),
    )
    third = jnp.where(k > 1, k, 2)
    m = 2 * third + s
    square = jnp.where(
        k == 1,
        4 * (a + 1) * (b + 1 if above_b is None else above_b) / ((2 + s) ** 2 * (3 + s)),
        4 * third * (third + a) * (third + b) * (third + s) / (m**2 * (m + 1) * (m - 1)),
    )
    return centre, jnp.where(k == 0, 1.0, square)


def shifted_jacobi(k: jax.Array, p: jax.Array, q: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Of the monic Jacobi polynomials on [0, 1]; b_0 is 1."""
    centre, square = jacobi(k, p - q, q - 1, q)
    return (1 + centre) / 2, jnp.where(k == 0, 1.0, square / 4)


def gegenbauer(k: jax.Array, c: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Of the monic Gegenbauer polynomials; b_0 is 1."""
    third = jnp.where(k > 1, k, 2)
    square = third * ((third - 2) + (2 * c + 1)) / (4 * (third + c) * (third + c - 1))
    square = jnp.where(k == 1, 1 / (2 * (1 + c)), square)
    return jnp.zeros_like(square), jnp.where(k == 0, 1.0, square)


def laguerre(k: jax.Array, a: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Of the monic Laguerre polynomials; b_0 is 1."""
    return 2 * k + a + 1, jnp.where(k == 0, 1.0, k * (k + a))


def in_parameter(position: int, recurrence: Recurrence, log_total: Callable[..., Any]) -> Closed:
    """The rule for one parameter: from the recurrence, and the logarithm of the weights' sum."""

    def partials(
        y: Sequence[jax.Array], *parameters: jax.Array, n: int, mu: bool
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        start, _, total = (jax.lax.stop_gradient(part) for part in y)
        known = jax.lax.stop_gradient(log_total(*parameters))

        def of_parameter(parameter: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
            moved = [*parameters[:position], parameter, *parameters[position + 1 :]]
            sum_of_weights = total * jnp.exp(log_total(*moved) - known)
            k = jnp.arange(n).reshape(n, *(1,) * start.ndim)
            coefficients = recurrence(k, *(x[..., None] for x in moved))
            nodes = start
            for _ in range(_NEWTON_STEPS):
                value, slope, norm = polynomials(nodes, *coefficients)
                nodes = nodes - value / slope
            _, _, norm = polynomials(nodes, *coefficients)
            return nodes, sum_of_weights[..., None] / norm, sum_of_weights

        x = parameters[position]
        return jax.jvp(of_parameter, (x,), (jnp.ones_like(x),))[1]

    return closed("implicit function theorem, DLMF 18.2.8, 3.5.18", partials)


def polynomials(
    x: jax.Array, centres: jax.Array, squares: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """p_n up to a factor, its derivative, and the sum of the orthonormal p_k^2 over k < n."""
    roots = jnp.sqrt(squares)
    last = jnp.ones_like(roots[:1])

    def step(state: Sequence[jax.Array], coefficients: Sequence[jax.Array]) -> Any:
        before, p, slope_before, slope, total = state
        centre, root, next_root = coefficients
        following = ((x - centre) * p - root * before) / next_root
        following_slope = (p + (x - centre) * slope - root * slope_before) / next_root
        return (p, following, slope, following_slope, total + p * p), None

    zero, one = jnp.zeros_like(x), jnp.ones_like(x)
    shape = jnp.broadcast_shapes(x.shape, roots.shape[1:])
    zero, one = jnp.broadcast_to(zero, shape), jnp.broadcast_to(one, shape)
    following_roots = jnp.concatenate([roots[1:], last])
    centres = jnp.broadcast_to(centres, roots.shape)
    state, _ = jax.lax.scan(step, (zero, one, zero, zero, zero), (centres, roots, following_roots))
    return state[1], state[3], state[4]
