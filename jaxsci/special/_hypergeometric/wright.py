"""Wright's generalised Bessel function (DLMF 10.46)."""

from __future__ import annotations

import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Samples,
    Unknown,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._hypergeometric.kernels.wright_in_parameters import log_wright_by, wright_by

_SERIES = "nsum(lambda k: x**k / factorial(k) * rgamma(a*k + b), [0, inf], method='d')"
_DOMAIN = (Reals(0.1, 3), Reals(0.5, 6), Reals(0, 30))
_AWKWARD = ((1.0, 1.0, 0.0), (0.5, 2.0, 1.0), (0.0, 1.0, 1.0), (0.0, 2.0, 3.0))
_UNKNOWN = (Unknown("a b", "x > 1e8 * (1e8*a + b + 1)**a"),)


@elementwise(
    source="10.46.1",
    samples=Samples(_SERIES, _DOMAIN, awkward=_AWKWARD, unknown=_UNKNOWN),
)
def wright_bessel(a: Real, b: Real, x: Real) -> Array:
    """Wright's generalised Bessel function, the sum of x^k / (k! Gamma(a k + b)), x >= 0.

    Args:
        a: parameter, not negative; NaN below 0
        b: parameter, not negative; NaN below 0
        x: real number, not negative; NaN below 0

    Example:
        >>> wright_bessel(1.0, 1.0, jnp.array([0.25, 1.0, 4.0]))  # I_0(2 sqrt(x))
        Array([ 1.26606588,  2.2795853 , 11.30192195], dtype=float64)
        >>> print(f"{jax.grad(wright_bessel, 2)(0.5, 1.5, 2.0):.6f}")
        4.043991
    """
    ...


rule(
    wright_bessel,
    a=closed("DLMF 10.46.1", lambda y, a, b, x: _in_parameters(a, b, x, p=1, m=1)),
    b=closed("DLMF 10.46.1", lambda y, a, b, x: _in_parameters(a, b, x, p=0, m=1)),
    x=closed("DLMF 10.46.1", lambda y, a, b, x: wright_bessel(a, a + b, x)),
)


@elementwise(
    source="10.46.1",
    samples=Samples(f"log({_SERIES})", _DOMAIN, awkward=_AWKWARD, unknown=_UNKNOWN),
)
def log_wright_bessel(a: Real, b: Real, x: Real) -> Array:
    """Natural logarithm of Wright's generalised Bessel function, x >= 0.

    Args:
        a: parameter, not negative; NaN below 0
        b: parameter, not negative; NaN below 0
        x: real number, not negative; NaN below 0

    Example:
        >>> log_wright_bessel(1.0, 1.0, jnp.array([1.0, 1e6]))  # beyond the range of wright_bessel
        Array([8.23993541e-01, 1.99528067e+03], dtype=float64)
        >>> print(f"{jax.grad(log_wright_bessel, 2)(1.0, 1.0, 1e6):.9f}")
        0.000999750
    """
    ...


rule(
    log_wright_bessel,
    a=closed("DLMF 10.46.1", lambda y, a, b, x: _mean(a, b, x, p=1, m=1)),
    b=closed("DLMF 10.46.1", lambda y, a, b, x: _mean(a, b, x, p=0, m=1)),
    x=closed(
        "DLMF 10.46.1",
        lambda y, a, b, x: jnp.exp(log_wright_bessel(a, a + b, x) - log_wright_bessel(a, b, x)),
    ),
)

_in_parameters = wright_by(wright_bessel)
_mean = log_wright_by(log_wright_bessel)
