"""The lower tail of the noncentral t distribution, where SciPy subtracts from 1."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.mending import by_own
from jaxsci.special._distributions.kernels.noncentral_student import integrated
from jaxsci.special._distributions.kernels.noncentral_student_peak import constant, peak_of
from jaxsci.special._numerics.error_function import erfcx_right

_LARGEST = 1e6


def lower_tail(df: jax.Array, nc: jax.Array, t: jax.Array) -> jax.Array:
    """Nctdtr for t < 0 <= nc: M(0, -1) of `noncentral_student`.

    The normal distribution function over its density, which is the factor of the integrand, is
    then Mills's ratio.
    """
    peak = peak_of(df, nc, t, 0)

    def mills(rise: jax.Array) -> jax.Array:
        r = jnp.maximum(-(peak.r + peak.ts0 * rise), 0.0)
        return math.sqrt(math.pi / 2) * erfcx_right(r / math.sqrt(2))[None]

    half = jnp.exp(-peak.fall / 2)
    value = half * (constant(peak.df) * integrated(peak, mills)[0]) * half
    return jnp.where(peak.inside & (nc >= 0), value, jnp.nan)


REPAIR = by_own(
    "t < 0 < nc",
    lambda df, nc, t: (df > 0) & (t < 0) & (nc > 0) & (nc <= _LARGEST),
    lower_tail,
    few=True,
)
