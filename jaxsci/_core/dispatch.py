"""Which backend runs a function."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import jax

from jaxsci import _native

# A user context is part of jit's cache key, so a jitted function is traced anew under another
# backend. The value is read where the primitive is bound, and travels as its parameter.
_backend = jax.make_user_context(None)
_apart = jax.make_user_context(False)

BACKENDS = ("callback", "ffi") if _native.ABSENT is None else ("callback",)
DEFAULT_BACKEND = BACKENDS[-1]


def use_backend(name: str) -> AbstractContextManager[None]:
    """Force the backend that runs host functions, within a ``with`` block.

    Args:
        name: ``"callback"``, SciPy's function called on the host through a callback: every
            platform, and the reference for the others. ``"ffi"``, the default where it is there:
            a ufunc's inner loop called from compiled code, without Python, on CPUs; where it
            cannot be (other platforms, functions that are not ufuncs) the callback serves.

    Returns:
        A context manager.

    Raises:
        ValueError: there is no backend of that name here.
    """
    if name not in BACKENDS:
        reason = f" ({_native.ABSENT})" if name == "ffi" else ""
        raise ValueError(
            f"use_backend: no backend {name!r} here; available: "
            f"{', '.join(map(repr, BACKENDS))}{reason}"
        )
    return _backend(name)


def current_backend() -> str:
    """The backend in force: the innermost `use_backend`'s, or the default."""
    return _backend.value or DEFAULT_BACKEND


def merges_calls(backend: str) -> bool:
    """Whether a function and its derivatives are to be evaluated by one call."""
    if _apart.value:
        return False
    return backend == "callback" or (_backend.value is None and _may_run_elsewhere())


def _may_run_elsewhere() -> bool:
    """Whether programs may be for another platform than CPUs, without starting any to find out."""
    platforms: str | None = getattr(jax.config, "jax_platforms", None)
    if platforms:
        return platforms.split(",")[0] != "cpu"
    return _accelerator_is_installed()


@functools.cache
def _accelerator_is_installed() -> bool:
    """Whether JAX would find a platform besides CPUs to look for."""
    return (
        bool(importlib.metadata.entry_points(group="jax_plugins"))
        or importlib.util.find_spec("jax_plugins") is not None
        or importlib.util.find_spec("libtpu") is not None
    )


@contextmanager
def apart(backend: str) -> Iterator[None]:
    """Trace functions and derivatives call by call, for the backend, within a ``with`` block."""
    with _backend(backend), _apart(True):
        yield
