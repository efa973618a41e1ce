"""Student's t distribution, central and noncentral, and the inverses of its function."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Guard,
    Repair,
    Samples,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._distributions.kernels import (
    beta_on_device,
    noncentral_student_tail,
    shapes_on_device,
    student_tail,
)
from jaxsci.special._distributions.kernels import noncentral_student as noncentral
from jaxsci.special._distributions.kernels import noncentral_student_root as student_root
from jaxsci.special._distributions.kernels import student_density as student
from jaxsci.special._distributions.kernels.inverse_rules import inverse_rules, one_by_one
from jaxsci.special._distributions.kernels.noncentral_student_degrees import student_in_degrees
from jaxsci.special._distributions.kernels.student_shapes import student_distribution

_STUDENT = "Johnson et al. (1995), Continuous Univariate Distributions 2, ch. 28"
_NONCENTRAL = "Johnson et al. (1995), Continuous Univariate Distributions 2, ch. 31"
_IMPLICIT = "implicit function theorem"
_DEGREES = Reals(0.05, 300, log=True)


@elementwise(
    source=_STUDENT,
    samples=Samples(
        "student_cdf(df, t)",
        (_DEGREES, Reals(-20, 20)),
        awkward=(
            (1.0, 0.0),
            (2.0, -1.0),
            (0.01, 1.5),
            (3.0, 1e-12),
            (5.0, -1e10),
            (1e4, -3.0),
            (1e10, -5.0),
            (1e10, 2.0),
            (1.0, -1e200),
        ),
    ),
    repair=student_tail.OF_FUNCTION,
    kernel=beta_on_device.stdtr,
)
def stdtr(df: Real, t: Real) -> Array:
    """Distribution function of Student's t distribution with df degrees of freedom.

    Args:
        df: degrees of freedom, positive, integer or not; NaN for df <= 0, and inf is the normal
            distribution
        t: quantile, any real number

    Example:
        >>> 2 * stdtr(9.0, -jnp.array([1.0, 2.5]))  # two-sided p-values
        Array([0.3434364 , 0.03386183], dtype=float64)
        >>> print(f"{jax.grad(stdtr)(9.0, -2.5):.6f}")  # in the degrees of freedom
        -0.001354
    """
    ...


rule(
    stdtr,
    df=closed(
        "differentiated under the integral", lambda y, df, t: student_distribution(df, t, m=1)
    ),
    t=closed("density of Student's t distribution", lambda y, df, t: student.density(df, t)),
)


def _slope(place: int, df: jax.Array, t: jax.Array) -> jax.Array:
    """D/d(df) stdtr at place 0, d/dt at 1."""
    return student.density(df, t) if place else student_distribution(df, t, m=1)


@elementwise(
    source=_STUDENT,
    samples=Samples(
        "student_quantile(df, p)",
        (_DEGREES, Reals(0, 1)),
        awkward=((1.0, 0.25), (2.0, 1e-10), (0.5, 1e-20), (1e4, 1e-5), (1e10, 0.3), (7.0, 0.9999)),
    ),
    repair=student_tail.OF_QUANTILE,
    kernel=beta_on_device.stdtrit,
)
def stdtrit(df: Real, p: Real) -> Array:
    """Quantile of Student's t distribution: the inverse of `stdtr` in t.

    Args:
        df: degrees of freedom, positive, integer or not; NaN for df <= 0, and inf is the normal
            distribution
        p: probability, in [0, 1]; NaN outside of it

    Example:
        >>> stdtrit(jnp.array([3.0, 9.0]), 0.975)  # half the width of a 95 % confidence interval
        Array([3.18244631, 2.26215716], dtype=float64)
        >>> print(f"{jax.grad(stdtrit)(9.0, 0.975):.6f}")  # in the degrees of freedom
        -0.038315
    """
    ...


rule(stdtrit, **inverse_rules(("df", "p"), 1, one_by_one(_slope)))


@elementwise(
    source=_STUDENT,
    samples=Samples(
        "student_degrees(p, t)",
        (Reals(0.6, 0.95), Reals(2, 5)),
        awkward=((0.1, -3.0), (0.25, -1.0 - 2.0**-20), (0.501, 0.01), (0.95, 2.0)),
        flaws=(Flaw("1e-9", "True"),),
    ),
    kernel=shapes_on_device.stdtridf,
)
def stdtridf(p: Real, t: Real) -> Array:
    """The degrees of freedom from the probability and t: the inverse of `stdtr` in df.

    Args:
        p: probability, between 1/2 and ndtr(t): elsewhere there is no solution, and SciPy's search
            ends at numbers such as 1e10 or -1e100, where kernels have NaN; NaN outside of [0, 1]
        t: quantile, any real number but 0

    Example:
        >>> stdtridf(jnp.array([0.9, 0.95]), 2.0)
        Array([1.76734645, 5.17613568], dtype=float64)
    """
    ...


rule(stdtridf, **inverse_rules(("p", "t"), 0, one_by_one(_slope), stdtr))


# -- noncentral ------------------------------------------------------------------------------------


@elementwise(
    source=_NONCENTRAL,
    samples=Samples(
        "noncentral_t_cdf(df, nc, t)",
        (_DEGREES, Reals(-6, 6), Reals(-10, 10)),
        awkward=(
            (3.0, 1.0, 0.0),
            (3.0, 0.0, 1.0),
            (0.5, 2.0, 1e-9),
            (1.0, -3.0, -2.0),
            (100.0, 20.0, 18.0),
            (10.0, 5.0, 1e4),
            (0.05, 4.0, 1.0),
            (2e3, 1.0, 2.0),
        ),
        flaws=(
            Flaw(
                "1e-11",
                "t < 0 < nc and 2.72 ** (nc * nc / 2) * (1 + t * t / df) ** (df / 2) > 30",
            ),
        ),
    ),
    repair=noncentral_student_tail.REPAIR,
    guard=bounded("df nc t", (3.0, 1.0, 1.0), nc=1e6),
)
def nctdtr(df: Real, nc: Real, t: Real) -> Array:
    """Distribution function of the noncentral t distribution with df degrees of freedom.

    Args:
        df: degrees of freedom, positive; NaN for df <= 0
        nc: noncentrality, any real number
        t: quantile, any real number

    Example:
        >>> critical = stdtrit(9.0, 0.95)
        >>> 1 - nctdtr(9.0, jnp.array([1.0, 3.0]), critical)  # power of a one-sided t test
        Array([0.23600568, 0.86845444], dtype=float64)
        >>> print(f"{jax.grad(nctdtr, argnums=1)(9.0, 3.0, critical):.6f}")  # in the noncentrality
        -0.195132
    """
    ...


rule(
    nctdtr,
    df=closed(
        "differentiated under the integral",
        lambda y, df, nc, t: student_in_degrees(df, nc, t, m=1),
    ),
    nc=closed(
        "differentiated under the integral",
        lambda y, df, nc, t: noncentral.slope(df, nc, t),
    ),
    t=closed(
        "differentiated under the integral",
        lambda y, df, nc, t: noncentral.density(df, nc, t),
    ),
)


@elementwise(
    source=_NONCENTRAL,
    samples=Samples(
        "noncentral_t_quantile(df, nc, p)",
        (_DEGREES, Reals(-6, 6), Reals(0, 1)),
        awkward=((3.0, 1.0, 0.25), (3.0, 0.0, 0.9), (1.0, 2.0, 1e-4)),
    ),
    guard=bounded("df nc p", (3.0, 1.0, 0.5), nc=1e6),
    repair=Repair(
        "p = 0",
        lambda ys, df, nc, p: (p == 0) & (df > 0) & (jnp.abs(nc) <= 1e6),
        lambda ys, df, nc, p: jnp.full_like(p, -jnp.inf),
    ),
)
def nctdtrit(df: Real, nc: Real, p: Real) -> Array:
    """Quantile of the noncentral t distribution: the inverse of `nctdtr` in t.

    Args:
        df: degrees of freedom, positive; NaN for df <= 0
        nc: noncentrality, any real number
        p: probability, in [0, 1]; NaN outside of it

    Example:
        >>> nctdtrit(9.0, jnp.array([0.0, 3.0]), 0.95)
        Array([1.83311293, 5.87883241], dtype=float64)
    """
    ...


rule(
    nctdtrit,
    df=closed(_IMPLICIT, lambda t, df, nc, p: noncentral.quantile_in_degrees(t, df, nc, p)),
    nc=closed(_IMPLICIT, lambda t, df, nc, p: noncentral.quantile_slope(t, df, nc, p)),
    p=closed(_IMPLICIT, lambda t, df, nc, p: noncentral.quantile_density(t, df, nc, p)),
)


@elementwise(
    source=_NONCENTRAL,
    samples=Samples(
        "noncentral_t_noncentrality(df, p, t)",
        (_DEGREES, Reals(0, 1), Reals(-6, 6)),
        awkward=((3.0, 0.25, 1.0), (3.0, 0.5, 1e-3), (20.0, 0.9, -1.0)),
        flaws=(Flaw("1e-15/p", "t < 0 and p < 1e-3"),),
    ),
    better=student_root.nc_of,
    note="The values are roots of `nctdtr`, where SciPy's have five digits, and fewer near t = 0. "
    "NaN beyond 1e5, where `nctdtr` has no values.",
    guard=Guard(
        "|t| <= 1e5 and |t| <= 1e5 sqrt(df)",
        lambda df, p, t: (abs(t) <= 1e5) & (abs(t) <= 1e5 * abs(df) ** 0.5) & (df > 0),
        (3.0, 0.5, 1.0),
    ),
)
def nctdtrinc(df: Real, p: Real, t: Real) -> Array:
    """The noncentrality from the probability and t: the inverse of `nctdtr` in nc.

    Args:
        df: degrees of freedom, positive; NaN for df <= 0
        p: probability; infinite at 0 and 1, NaN outside of [0, 1]
        t: quantile, any real number

    Example:
        >>> print(f"{nctdtrinc(9.0, 0.025, 2.5):.4f}")  # upper 95 % confidence limit of nc
        4.7154
    """
    ...


rule(
    nctdtrinc,
    df=closed(_IMPLICIT, noncentral.noncentrality_in_degrees),
    p=closed(_IMPLICIT, noncentral.noncentrality_density),
    t=closed(_IMPLICIT, noncentral.noncentrality_slope),
)


@elementwise(
    source=_NONCENTRAL,
    samples=Samples(
        "noncentral_t_degrees(p, nc, t)",
        (Reals(0.5, 0.9), Reals(0, 1), Reals(3, 5)),
        awkward=((0.6, 1.0, 3.0), (0.2, -1.0, -3.0)),
        flaws=(Flaw("1e-15/p", "t < 0 and p < 1e-3"),),
    ),
    better=student_root.df_of,
    note="The values are roots of `nctdtr` from 1e-6 to 1e9, and NaN where there is none; of two "
    "roots the one at which `nctdtr` grows. SciPy's have seven digits where it finds them, which "
    "it does not at a third of random points. NaN where t^2/df is above 1e10.",
    guard=bounded("p nc t", (0.5, 0.5, 1.0), nc=1e4, t=1e4),
)
def nctdtridf(p: Real, nc: Real, t: Real) -> Array:
    """The degrees of freedom from the probability, nc and t: the inverse of `nctdtr` in df.

    Args:
        p: probability, in (0, 1); NaN outside of it
        nc: noncentrality, any real number
        t: quantile, any real number

    Example:
        >>> print(f"{nctdtridf(0.8, 0.5, 1.6):.4f}")
        3.2731
    """
    ...


def _noncentral_slope(place: int, df: jax.Array, nc: jax.Array, t: jax.Array) -> jax.Array:
    """The distribution function's derivative in df, nc or t."""
    if place == 0:
        return student_in_degrees(df, nc, t, m=1)
    return (noncentral.slope if place == 1 else noncentral.density)(df, nc, t)


rule(nctdtridf, **inverse_rules(("p", "nc", "t"), 0, one_by_one(_noncentral_slope), nctdtr))
