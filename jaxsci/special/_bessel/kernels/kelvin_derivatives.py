"""Derivatives of Kelvin functions, of every order.

Up to x = 8 those of ber and bei are their power series (DLMF 10.65.1), differentiated term by term.
All others follow from the functions and their first derivatives by the differential equation (DLMF
10.61.3), which says of f = ber + i bei or ker + i kei that

    x f^(n+2) + (n + 1) f^(n+1) = i (x f^(n) + n f^(n-1)).
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.double_precision import tower
from jaxsci.special._bessel.kernels import kelvin_on_device as kernels

_NEAR = 8.0
_TERMS = 24

Parts = tuple[Any, Any]
"""The real and the imaginary part."""


def _by_equation(x: jax.Array, value: Parts, slope: Parts, n: int) -> Parts:
    rows = [value, slope]
    for k in range(n - 1):
        real, imag = (
            rows[k][part] + (k * rows[k - 1][part] / x if k else 0.0) for part in range(2)
        )
        last = rows[k + 1]
        rows.append((-imag - (k + 1) * last[0] / x, real - (k + 1) * last[1] / x))
    return rows[n]


def _series(x: jax.Array, n: int) -> Parts:
    """Of ber + i bei."""
    coefficients = np.zeros(2 * _TERMS + 1, complex)
    for k in range(_TERMS + 1):
        coefficients[2 * k] = 1j**k / (4**k * math.factorial(k) ** 2)
    derived = np.polynomial.polynomial.polyder(coefficients, n)
    return _polynomial(derived.real, x), _polynomial(derived.imag, x)


def _polynomial(coefficients: np.ndarray, x: jax.Array) -> jax.Array:
    """Of which every fourth coefficient is not 0."""
    (powers,) = np.nonzero(coefficients)
    if not powers.size:
        return jnp.zeros_like(x)
    fourth: Any = (x * x) * (x * x)
    total: Any = jnp.zeros_like(x)
    for c in coefficients[powers][::-1]:
        total = total * fourth + c
    return total * x ** int(powers[0])


def _growing(x: jax.Array, n: int) -> Parts:
    """The n-th derivative of ber and bei, n >= 1."""
    if n == 1:
        slope = kernels.growing(x)[1]
        return slope.re, slope.im
    near = jnp.abs(x) < _NEAR
    far = jnp.where(near, _NEAR, x)
    beyond = _by_equation(far, *kernels.growing(far), n)
    inside = _series(jnp.where(near, x, 0.0), n)
    return jnp.where(near, inside[0], beyond[0]), jnp.where(near, inside[1], beyond[1])


def _decaying(x: jax.Array, n: int) -> Parts:
    """The n-th derivative of ker and kei, n >= 1."""
    if n == 1:
        slope = kernels.decaying(x)[1]
        return slope.re, slope.im
    ahead = x > 0
    inside = jnp.where(ahead, x, 1.0)
    real, imag = _by_equation(inside, *kernels.decaying(inside), n)
    # As -ln x and -x^2 ln(x)/4 have it.
    outside = jnp.where(x == 0, (-1.0) ** n * jnp.inf, jnp.nan)
    return jnp.where(ahead, real, outside), jnp.where(ahead, imag, outside)


def _defined(x: jax.Array, value: jax.Array) -> jax.Array:
    """Neither has a limit at infinity, as SciPy has it."""
    return jnp.where(jnp.isfinite(x), value, jnp.nan)


@tower("DLMF 10.61.3", complex_result=True, x="n")
def growing(x: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of ber + i bei, n >= 1."""
    return jax.lax.complex(*(_defined(x, part) for part in _growing(x, n)))


@tower("DLMF 10.61.3", complex_result=True, x="n")
def decaying(x: jax.Array, *, n: int) -> jax.Array:
    """The n-th derivative of ker + i kei, n >= 1."""
    return jax.lax.complex(*(_defined(x, part) for part in _decaying(x, n)))
