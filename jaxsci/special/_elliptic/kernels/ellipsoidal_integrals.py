"""Ellipsoidal harmonics of the second kind and their constants, by quadrature, for the rules.

In the variables below the integrands are analytic in a strip around the path, or periodic, so that
a fixed number of nodes gives all digits; what they are made of JAX differentiates in h2 and k2.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._elliptic.kernels.lame import lame, square_of_lame, square_of_lame_by_power
from jaxsci.special._numerics.gauss_legendre import gauss_legendre

LARGEST_DEGREE = 30
_NODES = 64
_LONGEST = 8.0
"""Of paths, in z: then k lies within 2e-7 k of s."""
_PERIODIC_NODES = 96
_LEAST_WIDTH = 0.12
"""Of the strip around the real axis in which periodic integrands are analytic."""


def second_kind(
    h2: jax.Array, k2: jax.Array, n: jax.Array, p: jax.Array, s: jax.Array
) -> jax.Array:
    """F_n^p(s) for s > k, NaN for n > 30 and within 2e-7 k of k.

    By DLMF 29.17.1 with u = k coth z, where sqrt(u^2 - k^2) = k/sinh z. The path stands still when
    k changes, or for large s that would be a difference of much larger terms.
    """
    h2, k2, n, p, s = jnp.broadcast_arrays(h2, k2, n, p, s)
    k = jnp.sqrt(jax.lax.stop_gradient(k2))
    end = jnp.arcsinh(k / jnp.sqrt(s * s - k * k))
    nodes, weights = gauss_legendre(_NODES)
    z = end[..., None] * nodes
    at = h2[..., None], k2[..., None], n[..., None], p[..., None]
    root = k[..., None] / jnp.sinh(z)
    u_squared = (k[..., None] / jnp.tanh(z)) ** 2
    moved = jax.lax.stop_gradient(at[1]) - at[1]  # 0
    roots = jnp.sqrt(u_squared - at[0]) * jnp.sqrt(root * root + moved)
    growth = roots * jnp.power(u_squared, at[2]) * jnp.sinh(z) ** 2
    terms = weights * k[..., None] / (square_of_lame_by_power(*at, u_squared) * growth)
    integral = end * jnp.sum(terms, axis=-1)
    value = (2 * n + 1) * lame(h2, k2, n, p, jnp.abs(s), 1, 1) * integral
    known = (end < _LONGEST) & (n <= LARGEST_DEGREE)
    return jnp.where(known, value, jnp.nan)


def constant(h2: jax.Array, k2: jax.Array, n: jax.Array, p: jax.Array) -> jax.Array:
    """gamma_n^p; NaN for n > 30 and unless 0.015 < h2/k2 < 0.985.

    x = h sin t and y^2 = h^2 + (k^2 - h^2) sin^2 t; the product of two integrals is taken around
    h^2, between all x^2 and all y^2, so that every term is positive.
    """
    h2, k2, n, p = jnp.broadcast_arrays(h2, k2, n, p)
    t = (np.arange(_PERIODIC_NODES) + 0.5) * (np.pi / 2 / _PERIODIC_NODES)
    squared_sine, squared_cosine = np.sin(t) ** 2, np.cos(t) ** 2
    at = h2[..., None], k2[..., None], n[..., None], p[..., None]
    a, b = at[:2]

    x_squared = a * squared_sine
    inner = square_of_lame(*at, x_squared) / jnp.sqrt(b - x_squared)
    y_squared = a + (b - a) * squared_sine
    outer = square_of_lame(*at, y_squared) / jnp.sqrt(y_squared)
    mean = lambda terms: jnp.sum(terms, axis=-1) * (np.pi / 2 / _PERIODIC_NODES)  # noqa: E731
    value = 8 * (
        mean((b - a) * squared_sine * outer) * mean(inner)
        + mean(outer) * mean(a * squared_cosine * inner)
    )
    # 1/sqrt(k^2 - x^2) and 1/y have branch points at these distances.
    inner_width = jnp.arccosh(jnp.sqrt(k2 / h2))
    outer_width = jnp.arcsinh(jnp.sqrt(h2 / (k2 - h2)))
    known = jnp.minimum(inner_width, outer_width) > _LEAST_WIDTH
    return jnp.where(known & (n <= LARGEST_DEGREE), value, jnp.nan)
