"""Associated Legendre function of integer order and real degree on the interval (DLMF 14.3.1)."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxsci._core.double_precision import tower
from jaxsci._core.elementwise_rules import closed, missing
from jaxsci.special._catalog.decorators import (
    Samples,
    bounded,
    elementwise,
    rule,
)
from jaxsci.special._catalog.domains import Ints, Reals
from jaxsci.special._catalog.types import Array, Int, Real
from jaxsci.special._legendre.kernels.terms import WHOLE, associated, of_product
from jaxsci.special._numerics.integer_orders import LARGEST

_TERMS = 30
_DEGREE = missing("the derivative in the degree is not implemented yet")


@elementwise(
    source="14.3.1",
    samples=Samples(
        "ferrers(m, v, x)",
        (Ints(-5, 5), Reals(-6, 20), Reals(-1, 1)),
        awkward=(
            (0, 3.0, 1.0),
            (2, 4.0, 2.0**-40 - 1),
            (-2, 4.0, 1 - 2.0**-40),
            (0, 2.5, 1.0),
            (2, 0.5, 1 - 2.0**-40),
            (-4, 3.25, 1 - 2.0**-30),
            (1, 3.0, 0.0),
            (-2, 0.5, 0.0),
            (3, 1.0, 0.5),
            (1, 12.0, 0.3),
            (0, 0.5, -0.999),
            (1, -0.5, 0.999999),
        ),
    ),
    note="NaN where v is whole and m < -v.",
    guard=bounded("m v x", (0, 1.0, 0.5), m=1e7, v=1e7),
)
def lpmv(m: Int, v: Real, x: Real) -> Array:
    """Associated Legendre function P_v^m(x) of integer order and real degree, for |x| <= 1.

    Args:
        m: order, of either sign; odd positive ones bring a factor -1 (Condon's and Shortley's
            phase)
        v: degree, any real number; -v - 1 gives the same function
        x: real number from -1 to 1, infinite at -1 as a rule where v is not whole; NaN beyond,
            unless m is 0

    Example:
        >>> lpmv(1, 2.5, jnp.array([-0.5, 0.0, 0.5]))
        Array([ 1.1343052 ,  0.98361717, -0.98737818], dtype=float64)
        >>> print(f"{jax.grad(lpmv, 2)(1, 2.5, 0.5):.6f}")
        -4.085388
    """
    ...


rule(
    lpmv,
    v=_DEGREE,
    x=closed("DLMF 14.6.1, 14.9.3", lambda y, m, v, x: ferrers_derivative(m, v, x, order=1)),
)


@tower("DLMF 14.6.1, 14.9.3", x="order")
def ferrers_derivative(m: Any, v: Any, x: Any, *, order: int) -> Any:
    """A derivative in x of lpmv."""
    v = jnp.where(v < 0, -1 - v, v)
    whole = v == jnp.floor(v)
    known = (jnp.abs(m) <= LARGEST) & ~(whole & (m < -v))
    m = jnp.where(known, m, 0)
    n = jnp.where(whole, v, 0.0)
    polynomial = associated(n, m, x, 2, norm=False, order=order)
    other = _of_real_degree(m, jnp.where(whole, 0.5, v), x, order)
    return jnp.where(known, jnp.where(whole, polynomial, other), jnp.nan)


ferrers_derivative.partials(m=WHOLE, v=_DEGREE)


def _of_real_degree(m: Any, v: Any, x: Any, order: int) -> Any:
    size = jnp.abs(m)
    squared = (1 - x) * (1 + x)
    root = jnp.sqrt(squared)
    factors = [_derivative_of_legendre(v, size + j, x, root) for j in range(order + 1)]
    value = of_product(size, x, root, squared, 1.0, order, factors)
    sign = jnp.where((m > 0) & (m % 2 != 0), -1.0, 1.0)
    return value * jnp.where(m < 0, 1 / _rising(v - size + 1, 2 * size), sign)


def _derivative_of_legendre(v: Any, k: Any, x: Any, root: Any) -> Any:
    """The k-th derivative of P_v.

    Near 1 by the hypergeometric series (DLMF 15.2.1 with 14.3.1), for there SciPy's functions have
    the error of 1 - x^2, and the root in them is zero in the end.
    """
    half = (1 - x) / 2
    near = (half >= 0) & (half < 0.1) & (half * (v + k + 1) ** 2 < 2 * (k + 1))
    total: Any = 1.0
    for j in range(_TERMS - 1, -1, -1):
        ratio = (k - v + j) * (v + k + 1 + j) / ((k + 1 + j) * (1 + j))
        total = 1.0 + total * ratio * jnp.where(near, half, 0.0)
    series = total * _rising(v - k + 1, 2 * k, halves=True)
    far = lpmv(k, v, jnp.where(near, 0.0, x)) / jnp.where(near, 1.0, -root) ** k
    return jnp.where(near, series, far)


def _rising(x: Any, n: Any, halves: bool = False) -> Any:
    """The product of x, x + 1, ... x + n - 1, with halves divided by 2^(n/2) (n/2)!."""

    def step(state: Any) -> Any:
        i, product = state
        factor = x + i
        if halves:
            factor = factor / jnp.where(2 * i < n, 2 * (i + 1), 1.0)
        return i + 1, product * jnp.where(i < n, factor, 1.0)

    last = jnp.max(n, initial=0)
    start = (jnp.asarray(0.0), jnp.ones_like(x + n))
    return jax.lax.while_loop(lambda state: state[0] < last, step, start)[1]
