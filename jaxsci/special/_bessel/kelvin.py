"""Kelvin functions (DLMF 10.61 to 10.66)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._bessel.kernels import kelvin_on_device
from jaxsci.special._bessel.real_order import jv, kv
from jaxsci.special._catalog.decorators import (
    Flaw,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real

_LINE = Reals(-20, 20)
_HALF_LINE = Reals(0.05, 20)
_ENTIRE = ((0.0,), (1e-6,), (-3.0,), (0.5,))
_POSITIVE = ((1e-3,), (0.5,), (40.0,))

_BER_FLAW = Flaw("1e-9", "10 < abs(x) < 15")
_KER_FLAW = Flaw("1e-9", "4.5 < x < 15")

# ber x + i bei x = J_0(x e^{3 pi i/4}),  ker x + i kei x = K_0(x e^{pi i/4})
_J_RAY = complex(-math.sqrt(0.5), math.sqrt(0.5))
_K_RAY = complex(math.sqrt(0.5), math.sqrt(0.5))


@elementwise(
    source="10.61.1",
    samples=Samples("ber(0, x)", (_LINE,), awkward=_ENTIRE, flaws=(_BER_FLAW,)),
    kernel=kelvin_on_device.ber,
)
def ber(x: Real) -> Array:
    """Kelvin function ber x, the real part of J_0(x exp(3 pi i/4)).

    Args:
        x: argument, any real number

    Example:
        >>> ber(jnp.array([0.0, 1.0, 2.0]))
        Array([1.        , 0.98438178, 0.75173418], dtype=float64)
        >>> def resistance(x):  # of a round wire, in units of that for direct current (skin effect)
        ...     loss = ber(x) * beip(x) - bei(x) * berp(x)
        ...     return x / 2 * loss / (berp(x) ** 2 + beip(x) ** 2)
        >>> print(f"{resistance(3.0):.6f}")
        1.318095
        >>> print(f"{jax.grad(resistance)(3.0):.6f}")
        0.323177
    """
    ...


rule(ber, x=closed("DLMF 10.61.1, 10.6.3", lambda y, x: _derivative_of_j(x, 1)[0]))


@elementwise(
    source="10.61.1",
    samples=Samples("bei(0, x)", (_LINE,), awkward=_ENTIRE, flaws=(_BER_FLAW,)),
    kernel=kelvin_on_device.bei,
)
def bei(x: Real) -> Array:
    """Kelvin function bei x, the imaginary part of J_0(x exp(3 pi i/4)).

    Args:
        x: argument, any real number

    Example:
        >>> bei(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.24956604, 0.97229163], dtype=float64)
        >>> print(f"{jax.grad(bei)(1.0):.6f}")  # bei'
        0.497397
    """
    ...


rule(bei, x=closed("DLMF 10.61.1, 10.6.3", lambda y, x: _derivative_of_j(x, 1)[1]))


@elementwise(
    source="10.61.2",
    samples=Samples("ker(0, x)", (_HALF_LINE,), awkward=_POSITIVE, flaws=(_KER_FLAW,)),
    note="NaN for x < 0.",
    kernel=kelvin_on_device.ker,
)
def ker(x: Real) -> Array:
    """Kelvin function ker x, the real part of K_0(x exp(pi i/4)).

    Args:
        x: argument, x > 0; inf at 0

    Example:
        >>> ker(jnp.array([0.0, 1.0, 2.0]))
        Array([        inf,  0.28670621, -0.04166451], dtype=float64)
        >>> print(f"{jax.grad(ker)(1.0):.6f}")  # ker'
        -0.694604
    """
    ...


rule(ker, x=closed("DLMF 10.61.2, 10.29.3", lambda y, x: _first_of_ker(x)))


@elementwise(
    source="10.61.2",
    samples=Samples("kei(0, x)", (_HALF_LINE,), awkward=_POSITIVE, flaws=(_KER_FLAW,)),
    note="NaN for x < 0.",
    kernel=kelvin_on_device.kei,
)
def kei(x: Real) -> Array:
    """Kelvin function kei x, the imaginary part of K_0(x exp(pi i/4)).

    Args:
        x: argument, x >= 0; -pi/4 at 0

    Example:
        >>> kei(jnp.array([0.0, 1.0, 2.0]))
        Array([-0.78539816, -0.49499464, -0.20240007], dtype=float64)
        >>> print(f"{jax.grad(kei)(1.0):.6f}")  # kei'
        0.352370
    """
    ...


rule(kei, x=closed("DLMF 10.61.2, 10.29.3", lambda y, x: _first_of_kei(x)))


@elementwise(
    source="10.61.1",
    samples=Samples("diff(lambda t: ber(0, t), x)", (_LINE,), awkward=_ENTIRE, flaws=(_BER_FLAW,)),
    kernel=kelvin_on_device.berp,
)
def berp(x: Real) -> Array:
    """Derivative of the Kelvin function ber x.

    Args:
        x: argument, any real number

    Example:
        >>> berp(jnp.array([0.0, 1.0, 2.0]))
        Array([ 0.        , -0.06244575, -0.49306712], dtype=float64)
    """
    ...


rule(berp, x=closed("DLMF 10.61.1, 10.6.7", lambda y, x: _derivative_of_j(x, 2)[0]))


@elementwise(
    source="10.61.1",
    samples=Samples("diff(lambda t: bei(0, t), x)", (_LINE,), awkward=_ENTIRE, flaws=(_BER_FLAW,)),
    kernel=kelvin_on_device.beip,
)
def beip(x: Real) -> Array:
    """Derivative of the Kelvin function bei x.

    Args:
        x: argument, any real number

    Example:
        >>> beip(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.49739651, 0.91701361], dtype=float64)
    """
    ...


rule(beip, x=closed("DLMF 10.61.1, 10.6.7", lambda y, x: _derivative_of_j(x, 2)[1]))


@elementwise(
    source="10.61.2",
    samples=Samples(
        "diff(lambda t: ker(0, t), x)", (_HALF_LINE,), awkward=_POSITIVE, flaws=(_KER_FLAW,)
    ),
    note="NaN for x < 0.",
    kernel=kelvin_on_device.kerp,
)
def kerp(x: Real) -> Array:
    """Derivative of the Kelvin function ker x.

    Args:
        x: argument, x > 0; -inf at 0

    Example:
        >>> kerp(jnp.array([0.5, 1.0, 2.0]))
        Array([-1.81979975, -0.69460389, -0.10660097], dtype=float64)
    """
    ...


rule(kerp, x=closed("DLMF 10.61.3, 10.29.5", lambda y, x: _second_of_ker(x)))


@elementwise(
    source="10.61.2",
    samples=Samples(
        "diff(lambda t: kei(0, t), x)", (_HALF_LINE,), awkward=_POSITIVE, flaws=(_KER_FLAW,)
    ),
    note="NaN for x < 0.",
    kernel=kelvin_on_device.keip,
)
def keip(x: Real) -> Array:
    """Derivative of the Kelvin function kei x.

    Args:
        x: argument, x >= 0; 0 at 0

    Example:
        >>> keip(jnp.array([0.0, 1.0, 2.0]))
        Array([0.        , 0.35236991, 0.21980791], dtype=float64)
    """
    ...


rule(keip, x=closed("DLMF 10.61.3, 10.29.5", lambda y, x: _second_of_kei(x)))


def _derivative_of_j(x: jax.Array, n: int) -> tuple[jax.Array, ...]:
    """The n-th derivative (n = 1 or 2) of J_0(x e^{3 pi i/4}) = ber x + i bei x."""
    near = _near_zero(x)
    z = _J_RAY * _at(x, ~near)
    far = -_J_RAY * jv(1.0, z) if n == 1 else _J_RAY**2 * (jv(2.0, z) - jv(0.0, z)) / 2
    x = _at(x, near, 0.5)
    return (
        jnp.where(near, _series(x, 1, n), far.real),
        jnp.where(near, _series(x, 1j, n), far.imag),
    )


def _second_of_ker(x: jax.Array) -> jax.Array:
    small = _small(x)
    near = _at(x, small & (x > 0))
    equation = jnp.where(x == 0, jnp.inf, -kei(near) - kerp(near) / near)
    return jnp.where(small, jnp.where(x < 0, jnp.nan, equation), _second_of_k(_at(x, ~small)).real)


def _second_of_kei(x: jax.Array) -> jax.Array:
    small = _small(x)
    near = _at(x, small & (x > 0))
    equation = jnp.where(x == 0, jnp.inf, ker(near) - keip(near) / near)
    return jnp.where(small, jnp.where(x < 0, jnp.nan, equation), _second_of_k(_at(x, ~small)).imag)


def _first_of_ker(x: jax.Array) -> jax.Array:
    small = _small(x)
    return jnp.where(small, kerp(_at(x, small)), _first_of_k(_at(x, ~small)).real)


def _first_of_kei(x: jax.Array) -> jax.Array:
    small = _small(x)
    return jnp.where(small, keip(_at(x, small)), _first_of_k(_at(x, ~small)).imag)


def _of_kelvin(y: Sequence[jax.Array], x: jax.Array) -> tuple[jax.Array, ...]:
    first_k = _first_of_ker(x) + 1j * _first_of_kei(x)
    second_k = _second_of_ker(x) + 1j * _second_of_kei(x)
    first_j, second_j = _derivative_of_j(x, 1), _derivative_of_j(x, 2)
    return first_j[0] + 1j * first_j[1], first_k, second_j[0] + 1j * second_j[1], second_k


@elementwise(
    source="10.61.1",
    samples=Samples(
        "ber(0, x) + 1j*bei(0, x); ker(0, x) + 1j*kei(0, x); "
        "diff(lambda t: ber(0, t) + 1j*bei(0, t), x); diff(lambda t: ker(0, t) + 1j*kei(0, t), x)",
        (_HALF_LINE,),
        awkward=_POSITIVE,
        flaws=(replace(_BER_FLAW, results="Be Bep"), replace(_KER_FLAW, results="Ke Kep")),
    ),
    outputs=("Be", "Ke", "Bep", "Kep"),
    note="Ke and Kep are NaN for x < 0.",
    kernel=kelvin_on_device.kelvin,
)
def kelvin(x: Real) -> tuple[Array, Array, Array, Array]:
    """Kelvin functions as complex numbers: ber + i bei, ker + i kei, and their derivatives.

    Args:
        x: argument, x > 0; at 0 the real part of Ke is inf, that of Kep -inf

    Example:
        >>> Be, Ke, Bep, Kep = kelvin(jnp.array([1.0, 2.0]))
        >>> Be
        Array([0.98438178+0.24956604j, 0.75173418+0.97229163j], dtype=complex128)
        >>> print(f"{jax.jvp(kelvin, (1.0,), (1.0,))[1][0]:.6f}")  # Bep
        -0.062446+0.497397j
    """
    ...


rule(kelvin, x=closed("DLMF 10.61.1, 10.61.2", _of_kelvin))


def _near_zero(x: jax.Array) -> jax.Array:
    """Where the power series is taken: one of ber and bei is much smaller than the other."""
    return jnp.abs(x) < 1


def _series(x: jax.Array, power: complex, n: int) -> Any:
    """The n-th derivative of ber (power 1) or bei (power i) by DLMF 10.65.1, for |x| < 1."""
    coefficients = np.zeros(25)
    for k in range(13):
        coefficients[2 * k] = (1j**k / power).real / (4**k * math.factorial(k) ** 2)
    total: PyTree = 0.0
    for c in np.polynomial.polynomial.polyder(coefficients, n)[::-1]:
        total = total * x + c
    return total


def _first_of_k(x: jax.Array) -> jax.Array:
    """d/dx K_0(x e^{pi i/4}) for x > 0."""
    return -_K_RAY * kv(1.0, _K_RAY * x)


def _second_of_k(x: jax.Array) -> jax.Array:
    return _K_RAY**2 * (kv(0.0, _K_RAY * x) + kv(2.0, _K_RAY * x)) / 2


def _small(x: jax.Array) -> jax.Array:
    """Where K_1(x e^{pi i/4}) is nearly its pole 1/z, and hides its imaginary part."""
    return x < 1


def _at(x: jax.Array, inside: jax.Array, elsewhere: float = 1.0) -> jax.Array:
    return jnp.where(inside, x, elsewhere)
