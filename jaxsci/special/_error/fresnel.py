"""Fresnel's integrals (DLMF 7.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._error.error import wofz_derivative
from jaxsci.special._error.kernels import fresnel_in_plane, fresnel_on_device

_ENTIRE = ((0.0,), (1e-8,), (-1e-3,), (0.5,), (1.25,), (-2.25,), (1e-90,))


def _of_fresnel(y: Sequence[jax.Array], z: jax.Array) -> tuple[jax.Array, ...]:
    # sin and cos have the period 4 in z^2, which reduces exactly.
    square = z * z
    if jnp.iscomplexobj(z):
        square = jnp.fmod(square.real, 4.0) + 1j * square.imag
    else:
        square = jnp.fmod(square, 4.0)
    angle = math.pi / 2 * square
    return jnp.sin(angle), jnp.cos(angle)


def _divides_by_nothing(z: jax.Array) -> jax.Array:
    """Where SciPy divides by the sine or cosine of pi z^2/2, complex z, and that is almost 0."""
    size, half = jnp.abs(z), z * z / 2
    return (size > 2.4) & (size < 4.6) & (jnp.abs(half - jnp.round(half.real)) < 5e-4)


@elementwise(
    source="7.2.8",
    samples=Samples(
        "fresnels(z); fresnelc(z)",
        (Complexes(0.01, 6, negative=True),),
        awkward=(*_ENTIRE, (30.3,), (-1000.25,), (1e5 + 0.125,), (1e-3j,), (2 + 2j,)),
    ),
    outputs=("S", "C"),
    repair=by_own(
        "2.4 < |z| < 4.6 and z^2 is within 1e-3 of an even number",
        _divides_by_nothing,
        fresnel_in_plane.fresnel,
        of="complex",
        results=(0, 1),
    ),
    kernel=fresnel_on_device.fresnel,
    complex_kernel=fresnel_in_plane.fresnel,
)
def fresnel(z: Complex) -> tuple[Array, Array]:
    """Fresnel's integrals S(z) and C(z), of sin(pi t^2/2) and cos(pi t^2/2) from 0 to z.

    Args:
        z: any number

    Example:
        >>> s, c = fresnel(jnp.array([-1.0, 0.0, 1.2]))
        >>> ((s + 0.5) ** 2 + (c + 0.5) ** 2) / 2  # intensity of light past a straight edge
        Array([0.04107612, 0.25      , 1.36965924], dtype=float64)
        >>> print(f"{jax.grad(lambda z: fresnel(z)[0])(1.2):.6f}")
        0.770513
    """
    ...


rule(fresnel, z=closed("DLMF 7.2.7, 7.2.8", _of_fresnel))


def _reference(sign: str) -> str:
    """F and K by erfc, for the integral of exp(+-it^2) over a ray that is turned."""
    turned = f"exp({sign}1j*pi/4)"
    f = f"sqrt(pi)/2 * {turned} * erfc(x / {turned})"
    return f"{f}; exp(-({sign}1j)*x**2) * erfc(x / {turned}) / 2"


_LARGE = ((30.0,), (1e3,), (1e6,))


def _of_modified(sign: int) -> Any:
    # K+(x) = w(x exp(i pi/4))/2; the values at -x are conjugate.
    ray = complex(math.sqrt(0.5), sign * math.sqrt(0.5))

    def derivative(y: Sequence[jax.Array], x: jax.Array) -> tuple[jax.Array, ...]:
        f = -jnp.exp(1j * sign * x * x)
        z = ray * x
        if sign > 0:
            return f, ray / 2 * wofz_derivative(z, n=1)
        return f, jnp.conj(ray.conjugate() / 2 * wofz_derivative(jnp.conj(z), n=1))

    return closed("DLMF 7.2.6, 7.10.2", derivative)


_FAR = 50.0
_FAR_TERMS = 6


def _far(sign: int, x: jax.Array) -> jax.Array:
    """K for x > 50 (DLMF 7.12.1), without the exponential of ix^2, which SciPy divides by."""
    v = -1j * sign / (x * x)
    total: Any = 1.0
    for m in range(_FAR_TERMS, 0, -1):
        total = 1 + (m - 0.5) * v * total
    return complex(1, sign) * math.sqrt(0.125 / math.pi) / x * total


def _left_and_far(sign: int) -> Repair:
    """F from K, for x < 0, where the real part of SciPy's F is right, and the imaginary one not."""

    def formula(ys: Sequence[jax.Array], x: jax.Array) -> tuple[jax.Array, jax.Array]:
        f, k = ys
        turned = math.sqrt(math.pi) * jnp.exp(1j * sign * (x * x + math.pi / 4)) * k
        mended = jax.lax.complex(f.real, turned.imag)
        return jnp.where(x < 0, mended, f), jnp.where(x > _FAR, _far(sign, x), k)

    def where(ys: Sequence[jax.Array], x: jax.Array) -> jax.Array:
        return (x < 0) | (x > _FAR) & (x < jnp.inf)

    kind = "+" if sign > 0 else "-"
    words = f"x < 0, for F{kind}, and where x > {_FAR:g}, for K{kind}"
    return Repair(words, where, formula, results=(0, 1), costly=True)


@elementwise(
    source="7.2.6",
    samples=Samples(
        _reference("+"),
        (Reals(-10, 30),),
        awkward=(*_ENTIRE, *_LARGE),
    ),
    outputs=("fp", "kp"),
    repair=_left_and_far(1),
)
def modfresnelp(x: Real) -> tuple[Array, Array]:
    """Modified Fresnel integrals F+(x) and K+(x).

    F+ is the integral of exp(it^2) over t from x to infinity, and
    K+ = exp(-i(x^2 + pi/4)) F+/sqrt(pi).

    Args:
        x: any finite real number; NaN for infinities
    """
    ...


rule(modfresnelp, x=_of_modified(1))


@elementwise(
    source="7.2.6",
    samples=Samples(
        _reference("-"),
        (Reals(-10, 30),),
        awkward=(*_ENTIRE, *_LARGE),
    ),
    outputs=("fm", "km"),
    repair=_left_and_far(-1),
)
def modfresnelm(x: Real) -> tuple[Array, Array]:
    """Modified Fresnel integrals F-(x) and K-(x).

    F- is the integral of exp(-it^2) over t from x to infinity, and
    K- = exp(i(x^2 + pi/4)) F-/sqrt(pi).

    Args:
        x: any finite real number; NaN for infinities
    """
    ...


rule(modfresnelm, x=_of_modified(-1))
