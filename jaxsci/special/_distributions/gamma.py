"""Gamma, chi-square and Poisson distribution functions and their inverses (DLMF 8.2)."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Repair,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._distributions.kernels import gamma_on_device, shapes_on_device
from jaxsci.special._incomplete.kernels import large_shapes
from jaxsci.special._incomplete.kernels.gamma_density import gamma_density, reciprocal_gamma_density
from jaxsci.special._incomplete.kernels.gamma_quantile_slope import (
    quantile_slope,
    reciprocal_quantile_slope,
)
from jaxsci.special._incomplete.kernels.gamma_shape import reciprocal_shape_slope, shape_slope

_IMPLICIT = "implicit function theorem, DLMF 8.2.1"
_SHAPE = "DLMF 8.2.4, 8.7.1"
_PROBABILITY = Reals(0.001, 0.999)


# -- gamma -----------------------------------------------------------------------------------------


_GAMMA = (Reals(0.1, 5), Reals(0.2, 30), Reals(0.05, 30))
_GAMMA_POINTS = (
    (1.0, 1.0, 0.0),
    (1.5, 2.0, 0.0),
    (0.5, 3.0, 0.0),
    (2.0, 0.5, 1e-10),
    (1.0, 2.0, 1e-100),
    (1.0, 100.0, 95.0),
    (0.5, 1e4, 2.02e4),
    (3.0, 1e-3, 0.25),
)


@elementwise(
    source="8.2.4",
    samples=Samples("lower_gamma(b, a*x)", _GAMMA, awkward=_GAMMA_POINTS),
    repair=large_shapes.of_function("b", "a x", lambda a, b, x: (b, a * x), upper=False),
    kernel=gamma_on_device.gdtr,
)
def gdtr(a: Real, b: Real, x: Real) -> Array:
    """Gamma distribution function of rate a and shape b, P(b, a x).

    Args:
        a: rate, the inverse of the scale, positive; NaN for a < 0
        b: shape, positive; NaN for b < 0
        x: variate, not negative; NaN for x < 0

    Example:
        >>> gdtr(0.5, 3.0, jnp.array([2.0, 10.0]))
        Array([0.0803014 , 0.87534798], dtype=float64)
        >>> print(f"{jax.grad(gdtr, argnums=1)(0.5, 3.0, 2.0):.6f}")  # in the shape
        -0.106459
    """
    ...


def _scaled(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    """The product; NaN at b = x = 0, and for x < 0: of two negative numbers it is in the domain."""
    return a * jnp.where((x < 0) | (b == 0) & (x == 0), jnp.nan, x)


def _in_rate(a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    # An infinite density counts for nothing at x = 0.
    density = gamma_density(b, _scaled(a, b, x))
    return x * jnp.minimum(density, jnp.finfo(density.dtype).max)


rule(
    gdtr,
    a=closed("DLMF 8.2.1", lambda y, a, b, x: _in_rate(a, b, x)),
    b=closed(_SHAPE, lambda y, a, b, x: shape_slope(b, _scaled(a, b, x))),
    x=closed("DLMF 8.2.1", lambda y, a, b, x: a * gamma_density(b, _scaled(a, b, x))),
)


@elementwise(
    source="8.2.4",
    samples=Samples("upper_gamma(b, a*x)", _GAMMA, awkward=_GAMMA_POINTS),
    repair=large_shapes.of_function("b", "a x", lambda a, b, x: (b, a * x), upper=True),
    kernel=gamma_on_device.gdtrc,
)
def gdtrc(a: Real, b: Real, x: Real) -> Array:
    """Complement of the gamma distribution function, Q(b, a x): the probability of more than x.

    Args:
        a: rate, the inverse of the scale, positive; NaN for a < 0
        b: shape, positive; NaN for b < 0
        x: variate, not negative; NaN for x < 0

    Example:
        >>> gdtrc(0.5, 3.0, jnp.array([2.0, 10.0]))
        Array([0.9196986 , 0.12465202], dtype=float64)
    """
    ...


rule(
    gdtrc,
    a=closed("DLMF 8.2.1", lambda y, a, b, x: -_in_rate(a, b, x)),
    b=closed(_SHAPE, lambda y, a, b, x: -shape_slope(b, _scaled(a, b, x))),
    x=closed("DLMF 8.2.1", lambda y, a, b, x: -a * gamma_density(b, _scaled(a, b, x))),
)


@elementwise(
    source="8.2.4",
    samples=Samples(
        "positive_root(lambda a: lower_gamma(b, a*x)/p - 1)",
        (_PROBABILITY, Reals(0.3, 30), Reals(0.1, 30)),
        awkward=((0.5, 1.0, 2.0), (1e-6, 2.0, 0.5), (0.998, 3.0, 1.0), (0.25, 100.0, 7.0)),
    ),
    repair=large_shapes.of_quantile("b", "p", lambda p, b, x: (b, p), lambda p, b, x: x),
    kernel=gamma_on_device.gdtria,
)
def gdtria(p: Real, b: Real, x: Real) -> Array:
    """Inverse of the gamma distribution function: the rate a with gdtr(a, b, x) = p.

    Args:
        p: probability, in [0, 1], with a = inf at 1; NaN outside of it
        b: shape, positive; NaN for b <= 0
        x: variate, positive; NaN at 0

    Example:
        >>> gdtria(jnp.array([0.05, 0.95]), 3.0, 2.0)
        Array([0.40884572, 3.14789681], dtype=float64)
    """
    ...


rule(
    gdtria,
    p=closed(_IMPLICIT, lambda a, p, b, x: reciprocal_gamma_density(b, a * x) / x),
    b=closed(_IMPLICIT, lambda a, p, b, x: quantile_slope(b, a * x) / x),
    x=closed(_IMPLICIT, lambda a, p, b, x: -a / x),
)


@elementwise(
    source="8.2.4",
    samples=Samples(
        "positive_root(lambda b: lower_gamma(b, a*x)/p - 1)",
        (Reals(0.1, 5), _PROBABILITY, Reals(0.1, 20)),
        awkward=((1.0, 0.5, 2.0), (2.0, 0.25, 50.0)),
    ),
    repair=large_shapes.of_shape("p", lambda a, p, x: (p, a * x)),
    kernel=shapes_on_device.gdtrib,
)
def gdtrib(a: Real, p: Real, x: Real) -> Array:
    """Inverse of the gamma distribution function: the shape b with gdtr(a, b, x) = p.

    Args:
        a: rate, the inverse of the scale, positive; NaN for a <= 0
        p: probability, in [0, 1], with b = inf at 0; NaN outside of it
        x: variate, not negative; NaN for x < 0

    Example:
        >>> gdtrib(0.5, jnp.array([0.05, 0.95]), 2.0)
        Array([3.34636159, 0.19207312], dtype=float64)
        >>> print(f"{jax.grad(gdtrib)(0.5, 0.95, 2.0):.6f}")  # in the rate
        0.513869
    """
    ...


rule(
    gdtrib,
    a=closed(_IMPLICIT, lambda b, a, p, x: x * reciprocal_quantile_slope(b, a * x)),
    p=closed(_IMPLICIT, lambda b, a, p, x: reciprocal_shape_slope(b, a * x)),
    x=closed(_IMPLICIT, lambda b, a, p, x: a * reciprocal_quantile_slope(b, a * x)),
)


@elementwise(
    source="8.2.4",
    samples=Samples(
        "positive_root(lambda x: lower_gamma(b, a*x)/p - 1)",
        (Reals(0.1, 5), Reals(0.3, 30), _PROBABILITY),
        awkward=((2.0, 1.0, 0.5), (0.5, 2.0, 1e-6), (1.0, 3.0, 0.998), (7.0, 100.0, 0.25)),
    ),
    repair=large_shapes.of_quantile("b", "p", lambda a, b, p: (b, p), lambda a, b, p: a),
    kernel=gamma_on_device.gdtrix,
)
def gdtrix(a: Real, b: Real, p: Real) -> Array:
    """Inverse of the gamma distribution function: the x with gdtr(a, b, x) = p.

    Args:
        a: rate, the inverse of the scale, positive
        b: shape, positive; NaN for b <= 0
        p: probability, in [0, 1], with x = inf at 1; NaN outside of it

    Example:
        >>> gdtrix(0.5, 3.0, jnp.array([0.05, 0.95]))  # quantiles
        Array([ 1.63538289, 12.59158724], dtype=float64)
        >>> print(f"{jax.grad(gdtrix, argnums=1)(0.5, 3.0, 0.95):.6f}")  # in the shape
        2.992512
    """
    ...


rule(
    gdtrix,
    a=closed(_IMPLICIT, lambda x, a, b, p: -x / a),
    b=closed(_IMPLICIT, lambda x, a, b, p: quantile_slope(b, a * x) / a),
    p=closed(_IMPLICIT, lambda x, a, b, p: reciprocal_gamma_density(b, a * x) / a),
)


# -- chi-square ------------------------------------------------------------------------------------


_CHI_SQUARE = (Reals(0.2, 60), Reals(0.05, 100))
_CHI_SQUARE_POINTS = (
    (2.0, 0.0),
    (4.0, 0.0),
    (6.0, 0.0),
    (1.0, 1e-10),
    (1.0, 1.0),
    (4.0, 1e-100),
    (200.0, 210.0),
    (2e4, 2.01e4),
    (1e-3, 0.5),
)


@elementwise(
    source="8.2.4",
    samples=Samples("lower_gamma(v/2, x/2)", _CHI_SQUARE, awkward=_CHI_SQUARE_POINTS),
    repair=large_shapes.of_function("v/2", "x/2", lambda v, x: (v / 2, x / 2), upper=False),
    kernel=gamma_on_device.chdtr,
)
def chdtr(v: Real, x: Real) -> Array:
    """Chi-square distribution function of v degrees of freedom, P(v/2, x/2).

    Args:
        v: degrees of freedom, positive; NaN for v < 0
        x: sum of squares, not negative; NaN for x < 0

    Example:
        >>> chdtr(4.0, jnp.array([3.0, 9.5]))
        Array([0.4421746 , 0.95025275], dtype=float64)
        >>> print(f"{jax.grad(chdtr)(4.0, 9.5):.6f}")  # in the degrees of freedom
        -0.033337
    """
    ...


rule(
    chdtr,
    v=closed(_SHAPE, lambda y, v, x: shape_slope(v / 2, x / 2) / 2),
    x=closed("DLMF 8.2.1", lambda y, v, x: gamma_density(v / 2, x / 2) / 2),
)


@elementwise(
    source="8.2.4",
    samples=Samples("upper_gamma(v/2, x/2)", _CHI_SQUARE, awkward=_CHI_SQUARE_POINTS),
    repair=large_shapes.of_function("v/2", "x/2", lambda v, x: (v / 2, x / 2), upper=True),
    kernel=gamma_on_device.chdtrc,
)
def chdtrc(v: Real, x: Real) -> Array:
    """Complement of the chi-square distribution function, Q(v/2, x/2): the p-value of x.

    Args:
        v: degrees of freedom, positive; NaN for v < 0
        x: sum of squares, not negative; NaN for x < 0

    Example:
        >>> chdtrc(4.0, jnp.array([3.0, 9.5]))  # p-values
        Array([0.5578254 , 0.04974725], dtype=float64)
        >>> print(f"{jax.grad(chdtrc)(4.0, 9.5):.6f}")  # in the degrees of freedom
        0.033337
    """
    ...


rule(
    chdtrc,
    v=closed(_SHAPE, lambda y, v, x: -shape_slope(v / 2, x / 2) / 2),
    x=closed("DLMF 8.2.1", lambda y, v, x: -gamma_density(v / 2, x / 2) / 2),
)


@elementwise(
    source="8.2.4",
    samples=Samples(
        "positive_root(lambda x: upper_gamma(v/2, x/2)/p - 1)",
        (Reals(0.5, 60), _PROBABILITY),
        awkward=((2.0, 0.5), (1.0, 1e-10), (5.0, 0.998), (200.0, 0.25)),
    ),
    repair=large_shapes.of_quantile("v/2", "1 - p", lambda v, p: (v / 2, 1 - p), lambda v, p: 0.5),
    kernel=gamma_on_device.chdtri,
)
def chdtri(v: Real, p: Real) -> Array:
    """Inverse of the complement of the chi-square distribution: the x with chdtrc(v, x) = p.

    Args:
        v: degrees of freedom, positive; NaN for v <= 0
        p: probability above x, in [0, 1], with x = inf at 0; NaN outside of it

    Example:
        >>> chdtri(jnp.array([1.0, 4.0]), 0.05)  # critical values at the 5 % level
        Array([3.84145882, 9.48772904], dtype=float64)
        >>> print(f"{jax.grad(chdtri)(4.0, 0.05):.6f}")  # in the degrees of freedom
        1.621524
    """
    ...


rule(
    chdtri,
    v=closed(_IMPLICIT, lambda x, v, p: quantile_slope(v / 2, x / 2)),
    p=closed(_IMPLICIT, lambda x, v, p: -2 * reciprocal_gamma_density(v / 2, x / 2)),
)


@elementwise(
    source="8.2.4",
    samples=Samples(
        "positive_root(lambda v: lower_gamma(v/2, x/2)/p - 1)",
        (_PROBABILITY, Reals(0.1, 60)),
        awkward=((0.5, 1.0), (0.25, 200.0)),
    ),
    kernel=shapes_on_device.chdtriv,
)
def chdtriv(p: Real, x: Real) -> Array:
    """Inverse of the chi-square distribution: the degrees of freedom v with chdtr(v, x) = p.

    Args:
        p: probability, in [0, 1], with v = inf at 0; NaN outside of it
        x: sum of squares, positive; NaN for x <= 0

    Example:
        >>> chdtriv(jnp.array([0.05, 0.95]), 9.5)
        Array([18.15144534,  4.00756911], dtype=float64)
        >>> print(f"{jax.grad(chdtriv, argnums=1)(0.95, 9.5):.6f}")
        0.616957
    """
    ...


rule(
    chdtriv,
    p=closed(_IMPLICIT, lambda v, p, x: 2 * reciprocal_shape_slope(v / 2, x / 2)),
    x=closed(_IMPLICIT, lambda v, p, x: reciprocal_quantile_slope(v / 2, x / 2)),
)


# -- Poisson ---------------------------------------------------------------------------------------


_POISSON = (Ints(0, 40), Reals(0.05, 50))
_POISSON_POINTS = (
    (0, 0.0),
    (1, 0.0),
    (3, 0.0),
    (2, 1e-10),
    (5, 1e-100),
    (100, 95.0),
    (1000, 1050.0),
)
_AT_MOST_K = "exp(-{m}) * fsum({m}**j / factorial(j) for j in range(k + 1))"


@elementwise(
    source="8.4.10",
    samples=Samples(_AT_MOST_K.format(m="m"), _POISSON, awkward=_POISSON_POINTS),
    repair=large_shapes.of_function("k + 1", "m", lambda k, m: (_shape(k), m), upper=True),
    kernel=gamma_on_device.pdtr,
)
def pdtr(k: Int, m: Real) -> Array:
    """Poisson distribution function of mean m: the probability of at most k events.

    Args:
        k: number of events, 0 or more; NaN for k < 0
        m: mean, not negative; NaN for m < 0

    Example:
        >>> pdtr(2, jnp.array([0.5, 1.5]))
        Array([0.98561232, 0.80884683], dtype=float64)
        >>> print(f"{jax.grad(pdtr, argnums=1)(2, 1.5):.6f}")  # minus the probability of exactly 2
        -0.251021
    """
    ...


rule(pdtr, m=closed("DLMF 8.2.1", lambda y, k, m: -gamma_density(_shape(k), m)))


@elementwise(
    source="8.4.9",
    samples=Samples("lower_gamma(k + 1, m)", _POISSON, awkward=_POISSON_POINTS),
    repair=large_shapes.of_function("k + 1", "m", lambda k, m: (_shape(k), m), upper=False),
    kernel=gamma_on_device.pdtrc,
)
def pdtrc(k: Int, m: Real) -> Array:
    """Complement of the Poisson distribution function: the probability of more than k events.

    Args:
        k: number of events, 0 or more; NaN for k < 0
        m: mean, not negative; NaN for m < 0

    Example:
        >>> pdtrc(5, jnp.array([0.5, 1.5]))  # p-values of 6 events or more
        Array([1.41649373e-05, 4.45598078e-03], dtype=float64)
        >>> print(f"{jax.grad(pdtrc, argnums=1)(5, 1.5):.6f}")
        0.014120
    """
    ...


rule(pdtrc, m=closed("DLMF 8.2.1", lambda y, k, m: gamma_density(_shape(k), m)))


_OF_MANY = large_shapes.of_quantile(
    "k",
    "1 - y",
    lambda k, y: (_shape(k), 1 - y),
)


@elementwise(
    source="8.4.10",
    samples=Samples(
        f"positive_root(lambda m: {_AT_MOST_K.format(m='m')}/y - 1)",
        (Ints(0, 40), _PROBABILITY),
        awkward=((0, 0.5), (2, 1e-10), (3, 0.998), (100, 0.25)),
    ),
    repair=Repair(
        f"y = 1, or {_OF_MANY.words}",
        lambda ys, k, y: (y == 1) & (k >= 0) | _OF_MANY.where(ys, k, y),
        lambda ys, k, y: jnp.where(y == 1, 0.0, _OF_MANY.formula(ys, k, y)),
        costly=True,
    ),
    kernel=gamma_on_device.pdtri,
)
def pdtri(k: Int, y: Real) -> Array:
    """Inverse of the Poisson distribution function: the mean m with pdtr(k, m) = y.

    Args:
        k: number of events, 0 or more; NaN for k < 0
        y: probability of at most k events, in [0, 1], with m = inf at 0 and 0 at 1; NaN outside
            of it

    Example:
        >>> pdtri(3, jnp.array([0.05, 0.025]))  # upper 95 and 97.5 % confidence limits of m
        Array([7.75365653, 8.76727307], dtype=float64)
        >>> print(f"{jax.grad(pdtri, argnums=1)(3, 0.025):.6f}")
        -57.165758
    """
    ...


rule(pdtri, y=closed(_IMPLICIT, lambda m, k, y: -reciprocal_gamma_density(_shape(k), m)))


@elementwise(
    source="8.4.10",
    samples=Samples(
        "positive_root(lambda k: upper_gamma(k + 1, m)/p - 1)",
        (Reals(0.3, 0.99), Reals(3, 50)),
        awkward=((0.5, 4.0), (0.75, 100.0)),
    ),
    kernel=shapes_on_device.pdtrik,
)
def pdtrik(p: Real, m: Real) -> Array:
    """Inverse of the Poisson distribution function: the k with pdtr(k, m) = p.

    Between integers k stands in the incomplete gamma function that pdtr is.

    Args:
        p: probability of at most k events, in [0, 1): below that of none the value is 0, elsewhere
            NaN
        m: mean, not negative; NaN for m < 0

    Example:
        >>> pdtrik(jnp.array([0.5, 0.95]), 10.0)
        Array([ 9.33135334, 14.95464932], dtype=float64)
        >>> print(f"{jax.grad(pdtrik, argnums=1)(0.95, 10.0):.6f}")  # in the mean
        1.261494
    """
    ...


rule(
    pdtrik,
    p=closed(_IMPLICIT, lambda k, p, m: _solved(-reciprocal_shape_slope(k + 1, m), k, p, m)),
    m=closed(_IMPLICIT, lambda k, p, m: _solved(reciprocal_quantile_slope(k + 1, m), k, p, m)),
)


def _shape(k: jax.Array) -> jax.Array:
    """The shape of the gamma density exp(-m) m^k/k!, where SciPy floors k."""
    return jnp.floor(jnp.asarray(k, jnp.float64)) + 1


_ROUNDING = 1e-14


def _solved(slope: jax.Array, k: jax.Array, p: jax.Array, m: jax.Array) -> jax.Array:
    """The slope where there is a k; for p < exp(-m), the probability of none, SciPy gives zero."""
    return jnp.where((k == 0) & (p < jnp.exp(-m) * (1 - _ROUNDING)), jnp.nan, slope)
