"""The gamma function, its reciprocal and its logarithms (DLMF 5)."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci._core.types import PyTree
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._gamma.kernels import on_device, plane_on_device
from jaxsci.special._gamma.kernels.polygamma import polygamma_function
from jaxsci.special._gamma.psi import psi

_POINTS = ((1.0,), (2.0,), (0.5,), (1e-8,), (1.4616321449683623,), (-7.25,), (-3.0000001,))


@elementwise(
    source="5.2.1",
    samples=Samples(
        "gamma(z)",
        (Complexes(0.05, 60, negative=True),),
        awkward=(*_POINTS, (1e-120,), (160.5,), (-160.5,), (0.3 + 50j,), (-40.2 + 1e-3j,)),
    ),
    kernel=on_device.gamma,
    complex_kernel=plane_on_device.gamma,
)
def gamma(z: Complex) -> Array:
    """The gamma function.

    Args:
        z: any number; at the poles 0, -1, -2, ... NaN, but for a real zero inf or -inf by its sign

    Example:
        >>> gamma(jnp.array([0.5, 5.0]))
        Array([ 1.77245385, 24.        ], dtype=float64)
        >>> print(f"{jax.grad(gamma)(1.0):.6f}")  # minus Euler's constant
        -0.577216
    """
    ...


rule(gamma, z=in_single(4, closed("DLMF 5.2.2", lambda y, z: y * psi(z))))


@elementwise(
    source="5.2.1",
    samples=Samples(
        "rgamma(z)",
        (Complexes(0.05, 60, negative=True),),
        awkward=(*_POINTS, (0.0,), (-1.0,), (-8.0,), (160.5,), (-160.5,), (0.3 + 50j,), (-5 + 6j,)),
    ),
    kernel=on_device.rgamma,
    complex_kernel=plane_on_device.rgamma,
)
def rgamma(z: Complex) -> Array:
    """The reciprocal of the gamma function, an entire function.

    Args:
        z: any number; 0 at the poles of the gamma function, 0, -1, -2, ...

    Example:
        >>> rgamma(jnp.array([-1.0, 0.5]))
        Array([0.        , 0.56418958], dtype=float64)
        >>> print(f"{jax.grad(rgamma)(-1.0):.6f}")  # also where it is zero
        -1.000000
    """
    ...


rule(rgamma, z=closed("DLMF 5.2.2, 5.5.3", lambda y, z: rgamma_derivative(z, n=1)))


@elementwise(
    source="5.2.1",
    samples=Samples(
        "log(abs(gamma(x)))", (Reals(-60, 200),), awkward=(*_POINTS, (1e-120,), (1e5,), (1e17,))
    ),
    kernel=on_device.gammaln,
)
def gammaln(x: Real) -> Array:
    """The logarithm of the absolute value of the gamma function of a real number.

    Args:
        x: any real number; inf at the poles 0, -1, -2, ...

    Example:
        >>> gammaln(jnp.array([0.5, 1000.0]))
        Array([5.72364943e-01, 5.90522042e+03], dtype=float64)
        >>> print(f"{jax.grad(gammaln)(1000.0):.6f}")
        6.907255
    """
    ...


rule(gammaln, x=in_single(6, closed("DLMF 5.2.2", lambda y, x: psi(x))))


@elementwise(
    source="5.2.1",
    samples=Samples(
        "sign(gamma(x))", (Reals(-60, 60),), awkward=((1.0,), (1e-8,), (-0.5,), (-7.25,), (1e5,))
    ),
    kernel=on_device.gammasgn,
    note="At the poles of the gamma function, where SciPy's value is NaN or one side's, the "
    "derivative is 0 as elsewhere.",
)
def gammasgn(x: Real) -> Array:
    """The sign of the gamma function of a real number.

    Args:
        x: any real number; the sign is 1 for x > 0 and changes at each of 0, -1, -2, ...

    Example:
        >>> gammasgn(jnp.array([-1.5, -0.5, 0.5]))
        Array([ 1., -1.,  1.], dtype=float64)
    """
    ...


rule(gammasgn, x=closed("piecewise constant", lambda y, x: jnp.zeros_like(x)))


@elementwise(
    source="5.2.1",
    samples=Samples(
        "loggamma(z)",
        (Complexes(0.05, 100),),
        awkward=((1.001,), (1.9999,), (0.5,), (1e-8,), (1e17,), (0.3 + 250j,), (-40.2 + 1e-3j,)),
    ),
    note="The principal branch, with its cut along the negative real axis; NaN for a real x < 0.",
    kernel=on_device.loggamma,
    complex_kernel=plane_on_device.loggamma,
)
def loggamma(z: Complex) -> Array:
    """The logarithm of the gamma function, analytic but for its branch cut z <= 0.

    Args:
        z: any number but the poles of the gamma function, 0, -1, -2, ...

    Example:
        >>> loggamma(jnp.array([5.0, 1000.0]))
        Array([3.17805383e+00, 5.90522042e+03], dtype=float64)
        >>> print(f"{loggamma(1 + 10j):.6f}")  # the argument passes pi
        -13.637732+13.802913j
        >>> print(f"{jax.grad(loggamma, holomorphic=True)(1 + 10j):.6f}")
        2.303419+1.520796j
    """
    ...


def _slope_of_loggamma(y: jax.Array, z: jax.Array) -> jax.Array:
    # Where the logarithm is not real, there is no real slope.
    return psi(z if jnp.iscomplexobj(z) else jnp.where(z < 0, jnp.nan, z))


rule(loggamma, z=in_single(6, closed("DLMF 5.2.2", _slope_of_loggamma)))


# -- the reciprocal ------------------------------------------------------------------------------


def _polygammas(z: jax.Array, n: int) -> list[jax.Array]:
    return [psi(z) if k == 0 else polygamma_function(z, n=k) for k in range(n)]


def _derivatives(value: Any, logarithmic: list[Any]) -> list[Any]:
    """f, f', f'', ... from f and the derivatives of log f."""
    out = [value]
    for n in range(1, len(logarithmic) + 1):
        out.append(sum(math.comb(n - 1, k) * out[k] * logarithmic[n - 1 - k] for k in range(n)))
    return out


@tower("DLMF 5.5.3", z="n")
def rgamma_derivative(z: jax.Array, *, n: int) -> jax.Array:
    """d^n/dz^n 1/Gamma(z)."""
    # Near the zeros -psi(z)/Gamma(z) is 0 times infinity; the reflection formula has no poles.
    left = (z.real < 0.5) & (abs(z.imag) < 5)
    # Elsewhere whatever is quick: next to its zeros SciPy's psi takes a hundred times as long.
    right_z, left_z = jnp.where(left, 3.0, z), jnp.where(left, z, -2.0)
    logarithmic = _polygammas(jnp.where(left, 1 - left_z, right_z), n)
    right = _derivatives(rgamma(right_z), [-p for p in logarithmic])[n]
    whole = jnp.round(left_z.real)
    turned = jnp.pi * (left_z - whole)
    sign = jnp.where(whole % 2 == 0, 1.0, -1.0)
    circle = [jnp.sin(turned), jnp.cos(turned)]
    gammas = _derivatives(gamma(1 - left_z), logarithmic)
    total: PyTree = 0.0
    for k in range(n + 1):
        sine = (-1) ** (k // 2) * circle[k % 2] * jnp.pi ** (k - 1)
        total = total + (-1) ** (n - k) * math.comb(n, k) * gammas[n - k] * sine
    return jnp.where(left, sign * total, right)
