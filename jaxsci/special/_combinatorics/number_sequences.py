"""Bernoulli and Euler numbers (DLMF 24): tables, computed when traced."""

from __future__ import annotations

from jaxsci.special._catalog.decorators import (
    Samples,
    table,
)
from jaxsci.special._catalog.types import Array, StaticInt
from jaxsci.special._numerics.static_checks import not_negative

_LENGTHS = ({"n": 0}, {"n": 1}, {"n": 30})


@table(
    source="24.2.1",
    samples=Samples("x - bernoulli(i)", statics=_LENGTHS),
    check=not_negative,
)
def bernoulli(n: StaticInt) -> Array:
    """The Bernoulli numbers B_0, ..., B_n, of which B_1 is -1/2.

    Args:
        n: index of the last number, 0 or more

    Example:
        >>> bernoulli(2)
        Array([ 1.        , -0.5       ,  0.16666667], dtype=float64)
    """
    ...


@table(
    source="24.2.6",
    samples=Samples("x - eulernum(i)", statics=_LENGTHS),
    check=not_negative,
)
def euler(n: StaticInt) -> Array:
    """The Euler numbers E_0, ..., E_n.

    Args:
        n: index of the last number, 0 or more

    Example:
        >>> euler(4)
        Array([ 1.,  0., -1.,  0.,  5.], dtype=float64)
    """
    ...
