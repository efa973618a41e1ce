"""A progress bar on standard error: tqdm's where it is installed, else one line of text."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from jaxsci._terminal import width

_WIDTH = 30


class Advance(Protocol):
    """Moves the bar to ``done`` of the total, with a short note behind it."""

    def __call__(self, done: int, note: str) -> None: ...


@contextmanager
def progress_bar(title: str, total: int) -> Iterator[Advance]:
    """Show a bar of ``total`` steps while the block runs; it yields what moves the bar."""
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:
        yield from _text_bar(title, total)
        return

    with tqdm(total=total, desc=title, file=sys.stderr, ncols=width()) as bar:

        def advance(done: int, note: str) -> None:
            bar.set_postfix_str(note, refresh=False)
            bar.update(done - bar.n)

        yield advance


def _text_bar(title: str, total: int) -> Iterator[Advance]:
    """The same without tqdm. A terminal sees one line change, a log sees one line a step."""
    start, end = ("\r", "") if sys.stderr.isatty() else ("", "\n")

    def advance(done: int, note: str) -> None:
        filled = _WIDTH * done // total
        bar = "#" * filled + "." * (_WIDTH - filled)
        print(
            f"{start}{title}: [{bar}] {done}/{total} {note:<30}",
            end=end, file=sys.stderr, flush=True,
        )  # fmt: skip

    advance(0, "")
    try:
        yield advance
    finally:
        if not end:
            print(file=sys.stderr)
