"""The normal distribution, its quantiles and parameters, and Owen's T function."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._catalog.decorators import (
    Flaw,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Complexes, Reals
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Complex, Real
from jaxsci.special._distributions.kernels import normal_in_plane, normal_on_device, owen_on_device
from jaxsci.special._distributions.kernels import normal_tail as normal

_AROUND = ((0.0,), (1e-10,), (-1e-30,), (2.5,), (-2.5,), (8.0,), (-8.0,), (-20.0,), (37.0,))
_OFF_THE_LINE = ((1 + 3j,), (-4 - 4j,), (3 + 0.01j,), (5j,), (-2.4 + 0.3j,), (12 + 1j,))


@elementwise(
    source="7.2",
    samples=Samples(
        "normal_cdf(x)",
        (Complexes(0.05, 12, negative=True),),
        awkward=(*_AROUND, (-37.0,), *_OFF_THE_LINE),
    ),
    kernel=normal_on_device.ndtr,
    complex_kernel=normal_in_plane.ndtr,
)
def ndtr(x: Complex) -> Array:
    """Distribution function of the standard normal distribution, erfc(-x/sqrt(2))/2.

    Args:
        x: any number; the function is entire

    Example:
        >>> 2 * ndtr(-jnp.array([1.0, 1.96]))  # two-sided p-values
        Array([0.31731051, 0.04999579], dtype=float64)
        >>> print(f"{jax.grad(ndtr)(1.96):.6f}")  # the density
        0.058441
    """
    ...


rule(ndtr, x=in_single(3, closed("DLMF 7.10.1", lambda y, x: normal.density(x))))


@elementwise(
    source="7.2",
    samples=Samples(
        "log_normal_cdf(x)",
        (Complexes(0.05, 36, negative=True),),
        awkward=(
            *_AROUND,
            *_OFF_THE_LINE,
            (-40.0,),
            (-1e4,),
            (-1e8,),
            (-300 + 4j,),
            (-20 + 300j,),
            (20 + 60j,),
            (-1e6 - 1e6j,),
        ),
        flaws=(Flaw("1e-11", "x.real > 3 and x.imag != 0"),),
    ),
    repair=by_own(
        "Re x > 3", lambda x: x.real > 3, normal_in_plane.log_ndtr, of="complex", few=True
    ),
    kernel=normal_on_device.log_ndtr,
    complex_kernel=normal_in_plane.log_ndtr,
)
def log_ndtr(x: Complex) -> Array:
    """Logarithm of the standard normal distribution function, which does not underflow.

    Args:
        x: any number; the imaginary part of the value is in [-pi, pi]

    Example:
        >>> log_ndtr(jnp.array([-40.0, 1.0]))
        Array([-8.04608442e+02, -1.72753779e-01], dtype=float64)
        >>> print(f"{jax.grad(log_ndtr)(-40.0):.6f}")
        40.024969
    """
    ...


rule(log_ndtr, x=closed("DLMF 7.10.1", lambda y, x: normal.hazard(x)))

_PROBABILITIES = (
    (0.5,),
    (0.5 + 1e-9,),
    (1e-5,),
    (1e-300,),
    (5e-320,),
    (0.1353352832366127,),
    (1 - 2.0**-20,),
)


@elementwise(
    source="7.17",
    samples=Samples("normal_quantile(y)", (Reals(0, 1),), awkward=_PROBABILITIES),
    kernel=normal_on_device.ndtri,
)
def ndtri(y: Real) -> Array:
    """Quantile of the standard normal distribution: the inverse of `ndtr`.

    Args:
        y: probability, in [0, 1], with -inf at 0 and inf at 1; NaN outside of it

    Example:
        >>> ndtri(jnp.array([0.95, 0.975]))
        Array([1.64485363, 1.95996398], dtype=float64)
        >>> print(f"{jax.grad(ndtri)(0.975):.6f}")  # one over the density
        17.110083
    """
    ...


rule(ndtri, y=closed("implicit function theorem", lambda x, y: normal.reciprocal_density(x, y)))


@elementwise(
    source="7.17",
    samples=Samples(
        "log_normal_quantile(y)",
        (Reals(-80, 0),),
        awkward=(
            (-0.5,),
            (-2.0,),
            (-1e-3,),
            (-1e-9,),
            (-1e-17,),
            (-1e-300,),
            (-745.0,),
            (-1e10,),
            (-1e20,),
        ),
    ),
    kernel=normal_on_device.ndtri_exp,
)
def ndtri_exp(y: Real) -> Array:
    """Quantile of the standard normal distribution of the probability exp(y).

    Args:
        y: logarithm of the probability, at most 0; NaN for y > 0

    Example:
        >>> ndtri_exp(jnp.array([-1000.0, -1.0]))
        Array([-44.61574773,  -0.33747496], dtype=float64)
        >>> print(f"{jax.grad(ndtri_exp)(-1000.0):.6f}")
        0.022402
    """
    ...


rule(
    ndtri_exp,
    y=closed("implicit function theorem", lambda x, y: normal.slope_of_log_quantile(x, y)),
)


# -- parameters from a probability -----------------------------------------------------------------


_CDFLIB = "Brown, Lovato and Russell (1994), CDFLIB"


@elementwise(
    source=_CDFLIB,
    samples=Samples(
        "x - std * normal_quantile(p)",
        (Reals(0, 1), Reals(0.01, 20), Reals(-20, 20)),
        awkward=((0.5, 1.0, 2.0), (1e-300, 3.0, 1.0), (0.3, 1e-9, 0.0), (0.9, 1e100, 5.0)),
    ),
    kernel=normal_on_device.nrdtrimn,
)
def nrdtrimn(p: Real, std: Real, x: Real) -> Array:
    """The mean of a normal distribution from its standard deviation, and its probability at x.

    Args:
        p: probability of at most x, in (0, 1); NaN elsewhere
        std: standard deviation, positive; NaN for std <= 0
        x: quantile, any real number

    Example:
        >>> nrdtrimn(jnp.array([0.1, 0.9]), 2.0, 3.0)
        Array([5.56310313, 0.43689687], dtype=float64)
        >>> print(f"{jax.grad(nrdtrimn)(0.9, 2.0, 3.0):.6f}")
        -11.396120
    """
    ...


rule(
    nrdtrimn,
    p=closed("implicit function theorem", lambda y, p, std, x: -std * _quantile_slope(p)),
    std=closed("linear in std", lambda y, p, std, x: -ndtri(p)),
    x=closed("linear in x", lambda y, p, std, x: jnp.ones_like(y)),
)


@elementwise(
    source=_CDFLIB,
    samples=Samples(
        "(x - mn) / normal_quantile(p)",
        (Reals(-20, 20), Reals(0, 1), Reals(-20, 20)),
        awkward=((0.0, 0.5 + 1e-9, 2.0), (1.0, 1e-300, -1.0), (0.0, 0.3, 0.0)),
    ),
    kernel=normal_on_device.nrdtrisd,
)
def nrdtrisd(mn: Real, p: Real, x: Real) -> Array:
    """The standard deviation of a normal distribution from its mean, and its probability at x.

    Args:
        mn: mean, any real number
        p: probability of at most x, in (0, 1); NaN elsewhere
        x: quantile, below the mean for p < 1/2 and above it for p > 1/2, or the value is negative

    Example:
        >>> nrdtrisd(0.0, jnp.array([0.9, 0.975]), 3.0)
        Array([2.34091244, 1.53064037], dtype=float64)
        >>> print(f"{jax.grad(nrdtrisd, argnums=1)(0.0, 0.9, 3.0):.6f}")
        -10.408211
    """
    ...


rule(
    nrdtrisd,
    mn=closed("linear in mn", lambda y, mn, p, x: -1 / ndtri(p)),
    p=closed(
        "implicit function theorem",
        lambda y, mn, p, x: -(x - mn) / ndtri(p) ** 2 * _quantile_slope(p),
    ),
    x=closed("linear in x", lambda y, mn, p, x: 1 / ndtri(p)),
)


def _quantile_slope(p: jax.Array) -> jax.Array:
    return normal.reciprocal_density(ndtri(p), p)


# -- Owen's T --------------------------------------------------------------------------------------


def _of_h(y: jax.Array, h: jax.Array, a: jax.Array) -> jax.Array:
    product = jnp.where((h == 0) & jnp.isinf(a), 0.0, a) * h
    return -normal.density(h) * jax.lax.erf(product / np.sqrt(2)) / 2


def _of_a(y: jax.Array, h: jax.Array, a: jax.Array) -> jax.Array:
    return jnp.exp(-h * h * (1 + a * a) / 2) / (2 * np.pi * (1 + a * a))


@elementwise(
    source="Owen (1956), Ann. Math. Stat. 27, 1075",
    samples=Samples(
        "owen(h, a)",
        (Reals(-10, 10), Reals(-4, 4)),
        awkward=(
            (0.0, 0.7),
            (1.0, 0.0),
            (1.0, 1.0),
            (2.0, -1.0),
            (1e-8, 3.0),
            (0.3, 30.0),
            (3.0, 1e-9),
            (12.0, 0.4),
            (6.0, 1e-7),
            (18.0, 0.3),
        ),
        flaws=(
            Flaw("1e-11", "abs(h) > 4.8 and 0 < abs(a) < 1e-4"),
            Flaw("inf", "abs(h) > 37.5"),
        ),
    ),
    repair=by_own(
        "4.5 < |h| < 37.5 and |a| < 1e-5",
        lambda h, a: (jnp.abs(h) > 4.5) & (jnp.abs(h) < 37.5) & (jnp.abs(a) < 1e-5),
        owen_on_device.owens_t,
    ),
    kernel=owen_on_device.owens_t,
)
def owens_t(h: Real, a: Real) -> Array:
    """Owen's T function: the integral of exp(-h^2(1+s^2)/2)/(1+s^2)/(2 pi) over s from 0 to a.

    Args:
        h: any real number; T is even in h
        a: upper end of the integral, any real number; T is odd in a

    Example:
        >>> x = jnp.array([-1.0, 0.5])
        >>> ndtr(x) - 2 * owens_t(x, 3.0)  # a skew normal distribution function
        Array([5.62444337e-05, 3.89294375e-01], dtype=float64)
        >>> print(f"{jax.grad(owens_t, argnums=1)(0.5, 3.0):.6f}")
        0.004560
    """
    ...


rule(
    owens_t,
    h=closed("Owen (1956), differentiated under the integral", _of_h),
    a=closed("fundamental theorem of calculus", _of_a),
)
