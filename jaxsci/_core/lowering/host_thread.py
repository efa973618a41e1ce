"""The state of a host thread while a host function runs in it.

XLA's threads flush subnormal numbers to zero, and a callback inherits that: SciPy's loops then
give other bits than SciPy does, and lose subnormals altogether. NumPy's and SciPy's own error
states belong to whichever thread the callback lands on. Both are put in order here.
"""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import scipy.special

# Larger than any platform's fenv_t (glibc on x86-64: 32 bytes).
_FENV_BYTES = 512


def _find_environment_calls() -> tuple[Callable[[int], Any], Callable[[int], Any]] | None:
    """C99's fegetenv and fesetenv, or None where the C library cannot be reached."""
    # PyDLL keeps the interpreter lock: the calls take nanoseconds.
    for library in (None, "ucrtbase", "libm.so.6"):
        try:
            handle = ctypes.PyDLL(library)
            get, put = handle.fegetenv, handle.fesetenv
        except (OSError, AttributeError, TypeError):
            continue
        for call in (get, put):
            call.argtypes, call.restype = [ctypes.c_void_p], ctypes.c_int
        return get, put
    return None


def keeps_subnormals() -> bool:
    """Whether this thread computes with subnormal numbers rather than flushing them to zero."""
    half = np.array([1e-310]) * np.array([0.5])
    return half.view(np.int64)[0] != 0  # compared as bits: the comparison itself would flush


_calls = _find_environment_calls()
_default = ctypes.create_string_buffer(_FENV_BYTES)
if _calls is not None and _calls[0](ctypes.addressof(_default)) != 0:
    _calls = None
if not keeps_subnormals():  # imported inside a callback: what was saved is not the default
    _calls = None


class _ServerThread:
    """A thread started outside any callback, to run host functions in its own environment."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._serve, daemon=True, name="jaxsci-host").start()

    def _serve(self) -> None:
        while True:
            work, done, box = self._jobs.get()
            try:
                box.append((True, work()))
            except BaseException as error:
                box.append((False, error))
            done.set()

    def run(self, work: Callable[[], Any]) -> tuple[np.ndarray, ...]:
        done, box = threading.Event(), []
        self._jobs.put((work, done, box))
        done.wait()
        finished, value = box[0]
        if not finished:
            raise value
        return value


_server = _ServerThread() if _calls is None else None


def run_in_default_environment(work: Callable[[], Any]) -> tuple[np.ndarray, ...]:
    """Run `work` with the default floating-point environment, and restore the caller's."""
    if _server is not None:
        return _server.run(work)
    assert _calls is not None
    get, put = _calls
    saved = ctypes.create_string_buffer(_FENV_BYTES)
    get(ctypes.addressof(saved))
    put(ctypes.addressof(_default))
    try:
        return work()
    finally:
        put(ctypes.addressof(saved))


def quiet_special_functions() -> AbstractContextManager[Any]:
    """SciPy's special-function errors off, whatever `scipy.special.seterr` says here."""
    # The state is the thread's own, and nearly always SciPy's default: asking is cheap. "memory",
    # which is "raise" by default, concerns failed allocations only.
    actions = scipy.special.geterr()
    if all(action == "ignore" or kind == "memory" for kind, action in actions.items()):
        return nullcontext()
    return scipy.special.errstate(all="ignore")
