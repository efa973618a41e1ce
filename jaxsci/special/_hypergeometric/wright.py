"""Wright's generalised Bessel function (DLMF 10.46)."""

from __future__ import annotations

import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real

_PARAMETER = missing("the derivative in this parameter is not implemented yet")
_SERIES = "nsum(lambda k: x**k / factorial(k) * rgamma(a*k + b), [0, inf], method='d')"
_DOMAIN = (Reals(0.1, 3), Reals(0.5, 6), Reals(0, 30))
_AWKWARD = ((1.0, 1.0, 0.0), (0.5, 2.0, 1.0), (0.0, 1.0, 1.0), (0.0, 2.0, 3.0))


@elementwise(
    source="10.46.1",
    samples=Samples(_SERIES, _DOMAIN, awkward=_AWKWARD),
)
def wright_bessel(a: Real, b: Real, x: Real) -> Array:
    """Wright's generalised Bessel function, the sum of x^k / (k! Gamma(a k + b)), x >= 0."""
    ...


rule(
    wright_bessel,
    a=_PARAMETER,
    b=_PARAMETER,
    x=closed("DLMF 10.46.1", lambda y, a, b, x: wright_bessel(a, a + b, x)),
)


@elementwise(
    source="10.46.1",
    samples=Samples(f"log({_SERIES})", _DOMAIN, awkward=_AWKWARD),
)
def log_wright_bessel(a: Real, b: Real, x: Real) -> Array:
    """Natural logarithm of Wright's generalised Bessel function, x >= 0."""
    ...


rule(
    log_wright_bessel,
    a=_PARAMETER,
    b=_PARAMETER,
    x=closed(
        "DLMF 10.46.1",
        lambda y, a, b, x: jnp.exp(log_wright_bessel(a, a + b, x) - log_wright_bessel(a, b, x)),
    ),
)
