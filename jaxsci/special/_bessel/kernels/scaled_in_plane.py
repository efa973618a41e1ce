"""Scaled Bessel functions of large orders and complex arguments, by those that are not scaled.

From order 86 on SciPy's scaled Hankel functions and K are 0 where the functions without the factor
would underflow or overflow at one of the steps, and so are the terms of J, Y and I that are made of
them: one value in thirty is wrong. Where they overflow, Y is J times i or -i, a Hankel function
twice J, and K is I times pi i or -pi i, but for what is less by a factor of 1e-86 and more (DLMF
10.4.3, 10.4.4, 10.34.2): SciPy's scaled J and I are right there.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.row import Repair

LARGE_ORDER = 85.0
_WITHIN = 1e-11
_VAST = 100.0
"""The logarithm of J or I from which on others are as large."""

Function = Callable[[jax.Array, jax.Array], jax.Array]
"""Of an order and an argument."""
OfArgument = Callable[[jax.Array], jax.Array]


def by_imaginary_part(z: jax.Array) -> jax.Array:
    """The logarithm of the factor of J and Y."""
    return -jnp.abs(z.imag)


def by_real_part(z: jax.Array) -> jax.Array:
    """That of I."""
    return -jnp.abs(z.real)


def times_factor(plain: Callable[..., jax.Array], exponent: OfArgument) -> Function:
    """The scaled function; NaN where that, or the other one, is 0 or infinite.

    Args:
        plain: it without the factor.
        exponent: the logarithm of the factor.
    """

    def function(v: jax.Array, z: jax.Array) -> jax.Array:
        value = plain(v, z)
        half = jnp.exp(exponent(z) / 2)  # the factor may underflow where the product does not
        scaled = (value * half) * half
        return jnp.where((scaled != 0) & jnp.isfinite(scaled), scaled, jnp.nan)

    return function


def of_vast(growing: Function, exponent: OfArgument, factor: OfArgument) -> Function:
    """The scaled function where it is as large as J or I; NaN elsewhere.

    Args:
        growing: scaled J, or I.
        exponent: the logarithm of what that is scaled by.
        factor: what to multiply it by; NaN where the function does not grow with it.
    """

    def function(v: jax.Array, z: jax.Array) -> jax.Array:
        value = growing(v, z)
        vast = jnp.log(jnp.abs(value)) - exponent(z) > _VAST
        return jnp.where(vast, value * factor(z), jnp.nan)

    return function


def y_over_j(z: jax.Array) -> jax.Array:
    """Of scaled functions, where those of the first and third kind are large."""
    return jnp.where(z.imag < 0, -1j, 1j)


def hankel_over_j(kind: int) -> OfArgument:
    """The same of a Hankel function, in the half plane where it grows."""
    sign = -1.0 if kind == 1 else 1.0

    def factor(z: jax.Array) -> jax.Array:
        return jnp.where(sign * z.imag > 0, 2 * jnp.exp(1j * sign * z.real), jnp.nan)

    return factor


def k_over_i(z: jax.Array) -> jax.Array:
    """K at z over I at -z, of scaled functions, left of the imaginary axis."""
    turn = jnp.where(z.imag < 0, 1j, -1j) * jnp.pi
    return jnp.where(z.real < 0, turn * jnp.exp(1j * z.imag), jnp.nan)


def of_scaled(
    plain: Callable[..., jax.Array],
    exponent: OfArgument,
    vast: Function | None = None,
    *,
    negative: bool = False,
) -> Repair:
    """A row's repair, for complex arguments.

    Args:
        plain: the function without the factor.
        exponent: the logarithm of the factor.
        vast: the scaled function where the plain one overflows, or NaN.
        negative: whether values of other than negative orders are right.
    """
    by_factor = times_factor(plain, exponent)

    def own(v: jax.Array, z: jax.Array) -> jax.Array:
        value = by_factor(v, z)
        return value if vast is None else jnp.where(jnp.isnan(value), vast(v, z), value)

    words = f"v < -{LARGE_ORDER:g}" if negative else f"|v| > {LARGE_ORDER:g}"

    def doubtful(v: jax.Array, z: jax.Array) -> jax.Array:
        return ((v < 0) | (not negative)) & (jnp.abs(v) > LARGE_ORDER) & jnp.isfinite(z)

    return by_own(words, doubtful, own, within=_WITHIN, of="complex")
