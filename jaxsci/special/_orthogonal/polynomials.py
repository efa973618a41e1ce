"""Orthogonal polynomials on an interval, evaluated: Jacobi's and their kin (DLMF 18.3 to 18.9)."""

from __future__ import annotations

import jax

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Samples,
    Unknown,
    elementwise,
    rule,
)
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._numerics.integers import is_of_integer_type
from jaxsci.special._orthogonal.kernels import (
    chebyshev_on_device,
    mended,
    on_interval_on_device,
    towers,
)
from jaxsci.special._orthogonal.kernels.chebyshev_in_degree import chebyshev
from jaxsci.special._orthogonal.kernels.domains import (
    DEGREE_NOTE,
    DEGREES,
    FLAWS,
    INTERVAL,
    LONG_INTERVAL,
    NOTE,
    PARAMETERS,
    PARAMETERS_NOTE,
    SHIFTED_FLAWS,
    SHIFTED_INTERVAL,
    at,
    beyond,
    guard,
)
from jaxsci.special._orthogonal.kernels.integer_degree import (
    GEGENBAUER_IN_ALPHA,
    GEGENBAUER_IN_DEGREE,
    JACOBI_IN_ALPHA,
    JACOBI_IN_BETA,
    JACOBI_IN_DEGREE,
    SHIFTED_JACOBI_IN_DEGREE,
    SHIFTED_JACOBI_IN_P,
    SHIFTED_JACOBI_IN_Q,
)
from jaxsci.special._orthogonal.kernels.legendre_in_degree import legendre

_POINTS = (1.0, 0.0, 1e-9, 0.6, -0.75, 1.5)
_ENDS = ((3.0, -1.0), (4.0, -1.0), (7.0, -3.5), (2.0, 0.3 + 1e-3j))
_NEGATIVE = ((-1.0, 0.3), (-2.0, 0.3), (-5.0, 0.7))


# The conjugates in the references take polynomials from below their cut, as SciPy does.
_REAL_DEGREES = (
    " Derivatives lose digits near x = -1 for degrees that are not integers, from about 200 on, "
    "and from 15 on where beta is beyond 30."
)
_LARGE_PARAMETERS = (
    " Of degrees that are not integers, values for an exponent of the weight function above 4, and "
    "derivatives in degree and parameters for one of those above 6, are NaN where two solutions of "
    "the differential equation do not agree to nine digits: left of x = -1/2 as a rule, for few "
    "parameters below 20."
)


@elementwise(
    source="18.5.7",
    samples=Samples(
        "conj(hyp2f1(-n, n + 1, 1, (1 - conj(x))/2))",
        (DEGREES, INTERVAL),
        awkward=(*at(_POINTS), *_ENDS, *_NEGATIVE, (1.25e-13, 0.75)),
        flaws=FLAWS,
        unknown=(beyond("", -1)[0],),
    ),
    note=NOTE + DEGREE_NOTE,
    guard=guard(0),
    repair=mended.legendre(),
    kernel=on_interval_on_device.eval_legendre[0],
    complex_kernel=on_interval_on_device.eval_legendre[1],
)
def eval_legendre(n: Real, x: Complex) -> Array:
    """Legendre polynomial of degree n, P_n(x); for other n, the function on x > -1.

    Args:
        n: degree, any real number; -n - 1 gives the same function
        x: any number if n is an integer; else the cut is the real axis below -1, where real x give
            infinity, and complex x the value from below

    Example:
        >>> eval_legendre(3, jnp.array([0.0, 0.5, 1.0]))
        Array([ 0.    , -0.4375,  1.    ], dtype=float64)
        >>> print(f"{jax.grad(eval_legendre, 1)(3, 0.5):.6f}")
        0.375000
    """
    ...


rule(
    eval_legendre,
    n=closed("DLMF 14.12.1, 14.10.3", lambda y, n, x: _legendre(n, x, 1, 0)),
    x=closed("DLMF 18.9.19", lambda y, n, x: _legendre(n, x, 0, 1)),
)


@elementwise(
    source="18.5.1",
    samples=Samples(
        "conj(cos(n*acos(conj(x))))",
        (DEGREES, INTERVAL),
        awkward=(*at(_POINTS), *_ENDS, *_NEGATIVE, (1.25e-13, 0.75)),
    ),
    note=NOTE,
    guard=guard(0),
    repair=mended.chebyshev(second=False),
    kernel=chebyshev_on_device.eval_chebyt[0],
    complex_kernel=chebyshev_on_device.eval_chebyt[1],
)
def eval_chebyt(n: Real, x: Complex) -> Array:
    """Chebyshev polynomial of the first kind, T_n(x) = cos(n arccos x).

    Args:
        n: degree, any real number; -n gives the same function
        x: any number if n is an integer; else the cut is the real axis below -1, where real x give
            infinity, and complex x the value from below

    Example:
        >>> eval_chebyt(3, jnp.array([0.2, 0.5, 1.0]))
        Array([-0.568, -1.   ,  1.   ], dtype=float64)
        >>> print(f"{jax.grad(eval_chebyt, 1)(3, 0.4):.6f}")
        -1.080000
    """
    ...


rule(
    eval_chebyt,
    n=closed("DLMF 18.5.1", lambda y, n, x: _chebyt(n, x, 1, 0)),
    x=closed("DLMF 18.9.21", lambda y, n, x: _chebyt(n, x, 0, 1)),
)


@elementwise(
    source="18.5.2",
    samples=Samples(
        "conj((n + 1) * hyp2f1(-n, n + 2, mpf(3)/2, (1 - conj(x))/2))",
        (DEGREES, INTERVAL),
        awkward=(*at(_POINTS), *_ENDS, *_NEGATIVE),
    ),
    note=NOTE,
    guard=guard(0),
    repair=mended.chebyshev(second=True),
    kernel=chebyshev_on_device.eval_chebyu[0],
    complex_kernel=chebyshev_on_device.eval_chebyu[1],
)
def eval_chebyu(n: Real, x: Complex) -> Array:
    """Chebyshev polynomial of the second kind, U_n(cos t) = sin((n + 1) t)/sin t.

    Args:
        n: degree, any real number; -n - 2 gives the negative
        x: any number if n is an integer; else the cut is the real axis below -1, where real x give
            infinity, and complex x the value from below

    Example:
        >>> eval_chebyu(3, jnp.array([0.2, 0.5, 1.0]))
        Array([-0.736, -1.   ,  4.   ], dtype=float64)
        >>> print(f"{jax.grad(eval_chebyu, 1)(3, 0.5):.6f}")
        2.000000
    """
    ...


rule(
    eval_chebyu,
    n=closed("DLMF 18.5.2", lambda y, n, x: _chebyu(n, x, 1, 0)),
    x=closed("DLMF 18.9.19", lambda y, n, x: _chebyu(n, x, 0, 1)),
)


@elementwise(
    source="18.1.3",
    samples=Samples(
        "conj(2*cos(n*acos(conj(x)/2)))",
        (DEGREES, LONG_INTERVAL),
        awkward=(*at(2 * x for x in _POINTS), (3.0, -2.0), (7.0, -7.0), *_NEGATIVE),
    ),
    note=NOTE,
    guard=guard(0),
    repair=mended.chebyshev(second=False, half_width=2.0),
    kernel=chebyshev_on_device.eval_chebyc[0],
    complex_kernel=chebyshev_on_device.eval_chebyc[1],
)
def eval_chebyc(n: Real, x: Complex) -> Array:
    """Chebyshev polynomial of the first kind on [-2, 2], C_n(x) = 2 T_n(x/2).

    Args:
        n: degree, any real number; -n gives the same function
        x: any number if n is an integer; else the cut is the real axis below -2, where real x give
            infinity, and complex x the value from below
    """
    ...


rule(
    eval_chebyc,
    n=closed("DLMF 18.5.1", lambda y, n, x: 2 * _chebyt(n, x / 2, 1, 0)),
    x=closed("DLMF 18.9.21", lambda y, n, x: _chebyt(n, x / 2, 0, 1)),
)


@elementwise(
    source="18.1.3",
    samples=Samples(
        "conj((n + 1) * hyp2f1(-n, n + 2, mpf(3)/2, (2 - conj(x))/4))",
        (DEGREES, LONG_INTERVAL),
        awkward=(*at(2 * x for x in _POINTS), (3.0, -2.0), (7.0, -7.0), *_NEGATIVE),
    ),
    note=NOTE,
    guard=guard(0),
    repair=mended.chebyshev(second=True, half_width=2.0),
    kernel=chebyshev_on_device.eval_chebys[0],
    complex_kernel=chebyshev_on_device.eval_chebys[1],
)
def eval_chebys(n: Real, x: Complex) -> Array:
    """Chebyshev polynomial of the second kind on [-2, 2], S_n(x) = U_n(x/2).

    Args:
        n: degree, any real number; -n - 2 gives the negative
        x: any number if n is an integer; else the cut is the real axis below -2, where real x give
            infinity, and complex x the value from below
    """
    ...


rule(
    eval_chebys,
    n=closed("DLMF 18.5.2", lambda y, n, x: _chebyu(n, x / 2, 1, 0)),
    x=closed("DLMF 18.9.19", lambda y, n, x: _chebyu(n, x / 2, 0, 1) / 2),
)


@elementwise(
    source="18.5.9",
    samples=Samples(
        "rf(2*alpha, n) / gamma(n + 1)"
        " * conj(hyp2f1(-n, n + 2*alpha, alpha + mpf(1)/2, (1 - conj(x))/2, zeroprec=1000))",
        (DEGREES, PARAMETERS, INTERVAL),
        awkward=(
            *at(_POINTS, 0.5),
            *at((1.0, 0.25, 1e-4, 0.6, -0.75, 1.5), 2.0),
            (3.0, 1.25, -1.0),
            (4.0, 1.25, -3.5),
            (3.0, 0.0, 0.3),
        ),
        flaws=(*FLAWS, Flaw("inf", "isinstance(n, float) and n + 2*alpha > 170 and alpha > 100")),
        unknown=(Unknown("n", "n == alpha == 0"), *beyond("alpha", -1)),
    ),
    note=NOTE + _REAL_DEGREES + _LARGE_PARAMETERS + PARAMETERS_NOTE,
    guard=guard(1),
    repair=mended.gegenbauer(),
    kernel=on_interval_on_device.eval_gegenbauer[0],
    complex_kernel=on_interval_on_device.eval_gegenbauer[1],
)
def eval_gegenbauer(n: Real, alpha: Real, x: Complex) -> Array:
    """Gegenbauer (ultraspherical) polynomial of degree n, C_n^(alpha)(x).

    Args:
        n: degree, any real number not below 0
        alpha: parameter; the polynomials are orthogonal for alpha > -1/2. For alpha = 0 they are 0,
            in newer versions of SciPy for n = 0 too
        x: any number if n is an integer; else the cut is the real axis below -1, where real x give
            infinity, and complex x the value from below

    Example:
        >>> eval_gegenbauer(3, 1.5, jnp.array([0.0, 0.5, 1.0]))
        Array([ 0.    , -1.5625, 10.    ], dtype=float64)
        >>> print(f"{jax.grad(eval_gegenbauer, 2)(3, 1.5, 0.5):.6f}")
        5.625000
    """
    ...


rule(
    eval_gegenbauer,
    n=GEGENBAUER_IN_DEGREE,
    alpha=GEGENBAUER_IN_ALPHA,
    x=closed("DLMF 18.9.19", lambda y, *at: towers.gegenbauer_slope(*at)),
)


@elementwise(
    source="18.5.7",
    samples=Samples(
        "binomial(n + alpha, n)"
        " * conj(hyp2f1(-n, n + alpha + beta + 1, alpha + 1, (1 - conj(x))/2))",
        (DEGREES, PARAMETERS, PARAMETERS, INTERVAL),
        awkward=(
            *at(_POINTS, 0.0, 0.0),
            *at(_POINTS, 2.0, -0.5),
            (3.0, 1.25, 0.5, -1.0),
            (4.0, 1.25, 0.5, -3.5),
            (5.0, -0.25, 0.25, 0.7),
        ),
        flaws=FLAWS,
        unknown=beyond("alpha beta", -1),
    ),
    note=NOTE + _REAL_DEGREES + _LARGE_PARAMETERS + PARAMETERS_NOTE,
    guard=guard(2),
    repair=mended.jacobi(),
    kernel=on_interval_on_device.eval_jacobi[0],
    complex_kernel=on_interval_on_device.eval_jacobi[1],
)
def eval_jacobi(n: Real, alpha: Real, beta: Real, x: Complex) -> Array:
    """Jacobi polynomial of degree n, P_n^(alpha, beta)(x).

    Args:
        n: degree, any real number not below 0
        alpha: parameter, the exponent of 1 - x in the weight; orthogonal for alpha > -1, and as a
            rule NaN at negative integers
        beta: parameter, the exponent of 1 + x in the weight; orthogonal for beta > -1
        x: any number if n is an integer; else the cut is the real axis below -1, where real x give
            infinity, and complex x the value from below

    Example:
        >>> eval_jacobi(3, 1.0, 0.5, jnp.array([-1.0, 0.0, 0.5]))
        Array([-2.1875    , -0.2109375 , -0.47949219], dtype=float64)
        >>> print(f"{jax.grad(eval_jacobi, 3)(3, 1.0, 0.5, 0.5):.6f}")
        2.814453
    """
    ...


rule(
    eval_jacobi,
    n=JACOBI_IN_DEGREE,
    alpha=JACOBI_IN_ALPHA,
    beta=JACOBI_IN_BETA,
    x=closed("DLMF 18.9.15", lambda y, *at: towers.jacobi_slope(*at)),
)


# -- on [0, 1] -------------------------------------------------------------------------------------


_SHIFTED = (1.0, 0.0, 0.5, 0.125, 0.8, 1.5)


@elementwise(
    source="18.1.3",
    samples=Samples(
        "hyp2f1(-n, n + 1, 1, 1 - x)",
        (DEGREES, SHIFTED_INTERVAL),
        awkward=(*at(_SHIFTED), *_NEGATIVE),
        flaws=SHIFTED_FLAWS,
        unknown=(beyond("", 0)[0],),
    ),
    note=NOTE + DEGREE_NOTE,
    guard=guard(0),
    repair=mended.legendre(shifted=True),
    kernel=on_interval_on_device.eval_sh_legendre[0],
    complex_kernel=on_interval_on_device.eval_sh_legendre[1],
)
def eval_sh_legendre(n: Real, x: Complex) -> Array:
    """Shifted Legendre polynomial, P_n(2x - 1).

    Args:
        n: degree, any real number; -n - 1 gives the same function
        x: any number if n is an integer; else the cut is the real axis below 0, where real x give
            infinity, and complex x the value from below
    """
    ...


rule(
    eval_sh_legendre,
    n=closed("DLMF 14.12.1, 14.10.3", lambda y, n, x: _legendre(n, x, 1, 0, shifted=True)),
    x=closed("DLMF 18.9.19", lambda y, n, x: _legendre(n, x, 0, 1, shifted=True)),
)


@elementwise(
    source="18.1.3",
    samples=Samples(
        "cos(n*acos(2*x - 1))",
        (DEGREES, SHIFTED_INTERVAL),
        awkward=(*at(_SHIFTED), *_NEGATIVE),
    ),
    note=NOTE,
    guard=guard(0),
    repair=mended.chebyshev(second=False, shifted=True),
    kernel=chebyshev_on_device.eval_sh_chebyt[0],
    complex_kernel=chebyshev_on_device.eval_sh_chebyt[1],
)
def eval_sh_chebyt(n: Real, x: Complex) -> Array:
    """Shifted Chebyshev polynomial of the first kind, T_n(2x - 1).

    Args:
        n: degree, any real number; -n gives the same function
        x: any number if n is an integer; else the cut is the real axis below 0, where real x give
            infinity, and complex x the value from below
    """
    ...


rule(
    eval_sh_chebyt,
    n=closed("DLMF 18.5.1", lambda y, n, x: _chebyt(n, x, 1, 0, shifted=True)),
    x=closed("DLMF 18.9.21", lambda y, n, x: _chebyt(n, x, 0, 1, shifted=True)),
)


@elementwise(
    source="18.1.3",
    samples=Samples(
        "(n + 1) * hyp2f1(-n, n + 2, mpf(3)/2, 1 - x)",
        (DEGREES, SHIFTED_INTERVAL),
        awkward=(*at(_SHIFTED), *_NEGATIVE),
    ),
    note=NOTE,
    guard=guard(0),
    repair=mended.chebyshev(second=True, shifted=True),
    kernel=chebyshev_on_device.eval_sh_chebyu[0],
    complex_kernel=chebyshev_on_device.eval_sh_chebyu[1],
)
def eval_sh_chebyu(n: Real, x: Complex) -> Array:
    """Shifted Chebyshev polynomial of the second kind, U_n(2x - 1).

    Args:
        n: degree, any real number; -n - 2 gives the negative
        x: any number if n is an integer; else the cut is the real axis below 0, where real x give
            infinity, and complex x the value from below
    """
    ...


rule(
    eval_sh_chebyu,
    n=closed("DLMF 18.5.2", lambda y, n, x: _chebyu(n, x, 1, 0, shifted=True)),
    x=closed("DLMF 18.9.19", lambda y, n, x: _chebyu(n, x, 0, 1, shifted=True)),
)


@elementwise(
    source="18.1.2",
    samples=Samples(
        "binomial(n + p - q, n) / binomial(2*n + p - 1, n) * hyp2f1(-n, n + p, p - q + 1, 1 - x)",
        (DEGREES, PARAMETERS, PARAMETERS, SHIFTED_INTERVAL),
        awkward=(*at(_SHIFTED, 2.0, 1.5), *at(_SHIFTED, 3.0, 1.0)),
        flaws=SHIFTED_FLAWS,
        unknown=beyond("p q", 0),
    ),
    note=NOTE + _LARGE_PARAMETERS + PARAMETERS_NOTE,
    guard=guard(2),
    repair=mended.shifted_jacobi(),
    kernel=on_interval_on_device.eval_sh_jacobi[0],
    complex_kernel=on_interval_on_device.eval_sh_jacobi[1],
)
def eval_sh_jacobi(n: Real, p: Real, q: Real, x: Complex) -> Array:
    """Shifted Jacobi polynomial of degree n, G_n(p, q; x): monic, orthogonal on [0, 1].

    The weight is (1 - x)^(p - q) x^(q - 1).

    Args:
        n: degree, any real number not below 0
        p: parameter; the polynomials are orthogonal for p - q > -1
        q: parameter; the polynomials are orthogonal for q > 0
        x: any number if n is an integer; else the cut is the real axis below 0, where real x give
            infinity, and complex x the value from below
    """
    ...


rule(
    eval_sh_jacobi,
    n=SHIFTED_JACOBI_IN_DEGREE,
    p=SHIFTED_JACOBI_IN_P,
    q=SHIFTED_JACOBI_IN_Q,
    x=closed(
        "DLMF 18.9.15, 18.1.2",
        lambda y, n, p, q, x: towers.shifted_jacobi(n, p, q, x, m=1, counts=is_of_integer_type(n)),
    ),
)


# -- rules -----------------------------------------------------------------------------------------


def _legendre(n: jax.Array, x: jax.Array, *orders: int, shifted: bool = False) -> jax.Array:
    return legendre(n, x, shifted=shifted, orders=orders)


def _chebyt(n: jax.Array, x: jax.Array, *orders: int, shifted: bool = False) -> jax.Array:
    return chebyshev(n, x, second=False, shifted=shifted, orders=orders)


def _chebyu(n: jax.Array, x: jax.Array, *orders: int, shifted: bool = False) -> jax.Array:
    return chebyshev(n, x, second=True, shifted=shifted, orders=orders)
