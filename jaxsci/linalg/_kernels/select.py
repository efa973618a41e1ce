"""Which eigenvalues are wanted: static arguments, checked when a function is traced."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

SELECT = {
    "a": "a", "all": "a", 0: "a", "v": "v", "value": "v", 1: "v", "i": "i", "index": "i", 2: "i"
}  # fmt: skip
"""SciPy's names of a selection."""


def _two(function: str, name: str, given: Any, kind: Callable[..., Any]) -> tuple[int, int]:
    try:
        low, high = (kind(x) for x in given)
    except (TypeError, ValueError):  # JAX's error of a traced value is a TypeError
        raise TypeError(
            f"{function}: argument {name!r} must be two numbers that are known when it is traced, "
            f"got {given!r}"
        ) from None
    return low, high


def by_index(function: str, name: str, given: Sequence[int] | None, n: int) -> Any:
    """First and last index, or None."""
    if given is None:
        return None
    low, high = _two(function, name, given, operator.index)
    if not 0 <= low <= high < n:
        raise ValueError(
            f"{function}: argument {name!r} must be two ascending indices from 0 to {n - 1}, got "
            f"({low}, {high})"
        )
    return low, high


def by_value(function: str, name: str, given: Sequence[float] | None) -> Any:
    """The bounds of an interval, or None."""
    if given is None:
        return None
    low, high = _two(function, name, given, float)
    if not low < high:
        raise ValueError(
            f"{function}: argument {name!r} must be two ascending bounds, got ({low}, {high})"
        )
    return low, high


def room(function: str, name: str, size: int | None, n: int) -> int:
    """How many eigenvalues there is room for."""
    if size is None:
        return n
    try:
        size = operator.index(size)
    except TypeError:
        raise TypeError(f"{function}: argument {name!r} must be an integer, got {size!r}") from None
    if not 0 < size <= n:
        raise ValueError(f"{function}: argument {name!r} must be from 1 to {n}, got {size}")
    return size


def selection(
    function: str, select: Any, select_range: Any, n: int, size_name: str, size: int | None
) -> tuple[str, tuple[Any, Any] | None, int | None]:
    """`select`, its range, and how many results there is room for (None: all)."""
    key = select.lower() if isinstance(select, str) else select
    try:
        kind = SELECT[key]
    except (KeyError, TypeError):
        raise ValueError(
            f"{function}: argument 'select' must be 'a', 'i' or 'v', got {select!r}"
        ) from None
    if kind != "v" and size is not None and size_name == "size":
        raise ValueError(f"{function}: argument 'size' goes with select='v'")
    if kind == "a":
        return kind, None, None
    if select_range is None:
        raise ValueError(f"{function}: argument 'select_range' is needed with select={select!r}")
    if kind == "i":
        bounds = by_index(function, "select_range", select_range, n)
        return kind, bounds, bounds[1] - bounds[0] + 1
    return (
        kind,
        by_value(function, "select_range", select_range),
        room(function, size_name, size, n),
    )
