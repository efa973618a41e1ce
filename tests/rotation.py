"""Samples that change from day to day, so that in time everything is tested every way.

The day is a number; what was drawn stands in the test's name. `JAXSCI_TEST_DAY=739000` repeats a
day's draw. Where a change is judged (`CI` is set) every day is the same one.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from datetime import date
from typing import TypeVar

import numpy as np

T = TypeVar("T")

# In the environment, so that pytest's workers, started later, agree with it at midnight too.
_TODAY = 0 if os.environ.get("CI") else date.today().toordinal()
DAY = int(os.environ.setdefault("JAXSCI_TEST_DAY", str(_TODAY)))


def generator_of_the_day(purpose: str) -> np.random.Generator:
    """Random numbers for one purpose, which are others tomorrow."""
    return np.random.default_rng([DAY, zlib.crc32(purpose.encode())])


def drawn(items: Sequence[T], n: int, purpose: str) -> list[T]:
    """Today's n of the items."""
    chosen = generator_of_the_day(purpose).choice(len(items), min(n, len(items)), replace=False)
    return [items[i] for i in sorted(chosen)]
