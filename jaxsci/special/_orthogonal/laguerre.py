"""Laguerre and Hermite polynomials, evaluated (DLMF 18.3 to 18.9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Guard,
    OnHost,
    Samples,
    Unknown,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.types import Array, Complex, Int, Real
from jaxsci.special._orthogonal.kernels import hermite_on_device, laguerre_on_device, mended, towers
from jaxsci.special._orthogonal.kernels.domains import (
    DEGREES,
    NOTE,
    PARAMETERS_NOTE,
    Around,
    at,
)
from jaxsci.special._orthogonal.kernels.integer_degree import (
    DEGREE_OF_LAGUERRE,
    LAGUERRE_IN_ALPHA,
    LAGUERRE_IN_DEGREE,
    laguerre_in_parameter,
)


def _ends(*arguments: jax.Array | np.ndarray) -> jax.Array | np.ndarray:
    """Whether SciPy's recurrence of integer degrees, or its hypergeometric functions, end."""
    *numbers, x = arguments
    largest = 1e5 if jnp.iscomplexobj(x) else 1e8
    allowed = ~((abs(x) > 1e10) & (abs(x) < jnp.inf))
    for number in numbers:
        allowed = allowed & ~((abs(number) > largest) & (abs(number) < jnp.inf))
    return allowed


_WORDS = "the degree and parameter are within 1e8 (for complex x 1e5) and |x| <= 1e10"
_PARAMETERS = Reals(-0.5, 4)
_HALF_LINE = Around(0.05, 8, real_low=0.02, real_high=30)
_POINTS = (0.0, 1.0, 1e-9, 4.0, 25.0, -2.0)


def _far(parameter: str = "") -> tuple[Unknown, ...]:
    return (
        Unknown("n", "n > 1e4 or abs(x) > 1e3"),
        Unknown(f"{parameter} x".strip(), "n % 1 > 0 and (n > 1e4 or abs(x) > 1e3)"),
    )


@elementwise(
    source="18.5.12",
    samples=Samples(
        "binomial(n + alpha, n) * hyp1f1(-n, alpha + 1, x)",
        (DEGREES, _PARAMETERS, _HALF_LINE),
        awkward=(*at(_POINTS, 0.0), *at(_POINTS, 2.5)),
        unknown=_far("alpha"),
    ),
    note=NOTE + PARAMETERS_NOTE,
    guard=Guard(_WORDS, _ends, (1.0, 1.0, 1.0)),
    repair=mended.laguerre(lambda n, a, x: (n, a, x), "alpha", 0),
    kernel=laguerre_on_device.eval_genlaguerre,
)
def eval_genlaguerre(n: Real, alpha: Real, x: Complex) -> Array:
    """Generalised Laguerre polynomial of degree n, L_n^(alpha)(x).

    Args:
        n: degree, any real number not below 0
        alpha: parameter above -1, the exponent of x in the weight x^alpha exp(-x); NaN at -1 and
            below
        x: any number

    Example:
        >>> eval_genlaguerre(2, 1.0, jnp.array([0.0, 1.0, 4.0]))
        Array([ 3. ,  0.5, -1. ], dtype=float64)
        >>> print(f"{jax.grad(eval_genlaguerre, 2)(2, 1.0, 4.0):.6f}")
        1.000000
    """
    ...


rule(
    eval_genlaguerre,
    n=LAGUERRE_IN_DEGREE,
    alpha=LAGUERRE_IN_ALPHA,
    x=closed("DLMF 18.9.23", lambda y, n, alpha, x: towers.laguerre_slope(n, alpha, x)),
)


@elementwise(
    source="18.5.12",
    samples=Samples(
        "hyp1f1(-n, 1, x)",
        (DEGREES, _HALF_LINE),
        awkward=at(_POINTS),
        unknown=_far(),
    ),
    note=NOTE,
    guard=Guard(_WORDS, _ends, (1.0, 1.0)),
    repair=mended.laguerre(lambda n, x: (n, jnp.zeros(()), x), "", 0),
    kernel=laguerre_on_device.eval_laguerre,
)
def eval_laguerre(n: Real, x: Complex) -> Array:
    """Laguerre polynomial of degree n, L_n(x).

    Args:
        n: degree, any real number not below 0
        x: any number

    Example:
        >>> eval_laguerre(2, jnp.array([0.0, 1.0, 4.0]))
        Array([ 1. , -0.5,  1. ], dtype=float64)
        >>> print(f"{jax.grad(eval_laguerre, 1)(2, 4.0):.6f}")
        2.000000
    """
    ...


rule(
    eval_laguerre,
    n=closed(DEGREE_OF_LAGUERRE, lambda y, n, x: laguerre_in_parameter(n, 0.0, x, orders=(1, 0))),
    x=closed("DLMF 18.9.23", lambda y, n, x: towers.laguerre_slope(n, 0.0, x)),
)


@elementwise(
    source="18.5.12",
    samples=Samples(
        "binomial(n + k, n) * hyp1f1(-n, k + 1, x)",
        (_HALF_LINE, DEGREES, _PARAMETERS),
        awkward=[(x, n, k) for n, k, x in at(_POINTS, 2.5)],
        unknown=_far("k"),
    ),
    host=OnHost(lambda x, n, k: scipy.special.eval_genlaguerre(n, k, x), results="follow"),
    note=NOTE + PARAMETERS_NOTE,
    guard=Guard(_WORDS, lambda x, n, k: _ends(n, k, x), (1.0, 1.0, 1.0)),
    repair=mended.laguerre(lambda x, n, k: (n, k, x), "k", 1),
    kernel=laguerre_on_device.assoc_laguerre,
)
def assoc_laguerre(x: Complex, n: Real, k: Real = 0.0) -> Array:
    """Generalised Laguerre polynomial of degree n, L_n^(k)(x): `eval_genlaguerre` turned round.

    Args:
        x: any number
        n: degree, any real number not below 0
        k: parameter above -1, the exponent of x in the weight x^k exp(-x); NaN at -1 and below
    """
    ...


rule(
    assoc_laguerre,
    x=closed("DLMF 18.9.23", lambda y, x, n, k: towers.laguerre_slope(n, k, x)),
    n=closed(DEGREE_OF_LAGUERRE, lambda y, x, n, k: laguerre_in_parameter(n, k, x, orders=(1, 0))),
    k=closed("DLMF 18.9.1", lambda y, x, n, k: LAGUERRE_IN_ALPHA.expression(y, n, k, x)),
)

_AT_ZERO = ((0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0), (4, 1e-9), (5, 1e-9))
_LINE = Reals(-6, 6)
_STEPS = bounded("n x", (1, 1.0), n=1e8)


def _hermite_derivative(function: Callable[..., Any], factor: int) -> Callable[..., Any]:
    def derivative(y: jax.Array, n: jax.Array, x: jax.Array) -> jax.Array:
        slope = factor * n * function(jnp.maximum(n - 1, 0), x)
        return jnp.where(n < 0, jnp.nan, slope)

    return derivative


@elementwise(
    source="18.5.13",
    samples=Samples(
        "hermite(n, x)", (Ints(0, 30), _LINE), awkward=(*_AT_ZERO, (100, 3.0), (7, 40.0))
    ),
    note="NaN for n < 0.",
    guard=_STEPS,
    kernel=hermite_on_device.eval_hermite,
)
def eval_hermite(n: Int, x: Real) -> Array:
    """Hermite polynomial of degree n, H_n(x), orthogonal with weight exp(-x^2).

    Args:
        n: degree, not negative
        x: any real number

    Example:
        >>> eval_hermite(3, jnp.array([-1.0, 0.5, 2.0]))
        Array([ 4., -5., 40.], dtype=float64)
        >>> print(f"{jax.grad(eval_hermite, 1)(3, 0.5):.6f}")
        -6.000000
    """
    ...


rule(eval_hermite, x=closed("DLMF 18.9.25", _hermite_derivative(eval_hermite, 2)))


@elementwise(
    source="18.7.11",
    samples=Samples(
        "sqrt(mpf(2))**-n * hermite(n, x/sqrt(mpf(2)))",
        (Ints(0, 30), _LINE),
        awkward=(*_AT_ZERO, (100, 3.0), (7, 40.0)),
    ),
    note="NaN for n < 0.",
    guard=_STEPS,
    kernel=hermite_on_device.eval_hermitenorm,
)
def eval_hermitenorm(n: Int, x: Real) -> Array:
    """Probabilists' Hermite polynomial of degree n, He_n(x), with weight exp(-x^2/2).

    Args:
        n: degree, not negative
        x: any real number
    """
    ...


rule(eval_hermitenorm, x=closed("DLMF 18.9.27", _hermite_derivative(eval_hermitenorm, 1)))
