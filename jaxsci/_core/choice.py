"""The backend that is chosen, where a function is traced."""

from __future__ import annotations

from contextlib import AbstractContextManager

import jax

AUTOMATIC = "automatic"
"""Nothing is said: kernels on accelerators, the host for programs of CPUs."""

# A user context is part of jit's cache key, so a jitted function is traced anew under another
# backend. The value is read where the primitive is bound, and travels as its parameter.
chosen = jax.make_user_context(None)


def current_backend() -> str:
    """The backend in force: the innermost `use_backend`'s, or `set_backend`'s, or automatic."""
    return chosen.value or AUTOMATIC


def in_force(backend: str) -> AbstractContextManager[None]:
    """What is traced in a ``with`` block has this backend, as `current_backend` named it.

    A call keeps the backend that it was traced under, and so do its derivatives, whenever they
    are asked for, and what it is lowered to.
    """
    return chosen(None if backend == AUTOMATIC else backend)
