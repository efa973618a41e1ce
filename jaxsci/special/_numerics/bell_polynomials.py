"""Complete Bell polynomials: the derivatives of exp(l), relative to it, from those of l.

L. Comtet, Advanced Combinatorics (1974), 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import jax

Orders = tuple[int, int]


def orders_up_to(m: int, n: int) -> list[Orders]:
    """All pairs of orders up to m and n but (0, 0)."""
    return [(i, j) for i in range(m + 1) for j in range(n + 1) if i + j]


def complete_bell(slopes: Sequence[Any]) -> list[Any]:
    """The derivatives of exp(l), relative to exp(l): of order 0, 1, ... len(slopes).

    Args:
        slopes: the derivatives of l, from the first.
    """
    n = len(slopes)
    found = all_of_exponential({(i, 0): slope for i, slope in enumerate(slopes, 1)}, n, 0)
    return [found[i, 0] for i in range(n + 1)]


def of_exponential(logarithms: Mapping[Orders, Any], m: int, n: int) -> jax.Array:
    """(d/da)^m (d/db)^n exp(l), divided by exp(l).

    Args:
        logarithms: (d/da)^i (d/db)^j l by (i, j), for all of `orders_up_to(m, n)`.
        m: the order in a.
        n: the order in b.
    """
    return all_of_exponential(logarithms, m, n)[m, n]


def all_of_exponential(logarithms: Mapping[Orders, Any], m: int, n: int) -> dict[Orders, Any]:
    """`of_exponential` for all orders up to m and n, by order."""
    found: dict[Orders, Any] = {(0, 0): 1.0}
    for i, j in orders_up_to(m, n):
        # One derivative makes l' exp(l) of exp(l); the others follow Leibniz's rule.
        one = (1, 0) if i else (0, 1)
        left = (i - one[0], j - one[1])
        found[i, j] = sum(
            math.comb(left[0], r)
            * math.comb(left[1], s)
            * logarithms[r + one[0], s + one[1]]
            * found[left[0] - r, left[1] - s]
            for r in range(left[0] + 1)
            for s in range(left[1] + 1)
        )
    return found
