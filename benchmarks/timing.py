"""How long calls take, measured so that they can be compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax

Call = Callable[[], Any]
_ROUND = 0.03
"""Seconds, or one call if that takes longer: long enough for the clock."""


def best_times(*calls: Call, rounds: int = 7) -> list[float]:
    """Seconds a call, the best of a few rounds for each.

    The calls take turns: a machine's pace changes from second to second, and so all of them are
    measured at the same ones.
    """
    repeats = []
    for call in calls:
        jax.block_until_ready(call())
        start = time.perf_counter()
        jax.block_until_ready(call())
        repeats.append(max(1, int(_ROUND / max(time.perf_counter() - start, 1e-6))))
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, (call, count) in enumerate(zip(calls, repeats, strict=True)):
            result = None
            start = time.perf_counter()
            for _ in range(count):
                result = call()
            jax.block_until_ready(result)
            best[i] = min(best[i], (time.perf_counter() - start) / count)
    return best
