"""Curves and phase portraits of functions, as SVG that takes its colours from the page."""

from __future__ import annotations

import base64
import colorsys
import functools
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 72, 14, 12, 42
MUCH = 40
"""By how much all values spread more than most of them, where not all are shown."""


@dataclass(frozen=True)
class Curve:
    """One line of a plot."""

    label: str
    y: np.ndarray
    style: str
    """Its class in the page's style sheet."""


def plot(x: np.ndarray, curves: Sequence[Curve], variable: str, alternative: str) -> str:
    """Curves over a common abscissa.

    Args:
        x: abscissae, ascending.
        curves: what is drawn; points that are not finite are left out.
        variable: what stands below the abscissa.
        alternative: what the plot shows, in words.
    """
    low, high = _range(np.concatenate([c.y for c in curves]))

    def across(value: float) -> float:
        return LEFT + (value - x[0]) / (x[-1] - x[0]) * (WIDTH - LEFT - RIGHT)

    def down(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg class="plot" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'xmlns="http://www.w3.org/2000/svg" aria-label="{escape(alternative)}">',
        f'<clipPath id="plot-area"><rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" '
        f'height="{HEIGHT - TOP - BOTTOM}"/></clipPath>',
    ]
    for value in _ticks(x[0], x[-1]):
        parts.append(_line("grid", across(value), TOP, across(value), HEIGHT - BOTTOM))
        parts.append(_text(across(value), HEIGHT - BOTTOM + 16, "middle", _number(value)))
    for value in _ticks(low, high):
        parts.append(_line("grid", LEFT, down(value), WIDTH - RIGHT, down(value)))
        parts.append(_text(LEFT - 6, down(value) + 4, "end", _number(value)))
    if low < 0 < high:
        parts.append(_line("axis", LEFT, down(0.0), WIDTH - RIGHT, down(0.0)))
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 3, "middle", escape(variable), "variable"))
    for curve in curves:
        points = _path([across(v) for v in x], [down(v) for v in curve.y])
        parts.append(
            f'<path class="curve {curve.style}" clip-path="url(#plot-area)" d="{points}"/>'
        )
    keys = "".join(
        f'<span class="key {curve.style}">{escape(curve.label)}</span>' for curve in curves
    )
    return f'<figure class="plot">{"".join(parts)}</svg><figcaption>{keys}</figcaption></figure>'


def _range(y: np.ndarray) -> tuple[float, float]:
    """What of the ordinate is shown: all, unless poles or growth hide the rest."""
    y = y[np.isfinite(y)]
    low, high = y.min(), y.max()
    if high - low > MUCH * np.ptp(np.percentile(y, [10, 90])) > 0:
        lower, upper = np.percentile(y, [25, 75])
        room = max(2.5 * (upper - lower), 1e-300)
        low, high = max(low, lower - room), min(high, upper + room)
    if high == low:
        low, high = low - 1, high + 1
    margin = 0.06 * (high - low)
    return float(low - margin), float(high + margin)


def _ticks(low: float, high: float) -> list[float]:
    step = 10 ** np.floor(np.log10((high - low) / 4))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6)
    first, last = np.ceil(low / step), np.floor(high / step)
    return [float(k * step) for k in np.arange(first, last + 1)]


def _number(value: float) -> str:
    return f"{value + 0.0:.4g}".replace("-", "−")  # + 0.0: no sign for 0


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, anchor: str, text: str, kind: str = "tick") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


def _path(xs: Sequence[float], ys: Sequence[float]) -> str:
    """Straight lines, broken where a value is missing, and at poles."""
    parts, pen = [], False
    for x, y, pole in zip(xs, ys, _poles(np.asarray(ys)), strict=True):
        if np.isfinite(y):
            y = min(max(y, -HEIGHT), 2 * HEIGHT)
            parts.append(f"{'L' if pen else 'M'}{x:.1f} {y:.1f}")
        pen = bool(np.isfinite(y)) and not pole
    return "".join(parts)


def _poles(y: np.ndarray) -> np.ndarray:
    """Whether a pole or a jump lies behind each point: a step against the slope on both sides."""
    steps = np.diff(y)
    jumps = np.zeros(len(y), dtype=bool)
    if len(steps) > 2:
        left, step, right = steps[:-2], steps[1:-1], steps[2:]
        turns = (np.sign(step) != np.sign(left)) & (np.sign(step) != np.sign(right))
        jumps[1:-2] = turns & (abs(step) > np.maximum(abs(left), abs(right))) & (abs(step) > 8)
    return jumps


def phase_portrait(values: np.ndarray, extent: float, alternative: str) -> str:
    """The phase of a complex function as hue, and its modulus as shades between powers of two.

    Args:
        values: on a square grid about 0, rows from the largest imaginary part down.
        extent: the largest real part.
        alternative: what the portrait shows, in words.
    """
    with np.errstate(all="ignore"):
        hue = (np.angle(values) / (2 * np.pi)) % 1.0
        shade = 0.72 + 0.28 * (np.log2(np.abs(values)) % 1.0)
    known = np.isfinite(values) & np.isfinite(shade)
    colours = _wheel()[(np.where(known, hue, 0.0) * 255).astype(int)] * shade[..., None]
    pixels = np.where(known[..., None], np.nan_to_num(colours), 128.0).astype(np.uint8)
    picture = base64.b64encode(_png(pixels)).decode()
    ticks = f"from −{extent:g} to {extent:g}"
    return (
        f'<figure class="plot portrait"><img alt="{escape(alternative)}" '
        f'src="data:image/png;base64,{picture}"/><figcaption>Phase portrait: real part (across) '
        f"and imaginary part (upwards) {ticks}. The hue is the phase, red where the value is "
        "positive; shades repeat where the modulus doubles.</figcaption></figure>"
    )


@functools.cache
def _wheel() -> np.ndarray:
    return 255 * np.array([colorsys.hls_to_rgb(h / 256, 0.6, 0.75) for h in range(256)])


def _png(pixels: np.ndarray) -> bytes:
    height, width, _ = pixels.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    # Each line with the filter "Sub": what is left is small, and packs well.
    differences = np.diff(pixels, axis=1, prepend=np.zeros((height, 1, 3), np.uint8))
    lines = b"".join(b"\x01" + line.tobytes() for line in differences.astype(np.uint8))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(lines, 9))
        + chunk(b"IEND", b"")
    )
