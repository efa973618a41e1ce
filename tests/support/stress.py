"""Many threads at once, and many calls one after the other.

    python tests/support/stress.py threads --minutes 10  # right values from 16 threads, throughout
    python tests/support/stress.py growth                # memory over calls, retraces and backends
    python tests/support/stress.py fork                  # processes made by fork and by spawn
    python tests/support/stress.py shutdown              # an end with calls on their way

Each prints one line of JSON, and ends with status 1 where a promise is broken.
"""

from __future__ import annotations

import argparse
import collections
import json
import multiprocessing
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
import scipy.special

import jaxsci
from jaxsci import linalg, special

THREADS = 16
BACKENDS = ("ffi", "callback")
RNG = np.random.default_rng(0)
X = RNG.uniform(0.1, 20.0, 300)
MATRIX = RNG.normal(size=(6, 6)) / 3
LARGE = RNG.uniform(0.1, 20.0, 40_000)


def _doubled(x: np.ndarray) -> np.ndarray:
    return 2 * x


HOST = jaxsci.host_function(_doubled, "()->()", batched=True)

CALLS: dict[str, tuple[Callable[[], Any], Callable[[], Any], float]] = {
    "jv": (lambda: special.jv(1.5, X), lambda: scipy.special.jv(1.5, X), 0),
    "kv, large": (lambda: special.kv(0.3, LARGE), lambda: scipy.special.kv(0.3, LARGE), 0),
    "gammaln": (lambda: special.gammaln(X), lambda: scipy.special.gammaln(X), 0),
    "betainc": (
        lambda: special.betainc(2.5, X, 0.3),
        lambda: scipy.special.betainc(2.5, X, 0.3),
        0,
    ),
    "wofz": (lambda: special.wofz(X + 1j), lambda: scipy.special.wofz(X + 1j), 0),
    "airy": (
        lambda: jnp.stack(special.airy(X)),
        lambda: np.stack(scipy.special.airy(X)),
        0,
    ),
    "slope of j0": (
        lambda: jax.vmap(jax.grad(special.j0))(X),
        lambda: -scipy.special.j1(X),
        1e-14,
    ),
    "expm": (lambda: linalg.expm(MATRIX), lambda: scipy.linalg.expm(MATRIX), 1e-12),
    "sqrtm": (
        lambda: linalg.sqrtm(MATRIX @ MATRIX.T + np.eye(6)),
        lambda: scipy.linalg.sqrtm(MATRIX @ MATRIX.T + np.eye(6)),
        1e-12,
    ),
    "schur": (
        lambda: linalg.schur(MATRIX, output="complex")[0],
        lambda: scipy.linalg.schur(MATRIX, output="complex")[0],
        1e-9,
    ),
    "a host function": (lambda: HOST(X), lambda: 2 * X, 0),
}


def _same(found: Any, truth: np.ndarray, tolerance: float) -> bool:
    found = np.asarray(found)
    if tolerance == 0:
        return found.tobytes() == np.asarray(truth).tobytes()
    return bool(np.allclose(found, truth, rtol=tolerance, atol=tolerance))


# -- threads ---------------------------------------------------------------------------------------


def threads(minutes: float) -> dict[str, Any]:
    """Jitted and eager calls on both backends from many threads, beside products of matrices."""
    truths = {name: np.asarray(truth()) for name, (_, truth, _) in CALLS.items()}
    until = time.time() + 60 * minutes
    counts: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    jitted = {(name, b): jax.jit(call) for name, (call, _, _) in CALLS.items() for b in BACKENDS}

    def calls(seed: int) -> None:
        rng = np.random.default_rng(seed)
        names = list(CALLS)
        mine: collections.Counter[str] = collections.Counter()
        while time.time() < until:
            name, backend = names[rng.integers(len(names))], BACKENDS[rng.integers(2)]
            call, _, tolerance = CALLS[name]
            compiled = rng.uniform() < 0.5
            try:
                with jaxsci.use_backend(backend):
                    found = jitted[name, backend]() if compiled else call()
                if not _same(found, truths[name], tolerance):
                    wrong.append(f"{name} on {backend}, {'jitted' if compiled else 'eager'}")
            except Exception as error:
                wrong.append(f"{name} on {backend}: {type(error).__name__}: {error}"[:300])
            mine[name] += 1
        counts.update(mine)

    def products() -> None:
        a = jnp.asarray(RNG.normal(size=(200, 200)))
        while time.time() < until:
            jax.block_until_ready(a @ a)

    running = [threading.Thread(target=calls, args=(i,)) for i in range(THREADS)]
    running.append(threading.Thread(target=products))
    for each in running:
        each.start()
    for each in running:
        each.join(60 * minutes + 300)
    hanging = sum(each.is_alive() for each in running)
    return {
        "calls": sum(counts.values()),
        "wrong": wrong[:10],
        "hanging threads": hanging,
        "fine": not wrong and not hanging,
    }


# -- growth ----------------------------------------------------------------------------------------


def resident() -> float:
    """Megabytes of memory that the process has."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20


def _grown(times: int, once: Callable[[int], Any]) -> list[float]:
    """Memory after each tenth of the calls."""
    found = []
    for i in range(times):
        once(i)
        if (i + 1) % max(times // 10, 1) == 0:
            found.append(round(resident(), 1))
    return found


def growth(calls: int, retraces: int, switches: int) -> dict[str, Any]:
    """Resident memory over many calls, many programs, and many changes of the backend.

    JAX keeps what it compiled, so its caches are emptied now and then: what is left is ours.
    """
    x = jnp.asarray(X[:8])
    jitted = {}
    for backend in BACKENDS:
        with jaxsci.use_backend(backend):
            jitted[backend] = jax.jit(lambda x: special.jv(0.5, x)).lower(x).compile()

    def switch(i: int) -> None:
        with jaxsci.use_backend(BACKENDS[i % 2]):
            jax.block_until_ready(jax.jit(lambda x: special.gamma(x))(x))
        if i % 100 == 99:
            jax.clear_caches()

    def retrace(i: int) -> None:
        jax.jit(lambda x: special.jv(1.5, x) * i).lower(x)
        if i % 500 == 499:
            jax.clear_caches()

    found = {
        "calls, ffi": _grown(calls, lambda i: jax.block_until_ready(jitted["ffi"](x))),
        "calls, callback": _grown(calls, lambda i: jax.block_until_ready(jitted["callback"](x))),
        "eager calls": _grown(calls // 10, lambda i: jax.block_until_ready(special.j0(x))),
        "retraces": _grown(retraces, retrace),
        "switches": _grown(switches, switch),
    }
    # What is bought once is there after the first half.
    return {"MB": found, "fine": all(m[-1] - m[len(m) // 2] < 10 for m in found.values())}


# -- other processes -------------------------------------------------------------------------------


def _in_a_child(queue: Any) -> None:
    jax.config.update("jax_enable_x64", True)
    queue.put([float(x) for x in np.asarray(special.jv(1.5, X[:4]))])


def fork() -> dict[str, Any]:
    """Children of a process that has called functions: by spawn they call them too.

    Children made by fork may not use JAX, whose threads they lack (JAX warns of it); that they end
    is all that is asked of them.
    """
    truth = scipy.special.jv(1.5, X[:4]).tolist()
    jax.block_until_ready(special.jv(1.5, X[:4]))
    found: dict[str, Any] = {}
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(target=_in_a_child, args=(queue,))
    child.start()
    found["spawn"] = queue.get(timeout=120) == truth
    child.join(60)
    forked = multiprocessing.get_context("fork").Process(target=lambda: None)
    forked.start()
    forked.join(60)
    found["fork"] = forked.exitcode == 0
    found["afterwards"] = np.asarray(special.jv(1.5, X[:4])).tolist() == truth
    return {**found, "fine": all(found.values())}


IN_FLIGHT = """
import threading, time, numpy as np, jax, jaxsci
from jaxsci import special
jax.config.update("jax_enable_x64", True)
x = np.linspace(1.0, 20.0, 300_000)
def value(v):
    with jaxsci.use_backend({backend!r}):
        return special.kv(v, x)
def some():
    for i in range(6):
        time.sleep(0.1)
        assert np.isfinite(np.asarray(value(0.3))).all()
    print("finished")
value(0.3).block_until_ready()
threading.Thread(target=some).start()
y = value(0.4)  # nobody waits for it
{end}
"""


def shutdown(times: int) -> dict[str, Any]:
    """Programs that end while calls are on their way, by their last line or by an exception.

    Not with daemon threads that run JAX: those end such a program by a signal, whatever they call.
    """
    ends = {"last line": ("", 0), "exception": ("raise ValueError('the end')", 1)}
    found: collections.Counter[str] = collections.Counter()
    for backend in BACKENDS:
        for name, (end, status) in ends.items():
            for _ in range(times):
                ended = _end_of(IN_FLIGHT.format(backend=backend, end=end), status)
                found[f"{backend}, {name}: {ended}"] += 1
    return {"ends": dict(found), "fine": all(k.endswith(": fine") for k in found)}


def _end_of(program: str, status: int) -> str:
    try:
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode != status:
        return f"status {done.returncode}"
    return "fine" if "finished" in done.stdout else "a thread did not finish"


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("threads", "growth", "fork", "shutdown"))
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--calls", type=int, default=10**6)
    parser.add_argument("--retraces", type=int, default=10**4)
    parser.add_argument("--switches", type=int, default=10**3)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    jax.config.update("jax_enable_x64", True)
    began = time.time()
    found = {
        "threads": lambda: threads(given.minutes),
        "growth": lambda: growth(given.calls, given.retraces, given.switches),
        "fork": fork,
        "shutdown": lambda: shutdown(given.times),
    }[given.what]()
    print(json.dumps({**found, "seconds": round(time.time() - began)}))
    return 0 if found["fine"] else 1


if __name__ == "__main__":
    sys.exit(main())
