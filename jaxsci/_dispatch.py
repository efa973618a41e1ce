"""Which backend runs a function."""

from __future__ import annotations

from contextlib import AbstractContextManager

import jax

from jaxsci import _native

# A user context is part of jit's cache key, so a jitted function is traced anew under another
# backend. The value is read where the primitive is bound, and travels as its parameter.
_backend = jax.make_user_context(None)

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
