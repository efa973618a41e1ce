"""The logarithm of the multivariate gamma function (DLMF 35.3)."""

from __future__ import annotations

import numpy as np
import scipy.special

from jaxsci._core.elementwise_rules import closed
from jaxsci.special._catalog.decorators import (
    OnHost,
    Samples,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Reals
from jaxsci.special._catalog.types import Array, Real, StaticInt
from jaxsci.special._gamma.kernels import on_device
from jaxsci.special._gamma.psi import psi


def _positive(d: int) -> None:
    if d < 1:
        raise ValueError(f"argument 'd' must be a positive integer, got {d}")


def _on_host(a: np.ndarray, *, d: int) -> np.ndarray:
    """SciPy's function refuses a whole array for one number that is too small."""
    a = np.asarray(a, float)
    inside = a > 0.5 * (d - 1)
    safe = np.where(inside, a, d)
    value = scipy.special.multigammaln(safe, d)  # pyright: ignore[reportAttributeAccessIssue]
    return np.where(inside, value, np.nan)


@elementwise(
    source="35.3.1",
    samples=Samples(
        "mpf(d * (d - 1)) / 4 * log(pi) + fsum(loggamma(a - mpf(j)/2) for j in range(d))",
        (Reals(2.01, 100),),
        awkward=((2.001,), (2.5,), (1e5,)),
        statics=({"d": 5}, {"d": 1}, {"d": 2}),
    ),
    host=OnHost(_on_host, results="real"),
    kernel=on_device.multigammaln,
    check=_positive,
    note="NaN for a <= (d - 1)/2, where SciPy raises ValueError.",
)
def multigammaln(a: Real, d: StaticInt) -> Array:
    """The logarithm of the multivariate gamma function of d x d matrices.

    Args:
        a: argument, above (d - 1)/2: half the degrees of freedom of a Wishart distribution
        d: order of the matrices, at least 1

    Example:
        >>> multigammaln(jnp.array([2.5, 10.0]), 3)
        Array([ 1.88099546, 36.81285863], dtype=float64)
        >>> print(f"{jax.grad(multigammaln)(2.5, 3):.6f}")
        1.162431
    """
    ...


rule(
    multigammaln,
    a=closed("DLMF 35.3.4, 5.2.2", lambda y, a, *, d: sum(psi(a - j / 2) for j in range(d))),
)
