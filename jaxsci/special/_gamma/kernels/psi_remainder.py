"""kappa(b) = psi(b + a) - psi(b) - a/b for a, b > 0: what is left of psi's growth, and derivatives.

It is 0 at a = 1 (DLMF 5.5.2) and of order 1/b^2 for large b. With h = a - 1 and z = b + 1 it is
psi(z + h) - psi(z) - h/b, where the logarithm's part of the difference, ln(1 + h/z), is taken
together with h/b.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._gamma.kernels.log_minus_digamma import log_less_psi, log_less_psi_difference
from jaxsci.special._gamma.kernels.polygamma_difference import differences_of_powers
from jaxsci.special._numerics.expm1_minus_x import expm1_minus_x


@tower("DLMF 5.15.1", b="k")
def psi_remainder(b: jax.Array, a: jax.Array, *, k: int = 0) -> Any:
    """The k-th derivative of kappa in b."""
    h, z = a - 1, b + 1
    from_pole = h * differences_of_powers(b, 1.0, k + 1)[k + 1]
    if k == 0:
        return log_less_psi_difference(z, h) + from_pole - expm1_minus_x(jnp.log1p(h / z))
    v = 1 / z
    grown = differences_of_powers(z, h, k)
    # (z+h)^-k - z^-k and its tangent's value -kh z^-(k+1), one less the other.
    bent = h * v * sum(v**i * grown[k - i] for i in range(k))
    logarithm = math.factorial(k) * from_pole + math.factorial(k - 1) * bent
    return log_less_psi_difference(z, h, k=k) + (-1) ** k * logarithm


def _in_a(y: jax.Array, b: jax.Array, a: jax.Array, *, k: int = 0) -> Any:
    grown = differences_of_powers(b, a, k + 1)[k + 1]
    return (-1) ** k * math.factorial(k) * grown - log_less_psi(a + b, k + 1)


psi_remainder.partials(a=closed("DLMF 5.15.1", _in_a))
