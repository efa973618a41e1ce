"""Ctrl-C while a host function runs: what is raised, and that the process goes on.

The argument says how the function is called.
"""

import os
import signal
import sys
import threading
import time

import jax
import jax.numpy as jnp
import numpy as np

from jaxsci import host_function, use_backend

jax.config.update("jax_enable_x64", True)
# Shells start programs in the background with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
SECONDS = 20.0
started = threading.Event()


def slow(x):
    if np.any(x > 0):
        started.set()
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            time.sleep(0.01)
    return 2 * x


def interrupt():
    started.wait()
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)


with use_backend("callback"):
    f = host_function(slow, "(n)->(n)")
    called = {
        "eager": f,
        "jit": jax.jit(f),
        "scan": lambda x: jax.lax.scan(lambda c, _: (f(c), None), x, length=3)[0],
    }[sys.argv[1]]
    called(jnp.zeros(2))  # compiled
    threading.Thread(target=interrupt, daemon=True).start()
    began = time.monotonic()
    try:
        jax.block_until_ready(called(jnp.ones(2)))
        print("nothing was raised")
    except BaseException as error:
        named = "the host function 'slow' raised KeyboardInterrupt" in str(error)
        print(type(error).__name__, named)
    print("at once" if time.monotonic() - began < SECONDS / 2 else "at the end")
    print(np.asarray(called(jnp.zeros(2))), np.asarray(jnp.ones(2) + 1))
