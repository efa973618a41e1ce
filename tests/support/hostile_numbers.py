"""Numbers on which somebody else's code may crash, hang or raise, fed to every function.

Every row is called in a process of its own, point by point, as a callback would call it: what ends
the process, or takes longer than the limit, is found and named, and the scan goes on behind it.

    python tests/support/hostile_numbers.py                    # everything; an hour or so
    python tests/support/hostile_numbers.py --points 300 jv yn # two functions, some points of each
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import itertools
import json
import math
import mmap
import os
import resource
import signal
import struct
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import scipy.special

import jaxsci
import jaxsci.special
from jaxsci._core.dispatch import BACKENDS
from jaxsci._verification import reference
from jaxsci._verification.accuracy import bound
from jaxsci.special._catalog.decorators import CATALOG, ElementwiseRow, Row, SampledRow
from jaxsci.special._catalog.types import Kind

LIMIT = 10.0
"""Seconds of a processor that one call may take."""
MOST = 6
"""Failures of one row, after which nothing new is learned."""
STANDSTILL = 60
"""How many times the limit may pass by the clock."""
MEMORY = 24 << 30

SIZES = (5e-324, 1e-310, 2.3e-308, 1e-200, 1e-20, 0.5, 1.0, 1.5, 2.0, 3.0, 4.25, 10.0, 100.5, 1e3)
SIZES += (1e5, 1e6 + 0.5, 1e8, 2.0**31 - 1, 2.0**31, 1e12, 1e17, 2.0**63, 1e100, 1e300, math.inf)
REALS = (math.nan, 0.0, -0.0, *SIZES, *(-x for x in SIZES))
IMAGINARY = (0.0, -0.0, 1.0, -0.5, 5e-324, 1e-20, 100.0, -1e8, 1e17, 1e300, math.inf, math.nan)
WHOLE = (0, 1, 2, 3, 10, 100, 1000, 10**5, 10**8, 2**31 - 1, 2**31, 10**12, 2**53 + 1, 2**62)
INTEGERS = (*WHOLE, *(-n for n in WHOLE), 2**63 - 1, -(2**63), -(2**63) + 1, -(2**31) - 1)


# -- points ----------------------------------------------------------------------------------------


def hostile(kind: Kind, whole: bool) -> list[Any]:
    """Values for one argument."""
    if kind is Kind.INT:
        return [np.int64(n) for n in INTEGERS] if whole else [np.float64(x) for x in REALS]
    reals = [np.float64(x) for x in REALS]
    if kind is Kind.REAL:
        return reals
    return reals + [complex(x, y) for x, y in itertools.product(REALS, IMAGINARY)]


def usual(row: ElementwiseRow, rng: np.random.Generator, n: int) -> list[list[Any]]:
    """Values for each argument, from where the function is tested."""
    return [list(x) for x in reference.sample(row, reference.REAL, rng, n)]


def points(
    row: ElementwiseRow, n: int, whole: bool, rng: np.random.Generator
) -> list[tuple[Any, ...]]:
    """Up to n points: all of them where they are so few, else as many at random."""
    values = [hostile(a.kind, whole) for a in row.arrays]
    every = math.prod(map(len, values))
    if every <= n:
        return list(itertools.product(*values))
    plain = usual(row, rng, 20)
    chosen = []
    for _ in range(n):
        # From one argument that is hostile to all of them.
        share = rng.uniform(0.2, 1)
        chosen.append(
            tuple(
                _pick(bad if rng.uniform() < share else good, rng)
                for bad, good in zip(values, plain, strict=True)
            )
        )
    return chosen


def _pick(values: Sequence[Any], rng: np.random.Generator) -> Any:
    return values[int(rng.integers(len(values)))]


def is_allowed(row: ElementwiseRow, static: dict[str, Any], point: Sequence[Any]) -> bool:
    """Whether the host function is ever called there."""
    for argument, x in zip(row.arrays, point, strict=True):
        if argument.kind is Kind.INT and not (np.isfinite(x) and x == np.floor(x)):
            return False
    if row.guard is None:
        return True
    arrays = [np.asarray(x) for x in point]
    with np.errstate(all="ignore"):
        allowed, safe = row.guard.replaced(arrays, static, np.where)
    if allowed is None:
        return all(np.array_equal(x, y, equal_nan=True) for x, y in zip(arrays, safe, strict=True))
    return bool(np.all(allowed))


# -- what is called ----------------------------------------------------------------------------


Task = tuple[str, Callable[[], Any]]


def host_calls(
    row: ElementwiseRow, n: int, rng: np.random.Generator, allowed: bool = True
) -> list[Task]:
    """SciPy's function at one point after the other, as the host calls it."""
    host = row.host
    assert host is not None
    kinds = [True, False] if any(a.kind is Kind.INT for a in row.arrays) else [True]
    tasks: list[Task] = []
    for static, whole in itertools.product(row.samples.statics, kinds):
        for point in points(row, n, whole, rng):
            if is_allowed(row, static, point) is not allowed:
                continue

            def call(static: dict[str, Any] = static, point: tuple[Any, ...] = point) -> Any:
                args, named = host.as_called(point, static)
                try:
                    return host._value(args, named)
                except host._failures:
                    return None

            given = {**dict(zip((a.name for a in row.arrays), point, strict=True)), **static}
            tasks.append((" ".join(f"{k}={v!s}" for k, v in given.items()), call))
    return tasks


class Unwritten(Exception):
    """Results that depend on what memory held before."""


def memory_calls(row: ElementwiseRow, n: int, rng: np.random.Generator) -> list[Task]:
    """SciPy's function called twice, with other numbers in the memory it gets for its results."""

    def twice(call: Callable[[], Any]) -> None:
        first, second = (_with_memory_of(call, number) for number in (1234.5, -6.75))
        if not all(map(_same_bits, first, second)):
            raise Unwritten(f"{first} and then {second}")

    return [(where, functools.partial(twice, call)) for where, call in host_calls(row, n, rng)]


def _with_memory_of(call: Callable[[], Any], number: float) -> list[np.ndarray]:
    empty = np.empty

    def filled(*args: Any, **named: Any) -> np.ndarray:
        array = empty(*args, **named)
        if array.dtype.kind in "fc":
            array[...] = number
        return array

    # What NumPy frees it hands out again: that of ufuncs' results.
    left = [np.full(size, number) for size in (*range(1, 60), 64, 100, 128) for _ in range(3)]
    del left
    np.empty = filled
    try:
        values = call()
    finally:
        np.empty = empty
    return [np.array(y) for y in (values if isinstance(values, tuple | list) else [values])]


def _same_bits(x: np.ndarray, y: np.ndarray) -> bool:
    return x.dtype == object or np.array_equal(x, y, equal_nan=True)


def whole_calls(row: ElementwiseRow, n: int, rng: np.random.Generator) -> list[Task]:
    """The public function at all the points at once, guards and all, on either backend."""
    kinds = [True, False] if any(a.kind is Kind.INT for a in row.arrays) else [True]
    tasks: list[Task] = []
    for static, whole, backend in itertools.product(row.samples.statics, kinds, BACKENDS):
        arrays = [np.array(x) for x in zip(*points(row, n, whole, rng), strict=True)]

        def call(static: dict[str, Any] = static, xs: Any = arrays, backend: Any = backend) -> Any:
            with jaxsci.use_backend(backend):
                ys = bound(row, static)(*map(jnp_array, xs))
            return [np.asarray(y) for y in ys]

        tasks.append((f"{backend} {static} {'integers' if whole else 'floats'}", call))
    return tasks


def jnp_array(x: Any) -> Any:
    import jax.numpy as jnp

    return jnp.asarray(x)


def static_calls(row: SampledRow, rng: np.random.Generator) -> list[Task]:
    """The public function with static arguments that make no sense, and those of a table."""
    tasks: list[Task] = []
    few = (0, -1, 1, 5, 2**31 - 1, 2**31, 2**63 - 1, -(2**63), 10**30)
    values = {float: (*REALS,), int: few, bool: (), str: ("",)}
    arrays = [x[0] for x in usual(row, rng, 1)] if isinstance(row, ElementwiseRow) else []
    for argument in row.arguments:
        if argument.kind is not Kind.STATIC:
            continue
        for base in row.samples.statics:
            for value in values[argument.annotation]:
                static = base | {argument.name: value}

                def call(static: dict[str, Any] = static) -> Any:
                    try:
                        return bound(row, static)(*arrays)
                    except (TypeError, ValueError, OverflowError, MemoryError) as error:
                        if isinstance(error, MemoryError) or str(error).startswith(row.name):
                            return None
                        raise

                tasks.append((str(static), call))
    return tasks


# -- processes -------------------------------------------------------------------------------------

_PROGRESS = struct.Struct("qd")


def scan(tasks: Sequence[Task], limit: float, most: int = MOST) -> Iterator[tuple[str, str]]:
    """Carry the tasks out in processes; what fails, and how."""
    progress = mmap.mmap(-1, 1 << 16)
    start, found = 0, 0
    while start < len(tasks) and found < most:
        how = _watch(_forked(tasks, start, progress, limit), progress, limit)
        at, _ = _PROGRESS.unpack_from(progress)
        if how is None:
            return
        start = at + 1
        found += 1
        yield tasks[at][0], how


def _forked(tasks: Sequence[Task], start: int, progress: mmap.mmap, limit: float) -> int:
    _PROGRESS.pack_into(progress, 0, start, time.monotonic())
    child = os.fork()
    if child == 0:
        _carry_out(tasks, start, progress, limit)
    return child


def _carry_out(tasks: Sequence[Task], start: int, progress: mmap.mmap, limit: float) -> None:
    """In a child: never returns."""
    code = 1
    try:
        faulthandler.disable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"), scipy.special.errstate(all="ignore"):
            for i in range(start, len(tasks)):
                _PROGRESS.pack_into(progress, 0, i, time.monotonic())
                # Processor time, which other programs on the machine do not prolong.
                signal.setitimer(signal.ITIMER_VIRTUAL, limit)
                tasks[i][1]()
        code = 0
    except BaseException as error:
        text = f"{type(error).__name__}: {error}"
        if os.environ.get("HOSTILE_TRACE"):
            text = traceback.format_exc()
        text = text.encode()[-4000:]
        progress[16 : 24 + len(text)] = struct.pack("q", len(text)) + text
    finally:
        os._exit(code)


def _watch(child: int, progress: mmap.mmap, limit: float) -> str | None:
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        _, since = _PROGRESS.unpack_from(progress)
        # While a number is being written it reads 0.
        if since and time.monotonic() - since > STANDSTILL * limit:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "stands still"
        time.sleep(0.002)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGVTALRM:
        return f"takes more than {limit:g} s"
    if os.WIFSIGNALED(status):
        return f"ends the process: {signal.Signals(os.WTERMSIG(status)).name}"
    if os.WEXITSTATUS(status) == 0:
        return None
    (size,) = struct.unpack_from("q", progress, 16)
    return f"raises {progress[24 : 24 + size].decode()}"


def tasks_of(row: Row, what: str, n: int, rng: np.random.Generator) -> list[Task]:
    if what == "static":
        return static_calls(row, rng) if isinstance(row, SampledRow) else []
    if not isinstance(row, ElementwiseRow):
        return []
    if what == "refused":
        return host_calls(row, n, rng, allowed=False) if row.guard else []
    if what == "memory":
        return [] if isinstance(row.host.fn, np.ufunc) else memory_calls(row, n, rng)
    return host_calls(row, n, rng) if what == "host" else whole_calls(row, n, rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="functions; all of them by default")
    parser.add_argument("--points", type=int, default=4000)
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--what", default="host,memory,static,whole")
    chosen = parser.parse_args()
    failures = []
    for name in chosen.names or CATALOG:
        for what in chosen.what.split(","):
            rng = np.random.default_rng([chosen.seed, *name.encode(), *what.encode()])
            tasks = tasks_of(CATALOG[name], what, chosen.points, rng)
            began = time.monotonic()
            for where, how in scan(tasks, chosen.limit, chosen.most):
                failures.append((name, what, where, how))
                print(name, what, where, how, sep=" | ", file=sys.stderr, flush=True)
            if time.monotonic() - began > 20:
                took = time.monotonic() - began
                print(name, what, f"{took:.0f} s", sep=" | ", file=sys.stderr, flush=True)
    print(json.dumps(failures))


if __name__ == "__main__":
    main()
