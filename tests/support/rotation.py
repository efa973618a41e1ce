"""Samples that change from commit to commit, so that in time everything is tested every way.

A run of one commit is always the same, here and elsewhere. What was drawn stands in the test's
name; `JAXSCI_TEST_DRAW=NUMBER` in place of the commit repeats another draw.
"""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

T = TypeVar("T")

HERE = Path(__file__).resolve().parent


def _of_commit() -> int:
    """A number that the commit gives; 0 outside of a repository."""
    asked = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=HERE, capture_output=True, text=True, check=False
    )
    return int(asked.stdout[:8], 16) if asked.returncode == 0 else 0


# In the environment, so that pytest's workers need not ask again.
DRAW = int(os.environ.get("JAXSCI_TEST_DRAW") or _of_commit())
os.environ["JAXSCI_TEST_DRAW"] = str(DRAW)


def generator_of_the_draw(purpose: str) -> np.random.Generator:
    """Random numbers for one purpose, which are others for the next commit."""
    return np.random.default_rng([DRAW, zlib.crc32(purpose.encode())])


def drawn(items: Sequence[T], n: int, purpose: str) -> list[T]:
    """This commit's n of the items."""
    chosen = generator_of_the_draw(purpose).choice(len(items), min(n, len(items)), replace=False)
    return [items[i] for i in sorted(chosen)]


def one_by_the_draw(items: Sequence[T], purpose: str, share: float | None = None) -> list[Any]:
    """The items as a test's parameters, of which all rotate but the one that this commit draws.

    That one is run by every commit, or rotates with the others by a share of all commits.
    """
    (wanted,) = drawn(items, 1, purpose)
    rest = [] if share is None else [pytest.mark.rotating(share)]
    return [
        pytest.param(item, marks=rest if item is wanted else [pytest.mark.rotating(0)])
        for item in items
    ]


def is_drawn(name: str, share: float) -> bool:
    """Whether this commit draws the item of that name, as it does a share of all items."""
    return generator_of_the_draw(name).random() < share


def few_or_many(few: int, many: int, share: float) -> pytest.MarkDecorator:
    """Parametrise n, how many points a test takes: many rotate more slowly, as they take longer."""
    return pytest.mark.parametrize(
        "n",
        [
            pytest.param(few, marks=pytest.mark.rotating(share), id="few"),
            pytest.param(many, marks=pytest.mark.rotating(share / 5), id="many"),
        ],
    )
