"""Non-central chi-square and F distribution functions and their inverses.

Rows cite N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate Distributions, volume 2
(second edition, 1995).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Guard,
    Samples,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._distributions.kernels import noncentral_f_roots as roots
from jaxsci.special._distributions.kernels.inverse_rules import inverse_rules, one_by_one
from jaxsci.special._distributions.kernels.noncentral_chi_square import chi_square_in_shape
from jaxsci.special._distributions.kernels.noncentral_densities import noncentral_gamma
from jaxsci.special._distributions.kernels.noncentral_f import noncentral_f_derivative
from jaxsci.special._numerics.quotients import implied, quotient

_IMPLICIT = "implicit function theorem"
_MIXTURE = "derivative of a Poisson mixture"
_CONTOUR = "differentiated under the contour integral"
_PROBABILITY = Reals(0.01, 0.99)
_NO_SOLUTION = 1e-290


# -- chi-square ------------------------------------------------------------------------------------


_CHI_SQUARE_SOURCE = "Johnson, Kotz & Balakrishnan (1995), volume 2, chapter 29"


@elementwise(
    source=_CHI_SQUARE_SOURCE,
    samples=Samples(
        "noncentral_chi_square(x, df, nc)",
        (Reals(0.1, 60), Reals(0.3, 30), Reals(0.05, 40)),
        awkward=(
            (1.0, 2.0, 0.0),
            (0.0, 2.0, 1.0),
            (0.0, 4.0, 0.5),
            (3.0, 1.0, 1e-8),
            (1e-8, 1.0, 2.0),
            (300.0, 100.0, 200.0),
            (1600.0, 3.0, 1500.0),
        ),
    ),
    guard=bounded("x df nc", (0.5, 2.0, 1.0), nc=1e12),
)
def chndtr(x: Real, df: Real, nc: Real) -> Array:
    """Non-central chi-square distribution function of df degrees of freedom and non-centrality nc.

    Args:
        x: sum of squares, not negative; NaN for x < 0
        df: degrees of freedom, positive; NaN for df <= 0
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0

    Example:
        >>> 1 - chndtr(chdtri(4.0, 0.05), 4.0, jnp.array([5.0, 12.0]))  # power of a chi-square test
        Array([0.39618852, 0.80242606], dtype=float64)
        >>> print(f"{jax.grad(chndtr, argnums=2)(9.5, 4.0, 12.0):.6f}")  # in the non-centrality
        -0.037375
    """
    ...


rule(
    chndtr,
    x=closed(_MIXTURE, lambda y, x, df, nc: _chi_square(x, df, nc, 0)),
    df=closed(_CONTOUR, lambda y, x, df, nc: _in_freedom(x, df, nc)),
    nc=closed(_MIXTURE, lambda y, x, df, nc: -_chi_square(x, df, nc, 1)),
)


@elementwise(
    source=_CHI_SQUARE_SOURCE,
    samples=Samples(
        "positive_root(lambda x: noncentral_chi_square(x, df, nc)/p - 1)",
        (_PROBABILITY, Reals(0.5, 30), Reals(0.1, 40)),
        awkward=((0.5, 2.0, 1.0), (1e-6, 3.0, 2.0), (0.5, 100.0, 200.0)),
    ),
    guard=bounded("p df nc", (0.5, 2.0, 1.0), nc=1e12),
)
def chndtrix(p: Real, df: Real, nc: Real) -> Array:
    """Inverse of the non-central chi-square distribution: the x with chndtr(x, df, nc) = p.

    Args:
        p: probability, in [0, 1], with x = inf at 1; NaN outside of it
        df: degrees of freedom, positive; NaN for df <= 0
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0

    Example:
        >>> chndtrix(jnp.array([0.05, 0.95]), 4.0, 12.0)
        Array([ 5.53933766, 29.74166691], dtype=float64)
    """
    ...


rule(
    chndtrix,
    p=closed(_IMPLICIT, lambda x, p, df, nc: quotient(1.0, _chi_square(x, df, nc, 0))),
    df=closed(
        _IMPLICIT,
        lambda x, p, df, nc: -implied(_in_freedom(x, df, nc), _chi_square(x, df, nc, 0), p),
    ),
    nc=closed(
        _IMPLICIT,
        lambda x, p, df, nc: implied(_chi_square(x, df, nc, 1), _chi_square(x, df, nc, 0), p),
    ),
)


@elementwise(
    source=_CHI_SQUARE_SOURCE,
    samples=Samples(
        "positive_root(lambda df: noncentral_chi_square(x, df, nc)/p - 1)",
        (Reals(20, 60), Reals(0.1, 0.6), Reals(0.5, 10)),
        awkward=((10.0, 0.5, 2.0),),
    ),
    guard=Guard("x >= 2.3e-308", lambda x, p, nc: ~(x < 2.3e-308), (30.0, 0.3, 1.0)),
)
def chndtridf(x: Real, p: Real, nc: Real) -> Array:
    """Inverse of the non-central chi-square distribution: the df with chndtr(x, df, nc) = p.

    Args:
        x: sum of squares, not negative; NaN for x < 0
        p: probability, in (0, 1); NaN outside of it; without a solution the value is below 1e-300,
            and the derivatives are NaN
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0

    Example:
        >>> chndtridf(30.0, jnp.array([0.1, 0.5]), 12.0)
        Array([30.79123683, 18.85448547], dtype=float64)
    """
    ...


def _of_chndtridf(wanted: Callable[..., Any]) -> Any:
    """The rule in an argument of the distribution function whose derivative is given."""

    def expression(y: jax.Array, x: jax.Array, p: jax.Array, nc: jax.Array) -> jax.Array:
        df = _solution(y)
        return quotient(wanted(x, df, nc), _in_freedom(x, df, nc))

    return closed(_IMPLICIT, expression)


rule(
    chndtridf,
    x=_of_chndtridf(lambda x, df, nc: -_chi_square(x, df, nc, 0)),
    p=_of_chndtridf(lambda x, df, nc: 1.0),
    nc=_of_chndtridf(lambda x, df, nc: _chi_square(x, df, nc, 1)),
)


@elementwise(
    source=_CHI_SQUARE_SOURCE,
    samples=Samples(
        "positive_root(lambda nc: noncentral_chi_square(x, df, nc)/p - 1)",
        (Reals(20, 60), Reals(0.5, 10), Reals(0.05, 0.8)),
        awkward=((10.0, 2.0, 0.5),),
    ),
    guard=bounded("x df p", (30.0, 2.0, 0.5), x=1e12),
)
def chndtrinc(x: Real, df: Real, p: Real) -> Array:
    """Inverse of the non-central chi-square distribution: the nc with chndtr(x, df, nc) = p.

    Args:
        x: sum of squares, not negative; NaN for x < 0
        df: degrees of freedom, positive; NaN for df <= 0
        p: probability, in (0, 1); NaN outside of it; without a solution the value is below 1e-300,
            and the derivatives are NaN

    Example:
        >>> chndtrinc(20.0, 4.0, jnp.array([0.975, 0.025]))  # 95 % confidence limits of nc
        Array([ 4.0804603 , 37.76392261], dtype=float64)
    """
    ...


def _of_chndtrinc(wanted: Callable[..., Any]) -> Any:
    """The rule in an argument of the distribution function whose derivative is given."""

    def expression(y: jax.Array, x: jax.Array, df: jax.Array, p: jax.Array) -> jax.Array:
        nc = _solution(y)
        return quotient(wanted(x, df, nc), _chi_square(x, df, nc, 1))

    return closed(_IMPLICIT, expression)


rule(
    chndtrinc,
    x=_of_chndtrinc(lambda x, df, nc: _chi_square(x, df, nc, 0)),
    df=_of_chndtrinc(lambda x, df, nc: _in_freedom(x, df, nc)),
    p=_of_chndtrinc(lambda x, df, nc: -1.0),
)


def _solution(y: jax.Array) -> jax.Array:
    """An inverse's value, NaN where it only says that there is none."""
    return jnp.where(y > _NO_SOLUTION, y, jnp.nan)


def _chi_square(x: jax.Array, df: jax.Array, nc: jax.Array, shift: int) -> jax.Array:
    """The density of df + 2 shift degrees of freedom."""
    return noncentral_gamma(df / 2, x / 2, nc / 2, shift=shift) / 2


def _in_freedom(x: jax.Array, df: jax.Array, nc: jax.Array) -> jax.Array:
    """The distribution function's derivative in df."""
    return chi_square_in_shape(df / 2, x / 2, nc / 2, n=1) / 2


# -- F ---------------------------------------------------------------------------------------------


_F_SOURCE = "Johnson, Kotz & Balakrishnan (1995), volume 2, chapter 30"


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "noncentral_f(dfn, dfd, nc, f)",
        (Reals(0.5, 20), Reals(0.5, 20), Reals(0.05, 20), Reals(0.05, 8)),
        awkward=(
            (2.0, 3.0, 0.0, 1.0),
            (2.0, 3.0, 1.0, 0.0),
            (4.0, 3.0, 2.0, 0.0),
            (1.0, 5.0, 2.0, 1e-8),
            (3.0, 2.5, 1e-8, 2.0),
            (50.0, 60.0, 40.0, 1.5),
        ),
    ),
    note="Derivatives in dfn and dfd are NaN where dfn + dfd is below 0.16, and mixed ones with f "
    "at f = 0 where dfn is not above twice their order in f.",
    guard=bounded("dfn dfd nc f", (0.5, 0.5, 1.0, 0.5), nc=1e12),
)
def ncfdtr(dfn: Real, dfd: Real, nc: Real, f: Real) -> Array:
    """Non-central F distribution function, with the numerator's non-centrality nc.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0
        f: quotient of the two variances, not negative; NaN for f < 0

    Example:
        >>> critical = fdtri(3.0, 20.0, 0.95)
        >>> 1 - ncfdtr(3.0, 20.0, jnp.array([2.0, 10.0]), critical)  # power of an F test
        Array([0.16500971, 0.66775276], dtype=float64)
        >>> print(f"{jax.grad(ncfdtr, argnums=2)(3.0, 20.0, 10.0, critical):.6f}")  # in nc
        -0.048384
    """
    ...


rule(
    ncfdtr,
    dfn=closed(_CONTOUR, lambda y, *at: noncentral_f_derivative(0, *at)),
    dfd=closed(_CONTOUR, lambda y, *at: noncentral_f_derivative(1, *at)),
    nc=closed(_MIXTURE, lambda y, *at: noncentral_f_derivative(2, *at)),
    f=closed(_MIXTURE, lambda y, *at: noncentral_f_derivative(3, *at)),
)


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "positive_root(lambda f: noncentral_f(dfn, dfd, nc, f)/p - 1)",
        (Reals(0.5, 20), Reals(1, 20), Reals(0.1, 20), _PROBABILITY),
        awkward=((2.0, 3.0, 1.0, 0.5), (50.0, 60.0, 40.0, 0.25)),
    ),
    guard=bounded("dfn dfd nc p", (0.5, 0.5, 1.0, 0.5), nc=1e12),
)
def ncfdtri(dfn: Real, dfd: Real, nc: Real, p: Real) -> Array:
    """Inverse of the non-central F distribution: the f with ncfdtr(dfn, dfd, nc, f) = p.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0
        p: probability, in [0, 1], with f = inf at 1; NaN outside of it

    Example:
        >>> ncfdtri(3.0, 20.0, jnp.array([0.0, 10.0]), 0.95)
        Array([ 3.09839121, 10.76356414], dtype=float64)
    """
    ...


rule(
    ncfdtri,
    **inverse_rules(("dfn", "dfd", "nc", "p"), 3, one_by_one(noncentral_f_derivative)),
)


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "positive_root(lambda dfd: noncentral_f(dfn, dfd, nc, f)/p - 1)",
        (Reals(1, 20), Reals(0.3, 0.6), Reals(0.5, 5), Reals(3, 5)),
        awkward=((2.0, 0.5, 1.0, 3.0), (4.0, 0.01, 30.0, 9.0)),
    ),
    better=roots.dfd_of,
    note="The values are roots of `ncfdtr`, where SciPy's search ends mostly at 1e-100 or 1e100: "
    "it sums the mixture to four digits. NaN where there is no root between 1e-6 and 1e9, for dfn "
    "outside of that, and for f outside of 1e-30 to 1e30.",
    guard=bounded("dfn p nc f", (0.5, 0.5, 1.0, 0.5), nc=1e6),
)
def ncfdtridfd(dfn: Real, p: Real, nc: Real, f: Real) -> Array:
    """Inverse of the non-central F distribution: the dfd with ncfdtr(dfn, dfd, nc, f) = p.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        p: probability, in (0, 1); NaN outside of it; of two solutions the one at which `ncfdtr`
            grows with dfd, and NaN without any
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0
        f: quotient of the two variances, positive; NaN for f <= 0

    Example:
        >>> ncfdtridfd(3.0, jnp.array([0.3, 0.5]), 2.0, 4.0)
        Array([0.2573587 , 0.74328632], dtype=float64)
    """
    ...


rule(
    ncfdtridfd,
    **inverse_rules(("dfn", "p", "nc", "f"), 1, one_by_one(noncentral_f_derivative)),
)


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "positive_root(lambda dfn: noncentral_f(dfn, dfd, nc, f)/p - 1)",
        (Reals(0.3, 0.6), Reals(3, 20), Reals(3, 5), Reals(2, 3)),
        awkward=((0.5, 3.0, 4.0, 2.0), (0.85, 12.0, 30.0, 5.0)),
    ),
    better=roots.dfn_of,
    note="The values are roots of `ncfdtr`, where SciPy's have two or three digits, and are 1e100 "
    "or 1e-100 where its search fails: it sums the mixture to four digits. NaN where there is no "
    "root between 1e-6 and 1e9, for dfd outside of that, and for f outside of 1e-30 to 1e30.",
    guard=bounded("p dfd nc f", (0.5, 0.5, 1.0, 0.5), nc=1e6),
)
def ncfdtridfn(p: Real, dfd: Real, nc: Real, f: Real) -> Array:
    """Inverse of the non-central F distribution: the dfn with ncfdtr(dfn, dfd, nc, f) = p.

    Args:
        p: probability, in (0, 1); NaN outside of it; of two solutions the one at which `ncfdtr`
            grows with dfn, and NaN without any
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0
        f: quotient of the two variances, positive; NaN for f <= 0

    Example:
        >>> ncfdtridfn(jnp.array([0.3, 0.5]), 5.0, 4.0, 2.0)
        Array([1.23795715, 4.105609  ], dtype=float64)
    """
    ...


rule(
    ncfdtridfn,
    **inverse_rules(("p", "dfd", "nc", "f"), 0, one_by_one(noncentral_f_derivative)),
)


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "positive_root(lambda nc: noncentral_f(dfn, dfd, nc, f)/p - 1)",
        (Reals(1, 20), Reals(2, 20), Reals(0.05, 0.6), Reals(3, 6)),
        awkward=((2.0, 3.0, 0.5, 3.0), (5.0, 8.0, 1e-6, 4.0), (2.0, 3.0, 0.8, 3.0)),
    ),
    better=roots.nc_of,
    note="The values are roots of `ncfdtr`, where SciPy's have four digits, or fewer: it sums the "
    "mixture to four. NaN beyond 1e6, for degrees of freedom outside of 1e-6 to 1e9, and for f "
    "outside of 1e-30 to 1e30.",
)
def ncfdtrinc(dfn: Real, dfd: Real, p: Real, f: Real) -> Array:
    """Inverse of the non-central F distribution: the nc with ncfdtr(dfn, dfd, nc, f) = p.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        p: probability, in (0, 1); NaN outside of it; above ncfdtr(dfn, dfd, 0, f) there is no
            solution: the value is 0, and the derivatives are NaN
        f: quotient of the two variances, positive; NaN for f <= 0

    Example:
        >>> print(f"{ncfdtrinc(3.0, 20.0, 0.5, 5.0):.6f}")
        12.554
    """
    ...


def _of_ncfdtrinc(place: int, *at: jax.Array) -> jax.Array:
    dfn, dfd, nc, f = at
    return noncentral_f_derivative(place, dfn, dfd, jnp.where(nc > 0, nc, jnp.nan), f)


rule(ncfdtrinc, **inverse_rules(("dfn", "dfd", "p", "f"), 2, one_by_one(_of_ncfdtrinc)))
