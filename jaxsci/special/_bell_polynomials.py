"""Complete Bell polynomials: the derivatives of exp(f), relative to it, from those of f.

L. Comtet, Advanced Combinatorics (1974), 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def complete_bell(slopes: Sequence[Any]) -> list[Any]:
    """The derivatives of exp(f), relative to exp(f): of order 0, 1, ... len(slopes).

    Args:
        slopes: the derivatives of f, from the first.
    """
    values: list[Any] = [1.0]
    for order in range(len(slopes)):
        values.append(
            sum(math.comb(order, i) * values[order - i] * slopes[i] for i in range(order + 1))
        )
    return values
