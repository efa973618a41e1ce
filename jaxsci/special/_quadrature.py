"""Nodes and weights of Gauss quadrature without parameters (DLMF 3.5(v)): tables."""

from __future__ import annotations

from collections.abc import Callable

from jaxsci._catalog import F, table
from jaxsci._types import Array, StaticBool, StaticInt

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
        dlmf="3.5(v)",
        reference=_rule(polynomial, total, a, b),
        statics=_STATICS,
        outputs=("nodes", "weights", "total"),
        kept=lambda n, mu: 3 if mu else 2,
        note=note,
    )


_WEIGHTS = "SciPy's weights have a relative error of up to 2e-17 n^3."


_LEGENDRE = _quadrature("legendre(n, x, zeroprec=400)", "2", "0", "k**2)/(4*k**2 - 1", _WEIGHTS)


@_LEGENDRE
def roots_legendre(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Legendre quadrature, n points for the weight 1 on [-1, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_LEGENDRE
def p_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Legendre quadrature: SciPy's other name of `roots_legendre`."""
    ...


_CHEBYT = _quadrature("chebyt(n, x, zeroprec=400)", "pi", "0", "2 if k == 1 else 1)/(4")


@_CHEBYT
def roots_chebyt(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2)^(-1/2) on [-1, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_CHEBYT
def t_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature: SciPy's other name of `roots_chebyt`."""
    ...


_CHEBYU = _quadrature("chebyu(n, x, zeroprec=400)", "pi/2", "0", "1)/(4")


@_CHEBYU
def roots_chebyu(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2)^(1/2) on [-1, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_CHEBYU
def u_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature: SciPy's other name of `roots_chebyu`."""
    ...


_CHEBYC = _quadrature("chebyt(n, x/2, zeroprec=400)", "2*pi", "0", "2 if k == 1 else 1")


@_CHEBYC
def roots_chebyc(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2/4)^(-1/2) on [-2, 2].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_CHEBYC
def c_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature: SciPy's other name of `roots_chebyc`."""
    ...


_CHEBYS = _quadrature("chebyu(n, x/2, zeroprec=400)", "pi", "0", "1")


@_CHEBYS
def roots_chebys(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (1 - x^2/4)^(1/2) on [-2, 2].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_CHEBYS
def s_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature: SciPy's other name of `roots_chebys`."""
    ...


_SH_LEGENDRE = _quadrature(
    "legendre(n, 2*x - 1, zeroprec=400)", "1", "mpf(1)/2", "k**2)/(16*k**2 - 4", _WEIGHTS
)


@_SH_LEGENDRE
def roots_sh_legendre(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Legendre quadrature, n points for the weight 1 on [0, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_SH_LEGENDRE
def ps_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Legendre quadrature: SciPy's other name of `roots_sh_legendre`."""
    ...


_SH_CHEBYT = _quadrature(
    "chebyt(n, 2*x - 1, zeroprec=400)", "pi", "mpf(1)/2", "2 if k == 1 else 1)/(16"
)


@_SH_CHEBYT
def roots_sh_chebyt(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (x - x^2)^(-1/2) on [0, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_SH_CHEBYT
def ts_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature: SciPy's other name of `roots_sh_chebyt`."""
    ...


_SH_CHEBYU = _quadrature("chebyu(n, 2*x - 1, zeroprec=400)", "pi/8", "mpf(1)/2", "1)/(16")


@_SH_CHEBYU
def roots_sh_chebyu(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature, n points for the weight (x - x^2)^(1/2) on [0, 1].

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_SH_CHEBYU
def us_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Chebyshev quadrature: SciPy's other name of `roots_sh_chebyu`."""
    ...


_LAGUERRE = _quadrature("laguerre(n, 0, x, zeroprec=400)", "1", "2*k + 1", "k**2")


@_LAGUERRE
def roots_laguerre(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Laguerre quadrature, n points for the weight exp(-x) on [0, inf).

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_LAGUERRE
def l_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Laguerre quadrature: SciPy's other name of `roots_laguerre`."""
    ...


_HERMITE = _quadrature("hermite(n, x, zeroprec=400)", "sqrt(pi)", "0", "k)/(2")


@_HERMITE
def roots_hermite(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Hermite quadrature, n points for the weight exp(-x^2) on the line.

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_HERMITE
def h_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Hermite quadrature: SciPy's other name of `roots_hermite`."""
    ...


_HERMITENORM = _quadrature("hermite(n, x/sqrt(mpf(2)), zeroprec=400)", "sqrt(2*pi)", "0", "k")


@_HERMITENORM
def roots_hermitenorm(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Hermite quadrature, n points for the weight exp(-x^2/2) on the line.

    Returns the nodes and the weights; with mu, the weights' sum too.
    """
    ...


@_HERMITENORM
def he_roots(n: StaticInt, mu: StaticBool = False) -> tuple[Array, ...]:
    """Gauss-Hermite quadrature: SciPy's other name of `roots_hermitenorm`."""
    ...
