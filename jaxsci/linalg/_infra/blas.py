"""BLAS threads while a host routine runs.

BLAS and XLA both start a thread for every core. Where both are at work, threads that wait for each
other's cores make a small product ten times slower. Small matrices are therefore left to one
thread; for large ones BLAS's own threads pay.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterator
from typing import Any

import threadpoolctl

SMALL = 200
"""Matrices up to this order are left to one BLAS thread."""

_TINY = 32
"""Up to this order BLAS does not think of a second thread, and need not be told."""

_lock = threading.Lock()
_inside = 0
_limits: Any = None
_controller: threadpoolctl.ThreadpoolController | None = None


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS to one thread.

    The limit is the process's own. Callbacks run at the same time in several threads: the first one
    in sets it, the last one out lifts it.
    """
    global _inside, _limits, _controller
    with _lock:
        if _inside == 0:
            if _controller is None:
                _controller = threadpoolctl.ThreadpoolController()
            _limits = _controller.limit(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limits.restore_original_limits()


def one_thread_for(
    order: int, largest: float = math.inf
) -> contextlib.AbstractContextManager[None]:
    """`one_thread` for matrices of this order; nothing for tiny ones, and beyond `largest`."""
    return one_thread() if _TINY < order <= largest else contextlib.nullcontext()
