"""Powers over gamma functions: each is accurate where its factors overflow or nearly cancel.

Several gamma functions are called at once: where one is a kernel, its program is long.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import NativeFunction, native
from jaxsci._core.elementwise_rules import closed
from jaxsci.special._numerics.half_turns import sine_of_pi
from jaxsci.special._numerics.shared import at_once
from jaxsci.special._numerics.stirling import LARGE, stirling

_ROOT = math.sqrt(2 * math.pi)


def scaled_gamma(gamma: Callable[..., Any], x: jax.Array) -> jax.Array:
    """Gamma(x) e^x x^(1/2-x) / sqrt(2 pi) for x > 0, which tends to 1."""
    far = x >= LARGE
    near = jnp.where(far, 1.0, x)
    power = jnp.exp(near) * near ** (0.5 - near) / _ROOT
    return jnp.where(far, jnp.exp(stirling(jnp.where(far, x, LARGE))), gamma(near) * power)


def beta_by(gamma: Callable[..., Any], polygamma_difference: NativeFunction) -> NativeFunction:
    """The beta function, from gamma functions and the differences of digamma functions."""

    @native()
    def positive_beta(a: jax.Array, b: jax.Array) -> jax.Array:
        """The beta function for a > 0 and b > 0, where SciPy's loses digits to large logarithms."""
        # (a/(a+b))^a (b/(a+b))^b, the smaller over the larger: then the logarithm does not cancel.
        less, more = jnp.minimum(a, b), jnp.maximum(a, b)
        powers = (less / (less + more)) ** less * jnp.exp(-more * jnp.log1p(less / more))
        # sqrt((a + b)/(a b)), without overflow
        root = jnp.sqrt(1 / less + 1 / more)
        of_less, of_more, of_sum = at_once(
            functools.partial(scaled_gamma, gamma), less, more, less + more
        )
        return _ROOT * root * powers * (of_less * (of_more / of_sum))

    slopes = {
        "a": closed("DLMF 5.12.1", lambda y, a, b: -y * polygamma_difference(a, b, n=0)),
        "b": closed("DLMF 5.12.1", lambda y, a, b: -y * polygamma_difference(b, a, n=0)),
    }
    positive_beta.partials(**slopes)

    @native()
    def beta_function(a: jax.Array, b: jax.Array) -> jax.Array:
        """The beta function, with the digits that SciPy's loses to large logarithms."""
        less, more, total = jnp.minimum(a, b), jnp.maximum(a, b), a + b
        # The reflection formula, for each of the three gamma functions that needs it.
        both = more < 0
        one, out = (less < 0) & ~both & (total > 0), (less < 0) & ~both & (total <= 0)
        p = jnp.where(both | one, 1 - less, jnp.where(out, 1 - total, less))
        q = jnp.where(both, 1 - more, jnp.where(one, total, more))
        turned_less = sine_of_pi(jnp.where(less < 0, less, 0.5))
        turned_more = sine_of_pi(jnp.where(both, more, 0.5))
        turned_total = sine_of_pi(jnp.where(both | out, total, 0.5))
        value = positive_beta(p, q)
        divided = 1 / (value * jnp.where(both, 1 - total, more))
        factor = turned_total / turned_less
        return jnp.where(
            both,
            jnp.pi * factor / turned_more * divided,
            jnp.where(one, jnp.pi / turned_less * divided, jnp.where(out, factor * value, value)),
        )

    beta_function.partials(**slopes)
    return beta_function


def poch_by(
    gamma: Callable[..., Any], psi: Callable[..., Any], polygamma_difference: NativeFunction
) -> NativeFunction:
    """Pochhammer's symbol, likewise."""

    @native()
    def poch_function(z: jax.Array, m: jax.Array) -> jax.Array:
        """Pochhammer's symbol for z and z + m of one sign, with the digits that SciPy's loses."""
        left = z < 0
        sines = jnp.where(left, sine_of_pi(z), 1.0) / jnp.where(left, sine_of_pi(z + m), 1.0)
        z, end = jnp.where(left, 1 - (z + m), z), jnp.where(left, 1 - z, z + m)
        near = abs(m) < z / 2
        growth = jnp.where(
            near, jnp.log1p(jnp.where(near, m / z, 0.0)), jnp.log(jnp.where(near, 1.0, end / z))
        )
        exponent = (z - 0.5) * growth + m * (jnp.log(end) - 1)
        of_end, of_start = at_once(functools.partial(scaled_gamma, gamma), end, z)
        return sines * jnp.exp(exponent) * of_end / of_start

    poch_function.partials(
        z=closed("DLMF 5.2.5", lambda y, z, m: y * polygamma_difference(z, m, n=0)),
        m=closed("DLMF 5.2.5", lambda y, z, m: y * psi(z + m)),
    )
    return poch_function
