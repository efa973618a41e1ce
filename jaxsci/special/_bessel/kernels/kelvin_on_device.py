"""Kelvin functions, by JAX operations.

They are the parts of I_0(z) and K_0(z) at z = x exp(pi i/4), and of their derivatives in x. Near 0
are the power series (DLMF 10.65), up to 8 polynomials in x. Beyond,

    K_0(z) = exp(-z) g(1/x)/sqrt(x),   I_0(z) = exp(z) h(1/x)/sqrt(x) - K_0(z)/(pi i)

with polynomials for g and h, and z in two parts, so that neither exponential nor phase lose digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxsci.special._bessel.kernels import kelvin_tables as tables
from jaxsci.special._catalog.kernel import Kernel, device_kernel
from jaxsci.special._numerics.by_precision import by_precision, is_single
from jaxsci.special._numerics.elementary import upper_half
from jaxsci.special._numerics.plane import Part
from jaxsci.special._numerics.polynomials import Piece, piecewise
from jaxsci.special._numerics.vectorised import (
    log,
    sine_and_cosine,
    sine_and_cosine_of_small,
)

_NEAR, _FAR = 2.0, 8.0
_NEAR_OF_DECAYING = 1.0
_SHIFT, _LARGE = 16.0, (100.0, 80.0)
_BEYOND = 1000.0
"""An exponent for which the functions are infinite, and 0."""
_MOST_REST = 1e-4, 1.0
"""Of what an exponent's first part leaves, where the exponential is neither 0 nor infinite."""
_ROOT_HALF = (0.7071067690849304, 1.210161710447897e-08), (0.70703125, 7.553118652475244e-05)
"""In two parts, of which the first has 24 bits, or 12."""


class _Tables(NamedTuple):
    """Polynomials of a function's two parts."""

    near: tuple[Piece, Piece]
    middle: tuple[Sequence[Piece], Sequence[Piece]]
    far: tuple[Piece, Piece]


_BE = _Tables(
    (tables.BER_NEAR, tables.BEI_NEAR), (tables.BER, tables.BEI), (tables.BER_FAR, tables.BEI_FAR)
)
_BEP = _Tables(
    (tables.BERP_NEAR, tables.BEIP_NEAR),
    (tables.BERP, tables.BEIP),
    (tables.BERP_FAR, tables.BEIP_FAR),
)
_KE = _Tables(
    (tables.KER_NEAR, tables.KEI_NEAR), (tables.KER, tables.KEI), (tables.KER_FAR, tables.KEI_FAR)
)
_KEP = _Tables(
    (tables.KERP_NEAR, tables.KEIP_NEAR),
    (tables.KERP, tables.KEIP),
    (tables.KERP_FAR, tables.KEIP_FAR),
)


class _Exponent:
    """x/sqrt(2), which is both parts of z: a number of 50 bits, and what it leaves."""

    def __init__(self, x: jax.Array) -> None:
        high = upper_half(x)
        root_high, root_low = by_precision(x, *_ROOT_HALF)
        self._whole = high * root_high
        self._rest = (x - high) * root_high + x * root_low
        size = jnp.minimum(self._whole, _BEYOND)
        self._large = size > by_precision(x, *_LARGE)
        shifted = jnp.exp(jnp.where(self._large, size - _SHIFT, size))
        most = by_precision(x, *_MOST_REST)
        rest = self._rest = jnp.clip(self._rest, -most, most)
        if is_single(x):
            # JAX 0.10's compiler takes a product of exponentials for that of the rounded sum.
            decay = jnp.exp(-size)
            self._growth = shifted + shifted * jnp.expm1(rest)
            self._decay = decay + decay * jnp.expm1(-rest)
            return
        correction = rest * (1 + rest / 2)
        self._growth = shifted * (1 + correction)
        self._decay = jnp.exp(-size) * (1 - correction + rest * rest)

    def _phase(self, sign: float) -> Part:
        """exp(i Im z), or its conjugate."""
        turns = sine_and_cosine(self._whole), sine_and_cosine_of_small(self._rest)
        first, second = (Part(cosine, sign * sine) for sine, cosine in turns)
        return first.times(second)

    def decaying(self, value: Part) -> Part:
        """The product with exp(-z)."""
        return self._phase(-1.0).times(value).scaled(self._decay)

    def growing(self, value: Part) -> Part:
        """The product with exp(z), which overflows before it does."""
        value = self._phase(1.0).times(value)
        return value.scaled(jnp.where(self._large, math.exp(_SHIFT), 1.0)).scaled(self._growth)


def _far_decaying(of: _Tables, x: jax.Array) -> Part:
    real, imag = of.far
    r = 1 / x
    return _Exponent(x).decaying(Part(real(r), imag(r)).scaled(jnp.sqrt(r)))


def _far_growing(of: _Tables, decaying: _Tables, x: jax.Array) -> Part:
    real, imag = of.far
    r = 1 / x
    value = _Exponent(x).growing(Part(real(r), imag(r)).scaled(jnp.sqrt(r)))
    small = _far_decaying(decaying, x)
    return Part(value.re - small.im / math.pi, value.im + small.re / math.pi)


def _middle(of: _Tables, x: jax.Array) -> Part:
    return Part(*(piecewise(part, x) for part in of.middle))


def _near_growing(x: jax.Array) -> tuple[Part, Part]:
    """Ber + i bei and its derivative."""
    u = (x * x) * (x * x)
    ber, bei, berp, beip = (u * part(u) for part in (*_BE.near, *_BEP.near))
    square, cube = x * x / 4, x * x * x / -16
    return (
        Part(1 + ber, square + square * bei),
        Part(cube + cube * berp, x / 2 + x / 2 * beip),
    )


def growing(x: jax.Array) -> tuple[Part, Part]:
    """Ber + i bei and its derivative, for any real x."""
    size = jnp.abs(x)
    near = _near_growing(jnp.minimum(size, _NEAR))
    far = jnp.where(size > _FAR, size, _FAR)
    value, slope = (
        _far_growing(of, decaying, far).where(
            size > _FAR, _middle(of, size).where(size > _NEAR, pair)
        )
        for of, decaying, pair in ((_BE, _KE, near[0]), (_BEP, _KEP, near[1]))
    )
    return value, slope.scaled(jnp.where(x < 0, -1.0, 1.0))


def _near_decaying(x: jax.Array) -> tuple[Part, Part]:
    """Ker + i kei and its derivative, for 0 < x <= 1."""
    value, slope = _near_growing(x)
    logarithm, u = -log(x), x * x
    rest = Part(*(part(u) for part in _KE.near))
    rest_of_slope = Part(*(x * part(u) for part in _KEP.near))
    return (
        Part(logarithm * value.re + rest.re, logarithm * value.im + rest.im),
        Part(
            (logarithm * slope.re + rest_of_slope.re) - 1 / x,
            logarithm * slope.im + rest_of_slope.im,
        ),
    )


def decaying(x: jax.Array) -> tuple[Part, Part]:
    """Ker + i kei and its derivative, for x >= 0."""
    near = _near_decaying(jnp.where((x > 0) & (x <= _NEAR_OF_DECAYING), x, 1.0))
    far = jnp.where(x > _FAR, x, _FAR)
    at_zero = Part(jnp.inf, -math.pi / 4), Part(-jnp.inf, 0.0)
    none = Part(jnp.nan, jnp.nan)
    value, slope = (
        _far_decaying(of, far).where(
            x > _FAR, _middle(of, x).where(x > _NEAR_OF_DECAYING, pair.where(x > 0, pole))
        )
        for of, pair, pole in zip((_KE, _KEP), near, at_zero, strict=True)
    )
    return value.where(x >= 0, none), slope.where(x >= 0, none)


def _part(name: str, envelope: str) -> Callable[[Callable[[jax.Array], Any]], Kernel]:
    def decorate(part: Callable[[jax.Array], Any]) -> Kernel:
        def evaluate(x: jax.Array) -> jax.Array:
            # Neither has a limit at infinity, as SciPy has it.
            return jnp.where(jnp.isfinite(x), part(x), jnp.nan)

        evaluate.__name__, evaluate.__doc__ = name, part.__doc__
        return device_kernel(ulps=4, envelope=envelope, single=5)(evaluate)

    return decorate


_MODULUS = "abs(bessel{0}({1}, x*sqrt(j))) if abs(x) > 1 else 0"
_OF_BE, _OF_BEP = _MODULUS.format("i", 0), _MODULUS.format("i", 1)
_OF_KE, _OF_KEP = _MODULUS.format("k", 0), _MODULUS.format("k", 1)


@device_kernel(ulps=4, single=5)
def kelvin(x: jax.Array) -> tuple[Any, ...]:
    """All of them as complex numbers."""
    (be, bep), (ke, kep) = growing(x), decaying(x)
    finite = jnp.isfinite(x)
    return tuple(
        jax.lax.complex(*(jnp.where(finite, part, jnp.nan) for part in pair))
        for pair in (be, ke, bep, kep)
    )


ber = _part("ber", _OF_BE)(lambda x: growing(x)[0].re)
bei = _part("bei", _OF_BE)(lambda x: growing(x)[0].im)
berp = _part("berp", _OF_BEP)(lambda x: growing(x)[1].re)
beip = _part("beip", _OF_BEP)(lambda x: growing(x)[1].im)
ker = _part("ker", _OF_KE)(lambda x: decaying(x)[0].re)
kei = _part("kei", _OF_KE)(lambda x: decaying(x)[0].im)
kerp = _part("kerp", _OF_KEP)(lambda x: decaying(x)[1].re)
keip = _part("keip", _OF_KEP)(lambda x: decaying(x)[1].im)
