"""The Box-Cox transformation and its inverse, with derivatives through lambda = 0."""

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
from jaxsci.special._catalog.mending import by_own
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._distributions.kernels import box_cox_integrals as integrals
from jaxsci.special._distributions.kernels import box_cox_on_device

_SOURCE = "Box and Cox (1964), J. R. Stat. Soc. B 26, 211"
_POWERS = Reals(-4, 4)
_EITHER = (0.0, 1e-300, 1e-9, -1e-5, 0.01, -0.3, 1.0, 2.0, -3.5)


@elementwise(
    source=_SOURCE,
    samples=Samples(
        "expm1(lmbda * log(x)) / lmbda if lmbda else log(x)",
        (Reals(1e-4, 1e4, log=True), _POWERS),
        awkward=(
            *((x, p) for x in (1.01, 0.37) for p in _EITHER),
            (1 + 2.0**-30, 0.5),
            (1e-300, 0.001),
            (3e6, -1.5),
            (1e300, 0.01),
            (1e300, -2.0),
            (1e-300, 1.0),
            (1e-40, 20.0),
        ),
    ),
    kernel=box_cox_on_device.boxcox,
)
def boxcox(x: Real, lmbda: Real) -> Array:
    """Box-Cox transformation: (x^lmbda - 1)/lmbda, or log(x) for lmbda = 0.

    Args:
        x: data, positive: at 0 the limit, -1/lmbda or -inf; NaN for x < 0
        lmbda: power, any real number; 0 stands for the logarithm

    Example:
        >>> boxcox(jnp.array([0.5, 2.0]), 0.0)
        Array([-0.69314718,  0.69314718], dtype=float64)
        >>> print(f"{jax.grad(boxcox, argnums=1)(2.0, 0.0):.6f}")  # log(2)^2/2
        0.240227
    """
    ...


def _positive(x: jax.Array) -> jax.Array:
    """NaN below 0, where powers of integer exponents have values."""
    return jnp.where(x < 0, jnp.nan, x)


rule(
    boxcox,
    x=closed("f' = x^(lmbda-1)", lambda y, x, lmbda: jnp.power(_positive(x), lmbda - 1)),
    lmbda=closed(
        "differentiated under the integral of exp(lmbda s) over s",
        lambda y, x, lmbda: _of_lambda(jnp.log(x), lmbda),
    ),
)


@elementwise(
    source=_SOURCE,
    samples=Samples(
        "expm1(lmbda * log1p(x)) / lmbda if lmbda else log1p(x)",
        (Reals(-0.999, 50), _POWERS),
        awkward=(
            *((x, p) for x in (0.01, 0.37) for p in _EITHER),
            *((x, p) for x in (0.0, 1e-9, -1e-20) for p in _EITHER if p),
            (1e300, 0.01),
            (-1 + 2.0**-40, 3.0),
        ),
    ),
    kernel=box_cox_on_device.boxcox1p,
)
def boxcox1p(x: Real, lmbda: Real) -> Array:
    """Box-Cox transformation of 1 + x: ((1 + x)^lmbda - 1)/lmbda, or log(1 + x).

    Args:
        x: data less 1, above -1: at -1 the limit, -1/lmbda or -inf; NaN for x < -1
        lmbda: power, any real number; 0 stands for the logarithm

    Example:
        >>> boxcox1p(jnp.array([1e-12, 1.0]), 0.5)
        Array([1.00000000e-12, 8.28427125e-01], dtype=float64)
        >>> print(f"{jax.grad(boxcox1p, argnums=1)(1.0, 0.0):.6f}")
        0.240227
    """
    ...


rule(
    boxcox1p,
    x=closed("f' = (1+x)^(lmbda-1)", lambda y, x, lmbda: jnp.exp((lmbda - 1) * jnp.log1p(x))),
    lmbda=closed(
        "differentiated under the integral of exp(lmbda s) over s",
        lambda y, x, lmbda: _of_lambda(jnp.log1p(x), lmbda),
    ),
)


def _of_lambda(u: jax.Array, lmbda: jax.Array) -> jax.Array:
    return integrals.power_moment(u, lmbda, n=1)


# -- the inverses ----------------------------------------------------------------------------------


_INSIDE = (Reals(-0.9, 5), Reals(-0.19, 1.1))
_FAR_INSIDE = (
    *((x, p) for x in (0.01, 0.27) for p in _EITHER),
    *((x, p) for x in (0.0, 1e-9, -1e-20) for p in _EITHER if p),
    (-3.0, -2.0),
    (-30.0, -0.5),
    (1e3, 2.0),
    (-0.49, 2.0),
    (2.9, -0.3),
    (-5.0, 0.19),
    (10.0, 0.0),
    (-20.0, 1e-12),
)


@elementwise(
    source=_SOURCE,
    samples=Samples(
        "exp(log1p(lmbda * y) / lmbda) if lmbda else exp(y)", _INSIDE, awkward=_FAR_INSIDE
    ),
    kernel=box_cox_on_device.inv_boxcox,
)
def inv_boxcox(y: Real, lmbda: Real) -> Array:
    """Inverse of the Box-Cox transformation: (1 + lmbda y)^(1/lmbda), or exp(y).

    Args:
        y: transformed data, with lmbda y >= -1; NaN elsewhere
        lmbda: power, any real number; 0 stands for the logarithm

    Example:
        >>> inv_boxcox(jnp.array([-0.5, 1.0]), 0.5)
        Array([0.5625, 2.25  ], dtype=float64)
        >>> print(f"{jax.grad(inv_boxcox, argnums=1)(1.0, 0.0):.6f}")  # -e/2
        -1.359141
    """
    ...


@elementwise(
    source=_SOURCE,
    samples=Samples(
        "expm1(log1p(lmbda * y) / lmbda) if lmbda else expm1(y)",
        _INSIDE,
        awkward=_FAR_INSIDE,
    ),
    repair=by_own(
        "0 < |lmbda y| < 1e-150",
        lambda y, lmbda: (jnp.abs(lmbda * y) < 1e-150) & (lmbda != 0),
        box_cox_on_device.inv_boxcox1p,
    ),
    kernel=box_cox_on_device.inv_boxcox1p,
)
def inv_boxcox1p(y: Real, lmbda: Real) -> Array:
    """Inverse of the Box-Cox transformation of 1 + x: (1 + lmbda y)^(1/lmbda) - 1.

    Args:
        y: transformed data, with lmbda y >= -1; NaN elsewhere
        lmbda: power, any real number; 0 stands for the logarithm

    Example:
        >>> inv_boxcox1p(jnp.array([1e-12, 1.0]), 0.5)
        Array([1.00e-12, 1.25e+00], dtype=float64)
        >>> print(f"{jax.grad(inv_boxcox1p, argnums=1)(1.0, 0.0):.6f}")
        -1.359141
    """
    ...


def _inverse_of_x(y: jax.Array, lmbda: jax.Array) -> jax.Array:
    return integrals.inverse_slope(y, lmbda)


def _inverse_of_lambda(y: jax.Array, lmbda: jax.Array) -> jax.Array:
    return -inv_boxcox(y, lmbda) * integrals.fraction_moment(y, lmbda, n=1)


for _inverse in (inv_boxcox, inv_boxcox1p):
    rule(
        _inverse,
        y=closed("f' = (1 + lmbda y)^(1/lmbda - 1)", lambda _, y, lmbda: _inverse_of_x(y, lmbda)),
        lmbda=closed(
            "differentiated under the integral of 1/(1 + lmbda s) over s",
            lambda _, y, lmbda: _inverse_of_lambda(y, lmbda),
        ),
    )
