"""F distribution functions, and inverses of the beta distribution's in its shapes (DLMF 8.17)."""

from __future__ import annotations

from typing import Any

from jaxsci._catalog import Flaw, elementwise, rule
from jaxsci._derive import closed, missing
from jaxsci._domains import Reals
from jaxsci._types import Array, Real
from jaxsci.special._f_shapes import f_density, f_distribution

_IMPLICIT = "implicit function theorem, DLMF 8.17.1"
_INTEGRAL = "DLMF 8.17.1, differentiated under the integral"
_BY_SHAPE = missing(
    "the derivatives of the incomplete beta function in its parameters are not implemented yet"
)
_PROBABILITY = Reals(0.001, 0.999)

# -- beta ------------------------------------------------------------------------------------------

_SHAPES_INVERSE = (Reals(0.02, 0.98), Reals(0.3, 30), Reals(0.02, 0.98))


@elementwise(
    dlmf="8.17.2",
    reference="positive_root(lambda a: lower_beta(a, b, x)/p - 1)",
    domain=_SHAPES_INVERSE,
    awkward=((0.5, 1.0, 0.5), (0.25, 0.5, 0.9)),
)
def btdtria(p: Real, b: Real, x: Real) -> Array:
    """Inverse of the beta distribution function I_x(a, b): the shape a at which it is p."""
    ...


@elementwise(
    dlmf="8.17.2",
    reference="positive_root(lambda b: lower_beta(a, b, x)/p - 1)",
    domain=(_SHAPES_INVERSE[1], _SHAPES_INVERSE[0], _SHAPES_INVERSE[2]),
    awkward=((1.0, 0.5, 0.5), (0.5, 0.25, 0.9)),
)
def btdtrib(a: Real, p: Real, x: Real) -> Array:
    """Inverse of the beta distribution function I_x(a, b): the shape b at which it is p."""
    ...


rule(btdtria, p=_BY_SHAPE, b=_BY_SHAPE, x=_BY_SHAPE)
rule(btdtrib, a=_BY_SHAPE, p=_BY_SHAPE, x=_BY_SHAPE)


# For whole shapes SciPy takes the finite sum, in powers that lose digits.
_WHOLE_SHAPES = Flaw("1e-16*(dfn + dfd)", "dfn + dfd > 10000")

# -- F ---------------------------------------------------------------------------------------------

_F = (Reals(0.3, 40), Reals(0.3, 40), Reals(0.02, 10))
_F_POINTS = (
    (2.0, 3.0, 0.0),
    (4.0, 3.0, 0.0),
    (6.0, 2.0, 0.0),
    (1.0, 1.0, 1.0),
    (2.0, 5.0, 1e-10),
    (3.0, 2.5, 1e8),
    (200.0, 300.0, 1.1),
    (1e4, 2e4, 1.02),
    (4.0, 1e5, 2.0),
)


def _distribution(x: str) -> str:
    return f"lower_beta(dfn/2, dfd/2, dfn*{x}/(dfd + dfn*{x}))"


@elementwise(
    dlmf="Abramowitz & Stegun (1964) 26.6",
    reference=_distribution("x"),
    domain=_F,
    awkward=_F_POINTS,
    flaws=(_WHOLE_SHAPES,),
)
def fdtr(dfn: Real, dfd: Real, x: Real) -> Array:
    """F distribution function of dfn and dfd degrees of freedom."""
    ...


@elementwise(
    dlmf="Abramowitz & Stegun (1964) 26.6",
    reference="lower_beta(dfd/2, dfn/2, dfd/(dfd + dfn*x))",
    domain=_F,
    awkward=_F_POINTS,
    flaws=(_WHOLE_SHAPES,),
)
def fdtrc(dfn: Real, dfd: Real, x: Real) -> Array:
    """Complement of the F distribution function."""
    ...


@elementwise(
    dlmf="Abramowitz & Stegun (1964) 26.6",
    reference=f"positive_root(lambda x: {_distribution('x')}/p - 1)",
    domain=(Reals(0.5, 40), Reals(0.5, 40), _PROBABILITY),
    awkward=((1.0, 1.0, 0.5), (2.0, 5.0, 1e-8), (3.0, 7.0, 0.998), (200.0, 300.0, 0.25)),
)
def fdtri(dfn: Real, dfd: Real, p: Real) -> Array:
    """Inverse of the F distribution function: the x with fdtr(dfn, dfd, x) = p."""
    ...


@elementwise(
    dlmf="Abramowitz & Stegun (1964) 26.6",
    reference=f"positive_root(lambda dfd: {_distribution('x')}/p - 1)",
    domain=(Reals(1, 20), Reals(0.5, 0.7), Reals(1.5, 4)),
    awkward=((2.0, 0.625, 2.0),),
    note="Where p is above its limit for large dfd, as happens for x < 1, SciPy's search ends at "
    "1e100.",
    flaws=(Flaw("1e-10", "x >= 1"), Flaw("inf", "x < 1")),
)
def fdtridfd(dfn: Real, p: Real, x: Real) -> Array:
    """Inverse of the F distribution function: the dfd with fdtr(dfn, dfd, x) = p."""
    ...


def _density(dfn: Any, dfd: Any, x: Any) -> Any:
    """d/dx fdtr(dfn, dfd, x)."""
    return f_density(dfn / 2, dfd / 2, x)


def _in_degrees(dfn: Any, dfd: Any, x: Any, m: int, n: int) -> Any:
    """d/d(dfn) fdtr(dfn, dfd, x) where m = 1, and d/d(dfd) where n = 1."""
    return f_distribution(dfn / 2, dfd / 2, x, m=m, n=n) / 2


rule(
    fdtr,
    dfn=closed(_INTEGRAL, lambda y, dfn, dfd, x: _in_degrees(dfn, dfd, x, m=1, n=0)),
    dfd=closed(_INTEGRAL, lambda y, dfn, dfd, x: _in_degrees(dfn, dfd, x, m=0, n=1)),
    x=closed("DLMF 8.17.1", lambda y, dfn, dfd, x: _density(dfn, dfd, x)),
)
rule(
    fdtrc,
    dfn=closed(_INTEGRAL, lambda y, dfn, dfd, x: -_in_degrees(dfn, dfd, x, m=1, n=0)),
    dfd=closed(_INTEGRAL, lambda y, dfn, dfd, x: -_in_degrees(dfn, dfd, x, m=0, n=1)),
    x=closed("DLMF 8.17.1", lambda y, dfn, dfd, x: -_density(dfn, dfd, x)),
)
rule(
    fdtri,
    dfn=closed(
        _IMPLICIT,
        lambda x, dfn, dfd, p: -_in_degrees(dfn, dfd, x, m=1, n=0) / _density(dfn, dfd, x),
    ),
    dfd=closed(
        _IMPLICIT,
        lambda x, dfn, dfd, p: -_in_degrees(dfn, dfd, x, m=0, n=1) / _density(dfn, dfd, x),
    ),
    p=closed(_IMPLICIT, lambda x, dfn, dfd, p: 1 / _density(dfn, dfd, x)),
)
rule(fdtridfd, dfn=_BY_SHAPE, p=_BY_SHAPE, x=_BY_SHAPE)
