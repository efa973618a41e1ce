"""How the command line looks: the terminal's width, and emphasis where it can be shown."""

import os
import shutil
import sys

_LEAST, _MOST = 60, 120


def width() -> int:
    """Columns to fill: the terminal's, within reason; COLUMNS overrides it."""
    return min(max(_LEAST, shutil.get_terminal_size((100, 24)).columns), _MOST)


def strong(text: str) -> str:
    """The text in bold on a terminal that shows it. NO_COLOR (no-color.org) says that none does."""
    shown = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    plain = os.environ.get("NO_COLOR") or not shown
    return text if plain else f"\x1b[1m{text}\x1b[0m"
