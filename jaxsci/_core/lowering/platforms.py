"""For which platforms a program is being lowered: loops over parts of arrays are laid out by that.

A processor's core takes a few thousand numbers at a time, which its cache holds. An accelerator
takes hundreds of thousands, and each step of a loop costs it as much as that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar

CPU = "cpu"

_platforms: ContextVar[tuple[str, ...]] = ContextVar("platforms", default=(CPU,))


@contextlib.contextmanager
def lowered_for(platforms: Sequence[str]) -> Iterator[None]:
    """Trace what a program for these platforms is lowered to."""
    token = _platforms.set(tuple(platforms))
    try:
        yield
    finally:
        _platforms.reset(token)


def on_accelerator() -> bool:
    """Whether what is traced here is for accelerators alone; not, as long as nothing is lowered."""
    return CPU not in _platforms.get()
