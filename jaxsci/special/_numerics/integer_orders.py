"""Orders that are integers, for host functions of SciPy's that have integer loops only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

LARGEST = 10**7
"""Orders ten times as large in modulus keep SciPy's recurrences busy for up to a minute."""


def of_integers(function: Callable[..., np.ndarray], core_ndim: int, *orders: Any) -> np.ndarray:
    """function(*orders), with NaN where an order is not an integer or is too large."""
    integers, good = [], np.ones((), bool)
    for order in map(np.asarray, orders):
        with np.errstate(invalid="ignore"):
            fits = np.abs(order.astype(float)) <= LARGEST
            integer = np.where(fits, order, 0).astype(np.int64)
            good = good & fits & (integer == order)
        integers.append(integer)
    y = function(*integers)
    if good.all():
        return y
    return np.where(good.reshape(good.shape + (1,) * core_ndim), y, np.nan)
