"""The logistic function, its logarithm and its inverse."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import native
from jaxsci._core.elementwise_rules import closed, in_single
from jaxsci.special._catalog.decorators import (
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real
from jaxsci.special._distributions.kernels import logistic_on_device

_SOURCE = "Balakrishnan (1991), Handbook of the Logistic Distribution"
_LINE = Reals(-60, 60)
_TAILS = ((0.0,), (1e-9,), (-1e-300,), (36.5,), (-36.5,), (700.0,), (-700.0,), (40.0,))


@elementwise(
    source=_SOURCE,
    samples=Samples("1 / (1 + exp(-x))", (_LINE,), awkward=_TAILS),
    kernel=logistic_on_device.expit,
)
def expit(x: Real) -> Array:
    """Logistic function, 1/(1 + exp(-x)).

    Args:
        x: any real number, the log-odds

    Example:
        >>> expit(jnp.array([-2.0, 0.0, 40.0]))
        Array([0.11920292, 0.5       , 1.        ], dtype=float64)
        >>> print(f"{jax.grad(expit)(-2.0):.6f}")
        0.104994
    """
    ...


rule(expit, x=closed("f' = f(x) f(-x)", lambda y, x: _density(x)))


@elementwise(
    source=_SOURCE,
    samples=Samples("-log1p(exp(-x))", (_LINE,), awkward=(*_TAILS, (-1e12,), (-1e300,))),
    kernel=logistic_on_device.log_expit,
)
def log_expit(x: Real) -> Array:
    """Logarithm of the logistic function, -log(1 + exp(-x)), without overflow.

    Args:
        x: any real number, the log-odds

    Example:
        >>> log_expit(jnp.array([-800.0, 40.0]))
        Array([-8.00000000e+02, -4.24835426e-18], dtype=float64)
        >>> print(f"{jax.grad(log_expit)(-2.0):.6f}")
        0.880797
    """
    ...


rule(log_expit, x=in_single(3, closed("f' = expit(-x)", lambda y, x: expit(-x))))


@elementwise(
    source=_SOURCE,
    samples=Samples(
        "log(x / (1 - x))",
        (Reals(0, 1),),
        awkward=(
            (0.5,),
            (0.5 + 1e-9,),
            (0.5 - 1e-14,),
            (0.3,),
            (0.65,),
            (1e-300,),
            (1e-9,),
            (1 - 2.0**-30,),
            (1 - 2.0**-53,),
        ),
    ),
    kernel=logistic_on_device.logit,
)
def logit(x: Real) -> Array:
    """Log-odds, log(x/(1 - x)): the inverse of the logistic function.

    Args:
        x: probability, in [0, 1], with -inf at 0 and inf at 1; NaN outside of it

    Example:
        >>> logit(jnp.array([0.1, 0.5, 0.9]))
        Array([-2.19722458,  0.        ,  2.19722458], dtype=float64)
        >>> print(f"{jax.grad(logit)(0.1):.6f}")
        11.111111
    """
    ...


rule(
    logit,
    x=in_single(
        3,
        closed(
            "f' = 1/(x(1-x))",
            lambda y, x: jnp.where((x >= 0) & (x <= 1), 1 / (x * (1 - x)), jnp.nan),
        ),
    ),
)


@native()
def _density(x: jax.Array) -> jax.Array:
    """The slope of expit: 1 - expit(x) would cancel for large x, its own slope near 0."""
    return expit(x) * expit(-x)


_density.partials(x=closed("f' = -tanh(x/2) f", lambda y, x: -jnp.tanh(x / 2) * y))
