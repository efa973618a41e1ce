"""Which backend runs a function."""

from __future__ import annotations

from contextlib import AbstractContextManager

import jax

# A user context is part of jit's cache key, so a jitted function is traced anew under another
# backend. The value is read where the primitive is bound, and travels as its parameter.
_backend = jax.make_user_context(None)

BACKENDS = ("callback",)
DEFAULT_BACKEND = "callback"


def use_backend(name: str) -> AbstractContextManager[None]:
    """Force the backend that runs host functions, within a ``with`` block.

    Args:
        name: ``"callback"``, SciPy's function called on the host through a callback: every
            platform, and the reference for the others.

    Returns:
        A context manager.

    Raises:
        ValueError: there is no backend of that name here.
    """
    if name not in BACKENDS:
        raise ValueError(
            f"use_backend: no backend {name!r} here; available: {', '.join(map(repr, BACKENDS))}"
        )
    return _backend(name)


def current_backend() -> str:
    """The backend in force: the innermost `use_backend`'s, or the default."""
    return _backend.value or DEFAULT_BACKEND
