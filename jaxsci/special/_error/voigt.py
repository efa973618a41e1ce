"""Voigt's profile (DLMF 7.19), by derivatives of Faddeeva's function."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed
from jaxsci._core.types import PyTree
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._error.error import wofz_derivative
from jaxsci.special._error.kernels import faddeeva, voigt_on_device

_POINTS = (
    (0.0, 1.0, 1.0),
    (1e-8, 1.0, 0.5),
    (1.25, 1.0, 0.0),
    (4.0, 1.0, 0.0),
    (2.0, 0.0, 1.0),
    (-0.5, 0.0, 0.25),
    (0.0, 0.0, 2.0),
    (30.0, 0.5, 1e-3),
    (0.5, 1e-6, 1.0),
    (3.0, 1.0, 1e-8),
    (1e6, 1.0, 1.0),
    (0.0, 2.0, 1e-3),
    (1e-3, 2.0, 50.0),
    (4.0, 1.0, 0.3),
)


def _partial(n: int, b: int) -> Callable[..., Any]:
    return lambda y, x, sigma, gamma, **kept: voigt_derivative(
        x, sigma, gamma, n=kept.get("n", 0) + n, b=kept.get("b", 0) + b
    )


def _in_sigma(
    y: jax.Array, x: jax.Array, sigma: jax.Array, gamma: jax.Array, *, n: int = 0, b: int = 0
) -> jax.Array:
    """A normal density of variance 2t solves the heat equation u_t = u_xx."""
    return sigma * voigt_derivative(x, sigma, gamma, n=n + 2, b=b)


@elementwise(
    source="7.19",
    samples=Samples(
        "re(exp(-z**2) * erfc(-1j*z)) / (abs(sigma)*sqrt(2*pi)) "
        "if (z := (x + 1j*gamma) / ((abs(sigma) or 1) * sqrt(2))) is not None and sigma != 0 "
        "else gamma/(pi*(x**2 + gamma**2))",
        (Reals(-20, 20), Reals(0.05, 5), Reals(0, 5)),
        awkward=_POINTS,
    ),
    note="sigma = 0 is Cauchy's (Lorentz's) profile and gamma = 0 the normal one; the derivative "
    "in gamma at 0 is that from above, and the one in sigma at 0 is 0.",
    kernel=voigt_on_device.voigt_profile,
)
def voigt_profile(x: Real, sigma: Real, gamma: Real) -> Array:
    """Voigt's profile: the density of a normal variable plus one of Cauchy's distribution.

    Their scales are the standard deviation sigma and the half-width gamma.

    Args:
        x: distance from the line's centre, any real number
        sigma: standard deviation of the normal part, in the unit of x; not negative; below 0 the
            value has no meaning
        gamma: half width at half maximum of the other part, in the unit of x; not negative; below 0
            the value has no meaning

    Example:
        >>> x = jnp.array([0.0, 1.0, 3.0])
        >>> voigt_profile(x, 1.0, 0.5)  # a line broadened by Doppler's effect and by collisions
        Array([0.27895547, 0.20017964, 0.02833641], dtype=float64)
        >>> jax.jacfwd(lambda gamma: voigt_profile(x, 1.0, gamma))(0.5)  # for a fit of the width
        Array([-0.17883215, -0.07700734,  0.03845643], dtype=float64)
    """
    ...


@native()
def voigt_derivative(
    x: jax.Array, sigma: jax.Array, gamma: jax.Array, *, n: int, b: int
) -> jax.Array:
    """Re i^b f^(n)(x + i gamma), where f(t) = w(t/(sigma sqrt 2))/(sigma sqrt(2 pi)).

    It is (d/dx)^(n-b) (d/dgamma)^b of Voigt's profile.
    """
    x, sigma, gamma = jnp.broadcast_arrays(x, sigma, gamma)
    zeta = jax.lax.complex(x, gamma)
    zero = sigma == 0
    scale = jnp.where(zero, 1.0, sigma * math.sqrt(2))
    unit = scale ** (n + 1) * math.sqrt(math.pi)
    far = zero | (jnp.abs(zeta) >= faddeeva.FAR * jnp.abs(scale))
    z = zeta / scale
    near, inside, outside = faddeeva.split(jnp.where(far, faddeeva.FAR, z))
    middle, k = faddeeva.dawson_part(outside, n)
    middle = 2j / math.sqrt(math.pi) * middle
    close = jnp.where(near, wofz_derivative(inside, n=n), middle) / unit
    value = jnp.where(far, _far(jnp.where(far, zeta, 1.0), jnp.where(far, sigma, 0.0), n), close)
    beside = jnp.abs(z.imag) < faddeeva.BESIDE
    k = jnp.where(beside, 1.0, jnp.where(z.imag < 0, 2.0, 0.0))
    with_gaussian = ~zero & ~near & (k != 0)
    normal = faddeeva.gaussian(jnp.where(with_gaussian, z, 0.0), n) / unit
    value = jnp.where(with_gaussian, value + k * normal, value)
    return (value.real, -value.imag, -value.real, value.imag)[b % 4]


_RULES = {
    "x": closed("DLMF 7.10.2, 7.19.1", _partial(1, 0)),
    "sigma": closed("heat equation of the normal density", _in_sigma),
    "gamma": closed("DLMF 7.10.2, 7.19.1", _partial(1, 1)),
}

rule(voigt_profile, **_RULES)


def _far(zeta: jax.Array, sigma: jax.Array, n: int) -> Any:
    """f^(n) less its Gaussian part, where |zeta| is large beside sigma (DLMF 7.12.1)."""
    r = 1 / zeta
    q = (sigma * r) ** 2
    coefficients = [1.0]
    for k in range(faddeeva.TERMS):
        coefficients.append(coefficients[-1] * (2 * k + 1))
    total: PyTree = 0.0
    for k in range(faddeeva.TERMS, -1, -1):
        rising = math.factorial(2 * k + n) / math.factorial(2 * k)
        total = total * q + coefficients[k] * rising
    for _ in range(n + 1):
        total = total * r
    return 1j * (-1) ** n / math.pi * total


voigt_derivative.partials(**_RULES)
