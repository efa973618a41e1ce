"""Compiles and runs jv and its derivative with a cache on disk: ``cached.py FOLDER``."""

import sys

import jax
import jax.monitoring
import numpy as np
import scipy.special

import jaxsci
import jaxsci.special

seen: list[str] = []
jax.monitoring.register_event_listener(lambda event, **_: seen.append(event))
jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)

v, x = np.arange(6.0), np.linspace(0.5, 9, 6)
with jaxsci.use_backend("ffi"):
    value = jax.jit(jaxsci.special.jv)(v, x)
    gradient = jax.jit(jax.grad(lambda x: jaxsci.special.jv(v, x).sum()))(x)
np.testing.assert_array_equal(value, scipy.special.jv(v, x))
np.testing.assert_allclose(gradient, scipy.special.jvp(v, x), rtol=1e-13)

for what in ("hits", "misses"):
    print(what, seen.count(f"/jax/compilation_cache/cache_{what}"))
