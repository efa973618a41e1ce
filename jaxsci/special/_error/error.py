"""Error functions, Dawson's integral and Faddeeva's function (DLMF 7.2, 7.17)."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._error.kernels import faddeeva, on_device, plane_on_device

_DISC = Complexes(0.01, 9, negative=True)
_PLANE = Complexes(0.05, 25, negative=True)
_ENTIRE = ((0.0,), (1e-8,), (-1e-3,), (0.5,), (1.0,), (-2.5,), (1e-120,))
_COMPLEX = ((1e-5j,), (3 - 1e-9j,), (-2 + 2j,), (0.3 - 0.4j,))
_ALGEBRAIC = ((6.0,), (8.0,), (27.0,), (1e3,), (1e6,), (1e8,), (1e30,))
_OUTSIDE = ((5 + 0.2j,), (-7 - 0.1j,), (1e3 + 1e-3j,), (20 + 1e4j,), (1e8 + 1e7j,))


def _of_erf(y: jax.Array, z: jax.Array) -> jax.Array:
    return _SLOPE * jnp.exp(-z * z)


@elementwise(
    source="7.2.1",
    samples=Samples("erf(z)", (_DISC,), awkward=(*_ENTIRE, (6.5,), (-30.0,), *_COMPLEX)),
    kernel=on_device.erf,
    complex_kernel=plane_on_device.erf,
)
def erf(z: Complex) -> Array:
    """Error function erf z, 2/sqrt(pi) times the integral of exp(-t^2) over t from 0 to z.

    Args:
        z: any number

    Example:
        >>> erf(jnp.array([1.0, 2.0, 3.0]) / jnp.sqrt(2.0))  # within 1, 2, 3 sigma
        Array([0.68268949, 0.95449974, 0.9973002 ], dtype=float64)
        >>> print(f"{jax.grad(erf)(0.5):.6f}")
        0.878783
    """
    ...


_SLOPE = 2 / math.sqrt(math.pi)

rule(erf, z=in_single(3, closed("DLMF 7.10.1", _of_erf)))


@elementwise(
    source="7.2.2",
    samples=Samples("erfc(x)", (_DISC,), awkward=(*_ENTIRE, (6.5,), (20.0,), (-30.0,), *_COMPLEX)),
    kernel=on_device.erfc,
    complex_kernel=plane_on_device.erfc,
)
def erfc(x: Complex) -> Array:
    """Complementary error function, erfc x = 1 - erf x.

    Args:
        x: any number

    Example:
        >>> erfc(jnp.array([0.5, 5.0, 20.0]))
        Array([4.79500122e-001, 1.53745979e-012, 5.39586561e-176], dtype=float64)
        >>> concentration = lambda x, t: erfc(x / (2 * jnp.sqrt(t)))  # diffusion into a half-space
        >>> print(f"{jax.grad(concentration)(1.0, 2.0):.6f}")  # its gradient
        -0.352065
    """
    ...


rule(erfc, x=in_single(3, closed("DLMF 7.10.1", lambda y, x: -_of_erf(y, x))))


@elementwise(
    source="7.7.1",
    samples=Samples(
        "exp(x**2) * erfc(x)", (_PLANE,), awkward=(*_ENTIRE, *_ALGEBRAIC, *_COMPLEX, *_OUTSIDE)
    ),
    kernel=on_device.erfcx,
    complex_kernel=plane_on_device.erfcx,
)
def erfcx(x: Complex) -> Array:
    """Scaled complementary error function, exp(x^2) erfc(x).

    Args:
        x: any number; for real x the value overflows to infinity below about -26.6

    Example:
        >>> erfcx(jnp.array([-1.0, 1.0, 1e5]))
        Array([5.00898008e+00, 4.27583576e-01, 5.64189584e-06], dtype=float64)
        >>> print(f"{jax.grad(erfcx)(1.0):.6f}")
        -0.273212
    """
    ...


rule(erfcx, x=closed("DLMF 7.10.2", lambda y, x: erfcx_derivative(x, n=1)))


@elementwise(
    source="7.4",
    samples=Samples("erfi(z)", (_DISC,), awkward=(*_ENTIRE, (20.0,), *_COMPLEX)),
    kernel=on_device.erfi,
    complex_kernel=plane_on_device.erfi,
)
def erfi(z: Complex) -> Array:
    """Imaginary error function, erfi z = -i erf(iz).

    Args:
        z: any number; for real z the value overflows to infinity where |z| is above about 26.6

    Example:
        >>> erfi(jnp.array([0.5, 1.0, 2.0]))
        Array([ 0.61495209,  1.65042576, 18.56480241], dtype=float64)
        >>> print(f"{jax.grad(erfi)(0.5):.6f}")
        1.448868
    """
    ...


rule(erfi, z=in_single(4, closed("DLMF 7.10.1", lambda y, z: _SLOPE * jnp.exp(z * z))))


@elementwise(
    source="7.2.5",
    samples=Samples(
        "sqrt(pi)/2 * exp(-x**2) * erfi(x)",
        (_PLANE,),
        awkward=(*_ENTIRE, *_ALGEBRAIC, *_COMPLEX, *_OUTSIDE),
    ),
    kernel=on_device.dawsn,
    complex_kernel=plane_on_device.dawsn,
)
def dawsn(x: Complex) -> Array:
    """Dawson's integral, exp(-x^2) times the integral of exp(t^2) over t from 0 to x.

    Args:
        x: any number

    Example:
        >>> dawsn(jnp.array([0.5, 1.0, 100.0]))
        Array([0.42443638, 0.53807951, 0.00500025], dtype=float64)
        >>> print(f"{jax.grad(dawsn)(1.0):.6f}")
        -0.076159
    """
    ...


rule(dawsn, x=closed("DLMF 7.10.2", lambda y, x: dawsn_derivative(x, n=1)))


@elementwise(
    source="7.2.3",
    samples=Samples(
        "exp(-z**2) * erfc(-1j*z)", (_PLANE,), awkward=(*_ENTIRE, *_ALGEBRAIC, *_COMPLEX, *_OUTSIDE)
    ),
    complex_kernel=plane_on_device.wofz,
)
def wofz(z: Complex) -> Array:
    """Faddeeva's function, w(z) = exp(-z^2) erfc(-iz).

    Args:
        z: any number; the values are bounded in the upper half-plane, and grow without bound in the
            lower

    Example:
        >>> wofz(jnp.array([1.0 + 0.5j, 3.0 + 0.01j]))
        Array([0.35490033+0.34287172j, 0.00090883+0.20114646j], dtype=complex128)
        >>> print(f"{jax.grad(lambda y: wofz(1.0 + 1j * y).real)(0.5):.6f}")
        -0.087735
    """
    ...


rule(wofz, z=closed("DLMF 7.10.2", lambda y, z: wofz_derivative(z, n=1)))


@elementwise(
    source="7.17.1",
    samples=Samples(
        "inverse_erf(y)",
        (Reals(-0.999, 0.999),),
        awkward=((0.0,), (1e-8,), (1e-120,), (0.5,), (-0.999999,), (0.9999999999,)),
    ),
    kernel=on_device.erfinv,
)
def erfinv(y: Real) -> Array:
    """Inverse of the error function: the x with erf x = y.

    Args:
        y: real number from -1 to 1, where the value is infinite; NaN beyond

    Example:
        >>> erfinv(jnp.array([-0.5, 0.0, 0.999]))
        Array([-0.47693628,  0.        ,  2.32675377], dtype=float64)
        >>> print(f"{jax.grad(erfinv)(0.5):.6f}")
        1.112585
    """
    ...


# The slope of the function at the root that was found.
rule(erfinv, y=in_single(4, closed("DLMF 7.17.1, 7.10.1", lambda x, y: jnp.exp(x * x) / _SLOPE)))


@elementwise(
    source="7.17.2",
    samples=Samples(
        "inverse_erfc(y)",
        (Reals(1e-6, 1.999),),
        awkward=((1.0,), (0.5,), (1e-3,), (1e-8,), (1e-30,), (1e-300,), (1.999999,)),
    ),
    kernel=on_device.erfcinv,
)
def erfcinv(y: Real) -> Array:
    """Inverse of the complementary error function: the x with erfc x = y.

    Args:
        y: real number from 0 to 2, where the value is infinite; NaN beyond

    Example:
        >>> erfcinv(jnp.array([1e-300, 1e-10, 1.5]))
        Array([26.20946996,  4.57282497, -0.47693628], dtype=float64)
        >>> print(f"{jax.grad(erfcinv)(0.5):.6f}")
        -1.112585
    """
    ...


rule(erfcinv, y=closed("DLMF 7.17.2, 7.10.1", lambda x, y: -jnp.exp(x * x) / _SLOPE))

dawsn_derivative = faddeeva.of_dawsn(dawsn)
wofz_derivative = faddeeva.of_wofz(wofz, dawsn_derivative)
erfcx_derivative = faddeeva.of_erfcx(erfcx, wofz_derivative)
