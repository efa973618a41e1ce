"""Lame polynomials with their derivatives, for the rules of ellipsoidal harmonics.

E_n^p(s) is a product of roots of s^2, |s^2 - h^2| and |s^2 - k^2| and of a polynomial in
t = 1 - s^2/h^2 that solves Heun's equation (DLMF 31.2.1, 31.5).
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg

from jaxsci._core.elementwise_rules import closed, missing
from jaxsci._core.make_host_function import host_function

_WHOLE = missing("it is an integer")
_AXIS = missing("the derivative in the axes is not implemented yet")


def _species(n: Any, p: Any) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Exponents of the three roots, and the harmonic's number, from 1, among those that share them.

    The arguments are integers, of NumPy or JAX.
    """
    r = n // 2
    odd = n % 2
    of_h = (p > r + 1) & (p <= n + 1) | (p > 2 * n - r + 1)
    of_k = p > n + 1
    first_of_class = 0 * p + 1
    for start in (r + 2, n + 2, 2 * n - r + 2):
        first_of_class = first_of_class + (p >= start) * (start - first_of_class)
    of_s = odd * (of_h == of_k) + (1 - odd) * (of_h != of_k)
    return of_s, of_h, of_k, p - first_of_class + 1


def _coefficients(h2: float, k2: float, n: int, p: int) -> np.ndarray:
    """Those of the polynomial in t, for which E_n^p(s) is s^n at infinity."""
    of_s, of_h, of_k, index = (int(x) for x in _species(n, p))
    alpha = (of_s + of_h + of_k - n) / 2
    beta = (of_s + of_h + of_k + n + 1) / 2
    gamma, delta, epsilon = of_h + 0.5, of_s + 0.5, of_k + 0.5
    kappa = (k2 - h2) / h2
    j = np.arange(round(-alpha) + 1)
    diagonal = (kappa - 1) * j * (j - 1 + gamma) + (delta * kappa - epsilon) * j
    above = -kappa * (j + 1) * (j + gamma)
    below = (j - 1 + alpha) * (j - 1 + beta)
    beside = -np.sqrt(above[:-1] * below[1:])
    _, vectors = scipy.linalg.eigh_tridiagonal(
        diagonal, beside, select="i", select_range=(index - 1, index - 1)
    )
    scale = np.cumprod(np.r_[1.0, np.sqrt(above[:-1] / below[1:])])
    found = vectors[:, 0] / scale
    return found / found[-1] * (-h2) ** j[-1]


def _polynomial(h2: Any, k2: Any, n: Any, p: Any, s: Any, *, order: int) -> np.ndarray:
    h2, k2, n, p, s = np.broadcast_arrays(h2, k2, n, p, s)
    out = np.full(s.shape, np.nan)
    known: dict[Any, np.polynomial.Polynomial] = {}
    for at in np.ndindex(s.shape):
        which = h2[at], k2[at], n[at], p[at]
        if not (0 < which[0] < which[1] < np.inf and 1 <= which[3] <= 2 * which[2] + 1 <= 2001):
            continue
        if which not in known:
            polynomial = np.polynomial.Polynomial(
                _coefficients(which[0], which[1], int(which[2]), int(which[3]))
            )
            known[which] = polynomial.deriv(order)
        out[at] = known[which](1 - s[at] * s[at] / which[0])
    return out


polynomial = host_function(
    _polynomial,
    "(),(),(),(),()->()",
    batched=True,
    double=True,
    static_argnames=("order",),
    name="lame_polynomial",
)
"""The order-th derivative in t of the polynomial in t."""

polynomial.partials(
    h2=_AXIS,
    k2=_AXIS,
    n=_WHOLE,
    p=_WHOLE,
    s=closed(
        "chain rule",
        lambda y, h2, k2, n, p, s, *, order: (
            -2 * s / h2 * polynomial(h2, k2, n, p, s, order=order + 1)
        ),
    ),
)


def lame(
    h2: jax.Array,
    k2: jax.Array,
    n: jax.Array,
    p: jax.Array,
    s: jax.Array,
    signm: jax.Array | float,
    signn: jax.Array | float,
) -> jax.Array:
    """E_n^p(s), in operations that JAX differentiates in s."""
    of_s, of_h, of_k, _ = _species(n, p)
    value = polynomial(h2, k2, n, p, s, order=0) * jnp.where(of_s == 1, s, 1.0)
    for axis, used, sign in ((h2, of_h, signm), (k2, of_k, signn)):
        square = jnp.where(used, s * s - axis, 1.0)
        value = value * jnp.where(used, jnp.sign(sign) * jnp.sqrt(jnp.abs(square)), 1.0)
    return value
