"""Coefficients of the orthogonal polynomials with parameters (DLMF 18.3, 18.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import Closed, closed
from jaxsci.special._catalog.decorators import (
    F,
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Domain, Reals
from jaxsci.special._catalog.types import Array, Real, StaticBool, StaticInt
from jaxsci.special._numerics.static_checks import not_negative
from jaxsci.special._orthogonal.coefficients import NOTE
from jaxsci.special._orthogonal.kernels import exact_coefficients as exact

_STATICS = ({"n": 4, "monic": False}, {"n": 5, "monic": True})


def _degree(n: int, monic: bool) -> None:
    not_negative(n=n)


def _coefficients(
    polynomial: str,
    better: Callable[..., Any],
    domain: tuple[Domain, ...],
    awkward: tuple[tuple[float, ...], ...],
) -> Callable[[F], F]:
    return elementwise(
        source="18.5",
        samples=Samples(
            f"power_coefficients(lambda t: {polynomial}, n, monic)",
            domain,
            awkward=awkward,
            statics=_STATICS,
        ),
        host=OnHost(
            results="follow", core="(k)", sizes=lambda n, monic: {"k": n + 1}, batched=False
        ),
        better=better,
        check=_degree,
        note=f"NaN where the polynomials are not orthogonal. {NOTE}",
    )


def _jacobi(n: int, monic: bool, a: jax.Array, b: jax.Array) -> list[jax.Array]:
    top = jnp.ones_like(a + b)
    for j in range(1, 1 if monic else n + 1):
        top = top * (n + a + b + j) / (2 * j)
    return exact.jacobi_downwards(n, a, b, top)


def _differentiated(coefficients: Callable[..., list[Any]], position: int) -> Closed:
    def partial(y: jax.Array, *parameters: jax.Array, n: int, monic: bool) -> jax.Array:
        def of(x: jax.Array) -> jax.Array:
            moved = [*parameters[:position], x, *parameters[position + 1 :]]
            return jnp.stack(coefficients(n, monic, *moved), -1)

        x = parameters[position]
        slope = jax.jvp(of, (x,), (jnp.ones_like(x),))[1]
        return jnp.where(jnp.isnan(y), y, slope)

    return closed("DLMF 18.5, 18.8", partial)


@_coefficients(
    "binomial(n + alpha, n) * hyp2f1(-n, n + alpha + beta + 1, alpha + 1, (1 - t)/2)",
    exact.jacobi,
    (Reals(-0.9, 6), Reals(-0.9, 6)),
    ((0.0, 0.0), (0.5, -0.5), (1.0, 0.0), (-0.25, 0.75)),
)
def jacobi(n: StaticInt, alpha: Real, beta: Real, monic: StaticBool = False) -> Array:
    """Coefficients of the Jacobi polynomial P_n^(alpha, beta), highest power first.

    The result has a last dimension of size n + 1, after those of the parameters. With monic, the
    first one is made 1.

    Args:
        n: degree, not negative
        alpha: parameter above -1, the exponent of 1 - x in the weight
        beta: parameter above -1, the exponent of 1 + x in the weight
        monic: whether the polynomial is divided by its first coefficient

    Example:
        >>> print(jacobi(2, 1.5, 0.5))
        [ 3.75   1.25  -0.625]
        >>> print(jax.jacfwd(lambda alpha: jacobi(2, alpha, 0.5))(1.5))
        [1.375 1.5   0.125]
    """
    ...


rule(jacobi, alpha=_differentiated(_jacobi, 0), beta=_differentiated(_jacobi, 1))


def _sh_jacobi(n: int, monic: bool, p: jax.Array, q: jax.Array) -> list[jax.Array]:
    coefficients = [jnp.ones_like(p + q)]
    for m in range(1, n + 1):
        ratio = (q + n - m) / (p + 2 * n - m)
        coefficients.append(-coefficients[-1] * ratio * (n - m + 1) / m)
    return coefficients


@_coefficients(
    "binomial(n + p - q, n) / binomial(2*n + p - 1, n) * hyp2f1(-n, n + p, p - q + 1, 1 - t)",
    exact.sh_jacobi,
    (Reals(2, 6), Reals(0.1, 2.5)),
    ((1.0, 1.0), (2.0, 1.5), (3.0, 1.0)),
)
def sh_jacobi(n: StaticInt, p: Real, q: Real, monic: StaticBool = False) -> Array:
    """Coefficients of the shifted Jacobi polynomial G_n(p, q), highest power first.

    The weight is (1 - x)^(p - q) x^(q - 1) on [0, 1].

    The result has a last dimension of size n + 1, after those of the parameters. The first
    coefficient is 1, with monic and without.

    Args:
        n: degree, not negative
        p: parameter above q - 1
        q: parameter above 0
        monic: without effect
    """
    ...


rule(sh_jacobi, p=_differentiated(_sh_jacobi, 0), q=_differentiated(_sh_jacobi, 1))


def _gegenbauer(n: int, monic: bool, c: jax.Array) -> list[jax.Array]:
    """(-1)^k 2^(n-2k) (c)_{n-k} / (k! (n-2k)!), or that divided by 2^n (c)_n / n!."""
    out = [jnp.zeros_like(c)] * (n + 1)
    for k in range(n // 2 + 1):
        size = Fraction((-1) ** k, math.factorial(k) * math.factorial(n - 2 * k))
        size *= Fraction(math.factorial(n), 4**k) if monic else 2 ** (n - 2 * k)
        factor = jnp.ones_like(c)
        for j in range(n - k, n) if monic else range(n - k):
            factor = factor * (c + j)
        out[2 * k] = float(size) / factor if monic else float(size) * factor
    return out


@_coefficients(
    "rf(2*alpha, n) / factorial(n) * hyp2f1(-n, n + 2*alpha, alpha + mpf(1)/2, (1 - t)/2)",
    exact.gegenbauer,
    (Reals(-0.4, 6),),
    ((0.5,), (1.0,), (2.0,)),
)
def gegenbauer(n: StaticInt, alpha: Real, monic: StaticBool = False) -> Array:
    """Coefficients of the Gegenbauer polynomial C_n^(alpha), highest power first.

    The result has a last dimension of size n + 1, after those of the parameter. With monic, the
    first one is made 1.

    Args:
        n: degree, not negative
        alpha: parameter above -1/2, of the weight (1 - x^2)^(alpha - 1/2); for alpha = 0 and n > 0
            the polynomial is 0 unless monic
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


rule(gegenbauer, alpha=_differentiated(_gegenbauer, 0))


def _genlaguerre(n: int, monic: bool, a: jax.Array) -> list[jax.Array]:
    top = 1.0
    for k in range(1, 1 if monic else n + 1):
        top = -top / k
    coefficients = [jnp.full_like(a, top)]
    for k in range(n, 0, -1):
        coefficients.append(-coefficients[-1] * (a + k) * k / (n - k + 1))
    return coefficients


@_coefficients(
    "binomial(n + alpha, n) * hyp1f1(-n, alpha + 1, t)",
    exact.genlaguerre,
    (Reals(-0.9, 6),),
    ((0.0,), (0.5,), (1.0,)),
)
def genlaguerre(n: StaticInt, alpha: Real, monic: StaticBool = False) -> Array:
    """Coefficients of the generalised Laguerre polynomial L_n^(alpha), highest power first.

    The result has a last dimension of size n + 1, after those of the parameter. With monic, the
    first one is made 1.

    Args:
        n: degree, not negative
        alpha: parameter above -1, the exponent of x in the weight x^alpha exp(-x)
        monic: whether the polynomial is divided by its first coefficient
    """
    ...


rule(genlaguerre, alpha=_differentiated(_genlaguerre, 0))


# -- derivatives -----------------------------------------------------------------------------------
#
# Products and quotients of one sign, differentiated as they stand: hardly anything cancels.
