"""Incomplete gamma and beta functions and their inverses (DLMF 8.2, 8.17)."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._incomplete.kernels import (
    beta_inverse_on_device,
    beta_on_device,
    gamma_inverse_on_device,
    gamma_on_device,
    large_shapes,
)
from jaxsci.special._incomplete.kernels.beta_shape import incomplete_beta_slope
from jaxsci.special._incomplete.kernels.densities import beta_density
from jaxsci.special._incomplete.kernels.gamma_density import gamma_density, reciprocal_gamma_density
from jaxsci.special._incomplete.kernels.gamma_quantile_slope import quantile_slope
from jaxsci.special._incomplete.kernels.gamma_shape import shape_slope
from jaxsci.special._numerics.quotients import implied, quotient

_SHAPE = Reals(0.05, 200, log=True)
_HALF_LINE = Reals(0.01, 300, log=True)
_UNIT = Reals(0.001, 0.999)
_OF_GAMMA = (
    (1.0, 0.0),
    (2.0, 0.0),
    (3.0, 0.0),
    (0.5, 1e-8),
    (5.0, 5.0),
    (1e4, 1.01e4),
    (1e5, 99500.0),
    (0.01, 3.0),
    (0.0, 2.0),
    (1e-3, 1e-100),
    (30.0, 250.0),
    (250.0, 30.0),
)
_OF_GAMMA_INVERSE = (
    (1.0, 0.5),
    (0.5, 1e-8),
    (3.0, 1e-100),
    (1e4, 0.3),
    (0.02, 0.3),
    (300.0, 1e-50),
)
_NEAR_MEDIAN = (
    "The second derivative in a has an error of about 1e-16/a, from the last digit of the value: "
    "near the median of a large shape, where it is of the order a^-3, few of its digits are right."
)
_OF_BETA = (
    (1.0, 1.0, 0.5),
    (1.0, 2.0, 0.0),
    (2.0, 1.0, 0.0),
    (3.0, 2.0, 0.0),
    (0.5, 0.5, 1e-8),
    (2.0, 0.25, 0.9999),
    (1e3, 2e3, 0.3),
    (1e4, 5.0, 0.9995),
)


@elementwise(
    source="8.2.4",
    samples=Samples(
        "x**a * exp(-x) * hyp1f1(1, a + 1, x, maxterms=10**6) * rgamma(a + 1)",
        (_SHAPE, _HALF_LINE),
        awkward=_OF_GAMMA,
    ),
    repair=large_shapes.of_function("a", "x", lambda a, x: (a, x), upper=False),
    kernel=gamma_on_device.gammainc,
)
def gammainc(a: Real, x: Real) -> Array:
    """Regularised lower incomplete gamma function, P(a, x), for a >= 0 and x >= 0.

    Args:
        a: shape, not negative; NaN for a < 0, and for a = x = 0
        x: where the integral is cut, not negative; NaN for x < 0

    Example:
        >>> gammainc(2.0, jnp.array([1.0, 3.0]))
        Array([0.26424112, 0.80085173], dtype=float64)
        >>> print(f"{jax.grad(gammainc)(2.0, 3.0):.6f}")  # in the shape
        -0.197425
    """
    ...


rule(
    gammainc,
    a=closed("DLMF 8.2.4, 8.7.1", lambda y, a, x: shape_slope(a, x)),
    x=closed("DLMF 8.8.13", lambda y, a, x: gamma_density(a, x)),
)


@elementwise(
    source="8.2.4",
    samples=Samples(
        "gammainc(a, x, inf, regularized=True)", (_SHAPE, _HALF_LINE), awkward=_OF_GAMMA
    ),
    repair=large_shapes.of_function("a", "x", lambda a, x: (a, x), upper=True),
    kernel=gamma_on_device.gammaincc,
)
def gammaincc(a: Real, x: Real) -> Array:
    """Regularised upper incomplete gamma function, Q(a, x) = 1 - P(a, x), without cancellation.

    Args:
        a: shape, not negative; NaN for a < 0, and for a = x = 0
        x: where the integral is cut, not negative; NaN for x < 0

    Example:
        >>> gammaincc(2.0, jnp.array([3.0, 50.0]))
        Array([1.99148273e-01, 9.83662422e-21], dtype=float64)
        >>> print(f"{jax.grad(gammaincc)(2.0, 3.0):.6f}")
        0.197425
    """
    ...


rule(
    gammaincc,
    a=closed("DLMF 8.2.4, 8.7.1", lambda y, a, x: -shape_slope(a, x)),
    x=closed("DLMF 8.8.14", lambda y, a, x: -gamma_density(a, x)),
)


@elementwise(
    source="8.2.4, 8.12",
    samples=Samples("gamma_quantile(a, y)", (_SHAPE, _UNIT), awkward=_OF_GAMMA_INVERSE),
    note=_NEAR_MEDIAN,
    repair=large_shapes.of_quantile("a", "y", lambda a, y: (a, y)),
    kernel=gamma_inverse_on_device.gammaincinv,
)
def gammaincinv(a: Real, y: Real) -> Array:
    """Inverse of `gammainc`: the x at which P(a, x) = y.

    Args:
        a: shape, positive; NaN for a <= 0
        y: probability, in [0, 1], with x = inf at 1; NaN outside of it

    Example:
        >>> gammaincinv(2.0, jnp.array([0.05, 0.95]))
        Array([0.35536151, 4.74386452], dtype=float64)
        >>> print(f"{jax.grad(gammaincinv)(2.0, 0.95):.6f}")  # in the shape
        1.621524
    """
    ...


rule(
    gammaincinv,
    a=closed("DLMF 8.7.1, inverse function", lambda x, a, y: quantile_slope(a, x)),
    y=closed("DLMF 8.8.13, inverse function", lambda x, a, y: reciprocal_gamma_density(a, x)),
)


@elementwise(
    source="8.2.4, 8.12",
    samples=Samples("gamma_quantile(a, y, upper=True)", (_SHAPE, _UNIT), awkward=_OF_GAMMA_INVERSE),
    note=_NEAR_MEDIAN,
    repair=large_shapes.of_quantile("a", "1 - y", lambda a, y: (a, 1 - y)),
    kernel=gamma_inverse_on_device.gammainccinv,
)
def gammainccinv(a: Real, y: Real) -> Array:
    """Inverse of `gammaincc`: the x at which Q(a, x) = y.

    Args:
        a: shape, positive; NaN for a <= 0
        y: probability, in [0, 1], with x = inf at 0; NaN outside of it

    Example:
        >>> gammainccinv(2.0, jnp.array([0.05, 1e-20]))
        Array([ 4.74386452, 49.98319799], dtype=float64)
        >>> print(f"{jax.grad(gammainccinv)(2.0, 0.05):.6f}")  # in the shape
        1.621524
    """
    ...


rule(
    gammainccinv,
    a=closed("DLMF 8.7.1, inverse function", lambda x, a, y: quantile_slope(a, x)),
    y=closed("DLMF 8.8.14, inverse function", lambda x, a, y: -reciprocal_gamma_density(a, x)),
)


# -- beta ------------------------------------------------------------------------------------------


@elementwise(
    source="8.17.2",
    samples=Samples(
        "betainc(a, b, 0, x, regularized=True)", (_SHAPE, _SHAPE, _UNIT), awkward=_OF_BETA
    ),
    kernel=beta_on_device.betainc,
)
def betainc(a: Real, b: Real, x: Real) -> Array:
    """Regularised incomplete beta function, I_x(a, b), for positive a and b and 0 <= x <= 1.

    Args:
        a: first shape, not negative; NaN for a < 0, and for a = b = 0
        b: second shape, not negative; NaN for b < 0
        x: where the integral is cut, in [0, 1]; NaN outside of it

    Example:
        >>> betainc(2.0, 3.0, jnp.array([0.2, 0.5]))
        Array([0.1808, 0.6875], dtype=float64)
        >>> print(f"{jax.grad(betainc)(2.0, 3.0, 0.5):.6f}")  # in the first shape
        -0.195289
    """
    ...


_UNDER_THE_INTEGRAL = "DLMF 8.17.2, differentiated under the integral"

rule(
    betainc,
    a=closed(_UNDER_THE_INTEGRAL, lambda y, a, b, x: _slope(0, a, b, x)),
    b=closed(_UNDER_THE_INTEGRAL, lambda y, a, b, x: _slope(1, a, b, x)),
    x=closed("DLMF 8.17.2", lambda y, a, b, x: _slope(2, a, b, x)),
)


@elementwise(
    source="8.17.2, 8.17.4",
    samples=Samples(
        "betainc(b, a, 0, 1 - x, regularized=True)", (_SHAPE, _SHAPE, _UNIT), awkward=_OF_BETA
    ),
    kernel=beta_on_device.betaincc,
)
def betaincc(a: Real, b: Real, x: Real) -> Array:
    """Complement of the regularised incomplete beta function, 1 - I_x(a, b), without cancellation.

    Args:
        a: first shape, not negative; NaN for a < 0, and for a = b = 0
        b: second shape, not negative; NaN for b < 0
        x: where the integral is cut, in [0, 1]; NaN outside of it

    Example:
        >>> betaincc(2.0, 3.0, jnp.array([0.5, 1 - 1e-9]))
        Array([3.12500000e-01, 3.99999966e-27], dtype=float64)
        >>> print(f"{jax.grad(betaincc, argnums=1)(2.0, 3.0, 0.5):.6f}")  # in the second shape
        -0.154108
    """
    ...


rule(
    betaincc,
    a=closed(_UNDER_THE_INTEGRAL, lambda y, a, b, x: -_slope(0, a, b, x)),
    b=closed(_UNDER_THE_INTEGRAL, lambda y, a, b, x: -_slope(1, a, b, x)),
    x=closed("DLMF 8.17.2", lambda y, a, b, x: -_slope(2, a, b, x)),
)


@elementwise(
    source="8.17.2",
    samples=Samples(
        "beta_quantile(a, b, y)",
        (_SHAPE, _SHAPE, _UNIT),
        awkward=((1.0, 1.0, 0.5), (2.0, 3.0, 1e-8), (0.5, 0.5, 0.999), (2.0, 0.25, 0.9)),
    ),
    kernel=beta_inverse_on_device.betaincinv,
)
def betaincinv(a: Real, b: Real, y: Real) -> Array:
    """Inverse of `betainc`: the x at which I_x(a, b) = y.

    Args:
        a: first shape, positive; NaN for a <= 0
        b: second shape, positive; NaN for b <= 0
        y: probability, in [0, 1]; NaN outside of it

    Example:
        >>> k, n = jnp.array([3.0, 8.0]), 10.0  # successes among n trials
        >>> betaincinv(k, n - k + 1, 0.025)  # Clopper and Pearson's lower 95 % confidence limit
        Array([0.06673951, 0.44390454], dtype=float64)
        >>> betaincinv(k + 1, n - k, 0.975)  # and the upper one
        Array([0.65245285, 0.97478927], dtype=float64)
        >>> print(f"{jax.grad(betaincinv)(3.0, 8.0, 0.025):.6f}")  # in the first shape
        0.041554
    """
    ...


_IMPLICIT = "DLMF 8.17.2, inverse function"

rule(
    betaincinv,
    a=closed(_IMPLICIT, lambda x, a, b, y: _of_inverse(0, x, a, b, y, betainccinv(b, a, y))),
    b=closed(_IMPLICIT, lambda x, a, b, y: _of_inverse(1, x, a, b, y, betainccinv(b, a, y))),
    y=closed(_IMPLICIT, lambda x, a, b, y: _of_inverse(2, x, a, b, y, betainccinv(b, a, y))),
)


@elementwise(
    source="8.17.2, 8.17.4",
    samples=Samples(
        "beta_quantile(a, b, y, upper=True)",
        (_SHAPE, _SHAPE, _UNIT),
        awkward=((1.0, 1.0, 0.5), (2.0, 3.0, 1e-8), (0.5, 0.5, 0.999), (2.0, 0.25, 0.1)),
    ),
    kernel=beta_inverse_on_device.betainccinv,
)
def betainccinv(a: Real, b: Real, y: Real) -> Array:
    """Inverse of `betaincc`: the x at which 1 - I_x(a, b) = y.

    Args:
        a: first shape, positive; NaN for a <= 0
        b: second shape, positive; NaN for b <= 0
        y: probability, in [0, 1]; NaN outside of it

    Example:
        >>> betainccinv(2.0, 3.0, jnp.array([0.05, 0.95]))
        Array([0.75139537, 0.09761146], dtype=float64)
        >>> print(f"{jax.grad(betainccinv)(2.0, 3.0, 0.05):.6f}")  # in the first shape
        0.078840
    """
    ...


rule(
    betainccinv,
    a=closed(_IMPLICIT, lambda x, a, b, y: _of_inverse(0, x, a, b, y, betaincinv(b, a, y))),
    b=closed(_IMPLICIT, lambda x, a, b, y: _of_inverse(1, x, a, b, y, betaincinv(b, a, y))),
    y=closed(_IMPLICIT, lambda x, a, b, y: -_of_inverse(2, x, a, b, y, betaincinv(b, a, y))),
)


def _rest(x: jax.Array, complement: jax.Array) -> jax.Array:
    """1 - x, which may be less than a rounding of x, from an inverse that gives it."""
    fixed = jax.lax.stop_gradient
    # It changes as 1 - x does.
    return jnp.where(x < 0.5, 1 - x, fixed(complement) + (fixed(x) - x))


def _slope(place: int, a: jax.Array, b: jax.Array, x: jax.Array) -> jax.Array:
    return incomplete_beta_slope(place, a, b, x, 1 - x)


def _of_inverse(
    place: int, x: jax.Array, a: jax.Array, b: jax.Array, y: jax.Array, complement: jax.Array
) -> jax.Array:
    """How x with I_x(a, b) = y, or 1 - y, moves with a, b or I."""
    rest = _rest(x, complement)
    density = beta_density(a, b, x, rest)
    if place == 2:
        return quotient(1.0, density)
    return -implied(incomplete_beta_slope(place, a, b, x, rest), density, y)
