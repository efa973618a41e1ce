"""Nodes and weights of Gauss quadrature without parameters (DLMF 3.5(v)): tables."""

from __future__ import annotations

from collections.abc import Callable

from jaxsci.special._catalog.decorators import (
    F,
    Samples,
    alias,
    table,
)
from jaxsci.special._catalog.types import Array, StaticBool, StaticInt

_STATICS = (
    {"n": 1, "mu": False},
    {"n": 2, "mu": True},
    {"n": 7, "mu": False},
    {"n": 20, "mu": True},
)


def _rule(polynomial: str, total: str, a: str, b: str) -> str:
    """The equations of nodes, weights and total, from the monic polynomials' recurrence."""
    recurrence = f"lambda k: {a}, lambda k: mpf({b})"
    return f"{polynomial}; x - gauss_weight(n, nodes, {total}, {recurrence}); x - {total}"


def _quadrature(polynomial: str, total: str, a: str, b: str, note: str = "") -> Callable[[F], F]:
    return table(
        source="3.5(v)",
        samples=Samples(_rule(polynomial, total, a, b), statics=_STATICS),
        outputs=("nodes", "weights", "total"),
        kept=lambda n, mu: 3 if mu else 2,
        note=note,
    )


_WEIGHTS = "SciPy's weights have a relative error of up to 2e-17 n^3."


@_quadrature("legendre(n, x, zeroprec=400)", "2", "0", "k**2)/(4*k**2 - 1", _WEIGHTS)
def roots_legendre(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Legendre quadrature, n points for the weight 1 on [-1, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result

    Example:
        >>> nodes, weights = roots_legendre(4)
        >>> nodes
        Array([-0.86113631, -0.33998104,  0.33998104,  0.86113631], dtype=float64)
        >>> print(f"{(weights * jnp.exp(nodes)).sum():.6f} {jnp.e - 1 / jnp.e:.6f}")  # an integral
        2.350402 2.350402
    """
    ...


@_quadrature("chebyt(n, x, zeroprec=400)", "pi", "0", "2 if k == 1 else 1)/(4")
def roots_chebyt(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2)^(-1/2) on [-1, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_quadrature("chebyu(n, x, zeroprec=400)", "pi/2", "0", "1)/(4")
def roots_chebyu(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2)^(1/2) on [-1, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_quadrature("chebyt(n, x/2, zeroprec=400)", "2*pi", "0", "2 if k == 1 else 1")
def roots_chebyc(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2/4)^(-1/2) on [-2, 2].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_quadrature("chebyu(n, x/2, zeroprec=400)", "pi", "0", "1")
def roots_chebys(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2/4)^(1/2) on [-2, 2].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_quadrature("legendre(n, 2*x - 1, zeroprec=400)", "1", "mpf(1)/2", "k**2)/(16*k**2 - 4", _WEIGHTS)
def roots_sh_legendre(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Legendre quadrature, n points for the weight 1 on [0, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_quadrature("chebyt(n, 2*x - 1, zeroprec=400)", "pi", "mpf(1)/2", "2 if k == 1 else 1)/(16")
def roots_sh_chebyt(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (x - x^2)^(-1/2) on [0, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_quadrature("chebyu(n, 2*x - 1, zeroprec=400)", "pi/8", "mpf(1)/2", "1)/(16")
def roots_sh_chebyu(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (x - x^2)^(1/2) on [0, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


@_quadrature("laguerre(n, 0, x, zeroprec=400)", "1", "2*k + 1", "k**2")
def roots_laguerre(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Laguerre quadrature, n points for the weight exp(-x) on [0, inf).

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result

    Example:
        >>> nodes, weights = roots_laguerre(6)
        >>> print(f"{(weights * jnp.sin(nodes)).sum():.3f}")  # the integral of exp(-x) sin(x), 1/2
        0.500
    """
    ...


@_quadrature("hermite(n, x, zeroprec=400)", "sqrt(pi)", "0", "k)/(2")
def roots_hermite(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Hermite quadrature, n points for the weight exp(-x^2) on the line.

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result

    Example:
        >>> nodes, weights = roots_hermite(6)
        >>> z = jnp.sqrt(2.0) * nodes  # of a standard normal variable
        >>> print(f"{(weights * jnp.cos(z)).sum() / jnp.sqrt(jnp.pi):.6f}")  # mean of cos(z)
        0.606529
    """
    ...


@_quadrature("hermite(n, x/sqrt(mpf(2)), zeroprec=400)", "sqrt(2*pi)", "0", "k")
def roots_hermitenorm(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Hermite quadrature, n points for the weight exp(-x^2/2) on the line.

    Returns the nodes and the weights; with mu, the weights' sum too.

    Args:
        n: number of nodes, at least 1
        mu: whether the sum of the weights, the integral of the weight function, comes as a third
            result
    """
    ...


alias("p_roots", roots_legendre)
alias("t_roots", roots_chebyt)
alias("u_roots", roots_chebyu)
alias("c_roots", roots_chebyc)
alias("s_roots", roots_chebys)
alias("ps_roots", roots_sh_legendre)
alias("ts_roots", roots_sh_chebyt)
alias("us_roots", roots_sh_chebyu)
alias("l_roots", roots_laguerre)
alias("h_roots", roots_hermite)
alias("he_roots", roots_hermitenorm)
