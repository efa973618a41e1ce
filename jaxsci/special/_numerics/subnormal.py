"""Logarithms, powers and products of numbers that XLA's arithmetic takes for zero."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci.special._numerics.by_precision import format_of

SMALLEST_NORMAL = float(np.finfo(np.float64).tiny)
_STEPS = 60


def _bits(x: jax.Array) -> jax.Array:
    return jax.lax.bitcast_convert_type(x, format_of(x).int_type)


def _normal(x: jax.Array) -> int:
    """The bits of the smallest normal number; of a smaller one they count the smallest of all."""
    return 1 << format_of(x).mantissa_bits


def _steps_to_smallest(x: jax.Array) -> int:
    """How many halvings lead from 1 to the smallest number."""
    form = format_of(x)
    return form.bias - 1 + form.mantissa_bits


def _is_subnormal(x: jax.Array) -> jax.Array:
    """Whether x is a positive subnormal number: asked of integers, for compilers know of others."""
    return (_bits(x) > 0) & (_bits(x) < _normal(x))


def is_positive(x: jax.Array) -> jax.Array:
    """Whether x > 0."""
    return (x > 0) | _is_subnormal(x)


def logarithm(x: jax.Array) -> jax.Array:
    """Log x for x > 0."""
    subnormal = _is_subnormal(x)
    count = jnp.where(subnormal, _bits(x), 1).astype(x.dtype)
    return jnp.where(
        subnormal,
        jnp.log(count) + -_steps_to_smallest(x) * math.log(2),
        jnp.log(jnp.where(subnormal, 1.0, x)),
    )


def power(x: jax.Array, exponent: jax.Array) -> jax.Array:
    """x^exponent for x >= 0."""
    subnormal = _is_subnormal(x)
    small = jnp.exp(exponent * logarithm(jnp.where(subnormal, x, 1.0)))
    return jnp.where(subnormal, small, jnp.where(subnormal, 1.0, x) ** exponent)


# -- of either sign --------------------------------------------------------------------------------


def raised(x: Any) -> tuple[jax.Array, jax.Array]:
    """Any number, 2^60 times as large where it is subnormal, and where that is.

    Products with the first are brought back by `lowered`, its logarithm by `log_of_raised`.
    """
    form = format_of(x)
    size = _bits(x) & form.int_type(np.iinfo(form.int_type).max)
    subnormal = (size > 0) & (size < _normal(x))
    multiple = size.astype(form.float_type) * 2.0 ** (_STEPS - _steps_to_smallest(x))
    return jnp.where(subnormal, jnp.where(_bits(x) < 0, -multiple, multiple), x), subnormal


def lowered(product: jax.Array, subnormal: jax.Array) -> jax.Array:
    """What a product with a raised number would have been."""
    return jnp.where(subnormal, product * 2.0**-_STEPS, product)


def log_of_raised(x: jax.Array, subnormal: jax.Array) -> jax.Array:
    """The logarithm of the number itself."""
    return jnp.log(x) - jnp.where(subnormal, _STEPS * math.log(2), 0.0)
