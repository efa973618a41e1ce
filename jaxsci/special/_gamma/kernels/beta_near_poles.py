"""The mixed derivative of the beta function where one shape is small, or both are.

There B is about 1/a + 1/b, of which neither term has a mixed derivative: by the product rule it is
made of terms that are larger by 1/a, 1/b or both, and cancel.

Where b is small, d/da B = -G E with

    G = b B(a, b) = Gamma(a) Gamma(b + 1)/Gamma(a + b),    E = (psi(a + b) - psi(a))/b,

which have no poles, and E is its Taylor series in b (DLMF 5.2.2, 5.15.1). Where both are small,
B = 1/a + 1/b + R, and the logarithm of Gamma(1 + a) Gamma(1 + b)/Gamma(1 + a + b) is a series of
symmetric polynomials (DLMF 5.7.3), so that R is one without division.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._gamma.kernels.polygamma import polygamma_function
from jaxsci.special._numerics.nth_derivative import mixed_derivative

_BOTH = 0.26
"""Up to here a shape is small beside another one that is, too;"""
_ONE = 2e-3
"""and up to here beside one that is not."""
_TERMS = 8
"""Of E: (_ONE/_BOTH)^8 is below rounding."""
_LOGARITHMS = 20
_ZETA_LESS_ONE = scipy.special.zetac(np.arange(2.0, 30.0)).tolist()


def mixed_by(
    beta: Callable[..., Any], polygamma_difference: NativeFunction
) -> Callable[[jax.Array, jax.Array, jax.Array], jax.Array]:
    """The mixed derivative, from another one that serves where no shape is small."""

    @native()
    def without_pole(a: jax.Array, b: jax.Array) -> Any:
        """G."""
        return b * beta(a, b)

    def rise(a: jax.Array, b: jax.Array) -> jax.Array:
        """psi(a + b) - psi(b + 1)."""
        return polygamma_difference(b + 1, a - 1, n=0)

    without_pole.partials(
        a=closed("DLMF 5.2.2, 5.12.1", lambda y, a, b: -y * (b * _quotients(a, b)[0])),
        b=closed("DLMF 5.2.2, 5.12.1", lambda y, a, b: -y * rise(a, b)),
    )

    def one_small(a: jax.Array, b: jax.Array) -> jax.Array:
        quotient, slope = _quotients(a, b)
        return without_pole(a, b) * (quotient * rise(a, b) - slope)

    def mixed(a: jax.Array, b: jax.Array, plain: jax.Array) -> jax.Array:
        first = jnp.abs(a) < jnp.abs(b)
        small, other = jnp.where(first, a, b), jnp.where(first, b, a)
        both = jnp.abs(other) < _BOTH
        far = (other > 0) | (jnp.abs(other - jnp.round(other)) > _BOTH)
        one = ~both & (jnp.abs(small) < _ONE) & far & jnp.isfinite(other)
        of_both = _both_small(jnp.where(both, a, 0.1), jnp.where(both, b, 0.1))
        of_one = one_small(jnp.where(one, other, 1.0), jnp.where(one, small, 1e-3))
        # At a pole there is no derivative.
        usual = (both | one) & jnp.isfinite(plain)
        return jnp.where(usual, jnp.where(both, of_both, of_one), plain)

    return mixed


def _quotients(a: jax.Array, b: jax.Array) -> tuple[Any, Any]:
    """E and dE/db."""
    polygammas = [polygamma_function(a, n=k + 1) / math.factorial(k + 1) for k in range(_TERMS)]
    value: Any = 0.0
    slope: Any = 0.0
    for c in reversed(polygammas):
        slope = slope * b + value
        value = value * b + c
    return value, slope


def _rest(a: jax.Array, b: jax.Array) -> jax.Array:
    """R = B(a, b) - 1/a - 1/b."""
    total, product = a + b, a * b
    # With C the quotient of gamma functions, log C = -product h.
    u = product / ((1 + a) * (1 + b))
    of_logarithm: Any = 0.0
    for j in range(_LOGARITHMS, -1, -1):
        of_logarithm = of_logarithm * u + 1 / (j + 1)
    h = of_logarithm / ((1 + a) * (1 + b))
    # a^k + b^k, and (total^k - a^k - b^k)/product.
    before: Any = 2.0
    sums, quotients = total, jnp.zeros_like(total)
    for k, zeta in enumerate(_ZETA_LESS_ONE, 2):
        quotients = total * quotients + before
        before, sums = sums, total * sums - product * before
        h = h + (-1) ** k * zeta / k * quotients
    # B = (1/a + 1/b) C.
    x = -product * h
    grown: Any = 0.0
    for j in range(_LOGARITHMS, 0, -1):
        grown = grown * x + 1 / math.factorial(j)
    return -total * h * grown


def _both_small(a: jax.Array, b: jax.Array) -> jax.Array:
    return mixed_derivative(_rest, (a, b), (1, 1))
