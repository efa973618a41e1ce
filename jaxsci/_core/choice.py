"""What is chosen where a function is traced: the backend, and the precision of its kernels."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple

import jax

AUTOMATIC = "automatic"
"""Nothing is said: kernels on accelerators, the host for programs of CPUs."""
DOUBLE, SINGLE = PRECISIONS = ("double", "single")
"""What kernels compute in where results are no wider than single precision."""


class Choice(NamedTuple):
    """How functions are computed."""

    backend: str = AUTOMATIC
    precision: str = DOUBLE


# A user context is part of jit's cache key, so a jitted function is traced anew under another
# choice. The value is read where the primitive is bound, and travels as its parameter.
chosen = jax.make_user_context(Choice())


def current() -> Choice:
    """The choice in force: the innermost `use_backend`'s, or `set_backend`'s, or the default."""
    return chosen.value


def in_force(choice: Choice) -> AbstractContextManager[None]:
    """What is traced in a ``with`` block has this choice, as `current` gave it.

    A call keeps the choice that it was traced under, and so do its derivatives, whenever they are
    asked for, and what it is lowered to.
    """
    return chosen(choice)
