"""Error functions, Dawson's integral and Faddeeva's function (DLMF 7.2, 7.17)."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._error.kernels import faddeeva

_DISC = Complexes(0.01, 9, negative=True)
_PLANE = Complexes(0.05, 25, negative=True)
_ENTIRE = ((0.0,), (1e-8,), (-1e-3,), (0.5,), (1.0,), (-2.5,), (1e-120,))
_COMPLEX = ((1e-5j,), (3 - 1e-9j,), (-2 + 2j,), (0.3 - 0.4j,))
_ALGEBRAIC = ((6.0,), (8.0,), (27.0,), (1e3,), (1e6,), (1e8,), (1e30,))
_OUTSIDE = ((5 + 0.2j,), (-7 - 0.1j,), (1e3 + 1e-3j,), (20 + 1e4j,), (1e8 + 1e7j,))


def _of_erf(y: Any, z: Any) -> Any:
    return _SLOPE * jnp.exp(-z * z)


@elementwise(
    source="7.2.1",
    samples=Samples("erf(z)", (_DISC,), awkward=(*_ENTIRE, (6.5,), (-30.0,), *_COMPLEX)),
)
def erf(z: Complex) -> Array:
    """Error function, erf z."""
    ...


_SLOPE = 2 / math.sqrt(math.pi)

rule(erf, z=closed("DLMF 7.10.1", _of_erf))


@elementwise(
    source="7.2.2",
    samples=Samples("erfc(x)", (_DISC,), awkward=(*_ENTIRE, (6.5,), (20.0,), (-30.0,), *_COMPLEX)),
)
def erfc(x: Complex) -> Array:
    """Complementary error function, erfc x = 1 - erf x."""
    ...


rule(erfc, x=closed("DLMF 7.10.1", lambda y, x: -_of_erf(y, x)))


@elementwise(
    source="7.7.1",
    samples=Samples(
        "exp(x**2) * erfc(x)", (_PLANE,), awkward=(*_ENTIRE, *_ALGEBRAIC, *_COMPLEX, *_OUTSIDE)
    ),
)
def erfcx(x: Complex) -> Array:
    """Scaled complementary error function, exp(x^2) erfc(x)."""
    ...


rule(erfcx, x=closed("DLMF 7.10.2", lambda y, x: erfcx_derivative(x, n=1)))


@elementwise(
    source="7.4",
    samples=Samples("erfi(z)", (_DISC,), awkward=(*_ENTIRE, (20.0,), *_COMPLEX)),
)
def erfi(z: Complex) -> Array:
    """Imaginary error function, erfi z = -i erf(iz)."""
    ...


rule(erfi, z=closed("DLMF 7.10.1", lambda y, z: _SLOPE * jnp.exp(z * z)))


@elementwise(
    source="7.2.5",
    samples=Samples(
        "sqrt(pi)/2 * exp(-x**2) * erfi(x)",
        (_PLANE,),
        awkward=(*_ENTIRE, *_ALGEBRAIC, *_COMPLEX, *_OUTSIDE),
    ),
)
def dawsn(x: Complex) -> Array:
    """Dawson's integral, exp(-x^2) times the integral of exp(t^2) over t from 0 to x."""
    ...


rule(dawsn, x=closed("DLMF 7.10.2", lambda y, x: dawsn_derivative(x, n=1)))


@elementwise(
    source="7.2.3",
    samples=Samples(
        "exp(-z**2) * erfc(-1j*z)", (_PLANE,), awkward=(*_ENTIRE, *_ALGEBRAIC, *_COMPLEX, *_OUTSIDE)
    ),
)
def wofz(z: Complex) -> Array:
    """Faddeeva's function, w(z) = exp(-z^2) erfc(-iz)."""
    ...


rule(wofz, z=closed("DLMF 7.10.2", lambda y, z: wofz_derivative(z, n=1)))


@elementwise(
    source="7.17.1",
    samples=Samples(
        "inverse_erf(y)",
        (Reals(-0.999, 0.999),),
        awkward=((0.0,), (1e-8,), (1e-120,), (0.5,), (-0.999999,), (0.9999999999,)),
    ),
)
def erfinv(y: Real) -> Array:
    """Inverse of the error function: the x with erf x = y."""
    ...


# The slope of the function at the root that was found.
rule(erfinv, y=closed("DLMF 7.17.1, 7.10.1", lambda x, y: jnp.exp(x * x) / _SLOPE))


@elementwise(
    source="7.17.2",
    samples=Samples(
        "inverse_erfc(y)",
        (Reals(1e-6, 1.999),),
        awkward=((1.0,), (0.5,), (1e-3,), (1e-8,), (1e-30,), (1e-300,), (1.999999,)),
    ),
)
def erfcinv(y: Real) -> Array:
    """Inverse of the complementary error function: the x with erfc x = y."""
    ...


rule(erfcinv, y=closed("DLMF 7.17.2, 7.10.1", lambda x, y: -jnp.exp(x * x) / _SLOPE))

dawsn_derivative = faddeeva.of_dawsn(dawsn)
wofz_derivative = faddeeva.of_wofz(wofz, dawsn_derivative)
erfcx_derivative = faddeeva.of_erfcx(erfcx, wofz_derivative)
