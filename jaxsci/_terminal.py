"""How the command line looks: the terminal's width, emphasis and colours where it shows them."""

import difflib
import os
import shutil
import sys
from collections.abc import Iterable

_LEAST, _MOST = 60, 120


def width() -> int:
    """Columns to fill: the terminal's, within reason; COLUMNS overrides it."""
    return min(max(_LEAST, shutil.get_terminal_size((100, 24)).columns), _MOST)


def strong(text: str) -> str:
    """The text in bold, on a terminal that shows it."""
    return _shown(text, "1")


def good(text: str) -> str:
    """The text in green, on a terminal that shows it."""
    return _shown(text, "32")


def bad(text: str) -> str:
    """The text in red, on a terminal that shows it."""
    return _shown(text, "31")


def faint(text: str) -> str:
    """The text paler than the rest, on a terminal that shows it."""
    return _shown(text, "2")


def _shown(text: str, code: str) -> str:
    """NO_COLOR (no-color.org) says that nothing is shown but the text."""
    shown = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    plain = os.environ.get("NO_COLOR") or not shown
    return text if plain else f"\x1b[{code}m{text}\x1b[0m"


def offer_similar_names(unknown: Iterable[str], known: Iterable[str]) -> None:
    """Say what may have been meant by names that nothing has."""
    among = list(known)
    near = (n for name in unknown for n in difflib.get_close_matches(name, among))
    names = ", ".join(dict.fromkeys(near))
    if names:
        print(f"similar names: {names}", file=sys.stderr)
