"""Orders that are whole numbers, for host functions of SciPy's that have integer loops only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

LARGEST = 10**7
"""Orders ten times as large in modulus keep SciPy's recurrences busy for up to a minute."""


def of_whole_numbers(
    function: Callable[..., np.ndarray], core_ndim: int, *orders: Any
) -> np.ndarray:
    """function(*orders), with NaN where an order is not whole or is too large."""
    wholes, good = [], np.ones((), bool)
    for order in map(np.asarray, orders):
        with np.errstate(invalid="ignore"):
            fits = np.abs(order.astype(float)) <= LARGEST
            whole = np.where(fits, order, 0).astype(np.int64)
            good = good & fits & (whole == order)
        wholes.append(whole)
    y = function(*wholes)
    if good.all():
        return y
    return np.where(good.reshape(good.shape + (1,) * core_ndim), y, np.nan)
