"""The pictures of the front page: phase portraits, each a link to its function."""

from __future__ import annotations

import re

import drawings
import pages

from jaxsci.special._catalog.row import ElementwiseRow

SHOWN = ("gamma", "airy", "jv", "wofz", "psi", "hyp2f1")


def pictures() -> str:
    """Portraits side by side."""
    return f'<div class="gallery">{"".join(map(_linked, SHOWN))}</div>'


def _linked(name: str) -> str:
    row = pages.SPECIAL[name]
    figure = drawings.portrait(row) if isinstance(row, ElementwiseRow) else ""
    image = re.search(r"<img [^>]*>", figure)
    if image is None:
        raise ValueError(f"{name} has no phase portrait for the front page")
    return f'<a href="special/{name}/">{image[0]}<code>{name}</code></a>'
