"""F distribution functions, and inverses of the beta distribution's in its shapes (DLMF 8.17)."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    Flaw,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._distributions.kernels import beta_on_device, shapes_on_device
from jaxsci.special._distributions.kernels.f_shapes import f_density, f_distribution
from jaxsci.special._distributions.kernels.inverse_rules import inverse_rules, one_by_one
from jaxsci.special._incomplete.incomplete import betainc
from jaxsci.special._incomplete.kernels.beta_shape import incomplete_beta_slopes

_INTEGRAL = "DLMF 8.17.1, differentiated under the integral"
_PROBABILITY = Reals(0.001, 0.999)


# -- beta ------------------------------------------------------------------------------------------


_SHAPES_INVERSE = (Reals(0.02, 0.98), Reals(0.3, 30), Reals(0.02, 0.98))


def _slopes_of_beta(
    places: Sequence[int], a: jax.Array, b: jax.Array, x: jax.Array
) -> list[jax.Array]:
    return incomplete_beta_slopes(places, a, b, x, 1 - x)


@elementwise(
    source="8.17.2",
    samples=Samples(
        "positive_root(lambda a: lower_beta(a, b, x)/p - 1)",
        _SHAPES_INVERSE,
        awkward=((0.5, 1.0, 0.5), (0.25, 0.5, 0.9)),
    ),
    kernel=shapes_on_device.btdtria,
)
def btdtria(p: Real, b: Real, x: Real) -> Array:
    """Inverse of the beta distribution function I_x(a, b): the shape a at which it is p.

    Args:
        p: probability, in (0, 1); inf at 0, and NaN outside of [0, 1]
        b: second shape, positive; NaN for b <= 0
        x: quantile, in (0, 1); NaN outside of it

    Example:
        >>> btdtria(jnp.array([0.05, 0.5]), 3.0, 0.4)
        Array([5.99427631, 2.10431109], dtype=float64)
    """
    ...


rule(btdtria, **inverse_rules(("p", "b", "x"), 0, _slopes_of_beta, betainc))


@elementwise(
    source="8.17.2",
    samples=Samples(
        "positive_root(lambda b: lower_beta(a, b, x)/p - 1)",
        (_SHAPES_INVERSE[1], _SHAPES_INVERSE[0], _SHAPES_INVERSE[2]),
        awkward=((1.0, 0.5, 0.5), (0.5, 0.25, 0.9)),
    ),
    kernel=shapes_on_device.btdtrib,
)
def btdtrib(a: Real, p: Real, x: Real) -> Array:
    """Inverse of the beta distribution function I_x(a, b): the shape b at which it is p.

    Args:
        a: first shape, positive; NaN for a <= 0
        p: probability, in (0, 1); inf at 1, and NaN outside of [0, 1]
        x: quantile, in (0, 1); NaN outside of it

    Example:
        >>> btdtrib(2.0, jnp.array([0.5, 0.95]), 0.4)
        Array([2.84413225, 8.82125591], dtype=float64)
    """
    ...


rule(btdtrib, **inverse_rules(("a", "p", "x"), 1, _slopes_of_beta, betainc))


# For integer shapes SciPy takes the finite sum, in powers that lose digits.
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
    source="Abramowitz & Stegun (1964) 26.6",
    samples=Samples(_distribution("x"), _F, awkward=_F_POINTS, flaws=(_WHOLE_SHAPES,)),
    kernel=beta_on_device.fdtr,
)
def fdtr(dfn: Real, dfd: Real, x: Real) -> Array:
    """F distribution function of dfn and dfd degrees of freedom.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        x: quotient of the two variances, not negative; NaN for x < 0

    Example:
        >>> fdtr(3.0, 12.0, jnp.array([1.0, 3.5]))
        Array([0.57377862, 0.95035946], dtype=float64)
        >>> print(f"{jax.grad(fdtr, argnums=1)(3.0, 12.0, 3.5):.6f}")  # in dfd
        0.003248
    """
    ...


rule(
    fdtr,
    dfn=closed(_INTEGRAL, lambda y, dfn, dfd, x: _slope(0, dfn, dfd, x)),
    dfd=closed(_INTEGRAL, lambda y, dfn, dfd, x: _slope(1, dfn, dfd, x)),
    x=closed("DLMF 8.17.1", lambda y, dfn, dfd, x: _slope(2, dfn, dfd, x)),
)


@elementwise(
    source="Abramowitz & Stegun (1964) 26.6",
    samples=Samples(
        "lower_beta(dfd/2, dfn/2, dfd/(dfd + dfn*x))", _F, awkward=_F_POINTS, flaws=(_WHOLE_SHAPES,)
    ),
    kernel=beta_on_device.fdtrc,
)
def fdtrc(dfn: Real, dfd: Real, x: Real) -> Array:
    """Complement of the F distribution function: the probability of a quotient above x.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        x: quotient of the two variances, not negative; NaN for x < 0

    Example:
        >>> fdtrc(3.0, 12.0, jnp.array([1.0, 3.5]))  # p-values
        Array([0.42622138, 0.04964054], dtype=float64)
    """
    ...


rule(
    fdtrc,
    dfn=closed(_INTEGRAL, lambda y, dfn, dfd, x: -_slope(0, dfn, dfd, x)),
    dfd=closed(_INTEGRAL, lambda y, dfn, dfd, x: -_slope(1, dfn, dfd, x)),
    x=closed("DLMF 8.17.1", lambda y, dfn, dfd, x: -_slope(2, dfn, dfd, x)),
)


def _slope(place: int, dfn: jax.Array, dfd: jax.Array, x: jax.Array) -> jax.Array:
    """The derivative of fdtr(dfn, dfd, x) in dfn, dfd or x; NaN at dfn = 0, as the function."""
    a, b = jnp.where(dfn == 0, jnp.nan, dfn) / 2, dfd / 2
    if place == 2:
        return f_density(a, b, x)
    return f_distribution(a, b, x, m=1 - place, n=place) / 2


@elementwise(
    source="Abramowitz & Stegun (1964) 26.6",
    samples=Samples(
        f"positive_root(lambda x: {_distribution('x')}/p - 1)",
        (Reals(0.5, 40), Reals(0.5, 40), _PROBABILITY),
        awkward=((1.0, 1.0, 0.5), (2.0, 5.0, 1e-8), (3.0, 7.0, 0.998), (200.0, 300.0, 0.25)),
    ),
    kernel=beta_on_device.fdtri,
)
def fdtri(dfn: Real, dfd: Real, p: Real) -> Array:
    """Inverse of the F distribution function: the x with fdtr(dfn, dfd, x) = p.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        dfd: degrees of freedom of the denominator, positive; NaN for dfd <= 0
        p: probability, in [0, 1], with x = inf at 1; NaN outside of it

    Example:
        >>> fdtri(3.0, jnp.array([12.0, 30.0]), 0.95)  # critical values at the 5 % level
        Array([3.49029482, 2.92227719], dtype=float64)
        >>> print(f"{jax.grad(fdtri, argnums=1)(3.0, 12.0, 0.95):.6f}")
        -0.087602
    """
    ...


rule(fdtri, **inverse_rules(("dfn", "dfd", "p"), 2, one_by_one(_slope)))


@elementwise(
    source="Abramowitz & Stegun (1964) 26.6",
    samples=Samples(
        f"positive_root(lambda dfd: {_distribution('x')}/p - 1)",
        (Reals(1, 20), Reals(0.5, 0.7), Reals(1.5, 4)),
        awkward=((2.0, 0.625, 2.0),),
        flaws=(Flaw("1e-10", "x >= 1"), Flaw("inf", "x < 1")),
    ),
    note="Where p is above its limit for large dfd, as happens for x < 1, SciPy's search ends at "
    "1e100, and the kernel of devices has NaN.",
    kernel=shapes_on_device.fdtridfd,
)
def fdtridfd(dfn: Real, p: Real, x: Real) -> Array:
    """Inverse of the F distribution function: the dfd with fdtr(dfn, dfd, x) = p.

    Args:
        dfn: degrees of freedom of the numerator, positive; NaN for dfn <= 0
        p: probability, in (0, 1); NaN at 1 and outside of [0, 1]
        x: quotient of the two variances, positive; NaN for x < 0

    Example:
        >>> fdtridfd(3.0, jnp.array([0.6, 0.8]), 2.0)
        Array([1.47884768, 7.24617938], dtype=float64)
    """
    ...


rule(fdtridfd, **inverse_rules(("dfn", "p", "x"), 1, one_by_one(_slope), fdtr))
