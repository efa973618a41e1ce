"""How long calls take, measured so that they can be compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jax

Call = Callable[[], Any]
_ROUND = 0.03
"""Seconds, or one call if that takes longer: long enough for the clock."""


def best_times(
    *calls: Call, rounds: int = 7, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Seconds a call, the best of a few rounds for each.

    The calls take turns: a machine's pace changes from second to second, and so all of them are
    measured at the same ones. With `time.process_time` as the clock they are those of all cores
    added up, in which other programs have little say.
    """
    repeats = []
    for call in calls:
        jax.block_until_ready(call())
        start = clock()
        jax.block_until_ready(call())
        repeats.append(max(1, int(_ROUND / max(clock() - start, 1e-6))))
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, (call, count) in enumerate(zip(calls, repeats, strict=True)):
            result = None
            start = clock()
            for _ in range(count):
                result = call()
            jax.block_until_ready(result)
            best[i] = min(best[i], (clock() - start) / count)
    return best
