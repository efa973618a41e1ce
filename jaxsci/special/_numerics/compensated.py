"""Sums of many terms whose rounding errors are kept."""

from __future__ import annotations

from typing import Any

import jax


def added(total: tuple[Any, Any], term: jax.Array) -> tuple[Any, Any]:
    """A sum and what rounding has left of it (Kahan)."""
    value, left = total
    term = term - left
    following = value + term
    return following, (following - value) - term
