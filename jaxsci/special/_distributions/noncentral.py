"""Non-central chi-square and F distribution functions and their inverses.

Rows cite N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate Distributions, volume 2
(second edition, 1995).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._catalog.decorators import (
    Flaw,
    Guard,
    Samples,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._distributions.kernels.inverse_rules import chord
from jaxsci.special._distributions.kernels.noncentral_chi_square import chi_square_in_shape
from jaxsci.special._distributions.kernels.noncentral_densities import (
    noncentral_beta,
    noncentral_gamma,
)
from jaxsci.special._incomplete.kernels.densities import SHAPE, complement, proportion

_IMPLICIT = "implicit function theorem"
_MIXTURE = "derivative of a Poisson mixture"
_CONTOUR = "differentiated under the contour integral"
_BY_FREEDOM = missing(
    "the derivative in the degrees of freedom, which it would be found from, is not implemented yet"
)
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
    p=closed(_IMPLICIT, lambda x, p, df, nc: 1 / _chi_square(x, df, nc, 0)),
    df=closed(_IMPLICIT, lambda x, p, df, nc: -_in_freedom(x, df, nc) / _chi_square(x, df, nc, 0)),
    nc=closed(
        _IMPLICIT, lambda x, p, df, nc: _chi_square(x, df, nc, 1) / _chi_square(x, df, nc, 0)
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
        return wanted(x, df, nc) / _in_freedom(x, df, nc)

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
        return wanted(x, df, nc) / _chi_square(x, df, nc, 1)

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
    dfn=SHAPE,
    dfd=SHAPE,
    nc=closed(_MIXTURE, lambda y, dfn, dfd, nc, f: _in_nc(dfn, dfd, nc, f)),
    f=closed(_MIXTURE, lambda y, dfn, dfd, nc, f: _in_f(dfn, dfd, nc, f)),
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
    dfn=SHAPE,
    dfd=SHAPE,
    nc=closed(
        _IMPLICIT,
        lambda f, dfn, dfd, nc, p: -_in_nc(dfn, dfd, nc, f) / _in_f(dfn, dfd, nc, f),
    ),
    p=closed(_IMPLICIT, lambda f, dfn, dfd, nc, p: 1 / _in_f(dfn, dfd, nc, f)),
)


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "positive_root(lambda dfd: noncentral_f(dfn, dfd, nc, f)/p - 1)",
        (Reals(1, 20), Reals(0.3, 0.6), Reals(0.5, 5), Reals(3, 5)),
        awkward=((2.0, 0.5, 1.0, 3.0),),
        flaws=(Flaw("inf", "nc >= 0"),),
    ),
    note="SciPy sums the mixture to four digits here, and its search ends mostly at 1e-100 or "
    "1e100.",
    guard=bounded("dfn p nc f", (0.5, 0.5, 1.0, 0.5), nc=1e7),
)
def ncfdtridfd(dfn: Real, p: Real, nc: Real, f: Real) -> Array:
    """Inverse of the non-central F distribution: the dfd with ncfdtr(dfn, dfd, nc, f) = p.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        p: probability, in (0, 1); NaN outside of [0, 1]
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0
        f: quotient of the two variances, not negative; NaN for f < 0
    """
    ...


rule(ncfdtridfd, dfn=_BY_FREEDOM, p=_BY_FREEDOM, nc=_BY_FREEDOM, f=_BY_FREEDOM)


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "positive_root(lambda dfn: noncentral_f(dfn, dfd, nc, f)/p - 1)",
        (Reals(0.3, 0.6), Reals(3, 20), Reals(3, 5), Reals(2, 3)),
        awkward=((0.5, 3.0, 4.0, 2.0),),
        flaws=(Flaw("inf", "nc >= 0"),),
    ),
    note="SciPy sums the mixture to four digits here; the result has two or three, and is 1e100 or "
    "1e-100 where the search fails.",
    guard=bounded("p dfd nc f", (0.5, 0.5, 1.0, 0.5), nc=1e7),
)
def ncfdtridfn(p: Real, dfd: Real, nc: Real, f: Real) -> Array:
    """Inverse of the non-central F distribution: the dfn with ncfdtr(dfn, dfd, nc, f) = p.

    Args:
        p: probability, in (0, 1); NaN outside of [0, 1]
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        nc: non-centrality, not negative, 0 being the central distribution; NaN for nc < 0
        f: quotient of the two variances, not negative; NaN for f < 0
    """
    ...


rule(ncfdtridfn, p=_BY_FREEDOM, dfd=_BY_FREEDOM, nc=_BY_FREEDOM, f=_BY_FREEDOM)


def _in_nc(dfn: jax.Array, dfd: jax.Array, nc: jax.Array, f: jax.Array) -> jax.Array:
    return -_f(dfn, dfd, nc, f, True) / 2


def _in_f(dfn: jax.Array, dfd: jax.Array, nc: jax.Array, f: jax.Array) -> jax.Array:
    return _f(dfn, dfd, nc, f, False)


def _root(nc: jax.Array, dfn: jax.Array, dfd: jax.Array, p: jax.Array, f: jax.Array) -> jax.Array:
    """The nc with ncfdtr(dfn, dfd, nc, f) = p, from SciPy's, which is good to a few digits.

    To a derivative it is nc: what Newton's method adds is constant.
    """
    at = [jax.lax.stop_gradient(x) for x in (nc, dfn, dfd, p, f)]
    start, dfn, dfd, p, f = at

    def newton(_: jax.Array, root: jax.Array) -> jax.Array:
        # The mixture changes over distances of 1 or more; its own slope is a large program.
        here, slope = chord(
            lambda nc: ncfdtr(dfn, dfd, nc, f), root, _ASIDE * jnp.maximum(root, 1.0)
        )
        step = (p - here) / slope
        return jnp.maximum(root + step, root / 2)

    root = jax.lax.fori_loop(0, _NEWTON_STEPS, newton, start)
    return nc + (root - start)


def _of_ncfdtrinc(
    y: jax.Array, dfn: jax.Array, dfd: jax.Array, p: jax.Array, f: jax.Array, in_f: bool
) -> jax.Array:
    nc = _root(y, dfn, dfd, p, f)
    numerator = -_in_f(dfn, dfd, nc, f) if in_f else 1.0
    return numerator / _in_nc(dfn, dfd, nc, f)


@elementwise(
    source=_F_SOURCE,
    samples=Samples(
        "positive_root(lambda nc: noncentral_f(dfn, dfd, nc, f)/p - 1)",
        (Reals(1, 20), Reals(2, 20), Reals(0.05, 0.6), Reals(3, 6)),
        awkward=((2.0, 3.0, 0.5, 3.0),),
        flaws=(Flaw("1e-3", "0 < p < 1"),),
    ),
    note="SciPy sums the mixture to four digits here; small results have fewer. Derivatives are "
    "taken at the root of ncfdtr, which Newton's method finds from SciPy's result.",
)
def ncfdtrinc(dfn: Real, dfd: Real, p: Real, f: Real) -> Array:
    """Inverse of the non-central F distribution: the nc with ncfdtr(dfn, dfd, nc, f) = p.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        p: probability, in (0, 1); NaN outside of [0, 1]
        f: quotient of the two variances, not negative; NaN for f < 0

    Example:
        >>> print(f"{ncfdtrinc(3.0, 20.0, 0.5, 5.0):.3f}")
        12.554
    """
    ...


rule(
    ncfdtrinc,
    dfn=SHAPE,
    dfd=SHAPE,
    p=closed(_IMPLICIT, functools.partial(_of_ncfdtrinc, in_f=False)),
    f=closed(_IMPLICIT, functools.partial(_of_ncfdtrinc, in_f=True)),
)


def _f(dfn: jax.Array, dfd: jax.Array, nc: jax.Array, f: jax.Array, slope: bool) -> jax.Array:
    """The density; with `slope` minus the derivative in nc/2."""
    ratio = dfn / dfd
    x, q = proportion(ratio * f), complement(ratio * f)
    mixture = noncentral_beta(dfn / 2, dfd / 2, x, q, nc / 2, slope=slope)
    return mixture if slope else ratio * q**2 * mixture


_NEWTON_STEPS = 4
_ASIDE = 1e-4
