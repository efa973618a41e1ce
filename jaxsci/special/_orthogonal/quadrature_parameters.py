"""Nodes and weights of Gauss quadrature with Jacobi's and Laguerre's weights (DLMF 3.5(v))."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import scipy.special
from jax.scipy.special import gammaln

from jaxsci.special._catalog.decorators import (
    F,
    OnHost,
    Repair,
    Samples,
    alias,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Domain, Reals
from jaxsci.special._catalog.types import Array, Real, StaticBool, StaticInt
from jaxsci.special._orthogonal.kernels import quadrature_derivatives as derivatives
from jaxsci.special._orthogonal.kernels.quadrature_mended import (
    next_to_minus_one,
    of_gegenbauer,
)

_STATICS = ({"n": 2, "mu": False}, {"n": 4, "mu": True})


def _some(n: int, mu: bool) -> None:
    if n < 1:
        raise ValueError(f"argument 'n' must be positive, got {n}")


def _host(function: Callable[..., Any]) -> Callable[..., Any]:
    """SciPy's function with the weights' sum always, and NaN where it refuses the parameters."""

    def quadrature(n: int, *parameters: float) -> tuple[Any, Any, Any]:
        try:
            return function(n, *map(float, parameters), mu=True)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            return np.full(n, np.nan), np.full(n, np.nan), np.nan

    return quadrature


# -- sums of the weights ---------------------------------------------------------------------------


def _log_total_jacobi(a: jax.Array, b: jax.Array) -> jax.Array:
    log_beta = gammaln(a + 1) + gammaln(b + 1) - gammaln(a + b + 2)
    return (a + b + 1) * math.log(2) + log_beta


def _log_total_gegenbauer(c: jax.Array) -> jax.Array:
    return 0.5 * math.log(math.pi) + gammaln(c + 0.5) - gammaln(c + 1)


def _log_total_laguerre(a: jax.Array) -> jax.Array:
    return gammaln(a + 1)


def _log_total_sh_jacobi(p: jax.Array, q: jax.Array) -> jax.Array:
    return gammaln(p - q + 1) + gammaln(q) - gammaln(p + 1)


# -- rows ------------------------------------------------------------------------------------------


def _rule(
    host: Callable[..., Any],
    total: str,
    a: str,
    b: str,
    domain: tuple[Domain, ...],
    awkward: tuple[tuple[float, ...], ...],
    repair: Repair,
) -> Callable[[F], F]:
    recurrence = f"lambda k: {a}, lambda k: {b}"
    return elementwise(
        source="3.5(v)",
        samples=Samples(
            f"gauss_nodes(n, {recurrence}); gauss_weights(n, {total}, {recurrence}); {total}",
            domain,
            awkward=awkward,
            statics=_STATICS,
        ),
        outputs=("nodes", "weights", "total"),
        host=OnHost(
            host,
            results="follow",
            core="(k),(k),()",
            sizes=lambda n, mu: {"k": n},
            batched=False,
            kept=lambda n, mu: 3 if mu else 2,
        ),
        check=_some,
        repair=repair,
        note="NaN where the weight function has no integral.",
    )


def _jacobi_recurrence(a: str, b: str) -> tuple[str, str]:
    """The monic polynomials' coefficients (DLMF 18.9.2), for k = 0 and 1 without 0/0."""
    s = f"({a} + {b})"
    first = f"({b} - {a})/({s} + 2)"
    centre = f"{first} if k == 0 else ({b}**2 - {a}**2)/((2*k + {s})*(2*k + {s} + 2))"
    one = f"4*({a} + 1)*({b} + 1)/((2 + {s})**2*(3 + {s}))"
    square = (
        f"{one} if k == 1 else 4*k*(k + {a})*(k + {b})*(k + {s})"
        f"/((2*k + {s})**2*(2*k + {s} + 1)*(2*k + {s} - 1))"
    )
    return centre, square


_PARAMETER = Reals(-0.9, 6)

_JACOBI = _rule(
    lambda n, alpha, beta, mu: _host(scipy.special.roots_jacobi)(n, alpha, beta),
    "2**(alpha + beta + 1) * gamma(alpha + 1)*gamma(beta + 1)/gamma(alpha + beta + 2)",
    *_jacobi_recurrence("alpha", "beta"),
    (_PARAMETER, _PARAMETER),
    ((0.0, 0.0), (0.5, -0.5), (0.5, 0.25), (1.0, 0.0), (-0.25, 0.25)),
    next_to_minus_one(
        "alpha or beta", derivatives.jacobi, _log_total_jacobi, lambda a, b: (a + 1, b + 1)
    ),
)
_GEGENBAUER = _rule(
    lambda n, alpha, mu: _host(scipy.special.roots_gegenbauer)(n, alpha),
    "sqrt(pi) * gamma(alpha + mpf(1)/2) / gamma(alpha + 1)",
    "0",
    "k*(k + 2*alpha - 1)/(4*(k + alpha)*(k + alpha - 1)) if k > 1 else 1/(2*(1 + alpha))",
    (Reals(-0.4, 6),),
    ((0.0,), (0.5,), (1.0,)),
    of_gegenbauer(derivatives.gegenbauer, _log_total_gegenbauer),
)
_GENLAGUERRE = _rule(
    lambda n, alpha, mu: _host(scipy.special.roots_genlaguerre)(n, alpha),
    "gamma(alpha + 1)",
    "2*k + alpha + 1",
    "k*(k + alpha)",
    (_PARAMETER,),
    ((0.0,), (0.5,), (1.0,), (-0.5,)),
    next_to_minus_one("alpha", derivatives.laguerre, _log_total_laguerre, lambda a: (a + 1,)),
)
_CENTRE, _SQUARE = _jacobi_recurrence("(p1 - q1)", "(q1 - 1)")
_SH_JACOBI = _rule(
    lambda n, p1, q1, mu: _host(scipy.special.roots_sh_jacobi)(n, p1, q1),
    "beta(p1 - q1 + 1, q1)",
    f"(1 + ({_CENTRE}))/2",
    f"({_SQUARE})/4",
    (Reals(2, 6), Reals(0.1, 2.5)),
    ((1.0, 1.0), (2.0, 1.5), (3.0, 1.0)),
    next_to_minus_one(
        "p1 - q1 or q1 - 1",
        derivatives.shifted_jacobi,
        _log_total_sh_jacobi,
        lambda p, q: (p - q + 1, q),
    ),
)


@_JACOBI
def roots_jacobi(
    n: StaticInt, alpha: Real, beta: Real, mu: StaticBool = False
) -> tuple[Array, ...]:
    """Gauss-Jacobi quadrature, n points for the weight (1 - x)^alpha (1 + x)^beta on [-1, 1].

    Returns the nodes and the weights, each with a last dimension of size n after those of the
    parameters; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        alpha: exponent of 1 - x in the weight, above -1
        beta: exponent of 1 + x in the weight, above -1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result

    Example:
        >>> nodes, weights = roots_jacobi(3, 0.5, 1.0)
        >>> print(nodes)
        [-0.6191289   0.08283749  0.73629141]
        >>> print(jax.jacfwd(lambda alpha: roots_jacobi(3, alpha, 1.0)[0])(0.5))  # how they move
        [-0.0784566  -0.17970156 -0.16850851]
    """
    ...


@_GEGENBAUER
def roots_gegenbauer(n: StaticInt, alpha: Real, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Gegenbauer quadrature, n points for the weight (1 - x^2)^(alpha - 1/2) on [-1, 1].

    Returns the nodes and the weights, each with a last dimension of size n after those of the
    parameter; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        alpha: parameter above -1/2; the exponent in the weight is alpha - 1/2
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_GENLAGUERRE
def roots_genlaguerre(n: StaticInt, alpha: Real, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Laguerre quadrature, n points for the weight x^alpha exp(-x) on [0, inf).

    Returns the nodes and the weights, each with a last dimension of size n after those of the
    parameter; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        alpha: exponent of x in the weight, above -1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result

    Example:
        >>> nodes, weights, total = roots_genlaguerre(3, 0.5, mu=True)
        >>> print(nodes)
        [0.66632591 2.80077505 7.03289904]
        >>> print(f"{total:.6f}")  # Gamma(3/2)
        0.886227
    """
    ...


@_SH_JACOBI
def roots_sh_jacobi(n: StaticInt, p1: Real, q1: Real, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Jacobi quadrature on [0, 1], n points for the weight (1 - x)^(p1 - q1) x^(q1 - 1).

    Returns the nodes and the weights, each with a last dimension of size n after those of the
    parameters; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        p1: parameter above q1 - 1; the exponent of 1 - x is p1 - q1
        q1: parameter above 0; the exponent of x is q1 - 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


# -- rules -----------------------------------------------------------------------------------------

_IN_JACOBI = [derivatives.in_parameter(i, derivatives.jacobi, _log_total_jacobi) for i in range(2)]
_IN_SH_JACOBI = [
    derivatives.in_parameter(i, derivatives.shifted_jacobi, _log_total_sh_jacobi) for i in range(2)
]
_IN_GEGENBAUER = derivatives.in_parameter(0, derivatives.gegenbauer, _log_total_gegenbauer)
_IN_LAGUERRE = derivatives.in_parameter(0, derivatives.laguerre, _log_total_laguerre)

rule(roots_jacobi, alpha=_IN_JACOBI[0], beta=_IN_JACOBI[1])
rule(roots_gegenbauer, alpha=_IN_GEGENBAUER)
rule(roots_genlaguerre, alpha=_IN_LAGUERRE)
rule(roots_sh_jacobi, p1=_IN_SH_JACOBI[0], q1=_IN_SH_JACOBI[1])

alias("j_roots", roots_jacobi)
alias("cg_roots", roots_gegenbauer)
alias("la_roots", roots_genlaguerre)
alias("js_roots", roots_sh_jacobi)
