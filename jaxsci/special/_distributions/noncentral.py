"""Non-central chi-square and F distribution functions and their inverses.

Rows cite N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate Distributions, volume 2
(second edition, 1995).
"""

from __future__ import annotations

import functools
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
from jaxsci.special._distributions.kernels.noncentral_densities import (
    noncentral_beta,
    noncentral_gamma,
)
from jaxsci.special._incomplete.kernels.densities import SHAPE, complement, proportion

_IMPLICIT = "implicit function theorem"
_MIXTURE = "derivative of a Poisson mixture"
_BY_FREEDOM = missing(
    "the derivative in the degrees of freedom, which it would be found from, is not implemented yet"
)
_PROBABILITY = Reals(0.01, 0.99)


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
    """Non-central chi-square distribution function of non-centrality nc."""
    ...


rule(
    chndtr,
    x=closed(_MIXTURE, lambda y, x, df, nc: _chi_square(x, df, nc, 0)),
    df=SHAPE,
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
    """Inverse of the non-central chi-square distribution: the x with chndtr(x, df, nc) = p."""
    ...


rule(
    chndtrix,
    p=closed(_IMPLICIT, lambda x, p, df, nc: 1 / _chi_square(x, df, nc, 0)),
    df=SHAPE,
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
    """Inverse of the non-central chi-square distribution: the df with chndtr(x, df, nc) = p."""
    ...


rule(chndtridf, x=_BY_FREEDOM, p=_BY_FREEDOM, nc=_BY_FREEDOM)


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
    """Inverse of the non-central chi-square distribution: the nc with chndtr(x, df, nc) = p."""
    ...


rule(
    chndtrinc,
    x=closed(_IMPLICIT, lambda nc, x, df, p: _chi_square(x, df, nc, 0) / _chi_square(x, df, nc, 1)),
    df=SHAPE,
    p=closed(_IMPLICIT, lambda nc, x, df, p: -1 / _chi_square(x, df, nc, 1)),
)


def _chi_square(x: Any, df: Any, nc: Any, shift: int) -> Any:
    """The density of df + 2 shift degrees of freedom."""
    return noncentral_gamma(df / 2, x / 2, nc / 2, shift=shift) / 2


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
    """Non-central F distribution function of non-centrality nc."""
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
    """Inverse of the non-central F distribution: the f with ncfdtr(dfn, dfd, nc, f) = p."""
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
    """Inverse of the non-central F distribution: the dfd with ncfdtr(dfn, dfd, nc, f) = p."""
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
    """Inverse of the non-central F distribution: the dfn with ncfdtr(dfn, dfd, nc, f) = p."""
    ...


rule(ncfdtridfn, p=_BY_FREEDOM, dfd=_BY_FREEDOM, nc=_BY_FREEDOM, f=_BY_FREEDOM)


def _in_nc(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    return -_f(dfn, dfd, nc, f, True) / 2


def _in_f(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    return _f(dfn, dfd, nc, f, False)


def _root(nc: Any, dfn: Any, dfd: Any, p: Any, f: Any) -> Any:
    """The nc with ncfdtr(dfn, dfd, nc, f) = p, from SciPy's, which is good to a few digits.

    To a derivative it is nc: what Newton's method adds is constant.
    """
    at = [jax.lax.stop_gradient(x) for x in (nc, dfn, dfd, p, f)]
    start, dfn, dfd, p, f = at

    def newton(_: Any, root: Any) -> Any:
        step = (p - ncfdtr(dfn, dfd, root, f)) / _in_nc(dfn, dfd, root, f)
        return jnp.maximum(root + step, root / 2)

    root = jax.lax.fori_loop(0, _NEWTON_STEPS, newton, start)
    return nc + (root - start)


def _of_ncfdtrinc(y: Any, dfn: Any, dfd: Any, p: Any, f: Any, in_f: bool) -> Any:
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
    """Inverse of the non-central F distribution: the nc with ncfdtr(dfn, dfd, nc, f) = p."""
    ...


rule(
    ncfdtrinc,
    dfn=SHAPE,
    dfd=SHAPE,
    p=closed(_IMPLICIT, functools.partial(_of_ncfdtrinc, in_f=False)),
    f=closed(_IMPLICIT, functools.partial(_of_ncfdtrinc, in_f=True)),
)


def _f(dfn: Any, dfd: Any, nc: Any, f: Any, slope: bool) -> Any:
    """The density; with `slope` minus the derivative in nc/2."""
    ratio = dfn / dfd
    x, q = proportion(ratio * f), complement(ratio * f)
    mixture = noncentral_beta(dfn / 2, dfd / 2, x, q, nc / 2, slope=slope)
    return mixture if slope else ratio * q**2 * mixture


_NEWTON_STEPS = 4
