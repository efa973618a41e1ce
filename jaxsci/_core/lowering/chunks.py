"""A ufunc of large arrays, in chunks on several threads.

NumPy's ufuncs release the interpreter lock while their loops run. The cost of an element is not
known before, and depends on the argument: a first chunk is timed, and if the rest is worth it,
threads take chunks of it from a common counter.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from jaxsci._core.lowering import host_thread

_FIRST = 1024
"""Elements of the chunk that is timed."""
_MOST_DIMENSIONS = 32
"""That numpy.broadcast_shapes takes."""
_WORTH_SHARING = 400e-6
_CHUNK = 200e-6
"""Seconds: long beside what starting a thread's work costs, short enough to end together."""


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers(), thread_name_prefix="jaxsci")


@functools.cache
def workers() -> int:
    """How many threads may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def evaluate(ufunc: np.ufunc, arrays: Sequence[Any]) -> Any:
    """``ufunc(*arrays)``, with the errors of its loops ignored."""
    if not arrays or max(map(np.ndim, arrays)) > _MOST_DIMENSIONS:
        return ufunc(*arrays)
    shape = np.broadcast_shapes(*(np.shape(x) for x in arrays))
    size = math.prod(shape)
    if size < 4 * _FIRST or workers() == 1 or _needs_the_lock(ufunc):
        return ufunc(*arrays)
    axis = int(np.argmax(shape))
    rows = -(-_FIRST * shape[axis] // size)
    if rows * 4 > shape[axis]:
        return ufunc(*arrays)

    def part(x: Any, begin: int, end: int) -> Any:
        index = axis - (len(shape) - np.ndim(x))
        if index < 0 or x.shape[index] == 1:
            return x
        return x[(slice(None),) * index + (slice(begin, end),)]

    start = time.perf_counter()
    first = ufunc(*(part(x, 0, rows) for x in arrays))
    cost = max((time.perf_counter() - start) / rows, 1e-12)
    firsts = first if isinstance(first, tuple) else (first,)
    results = [np.empty(shape, y.dtype) for y in firsts]
    for y, known in zip(results, firsts, strict=True):
        part(y, 0, rows)[...] = known
    left = shape[axis] - rows

    def run(begin: int, end: int) -> None:
        with np.errstate(all="ignore"), host_thread.quiet_special_functions():
            ufunc(
                *(part(x, begin, end) for x in arrays),
                out=tuple(part(y, begin, end) for y in results),
            )

    if cost * left < _WORTH_SHARING:
        run(rows, shape[axis])
    else:
        step = max(1, min(round(_CHUNK / cost), -(-left // workers())))
        _share(run, range(rows, shape[axis], step), step, shape[axis])
    return tuple(results) if isinstance(first, tuple) else results[0]


def _share(run: Any, begins: range, step: int, end: int) -> None:
    """The caller takes chunks too: it never waits for a thread that has not started."""
    counter = itertools.count()

    def take() -> None:
        while (i := next(counter)) < len(begins):
            run(begins[i], min(begins[i] + step, end))

    helpers = []
    # An interpreter that is ending lets threads finish what they do, but starts no others.
    with contextlib.suppress(RuntimeError):
        for _ in range(min(workers() - 1, len(begins) - 1)):
            helpers.append(_pool().submit(take))
    take()
    for helper in helpers:
        if not helper.cancel():
            helper.result()


def _needs_the_lock(ufunc: np.ufunc) -> bool:
    """Whether loops are of Python objects."""
    return any("O" in loop for loop in ufunc.types)
