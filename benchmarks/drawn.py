"""Plots of what `alternatives.py` measured: python benchmarks/drawn.py draws its file again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib
from contenders import LABELS, QUANTITIES
from matplotlib import pyplot

COLUMNS = 3
GREY = "#808080"
"""Of letters and frames: read on white and on black, for the pages are either."""


def draw(data: dict[str, Any], folder: Path) -> None:
    """One file for each quantity: time by size, a panel for each function."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "jaxsci"  # the same file from the same figures
    for what in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"):
        matplotlib.rcParams[what] = GREY
    colours = dict(zip(LABELS, matplotlib.colormaps["tab10"].colors, strict=False))
    names = list(dict.fromkeys(r["function"] for r in data["results"]))
    for quantity in QUANTITIES:
        rows = -(-len(names) // COLUMNS)
        figure, axes = pyplot.subplots(
            rows, COLUMNS, figsize=(2.5 * COLUMNS, 2.1 * rows), squeeze=False, sharex=True,
            layout="constrained",
        )  # fmt: skip
        for place, name in zip(axes.flat, names, strict=False):
            place.set(xscale="log", yscale="log", title=name)
            for r in data["results"]:
                if (r["function"], r["quantity"]) == (name, quantity) and r["seconds"]:
                    sizes = [int(n) for n in r["seconds"]]
                    place.plot(
                        sizes, list(r["seconds"].values()), "o-", color=colours[r["library"]],
                        markersize=3, linewidth=2 if r["library"] == "jaxsci" else 1,
                    )  # fmt: skip
        for place in list(axes.flat)[max(0, len(names) - COLUMNS) : len(names)]:
            place.tick_params(labelbottom=True)  # the lowest of each column
        for place in list(axes.flat)[len(names) :]:
            place.axis("off")
        there = {r["library"] for r in data["results"]}
        handles = [pyplot.Line2D([], [], color=colours[x], label=x) for x in LABELS if x in there]
        figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
        figure.supylabel("seconds a call")
        figure.suptitle(f"{quantity}, by number of elements")
        file = folder / f"alternatives_{quantity.replace(' ', '_')}.svg"
        figure.savefig(file, metadata={"Date": None}, transparent=True)
        pyplot.close(figure)


if __name__ == "__main__":
    assets = Path(__file__).resolve().parents[1] / "docs" / "assets"
    draw(json.loads((assets / "alternatives.json").read_text(encoding="utf-8")), assets)
