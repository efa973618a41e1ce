"""Power series of F and M in double precision, which tell how many digits they have lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.types import PyTree
from jaxsci.special._numerics.plane import one_minus, over

_TERMS = 1500.0


def gauss_in_double(
    a: jax.Array, b: jax.Array, c: jax.Array, z: jax.Array, terms: float = _TERMS
) -> tuple[Any, Any]:
    """F by its power series in double precision (DLMF 15.2.1, 15.8.1), and its relative error."""

    def ratio(k: jax.Array) -> jax.Array:
        return (both(a, a) + k) * (both(b, c - b) + k) / (both(c, c) + k)

    factors = both(jnp.ones_like(z), jnp.exp(-a * jnp.log(one_minus(z))))
    sizes = jnp.abs(a) + jnp.abs(b) + 2 * jnp.abs(c)
    return better_sum(ratio, both(z, over(z, z - 1)), factors, sizes, terms)


def both(x: jax.Array, y: jax.Array) -> jax.Array:
    """Of two sums what each has, along a first dimension."""
    return jnp.stack([x, y])


def better_sum(
    ratio: Callable[[Any], Any],
    z: jax.Array,
    factors: jax.Array,
    sizes: jax.Array,
    terms: float = _TERMS,
) -> tuple[Any, Any]:
    """The better of two sums in double precision, and its relative error, about.

    Args:
        ratio: of coefficients k + 1 and k, times k + 1.
        z: the argument.
        factors: of the sums.
        sizes: from which term on they fall off.
        terms: how many there are at most.
    """

    def add(carry: PyTree) -> PyTree:
        k, term, total, absolute = carry
        # An element that is done stays as it is while others go on.
        active = unfinished(carry)
        term = jnp.where(active, term * over(ratio(k) * z, k + 1), term)
        part = jnp.where(active, term, 0.0)
        return k + 1, term, total + part, absolute + _size(part)

    def unfinished(carry: Sequence[jax.Array]) -> jax.Array:
        k, term, total, _ = carry
        size = _size(total)
        # Where a lower parameter comes near 0, small terms grow once more.
        return ((_size(term) > 1e-17 * size) | (k <= sizes)) & (size < 1e250) | (k < 3)

    def going(carry: Any) -> Any:
        k, *_ = carry
        return jnp.any(unfinished(carry)) & (k < terms) | (k < 3)

    one = jnp.ones_like(z)
    k, term, total, absolute = jax.lax.while_loop(going, add, (0.0, one, one, _size(one)))
    size = _size(total)
    error = 1e-16 * (10 + sizes) * absolute / size
    error = jnp.where((_size(term) <= 1e-16 * size) & (k > sizes), error, jnp.inf)
    first = error[0] <= error[1]
    values = factors * total
    return jnp.where(first, values[0], values[1]), jnp.minimum(error[0], error[1])


def _size(x: jax.Array) -> jax.Array:
    return jnp.abs(x.real) + jnp.abs(x.imag) if jnp.iscomplexobj(x) else jnp.abs(x)
