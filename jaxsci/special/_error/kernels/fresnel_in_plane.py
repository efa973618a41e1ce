"""Fresnel's integrals of complex numbers in JAX operations: by the error function (DLMF 7.5.8).

C + iS and C - iS are error functions of (1 - i)z and (1 + i)z. Near 0, where S would be lost in
their difference, the integrals are power series.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci.special._catalog.kernel import device_kernel
from jaxsci.special._numerics import faddeeva_function
from jaxsci.special._numerics.elementary import upper_half
from jaxsci.special._numerics.faddeeva_function import product
from jaxsci.special._numerics.plane import Part
from jaxsci.special._numerics.shared import shared
from jaxsci.special._numerics.taylor import once

_NEAR = 1.0
_TERMS = 14
_HALF_ROOT = math.sqrt(math.pi) / 2
_PI_LOW = 1.2246467991473532e-16
_LARGE = 1e150


def _series(z: Part, u: Part, odd: int) -> Part:
    """C (or S, odd = 1) for small z, where u = z^4 (DLMF 7.6.4, 7.6.6)."""
    coefficients: Sequence[float] = [
        (-1) ** n * (math.pi / 2) ** (2 * n + odd) / (math.factorial(2 * n + odd) * (4 * n + d))
        for n in range(_TERMS)
        for d in (1 + 2 * odd,)
    ]
    value = Part(jnp.full_like(u.re, coefficients[-1]), jnp.zeros_like(u.re))
    for c in coefficients[-2::-1]:
        value = value.times(u)
        value = Part(value.re + c, value.im)
    return value.times(z)


def _square_modulo_four(x: jax.Array) -> jax.Array:
    """x^2 less a multiple of 4: that of x rounded to 26 bits is exact."""
    high = upper_half(x)
    return jnp.fmod(high * high, 4.0) + jnp.fmod((x - high) * (x + high), 4.0)


def _exponentials(x: jax.Array, y: jax.Array) -> tuple[Part, Part]:
    """exp(i pi z^2/2) and exp(-i pi z^2/2)."""
    angle = math.pi / 2 * (_square_modulo_four(x) - _square_modulo_four(y))
    c, s = shared(jnp.cos(angle)), shared(jnp.sin(angle))
    area, error = product(x, y)
    main, rest = product(area, jnp.full_like(area, math.pi))
    rest = jnp.clip(rest + (area * _PI_LOW + math.pi * error), -0.5, 0.5)

    def size(sign: float) -> jax.Array:
        whole = shared(jnp.exp(sign * main))
        more = sign * rest
        return jnp.where(whole < jnp.inf, whole + whole * (more + 0.5 * more * more), whole)

    down, up = size(-1.0), size(1.0)
    return Part(down * c, down * s), Part(up * c, -up * s)


@device_kernel(ulps=20, envelope="min(1, abs(z)**3)/2; min(1, abs(z))/2")
def fresnel(z: jax.Array) -> tuple[jax.Array, jax.Array]:
    """S(z) and C(z)."""
    x, y = (jnp.clip(t, -_LARGE, _LARGE) for t in (z.real, z.imag))
    near = (jnp.abs(x) < _NEAR) & (jnp.abs(y) < _NEAR)
    inside = Part(jnp.where(near, x, 0.0), jnp.where(near, y, 0.0))
    square = inside.times(inside)
    fourth = square.times(square)
    forth, back = _exponentials(x, y)
    first, second = once(
        faddeeva_function.erf(_HALF_ROOT * (x + y), _HALF_ROOT * (y - x), forth).as_complex(),
        faddeeva_function.erf(_HALF_ROOT * (x - y), _HALF_ROOT * (x + y), back).as_complex(),
    )
    # (1 + i)/2 and (1 - i)/2 times these are C + iS and C - iS.
    a, b = 0.5 * (first.real - first.imag), 0.5 * (first.real + first.imag)
    c, d = 0.5 * (second.real + second.imag), 0.5 * (second.imag - second.real)
    s_near, c_near = _series(inside.times(square), fourth, 1), _series(inside, fourth, 0)
    s = jax.lax.complex(
        jnp.where(near, s_near.re, 0.5 * (b - d)), jnp.where(near, s_near.im, 0.5 * (c - a))
    )
    c_ = jax.lax.complex(
        jnp.where(near, c_near.re, 0.5 * (a + c)), jnp.where(near, c_near.im, 0.5 * (b + d))
    )
    unknown = jnp.isnan(z.real) | jnp.isnan(z.imag)
    return jnp.where(unknown, jnp.nan, s), jnp.where(unknown, jnp.nan, c_)
