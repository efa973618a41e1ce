"""How tests call a row: this package's function, and SciPy's as the oracle of its bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.special

from jaxsci._catalog import Row
from jaxsci._types import Kind


def bound(
    row: Row, static: dict[str, Any], function: Callable[..., Any] | None = None
) -> Callable[..., tuple[Any, ...]]:
    """The row's function (or another of its signature) of its array arguments alone.

    Static arguments are given by position, in their places; the results are always a tuple.
    """
    call = row.function if function is None else function

    def evaluate(*arrays: Any) -> tuple[Any, ...]:
        left = iter(arrays)
        values = call(
            *(static[a.name] if a.kind is Kind.STATIC else next(left) for a in row.arguments)
        )
        return tuple(values) if isinstance(values, tuple | list) else (values,)

    return evaluate


def by_scipy(row: Row, static: dict[str, Any], arrays: Sequence[Any]) -> tuple[np.ndarray, ...]:
    """SciPy's own values; point by point where its function takes no arrays."""
    call = bound(row, static, row.scipy)
    with np.errstate(all="ignore"), scipy.special.errstate(all="ignore"):
        if takes_arrays(row):
            return tuple(np.asarray(y) for y in call(*arrays))
        full = np.broadcast_arrays(*arrays)
        each = [call(*point) for point in zip(*(x.ravel() for x in full), strict=True)]
        return tuple(
            np.stack(ys).reshape(full[0].shape + ys[0].shape) for ys in zip(*each, strict=True)
        )


def takes_arrays(row: Row) -> bool:
    """Whether SciPy's function is elementwise on arrays."""
    assert row.host is not None
    return row.host._batched


def bits(x: Any) -> np.ndarray:
    """An array's bits, with one pattern for all NaNs."""
    x = np.ascontiguousarray(x)
    if x.dtype.kind == "c":
        x = x.view(x.real.dtype)
    if x.dtype.kind not in "fV":
        return x
    whole = x.view(f"i{x.dtype.itemsize}").copy()
    whole[np.isnan(x)] = -1
    return whole


def places(row: Row) -> dict[str, int]:
    """Each array argument's position among the array arguments."""
    return {a.name: i for i, a in enumerate(row.arrays)}
