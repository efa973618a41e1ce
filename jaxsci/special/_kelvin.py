"""Kelvin functions (DLMF 10.61 to 10.66)."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from jaxsci._catalog import elementwise, rule
from jaxsci._derive import closed
from jaxsci._domains import Reals
from jaxsci._types import Array, Real
from jaxsci.special._bessel import jv, kv

_LINE = Reals(-20, 20)
_HALF_LINE = Reals(0.05, 20)
_ENTIRE = ((0.0,), (1e-6,), (-3.0,), (0.5,))
_POSITIVE = ((1e-3,), (0.5,), (40.0,))

# ber x + i bei x = J_0(x e^{3 pi i/4}),  ker x + i kei x = K_0(x e^{pi i/4})
_J_RAY = complex(-math.sqrt(0.5), math.sqrt(0.5))
_K_RAY = complex(math.sqrt(0.5), math.sqrt(0.5))


@elementwise(dlmf="10.61.1", reference="ber(0, x)", domain=(_LINE,), awkward=_ENTIRE)
def ber(x: Real) -> Array:
    """Kelvin function ber x, the real part of J_0(x exp(3 pi i/4))."""
    ...


@elementwise(dlmf="10.61.1", reference="bei(0, x)", domain=(_LINE,), awkward=_ENTIRE)
def bei(x: Real) -> Array:
    """Kelvin function bei x, the imaginary part of J_0(x exp(3 pi i/4))."""
    ...


@elementwise(
    dlmf="10.61.2",
    reference="ker(0, x)",
    domain=(_HALF_LINE,),
    awkward=_POSITIVE,
    note="NaN for x < 0.",
)
def ker(x: Real) -> Array:
    """Kelvin function ker x, the real part of K_0(x exp(pi i/4))."""
    ...


@elementwise(
    dlmf="10.61.2",
    reference="kei(0, x)",
    domain=(_HALF_LINE,),
    awkward=_POSITIVE,
    note="NaN for x < 0.",
)
def kei(x: Real) -> Array:
    """Kelvin function kei x, the imaginary part of K_0(x exp(pi i/4))."""
    ...


@elementwise(
    dlmf="10.61.1", reference="diff(lambda t: ber(0, t), x)", domain=(_LINE,), awkward=_ENTIRE
)
def berp(x: Real) -> Array:
    """Derivative of the Kelvin function ber x."""
    ...


@elementwise(
    dlmf="10.61.1", reference="diff(lambda t: bei(0, t), x)", domain=(_LINE,), awkward=_ENTIRE
)
def beip(x: Real) -> Array:
    """Derivative of the Kelvin function bei x."""
    ...


_KERP_NOTE = (
    "NaN for x < 0. SciPy 1.17's own value is off by up to 1e-9 (relative) at some arguments."
)


@elementwise(
    dlmf="10.61.2",
    reference="diff(lambda t: ker(0, t), x)",
    domain=(_HALF_LINE,),
    awkward=_POSITIVE,
    note=_KERP_NOTE,
)
def kerp(x: Real) -> Array:
    """Derivative of the Kelvin function ker x."""
    ...


@elementwise(
    dlmf="10.61.2",
    reference="diff(lambda t: kei(0, t), x)",
    domain=(_HALF_LINE,),
    awkward=_POSITIVE,
    note=_KERP_NOTE,
)
def keip(x: Real) -> Array:
    """Derivative of the Kelvin function kei x."""
    ...


@elementwise(
    dlmf="10.61.1",
    reference=(
        "ber(0, x) + 1j*bei(0, x); ker(0, x) + 1j*kei(0, x); "
        "diff(lambda t: ber(0, t) + 1j*bei(0, t), x); diff(lambda t: ker(0, t) + 1j*kei(0, t), x)"
    ),
    domain=(_HALF_LINE,),
    awkward=_POSITIVE,
    outputs=("Be", "Ke", "Bep", "Kep"),
    note="Ke and Kep are NaN for x < 0.",
)
def kelvin(x: Real) -> tuple[Array, Array, Array, Array]:
    """Kelvin functions as complex numbers: ber + i bei, ker + i kei, and their derivatives."""
    ...


def _first_of_j(x: Any) -> Any:
    """d/dx J_0(x e^{3 pi i/4})."""
    return -_J_RAY * jv(1.0, _J_RAY * x)


def _second_of_j(x: Any) -> Any:
    return _J_RAY**2 * (jv(2.0, _J_RAY * x) - jv(0.0, _J_RAY * x)) / 2


def _first_of_k(x: Any) -> Any:
    """d/dx K_0(x e^{pi i/4}) for x > 0."""
    return -_K_RAY * kv(1.0, _K_RAY * x)


def _second_of_k(x: Any) -> Any:
    return _K_RAY**2 * (kv(0.0, _K_RAY * x) + kv(2.0, _K_RAY * x)) / 2


def _small(x: Any) -> Any:
    """Where K_1(x e^{pi i/4}) is nearly its pole 1/z, and hides its imaginary part."""
    return x < 1


def _at(x: Any, inside: Any, elsewhere: Any = 1.0) -> Any:
    return jnp.where(inside, x, elsewhere)


def _second_of_ker(x: Any) -> Any:
    small = _small(x)
    near = _at(x, small & (x > 0))
    equation = jnp.where(x == 0, jnp.inf, -kei(near) - kerp(near) / near)
    return jnp.where(small, jnp.where(x < 0, jnp.nan, equation), _second_of_k(_at(x, ~small)).real)


def _second_of_kei(x: Any) -> Any:
    small = _small(x)
    near = _at(x, small & (x > 0))
    equation = jnp.where(x == 0, jnp.inf, ker(near) - keip(near) / near)
    return jnp.where(small, jnp.where(x < 0, jnp.nan, equation), _second_of_k(_at(x, ~small)).imag)


def _first_of_ker(x: Any) -> Any:
    small = _small(x)
    return jnp.where(small, kerp(_at(x, small)), _first_of_k(_at(x, ~small)).real)


def _first_of_kei(x: Any) -> Any:
    small = _small(x)
    return jnp.where(small, keip(_at(x, small)), _first_of_k(_at(x, ~small)).imag)


def _of_kelvin(y: Any, x: Any) -> Any:
    first_k = _first_of_ker(x) + 1j * _first_of_kei(x)
    second_k = _second_of_ker(x) + 1j * _second_of_kei(x)
    return _first_of_j(x), first_k, _second_of_j(x), second_k


rule(ber, x=closed("DLMF 10.61.1, 10.6.3", lambda y, x: _first_of_j(x).real))
rule(bei, x=closed("DLMF 10.61.1, 10.6.3", lambda y, x: _first_of_j(x).imag))
rule(berp, x=closed("DLMF 10.61.1, 10.6.7", lambda y, x: _second_of_j(x).real))
rule(beip, x=closed("DLMF 10.61.1, 10.6.7", lambda y, x: _second_of_j(x).imag))
rule(ker, x=closed("DLMF 10.61.2, 10.29.3", lambda y, x: _first_of_ker(x)))
rule(kei, x=closed("DLMF 10.61.2, 10.29.3", lambda y, x: _first_of_kei(x)))
rule(kerp, x=closed("DLMF 10.61.3, 10.29.5", lambda y, x: _second_of_ker(x)))
rule(keip, x=closed("DLMF 10.61.3, 10.29.5", lambda y, x: _second_of_kei(x)))
rule(kelvin, x=closed("DLMF 10.61.1, 10.61.2", _of_kelvin))
