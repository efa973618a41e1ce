"""The sine and cosine integrals, and the hyperbolic ones, of real numbers in JAX operations.

Near 0 polynomials, beside the logarithm; further out the trigonometric ones by their auxiliary
functions (DLMF 6.2.17, 6.2.18), and the hyperbolic ones by Ei and E_1.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._error.kernels import trigonometric_tables as tables
from jaxsci.special._error.kernels.exponential_on_device import e1_right, ei_right
from jaxsci.special._numerics.polynomials import piecewise
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.taylor import once
from jaxsci.special._numerics.vectorised import log, sine_and_cosine

_EULER = 0.5772156649015329
_NEAR = 4.0
_NEAR_LOGARITHM = 2.0
_NEAR_HYPERBOLIC = 2.0
_OVERFLOW = 1000.0


def _with_signs(x: jax.Array, odd: jax.Array, even: jax.Array) -> tuple[Any, Any]:
    """An odd function with a zero at 0, and a function of |x| with a pole there."""
    odd = jnp.where(x < 0, -odd, jnp.where(x == 0, 0.0, odd))
    even = jnp.where(x == 0, -jnp.inf, even)
    return tuple(jnp.where(jnp.isnan(x), x, y) for y in (odd, even))  # type: ignore[return-value]


@device_kernel(ulps=3, envelope="0; 1/max(1, abs(x))", single=4)
def sici(x: jax.Array) -> Any:
    """Si(x) and Ci(|x|)."""
    size = jnp.abs(x)
    near = jnp.where(size == 0, 1.0, jnp.minimum(size, _NEAR))
    u = near * near
    si_near = near + near * (u * tables.SI_NEAR(u))
    nearest = jnp.minimum(near, _NEAR_LOGARITHM)
    ci_near = (_EULER + log(nearest)) + nearest**2 * tables.CI_NEAR(nearest**2)
    ci_near = jnp.where(near > _NEAR_LOGARITHM, tables.CI(near), ci_near)
    finite = size < jnp.inf
    far = jnp.where(finite, jnp.maximum(size, _NEAR), _NEAR)
    r = shared(1 / far)
    v = r * r
    f, g = r * piecewise(tables.F, v), v * piecewise(tables.G, v)
    sine, cosine = sine_and_cosine(far)
    si_far = math.pi / 2 - jnp.where(finite, f * cosine + g * sine, 0.0)
    ci_far = f * sine - g * cosine
    inside = size < _NEAR
    ci = jnp.where(inside, ci_near, ci_far)
    ci = jnp.where(finite, ci, jnp.where(x > 0, 0.0, jnp.nan))
    (both,) = once(jax.lax.complex(jnp.where(inside, si_near, si_far), ci))
    return _with_signs(x, both.real, both.imag)


@device_kernel(ulps=3, envelope="0; 1 if abs(x) < 1 else 0", single=4)
def shichi(x: jax.Array) -> Any:
    """Shi(x) and Chi(|x|)."""
    size = jnp.abs(x)
    near = jnp.where(size == 0, 1.0, jnp.minimum(size, _NEAR_HYPERBOLIC))
    u = near * near
    shi_near = near + near * (u * tables.SHI_NEAR(u))
    chi_near = (_EULER + log(near)) + u * tables.CHI_NEAR(u)
    far = jnp.clip(size, _NEAR_HYPERBOLIC, _OVERFLOW)
    # Both in one complex number, and so in one loop.
    (both,) = once(jax.lax.complex(0.5 * ei_right(far), 0.5 * e1_right(far)))
    ei, e1 = both.real, both.imag
    inside = size < _NEAR_HYPERBOLIC
    return _with_signs(
        x, jnp.where(inside, shi_near, ei + e1), jnp.where(inside, chi_near, ei - e1)
    )
