"""The parabolic cylinder function W(a, x) where SciPy's own values have lost digits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._numerics.stirling import stirling
from jaxsci.special._parabolic.kernels.contour import contour

_WIDTH = 12.0
_SHIFT = 12


def _phase_of_gamma(a: jax.Array) -> Any:
    """The phase of Gamma(1/2 + ia), continuous in a (DLMF 5.11.1, 5.5.1)."""
    z = jax.lax.complex(jnp.full_like(a, 0.5), a)
    phase = sum(-jnp.arctan2(a, 0.5 + j) for j in range(_SHIFT))
    z = z + _SHIFT
    return phase + ((z - 0.5) * jnp.log(z) - z + stirling(z)).imag


def _recessive(a: jax.Array, x: jax.Array) -> tuple[Any, Any]:
    """W and its derivative for a > 0 and x > 0 (DLMF 12.14.4)."""
    turn = complex(math.sqrt(0.5), -math.sqrt(0.5))
    z, v = turn * x, -0.5 - 1j * a
    saddle = (z + jnp.sqrt(z * z - 4 * v)) / 2
    reach = jnp.full_like(x, _WIDTH)
    value, slope = contour(z, v, jnp.maximum(saddle.real, 1.0), saddle.imag, reach)
    growth = jnp.exp(math.pi * a)
    k = 1 / (jnp.sqrt(1 + growth * growth) + growth)
    rho = math.pi / 8 + _phase_of_gamma(a) / 2
    factor = jnp.sqrt(2 * k) * jnp.exp(math.pi / 4 * a + 1j * rho)
    return (factor * value).real, (factor * turn * slope).real


def w_derivative_by(pbwa: Callable[..., Any]) -> NativeFunction:
    """W(a, x) and its derivative, by SciPy's where they have their digits."""

    @native()
    def w_derivative(a: jax.Array, x: jax.Array, *, n: int) -> Any:
        """W(a, x), or its derivative (n = 1)."""
        a, x = jnp.broadcast_arrays(a, x)
        lost = (a > 0.5) & (x > 0.5) & (a <= 5) & (x <= 5)
        recessive = _recessive(jnp.where(lost, a, 1.0), jnp.where(lost, x, 1.0))[n]
        return jnp.where(lost, recessive, pbwa(a, x)[n])

    w_derivative.partials(
        a=missing("the derivative in the parameter is not implemented yet"),
        x=closed(
            "DLMF 12.14.1",
            lambda y, a, x, *, n: (
                -(x * x / 4 - a) * w_derivative(a, x, n=0) if n else w_derivative(a, x, n=1)
            ),
        ),
    )
    return w_derivative
