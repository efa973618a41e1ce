"""Many Python threads, and XLA's own, in the native backend at once; the values must be right."""

import concurrent.futures
import threading

import jax
import numpy as np
import scipy.special

import jaxsci
from jaxsci import _native, host_function
from jaxsci.linalg._infra import lapack

if _native.ABSENT is not None:
    raise SystemExit(_native.ABSENT)

THREADS, ROUNDS = 6, 4
NAMES = ["j0", "j1", "y0", "jv", "kv", "gammainc", "ellipkinc", "betainc", "erf", "expit"]
together = threading.Barrier(THREADS)


def arguments(ufunc: np.ufunc, n: int, dtype: type) -> list[np.ndarray]:
    rng = np.random.default_rng(n)
    return [rng.uniform(0.1, 0.9, n).astype(dtype) for _ in range(ufunc.nin)]


def work(k: int) -> int:
    done = 0
    together.wait()
    for i in range(ROUNDS):
        for name in NAMES[k % 3 :] + NAMES[: k % 3]:
            ufunc = getattr(scipy.special, name)
            for n, dtype in [(1, np.float64), (20_000, np.float64), (20_000, np.float32)]:
                xs = arguments(ufunc, n + i, dtype)
                with jaxsci.use_backend("ffi"):
                    found = np.asarray(jax.jit(host_function(ufunc))(*xs))
                expected = ufunc(*(x.astype(np.float64) for x in xs)).astype(dtype)
                assert (found == expected).all(), name
                done += 1
    return done + of_matrices(k)


def of_matrices(k: int) -> int:
    """Stacks large enough for several threads, in each of the threads here."""
    rng = np.random.default_rng(k)
    a, b, q = rng.normal(size=(3, 400, 6, 6))
    x = lapack.sylvester(a, b, q, 1e-15)
    assert np.abs(a @ x + x @ b - q).max() < 1e-9 * np.abs(x).max()
    t, z = lapack.schur(a)
    assert np.abs(z @ t @ z.swapaxes(-1, -2) - a).max() < 1e-13
    w, _, v = lapack.eig(a, left=False, right=True)
    assert np.abs(a @ v - v * w[:, None, :]).max() < 1e-12
    return 3


with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
    print(sum(pool.map(work, range(THREADS))), "calls, all right")
