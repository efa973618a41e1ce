"""Mathieu functions where SciPy's are wrong.

For some q its search for the characteristic value ends at that of another order, and series that
are divided by a small coefficient lose digits.

What SciPy has is kept where it agrees with the value of this package.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.row import Guard, Repair
from jaxsci.special._mathieu.kernels.modified import radial
from jaxsci.special._mathieu.kernels.series import (
    angular_and_slope,
    characteristic_value,
    is_characteristic,
)
from jaxsci.special._numerics.few import formula_of_few, where_wanted

_WRONG = 1e-9
_SMALL, _SMALL_OF_LARGE, _LARGE = 0.01, 2.0, 40
_WORDS = "SciPy's are off by more than 1e-9, as far as "
_SEARCH = "|q| > 4m and m > 2, or |q| > 3m and m > 12, or |q| > 1500"

Pair = tuple[jax.Array, jax.Array]


def _search_may_fail(m: jax.Array, q: jax.Array) -> jax.Array:
    size = jnp.abs(q)
    return (size > 1500) | (m > 2) & (size > 4 * m) | (m > 12) & (size > 3 * m)


def eigenvalue(even: bool, within: Guard) -> Repair:
    """Of a_m(q) or b_m(q), where the guard allows them."""

    def where(ys: Sequence[jax.Array], m: jax.Array, q: jax.Array) -> jax.Array:
        return _search_may_fail(m, q) & within.allows(m, q)

    def formula(ys: Sequence[jax.Array], m: jax.Array, q: jax.Array) -> jax.Array:
        m, q = jnp.broadcast_arrays(m, q)
        right = is_characteristic(m, q, ys[0], even=even, error=_WRONG)
        (found,) = where_wanted(
            where(ys, m, q) & ~right,
            lambda m, q: (characteristic_value(m, q, even=even, order=0),),
            (m, q),
            (ys[0],),
        )
        return found

    return Repair(_WORDS + _SEARCH, where, formula, costly=True)


def _function(
    words: str,
    within: Guard,
    doubtful: Callable[[jax.Array, jax.Array], jax.Array],
    own: Callable[..., Pair],
    wavenumber: Callable[..., jax.Array],
) -> Repair:
    """Of a function of m, q and x and its slope, of oscillations of about this wavenumber."""

    def where(ys: Sequence[jax.Array], m: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
        return doubtful(m, q) & within.allows(m, q, x) & ~jnp.isnan(x)

    ours = formula_of_few(where, own, results=2)

    def formula(ys: Sequence[jax.Array], m: jax.Array, q: jax.Array, x: jax.Array) -> Pair:
        value, slope = ours(ys, m, q, x)
        per_slope = 1 / wavenumber(m, q, x)
        amplitude = jnp.hypot(value, slope * per_slope)
        off = jnp.hypot(value - ys[0], (slope - ys[1]) * per_slope)
        right = off <= _WRONG * amplitude
        return jnp.where(right, ys[0], value), jnp.where(right, ys[1], slope)

    return Repair(_WORDS + words, where, formula, results=(0, 1), costly=True)


def solution(even: bool, within: Guard) -> Repair:
    """Of ce_m(x, q) or se_m(x, q), x in degrees, and its slope in radians."""

    def wavenumber(m: Any, q: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.sqrt(1 + m * m + 2 * jnp.abs(q))

    def doubtful(m: jax.Array, q: jax.Array) -> jax.Array:
        # Coefficients underflow, or SciPy's characteristic value is not close enough for them.
        size = jnp.abs(q)
        small = (size > 1e-8) & (size < jnp.where(m < _LARGE, _SMALL, _SMALL_OF_LARGE))
        return _search_may_fail(m, q) | (m >= 2) & small

    own = functools.partial(angular_and_slope, even=even)
    words = (
        f"m >= 2 and 1e-8 < |q| < {_SMALL:g}, or m >= {_LARGE} and 1e-8 < |q| < "
        f"{_SMALL_OF_LARGE:g}, or {_SEARCH}"
    )
    return _function(words, within, doubtful, own, wavenumber)


def modified(even: bool, kind: int, within: Guard) -> Repair:
    """Of Mc_m or Ms_m of x and q, of the first or second kind, and its slope."""

    def doubtful(m: jax.Array, q: jax.Array) -> jax.Array:
        return (q > 0) & (_search_may_fail(m, q) | (m >= 5) & (q < m * m))

    def wavenumber(m: jax.Array, q: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.sqrt(1 + m * m + 2 * q * jnp.cosh(2 * jnp.clip(x, -100.0, 100.0)))

    words = f"q > 0 and m >= 5 and q < m^2, or {_SEARCH}"
    own = functools.partial(radial, even=even, kind=kind, in_q=0)
    return _function(words, within, doubtful, own, wavenumber)
